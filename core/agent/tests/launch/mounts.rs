//! Bind mounts: what the sandbox may do, and to whom its files belong on the host.

use crate::support::{BASE, Caller, Folder, bind, busybox, bytes, config, launch};
use isobox_wire::launch::{LaunchStep, RootFs};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

#[test]
fn a_read_only_mount_cannot_be_written_and_a_writable_one_can() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let source = folder.directory("source", caller);
        folder.file("source/a", "content", caller);
        let single = folder.file("single", "one", caller);
        let mut config = config(caller, &folder);
        config.mounts = vec![
            bind(&source, "/read/only", false),
            bind(&source, "/write", true),
            bind(&single, "/etc/deep/single", false),
        ];
        let mut sandbox = launch(caller, &folder, &config).unwrap();
        assert_eq!(sandbox.run("cat /read/only/a /etc/deep/single"), "contentone", "{caller:?}");
        assert!(sandbox.run("echo > /read/only/a").contains("Read-only"), "{caller:?}");
        assert!(sandbox.run("echo > /etc/deep/single").contains("Read-only"), "{caller:?}");
        assert_eq!(sandbox.run("echo new > /write/b && cat /read/only/b"), "new", "{caller:?}");
        sandbox.end();
        assert_eq!(fs::read_to_string(source.join("b")).unwrap(), "new\n", "{caller:?}");
    }
}

#[test]
fn files_keep_their_owners_on_both_sides() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let source = folder.directory("source", caller);
        let secret = folder.file("source/secret", "open", caller);
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
        let mut config = config(caller, &folder);
        config.mounts = vec![bind(&source, "/data", true)];
        let mut sandbox = launch(caller, &folder, &config).unwrap();
        assert_eq!(
            sandbox.run("stat -c %u:%g /data/secret; cat /data/secret; touch /data/made; mkdir -m 777 /data/all"),
            "0:0\nopen"
        );
        if caller == Caller::Root {
            sandbox.run("setpriv --reuid 1000 --regid 1000 --clear-groups touch /data/all/user");
        }
        sandbox.end();
        let owner = |name: &str| source.join(name).metadata().map(|metadata| (metadata.uid(), metadata.gid())).unwrap();
        assert_eq!(owner("made"), owner("secret"), "{caller:?}");
        if caller == Caller::Root {
            assert_eq!(owner("all/user"), (1000, 1000));
        }
    }
}

#[test]
fn without_id_mapping_root_of_the_sandbox_owns_nothing_of_the_hosts_root() {
    let Some(caller) = Caller::root() else { return };
    let folder = Folder::new(caller);
    let source = folder.directory("source", caller);
    let secret = folder.file("source/secret", "closed", caller);
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    let given = folder.file("source/given", "given", caller);
    chown(&given, Some(BASE), Some(BASE)).unwrap();
    let mut config = config(caller, &folder);
    config.id_mapped = false;
    config.mounts = vec![bind(&source, "/data", true)];
    let mut sandbox = launch(caller, &folder, &config).unwrap();
    assert_eq!(sandbox.run("stat -c %u /data/secret /data/given; cat /data/given"), "65534\n0\ngiven");
    assert!(sandbox.run("cat /data/secret").contains("Permission denied"));
    assert!(sandbox.run("touch /data/x").contains("Permission denied"));
}

#[test]
fn set_user_id_programs_and_devices_of_a_mount_do_not_work() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let source = folder.directory("source", caller);
        let mut config = config(caller, &folder);
        config.mounts = vec![bind(&source, "/data", true)];
        let mut sandbox = launch(caller, &folder, &config).unwrap();
        let flags = sandbox.run("grep ' /data ' /proc/self/mountinfo | cut -d' ' -f6");
        assert!(flags.contains("nosuid") && flags.contains("nodev"), "{caller:?}: {flags}");
    }
}

#[test]
fn mounts_are_made_in_order_and_with_what_is_mounted_below_them() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let outer = folder.directory("outer", caller);
        folder.directory("outer/hole", caller);
        let inner = folder.directory("inner", caller);
        folder.file("inner/in", "in", caller);
        let mut config = config(caller, &folder);
        config.mounts = vec![bind(&outer, "/data", false), bind(&inner, "/data/hole", true)];
        let mut sandbox = launch(caller, &folder, &config).unwrap();
        assert_eq!(sandbox.run("cat /data/hole/in && echo x > /data/hole/y && ls /data/hole"), "inin\ny", "{caller:?}");
    }
}

#[test]
fn a_link_in_the_root_file_system_does_not_lead_a_mount_out() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let Some(root) = busybox(&folder, caller) else { return };
        let source = folder.directory("source", caller);
        folder.file("source/a", "a", caller);
        let outside = folder.directory("outside", caller);
        symlink(format!("../../../../../../..{}", outside.display()), root.join("up")).unwrap();
        symlink("/data", root.join("absolute")).unwrap();
        let mut config = config(caller, &folder);
        config.root = RootFs::Directory(bytes(&root));
        config.mounts = vec![bind(&source, "/absolute/x", false), bind(&source, "/up/y", false)];
        let failure = match launch(caller, &folder, &config) {
            // The link's target does not exist in the root, so nothing can be made behind it.
            Err(failure) => failure,
            Ok(_) => panic!("{caller:?}: the mount went behind a link that leads nowhere"),
        };
        assert_eq!(failure.step, LaunchStep::BindMount, "{caller:?}: {failure:?}");
        config.mounts.pop();
        let mut sandbox = launch(caller, &folder, &config).unwrap();
        assert_eq!(sandbox.run("cat /data/x/a"), "a", "{caller:?}");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0, "{caller:?}");
        assert!(!root.join("data/x").exists(), "{caller:?}");
    }
}
