//! What is refused, in which step, with which words, and that nothing is left of it.

use crate::support::{Caller, Folder, bind, bytes, config, launch, spawn};
use isobox_wire::launch::{IdRange, LaunchConfig, LaunchFailure, LaunchReport, LaunchStep, RootFs};
use std::io::Write;
use std::path::Path;

/// Launches a config that was made wrong; answers the failure after checking that nothing is left.
fn fail(caller: Caller, folder: &Folder, spoil: impl FnOnce(&mut LaunchConfig)) -> LaunchFailure {
    let mut config = config(caller, folder);
    spoil(&mut config);
    let Err(failure) = launch(caller, folder, &config) else { panic!("{caller:?}: it was not refused: {config:?}") };
    assert!(!folder.path("state").exists(), "{caller:?}: {failure:?}");
    assert!(failure.hint.as_ref().is_some_and(|hint| !hint.is_empty()), "{caller:?}: {failure:?}");
    assert!(failure.message.starts_with(|first: char| first.is_lowercase() || first == '/'), "{failure:?}");
    failure
}

#[test]
fn a_root_file_system_that_is_none() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let file = folder.file("file", "", caller);
        for (path, errno) in [(folder.path("missing"), 2), (file, 20)] {
            let failure = fail(caller, &folder, |config| config.root = RootFs::Directory(bytes(&path)));
            assert_eq!((failure.step, failure.errno), (LaunchStep::RootFilesystem, errno), "{failure:?}");
            assert!(failure.message.contains(path.to_str().unwrap()), "{failure:?}");
        }
        let failure = fail(caller, &folder, |config| config.root = RootFs::Directory(b"/usr/..".to_vec()));
        assert!(failure.message.contains("/usr/..") && failure.hint.unwrap().contains("host"));
    }
}

#[test]
fn a_mount_that_cannot_be() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let source = folder.directory("source", caller);
        let missing = folder.path("missing");
        let failure = fail(caller, &folder, |config| config.mounts = vec![bind(&missing, "/a", false)]);
        assert_eq!((failure.step, failure.errno), (LaunchStep::BindMount, 2));
        assert!(failure.message.contains(missing.to_str().unwrap()), "{failure:?}");
        for target in ["/proc/x", "/sys", "//dev/./shm", "/a/../b", "relative", "/", "/."] {
            let failure = fail(caller, &folder, |config| config.mounts = vec![bind(&source, target, false)]);
            assert_eq!(failure.step, LaunchStep::Config, "{target}");
            assert!(failure.message.contains(target), "{failure:?}");
        }
        let failure = fail(caller, &folder, |config| config.mounts = vec![bind(&source, "/etc/passwd", false)]);
        assert!(failure.step == LaunchStep::BindMount && failure.message.contains("/etc/passwd"), "{failure:?}");
    }
}

#[test]
fn a_mount_that_cannot_be_id_mapped() {
    let Some(caller) = Caller::root() else { return };
    let folder = Folder::new(caller);
    let failure = fail(caller, &folder, |config| config.mounts = vec![bind(Path::new("/proc"), "/a", false)]);
    assert_eq!(failure.step, LaunchStep::BindMount, "{failure:?}");
    assert!(failure.message.contains("/proc") && failure.hint.unwrap().contains("id-mapped"));
}

#[test]
fn ids_that_are_not_the_callers_to_give() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        let wrong = |outside, count| vec![IdRange { inside: 0, outside, count }];
        let failure = fail(caller, &folder, |config| config.uid_map = wrong(0, 1));
        assert_eq!(failure.step, LaunchStep::Config, "{failure:?}");
        let failure = fail(caller, &folder, |config| config.gid_map = vec![]);
        assert!(failure.message.contains("gid_map"), "{failure:?}");
        if caller == Caller::Root {
            let overlapping = |config: &mut LaunchConfig| config.uid_map.push(config.uid_map[0]);
            assert_eq!(fail(caller, &folder, overlapping).step, LaunchStep::IdMap);
        } else {
            let failure = fail(caller, &folder, |config| config.id_mapped = true);
            assert!(failure.message.contains("id_mapped"), "{failure:?}");
        }
    }
}

