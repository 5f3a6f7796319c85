//! What the store keeps, as plain data.

mod admission;
mod event;
mod image;
mod operation;
mod owner;
mod pool;
mod process;
mod retention;
mod sandbox;
mod thing;

pub(crate) use admission::overloaded;
pub use admission::{Admission, Held, Limits, Queue, QueueEntry, Standing};
pub use event::{EventFilter, EventPage, NewEvent};
pub use image::{ImageChange, ImageEntry, ImageList};
pub use operation::{ActionRequest, Begun, OperationEntry, OperationFilter, OperationState, Outcome};
pub use owner::{OwnerEntry, ProcessIdentity};
pub use pool::{NewPool, Offered, PoolEntry, Take};
pub use process::ProcessEntry;
pub use retention::{Pruned, Retention, Stats};
pub(crate) use sandbox::limit;
pub use sandbox::{
    CreateRequest, Created, Handout, Page, ProviderData, SandboxChange, SandboxEntry, SandboxFilter, Transition,
    fingerprint,
};
pub use thing::{SnapshotEntry, VolumeEntry};
