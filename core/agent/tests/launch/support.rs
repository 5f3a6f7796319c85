//! Spawns the launcher as the library does, and talks to the probe in its sandbox.

use isobox_wire::launch::{
    BindMount, Cgroups, Confinement, Disk, IdRange, LaunchConfig, LaunchFailure, LaunchReport, MAX_LAUNCH_REPORT,
    Network, RootFs, SOCKET_NAME,
};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Longer than anything here takes on a slow machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where the ids of root's sandboxes begin on the host.
pub(crate) const BASE: u32 = 1_879_048_192;

/// The ordinary user that root's tests also run as.
const ORDINARY: u32 = 1_879_000_001;

/// Who calls the launcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    Root,
    Ordinary(u32, u32),
}

impl Caller {
    /// Everybody that these tests can be: root and an ordinary user, or just the latter.
    pub(crate) fn all() -> Vec<Self> {
        match Self::root() {
            Some(root) => vec![root, Self::Ordinary(ORDINARY, ORDINARY)],
            None => vec![Self::ordinary()],
        }
    }

    /// Root, if these tests run as root.
    pub(crate) fn root() -> Option<Self> {
        if rustix::process::geteuid().is_root() {
            return Some(Self::Root);
        }
        eprintln!("skipped for root: the tests do not run as root");
        None
    }

    pub(crate) fn ordinary() -> Self {
        let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
        if user.is_root() { Self::Ordinary(ORDINARY, ORDINARY) } else { Self::Ordinary(user.as_raw(), group.as_raw()) }
    }

    fn maps(self) -> (IdRange, IdRange) {
        let range = |outside, count| IdRange { inside: 0, outside, count };
        match self {
            Self::Root => (range(BASE, 65_536), range(BASE, 65_536)),
            Self::Ordinary(user, group) => (range(user, 1), range(group, 1)),
        }
    }
}

