//! Placeholder.

use std::process::ExitCode;

mod launch;

fn main() -> ExitCode {
    match std::env::args_os().nth(1) {
        Some(verb) if verb == "launch" => launch::run(serve),
        _ => ExitCode::FAILURE,
    }
}

fn serve(place: launch::Place) -> ExitCode {
    drop((place.connection, place.listener, place.cgroup, place.settings));
    ExitCode::SUCCESS
}
