//! What a config must satisfy before anything is made.

use super::failure::{Outcome, refused, shown};
use super::maps::outside;
use isobox_wire::launch::{
    BindMount, IdRange, LaunchConfig, LaunchFailure, LaunchStep, MAX_LAYERS, MemoryMount, RootFs,
};

/// What belongs to the kernel in a sandbox and takes no bind mounts.
const KERNEL_DIRECTORIES: [&[u8]; 3] = [b"proc", b"sys", b"dev"];

/// How many v1 cgroups a command enters at most: one for each controller that limits something.
pub(crate) const MOST_JOINED: usize = 3;

/// Refuses a config that cannot be done or would not be safe. `user` and `group` are the caller's effective ids.
pub(super) fn check(config: &LaunchConfig, user: u32, group: u32) -> Outcome {
    absolute("state_dir", &config.state_dir)?;
    root(&config.root, user)?;
    let groups = &config.cgroups;
    groups
        .born_in
        .iter()
        .chain(&groups.entered)
        .chain(&groups.removed)
        .try_for_each(|path| absolute("cgroups", path))?;
    if user != 0 && !(groups.entered.is_empty() && groups.joined.is_empty()) {
        return Err(wrong("cgroups of v1 need root".into(), "use cgroup v2 as an ordinary user"));
    }
    if groups.joined.len() > MOST_JOINED {
        return Err(wrong("too many cgroups for commands".into(), "give one for each of cpu, memory and pids"));
    }
    hostname(&config.hostname)?;
    let helped = helpers(config, user)?;
    ids("uid_map", &config.uid_map, user, user == 0, helped)?;
    ids("gid_map", &config.gid_map, group, user == 0, helped)?;
    if config.id_mapped && user != 0 {
        return Err(wrong(
            "id_mapped needs root".into(),
            "leave it off as an ordinary user: the sandbox's root is that user",
        ));
    }
    config.mounts.iter().try_for_each(mount)?;
    config.memory.iter().try_for_each(memory)
}

fn root(root: &RootFs, user: u32) -> Outcome {
    match root {
        RootFs::Host => Ok(()),
        RootFs::Directory(path) => absolute("root", path),
        RootFs::Layers { layers } | RootFs::HostLayers { layers } if !(1..=MAX_LAYERS).contains(&layers.len()) => {
            let message = format!("the root file system has {} layers", layers.len());
            Err(wrong(message, &format!("give 1 to {MAX_LAYERS} layers, and join some where there are more")))
        }
        RootFs::Layers { layers } | RootFs::HostLayers { layers } => layers.iter().try_for_each(|layer| {
            absolute("a layer", &layer.path)?;
            if layer.id_mapped && user != 0 {
                let message = format!("the id-mapped layer {} needs root", shown(&layer.path));
                return Err(wrong(message, "as an ordinary user give layers that belong to that user"));
            }
            Ok(())
        }),
    }
}

fn absolute(field: &str, path: &[u8]) -> Outcome {
    if path.starts_with(b"/") && !path.contains(&0) {
        return Ok(());
    }
    Err(wrong(format!("{field} is not an absolute path: {}", shown(path)), "give a path that begins with /"))
}

fn hostname(name: &str) -> Outcome {
    let fine = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if (1..=64).contains(&name.len()) && name.bytes().all(fine) {
        return Ok(());
    }
    Err(wrong(format!("bad hostname: {}", shown(name.as_bytes())), "use 1 to 64 of the characters a-z A-Z 0-9 - _ ."))
}

/// Whether somebody with privileges writes the maps of an ordinary user.
fn helpers(config: &LaunchConfig, user: u32) -> Outcome<bool> {
    let Some(helpers) = &config.id_helpers else { return Ok(false) };
    absolute("id_helpers.users", &helpers.users)?;
    absolute("id_helpers.groups", &helpers.groups)?;
    if user == 0 {
        return Err(wrong("id_helpers are for ordinary users".into(), "leave them off as root, who maps ids itself"));
    }
    Ok(true)
}

fn ids(field: &str, map: &[IdRange], own: u32, privileged: bool, helped: bool) -> Outcome {
    if outside(map, 0).is_none() {
        return Err(wrong(format!("{field} does not map 0"), "the sandbox needs a root: give a range with inside 0"));
    }
    let first = IdRange { inside: 0, outside: own, count: 1 };
    if !privileged && (map.first() != Some(&first) || (map.len() > 1 && !helped)) {
        let message = format!("{field} maps more than the caller's own id {own}");
        return Err(wrong(message, "as an ordinary user map 0 to your own id, count 1"));
    }
    if privileged && map.iter().any(|range| range.outside == 0) {
        let message = format!("{field} maps the host's root into the sandbox");
        return Err(wrong(message, "use a range that owns nothing on the host, such as 100000 to 165535"));
    }
    Ok(())
}

fn mount(mount: &BindMount) -> Outcome {
    absolute("the source of a mount", &mount.source)?;
    target(&mount.target)
}

fn memory(mount: &MemoryMount) -> Outcome {
    if mount.size == 0 {
        // The kernel takes it for no limit at all.
        let message = format!("the filesystem in memory on {} has no size", shown(&mount.target));
        return Err(wrong(message, "give a size in bytes"));
    }
    target(&mount.target)
}

fn target(path: &[u8]) -> Outcome {
    absolute("the target of a mount", path)?;
    let target = shown(path);
    let mut names = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty() && *name != b".").peekable();
    match names.peek() {
        None => {
            return Err(wrong(
                format!("cannot mount on {target}"),
                "give the directory as the root file system instead",
            ));
        }
        Some(first) if KERNEL_DIRECTORIES.contains(first) => {
            return Err(wrong(
                format!("cannot mount in {target}"),
                "/proc, /sys and /dev are the kernel's: choose another target",
            ));
        }
        Some(_) => {}
    }
    if names.any(|name| name == b"..") {
        return Err(wrong(format!("the target of a mount has `..`: {target}"), "give the target without `..`"));
    }
    Ok(())
}

fn wrong(message: String, hint: &str) -> LaunchFailure {
    refused(LaunchStep::Config, message, hint)
}
