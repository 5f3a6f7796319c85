//! Named services beside a sandbox.
//!
//! ```text
//!   sandbox's container ── its network namespace ──┬── sidecar db      127.0.0.1, db
//!        (names in its /etc/hosts)                 └── sidecar cache   127.0.0.1, cache
//! ```
//!
//! The one network that they share is the sandbox's own: they see each other at the loopback address, under their names, and
//! nobody else sees them, whatever other sandboxes there are. No network of the engine is made, of which it has about thirty. What
//! the sandbox may reach they may reach: with no network they have none either.
//!
//! A sidecar's life hangs on the sandbox's: the agent is in front of its program and ends it when the agent in the sandbox has ended,
//! of whatever, with nobody there to see it.

mod body;
mod health;

use crate::create::{Delivery, archive};
use crate::images::Found;
use crate::labels;
use crate::provider::Inner;
use crate::removal::remove_container;
use crate::unkept::Unkept;
use bollard::models::{ContainerCreateBody, ContainerSummary};
use bollard::query_parameters::{
    CreateContainerOptions, CreateContainerOptionsBuilder, RemoveContainerOptionsBuilder,
    RestartContainerOptionsBuilder, StopContainerOptionsBuilder, UploadToContainerOptionsBuilder,
};
use isobox_contract::{
    Context, DockerOptions, Error, ErrorCode, ImageSource, Isolation, Resource, Result, SandboxId, SandboxSpec, Sidecar,
};
use std::collections::{BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

/// The role of a sidecar's container in labels.
pub(crate) const ROLE: &str = "sidecar";
/// Roles of containers that go with a sandbox.
const BESIDE: [&str; 2] = [ROLE, crate::one_shots::ROLE];
/// How long a sidecar has to end by itself, in seconds.
const GRACE: i32 = 2;
/// The field that errors name.
const FIELD: &str = "options.docker.sidecars";

/// A sidecar whose image is here.
pub(crate) struct Ready<'a> {
    sidecar: &'a Sidecar,
    image: Found,
}

/// What sidecars have of the sandbox that they are beside.
pub(crate) struct Beside {
    pub(crate) id: SandboxId,
    /// The agent as a file of the engine's machine; none where it has to be copied.
    pub(crate) agent: Option<PathBuf>,
}

/// The name in the network of a sandbox that its sidecars hold on to.
pub(crate) fn lifeline(id: &SandboxId) -> String {
    format!("isobox-{id}")
}

/// Refuses sidecars that cannot be, before anything is made.
///
/// # Errors
/// `invalid_spec` with the field.
pub(crate) fn check(options: &DockerOptions, isolation: Isolation) -> Result<()> {
    if !options.sidecars.is_empty() && isolation > Isolation::Container {
        let reason = format!(
            "share the sandbox's network, and one with the isolation {isolation} keeps that to itself: ask for less, or leave them out"
        );
        return Err(Error::invalid_spec(FIELD, reason));
    }
    let mut names = BTreeSet::new();
    for (index, sidecar) in options.sidecars.iter().enumerate() {
        let wrong = |field: &str, reason: &str| Err(Error::invalid_spec(format!("{FIELD}.{index}.{field}"), reason));
        let fine = |name: &str| {
            let letters = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
            (1..=63).contains(&name.len()) && letters && !name.starts_with('-') && !name.ends_with('-')
        };
        if !fine(&sidecar.name) || sidecar.name == "localhost" {
            return wrong("name", "is no host name, give 1 to 63 lower-case letters, digits and hyphens");
        }
        if !names.insert(&sidecar.name) || options.extra_hosts.contains_key(&sidecar.name) {
            return wrong("name", "is given twice, give each host another name");
        }
        if !sidecar.dns.is_empty() {
            return wrong("dns", "is the sandbox's, whose network it has: set options.docker.dns");
        }
        if sidecar.health.as_ref().is_some_and(|health| health.command.is_empty()) {
            return wrong("health.command", "is missing, give the command that succeeds once it is ready");
        }
        if options.host_network {
            return wrong("name", "would be a name on the machine's own network, leave host_network out");
        }
    }
    Ok(())
}

/// The options with the names of sidecars among the hosts.
pub(crate) fn with_hosts(mut options: DockerOptions) -> DockerOptions {
    let names: Vec<_> = options.sidecars.iter().map(|sidecar| sidecar.name.clone()).collect();
    let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
    options.extra_hosts.extend(names.into_iter().map(|name| (name, loopback)));
    options
}

