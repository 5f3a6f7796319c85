//! Sizes, times and names as people read them.

use isobox::Timestamp;
use std::time::Duration;

/// Bytes.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// A length of time by its largest unit: what is left out is less than one of it.
pub(crate) fn length(length: Duration) -> String {
    let seconds = length.as_secs();
    match seconds {
        0..120 => format!("{seconds}s"),
        120..7_200 => format!("{}m", seconds / 60),
        7_200..172_800 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// What is nearer to a length in its unit than that without the rest: a day is 24 hours right after it has begun, too.
fn nearest(length: Duration) -> Duration {
    let seconds = (length + Duration::from_millis(500)).as_secs();
    let unit = match seconds {
        0..120 => 1,
        120..7_200 => 60,
        7_200..172_800 => 3_600,
        _ => 86_400,
    };
    Duration::from_secs((seconds + unit / 2) / unit * unit)
}

/// So many things.
pub(crate) fn many(count: u64, what: &str) -> String {
    match (count, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {what}s"),
    }
}

/// A moment, to the millisecond.
pub(crate) fn moment(at: Timestamp) -> String {
    let text = at.to_string();
    match text.split_once('.') {
        Some((whole, fraction)) => format!("{whole}.{}Z", fraction.chars().take(3).collect::<String>()),
        None => text,
    }
}

/// How long ago something was.
pub(crate) fn ago(then: Timestamp, now: Timestamp) -> String {
    format!("{} ago", length(now.since(then)))
}

/// How long it is until something.
pub(crate) fn until(then: Timestamp, now: Timestamp) -> String {
    if then <= now { "now".to_owned() } else { format!("in {}", length(nearest(then.since(now)))) }
}

/// What may come out of a sandbox, so that it cannot steer a terminal.
pub(crate) fn clean(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_for_people() {
        assert_eq!([0, 1023, 1536, 5 << 30].map(size), ["0 B", "1023 B", "1.5 KiB", "5.0 GiB"]);
    }

    #[test]
    fn a_moment_has_milliseconds_at_most() {
        assert_eq!(moment(Timestamp::from_unix(0, 0)), "1970-01-01T00:00:00Z");
        assert_eq!(moment(Timestamp::from_unix(0, 12_345_678)), "1970-01-01T00:00:00.012Z");
    }

    #[test]
    fn times_are_told_by_one_unit() {
        let told = [0, 119, 120, 7_199, 7_200, 172_800].map(|seconds| length(Duration::from_secs(seconds)));
        assert_eq!(told, ["0s", "119s", "2m", "119m", "2h", "2d"]);
        let left = [86_393, 5_400, 7_199, 100, 0].map(|seconds| length(nearest(Duration::from_secs(seconds))));
        assert_eq!(left, ["24h", "90m", "2h", "100s", "0s"]);
        let (early, late) = (Timestamp::from_unix(0, 0), Timestamp::from_unix(60, 0));
        assert_eq!(
            (ago(early, late), until(late, early), until(early, late)),
            ("60s ago".into(), "in 60s".into(), "now".into())
        );
    }
}
