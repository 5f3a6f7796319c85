//! `isobox doctor`: what works here, and what to change where it does not.

use crate::args::{DoctorArgs, DoctorOutput};
use isobox::{Detail, Diagnosis, DiskLimit, Error, Finding, Isobox, ProviderDiagnosis, ProviderKind, Result, Severity};
use std::fmt::Write as _;
use std::io::Write as _;

/// Sandboxes of the provider do not work here.
const SICK: u8 = 1;

pub(crate) fn main(args: &DoctorArgs) -> Result<u8> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::io("the event loop", error))?;
    let diagnosis = runtime.block_on(Isobox::builder().doctor());
    let known = args.provider == isobox::AUTO || diagnosis.provider(&args.provider).is_some();
    if !known && !diagnosis.providers.is_empty() {
        let names: Vec<_> = diagnosis.providers.iter().map(|provider| provider.kind.as_str()).collect();
        let reason = format!("is no provider, use {} or one of {}", isobox::AUTO, names.join(", "));
        return Err(Error::invalid_spec("provider", reason));
    }
    let text = match args.output {
        DoctorOutput::Json => {
            let json = serde_json::to_string_pretty(&diagnosis);
            json.map_err(|_| Error::internal("the diagnosis cannot be written as JSON"))? + "\n"
        }
        DoctorOutput::Table => table(&diagnosis),
    };
    let written = std::io::stdout().lock().write_all(text.as_bytes());
    written.map_err(|error| Error::io("the output", error))?;
    Ok(if diagnosis.works(&args.provider) { 0 } else { SICK })
}

fn table(diagnosis: &Diagnosis) -> String {
    let facts = &diagnosis.facts;
    let caller = match (&facts.caller.name, facts.caller.uid) {
        (Some(name), uid) => format!("{name} ({uid})"),
        (None, uid) => uid.to_string(),
    };
    let mut text = format!(
        "isobox {} on linux {}, {}, as {caller}\n",
        diagnosis.version, facts.kernel.release, facts.kernel.architecture
    );
    let filesystem = facts.home.filesystem.as_deref().unwrap_or("an unknown filesystem");
    let _ = write!(text, "home: {}, on {filesystem}", facts.home.path.display());
    if let Some(free) = facts.home.free_bytes {
        let _ = write!(text, ", {} free", size(free));
    }
    text.push('\n');
    diagnosis.findings.iter().for_each(|finding| told(&mut text, "", finding));
    for provider in &diagnosis.providers {
        text.push('\n');
        told_provider(&mut text, provider, diagnosis.automatic.as_ref() == Some(&provider.kind));
        if provider.works && provider.kind == ProviderKind::NAMESPACE {
            told_disk(&mut text, &diagnosis.facts.disk);
        }
    }
    if diagnosis.automatic.is_none() {
        text.push_str("\nno provider that isolates works here\n");
    }
    text
}

fn told_provider(text: &mut String, provider: &ProviderDiagnosis, automatic: bool) {
    let state = match (provider.built_in, provider.works) {
        (false, _) => "not built in",
        (true, true) => "works",
        (true, false) => "does not work",
    };
    let _ = write!(text, "{}: {state}", provider.kind);
    if let (Some(isolation), true) = (provider.isolation, provider.works) {
        let _ = write!(text, ", isolation {isolation}");
        text.push_str(if automatic { ", what auto chooses" } else { "" });
    }
    text.push('\n');
    if provider.works {
        let list = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let _ = writeln!(text, "  can limit: {}", list(&provider.limits));
        let can = |name: &str| provider.capabilities.iter().any(|capability| capability == name);
        let users = if can("exec.user") { "several" } else { "one" };
        let _ = writeln!(text, "  users: {users}");
        let sources = provider.capabilities.iter().filter_map(|name| name.strip_prefix("source."));
        let _ = writeln!(text, "  sources: {}", list(&sources.map(str::to_owned).collect::<Vec<_>>()));
    }
    if let Some(failure) = &provider.failure {
        let hint = match &failure.detail {
            Detail::Launch { hint: Some(hint), .. } => hint.as_str(),
            _ => "",
        };
        let message = failure.message.strip_suffix(hint).unwrap_or(&failure.message).trim_end_matches("; ");
        let _ = writeln!(text, "  failed: {}", clean(message));
        if !hint.is_empty() {
            let _ = writeln!(text, "    because: {}", clean(hint));
        }
    }
    provider.findings.iter().for_each(|finding| told(text, "  ", finding));
}

/// How a limit of disk can be had, and why not otherwise.
fn told_disk(text: &mut String, limits: &[DiskLimit]) {
    let possible: Vec<_> =
        limits.iter().filter(|limit| limit.obstacle.is_none()).map(|limit| limit.backing.as_str()).collect();
    let _ =
        writeln!(text, "  disk by: {}", if possible.is_empty() { "nothing".to_owned() } else { possible.join(", ") });
    for DiskLimit { backing, obstacle } in limits {
        if let Some(obstacle) = obstacle {
            let _ = writeln!(text, "    not by {backing}: {}", clean(obstacle));
        }
    }
}

fn told(text: &mut String, indent: &str, finding: &Finding) {
    let severity = match finding.severity {
        Severity::Blocks => "blocks",
        Severity::Limits => "restricted",
        Severity::Note => "note",
    };
    let _ = writeln!(text, "{indent}{severity}: {}", clean(&finding.what));
    if let Some(fix) = &finding.fix {
        let _ = writeln!(text, "{indent}  fix: {}", clean(fix));
    }
}

fn size(bytes: u64) -> String {
    match bytes >> 30 {
        0 => format!("{} MiB", bytes >> 20),
        gigabytes => format!("{gigabytes} GiB"),
    }
}

fn clean(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}
