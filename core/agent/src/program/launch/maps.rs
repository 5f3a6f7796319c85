//! The id maps of the sandbox's user namespace.

use super::failure::{At, OrHint, Outcome};
use isobox_wire::launch::{IdRange, LaunchConfig, LaunchStep};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::{Errno, write};
use std::fmt::Write;

/// The host's id of an id in the sandbox.
pub(super) fn outside(map: &[IdRange], inside: u32) -> Option<u32> {
    map.iter().find_map(|range| {
        let offset = inside.checked_sub(range.inside)?;
        (offset < range.count).then(|| range.outside.checked_add(offset))?
    })
}

/// Writes both maps for the process at `process`, a directory such as `/proc/self`. Without privilege the kernel wants
/// setgroups given up first, since leaving a group could open what is closed to its members.
pub(super) fn write_maps(process: &str, config: &LaunchConfig, privileged: bool) -> Outcome {
    if !privileged {
        put(&format!("{process}/setgroups"), "deny")?;
    }
    for (name, map) in [("uid_map", &config.uid_map), ("gid_map", &config.gid_map)] {
        put(&format!("{process}/{name}"), &lines(map)).or_hint(|| hint(name, privileged))?;
    }
    Ok(())
}

fn lines(map: &[IdRange]) -> String {
    map.iter().fold(String::new(), |mut text, range| {
        writeln!(text, "{} {} {}", range.inside, range.outside, range.count).expect("a string takes everything");
        text
    })
}

fn hint(name: &str, privileged: bool) -> String {
    if privileged {
        format!(
            "the ranges of {name} must not overlap and must exist here; in a container they must be its own, see /proc/self/{name}"
        )
    } else {
        format!("an ordinary user can map its own id only, once: `{name}` must be 0 to that id, count 1")
    }
}

/// The kernel takes a map in one write or not at all.
fn put(path: &str, text: &str) -> Outcome {
    let written = openat(CWD, path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())
        .and_then(|file| write(file, text.as_bytes()))
        .and_then(|count| if count == text.len() { Ok(()) } else { Err(Errno::IO) });
    written.at(LaunchStep::IdMap, || format!("cannot write {path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_in_their_range_and_nowhere_else() {
        let map = [
            IdRange { inside: 0, outside: 1000, count: 1 },
            IdRange { inside: 1, outside: 100_000, count: 10 },
            IdRange { inside: 20, outside: u32::MAX, count: 2 },
        ];
        let found = [0, 1, 10, 11, 20, 21].map(|inside| outside(&map, inside));
        assert_eq!(found, [Some(1000), Some(100_000), Some(100_009), None, Some(u32::MAX), None]);
    }
}
