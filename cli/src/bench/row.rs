//! One line of a report: what was measured, on whom, and what came out.

use super::contender::Contender;
use serde::Serialize;
use std::time::Duration;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Row {
    pub(super) measure: String,
    pub(super) contender: String,
    #[serde(flatten)]
    pub(super) outcome: Outcome,
    pub(super) target: Option<Target>,
    /// What else is to know about the figures.
    pub(super) note: Option<String>,
    #[serde(skip)]
    group: &'static str,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub(super) enum Outcome {
    Measured(Figures),
    NotHere { reason: String },
    Failed { reason: String },
}

/// What came out; seconds or bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Figures {
    pub(super) unit: Unit,
    pub(super) n: usize,
    pub(super) min: f64,
    pub(super) p50: f64,
    pub(super) p95: f64,
    pub(super) p99: f64,
    pub(super) rate: Option<Rate>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unit {
    Seconds,
    Bytes,
}

/// How much in a second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Rate {
    pub(super) value: f64,
    pub(super) unit: &'static str,
}

/// What the design asks for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Target {
    pub(super) text: &'static str,
    /// Not known where there are no figures.
    pub(super) met: Option<bool>,
}

/// A target before anything is measured.
#[derive(Debug, Clone, Copy)]
pub(super) enum Goal {
    /// The median is at most this.
    Within(f64, &'static str),
    /// The rate is at least this.
    Rate(f64, &'static str),
}

impl Goal {
    fn judge(self, figures: Option<&Figures>) -> Target {
        let (text, met) = match self {
            Self::Within(limit, text) => (text, figures.map(|figures| figures.p50 <= limit)),
            Self::Rate(least, text) => (text, figures.and_then(|figures| figures.rate).map(|rate| rate.value >= least)),
        };
        Target { text, met }
    }
}

impl Figures {
    /// Durations; none is no figure.
    pub(super) fn of(times: &[Duration]) -> Option<Self> {
        Self::of_values(Unit::Seconds, times.iter().map(Duration::as_secs_f64).collect())
    }

    pub(super) fn of_values(unit: Unit, mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let (n, min) = (values.len(), *values.first()?);
        // The nearest rank: a value that was really measured.
        let rank = |part: f64| values[((part * n as f64).ceil() as usize).clamp(1, n) - 1];
        Some(Self { unit, n, min, p50: rank(0.50), p95: rank(0.95), p99: rank(0.99), rate: None })
    }

    /// Adds how many bytes the median moves in a second.
    pub(super) fn moving(mut self, bytes: u64) -> Self {
        self.rate = Some(Rate { value: bytes as f64 / self.p50 / 1e6, unit: "MB/s" });
        self
    }
}

impl Row {
    pub(super) fn new(group: &'static str, measure: impl Into<String>, contender: Contender, outcome: Outcome) -> Self {
        let (measure, contender) = (measure.into(), contender.name().to_owned());
        Self { measure, contender, outcome, target: None, note: None, group }
    }

    /// Times of one contender; a failure goes before whatever was measured until then.
    pub(super) fn times(
        group: &'static str,
        measure: impl Into<String>,
        contender: Contender,
        times: Result<Vec<Duration>, String>,
        finish: impl FnOnce(Figures) -> Figures,
    ) -> Self {
        let none = || "nothing was measured".to_owned();
        let figures = times.and_then(|times| Figures::of(&times).ok_or_else(none));
        let outcome = match figures {
            Ok(figures) => Outcome::Measured(finish(figures)),
            Err(reason) => Outcome::Failed { reason },
        };
        Self::new(group, measure, contender, outcome)
    }

    /// Names the contender more closely.
    pub(super) fn how(mut self, how: &str) -> Self {
        self.contender = format!("{}: {how}", self.contender);
        self
    }

    pub(super) fn goal(mut self, goal: Option<Goal>) -> Self {
        let figures = match &self.outcome {
            Outcome::Measured(figures) => Some(figures),
            _ => None,
        };
        self.target = goal.map(|goal| goal.judge(figures));
        self
    }

    pub(super) fn note(mut self, note: Option<String>) -> Self {
        self.note = note;
        self
    }

    /// What is to say of it beside figures: that there are none and why, or what they leave out.
    pub(super) fn words(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Measured(_) => self.note.clone(),
            Outcome::NotHere { reason } => Some(format!("not here: {reason}")),
            Outcome::Failed { reason } => Some(format!("failed: {reason}")),
        }
    }

    /// The name of the measure that it belongs to.
    pub(super) fn group(&self) -> &'static str {
        self.group
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let figures = Figures::of_values(Unit::Bytes, (1..=100).rev().map(f64::from).collect()).unwrap();
        assert_eq!((figures.min, figures.p50, figures.p95, figures.p99, figures.n), (1.0, 50.0, 95.0, 99.0, 100));
        let one = Figures::of(&[Duration::from_secs(2)]).unwrap().moving(4_000_000);
        assert_eq!((one.p50, one.p99, one.rate.unwrap().value), (2.0, 2.0, 2.0));
        assert_eq!(Figures::of(&[]), None);
    }

    #[test]
    fn a_goal_is_met_missed_or_open() {
        let row = |outcome| Row::new("exec", "exec", Contender::Host, outcome).goal(Some(Goal::Within(1.0, "≤ 1 s")));
        let took = |seconds| row(Outcome::Measured(Figures::of(&[Duration::from_secs(seconds)]).unwrap()));
        let met = |row: Row| row.target.unwrap().met;
        assert_eq!(met(took(1)), Some(true));
        assert_eq!(met(took(2)), Some(false));
        assert_eq!(met(row(Outcome::NotHere { reason: String::new() })), None);
    }
}
