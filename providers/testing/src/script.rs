//! Which command gets which reply.
//!
//! ```text
//!   call ─▶ rules, the first that answers ─▶ the queue ─▶ otherwise ─▶ unexpected: an error that names the command
//! ```

use crate::call::{Call, quoted};
use crate::reply::{Reply, Responder};
use crate::sync::locked;
use isobox_contract::{Error, ErrorCode};
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};

/// Which command gets which reply. Cheap to clone; all clones are the same, and it may be added to at any time.
///
/// The rules come first, in the order in which they were given; then [`next`](Self::next), one reply for one command; then
/// [`otherwise`](Self::otherwise). A command that nothing of this answers is an error that names it, so that a test never
/// goes on with a result that nobody meant.
///
/// ```
/// use isobox_testing::{Reply, Script};
///
/// let script = Script::new()
///     .once(["make", "test"], Reply::code(2))
///     .on(["make", "test"], Reply::says("ok\n"))
///     .starting_with(["git"], Reply::ok())
///     .respond(|call| call.script().is_some_and(|script| script.contains("wc -l")).then(|| Reply::says("3\n")));
/// # drop(script);
/// ```
#[derive(Clone, Default)]
pub struct Script {
    rules: Arc<Mutex<Rules>>,
}

#[derive(Default)]
struct Rules {
    rules: Vec<Rule>,
    queue: VecDeque<Reply>,
    otherwise: Option<Responder>,
}

struct Rule {
    responder: Responder,
    once: bool,
}

impl Script {
    /// A script that answers nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers this program with exactly these arguments.
    pub fn on<T: Into<Vec<u8>>>(self, argv: impl IntoIterator<Item = T>, reply: Reply) -> Self {
        self.rule(false, exactly(argv), reply)
    }

    /// The same, for the first such command only; rules behind this one have the others.
    pub fn once<T: Into<Vec<u8>>>(self, argv: impl IntoIterator<Item = T>, reply: Reply) -> Self {
        self.rule(true, exactly(argv), reply)
    }

    /// Answers exactly this script of a shell.
    pub fn on_shell(self, script: impl Into<String>, reply: Reply) -> Self {
        let script = script.into();
        self.rule(false, move |call| call.script().is_some_and(|given| *given == *script), reply)
    }

    /// Answers every command whose first words are these.
    pub fn starting_with<T: Into<Vec<u8>>>(self, words: impl IntoIterator<Item = T>, reply: Reply) -> Self {
        let words: Vec<Vec<u8>> = words.into_iter().map(Into::into).collect();
        self.rule(false, move |call| call.argv().starts_with(&words), reply)
    }

    /// Answers every command for which this holds.
    pub fn when(self, holds: impl Fn(&Call) -> bool + Send + Sync + 'static, reply: Reply) -> Self {
        self.rule(false, holds, reply)
    }

    /// Answers with what this makes of a command, unless that is nothing. It may look at arguments, environment, input and
    /// directory, and change the sandbox's files.
    pub fn respond(self, responder: impl Fn(&Call) -> Option<Reply> + Send + Sync + 'static) -> Self {
        self.add(false, Arc::new(responder))
    }

    /// Answers the next command that no rule answers, whatever it is. Several wait in a queue.
    pub fn next(self, reply: Reply) -> Self {
        locked(&self.rules).queue.push_back(reply);
        self
    }

    /// Answers every command that nothing else answers.
    pub fn otherwise(self, reply: Reply) -> Self {
        locked(&self.rules).otherwise = Some(Arc::new(move |_| Some(reply.clone())));
        self
    }

    /// How many replies of [`next`](Self::next) nobody has asked for.
    pub fn left(&self) -> usize {
        locked(&self.rules).queue.len()
    }

    fn rule(self, once: bool, holds: impl Fn(&Call) -> bool + Send + Sync + 'static, reply: Reply) -> Self {
        self.add(once, Arc::new(move |call| holds(call).then(|| reply.clone())))
    }

    fn add(self, once: bool, responder: Responder) -> Self {
        locked(&self.rules).rules.push(Rule { responder, once });
        self
    }

    /// The reply to a command.
    pub(crate) fn reply(&self, call: &Call) -> Option<Reply> {
        // Without the lock: a responder may add to the script.
        let rules: Vec<_> = locked(&self.rules).rules.iter().map(|rule| rule.responder.clone()).collect();
        for responder in rules {
            if let Some(reply) = responder(call)
                && self.take(&responder)
            {
                return Some(reply);
            }
        }
        let (queued, otherwise) = {
            let mut rules = locked(&self.rules);
            (rules.queue.pop_front(), rules.otherwise.clone())
        };
        queued.or_else(|| otherwise.and_then(|otherwise| otherwise(call)))
    }

    /// Takes a rule away that answers once; false when somebody was quicker.
    fn take(&self, responder: &Responder) -> bool {
        let mut rules = locked(&self.rules);
        let found = rules.rules.iter().position(|rule| Arc::ptr_eq(&rule.responder, responder));
        if let Some(at) = found
            && rules.rules[at].once
        {
            rules.rules.remove(at);
        }
        found.is_some()
    }
}

fn exactly<T: Into<Vec<u8>>>(argv: impl IntoIterator<Item = T>) -> impl Fn(&Call) -> bool + Send + Sync + 'static {
    let argv: Vec<Vec<u8>> = argv.into_iter().map(Into::into).collect();
    move |call| call.argv() == argv
}

/// The error of a command that no script answers.
pub(crate) fn unexpected(call: &Call) -> Error {
    let (line, hint) = (call.line(), hint(call));
    let message = format!("no reply is scripted for the command `{line}`, add one to the script: {hint}");
    Error::new(ErrorCode::Internal, message)
}

/// The call that would script it.
fn hint(call: &Call) -> String {
    match call.script() {
        Some(script) => format!(".on_shell({script:?}, Reply::ok())"),
        None => {
            let words: Vec<_> = call.argv().iter().map(|word| format!("{:?}", String::from_utf8_lossy(word))).collect();
            format!(".on([{}], Reply::ok())", words.join(", "))
        }
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = locked(&self.rules);
        f.debug_struct("Script").field("rules", &rules.rules.len()).field("queued", &rules.queue.len()).finish()
    }
}

/// Words on one line.
pub(crate) fn words_line(words: &[Vec<u8>]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}
