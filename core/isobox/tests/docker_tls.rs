//! Engines behind TLS, named by variables and by contexts of the `docker` command.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

#[path = "common/dockerd.rs"]
mod dockerd;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use dockerd::{Dockerd, tool};
use elsewhere::Elsewhere;
use isobox::Isobox;
use std::path::{Path, PathBuf};
use std::process::Command;

const TINY: &str = "isobox-test/tiny:1";

/// Makes a sandbox with the engine that the environment names, as every program does, and says what came of it.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a process of the other test"]
async fn client() {
    let Some(home) = elsewhere::home() else { return };
    let made = async {
        let isobox = Isobox::builder().home(&home).open().await?;
        let sandbox = isobox.sandbox().provider("docker").image(TINY).create().await?;
        let said = sandbox.shell("echo $((6 * 7))").await?.stdout.text().trim().to_owned();
        sandbox.delete().await?;
        Ok::<_, isobox::Error>(said)
    };
    elsewhere::say(&made.await.unwrap_or_else(|error| format!("{}: {error}", error.code())));
}

/// What a client with these variables says.
fn asked(variables: &[(&str, &str)]) -> String {
    let home = tempfile::tempdir().unwrap();
    let nothing = ["DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_TLS_VERIFY", "DOCKER_CERT_PATH", "DOCKER_CONFIG"];
    let all: Vec<_> = nothing.iter().map(|name| (*name, "")).chain(variables.iter().copied()).collect();
    Elsewhere::start_with("client", home.path(), &all).hear()
}

/// An authority with an engine's certificate and a client's, as Docker names the files of a client.
fn authority(place: &Path) -> Result<PathBuf, String> {
    std::fs::create_dir(place).unwrap();
    let file = |name: &str| place.join(name).display().to_string();
    let new = ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    let request = |more: &[&str]| tool(&[&new[..], more].concat());
    let days = ["-days", "2"];
    let (ca, ca_key) = (file("ca.pem"), file("ca-key.pem"));
    request(&[&["-x509", "-keyout", &ca_key, "-out", &ca, "-subj", "/CN=authority"], &days[..]].concat())?;
    let extensions = [
        ("server", "server.pem", "server-key.pem", "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth\n"),
        ("client", "cert.pem", "key.pem", "extendedKeyUsage=clientAuth\n"),
    ];
    for (name, certificate, key, extension) in extensions {
        let (wanted, subject, text) = (file("wanted.csr"), format!("/CN={name}"), file("extensions"));
        std::fs::write(&text, extension).unwrap();
        request(&["-keyout", &file(key), "-out", &wanted, "-subj", &subject])?;
        let sign = ["openssl", "x509", "-req", "-in", &wanted, "-CA", &ca, "-CAkey", &ca_key, "-CAcreateserial"];
        tool(&[&sign[..], &["-out", &file(certificate), "-extfile", &text], &days].concat())?;
    }
    Ok(place.to_owned())
}

#[test]
fn an_engine_behind_tls_is_used_when_both_sides_know_each_other() {
    let place = tempfile::tempdir().unwrap();
    let made =
        authority(&place.path().join("ours")).and_then(|ours| Ok((ours, authority(&place.path().join("theirs"))?)));
    let (ours, theirs) = match made {
        Ok(made) => made,
        Err(reason) => return eprintln!("skipped: {reason}"),
    };
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("tcp://127.0.0.1:{port}");
    let file = |name: &str| ours.join(name).display().to_string();
    let options =
        ["-H", &address, "--tlsverify", "--tlscacert", &file("ca.pem"), "--tlscert", &file("server.pem"), "--tlskey"];
    let Some(daemon) = Dockerd::with(&[&options[..], &[&file("server-key.pem")]].concat(), |_| Ok(())) else { return };
    if !daemon.has_image(TINY) {
        return;
    }
    let shown = |certificates: &Path| {
        let certificates = certificates.display().to_string();
        asked(&[("DOCKER_HOST", &address), ("DOCKER_TLS_VERIFY", "1"), ("DOCKER_CERT_PATH", &certificates)])
    };
    assert_eq!(shown(&ours), "42");

    let plain = asked(&[("DOCKER_HOST", &address)]);
    assert!(plain.starts_with("invalid_spec: ") && plain.contains("DOCKER_TLS_VERIFY"), "{plain}");
    // An engine that somebody else vouches for, and a client whom the engine does not know.
    let other = shown(&theirs);
    assert!(other.starts_with("unauthenticated: ") && other.contains("ca.pem"), "{other}");
    std::fs::copy(ours.join("ca.pem"), theirs.join("ca.pem")).unwrap();
    // Whether the engine's word gets through before it closes the connection is a matter of luck each time.
    for _ in 0..5 {
        let stranger = shown(&theirs);
        assert!(stranger.starts_with("unauthenticated: ") && stranger.contains("cert.pem"), "{stranger}");
    }
    let missing = shown(place.path());
    assert!(missing.starts_with("invalid_spec: DOCKER_CERT_PATH") && missing.contains("ca.pem"), "{missing}");

    let configuration = place.path().join("configuration").display().to_string();
    let docker = |arguments: &[&str]| {
        let mut command = Command::new("docker");
        let done =
            command.args(["--config", &configuration]).args(arguments).env_remove("DOCKER_HOST").output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    let (ca, cert, key) = (file("ca.pem"), file("cert.pem"), file("key.pem"));
    docker(&["context", "create", "far", "--docker", &format!("host={address},ca={ca},cert={cert},key={key}")]);
    assert_eq!(asked(&[("DOCKER_CONFIG", &configuration), ("DOCKER_CONTEXT", "far")]), "42");
    docker(&["context", "use", "far"]);
    assert_eq!(asked(&[("DOCKER_CONFIG", &configuration)]), "42");
    let gone = asked(&[("DOCKER_CONFIG", &configuration), ("DOCKER_CONTEXT", "gone")]);
    assert!(gone.starts_with("invalid_spec: DOCKER_CONTEXT names gone"), "{gone}");
}
