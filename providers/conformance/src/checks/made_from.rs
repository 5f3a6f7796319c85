//! What a sandbox is made from, what is put into it, and what limits it.

use crate::check::{Check, Checked, Stop, refused, same};
use crate::lab::{Lab, eventually};
use isobox::contract::DockerfileText;
use isobox::{
    Capability::*, ErrorCode, ImageSource, Mount, NetworkPolicy, PullPolicy, Resources, Sandbox, Secret,
    SecretDelivery, SecretValue, Source, WorkspaceOwnership,
};
use std::time::Duration;

pub(crate) const CHECKS: &[Check] = &[
    check!(source_is_an_image, "A sandbox made from an image has its files, and an image that is not there is image_not_found or cannot be fetched.").shows(&[SourceImage, ImagesPull, ImagesProgress, ImagesManage]).programs(&[]).patient(),
    check!(source_has_a_platform, "An image is fetched for the architecture that is asked for.").shows(&[SourcePlatform]).programs(&[]).patient(),
    check!(source_is_an_archive, "An archive of an image is loaded, and sandboxes are made from it.").shows(&[SourceArchive, ImagesLoad]).programs(&[]).patient(),
    check!(source_is_a_dockerfile, "A sandbox made from a Dockerfile has what its lines have made.").shows(&[SourceDockerfile]).programs(&[]).patient(),
    check!(source_is_a_directory, "A sandbox has a directory of this machine as its root, and never changes it.").shows(&[SourceRootfs]).programs(&[]),
    check!(source_is_this_machine, "A sandbox has the programs of this machine, and none of its users' files.").shows(&[SourceHost]),
    check!(source_is_a_workspace, "A directory that is the workspace is changed in place and stays when the sandbox goes.").shows(&[SourceHostDirectory]).programs(&[]),
    check!(entrypoint_runs, "The entrypoint of an image runs beside commands, and its output is kept.").shows(&[CreateEntrypoint, LogsEntrypoint]).programs(&[]).patient(),
    check!(entrypoint_is_a_process, "The entrypoint of an image is listed like other commands.").shows(&[CreateEntrypoint]).needs(&[ExecAttach]).programs(&[]).patient(),
    check!(making_is_logged, "What happened while a sandbox was made can be read.").shows(&[LogsProvision]).programs(&[]),
    check!(one_shot_shares_the_sandbox, "A one-shot has the workspace of its sandbox, gives its exit code and is gone afterwards.").shows(&[OneShotRun]).programs(&[]).patient(),
    check!(one_shot_is_built, "A one-shot is built from a Dockerfile in the sandbox.").shows(&[OneShotBuild]).needs(&[OneShotRun]).programs(&[]).patient(),
    check!(mounts_are_shared, "A directory of this machine is there, both ways.").shows(&[MountsBind]).programs(&[]),
    check!(mounts_can_be_read_only, "What is mounted to be read cannot be written, also not by a command.").shows(&[MountsReadOnly]).needs(&[MountsBind]),
    check!(mounts_can_be_memory, "A memory filesystem is there with its size and mode.").shows(&[MountsTmpfs]).programs(&["head"]),
    check!(secrets_are_variables, "A secret is in its variable, and in nothing that is remembered.").shows(&[SecretsEnv]),
    check!(secrets_are_files, "A secret is in its file, for its user alone.").shows(&[SecretsFile]).programs(&[]),
    check!(network_none_reaches_nothing, "Without a network nothing of this machine can be reached.").shows(&[NetworkNone]).programs(&["cat"]),
    check!(cpus_are_limited, "A busy command gets no more of the processors than it may.").shows(&[ResourcesCpu, ResourcesCpuFraction]).needs(&[ExecUsage]),
    check!(memory_is_limited, "What takes more memory than it may is killed and says so, and the sandbox goes on.").shows(&[ResourcesMemory, ExecOomDetection]).programs(&["tail", "head"]),
    check!(processes_are_limited, "No more processes are made than may be, and the sandbox goes on.").shows(&[ResourcesPids]),
    check!(disk_is_limited, "A full disk is an error of what writes, and the sandbox goes on.").shows(&[ResourcesDisk]).programs(&["head"]),
    check!(limits_can_be_changed, "A limit that is changed at run time holds at once.").shows(&[LifecycleResize]).needs(&[ResourcesMemory, ExecOomDetection]).programs(&["head", "tail"]),
    check!(use_is_measured, "What a sandbox uses is told, and grows when it is used.").shows(&[ObserveMetrics]),
];

