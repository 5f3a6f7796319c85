//! Starting an engine, and taking it away.

use super::{PLACE, images, trixie};
use crate::ordinary;
use crate::steps::{output, succeeds};
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long it may take to start, and to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Which engine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    /// That of Debian 12, 20.10.
    Installed,
    /// That of Debian 13, 26.
    Newer,
    /// Podman of Debian 12, 4.3, which speaks the same API.
    Podman,
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Installed => "20.10",
            Self::Newer => "26",
            Self::Podman => "podman",
        })
    }
}

impl Version {
    /// Its own bridge: two engines that share one give out the same addresses. Podman makes one where it needs one.
    fn bridge(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Installed => Some(("isobox-test20", "172.30.20.1/24")),
            Self::Newer => Some(("isobox-test26", "172.30.26.1/24")),
            Self::Podman => None,
        }
    }
}

/// A running engine with the test images in it. It ends when this is dropped, with everything that it keeps.
pub(crate) struct Engine {
    child: Child,
    version: Version,
    place: PathBuf,
    /// One of a version at a time: they would share their place and their bridge.
    _turn: File,
}

impl Engine {
    /// Starts one, with gVisor among its runtimes when that is asked for.
    pub(crate) fn start(version: Version, runsc: bool) -> Result<Self, String> {
        let place = Path::new(PLACE).join(version.to_string());
        let failed = |error: io::Error| format!("cannot make {}: {error}", place.display());
        fs::create_dir_all(PLACE).map_err(failed)?;
        let turn = turn(version).map_err(failed)?;
        clear(&place).map_err(failed)?;
        fs::create_dir_all(&place).map_err(failed)?;
        let log = File::create(place.join("log")).map_err(failed)?;
        let mut command = match version {
            Version::Podman => podman_service(&place)?,
            _ => dockerd(version, runsc, &place)?,
        };
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn();
        let child = child.map_err(|error| format!("cannot start the engine: {error}; run `cargo xtask setup`"))?;
        let mut engine = Self { child, version, place, _turn: turn };
        engine.wait_until_it_answers()?;
        images::import(&engine)?;
        eprintln!("xtask: the engine {version} is at {}", engine.address());
        Ok(engine)
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> String {
        format!("unix://{}", self.place.join("docker.sock").display())
    }

    /// What it is, with its version.
    pub(crate) fn name(&self) -> String {
        let kind = if self.version == Version::Podman { "Podman" } else { "Docker" };
        let told = output(self.client().args(["version", "--format", "{{.Server.Version}}"]));
        let told = told.ok().map(|told| String::from_utf8_lossy(&told).trim().to_owned());
        // As its package has it: 20.10.24+dfsg1.
        let number = told.as_deref().and_then(|told| told.split('+').next()).filter(|number| !number.is_empty());
        format!("{kind} {}", number.map_or_else(|| self.version.to_string(), str::to_owned))
    }

    /// Docker's client, for this engine.
    pub(super) fn client(&self) -> Command {
        let mut client = Command::new("docker");
        client.arg("--host").arg(self.address());
        client
    }

    fn wait_until_it_answers(&mut self) -> Result<(), String> {
        let address = self.address();
        let deadline = Instant::now() + PATIENCE;
        while !succeeds("docker", &["--host", &address, "version"]) {
            let ended = !matches!(self.child.try_wait(), Ok(None));
            if ended || Instant::now() > deadline {
                let log = fs::read_to_string(self.place.join("log")).unwrap_or_default();
                let last: Vec<&str> = log.lines().rev().take(5).collect();
                return Err(format!("the engine does not run here, its log ends with:\n{}", last.join("\n")));
            }
            sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if self.version == Version::Podman {
            // Its containers do not end with it.
            let _ = podman(&self.place).args(["rm", "--all", "--force"]).stdout(Stdio::null()).status();
        }
        // Docker takes its containers and its containerd along when it may end by itself.
        let asked = Command::new("kill").arg(self.child.id().to_string()).status();
        let deadline = Instant::now() + PATIENCE;
        while matches!(self.child.try_wait(), Ok(None)) {
            if asked.is_err() || Instant::now() > deadline {
                let _ = self.child.kill();
                let _ = self.child.wait();
            }
            sleep(Duration::from_millis(20));
        }
        let cleared = clear(&self.place);
        cleared.unwrap_or_else(|error| eprintln!("xtask: {} stays: {error}", self.place.display()));
        if let Some((bridge, _)) = self.version.bridge() {
            let _ = Command::new("ip").args(["link", "delete", bridge]).status();
        }
    }
}

/// Waits until nobody has an engine of this version, and has others wait for as long as the file is open.
fn turn(version: Version) -> io::Result<File> {
    let file = File::create(Path::new(PLACE).join(format!("{version}.lock")))?;
    if file.try_lock().is_err() {
        eprintln!("xtask: waiting for the engine {version} that somebody else has started");
        file.lock()?;
    }
    Ok(file)
}

/// A program that ends with whoever started it, also by a kill.
fn mortal(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "TERM"]).arg(program);
    command
}

