//! A virtual machine with a kernel and a layout of cgroups that users have and the machine of the developer may not:
//! Debian's, with cgroup v2 alone and systemd, once more with one feature after the other taken away.
//!
//! `image` makes what is booted, `contents` what is run in it, `machine` runs it, `variants` are the features.

mod contents;
mod image;
mod machine;
mod variants;

use crate::Outcome;
use crate::workspace::is_root;
use contents::Contents;
use image::{Image, KERNELS, USER_MODE};
use machine::Machine;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use variants::Variant;

const USAGE: &str = "\
usage: cargo xtask vm [--kernel VERSION] [--minutes N] [--package NAME]... [-- FILTER]
       cargo xtask vm [--kernel VERSION] --without FEATURE|each";

/// How long the tests may take, in minutes; emulated, one takes ten to thirty times as long as without.
const MINUTES: u64 = 60;

/// How long one variant may take, in minutes.
const VARIANT_MINUTES: u64 = 10;

/// What to do.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    kernel: String,
    minutes: u64,
    /// The feature to take away, or `each`.
    without: Option<String>,
    /// Packages to test, in place of all whose tests depend on the kernel.
    packages: Vec<String>,
    /// In the test runner's language.
    filter: String,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let as_a_program = !machine::is_virtual() && machine::user_mode_boots();
        let kernel = if as_a_program { USER_MODE } else { KERNELS[0].0 };
        let (kernel, filter) = (kernel.to_owned(), "all()".to_owned());
        let mut options = Self { kernel, minutes: MINUTES, without: None, packages: Vec::new(), filter };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().cloned().ok_or_else(|| USAGE.to_owned());
            match argument.as_str() {
                "--kernel" => options.kernel = value()?,
                "--minutes" => options.minutes = value()?.parse().map_err(|_| "--minutes takes a number")?,
                "--without" => options.without = Some(value()?),
                "--package" => options.packages.push(value()?),
                "--" => options.filter = value()?,
                _ => return Err(USAGE.to_owned()),
            }
        }
        if KERNELS.iter().all(|(version, _)| *version != options.kernel) {
            let known = KERNELS.map(|(version, _)| version).join(", ");
            return Err(format!("there is no kernel {}; there are: {known}", options.kernel));
        }
        Ok(options)
    }
}

/// Runs the tests that depend on the kernel in the machine, or shows what the command says without a feature.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let options = Options::parse(arguments)?;
    if !is_root() {
        return Err("only root can make the machine's disk".into());
    }
    if options.kernel == USER_MODE && !machine::user_mode_boots() {
        let other = KERNELS[0].0;
        return Err(format!("user-mode Linux does not know the registers of this processor: use --kernel {other}"));
    }
    let variants = options.without.as_deref().map(Variant::find).transpose()?;
    let image = Image::prepare()?;
    let place = Place::make()?;
    let mut contents = Contents::begin(&place.0.join("contents"))?;
    if variants.is_none() { contents.add_tests(&options.packages) } else { contents.add_command() }?;
    let boot = |start: &str, words: &str, minutes: u64| {
        let tests = place.0.join("tests.img");
        contents.disk(start, &tests)?;
        let deadline = Duration::from_secs(minutes * 60);
        let begun = Instant::now();
        let outcome = Machine { image: &image, kernel: &options.kernel, words, tests: &tests, deadline }.run(&place.0);
        eprintln!("xtask: the machine was on for {} s", begun.elapsed().as_secs());
        outcome
    };
    let Some(variants) = variants else {
        return boot(&contents.tests(&options.filter)?, "", options.minutes);
    };
    for variant in variants {
        eprintln!("xtask: without {}", variant.name);
        boot(&variant.start(&contents)?, variant.words, VARIANT_MINUTES)?;
    }
    Ok(())
}

/// A directory for the files of one run, which go with it.
struct Place(PathBuf);

impl Place {
    fn make() -> Result<Self, String> {
        let place = image::place().join(format!("run-{}", std::process::id()));
        fs::create_dir_all(&place).map_err(|error| format!("cannot make {}: {error}", place.display()))?;
        Ok(Self(place))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(Path::new(&self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, String> {
        Options::parse(&arguments.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn a_filter_follows_the_dashes() {
        let options = parse(&["--kernel", "6.12", "--minutes", "5", "--", "test(limits)"]).unwrap();
        assert_eq!((options.kernel.as_str(), options.minutes, options.filter.as_str()), ("6.12", 5, "test(limits)"));
        assert_eq!(parse(&[]).unwrap().filter, "all()");
    }

    #[test]
    fn a_kernel_and_a_feature_that_are_not_there_are_named_with_those_that_are() {
        assert_eq!(parse(&["--kernel", "2.6"]).unwrap_err(), "there is no kernel 2.6; there are: 6.1, 6.12, user-mode");
        assert!(Variant::find("wings").unwrap_err().contains("user-namespaces"));
        assert_eq!(Variant::find("each").unwrap().len(), variants::VARIANTS.len());
    }
}