const MIB: u64 = 1 << 20;

fn image(lab: &Lab) -> Checked<String> {
    lab.fixture("image", |fixtures| &fixtures.image)
}

async fn source_is_an_image(lab: &Lab) -> Checked {
    let image = image(lab)?;
    let images = lab.isobox().images().provider(lab.kind());
    let pulled = images.pull(image.as_str()).await?;
    ensure!(pulled.id.is_some(), "what was fetched has no id");
    let sandbox = lab.make(lab.bare().image(image.as_str())).await?;
    same("whether its shell is there", sandbox.files().exists("/bin/sh").await?, true)?;
    let told = lab.raw(&sandbox).await?.describe().await?.image;
    ensure!(told.is_some(), "it does not say what image it is made from");
    ensure!(!images.list().await?.is_empty(), "the image is not listed");
    let missing = ImageSource {
        reference: "conformance-is-not-there:1".to_owned(),
        pull: PullPolicy::Never,
        ..ImageSource::default()
    };
    let made = lab.bare().source(Source::Image(missing)).create().await;
    refused("an image that is not there and must not be fetched", made.map(drop), ErrorCode::ImageNotFound)?;
    Ok(())
}

async fn source_has_a_platform(lab: &Lab) -> Checked {
    let reference = image(lab)?;
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let source = |platform: String| {
        Source::Image(ImageSource { reference: reference.clone(), platform: Some(platform), ..ImageSource::default() })
    };
    let here = lab.make(lab.bare().source(source(format!("linux/{arch}")))).await?;
    same("whether its shell is there", here.files().exists("/bin/sh").await?, true)?;
    let nowhere = lab.bare().source(source("linux/conformance".to_owned())).create().await;
    ensure!(nowhere.is_err(), "an image for an architecture that there is none of was found");
    Ok(())
}

async fn source_is_an_archive(lab: &Lab) -> Checked {
    let archive = lab.fixture("archive", |fixtures| &fixtures.archive)?;
    let sandbox = lab.make(lab.bare().archive(&archive)).await?;
    same("whether its shell is there", sandbox.files().exists("/bin/sh").await?, true)?;
    let loaded = lab.isobox().images().provider(lab.kind()).load(&archive).await?;
    ensure!(!loaded.is_empty(), "nothing was loaded");
    let missing = lab.bare().archive("/conformance/is/not/there.tar").create().await;
    refused("an archive that is not there", missing.map(drop), ErrorCode::InvalidSpec)?;
    Ok(())
}

async fn source_is_a_dockerfile(lab: &Lab) -> Checked {
    let text = lab.fixture("dockerfile", |fixtures| &fixtures.dockerfile)?;
    let source = Source::Dockerfile { content: DockerfileText::from(text.as_str()), context: None };
    let sandbox = lab.make(lab.bare().source(source)).await?;
    same("whether its file is there", sandbox.files().exists("/conformance").await?, true)
}

async fn source_is_a_directory(lab: &Lab) -> Checked {
    use std::os::unix::fs::PermissionsExt;
    let root = lab.home().join(lab.unique());
    std::fs::create_dir_all(root.join("data"))?;
    std::fs::write(root.join("data/file"), "original")?;
    std::fs::set_permissions(&root, std::fs::Permissions::from_mode(0o755))?;
    let sandbox = lab.make(lab.bare().rootfs(&root)).await?;
    same("a file", &sandbox.files().read("/data/file").await?[..], &b"original"[..])?;
    sandbox.files().write("/data/file", "changed").await?;
    same("the file in it", &sandbox.files().read("/data/file").await?[..], &b"changed"[..])?;
    same("the file on this machine", std::fs::read(root.join("data/file"))?, b"original".to_vec())?;
    refused(
        "a directory that is not there",
        lab.bare().rootfs(root.join("none")).create().await.map(drop),
        ErrorCode::InvalidSpec,
    )?;
    Ok(())
}

async fn source_is_this_machine(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.bare().source(Source::Host)).await?;
    same("a command", sandbox.shell("echo here").await?.stdout.text(), "here\n")?;
    let secret = tempfile::Builder::new().prefix("conformance").tempdir()?;
    std::fs::write(secret.path().join("file"), "private")?;
    let seen = sandbox.files().exists(secret.path().join("file").as_path().to_string_lossy().into_owned()).await?;
    same("whether it sees the files of this user", seen, false)
}

