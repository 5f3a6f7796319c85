//! A Docker daemon of the test's own, for root where `dockerd` is installed: it shares nothing with one that runs already.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// How long it may take to start, and to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where `cargo xtask docker` keeps the images that it has made, each with its edition in its name.
const IMAGES: &str = "/var/cache/isobox-docker/images";

/// A running daemon. It ends when this is dropped, also by a panic, and when the thread that started it does, also by a
/// kill; with everything that it mounted.
pub struct Dockerd {
    child: Child,
    socket: String,
    options: Vec<String>,
    place: tempfile::TempDir,
}

impl Dockerd {
    /// Starts one, or says why the test is skipped.
    pub fn start() -> Option<Self> {
        Self::with(&[], |_| Ok(()))
    }

    /// The same with more options, and with a directory for everything that it keeps that is prepared first.
    pub fn with(options: &[&str], prepare: impl FnOnce(&Path) -> Result<(), String>) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            eprintln!("skipped: only root can start a Docker daemon");
            return None;
        }
        let place = tempfile::tempdir().unwrap();
        let socket = format!("unix://{}", place.path().join("d.sock").display());
        let root = place.path().join("root");
        fs::create_dir(&root).unwrap();
        if let Err(reason) = prepare(&root) {
            eprintln!("skipped: {reason}");
            unmount_below(place.path());
            return None;
        }
        let options: Vec<_> = options.iter().map(ToString::to_string).collect();
        let child = Self::spawn(&place, &socket, &options);
        let mut daemon = Self { child, socket, options, place };
        match daemon.listens() {
            Ok(()) => Some(daemon),
            Err(last) => {
                eprintln!("skipped: dockerd does not run here: {last}");
                None
            }
        }
    }

    fn spawn(place: &tempfile::TempDir, socket: &str, options: &[String]) -> Child {
        let path = |name: &str| place.path().join(name).display().to_string();
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "TERM", "dockerd", "--bridge=none", "--iptables=false", "--ip6tables=false"]);
        command.args(["--data-root", &path("root"), "--exec-root", &path("exec"), "-H", socket, "-p", &path("pid")]);
        command.args(options).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Kills it. Its containerd dies of that, and is waited for, since the next one would take it for its own; what runs in
    /// containers runs on.
    pub fn kill(&mut self) {
        let number = fs::read_to_string(self.place.path().join("exec/containerd/containerd.pid")).unwrap();
        let containerd = rustix::process::Pid::from_raw(number.trim().parse().unwrap()).unwrap();
        let containerd = rustix::process::pidfd_open(containerd, rustix::process::PidfdFlags::empty()).unwrap();
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let mut ended = [rustix::event::PollFd::new(&containerd, rustix::event::PollFlags::IN)];
        let patience = rustix::event::Timespec::try_from(PATIENCE).unwrap();
        assert_eq!(rustix::event::poll(&mut ended, Some(&patience)).unwrap(), 1, "containerd lives on");
    }

    /// Lets it end as it wants to.
    pub fn stop(&mut self) {
        self.end();
    }

    /// Starts it again, with everything that it had.
    pub fn restart(&mut self) {
        // Of a zombie that nobody reaps it would think that it runs.
        for number in ["pid", "exec/containerd/containerd.pid"] {
            let _ = fs::remove_file(self.place.path().join(number));
        }
        self.child = Self::spawn(&self.place, &self.socket, &self.options);
        self.listens().unwrap();
    }

    /// Waits until it listens; else gives the last thing that it said.
    fn listens(&mut self) -> Result<(), String> {
        let log = BufReader::new(self.child.stderr.take().unwrap());
        let (say, said) = channel();
        // To the end, as it stops when nobody reads.
        std::thread::spawn(move || log.lines().map_while(Result::ok).for_each(|line| drop(say.send(line))));
        let (deadline, mut last) = (Instant::now() + PATIENCE, String::new());
        while let Ok(line) = said.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            if line.contains("API listen on") {
                return Ok(());
            }
            last = line;
        }
        Err(last)
    }

    /// Gives it the small image of the tests' engine, or says why the test is skipped.
    pub fn has_image(&self, name: &str) -> bool {
        let Some(archive) = newest_archive() else {
            eprintln!("skipped: {IMAGES} has no image, run `cargo xtask docker -- true` once");
            return false;
        };
        self.docker(&["import", archive.to_str().unwrap(), name]);
        true
    }

    /// Its address, for `DOCKER_HOST`.
    pub fn socket(&self) -> &str {
        &self.socket
    }

    /// Runs Docker's own client, which must succeed; gives its output.
    pub fn docker(&self, arguments: &[&str]) -> String {
        let done = Command::new("docker").args(["-H", &self.socket]).args(arguments).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    fn end(&mut self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        // It takes its containers and its containerd along when it may end by itself.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let deadline = Instant::now() + PATIENCE;
        while matches!(self.child.try_wait(), Ok(None)) {
            if Instant::now() > deadline {
                // containerd dies with it.
                let _ = self.child.kill();
                let _ = self.child.wait();
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Dockerd {
    fn drop(&mut self) {
        self.end();
        unmount_below(self.place.path());
    }
}

/// The last edition of the small image.
fn newest_archive() -> Option<PathBuf> {
    let edition = |path: &PathBuf| path.file_stem()?.to_str()?.strip_prefix("tiny-")?.parse::<u32>().ok();
    let archives = fs::read_dir(IMAGES).ok()?.flatten().map(|entry| entry.path());
    archives.filter(|path| edition(path).is_some()).max_by_key(edition)
}

/// A directory on a filesystem of its own, which is made in a file beside it and mounted with these options.
pub fn mount_new(filesystem: &str, options: &str, size: &str, at: &Path) -> Result<(), String> {
    let (at, image) = (at.to_str().unwrap(), at.with_extension(filesystem).display().to_string());
    tool(&["truncate", "--size", size, &image])?;
    tool(&[&format!("mkfs.{filesystem}"), "-q", &image])?;
    let mounted = tool(&["mount", "-o", options, &image, at]);
    mounted.map_err(|said| format!("this kernel does not mount {filesystem} with {options}: {said}"))
}

/// Runs a program that must succeed, or gives what it said.
pub fn tool(words: &[&str]) -> Result<(), String> {
    let done = Command::new(words[0]).args(&words[1..]).output().map_err(|error| format!("{}: {error}", words[0]))?;
    let said = || format!("{words:?}: {}", String::from_utf8_lossy(&done.stderr).trim());
    if done.status.success() { Ok(()) } else { Err(said()) }
}

/// Takes away what is still mounted, the last first, so that the directory can be removed.
fn unmount_below(place: &Path) {
    let mounts = fs::read("/proc/self/mountinfo").unwrap_or_default();
    let points = mounts.split(|byte| *byte == b'\n').filter_map(|line| line.split(|byte| *byte == b' ').nth(4));
    let below: Vec<_> = points.filter(|point| point.starts_with(place.as_os_str().as_bytes())).collect();
    for point in below.into_iter().rev() {
        let _ = rustix::mount::unmount(point, rustix::mount::UnmountFlags::DETACH);
    }
}
