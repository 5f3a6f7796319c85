//! What every sandbox can do that runs commands and has files, and that no provider has to write.
//!
//! Each module takes any [`isobox_contract::Sandbox`] and gives one of the contract's optional facets: shell
//! [`session`]s on a terminal, background [`services`], [`search`] of files, and [`git`]. Nothing is needed in the image but what the module says.

pub mod git;
mod private;
pub mod search;
pub mod services;
pub mod session;

pub use git::DerivedGit;
pub use search::DerivedSearch;
pub use services::DerivedServices;
pub use session::DerivedSessions;
