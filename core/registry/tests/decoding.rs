//! Everything that decodes bytes from outside, with bytes that nobody would send.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a test may panic and talk"
)]

mod common;

use common::image::{Image, index};
use isobox_registry::{Document, decode};
use proptest::prelude::*;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A week, which is the longest wait that is believed, and the rounding up of a date.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60 + 1);

fn everything(bytes: &[u8]) {
    if let Ok(Document::Image(manifest)) = decode::manifest(bytes) {
        assert!(manifest.layers.len() <= 500);
    }
    decode::challenge(bytes);
    decode::reference(bytes);
    let _ = decode::docker_config(bytes, "docker.io");
    decode::helper(bytes);
    if let Some(token) = decode::token(bytes) {
        assert!(!token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic()));
    }
    let now = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    assert!(decode::retry_after(bytes, now).is_none_or(|wait| wait <= LONGEST));
    if let Some((begin, Some(total))) = decode::content_range(bytes) {
        assert!(begin < total);
    }
}

/// A well-formed document with some bytes changed, cut off or repeated.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let image = Image::oci("amd64", &[b"a", b"b"]);
    let seeds = vec![
        image.manifest.clone(),
        index(common::image::OCI_INDEX, &[(&image, "amd64", None), (&image, "arm", Some("v7"))]),
        br#"{"auths":{"https://index.docker.io/v1/":{"auth":"bWU6aHVudGVyMg=="}},"credHelpers":{"a":"b"},"credsStore":"c"}"#.to_vec(),
        br#"{"ServerURL":"a","Username":"b","Secret":"c"}"#.to_vec(),
        br#"{"token":"a.b.c","access_token":"d","expires_in":300}"#.to_vec(),
        br#"Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="a",error="b""#.to_vec(),
        b"Wed, 21 Oct 2037 07:28:00 GMT".to_vec(),
        b"bytes 5-9/10".to_vec(),
    ];
    (
        prop::sample::select(seeds),
        prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        any::<prop::sample::Index>(),
    )
        .prop_map(|(mut bytes, changes, end)| {
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            bytes.truncate(end.index(bytes.len() * 2).max(1));
            bytes
        })
}

proptest! {
    #[test]
    fn any_bytes_are_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        everything(&bytes);
    }

    #[test]
    fn damaged_documents_are_decoded_or_refused(bytes in damaged()) {
        everything(&bytes);
    }
}

#[test]
fn challenges_are_read() {
    use decode::{Challenge, challenge};
    let bearer = |realm: &str, service: Option<&str>| {
        Some(Challenge::Bearer { realm: realm.into(), service: service.map(str::to_owned) })
    };
    assert_eq!(challenge(b"Basic realm=\"a\""), Some(Challenge::Basic));
    assert_eq!(challenge(b"bearer REALM=\"https://a/t\",Service=\"b c\""), bearer("https://a/t", Some("b c")));
    assert_eq!(challenge(b"Basic realm=\"a\", Bearer realm=\"b\""), bearer("b", None));
    assert_eq!(challenge(b"Bearer realm=\"a\\\"b\", Basic realm=\"c\""), bearer("a\"b", None));
    for none in [&b""[..], b"Bearer", b"Bearer service=\"a\"", b"Negotiate", b"\xff", b",,,", &[b'a'; 10_000]] {
        assert_eq!(challenge(none), None);
    }
}

#[test]
fn waits_are_read() {
    let now = UNIX_EPOCH + Duration::from_millis(1_800_000_000_500);
    let seconds = |value: &str| decode::retry_after(value.as_bytes(), now).map(|wait| wait.as_secs());
    let date = |from_now: u64| httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(1_800_000_000 + from_now));
    assert_eq!((seconds("0"), seconds(" 17 "), seconds("99999999999999999999999")), (Some(0), Some(17), Some(604_800)));
    assert_eq!((seconds(&date(10)), seconds(&date(0))), (Some(10), Some(0)));
    assert_eq!(seconds(&httpdate::fmt_http_date(SystemTime::UNIX_EPOCH)), Some(0));
    for none in ["", "-1", "+1", "1.5", "0x10", "soon", "Wed, 21 Oct"] {
        assert_eq!(seconds(none), None, "{none}");
    }
}

#[test]
fn ranges_are_read() {
    assert_eq!(decode::content_range(b"bytes 5-9/10"), Some((5, Some(10))));
    assert_eq!(decode::content_range(b"bytes 0-0/*"), Some((0, None)));
    for none in [&b"bytes 5-9"[..], b"bytes 9-5/10", b"bytes 5-10/10", b"items 5-9/10", b"bytes */10", b"bytes -5-9/10"]
    {
        assert_eq!(decode::content_range(none), None);
    }
}
