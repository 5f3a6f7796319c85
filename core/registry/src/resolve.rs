//! From a reference to the manifest and the config of one platform.
//!
//! ```text
//!   reference ──▶ index ──▶ (index) ──▶ manifest ──▶ config        each verified before it is read
//!                 └ chosen by platform ┘             └ of that platform, or refused
//! ```

use crate::digest::Digest;
use crate::document::{self, Wanted};
use crate::failure::{Failure, Subject};
use crate::manifest::{Blob, Document, Entry, MANIFESTS, Manifest};
use crate::platform::Platform;
use crate::session::{Place, Session};
use crate::transport::Request;
use isobox_contract::{Detail, Error, ErrorCode, Resource};
use reqwest::{Method, Url};
use serde::Deserialize;

/// The largest manifest and index: the least that the distribution specification says registries take.
const LARGEST_MANIFEST: usize = 4 * 1024 * 1024;
/// The largest config.
const LARGEST_CONFIG: usize = 8 * 1024 * 1024;
/// How deep indexes may lie in each other.
const DEEPEST: usize = 3;

/// An image for one platform.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// What the reference stands for: the digest of an index, or of a manifest. An image can be pinned to it.
    pub digest: Digest,
    /// The digest of the manifest of this platform.
    pub manifest_digest: Digest,
    /// The manifest.
    pub manifest: Manifest,
    /// The manifest as it came: its digest is that of these bytes.
    pub manifest_bytes: Vec<u8>,
    /// The config as it came, a JSON object. Its digest is in the manifest.
    pub config: Vec<u8>,
    /// The platform, as the config says.
    pub platform: Platform,
}

/// Resolves at one place.
pub(crate) async fn at(session: &Session, place: &Place, platform: &Platform) -> Result<Resolved, Failure> {
    let reference = &session.reference;
    let shown = reference.to_string();
    let url = place.endpoint.manifest(reference.repository(), &reference.wanted());
    let (mut bytes, digest) = manifest(session, place, url, &shown, reference.digest(), None).await?;
    let mut manifest_digest = digest.clone();
    for _ in 0..DEEPEST {
        let entry = match parse(&shown, &bytes)? {
            Document::Image(manifest) => {
                let config = config(session, place, &shown, &manifest.config).await?;
                let platform = check(&shown, platform, &config)?;
                return Ok(Resolved { digest, manifest_digest, manifest, manifest_bytes: bytes, config, platform });
            }
            Document::Index(entries) => choose(&shown, platform, entries)?,
        };
        let Blob { digest, size, .. } = entry.blob;
        let url = place.endpoint.manifest(reference.repository(), &digest.to_string());
        (bytes, manifest_digest) = self::manifest(session, place, url, &shown, Some(&digest), Some(size)).await?;
    }
    Err(Failure::lasting("manifest", format!("the image {shown} has indexes more than {DEEPEST} deep")))
}

/// What the reference stands for at one place. A registry that does not say it is asked for the manifest.
pub(crate) async fn digest(session: &Session, place: &Place) -> Result<Digest, Failure> {
    let reference = &session.reference;
    let shown = reference.to_string();
    let url = place.endpoint.manifest(reference.repository(), &reference.wanted());
    let request = Request { accept: Some(MANIFESTS), method: Method::HEAD, ..Request::get(url.clone()) };
    match document::claimed(session, place, request, Subject::Manifest(&shown)).await {
        Ok(Some(digest)) => Ok(digest),
        // Not every registry knows HEAD, and an answer to it has no body that says what is wrong.
        Ok(None) => manifest(session, place, url, &shown, None, None).await.map(|(_, digest)| digest),
        Err(failure) if failure.status == Some(405) => {
            manifest(session, place, url, &shown, None, None).await.map(|(_, digest)| digest)
        }
        Err(failure) => Err(failure),
    }
}

