//! The subordinate ids of an ordinary user, for the files of images.

use isobox_contract::Result;
use isobox_images::{Digest, OwnerList, Range};
use isobox_machine::subids::Subordinate;
use isobox_wire::Owner;
use std::io;
use std::path::Path;

/// Bytes of a message from which on it is sent.
const MESSAGE: usize = 64 << 10;
/// Digits of the name of a range.
const NAME: usize = 16;

/// The ids.
#[derive(Debug)]
pub(crate) struct Subordinates(pub(crate) Subordinate);

impl Range for Subordinates {
    fn name(&self) -> String {
        let maps = format!("{:?} {:?}", self.0.uid_map, self.0.gid_map);
        Digest::of(maps.as_bytes()).hex()[..NAME].to_owned()
    }

    fn give(&self, directory: &Path, owners: &mut OwnerList) -> Result<()> {
        isobox_local::give_as(&self.0, directory, |message| fill(message, owners))
    }

    fn remove(&self, directory: &Path) -> Result<()> {
        isobox_local::remove_as(&self.0, directory)
    }
}

fn fill(message: &mut Vec<u8>, owners: &mut OwnerList) -> io::Result<()> {
    while message.len() < MESSAGE {
        let Some(owned) = owners.next().transpose()? else { break };
        Owner { user: owned.user, group: owned.group, mode: owned.mode, path: &owned.path }.write(message);
    }
    Ok(())
}
