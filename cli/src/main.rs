//! The isobox command.
//!
//! Data goes to stdout, talk to stderr. The exit code is the command's own or one of [`exit`]'s table. Each verb has a file
//! for its flags, [`args`], and a module for what it does.

mod args;
mod benchmark;
mod completions;
mod doctor;
mod environment;
mod exit;
mod failure;
mod image;
mod parse;
mod progress;
mod run;

use args::{Cli, Output, Verb};
use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return failure::usage(&error, args::wants_json(&arguments)),
    };
    match cli.verb {
        Verb::Run(run) => {
            let output = run.output;
            finish(run::main(*run), output)
        }
        Verb::Image(image) => finish(image::main(&image), image::form(&image)),
        Verb::Doctor(doctor) => finish(doctor::main(&doctor), Output::Table),
        Verb::Bench(bench) => finish(benchmark::main(bench), Output::Table),
        Verb::Completions(completions) => finish(completions::main(&completions), Output::Table),
    }
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
