//! What is put into a sandbox and what is kept from it: mounts, secrets, the network.

use crate::check::{Check, Checked, same};
use crate::lab::Lab;
use isobox::{Capability::*, Mount, NetworkPolicy, Secret, SecretDelivery, SecretValue};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream, UdpSocket};

const MIB: u64 = 1 << 20;

pub(crate) const CHECKS: &[Check] = &[
    check!(mounts_are_shared, "A directory of this machine is there, both ways.").shows(&[MountsBind]).programs(&[]),
    check!(mounts_can_be_read_only, "What is mounted to be read cannot be written, also not by a command.")
        .shows(&[MountsReadOnly])
        .needs(&[MountsBind]),
    check!(mounts_can_be_memory, "A memory filesystem is there with its size and mode.")
        .shows(&[MountsTmpfs])
        .programs(&["head"]),
    check!(secrets_are_variables, "A secret is in its variable, and in nothing that is remembered.")
        .shows(&[SecretsEnv]),
    check!(secrets_are_files, "A secret is in its file, for its user alone.").shows(&[SecretsFile]).programs(&[]),
    check!(
        network_none_reaches_nothing,
        "Without a network nobody who listens on this machine is reached, by none of its addresses, and no way leads out."
    )
    .shows(&[NetworkNone])
    .programs(&["cat", "bash"]),
];

async fn mounts_are_shared(lab: &Lab) -> Checked {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("ours"), "from here")?;
    let sandbox = lab.make(lab.builder().mount(Mount::bind(directory.path(), "/mounted"))).await?;
    same("a file of this machine", &sandbox.files().read("/mounted/ours").await?[..], &b"from here"[..])?;
    sandbox.files().write("/mounted/theirs", "from there").await?;
    same("a file of the sandbox", std::fs::read(directory.path().join("theirs"))?, b"from there".to_vec())?;
    use std::os::unix::fs::MetadataExt;
    let outside = |name: &str| -> Checked<(u32, u32)> {
        let found = std::fs::metadata(directory.path().join(name))?;
        Ok((found.uid(), found.gid()))
    };
    let inside = sandbox.files().stat("/mounted/theirs").await?;
    let (theirs, ours) = (outside("theirs")?, outside("ours")?);
    // What makes sandboxes in the caller's own name keeps to that; an engine that is somebody else's may give it to the number that
    // the sandbox's user has.
    let numbered = (inside.uid, inside.gid) == (Some(theirs.0), Some(theirs.1));
    let others = !["host", "namespace"].contains(&lab.kind());
    ensure!(
        theirs == ours || (others && numbered),
        "it belongs to {theirs:?} here, neither to {ours:?} nor to who wrote it"
    );
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
    let listener = TcpListener::bind("0.0.0.0:0")?;
    let port = listener.local_addr()?.port();
    for address in addresses_of_this_machine() {
        // Whoever is on this machine is let in, so that it is the sandbox that keeps others from it.
        drop(TcpStream::connect((address, port))?);
        listener.accept()?;
        let reach = format!("exec 3<>/dev/tcp/{address}/{port}");
        let tried = sandbox.exec(["bash", "-c", &reach]).await?;
        ensure!(!tried.success(), "a command connected to port {port} of {address}");
    }
    // What is not refused is not always told to who asks.
    listener.set_nonblocking(true)?;
    ensure!(listener.accept().is_err(), "somebody has connected to this machine");
    Ok(())
}

/// The loopback's, and the one that others use, where there is one. Nothing is sent to find it out.
fn addresses_of_this_machine() -> Vec<IpAddr> {
    let outward = UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        // An address of nobody, which is documented as such.
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
    [loopback].into_iter().chain(outward.ok().map(|address| address.ip()).filter(|ip| *ip != loopback)).collect()
}
