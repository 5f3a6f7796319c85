//! The command line of `isobox bench`.

use super::{Form, MEASURES, Options};
use clap::builder::PossibleValuesParser;

/// Measures isobox here, beside bare processes, bubblewrap and Docker
#[derive(Clone, Debug, clap::Args)]
pub struct BenchArgs {
    /// Measure this only; can be given several times
    #[arg(long, value_name = "MEASURE", value_parser = PossibleValuesParser::new(MEASURES))]
    only: Vec<String>,
    /// Measure this provider only; can be given several times
    #[arg(long, value_name = "NAME", value_parser = ["namespace", "host", "docker"])]
    provider: Vec<String>,
    /// Rounds of the short measures; a tenth of them for those that move much data
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rounds: u32,
    /// Idle sandboxes to hold at once
    #[arg(long, default_value_t = 200, value_name = "COUNT", value_parser = sandboxes)]
    sandboxes: usize,
    /// Mebibytes of one large output or file
    #[arg(long, default_value_t = 1024, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    mebibytes: u64,
    /// Mebibytes that a sandbox has written before it is copied
    #[arg(long, default_value_t = 100, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    written: u64,
    /// Small files of one tree, and of 16 KiB each in an image that is unpacked
    #[arg(long, default_value_t = 10_000, value_name = "COUNT")]
    files: usize,
}

fn sandboxes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=1000) => Ok(count),
        _ => Err("it is a number from 1 to 1000".to_owned()),
    }
}

impl BenchArgs {
    /// The same for [`run`](super::run); the report's form and who hears of the progress are the caller's.
    pub fn options(self, form: Form, progress: fn(&str)) -> Options {
        let Self { only, provider, rounds, sandboxes, mebibytes, written, files } = self;
        let (bytes, written) = (mebibytes << 20, written << 20);
        Options { only, rounds, form, provider, sandboxes, bytes, written, files, command: None, progress }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: BenchArgs,
    }

    fn options(line: &[&str]) -> Result<Options, clap::Error> {
        let line = Line::try_parse_from(["bench"].iter().chain(line))?;
        Ok(line.args.options(Form::Table, |_| {}))
    }

    #[test]
    fn the_defaults_of_the_line_are_those_of_the_library() {
        let (line, library) = (options(&[]).unwrap(), Options::default());
        assert_eq!((line.rounds, line.sandboxes, line.bytes), (library.rounds, library.sandboxes, library.bytes));
        assert_eq!(line.written, library.written);
        assert_eq!((line.files, line.only, line.provider), (library.files, library.only, library.provider));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert_eq!(options(&["--only", "exec", "--only", "files"]).unwrap().only, ["exec", "files"]);
        for line in [["--only", "nothing"], ["--sandboxes", "1001"], ["--sandboxes", "0"], ["--rounds", "0"]] {
            assert!(options(&line).is_err(), "{line:?}");
        }
    }
}
