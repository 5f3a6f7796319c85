//! What the launcher is told and what it answers.
#![no_main]

use isobox_wire::host::HostConfig;
use isobox_wire::launch::{LaunchConfig, LaunchReport};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(config) = LaunchConfig::from_body(bytes) {
        let frame = config.to_frame().expect("it was within its limit");
        assert_eq!(LaunchConfig::from_body(&frame[4..]), Ok(config));
    }
    if let Ok(report) = LaunchReport::from_body(bytes)
        && let Ok(frame) = report.to_frame()
    {
        assert_eq!(LaunchReport::from_body(&frame[4..]), Ok(report));
    }
    let _ = isobox_wire::decode::<HostConfig>(bytes);
});
