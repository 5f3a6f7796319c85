//! What a fact means for sandboxes.

use isobox_wire::remedy::Remedy;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Good to know.
    Note,
    /// Something is refused or can go wrong; the rest works.
    Limits,
    /// No sandbox can be made.
    Blocks,
}

/// What a fact means for sandboxes, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The stable name.
    pub id: Cow<'static, str>,
    /// How much it matters.
    pub severity: Severity,
    /// The kind of provider that it concerns; all when absent.
    pub provider: Option<Cow<'static, str>>,
    /// What is the matter.
    pub what: String,
    /// What to do, where something can be done.
    pub fix: Option<String>,
}

impl Finding {
    pub(crate) fn of(remedy: &Remedy, severity: Severity) -> Self {
        Self::new(remedy.id, severity, remedy.cause.to_owned(), Some(remedy.fix.to_owned()))
    }

    pub(crate) fn new(id: &'static str, severity: Severity, what: String, fix: Option<String>) -> Self {
        Self { id: id.into(), severity, provider: None, what, fix }
    }

    pub(crate) fn about(self, provider: &'static str) -> Self {
        Self { provider: Some(provider.into()), ..self }
    }

    /// Whether it concerns a kind of provider.
    pub fn concerns(&self, kind: &str) -> bool {
        self.provider.as_ref().is_none_or(|provider| provider == kind)
    }
}
