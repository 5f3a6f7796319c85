//! One large file and a tree of small ones, both ways. What arrives is compared, which is not counted.

use super::Options;
use super::contender::Contender;
use super::deadline::{LONG, within};
use super::docker_files::Other;
use super::process::timed;
use super::rig::Rig;
use super::row::{Figures, Rate, Row};
use super::same::same;
use isobox::{DownloadOptions, Sandbox, TransferLimits, UploadOptions};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;

/// Bytes of a small file.
const SMALL: usize = 1024;
/// Small files of one directory.
const DIRECTORY: usize = 100;
/// Read at once from a stream.
const CHUNK: usize = 256 << 10;

const OURS: [Contender; 5] = [
    Contender::Namespace,
    Contender::NamespaceDirectory,
    Contender::Host,
    Contender::DockerProvider,
    Contender::DockerGvisor,
];
const OTHERS: [Contender; 3] = [Contender::EngineApi, Contender::DockerPy, Contender::DockerCommand];

/// What is moved, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Move {
    WriteStream,
    ReadStream,
    Upload,
    Download,
    UploadTree,
    DownloadTree,
}

impl Move {
    /// In this order, because what was brought in is what is taken out.
    const ALL: [Self; 6] =
        [Self::WriteStream, Self::ReadStream, Self::Upload, Self::Download, Self::UploadTree, Self::DownloadTree];

    fn name(self) -> &'static str {
        match self {
            Self::WriteStream => "large file, write_stream",
            Self::ReadStream => "large file, read_stream",
            Self::Upload => "large file, upload",
            Self::Download => "large file, download",
            Self::UploadTree => "small files, upload",
            Self::DownloadTree => "small files, download",
        }
    }

    fn is_stream(self) -> bool {
        matches!(self, Self::WriteStream | Self::ReadStream)
    }

    fn is_tree(self) -> bool {
        matches!(self, Self::UploadTree | Self::DownloadTree)
    }
}

/// Where the files go, and come from.
enum Place {
    Ours(Sandbox),
    Other(Other),
}

/// What is on this machine.
struct Material {
    large: PathBuf,
    tree: PathBuf,
    out: PathBuf,
    bytes: u64,
    files: usize,
}

type Result<T> = std::result::Result<T, String>;

pub(super) async fn measure(rig: &Rig, options: &Options) -> Vec<Row> {
    let material = match material(rig.scratch(), options) {
        Ok(material) => material,
        Err(error) => {
            let failed = Err(format!("the files cannot be made: {error}"));
            return vec![Row::times("files", "files", Contender::Bare, failed, |figures| figures)];
        }
    };
    let mut places = Vec::new();
    for contender in rig.present(&OURS) {
        places.push((contender, rig.sandbox(contender).await.map(Place::Ours)));
    }
    for contender in rig.present(&OTHERS) {
        places.push((contender, Other::start(rig, contender).await.map(Place::Other)));
    }
    let mut rows = Vec::new();
    for moved in Move::ALL {
        rows.extend(one_move(rig, options, &material, &places, moved).await);
    }
    for (_, place) in places {
        match place {
            Ok(Place::Ours(sandbox)) => drop(sandbox.delete().await),
            Ok(Place::Other(other)) => other.leave(rig).await,
            Err(_) => {}
        }
    }
    rows
}

async fn one_move(
    rig: &Rig,
    options: &Options,
    material: &Material,
    places: &[(Contender, Result<Place>)],
    moved: Move,
) -> Vec<Row> {
    // Others have no streams.
    let takes_part = |(contender, _): &&(Contender, Result<Place>)| !moved.is_stream() || OURS.contains(contender);
    let places: Vec<_> = places.iter().filter(takes_part).collect();
    let none = |place: &Result<Place>| place.as_ref().map(|_| Vec::new()).map_err(String::clone);
    let mut all: Vec<Result<Vec<Duration>>> = places.iter().map(|(_, place)| none(place)).collect();
    let mut copies = Ok(Vec::new());
    for _ in 0..options.long_rounds() {
        for ((_, place), times) in places.iter().zip(&mut all) {
            match place {
                Ok(Place::Ours(sandbox)) => add(times, within(LONG, once(sandbox, material, moved)).await),
                Ok(Place::Other(other)) => add(times, within(LONG, elsewhere(rig, other, material, moved)).await),
                Err(_) => {}
            }
        }
        add(&mut copies, copy(material, moved));
    }
    let finish = |figures: Figures| {
        if moved.is_tree() { counted(figures, material.files) } else { figures.moving(material.bytes) }
    };
    let ours = places
        .iter()
        .zip(all)
        .map(|((contender, _), times)| Row::times("files", moved.name(), *contender, times, finish));
    let mut rows: Vec<Row> = ours.collect();
    rows.push(Row::times("files", moved.name(), Contender::Bare, copies, finish).how("cp -r"));
    rows.extend(rig.absences(&OURS, "files", moved.name()));
    if !moved.is_stream() {
        rows.extend(rig.absences(&OTHERS, "files", moved.name()));
    }
    rows
}

fn add(times: &mut Result<Vec<Duration>>, took: Result<Duration>) {
    match (times.as_mut(), took) {
        (Ok(times), Ok(took)) => times.push(took),
        (Ok(_), Err(reason)) => *times = Err(reason),
        (Err(_), _) => {}
    }
}

