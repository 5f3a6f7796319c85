//! `isobox image`: what is there, how it comes and how it goes.

use crate::args::{ImageArgs, ImageOutput, ImageVerb, Output};
use crate::config::Config;
use crate::human::{ago, many, size};
use crate::progress::Bar;
use crate::table::Table;
use crate::{failure, runtime};
use isobox::{Error, ImageEntry, ImageInfo, ImageSource, Images, Isobox, PullPolicy, Result, Timestamp};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};

/// How errors are told.
pub(crate) fn form(args: &ImageArgs) -> Output {
    match args.output {
        ImageOutput::Json => Output::Json,
        ImageOutput::Table => Output::Table,
    }
}

pub(crate) fn main(args: &ImageArgs, config: &Config) -> Result<u8> {
    runtime::with_isobox("image", async |isobox| run(&isobox, args, config).await.map(|()| 0))
}

async fn run(isobox: &Isobox, args: &ImageArgs, config: &Config) -> Result<()> {
    let images = isobox.images().provider(config.provider(args.provider.as_deref()));
    match &args.verb {
        ImageVerb::Ls => {
            let all: Vec<_> = images.records().await?.into_iter().map(Row::of).collect();
            say(args, &all, || table(&all, Timestamp::now()))
        }
        ImageVerb::Inspect { image } => json(&images.inspect(image).await?),
        ImageVerb::Pull { image, platform } => {
            let source = ImageSource {
                reference: image.clone(),
                platform: platform.clone(),
                pull: PullPolicy::Always,
                auth: None,
            };
            let bar = Bar::new();
            let pulled = images.pull_with(source, bar.sink()).await;
            drop(bar);
            let pulled = pulled?;
            say(args, &pulled, || names(std::slice::from_ref(&pulled)))
        }
        ImageVerb::Load { archive } => {
            let bar = Bar::new();
            let loaded = images.load_with(archive, bar.sink()).await;
            drop(bar);
            let loaded = loaded?;
            say(args, &loaded, || names(&loaded))
        }
        ImageVerb::Rm { images: wanted } => remove(args, &images, wanted).await,
        ImageVerb::Prune { keep } => {
            let pruned = images.prune(*keep).await?;
            let text = || {
                let mut text = pruned.images.iter().fold(String::new(), |text, id| text + id + "\n");
                let _ = writeln!(text, "freed {}, {} left", size(pruned.freed), size(pruned.left));
                text
            };
            say(args, &pruned, text)
        }
        ImageVerb::Usage => {
            let usage = images.usage().await?;
            say(args, &usage, || {
                let (images, layers) = (many(usage.images, "image"), many(usage.layers, "layer"));
                format!("{images}, {layers}, {}, of which {} in use\n", size(usage.size), size(usage.in_use))
            })
        }
    }
}

/// Removes what can be removed; what cannot is told, and the last failure is the command's.
async fn remove(args: &ImageArgs, images: &Images, wanted: &[String]) -> Result<()> {
    let mut removed = Vec::new();
    let mut failed = None;
    for image in wanted {
        match images.remove(image).await {
            Ok(()) => removed.push(image),
            Err(error) => {
                if let Some(earlier) = failed.replace(error) {
                    failure::tell(&earlier, form(args));
                }
            }
        }
    }
    say(args, &removed, || removed.iter().fold(String::new(), |text, image| text + image + "\n"))?;
    failed.map_or(Ok(()), Err)
}

/// An image as `ls` prints it.
#[derive(Serialize)]
struct Row {
    reference: String,
    id: Option<String>,
    digest: Option<String>,
    platform: Option<String>,
    size: Option<u64>,
    fetched_at: Option<Timestamp>,
    /// When a sandbox was last made from it; absent when none was.
    used_at: Option<Timestamp>,
}

impl Row {
    fn of(entry: ImageEntry) -> Self {
        let ImageEntry { reference, id, digest, platform, size, fetched_at, used_at, .. } = entry;
        Self { reference, id, digest, platform, size, fetched_at, used_at }
    }
}

fn table(all: &[Row], now: Timestamp) -> String {
    let mut table = Table::new(["IMAGE", "ID", "DIGEST", "PLATFORM", "SIZE", "USED"]);
    for image in all {
        table.row([
            image.reference.clone(),
            image.id.as_deref().map(short).unwrap_or_default(),
            image.digest.as_deref().map_or_else(|| "-".to_owned(), short),
            image.platform.clone().unwrap_or_default(),
            image.size.map(size).unwrap_or_default(),
            image.used_at.map_or_else(|| "never".to_owned(), |at| ago(at, now)),
        ]);
    }
    table.text()
}

/// Enough of a digest to tell it from others, and for commands to know it by.
fn short(digest: &str) -> String {
    let hex = digest.split_once(':').map_or(digest, |(_, hex)| hex);
    hex.chars().take(12).collect()
}

fn names(images: &[ImageInfo]) -> String {
    images.iter().fold(String::new(), |mut text, image| {
        let digest = image.digest.as_deref().map(|digest| format!(" {digest}")).unwrap_or_default();
        let _ = writeln!(text, "{}{digest}", image.reference);
        text
    })
}

fn say<T: Serialize>(args: &ImageArgs, value: &T, text: impl FnOnce() -> String) -> Result<()> {
    match args.output {
        ImageOutput::Json => json(value),
        ImageOutput::Table => write(&text()),
    }
}

fn json<T: Serialize>(value: &T) -> Result<()> {
    let text = serde_json::to_string(value).map_err(|_| Error::internal("images cannot be written as JSON"))?;
    write(&(text + "\n"))
}

fn write(text: &str) -> Result<()> {
    // Names come out of archives: nothing in them may steer the terminal.
    let clean: String = text.chars().filter(|c| !c.is_control() || *c == '\n').collect();
    match std::io::stdout().lock().write_all(clean.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::io("stdout", error)),
        _ => Ok(()),
    }
}
