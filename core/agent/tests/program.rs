//! The program that is embedded in the library, as a file.
#![cfg(not(feature = "program"))]
#![allow(missing_docs)]

/// What every sandbox's machine, wheel and package carries. The promise is less than 2 MB.
const MOST: usize = 2_000_000;

#[test]
fn it_is_small() {
    let size = isobox_agent::bytes().len();
    assert!(size < MOST, "{size} bytes: keep what the library can do out of the agent, or find what can go");
}

#[test]
fn it_needs_nothing_of_the_image_that_it_runs_in() {
    let bytes = isobox_agent::bytes();
    assert!(bytes.starts_with(b"\x7fELF"));
    // Only a program with a dynamic linker names one.
    assert!(!bytes.windows(9).any(|window| window == b"ld-linux-" || window == b"/ld-musl-"));
}
