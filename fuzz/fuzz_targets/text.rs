//! The small languages of the contract: sizes, ids, kinds, paths, network rules.
#![no_main]

use isobox_contract::{ExternalId, ProviderKind, SandboxId, SandboxPath, parse_size};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = SandboxPath::new(bytes.to_vec());
    let (_, _, _) = (path.problem(), path.escaped(), path.file_name().len());
    let _ = SandboxPath::from("/a").join(&path);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = parse_size(text);
    let _ = text.parse::<ProviderKind>();
    let _ = text.parse::<ExternalId>();
    if let Ok(id) = text.parse::<SandboxId>() {
        assert_eq!(id.as_str(), text);
        let _ = id.created_at();
    }
});