/// A directory of the caller's that is gone afterwards.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(caller: Caller) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("isobox-launch-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let folder = Self(path);
        folder.give("", caller);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        if name.is_empty() { self.0.clone() } else { self.0.join(name) }
    }

    pub(crate) fn directory(&self, name: &str, caller: Caller) -> PathBuf {
        fs::create_dir_all(self.path(name)).unwrap();
        self.give(name, caller);
        self.path(name)
    }

    pub(crate) fn file(&self, name: &str, text: &str, caller: Caller) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.give(name, caller);
        self.path(name)
    }

    fn give(&self, name: &str, caller: Caller) {
        if let (Caller::Ordinary(user, group), true) = (caller, rustix::process::geteuid().is_root()) {
            chown(self.path(name), Some(user), Some(group)).unwrap();
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if fs::remove_dir_all(&self.0).is_err() {
            // A killed keeper leaves the layers, in which overlayfs has a directory without any permission.
            let _ = Command::new("chmod").args(["-R", "u+rwx"]).arg(&self.0).status();
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

/// A config that works for the caller, on the host's files.
pub(crate) fn config(caller: Caller, folder: &Folder) -> LaunchConfig {
    let (uid, gid) = caller.maps();
    LaunchConfig {
        state_dir: bytes(&folder.path("state")),
        root: RootFs::Host,
        mounts: vec![],
        memory: vec![],
        hostname: "box".into(),
        uid_map: vec![uid],
        gid_map: vec![gid],
        id_helpers: None,
        id_mapped: caller == Caller::Root,
        network: Network::None,
        confinement: Confinement::default(),
        keep: false,
        again: false,
        stop_after: vec![],
        shm_size: None,
        pauses: false,
        disk: Disk::Directory,
        tmp_size: None,
        cgroups: Cgroups::default(),
        agent: b"/bin/sh".to_vec(),
    }
}

pub(crate) fn bind(source: &Path, target: &str, writable: bool) -> BindMount {
    BindMount { source: bytes(source), part: Vec::new(), target: target.into(), writable }
}

pub(crate) fn bytes(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}

/// The launcher, before it has answered.
pub(crate) struct Launch {
    pub(crate) keeper: Child,
    pub(crate) stream: UnixStream,
    log: PathBuf,
}

/// Starts the launcher without telling it anything.
pub(crate) fn spawn(caller: Caller, folder: &Folder) -> Launch {
    spawn_behind(&[], caller, folder)
}

/// Starts the launcher through a program that ends up executing the arguments it is given.
pub(crate) fn spawn_behind(front: &[&str], caller: Caller, folder: &Folder) -> Launch {
    spawn_changed(front, caller, folder, |_| ())
}

/// Starts the launcher after something was done to the command.
pub(crate) fn spawn_with(caller: Caller, folder: &Folder, change: impl FnOnce(&mut Command)) -> Launch {
    spawn_changed(&[], caller, folder, change)
}

fn spawn_changed(front: &[&str], caller: Caller, folder: &Folder, change: impl FnOnce(&mut Command)) -> Launch {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let (ours, theirs) = UnixStream::pair().unwrap();
    ours.set_read_timeout(Some(PATIENCE)).unwrap();
    let log = folder.path(&format!("log-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
    let mut words = front.iter().map(Path::new).chain([program(), Path::new("launch")]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).env_clear().stdin(OwnedFd::from(theirs)).stdout(Stdio::null());
    command.stderr(File::create(&log).unwrap());
    if let (Caller::Ordinary(user, group), true, true) =
        (caller, rustix::process::geteuid().is_root(), front.is_empty())
    {
        command.uid(user).gid(group);
    }
    change(&mut command);
    Launch { keeper: command.spawn().unwrap(), stream: ours, log }
}

/// The probe, where also an ordinary user may run it.
fn program() -> &'static Path {
    static COPY: OnceLock<PathBuf> = OnceLock::new();
    let built = Path::new(env!("CARGO_BIN_EXE_launch-probe"));
    let readable = built.ancestors().skip(1).all(|folder| fs::metadata(folder).unwrap().permissions().mode() & 1 == 1);
    if readable {
        return built;
    }
    COPY.get_or_init(|| {
        let copy = std::env::temp_dir().join("isobox-launch-probe");
        fs::copy(built, &copy).unwrap();
        copy
    })
}

impl Launch {
    pub(crate) fn send(&mut self, config: &LaunchConfig) {
        self.stream.write_all(&config.to_frame().unwrap()).unwrap();
    }

    pub(crate) fn report(&mut self) -> LaunchReport {
        let body = receive(&mut self.stream, MAX_LAUNCH_REPORT).unwrap();
        LaunchReport::from_body(&body).unwrap()
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }
}

/// A sandbox with the probe in it. Dropping it ends it.
pub(crate) struct Sandbox {
    launch: Launch,
    pub(crate) pid: u32,
    state: PathBuf,
    ended: bool,
}

/// Makes a sandbox, or says why not after the launcher has ended.
pub(crate) fn launch(caller: Caller, folder: &Folder, config: &LaunchConfig) -> Result<Sandbox, LaunchFailure> {
    finish(spawn(caller, folder), config)
}

/// Sends the config and waits for the answer.
pub(crate) fn finish(mut launch: Launch, config: &LaunchConfig) -> Result<Sandbox, LaunchFailure> {
    launch.send(config);
    match launch.report() {
        LaunchReport::Ready { pid } => {
            let state = PathBuf::from(std::ffi::OsStr::from_bytes(&config.state_dir));
            Ok(Sandbox { launch, pid, state, ended: false })
        }
        LaunchReport::Failed(failure) => {
            launch.keeper.wait().unwrap();
            Err(failure)
        }
    }
}

impl Sandbox {
    /// What a script prints inside.
    pub(crate) fn run(&mut self, script: &str) -> String {
        let stream = &mut self.launch.stream;
        stream.write_all(&u32::try_from(script.len()).unwrap().to_be_bytes()).unwrap();
        stream.write_all(script.as_bytes()).unwrap();
        String::from_utf8_lossy(&receive(stream, 1 << 20).unwrap()).trim_end().to_owned()
    }

    pub(crate) fn keeper(&self) -> u32 {
        self.launch.keeper.id()
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.state.join(SOCKET_NAME)
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.state.clone()
    }

    pub(crate) fn log(&self) -> String {
        self.launch.log()
    }

    /// Sends the keeper a signal and waits for its end.
    pub(crate) fn signal(mut self, signal: rustix::process::Signal) -> ExitStatus {
        let pid = rustix::process::Pid::from_child(&self.launch.keeper);
        rustix::process::kill_process(pid, signal).unwrap();
        self.ended = true;
        self.launch.keeper.wait().unwrap()
    }

    /// Lets the probe exit with 7.
    pub(crate) fn exit(mut self) -> ExitStatus {
        let script = b"@exit 7";
        self.launch.stream.write_all(&[&[0, 0, 0, 7], script.as_slice()].concat()).unwrap();
        self.ended = true;
        self.launch.keeper.wait().unwrap()
    }

    /// Ends the sandbox the ordinary way.
    pub(crate) fn end(self) {
        let status = self.signal(rustix::process::Signal::TERM);
        assert_eq!(status.code(), Some(128 + 9), "{:?}", status.signal());
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if !self.ended {
            let pid = rustix::process::Pid::from_child(&self.launch.keeper);
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
            let _ = self.launch.keeper.wait();
        }
    }
}

fn receive(stream: &mut UnixStream, most: usize) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = u32::from_be_bytes(length) as usize;
    assert!(length <= most, "{length} bytes");
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(body)
}

/// A root file system of nothing but busybox, or a word in the output when there is none.
pub(crate) fn busybox(folder: &Folder, caller: Caller) -> Option<PathBuf> {
    let Some(program) = ["/bin/busybox", "/usr/bin/busybox"].map(Path::new).into_iter().find(|path| path.exists())
    else {
        eprintln!("skipped: there is no busybox for a root file system (install busybox-static)");
        return None;
    };
    let root = folder.directory("rootfs", caller);
    for name in ["bin", "etc", "data"] {
        folder.directory(&format!("rootfs/{name}"), caller);
    }
    fs::copy(program, root.join("bin/busybox")).unwrap();
    folder.give("rootfs/bin/busybox", caller);
    for name in ["sh", "cat", "ls", "stat", "mkdir", "touch", "rm", "chown", "chmod"] {
        std::os::unix::fs::symlink("busybox", root.join("bin").join(name)).unwrap();
    }
    Some(root)
}
