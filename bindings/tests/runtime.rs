//! What calls promise, whatever they do: the same for every language.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test may panic")]

use isobox_bindings::api::{ErrorCode, Isobox, OpenOptions, Result};
use isobox_bindings::{LocalPath, call};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

const GLANCE: Duration = Duration::from_millis(5);

fn never() -> Result<(), ()> {
    Ok(())
}

/// Tells when it is dropped.
struct Dropped(Option<oneshot::Sender<()>>);

impl Drop for Dropped {
    fn drop(&mut self) {
        if let Some(tell) = self.0.take() {
            let _ = tell.send(());
        }
    }
}

fn told_when_dropped() -> (Dropped, oneshot::Receiver<()>) {
    let (tell, told) = oneshot::channel();
    (Dropped(Some(tell)), told)
}

#[tokio::test]
async fn a_panic_is_an_error_of_its_call_alone() {
    let panics = call(async { if true { panic!("on purpose") } else { Ok(()) } });
    assert_eq!(panics.await.unwrap_err().code(), ErrorCode::Internal);
    assert_eq!(call(async { Ok(7) }).await.unwrap(), 7);
}

#[tokio::test]
async fn a_call_that_is_dropped_ends() {
    let (guard, told) = told_when_dropped();
    let endless = call(async move {
        let _guard = guard;
        std::future::pending::<Result<()>>().await
    });
    drop(endless);
    told.await.unwrap();
}

#[test]
fn a_wait_gives_the_result() {
    assert_eq!(call(async { Ok("done") }).wait(GLANCE, never).unwrap().unwrap(), "done");
}

#[test]
fn a_wait_that_is_interrupted_returns_and_ends_the_call() {
    let (guard, told) = told_when_dropped();
    let endless = call(async move {
        let _guard = guard;
        std::future::pending::<Result<()>>().await
    });
    let pressed = Arc::new(AtomicBool::new(false));
    let presses = pressed.clone();
    let began = Instant::now();
    let waited = endless.wait(GLANCE, move || match presses.swap(true, Ordering::Relaxed) {
        true => Err("pressed"),
        false => Ok(()),
    });
    assert_eq!(waited.unwrap_err(), "pressed");
    assert!(began.elapsed() < Duration::from_secs(10));
    told.blocking_recv().unwrap();
}

#[tokio::test]
async fn a_stream_can_be_closed_under_its_reader() {
    let home = tempfile::tempdir().unwrap();
    let options = OpenOptions { home: Some(LocalPath(home.path().to_owned())), ..OpenOptions::default() };
    let isobox = call(Isobox::open(options)).await.unwrap();
    let events = call(async move { isobox.events(Default::default()).await }).await.unwrap();
    let reader = events.clone();
    let reads = tokio::spawn(call(async move { reader.next().await }));
    let closes = events.clone();
    call(async move { closes.close().await }).await.unwrap();
    assert!(reads.await.unwrap().unwrap().is_none());
    assert!(call(async move { events.next().await }).await.unwrap().is_none(), "it stays closed");
}
