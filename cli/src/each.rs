//! The same done to several things.

use crate::args::Form;
use crate::{exit, failure, output};
use futures::StreamExt;
use isobox::{Error, Result};

/// How many are acted on at once.
const AT_ONCE: usize = 8;

/// Does something with each, and prints what came of it. A failure is told and keeps nothing else from being done; the last
/// one is the command's.
pub(crate) async fn each<W>(words: &[W], form: Form, act: impl AsyncFn(&W) -> Result<String>) -> Result<u8> {
    let mut done = Vec::new();
    let mut failed = None;
    let mut results = std::pin::pin!(futures::stream::iter(words).map(|word| act(word)).buffered(AT_ONCE));
    while let Some(result) = results.next().await {
        match result {
            Ok(id) => done.push(id),
            Err(error) => {
                if let Some(earlier) = failed.replace(error) {
                    failure::tell(&earlier, form.into());
                }
            }
        }
    }
    let code = match form {
        Form::Table => output::lines(&done)?,
        Form::Json => output::line(&done).map(exit::of_reader)?,
    };
    failed.map_or(Ok(code), Err)
}

/// Asks each provider. A failure is told and keeps no other from being asked; the last one comes back beside the answers.
pub(crate) async fn all_of<T>(
    providers: Vec<String>,
    form: Form,
    ask: impl AsyncFn(&str) -> Result<T>,
) -> (Vec<T>, Option<Error>) {
    let (mut answers, mut failed) = (Vec::new(), None);
    for provider in providers {
        match ask(&provider).await {
            Ok(answer) => answers.push(answer),
            Err(error) => {
                if let Some(earlier) = failed.replace(error) {
                    failure::tell(&earlier, form.into());
                }
            }
        }
    }
    (answers, failed)
}
