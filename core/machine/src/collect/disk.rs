//! How the disk of a sandbox can be limited.

use crate::facts::DiskLimit;
use isobox_disk::{Obstacle, Ways};
use std::path::Path;

pub(super) fn disk(home: &Path) -> Vec<DiskLimit> {
    let ways = Ways::below(home);
    let limit = |backing: &str, way: Result<(), Obstacle>| DiskLimit {
        backing: backing.to_owned(),
        obstacle: way.err().map(|obstacle| obstacle.to_string()),
    };
    vec![limit("quota", ways.quota), limit("loop", ways.image), limit("tmpfs", ways.memory)]
}
