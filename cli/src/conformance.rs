//! `isobox conformance`: what a provider does, looked at.

use crate::args::{ConformanceArgs, ConformanceOutput, FixtureArgs};
use crate::runtime;
use isobox::{Error, Result};
use isobox_conformance::{Check, Fixtures, Report, Repository, Suite, Target, is_elsewhere, serve};
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;

/// A check failed.
const FAILED: u8 = 1;
/// There is no such provider here: nothing was run.
const NOT_RUN: u8 = 3;

pub(crate) fn main(args: &ConformanceArgs) -> Result<u8> {
    if args.list {
        let checks = Suite::new(Target::built_in("any"));
        let checks = args.filter.iter().fold(checks, |suite, text| suite.only(text.as_str())).table();
        return write(&list(args, &checks)).map(|()| 0);
    }
    let provider = args.provider.as_deref().unwrap_or_default();
    if is_elsewhere() {
        let target = target(args, provider)?;
        return runtime::block_on(async {
            serve(&target).await;
            Ok(0)
        });
    }
    let suite = suite(args, provider)?;
    let report = runtime::block_on(async { Ok(suite.run().await) })?;
    write(&match args.output {
        ConformanceOutput::Table => report.table(),
        ConformanceOutput::Json => report.json() + "\n",
        ConformanceOutput::Junit => report.junit(),
    })?;
    Ok(code(&report))
}

fn code(report: &Report) -> u8 {
    match (&report.not_run, report.passed()) {
        (Some(_), _) => NOT_RUN,
        (None, true) => 0,
        (None, false) => FAILED,
    }
}

fn suite(args: &ConformanceArgs, provider: &str) -> Result<Suite> {
    let suite = Suite::new(target(args, provider)?).at_once(args.jobs.into()).heavy(args.heavy);
    Ok(args.filter.iter().fold(suite, |suite, text| suite.only(text.as_str())))
}

fn fixtures(args: &FixtureArgs) -> Result<Fixtures> {
    let read = |path: &PathBuf| std::fs::read_to_string(path).map_err(|error| Error::io(path.display(), error));
    let dockerfile = args.dockerfile.as_ref().map(read).transpose()?;
    let repository = match (&args.repository, &args.tag, &args.commit) {
        (Some(url), Some(tag), Some(commit)) => {
            Some(Repository { url: url.clone(), tag: tag.clone(), commit: commit.clone() })
        }
        _ => None,
    };
    Ok(Fixtures {
        image: args.image.clone(),
        remote_image: args.remote_image.clone(),
        archive: args.archive.clone(),
        entrypoint_image: args.entrypoint_image.clone(),
        dockerfile,
        one_shot_image: args.one_shot_image.clone(),
        repository,
        ..Fixtures::default()
    })
}

/// The provider; the part of a check that is killed is this program again, with the same flags.
fn target(args: &ConformanceArgs, provider: &str) -> Result<Target> {
    let target = Target::built_in(provider).fixtures(fixtures(&args.fixtures)?);
    let target = match args.isolation {
        Some(isolation) => target.template(move |builder| builder.least_isolation(isolation)).narrower(),
        None => target,
    };
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    Ok(target.elsewhere(move || {
        let program = std::env::current_exe().unwrap_or_else(|_| "isobox".into());
        let mut command = std::process::Command::new(program);
        command.args(&words);
        command
    }))
}

fn list(args: &ConformanceArgs, checks: &[Check]) -> String {
    if args.output == ConformanceOutput::Json {
        let rows: Vec<_> = checks
            .iter()
            .map(|check| {
                let shows: Vec<_> = check.shows.iter().map(|capability| capability.as_str()).collect();
                serde_json::json!({ "name": check.name, "about": check.about, "shows": shows })
            })
            .collect();
        return serde_json::Value::from(rows).to_string() + "\n";
    }
    let width = checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    checks.iter().fold(String::new(), |mut text, check| {
        let _ = writeln!(text, "{:width$}  {}", check.name, check.about);
        text
    })
}

fn write(text: &str) -> Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::io("stdout", error)),
        _ => Ok(()),
    }
}
