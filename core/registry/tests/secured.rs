//! Debian's registry behind a password, behind a token server, and behind TLS.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a test may panic and talk"
)]

mod common;

use common::hostile::{Hostile, Reply};
use common::image::{Image, host, noise};
use common::real::{Push, RealRegistry};
use common::{client, config, reference};
use data_encoding::{BASE64, BASE64URL_NOPAD};
use isobox_contract::{Detail, Error, ErrorCode, RegistryAuth};
use isobox_registry::{Pull, RegistryConfig};
use serde_json::json;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const SECRET: &str = "correct horse";

fn auth(password: &str) -> RegistryAuth {
    RegistryAuth { username: "me".into(), password: password.into(), server: None }
}

fn basic() -> String {
    format!("Basic {}", BASE64.encode(format!("me:{SECRET}").as_bytes()))
}

/// Runs a program to its end.
fn run(program: &str, arguments: &[&str], directory: &Path) -> Vec<u8> {
    let output = Command::new(program).args(arguments).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// A certificate for 127.0.0.1 and its key, in `cert.pem` and `key.pem`.
fn certified(directory: &Path) {
    let config = "[req]\ndistinguished_name = name\nx509_extensions = extensions\nprompt = no\n\
                  [name]\nCN = 127.0.0.1\n\
                  [extensions]\nbasicConstraints = critical,CA:FALSE\nsubjectAltName = IP:127.0.0.1\n";
    std::fs::write(directory.join("req.cnf"), config).unwrap();
    let arguments = "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -config req.cnf";
    run("openssl", &arguments.split_whitespace().collect::<Vec<_>>(), directory);
}

async fn everything(pull: &Pull, image: &Image) {
    let resolved = pull.resolve(None, None).await.unwrap();
    assert_eq!(resolved.digest, image.digest());
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("layer");
    pull.fetch(&resolved.manifest.layers[0].blob, &file, &|_| {}, None).await.unwrap();
    assert_eq!(std::fs::read(file).unwrap(), image.layers[0]);
}

async fn refused(pull: &Pull) -> Error {
    pull.resolve(None, None).await.map(|resolved| resolved.digest).unwrap_err()
}

#[tokio::test]
async fn a_registry_with_passwords() {
    let directory = tempfile::tempdir().unwrap();
    let Ok(made) = Command::new("htpasswd").args(["-Bbn", "me", SECRET]).output() else {
        println!("skipped: htpasswd is not installed, run `cargo xtask setup`");
        return;
    };
    std::fs::write(directory.path().join("htpasswd"), made.stdout).unwrap();
    let file = directory.path().join("htpasswd");
    let extra = format!("auth:\n  htpasswd:\n    realm: here\n    path: {}", file.display());
    let Some(registry) = RealRegistry::start_in(directory, "", &extra) else { return };
    let image = Image::oci(&host(), &[&noise(100_000)]);
    registry.push(&Push { authorization: Some(basic()), ..Push::to("team/base") }, &image, "v1").await;
    let name = reference(&format!("{}/team/base:v1", registry.address));
    everything(&client(config()).pull(&name, Some(&auth(SECRET))).unwrap(), &image).await;

    let wrong = refused(&client(config()).pull(&name, Some(&auth("wrong"))).unwrap()).await;
    assert_eq!(wrong.code(), ErrorCode::Unauthenticated);
    assert!(wrong.message().contains("does not take the credentials"), "{wrong}");
    let nobody = refused(&client(config()).pull(&name, None).unwrap()).await;
    assert_eq!(nobody.code(), ErrorCode::Unauthenticated);
    assert!(nobody.message().contains(&format!("docker login {}", registry.address)), "{nobody}");

    // As `docker login` leaves it.
    let docker = tempfile::tempdir().unwrap();
    let text = json!({"auths": {&registry.address: {"auth": BASE64.encode(format!("me:{SECRET}").as_bytes())}}});
    std::fs::write(docker.path().join("config.json"), text.to_string()).unwrap();
    let logged_in = RegistryConfig { docker_config: Some(docker.path().to_owned()), ..config() };
    everything(&client(logged_in).pull(&name, None).unwrap(), &image).await;
}

/// A token that the registry believes: signed with the key whose certificate it was given.
fn token(directory: &Path, repository: &str, actions: &[&str]) -> String {
    let certificate = std::fs::read_to_string(directory.join("cert.pem")).unwrap();
    let der: String = certificate.lines().filter(|line| !line.starts_with("-----")).collect();
    let header = json!({"typ": "JWT", "alg": "RS256", "x5c": [der]});
    let claims = json!({
        "iss": "the issuer", "sub": "me", "aud": "the registry", "exp": 4_000_000_000_u64, "nbf": 1, "iat": 1, "jti": "1",
        "access": [{"type": "repository", "name": repository, "actions": actions}],
    });
    let encode = |value: &serde_json::Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let signed = format!("{}.{}", encode(&header), encode(&claims));
    std::fs::write(directory.join("signed"), &signed).unwrap();
    let signature = run("openssl", &["dgst", "-sha256", "-sign", "key.pem", "signed"], directory);
    format!("{signed}.{}", BASE64URL_NOPAD.encode(&signature))
}

#[tokio::test]
async fn a_registry_with_a_token_server() {
    let keys: TempDir = tempfile::tempdir().unwrap();
    certified(keys.path());
    let pulling = token(keys.path(), "team/base", &["pull"]);
    let tokens = Hostile::start(move |seen| {
        let fits =
            seen.path.contains("scope=repository%3Ateam%2Fbase%3Apull") && seen.path.contains("service=the+registry");
        match seen.header("authorization") == Some(&basic()) && fits {
            true => Reply::ok(json!({"token": pulling}).to_string()),
            false => Reply::status(401, r#"{"errors":[{"code":"UNAUTHORIZED"}]}"#),
        }
    })
    .await;
    let extra = format!(
        "auth:\n  token:\n    realm: http://{}/token\n    service: the registry\n    issuer: the issuer\n    rootcertbundle: {}",
        tokens.address,
        keys.path().join("cert.pem").display()
    );
    let Some(registry) = RealRegistry::start(&extra) else { return };
    let image = Image::oci(&host(), &[&noise(100_000)]);
    let pushing = format!("Bearer {}", token(keys.path(), "team/base", &["pull", "push"]));
    registry.push(&Push { authorization: Some(pushing), ..Push::to("team/base") }, &image, "v1").await;
    let name = reference(&format!("{}/team/base:v1", registry.address));
    everything(&client(config()).pull(&name, Some(&auth(SECRET))).unwrap(), &image).await;
    assert_eq!(tokens.seen().len(), 1);
    let wrong = refused(&client(config()).pull(&name, Some(&auth("wrong"))).unwrap()).await;
    assert_eq!(wrong.code(), ErrorCode::Unauthenticated);
}

#[tokio::test]
async fn a_registry_with_tls() {
    let keys = tempfile::tempdir().unwrap();
    certified(keys.path());
    let certificate = keys.path().join("cert.pem");
    let http = format!(
        "  tls:\n    certificate: {}\n    key: {}",
        certificate.display(),
        keys.path().join("key.pem").display()
    );
    let Some(registry) = RealRegistry::start_in(tempfile::tempdir().unwrap(), &http, "") else { return };
    let image = Image::oci(&host(), &[&noise(100_000)]);
    registry.push(&Push { authority: Some(&certificate), ..Push::to("team/base") }, &image, "v1").await;
    let name = reference(&format!("{}/team/base:v1", registry.address));

    // On the loopback it is found out that it wants TLS.
    let trusting = RegistryConfig { ca_file: Some(certificate.clone()), ..config() };
    everything(&client(trusting.clone()).pull(&name, None).unwrap(), &image).await;
    let error = refused(&client(config()).pull(&name, None).unwrap()).await;
    assert_eq!((error.code(), error.is_retryable()), (ErrorCode::ImagePullFailed, false));
    assert!(matches!(error.detail(), Detail::Provider { code: Some(code), .. } if code == "certificate"), "{error:?}");
    assert!(error.message().contains("ISOBOX_REGISTRY_CA_FILE"), "{error}");

    // A mirror that says how it is spoken to.
    let mut mirrored = trusting;
    mirrored.mirrors.insert("registry.invalid".into(), vec![format!("https://{}", registry.address)]);
    everything(&client(mirrored).pull(&reference("registry.invalid/team/base:v1"), None).unwrap(), &image).await;

    // What is listed as insecure gets no TLS.
    let mut insecure = config();
    insecure.insecure.insert(registry.address.clone());
    let error = refused(&client(insecure).pull(&name, None).unwrap()).await;
    assert_eq!((error.code(), error.is_retryable()), (ErrorCode::ImagePullFailed, false));

    for (text, what) in [("nothing", "holds no certificates"), ("", "holds no certificates")] {
        let file = keys.path().join("bad.pem");
        std::fs::write(&file, text).unwrap();
        let bad = RegistryConfig { ca_file: Some(file), ..config() };
        let error = refused(&client(bad).pull(&name, None).unwrap()).await;
        assert!(error.code() == ErrorCode::InvalidSpec && error.message().contains(what), "{error}");
    }
}

#[tokio::test]
async fn a_redirect_from_tls_to_plain_http_is_not_followed() {
    // `openssl s_server -HTTP` sends a file as it is, with the head of the answer in it.
    let keys = tempfile::tempdir().unwrap();
    certified(keys.path());
    let plain = Hostile::start(|_| Reply::ok("")).await;
    let answer = format!("HTTP/1.0 307 Elsewhere\r\nlocation: http://{}/x\r\ncontent-length: 0\r\n\r\n", plain.address);
    let path = keys.path().join("v2/a/manifests");
    std::fs::create_dir_all(&path).unwrap();
    std::fs::write(path.join("latest"), answer).unwrap();
    let arguments = ["s_server", "-HTTP", "-accept", "127.0.0.1:0", "-cert", "cert.pem", "-key", "key.pem"];
    let mut server = Command::new("openssl");
    server.args(arguments).current_dir(keys.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = server.spawn().unwrap();
    let mut log = std::io::BufReader::new(server.stdout.take().unwrap());
    let port = accepting(&mut log).expect("s_server says where it listens");
    let trusting = RegistryConfig { ca_file: Some(keys.path().join("cert.pem")), attempts: 1, ..config() };
    let name = reference(&format!("127.0.0.1:{port}/a"));
    let error = refused(&client(trusting).pull(&name, None).unwrap()).await;
    let _ = server.kill();
    let _ = server.wait();
    assert!(matches!(error.detail(), Detail::Provider { code: Some(code), .. } if code == "redirect"), "{error:?}");
    assert!(plain.seen().is_empty());
}

/// Reads on until the server says which port it has.
fn accepting(log: &mut impl std::io::BufRead) -> Option<u16> {
    let mut line = String::new();
    while log.read_line(&mut line).ok()? > 0 {
        if let Some(address) = line.strip_prefix("ACCEPT ") {
            return address.trim().rsplit(':').next()?.parse().ok();
        }
        line.clear();
    }
    None
}
