//! `isobox volume`: directories that outlive sandboxes.

use crate::args::{VolumeArgs, VolumeVerb};
use crate::config::Config;
use crate::each::each;
use crate::human::{ago, size};
use crate::output::{self, Show};
use crate::runtime;
use crate::table::Table;
use isobox::contract::{VolumeId, VolumeSpec, VolumeState};
use isobox::{Labels, ProviderKind, Result, SandboxId, Timestamp, VolumeDetails, VolumeEntry, Volumes};
use serde::Serialize;

/// A volume as a program reads it.
#[derive(Clone, Debug, Serialize)]
struct VolumeView {
    id: VolumeId,
    name: String,
    provider: ProviderKind,
    state: VolumeState,
    labels: Labels,
    /// The most that it may hold.
    size: Option<u64>,
    created_at: Timestamp,
    /// How many sandboxes have it.
    attached: u64,
}

impl VolumeView {
    fn of(entry: &VolumeEntry) -> Self {
        Self {
            id: entry.id,
            name: entry.name.clone(),
            provider: entry.provider.clone(),
            state: entry.state,
            labels: entry.labels.clone(),
            size: entry.size,
            created_at: entry.created_at,
            attached: entry.attached,
        }
    }
}

impl Show for VolumeView {
    fn text(&self) -> String {
        format!("{}\n", self.name)
    }
}

/// A listing.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct Listed(Vec<VolumeView>);

impl Listed {
    fn at(&self, now: Timestamp) -> String {
        let mut table = Table::new(["NAME", "ID", "PROVIDER", "STATE", "LIMIT", "USED BY", "CREATED"]);
        for volume in &self.0 {
            table.row([
                volume.name.clone(),
                volume.id.to_string(),
                volume.provider.to_string(),
                volume.state.to_string(),
                volume.size.map(size).unwrap_or_default(),
                volume.attached.to_string(),
                ago(volume.created_at, now),
            ]);
        }
        table.text()
    }
}

impl Show for Listed {
    fn text(&self) -> String {
        self.at(Timestamp::now())
    }
}

/// A volume, looked at closely.
#[derive(Debug, Serialize)]
struct Inspected {
    #[serde(flatten)]
    volume: VolumeView,
    used_by: Vec<SandboxId>,
    /// Bytes on the disk.
    usage: Option<u64>,
}

impl Inspected {
    fn of(details: &VolumeDetails) -> Self {
        Self { volume: VolumeView::of(&details.entry), used_by: details.used_by.clone(), usage: details.usage }
    }
}

/// Several, looked at closely.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct AllInspected(Vec<Inspected>);

impl Show for AllInspected {
    fn text(&self) -> String {
        let mut table = Table::new(["NAME", "STATE", "SIZE", "LIMIT", "USED BY"]);
        for Inspected { volume, used_by, usage } in &self.0 {
            let users: Vec<_> = used_by.iter().map(ToString::to_string).collect();
            table.row([
                volume.name.clone(),
                volume.state.to_string(),
                usage.map(size).unwrap_or_default(),
                volume.size.map(size).unwrap_or_default(),
                users.join(", "),
            ]);
        }
        table.text()
    }
}

/// What was removed because nobody had it.
#[derive(Debug, Serialize)]
struct Pruned {
    names: Vec<String>,
    freed: u64,
}

impl Show for Pruned {
    fn text(&self) -> String {
        let names = self.names.iter().fold(String::new(), |text, name| text + name + "\n");
        format!("{names}freed {}\n", size(self.freed))
    }
}

pub(crate) fn main(args: &VolumeArgs, config: &Config) -> Result<u8> {
    runtime::with_isobox("volume", async |isobox| {
        let volumes = isobox.volumes().provider(config.provider(args.provider.as_deref()));
        run(args, &volumes).await
    })
}

async fn run(args: &VolumeArgs, volumes: &Volumes) -> Result<u8> {
    match &args.verb {
        VolumeVerb::Create { name, size, labels, get } => {
            let spec = VolumeSpec { size: *size, labels: labels.iter().cloned().collect(), ..VolumeSpec::named(name) };
            let made = if *get { volumes.get_or_create_with(spec).await? } else { volumes.create_with(spec).await? };
            output::show(&VolumeView::of(&made), args.output)
        }
        VolumeVerb::Ls { quiet } => {
            let all = volumes.list().await?;
            if *quiet {
                return output::lines(all.iter().map(|entry| entry.name.as_str()));
            }
            output::show(&Listed(all.iter().map(VolumeView::of).collect()), args.output)
        }
        VolumeVerb::Inspect { volumes: wanted } => {
            let mut all = Vec::new();
            for volume in wanted {
                all.push(Inspected::of(&volumes.inspect(volume).await?));
            }
            output::show(&AllInspected(all), args.output)
        }
        VolumeVerb::Rm { volumes: wanted } => {
            let remove = async |word: &String| {
                volumes.delete(word).await?;
                Ok(word.clone())
            };
            each(wanted, args.output, remove).await
        }
        VolumeVerb::Prune => {
            let pruned = volumes.prune().await?;
            output::show(&Pruned { names: pruned.names, freed: pruned.freed }, args.output)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_has_a_line_for_each() {
        let volume = VolumeView {
            id: VolumeId::from_uuid("01890000-0000-7000-8000-000000000001".parse().unwrap()),
            name: "cache".to_owned(),
            provider: ProviderKind::NAMESPACE,
            state: VolumeState::Ready,
            labels: Labels::new(),
            size: None,
            created_at: Timestamp::from_unix(0, 0),
            attached: 2,
        };
        let expected = format!(
            "NAME   ID                              PROVIDER   STATE  LIMIT  USED BY  CREATED\n\
             cache  {}  namespace  ready  -      2        60s ago\n",
            volume.id
        );
        assert_eq!(Listed(vec![volume]).at(Timestamp::from_unix(60, 0)), expected);
    }
}
