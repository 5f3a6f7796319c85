//! Root file systems from directories, also hostile ones.

use crate::support::{BASE, Caller, Folder, Sandbox, busybox, bytes, config, launch};
use isobox_wire::launch::RootFs;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

/// A sandbox on a root file system that was prepared first.
fn on(caller: Caller, folder: &Folder, root: &Path) -> Sandbox {
    let mut config = config(caller, folder);
    config.root = RootFs::Directory(bytes(root));
    launch(caller, folder, &config).unwrap()
}

/// Everything in a tree: path, mode, owner, size and where links go.
fn listing(directory: &Path) -> Vec<String> {
    let mut lines = vec![];
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let (path, metadata) = (entry.path(), entry.path().symlink_metadata().unwrap());
        let link = fs::read_link(&path).unwrap_or_default();
        let size = if metadata.is_dir() { 0 } else { metadata.len() };
        lines.push(format!("{} {:o} {} {size} {}", path.display(), metadata.mode(), metadata.uid(), link.display()));
        if metadata.is_dir() {
            lines.extend(listing(&path));
        }
    }
    lines.sort();
    lines
}

#[test]
fn the_directory_is_never_changed() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let Some(root) = busybox(&folder, caller) else { return };
        folder.file("rootfs/data/a", "before", caller);
        let before = listing(&root);
        let mut sandbox = on(caller, &folder, &root);
        let script =
            "echo after > /data/a; rm /bin/ls; mkdir /new; chmod 700 /bin; echo x > /new/f; cat /data/a; stat -c %a /";
        assert_eq!(sandbox.run(script), "after\n755", "{caller:?}");
        sandbox.end();
        assert_eq!(listing(&root), before, "{caller:?}");
        let mut second = on(caller, &folder, &root);
        assert_eq!(second.run("cat /data/a; ls -d /new"), "beforels: /new: No such file or directory", "{caller:?}");
    }
}

#[test]
fn owners_in_the_directory_are_owners_in_the_sandbox() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let Some(root) = busybox(&folder, caller) else { return };
        let secret = folder.file("rootfs/data/secret", "readable", caller);
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
        let mut sandbox = on(caller, &folder, &root);
        assert_eq!(
            sandbox.run("stat -c %u:%g /data/secret /bin/busybox; cat /data/secret"),
            "0:0\n0:0\nreadable",
            "{caller:?}"
        );
        assert_eq!(sandbox.run("echo more >> /data/secret; cat /data/secret"), "readablemore", "{caller:?}");
        let upper = folder.path("state/upper/data/secret").metadata().unwrap();
        let wanted = if caller == Caller::Root { BASE } else { secret.metadata().unwrap().uid() };
        assert_eq!(upper.uid(), wanted, "{caller:?}");
        if caller == Caller::Root {
            assert_eq!(sandbox.run("chown 1000:7 /data/secret && stat -c %u:%g /data/secret"), "1000:7");
        }
    }
}

#[test]
fn links_and_files_in_the_place_of_mount_points_are_covered() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let Some(root) = busybox(&folder, caller) else { return };
        let victim = folder.directory("victim", caller);
        symlink("/etc", root.join("proc")).unwrap();
        symlink("/etc", root.join("tmp")).unwrap();
        symlink(&victim, root.join("sys")).unwrap();
        folder.file("rootfs/dev", "not a directory", caller);
        let before = listing(&root);
        let mut sandbox = on(caller, &folder, &root);
        let script = "cat /proc/1/comm; ls /sys/class/net; echo x > /dev/null && echo null; stat -c %a /tmp; touch /tmp/t; ls /etc; ls -l /proc/self/exe >/dev/null && echo proc";
        assert_eq!(sandbox.run(script), "launch-probe\nlo\nnull\n1777\nhostname\nhosts\nproc", "{caller:?}");
        sandbox.end();
        assert_eq!(listing(&root), before, "{caller:?}");
        assert_eq!(fs::read_dir(&victim).unwrap().count(), 0, "{caller:?}");
    }
}

#[test]
fn localhost_has_a_name_unless_the_directory_gives_its_own() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let Some(root) = busybox(&folder, caller) else { return };
        assert!(on(caller, &folder, &root).run("cat /etc/hosts /etc/hostname").contains("localhost"), "{caller:?}");
        folder.file("rootfs/etc/hosts", "own\n", caller);
        assert_eq!(on(caller, &folder, &root).run("cat /etc/hosts"), "own", "{caller:?}");
        fs::remove_dir_all(root.join("etc")).unwrap();
        let victim = folder.directory("victim", caller);
        symlink(&victim, root.join("etc")).unwrap();
        on(caller, &folder, &root).end();
        assert_eq!(fs::read_dir(&victim).unwrap().count(), 0, "{caller:?}");
    }
}
