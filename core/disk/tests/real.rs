//! Disk images of the real kernel: what is on one stays, what is beyond it is refused, and nothing of one is left.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and talks to whoever runs it"
)]

use isobox_disk::{Error, Image, Ways};
use std::fs::{self, File};
use std::io::Write;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;

fn possible() -> bool {
    match isobox_disk::image() {
        Ok(_) => true,
        Err(obstacle) => {
            println!("skipped: there can be no disk image here: {obstacle}");
            false
        }
    }
}

/// A path into a mount that is nowhere.
fn inside(mount: &OwnedFd, name: &str) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}/{name}", mount.as_raw_fd()))
}

/// The loop devices with a file below a directory, removed ones as well.
fn devices(directory: &Path) -> Vec<String> {
    let files = fs::read_dir("/sys/block").unwrap().flatten().map(|entry| entry.path().join("loop/backing_file"));
    let named = files.filter_map(|file| fs::read_to_string(file).ok());
    named.filter(|name| Path::new(name.trim()).starts_with(directory)).collect()
}

/// The kernel lets go of a device a moment after its last user.
fn none_left(directory: &Path) {
    let begun = Instant::now();
    while !devices(directory).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", devices(directory));
        std::thread::yield_now();
    }
}

#[test]
fn an_image_holds_what_it_has_room_for_and_keeps_it() {
    if !possible() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let (image, mount) = Image::make(place.path(), 8 * MIB, (1234, 5678)).unwrap();
    let path = place.path().join("image");
    image.link(&path).unwrap();
    let root = fs::metadata(inside(&mount, "")).unwrap();
    assert_eq!((root.uid(), root.gid()), (1234, 5678));
    assert!(fs::metadata(&path).unwrap().blocks() * 512 < MIB, "the file is sparse");
    let mut file = File::create(inside(&mount, "large")).unwrap();
    let full = file.write_all(&vec![7; 12 << 20]).unwrap_err();
    assert_eq!(full.raw_os_error(), Some(rustix::io::Errno::NOSPC.raw_os_error()));
    let held = file.metadata().unwrap().len();
    assert!((6 * MIB..8 * MIB).contains(&held), "{held}");
    drop((file, image));
    // Two views of one filesystem while both are there, and the same files when it is opened again.
    let again = Image::open(&path).unwrap();
    assert_eq!(fs::metadata(inside(&again, "large")).unwrap().len(), held);
    fs::write(inside(&again, "small"), "from there").unwrap();
    assert_eq!(fs::read_to_string(inside(&mount, "small")).unwrap(), "from there");
    assert_eq!(devices(place.path()).len(), 1);
    drop((again, mount));
    none_left(place.path());
    let again = Image::open(&path).unwrap();
    assert_eq!(fs::read_to_string(inside(&again, "small")).unwrap(), "from there");
    fs::remove_file(inside(&again, "large")).unwrap();
    drop(again);
    none_left(place.path());
    assert!(fs::metadata(&path).unwrap().blocks() * 512 < 2 * MIB, "what was removed is given back");
}

#[test]
fn an_image_without_a_name_goes_by_itself() {
    if !possible() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let (image, mount) = Image::make(place.path(), 8 * MIB, (0, 0)).unwrap();
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    drop((image, mount));
    none_left(place.path());
    assert!(matches!(Image::make(place.path(), MIB, (0, 0)), Err(Error::TooSmall)));
    let missing = Image::open(&place.path().join("none")).unwrap_err();
    assert!(missing.to_string().contains("disk image"), "{missing}");
}

#[test]
fn what_cannot_be_had_says_what_to_do() {
    let place = tempfile::tempdir().unwrap();
    let ways = Ways::below(&place.path().join("not/yet"));
    for obstacle in [ways.memory.err(), ways.image.err(), ways.quota.err()].into_iter().flatten() {
        let text = obstacle.to_string();
        println!("{text}");
        assert!(
            [" load ", ": run ", ": mount ", ": install ", " or newer"].iter().any(|way| text.contains(way)),
            "{text}"
        );
    }
}
