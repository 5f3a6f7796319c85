//! What came of a run, for people and for programs.

mod junit;
mod table;

use crate::check::Check;
use isobox::{Capabilities, Capability, Isolation};
use serde::Serialize;
use std::time::Duration;

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// It holds.
    Passed,
    /// It does not.
    Failed {
        /// What was seen.
        reason: String,
    },
    /// It could not be looked at.
    Skipped {
        /// Why.
        reason: String,
    },
}

/// One check and what came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The check's name.
    pub name: String,
    /// What has to hold.
    pub about: String,
    /// The capabilities whose effect it shows.
    #[serde(serialize_with = "dotted")]
    pub shows: Vec<Capability>,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// How long it took.
    #[serde(rename = "duration_ms", serialize_with = "millis")]
    pub duration: Duration,
}

/// What came of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The kind of the provider.
    pub provider: String,
    /// The version of the suite.
    pub version: &'static str,
    /// How strongly its sandboxes are kept apart, by its own word.
    pub isolation: Option<Isolation>,
    /// What it claims.
    #[serde(serialize_with = "dotted")]
    pub claims: Vec<Capability>,
    /// Why nothing was run. There are no rows then, and nothing has passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_run: Option<String>,
    /// Every check, in the order of the table.
    pub checks: Vec<Row>,
    /// How long all of it took.
    #[serde(rename = "duration_ms", serialize_with = "millis")]
    pub duration: Duration,
}

impl Row {
    pub(crate) fn of(check: &Check, outcome: Outcome, duration: Duration) -> Self {
        let (name, about) = (check.name.to_string(), check.about.to_string());
        Self { name, about, shows: check.shows.to_vec(), outcome, duration }
    }
}

impl Report {
    pub(crate) fn new(provider: String, capabilities: &Capabilities, checks: Vec<Row>) -> Self {
        Self {
            provider,
            version: env!("CARGO_PKG_VERSION"),
            isolation: Some(capabilities.isolation),
            claims: capabilities.iter().collect(),
            not_run: None,
            checks,
            duration: Duration::ZERO,
        }
    }

    pub(crate) fn not_run(provider: String, reason: String) -> Self {
        let nothing = Self::new(provider, &Capabilities::default(), Vec::new());
        Self { not_run: Some(reason), isolation: None, ..nothing }
    }

    /// Whether checks were made and none of them failed.
    pub fn passed(&self) -> bool {
        self.not_run.is_none() && self.failed().next().is_none()
    }

    /// The checks that failed.
    pub fn failed(&self) -> impl Iterator<Item = &Row> {
        self.checks.iter().filter(|row| matches!(row.outcome, Outcome::Failed { .. }))
    }

    /// How many passed, failed and were skipped.
    pub fn counts(&self) -> (usize, usize, usize) {
        self.checks.iter().fold((0, 0, 0), |(passed, failed, skipped), row| match row.outcome {
            Outcome::Passed => (passed + 1, failed, skipped),
            Outcome::Failed { .. } => (passed, failed + 1, skipped),
            Outcome::Skipped { .. } => (passed, failed, skipped + 1),
        })
    }

    /// The report as a JSON object.
    pub fn json(&self) -> String {
        // It is made of texts and numbers alone.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The report in the form that JUnit has made common, for systems that show tests.
    pub fn junit(&self) -> String {
        junit::write(self)
    }

    /// The report as text for people: a line for each check.
    pub fn table(&self) -> String {
        table::write(self)
    }

    /// Fails the test that runs the suite, with the whole report, unless all that was run has passed. What could not be run is
    /// no failure: see `not_run`.
    ///
    /// # Panics
    /// When a check failed.
    pub fn assert(&self) {
        assert!(self.failed().next().is_none(), "{}", self.table());
    }
}

fn millis<S: serde::Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}

/// The dotted names.
fn dotted<S: serde::Serializer>(capabilities: &[Capability], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(capabilities.iter().map(|capability| capability.as_str()))
}