fn dockerd(version: Version, runsc: bool, place: &Path) -> Result<Command, String> {
    let (bridge, address) = version.bridge().unwrap_or(("none", ""));
    add_bridge(bridge, address)?;
    let file = place.join("daemon.json");
    write(&file, &config(runsc, bridge, place)?)?;
    let mut command = match version {
        Version::Newer => mortal(trixie::program("docker.io", "usr/sbin/dockerd")?),
        _ => mortal("dockerd"),
    };
    command.arg("--config-file").arg(file);
    Ok(command)
}

fn podman_service(place: &Path) -> Result<Command, String> {
    // Its own limits are above what a machine that is a sandbox itself may give.
    let limits = r#"default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]"#;
    let config = format!("[containers]\n{limits}\n[engine]\ncgroup_manager = \"cgroupfs\"\n");
    write(&place.join("containers.conf"), &config)?;
    // As Docker takes every registry of the loopback.
    let registries = "[[registry]]\nlocation = \"127.0.0.1\"\ninsecure = true\n";
    write(&place.join("registries.conf"), registries)?;
    let mut command = podman(place);
    command.args(["system", "service", "--time=0"]).arg(format!("unix://{}", place.join("docker.sock").display()));
    Ok(command)
}

/// With everything of its own, so that it does not meet one that the machine has.
fn podman(place: &Path) -> Command {
    let mut command = mortal("podman");
    // What looks after its containers leaves files where it was started.
    command.current_dir(place);
    for (option, name) in [("--root", "root"), ("--runroot", "run"), ("--tmpdir", "tmp")] {
        command.arg(option).arg(place.join(name));
    }
    command.env("CONTAINERS_CONF", place.join("containers.conf"));
    command.env("CONTAINERS_REGISTRIES_CONF", place.join("registries.conf"));
    command
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

fn config(runsc: bool, bridge: &str, place: &Path) -> Result<String, String> {
    let path = |name: &str| place.join(name).display().to_string();
    let runtimes = match runsc {
        true => {
            let program = trixie::program("runsc", "usr/bin/runsc")?;
            // Its own network does not come up in a machine that is a sandbox itself.
            let arguments = r#""--platform=systrap", "--network=none""#;
            let runtime = |name: &str, more: &str| {
                format!(r#""{name}": {{"path": "{}", "runtimeArgs": [{arguments}{more}]}}"#, program.display())
            };
            format!("{{{}, {}}}", runtime("runsc", ""), runtime("runsc-keeping", r#", "--overlay2=none""#))
        }
        false => "{}".to_owned(),
    };
    Ok(format!(
        r#"{{"data-root": "{}", "exec-root": "{}", "pidfile": "{}", "hosts": ["unix://{}"], "group": "{}", "bridge": "{}", "runtimes": {runtimes}}}"#,
        path("root"),
        path("exec"),
        path("pid"),
        path("docker.sock"),
        // Whoever of the tests runs as an ordinary user may use it, as members of the group docker may.
        ordinary::group()?,
        bridge,
    ))
}

fn add_bridge(name: &str, address: &str) -> Result<(), String> {
    if !succeeds("ip", &["link", "show", name]) {
        output(Command::new("ip").args(["link", "add", name, "type", "bridge"]))?;
        output(Command::new("ip").args(["address", "add", address, "dev", name]))?;
    }
    output(Command::new("ip").args(["link", "set", name, "up"])).map(drop)
}

/// Removes a directory and what is still mounted in it.
fn clear(place: &Path) -> io::Result<()> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let points = mounts.lines().filter_map(|line| line.split(' ').nth(4));
    let below: Vec<&str> = points.filter(|point| Path::new(point).starts_with(place)).collect();
    for point in below.into_iter().rev() {
        let _ = Command::new("umount").args(["--lazy", point]).status();
    }
    match fs::remove_dir_all(place) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
