//! Progress as the contract's events.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a test may panic and talk"
)]

mod common;

use common::hostile::{Hostile, Reply};
use common::image::noise;
use common::{client, config};
use isobox_contract::{Action, EventKind, EventSink, ProgressUnit};
use isobox_registry::{Blob, Digest, LayerProgress, Watcher};
use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Kept(Mutex<Vec<EventKind>>);

impl EventSink for Kept {
    fn emit(&self, event: EventKind) {
        self.0.lock().unwrap().push(event);
    }
}

impl Kept {
    /// The bytes of each event, after everything else in them was looked at.
    fn bytes(&self, blob: &Blob) -> Vec<u64> {
        let events = self.0.lock().unwrap();
        let each = events.iter().map(|event| {
            let EventKind::OperationProgress { action: Action::Pull, progress } = event else { panic!("{event:?}") };
            assert_eq!((progress.code.as_str(), progress.unit), ("image.pull", Some(ProgressUnit::Bytes)));
            assert_eq!((&progress.message, progress.total), (&Some(blob.digest.to_string()), Some(blob.size)));
            progress.completed.unwrap()
        });
        each.collect()
    }
}

fn blob(bytes: &[u8]) -> Blob {
    Blob { digest: Digest::of(bytes), size: bytes.len() as u64, media_type: "a/b".into() }
}

#[tokio::test]
async fn a_layer_tells_of_its_bytes() {
    let bytes = noise(3_000_000);
    let whole = bytes.clone();
    let server = Hostile::start(move |_| Reply::ok(&whole[..])).await;
    let (events, blob) = (Arc::new(Kept::default()), blob(&bytes));
    let directory = tempfile::tempdir().unwrap();
    let pull = client(config()).pull(&server.image("a"), None).unwrap();
    let progress = LayerProgress::new(events.clone(), Action::Pull, &blob);
    pull.fetch(&blob, &directory.path().join("layer"), &progress, None).await.unwrap();
    let told = events.bytes(&blob);
    assert!(told.first() == Some(&0) && told.last() == Some(&3_000_000) && told.is_sorted(), "{told:?}");
}

#[test]
fn many_words_become_few() {
    let (events, blob) = (Arc::new(Kept::default()), blob(&noise(10_000)));
    let progress = LayerProgress::new(events.clone(), Action::Pull, &blob);
    for bytes in (0..=10_000).chain([10_000, 10_000]) {
        progress.fetched(bytes);
    }
    let told = events.bytes(&blob);
    assert!(told.first() == Some(&0) && told.last() == Some(&10_000) && told.len() < 1000, "{}", told.len());
    assert_eq!(told.iter().filter(|bytes| **bytes == 10_000).count(), 1);
}
