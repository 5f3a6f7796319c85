//! Sandboxes: a row of a listing, and all that is known of one.

use crate::human::{ago, clean, moment, size, until};
use crate::output::Show;
use crate::table::Table;
use isobox::contract::{OwnerId, Report};
use isobox::{
    Labels, Lifetime, PostMortem, ProviderKind, SandboxEntry, SandboxId, SandboxImage, SandboxSpec, Source, State,
    Timestamp,
};
use serde::Serialize;
use std::fmt::Write as _;

/// A sandbox as a program reads it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SandboxView {
    id: SandboxId,
    name: Option<String>,
    provider: ProviderKind,
    state: State,
    state_since: Timestamp,
    /// In a few words; the whole is in what `inspect` prints.
    source: String,
    /// The image that it was made from, by a reference that stands for exactly this one, also when its name is another's by now.
    image: Option<String>,
    labels: Labels,
    detached: bool,
    owner: Option<OwnerId>,
    /// The pool that keeps it ready, until it is taken.
    pool: Option<String>,
    created_at: Timestamp,
    /// Absent when it never ends by its age.
    expires_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    error: Option<Report>,
}

impl SandboxView {
    pub(crate) fn of(entry: &SandboxEntry) -> Self {
        Self {
            id: entry.id,
            name: entry.name.clone(),
            provider: entry.provider.clone(),
            state: entry.state,
            state_since: entry.state_since,
            source: source(&entry.spec.source),
            image: entry.image.as_ref().map(SandboxImage::pinned),
            labels: entry.labels.clone(),
            detached: entry.detached,
            owner: entry.owner,
            pool: entry.pool.clone(),
            created_at: entry.created_at,
            expires_at: entry.expires_at,
            ended_at: entry.ended_at,
            error: entry.error.clone(),
        }
    }

    pub(crate) fn id(&self) -> &SandboxId {
        &self.id
    }

    fn ends(&self, now: Timestamp) -> String {
        match (self.ended_at, self.expires_at) {
            (Some(_), _) => String::new(),
            (None, Some(at)) => until(at, now),
            (None, None) if self.detached => "never".to_owned(),
            (None, None) => "with its process".to_owned(),
        }
    }
}

impl Show for SandboxView {
    fn text(&self) -> String {
        format!("{}\n", self.id)
    }
}

/// What a sandbox is made from, in a few words.
fn source(source: &Source) -> String {
    match source {
        Source::Image(image) => image.reference.clone(),
        Source::Archive { path, reference } => match reference {
            Some(reference) => format!("{} ({reference})", path.display()),
            None => path.display().to_string(),
        },
        Source::Rootfs { path } => path.display().to_string(),
        Source::HostDirectory { path: Some(path), .. } => format!("workspace {}", path.display()),
        Source::Snapshot { snapshot } => format!("snapshot {snapshot}"),
        Source::Dockerfile { .. } => "a Dockerfile".to_owned(),
        _ => "host".to_owned(),
    }
}

/// A listing.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Sandboxes(pub(crate) Vec<SandboxView>);

impl Sandboxes {
    fn at(&self, now: Timestamp) -> String {
        let mut table = Table::new(["ID", "NAME", "STATE", "PROVIDER", "SOURCE", "CREATED", "ENDS"]);
        for sandbox in &self.0 {
            table.row([
                sandbox.id.to_string(),
                sandbox.name.clone().unwrap_or_default(),
                sandbox.state.to_string(),
                sandbox.provider.to_string(),
                sandbox.source.clone(),
                ago(sandbox.created_at, now),
                sandbox.ends(now),
            ]);
        }
        table.text()
    }
}

impl Show for Sandboxes {
    fn text(&self) -> String {
        self.at(Timestamp::now())
    }
}

/// All that is known of a sandbox.
#[derive(Debug, Serialize)]
pub(crate) struct Inspected {
    #[serde(flatten)]
    sandbox: SandboxView,
    /// What was asked for, without the values of secrets.
    spec: SandboxSpec,
    /// How it died, if it died unasked.
    post_mortem: Option<PostMortem>,
}

impl Inspected {
    pub(crate) fn of(entry: &SandboxEntry, post_mortem: Option<PostMortem>) -> Self {
        Self { sandbox: SandboxView::of(entry), spec: entry.spec.redacted(), post_mortem }
    }

