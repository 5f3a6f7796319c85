//! What all of a process shares behind a lock, and that a forked child does without when it cannot have it.
//!
//! A fork copies a lock as it is. One that another thread held at that moment is held in the child for ever, because the child
//! does not have that thread.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, TryLockError};

/// The lock was free when nobody has had it yet.
const NOBODY: u32 = 0;

/// A value of the whole process. Work on it never waits for anything.
pub(crate) struct Shared<T> {
    value: Mutex<T>,
    /// The process whose thread had it last.
    process: AtomicU32,
}

impl<T> Shared<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { value: Mutex::new(value), process: AtomicU32::new(NOBODY) }
    }

    /// Works on the value; nothing when whoever has it was left behind by a fork.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> Option<R> {
        let this = std::process::id();
        let mut value = loop {
            match self.value.try_lock() {
                Ok(value) => break value,
                Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => match self.process.load(Ordering::Acquire) {
                    process if process == this || process == NOBODY => std::thread::yield_now(),
                    _ => return None,
                },
            }
        };
        self.process.store(this, Ordering::Release);
        Some(work(&mut value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_one_process_wait_for_each_other() {
        static COUNT: Shared<u32> = Shared::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1000).for_each(|_| assert!(COUNT.with(|count| *count += 1).is_some())));
            }
        });
        assert_eq!(COUNT.with(|count| *count), Some(4000));
    }

    #[test]
    fn what_another_process_holds_is_done_without() {
        let shared = Shared::new(());
        shared.with(|()| {}).unwrap();
        let held = shared.value.lock().unwrap();
        // As a forked child finds it.
        shared.process.store(std::process::id() + 1, Ordering::Release);
        assert!(shared.with(|()| {}).is_none());
        drop(held);
        assert!(shared.with(|()| {}).is_some());
    }
}
