//! `isobox completions`: a script that teaches a shell the flags.

use crate::args::{Cli, CompletionsArgs};
use clap::CommandFactory;
use isobox::{Error, Result};
use std::io::{ErrorKind, Write};

pub(crate) fn main(args: &CompletionsArgs) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "isobox", &mut script);
    match std::io::stdout().lock().write_all(&script) {
        Ok(()) => Ok(0),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(crate::exit::NO_READER),
        Err(error) => Err(Error::io("stdout", error)),
    }
}
