//! Each way of telling the kernel about layers, in a mount namespace of the thread's own.

use super::*;
use rustix::mount::{MountPropagationFlags, mount_change};
use rustix::thread::UnshareFlags;
use std::fs;
use std::path::Path;

type Way = fn(&[Below<'_>], &CStr, &CStr) -> Result<Tree, Refusal>;

/// Runs as root in a directory of its own, with mounts of its own, in a thread that ends with the test.
fn apart(test: impl FnOnce(&Path) + Send + 'static) {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: mounting without a user namespace needs root");
        return;
    }
    let folder =
        std::env::temp_dir().join(format!("isobox-overlay-{}-{:?}", std::process::id(), std::thread::current().id()));
    fs::create_dir(&folder).unwrap();
    let inner = folder.clone();
    let done = std::thread::spawn(move || {
        #[allow(unsafe_code, reason = "rustix marks all of unshare unsafe for the sake of CLONE_FILES")]
        // SAFETY: descriptors stay shared; the thread gets a working directory and mounts of its own.
        unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWNS | UnshareFlags::FS) }.unwrap();
        mount_change(c"/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC).unwrap();
        std::env::set_current_dir(&inner).unwrap();
        test(&inner);
    });
    let done = done.join();
    fs::remove_dir_all(&folder).unwrap();
    done.unwrap();
}

/// Layers that each have a file of their own, and one that the first has to win.
fn layers(folder: &Path, count: usize) -> OwnedFd {
    for index in 0..count {
        // Names that would need quoting in an option, of a length that adds up.
        let layer = folder.join("all").join(name(index));
        fs::create_dir_all(&layer).unwrap();
        fs::write(layer.join(format!("own-{index}")), "").unwrap();
        fs::write(layer.join("shared"), index.to_string()).unwrap();
    }
    openat(CWD, folder.join("all"), OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap()
}

fn name(index: usize) -> String {
    format!("{index}:,\\ {}", "x".repeat(64))
}

fn check(way: Way, count: usize) {
    apart(move |folder| {
        let parent = layers(folder, count);
        let name = |index| CString::new(name(index)).unwrap();
        let below: Vec<_> = (0..count).map(|index| Below::named(parent.as_fd(), &name(index))).collect();
        make_layer(c"upper", c"work").unwrap();
        let tree = way(&below, c"upper", c"work").unwrap();
        fs::create_dir("root").unwrap();
        tree.attach(CWD, c"root").unwrap();
        assert_eq!(fs::read_to_string("root/shared").unwrap(), "0");
        for index in 0..count {
            assert!(Path::new("root").join(format!("own-{index}")).exists(), "{index}");
        }
        fs::write("root/shared", "changed").unwrap();
        assert_eq!(fs::read_to_string("upper/shared").unwrap(), "changed");
        drop(tree);
        unmount(c"root", UnmountFlags::DETACH).unwrap();
        // And the same layer once more, as after a stop.
        make_layer(c"upper", c"work").unwrap();
        way(&below, c"upper", c"work").unwrap().attach(CWD, c"root").unwrap();
        assert_eq!(fs::read_to_string("root/shared").unwrap(), "changed");
        unmount(c"root", UnmountFlags::DETACH).unwrap();
    });
}

#[test]
fn a_few_layers_go_into_one_option() {
    check(in_one, 1);
    check(in_one, FEW);
}

#[test]
fn many_layers_go_in_whichever_way_this_kernel_takes() {
    check(try_mount, 127);
}

#[test]
fn many_layers_go_through_links_where_they_cannot_go_one_by_one() {
    check(by_links, 127);
}

#[test]
fn a_layer_that_is_there_twice_is_told() {
    apart(|folder| {
        let parent = layers(folder, 1);
        let below = Below::named(parent.as_fd(), &CString::new(name(0)).unwrap());
        make_layer(c"upper", c"work").unwrap();
        let failure = mount(&[below.clone(), below], c"upper", c"work").err().unwrap();
        assert!(failure.hint.unwrap().contains("twice"), "{}", failure.message);
    });
}
