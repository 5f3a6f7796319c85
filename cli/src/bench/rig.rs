//! What the measures share: the library, a root filesystem, and who is here to be measured.

use super::Options;
use super::contender::Contender;
use super::deadline::{LONG, PATIENCE, within};
use super::docker_py::DockerPy;
use super::engine_api::EngineApi;
use super::process::{docker_server, here};
use super::row::{Outcome, Row};
use isobox::{Isobox, Isolation, Sandbox, SandboxBuilder};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where a statically linked busybox may be.
const BUSYBOX: [&str; 4] = ["/bin/busybox", "/usr/bin/busybox", "/usr/local/bin/busybox", "/bin/busybox.static"];
/// Programs of the root filesystem, all of them busybox.
const APPLETS: [&str; 8] = ["sh", "true", "echo", "cat", "dd", "sleep", "ls", "rm"];

/// Everything that is needed to measure. What it made goes with it.
pub(super) struct Rig {
    isobox: Isobox,
    scratch: tempfile::TempDir,
    root: Result<PathBuf, String>,
    /// The image that is made of it, which no other run has, and that is removed at the end.
    image: String,
    /// Whether the engine was given it, and if not, why.
    imported: Option<Result<(), String>>,
    engine_api: Option<EngineApi>,
    docker_py: Option<DockerPy>,
    absent: Vec<(Contender, String)>,
    providers: Vec<String>,
}

impl Rig {
    pub(super) async fn new(options: &Options) -> Result<Self, String> {
        let scratch = tempfile::Builder::new().prefix("isobox-bench-").tempdir();
        let scratch = scratch.map_err(|error| format!("cannot make a directory for the measurements: {error}"))?;
        let isobox = Isobox::builder().home(scratch.path().join("home")).open().await;
        let isobox = isobox.map_err(|error| error.to_string())?;
        let root = root(&scratch.path().join("root"));
        let providers = options.provider.clone();
        let mut rig = Self {
            isobox,
            scratch,
            root,
            image: format!("isobox-bench:{}", std::process::id()),
            imported: None,
            engine_api: None,
            docker_py: None,
            absent: Vec::new(),
            providers,
        };
        for contender in rig.wanted() {
            if let Err(reason) = within(LONG, rig.probe(contender)).await {
                rig.absent.push((contender, reason));
            }
        }
        Ok(rig)
    }

    pub(super) fn isobox(&self) -> &Isobox {
        &self.isobox
    }

    /// The image that containers are made from.
    pub(super) fn image(&self) -> &str {
        &self.image
    }

    /// A directory for a measure's own files.
    pub(super) fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    fn wanted(&self) -> Vec<Contender> {
        let wanted = |contender: &Contender| {
            contender
                .provider()
                .is_none_or(|name| self.providers.is_empty() || self.providers.iter().any(|p| p == name))
        };
        Contender::ALL.into_iter().filter(wanted).collect()
    }

    /// Those of `among` that are here, in their order.
    pub(super) fn present(&self, among: &[Contender]) -> Vec<Contender> {
        let absent = |contender: &Contender| self.absent.iter().any(|(one, _)| one == contender);
        self.wanted().into_iter().filter(|contender| among.contains(contender) && !absent(contender)).collect()
    }

    /// A row for each of `among` that is not here.
    pub(super) fn absences(&self, among: &[Contender], group: &'static str, measure: &str) -> Vec<Row> {
        let absent = self.absent.iter().filter(|(contender, _)| among.contains(contender));
        let row = |(contender, reason): &(Contender, String)| {
            Row::new(group, measure, *contender, Outcome::NotHere { reason: reason.clone() })
        };
        absent.map(row).collect()
    }

    /// Makes one of ours.
    pub(super) async fn sandbox(&self, contender: Contender) -> Result<Sandbox, String> {
        let created = async { self.builder(contender)?.create().await.map_err(|error| error.to_string()) };
        within(LONG, created).await
    }

