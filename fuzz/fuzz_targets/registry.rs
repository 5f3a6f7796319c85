//! What a registry, a token server, a credential helper and Docker's own config may say.
#![no_main]

use isobox_registry::decode;
use libfuzzer_sys::fuzz_target;
use std::time::SystemTime;

fuzz_target!(|bytes: &[u8]| {
    let _ = decode::manifest(bytes);
    let _ = decode::docker_config(bytes, "registry.example.com");
    let _ = decode::helper(bytes);
    let _ = decode::token(bytes);
    let _ = decode::challenge(bytes);
    let _ = decode::retry_after(bytes, SystemTime::UNIX_EPOCH);
    let _ = decode::content_range(bytes);
    if let Some(reference) = decode::reference(bytes) {
        let again = decode::reference(reference.to_string().as_bytes());
        assert_eq!(again.expect("a reference can be written").to_string(), reference.to_string());
    }
});
