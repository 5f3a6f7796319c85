//! Doubles of sandboxes, for the unit tests of programs that use [isobox](https://docs.rs/isobox).
//!
//! A program that runs commands in sandboxes is tested here without any: [`TestProvider`] is a provider like any other, its
//! commands do what a [`Script`] says, its files are in memory, its time is a [`Clock`]'s, what goes wrong is in a
//! [`FaultPlan`], and a [`Recording`] has what was asked for. Nothing touches the machine, nothing needs rights, and nothing
//! takes time.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> isobox::Result<()> {
//! # let home = tempfile::tempdir().unwrap();
//! use isobox_contract::ErrorCode;
//! use isobox_testing::{Fault, FaultPlan, Operation, Reply, Script, TestProvider};
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! let provider = TestProvider::builder()
//!     .script(Script::new().on(["make", "test"], Reply::says("2 passed\n").after(Duration::from_secs(90))))
//!     .faults(FaultPlan::seeded(1).with(Fault::on(Operation::Exec).nth(1).fails(ErrorCode::Transport)))
//!     .build();
//! let isobox = isobox::Isobox::builder()
//!     .home(home.path())
//!     .with_provider(Arc::new(provider.clone()))
//!     .default_provider("testing")
//!     .open()
//!     .await?;
//!
//! // The program under test begins here.
//! let sandbox = isobox.sandbox().create().await?;
//! assert!(sandbox.exec(["make", "test"]).await.unwrap_err().is_retryable());
//! let result = sandbox.exec(["make", "test"]).await?;
//! sandbox.delete().await?;
//! // And ends here.
//!
//! assert_eq!((result.stdout.text().as_ref(), result.duration), ("2 passed\n", Duration::from_secs(90)));
//! provider.recording().assert_ran_times(["make", "test"], 2);
//! provider.assert_nothing_left().await;
//! # Ok(())
//! # }
//! ```
//!
//! # What is like the real thing, and what is not
//!
//! States, lifetimes, ownership, capabilities, capture limits, timeouts with their graces, signals, and all operations on
//! files follow the contract, so that a program meets the same refusals and the same results. What a command *does* is the
//! script's word alone: it need not read its input, its directory need not exist, and a file that it should have written is
//! there when its reply writes it ([`Reply::file`]). Modes and owners of files are kept and not enforced. A consumer that
//! does not read slows nothing down. Limits and network policies are kept and told, as nothing is there to break them; only
//! the limit of disk has an effect.
//!
//! What a double does not do it does not claim, and the library refuses it by name: images are not fetched, nothing of this
//! machine is mounted, no port of it is opened, memory is not copied. [`TestProviderBuilder::without`] takes more away, to
//! see what a program does on a provider with less.

mod builder;
mod call;
mod capabilities;
mod clock;
mod disk;
mod exec;
mod faults;
mod files;
mod filing;
mod fleet;
mod life;
mod place;
mod ports;
mod provider;
mod recording;
mod reply;
mod sandbox;
mod script;
mod seen;
mod session;
mod snapshots;
mod sync;
mod talk;
mod tape;
mod transfer;
mod volumes;

pub use builder::TestProviderBuilder;
pub use call::Call;
pub use clock::Clock;
pub use faults::{Fault, FaultPlan, Operation};
pub use files::TestFiles;
pub use provider::TestProvider;
pub use recording::{Done, RecordedCommand, Recording};
pub use reply::Reply;
pub use script::Script;
pub use seen::TestSandbox;
pub use talk::Talk;
pub use tape::{Tape, TapeRecorder};
