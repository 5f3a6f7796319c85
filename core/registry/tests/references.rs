//! References and platforms: what is read, and what is refused.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a test may panic and talk"
)]

use isobox_contract::{Detail, ErrorCode};
use isobox_registry::{Digest, Platform, Reference};
use proptest::prelude::*;

const HEX: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

#[test]
fn references_are_read_by_dockers_rules() {
    let pinned = format!("sha256:{HEX}");
    let cases = [
        ("alpine", "docker.io/library/alpine:latest"),
        ("alpine:3.22", "docker.io/library/alpine:3.22"),
        ("library/alpine", "docker.io/library/alpine:latest"),
        ("docker.io/alpine", "docker.io/library/alpine:latest"),
        ("index.docker.io/alpine", "docker.io/library/alpine:latest"),
        ("a/b/c:d", "docker.io/a/b/c:d"),
        ("a:5000", "docker.io/library/a:5000"),
        ("a/b:5000", "docker.io/a/b:5000"),
        ("host:5000/b", "host:5000/b:latest"),
        ("host:5000/b:5000", "host:5000/b:5000"),
        ("Host.Example.COM/b", "host.example.com/b:latest"),
        ("localhost/b", "localhost/b:latest"),
        ("[::1]:5000/b", "[::1]:5000/b:latest"),
        ("x/a-b.c__d---e/f_g", "docker.io/x/a-b.c__d---e/f_g:latest"),
        ("127.0.0.1:5000/b", "127.0.0.1:5000/b:latest"),
        ("gcr.io/a/b_c-d.e:F_g-H.1", "gcr.io/a/b_c-d.e:F_g-H.1"),
        (&format!("a@{pinned}"), &format!("docker.io/library/a@{pinned}")),
        (&format!("a:tag@{pinned}"), &format!("docker.io/library/a:tag@{pinned}")),
        (&format!("h:1/a@{pinned}"), &format!("h:1/a@{pinned}")),
    ];
    for (text, whole) in cases {
        let reference = Reference::parse(text).unwrap();
        assert_eq!(reference.to_string(), whole);
        assert_eq!(Reference::parse(whole).unwrap(), reference, "what is written whole reads the same");
    }
    let reference = Reference::parse(&format!("h:1/a:t@{pinned}")).unwrap();
    assert_eq!((reference.registry(), reference.repository(), reference.tag()), ("h:1", "a", Some("t")));
    assert_eq!((reference.digest().unwrap().to_string(), reference.name()), (pinned, "h:1/a".to_owned()));
    let other = Reference::parse("h:1/a:t").unwrap().pinned(reference.digest().unwrap());
    assert_eq!(other, reference);
}

#[test]
fn what_is_no_reference_is_refused_by_field() {
    let long = format!("{}a", "a/".repeat(200));
    let cases = [
        "",
        " ",
        "a b",
        "A",
        "Foo/bar",
        "a/B",
        "-a",
        "a-",
        ".a",
        "a..b/",
        "a//b",
        "/a",
        "a/",
        "a:",
        "a:-x",
        "a:\u{e9}",
        "a___b",
        "a._b",
        "[::1/b",
        "[zz]/b",
        "foo_bar.com/b",
        "a@",
        "a@b",
        "a@sha256:",
        "a@sha256:1234",
        "a:b:c",
        "h:0/a",
        "h:99999/a",
        "h:x/a",
        "http://h/a",
        "a?b",
        "a#b",
        "a%2fb",
        "../a",
        "h/../a",
        "a\n",
        "a\0b",
        "ä",
        "h/a:tag/x",
        "--privileged",
        &long,
        &"a".repeat(100_000),
        HEX,
        &format!("a@md5:{HEX}"),
        &format!("a@sha384:{HEX}{}", &HEX[..32]),
        &format!("a@sha256:{}", HEX.to_uppercase()),
        &format!("a@sha256:{HEX}0"),
        &format!("a@sha512:{HEX}"),
        &format!("a:{}", "t".repeat(129)),
        // Too long only when it is written out as library/a….
        &"a".repeat(250),
    ];
    for text in cases {
        let error = Reference::parse(text).map(|reference| reference.to_string()).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidSpec, "{text}");
        assert!(
            matches!(error.detail(), Detail::InvalidSpec { field, .. } if field == "source.reference"),
            "{error:?}"
        );
        assert!(error.message().len() < 1000 && error.message().bytes().all(|b| (0x20..0x7f).contains(&b)), "{error}");
    }
}

#[test]
fn platforms_are_read_in_many_words() {
    let cases = [
        ("amd64", "linux/amd64"),
        ("x86_64", "linux/amd64"),
        ("linux/amd64/v1", "linux/amd64"),
        ("linux/amd64/v3", "linux/amd64/v3"),
        ("aarch64", "linux/arm64"),
        ("linux/arm64/v8", "linux/arm64"),
        ("linux/arm/v7", "linux/arm"),
        ("linux/ARM/V6", "linux/arm/v6"),
        ("i686", "linux/386"),
        ("windows/amd64", "windows/amd64"),
    ];
    for (text, shown) in cases {
        assert_eq!(text.parse::<Platform>().unwrap().to_string(), shown);
    }
    for text in ["", "/", "linux/", "a/b/c/d", "linux/a b", "linux/\u{e4}", &"a".repeat(33)] {
        let error = text.parse::<Platform>().unwrap_err();
        assert!(matches!(error.detail(), Detail::InvalidSpec { field, .. } if field == "source.platform"), "{error:?}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,80}") {
        if let Ok(reference) = Reference::parse(&text) {
            let whole = reference.to_string();
            prop_assert_eq!(Reference::parse(&whole).unwrap(), reference);
            prop_assert!(whole.bytes().all(|byte| byte.is_ascii_graphic()));
        }
        let _ = text.parse::<Platform>();
        let _ = text.parse::<Digest>();
    }

    #[test]
    fn texts_like_references_are_read_the_same_when_written(
        text in "([a-zA-Z0-9.-]{1,12}(:[0-9]{1,6})?/)?[a-z0-9._/-]{1,20}(:[a-zA-Z0-9._-]{1,10})?(@sha256:[0-9a-f]{64})?"
    ) {
        if let Ok(reference) = Reference::parse(&text) {
            prop_assert_eq!(Reference::parse(&reference.to_string()).unwrap(), reference);
        }
    }
}