fn counted(figures: Figures, files: usize) -> Figures {
    let rate = Rate { value: files as f64 / figures.p50, unit: "files/s" };
    Figures { rate: Some(rate), ..figures }
}

async fn once(sandbox: &Sandbox, material: &Material, moved: Move) -> Result<Duration> {
    material.clear()?;
    let files = sandbox.files();
    match moved {
        Move::WriteStream | Move::Upload => files.remove("large").await.map_err(words)?,
        Move::UploadTree => files.remove_all("tree").await.map_err(words)?,
        _ => {}
    }
    let limits = TransferLimits { bytes: u64::MAX, ..TransferLimits::default() };
    let begun = Instant::now();
    match moved {
        Move::WriteStream => {
            let source = tokio::fs::File::open(&material.large).await.map_err(|error| error.to_string())?;
            files.write_stream("large", source).await.map(drop)
        }
        Move::ReadStream => {
            read(sandbox, material.bytes, |_| true).await?;
            let took = begun.elapsed();
            let mut expected = fs::File::open(&material.large).map_err(|error| error.to_string())?;
            read(sandbox, material.bytes, |seen| is_next(&mut expected, seen)).await?;
            return Ok(took);
        }
        Move::Upload => {
            let options = UploadOptions { limits, ..UploadOptions::default() };
            files.upload_with(&material.large, "large", options).await.map(drop)
        }
        Move::Download => {
            let options = DownloadOptions { limits, ..DownloadOptions::default() };
            files.download_with("large", material.out.join("large"), options).await.map(drop)
        }
        Move::UploadTree => files.upload(&material.tree, "tree").await.map(drop),
        Move::DownloadTree => files.download("tree", material.out.join("tree")).await.map(drop),
    }
    .map_err(words)?;
    let took = begun.elapsed();
    material.check(moved)?;
    Ok(took)
}

async fn elsewhere(rig: &Rig, other: &Other, material: &Material, moved: Move) -> Result<Duration> {
    material.clear()?;
    let (name, from) = if moved.is_tree() { ("tree", &material.tree) } else { ("large", &material.large) };
    let took = match moved {
        Move::Upload | Move::UploadTree => other.upload(rig, from, name).await?,
        _ => other.download(rig, name, &material.out).await?,
    };
    material.check(moved)?;
    Ok(took)
}

fn words(error: isobox::Error) -> String {
    error.to_string()
}

async fn read(sandbox: &Sandbox, expected: u64, mut fits: impl FnMut(&[u8]) -> bool) -> Result<()> {
    let mut reader = sandbox.files().read_stream("large").await.map_err(words)?;
    let (mut buffer, mut seen) = (vec![0; CHUNK], 0);
    loop {
        match reader.read(&mut buffer).await.map_err(|error| error.to_string())? {
            0 => break,
            length if fits(&buffer[..length]) => seen += length as u64,
            _ => return Err("the large file did not arrive as it was sent".to_owned()),
        }
    }
    if seen == expected { Ok(()) } else { Err(format!("{seen} bytes of {expected} came")) }
}

/// Whether a file goes on like this.
fn is_next(expected: &mut fs::File, seen: &[u8]) -> bool {
    let mut wanted = vec![0; seen.len()];
    std::io::Read::read_exact(expected, &mut wanted).is_ok() && wanted == seen
}

fn copy(material: &Material, moved: Move) -> Result<Duration> {
    material.clear()?;
    let source = if moved.is_tree() { &material.tree } else { &material.large };
    timed(Command::new("cp").arg("-r").arg("--reflink=never").arg(source).arg(&material.out))
}

impl Material {
    /// An empty directory for what is taken out.
    fn clear(&self) -> Result<()> {
        match fs::remove_dir_all(&self.out) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.to_string()),
            _ => {}
        }
        fs::create_dir(&self.out).map_err(|error| error.to_string())
    }

    /// Whether what was taken out is what was brought in.
    fn check(&self, moved: Move) -> Result<()> {
        match moved {
            Move::Download => same(&self.large, &self.out.join("large")),
            Move::DownloadTree => same(&self.tree, &self.out.join("tree")),
            _ => Ok(()),
        }
    }
}

fn material(scratch: &Path, options: &Options) -> std::io::Result<Material> {
    let (large, tree, out) = (scratch.join("large"), scratch.join("tree"), scratch.join("out"));
    // Data that no layer can take for a hole, and in which nothing can change places unseen.
    let mut block: Vec<u8> = (0..CHUNK).map(|index| (index % 251) as u8 | 1).collect();
    let mut number = move |index: u64| {
        block[..8].copy_from_slice(&index.to_le_bytes());
        block.clone()
    };
    let bytes = options.bytes / CHUNK as u64 * CHUNK as u64;
    let mut file = fs::File::create(&large)?;
    for index in 0..bytes / CHUNK as u64 {
        std::io::Write::write_all(&mut file, &number(index))?;
    }
    for index in 0..options.files {
        let directory = tree.join((index / DIRECTORY).to_string());
        if index % DIRECTORY == 0 {
            fs::create_dir_all(&directory)?;
        }
        fs::write(directory.join(index.to_string()), &number(index as u64)[..SMALL])?;
    }
    Ok(Material { large, tree, out, bytes, files: options.files })
}