    fn at(&self, now: Timestamp) -> String {
        let (sandbox, spec) = (&self.sandbox, &self.spec);
        let mut text = String::new();
        let mut say = |name: &str, value: String| {
            if !value.is_empty() {
                let _ = writeln!(text, "{name:12}{}", clean(&value));
            }
        };
        let pairs = |labels: &Labels| labels.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
        say("id", sandbox.id.to_string());
        say("name", sandbox.name.clone().unwrap_or_default());
        say("state", format!("{} since {}", sandbox.state, ago(sandbox.state_since, now).replace(" ago", "")));
        say("provider", sandbox.provider.to_string());
        say("source", sandbox.source.clone());
        say("image", sandbox.image.clone().unwrap_or_default());
        say("created", format!("{}, {}", moment(sandbox.created_at), ago(sandbox.created_at, now)));
        say("ends", sandbox.ends(now));
        say("ended", sandbox.ended_at.map(|at| format!("{}, {}", moment(at), ago(at, now))).unwrap_or_default());
        say("owner", owner(sandbox));
        say("pool", sandbox.pool.clone().map(|pool| format!("{pool}, ready to be taken")).unwrap_or_default());
        say("idle", spec.lifetimes.idle_timeout.map(lifetime).unwrap_or_default());
        say("labels", pairs(&sandbox.labels).join(", "));
        say("limits", limits(spec));
        say("env", pairs(&spec.env).join(", "));
        say("error", sandbox.error.as_ref().map(|error| error.message.clone()).unwrap_or_default());
        if let Some(post_mortem) = &self.post_mortem {
            died(post_mortem, now, &mut say);
        }
        text
    }
}

fn owner(sandbox: &SandboxView) -> String {
    match sandbox.owner {
        _ if sandbox.detached => "nobody, it outlives the process that made it".to_owned(),
        Some(owner) => format!("the process {owner}"),
        None => String::new(),
    }
}

fn lifetime(lifetime: Lifetime) -> String {
    match lifetime {
        Lifetime::Never => "never too long".to_owned(),
        Lifetime::After(length) => format!("at most {}", crate::human::length(length)),
    }
}

fn limits(spec: &SandboxSpec) -> String {
    let resources = &spec.resources;
    let limits = [
        resources.cpus.map(|cpus| format!("{cpus} processors")),
        resources.memory.map(|bytes| format!("memory {}", size(bytes))),
        resources.disk.map(|bytes| format!("disk {}", size(bytes))),
        resources.pids.map(|pids| format!("{pids} processes")),
    ];
    limits.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn died(post_mortem: &PostMortem, now: Timestamp, say: &mut impl FnMut(&str, String)) {
    say("died", format!("{}: {}, {}", post_mortem.cause, post_mortem.summary(), ago(post_mortem.at, now)));
    say("because", post_mortem.reason.clone().unwrap_or_default());
    let end = (post_mortem.signal, post_mortem.exit_code);
    say(
        "exit",
        match end {
            (Some(signal), _) => format!("signal {signal}"),
            (None, Some(code)) => code.to_string(),
            _ => String::new(),
        },
    );
    let memory = (post_mortem.memory_limit, post_mortem.peak_memory);
    say(
        "memory",
        match memory {
            (Some(limit), Some(peak)) => format!("at most {} of {}", size(peak), size(limit)),
            (None, Some(peak)) => format!("at most {}", size(peak)),
            _ => String::new(),
        },
    );
    let running: Vec<_> = post_mortem.running.iter().map(ToString::to_string).collect();
    say("running", running.join(", "));
    for denial in &post_mortem.denials {
        let host = denial.host.clone().or(denial.address.map(|address| address.to_string())).unwrap_or_default();
        let port = denial.port.map(|port| format!(":{port}")).unwrap_or_default();
        say("denied", format!("{} {host}{port}, {}", denial.protocol, denial.reason));
    }
    for line in String::from_utf8_lossy(&post_mortem.last_output).lines() {
        say("last words", line.to_owned());
    }
}

impl Show for Inspected {
    fn text(&self) -> String {
        self.at(Timestamp::now())
    }
}

#[cfg(test)]
#[path = "sandbox_tests.rs"]
mod tests;