async fn source_is_a_workspace(lab: &Lab) -> Checked {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("file"), "before")?;
    let sandbox = lab.make(lab.bare().workspace(directory.path())).await?;
    same("a file", &sandbox.files().read("file").await?[..], &b"before"[..])?;
    sandbox.files().write("file", "after").await?;
    same("whose it is", sandbox.describe().await?.workspace, Some(WorkspaceOwnership::Designated))?;
    sandbox.delete().await?;
    same("the file when the sandbox is gone", std::fs::read(directory.path().join("file"))?, b"after".to_vec())
}

async fn entrypoint_runs(lab: &Lab) -> Checked {
    use tokio::io::AsyncReadExt;
    let image = lab.fixture("entrypoint image", |fixtures| &fixtures.entrypoint_image)?;
    let sandbox = lab.make(lab.bare().image(image).entrypoint()).await?;
    let raw = lab.raw(&sandbox).await?;
    let logs = raw.logs().ok_or_else(|| Stop::Failed("there are no logs".to_owned()))?;
    let mut stream = logs.open(isobox::contract::LogSource::Entrypoint, true).await?;
    let mut seen = Vec::new();
    while !crate::processes::holds(&seen, "entrypoint") {
        ensure!(stream.read_buf(&mut seen).await? > 0, "the log ended before it said so");
    }
    Ok(())
}

async fn entrypoint_is_a_process(lab: &Lab) -> Checked {
    let image = lab.fixture("entrypoint image", |fixtures| &fixtures.entrypoint_image)?;
    let sandbox = lab.make(lab.bare().image(image).entrypoint()).await?;
    let listed = sandbox.processes().await?;
    let first = listed.first().ok_or_else(|| Stop::Failed("no command is listed".to_owned()))?;
    let process = sandbox.process(&first.id).await?;
    crate::processes::read_until(&process, "entrypoint").await.map(drop)
}

async fn making_is_logged(lab: &Lab) -> Checked {
    use tokio::io::AsyncReadExt;
    let sandbox = lab.sandbox().await?;
    let raw = lab.raw(&sandbox).await?;
    let logs = raw.logs().ok_or_else(|| Stop::Failed("there are no logs".to_owned()))?;
    let mut read = Vec::new();
    logs.open(isobox::contract::LogSource::Provision, false).await?.read_to_end(&mut read).await?;
    Ok(())
}

/// A sandbox whose working directory another container can have too: where it has to be mounted for that, it is.
async fn with_workspace(lab: &Lab) -> Checked<(Sandbox, Option<tempfile::TempDir>)> {
    let sandbox = lab.sandbox().await?;
    if sandbox.capabilities().has(OneShotRun) || !sandbox.capabilities().has(MountsBind) {
        return Ok((sandbox, None));
    }
    let shared = tempfile::tempdir()?;
    let mount = Mount::bind(shared.path(), "/workspace");
    let sandbox = lab.make(lab.builder().mount(mount).workdir("/workspace")).await?;
    Ok((sandbox, Some(shared)))
}

async fn one_shot(sandbox: &Sandbox, lab: &Lab, image: isobox::contract::OneShotImage) -> Checked {
    let raw = lab.raw(sandbox).await?;
    let one_shots = raw.one_shots().ok_or_else(|| Stop::Failed("there are no one-shots".to_owned()))?;
    sandbox.files().write("from-sandbox", "shared").await?;
    let mut request = isobox::contract::OneShotRequest::new(image);
    request.entrypoint = Some(b"sh".to_vec());
    request.args = vec![b"-c".to_vec(), b"cat from-sandbox; echo back > from-one-shot; exit 4".to_vec()];
    request.cwd = Some(sandbox.workdir().clone());
    let result = one_shots.spawn(request).await?.wait().await?;
    same("its exit code", result.exit_code, 4)?;
    same("what it read", result.stdout.text(), "shared")?;
    same("what it wrote", &sandbox.files().read("from-one-shot").await?[..], &b"back\n"[..])
}

async fn one_shot_shares_the_sandbox(lab: &Lab) -> Checked {
    let reference = lab.fixture("one-shot image", |fixtures| &fixtures.one_shot_image)?;
    let (sandbox, _shared) = with_workspace(lab).await?;
    one_shot(&sandbox, lab, isobox::contract::OneShotImage::Registry { reference }).await
}

