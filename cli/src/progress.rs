//! How far something is, on stderr: a bar on a terminal, a line for each step elsewhere.

use crate::failure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use isobox::{EventKind, EventSink, Progress};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often a bar is drawn in a second at most.
const RATE: u8 = 10;
/// How often something turns that does not say how far it is.
const TICK: Duration = Duration::from_millis(120);

/// What is shown; it is wiped when this is dropped.
pub(crate) struct Bar {
    shown: Arc<Shown>,
}

impl Bar {
    /// Nothing until there is progress.
    pub(crate) fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr_with_hz(RATE) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        Self { shown: Arc::new(Shown { bar, terminal, step: Mutex::default() }) }
    }

    /// Something that turns for as long as this lives, on a terminal alone.
    pub(crate) fn waiting(what: &str) -> Self {
        let made = Self::new();
        if made.shown.terminal {
            made.shown.bar.set_style(style("{spinner} {msg} {elapsed}"));
            made.shown.bar.set_message(what.to_owned());
            made.shown.bar.enable_steady_tick(TICK);
        }
        made
    }

    /// Where progress goes.
    pub(crate) fn sink(&self) -> Arc<dyn EventSink> {
        self.shown.clone()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.shown.bar.finish_and_clear();
    }
}

struct Shown {
    bar: ProgressBar,
    terminal: bool,
    /// What is going on.
    step: Mutex<&'static str>,
}

impl EventSink for Shown {
    fn emit(&self, event: EventKind) {
        let EventKind::OperationProgress { progress, .. } = event else { return };
        let Some(step) = step(&progress) else { return };
        let mut before = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        if *before != step {
            *before = step;
            self.begin(step);
        }
        drop(before);
        self.bar.set_length(progress.total.unwrap_or(0));
        self.bar.set_position(progress.completed.unwrap_or(0));
    }
}

impl Shown {
    fn begin(&self, step: &'static str) {
        if !self.terminal {
            return failure::note(step);
        }
        let template = match step {
            WAITING => "{spinner} {msg}, {pos} before this {elapsed}",
            _ => "{msg} {wide_bar} {bytes} of {total_bytes} {eta}",
        };
        self.bar.set_style(style(template));
        self.bar.set_message(step);
    }
}

const WAITING: &str = "waiting for a turn";

/// What is going on, in words; nothing for what nobody waits for.
fn step(progress: &Progress) -> Option<&'static str> {
    match progress.code.as_str() {
        "image.pull" => Some("fetching the image"),
        "image.unpack" => Some("unpacking the image"),
        "snapshot.export" => Some("writing the image"),
        "snapshot.import" => Some("reading the image"),
        "queue.wait" => Some(WAITING),
        _ => None,
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_that_is_waited_for_has_words() {
        let progress =
            |code: &str| Progress { code: code.into(), message: None, completed: None, total: None, unit: None };
        assert_eq!(step(&progress("image.unpack")), Some("unpacking the image"));
        assert_eq!(step(&progress("sandbox.provision")), None);
    }

    #[test]
    fn the_templates_are_ones() {
        for template in
            ["{spinner} {msg}, {pos} before this {elapsed}", "{msg} {wide_bar} {bytes} of {total_bytes} {eta}"]
        {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
