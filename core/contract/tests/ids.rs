//! Ids sort by time as text, survive a round trip, and refuse everything else.

use isobox_contract::{ExecId, ExternalId, ParseIdError, ProviderKind, SandboxId, SnapshotId, Timestamp};
use proptest::prelude::*;
use std::time::Duration;

#[test]
fn an_id_says_what_it_is_and_when_it_was_made() {
    let before = Timestamp::from_unix_millis(Timestamp::now().unix_millis());
    let id = SandboxId::generate();
    assert!(id.as_str().starts_with("sbx_"));
    assert_eq!(id.as_str().len(), 30);
    assert!(id.created_at() >= before && id.created_at() <= Timestamp::now());
}

#[test]
fn ids_sort_by_time_as_text() {
    let ids: Vec<String> = (0..2000).map(|_| ExecId::generate().to_string()).collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn no_two_threads_make_the_same_id() {
    let make = || std::thread::spawn(|| (0..5000).map(|_| ExecId::generate()).collect::<Vec<_>>());
    let threads: Vec<_> = (0..4).map(|_| make()).collect();
    let made: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    // The part that is not random alone tells them apart.
    let places: std::collections::BTreeSet<_> = made.iter().map(|id| id.uuid().as_u128() >> 64).collect();
    assert_eq!(places.len(), 20_000);
}

#[test]
fn ids_round_trip_as_text_and_json() {
    let id = SnapshotId::generate();
    assert_eq!(id.to_string().parse(), Ok(id));
    let json = serde_json::to_string(&id).unwrap();
    assert_eq!(json, format!("\"{id}\""));
    assert_eq!(serde_json::from_str::<SnapshotId>(&json).unwrap(), id);
}

#[test]
fn other_texts_are_refused_with_the_reason() {
    let id = SandboxId::generate().to_string();
    assert_eq!(id.parse::<ExecId>(), Err(ParseIdError::Prefix("exe_")));
    assert_eq!(id[..29].parse::<SandboxId>(), Err(ParseIdError::Body("sbx_")));
    assert_eq!(id.to_uppercase().replace("SBX_", "sbx_").parse::<SandboxId>(), Err(ParseIdError::Body("sbx_")));
    assert_eq!(format!("sbx_{}", "0".repeat(26)).parse::<SandboxId>(), Err(ParseIdError::Version("sbx_")));
    // The last character holds three bits: what no encoder writes is no second name for an id.
    let odd = format!("{}v", &id[..29]);
    assert_eq!(odd.parse::<SandboxId>(), Err(ParseIdError::Body("sbx_")));
}

#[test]
fn external_ids_are_opaque_but_printable() {
    assert_eq!("".parse::<ExternalId>(), Err(ParseIdError::Empty));
    assert_eq!("a b".parse::<ExternalId>(), Err(ParseIdError::Character));
    assert_eq!("a\u{7}".parse::<ExternalId>(), Err(ParseIdError::Character));
    assert!("x".repeat(256).parse::<ExternalId>().is_ok());
    assert_eq!("x".repeat(257).parse::<ExternalId>(), Err(ParseIdError::TooLong(256)));
    let id = SandboxId::generate();
    assert_eq!(ExternalId::from(id).as_str(), id.as_str());
}

#[test]
fn provider_kinds_are_lower_case_words() {
    for good in ["docker", "acme-box", "a", "k8s", &"x".repeat(64)] {
        assert!(good.parse::<ProviderKind>().is_ok(), "{good}");
    }
    for bad in ["", "-a", "a-", "Docker", "a_b", "ä", &"x".repeat(65)] {
        assert!(bad.parse::<ProviderKind>().is_err(), "{bad}");
    }
}

proptest! {
    #[test]
    fn parsing_never_panics(text in "\\PC{0,40}") {
        let _ = text.parse::<SandboxId>();
        let _ = format!("sbx_{text}").parse::<SandboxId>();
        let _ = text.parse::<Timestamp>();
        let _ = isobox_contract::parse_size(&text);
        let _ = text.parse::<isobox_contract::AllowRule>();
    }

    #[test]
    fn times_round_trip_as_text(seconds in -62_167_219_200_i64..=253_402_300_799, nanos in 0..1_000_000_000_u32) {
        let time = Timestamp::from_unix(seconds, nanos);
        prop_assert_eq!(time.to_string().parse::<Timestamp>().unwrap(), time);
        prop_assert_eq!(Timestamp::from(std::time::SystemTime::from(time)), time);
    }

    #[test]
    fn lifetimes_never_wrap(seconds in any::<u64>(), nanos in 0..1_000_000_000_u32) {
        let start = Timestamp::from_unix(1_793_400_000, 999_999_999);
        match start.checked_add(Duration::new(seconds, nanos)) {
            Some(end) => prop_assert_eq!(end.since(start), Duration::new(seconds, nanos)),
            None => prop_assert!(seconds > 200_000_000_000),
        }
    }
}

#[test]
fn times_read_and_write_rfc_3339() {
    let time = Timestamp::from_unix(1_793_361_600, 250_000_000);
    assert_eq!(time.to_string(), "2026-10-30T12:00:00.250Z");
    assert_eq!("2026-10-30T12:00:00.250000000Z".parse(), Ok(time));
    assert_eq!(Timestamp::from_unix(951_782_400, 0).to_string(), "2000-02-29T00:00:00Z");
    assert_eq!(Timestamp::from_unix_millis(-1).to_string(), "1969-12-31T23:59:59.999Z");
    for bad in ["", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-10-30 12:00:00Z", "2026-10-30T12:00:00"] {
        assert!(bad.parse::<Timestamp>().is_err(), "{bad}");
    }
}

#[test]
fn the_longest_lifetime_is_for_ever() {
    use isobox_contract::Lifetime;
    assert_eq!(Lifetime::After(Duration::MAX).deadline(Timestamp::now()), None);
    assert_eq!(Lifetime::After(Duration::from_millis(u64::MAX)).deadline(Timestamp::now()), None);
    let max: Lifetime = serde_json::from_str("18446744073709551615").unwrap();
    assert_eq!(serde_json::to_string(&max).unwrap(), "18446744073709551615");
    assert_eq!(serde_json::to_string(&Lifetime::Never).unwrap(), "\"never\"");
    assert!(serde_json::from_str::<Lifetime>("-1").is_err());
}
