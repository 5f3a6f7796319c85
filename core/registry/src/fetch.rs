//! Blobs to disk: resumed where they broke off, verified at the end.
//!
//! ```text
//!   place 1 ──▶ bytes ──▶ cut ──▶ pause ──▶ more bytes ──▶ whole ──▶ right digest: done
//!      │                                                        └──▶ wrong: begin again once, if not all of it
//!      ▼ cannot                                                      came in one piece; else the next place
//!   place 2 ──▶ ...
//! ```

use crate::failure::{self, Failure, Subject};
use crate::manifest::Blob;
use crate::partial::Partial;
use crate::progress::Watcher;
use crate::retry::Backoff;
use crate::session::{Place, Session};
use crate::transport::Request;
use isobox_contract::Error;
use reqwest::header::CONTENT_RANGE;
use reqwest::{Response, StatusCode};
use std::time::{Duration, Instant};

/// With this much more of a blob the count of tries starts again.
const WORTH_A_TRY: u64 = 1024 * 1024;

/// Slower than this is as good as silence: 1 KiB a second, measured over as long as silence may last.
const SLOWEST: u64 = 1024;

/// What a fetch did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fetched {
    /// Bytes that came over the network, in all tries.
    pub received: u64,
    /// Bytes that were in the file before.
    pub found: u64,
}

/// Fetches a blob of a session into a file.
pub(crate) struct Fetch<'a> {
    pub(crate) session: &'a Session,
    pub(crate) blob: &'a Blob,
    pub(crate) watcher: &'a dyn Watcher,
    pub(crate) done: Fetched,
}

