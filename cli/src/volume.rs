//! `isobox volume`: directories that outlive sandboxes.

use crate::args::{VolumeArgs, VolumeVerb};
use crate::config::Config;
use crate::each::{all_of, each};
use crate::human::{ago, size};
use crate::output::{self, Show};
use crate::runtime;
use crate::table::Table;
use crate::whose::Whose;
use isobox::contract::{VolumeId, VolumeSpec, VolumeState};
use isobox::{
    Error, ErrorCode, Isobox, Labels, ProviderKind, Resource, Result, SandboxId, Timestamp, VolumeDetails, VolumeEntry,
};
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
        let whose = Whose::volumes(&isobox, config.named_provider(args.provider.as_deref())).await?;
        run(&isobox, args, &whose).await
    })
}

async fn run(isobox: &Isobox, args: &VolumeArgs, whose: &Whose<'_>) -> Result<u8> {
    let volumes_of = |provider: &str| isobox.volumes().provider(provider);
    match &args.verb {
        VolumeVerb::Create { name, size, labels, get } => {
            let spec = VolumeSpec { size: *size, labels: labels.iter().cloned().collect(), ..VolumeSpec::named(name) };
            let volumes = volumes_of(whose.new_one());
            let made = if *get { volumes.get_or_create_with(spec).await? } else { volumes.create_with(spec).await? };
            output::show(&VolumeView::of(&made), args.output)
        }
        VolumeVerb::Ls { quiet } => {
            let lists =
                all_of(whose.all(isobox).await, args.output, async |provider| volumes_of(provider).list().await);
            let (all, failed) = lists.await;
            let all: Vec<_> = all.into_iter().flatten().collect();
            let code = match quiet {
                true => output::lines(all.iter().map(|entry| entry.name.as_str()))?,
                false => output::show(&Listed(all.iter().map(VolumeView::of).collect()), args.output)?,
            };
            failed.map_or(Ok(code), Err)
        }
        VolumeVerb::Inspect { volumes: wanted } => {
            let mut all = Vec::new();
            for volume in wanted {
                let found = volumes_of(whose.of(volume)?).inspect(volume).await;
                all.push(Inspected::of(&found.map_err(|error| missing(error, volume))?));
            }
            output::show(&AllInspected(all), args.output)
        }
        VolumeVerb::Rm { volumes: wanted } => {
            let remove = async |word: &String| {
                let volumes = volumes_of(whose.of(word)?);
                let found = volumes.get(word).await.map_err(|error| missing(error, word))?;
                volumes.delete(found.id.as_str()).await?;
                Ok(word.clone())
            };
            each(wanted, args.output, remove).await
        }
        VolumeVerb::Prune => {
            let done =
                all_of(whose.all(isobox).await, args.output, async |provider| volumes_of(provider).prune().await);
            let (all, failed) = done.await;
            let freed = all.iter().map(|pruned| pruned.freed).sum();
            let names = all.into_iter().flat_map(|pruned| pruned.names).collect();
            let code = output::show(&Pruned { names, freed }, args.output)?;
            failed.map_or(Ok(code), Err)
        }
    }
}

/// The way out for one that is not there.
fn missing(error: Error, word: &str) -> Error {
    if error.code() != ErrorCode::NotFound {
        return error;
    }
    let message = format!("there is no volume {}, isobox volume ls lists them", word.escape_debug());
    let detail = isobox::Detail::Resource { resource: Resource::Volume, id: word.to_owned() };
    Error::new(ErrorCode::NotFound, message).with_detail(detail)
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
