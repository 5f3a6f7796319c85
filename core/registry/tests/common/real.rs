//! Debian's `docker-registry`, on a free port of the loopback.

use super::image::Image;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A registry at work; dropping it ends it.
pub struct RealRegistry {
    child: Child,
    pub address: String,
    pub storage: TempDir,
}

impl RealRegistry {
    /// Starts one, or says that the test is skipped. `extra` is YAML for its configuration.
    pub fn start(extra: &str) -> Option<Self> {
        Self::start_in(tempfile::tempdir().unwrap(), "", extra)
    }

    /// Starts one whose configuration is in a directory; `http` is more YAML for its `http` section.
    pub fn start_in(storage: TempDir, http: &str, extra: &str) -> Option<Self> {
        let root = storage.path().join("storage");
        let text = format!(
            "version: 0.1\nstorage:\n  filesystem:\n    rootdirectory: {}\nhttp:\n  addr: 127.0.0.1:0\n{http}\n{extra}\n",
            root.display()
        );
        let file = storage.path().join("config.yml");
        std::fs::write(&file, text).unwrap();
        let mut command = Command::new("docker-registry");
        command.arg("serve").arg(&file).env_remove("OTEL_TRACES_EXPORTER");
        let Ok(mut child) = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn() else {
            println!("skipped: docker-registry is not installed, run `cargo xtask setup`");
            return None;
        };
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let address = listening(&mut log).expect("docker-registry says where it listens");
        // It blocks when nobody reads what it says.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Some(Self { child, address, storage })
    }

    /// Pushes an image under a tag.
    pub async fn push(&self, push: &Push<'_>, image: &Image, tag: &str) {
        for blob in image.blobs() {
            push.blob(self, blob).await;
        }
        push.manifest(self, image.media_type, &image.manifest, tag).await;
    }

    /// Where the registry keeps a blob.
    pub fn file_of(&self, digest: &isobox_registry::Digest) -> std::path::PathBuf {
        let hex = digest.hex();
        let path = format!("storage/docker/registry/v2/blobs/sha256/{}/{hex}/data", &hex[..2]);
        self.storage.path().join(path)
    }
}

impl Drop for RealRegistry {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How to push: a repository, and what to show.
pub struct Push<'a> {
    pub repository: &'a str,
    pub authorization: Option<String>,
    /// An authority to trust; then TLS is used.
    pub authority: Option<&'a Path>,
}

impl<'a> Push<'a> {
    pub fn to(repository: &'a str) -> Self {
        Self { repository, authorization: None, authority: None }
    }

    fn client(&self) -> reqwest::Client {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let authorities =
            self.authority.map(|path| reqwest::Certificate::from_pem(&std::fs::read(path).unwrap()).unwrap());
        reqwest::Client::builder().tls_certs_only(authorities).no_proxy().build().unwrap()
    }

    fn send(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        match &self.authorization {
            Some(value) => request.header("authorization", value),
            None => request,
        }
    }

    fn base(&self, registry: &RealRegistry) -> String {
        let scheme = if self.authority.is_some() { "https" } else { "http" };
        format!("{scheme}://{}/v2/{}", registry.address, self.repository)
    }

    pub async fn blob(&self, registry: &RealRegistry, bytes: &[u8]) {
        let client = self.client();
        let begin = client.post(format!("{}/blobs/uploads/", self.base(registry)));
        let begun = self.send(begin).send().await.unwrap();
        assert_eq!(begun.status(), 202);
        let mut location = reqwest::Url::parse(begun.headers()["location"].to_str().unwrap()).unwrap();
        location.query_pairs_mut().append_pair("digest", &isobox_registry::Digest::of(bytes).to_string());
        let put = client.put(location).body(bytes.to_vec());
        assert_eq!(self.send(put).send().await.unwrap().status(), 201);
    }

    pub async fn manifest(&self, registry: &RealRegistry, media_type: &str, bytes: &[u8], tag: &str) {
        let put = self.client().put(format!("{}/manifests/{tag}", self.base(registry)));
        let put = put.header("content-type", media_type).body(bytes.to_vec());
        let answer = self.send(put).send().await.unwrap();
        assert_eq!(answer.status(), 201, "{}", answer.text().await.unwrap());
    }
}

/// Reads on until the registry says where it listens.
fn listening(log: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    while log.read_line(&mut line).ok()? > 0 {
        if let Some((_, rest)) = line.split_once("listening on ") {
            let address: String = rest.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ':')).collect();
            return Some(address);
        }
        line.clear();
    }
    None
}
