//! `isobox snapshot`: the files of sandboxes, kept as they were at one moment.

use crate::args::{SnapshotArgs, SnapshotVerb};
use crate::config::Config;
use crate::each::{all_of, each};
use crate::human::{ago, size};
use crate::output::{self, Show};
use crate::progress::Bar;
use crate::table::Table;
use crate::whose::Whose;
use crate::{find, runtime};
use isobox::{
    Error, ErrorCode, ExportOptions, ExportedImage, ExternalId, ImportOptions, Isobox, Labels, LayerCompression,
    ProviderKind, Report, Resource, Result, SandboxId, SnapshotEntry, SnapshotId, SnapshotOptions, SnapshotState,
    Snapshots, Timestamp,
};
use serde::Serialize;

/// A snapshot as a program reads it.
#[derive(Debug, Serialize)]
struct SnapshotView {
    id: SnapshotId,
    name: Option<String>,
    provider: ProviderKind,
    /// What the provider knows it by, once it is made.
    external: Option<ExternalId>,
    /// The sandbox that it was taken of.
    sandbox: Option<SandboxId>,
    state: SnapshotState,
    labels: Labels,
    size: Option<u64>,
    created_at: Timestamp,
    error: Option<Report>,
}

impl SnapshotView {
    fn of(entry: SnapshotEntry) -> Self {
        let SnapshotEntry { id, name, provider, external, sandbox, state, labels, size, created_at, error, .. } = entry;
        Self { id, name, provider, external, sandbox, state, labels, size, created_at, error }
    }
}

impl Show for SnapshotView {
    fn text(&self) -> String {
        format!("{}\n", self.id)
    }
}

/// A listing.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct Listed(Vec<SnapshotView>);

impl Show for Listed {
    fn text(&self) -> String {
        let now = Timestamp::now();
        let mut table = Table::new(["ID", "NAME", "PROVIDER", "STATE", "SIZE", "CREATED", "LABELS"]);
        for snapshot in &self.0 {
            let labels: Vec<_> = snapshot.labels.iter().map(|(name, value)| format!("{name}={value}")).collect();
            table.row([
                snapshot.id.to_string(),
                snapshot.name.clone().unwrap_or_default(),
                snapshot.provider.to_string(),
                snapshot.state.to_string(),
                snapshot.size.map(size).unwrap_or_default(),
                ago(snapshot.created_at, now),
                labels.join(", "),
            ]);
        }
        table.text()
    }
}

/// An image that was written.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct Exported(ExportedImage);

impl Show for Exported {
    fn text(&self) -> String {
        format!("{}\n", self.0.reference.as_ref().unwrap_or(&self.0.id))
    }
}

/// The provider's id of the snapshot that is meant.
pub(crate) async fn find(snapshots: &Snapshots, word: &str) -> Result<ExternalId> {
    let found = one(snapshots, word).await?;
    let building = || Error::new(ErrorCode::InvalidState, format!("snapshot {} is being made", word.escape_debug()));
    found.external.ok_or_else(building)
}

/// One of those that a provider has, by a word.
async fn one(snapshots: &Snapshots, word: &str) -> Result<SnapshotEntry> {
    snapshots.get(word).await.map_err(|error| match error.code() {
        ErrorCode::NotFound => {
            let message = format!("there is no snapshot {}, isobox snapshot ls lists them", word.escape_debug());
            let detail = isobox::Detail::Resource { resource: Resource::Snapshot, id: word.to_owned() };
            Error::new(ErrorCode::NotFound, message).with_detail(detail)
        }
        _ => error,
    })
}

pub(crate) fn main(args: &SnapshotArgs, config: &Config) -> Result<u8> {
    runtime::with_isobox("snapshot", async |isobox| {
        let whose = Whose::snapshots(&isobox, config.named_provider(args.provider.as_deref())).await?;
        run(&isobox, args, &whose).await
    })
}

async fn run(isobox: &Isobox, args: &SnapshotArgs, whose: &Whose<'_>) -> Result<u8> {
    let snapshots_of = |provider: &str| isobox.snapshots().provider(provider);
    match &args.verb {
        SnapshotVerb::Create { sandbox, name, labels } => {
            let sandbox = find::sandbox(isobox, sandbox).await?;
            let labels = labels.iter().cloned().collect();
            let options = SnapshotOptions { name: name.clone(), labels, ..SnapshotOptions::default() };
            let taken = sandbox.snapshot(options).await?;
            // Of whichever provider the sandbox is.
            let snapshots = snapshots_of(sandbox.provider().as_str());
            output::show(&SnapshotView::of(snapshots.get(&taken.external).await?), args.output)
        }
        SnapshotVerb::Ls { quiet } => {
            let lists =
                all_of(whose.all(isobox).await, args.output, async |provider| snapshots_of(provider).list().await);
            let (all, failed) = lists.await;
            let all: Vec<_> = all.into_iter().flatten().collect();
            let code = match quiet {
                true => output::lines(all.iter().map(|snapshot| snapshot.id.as_str()))?,
                false => output::show(&Listed(all.into_iter().map(SnapshotView::of).collect()), args.output)?,
            };
            failed.map_or(Ok(code), Err)
        }
        SnapshotVerb::Inspect { snapshots: wanted } => {
            let mut all = Vec::new();
            for word in wanted {
                all.push(SnapshotView::of(one(&snapshots_of(whose.of(word)?), word).await?));
            }
            output::show(&Listed(all), args.output)
        }
        SnapshotVerb::Rm { snapshots: wanted } => {
            let remove = async |word: &String| {
                let snapshots = snapshots_of(whose.of(word)?);
                snapshots.delete(one(&snapshots, word).await?.id).await?;
                Ok(word.clone())
            };
            each(wanted, args.output, remove).await
        }
        SnapshotVerb::Export { snapshot, file, reference, gzip } => {
            let snapshots = snapshots_of(whose.of(snapshot)?);
            let id = find(&snapshots, snapshot).await?;
            let compression = if *gzip { LayerCompression::Gzip } else { LayerCompression::None };
            let options = ExportOptions { reference: reference.clone(), compression, ..ExportOptions::default() };
            let bar = Bar::new();
            let exported = snapshots.export_with(&id, file, options, bar.sink()).await;
            drop(bar);
            output::show(&Exported(exported?), args.output)
        }
        SnapshotVerb::Import { file, name, labels, image } => {
            let labels = labels.iter().cloned().collect();
            let options = ImportOptions { name: name.clone(), labels, image: image.clone() };
            let bar = Bar::new();
            let imported = snapshots_of(whose.new_one()).import_with(file, options, bar.sink()).await;
            drop(bar);
            output::show(&SnapshotView::of(imported?), args.output)
        }
    }
}
