//! What somebody else does to containers that isobox has handles of, beside it: the engine tells.
//!
//! ```text
//!   engine ──pause, unpause──▶ one request that stays open ──▶ whose container? ──▶ how is that now? ──▶ its handles
//! ```
//!
//! An event says only that it is time to look. What counts is how the container is then, so it does no harm when one comes late,
//! twice or of isobox's own doing.

use crate::client::{Caller, Engine};
use crate::labels;
use crate::sandbox::Core;
use bollard::query_parameters::EventsOptions;
use futures::StreamExt;
use isobox_contract::Timestamp;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// How far back the engine is asked to begin: further than its clock goes wrong, since nothing may be missed between.
const BEFORE: Duration = Duration::from_secs(600);
/// Between two requests to an engine that has ended the one before, the first time and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));
/// After which time it is looked again at what could not be told yet, and for how long.
const AGAIN: Duration = Duration::from_secs(1);
const PATIENCE: u32 = 600;

/// The handles of one engine.
#[derive(Default)]
pub(crate) struct Attention {
    listens: AtomicBool,
    handles: Arc<Handles>,
}

/// By their containers, which may have several.
#[derive(Default)]
struct Handles(Mutex<HashMap<String, Vec<Weak<Core>>>>);

impl Attention {
    /// Has a handle told from now on. With the first one it is begun to listen to the engine.
    pub(crate) fn pay(&self, engine: &Engine, fleet: &str, core: &Arc<Core>) {
        self.handles.add(core);
        if !self.listens.swap(true, Ordering::Relaxed) {
            let (caller, handles) = (engine.caller().clone(), Arc::downgrade(&self.handles));
            engine.errands().watch(listen(caller, fleet.to_owned(), handles));
        }
    }
}

impl Handles {
    fn add(&self, core: &Arc<Core>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, handles| {
            handles.retain(|handle| handle.strong_count() > 0);
            !handles.is_empty()
        });
        all.entry(core.container().to_owned()).or_default().push(Arc::downgrade(core));
    }

    fn of(&self, container: &str) -> Vec<Arc<Core>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(container).into_iter().flatten().filter_map(Weak::upgrade).collect()
    }

    fn containers(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }
}

/// Listens until nobody has handles any more, over as many requests as it takes.
async fn listen(caller: Caller, fleet: String, handles: Weak<Handles>) {
    let mut pause = PAUSE.0;
    loop {
        let mut events = Box::pin(caller.api().events(Some(wanted(&fleet))));
        while let Some(Ok(event)) = events.next().await {
            pause = PAUSE.0;
            if let Some(container) = event.actor.and_then(|actor| actor.id) {
                tokio::spawn(look(handles.clone(), container));
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSE.1);
        let Some(known) = handles.upgrade() else { return };
        // An engine that was started again has forgotten what it told.
        for container in known.containers() {
            tokio::spawn(look(handles.clone(), container));
        }
    }
}

fn wanted(fleet: &str) -> EventsOptions {
    let since = Timestamp::now().unix().0.saturating_sub(i64::try_from(BEFORE.as_secs()).unwrap_or_default());
    let list = |words: &[&str]| words.iter().map(ToString::to_string).collect();
    let filters = HashMap::from([
        ("type".to_owned(), list(&["container"])),
        ("event".to_owned(), list(&["pause", "unpause"])),
        ("label".to_owned(), vec![format!("{}={fleet}", labels::FLEET)]),
    ]);
    EventsOptions { since: Some(since.to_string()), filters: Some(filters), ..EventsOptions::default() }
}

/// Has the handles of a container look how it is. One that is being attached is found the next time, as is what could not be told.
async fn look(handles: Weak<Handles>, container: String) {
    for tried in 0..PATIENCE {
        let Some(known) = handles.upgrade() else { return };
        let (found, mut told) = (known.of(&container), true);
        drop(known);
        for handle in &found {
            told &= handle.look().await;
        }
        if told && (!found.is_empty() || tried > 0) {
            return;
        }
        drop(found);
        tokio::time::sleep(AGAIN).await;
    }
}
