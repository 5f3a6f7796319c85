//! Why a build failed: the step, and whose failure it is. The engine's own words, which hold commands and output, are in the
//! detail and in no message.

use super::base_problem;
use super::log::Log;
use bollard::errors::Error as EngineError;
use isobox_contract::{Detail, Error, ErrorCode};

/// The field that errors name.
const FIELD: &str = "source.content";

/// A build that the engine gave up, with its code and its words.
pub(super) fn failed(log: &Log, code: Option<i64>, words: &str) -> Error {
    let lower = words.to_ascii_lowercase();
    let has = |any: &[&str]| any.iter().any(|part| lower.contains(part));
    let at = match &log.step {
        Some(step) => format!("at step {} of {} ({})", step.number, step.of, step.word),
        None => "before its first step".to_owned(),
    };
    let error = if has(&["no space left on device", "disk quota exceeded"]) {
        Error::new(ErrorCode::OutOfDisk, format!("the build failed {at}: make room on the engine's disk"))
    } else if has(&["returned a non-zero code"]) {
        let status =
            code.map(|code| format!("its command ended with {code}")).unwrap_or_else(|| "its command failed".into());
        Error::new(ErrorCode::CommandFailed, format!("the build failed {at}: {status}, its log says why"))
    } else if let Some(error) = base_problem(words) {
        error
    } else if has(&[
        "failed: file not found",
        "no such file or directory",
        "not found in build context",
        "forbidden path",
        "no source files",
    ]) {
        invalid(format!("has a step whose files are not in the context, {at}: add them, or look at .dockerignore"))
    } else if has(&["dockerfile", "unknown instruction", "invalid", "requires"]) {
        invalid(format!("cannot be understood {at}, its log says why"))
    } else {
        Error::new(ErrorCode::CommandFailed, format!("the build failed {at}, its log says why"))
    };
    with_detail(error, log, words)
}

/// A build that did not begin, or whose connection broke.
pub(super) fn refused(log: &Log, error: EngineError, otherwise: impl FnOnce(EngineError) -> Error) -> Error {
    match &error {
        EngineError::DockerResponseServerError { status_code: 400 | 500, message } => {
            let lower = message.to_ascii_lowercase();
            let parsed = ["parse error", "unknown instruction", "no build stage", "dockerfile", "syntax"];
            // What could not be written names the Dockerfile too.
            let full = ["no space left on device", "disk quota exceeded"].iter().any(|part| lower.contains(part));
            if !full && parsed.iter().any(|part| lower.contains(part)) {
                let line = lower
                    .split_once("line ")
                    .map(|(_, rest)| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
                let line =
                    line.filter(|line| !line.is_empty()).map(|line| format!(" in line {line}")).unwrap_or_default();
                return with_detail(invalid(format!("is no Dockerfile{line}, see its reference")), log, message);
            }
        }
        EngineError::DockerStreamError { error: words } => return failed(log, None, words),
        _ => {}
    }
    otherwise(error)
}

fn invalid(reason: String) -> Error {
    Error::invalid_spec(FIELD, reason)
}

/// Adds what the engine said, for whoever asks for it.
fn with_detail(error: Error, log: &Log, words: &str) -> Error {
    if !matches!(error.detail(), Detail::None) {
        return error;
    }
    let step = log.step.as_ref();
    let json = serde_json::json!({
        "step": step.map(|step| step.number),
        "steps": step.map(|step| step.of),
        "instruction": step.map(|step| step.word.as_str()),
        "error": words,
        "log": log.tail(),
    });
    error.with_detail(Detail::Provider { code: Some("build_failed".to_owned()), json })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn the_step_is_named_and_its_command_is_not() {
        let mut log = Log::new(None, Arc::new(isobox_contract::event::NoEvents));
        log.take("Step 2/3 : RUN curl -H secret\n");
        let words = "The command '/bin/sh -c curl -H secret' returned a non-zero code: 22";
        let error = failed(&log, Some(22), words);
        assert_eq!(error.code(), ErrorCode::CommandFailed);
        assert!(error.message().contains("step 2 of 3 (RUN)") && error.message().contains("22"), "{error}");
        assert!(!format!("{error:?}").contains("secret"), "{error:?}");
        let Detail::Provider { json, .. } = error.detail() else { panic!("{error:?}") };
        assert!(json["error"] == words && json["step"] == 2);
        let missing = failed(&log, None, "COPY failed: file not found in build context or excluded by .dockerignore");
        assert_eq!(missing.code(), ErrorCode::InvalidSpec);
        let base = failed(&log, None, "pull access denied for a, repository does not exist");
        assert_eq!(base.code(), ErrorCode::Unauthenticated);
    }
}
