//! Which sandbox, or which command in one, is meant by a word.
//!
//! A sandbox is named by its name, its id, or the beginning of its id, with or without `sbx_`. A name that fits wins.

use isobox::{
    Error, ErrorCode, Isobox, ProcessInfo, ProcessState, Resource, Result, Sandbox, SandboxEntry, SandboxFilter,
};

/// How many of several that fit are named.
const NAMED: usize = 3;

/// A sandbox that is not deleted; by its whole id also one that is.
pub(crate) async fn entry(isobox: &Isobox, word: &str) -> Result<SandboxEntry> {
    find(isobox, word, false).await
}

/// A sandbox, also one that is gone, as far as it is remembered.
pub(crate) async fn remembered(isobox: &Isobox, word: &str) -> Result<SandboxEntry> {
    find(isobox, word, true).await
}

/// A handle of a sandbox. Of one that is gone the error says how it ended, as far as that is remembered.
pub(crate) async fn sandbox(isobox: &Isobox, word: &str) -> Result<Sandbox> {
    let found = match entry(isobox, word).await {
        Err(error) if error.code() == ErrorCode::NotFound => remembered(isobox, word).await?,
        found => found?,
    };
    Box::pin(isobox.connect(found.id.as_str())).await
}

async fn find(isobox: &Isobox, word: &str, gone: bool) -> Result<SandboxEntry> {
    match isobox.inspect(word).await {
        Err(error) if error.code() == ErrorCode::NotFound => {}
        found => return found,
    }
    let all = isobox.list(SandboxFilter { deleted: gone, ..SandboxFilter::default() }).await?;
    pick(word, all)
}

/// The one of all that is meant: the last that had the name, or the only one whose id begins so.
fn pick(word: &str, all: Vec<SandboxEntry>) -> Result<SandboxEntry> {
    if let Some(named) = all.iter().rev().find(|entry| entry.name.as_deref() == Some(word)) {
        return Ok(named.clone());
    }
    let begins = |entry: &SandboxEntry| begins(entry.id.as_str(), "sbx_", word);
    let mut fitting: Vec<_> = all.into_iter().filter(begins).collect();
    match fitting.len() {
        0 => Err(no_sandbox(word)),
        1 => Ok(fitting.remove(0)),
        _ => Err(ambiguous("sandbox", word, fitting.iter().map(|entry| entry.id.to_string()))),
    }
}

fn begins(id: &str, prefix: &str, word: &str) -> bool {
    let bare = word.strip_prefix(prefix).unwrap_or(word);
    !bare.is_empty() && id.strip_prefix(prefix).is_some_and(|id| id.starts_with(bare))
}

fn no_sandbox(word: &str) -> Error {
    let message = format!("there is no sandbox {}, isobox ls lists those that are there", word.escape_debug());
    Error::new(ErrorCode::NotFound, message).with_detail(resource(Resource::Sandbox, word))
}

fn resource(resource: Resource, id: &str) -> isobox::Detail {
    isobox::Detail::Resource { resource, id: id.to_owned() }
}

fn ambiguous(kind: &str, word: &str, ids: impl ExactSizeIterator<Item = String>) -> Error {
    let count = ids.len();
    let some: Vec<_> = ids.take(NAMED).collect();
    let more = if count > some.len() { ", ..." } else { "" };
    Error::invalid_spec(
        kind,
        format!("{word:?} is the beginning of {count} ids, write more of it: {}{more}", some.join(", ")),
    )
}

/// A command and its sandbox. Without a second word the first may be a command's whole id, else the command that started last
/// is meant.
pub(crate) async fn process(isobox: &Isobox, first: &str, second: Option<&str>) -> Result<(Sandbox, ProcessInfo)> {
    if let (Ok(id), None) = (first.parse::<isobox::ExecId>(), second) {
        return anywhere(isobox, &id).await;
    }
    let sandbox = sandbox(isobox, first).await?;
    let all = sandbox.processes().await?;
    let found = match second {
        Some(word) => among(all, word)?,
        None => last(all).ok_or_else(|| no_process("any command", first))?,
    };
    Ok((sandbox, found))
}

/// Looks for a command in all sandboxes that run.
async fn anywhere(isobox: &Isobox, id: &isobox::ExecId) -> Result<(Sandbox, ProcessInfo)> {
    let filter = SandboxFilter { states: vec![isobox::State::Running], ..SandboxFilter::default() };
    for entry in isobox.list(filter).await?.into_iter().rev() {
        // One that ends meanwhile has no command that could be meant.
        let Ok(sandbox) = Box::pin(isobox.connect(entry.id.as_str())).await else { continue };
        let Ok(all) = sandbox.processes().await else { continue };
        if let Some(found) = all.into_iter().find(|process| process.id == *id) {
            return Ok((sandbox, found));
        }
    }
    let message = format!("there is no command {id} in any sandbox that runs");
    Err(Error::new(ErrorCode::NotFound, message).with_detail(resource(Resource::Exec, id.as_str())))
}

fn no_process(what: &str, sandbox: &str) -> Error {
    let message = format!("there is not {what} in the sandbox {}, see isobox ps -a", sandbox.escape_debug());
    Error::new(ErrorCode::NotFound, message).with_detail(resource(Resource::Exec, what))
}

/// The command of a sandbox that is meant: by its id, its label, its process id, or the beginning of its id.
pub(crate) fn among(all: Vec<ProcessInfo>, word: &str) -> Result<ProcessInfo> {
    let named = |process: &&ProcessInfo| {
        process.id.as_str() == word
            || process.label.as_deref() == Some(word)
            || process.pid.is_some_and(|pid| pid.to_string() == word)
    };
    // Of several with one label or number, the one that runs, and of those the newest.
    let exact =
        all.iter().filter(named).max_by_key(|process| (process.state == ProcessState::Running, process.started_at));
    if let Some(found) = exact {
        return Ok(found.clone());
    }
    let mut fitting: Vec<_> = all.into_iter().filter(|process| begins(process.id.as_str(), "exe_", word)).collect();
    match fitting.len() {
        0 => {
            let message = format!("there is no command {} in the sandbox, see isobox ps -a", word.escape_debug());
            Err(Error::new(ErrorCode::NotFound, message).with_detail(resource(Resource::Exec, word)))
        }
        1 => Ok(fitting.remove(0)),
        _ => Err(ambiguous("process", word, fitting.iter().map(|process| process.id.to_string()))),
    }
}

/// The one that started last.
fn last(all: Vec<ProcessInfo>) -> Option<ProcessInfo> {
    all.into_iter().max_by_key(|process| process.started_at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_known_by_its_beginning() {
        let id = "sbx_06f0abc";
        for word in ["sbx_06f0abc", "sbx_06f", "06f0"] {
            assert!(begins(id, "sbx_", word), "{word}");
        }
        for word in ["", "sbx_", "x", "sbx_1", "bx_06"] {
            assert!(!begins(id, "sbx_", word), "{word}");
        }
    }

    #[test]
    fn several_that_fit_are_named() {
        let error = ambiguous("sandbox", "0", (0..5).map(|number| format!("sbx_0{number}")));
        let expected = "sandbox \"0\" is the beginning of 5 ids, write more of it: sbx_00, sbx_01, sbx_02, ...";
        assert_eq!(error.message(), expected);
    }
}
