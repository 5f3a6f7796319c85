//! What a build says: kept whole up to a limit, and told as steps.
//!
//! Events go to books that others may read, so they have the number of a step and the word that it begins with, and nothing of
//! what it runs or what that writes. The log is in a file that only this user may read.

use isobox_contract::{Action, EventKind, EventSink, Progress, ProgressUnit};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

/// The most bytes of a log that are kept in a file, and in memory for an error.
const KEPT: u64 = 16 << 20;
const LAST: usize = 16 << 10;

/// The log of one build.
pub(super) struct Log {
    file: Option<File>,
    written: u64,
    last: String,
    events: Arc<dyn EventSink>,
    /// The step that it is at.
    pub(super) step: Option<Step>,
}

/// A step of a Dockerfile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) number: u64,
    pub(super) of: u64,
    /// What it begins with, such as `RUN`.
    pub(super) word: String,
}

impl Log {
    pub(super) fn new(path: Option<&Path>, events: Arc<dyn EventSink>) -> Self {
        let open = |path| OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path);
        // Who has no log can still have the image.
        let file = path.and_then(|path| open(path).ok());
        Self { file, written: 0, last: String::new(), events, step: None }
    }

    /// Takes what the engine says.
    pub(super) fn take(&mut self, text: &str) {
        if let Some(step) = text.lines().find_map(step) {
            self.tell(&step);
            self.step = Some(step);
        }
        let room = KEPT.saturating_sub(self.written).min(text.len() as u64);
        if let Some(file) = &mut self.file {
            let _ = file.write_all(&text.as_bytes()[..usize::try_from(room).unwrap_or_default()]);
        }
        self.written += room;
        self.last.push_str(text);
        if self.last.len() > 2 * LAST {
            let cut = self.last.len() - LAST;
            let cut = (cut..).find(|at| self.last.is_char_boundary(*at)).unwrap_or(self.last.len());
            self.last.drain(..cut);
        }
    }

    /// The end of it.
    pub(super) fn tail(&self) -> &str {
        &self.last
    }

    fn tell(&self, step: &Step) {
        let progress = Progress {
            code: "image.build".to_owned(),
            message: Some(step.word.clone()),
            completed: Some(step.number.saturating_sub(1)),
            total: Some(step.of),
            unit: Some(ProgressUnit::Steps),
        };
        self.events.emit(EventKind::OperationProgress { action: Action::Create, progress });
    }
}

/// `Step 3/7 : RUN make`.
fn step(line: &str) -> Option<Step> {
    let (count, instruction) = line.strip_prefix("Step ")?.split_once(" : ")?;
    let (number, of) = count.split_once('/')?;
    let word = instruction.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
    Some(Step { number: number.trim().parse().ok()?, of: of.trim().parse().ok()?, word })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_found_and_the_end_is_kept() {
        let expected = Step { number: 3, of: 7, word: "RUN".into() };
        assert_eq!(step("Step 3/7 : run make"), Some(expected));
        assert_eq!(step("Step by step"), None);
        let mut log = Log::new(None, Arc::new(isobox_contract::event::NoEvents));
        (0..10_000).for_each(|line| log.take(&format!("line {line} ä\n")));
        assert!(log.tail().ends_with("line 9999 ä\n") && log.tail().len() <= 2 * LAST);
    }
}