async fn one_shot_is_built(lab: &Lab) -> Checked {
    let reference = lab.fixture("one-shot image", |fixtures| &fixtures.one_shot_image)?;
    let (sandbox, _shared) = with_workspace(lab).await?;
    sandbox.files().write("build/Dockerfile", format!("FROM {reference}\n")).await?;
    let context = sandbox.workdir().join(&"build".into());
    let image = isobox::contract::OneShotImage::Build { context, dockerfile: None, tag: lab.unique(), reuse: false };
    one_shot(&sandbox, lab, image).await
}

async fn mounts_are_shared(lab: &Lab) -> Checked {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("ours"), "from here")?;
    let sandbox = lab.make(lab.builder().mount(Mount::bind(directory.path(), "/mounted"))).await?;
    same("a file of this machine", &sandbox.files().read("/mounted/ours").await?[..], &b"from here"[..])?;
    sandbox.files().write("/mounted/theirs", "from there").await?;
    same("a file of the sandbox", std::fs::read(directory.path().join("theirs"))?, b"from there".to_vec())?;
    use std::os::unix::fs::MetadataExt;
    let (theirs, ours) =
        (std::fs::metadata(directory.path().join("theirs"))?, std::fs::metadata(directory.path().join("ours"))?);
    same("whose it is here", (theirs.uid(), theirs.gid()), (ours.uid(), ours.gid()))?;
    sandbox.delete().await?;
    same("a file when the sandbox is gone", directory.path().join("ours").exists(), true)
}

async fn mounts_can_be_read_only(lab: &Lab) -> Checked {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("ours"), "from here")?;
    let sandbox = lab.make(lab.builder().mount(Mount::bind(directory.path(), "/mounted").read_only())).await?;
    same("a file of this machine", &sandbox.files().read("/mounted/ours").await?[..], &b"from here"[..])?;
    ensure!(sandbox.files().write("/mounted/theirs", "x").await.is_err(), "it was written");
    let result = sandbox.shell("echo x > /mounted/ours").await?;
    same("whether a command can write it", result.success(), false)?;
    same("the file on this machine", std::fs::read(directory.path().join("ours"))?, b"from here".to_vec())
}

async fn mounts_can_be_memory(lab: &Lab) -> Checked {
    let mount = Mount::tmpfs("/memory").size(4 * MIB).mode(0o700);
    let sandbox = lab.make(lab.builder().mount(mount)).await?;
    same("its mode", sandbox.files().stat("/memory").await?.mode.map(|mode| mode & 0o7777), Some(0o700))?;
    sandbox.files().write("/memory/file", "there").await?;
    let result = sandbox.shell("head -c 16777216 /dev/zero > /memory/large").await?;
    same("whether more than its size fits", result.success(), false)
}

fn secret(delivery: SecretDelivery) -> Secret {
    Secret { env: "CONFORMANCE_SECRET".to_owned(), value: SecretValue::new("s3cret-value"), delivery }
}

async fn secrets_are_variables(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().secret(secret(SecretDelivery::Exposed))).await?;
    same("the variable", sandbox.shell("echo $CONFORMANCE_SECRET").await?.stdout.text(), "s3cret-value\n")?;
    let remembered = format!("{:?}", lab.isobox().inspect(sandbox.id().as_str()).await?.spec);
    same("whether it is remembered", remembered.contains("s3cret-value"), false)
}

async fn secrets_are_files(lab: &Lab) -> Checked {
    let path = isobox::SandboxPath::from("/run/conformance-secret");
    let sandbox = lab.make(lab.builder().secret(secret(SecretDelivery::File { path: path.clone() }))).await?;
    same("the file", &sandbox.files().read(&path).await?[..], &b"s3cret-value"[..])?;
    same("its mode", sandbox.files().stat(&path).await?.mode.map(|mode| mode & 0o7777), Some(0o400))
}

async fn network_none_reaches_nothing(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().network(NetworkPolicy::None)).await?;
    let devices = sandbox.exec(["cat", "/proc/net/dev"]).await?;
    let names: Vec<_> = devices
        .stdout
        .text()
        .lines()
        .skip(2)
        .filter_map(|line| Some(line.split_once(':')?.0.trim().to_owned()))
        .collect();
    // Tunnels that the kernel makes in every namespace lead nowhere unless somebody sets them up.
    let routes = sandbox.exec(["cat", "/proc/net/route"]).await?;
    let ways = routes.stdout.text().lines().skip(1).count();
    same("how many ways lead out of it", ways, 0)?;
    ensure!(names.iter().any(|name| name == "lo"), "it has no loopback device: {names:?}");
    ensure!(!names.iter().any(|name| name.starts_with("eth") || name.starts_with("en")), "it has {names:?}");
    Ok(())
}

