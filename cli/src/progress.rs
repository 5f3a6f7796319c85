//! A line on stderr that says how far an image is, when stderr is a terminal.

use crate::image::size;
use isobox::{EventKind, EventSink, Progress};
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the line is drawn at most.
const EVERY: Duration = Duration::from_millis(100);

/// The line; it is wiped when this is dropped.
pub(crate) struct Bar(Option<Arc<Line>>);

#[derive(Default)]
struct Line {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    drawn: Option<Instant>,
    over: bool,
}

impl Bar {
    pub(crate) fn new() -> Self {
        Self(std::io::stderr().is_terminal().then(Arc::default))
    }

    /// Where progress goes.
    pub(crate) fn sink(&self) -> Arc<dyn EventSink> {
        match &self.0 {
            Some(line) => line.clone(),
            None => Arc::new(Nowhere),
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        let Some(line) = &self.0 else { return };
        let mut state = line.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.over = true;
        if state.drawn.is_some() {
            let _ = std::io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

struct Nowhere;

impl EventSink for Nowhere {
    fn emit(&self, _: EventKind) {}
}

impl EventSink for Line {
    fn emit(&self, event: EventKind) {
        let EventKind::OperationProgress { progress, .. } = event else { return };
        let Some(text) = text(&progress) else { return };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.over || state.drawn.is_some_and(|drawn| drawn.elapsed() < EVERY) {
            return;
        }
        state.drawn = Some(Instant::now());
        let _ = std::io::stderr().write_all(format!("\r{text}\x1b[K").as_bytes());
    }
}

fn text(progress: &Progress) -> Option<String> {
    let what = match progress.code.as_str() {
        "image.pull" => "fetching",
        "image.unpack" => "unpacking",
        _ => return None,
    };
    let done = progress.completed?;
    Some(match progress.total.filter(|total| *total > 0) {
        Some(total) => {
            format!("{what} the image: {} of {}, {} %", size(done), size(total), done.min(total) * 100 / total)
        }
        None => format!("{what} the image: {}", size(done)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_much_of_how_much() {
        let progress = |code: &str, total| Progress {
            code: code.into(),
            message: None,
            completed: Some(1 << 20),
            total,
            unit: None,
        };
        assert_eq!(
            text(&progress("image.unpack", Some(4 << 20))).unwrap(),
            "unpacking the image: 1.0 MiB of 4.0 MiB, 25 %"
        );
        assert_eq!(text(&progress("image.pull", None)).unwrap(), "fetching the image: 1.0 MiB");
        assert_eq!(text(&progress("queue.wait", None)), None);
    }
}
