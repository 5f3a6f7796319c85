//! What can be said on the command line.

mod command;
mod conformance;
mod cp;
mod create;
mod doctor;
mod exec;
mod form;
mod gc;
mod image;
mod life;
mod limits;
mod look;
mod pool;
mod process;
mod run;
mod sandbox;
mod snapshot;
mod top;
mod volume;

pub(crate) use command::{CommandFlags, CommandsFlags, KeysFlag, StreamFlags};
pub(crate) use conformance::{ConformanceArgs, ConformanceOutput, FixtureArgs};
pub(crate) use cp::CpArgs;
pub(crate) use create::CreateArgs;
pub(crate) use doctor::{DoctorArgs, DoctorOutput};
pub(crate) use exec::{AttachArgs, ExecArgs, ShellArgs};
pub(crate) use form::{Form, FormFlag};
pub(crate) use gc::GcArgs;
pub(crate) use image::{ImageArgs, ImageOutput, ImageVerb};
pub(crate) use life::{ForkArgs, RmArgs, SandboxesArgs, StopArgs};
pub(crate) use limits::LimitsArgs;
pub(crate) use look::{EventsArgs, InspectArgs, LsArgs, PortArgs, StatsArgs};
pub(crate) use pool::{PoolArgs, PoolVerb, ServeArgs, TakeArgs};
pub(crate) use process::{KillArgs, LogsArgs, ProcessArgs, PsArgs};
pub(crate) use run::RunArgs;
pub(crate) use sandbox::{PullArg, SandboxFlags};
pub(crate) use snapshot::{SnapshotArgs, SnapshotVerb};
pub(crate) use top::TopArgs;
pub(crate) use volume::{VolumeArgs, VolumeVerb};

use crate::{environment, exit};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Sandboxes for commands you do not trust.
#[derive(Parser, Debug)]
#[command(name = "isobox", version, max_term_width = 120, arg_required_else_help = true)]
#[command(after_long_help = help())]
pub(crate) struct Cli {
    /// The configuration file, with profiles
    #[arg(long, value_name = "FILE", env = environment::ISOBOX_CONFIG, hide_env = true)]
    pub(crate) config: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    Run(Box<RunArgs>),
    Create(Box<CreateArgs>),
    Exec(Box<ExecArgs>),
    Shell(Box<ShellArgs>),
    Ls(LsArgs),
    Inspect(InspectArgs),
    Ps(PsArgs),
    Logs(LogsArgs),
    Attach(AttachArgs),
    Kill(KillArgs),
    Stop(StopArgs),
    /// Start sandboxes again that are stopped
    Start(SandboxesArgs),
    /// Freeze everything in sandboxes
    Pause(SandboxesArgs),
    /// Let everything in paused sandboxes go on
    Resume(SandboxesArgs),
    Rm(RmArgs),
    Cp(CpArgs),
    Port(PortArgs),
    Stats(StatsArgs),
    Top(TopArgs),
    Events(EventsArgs),
    Fork(ForkArgs),
    Snapshot(SnapshotArgs),
    Volume(VolumeArgs),
    Image(ImageArgs),
    Pool(PoolArgs),
    Gc(GcArgs),
    Limits(LimitsArgs),
    Doctor(DoctorArgs),
    Conformance(ConformanceArgs),
    Completions(CompletionsArgs),
    Bench(BenchVerb),
}

/// Measure isobox on this machine, beside bare processes, bubblewrap and Docker
#[derive(Args, Debug)]
pub(crate) struct BenchVerb {
    #[command(flatten)]
    pub(crate) measure: isobox_cli::bench::BenchArgs,
    /// What goes to stdout: a table, one JSON object, or Markdown
    #[arg(long, value_name = "FORM", default_value = "table")]
    pub(crate) output: isobox_cli::bench::Form,
}

/// Print a completion script for a shell
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// What goes to stdout.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Output {
    /// The command's own output, as it comes
    #[default]
    Table,
    /// One JSON object when the command has ended, with its output in it; errors are one JSON object on stderr
    Json,
    /// The sandbox's id, once it runs; the command's own output goes to stderr
    Id,
}

/// The end of the long help.
pub(crate) fn help() -> String {
    format!("{}\n\n{}", exit::HELP, environment::help())
}

/// How errors of a verb are told.
pub(crate) fn form(verb: &Verb) -> Output {
    let form = match verb {
        Verb::Run(args) => return args.output,
        Verb::Image(args) => return crate::image::form(args),
        Verb::Create(args) => args.form,
        Verb::Exec(args) => args.form,
        Verb::Ls(args) => args.form,
        Verb::Inspect(args) => args.form,
        Verb::Ps(args) => args.form,
        Verb::Kill(args) => args.form,
        Verb::Logs(args) => args.form,
        Verb::Stop(args) => args.which.form,
        Verb::Start(args) | Verb::Pause(args) | Verb::Resume(args) => args.form,
        Verb::Rm(args) => args.form,
        Verb::Fork(args) => args.form,
        Verb::Stats(args) => args.form,
        Verb::Events(args) => args.form,
        Verb::Cp(args) => return args.output.into(),
        Verb::Gc(args) => args.form,
        Verb::Limits(args) => args.form,
        Verb::Snapshot(args) => return args.output.into(),
        Verb::Volume(args) => return args.output.into(),
        Verb::Pool(args) => return args.output.into(),
        Verb::Port(args) => return args.output.into(),
        Verb::Shell(_)
        | Verb::Attach(_)
        | Verb::Top(_)
        | Verb::Doctor(_)
        | Verb::Conformance(_)
        | Verb::Bench(_)
        | Verb::Completions(_) => {
            return Output::Table;
        }
    };
    form.output.into()
}

/// Whether flags that could not be understood ask for JSON.
pub(crate) fn wants_json(arguments: &[OsString]) -> bool {
    let flags: Vec<_> = arguments.iter().take_while(|argument| *argument != "--").collect();
    let apart = flags.windows(2).any(|pair| pair[0] == "--output" && pair[1] == "json");
    apart || flags.iter().any(|flag| *flag == "--output=json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_flags_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_behind_the_program_are_its_own() {
        let parsed = Cli::try_parse_from(["isobox", "run", "-t", "ls", "-l", "--timeout", "x", "--", "-i"]).unwrap();
        let Verb::Run(run) = parsed.verb else { panic!("not run") };
        assert_eq!(run.command, ["ls", "-l", "--timeout", "x", "--", "-i"]);
        assert!(run.streams.tty && !run.streams.interactive && run.how.timeout.is_none());
        let parsed = Cli::try_parse_from(["isobox", "run", "--", "-x"]).unwrap();
        assert!(matches!(parsed.verb, Verb::Run(run) if run.command == ["-x"]));
    }

    #[test]
    fn json_is_only_asked_for_before_the_command() {
        let wants = |line: &str| wants_json(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(wants("isobox run --output json --nonsense"));
        assert!(wants("isobox run --output=json"));
        assert!(!wants("isobox run -- x --output json"));
        assert!(!wants("isobox run --output id json"));
    }
}
