//! `isobox pool serve`: a pool for as long as the command runs.
//!
//! ```text
//!   open ──▶ name on stdout ──▶ failures on stderr ──┬─ a signal ────────▶ close ──▶ 0
//!     └── it cannot be made, or a signal             └─ isobox pool stop ───────────▶ 0
//! ```

use super::view::PoolView;
use crate::args::{Form, ServeArgs};
use crate::command::Signals;
use crate::config::{Config, Settings};
use crate::output::{self, Reader};
use crate::progress::Bar;
use crate::spec::{self, Variables, maybe};
use crate::{failure, runtime};
use isobox::{Error, EventKind, EventSink, Isobox, Pool, PoolBuilder, Result};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) fn main(args: &ServeArgs, config: &Config, form: Form) -> Result<u8> {
    let settings = config.profile(args.sandbox.profile.as_deref())?.under(&args.sandbox);
    if settings.name.is_some() {
        return Err(Error::invalid_spec("--name", "is for one sandbox, say it to isobox pool take"));
    }
    let env = spec::variables(&args.commands.env)?;
    more_files();
    runtime::with_isobox_and_signals(async |isobox| {
        let mut signals = Signals::catch(false).map_err(|error| Error::io("the signal handlers", error))?;
        let bar = Bar::new();
        let first = Arc::new(First { shown: AtomicBool::new(true), sink: bar.sink() });
        let builder = builder(&isobox, args, config, &settings, env, first.clone()).await?;
        let pool = tokio::select! {
            biased;
            () = signals.stop() => return Err(Error::cancelled("pool.open")),
            opened = builder.open() => opened?,
        };
        first.shown.store(false, Ordering::Relaxed);
        drop(bar);
        // Whoever started it may not read on, and others take from it all the same.
        let _: Reader = tell(&isobox, &args.pool, form).await?;
        until_its_end(&pool, &args.pool, &mut signals).await
    })
}

async fn builder(
    isobox: &Isobox,
    args: &ServeArgs,
    config: &Config,
    settings: &Settings,
    env: Variables,
    events: Arc<dyn EventSink>,
) -> Result<PoolBuilder> {
    let builder = spec::builder(isobox, config, settings).await?;
    let builder = spec::with_commands(builder, &args.commands);
    let builder = spec::with_variables(builder, env)?.events(events);
    let pool = isobox.pool(builder, args.size).shared_as(&args.pool).min_ready(args.min_ready);
    let pool = maybe(pool, args.refills_at_once, PoolBuilder::refills_at_once);
    Ok(maybe(pool, args.max_age, PoolBuilder::max_age))
}

async fn tell(isobox: &Isobox, name: &str, form: Form) -> Result<Reader> {
    match (form, isobox.pools().await?.iter().find(|pool| pool.name == name)) {
        (Form::Json, Some(pool)) => output::line(&PoolView::of(pool)),
        _ => output::put(format!("{name}\n").as_bytes()),
    }
}

async fn until_its_end(pool: &Pool, name: &str, signals: &mut Signals) -> Result<u8> {
    loop {
        tokio::select! {
            biased;
            () = signals.stop() => break,
            ended = pool.ended() => {
                failure::note(&format!("another process has ended the pool {name}"));
                return ended.map(|()| 0);
            }
            error = pool.failure() => {
                failure::note(&format!("the pool {name} is not refilled, and tries again: {}", error.message()));
            }
        }
    }
    tokio::select! {
        closed = pool.close() => closed.map(|()| 0),
        // What is ready ends with this process.
        () = signals.stop() => Err(Error::cancelled("pool.close")),
    }
}

/// As many files as may be: what was taken is a child of this process, and is watched until it ends.
fn more_files() {
    let limit = getrlimit(Resource::Nofile);
    // Without more it still works, for fewer.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

/// Shows how far the first are, and nothing of later ones.
struct First {
    shown: AtomicBool,
    sink: Arc<dyn EventSink>,
}

impl EventSink for First {
    fn emit(&self, event: EventKind) {
        if self.shown.load(Ordering::Relaxed) {
            self.sink.emit(event);
        }
    }
}
