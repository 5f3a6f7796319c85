//! `isobox gc`: what dead processes have left, and what there is on the disk.

use crate::args::GcArgs;
use crate::human::size;
use crate::output::{self, Show};
use crate::table::Table;
use crate::{exit, failure, runtime};
use isobox::{DiskUsage, Garbage, Isobox, Reconciled, Result};
use serde::Serialize;

/// What was found, and what there is.
#[derive(Debug, Serialize)]
struct Collected {
    /// Nothing was changed.
    dry_run: bool,
    #[serde(flatten)]
    done: Reconciled,
    /// Absent unless it was asked for.
    disk: Option<DiskUsage>,
}

pub(crate) fn main(args: &GcArgs) -> Result<u8> {
    // What is removed by the way would not be told here.
    runtime::with_opened(Isobox::builder().no_clean_up(), "gc", async |isobox| {
        let collection = isobox.collect_garbage();
        let done = if args.dry_run { collection.dry_run().await? } else { collection.await? };
        let disk = if args.disk { Some(isobox.disk_usage().await?) } else { None };
        let failed = done.failed.clone();
        let code = output::show(&Collected { dry_run: args.dry_run, done, disk }, args.form.output)?;
        failed.iter().for_each(|failed| failure::note(&format!("could not be cleaned up: {failed}")));
        Ok(if failed.is_empty() { code } else { exit::FAILED })
    })
}

impl Show for Collected {
    fn text(&self) -> String {
        let mut text = garbage(&self.done.found);
        if self.done.found.is_empty() {
            text = "there is nothing to clean up\n".to_owned();
        } else if self.dry_run {
            text.push_str("nothing was changed\n");
        }
        if let Some(disk) = &self.disk {
            text.push('\n');
            text.push_str(&usage(disk));
        }
        text
    }
}

fn garbage(found: &[Garbage]) -> String {
    let mut table = Table::new(["KIND", "ID", "NAME", "PROVIDER", "BECAUSE"]);
    for garbage in found {
        table.row([
            garbage.kind.as_str().to_owned(),
            garbage.id.clone(),
            garbage.name.clone().unwrap_or_default(),
            garbage.provider.as_ref().map(ToString::to_string).unwrap_or_default(),
            garbage.reason.clone(),
        ]);
    }
    table.text()
}

fn usage(disk: &DiskUsage) -> String {
    let mut table = Table::new(["KIND", "COUNT", "SIZE", "RECLAIMABLE"]);
    for usage in &disk.kinds {
        let unreadable = if usage.unreadable > 0 { " and what cannot be looked into" } else { "" };
        table.row([
            usage.kind.as_str().to_owned(),
            usage.count.to_string(),
            size(usage.bytes) + unreadable,
            size(usage.reclaimable),
        ]);
    }
    table.row(["all".to_owned(), String::new(), size(disk.bytes()), size(disk.reclaimable())]);
    table.text()
}
