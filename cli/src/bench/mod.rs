//! Measures what isobox costs, beside what else could be used in its place, in the same run.
//!
//! ```text
//! rig: home, root filesystem, who is here ──> measures, round by round ──> rows ──> report: table, JSON or Markdown
//! ```
//!
//! In every round each contender has its turn, so that noise of the machine hits all of them alike. What is not here, or
//! failed, is a row that says so.

mod args;
mod contender;
mod copies;
mod create;
mod deadline;
mod docker_files;
mod docker_py;
mod engine_api;
mod engine_files;
mod exec;
mod facts;
mod files;
mod image;
mod markdown;
mod memory;
mod pool;
mod pool_shared;
mod process;
mod report;
mod rig;
mod row;
mod same;
mod stdout;

pub use args::BenchArgs;
pub use report::{Form, Report};

use rig::Rig;
use std::path::PathBuf;

/// The measures by name.
pub const MEASURES: [&str; 10] =
    ["create", "delete", "pool", "exec", "stdout", "files", "memory", "image", "snapshot", "fork"];

/// What to measure, and how much of it.
#[derive(Debug, Clone)]
pub struct Options {
    /// The measures, by the names of [`MEASURES`]; all when empty.
    pub only: Vec<String>,
    /// Rounds of the short measures; those that move much data have a tenth of them, at least three.
    pub rounds: u32,
    /// The report's form.
    pub form: Form,
    /// The providers to measure, beside everything else; all when empty.
    pub provider: Vec<String>,
    /// Idle sandboxes that are held at once.
    pub sandboxes: usize,
    /// Bytes of one large output or file.
    pub bytes: u64,
    /// Bytes that a sandbox has written before it is copied.
    pub written: u64,
    /// Small files of one tree.
    pub files: usize,
    /// The isobox command, for what takes two processes.
    pub command: Option<PathBuf>,
    /// Told what is going on.
    pub progress: fn(&str),
}

impl Default for Options {
    fn default() -> Self {
        let (only, provider) = (Vec::new(), Vec::new());
        Self {
            only,
            rounds: 50,
            form: Form::Table,
            provider,
            sandboxes: 200,
            bytes: 1 << 30,
            written: 100 << 20,
            files: 10_000,
            command: None,
            progress: |_| {},
        }
    }
}

impl Options {
    fn wants(&self, measure: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| wanted == measure)
    }

    /// Rounds of a measure that moves much data.
    fn long_rounds(&self) -> u32 {
        (self.rounds / 10).clamp(3, self.rounds.max(3))
    }
}

/// Measures.
///
/// # Errors
/// In words, when nothing can be measured at all: an unknown name, or no place for temporary files.
pub async fn run(options: Options) -> Result<Report, String> {
    if let Some(unknown) = options.only.iter().find(|name| !MEASURES.contains(&name.as_str())) {
        return Err(format!("there is no measure {unknown}, choose from {}", MEASURES.join(", ")));
    }
    (options.progress)("looking for what can be measured here");
    let rig = Rig::new(&options).await?;
    let facts = facts::facts(&rig).await;
    let mut rows = Vec::new();
    let measure = |name: &str| {
        let wanted = options.wants(name);
        if wanted {
            (options.progress)(name);
        }
        wanted
    };
    if measure("create") || measure("delete") {
        rows.extend(create::measure(&rig, &options).await.into_iter().filter(|row| options.wants(row.group())));
    }
    if measure("pool") {
        rows.extend(pool::measure(&rig, &options).await);
        rows.extend(pool_shared::measure(&rig, &options).await);
    }
    if measure("exec") {
        rows.extend(exec::measure(&rig, &options).await);
    }
    if measure("stdout") {
        rows.extend(stdout::measure(&rig, &options).await);
    }
    if measure("files") {
        rows.extend(files::measure(&rig, &options).await);
    }
    if measure("memory") {
        rows.extend(memory::measure(&rig, &options).await);
    }
    if measure("image") {
        rows.extend(image::measure(&rig, &options).await);
    }
    let copies: Vec<_> = copies::Copy::ALL.into_iter().filter(|copy| measure(copy.group())).collect();
    if !copies.is_empty() {
        rows.extend(copies::measure(&rig, &options, &copies).await);
    }
    rig.close().await;
    Ok(Report::new(facts, rows, options.form))
}
