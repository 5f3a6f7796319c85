//! Where the configuration comes from, and what is refused in it.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a test may panic and talk"
)]

use isobox_contract::ErrorCode;
use isobox_registry::{FILE_NAME, RegistryConfig};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

fn home(text: &str) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join(FILE_NAME), text).unwrap();
    home
}

fn load(home: &Path, variables: &[(&str, &str)]) -> isobox_contract::Result<RegistryConfig> {
    RegistryConfig::load_with(home, |name| {
        variables.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
    })
}

#[test]
fn nothing_said_is_the_default() {
    let empty = tempfile::tempdir().unwrap();
    let config = load(empty.path(), &[("HOME", "/home/me"), ("ISOBOX_REGISTRY_INSECURE", "")]).unwrap();
    assert!(config.mirrors.is_empty() && config.insecure.is_empty() && config.ca_file.is_none());
    assert_eq!(config.docker_config, Some(PathBuf::from("/home/me/.docker")));
    assert_eq!((config.attempts, config.read_timeout), (5, Duration::from_secs(30)));
}

#[test]
fn the_file_is_read_and_the_environment_wins() {
    let text = r#"
        insecure = ["registry.lan:5000"]
        ca_file = "/etc/ssl/company.pem"
        docker_config = "/from/file"
        attempts = 2
        [mirrors]
        "docker.io" = ["mirror.lan:5000", "https://harbor.lan/hub"]
        [timeouts]
        connect_ms = 1
        read_ms = 2
        document_ms = 3
    "#;
    let home = home(text);
    let config = load(home.path(), &[("HOME", "/home/me")]).unwrap();
    assert_eq!(config.mirrors["docker.io"], ["mirror.lan:5000", "https://harbor.lan/hub"]);
    assert!(config.insecure.contains("registry.lan:5000"));
    assert_eq!(config.docker_config, Some(PathBuf::from("/from/file")));
    let times = [config.connect_timeout, config.read_timeout, config.document_timeout];
    assert_eq!((config.attempts, times), (2, [1, 2, 3].map(Duration::from_millis)));

    let config = load(
        home.path(),
        &[
            ("ISOBOX_REGISTRY_MIRRORS", "docker.io=a:1, b/c ; ghcr.io=d"),
            ("ISOBOX_REGISTRY_INSECURE", "e:2,f"),
            ("ISOBOX_REGISTRY_CA_FILE", "/ca.pem"),
            ("DOCKER_CONFIG", "/from/environment"),
        ],
    )
    .unwrap();
    assert_eq!(
        (config.mirrors["docker.io"].as_slice(), config.mirrors["ghcr.io"].as_slice()),
        (&["a:1".to_owned(), "b/c".to_owned()][..], &["d".to_owned()][..])
    );
    assert_eq!(config.insecure.iter().map(String::as_str).collect::<Vec<_>>(), ["e:2", "f"]);
    assert_eq!(config.ca_file, Some(PathBuf::from("/ca.pem")));
    assert_eq!(config.docker_config, Some(PathBuf::from("/from/environment")));

    let other = home.path().join("other.toml");
    std::fs::write(&other, "attempts = 7").unwrap();
    let config = load(home.path(), &[("ISOBOX_REGISTRY_CONFIG", other.to_str().unwrap())]).unwrap();
    assert!(config.attempts == 7 && config.insecure.is_empty());
}

#[test]
fn what_cannot_be_understood_is_named() {
    let texts = [
        ("insecur = []", "insecur"),
        ("attempts = 0", "attempts"),
        ("attempts = \"x\"", "line 1"),
        ("\n\n[mirrors", "line 3"),
        ("[mirrors]\n\"docker.io\" = [\"ftp://a\"]", "ftp://a"),
        ("[mirrors]\n\"http://a\" = []", "http://a"),
        ("insecure = [\"a/b\"]", "a/b"),
        ("[timeouts]\nread_ms = -1", "line 2"),
        (&"#".repeat(2_000_000), "1 MiB"),
    ];
    for (text, expected) in texts {
        let home = home(text);
        let error = load(home.path(), &[]).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidSpec, "{text}");
        assert!(error.message().contains(expected) && error.message().contains(FILE_NAME), "{error}");
    }
    let empty = tempfile::tempdir().unwrap();
    let variables = [
        ("ISOBOX_REGISTRY_MIRRORS", "docker.io", "registry=mirror"),
        ("ISOBOX_REGISTRY_MIRRORS", "docker.io=a b", "a b"),
        ("ISOBOX_REGISTRY_INSECURE", "http://a", "http://a"),
        ("ISOBOX_REGISTRY_CONFIG", "/no/such/file", "/no/such/file"),
    ];
    for (name, value, expected) in variables {
        let error = load(empty.path(), &[(name, value)]).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidSpec, "{name}={value}");
        assert!(error.message().contains(expected), "{error}");
    }
    let not_text = |name: &str| (name == "ISOBOX_REGISTRY_MIRRORS").then(|| OsString::from_vec(vec![0xff]));
    let error = RegistryConfig::load_with(empty.path(), not_text).unwrap_err();
    assert!(error.message().contains("ISOBOX_REGISTRY_MIRRORS"), "{error}");
    std::fs::create_dir(empty.path().join(FILE_NAME)).unwrap();
    let error = load(empty.path(), &[]).unwrap_err();
    assert!(error.code() == ErrorCode::Io && !error.is_infrastructure(), "{error:?}");
}