async fn cpus_are_limited(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().cpus(0.25)).await?;
    let busy = "while :; do :; done & while :; do :; done";
    let result = sandbox.shell(busy).timeout(Duration::from_secs(4)).await?;
    let used = result.cpu_time.unwrap_or_default();
    let most = result.duration.mul_f64(0.25) + Duration::from_millis(400);
    ensure!(
        used > Duration::ZERO && used <= most,
        "it used {used:?} in {:?}, a quarter of a processor was allowed",
        result.duration
    );
    Ok(())
}

/// Holds more than a hundred megabytes: the last line of a stream without lines.
const GREEDY: &str = "head -c 150000000 /dev/zero | tail -n 1 | head -c 1 > /dev/null";

async fn memory_is_limited(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().memory(64 * MIB)).await?;
    let result = sandbox.exec(["tail", "-n", "1", "/dev/zero"]).await?;
    same("whether the memory limit is told", result.oom_killed, true)?;
    same("its signal", result.signal, Some(9))?;
    let error = result.check(None);
    refused("the result as an error", error.map(drop), ErrorCode::OutOfMemory)?;
    let after = sandbox.shell("exit 0").await?;
    same("whether the sandbox goes on", (after.success(), after.oom_killed), (true, false))?;
    same("the limit that is told", sandbox.describe().await?.resources.and_then(|limits| limits.memory), Some(64 * MIB))
}

async fn processes_are_limited(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().pids(40)).await?;
    // A shell that cannot fork ends, so it is one of its own; and nothing but the shell itself can count and end them then.
    let many = "(i=0; while [ $i -lt 100 ]; do sleep 1000 & echo $! >> made; i=$((i+1)); done) 2>/dev/null
        n=0; while read p; do n=$((n+1)); kill -9 $p; done < made; echo $n";
    let result = sandbox.shell(many).timeout(Duration::from_secs(60)).await?;
    let made: usize = result.stdout.text().trim().parse().unwrap_or_default();
    ensure!((1..=40).contains(&made), "{made} processes were made: {}", result.stderr.text());
    // They are gone once their parent has heard of it.
    eventually("the sandbox going on", async || Ok(sandbox.shell("exit 0").await.is_ok_and(|result| result.success())))
        .await
}

async fn disk_is_limited(lab: &Lab) -> Checked {
    let limited = || lab.builder().disk(32 * MIB);
    let mut made = limited().create().await;
    for options in &lab.fixtures().disk_options {
        if made.is_err() {
            made = limited().options(options.clone()).create().await;
        }
    }
    let sandbox = made?;
    lab.keep(&sandbox);
    let result = sandbox.shell("head -c 67108864 /dev/zero > large").await?;
    same("whether more than the limit fits", result.success(), false)?;
    sandbox.files().remove("large").await?;
    sandbox.files().write("small", "fits").await?;
    same("whether the sandbox goes on", sandbox.shell("exit 0").await?.success(), true)
}

async fn limits_can_be_changed(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.builder().memory(512 * MIB)).await?;
    let before = sandbox.shell(GREEDY).await?;
    same("a greedy command before", (before.success(), before.oom_killed), (true, false))?;
    sandbox.resize(Resources { memory: Some(48 * MIB), ..Resources::default() }).await?;
    same(
        "the limit that is told",
        sandbox.describe().await?.resources.and_then(|limits| limits.memory),
        Some(48 * MIB),
    )?;
    same("whether the memory limit is told", sandbox.shell(GREEDY).await?.oom_killed, true)
}

async fn use_is_measured(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let before = sandbox.metrics().await?;
    sandbox.shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done").await?;
    let after = sandbox.metrics().await?;
    ensure!(after.at > before.at, "the time of the measurement stands still");
    let told = after.cpu_time.is_some() || after.memory.is_some() || after.pids.is_some();
    ensure!(told, "nothing is measured at all");
    if let (Some(before), Some(after)) = (before.cpu_time, after.cpu_time) {
        ensure!(after > before, "a busy command used no processor time");
    }
    Ok(())
}
