//! Requests that the client library does not know, or whose answers it does not take.
//!
//! Podman speaks Docker's API with more words for the state of a container than Docker has, and the client library refuses a whole
//! answer for one of those. What Docker's API cannot do there is in one of its own, below [`OWN`].

use crate::client::{Caller, PATIENCE};
use crate::transport;
use bollard::errors::Error as EngineError;
use bollard::models::{ContainerInspectResponse, ContainerSummary};
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::header::CONTENT_TYPE;
use hyper::{Method, Request};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;

/// Where Podman's own API begins; every version from 4 on has it under this one.
const OWN: &str = "/v4.0.0/libpod";
/// The most bytes of an answer that is taken as it is.
const MAX_ANSWER: usize = 64 << 20;

impl Caller {
    /// How a container is.
    pub(crate) async fn inspect(&self, container: &str) -> Result<ContainerInspectResponse, EngineError> {
        let answer = self.ask(Method::GET, &format!("/containers/{}/json", escaped(container)), None).await?;
        let mut told: Value = read(&answer)?;
        if let Some(word) = told.pointer_mut("/State/Status") {
            translate(word);
        }
        typed(told)
    }

    /// All containers that a filter leaves.
    pub(crate) async fn list(
        &self,
        filters: &HashMap<String, Vec<String>>,
    ) -> Result<Vec<ContainerSummary>, EngineError> {
        let filters = serde_json::json!(filters).to_string();
        let path = format!("/containers/json?all=true&filters={}", escaped(&filters));
        let mut told: Value = read(&self.ask(Method::GET, &path, None).await?)?;
        for word in told.as_array_mut().into_iter().flatten().filter_map(|row| row.get_mut("State")) {
            translate(word);
        }
        typed(told)
    }

    /// Asks Podman in its own API, whose `path` begins with a slash.
    pub(crate) async fn podman(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Bytes, EngineError> {
        self.ask(method, &format!("{OWN}{path}"), body).await
    }

    /// Asks, and gives the answer as it is, up to [`MAX_ANSWER`].
    pub(crate) async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Bytes, EngineError> {
        let request = Request::builder().method(method).uri(format!("http://docker{path}"));
        let (request, body) = match body {
            Some(body) => (request.header(CONTENT_TYPE, "application/json"), Bytes::from(body.to_string())),
            None => (request, Bytes::new()),
        };
        let request = request.body(bollard::body_full(body))?;
        let asked = async {
            let answer = transport::request(self.address().clone(), request).await?;
            let status = answer.status();
            let body = Limited::new(answer.into_body(), MAX_ANSWER).collect().await;
            let body = body.map_err(|error| EngineError::IOError { err: std::io::Error::other(error) })?.to_bytes();
            if status.is_success() {
                return Ok(body);
            }
            let message = serde_json::from_slice::<Value>(&body)
                .ok()
                .and_then(|told| told.get("message").and_then(Value::as_str).map(str::to_owned));
            let message = message.unwrap_or_else(|| String::from_utf8_lossy(&body).into_owned());
            Err(EngineError::DockerResponseServerError { status_code: status.as_u16(), message })
        };
        tokio::time::timeout(PATIENCE, asked).await.unwrap_or(Err(EngineError::RequestTimeoutError))
    }
}

/// What may stand in a path or in a query as it is (RFC 3986, "unreserved").
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Text as a part of a path or of a query.
pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

/// Has Docker's word in the place of Podman's own.
fn translate(word: &mut Value) {
    let docker = match word.as_str() {
        // It has ended, and what was mounted for it is not cleared away yet.
        Some("stopped") => "exited",
        Some("configured" | "initialized") => "created",
        Some("unknown") => "",
        _ => return,
    };
    *word = docker.into();
}

fn read(bytes: &[u8]) -> Result<Value, EngineError> {
    Ok(serde_json::from_slice(bytes)?)
}

fn typed<T: DeserializeOwned>(told: Value) -> Result<T, EngineError> {
    Ok(serde_json::from_value(told)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_podmans_is_the_one_that_docker_has() {
        for (podman, docker) in [("stopped", "exited"), ("initialized", "created"), ("paused", "paused")] {
            let mut word = Value::from(podman);
            translate(&mut word);
            assert_eq!(word, docker);
            let told = serde_json::json!({ "State": { "Status": word } });
            let read: ContainerInspectResponse = typed(told).unwrap();
            assert_eq!(read.state.unwrap().status.unwrap().to_string(), docker);
        }
    }

    #[test]
    fn any_text_can_be_in_a_query() {
        assert_eq!(escaped("a b&c=ä/\n"), "a%20b%26c%3D%C3%A4%2F%0A");
    }
}
