//! Making a sandbox.
//!
//! ```text
//! image ─▶ container made ─▶ agent and settings brought to it ─▶ started ─▶ connected ─▶ checked
//!          └─────────── done to the end by the errands, whoever stops waiting ────────┘
//! ```
//!
//! What is made and wanted by nobody any more is removed ([`Unkept`]).

use crate::base::{self, Base};
use crate::body::{self, Shared, Wanted};
use crate::keeper::Keeper;
use crate::own_images::BeingBuilt;
use crate::place::Place;
use crate::provider::Inner;
use crate::reach::{Reach, Reached};
use crate::record::{self, DockerRecord};
use crate::runtime::{self, Runtime};
use crate::sandbox::{DockerSandbox, Parts};
use crate::unkept::{Unkept, Waits};
use crate::{entrypoint, mounts, one_shots, options, sidecars, volumes, workspace};
use bollard::models::{ContainerCreateBody, ContainerInspectResponse, HostConfig};
use bollard::query_parameters::{CreateContainerOptionsBuilder, UploadToContainerOptionsBuilder};
use bytes::Bytes;
use isobox_contract::{
    Capability, Context, Detail, Error, ErrorCode, Exec, Isolation, Owner, Resource, Result, Sandbox, SandboxId,
    SandboxSpec,
};
use isobox_guest::Greeting;
use isobox_local::Born;
use isobox_wire::container::{AGENT, CONFIG, DIRECTORY, SHARED};
use isobox_wire::{Settings, settings};
use std::path::Path;
use std::sync::Arc;

/// How the agent gets into a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// Through a directory of this machine that the container sees, with the agent's socket in it.
    Shared,
    /// By the engine, as files, which works wherever it is.
    Copied,
}

impl Delivery {
    /// How it got into a container that is there.
    pub(crate) fn of(container: &ContainerInspectResponse) -> Self {
        // Not what was asked for: Podman does not keep that.
        let mounts = container.mounts.iter().flatten();
        let shared = mounts.into_iter().any(|mount| mount.destination.as_deref() == Some(SHARED));
        if shared { Self::Shared } else { Self::Copied }
    }

    /// Brings the agent and what it is told to a container that does not run.
    pub(crate) async fn deliver(
        self,
        inner: &Inner,
        container: &str,
        place: &Place,
        settings: &Settings,
    ) -> Result<()> {
        match self {
            Self::Shared => {
                inner.flatten(container, place).await?;
                place.share(settings).map(drop)
            }
            Self::Copied => {
                let options = UploadToContainerOptionsBuilder::default().path("/").build();
                let body = bollard::body_full(archive(Some(settings))?);
                let copied = inner.engine.api().upload_to_container(container, Some(options), body).await;
                copied.map_err(inner.engine.failed("copy the agent into the container"))
            }
        }
    }
}

/// The agent, and what it is told if that is to be there, as the engine takes files.
pub(crate) fn archive(settings: Option<&Settings>) -> Result<Bytes> {
    let mut tar = tar::Builder::new(Vec::with_capacity(isobox_agent::bytes().len() + (16 << 10)));
    let mut add = |path: &str, kind: tar::EntryType, mode: u32, bytes: &[u8]| {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_size(bytes.len() as u64);
        header.set_mtime(0);
        tar.append_data(&mut header, path.trim_start_matches('/'), bytes)
    };
    let written = add(DIRECTORY, tar::EntryType::Directory, 0o755, b"")
        .and_then(|()| add(AGENT, tar::EntryType::Regular, 0o755, isobox_agent::bytes()))
        .and_then(|()| add(SHARED, tar::EntryType::Directory, 0o700, b""));
    let written = written.and_then(|()| match settings {
        Some(settings) => add(CONFIG, tar::EntryType::Regular, 0o600, &isobox_wire::encode(settings)),
        None => Ok(()),
    });
    let bytes = written.and_then(|()| tar.into_inner());
    bytes.map(Bytes::from).map_err(|error| Error::io("cannot pack the agent", error))
}

