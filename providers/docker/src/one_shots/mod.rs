//! One-shots: another image for one command, in the sandbox's network and with its mounts.
//!
//! ```text
//!   sandbox's container ── network namespace, volumes and directories ── container of the one-shot, with an agent of its own
//! ```
//!
//! What a container has written itself nobody else can be shown, so a one-shot sees the working directory only where that is on a
//! volume or a directory of the machine. Other sandboxes have no one-shots, and do not claim them.

mod process;

use crate::base::{Base, Beside, based};
use crate::sandbox::DockerSandbox;
use async_trait::async_trait;
use isobox_contract::exec::{Command, ExecRequest, Process};
use isobox_contract::one_shot::{OneShotImage, OneShotRequest};
use isobox_contract::{
    Action, Capability, Context, Error, ImageSource, MountSource, NetworkPolicy, OneShots, Owner, Result, SandboxId,
    SandboxPath, SandboxSpec,
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
        let OneShotImage::Registry { reference } = &request.image else {
            return Err(Error::unsupported(Capability::OneShotBuild));
        };
        let context = Context::quiet();
        let source = ImageSource { reference: reference.clone(), ..ImageSource::default() };
        let found = self.inner.library.obtain(&source, &context).await?;
        let (id, spec) = (SandboxId::generate(), self.spec_of_one_shot(request.cwd.as_ref())?);
        let exec = exec(&request, &based(&found, &spec, None))?;
        let beside = Beside { sandbox: self.core.id, container: self.core.container().to_owned() };
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
    /// What the container of a one-shot is like: with the mounts of the sandbox that others can have too.
    fn spec_of_one_shot(&self, cwd: Option<&SandboxPath>) -> Result<SandboxSpec> {
        let origin = self.core.place.origin();
        let origin = origin.filter(|spec| shares(spec, self.core.guest.workdir()));
        let origin = origin.ok_or_else(|| Error::unsupported(Capability::OneShotRun))?;
        let bound = |mount: &isobox_contract::Mount| matches!(mount.source, MountSource::Bind { .. });
        let workdir = self.core.guest.workdir();
        let workdir = cwd.map_or_else(|| workdir.clone(), |cwd| workdir.join(cwd));
        Ok(SandboxSpec {
            workdir: Some(workdir),
            network: NetworkPolicy::ProviderDefault,
            mounts: origin.mounts.iter().filter(|mount| bound(mount)).cloned().collect(),
            volumes: origin.volumes.clone(),
            owner: Owner::Process,
            ..SandboxSpec::default()
        })
    }
}

/// Whether the working directory of a sandbox is in something that another container can be shown.
pub(crate) fn shares(spec: &SandboxSpec, workdir: &SandboxPath) -> bool {
    let bound = spec.mounts.iter().filter(|mount| matches!(mount.source, MountSource::Bind { .. }));
    let mut targets = bound.map(|mount| &mount.target).chain(spec.volumes.iter().map(|volume| &volume.target));
    targets.any(|target| {
        let rest = workdir.as_bytes().strip_prefix(target.as_bytes());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/") || target.as_bytes().ends_with(b"/"))
    })
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
pub(crate) const WHY_NOT: &str = "the working directory is the container's own, which no other one can be shown: have a volume or a directory of the machine there";

#[cfg(test)]
mod tests {
    use super::*;
    use isobox_contract::VolumeMount;

    #[test]
    fn a_working_directory_is_shared_when_it_is_in_a_volume() {
        let volume = |target: &str| SandboxSpec {
            volumes: vec![VolumeMount::new("v".parse().unwrap(), target)],
            ..SandboxSpec::default()
        };
        assert!(shares(&volume("/work"), &"/work".into()) && shares(&volume("/work"), &"/work/deep".into()));
        assert!(!shares(&volume("/work"), &"/workshop".into()) && !shares(&volume("/work/deep"), &"/work".into()));
        assert!(!shares(&SandboxSpec::default(), &"/".into()));
    }
}