    /// What one of ours is made from.
    pub(super) fn builder(&self, contender: Contender) -> Result<SandboxBuilder, String> {
        let provider = contender.provider().ok_or("it is not one of ours")?;
        let mut builder = self.isobox.sandbox().provider(provider);
        let root = || self.root.as_ref().map_err(String::clone);
        match contender {
            Contender::NamespaceDirectory => builder = builder.rootfs(root()?),
            Contender::NamespaceImage => {
                let archive = self.scratch.path().join("root.tar");
                if !archive.exists() {
                    super::image::pack(root()?, &archive)?;
                }
                builder = builder.archive(archive);
            }
            Contender::DockerProvider => builder = builder.image(self.image.as_str()),
            Contender::DockerGvisor => {
                builder = builder.image(self.image.as_str()).least_isolation(Isolation::Gvisor);
            }
            _ => {}
        }
        Ok(builder)
    }

    /// The command that runs `argv` once in the manner of one that is not ours.
    pub(super) fn once(&self, contender: Contender, argv: &[&str]) -> Command {
        let before: &[&str] = match contender {
            Contender::Bubblewrap => {
                &["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
            }
            Contender::DockerCommand => &["docker", "run", "--rm", "--network", "none", &self.image],
            _ => &[],
        };
        let words: Vec<_> = before.iter().chain(argv).collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command
    }

    /// The command that starts a container and leaves it running.
    pub(super) fn container(&self) -> Command {
        let mut command = Command::new("docker");
        command.args(["run", "--detach", "--network", "none", &self.image, "sleep", "86400"]);
        command
    }

    async fn probe(&mut self, contender: Contender) -> Result<(), String> {
        match contender {
            Contender::Bare => here(Command::new("true")),
            Contender::Bubblewrap => here(self.once(contender, &["true"])),
            Contender::DockerCommand => {
                self.import()?;
                here(self.once(contender, &["true"]))
            }
            Contender::EngineApi => {
                self.import()?;
                self.engine_api = Some(EngineApi::connect().await?);
                Ok(())
            }
            Contender::DockerPy => {
                self.import()?;
                self.docker_py = Some(DockerPy::start()?);
                Ok(())
            }
            Contender::DockerProvider | Contender::DockerGvisor => {
                self.import()?;
                self.sandbox(contender).await?.delete().await.map_err(|error| error.to_string())
            }
            _ => self.sandbox(contender).await?.delete().await.map_err(|error| error.to_string()),
        }
    }

    pub(super) fn engine_api(&self) -> Result<&EngineApi, String> {
        self.engine_api.as_ref().ok_or_else(|| "there is no engine".to_owned())
    }

    pub(super) fn docker_py(&self) -> Result<&DockerPy, String> {
        self.docker_py.as_ref().ok_or_else(|| "there is no docker-py".to_owned())
    }

    /// Gives the engine the image, once.
    fn import(&mut self) -> Result<(), String> {
        if let Some(done) = &self.imported {
            return done.clone();
        }
        let import = || {
            docker_server()?;
            let root = self.root.as_ref().map_err(String::clone)?;
            let mut import = Command::new("sh");
            import.args(["-c", "tar -C \"$1\" -c . | docker import - \"$2\"", "sh"]).arg(root).arg(&self.image);
            here(import)
        };
        self.imported.insert(import()).clone()
    }

    pub(super) async fn close(self) {
        let closed = async {
            self.isobox.close().await;
            Ok(())
        };
        // What it leaves goes with this process.
        let _ = within(PATIENCE, closed).await;
        if self.imported == Some(Ok(())) {
            let _ = here({
                let mut command = Command::new("docker");
                command.args(["rmi", "--force", &self.image]);
                command
            });
        }
    }
}

/// Makes a root filesystem of busybox alone.
fn root(directory: &Path) -> Result<PathBuf, String> {
    let busybox = BUSYBOX.iter().map(Path::new).find(|path| path.exists());
    let busybox = busybox.ok_or("there is no busybox, install busybox-static")?;
    let make = || {
        for name in ["bin", "dev", "etc", "proc", "root", "sys", "tmp"] {
            std::fs::create_dir_all(directory.join(name))?;
        }
        std::fs::copy(busybox, directory.join("bin/busybox"))?;
        APPLETS.iter().try_for_each(|name| symlink("busybox", directory.join("bin").join(name)))
    };
    make().map_err(|error: std::io::Error| format!("cannot make a root filesystem: {error}"))?;
    Ok(directory.to_owned())
}
