//! Specs, records and the other JSON that users and other processes hand in: refused or accepted, never a panic, and what is
//! accepted means the same when it is read again.
#![no_main]

use isobox_contract::{Capabilities, Event, Isolation, PostMortem, SandboxRecord, SandboxSpec, Status};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(spec) = serde_json::from_slice::<SandboxSpec>(bytes) {
        let _ = spec.validate();
        let _ = spec.validate_against(&Capabilities::of(Isolation::Container, []));
        let _ = spec.needs();
        let again = serde_json::to_vec(&spec).expect("a spec can be written");
        let again: SandboxSpec = serde_json::from_slice(&again).expect("and read again");
        assert_eq!(format!("{again:?}"), format!("{spec:?}"));
        let _ = spec.redacted();
    }
    let _ = serde_json::from_slice::<SandboxRecord>(bytes);
    let _ = serde_json::from_slice::<Status>(bytes);
    let _ = serde_json::from_slice::<Event>(bytes);
    let _ = serde_json::from_slice::<PostMortem>(bytes);
});
