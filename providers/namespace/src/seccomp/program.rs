//! From verdicts about numbers to a program for the kernel's filter machine.
//!
//! The numbers are found by halving, so that the longest way is a dozen instructions. Every path ends in an answer, and
//! no path to an answer that the number alone decides looks at an argument; the kernel remembers those.

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Allow,
    /// Fails with this error number.
    Error(u16),
    /// The first rule that matches, else the answer behind them.
    Rules(&'static [Rule], Answer),
}

/// What a rule answers: `None` allows, a number is the error.
pub(super) type Answer = Option<u16>;

/// Answers when all its tests hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) tests: [Option<Test>; 2],
    pub(super) answer: Answer,
}

/// Holds when the low 32 bits of an argument, under a mask, are a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) argument: u8,
    pub(super) mask: u32,
    pub(super) value: u32,
}

/// `struct sock_filter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    pub(super) code: u16,
    pub(super) when_true: u8,
    pub(super) when_false: u8,
    pub(super) operand: u32,
}

/// Loads a word of the call's description.
pub(super) const LOAD: u16 = 0x20;
/// Masks what is loaded.
pub(super) const AND: u16 = 0x54;
/// Goes on when what is loaded is the operand.
pub(super) const EQUAL: u16 = 0x15;
/// Goes on when what is loaded is the operand or above.
pub(super) const AT_LEAST: u16 = 0x35;
/// Goes on.
pub(super) const JUMP: u16 = 0x05;
/// Ends with an answer.
pub(super) const ANSWER: u16 = 0x06;

/// Where the description has the number, the kind of calls, and the low half of the first argument.
pub(super) const NUMBER: u32 = 0;
pub(super) const MACHINE: u32 = 4;
pub(super) const ARGUMENTS: u32 = 16;

/// `SECCOMP_RET_*`.
pub(super) const ALLOWED: u32 = 0x7FFF_0000;
pub(super) const FAILS: u32 = 0x0005_0000;
pub(super) const KILLED: u32 = 0x8000_0000;

/// From here on the numbers are those of x32, and -1, which a tracer sets to skip a call.
const FOREIGN: u32 = 0x4000_0000;

impl Instruction {
    const fn new(code: u16, when_true: u8, when_false: u8, operand: u32) -> Self {
        Self { code, when_true, when_false, operand }
    }

    const fn plain(code: u16, operand: u32) -> Self {
        Self::new(code, 0, 0, operand)
    }

    /// As the kernel takes it.
    pub(super) fn to_bytes(self) -> [u8; 8] {
        let ([a, b], [e, f, g, h]) = (self.code.to_ne_bytes(), self.operand.to_ne_bytes());
        [a, b, self.when_true, self.when_false, e, f, g, h]
    }
}

/// The program for kinds of calls with the verdicts about their numbers. A number without one does not exist.
pub(super) fn compile(sections: impl Iterator<Item = (u32, Vec<(u32, Verdict)>)>) -> Vec<Instruction> {
    let mut program = vec![Instruction::plain(LOAD, MACHINE)];
    for (machine, verdicts) in sections {
        let mut section = vec![Instruction::plain(LOAD, NUMBER)];
        section.extend(search(&ranges(verdicts)));
        program.push(Instruction::new(EQUAL, 1, 0, machine));
        program.push(Instruction::plain(JUMP, length(&section)));
        program.extend(section);
    }
    program.push(Instruction::plain(ANSWER, KILLED));
    program
}

/// The numbers from which on a verdict holds, in order and without repetition.
fn ranges(mut verdicts: Vec<(u32, Verdict)>) -> Vec<(u32, Verdict)> {
    const NOTHING: Verdict = Verdict::Error(super::ENOSYS);
    verdicts.sort_by_key(|(number, _)| *number);
    let mut ranges = vec![(0, NOTHING)];
    let mut put = |start, verdict| match ranges.last_mut() {
        Some(last) if last.0 == start => last.1 = verdict,
        _ => ranges.push((start, verdict)),
    };
    for (number, verdict) in verdicts {
        put(number, verdict);
        put(number + 1, NOTHING);
    }
    put(FOREIGN, NOTHING);
    ranges.dedup_by_key(|(_, verdict)| *verdict);
    ranges
}

/// Finds the range that the loaded number is in.
fn search(ranges: &[(u32, Verdict)]) -> Vec<Instruction> {
    let [(_, verdict)] = ranges else {
        let (below, above) = ranges.split_at(ranges.len() / 2);
        let (start, below, above) = (above[0].0, search(below), search(above));
        let mut code = match u8::try_from(below.len()) {
            Ok(distance) => vec![Instruction::new(AT_LEAST, distance, 0, start)],
            Err(_) => vec![Instruction::new(AT_LEAST, 0, 1, start), Instruction::plain(JUMP, length(&below))],
        };
        code.extend(below);
        code.extend(above);
        return code;
    };
    match verdict {
        Verdict::Allow => vec![answer(None)],
        Verdict::Error(error) => vec![answer(Some(*error))],
        Verdict::Rules(rules, otherwise) => {
            rules.iter().flat_map(rule).chain(std::iter::once(answer(*otherwise))).collect()
        }
    }
}

/// One rule; behind it goes on what does not match.
fn rule(rule: &Rule) -> Vec<Instruction> {
    let mut code = vec![answer(rule.answer)];
    for test in rule.tests.iter().flatten().rev() {
        let skipped = u8::try_from(code.len()).expect("a rule has few instructions");
        let mut front = vec![Instruction::plain(LOAD, ARGUMENTS + 8 * u32::from(test.argument))];
        if test.mask != u32::MAX {
            front.push(Instruction::plain(AND, test.mask));
        }
        front.push(Instruction::new(EQUAL, 0, skipped, test.value));
        front.append(&mut code);
        code = front;
    }
    code
}

fn answer(answer: Answer) -> Instruction {
    Instruction::plain(ANSWER, answer.map_or(ALLOWED, |error| FAILS | u32::from(error)))
}

fn length(code: &[Instruction]) -> u32 {
    u32::try_from(code.len()).expect("the kernel takes 4096 instructions")
}
