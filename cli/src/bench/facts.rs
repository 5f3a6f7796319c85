//! What was measured with: figures say little without it.

use super::process::said;
use super::rig::Rig;
use serde::Serialize;
use std::process::Command;

/// One thing and what is to know about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Fact {
    pub(super) what: &'static str,
    pub(super) is: String,
}

/// Those of this machine, and of the engine and its clients where they are.
pub(super) async fn facts(rig: &Rig) -> Vec<Fact> {
    let mut facts = vec![
        Fact { what: "isobox", is: env!("CARGO_PKG_VERSION").to_owned() + build() },
        Fact { what: "machine", is: machine() },
    ];
    if let Ok(engine) = rig.engine_api()
        && let Ok((version, info)) = engine.about().await
    {
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "unknown".to_owned());
        let first = |words: &str| words.split_ascii_whitespace().next().unwrap_or_default().to_owned();
        let components = version.components.iter().flatten().filter(|component| component.name != "Engine");
        let components: Vec<_> =
            components.map(|component| format!("{} {}", component.name, first(&component.version))).collect();
        let backing = info.driver_status.iter().flatten().find(|pair| pair.first().is_some_and(|key| key == BACKING));
        let backing = backing.and_then(|pair| pair.get(1)).map_or(String::new(), |name| format!(" on {name}"));
        let cgroups = info.cgroup_version.map_or("unknown".to_owned(), |version| version.to_string());
        let driver = info.cgroup_driver.map_or("unknown".to_owned(), |driver| driver.to_string());
        facts.extend([
            Fact { what: "engine", is: format!("{}, API {}", text(&version.version), text(&version.api_version)) },
            Fact { what: "with", is: components.join(", ") },
            Fact { what: "storage driver", is: text(&info.driver) + &backing },
            Fact { what: "cgroups", is: format!("version {cgroups}, driver {driver}") },
        ]);
    }
    if let Ok(python) = rig.docker_py() {
        facts.push(Fact { what: "docker-py", is: python.version().to_owned() });
    }
    let mut docker = Command::new("docker");
    docker.args(["version", "--format", "{{.Client.Version}}"]);
    facts.extend(said(docker).map(|is| Fact { what: "docker command", is }));
    facts
}

/// What storage drivers call the filesystem that they are on.
const BACKING: &str = "Backing Filesystem";

fn build() -> &'static str {
    if cfg!(debug_assertions) { ", a debug build: its figures mean nothing" } else { "" }
}

fn machine() -> String {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let uname = rustix::system::uname();
    let who = if rustix::process::geteuid().is_root() { "root" } else { "an ordinary user" };
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_ascii_whitespace().next().map_or(String::new(), |load| format!(", load {load} before"));
    let (system, release) = (uname.sysname().to_string_lossy(), uname.release().to_string_lossy());
    format!("{processors} processors, {system} {release}, as {who}{load}")
}
