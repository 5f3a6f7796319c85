//! What the exit code says. One table, for the code and for the help.

use crate::output::Reader;
use isobox::{Detail, Error, ErrorCode, Exit, LaunchStep, Termination};

/// The command ran into its timeout.
pub(crate) const TIMED_OUT: u8 = 124;
/// isobox failed, or nobody knows how the command ended.
pub(crate) const FAILED: u8 = 125;
/// The program is there and cannot be executed.
pub(crate) const NOT_EXECUTABLE: u8 = 126;
/// There is no such program.
pub(crate) const NOT_THERE: u8 = 127;
/// The command was stopped from outside.
pub(crate) const CANCELLED: u8 = 130;
/// The command was killed from outside.
pub(crate) const KILLED: u8 = 137;
/// Nobody reads the output any more; what a shell reports of a program that SIGPIPE ended.
pub(crate) const NO_READER: u8 = 141;

/// The part of the help about these.
pub(crate) const HELP: &str = "\
Exit codes:
  0-255  The command's own; 128+n when signal n ended it
  124    The command ran into --timeout
  125    isobox itself failed: a bad flag, no sandbox, or the end of the command is not known
  126    The program cannot be executed
  127    There is no such program
  130    The command was stopped: by Ctrl-C, or because isobox got SIGTERM or SIGHUP
  137    The command was killed: by a second Ctrl-C, when its grace was over, or at the memory limit
  141    Nobody reads the output any more";

/// The code for a command that ended.
pub(crate) fn of_exit(exit: &Exit) -> u8 {
    match exit.termination {
        Termination::TimedOut => TIMED_OUT,
        Termination::Cancelled => CANCELLED,
        Termination::Killed => KILLED,
        Termination::Exited | Termination::Signalled => u8::try_from(exit.exit_code).unwrap_or(FAILED),
        _ => FAILED,
    }
}

/// The code for something that was printed.
pub(crate) fn of_reader(reader: Reader) -> u8 {
    match reader {
        Reader::There => 0,
        Reader::Gone => NO_READER,
    }
}

/// The code for a failure.
pub(crate) fn of_error(error: &Error) -> u8 {
    match (error.detail(), error.code()) {
        (Detail::Launch { step: LaunchStep::Exec, .. }, ErrorCode::NotFound) => NOT_THERE,
        (Detail::Launch { step: LaunchStep::Exec, .. }, _) => NOT_EXECUTABLE,
        (_, ErrorCode::Cancelled) => CANCELLED,
        _ => FAILED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn every_end_has_its_code() {
        let ended = |termination| of_exit(&Exit { termination, ..Exit::code(7, Duration::ZERO) });
        assert_eq!(ended(Termination::Exited), 7);
        assert_eq!(ended(Termination::TimedOut), 124);
        assert_eq!(ended(Termination::Cancelled), 130);
        assert_eq!(ended(Termination::Killed), 137);
        assert_eq!(ended(Termination::Unknown), 125);
        assert_eq!(of_exit(&Exit::signal(11, Termination::Signalled, Duration::ZERO)), 139);
        assert_eq!(of_exit(&Exit::code(-1, Duration::ZERO)), 125);
    }

    #[test]
    fn a_program_that_cannot_be_started_is_told_from_a_failure_of_isobox() {
        let launch =
            |code, step| of_error(&Error::new(code, "x").with_detail(Detail::Launch { step, errno: None, hint: None }));
        assert_eq!(launch(ErrorCode::NotFound, LaunchStep::Exec), 127);
        assert_eq!(launch(ErrorCode::PermissionDenied, LaunchStep::Exec), 126);
        assert_eq!(launch(ErrorCode::NotFound, LaunchStep::WorkingDirectory), 125);
        assert_eq!(of_error(&Error::internal("x")), 125);
        assert_eq!(of_error(&Error::cancelled("create")), 130);
    }
}