impl Inner {
    /// Fetches what the sidecars of a spec are made from.
    pub(crate) async fn sidecar_images<'a>(
        &self,
        options: &'a DockerOptions,
        context: &Context,
    ) -> Result<Vec<Ready<'a>>> {
        let fetched = options.sidecars.iter().map(|sidecar| async move {
            let source =
                ImageSource { reference: sidecar.image.clone(), auth: sidecar.auth.clone(), ..ImageSource::default() };
            Ok(Ready { sidecar, image: self.library.obtain(&source, context).await? })
        });
        futures::future::try_join_all(fetched).await
    }

    /// Starts the sidecars of a sandbox that runs, and returns when all are ready.
    ///
    /// # Errors
    /// `command_failed` for one that ended or is unhealthy, `timeout` for one that is not ready in time; the end of its log is in the
    /// detail.
    pub(crate) async fn start_sidecars(
        &self,
        container: &str,
        beside: &Beside,
        ready: &[Ready<'_>],
        context: &Context,
    ) -> Result<()> {
        let id = &beside.id;
        let mut started = Vec::with_capacity(ready.len());
        for Ready { sidecar, image } in ready {
            let mut own = labels::write(id.as_str(), ROLE, Some(&sidecar.name), &isobox_contract::Labels::new());
            own.insert(labels::FLEET.into(), self.places.fleet()?);
            let name = format!("isobox-{id}-{}", sidecar.name);
            let options = CreateContainerOptionsBuilder::default().name(&name).build();
            let body = body::of(sidecar, image, container, beside, own)?;
            let made = self.make_sidecar(options, body).await?;
            isobox_fault::point!("docker.create.sidecar_made");
            if beside.agent.is_none() {
                let options = UploadToContainerOptionsBuilder::default().path("/").build();
                let copied = self
                    .engine
                    .api()
                    .upload_to_container(&made, Some(options), bollard::body_full(archive(None)?))
                    .await;
                copied.map_err(self.engine.failed("copy the agent into a sidecar"))?;
            }
            let begun = self.engine.api().start_container(&made, None).await;
            begun.map_err(self.engine.failed("start a sidecar")).map_err(|error| {
                let message = format!("{FIELD}: the sidecar {} does not start: {}", sidecar.name, error.message());
                Error::new(error.code(), message).with_detail(error.detail().clone())
            })?;
            isobox_fault::point!("docker.create.sidecar_started");
            started.push((sidecar.name.as_str(), made.clone(), sidecar.health.is_some()));
            // Its sandbox has a handle, with which it goes from now on.
            made.keep();
        }
        let waits = started.iter().filter(|(_, _, waits)| *waits);
        let waits = waits.map(|(name, container, _)| health::wait(self, name, container, context));
        futures::future::try_join_all(waits).await.map(drop)
    }

    async fn make_sidecar(&self, options: CreateContainerOptions, body: ContainerCreateBody) -> Result<Unkept<String>> {
        let (engine, remover) = (self.engine.clone(), self.engine.clone());
        let making = |_| async move {
            let made = engine.api().create_container(Some(options), body).await;
            made.map(|made| made.id).map_err(engine.failed("make a sidecar"))
        };
        let undo = |container: String| async move {
            if let Err(error) = remove_container(&remover, &container).await {
                tracing::warn!(%error, "a sidecar that nobody wants is left");
            }
        };
        self.engine.make(making, undo).await
    }

    /// The agent as sidecars see it, which they do where the sandbox does.
    pub(crate) fn agent_beside(&self, delivery: Delivery) -> Result<Option<PathBuf>> {
        (delivery == Delivery::Shared).then(|| self.places.agent()).transpose()
    }

    /// Starts the sidecars of a sandbox again that was started again, whose network is another one now.
    pub(crate) async fn restart_sidecars(&self, id: &SandboxId, context: &Context) -> Result<()> {
        let waiting: BTreeSet<String> = match self.places.of(id).origin() {
            Some(spec) => with_health(&spec),
            None => BTreeSet::new(),
        };
        for beside in self.beside(id, ROLE).await? {
            let Some(container) = &beside.id else { continue };
            let options = RestartContainerOptionsBuilder::default().t(GRACE).build();
            let restarted = self.engine.api().restart_container(container, Some(options)).await;
            restarted.map_err(self.engine.failed("start a sidecar again"))?;
            let name = beside.labels.as_ref().and_then(labels::name).cloned().unwrap_or_default();
            if waiting.contains(&name) {
                health::wait(self, &name, container, context).await?;
            }
        }
        Ok(())
    }

    /// Stops the sidecars of a sandbox.
    pub(crate) async fn stop_sidecars(&self, id: &SandboxId) -> Result<()> {
        let all = self.beside(id, ROLE).await?;
        let stops = all.iter().filter_map(|beside| beside.id.as_deref()).map(|container| async move {
            let options = StopContainerOptionsBuilder::default().t(GRACE).build();
            let stopped = self.engine.api().stop_container(container, Some(options)).await;
            crate::client::or_absent(stopped.map_err(self.engine.failed("stop a sidecar")))
        });
        futures::future::try_join_all(stops).await.map(drop)
    }

    /// Removes everything that runs beside a sandbox.
    pub(crate) async fn remove_beside(&self, id: &SandboxId) -> Result<()> {
        self.remove_of(id, &BESIDE).await
    }

    /// Removes the one-shots of a sandbox.
    pub(crate) async fn remove_one_shots(&self, id: &SandboxId) -> Result<()> {
        self.remove_of(id, &[crate::one_shots::ROLE]).await
    }

    async fn remove_of(&self, id: &SandboxId, roles: &[&str]) -> Result<()> {
        for role in roles {
            for beside in self.beside(id, role).await? {
                let Some(container) = beside.id else { continue };
                let options = RemoveContainerOptionsBuilder::default().force(true).v(true).build();
                let removed = self.engine.api().remove_container(&container, Some(options)).await;
                let removed = removed.map_err(self.engine.failed_on("remove a sidecar", Resource::Sandbox, &container));
                match crate::client::or_absent(removed) {
                    // Somebody else is at it.
                    Err(error) if error.code() == ErrorCode::Conflict => {}
                    removed => removed?,
                }
            }
        }
        Ok(())
    }

    /// Whether something may run beside a sandbox; of most it is known that nothing does, which spares the engine the question.
    pub(crate) fn may_have_beside(&self, id: &SandboxId) -> bool {
        let place = self.places.of(id);
        match place.origin() {
            Some(spec) => !crate::options::of(&spec).sidecars.is_empty() || place.has_one_shots(),
            None => true,
        }
    }

    /// Sandboxes that something runs beside, and the ids that one-shots have of their own.
    pub(crate) async fn with_beside(&self) -> Result<(Vec<SandboxId>, BTreeSet<SandboxId>)> {
        let (mut all, mut own) = (Vec::new(), BTreeSet::new());
        for role in BESIDE {
            let filters = labels::filters(role, None, Some(&self.places.fleet()?));
            for labels in self.listed(&filters).await?.iter().filter_map(|beside| beside.labels.as_ref()) {
                all.extend(labels::sandbox(labels));
                own.extend(labels.get(crate::one_shots::OWN_ID).and_then(|id| id.parse::<SandboxId>().ok()));
            }
        }
        Ok((all, own))
    }

    async fn beside(&self, id: &SandboxId, role: &str) -> Result<Vec<ContainerSummary>> {
        self.listed(&labels::filters(role, Some(id.as_str()), None)).await
    }

    async fn listed(&self, filters: &HashMap<String, Vec<String>>) -> Result<Vec<ContainerSummary>> {
        let listed = self.engine.caller().list(filters).await;
        listed.map_err(self.engine.failed("list its containers"))
    }
}

