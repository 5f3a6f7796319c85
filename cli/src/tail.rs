//! The last lines of output that comes in pieces.

use isobox::OutputEvent;
use std::collections::VecDeque;

/// The last lines of each of the two streams: which of them came first is not known of what is kept.
#[derive(Debug)]
pub(crate) struct Tail([Lines; 2]);

impl Tail {
    pub(crate) fn new(lines: usize) -> Self {
        Self([Lines::new(lines), Lines::new(lines)])
    }

    /// Adds a piece.
    pub(crate) fn push(&mut self, event: OutputEvent) {
        match event {
            OutputEvent::Stdout(_) => self.0[0].push(event),
            OutputEvent::Stderr(_) => self.0[1].push(event),
            _ => {}
        }
    }

    /// The last lines.
    pub(crate) fn into_events(self) -> impl Iterator<Item = OutputEvent> {
        self.0.into_iter().flat_map(Lines::last)
    }
}

/// Keeps the pieces that the last lines are in. A line that is not ended counts.
#[derive(Debug)]
struct Lines {
    wanted: usize,
    pieces: VecDeque<OutputEvent>,
    /// Ends of lines in all pieces.
    ends: usize,
}

impl Lines {
    fn new(wanted: usize) -> Self {
        Self { wanted, pieces: VecDeque::new(), ends: 0 }
    }

    /// Adds a piece, and drops what cannot be wanted any more.
    fn push(&mut self, event: OutputEvent) {
        self.ends += ends(&event);
        self.pieces.push_back(event);
        while let Some(first) = self.pieces.front() {
            let without = self.ends - ends(first);
            if without <= self.wanted {
                return;
            }
            self.ends = without;
            self.pieces.pop_front();
        }
    }

    fn last(mut self) -> VecDeque<OutputEvent> {
        let open = self.pieces.back().is_some_and(|event| !bytes(event).ends_with(b"\n"));
        let mut drop = (self.ends + usize::from(open)).saturating_sub(self.wanted);
        if self.wanted == 0 {
            self.pieces.clear();
        }
        while drop > 0
            && let Some(first) = self.pieces.pop_front()
        {
            let mut position = 0;
            while let (true, Some(end)) = (drop > 0, bytes(&first)[position..].iter().position(|byte| *byte == b'\n')) {
                position += end + 1;
                drop -= 1;
            }
            if drop == 0 && position < bytes(&first).len() {
                self.pieces.push_front(behind(first, position));
            }
        }
        self.pieces
    }
}

fn bytes(event: &OutputEvent) -> &[u8] {
    match event {
        OutputEvent::Stdout(bytes) | OutputEvent::Stderr(bytes) => bytes,
        _ => &[],
    }
}

fn ends(event: &OutputEvent) -> usize {
    bytes(event).iter().filter(|byte| **byte == b'\n').count()
}

fn behind(event: OutputEvent, position: usize) -> OutputEvent {
    match event {
        OutputEvent::Stdout(bytes) => OutputEvent::Stdout(bytes.slice(position..)),
        OutputEvent::Stderr(bytes) => OutputEvent::Stderr(bytes.slice(position..)),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail(lines: usize, pieces: &[&'static str]) -> String {
        let mut tail = Tail::new(lines);
        pieces.iter().for_each(|piece| tail.push(OutputEvent::Stdout((*piece).into())));
        tail.into_events().map(|event| String::from_utf8_lossy(bytes(&event)).into_owned()).collect()
    }

    #[test]
    fn the_last_lines_are_those_that_a_person_counts() {
        assert_eq!(tail(2, &["a\nb\nc\n"]), "b\nc\n");
        assert_eq!(tail(2, &["a\n", "b", "\nc\nd"]), "c\nd");
        assert_eq!(tail(1, &["a\nb"]), "b");
        assert_eq!(tail(1, &["a\n", "b\n"]), "b\n");
        assert_eq!(tail(3, &["a\nb\n"]), "a\nb\n");
        assert_eq!(tail(0, &["a\nb"]), "");
        assert_eq!(tail(5, &[]), "");
    }

    #[test]
    fn what_is_far_behind_is_not_kept() {
        let mut tail = Tail::new(1);
        (0..1_000).for_each(|_| tail.push(OutputEvent::Stdout("line\n".into())));
        assert!(tail.0[0].pieces.len() <= 2, "{}", tail.0[0].pieces.len());
    }
}
