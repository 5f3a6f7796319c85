//! What fails, and what takes its time.
//!
//! A fault counts the calls that it is for, and decides by that number and the seed alone. So the same program meets the same
//! faults in every run, and one fault does not move another.

use isobox_contract::{DeathCause, Error, ErrorCode};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What can be asked of a double, for faults and in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// Making a sandbox.
    Create,
    /// Getting a handle of one.
    Attach,
    /// Starting one.
    Start,
    /// Stopping one.
    Stop,
    /// Removing one.
    Delete,
    /// Freezing one.
    Pause,
    /// Thawing one.
    Resume,
    /// Changing its limits.
    Resize,
    /// Taking a snapshot of one.
    Snapshot,
    /// Copying one.
    Fork,
    /// Running a command, to its end or as a process.
    Exec,
    /// Reading a file, or looking at one.
    Read,
    /// Writing, making, moving or changing a file or a directory.
    Write,
    /// Listing a directory.
    List,
    /// Removing files.
    Remove,
    /// Copying files into a sandbox.
    Upload,
    /// Copying files out of a sandbox.
    Download,
    /// Connecting to a port.
    Connect,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}").to_lowercase())
    }
}

/// Which operations fail or take their time. Without any fault, none does.
///
/// ```
/// use isobox_contract::{DeathCause, ErrorCode};
/// use isobox_testing::{Fault, FaultPlan, Operation};
/// use std::time::Duration;
///
/// let plan = FaultPlan::seeded(7)
///     .with(Fault::on(Operation::Create).nth(2).fails(ErrorCode::RateLimited))
///     .with(Fault::on(Operation::Exec).every(10).loses_output_after(100))
///     .with(Fault::on(Operation::Exec).with_probability(0.01).kills_sandbox(DeathCause::Oom))
///     .with(Fault::on(Operation::Exec).takes_between(Duration::from_millis(1), Duration::from_millis(50)));
/// # drop(plan);
/// ```
#[derive(Clone, Debug, Default)]
pub struct FaultPlan {
    seed: u64,
    faults: Vec<Fault>,
}

impl FaultPlan {
    /// A plan without faults, whose chances are decided by this seed.
    pub fn seeded(seed: u64) -> Self {
        Self { seed, faults: Vec::new() }
    }

    /// Adds a fault. Of several that meet one call, the first that fails it decides how, and the delays of all add up.
    pub fn with(mut self, fault: Fault) -> Self {
        self.faults.push(fault);
        self
    }
}

/// One thing that goes wrong, and when. Without more it meets every call of its operation and does nothing.
#[derive(Clone)]
#[must_use = "a fault does nothing before a plan has it"]
pub struct Fault {
    operation: Operation,
    about: Option<String>,
    when: When,
    delay: Option<(Duration, Duration)>,
    effect: Option<Effect>,
}

#[derive(Clone, Copy, Debug)]
enum When {
    Always,
    Nth(u64),
    First(u64),
    Every(u64),
    Chance(f64),
}

/// What a fault does.
#[derive(Clone)]
pub(crate) enum Effect {
    Fail(Error),
    FailWith(ErrorCode),
    Death(DeathCause),
    /// So many bytes of output, then a broken connection.
    Cut(u64),
    Hang,
}

impl Fault {
    /// A fault of this operation.
    pub fn on(operation: Operation) -> Self {
        Self { operation, about: None, when: When::Always, delay: None, effect: None }
    }

    /// Only where this text is part of what the operation is about: a command's line, a path, a sandbox's name. Only those
    /// calls are counted.
    pub fn about(mut self, text: impl Into<String>) -> Self {
        self.about = Some(text.into());
        self
    }

    fn when(mut self, when: When) -> Self {
        self.when = when;
        self
    }

    /// Only the nth call, from 1.
    pub fn nth(self, number: u64) -> Self {
        self.when(When::Nth(number))
    }

    /// Only the first so many calls.
    pub fn first(self, count: u64) -> Self {
        self.when(When::First(count))
    }

    /// Every nth call: with 10 the 10th, the 20th and so on.
    pub fn every(self, number: u64) -> Self {
        self.when(When::Every(number))
    }

    /// Each call with this chance, 0 to 1, decided by the plan's seed.
    pub fn with_probability(self, chance: f64) -> Self {
        self.when(When::Chance(chance))
    }

    fn effect(mut self, effect: Effect) -> Self {
        self.effect = Some(effect);
        self
    }

    /// Fails with this code; whether it can be retried and whose failure it is follows from the code.
    pub fn fails(self, code: ErrorCode) -> Self {
        self.effect(Effect::FailWith(code))
    }

    /// Fails with this error.
    pub fn fails_with(self, error: Error) -> Self {
        self.effect(Effect::Fail(error))
    }

