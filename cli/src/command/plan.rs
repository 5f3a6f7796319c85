//! Whether the command gets a terminal, and whether it gets our stdin.

use crate::args::StreamFlags;
use isobox::{Error, Result};
use std::io::IsTerminal;

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The command has a terminal.
    pub(crate) terminal: bool,
    /// Our own terminal passes every key on.
    pub(crate) raw: bool,
    /// Our stdin is forwarded.
    pub(crate) input: bool,
}

impl Plan {
    /// Of flags; `plain` when the command's own output is what goes to stdout.
    pub(crate) fn of(flags: StreamFlags, plain: bool) -> Result<Self> {
        decide(flags, plain, std::io::stdin().is_terminal(), std::io::stdout().is_terminal())
    }

    /// Of a command that has its terminal, or none, already.
    pub(crate) fn of_running(terminal: bool, interactive: bool) -> Self {
        let ours = std::io::stdin().is_terminal();
        Self { terminal, raw: terminal && ours, input: (terminal && ours) || interactive }
    }
}

fn decide(flags: StreamFlags, plain: bool, stdin: bool, stdout: bool) -> Result<Plan> {
    if flags.tty && !plain {
        return Err(Error::invalid_spec("--tty", "has no place in other output, use --output table"));
    }
    let terminal = flags.tty || (plain && !flags.no_tty && stdin && stdout);
    Ok(Plan { terminal, raw: terminal && stdin, input: terminal || flags.interactive || !stdin })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Output, Verb};
    use clap::Parser;

    fn plan(flags: &str, stdin: bool, stdout: bool) -> Option<(bool, bool, bool)> {
        let line = format!("isobox run {flags} true");
        let Verb::Run(args) = Cli::try_parse_from(line.split_whitespace()).unwrap().verb else { panic!("not run") };
        decide(args.streams, args.output == Output::Table, stdin, stdout)
            .ok()
            .map(|plan| (plan.terminal, plan.raw, plan.input))
    }

    #[test]
    fn two_terminals_make_a_terminal() {
        assert_eq!(plan("", true, true), Some((true, true, true)));
        assert_eq!(plan("", false, true), Some((false, false, true)));
        assert_eq!(plan("", true, false), Some((false, false, false)));
        assert_eq!(plan("", false, false), Some((false, false, true)));
    }

    #[test]
    fn flags_decide_otherwise() {
        assert_eq!(plan("--no-tty", true, true), Some((false, false, false)));
        assert_eq!(plan("--no-tty -i", true, true), Some((false, false, true)));
        assert_eq!(plan("-t", false, false), Some((true, false, true)));
        assert_eq!(plan("--no-tty -t", true, true), Some((true, true, true)));
        assert_eq!(plan("--output json", true, true), Some((false, false, false)));
        assert_eq!(plan("--output json -t", true, true), None);
    }
}
