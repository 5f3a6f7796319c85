//! One suite for every provider: what a provider claims is looked at for its effect, and what it does not claim must be
//! refused by its dotted name.
//!
//! ```no_run
//! # async fn example(provider: std::sync::Arc<dyn isobox::contract::Provider>) {
//! let report = isobox_conformance::suite(provider).run().await;
//! println!("{}", report.table());
//! report.assert();
//! # }
//! ```
//!
//! A [`Suite`] runs [`Check`]s against a [`Target`]: a provider, what its sandboxes are made from, and what else it may
//! use. The checks drive the public interface of `isobox`, so that what is derived there is covered too, and the traits of the
//! contract where a check is about these.
//!
//! # What it promises
//!
//! - Which checks there are follows from the claims of the provider: one for the effect of each claim, one for the refusal
//!   of each capability that is not claimed and can be asked for.
//! - A check makes its own sandboxes, and they are removed whatever becomes of it. At the end nothing may be left.
//! - A check that cannot be made is never passed: it is skipped with the reason, and where there is no provider at all, nothing
//!   was run.
//! - No program is needed in a sandbox but `sh`. A check that needs another one is skipped where that is missing.
//! - Nothing fails because a machine is slow: what happens at once is told by its order, and deadlines are long.

#[macro_use]
mod check;
mod checks;
mod coverage;
mod elsewhere;
mod lab;
mod memory;
mod processes;
mod refusals;
mod report;
mod suite;
mod target;
mod text;

pub use check::Check;
pub use check::{Checked, Stop};
pub use coverage::{Coverage, coverage};
pub use elsewhere::{is_elsewhere, serve};
pub use lab::Lab;
pub use report::{Outcome, Report, Row};
pub use suite::{NOTHING_IS_LEFT, Suite, suite};
pub use target::{Fixtures, Repository, Target};

/// The guide, whose examples are compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/conformance.md")]
struct Guide;
