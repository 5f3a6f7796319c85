//! One-shots: another image for one command, in the sandbox's network and with its mounts.
//!
//! ```text
//!   sandbox's container ── network namespace, volumes and directories ── container of the one-shot, with an agent of its own
//! ```
//!
//! What a container has written itself nobody else can be shown, so a one-shot sees the working directory only where that is on a
//! volume or a directory of the machine. Nor can it be in a network that a runtime keeps in a kernel of its own. Other sandboxes have
//! no one-shots, and do not claim them.

mod image;
mod process;

use crate::base::{Base, Beside, based};
use crate::sandbox::DockerSandbox;
use crate::{options, workspace};
use async_trait::async_trait;
use isobox_contract::exec::{Command, ExecRequest, Process};
use isobox_contract::one_shot::OneShotRequest;
use isobox_contract::{
    Action, Capabilities, Capability, Context, DockerOptions, Error, Isolation, MountSource, NetworkPolicy, OneShots,
    Owner, ProviderOptions, Result, SandboxId, SandboxPath, SandboxSpec,
};
use process::OneShot;

/// The role of a one-shot's container in labels.
pub(crate) const ROLE: &str = "one_shot";
/// Its own id in labels, beside that of its sandbox.
pub(crate) const OWN_ID: &str = "isobox.one_shot";

#[async_trait]
impl OneShots for DockerSandbox {
    async fn spawn(&self, request: OneShotRequest) -> Result<Box<dyn Process>> {
        self.alive(Action::Exec)?;
        let (context, id) = (Context::quiet(), SandboxId::generate());
        let origin = self.core.place.origin().ok_or_else(|| Error::unsupported(Capability::OneShotRun))?;
        let found = self.image_of_one_shot(&id, &request.image, &context).await?;
        let spec = self.spec_of_one_shot(&origin, request.cwd.as_ref());
        let exec = exec(&request, &based(&found, &spec, None))?;
        let beside = Beside {
            sandbox: self.core.id,
            container: self.core.container().to_owned(),
            workspace: match workspace::is_wanted(&origin) {
                true => Some(workspace::beside(&self.core.id, self.core.guest.workdir())?),
                false => None,
            },
        };
        let base = Base { beside: Some(beside), ..based(&found, &spec, None) };
        self.core.place.note_one_shots()?;
        let runtime = self.inner.runtime(&spec).await?;
        // Boxed, since making a sandbox is what has one-shots.
        let sandbox = Box::pin(self.inner.make_from(&id, &spec, base, &runtime, &context)).await?;
        match sandbox.exec().spawn(exec).await {
            Ok(process) => Ok(Box::new(OneShot::new(process, sandbox))),
            Err(error) => {
                sandbox.delete(&context).await?;
                Err(error)
            }
        }
    }
}

impl DockerSandbox {
    /// What the container of a one-shot is like: with the mounts of the sandbox that others can have too, and its runtime.
    fn spec_of_one_shot(&self, origin: &SandboxSpec, cwd: Option<&SandboxPath>) -> SandboxSpec {
        let bound = |mount: &isobox_contract::Mount| matches!(mount.source, MountSource::Bind { .. });
        let workdir = self.core.guest.workdir();
        let workdir = cwd.map_or_else(|| workdir.clone(), |cwd| workdir.join(cwd));
        let options = DockerOptions { runtime: options::of(origin).runtime, ..DockerOptions::default() };
        SandboxSpec {
            workdir: Some(workdir),
            isolation: origin.isolation.min(Isolation::Container),
            network: NetworkPolicy::ProviderDefault,
            mounts: origin.mounts.iter().filter(|mount| bound(mount)).cloned().collect(),
            volumes: origin.volumes.clone(),
            owner: Owner::Process,
            options: Some(ProviderOptions::Docker(Box::new(options))),
            ..SandboxSpec::default()
        }
    }
}

/// Takes back the claims that a sandbox of this spec does not keep; without one, those that nothing is known for.
pub(crate) fn narrow(capabilities: &mut Capabilities, spec: Option<&SandboxSpec>, workdir: &SandboxPath) {
    let own_volume = spec.is_some_and(workspace::is_wanted);
    let shared = own_volume || spec.is_some_and(|spec| workspace::is_mounted(spec, workdir));
    let runs = shared && capabilities.isolation <= Isolation::Container;
    capabilities.set(Capability::OneShotRun, runs);
    capabilities.set(Capability::OneShotBuild, runs && spec.is_some_and(image::may_build));
    for copies in [Capability::LifecycleSnapshot, Capability::LifecycleForkFilesystem] {
        capabilities.set(copies, capabilities.has(copies) && !own_volume);
    }
}

/// What is run: the program of the request, or the image's own.
fn exec(request: &OneShotRequest, base: &Base) -> Result<ExecRequest> {
    let argv = match (&request.entrypoint, &base.image) {
        (Some(program), _) => [std::slice::from_ref(program), &request.args].concat(),
        (None, Some(image)) => image.argv(request.args.clone()),
        (None, None) => request.args.clone(),
    };
    if argv.is_empty() {
        return Err(Error::invalid_spec("entrypoint", "is missing, and the image names no program, give one"));
    }
    Ok(ExecRequest {
        env: request.env.clone(),
        timeout: request.timeout,
        grace: request.grace,
        output: request.output.clone(),
        ..ExecRequest::new(Command::Argv(argv))
    })
}

/// Why most sandboxes have none.
pub(crate) const WHY_NOT: &str = "the working directory is the container's own, which no other one can be shown, or its network is in a kernel of its own: set the option workspace_volume, or have a volume or a directory of the machine there, and ask for no more isolation than container";
/// Why some have no builds.
pub(crate) const WHY_NOT_BUILT: &str = "the engine fetches what a dockerfile in the sandbox names, which this sandbox may not reach: give it the network public, or have the image built outside";
