//! Many launches in a row, how long they take, and that they leave nothing.

use crate::support::{Caller, Folder, busybox, bytes, config, launch};
use isobox_wire::launch::{LaunchConfig, RootFs};
use std::fs;
use std::time::{Duration, Instant};

/// Launches and ends one sandbox after the other; prints the median, the 95th percentile and the minimum of each.
fn time(caller: Caller, name: &str, folder: &Folder, config: &LaunchConfig) {
    let (mut ready, mut end) = (vec![], vec![]);
    for _ in 0..150 {
        let start = Instant::now();
        let sandbox = launch(caller, folder, config).unwrap();
        ready.push(start.elapsed());
        let start = Instant::now();
        sandbox.end();
        end.push(start.elapsed());
        assert!(!folder.path("state").exists(), "{caller:?} {name}");
    }
    let figures = |times: &mut Vec<Duration>| {
        times.sort();
        (times[times.len() / 2], times[times.len() * 95 / 100], times[0])
    };
    println!("{caller:?} {name}: ready {:?}, end {:?} (p50, p95, min)", figures(&mut ready), figures(&mut end));
}

#[test]
fn three_hundred_in_a_row_leave_nothing() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        spread(&folder);
        let mounts =
            || fs::read_to_string("/proc/self/mountinfo").unwrap().matches(folder.path("").to_str().unwrap()).count();
        let before = mounts();
        let mut config = config(caller, &folder);
        time(caller, "host", &folder, &config);
        if let Some(root) = busybox(&folder, caller) {
            config.root = RootFs::Directory(bytes(&root));
            time(caller, "directory", &folder, &config);
        }
        assert_eq!(mounts(), before, "{caller:?}");
    }
}

/// Lets ext4 put every state directory into a block group of its own. Otherwise all share one, where an allocation without a
/// journal walks over every inode that was deleted in the last minutes.
fn spread(folder: &Folder) {
    let directory = fs::File::open(folder.path("")).unwrap();
    if let Ok(flags) = rustix::fs::ioctl_getflags(&directory) {
        // Other file systems refuse, and do not need it.
        let _ = rustix::fs::ioctl_setflags(&directory, flags | rustix::fs::IFlags::TOPDIR);
    }
}
