//! Many launches, and how long they take.

use crate::support::{Caller, Folder, config, launch};
use std::time::{Duration, Instant};

/// Launches and ends, one after the other; prints the middle of each.
fn time(caller: Caller, name: &str, count: usize, change: impl Fn(&Folder, &mut isobox_wire::launch::LaunchConfig)) {
    let folder = Folder::new(caller);
    let mut config = config(caller, &folder);
    change(&folder, &mut config);
    let (mut ready, mut end) = (vec![], vec![]);
    for _ in 0..count {
        let start = Instant::now();
        let sandbox = launch(caller, &folder, &config).unwrap();
        ready.push(start.elapsed());
        let start = Instant::now();
        sandbox.end();
        end.push(start.elapsed());
    }
    let middle = |times: &mut Vec<Duration>| {
        times.sort();
        (times[times.len() / 2], times[times.len() * 95 / 100], times[0])
    };
    println!("{caller:?} {name}: ready {:?}, end {:?} (p50, p95, min)", middle(&mut ready), middle(&mut end));
}

#[test]
fn three_hundred_in_a_row() {
    for caller in Caller::all() {
        time(caller, "host", 300, |_, _| {});
    }
}
#[test]
fn three_hundred_dir() {
    for caller in Caller::all() {
        time(caller, "directory", 300, |folder, config| {
            let root = crate::support::busybox(folder, caller).unwrap();
            config.root = isobox_wire::launch::RootFs::Directory(crate::support::bytes(&root));
        });
    }
}
