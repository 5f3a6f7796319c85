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
    const PT_INTERP: u32 = 3;
    let bytes = isobox_agent::bytes();
    assert!(bytes.starts_with(b"\x7fELF"));
    let number =
        |at: usize, length: usize| bytes[at..at + length].iter().rev().fold(0, |n, b| n << 8 | usize::from(*b));
    // The table of an ELF file for 64 bits: where it is, how long a row is, how many there are.
    let (table, row, rows) = (number(32, 8), number(54, 2), number(56, 2));
    let kinds: Vec<u32> = (0..rows).map(|index| number(table + index * row, 4) as u32).collect();
    assert!(rows > 0 && !kinds.contains(&PT_INTERP), "{kinds:?} names a dynamic linker");
}
