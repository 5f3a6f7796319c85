//! Root file systems of layers.

use crate::support::{BASE, Caller, Folder, Sandbox, busybox, bytes, config, launch};
use isobox_wire::launch::{LaunchConfig, LaunchStep, Layer, MAX_LAYERS, RootFs};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

fn on(caller: Caller, folder: &Folder, layers: &[PathBuf]) -> Sandbox {
    launch(caller, folder, &of(caller, folder, layers)).unwrap()
}

/// Id-mapped as root: these layers belong to whoever runs the test.
fn of(caller: Caller, folder: &Folder, layers: &[PathBuf]) -> LaunchConfig {
    let layer = |path: &PathBuf| Layer { path: bytes(path), id_mapped: caller == Caller::Root };
    let mut config = config(caller, folder);
    config.root = RootFs::Layers { layers: layers.iter().map(layer).collect() };
    config
}

/// `count` layers over busybox, in two directories, each with a file that says so.
fn stack(caller: Caller, folder: &Folder, base: &Path, count: usize) -> Vec<PathBuf> {
    folder.directory("even", caller);
    folder.directory("odd", caller);
    let layer = |index: usize| {
        let name = format!("{}/{index}", if index.is_multiple_of(2) { "even" } else { "odd" });
        let path = folder.directory(&name, caller);
        folder.directory(&format!("{name}/data"), caller);
        folder.file(&format!("{name}/data/shared"), &index.to_string(), caller);
        folder.file(&format!("{name}/data/own-{index}"), "", caller);
        path
    };
    (0..count).map(layer).chain([base.to_owned()]).collect()
}

#[test]
fn the_first_layer_is_on_top_however_many_there_are() {
    for (caller, count) in Caller::all().into_iter().flat_map(|caller| [(caller, 1), (caller, 9), (caller, 127)]) {
        let folder = Folder::new(caller);
        let Some(base) = busybox(&folder, caller) else { return };
        let layers = stack(caller, &folder, &base, count);
        let mut sandbox = on(caller, &folder, &layers);
        let script = "cat /data/shared; set -- /data/own-*; echo \" $#\"; stat -c %u:%g /data/own-0 /bin/busybox";
        assert_eq!(sandbox.run(script), format!("0 {count}\n0:0\n0:0"), "{caller:?}");
        assert_eq!(sandbox.run("echo more > /data/shared; rm /data/own-0; cat /data/shared"), "more", "{caller:?}");
        sandbox.end();
        assert_eq!(fs::read_to_string(layers[0].join("data/shared")).unwrap(), "0");
        assert!(layers[0].join("data/own-0").exists());
    }
}

#[test]
fn a_layer_hides_names_and_whole_directories_of_those_below() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let Some(base) = busybox(&folder, caller) else { return };
        folder.file("rootfs/data/gone", "", caller);
        folder.directory("rootfs/data/inner", caller);
        folder.file("rootfs/data/inner/gone", "", caller);
        // What a sandbox leaves in its layer says it best.
        let mut first = on(caller, &folder, std::slice::from_ref(&base));
        first.run("rm /data/gone; rm -r /data/inner; mkdir /data/inner; echo new > /data/inner/new");
        fs::rename(folder.path("state/upper"), folder.path("taken")).unwrap();
        drop(first);
        let layer = |path: PathBuf, id_mapped| Layer { path: bytes(&path), id_mapped };
        let mut config = config(caller, &folder);
        // It holds the host's ids already.
        config.root =
            RootFs::Layers { layers: vec![layer(folder.path("taken"), false), layer(base, caller == Caller::Root)] };
        let mut second = launch(caller, &folder, &config).unwrap();
        assert_eq!(
            second.run("ls /data /data/inner; stat -c %u /data/inner/new"),
            "/data:\ninner\n\n/data/inner:\nnew\n0"
        );
        second.end();
        if caller == Caller::Root {
            assert_eq!(fs::metadata(folder.path("taken/data/inner/new")).unwrap().uid(), BASE);
        }
    }
}

#[test]
fn what_cannot_be_a_layer_is_named() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let base = folder.directory("base", caller);
        let file = folder.file("file", "", caller);
        for wrong in [folder.path("missing"), file, folder.path("nowhere/layer")] {
            let failure = launch(caller, &folder, &of(caller, &folder, &[base.clone(), wrong.clone()])).err().unwrap();
            assert_eq!(failure.step, LaunchStep::RootFilesystem, "{failure:?}");
            assert!(failure.hint.unwrap().contains("existing directory"), "{}", failure.message);
        }
        for count in [0, MAX_LAYERS + 1] {
            let failure = launch(caller, &folder, &of(caller, &folder, &vec![base.clone(); count])).err().unwrap();
            assert_eq!(failure.step, LaunchStep::Config);
            assert!(failure.message.contains(&format!("{count} layers")), "{}", failure.message);
        }
        if caller != Caller::Root {
            let mut config = of(caller, &folder, std::slice::from_ref(&base));
            config.root = RootFs::Layers { layers: vec![Layer { path: bytes(&base), id_mapped: true }] };
            assert!(launch(caller, &folder, &config).err().unwrap().message.contains("needs root"));
        }
    }
}

#[test]
fn layers_without_mount_points_get_them_and_stay_as_they_are() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let Some(base) = busybox(&folder, caller) else { return };
        let top = folder.directory("top", caller);
        std::os::unix::fs::symlink("/data", top.join("proc")).unwrap();
        fs::set_permissions(&top, fs::Permissions::from_mode(0o500)).unwrap();
        let mut sandbox = on(caller, &folder, &[top.clone(), base]);
        assert_eq!(sandbox.run("cat /proc/1/comm; ls -d /sys /dev /tmp"), "launch-probe\n/dev\n/sys\n/tmp");
        sandbox.end();
        assert!(top.join("proc").is_symlink());
    }
}
