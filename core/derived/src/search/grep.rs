//! Lines that match.
//!
//! Files are read as streams, several at once, and a line is looked at when it is whole. A file with a NUL byte among its
//! first 8 KiB is binary and has no lines. Of a line that is longer than 1 MiB the first 1 MiB is looked at.

use super::RESULTS;
use futures::stream::{FuturesOrdered, StreamExt};
use isobox_contract::search::{GrepMatch, GrepQuery};
use isobox_contract::{Detail, Error, Files, Range, Result, SandboxPath};
use regex::bytes::{Regex, RegexBuilder};
use tokio::io::AsyncReadExt;

/// Files that are read at the same time.
const AT_ONCE: usize = 16;
/// Bytes at the beginning of a file that tell a binary one.
const TOLD_BY: usize = 8 << 10;
/// Bytes of a line that are looked at.
const LINE: usize = 1 << 20;
/// Bytes that are read at once.
const PIECE: usize = 64 << 10;
/// Bytes of lines in the results.
const RESULT_BYTES: usize = 64 << 20;
/// Bytes that a compiled expression may take.
const COMPILED: usize = 4 << 20;

/// An expression that lines are held against.
pub(super) struct Lines(Regex);

impl Lines {
    /// Compiles the expression of a query.
    pub(super) fn new(query: &GrepQuery) -> Result<Self> {
        let built = RegexBuilder::new(&query.pattern)
            .case_insensitive(query.ignore_case)
            .unicode(true)
            .size_limit(COMPILED)
            .build();
        built.map(Self).map_err(|error| {
            let reason = match error {
                regex::Error::CompiledTooBig(_) => "is too large an expression".to_owned(),
                // The last line says what is wrong; those before show the expression.
                error => {
                    let text = error.to_string();
                    let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
                    format!("is not a regular expression: {last}")
                }
            };
            Error::invalid_spec("pattern", reason)
        })
    }
}

/// The matches in these files, in their order, as far as `max` goes.
pub(super) async fn search(
    files: &dyn Files,
    paths: &[SandboxPath],
    lines: &Lines,
    max: Option<u64>,
) -> Result<Vec<GrepMatch>> {
    let most = usize::try_from(max.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    if most == 0 {
        return Ok(Vec::new());
    }
    let (mut waiting, mut running) = (paths.iter(), FuturesOrdered::new());
    let (mut found, mut bytes) = (Vec::new(), 0);
    loop {
        while running.len() < AT_ONCE
            && let Some(path) = waiting.next()
        {
            running.push_back(one(files, path, lines, most));
        }
        let Some(matches) = running.next().await else { return Ok(found) };
        for matched in matches? {
            bytes += matched.line.len() + matched.path.as_bytes().len();
            found.push(matched);
            if found.len() == most {
                return Ok(found);
            }
            if found.len() > RESULTS || bytes > RESULT_BYTES {
                return Err(too_many());
            }
        }
    }
}

fn too_many() -> Error {
    Error::limit_exceeded("search.results", RESULTS as u64)
}

/// The matches in one file. What cannot be read has none.
async fn one(files: &dyn Files, path: &SandboxPath, lines: &Lines, most: usize) -> Result<Vec<GrepMatch>> {
    let reader = match files.read_stream(path, Range::ALL).await {
        Ok(reader) => reader,
        Err(error) if is_the_file_s(&error) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut scan = Scan { path, lines, found: Vec::new(), bytes: 0, line: Vec::new(), number: 1 };
    match scan.read(reader, most).await {
        Ok(()) => Ok(scan.found),
        Err(error) => match error.downcast::<Error>() {
            Ok(error) if is_the_file_s(&error) => Ok(scan.found),
            Ok(error) => Err(error),
            Err(error) => Err(Error::io(path.escaped(), error)),
        },
    }
}

/// Whether an error is about the file alone: it may not be read, is gone, or is no regular file any more.
fn is_the_file_s(error: &Error) -> bool {
    matches!(error.detail(), Detail::File { .. })
}

struct Scan<'a> {
    path: &'a SandboxPath,
    lines: &'a Lines,
    found: Vec<GrepMatch>,
    bytes: usize,
    /// What has come of the present line, as far as it is looked at.
    line: Vec<u8>,
    number: u64,
}

impl Scan<'_> {
    async fn read(&mut self, mut reader: isobox_contract::FileReader, most: usize) -> std::io::Result<()> {
        let mut buffer = vec![0; PIECE];
        let (mut first, mut started) = (0, false);
        // The beginning has to be whole before it tells anything.
        while first < TOLD_BY {
            match reader.read(&mut buffer[first..]).await? {
                0 => break,
                read => first += read,
            }
        }
        if buffer[..first.min(TOLD_BY)].contains(&0) {
            return Ok(());
        }
        let mut length = first;
        while length > 0 {
            let mut pieces = buffer[..length].split(|byte| *byte == b'\n').peekable();
            while let Some(piece) = pieces.next() {
                let room = LINE.saturating_sub(self.line.len()).min(piece.len());
                self.line.extend_from_slice(&piece[..room]);
                if pieces.peek().is_some() {
                    self.end_of_line()?;
                    started = false;
                    if self.found.len() >= most {
                        return Ok(());
                    }
                } else {
                    started = started || !piece.is_empty();
                }
            }
            length = reader.read(&mut buffer).await?;
        }
        if started { self.end_of_line() } else { Ok(()) }
    }

    fn end_of_line(&mut self) -> std::io::Result<()> {
        if self.lines.0.is_match(&self.line) {
            self.bytes += self.line.len();
            if self.bytes > RESULT_BYTES || self.found.len() >= RESULTS {
                return Err(std::io::Error::other(too_many()));
            }
            self.found.push(GrepMatch {
                path: self.path.clone(),
                line_number: self.number,
                line: self.line.clone().into(),
            });
        }
        self.line.clear();
        self.number += 1;
        Ok(())
    }
}
