//! The table of checks, by what they are about.

mod containers;
mod copies;
mod create;
mod derived;
mod ending;
mod events;
mod exec;
mod files;
mod git;
mod given;
mod input;
mod life;
mod lifetimes;
mod limits;
mod output;
mod owner;
mod ports;
mod processes;
mod provider;
mod sources;
mod terminal;
mod transfers;

use crate::check::Check;

/// Every check, in the order of reports.
pub(crate) fn all() -> Vec<Check> {
    [
        provider::CHECKS,
        create::CHECKS,
        life::CHECKS,
        lifetimes::CHECKS,
        owner::CHECKS,
        exec::CHECKS,
        input::CHECKS,
        output::CHECKS,
        ending::CHECKS,
        processes::CHECKS,
        terminal::CHECKS,
        files::CHECKS,
        transfers::CHECKS,
        derived::CHECKS,
        git::CHECKS,
        ports::CHECKS,
        sources::CHECKS,
        containers::CHECKS,
        given::CHECKS,
        limits::CHECKS,
        copies::CHECKS,
        events::CHECKS,
    ]
    .concat()
}
