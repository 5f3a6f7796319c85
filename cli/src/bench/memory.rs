//! Many idle sandboxes at once: what each costs.

use super::Options;
use super::contender::Contender;
use super::process::{descendants, named_after, proportional_memory};
use super::rig::Rig;
use super::row::{Figures, Goal, Outcome, Row, Unit};
use isobox::Sandbox;
use std::collections::BTreeSet;
use std::time::Instant;

const OURS: [Contender; 4] =
    [Contender::Namespace, Contender::NamespaceDirectory, Contender::Host, Contender::DockerProvider];

pub(super) async fn measure(rig: &Rig, options: &Options) -> Vec<Row> {
    let mut rows = Vec::new();
    for contender in rig.present(&OURS) {
        rows.extend(idle(rig, contender, options.sandboxes).await);
    }
    rows.extend(rig.absences(&OURS, "memory", "idle sandboxes, each"));
    rows
}

async fn idle(rig: &Rig, contender: Contender, count: usize) -> Vec<Row> {
    let own = std::process::id();
    let before = (proportional_memory(own), descendants());
    let mut held: Vec<Sandbox> = Vec::new();
    let begun = Instant::now();
    let mut failure = None;
    while held.len() < count && failure.is_none() {
        match rig.sandbox(contender).await {
            Ok(sandbox) => held.push(sandbox),
            Err(reason) => failure = Some(format!("after {} sandboxes: {reason}", held.len())),
        }
    }
    let took = begun.elapsed();
    let mut processes: BTreeSet<u32> = descendants().into_iter().filter(|pid| !before.1.contains(pid)).collect();
    // A container's processes are the engine's children, beside one that the engine has for each.
    let containers = held.iter().filter(|sandbox| sandbox.provider().as_str() == "docker");
    processes.extend(containers.flat_map(|sandbox| named_after(sandbox.external_id().as_str())));
    let theirs: u64 = processes.into_iter().map(proportional_memory).sum();
    let library = proportional_memory(own).saturating_sub(before.0);
    for sandbox in held {
        let _ = sandbox.delete().await;
    }
    if let Some(reason) = failure {
        return vec![Row::new("memory", "idle sandboxes", contender, Outcome::Failed { reason })];
    }
    let bytes = |measure: String, value: u64| {
        let figures = Figures::of_values(Unit::Bytes, vec![value as f64]).expect("there is one value");
        Row::new("memory", measure, contender, Outcome::Measured(Figures { n: count, ..figures }))
    };
    let each = count.max(1) as u64;
    let goal = (contender.provider() != Some("docker")).then_some(Goal::Within(3e6, "≤ 3 MB"));
    vec![
        bytes(format!("{count} idle sandboxes, all"), theirs + library),
        bytes("idle sandbox, each".into(), (theirs + library) / each).goal(goal),
        bytes("idle sandbox, in the library".into(), library / each),
        Row::times("memory", format!("{count} idle sandboxes, made in"), contender, Ok(vec![took]), |figures| figures),
    ]
}
