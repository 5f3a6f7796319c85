//! Contents that a repository holds, by their ids.

use super::check;
use super::runner::{self, Invocation, Runner, failure};
use bytes::Bytes;
use isobox_contract::{Error, GitFailure, OutputLimits, Result};

/// The most objects of one call.
const MOST: usize = 10_000;
/// Bytes that git prints around each object: id, type, size and line feeds.
const AROUND: u64 = 100;

/// How large each object is, in bytes.
pub(super) async fn sizes(runner: &Runner, ids: &[String]) -> Result<Vec<u64>> {
    let output = ask(runner, "blob_sizes", "--batch-check", ids, OutputLimits::default()).await?;
    let lines: Vec<&[u8]> = output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    if lines.len() != ids.len() {
        return Err(runner::nonsense("blob_sizes"));
    }
    lines.into_iter().map(|line| size("blob_sizes", line)).collect()
}

/// What is in each object, together `most` bytes at most.
pub(super) async fn contents(runner: &Runner, ids: &[String], most: u64) -> Result<Vec<Bytes>> {
    const CALL: &str = "blobs";
    let total = sizes(runner, ids).await?.into_iter().fold(0_u64, u64::saturating_add);
    if total > most {
        return Err(Error::limit_exceeded("git.blobs", most));
    }
    // Kept from the start alone, as nothing of it is cut.
    let limits = OutputLimits { head: total + ids.len() as u64 * AROUND, ..OutputLimits::none() };
    let mut output = ask(runner, CALL, "--batch", ids, limits).await?;
    let mut all = Vec::with_capacity(ids.len());
    for _ in ids {
        let end = output.iter().position(|byte| *byte == b'\n').ok_or_else(|| runner::nonsense(CALL))?;
        let length = usize::try_from(size(CALL, &output.split_to(end + 1)[..end])?).map_err(Error::internal)?;
        if output.len() <= length {
            return Err(runner::nonsense(CALL));
        }
        all.push(output.split_to(length));
        output = output.slice(1..);
    }
    Ok(all)
}

async fn ask(runner: &Runner, call: &'static str, how: &str, ids: &[String], limits: OutputLimits) -> Result<Bytes> {
    if ids.len() > MOST {
        return Err(Error::limit_exceeded("git.ids", MOST as u64));
    }
    ids.iter().try_for_each(|id| check::object("ids", id))?;
    if ids.is_empty() {
        return Ok(Bytes::new());
    }
    let lines: String = ids.iter().flat_map(|id| [id.as_str(), "\n"]).collect();
    runner.run(Invocation::local(call, ["cat-file", how]).reading().input(&lines).keeping(limits)).await
}

/// `ID blob SIZE`, or `ID missing`.
fn size(call: &'static str, line: &[u8]) -> Result<u64> {
    let line = String::from_utf8_lossy(line);
    match line.split(' ').collect::<Vec<_>>()[..] {
        [_, "blob", size] => size.parse().map_err(|_| runner::nonsense(call)),
        [id, "missing"] => Err(failure(call, GitFailure::RefNotFound, format!("there is no object {id}"))),
        [id, kind, _] => Err(Error::invalid_spec("ids", format!("{id} is a {kind} and not a file's contents"))),
        _ => Err(runner::nonsense(call)),
    }
}
