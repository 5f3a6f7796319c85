//! The machine's lists of users and of their subordinate ids: whatever they say, a map never gives an id away twice.
#![no_main]

use isobox_machine::subids::{map, name_of, ranges};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let name = name_of(text, 1000);
    let ranges = ranges(text, 1000, name);
    for (index, range) in ranges.iter().enumerate() {
        assert!(range.first > 0 && range.count > 0);
        assert!(ranges[..index].iter().all(|other| !other.overlaps(*range)));
    }
    let Some(map) = map(1000, &ranges) else { return };
    for (index, (inside, range)) in map.iter().enumerate() {
        let apart = |(other, o): &(u32, isobox_machine::subids::Range)| {
            !o.overlaps(*range) && (other + o.count <= *inside || inside + range.count <= *other)
        };
        assert!(map[..index].iter().all(apart));
    }
});
