//! Unpacking an image: what loading takes beside `tar -x` of the same files, and `docker load` where its daemon is.

use super::Options;
use super::contender::Contender;
use super::deadline::{LONG, within};
use super::process::{docker_server, here, timed};
use super::rig::Rig;
use super::row::{Figures, Outcome, Row};
use isobox::Isobox;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Bytes of a file of the image; few are larger in real ones.
const FILE: usize = 16 << 10;
/// Files of one directory.
const DIRECTORY: usize = 100;
const GROUP: &str = "image";
const MEASURE: &str = "unpack an image";
/// The name of the image in the archive.
const TAG: &str = "isobox-bench-unpack:1";

type Result<T> = std::result::Result<T, String>;

pub(super) async fn measure(rig: &Rig, options: &Options) -> Vec<Row> {
    let place = rig.scratch().join("unpack");
    let (archive, layer) = match material(&place, options.files) {
        Ok(made) => made,
        Err(reason) => return vec![Row::times(GROUP, MEASURE, Contender::NamespaceImage, Err(reason), |f| f)],
    };
    let docker = docker_server();
    let (mut ours, mut tar, mut theirs) = (Ok(Vec::new()), Ok(Vec::new()), Ok(Vec::new()));
    for round in 0..options.long_rounds() {
        let fresh = |name: &str| place.join(format!("{name}-{round}"));
        add(&mut ours, within(LONG, load(&archive, &fresh("home"))).await);
        add(&mut tar, extract(&layer, &fresh("tar")));
        if docker.is_ok() {
            add(&mut theirs, docker_load(&archive));
        }
    }
    let moving = |figures: Figures| figures.moving((options.files * FILE) as u64);
    let theirs = match docker {
        Ok(()) => Row::times(GROUP, MEASURE, Contender::DockerCommand, theirs, moving).how("load"),
        Err(reason) => Row::new(GROUP, MEASURE, Contender::DockerCommand, Outcome::NotHere { reason }),
    };
    vec![
        Row::times(GROUP, MEASURE, Contender::NamespaceImage, ours, moving).how("load"),
        Row::times(GROUP, MEASURE, Contender::Bare, tar, moving).how("tar -x"),
        theirs,
    ]
}

fn add(times: &mut Result<Vec<Duration>>, took: Result<Duration>) {
    match (times.as_mut(), took) {
        (Ok(times), Ok(took)) => times.push(took),
        (Ok(_), Err(reason)) => *times = Err(reason),
        (Err(_), _) => {}
    }
}

async fn load(archive: &Path, home: &Path) -> Result<Duration> {
    let isobox = Isobox::builder().home(home).open().await.map_err(|error| error.to_string())?;
    let images = isobox.images().provider("namespace");
    let begun = Instant::now();
    images.load(archive).await.map_err(|error| error.to_string())?;
    let took = begun.elapsed();
    images.prune(0).await.map_err(|error| error.to_string())?;
    Ok(took)
}

fn extract(layer: &Path, into: &Path) -> Result<Duration> {
    fs::create_dir(into).map_err(|error| error.to_string())?;
    let took = timed(Command::new("tar").arg("-C").arg(into).arg("-xpf").arg(layer))?;
    fs::remove_dir_all(into).map_err(|error| error.to_string())?;
    Ok(took)
}

fn docker_load(archive: &Path) -> Result<Duration> {
    let took = timed(Command::new("docker").arg("load").arg("--input").arg(archive))?;
    let mut remove = Command::new("docker");
    remove.args(["rmi", "--force", TAG]);
    here(remove).map(|()| took)
}

/// An archive with an image of small files, and the tar of its only layer.
fn material(place: &Path, files: usize) -> Result<(PathBuf, PathBuf)> {
    let tree = place.join("tree");
    let made = (|| {
        for at in 0..files {
            let directory = tree.join(format!("{}", at / DIRECTORY));
            if at % DIRECTORY == 0 {
                fs::create_dir_all(&directory)?;
            }
            // Each file another one, as in a real image.
            let contents: Vec<u8> = at.to_le_bytes().into_iter().cycle().take(FILE).collect();
            fs::write(directory.join(format!("{at}")), contents)?;
        }
        Ok(())
    })();
    made.map_err(|error: io::Error| format!("the files cannot be made: {error}"))?;
    let archive = place.join("image.tar");
    let layer = pack(&tree, &archive)?;
    fs::remove_dir_all(&tree).map_err(|error| error.to_string())?;
    Ok((archive, layer))
}

/// Packs a directory as an image of one layer, as `docker save` writes it; says where the layer is.
pub(super) fn pack(root: &Path, archive: &Path) -> Result<PathBuf> {
    let parts = archive.with_extension("parts");
    let layer = parts.join("layer.tar");
    let failed = |error: io::Error| format!("the image cannot be made: {error}");
    fs::create_dir_all(&parts).map_err(failed)?;
    timed(Command::new("tar").arg("-C").arg(root).arg("-cf").arg(&layer).arg("."))?;
    let diff_id = hex(digest(&layer).map_err(failed)?.as_ref());
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let config = serde_json::json!({
        "os": "linux",
        "architecture": architecture,
        "config": { "Env": ["PATH=/bin"] },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{diff_id}")] },
    });
    let config = config.to_string();
    let name = format!("{}.json", hex(&Sha256::digest(config.as_bytes())));
    let manifest = serde_json::json!([{ "Config": name, "RepoTags": [TAG], "Layers": ["layer.tar"] }]);
    fs::write(parts.join(&name), config).map_err(failed)?;
    fs::write(parts.join("manifest.json"), manifest.to_string()).map_err(failed)?;
    let mut tar = Command::new("tar");
    tar.arg("-C").arg(&parts).arg("-cf").arg(archive).args(["manifest.json", "layer.tar"]).arg(&name);
    timed(&mut tar)?;
    Ok(layer)
}

fn digest(path: &Path) -> io::Result<impl AsRef<[u8]>> {
    let mut hash = Sha256::new();
    let mut file = fs::File::open(path)?;
    let mut buffer = vec![0; 128 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash.finalize()),
            count => hash.update(&buffer[..count]),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}
