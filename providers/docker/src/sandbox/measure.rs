//! What a sandbox uses, where its agent cannot say.

use super::DockerSandbox;
use bollard::query_parameters::StatsOptionsBuilder;
use futures::StreamExt;
use isobox_contract::{Error, Metrics, Resource, Result, Timestamp};
use std::time::Duration;

impl DockerSandbox {
    /// As the engine has it, but for the processes, which only the agent can tell from those of the runtime.
    pub(super) async fn measured_by_both(&self) -> Result<Metrics> {
        let (inside, _) = self.core.guest.measure().await?;
        Ok(Metrics { pids: inside.pids, ..self.measured_by_engine().await? })
    }

    /// As the engine has it, which reads it from the container's cgroup.
    pub(super) async fn measured_by_engine(&self) -> Result<Metrics> {
        let engine = &self.inner.engine;
        let options = StatsOptionsBuilder::default().stream(false).one_shot(true).build();
        let mut answers = Box::pin(engine.api().stats(self.core.container(), Some(options)));
        let stats = answers.next().await.ok_or_else(|| Error::transport("docker measured nothing"))?;
        let failed = engine.failed_on("measure the container", Resource::Sandbox, self.core.id.as_str());
        let stats = stats.map_err(failed)?;
        let mut metrics = Metrics::at(Timestamp::now());
        let processor = stats.cpu_stats.and_then(|processor| processor.cpu_usage?.total_usage);
        metrics.cpu_time = processor.map(Duration::from_nanos);
        if let Some(memory) = stats.memory_stats {
            (metrics.memory, metrics.peak_memory) = (memory.usage, memory.max_usage);
        }
        metrics.pids = stats.pids_stats.and_then(|processes| processes.current);
        Ok(metrics)
    }
}
