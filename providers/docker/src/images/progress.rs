//! Progress: bytes of each layer, as the contract's events, for everybody who waits.

use isobox_contract::{Action, EventKind, EventSink, Progress, ProgressUnit};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a layer's progress is told at most, apart from its first and its last word.
const EVERY: Duration = Duration::from_millis(100);
/// Layers that are kept track of at most; an image has 127.
const MOST: usize = 1024;

/// Who is told, and what was told last.
#[derive(Default)]
pub(crate) struct Progresses {
    listeners: Mutex<Vec<Arc<dyn EventSink>>>,
    layers: Mutex<HashMap<(&'static str, String), Layer>>,
}

struct Layer {
    total: Option<u64>,
    told: Instant,
    done: u64,
}

impl Progresses {
    /// Tells one more from now on.
    pub(crate) fn tell(&self, listener: Arc<dyn EventSink>) {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    /// Takes a line of the engine: what it does with which layer, and how far it is.
    pub(crate) fn take(&self, layer: &str, status: &str, current: Option<i64>, total: Option<i64>) {
        let positive =
            |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok()).filter(|number| *number > 0);
        let (code, ended) = match status {
            "Downloading" => ("image.pull", false),
            "Download complete" => ("image.pull", true),
            "Extracting" => ("image.unpack", false),
            "Pull complete" => ("image.unpack", true),
            _ => return,
        };
        if let Some((done, total)) = self.due(code, layer, positive(current), positive(total), ended) {
            self.emit(code, layer, done, total);
        }
    }

    /// Whether it is time to tell, and what.
    fn due(
        &self,
        code: &'static str,
        layer: &str,
        current: Option<u64>,
        total: Option<u64>,
        ended: bool,
    ) -> Option<(u64, Option<u64>)> {
        let mut layers = self.layers.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (code, layer.to_owned());
        let known = layers.get(&key);
        let total = total.or(known.and_then(|known| known.total));
        // A small layer may be there before the engine has said how large it is.
        let done = if ended { total? } else { current? };
        let due = match known {
            None => layers.len() < MOST,
            Some(known) if known.done == done => false,
            Some(known) => Some(done) == total || known.told.elapsed() >= EVERY,
        };
        if due {
            layers.insert(key, Layer { total, told: Instant::now(), done });
        }
        due.then_some((done, total))
    }

    fn emit(&self, code: &str, layer: &str, done: u64, total: Option<u64>) {
        let progress = Progress {
            code: code.to_owned(),
            message: Some(layer.to_owned()),
            completed: Some(done),
            total,
            unit: Some(ProgressUnit::Bytes),
        };
        let event = EventKind::OperationProgress { action: Action::Pull, progress };
        for listener in self.listeners.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            listener.emit(event.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Kept(Mutex<Vec<(String, u64, Option<u64>)>>);

    impl EventSink for Kept {
        fn emit(&self, event: EventKind) {
            if let EventKind::OperationProgress { progress, .. } = event {
                let Progress { code, completed, total, .. } = progress;
                self.0.lock().unwrap().push((code, completed.unwrap(), total));
            }
        }
    }

    #[test]
    fn the_first_and_the_last_word_of_a_layer_are_told_and_few_between() {
        let (progresses, kept) = (Progresses::default(), Arc::new(Kept::default()));
        progresses.tell(kept.clone());
        for done in 1..=1000 {
            progresses.take("a", "Downloading", Some(done), Some(1001));
        }
        progresses.take("a", "Download complete", None, None);
        progresses.take("a", "Verifying Checksum", Some(1), Some(2));
        let told = kept.0.lock().unwrap().clone();
        assert_eq!(told.first(), Some(&("image.pull".to_owned(), 1, Some(1001))));
        assert_eq!(told.last(), Some(&("image.pull".to_owned(), 1001, Some(1001))));
        assert!(told.len() < 900, "{}", told.len());
    }
}
