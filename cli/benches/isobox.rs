//! `cargo bench`: the same measurements as `isobox bench`, with its options behind `--`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program's output and its talk")]

use clap::Parser;
use isobox_cli::bench::{BenchArgs, Form, run};
use std::process::ExitCode;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    measure: BenchArgs,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let line = Line::parse();
    let mut options =
        line.measure.options(if line.json { Form::Json } else { Form::Table }, |what| eprintln!("{what}"));
    options.command = Some(env!("CARGO_BIN_EXE_isobox").into());
    match run(options).await {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}