    /// The sandbox dies, and the call with it.
    pub fn kills_sandbox(self, cause: DeathCause) -> Self {
        self.effect(Effect::Death(cause))
    }

    /// A command's output comes up to so many bytes, then the connection breaks and its end is not known. Other operations
    /// fail with `transport`.
    pub fn loses_output_after(self, bytes: u64) -> Self {
        self.effect(Effect::Cut(bytes))
    }

    /// A command never ends by itself; other operations never return.
    pub fn hangs(self) -> Self {
        self.effect(Effect::Hang)
    }

    /// Takes that long first, by the clock.
    pub fn takes(self, delay: Duration) -> Self {
        self.takes_between(delay, delay)
    }

    /// Takes a time between these first, by the clock, decided by the plan's seed.
    pub fn takes_between(mut self, least: Duration, most: Duration) -> Self {
        self.delay = Some((least, most.max(least)));
        self
    }

    fn meets(&self, number: u64, chance: f64) -> bool {
        match self.when {
            When::Always => true,
            When::Nth(nth) => number == nth,
            When::First(count) => number <= count,
            When::Every(every) => every > 0 && number.is_multiple_of(every),
            When::Chance(given) => chance < given,
        }
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fault")
            .field("operation", &self.operation)
            .field("about", &self.about)
            .field("when", &self.when)
            .field("delay", &self.delay)
            .field("fails", &self.effect.is_some())
            .finish()
    }
}

/// A plan that is carried out.
pub(crate) struct Faults {
    plan: FaultPlan,
    counts: Vec<AtomicU64>,
}

/// What meets one call.
#[derive(Default)]
pub(crate) struct Met {
    pub(crate) delay: Duration,
    pub(crate) effect: Option<Effect>,
}

impl Faults {
    pub(crate) fn new(plan: FaultPlan) -> Self {
        let counts = plan.faults.iter().map(|_| AtomicU64::new(0)).collect();
        Self { plan, counts }
    }

    pub(crate) fn met_by(&self, operation: Operation, about: impl Fn() -> String) -> Met {
        let mut met = Met::default();
        for (index, (fault, count)) in (1..).zip(self.plan.faults.iter().zip(&self.counts)) {
            let counted =
                fault.operation == operation && fault.about.as_ref().is_none_or(|text| about().contains(text.as_str()));
            if !counted {
                continue;
            }
            let number = count.fetch_add(1, Ordering::Relaxed) + 1;
            if !fault.meets(number, chance(self.plan.seed, index, number, 1)) {
                continue;
            }
            if let Some((least, most)) = fault.delay {
                let more = (most - least).mul_f64(chance(self.plan.seed, index, number, 2));
                met.delay = met.delay.saturating_add(least).saturating_add(more);
            }
            if met.effect.is_none() {
                met.effect = fault.effect.clone().map(|effect| effect.of(operation, number));
            }
        }
        met
    }
}

impl Effect {
    fn of(self, operation: Operation, number: u64) -> Self {
        match self {
            Effect::FailWith(code) => {
                let message = format!("a fault plan fails this {operation}, call {number} of its kind, with {code}");
                Effect::Fail(Error::new(code, message))
            }
            effect => effect,
        }
    }
}

/// A number from 0 to below 1 that depends on nothing but these (SplitMix64, by Steele, Lea and Flood).
fn chance(seed: u64, fault: u64, number: u64, what: u64) -> f64 {
    let mut mixed = seed;
    for part in [fault, number, what] {
        mixed = mixed.wrapping_add(part).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
    }
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(plan: FaultPlan, calls: u64) -> Vec<u64> {
        let faults = Faults::new(plan);
        (1..=calls).filter(|_| faults.met_by(Operation::Exec, String::new).effect.is_some()).collect()
    }

    #[test]
    fn each_rule_meets_the_calls_that_it_says() {
        let fault = || Fault::on(Operation::Exec).fails(ErrorCode::Io);
        let plan = |fault| FaultPlan::seeded(1).with(fault);
        assert_eq!(hits(plan(fault().nth(3)), 10), [3]);
        assert_eq!(hits(plan(fault().first(2)), 10), [1, 2]);
        assert_eq!(hits(plan(fault().every(4)), 10), [4, 8]);
        assert_eq!(hits(plan(Fault::on(Operation::Create).fails(ErrorCode::Io)), 10), [0; 0]);
    }

    #[test]
    fn chances_follow_the_seed_and_come_out_right() {
        let plan = |seed| FaultPlan::seeded(seed).with(Fault::on(Operation::Exec).with_probability(0.25).hangs());
        let met = hits(plan(7), 10_000);
        assert_eq!(met, hits(plan(7), 10_000));
        assert_ne!(met, hits(plan(8), 10_000));
        assert!((2_300..2_700).contains(&met.len()), "{}", met.len());
    }
}