/// A container to make, with everything that was decided.
struct Plan {
    id: SandboxId,
    body: ContainerCreateBody,
    platform: Option<String>,
    delivery: Delivery,
    place: Place,
    settings: Settings,
}

impl Inner {
    /// Makes a sandbox, as [`isobox_contract::Provider::create`].
    pub(crate) async fn make(
        self: &Arc<Self>,
        id: &SandboxId,
        spec: &SandboxSpec,
        context: &Context,
    ) -> Result<Arc<dyn Sandbox>> {
        context.remaining("create")?;
        // What cannot be is refused before anything is fetched or built.
        let runtime = self.runtime(spec).await?;
        self.check(spec, &runtime).await?;
        let building = BeingBuilt::of(self, id, &spec.source);
        let made = match base::base(self, id, spec, context).await {
            Ok(base) => self.make_from(id, spec, base, &runtime, context).await,
            Err(error) => Err(error),
        };
        building.done();
        if made.is_err() {
            // The error to report is the first one; what is left is tidied up later.
            let _ = self.forget_images(id).await;
        }
        made
    }

    /// Refuses what the engine would not take, in the words of the spec.
    async fn check(&self, spec: &SandboxSpec, runtime: &Runtime) -> Result<()> {
        let options = options::of(spec);
        options::network(spec, &options)?;
        options::hostname(&options)?;
        options::apply(&options, &mut HostConfig::default())?;
        sidecars::check(&options, runtime.isolation)?;
        body::limits(&spec.resources, self.engine.facts().await?)?;
        runtime.check(spec, self.capabilities())?;
        mounts::of(spec, self.is_here()).map(drop)
    }

    /// The runtime that a spec asks for.
    pub(crate) async fn runtime(&self, spec: &SandboxSpec) -> Result<Runtime> {
        let facts = self.engine.facts().await?;
        facts.has_agent()?;
        runtime::choose(spec, &options::of(spec), facts)
    }

    /// Makes a sandbox from what is ready.
    pub(crate) async fn make_from(
        self: &Arc<Self>,
        id: &SandboxId,
        spec: &SandboxSpec,
        base: Base,
        runtime: &Runtime,
        context: &Context,
    ) -> Result<Arc<dyn Sandbox>> {
        let entrypoint = entrypoint::of(spec, base.image.as_ref())?;
        let options = options::of(spec);
        let sidecars = self.sidecar_images(&options, context).await?;
        let mut capabilities = runtime.narrow(self.capabilities());
        let plan = self.plan(id, spec, &base, runtime, context).await?;
        let (token, place) = (plan.settings.token.clone().into_vec(), plan.place.clone());
        let delivery = plan.delivery;
        let beside = sidecars::Beside { id: *id, agent: self.agent_beside(delivery)? };
        // Before the agent begins to count its ttl: when that is over, by this clock it is over too.
        let born = Born::now();
        let container = self.bring_up(plan).await?;
        isobox_fault::point!("docker.create.started");
        let stops = isobox_local::stop_after(&spec.lifetimes);
        let keeper = Keeper::new(self.engine.caller(), *id, &container, place.clone(), stops.clone());
        keeper.keeps_files(capabilities.has(Capability::LifecycleStop));
        let greeting = Greeting { token: token.clone(), build: isobox_agent::BUILD_ID.into(), owner: true };
        let reach = Reach { caller: self.engine.caller(), container: &container, place: &place };
        let Reached { guest, agent } = reach.first(delivery == Delivery::Shared, greeting, keeper.obituary()).await?;
        // It may have been slow.
        if delivery == Delivery::Shared && agent.is_none() && place.dial().await.is_err() {
            self.not_here();
        }
        isobox_fault::point!("docker.create.connected");
        one_shots::narrow(&mut capabilities, Some(spec).filter(|_| base.beside.is_none()), guest.workdir());
        let record = DockerRecord { token, agent, image: base.image.clone(), born };
        let external = container.parse().map_err(|_| Error::transport("docker gave a container without an id"))?;
        let sandbox = DockerSandbox::of(
            self.clone(),
            Parts {
                id: *id,
                external,
                place,
                guest,
                keeper: Some(keeper),
                record,
                stops,
                paused: false,
                owned: spec.owner == Owner::Process,
                capabilities,
                limits: spec.resources,
            },
        );
        container.keep();
        let confirmed = async {
            self.start_sidecars(sandbox.core.container(), &beside, &sidecars, context).await?;
            confirm(&sandbox, spec, entrypoint).await
        };
        let confirmed = confirmed.await;
        if let Err(error) = confirmed {
            sandbox.delete(context).await?;
            return Err(error);
        }
        Ok(Arc::new(sandbox))
    }

