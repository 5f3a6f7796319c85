//! `isobox snapshot`: the files of sandboxes, kept as they were at one moment.

use crate::args::{Form, SnapshotArgs, SnapshotVerb};
use crate::config::Config;
use crate::human::{ago, size};
use crate::output::{self, Show};
use crate::progress::Bar;
use crate::table::Table;
use crate::{exit, failure, find, runtime};
use isobox::{
    Error, ErrorCode, ExportOptions, ExportedImage, ExternalId, Isobox, LayerCompression, Resource, Result,
    SnapshotOptions, SnapshotStatus, Snapshots, Timestamp,
};
use serde::Serialize;

/// A snapshot, in the contract's own JSON.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct SnapshotView(SnapshotStatus);

impl Show for SnapshotView {
    fn text(&self) -> String {
        format!("{}\n", self.0.external)
    }
}

/// A listing.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct Listed(Vec<SnapshotView>);

impl Show for Listed {
    fn text(&self) -> String {
        let now = Timestamp::now();
        let mut table = Table::new(["ID", "NAME", "STATE", "SIZE", "CREATED", "LABELS"]);
        for SnapshotView(snapshot) in &self.0 {
            let labels: Vec<_> = snapshot.labels.iter().map(|(name, value)| format!("{name}={value}")).collect();
            table.row([
                snapshot.external.to_string(),
                snapshot.name.clone().unwrap_or_default(),
                snapshot.state.to_string(),
                snapshot.size.map(size).unwrap_or_default(),
                snapshot.created_at.map(|at| ago(at, now)).unwrap_or_default(),
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
    one(snapshots, word).await.map(|snapshot| snapshot.external)
}

async fn one(snapshots: &Snapshots, word: &str) -> Result<SnapshotStatus> {
    let meant =
        |snapshot: &SnapshotStatus| snapshot.external.as_str() == word || snapshot.name.as_deref() == Some(word);
    let found = snapshots.list().await?.into_iter().find(meant);
    found.ok_or_else(|| {
        let message = format!("there is no snapshot {}, isobox snapshot ls lists them", word.escape_debug());
        let detail = isobox::Detail::Resource { resource: Resource::Snapshot, id: word.to_owned() };
        Error::new(ErrorCode::NotFound, message).with_detail(detail)
    })
}

pub(crate) fn main(args: &SnapshotArgs, config: &Config) -> Result<u8> {
    runtime::with_isobox("snapshot", async |isobox| {
        let snapshots = isobox.snapshots().provider(config.provider(args.provider.as_deref()));
        run(&isobox, args, &snapshots).await
    })
}

async fn run(isobox: &Isobox, args: &SnapshotArgs, snapshots: &Snapshots) -> Result<u8> {
    match &args.verb {
        SnapshotVerb::Create { sandbox, name, labels } => {
            let sandbox = find::sandbox(isobox, sandbox).await?;
            let labels = labels.iter().cloned().collect();
            let options = SnapshotOptions { name: name.clone(), labels, ..SnapshotOptions::default() };
            output::show(&SnapshotView(sandbox.snapshot(options).await?), args.output)
        }
        SnapshotVerb::Ls { quiet } => {
            let all = snapshots.list().await?;
            if *quiet {
                return output::lines(all.iter().map(|snapshot| snapshot.external.as_str()));
            }
            output::show(&Listed(all.into_iter().map(SnapshotView).collect()), args.output)
        }
        SnapshotVerb::Inspect { snapshots: wanted } => {
            let mut all = Vec::new();
            for word in wanted {
                all.push(SnapshotView(one(snapshots, word).await?));
            }
            output::show(&Listed(all), args.output)
        }
        SnapshotVerb::Rm { snapshots: wanted } => remove(args, snapshots, wanted).await,
        SnapshotVerb::Export { snapshot, file, reference, gzip } => {
            let id = find(snapshots, snapshot).await?;
            let compression = if *gzip { LayerCompression::Gzip } else { LayerCompression::None };
            let options = ExportOptions { reference: reference.clone(), compression, ..ExportOptions::default() };
            let bar = Bar::new();
            let exported = snapshots.export_with(&id, file, options, bar.sink()).await;
            drop(bar);
            output::show(&Exported(exported?), args.output)
        }
    }
}

/// Removes what can be removed; what cannot is told, and the last failure is the command's.
async fn remove(args: &SnapshotArgs, snapshots: &Snapshots, wanted: &[String]) -> Result<u8> {
    let mut removed = Vec::new();
    let mut failed = None;
    for word in wanted {
        let done = async { snapshots.delete(&find(snapshots, word).await?).await };
        match done.await {
            Ok(()) => removed.push(word),
            Err(error) => {
                if let Some(earlier) = failed.replace(error) {
                    failure::tell(&earlier, args.output.into());
                }
            }
        }
    }
    let code = match args.output {
        Form::Table => output::lines(&removed)?,
        Form::Json => output::line(&removed).map(exit::of_reader)?,
    };
    failed.map_or(Ok(code), Err)
}
