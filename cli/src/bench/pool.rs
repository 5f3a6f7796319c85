//! Taking a sandbox that is ready: the taking alone, and up to its first output.

use super::Options;
use super::contender::Contender;
use super::create::first_output;
use super::deadline::{PATIENCE, within};
use super::rig::Rig;
use super::row::{Goal, Row};
use isobox::Pool;
use std::time::{Duration, Instant};

const TAKE: &str = "pool take";
const OUTPUT: &str = "pool take to first output";
const OURS: [Contender; 4] =
    [Contender::Namespace, Contender::NamespaceDirectory, Contender::NamespaceImage, Contender::Host];
/// How many are ready before the first is taken.
const SIZE: usize = 4;

pub(super) async fn measure(rig: &Rig, options: &Options) -> Vec<Row> {
    let mut rows = Vec::new();
    for contender in rig.present(&OURS) {
        let times = rounds(rig, contender, options.rounds).await;
        let row = |name, goal, times| Row::times("pool", name, contender, times, |figures| figures).goal(Some(goal));
        let (taken, output) = match times {
            Ok((taken, output)) => (Ok(taken), Ok(output)),
            Err(reason) => (Err(reason.clone()), Err(reason)),
        };
        rows.push(row(TAKE, Goal::Within(0.002, "p50 ≤ 2 ms"), taken));
        rows.push(row(OUTPUT, Goal::Within(0.005, "p50 ≤ 5 ms"), output));
    }
    rows.extend(rig.absences(&OURS, "pool", TAKE));
    rows
}

/// Takes them one at a time, each from a pool that is full.
async fn rounds(rig: &Rig, contender: Contender, count: u32) -> Result<(Vec<Duration>, Vec<Duration>), String> {
    let words = |error: isobox::Error| error.to_string();
    let pool = rig.isobox().pool(rig.builder(contender)?, SIZE).open().await.map_err(words)?;
    let (mut taken, mut output) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let (first, second) = within(PATIENCE, round(&pool)).await?;
        taken.push(first);
        output.push(second);
    }
    pool.close().await.map_err(words)?;
    Ok((taken, output))
}

async fn round(pool: &Pool) -> Result<(Duration, Duration), String> {
    let words = |error: isobox::Error| error.to_string();
    pool.ready(SIZE).await.map_err(words)?;
    let begun = Instant::now();
    let sandbox = pool.take().await.map_err(words)?;
    let taken = begun.elapsed();
    first_output(&sandbox).await?;
    let output = begun.elapsed();
    sandbox.delete().await.map_err(words)?;
    Ok((taken, output))
}
