//! Finding a sandbox again.

use crate::keeper::Keeper;
use crate::provider::Inner;
use crate::reach::{Reach, Reached};
use crate::record::DockerRecord;
use crate::runtime::Runtime;
use crate::sandbox::{DockerSandbox, Parts, absent};
use crate::{labels, one_shots, status};
use isobox_contract::{Capability, Error, ErrorCode, Resource, Result, SandboxRecord, State};
use isobox_guest::Greeting;
use std::sync::Arc;

impl Inner {
    /// A handle of a sandbox that somebody else made, as [`isobox_contract::Provider::attach`].
    pub(crate) async fn find(self: &Arc<Self>, record: &SandboxRecord) -> Result<DockerSandbox> {
        let (id, docker) = (record.id, DockerRecord::parse(&record.data)?);
        let container = record.external.as_str();
        let inspected = self.engine.caller().inspect(container).await;
        let inspected =
            inspected.map_err(self.engine.failed_on("look at the container", Resource::Sandbox, id.as_str()))?;
        let config = inspected.config.clone().unwrap_or_default();
        let all = config.labels.unwrap_or_default();
        if labels::sandbox(&all) != Some(id) || !labels::is(&all, labels::SANDBOX) {
            return Err(Error::not_found(Resource::Sandbox, id));
        }
        let stops = labels::stops(&all);
        let (state, _) = status::of_state(&inspected.state.unwrap_or_default(), &stops);
        let (place, caller) = (self.places.of(&id), self.engine.caller());
        let facts = self.engine.facts().await?;
        let architecture = facts.architecture.clone();
        let host = inspected.host_config.unwrap_or_default();
        // Podman does not say, and has no other for anybody than its default.
        let said = host.runtime.as_deref().filter(|name| !name.is_empty() && !facts.podman);
        let name = said.unwrap_or(&facts.default_runtime);
        let mut capabilities = Runtime::named(name, host.privileged == Some(true), facts).narrow(self.capabilities());
        let keeps_files = capabilities.has(Capability::LifecycleStop);
        let keeper = || {
            let keeper = Keeper::new(caller, id, container, place.clone(), stops.clone());
            keeper.keeps_files(keeps_files);
            keeper
        };
        let mut docker = docker;
        let (guest, keeper) = match state {
            State::Running => {
                let keeper = keeper();
                let greeting =
                    Greeting { token: docker.token.clone(), build: isobox_agent::BUILD_ID.into(), owner: false };
                let reach = Reach { caller, container, place: &place };
                let Reached { guest, agent } = reach.again(docker.agent, greeting, keeper.obituary()).await?;
                docker.agent = agent.or(docker.agent);
                (guest, Some(keeper))
            }
            State::Paused => {
                let workdir = place.kept().ok().and_then(|settings| settings.workdir);
                (absent(&architecture, workdir.as_ref().map(|path| path.as_slice())), Some(keeper()))
            }
            State::Stopped if keeps_files => {
                let settings = place.kept()?;
                if settings.token.as_slice() != docker.token {
                    let message = "the record's token is not the sandbox's, pass on what `record` gave";
                    return Err(Error::new(ErrorCode::Unauthenticated, message));
                }
                (absent(&architecture, settings.workdir.as_ref().map(|path| path.as_slice())), None)
            }
            _ => {
                let died = keeper().autopsy().await?.map(Error::sandbox_gone);
                return Err(died.unwrap_or_else(|| Error::not_found(Resource::Sandbox, id)));
            }
        };
        one_shots::narrow(&mut capabilities, place.origin().as_ref(), guest.workdir());
        let limits = place.limits().unwrap_or_else(|| status::limits(&host));
        let parts = Parts {
            id,
            external: record.external.clone(),
            place,
            guest,
            keeper,
            record: docker,
            stops,
            paused: state == State::Paused,
            owned: false,
            capabilities,
            limits,
        };
        Ok(DockerSandbox::of(self.clone(), parts))
    }
}