impl Fetch<'_> {
    /// From the places in this order until one has it.
    pub(crate) async fn run<'p>(
        &mut self,
        partial: &mut Partial,
        places: impl Iterator<Item = &'p Place>,
    ) -> Result<(), Error> {
        self.done.found = partial.length();
        self.watcher.fetched(partial.length());
        let mut last = None;
        for place in places {
            match self.try_place(partial, place).await {
                Ok(()) => return Ok(()),
                Err(failure) => {
                    tracing::debug!(registry = %place.endpoint.name, error = %failure.error, "a blob was not fetched");
                    if partial.is_lost() {
                        return Err(failure.error);
                    }
                    last = Some(failure.error);
                }
            }
        }
        Err(last.unwrap_or_else(|| Error::internal("there is no place to fetch a blob from")))
    }

    async fn try_place(&mut self, partial: &mut Partial, place: &Place) -> Result<(), Failure> {
        let mut backoff = Backoff::new(&self.session.config);
        let mut fresh = false;
        loop {
            let before = partial.length();
            let failure = match self.complete(partial, place).await {
                Ok(()) => match self.verify(partial, place, before == 0).await? {
                    None => return Ok(()),
                    // What was there before may have been wrong: once more, from the start.
                    Some(_) if before > 0 && !fresh => {
                        fresh = true;
                        continue;
                    }
                    Some(failure) => return Err(failure),
                },
                Err(failure) if partial.is_lost() => return Err(failure),
                Err(failure) => failure,
            };
            partial.flush().await?;
            if partial.length().saturating_sub(before) >= WORTH_A_TRY {
                backoff.reset();
            }
            match backoff.pause(&failure) {
                Some(pause) => self.session.pause(pause, &failure).await,
                None => return Err(failure),
            }
        }
    }

    /// `None` when it is what it must be; else the file is empty afterwards.
    async fn verify(&self, partial: &mut Partial, place: &Place, whole: bool) -> Result<Option<Failure>, Failure> {
        let got = partial.digest().await?;
        if got == self.blob.digest {
            return Ok(None);
        }
        partial.clear().await?;
        self.watcher.fetched(0);
        let Blob { digest, size, .. } = self.blob;
        let name = &place.endpoint.name;
        let how = if whole { "" } else { ", in pieces" };
        let message = format!("the registry {name} sent {size} bytes for {digest}{how} that are {got}");
        Ok(Some(Failure::lasting("digest", message)))
    }

    /// Gets what is missing with one request.
    async fn complete(&mut self, partial: &mut Partial, place: &Place) -> Result<(), Failure> {
        if partial.missing() == 0 {
            return Ok(());
        }
        let (digest, image) = (self.blob.digest.to_string(), self.session.reference.to_string());
        let url = place.endpoint.blob(self.session.reference.repository(), &digest);
        let request = Request { from: partial.length(), ..Request::get(url) };
        let subject = Subject::Blob(&digest, &image);
        let response = match self.session.request(place, request, subject).await {
            // The range cannot be satisfied: the registry has less than is here, or no ranges.
            Err(failure) if failure.is_range() && partial.length() > 0 => {
                partial.clear().await?;
                self.watcher.fetched(0);
                let url = place.endpoint.blob(self.session.reference.repository(), &digest);
                self.session.request(place, Request::get(url), subject).await?
            }
            other => other?,
        };
        self.align(partial, place, &response).await?;
        self.stream(partial, place, response).await
    }

    /// Brings the file to where the answer begins, and refuses an answer of the wrong size.
    async fn align(&self, partial: &mut Partial, place: &Place, response: &Response) -> Result<(), Failure> {
        let begins = match response.status() {
            StatusCode::PARTIAL_CONTENT => {
                let range = response.headers().get(CONTENT_RANGE).and_then(|value| content_range(value.as_bytes()));
                match range {
                    Some((begin, total)) if begin == partial.length() && total.is_none_or(|t| t == self.blob.size) => {
                        begin
                    }
                    Some((_, Some(total))) if total != self.blob.size => return Err(self.size(place, total)),
                    _ => {
                        return Err(self.lasting(place, "range", "answers with another range than was asked for, for"));
                    }
                }
            }
            // The whole of it, whatever was asked for.
            _ => 0,
        };
        if begins == 0 && partial.length() > 0 {
            partial.clear().await?;
            self.watcher.fetched(0);
        }
        match response.content_length() {
            Some(length) if begins + length != self.blob.size => Err(self.size(place, begins.saturating_add(length))),
            _ => Ok(()),
        }
    }

    async fn stream(&mut self, partial: &mut Partial, place: &Place, mut response: Response) -> Result<(), Failure> {
        let window = self.session.config.read_timeout.max(Duration::from_secs(1));
        let mut measured = (Instant::now(), 0_u64);
        loop {
            let chunk = response.chunk().await.map_err(|error| failure::connection(&place.endpoint.name, &error))?;
            let Some(chunk) = chunk else { break };
            self.done.received += chunk.len() as u64;
            if chunk.len() as u64 > partial.missing() {
                partial.clear().await?;
                let size = self.blob.size;
                return Err(self.lasting(place, "size", &format!("sends more than the {size} bytes of")));
            }
            partial.append(&chunk).await?;
            self.watcher.fetched(partial.length());
            measured.1 += chunk.len() as u64;
            if measured.0.elapsed() >= window {
                if measured.1 < SLOWEST * window.as_secs() {
                    let name = &place.endpoint.name;
                    let message = format!("the registry {name} sends {} too slowly", self.blob.digest);
                    return Err(Failure::passing("timeout", message));
                }
                measured = (Instant::now(), 0);
            }
        }
        match partial.missing() {
            0 => Ok(()),
            missing => {
                let Blob { digest, size, .. } = self.blob;
                let name = &place.endpoint.name;
                let got = size - missing;
                let message = format!("the registry {name} ended {digest} after {got} of {size} bytes");
                Err(Failure::passing("connection_lost", message))
            }
        }
    }

    fn size(&self, place: &Place, total: u64) -> Failure {
        let Blob { digest, size, .. } = self.blob;
        let name = &place.endpoint.name;
        Failure::lasting("size", format!("the registry {name} has {total} bytes for {digest}, which has {size}"))
    }

    fn lasting(&self, place: &Place, word: &str, does: &str) -> Failure {
        Failure::lasting(word, format!("the registry {} {does} {}", place.endpoint.name, self.blob.digest))
    }
}

/// Reads `bytes 5-9/10`: where it begins, and the size of the whole when that is known.
pub(crate) fn content_range(value: &[u8]) -> Option<(u64, Option<u64>)> {
    let (range, total) = std::str::from_utf8(value).ok()?.strip_prefix("bytes ")?.split_once('/')?;
    let (begin, end) = range.split_once('-')?;
    let (begin, end): (u64, u64) = (begin.trim().parse().ok()?, end.trim().parse().ok()?);
    let total = match total.trim() {
        "*" => None,
        total => Some(total.parse().ok()?),
    };
    (begin <= end && total.is_none_or(|total| end < total)).then_some((begin, total))
}
