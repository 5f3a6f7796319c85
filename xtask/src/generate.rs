//! What is written from other files.

use crate::Outcome;
use crate::steps::Steps;
use crate::swift;
use crate::workspace::cargo;

/// Writes all of it; with `check` it only fails when something is not as it would be.
pub(crate) fn run(check: bool) -> Outcome {
    let mut steps = Steps::default();
    add(&mut steps, check);
    steps.finish("gen")
}

/// The same as a step of another task.
pub(crate) fn add(steps: &mut Steps, check: bool) {
    let mut write = cargo(["run", "--quiet", "--package", "isobox-bindgen", "--"]);
    if check {
        write.arg("--check");
    }
    if !steps.run("files written from the description of the bindings", &mut write) {
        return;
    }
    if let Some(library) = swift::native(steps, None) {
        let write = write.arg("--library").arg(library);
        steps.run("files that UniFFI writes of the native module of the Swift package", write);
    }
}