async fn manifest(
    session: &Session,
    place: &Place,
    url: Url,
    shown: &str,
    digest: Option<&Digest>,
    size: Option<u64>,
) -> Result<(Vec<u8>, Digest), Failure> {
    let request = Request { accept: Some(MANIFESTS), ..Request::get(url) };
    let subject = Subject::Manifest(shown);
    document::get(session, place, &Wanted { request, subject, digest, size, limit: LARGEST_MANIFEST }).await
}

async fn config(session: &Session, place: &Place, shown: &str, blob: &Blob) -> Result<Vec<u8>, Failure> {
    let digest = blob.digest.to_string();
    let wanted = Wanted {
        request: Request::get(place.endpoint.blob(session.reference.repository(), &digest)),
        subject: Subject::Blob(&digest, shown),
        digest: Some(&blob.digest),
        size: Some(blob.size),
        limit: LARGEST_CONFIG,
    };
    document::get(session, place, &wanted).await.map(|(bytes, _)| bytes)
}

fn parse(shown: &str, bytes: &[u8]) -> Result<Document, Failure> {
    Document::parse(bytes).map_err(|defect| {
        let failure = Failure::lasting("manifest", format!("the manifest of {shown} {defect}"));
        // An image that is sound and not for us is the caller's to replace.
        let infrastructure = !defect.is_unsupported();
        Failure { error: failure.error.infrastructure(infrastructure), ..failure }
    })
}

/// The entry that fits best, the first of those that fit equally. An entry of no platform is taken when it is the only
/// one: its config tells.
fn choose(shown: &str, wanted: &Platform, entries: Vec<Entry>) -> Result<Entry, Failure> {
    let nearest = entries
        .iter()
        .enumerate()
        .filter_map(|(at, entry)| Some((wanted.distance(entry.platform.as_ref()?)?, at)))
        .min();
    if let Some((_, at)) = nearest {
        return entries.into_iter().nth(at).ok_or_else(|| not_there(shown, wanted, &[]).into());
    }
    let there: Vec<Platform> = entries.iter().filter_map(|entry| entry.platform.clone()).collect();
    let mut unnamed = entries.into_iter().filter(|entry| entry.platform.is_none());
    match (unnamed.next(), unnamed.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(not_there(shown, wanted, &there).into()),
    }
}

/// What a config says that it is for. A config that does not say is for what was asked for.
fn check(shown: &str, wanted: &Platform, config: &[u8]) -> Result<Platform, Failure> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Claim {
        os: Option<String>,
        architecture: Option<String>,
        variant: Option<String>,
    }
    let claim: Claim = serde_json::from_slice(config)
        .map_err(|_| Failure::lasting("config", format!("the config of {shown} is not a config")))?;
    let given = |value: Option<String>| value.filter(|value| !value.is_empty());
    let (Some(os), Some(architecture)) = (given(claim.os), given(claim.architecture)) else {
        return Ok(wanted.clone());
    };
    let platform = Platform::normal(&os, &architecture, claim.variant.as_deref());
    match wanted.distance(&platform) {
        Some(_) => Ok(platform),
        None => Err(not_there(shown, wanted, &[platform]).into()),
    }
}

fn not_there(shown: &str, wanted: &Platform, there: &[Platform]) -> Error {
    const MOST: usize = 20;
    // Attestations are entries of an index whose platform is unknown.
    let mut names: Vec<String> = there.iter().filter(|p| p.os() != "unknown").map(Platform::to_string).collect();
    names.dedup();
    names.iter_mut().for_each(|name| *name = name.chars().filter(|c| c.is_ascii_graphic()).take(60).collect());
    let more = if names.len() > MOST { " and others" } else { "" };
    names.truncate(MOST);
    let there = if names.is_empty() { "none that is named".to_owned() } else { names.join(", ") + more };
    let message = format!("the image {shown} is not for {wanted}, it is for {there}");
    let detail = Detail::Resource { resource: Resource::Image, id: shown.to_owned() };
    Error::new(ErrorCode::ImageNotFound, message).with_detail(detail)
}
