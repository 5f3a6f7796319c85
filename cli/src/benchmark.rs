//! `isobox bench`: the measurements on stdout, what is going on on stderr.

use crate::args::BenchVerb;
use isobox::{Error, ErrorCode, Result};
use std::io::Write;

pub(crate) fn main(verb: &BenchVerb) -> Result<u8> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Error::io("the event loop", error))?;
    let mut options = verb.measure.clone().options(verb.output, tell);
    options.command = std::env::current_exe().ok();
    let report = runtime.block_on(isobox_cli::bench::run(options));
    let report = report.map_err(|reason| Error::new(ErrorCode::Internal, reason))?;
    let written = writeln!(std::io::stdout(), "{report}");
    written.map_err(|error| Error::io("the output", error)).map(|()| 0)
}

fn tell(what: &str) {
    // Nobody has to listen.
    let _ = writeln!(std::io::stderr(), "{what}");
}
