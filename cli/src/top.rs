//! `isobox top`: sandboxes on the whole screen, as they are and as they change.
//!
//! ```text
//!   keys ─────┐
//!   events ───┼──▶ model ──▶ draw        the model is pure, drawing only reads it
//!   measures ─┤      │
//!   signals ──┘      └──▶ deeds (pause, kill), one after the other
//! ```

mod deeds;
mod draw;
mod model;
mod screen;

use crate::args::TopArgs;
use crate::command::Signals;
use crate::stats::Meter;
use crate::view::Stats;
use crate::{exit, runtime};
use crossterm::event::EventStream;
use futures::StreamExt;
use isobox::{Error, EventFilter, Follow, Followed, Isobox, Result, SandboxFilter};
use model::{Asked, Model};
use screen::Screen;
use std::io::IsTerminal;
use std::time::Duration;
use tokio::task::JoinSet;

/// How many events of before are shown at first.
const EARLIER: u64 = 50;

pub(crate) fn main(args: &TopArgs) -> Result<u8> {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(Error::invalid_spec("top", "needs a terminal on stdin and stdout, use isobox stats elsewhere"));
    }
    runtime::with_isobox_and_signals(async |isobox| Box::pin(watch(&isobox, args.interval)).await)
}

async fn watch(isobox: &Isobox, interval: Duration) -> Result<u8> {
    let mut signals = Signals::catch(false).map_err(|error| Error::io("the signal handlers", error))?;
    let mut source = Source::of(isobox, interval).await?;
    let mut model = Model::default();
    source.measure(&mut model).await?;
    let mut screen = Screen::enter()?;
    let mut keys = EventStream::new();
    let mut deeds: JoinSet<String> = JoinSet::new();
    loop {
        screen.draw(&model)?;
        let asked = tokio::select! {
            biased;
            () = signals.stop() => return Ok(exit::CANCELLED),
            key = keys.next() => match key {
                Some(Ok(event)) => model.key(&event),
                // The terminal is gone.
                _ => return Ok(exit::CANCELLED),
            },
            Some(said) = deeds.join_next() => {
                model.say(said.unwrap_or_else(|error| error.to_string()));
                None
            }
            happened = source.next(&mut model) => {
                happened?;
                None
            }
        };
        match asked {
            Some(Asked::Quit) => return Ok(0),
            Some(Asked::Do(deed)) => drop(deeds.spawn(deeds::carry_out(isobox.clone(), deed))),
            None => {}
        }
    }
}

/// What there is to see.
struct Source {
    isobox: Isobox,
    meter: Meter,
    before: Stats,
    events: Follow,
    tick: tokio::time::Interval,
}

impl Source {
    async fn of(isobox: &Isobox, interval: Duration) -> Result<Self> {
        let after = isobox.last_event().await?.saturating_sub(EARLIER);
        let mut tick = tokio::time::interval(interval);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        Ok(Self {
            isobox: isobox.clone(),
            meter: Meter::of(isobox, &[]).await?,
            before: Stats(Vec::new()),
            events: isobox.events(after, EventFilter::default()),
            tick,
        })
    }

    /// Waits for the next thing to show. Cancel safe: what is broken off is done again.
    async fn next(&mut self, model: &mut Model) -> Result<()> {
        tokio::select! {
            followed = self.events.next() => {
                if let Followed::Event(event) = followed? {
                    model.happened(*event);
                }
                Ok(())
            }
            _ = self.tick.tick() => self.measure(model).await,
        }
    }

    async fn measure(&mut self, model: &mut Model) -> Result<()> {
        let entries = self.isobox.list(SandboxFilter::default()).await?;
        let running: Vec<_> = entries.iter().filter(|entry| model::is_measured(entry)).cloned().collect();
        let stats = self.meter.measure_all(&running).await?.since(&self.before.0);
        model.measured(&entries, &stats);
        model.waits(&self.isobox.queue().await?);
        self.before = stats;
        Ok(())
    }
}
