//! What is on the screen, and what keys change about it. Nothing here does anything.

use crate::human;
use crate::view::{EventView, Stats, StatsView};
use crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use isobox::contract::Event;
use isobox::{Queue, QueueEntry, SandboxEntry, SandboxId, State, Timestamp};
use std::collections::VecDeque;

/// How many events are kept to be shown.
const EVENTS: usize = 200;

/// A sandbox and what it uses.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: SandboxId,
    pub(super) name: String,
    pub(super) state: State,
    pub(super) created_at: Timestamp,
    pub(super) stats: Option<StatsView>,
}

/// Something to do to a sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Deed {
    pub(super) what: What,
    pub(super) id: SandboxId,
    pub(super) name: String,
    /// What it was doing when it was chosen.
    pub(super) state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Pause it, or let it go on.
    Pause,
    /// Kill everything that runs in it.
    Kill,
}

/// What a key asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Quit,
    Do(Deed),
}

/// What is on the screen.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) rows: Vec<Row>,
    pub(super) events: VecDeque<String>,
    /// What waits for room on this machine, in the order of the turns.
    pub(super) waiting: Vec<String>,
    /// The last thing that was said about a deed.
    pub(super) said: Option<String>,
    /// What is to be answered with y.
    pub(super) question: Option<Deed>,
    chosen: Option<SandboxId>,
}

/// Whether there is something to measure.
pub(super) fn is_measured(entry: &SandboxEntry) -> bool {
    matches!(entry.state, State::Running | State::Paused)
}

impl Model {
    /// Takes what there is now. The chosen sandbox stays chosen while it is there.
    pub(super) fn measured(&mut self, entries: &[SandboxEntry], stats: &Stats) {
        let row = |entry: &SandboxEntry| Row {
            id: entry.id,
            name: entry.name.clone().unwrap_or_default(),
            state: entry.state,
            created_at: entry.created_at,
            stats: stats.0.iter().find(|view| view.sandbox == entry.id).cloned(),
        };
        let before = self.position();
        self.rows = entries.iter().map(row).collect();
        if self.position().is_none() {
            let last = self.rows.len().saturating_sub(1);
            self.chosen = self.rows.get(before.unwrap_or(0).min(last)).map(|row| row.id);
        }
    }

    /// Takes what waits for room.
    pub(super) fn waits(&mut self, queue: &Queue) {
        let line = |entry: &QueueEntry| {
            let name = entry.name.clone().unwrap_or_else(|| entry.sandbox.to_string());
            let program = entry.program.clone().unwrap_or_default();
            let pid = entry.pid.map(|pid| format!(" {pid}")).unwrap_or_default();
            let since = human::length(Timestamp::now().since(entry.since));
            human::clean(&format!("{} {name}  by {program}{pid}  since {since}", entry.action))
        };
        self.waiting = queue.waiting.iter().map(line).collect();
    }

    /// Takes an event.
    pub(super) fn happened(&mut self, event: Event) {
        let time = event.at.to_string();
        let time = time.split_once('T').map_or(time.as_str(), |(_, time)| time.get(..8).unwrap_or(time));
        let view = EventView(event.clone());
        self.events.push_back(human::clean(&format!("{time}  {}  {}", view.subject(), view.what())));
        while self.events.len() > EVENTS {
            self.events.pop_front();
        }
    }

    pub(super) fn say(&mut self, said: String) {
        self.said = Some(human::clean(&said));
    }

    /// Which row is chosen.
    pub(super) fn position(&self) -> Option<usize> {
        self.rows.iter().position(|row| Some(row.id) == self.chosen)
    }

    /// What follows from what was typed.
    pub(super) fn key(&mut self, input: &Input) -> Option<Asked> {
        let Input::Key(KeyEvent { code, modifiers, kind: KeyEventKind::Press, .. }) = input else { return None };
        if *code == KeyCode::Char('c') && modifiers.contains(KeyModifiers::CONTROL) {
            return Some(Asked::Quit);
        }
        if let Some(deed) = self.question.take() {
            return (*code == KeyCode::Char('y')).then_some(Asked::Do(deed));
        }
        self.said = None;
        match code {
            KeyCode::Char('q') | KeyCode::Esc => return Some(Asked::Quit),
            KeyCode::Up => self.choose(-1),
            KeyCode::Down => self.choose(1),
            KeyCode::Char('p') => return self.deed(What::Pause).map(Asked::Do),
            KeyCode::Char('k') => self.question = self.deed(What::Kill),
            _ => {}
        }
        None
    }

    fn choose(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        let position = self.position().unwrap_or(0).saturating_add_signed(by).min(last);
        self.chosen = self.rows.get(position).map(|row| row.id);
    }

    fn deed(&self, what: What) -> Option<Deed> {
        let row = &self.rows[self.position()?];
        let name = if row.name.is_empty() { row.id.to_string() } else { row.name.clone() };
        Some(Deed { what, id: row.id, name, state: row.state })
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
