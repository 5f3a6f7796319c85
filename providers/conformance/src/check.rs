//! One check: its name, what it shows, and what it needs.

use crate::lab::Lab;
use futures::future::LocalBoxFuture;
use isobox::{Capability, Error, ErrorCode};
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

/// How a check ends that has not passed.
#[derive(Debug)]
pub enum Stop {
    /// The provider does something else than it should.
    Failed(String),
    /// It cannot be made here.
    Skipped(String),
}

/// What a check gives.
pub type Checked<T = ()> = Result<T, Stop>;

#[derive(Clone, Copy)]
pub(crate) enum Act {
    /// What the table of checks says.
    Do(for<'a> fn(&'a Lab) -> LocalBoxFuture<'a, Checked>),
    /// Asks for a capability that is not claimed.
    Ask(Capability),
}

/// One thing that a provider has to do.
#[derive(Clone)]
pub struct Check {
    /// Its name, which never changes.
    pub name: Cow<'static, str>,
    /// What has to hold, in one sentence.
    pub about: Cow<'static, str>,
    /// The capabilities whose effect it shows. It is skipped where one is not claimed.
    pub shows: &'static [Capability],
    /// Other capabilities without which it cannot be made.
    pub needs: &'static [Capability],
    /// Programs that the sandbox must have.
    pub programs: &'static [&'static str],
    /// How long it may take.
    pub deadline: Duration,
    /// Whether it runs when no other does: it measures the process, or asks for much at once.
    pub alone: bool,
    pub(crate) act: Act,
}

impl Check {
    /// One that every provider has to pass. The deadline is only there for what hangs.
    pub(crate) const fn new(name: &'static str, about: &'static str, act: Act) -> Self {
        let (name, about) = (Cow::Borrowed(name), Cow::Borrowed(about));
        let deadline = Duration::from_secs(180);
        Self { name, about, shows: &[], needs: &[], programs: &["sh"], deadline, alone: false, act }
    }

    pub(crate) const fn shows(mut self, capabilities: &'static [Capability]) -> Self {
        self.shows = capabilities;
        self
    }

    pub(crate) const fn needs(mut self, capabilities: &'static [Capability]) -> Self {
        self.needs = capabilities;
        self
    }

    pub(crate) const fn programs(mut self, programs: &'static [&'static str]) -> Self {
        self.programs = programs;
        self
    }

    /// Has it run when no other does.
    pub(crate) const fn alone(mut self) -> Self {
        self.alone = true;
        self
    }

    /// Everything that must be claimed for it to be made.
    pub fn required(&self) -> impl Iterator<Item = Capability> + '_ {
        self.shows.iter().chain(self.needs).copied()
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check").field("name", &self.name).field("shows", &self.shows).finish_non_exhaustive()
    }
}

/// A row of the table of checks: the name of a function and its sentence.
macro_rules! check {
    ($name:ident, $about:literal) => {
        $crate::check::Check::new(stringify!($name), $about, $crate::check::Act::Do(|lab| Box::pin($name(lab))))
    };
}

/// Fails the check unless something holds.
macro_rules! ensure {
    ($holds:expr, $($why:tt)+) => {
        if !$holds {
            return Err($crate::check::Stop::Failed(format!($($why)+)));
        }
    };
}

/// Fails the check unless two things are the same.
pub(crate) fn same<A, B>(what: &str, found: A, expected: B) -> Checked
where
    A: PartialEq<B> + fmt::Debug,
    B: fmt::Debug,
{
    ensure!(found == expected, "{what}: expected {}, found {}", short(&expected), short(&found));
    Ok(())
}

/// Fails the check unless something was refused with this code; gives the refusal.
pub(crate) fn refused<T>(what: &str, result: isobox::Result<T>, code: ErrorCode) -> Checked<Error> {
    match result {
        Ok(_) => Err(Stop::Failed(format!("{what} succeeded, expected {code}"))),
        Err(error) => {
            ensure!(error.code() == code, "{what}: expected {code}, found {}: {error}", error.code());
            Ok(error)
        }
    }
}

/// Enough of a value to tell what is wrong with it.
fn short(value: &impl fmt::Debug) -> String {
    const MOST: usize = 300;
    let text = format!("{value:?}");
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text,
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        let operation = error.operation().map(|operation| format!(" in {operation}")).unwrap_or_default();
        Stop::Failed(format!("{}{operation}: {}", error.code(), error.message()))
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        Stop::Failed(format!("reading or writing failed: {error}"))
    }
}
