//! Any bytes as an archive of an image, and as the stream of a layer with whatever compression they claim.
#![no_main]

mod images;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    images::load(bytes);
    images::load(&images::around(bytes));
});
