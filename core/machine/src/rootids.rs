//! The ids that root gives to its sandboxes: such as own nothing on the machine.
//!
//! Root of a user namespace, as in a container without privileges, has what was mapped into that, and nothing else exists
//! for it. Its sandboxes get the last of these ids, which programs of the container are the least likely to have.

use crate::subids::Range;

/// The first id of the range on a machine. Above what systemd hands to containers (up to 0x6FFFFFFF, systemd's UIDS-GIDS
/// document) and below what does not fit a signed number.
const FIRST: u32 = 0x7000_0000;
/// As many as images expect.
const WANTED: u32 = 65_536;

/// The range of a machine.
const OF_A_MACHINE: Range = Range { first: FIRST, count: WANTED };

/// The range for root, given the texts of `/proc/self/uid_map` and `/proc/self/gid_map`. Fewer ids than wanted where there
/// are not more; never 0, which is root itself; nothing when that is all.
pub(crate) fn root_range(uid_map: &str, gid_map: &str) -> Option<Range> {
    let (users, groups) = (mapped(uid_map), mapped(gid_map));
    if [&users, &groups].iter().all(|map| map.iter().any(|range| contains(*range, OF_A_MACHINE))) {
        return Some(OF_A_MACHINE);
    }
    let both = users.iter().flat_map(|user| groups.iter().filter_map(|group| common(*user, *group)));
    let best = both.max_by_key(|range| (range.count.min(WANTED), range.first))?;
    let count = best.count.min(WANTED);
    Some(Range { first: best.first + (best.count - count), count })
}

/// The ids that a map has, 0 left out, in ranges as possible.
pub(crate) fn mapped(map: &str) -> Vec<Range> {
    let range = |line: &str| {
        let mut numbers = line.split_whitespace().map(str::parse::<u32>);
        let (first, count) = (numbers.next()?.ok()?, numbers.nth(1)?.ok()?);
        let skipped = u32::from(first == 0);
        Some(Range { first: first + skipped, count: count.checked_sub(skipped).filter(|count| *count > 0)? })
    };
    let mut ranges: Vec<_> = map.lines().filter_map(range).collect();
    ranges.sort_by_key(|range| range.first);
    ranges.dedup_by(|next, before| {
        let adjacent = u64::from(next.first) == before.end();
        before.count += if adjacent { next.count } else { 0 };
        adjacent
    });
    ranges
}

fn contains(outer: Range, inner: Range) -> bool {
    outer.first <= inner.first && inner.end() <= outer.end()
}

pub(crate) fn common(a: Range, b: Range) -> Option<Range> {
    let (first, end) = (a.first.max(b.first), a.end().min(b.end()));
    let count = u32::try_from(end.checked_sub(first.into())?).ok().filter(|count| *count > 0)?;
    Some(Range { first, count })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(map: &str) -> Option<(u32, u32)> {
        root_range(map, map).map(|range| (range.first, range.count))
    }

    #[test]
    fn a_machine_has_a_range_that_owns_nothing() {
        assert_eq!(of("         0          0 4294967295\n"), Some((0x7000_0000, 65_536)));
    }

    #[test]
    fn a_container_gives_the_last_of_what_it_has_and_never_its_root() {
        // Rootless engines: the caller, then its subordinate ids.
        assert_eq!(of("0 1000 1\n1 100000 65536\n"), Some((1, 65_536)));
        // Docker with userns-remap.
        assert_eq!(of("0 165536 65536\n"), Some((1, 65_535)));
        assert_eq!(of("0 100000 200000\n"), Some((134_464, 65_536)));
        assert_eq!(of("0 1000 1\n"), None);
        assert_eq!(of("0 1000 1\n5 7 10\n100 200 20\n"), Some((100, 20)));
        assert_eq!(of(""), None);
    }

    #[test]
    fn users_and_groups_have_to_be_there_both() {
        let range = root_range("0 1000 1\n1 100000 65536\n", "0 1000 1\n1 100000 1000\n").unwrap();
        assert_eq!((range.first, range.count), (1, 1000));
        assert_eq!(root_range("0 1 10\n", "0 1 1\n"), None);
    }
}
