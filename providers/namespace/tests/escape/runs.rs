//! Runs the suite in sandboxes and outside, and holds the results against the promises.

use crate::attempts::all;
use crate::inside::MARK;
use crate::page;
use crate::seen::Seen;
use isobox_contract::{Context, ExecRequest, Mount, MountSource, Provider, SandboxId, SandboxSpec, Source, State};
use isobox_namespace::NamespaceProvider;
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Results by name.
pub(crate) type Results = BTreeMap<String, Seen>;

/// An ordinary user that root's tests also run as.
const ORDINARY: u32 = 1_879_000_001;

/// How the attempts are asked for.
const ARGUMENTS: [&str; 3] = ["--exact", "inside::attempts", "--nocapture"];

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// What an attempt could find outside, all of it ready to be found.
struct Machine {
    directory: tempfile::TempDir,
    victim: Child,
    service: TcpListener,
    name: String,
    _listener: UnixListener,
    memory: i32,
    shared: PathBuf,
}

impl Machine {
    fn prepare() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let open = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        open(directory.path(), 0o755);
        std::fs::write(directory.path().join("secret"), "a secret").unwrap();
        std::fs::create_dir(directory.path().join("mounted")).unwrap();
        open(&directory.path().join("mounted"), 0o755);
        std::fs::write(directory.path().join("mounted/given"), "given").unwrap();
        let program = directory.path().join("mounted/escape");
        std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        open(&program, 0o755);
        let name = format!("isobox-escape-{}", std::process::id());
        let shared = Path::new("/dev/shm").join(&name);
        std::fs::write(&shared, "shared").unwrap();
        let listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        // SAFETY: makes a segment of one page, which is removed with this.
        let memory = unsafe { libc::shmget(libc::IPC_PRIVATE, 4096, libc::IPC_CREAT | 0o600) };
        Self {
            victim: Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn().unwrap(),
            service: TcpListener::bind("127.0.0.1:0").unwrap(),
            _listener: listener,
            directory,
            name,
            memory,
            shared,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// What attempts are told.
    fn told(&self, socket: &Path, mounted: &str) -> Vec<(&'static str, String)> {
        vec![
            ("ESCAPE_RUN", "1".into()),
            ("ESCAPE_PROCESS", self.victim.id().to_string()),
            ("ESCAPE_PORT", self.service.local_addr().unwrap().port().to_string()),
            ("ESCAPE_ABSTRACT", self.name.clone()),
            ("ESCAPE_MEMORY", self.memory.to_string()),
            ("ESCAPE_SHARED", self.shared.display().to_string()),
            ("ESCAPE_FILE", self.path("secret").display().to_string()),
            ("ESCAPE_SOCKET", socket.display().to_string()),
            ("ESCAPE_MOUNTED", format!("{mounted}/given")),
        ]
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
        let _ = std::fs::remove_file(&self.shared);
        // SAFETY: the segment is this one's own.
        unsafe { libc::shmctl(self.memory, libc::IPC_RMID, std::ptr::null_mut()) };
    }
}

fn parse(output: &str) -> Results {
    let lines = output.lines().filter_map(|line| line.split_once(MARK).map(|(_, rest)| rest));
    let results: Results = lines
        .filter_map(|line| line.split_once('\t'))
        .map(|(name, seen)| (name.to_owned(), seen.parse().unwrap()))
        .collect();
    assert_eq!(results.len(), all().len(), "not every attempt was made:\n{output}");
    results
}

/// The results in a sandbox, for its root and, when it has one, for a user.
pub(crate) async fn in_a_sandbox() -> Vec<Results> {
    let machine = Machine::prepare();
    let home = machine.path("home");
    std::fs::create_dir(&home).unwrap();
    let provider = NamespaceProvider::open(&home).unwrap();
    let mut spec = SandboxSpec::new(Source::Host);
    let source = MountSource::Bind { path: machine.path("mounted") };
    spec.mounts.push(Mount { target: "/escape".into(), source, read_only: true });
    let (id, context) = (SandboxId::generate(), Context::quiet());
    let sandbox = provider.create(&id, &spec, &context).await.unwrap();
    let socket = home.join("namespace").join(id.as_str()).join(isobox_wire::launch::SOCKET_NAME);
    assert!(socket.exists(), "{} is where the agent listens", socket.display());
    let mut all = Vec::new();
    for user in if is_root() { &["0", "1000"][..] } else { &["0"][..] } {
        let mut request = ExecRequest::argv(["/escape/escape"].into_iter().chain(ARGUMENTS)).env("TMPDIR", "/tmp");
        for (name, value) in machine.told(&socket, "/escape") {
            request = request.env(name, value);
        }
        if *user != "0" {
            request = request.user(*user);
        }
        let result = sandbox.exec().run(request).await.unwrap();
        assert!(result.success(), "{}{}", result.stdout.text(), result.stderr.text());
        all.push(parse(&result.stdout.text()));
        assert_eq!(sandbox.describe().await.unwrap().state, State::Running, "the agent lives");
    }
    sandbox.delete(&context).await.unwrap();
    all
}

/// The results on the machine itself, as whoever runs this.
fn outside() -> Results {
    let machine = Machine::prepare();
    let socket = machine.path("agent.sock");
    let _listener = UnixListener::bind(&socket).unwrap();
    let mounted = machine.path("mounted");
    let mut command = Command::new(mounted.join("escape"));
    command.args(ARGUMENTS).env("ESCAPE_OUTSIDE", "1").env("TMPDIR", machine.directory.path()).stdin(Stdio::null());
    command.envs(machine.told(&socket, mounted.to_str().unwrap()));
    // What attempts leave behind, such as copies of themselves that wait, ends with their process group.
    command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output_file = machine.path("output");
    command
        .stdout(std::fs::File::create(&output_file).unwrap())
        .stderr(std::fs::File::create(machine.path("errors")).unwrap());
    let mut child = command.spawn().unwrap();
    let status = child.wait().unwrap();
    let _ =
        rustix::process::kill_process_group(rustix::process::Pid::from_child(&child), rustix::process::Signal::KILL);
    let read = |name: &str| std::fs::read_to_string(machine.path(name)).unwrap();
    assert!(status.success(), "{}{}", read("output"), read("errors"));
    parse(&read("output"))
}

/// The results in a sandbox that an ordinary user made, from a copy of this test that runs as one.
fn as_an_ordinary_user() -> Results {
    let place = tempfile::tempdir().unwrap();
    std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let (program, home) = (place.path().join("escape"), place.path().join("home"));
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    std::fs::create_dir(&home).unwrap();
    std::os::unix::fs::chown(&home, Some(ORDINARY), Some(ORDINARY)).unwrap();
    let mut command = Command::new(&program);
    command.args(["--exact", "runs::report", "--nocapture"]).env("ESCAPE_REPORT", "1").env("TMPDIR", &home);
    let output = command.env("HOME", &home).current_dir("/").uid(ORDINARY).gid(ORDINARY).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    parse(&text)
}

/// Not a test by itself: prints the results in a sandbox when it is asked to.
#[tokio::test]
async fn report() {
    if std::env::var_os("ESCAPE_REPORT").is_some() {
        for (name, seen) in &in_a_sandbox().await[0] {
            println!("{MARK}{name}\t{seen}");
        }
    }
}

/// What broke a promise.
fn broken(who: &str, results: &Results) -> Vec<String> {
    let rows = all();
    let broken = rows.iter().filter(|row| !row.promise.contains(&results[row.name]));
    broken.map(|row| format!("{who}: {} ({}): {}", row.name, row.tries, results[row.name])).collect()
}

/// What needs a right over resources, which root lacks in some virtual machines and containers.
const NEED_RESOURCES: [&str; 3] = ["user_namespaces", "locked_memory", "oom_score"];

/// Whether an attempt cannot succeed on this machine at all.
pub(crate) fn is_lacking(name: &str, seen: Seen) -> bool {
    if NEED_RESOURCES.contains(&name) && seen != Seen::Reached {
        let own = rustix::thread::capabilities(None).unwrap().effective;
        return !own.contains(rustix::thread::CapabilitySet::SYS_RESOURCE);
    }

    const LACKING: [i32; 7] = [
        libc::ENOSYS,
        libc::ENOENT,
        libc::ENODEV,
        libc::EOPNOTSUPP,
        libc::EAFNOSUPPORT,
        libc::EPROTONOSUPPORT,
        libc::ESOCKTNOSUPPORT,
    ];
    matches!(seen, Seen::Refused(error) if LACKING.contains(&error)) || matches!(seen, Seen::Killed(libc::SIGSEGV))
}

#[tokio::test]
async fn every_attempt_fails_as_promised_in_a_sandbox() {
    let names = ["root inside", "user inside"];
    let problems: Vec<String> =
        in_a_sandbox().await.iter().zip(names).flat_map(|(results, who)| broken(who, results)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(all().len() >= 60, "{}", all().len());
}

#[test]
fn every_attempt_fails_as_promised_for_an_ordinary_user() {
    if !is_root() {
        return eprintln!("skipped: the other test is this one already");
    }
    let problems = broken("ordinary user", &as_an_ordinary_user());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_attempt_succeeds_with_nothing_in_the_way() {
    if !is_root() {
        return eprintln!("skipped: only root has nothing in the way");
    }
    let results = outside();
    let failed: Vec<String> = results
        .iter()
        .filter(|(name, seen)| **seen != Seen::Reached && !is_lacking(name, **seen))
        .map(|(name, seen)| format!("{name}: {seen}"))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    let lacking: Vec<&String> =
        results.iter().filter(|(_, seen)| **seen != Seen::Reached).map(|(name, _)| name).collect();
    println!("this machine lacks what these are after: {lacking:?}");
    assert!(results.len() - lacking.len() >= 60, "{lacking:?}");
}

/// An image may name any working directory, also one that is a descriptor of whoever starts the command.
#[tokio::test]
async fn a_working_directory_that_is_a_descriptor_does_not_lead_out() {
    let machine = Machine::prepare();
    let home = machine.path("home");
    std::fs::create_dir(&home).unwrap();
    let provider = NamespaceProvider::open(&home).unwrap();
    let (id, context) = (SandboxId::generate(), Context::quiet());
    let sandbox = provider.create(&id, &SandboxSpec::new(Source::Host), &context).await.unwrap();
    let secret = machine.path("secret").display().to_string();
    let up = format!("cat {0}{secret} ./{0}{secret} && echo REACHED; cat /proc/self/cwd/{0}{secret}", "../".repeat(16));
    for descriptor in 0..24 {
        for process in ["self", "1", "thread-self"] {
            let cwd = format!("/proc/{process}/fd/{descriptor}");
            let request = ExecRequest::shell(up.as_str()).cwd(cwd.as_str());
            // What is no directory, or is closed, is an error before anything runs.
            if let Ok(result) = sandbox.exec().run(request).await {
                let text = format!("{}{}", result.stdout.text(), result.stderr.text());
                assert!(!text.contains("REACHED") && !text.contains("a secret"), "{cwd}: {text}");
            }
        }
    }
    sandbox.delete(&context).await.unwrap();
}

#[tokio::test]
async fn the_page_is_written_from_a_run() {
    if std::env::var_os("ISOBOX_BLESS").is_none() {
        return;
    }
    assert!(is_root(), "only root can run the suite in all ways");
    let mut columns = in_a_sandbox().await;
    columns.push(as_an_ordinary_user());
    columns.push(outside());
    page::write(&columns);
}