#[test]
fn a_state_directory_that_cannot_be_made() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        folder.directory("taken", caller);
        folder.file("taken/mine", "kept", caller);
        let failure = fail(caller, &folder, |config| config.state_dir = bytes(&folder.path("taken")));
        assert_eq!((failure.step, failure.errno), (LaunchStep::StateDirectory, 17));
        assert!(folder.path("taken/mine").exists());
        let failure = fail(caller, &folder, |config| config.state_dir = bytes(&folder.path("missing/state")));
        assert_eq!((failure.step, failure.errno), (LaunchStep::StateDirectory, 2));
        let failure = fail(caller, &folder, |config| config.state_dir = b"state".to_vec());
        assert_eq!(failure.step, LaunchStep::Config);
    }
}

#[test]
fn a_state_directory_where_no_layer_can_be() {
    let Some(caller) = Caller::root() else { return };
    let folder = Folder::new(caller);
    // A layer cannot lie on an overlay, as in a container.
    let names = ["lower", "upper", "work", "merged"].map(|name| folder.directory(name, caller).display().to_string());
    let [lower, upper, work, merged] = names;
    let options = std::ffi::CString::new(format!("lowerdir={lower},upperdir={upper},workdir={work}")).unwrap();
    let flags = rustix::mount::MountFlags::empty();
    rustix::mount::mount("overlay", merged.as_str(), c"overlay", flags, Some(options.as_c_str())).unwrap();
    let state = Path::new(&merged).join("state");
    let failure = fail(caller, &folder, |config| config.state_dir = bytes(&state));
    let left = state.exists();
    rustix::mount::unmount(merged.as_str(), rustix::mount::UnmountFlags::empty()).unwrap();
    assert!(!left);
    assert_eq!(failure.step, LaunchStep::RootFilesystem, "{failure:?}");
    assert!(failure.hint.as_ref().unwrap().contains("ext4"), "{failure:?}");
}

#[test]
fn a_host_name_that_is_more_than_a_name() {
    let caller = Caller::ordinary();
    let folder = Folder::new(caller);
    for name in ["", "a b", "a\n10.0.0.1 bank", &"x".repeat(65)] {
        let failure = fail(caller, &folder, |config| config.hostname = name.into());
        assert_eq!(failure.step, LaunchStep::Config);
    }
}

#[test]
fn bytes_that_are_no_config() {
    let caller = Caller::ordinary();
    let folder = Folder::new(caller);
    for frame in [vec![0, 0, 0, 2, 0xff, 0xff], vec![0xff, 0xff, 0xff, 0xff]] {
        let mut launch = spawn(caller, &folder);
        launch.stream.write_all(&frame).unwrap();
        let LaunchReport::Failed(failure) = launch.report() else { panic!("it was taken") };
        assert_eq!(failure.step, LaunchStep::Config);
        assert_eq!(launch.keeper.wait().unwrap().code(), Some(1));
    }
}

#[test]
fn a_path_without_end_is_refused_in_few_words() {
    let caller = Caller::ordinary();
    let folder = Folder::new(caller);
    let long = format!("/{}", "\u{7f}".repeat(1 << 20));
    let failure = fail(caller, &folder, |config| config.root = RootFs::Directory(long.into_bytes()));
    assert!(failure.errno == 36 && failure.message.len() < 32 << 10, "{} bytes", failure.message.len());
}

#[test]
fn a_filter_that_is_no_program() {
    for caller in Caller::all() {
        let folder = Folder::new(caller);
        for (bytes, words) in [(vec![6; 7], "cut off"), (vec![], "cut off"), (vec![0xFF; 8], "cannot install")] {
            let failure = fail(caller, &folder, |config| config.confinement.system_calls = Some(bytes));
            assert!(failure.step == LaunchStep::Privileges && failure.message.contains(words), "{failure:?}");
        }
    }
}
