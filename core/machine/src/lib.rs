//! What this machine lets sandboxes do, and what to change where it does not.
//!
//! [`Facts`] are what was seen, and [`collect`] looks. [`findings`] decides what they mean; it is a pure function. The words
//! are those of the launcher's own failures ([`isobox_wire::remedy`]).

mod collect;
mod decide;
mod facts;
mod finding;
mod rootids;
pub mod subids;

pub use collect::{collect, root_range, subordinate};
pub use decide::findings;
pub use facts::{Caller, DiskLimit, Facts, Helper, Home, Kernel, Limits, Namespaces, Surroundings, Users};
pub use finding::{Finding, Severity};
