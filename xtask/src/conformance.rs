//! Runs the conformance suite on every provider of this repository, and writes the reference page from that.

use crate::Outcome;
use crate::docker::{ADDRESS, Engine, Version};
use crate::steps::Steps;
use crate::workspace::{cargo, is_root};

pub(crate) fn run() -> Outcome {
    let mut steps = Steps::default();
    let engine = match is_root() {
        true => steps.try_to("a Docker engine", Engine::start(Version::Installed, false)),
        false => {
            eprintln!("xtask: only root can start a Docker engine, so docker is not run");
            None
        }
    };
    let mut command = cargo(["test", "--package", "isobox-conformance", "--test", "page", "--"]);
    command.args(["--ignored", "--exact", "write", "--nocapture"]);
    if let Some(engine) = &engine {
        command.env(ADDRESS, engine.address());
    }
    steps.run("the suite", &mut command);
    drop(engine);
    steps.finish("conformance")
}
