//! The signals that isobox itself gets.
//!
//! One that was ignored when isobox started stays ignored, as `nohup` and background jobs of a shell expect.

use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Ctrl-C: ask the command to stop, then make it.
    Interrupt,
    /// The end of isobox, soon.
    End,
    /// The terminal has another size.
    Resize,
}

pub(crate) struct Signals {
    caught: Vec<(Signal, Asked)>,
}

impl Signals {
    /// Catches what concerns us; changes of the size only with a terminal.
    pub(crate) fn catch(terminal: bool) -> io::Result<Self> {
        let ignored = ignored();
        let wanted = [
            (SignalKind::interrupt(), Asked::Interrupt, true),
            (SignalKind::terminate(), Asked::End, true),
            (SignalKind::hangup(), Asked::End, true),
            (SignalKind::quit(), Asked::End, true),
            (SignalKind::window_change(), Asked::Resize, terminal),
        ];
        let caught = wanted
            .into_iter()
            .filter(|(kind, _, wanted)| *wanted && ignored & bit(*kind) == 0)
            .map(|(kind, asked, _)| signal(kind).map(|signal| (signal, asked)))
            .collect::<io::Result<_>>()?;
        Ok(Self { caught })
    }

    /// The next one. Cancel safe.
    pub(crate) async fn next(&mut self) -> Asked {
        std::future::poll_fn(|context| {
            for (signal, asked) in &mut self.caught {
                if signal.poll_recv(context).is_ready() {
                    return std::task::Poll::Ready(*asked);
                }
            }
            std::task::Poll::Pending
        })
        .await
    }

    /// The next one that asks for an end. Cancel safe.
    pub(crate) async fn stop(&mut self) {
        while self.next().await == Asked::Resize {}
    }
}

fn bit(kind: SignalKind) -> u64 {
    1 << (kind.as_raw_value() - 1)
}

/// The mask of the signals that are ignored; none where the system does not say.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
