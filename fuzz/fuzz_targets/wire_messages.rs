//! Every message that the two sides of the wire decode: whatever decodes must survive being said again.
#![no_main]

use isobox_wire::{Answer, Request, Settings, decode, encode};
use libfuzzer_sys::fuzz_target;

fn round_trip<T>(bytes: &[u8])
where
    T: for<'a> serde::Deserialize<'a> + serde::Serialize + PartialEq + std::fmt::Debug,
{
    if let Ok(message) = decode::<T>(bytes) {
        let again: T = decode(&encode(&message)).expect("what was encoded decodes");
        // A number that is none is not even equal to itself.
        if !format!("{message:?}").contains("NaN") {
            assert_eq!(again, message);
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    round_trip::<Request>(bytes);
    round_trip::<Answer>(bytes);
    round_trip::<Settings>(bytes);
});
