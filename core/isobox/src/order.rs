//! A sandbox that is asked for: everything that is needed to make it, once or many times.

use crate::control::{Begin, Both, Patience, Wanted};
use crate::isobox::Isobox;
use crate::local;
use crate::sandbox::Sandbox;
use crate::why::explained;
use isobox_contract::{
    Context, Error, ErrorCode, EventSink, OperationId, Provider, Result, SandboxId, SandboxSpec, Source, Subject,
    VolumeId,
};
use isobox_control::Admission;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A sandbox that is asked for.
#[derive(Clone)]
pub(crate) struct Order {
    pub(crate) isobox: Isobox,
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) spec: SandboxSpec,
    /// How long making it may take.
    pub(crate) timeout: Duration,
    pub(crate) events: Arc<dyn EventSink>,
    /// The caller's key.
    pub(crate) key: Option<String>,
    /// Whether a name that is taken is fine.
    pub(crate) get: bool,
    pub(crate) admission: Admission,
    /// The pool that will keep it ready.
    pub(crate) pool: Option<String>,
}

impl Order {
    /// Refuses what cannot be made, before anything is.
    pub(crate) fn check(&self) -> Result<()> {
        let provider = &*self.provider;
        let valid = self.spec.validate_for(provider.kind(), provider.capabilities());
        valid.map_err(|error| explained(provider, error))?;
        local::check(&self.spec)
    }

    /// Makes it, or gives what there is already. When it fails or is dropped, nothing is left over.
    pub(crate) async fn fulfil(mut self) -> Result<Sandbox> {
        let (isobox, provider, id) = (self.isobox.clone(), self.provider.clone(), SandboxId::generate());
        let told = |error: Error| error.with_provider(provider.kind()).with_sandbox(&id).with_operation("create");
        self.check().map_err(told)?;
        isobox.control().resolve_snapshot(&*provider, &mut self.spec).await.map_err(told)?;
        let volumes = isobox.control().attach_volumes(&*provider, &mut self.spec).await.map_err(told)?;
        isobox_fault::point!("create.asked");
        let intent = loop {
            match isobox.control().begin(self.wanted(id, volumes.clone())).await.map_err(told)? {
                Begin::Make(intent, _) => break intent,
                Begin::Exists(entry) => {
                    // Whoever was making it has failed or is dead, and the name and the key are free again.
                    let never_was = !entry.is_made();
                    match isobox.handle_of(*entry).await {
                        Err(error) if never_was && error.code() == ErrorCode::NotFound => {}
                        Err(error) if (self.get || never_was) && error.code() == ErrorCode::SandboxGone => {}
                        found => return found.map_err(|error| error.with_operation("create")),
                    }
                }
            }
        };
        isobox_fault::point!("create.intended");
        // An image may come with it.
        let fetches = matches!(self.spec.source, Source::Image(_) | Source::Archive { .. });
        let fetching = intent.operation().filter(|_| fetches);
        let made = match self.make(&id, intent.operation()).await {
            Ok(made) => made,
            Err(error) => {
                intent.failed(&error).await;
                if let Some(operation) = fetching {
                    isobox.control().images_after(&*provider, operation).await;
                }
                return Err(told(error));
            }
        };
        isobox_fault::point!("create.made");
        if let Err(error) = intent.made(&made).await {
            // Nobody would find it.
            made.delete(&Context::quiet()).await.map_err(told)?;
            return Err(told(error));
        }
        if let Some(operation) = fetching {
            isobox.control().images_after(&*provider, operation).await;
        }
        isobox_fault::point!("create.confirmed");
        Ok(Sandbox::new(isobox, self.provider, made, &self.spec))
    }

    fn wanted(&self, id: SandboxId, volumes: Vec<VolumeId>) -> Wanted<'_> {
        let until = tokio::time::Instant::now().checked_add(self.timeout);
        Wanted {
            id,
            kind: self.provider.kind(),
            spec: &self.spec,
            key: self.key.clone(),
            get: self.get,
            volumes,
            admission: self.admission,
            others: Vec::new(),
            patience: Patience { until, events: self.events.clone() },
            pool: self.pool.clone(),
        }
    }

    async fn make(&self, id: &SandboxId, operation: Option<OperationId>) -> Result<Arc<dyn isobox_contract::Sandbox>> {
        let mut context = self.context(id, operation);
        context.deadline = Instant::now().checked_add(self.timeout);
        let made = self.provider.create(id, &self.spec, &context);
        match context.deadline {
            None => made.await,
            Some(deadline) => {
                tokio::time::timeout_at(deadline.into(), made).await.unwrap_or_else(|_| Err(late(self.timeout)))
            }
        }
    }

    /// What making it is told: progress is that of its image, if there is one.
    fn context(&self, id: &SandboxId, operation: Option<OperationId>) -> Context {
        let subject = match &self.spec.source {
            Source::Image(image) => Subject::Image { reference: image.reference.clone() },
            _ => Subject::Sandbox { id: *id, external: None, name: self.spec.name.clone() },
        };
        let told = self.isobox.control().told(self.provider.kind(), subject, operation);
        let mut context = Context::new(Both::new(self.events.clone(), told));
        context.operation = operation.unwrap_or(context.operation);
        context
    }
}

fn late(timeout: Duration) -> Error {
    let message = format!("the sandbox was not made within {timeout:?}, set a longer create_timeout or try again");
    Error::new(ErrorCode::Timeout, message)
        .with_detail(isobox_contract::Detail::Timeout { operation: "create".to_owned(), elapsed: timeout })
}
