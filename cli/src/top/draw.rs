//! From the model to the screen.

use super::model::{Deed, Model, Row};
use crate::human::{length, size};
use isobox::{State, Timestamp};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Cell, Paragraph, Row as TableRow, Table, TableState};

const HEAD: [&str; 8] = ["NAME", "ID", "STATE", "CPU", "MEMORY", "LIMIT", "PIDS", "AGE"];
const WIDTHS: [Constraint; 8] = [
    Constraint::Min(12),
    Constraint::Length(30),
    Constraint::Length(10),
    Constraint::Length(9),
    Constraint::Length(10),
    Constraint::Length(10),
    Constraint::Length(6),
    Constraint::Length(6),
];
/// How many of those that wait are shown.
const WAITING: usize = 4;
const KEYS: &str = "q quit   arrows choose   p pause or go on   k kill what runs in it";

/// Draws everything.
pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, now: Timestamp) {
    let events = (frame.area().height / 3).clamp(3, 12);
    let rows = [
        Constraint::Length(1),
        Constraint::Min(3),
        Constraint::Length(waiting_height(model)),
        Constraint::Length(events),
        Constraint::Length(1),
    ];
    let [head, table, waiting, events, foot] = Layout::vertical(rows).areas(frame.area());
    frame.render_widget(Line::from(summary(model)).style(Modifier::BOLD), head);
    sandboxes(frame, model, now, table);
    if !model.waiting.is_empty() {
        lines(frame, &format!("{} wait for room", model.waiting.len()), model.waiting.iter(), waiting);
    }
    let room = usize::from(events.height.saturating_sub(1));
    lines(frame, "events", model.events.iter().skip(model.events.len().saturating_sub(room)), events);
    let bottom = match (&model.question, &model.said) {
        (Some(Deed { name, .. }), _) => format!("kill everything that runs in {name}? y or any other key"),
        (None, Some(said)) => said.clone(),
        (None, None) => KEYS.to_owned(),
    };
    frame.render_widget(Line::from(bottom).style(Modifier::REVERSED), foot);
}

/// All of them in one line.
fn summary(model: &Model) -> String {
    let running = model.rows.iter().filter(|row| row.state == State::Running).count();
    let stats = || model.rows.iter().filter_map(|row| row.stats.as_ref());
    let cpu: f64 = stats().filter_map(|stats| stats.cpu_percent).sum();
    let memory: u64 = stats().filter_map(|stats| stats.metrics.memory).sum();
    format!("{} sandboxes, {running} running, cpu {cpu:.1} %, memory {}", model.rows.len(), size(memory))
}

fn sandboxes(frame: &mut Frame<'_>, model: &Model, now: Timestamp, area: Rect) {
    let rows = model.rows.iter().map(|row| row_of(row, now));
    let table = Table::new(rows, WIDTHS)
        .header(TableRow::new(HEAD).style(Modifier::BOLD))
        .row_highlight_style(Style::new().add_modifier(Modifier::REVERSED));
    let mut state = TableState::new().with_selected(model.position());
    frame.render_stateful_widget(table, area, &mut state);
}

fn row_of(row: &Row, now: Timestamp) -> TableRow<'static> {
    let metrics = row.stats.as_ref().map(|stats| &stats.metrics);
    let known = |value: Option<u64>, show: fn(u64) -> String| value.map_or_else(|| "-".to_owned(), show);
    let cpu = row.stats.as_ref().and_then(|stats| stats.cpu_percent);
    TableRow::new([
        Cell::from(if row.name.is_empty() { "-".to_owned() } else { crate::human::clean(&row.name) }),
        Cell::from(row.id.to_string()),
        Cell::from(row.state.to_string()),
        Cell::from(cpu.map_or_else(|| "-".to_owned(), |percent| format!("{percent:.1} %"))),
        Cell::from(known(metrics.and_then(|metrics| metrics.memory), size)),
        Cell::from(known(metrics.and_then(|metrics| metrics.memory_limit), size)),
        Cell::from(known(metrics.and_then(|metrics| metrics.pids), |pids| pids.to_string())),
        Cell::from(length(now.since(row.created_at))),
    ])
}

/// Nothing without anybody who waits, and at most a few lines.
fn waiting_height(model: &Model) -> u16 {
    let lines = model.waiting.len().min(WAITING);
    u16::try_from(if lines == 0 { 0 } else { lines + 1 }).unwrap_or(0)
}

/// Lines below a title, as many as there is room for.
fn lines<'a>(frame: &mut Frame<'_>, title: &str, lines: impl Iterator<Item = &'a String>, area: Rect) {
    let lines: Vec<_> = lines.map(|line| Line::from(line.as_str())).collect();
    let block = Block::new().borders(Borders::TOP).title(title.to_owned());
    frame.render_widget(Paragraph::new(lines).block(block), area);
}