    async fn plan(
        &self,
        id: &SandboxId,
        spec: &SandboxSpec,
        base: &Base,
        runtime: &Runtime,
        context: &Context,
    ) -> Result<Plan> {
        let facts = self.engine.facts().await?;
        let options = options::of(spec);
        let network = match &base.beside {
            Some(beside) => Some(format!("container:{}", beside.container)),
            None => options::network(spec, &options)?.or_else(|| facts.unconnected.then(|| "none".to_owned())),
        };
        let options = sidecars::with_hosts(options);
        let delivery = self.delivery(runtime, facts.selinux);
        let mut settings = isobox_local::settings(&base.spec, settings::Place::Container)?;
        settings.make_workdir = base.makes_workdir;
        settings.lifeline = (!options.sidecars.is_empty()).then(|| sidecars::lifeline(id));
        let mut all = mounts::of(spec, self.is_here())?;
        all.extend(volumes::mounts(&self.volumes, spec).await?);
        let fleet = self.places.fleet()?;
        all.extend(workspace::of(id, &base.spec, &fleet)?);
        all.extend(base.beside.iter().filter_map(|beside| beside.workspace.clone()));
        let place = self.places.of(id);
        place.make()?;
        isobox_fault::point!("docker.create.placed");
        place.keep(&settings)?;
        place.keep_origin(spec)?;
        if delivery == Delivery::Shared {
            let shared = Shared { agent: self.places.agent()?, run: place.share(&settings)? };
            all.extend(body::shared(&shared)?);
        } else {
            // What is copied in must be in no snapshot.
            all.push(body::apart());
        }
        let wanted = Wanted {
            id,
            spec,
            options: &options,
            base,
            runtime,
            mounts: all,
            loopback6: self.has_loopback6(runtime, network.as_deref()),
            network,
            facts,
            fleet: &fleet,
        };
        let body = body::container(&wanted, context)?;
        Ok(Plan { id: *id, body, platform: base.platform.clone(), delivery, place, settings })
    }

    /// Whether a container with a network of its own can have IPv6 on its loopback: where its kernel is this machine's, which can be
    /// looked at.
    fn has_loopback6(&self, runtime: &Runtime, network: Option<&str>) -> bool {
        let own = network.is_none_or(|name| name != "host" && !name.starts_with("container:"));
        let same_kernel = runtime.isolation <= Isolation::Container;
        own && same_kernel && self.is_here() && Path::new("/proc/sys/net/ipv6/conf/lo").exists()
    }

    /// How the agent gets into a container with this runtime.
    fn delivery(&self, runtime: &Runtime, labelled: bool) -> Delivery {
        // A runtime with a kernel of its own has sockets of its own.
        let same_kernel = runtime.isolation <= Isolation::Container;
        if self.is_here() && same_kernel && !labelled { Delivery::Shared } else { Delivery::Copied }
    }

    /// Makes and starts the container, and gives its id.
    async fn bring_up(self: &Arc<Self>, plan: Plan) -> Result<Unkept<String>> {
        let (inner, remover, id) = (self.clone(), self.clone(), plan.id);
        let making = |waits| async move { inner.up(plan, &waits).await };
        self.engine.make(making, move |container: String| async move { remover.removal_of(&container, id).await }).await
    }

