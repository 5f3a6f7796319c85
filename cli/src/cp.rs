//! `isobox cp`: files between this machine and a sandbox.

mod inward;
mod outward;
mod owners;
mod place;

use crate::args::{CpArgs, Form};
use crate::human::{many, size};
use crate::output::Show;
use crate::progress::Bar;
use crate::{failure, output, runtime};
use isobox::{Error, Result, TransferReport};
use place::Place;
use serde::Serialize;

/// What was copied.
#[derive(Serialize)]
#[serde(transparent)]
struct Copied(TransferReport);

impl Show for Copied {
    fn text(&self) -> String {
        let report = &self.0;
        let things = [(report.files, "file"), (report.directories, "directory"), (report.links, "link")];
        let counted: Vec<_> =
            things.iter().filter(|(count, _)| *count > 0).map(|(count, what)| many(*count, what)).collect();
        let what = if counted.is_empty() { "nothing".to_owned() } else { counted.join(", ") };
        let left = match report.skipped {
            0 => String::new(),
            skipped => format!("; {skipped} left out: sockets, devices, or links that lead out"),
        };
        format!("copied {what}, {}{left}", size(report.bytes))
    }
}

pub(crate) fn main(args: &CpArgs) -> Result<u8> {
    let (source, destination) = (Place::parse(&args.source)?, Place::parse(&args.destination)?);
    let to_stdout = matches!(destination, Place::Stream);
    if to_stdout && args.output == Form::Json {
        return Err(Error::invalid_spec("--output", "json has no place when the archive goes to stdout"));
    }
    runtime::with_isobox("cp", async |isobox| {
        let bar = (!args.quiet).then(|| Bar::waiting("copying"));
        let copied = match (&source, &destination) {
            (Place::Sandbox { .. }, Place::Sandbox { .. }) => Err(refused(
                "are both in a sandbox, copy by way of this machine or with isobox cp SANDBOX:PATH - | isobox cp - SANDBOX:PATH",
            )),
            (Place::Sandbox { sandbox, path }, to) => outward::copy(&isobox, args, (sandbox, path), to).await,
            (from, Place::Sandbox { sandbox, path }) => inward::copy(&isobox, args, from, (sandbox, path)).await,
            _ => Err(refused("are both of this machine, write one as SANDBOX:PATH")),
        };
        drop(bar);
        let copied = Copied(copied?);
        if args.output == Form::Json {
            return output::show(&copied, Form::Json);
        }
        if !args.quiet {
            failure::note(&copied.text());
        }
        Ok(0)
    })
}

fn refused(reason: &str) -> Error {
    Error::invalid_spec("SOURCE and DESTINATION", reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_copied_is_counted() {
        let report = TransferReport { files: 1, directories: 2, links: 0, bytes: 1536, skipped: 3 };
        let expected = "copied 1 file, 2 directories, 1.5 KiB; 3 left out: sockets, devices, or links that lead out";
        assert_eq!(Copied(report).text(), expected);
        assert_eq!(Copied(TransferReport::default()).text(), "copied nothing, 0 B");
    }
}
