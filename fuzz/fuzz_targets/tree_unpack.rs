//! A stream of a directory tree from a hostile sandbox: nothing appears beside the target, and its limits hold.
#![no_main]

use isobox_tree::{UnpackOptions, remove_contents, unpack};
use libfuzzer_sys::fuzz_target;
use std::cell::LazyCell;
use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::fs::symlink;

const ENTRIES: u64 = 50;

thread_local! {
    static PLACE: LazyCell<tempfile::TempDir> = LazyCell::new(|| {
        let memory = std::path::Path::new("/dev/shm");
        let place = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let place = place.expect("a place for the trees");
        std::fs::create_dir(place.path().join("target")).expect("a directory");
        std::fs::write(place.path().join("bystander"), "untouched").expect("a file");
        place
    });
}

fuzz_target!(|bytes: &[u8]| {
    PLACE.with(|place| {
        let target = place.path().join("target");
        // Links that lie in the target already, as from a transfer before.
        let _ = symlink("..", target.join("a"));
        let _ = symlink("../bystander", target.join("b"));
        let open = File::open(&target).expect("the target");
        let options = UnpackOptions {
            max_entries: ENTRIES,
            max_bytes: 1 << 20,
            max_file_bytes: 1 << 20,
            max_depth: 20,
            ..UnpackOptions::default()
        };
        let mut input = bytes;
        if let Ok(report) = unpack(open.as_fd(), &mut input, &options) {
            assert!(report.entries <= ENTRIES && report.bytes <= 1 << 20);
        }
        assert_eq!(std::fs::read(place.path().join("bystander")).expect("the bystander"), b"untouched");
        assert_eq!(std::fs::read_dir(place.path()).expect("the place").count(), 2, "something beside the target");
        remove_contents(open.as_fd()).expect("what was unpacked can be removed");
    });
});
