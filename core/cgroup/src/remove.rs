//! Taking cgroups away.
//!
//! A cgroup can be removed when nothing is in it. The last process of one may have ended and not be gone yet, which takes
//! a moment that the kernel does not announce for v1.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long one cgroup may take to become empty.
const PATIENCE: Duration = Duration::from_secs(2);

/// Removes a cgroup and all below it; whether it is gone.
pub(crate) fn tree(path: &Path) -> bool {
    let until = Instant::now() + PATIENCE;
    let mut pause = Duration::from_micros(200);
    loop {
        match fs::remove_dir(path) {
            Ok(()) => return true,
            Err(error) if error.kind() == ErrorKind::NotFound => return true,
            Err(_) if Instant::now() >= until => return false,
            Err(_) => {}
        }
        let Ok(entries) = fs::read_dir(path) else { continue };
        let directories = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        for directory in directories {
            tree(&directory.path());
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
