//! Subordinate ids: the ranges beside its own id that a user may map into its user namespaces.
//!
//! The files `/etc/subuid` and `/etc/subgid` are read as subuid(5) describes them: `owner:first:count`, where the owner is a
//! name or a number. A program that is linked statically cannot ask the name service, so ranges that come from elsewhere
//! (`subid:` in `/etc/nsswitch.conf`) are not known, and neither are users that are not in `/etc/passwd` under a name.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The most ids of a sandbox beside its root: 1 to 65535, which is what images expect.
pub const WANTED: u32 = 65_535;
/// The most ranges that are put together; a map has room for 340 lines in the kernel.
const MOST: usize = 64;

/// Consecutive ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// The first one.
    pub first: u32,
    /// How many.
    pub count: u32,
}

/// Everything that a sandbox with several users takes: programs that map ids, and what they are to map, as (inside,
/// range).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subordinate {
    /// Where `newuidmap` is.
    pub newuidmap: PathBuf,
    /// Where `newgidmap` is.
    pub newgidmap: PathBuf,
    /// The map of users.
    pub uid_map: Vec<(u32, Range)>,
    /// The map of groups.
    pub gid_map: Vec<(u32, Range)>,
}

impl Range {
    pub(crate) fn end(self) -> u64 {
        u64::from(self.first) + u64::from(self.count)
    }

    /// Whether both have an id in common.
    pub fn overlaps(self, other: Range) -> bool {
        u64::from(self.first) < other.end() && u64::from(other.first) < self.end()
    }
}

/// The name of a user, as `/etc/passwd` says.
pub fn name_of(passwd: &str, uid: u32) -> Option<&str> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, number) = (fields.next()?, fields.nth(1)?);
        (number.parse() == Ok(uid) && !name.is_empty()).then_some(name)
    })
}

/// The ranges that a file gives to a user, in its order. Lines that cannot be understood, and ranges that reach beyond
/// the last id, hold root or repeat others, are left out, as the kernel would refuse them.
pub fn ranges(file: &str, uid: u32, name: Option<&str>) -> Vec<Range> {
    let number = uid.to_string();
    let mut ranges: Vec<Range> = Vec::new();
    for line in file.lines() {
        let mut fields = line.trim().split(':');
        let (Some(owner), Some(first), Some(count), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let (Ok(first), Ok(count)) = (first.parse(), count.parse()) else { continue };
        let range = Range { first, count };
        let own = owner == number || name.is_some_and(|name| name == owner);
        // The very last id stands for "no id".
        let valid = first > 0 && count > 0 && range.end() <= u64::from(u32::MAX);
        if own && valid && ranges.len() < MOST && !ranges.iter().any(|other| other.overlaps(range)) {
            ranges.push(range);
        }
    }
    ranges
}

/// The map of a sandbox: its root is `own`, and 1 to [`WANTED`] are the ranges in turn; as (inside, range). Nothing when
/// they are not enough.
pub fn map(own: u32, ranges: &[Range]) -> Option<Vec<(u32, Range)>> {
    let caller = Range { first: own, count: 1 };
    let mut map = vec![(0, caller)];
    let mut next = 1;
    for range in ranges.iter().filter(|range| !range.overlaps(caller)) {
        let count = range.count.min(WANTED + 1 - next);
        if count == 0 {
            break;
        }
        map.push((next, Range { first: range.first, count }));
        next += count;
    }
    (next == WANTED + 1).then_some(map)
}

/// What a user namespace has of these ranges, by the text of its map. In a container `/etc/subuid` may give what is not
/// there.
pub fn within(ranges: &[Range], map: &str) -> Vec<Range> {
    let mapped = crate::rootids::mapped(map);
    ranges.iter().flat_map(|range| mapped.iter().filter_map(|own| crate::rootids::common(*range, *own))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn range(first: u32, count: u32) -> Range {
        Range { first, count }
    }

    #[test]
    fn lines_of_the_user_by_name_and_by_number() {
        let file = "other:100000:65536\nme:165536:65536\n1000:300000:10\n1000x:1:1\nme:1:2:3\n\n# me:9:9\nme:x:1\n me:400000:5 \n";
        let expected = vec![range(165_536, 65_536), range(300_000, 10), range(400_000, 5)];
        assert_eq!(ranges(file, 1000, Some("me")), expected);
        assert_eq!(ranges(file, 1000, None), vec![range(300_000, 10)]);
        assert_eq!(ranges(file, 7, Some("")), vec![]);
    }

    #[test]
    fn what_the_kernel_would_refuse_is_left_out() {
        let file =
            "me:0:65536\nme:4294967295:1\nme:4294967290:5\nme:100:0\nme:1000:10\nme:1005:10\nme:99999999999:1\nme:-1:5";
        assert_eq!(ranges(file, 5, Some("me")), vec![range(4_294_967_290, 5), range(1000, 10)]);
    }

    #[test]
    fn a_map_takes_as_much_as_images_expect_or_nothing() {
        assert_eq!(map(1000, &[range(100_000, 65_536)]), Some(vec![(0, range(1000, 1)), (1, range(100_000, 65_535))]));
        let parts = [range(100_000, 65_000), range(200_000, 1_000)];
        let expected = vec![(0, range(1000, 1)), (1, range(100_000, 65_000)), (65_001, range(200_000, 535))];
        assert_eq!(map(1000, &parts), Some(expected));
        assert_eq!(map(1000, &[range(100_000, 65_534)]), None);
        assert_eq!(map(1000, &[]), None);
        assert_eq!(map(100_005, &[range(100_000, 65_536)]), None, "the caller's own id cannot be mapped twice");
    }

    #[test]
    fn only_ids_that_a_user_namespace_has_count() {
        let given = [range(100_000, 65_536), range(5, 10)];
        assert_eq!(within(&given, "0 0 4294967295\n"), given);
        assert_eq!(within(&given, "0 1000 1\n1 100000 65536\n"), [range(5, 10)]);
        assert_eq!(within(&given, "0 1000 110000\n"), [range(100_000, 10_000), range(5, 10)]);
    }

    #[test]
    fn names_are_found_by_number() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\nme:x:1000:1000::/home/me:/bin/sh\nbroken\n:x:5:5";
        assert_eq!([0, 1000, 7, 5].map(|uid| name_of(passwd, uid)), [Some("root"), Some("me"), None, None]);
    }

    proptest! {
        #[test]
        fn any_file_gives_ranges_that_can_be_mapped(file in "((me|1000|x)?:[0-9]{0,11}:[0-9]{0,11}\n){0,20}") {
            let ranges = ranges(&file, 1000, Some("me"));
            for (index, one) in ranges.iter().enumerate() {
                prop_assert!(one.count > 0 && one.end() <= u64::from(u32::MAX));
                prop_assert!(ranges[..index].iter().all(|other| !other.overlaps(*one)));
            }
            if let Some(map) = map(1000, &ranges) {
                let inside: u32 = map.iter().map(|(_, range)| range.count).sum();
                prop_assert_eq!(inside, WANTED + 1);
            }
        }
    }
}
