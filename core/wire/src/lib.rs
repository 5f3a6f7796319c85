//! What isobox and the agent in a sandbox say to each other. No I/O.
//!
//! One byte stream carries many operations, each on a multiplexed stream of its own (yamux). On such a stream
//! everything is a [`frame`]:
//!
//! ```text
//! client                                         agent
//!   Message(Request)            ───────────────>          what the operation is, always first
//!                               <───────────────          Message(Answer), always first
//!   Data… Eof                   ───────────────>          input, file contents
//!                               <───────────────          Stdout… Stderr… Data… Message(Answer)… close
//! ```
//!
//! The very first stream of a connection carries [`Hello`]; nothing else is answered before it was accepted.
//! A client that resets a stream, or closes it before the last answer, has cancelled the operation.
//!
//! The two sides are built together and compare their build ids in the hello, so messages carry no versions.

pub mod codec;
pub mod container;
pub mod exec;
pub mod failure;
pub mod file;
pub mod frame;
pub mod hello;
pub mod host;
pub mod launch;
pub mod owner;
pub mod remedy;
pub mod settings;
pub mod system;

use serde::{Deserialize, Serialize};

pub use codec::{Frame, FrameCodec};
pub use exec::{Attach, Exec, Exit, ProcessInfo};
pub use failure::{Failure, FailureCode};
pub use file::{FileOp, FileRequest};
pub use frame::{Header, Kind};
pub use hello::{Hello, Welcome};
pub use owner::Owner;
pub use settings::Settings;
pub use system::{Lifetimes, Metrics, Port};

/// Bytes that need not be text: paths, arguments, environment, output.
pub type Blob = serde_bytes::ByteBuf;

/// The first frame of an operation: what the client wants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Opens the connection. Answered by [`Reply::Welcome`].
    Hello(Hello),
    /// Checks that the sandbox's user exists and its working directory can be entered. Answered by [`Reply::Done`].
    Check,
    /// Starts a command. Answered by [`Reply::Started`], if its output is streamed or it takes input, by output, and by
    /// [`Reply::Exited`].
    Exec(Box<Exec>),
    /// Follows a running or ended command. Answered like [`Request::Exec`].
    Attach(Attach),
    /// Feeds a command's input: answered by [`Reply::Done`] when it can begin, then takes data until `Eof`. A stream of its
    /// own, so that a command that does not read holds up nothing else.
    Input {
        /// The command.
        process: String,
    },
    /// The terminal has a new size. Answered by [`Reply::Done`].
    Resize {
        /// The command.
        process: String,
        /// The size.
        size: exec::Size,
    },
    /// From now on the command outlives the client that started it. Answered by [`Reply::Done`].
    Detach {
        /// The command.
        process: String,
    },
    /// Lists commands, running and recently ended. Answered by [`Reply::Processes`].
    Processes,
    /// Waits for the end of the sandbox. Answered by [`Reply::Ending`].
    Ending,
    /// Sends one signal. Answered by [`Reply::Done`].
    Signal {
        /// The command.
        process: String,
        /// The signal's number.
        signal: i32,
        /// Who receives it.
        target: exec::Target,
    },
    /// Ends a command's whole tree: TERM, `grace`, KILL; or KILL at once. Answered by [`Reply::Done`] when nothing
    /// of it runs any more.
    Stop {
        /// The command.
        process: String,
        /// How long TERM may take before KILL.
        grace: Option<std::time::Duration>,
    },
    /// Works on files. The answer depends on the operation.
    File(FileRequest),
    /// Connects to a TCP port on the sandbox's loopback. Answered by [`Reply::Done`], then data both ways.
    Connect {
        /// The port.
        port: u16,
    },
    /// Lists listening TCP ports. Answered by [`Reply::Ports`].
    Ports,
    /// Reads resource use. Answered by [`Reply::Metrics`].
    Metrics,
    /// Reads or changes the deadlines. Owners only for changes. Answered by [`Reply::Lifetimes`].
    Lifetimes(system::SetLifetimes),
    /// Ends everything and the agent. Owners only. Answered by [`Reply::Done`] before the agent exits.
    Shutdown,
}

/// What the agent says back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// The connection is open.
    Welcome(Welcome),
    /// The command runs.
    Started(ProcessInfo),
    /// The command ended; the last message of its operation.
    Exited(Exit),
    /// Output that is not there any more: a follower was too slow or came too late.
    Gap {
        /// Whether it is missing from stderr, else from stdout.
        stderr: bool,
        /// How many bytes are missing at this point.
        bytes: u64,
    },
    /// It was done, and there is nothing to say about it.
    Done,
    /// The commands the agent knows.
    Processes(Vec<ProcessInfo>),
    /// One file's facts.
    Metadata(file::Metadata),
    /// Part of a listing; the last one is empty.
    Entries(Vec<file::Entry>),
    /// A file is open for reading; data follows.
    Opened {
        /// Its size now, in bytes.
        size: u64,
    },
    /// Everything was written.
    Written {
        /// Bytes written.
        bytes: u64,
    },
    /// A path, such as a link's target.
    Path(Blob),
    /// A transfer of a directory is complete.
    Transferred(file::Transfer),
    /// Something changed in a watched place.
    Changed(file::Change),
    /// Listening ports.
    Ports(Vec<Port>),
    /// Resource use.
    Metrics(Metrics),
    /// The deadlines in force.
    Lifetimes(Lifetimes),
    /// The sandbox ends: the exit code that the agent is about to have (see [`settings::ended`]).
    Ending(u8),
}

/// An answer, or why there is none.
pub type Answer = Result<Reply, Failure>;

/// Encodes a message.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    postcard::to_allocvec(message).expect("plain data always encodes")
}

/// Decodes a message. Trailing bytes are refused.
pub fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Malformed> {
    let (message, rest) = postcard::take_from_bytes(bytes).map_err(|_| Malformed)?;
    if rest.is_empty() { Ok(message) } else { Err(Malformed) }
}

/// Bytes that are no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

impl std::fmt::Display for Malformed {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("malformed message")
    }
}

impl std::error::Error for Malformed {}
