//! The whole screen, for a while. What was on it comes back on every way out, also before a panic is printed.

use super::draw;
use super::model::Model;
use isobox::{Error, Result};
use ratatui::DefaultTerminal;

/// As long as it lives, the screen is ours.
pub(super) struct Screen(DefaultTerminal);

impl Screen {
    pub(super) fn enter() -> Result<Self> {
        ratatui::try_init().map(Self).map_err(|error| Error::io("the terminal", error))
    }

    pub(super) fn draw(&mut self, model: &Model) -> Result<()> {
        let drawn = self.0.draw(|frame| draw::draw(frame, model, isobox::Timestamp::now()));
        drawn.map(drop).map_err(|error| Error::io("the terminal", error))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}
