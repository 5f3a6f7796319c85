//! The project's task runner: `cargo xtask TASK`. Needs nothing but cargo.
//!
//! A task is a row of commands. It goes on after one that fails, so that one run shows everything, and ends with the
//! commands to repeat what failed.
#![allow(clippy::print_stderr, reason = "a task talks on standard error, beside the tools that it runs")]

mod bench;
mod check;
mod conformance;
mod docker;
mod fuzz;
mod generate;
mod node;
mod ordinary;
mod python;
mod setup;
mod steps;
mod swift;
mod test;
mod vm;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK

  setup [--build]      install what building and testing need; with --build, what building needs
  test [PACKAGE...]    run every test; as root, the ones that concern ordinary users also as one
  check [PACKAGE...]   formatting, lints, documentation, types
  gen [--check]        write what the bindings are made of from their description; with --check, say what is stale
  fuzz [--seconds N | --keep] [TARGET...]
                       look for inputs that crash a decoder, each target for N seconds (600); with --keep, put what was
                       found into fuzz/corpus
  conformance          run the conformance suite on every provider, and write its reference page
  docker [--engine 20.10|26|podman] [--runsc] -- COMMAND [ARGUMENT...]
                       run a command that has a Docker engine of its own with the test images, and gVisor as a runtime
  vm [--kernel VERSION] [--minutes N] [--package NAME]... [-- FILTER]
                       run the tests that depend on the kernel in a virtual machine with Debian's
  vm [--kernel VERSION] --without FEATURE|each
                       show what the command says on a machine that lacks something
  bench [ARGUMENT...]  run the benchmarks; arguments are for `isobox bench`";

/// How a task ended; what to tell the user when it failed.
pub(crate) type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.split_first() {
        Some((task, rest)) => run(task, rest),
        None => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: &str, arguments: &[String]) -> Outcome {
    match (task, arguments) {
        ("setup", []) => setup::run(setup::Extent::Everything),
        ("setup", [option]) if option == "--build" => setup::run(setup::Extent::Build),
        ("test", packages) if are_names(packages) => test::run(packages),
        ("check", packages) if are_names(packages) => check::run(packages),
        ("gen", []) => generate::run(false),
        ("gen", [option]) if option == "--check" => generate::run(true),
        ("fuzz", arguments) => fuzz::run(arguments),
        ("conformance", []) => conformance::run(),
        ("docker", arguments) => docker::run(arguments),
        ("vm", arguments) => vm::run(arguments),
        ("bench", arguments) => bench::run(arguments),
        _ => Err(USAGE.to_owned()),
    }
}

fn are_names(packages: &[String]) -> bool {
    packages.iter().all(|package| !package.starts_with('-'))
}
