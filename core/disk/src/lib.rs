//! Limits of what a sandbox writes: what this machine offers, and the disk of one sandbox.
//!
//! ```text
//! memory   a tmpfs of the size, in the sandbox alone         the launcher's; here only whether the kernel can
//! image    a sparse file with an ext4 in it, on a loop device    made and opened here
//! quota    a project of the filesystem with a limit          given, changed and taken away here
//! ```
//!
//! Promises:
//! - An image is mounted nowhere that anybody else sees. The mount is a descriptor; the loop device lets go of the file with
//!   the last mount of it. So nothing of it stays when whoever has it is killed, but the file where it has been given a name.
//! - What cannot be had has an [`Obstacle`], which says why and what to do.
//!
//! `unsafe` is for the system calls that rustix does not have: the controls of loop devices and quotactl_fd(2).

mod image;
mod loops;
mod obstacle;
mod project;
mod ways;

pub use image::{Image, LEAST};
pub use obstacle::{Error, Obstacle};
pub use project::Project;
pub use ways::{Ways, image, memory, quota};
