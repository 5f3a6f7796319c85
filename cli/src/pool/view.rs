//! Pools, as they are printed.

use crate::human::ago;
use crate::output::Show;
use crate::table::Table;
use isobox::{PoolEntry, ProviderKind, Report, Timestamp};
use serde::Serialize;

/// A pool as a program reads it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PoolView {
    name: String,
    provider: ProviderKind,
    ready: u64,
    /// How many it keeps ready.
    wanted: u64,
    making: u64,
    /// How many were ready when they were taken.
    taken: u64,
    /// The process that serves it.
    pid: Option<u32>,
    program: Option<String>,
    since: Timestamp,
    /// Whether it is about to end.
    ending: bool,
    /// Why the last refill failed, until one succeeds.
    error: Option<Report>,
}

impl PoolView {
    pub(super) fn of(entry: &PoolEntry) -> Self {
        Self {
            name: entry.name.clone(),
            provider: entry.provider.clone(),
            ready: entry.ready,
            wanted: entry.size,
            making: entry.making,
            taken: entry.taken,
            pid: entry.pid,
            program: entry.program.clone(),
            since: entry.created_at,
            ending: entry.ending,
            error: entry.failure.clone(),
        }
    }
}

/// A listing.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(super) struct Listed(pub(super) Vec<PoolView>);

impl Listed {
    fn at(&self, now: Timestamp) -> String {
        let mut table = Table::new(["NAME", "PROVIDER", "READY", "WANTED", "TAKEN", "PID", "SINCE", "ERROR"]);
        for pool in &self.0 {
            table.row([
                pool.name.clone(),
                pool.provider.to_string(),
                pool.ready.to_string(),
                pool.wanted.to_string(),
                pool.taken.to_string(),
                pool.pid.map(|pid| pid.to_string()).unwrap_or_default(),
                ago(pool.since, now),
                pool.error.as_ref().map(|error| error.message.clone()).unwrap_or_default(),
            ]);
        }
        table.text()
    }
}

impl Show for Listed {
    fn text(&self) -> String {
        self.at(Timestamp::now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_has_a_line_for_each() {
        let pool = PoolView {
            name: "build".to_owned(),
            provider: ProviderKind::NAMESPACE,
            ready: 3,
            wanted: 4,
            making: 1,
            taken: 17,
            pid: Some(7),
            program: None,
            since: Timestamp::from_unix(0, 0),
            ending: false,
            error: None,
        };
        let expected = "NAME   PROVIDER   READY  WANTED  TAKEN  PID  SINCE    ERROR\n\
                        build  namespace  3      4       17     7    60s ago  -\n";
        assert_eq!(Listed(vec![pool]).at(Timestamp::from_unix(60, 0)), expected);
    }
}
