//! Writing down that a sandbox is made.

use super::turn::{Answer, Patience, Waiting};
use super::{Control, in_background, insist};
use isobox_contract::{
    Action, Context, Error, ErrorCode, ForkOptions, OperationId, ProviderKind, Report, Result, Sandbox, SandboxId,
    SandboxSpec, State, VolumeId,
};
use isobox_control::{Admission, CreateRequest, Created, OperationState, Outcome, SandboxEntry, Store, Transition};
use std::sync::Arc;

/// What is to be made, or what there is already.
pub(crate) enum Begin {
    /// It is to be made now, and the others with it.
    Make(Intent, Vec<Intent>),
    /// It is there.
    Exists(Box<SandboxEntry>),
}

/// The intent to make a sandbox. Dropping it says that nothing came of it.
#[must_use = "dropping it says that nothing was made"]
pub(crate) struct Intent {
    store: Arc<dyn Store>,
    sandbox: SandboxId,
    operation: Option<OperationId>,
    /// What was made, while that is written down.
    made: Option<Arc<dyn Sandbox>>,
}

/// Which sandbox a creation is about.
pub(crate) struct Wanted<'a> {
    pub(crate) id: SandboxId,
    pub(crate) kind: &'a ProviderKind,
    pub(crate) spec: &'a SandboxSpec,
    /// The caller's key.
    pub(crate) key: Option<String>,
    /// Whether a name that is taken is fine.
    pub(crate) get: bool,
    /// The volumes of the spec.
    pub(crate) volumes: Vec<VolumeId>,
    /// How it minds the limits of the machine.
    pub(crate) admission: Admission,
    /// The sandboxes just like it that are made with it.
    pub(crate) others: Vec<SandboxId>,
    /// How long it waits for room.
    pub(crate) patience: Patience,
    /// The pool that will keep it ready.
    pub(crate) pool: Option<String>,
}

impl Control {
    /// Writes the intent down.
    pub(crate) async fn begin(&self, wanted: Wanted<'_>) -> Result<Begin> {
        self.recorder.check()?;
        let mut request = CreateRequest::new(wanted.kind.clone(), wanted.spec.clone());
        request.id = wanted.id;
        // Also of a detached one: it is this process that makes it.
        request.owner = Some(self.owner());
        request.key = wanted.key;
        request.get = wanted.get;
        request.volumes = wanted.volumes;
        request.admission = wanted.admission;
        request.others = wanted.others.into_iter().map(|id| (id, OperationId::generate())).collect();
        request.pool = wanted.pool;
        let waiting = Waiting {
            operation: request.operation,
            others: request.others.iter().map(|(_, operation)| *operation).collect(),
            action: Action::Create,
            undone: State::Deleted,
            background: wanted.admission == Admission::Background,
            patience: wanted.patience,
        };
        // Before it is written: whoever stops waiting for that does not know whether it was.
        let intent = |(sandbox, operation): (SandboxId, OperationId)| {
            let (store, operation) = (self.store.clone(), Some(operation));
            Intent { store, sandbox, operation, made: None }
        };
        let mut first = intent((request.id, request.operation));
        let mut others: Vec<_> = request.others.iter().copied().map(intent).collect();
        let begun = self.admitted(waiting, request, |store, request| Box::pin(ask(store, request))).await;
        if let Ok(Created::Begun { .. }) = begun {
            return Ok(Begin::Make(first, others));
        }
        first.operation = None;
        others.iter_mut().for_each(|intent| intent.operation = None);
        match begun? {
            Created::Exists { sandbox } => Ok(Begin::Exists(sandbox)),
            Created::Earlier { operation, sandbox } => match (operation.state, sandbox) {
                // Its process is dead, and it is being undone.
                (OperationState::Failed { error }, Some(sandbox))
                    if error.kind == ErrorCode::Incomplete && sandbox.state != State::Deleted =>
                {
                    Ok(Begin::Exists(sandbox))
                }
                (OperationState::Failed { error }, _) => Err(Error::from(*error)),
                (_, Some(sandbox)) => Ok(Begin::Exists(sandbox)),
                (_, None) => Err(Error::internal("the sandbox of this key is not known any more")),
            },
            _ => Err(Error::internal("the books know an answer that is not known here")),
        }
    }
}

