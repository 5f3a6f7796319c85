//! What foreign objects hold: things of the library that are dropped on its runtime, wherever and whenever a garbage collector lets
//! them go, and sandboxes that end with this process.

use crate::runtime;
use isobox::{Error, Result};
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A thing of the library. Cheap to clone; the last clone drops it on the runtime, and never waits for that.
pub(crate) struct Held<T: Send + 'static>(Arc<Inner<T>>);

struct Inner<T: Send + 'static> {
    thing: Option<T>,
    process: u32,
}

impl<T: Send + 'static> Held<T> {
    pub(crate) fn new(thing: T) -> Self {
        Self(Arc::new(Inner { thing: Some(thing), process: std::process::id() }))
    }
}

impl<T: Send + 'static> Held<T> {
    /// It, for a call. A process that was forked off the one that has it gets an error: the tasks, connections and locks of it are the
    /// parent's.
    pub(crate) fn get(&self) -> Result<&T> {
        if self.0.process != std::process::id() {
            return Err(Error::forked());
        }
        Ok(self)
    }
}

impl<T: Send + 'static> Clone for Held<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Send + 'static> Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.thing.as_ref().expect("taken only when it is dropped")
    }
}

impl<T: Send + 'static> Drop for Inner<T> {
    fn drop(&mut self) {
        let Some(thing) = self.thing.take() else { return };
        if self.process != std::process::id() {
            // It is the parent's, and its tasks and connections are not here.
            std::mem::forget(thing);
            return;
        }
        runtime::in_background(async move { drop(thing) });
    }
}

/// The sandboxes of this process that are held somewhere, by the addresses of what holds them.
#[derive(Default)]
pub(crate) struct Sandboxes(Mutex<HashMap<usize, Weak<Inner<isobox::Sandbox>>>>);

impl Sandboxes {
    /// Holds one, which ends with this process if it belongs to it.
    pub(crate) fn hold(&self, sandbox: isobox::Sandbox) -> Held<isobox::Sandbox> {
        let held = Held::new(sandbox);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, sandbox| sandbox.strong_count() > 0);
        all.insert(Arc::as_ptr(&held.0) as usize, Arc::downgrade(&held.0));
        held
    }

    /// Deletes every one that belongs to this process. What cannot be deleted ends by its lease.
    pub(crate) async fn end(&self) {
        let all: Vec<_> = self.0.lock().unwrap_or_else(PoisonError::into_inner).drain().collect();
        let held = all.into_iter().filter_map(|(_, sandbox)| sandbox.upgrade().map(Held));
        let ends = held.filter(|sandbox| sandbox.is_owned());
        let ends: Vec<_> = ends.map(|sandbox| tokio::spawn(async move { sandbox.delete().await })).collect();
        for end in ends {
            if let Ok(Err(error)) = end.await {
                tracing::debug!(code = %error.code(), "a sandbox of this process is left to its lease");
            }
        }
    }
}
