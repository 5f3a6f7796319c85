//! How long a command takes from start to the report of its end.

use super::*;

const ROUNDS: usize = 1000;

#[test]
#[ignore = "a measurement, for release builds on a quiet machine"]
fn latency_of_true() {
    isolated("latency::latency_of_true", &[], || {
        let null = File::options().read(true).write(true).open("/dev/null").unwrap();
        let mut launch = Launch::new(bytes(&["/bin/true"]), [null.as_fd(); 3]);
        launch.env = bytes(&["PATH=/usr/bin:/bin"]);
        let mut plain = Command::new("/bin/true");
        for _ in 0..2 {
            measure("supervised", || {
                let mut tree = launch.start().unwrap();
                loop {
                    match tree.try_report().unwrap() {
                        Some(Report::LeaderExited { .. }) => break tree,
                        Some(_) => {}
                        None => readable(&tree),
                    }
                }
            });
            measure("start only", || launch.start().unwrap());
            measure("posix_spawn and wait", || assert!(plain.status().unwrap().success()));
        }
    });
}

fn measure<T>(what: &str, mut run: impl FnMut() -> T) {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let begun = Instant::now();
            let result = run();
            let took = begun.elapsed();
            drop(result);
            reap_strays(|_| false);
            took
        })
        .collect();
    times.sort();
    println!("{what}: p50 {:?}, p99 {:?}", times[ROUNDS / 2], times[ROUNDS * 99 / 100]);
}