async fn ask(store: Arc<dyn Store>, request: CreateRequest) -> Result<Answer<CreateRequest, Created>> {
    Ok(match store.begin_create(request).await? {
        Created::Queued { request, held } => Answer::Queued(*request, held),
        answer => Answer::Here(answer),
    })
}

impl Control {
    /// Writes down the intent to copy a sandbox. The copies are made in one go, and there is room for all of them or none.
    pub(crate) async fn begin_forks(
        &self,
        of: &SandboxId,
        ids: &[SandboxId],
        options: &ForkOptions,
    ) -> Result<Vec<Intent>> {
        let original = self.store.sandbox(of).await?;
        let mut spec = SandboxSpec { name: options.name.clone(), ..original.spec };
        if let Some(labels) = &options.labels {
            spec.labels = labels.clone();
        }
        let volumes = self.attached_volumes(&original.provider, &spec).await?;
        let Some((id, others)) = ids.split_first() else { return Ok(Vec::new()) };
        let wanted = Wanted {
            id: *id,
            kind: &original.provider,
            spec: &spec,
            key: None,
            get: false,
            volumes,
            admission: Admission::InTurn,
            others: others.to_vec(),
            patience: Patience { until: None, events: Context::quiet().events },
            pool: None,
        };
        match self.begin(wanted).await? {
            Begin::Make(first, others) => Ok(std::iter::once(first).chain(others).collect()),
            Begin::Exists(_) => Err(Error::internal("a copy has the id of another sandbox")),
        }
    }
}

impl Intent {
    /// The operation, for the events of it.
    pub(crate) fn operation(&self) -> Option<OperationId> {
        self.operation
    }

    /// Writes down that it was made.
    pub(crate) async fn made(mut self, sandbox: &Arc<dyn Sandbox>) -> Result<()> {
        self.made = Some(sandbox.clone());
        let (record, image) = (Some(sandbox.record()), sandbox.image().cloned());
        let outcome = Outcome { record, image, ..Outcome::state(State::Running) };
        if let Some(operation) = &self.operation {
            self.store.confirm(operation, outcome).await?;
        }
        self.operation = None;
        Ok(())
    }

    /// Writes down why it was not made.
    pub(crate) async fn failed(mut self, error: &Error) {
        if let Some(operation) = self.operation {
            // The error to report is the first one.
            let _ = never_was(self.store.clone(), operation, Report::from(error)).await;
            self.operation = None;
        }
    }
}

impl Drop for Intent {
    fn drop(&mut self) {
        let Some(operation) = self.operation.take() else { return };
        let (store, sandbox, made) = (self.store.clone(), self.sandbox, self.made.take());
        in_background(async move {
            // One that is detached does not end with its last handle.
            if let Some(made) = made
                && let Err(error) = made.delete(&Context::quiet()).await
            {
                tracing::warn!(%sandbox, code = %error.code(), "a sandbox that nobody waited for is not removed");
                return;
            }
            let cancelled = Report::from(&Error::cancelled("create"));
            match never_was(store.clone(), operation, cancelled).await {
                // That it was made was written down, and nobody has heard of it.
                Err(error) if error.code() == ErrorCode::InvalidState => {
                    let _ = store.transition(&sandbox, Transition::to(State::Deleted, Action::Delete)).await;
                }
                _ => {}
            }
        });
    }
}

async fn never_was(store: Arc<dyn Store>, operation: OperationId, error: Report) -> Result<()> {
    insist(move || {
        let (store, error) = (store.clone(), error.clone());
        async move { store.fail(&operation, error, Some(State::Deleted)).await.map(drop) }
    })
    .await
}
