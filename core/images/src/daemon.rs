//! Images of the local Docker, through its API on a Unix socket (Docker Engine API, "ImageInspect" and "ImageGet").
//!
//! The daemon is asked for the image's id each time, which is cheap; the image itself comes as an archive, and only when the
//! id is not the one that came last.

use crate::offload::offload;
use crate::platform::Platform;
use crate::service::{LocalImages, remote};
use crate::store::{Image, Named};
use crate::{digest::Digest, problem::Problem};
use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use isobox_contract::{Context, Detail, Error, ErrorCode, Resource, Result, Timestamp};
use rustix::fs::{CWD, Mode, OFlags};
use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use tokio::net::UnixStream;

/// How a reference begins that stands for an image of the local Docker.
pub(crate) const SCHEME: &str = "docker-daemon:";

/// Where the daemon listens unless `DOCKER_HOST` says otherwise.
const SOCKET: &str = "/var/run/docker.sock";
/// How long the daemon may say nothing. It gathers an image before it begins to send it.
const PATIENCE: Duration = Duration::from_secs(300);
/// The most bytes of a short answer.
const MAX_ANSWER: usize = 4 << 20;

impl LocalImages {
    /// The image that the local Docker has under a name.
    pub(crate) async fn daemon_image(&self, name: &str, context: &Context) -> Result<(Image, Named)> {
        let daemon = Daemon::find(|name| std::env::var_os(name))?;
        let id = daemon.id(name).await?;
        let reference = format!("{SCHEME}{name}");
        let _flight = self.lock("pull", Digest::of(reference.as_bytes())).await?;
        let here = Platform::here();
        if let Some(found) = self.find(&reference, &here).await?
            && found.1.digest.as_ref() == Some(&id)
        {
            return Ok(found);
        }
        let file = daemon.save(name, &self.shared.store.folder("blobs")).await?;
        let (store, context, shown) = (self.shared.store.clone(), context.clone(), reference.clone());
        let image = offload(move |cancel| store.import_file(file, &shown, &context, cancel)).await?;
        let named = Named {
            reference,
            platform: here,
            image: image.id.clone(),
            digest: Some(id),
            fetched_at: Timestamp::now(),
        };
        self.name(&named).await?;
        Ok((image, named))
    }
}

struct Daemon(PathBuf);

impl Daemon {
    fn find(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self> {
        let Some(host) = variable("DOCKER_HOST").filter(|host| !host.is_empty()) else {
            return Ok(Self(SOCKET.into()));
        };
        match host.to_str().and_then(|host| host.strip_prefix("unix://")) {
            Some(path) => Ok(Self(path.into())),
            None => {
                let reason = "is not unix:// and a path, and images are taken from a daemon on this machine only: save the image and load the archive";
                Err(Error::invalid_spec("DOCKER_HOST", reason))
            }
        }
    }

    /// The digest by which the daemon knows the image now.
    async fn id(&self, name: &str) -> Result<Digest> {
        let response = self.get(name, "json").await?;
        let answer = response.into_body();
        let bytes = http_body_util::Limited::new(answer, MAX_ANSWER).collect();
        let bytes = bytes.await.map_err(|_| broken("its answer broke off"))?.to_bytes();
        let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(|_| broken("its answer is no JSON"))?;
        value["Id"].as_str().and_then(|id| id.parse().ok()).ok_or_else(|| broken("its answer names no image"))
    }

    /// The image as an archive, in a file that has no name.
    async fn save(&self, name: &str, scratch: &std::path::Path) -> Result<File> {
        let mut body = self.get(name, "get").await?.into_body();
        let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
        let file = rustix::fs::openat(CWD, scratch, flags, Mode::RUSR | Mode::WUSR)
            .map_err(|errno| remote(Problem::io("make a file for the image", errno), name))?;
        let mut file = File::from(file);
        while let Some(frame) = within(body.frame()).await? {
            let frame = frame.map_err(|_| broken("it broke off in the middle of the image"))?;
            let Ok(data) = frame.into_data() else { continue };
            file = tokio::task::spawn_blocking(move || file.write_all(&data).map(|()| file))
                .await
                .map_err(|_| Error::internal("writing an image ended without an answer"))?
                .map_err(|error| remote(Problem::io("write the image", error), name))?;
        }
        Ok(file)
    }

    async fn get(&self, name: &str, what: &str) -> Result<Response<Incoming>> {
        let fine = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/:@".contains(&byte);
        if name.is_empty() || name.len() > 1024 || !name.bytes().all(fine) || name.split('/').any(|part| part == "..") {
            let reason = format!("has no name of an image behind {SCHEME}");
            return Err(Error::invalid_spec("source.reference", reason));
        }
        let stream = UnixStream::connect(&self.0).await.map_err(|error| self.absent(error))?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|_| broken("it does not speak HTTP"))?;
        // Ends with the connection, which ends when the answer is dropped.
        tokio::spawn(connection);
        let request = Request::get(format!("/images/{name}/{what}")).header("host", "docker");
        let request =
            request.body(Empty::<Bytes>::new()).map_err(|_| Error::internal("a request of plain characters"))?;
        let response = within(sender.send_request(request)).await?.map_err(|_| broken("it gave no answer"))?;
        match response.status() {
            StatusCode::OK => Ok(response),
            StatusCode::NOT_FOUND => {
                let message =
                    format!("the local Docker has no image {}, build or pull it there first", name.escape_debug());
                Err(Error::new(ErrorCode::ImageNotFound, message)
                    .with_detail(Detail::Resource { resource: Resource::Image, id: name.to_owned() }))
            }
            status => Err(broken(&format!("it answered {}", status.as_u16()))),
        }
    }

    fn absent(&self, error: std::io::Error) -> Error {
        let path = self.0.display();
        let message = match error.kind() {
            std::io::ErrorKind::PermissionDenied => {
                format!("the local Docker at {path} is not open to this user, add the user to the group of the socket")
            }
            _ => format!("there is no local Docker at {path}, start it, or set DOCKER_HOST to its socket"),
        };
        Error::new(ErrorCode::EngineUnavailable, message).with_source(error)
    }
}

async fn within<T>(work: impl Future<Output = T>) -> Result<T> {
    tokio::time::timeout(PATIENCE, work).await.map_err(|_| Error::timeout("image.docker", PATIENCE))
}

fn broken(how: &str) -> Error {
    Error::new(ErrorCode::EngineUnavailable, format!("the local Docker cannot be understood: {how}"))
}