    async fn up(&self, plan: Plan, waits: &Waits) -> Result<String> {
        let _turn = self.engine.turn().await?;
        let made = self.create_container(&plan).await;
        isobox_fault::point!("docker.create.container_made");
        let container = match made {
            Ok(container) => container,
            Err(error) => {
                if error.code() != ErrorCode::AlreadyExists {
                    // The engine may have made that before. The error to report is the first one.
                    let _ = self.forget_workspace(&plan.id).await;
                    plan.place.remove()?;
                }
                return Err(error);
            }
        };
        let started = self.start_container(&plan, &container, waits).await;
        if let Err(error) = started {
            self.remove(&container, &plan.id).await?;
            return Err(error);
        }
        Ok(container)
    }

    async fn create_container(&self, plan: &Plan) -> Result<String> {
        let name = record::container(&plan.id);
        let options = CreateContainerOptionsBuilder::default().name(&name);
        let options = match &plan.platform {
            Some(platform) => options.platform(platform),
            None => options,
        };
        let made = self.engine.api().create_container(Some(options.build()), plan.body.clone()).await;
        let made = made.map_err(self.engine.failed("make the container"));
        made.map(|made| made.id).map_err(|error| match error.code() {
            ErrorCode::Conflict => Error::already_exists(Resource::Sandbox, plan.id),
            _ => explained(error),
        })
    }

    async fn start_container(&self, plan: &Plan, container: &str, waits: &Waits) -> Result<()> {
        isobox_fault::point!("docker.create.bringing");
        // What was shared is there already.
        if plan.delivery == Delivery::Copied {
            plan.delivery.deliver(self, container, &plan.place, &plan.settings).await?;
        }
        waits.check("create")?;
        let started = self.engine.api().start_container(container, None).await;
        started.map_err(self.engine.failed("start the container")).map_err(explained)
    }
}

/// Checks in the sandbox what only it can know, and runs the image's own program if that was asked for.
async fn confirm(
    sandbox: &DockerSandbox,
    spec: &SandboxSpec,
    entrypoint: Option<isobox_contract::ExecRequest>,
) -> Result<()> {
    let guest = &sandbox.core.guest;
    if spec.user.is_some() || spec.workdir.is_some() {
        guest.check().await?;
    }
    if let Some(entrypoint) = entrypoint {
        guest.spawn(entrypoint).await?;
    }
    Ok(())
}

/// Names the field of a spec that the engine refuses, as far as its words tell.
fn explained(error: Error) -> Error {
    let words = error.message().to_ascii_lowercase();
    let fields = [
        ("storage-opt", "resources.disk"),
        ("quota", "resources.disk"),
        ("memory limit", "resources.memory"),
        ("memory", "resources.memory"),
        ("cpus", "resources.cpus"),
        ("pids", "resources.pids"),
        ("device driver", "resources.gpus"),
        ("capability", "options.docker.cap_add"),
        ("sysctl", "options.docker.sysctls"),
        ("security-opt", "options.docker.security_opt"),
        ("seccomp", "options.docker.security_opt"),
        ("apparmor", "options.docker.security_opt"),
        ("ulimit", "options.docker.ulimits"),
        ("rlimit", "options.docker.ulimits"),
        ("gathering device information", "options.docker.devices"),
        ("network", "options.docker.network"),
        ("mount", "mounts"),
        ("platform", "source.platform"),
    ];
    if !matches!(error.code(), ErrorCode::InvalidSpec | ErrorCode::NotFound | ErrorCode::Internal) {
        return error;
    }
    let Some((word, field)) = fields.into_iter().find(|(word, _)| words.contains(word)) else { return error };
    // An engine that fails for reasons of its own has them in other words than these.
    let certain = field.starts_with("options") || ["storage-opt", "device driver"].contains(&word);
    if error.code() == ErrorCode::Internal && !certain {
        return error;
    }
    let way_out = match word {
        "storage-opt" => "; mount the filesystem of its data-root so, or leave the limit out",
        _ => "",
    };
    let message = format!("{field}: {}{way_out}", error.message());
    let detail = Detail::InvalidSpec { field: field.into(), reason: error.message().to_owned() };
    Error::new(ErrorCode::InvalidSpec, message).with_detail(detail)
}
