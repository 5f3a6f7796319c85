//! What sandboxes use.

use crate::human::size;
use crate::output::Show;
use crate::table::Table;
use isobox::{Metrics, SandboxId};
use serde::Serialize;

/// What one sandbox uses, and how busy it is since the measurement before.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StatsView {
    pub(crate) sandbox: SandboxId,
    pub(crate) name: Option<String>,
    /// Hundredths of one processor; absent at first, and where it cannot be measured.
    pub(crate) cpu_percent: Option<f64>,
    #[serde(flatten)]
    pub(crate) metrics: Metrics,
}

/// How busy something was between two measurements.
pub(crate) fn percent(before: &Metrics, now: &Metrics) -> Option<f64> {
    let used = now.cpu_time?.checked_sub(before.cpu_time?)?;
    let passed = now.at.since(before.at);
    (!passed.is_zero()).then(|| (used.as_secs_f64() / passed.as_secs_f64() * 1_000.0).round() / 10.0)
}

/// Of several at once.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Stats(pub(crate) Vec<StatsView>);

impl Stats {
    /// Fills in how busy each was.
    pub(crate) fn since(mut self, before: &[StatsView]) -> Self {
        for now in &mut self.0 {
            let before = before.iter().find(|before| before.sandbox == now.sandbox);
            now.cpu_percent = before.and_then(|before| percent(&before.metrics, &now.metrics));
        }
        self
    }
}

/// What is used, of how much.
fn of(used: Option<u64>, limit: Option<u64>, show: impl Fn(u64) -> String) -> String {
    match (used, limit) {
        (Some(used), Some(limit)) => format!("{} / {}", show(used), show(limit)),
        (Some(used), None) => show(used),
        (None, _) => String::new(),
    }
}

impl Show for Stats {
    fn text(&self) -> String {
        let mut table = Table::new(["ID", "NAME", "CPU", "MEMORY", "PEAK", "DISK", "PIDS", "RECEIVED", "SENT"]);
        for view in &self.0 {
            let metrics = &view.metrics;
            table.row([
                view.sandbox.to_string(),
                view.name.clone().unwrap_or_default(),
                view.cpu_percent.map(|percent| format!("{percent:.1} %")).unwrap_or_default(),
                of(metrics.memory, metrics.memory_limit, size),
                metrics.peak_memory.map(size).unwrap_or_default(),
                of(metrics.disk, metrics.disk_limit, size),
                of(metrics.pids, metrics.pids_limit, |pids| pids.to_string()),
                metrics.network_received.map(size).unwrap_or_default(),
                metrics.network_sent.map(size).unwrap_or_default(),
            ]);
        }
        table.text()
    }
}

impl StatsView {
    /// A measurement, made now.
    pub(crate) fn new(sandbox: SandboxId, name: Option<String>, metrics: Metrics) -> Self {
        Self { sandbox, name, cpu_percent: None, metrics }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox::Timestamp;
    use std::time::Duration;

    fn view(seconds: i64, cpu: u64) -> StatsView {
        let sandbox = SandboxId::from_uuid("01890000-0000-7000-8000-000000000001".parse().unwrap());
        let mut metrics = Metrics::at(Timestamp::from_unix(seconds, 0));
        metrics.cpu_time = Some(Duration::from_millis(cpu));
        metrics.memory = Some(1 << 20);
        metrics.memory_limit = Some(4 << 20);
        metrics.pids = Some(3);
        StatsView::new(sandbox, Some("web".to_owned()), metrics)
    }

    #[test]
    fn how_busy_it_is_comes_from_two_measurements() {
        let stats = Stats(vec![view(12, 1_500)]).since(&[view(10, 500)]);
        assert_eq!(stats.0[0].cpu_percent, Some(50.0));
        let expected = format!(
            "\
ID                              NAME  CPU     MEMORY             PEAK  DISK  PIDS  RECEIVED  SENT
{}  web   50.0 %  1.0 MiB / 4.0 MiB  -     -     3     -         -
",
            stats.0[0].sandbox
        );
        assert_eq!(stats.text(), expected);
        assert_eq!(Stats(vec![view(12, 400)]).since(&[view(10, 500)]).0[0].cpu_percent, None, "it was started anew");
        assert_eq!(Stats(vec![view(10, 500)]).since(&[view(10, 500)]).0[0].cpu_percent, None);
    }
}
