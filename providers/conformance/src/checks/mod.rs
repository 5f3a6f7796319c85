//! The table of checks, by what they are about.

mod copies;
mod derived;
mod ending;
mod events;
mod exec;
mod files;
mod input;
mod lifecycle;
mod made_from;
mod output;
mod owner;
mod ports;
mod processes;
mod provider;
mod terminal;

use crate::check::Check;

/// Every check, in the order of reports.
pub(crate) fn all() -> Vec<Check> {
    [
        provider::CHECKS,
        lifecycle::CHECKS,
        owner::CHECKS,
        exec::CHECKS,
        input::CHECKS,
        output::CHECKS,
        ending::CHECKS,
        processes::CHECKS,
        terminal::CHECKS,
        files::CHECKS,
        derived::CHECKS,
        ports::CHECKS,
        made_from::CHECKS,
        copies::CHECKS,
        events::CHECKS,
    ]
    .concat()
}
