//! What is printed: the stable JSON of each thing, and its text for people.

mod event;
mod process;
mod sandbox;
mod stats;

pub(crate) use event::EventView;
pub(crate) use process::{ProcessView, Processes};
pub(crate) use sandbox::{Inspected, SandboxView, Sandboxes};
pub(crate) use stats::{Stats, StatsView};
