//! The isobox command.
//!
//! Data goes to stdout, talk to stderr. The exit code is the command's own or one of [`exit`]'s table. Each verb has a file
//! for its flags, [`args`], and a module for what it does.

mod args;
mod benchmark;
mod command;
mod completions;
mod config;
mod conformance;
mod cp;
mod create;
mod doctor;
mod each;
mod environment;
mod events;
mod exec;
mod exit;
mod failure;
mod find;
mod gc;
mod human;
mod image;
mod life;
mod limits;
mod logs;
mod ls;
mod options;
mod output;
mod parse;
mod pool;
mod port;
mod progress;
mod ps;
#[cfg(test)]
mod reference;
mod run;
mod runtime;
mod snapshot;
mod source;
mod spec;
mod stats;
mod table;
mod tail;
mod top;
mod view;
mod volume;
mod whose;

use args::{Cli, Output, Verb};
use clap::Parser;
use config::Config;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return failure::usage(&error, args::wants_json(&arguments)),
    };
    let output = args::form(&cli.verb);
    let done = match &cli.verb {
        Verb::Run(args) => read(&cli).and_then(|config| run::main(args, &config)),
        Verb::Create(args) => read(&cli).and_then(|config| create::main(args, &config)),
        Verb::Exec(args) => exec::exec(args),
        Verb::Shell(args) => exec::shell(args),
        Verb::Attach(args) => exec::attach(args),
        Verb::Ls(args) => ls::ls(args),
        Verb::Inspect(args) => ls::inspect(args),
        Verb::Ps(args) => ps::ps(args),
        Verb::Kill(args) => ps::kill(args),
        Verb::Logs(args) => logs::main(args),
        Verb::Stop(args) => life::stop(args),
        Verb::Start(args) => life::start(args),
        Verb::Pause(args) => life::pause(args),
        Verb::Resume(args) => life::resume(args),
        Verb::Rm(args) => life::rm(args),
        Verb::Cp(args) => cp::main(args),
        Verb::Fork(args) => life::fork(args),
        Verb::Port(args) => port::main(args),
        Verb::Stats(args) => stats::main(args),
        Verb::Top(args) => top::main(args),
        Verb::Events(args) => events::main(args),
        Verb::Gc(args) => gc::main(args),
        Verb::Limits(args) => limits::main(args),
        Verb::Snapshot(args) => read(&cli).and_then(|config| snapshot::main(args, &config)),
        Verb::Volume(args) => read(&cli).and_then(|config| volume::main(args, &config)),
        Verb::Image(args) => read(&cli).and_then(|config| image::main(args, &config)),
        Verb::Pool(args) => read(&cli).and_then(|config| pool::main(args, &config)),
        Verb::Doctor(args) => doctor::main(args),
        Verb::Conformance(args) => conformance::main(args),
        Verb::Bench(args) => benchmark::main(args),
        Verb::Completions(args) => completions::main(args),
    };
    finish(done, output)
}

fn read(cli: &Cli) -> isobox::Result<Config> {
    Config::read(cli.config.as_deref())
}

fn finish(result: isobox::Result<u8>, output: Output) -> ExitCode {
    match result {
        Ok(code) => code.into(),
        Err(error) => {
            failure::tell(&error, output);
            exit::of_error(&error).into()
        }
    }
}
