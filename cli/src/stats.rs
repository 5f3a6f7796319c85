//! `isobox stats`: what sandboxes use, measured again and again.

use crate::args::{Form, StatsArgs};
use crate::output::{self, Reader, Show};
use crate::view::{Stats, StatsView};
use crate::{exit, find, runtime};
use futures::StreamExt;
use isobox::{Error, ErrorCode, Isobox, Result, Sandbox, SandboxEntry, SandboxFilter, State};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::time::Duration;

/// How many are measured at once.
const AT_ONCE: usize = 16;
/// How long the first measurement waits for the second, which shows how busy it is.
const FIRST: Duration = Duration::from_millis(200);
/// Begins the screen anew.
const CLEAR: &str = "\x1b[H\x1b[2J";

pub(crate) fn main(args: &StatsArgs) -> Result<u8> {
    runtime::until_stopped(async |isobox| print(isobox, args).await)
}

async fn print(isobox: &Isobox, args: &StatsArgs) -> Result<u8> {
    let mut meter = Meter::of(isobox, &args.sandboxes).await?;
    let mut before = meter.measure().await?;
    let mut pause = FIRST.min(args.interval);
    let redraw = !args.no_stream && args.form.output == Form::Table && std::io::stdout().is_terminal();
    loop {
        tokio::time::sleep(pause).await;
        let now = meter.measure().await?.since(&before.0);
        let reader = match (args.form.output, redraw) {
            (Form::Json, _) => lines(&now)?,
            (Form::Table, true) => output::put(format!("{CLEAR}{}", now.text()).as_bytes())?,
            (Form::Table, false) => output::put(now.text().as_bytes())?,
        };
        if reader == Reader::Gone {
            return Ok(exit::NO_READER);
        }
        if args.no_stream || (now.0.is_empty() && !args.sandboxes.is_empty()) {
            return Ok(0);
        }
        (before, pause) = (now, args.interval);
    }
}

fn lines(stats: &Stats) -> Result<Reader> {
    for view in &stats.0 {
        if output::line(view)? == Reader::Gone {
            return Ok(Reader::Gone);
        }
    }
    Ok(Reader::There)
}

/// Measures sandboxes, and keeps their handles: to connect costs more than to measure.
pub(crate) struct Meter {
    isobox: Isobox,
    /// The sandboxes that were named; all that run when there are none.
    named: Vec<SandboxEntry>,
    handles: BTreeMap<String, Sandbox>,
}

impl Meter {
    /// Of these sandboxes, or of all.
    pub(crate) async fn of(isobox: &Isobox, words: &[String]) -> Result<Self> {
        let mut named = Vec::new();
        for word in words {
            let entry = find::entry(isobox, word).await?;
            // One that cannot be reached is said now.
            isobox.connect(entry.id.as_str()).await?;
            named.push(entry);
        }
        Ok(Self { isobox: isobox.clone(), named, handles: BTreeMap::new() })
    }

    /// What each uses now. One that has ended is left out.
    pub(crate) async fn measure(&mut self) -> Result<Stats> {
        let filter = SandboxFilter { states: vec![State::Running, State::Paused], ..SandboxFilter::default() };
        let entries = if self.named.is_empty() { self.isobox.list(filter).await? } else { self.named.clone() };
        self.measure_all(&entries).await
    }

    /// The same for sandboxes that were listed already.
    pub(crate) async fn measure_all(&mut self, entries: &[SandboxEntry]) -> Result<Stats> {
        self.handles.retain(|id, _| entries.iter().any(|entry| entry.id.as_str() == id));
        let (isobox, handles) = (&self.isobox, &self.handles);
        let each = entries.iter().map(async |entry| (entry, one(isobox, handles.get(entry.id.as_str()), entry).await));
        let measured: Vec<_> = futures::stream::iter(each).buffered(AT_ONCE).collect().await;
        let mut views = Vec::new();
        for (entry, result) in measured {
            match result? {
                Some((sandbox, view)) => {
                    self.handles.insert(entry.id.to_string(), sandbox);
                    views.push(view);
                }
                None => drop(self.handles.remove(entry.id.as_str())),
            }
        }
        Ok(Stats(views))
    }
}

async fn one(isobox: &Isobox, handle: Option<&Sandbox>, entry: &SandboxEntry) -> Result<Option<(Sandbox, StatsView)>> {
    let measured = async {
        let sandbox = match handle {
            Some(sandbox) => sandbox.clone(),
            None => isobox.connect(entry.id.as_str()).await?,
        };
        let metrics = sandbox.metrics().await?;
        Ok::<_, Error>((sandbox, StatsView::new(entry.id, entry.name.clone(), metrics)))
    };
    match measured.await {
        Ok(measured) => Ok(Some(measured)),
        Err(error) if is_over(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether it says that the sandbox is not there, or not for now.
fn is_over(error: &Error) -> bool {
    matches!(
        error.code(),
        ErrorCode::SandboxGone | ErrorCode::NotFound | ErrorCode::InvalidState | ErrorCode::Transport
    )
}