/// The names of the sidecars of a spec that are waited for.
fn with_health(spec: &SandboxSpec) -> BTreeSet<String> {
    let sidecars = crate::options::of(spec).sidecars.into_iter();
    sidecars.filter(|sidecar| sidecar.health.is_some()).map(|sidecar| sidecar.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_is_refused_with_its_field() {
        type Change<'a> = &'a dyn Fn(&mut DockerOptions);
        let options = |change: Change<'_>| {
            let sidecar = |name: &str| Sidecar { name: name.into(), image: "a".into(), ..Sidecar::default() };
            let sidecars = vec![sidecar("db"), sidecar("cache")];
            let mut options = DockerOptions { sidecars, ..DockerOptions::default() };
            change(&mut options);
            check(&options, Isolation::Container)
                .map_err(|error| error.message().split(' ').next().unwrap_or_default().to_owned())
        };
        assert_eq!(options(&|_| {}), Ok(()));
        let wrong: [(Change<'_>, &str); 4] = [
            (&|options| options.sidecars[1].name = "db".into(), "options.docker.sidecars.1.name"),
            (&|options| options.sidecars[0].name = "No Name".into(), "options.docker.sidecars.0.name"),
            (
                &|options| options.sidecars[0].dns = vec![IpAddr::V4(Ipv4Addr::LOCALHOST)],
                "options.docker.sidecars.0.dns",
            ),
            (&|options| options.host_network = true, "options.docker.sidecars.0.name"),
        ];
        for (change, field) in wrong {
            assert_eq!(options(change), Err(field.to_owned()));
        }
        let hosts = with_hosts(DockerOptions {
            sidecars: vec![Sidecar { name: "db".into(), ..Sidecar::default() }],
            ..DockerOptions::default()
        });
        assert_eq!(hosts.extra_hosts["db"].to_string(), "127.0.0.1");
    }
}
