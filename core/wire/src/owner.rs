//! Whom something in a directory is to belong to.
//!
//! ```text
//! user, group, mode, length of the path (32 bits each, big endian), path
//! ```
//!
//! Written by hand, for there may be millions, and they are read by a program that has to stay small.

/// Bytes in front of a path.
const HEAD: usize = 16;

/// Something in a directory, and whom it is to belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner<'a> {
    /// The user, as the sandbox has it.
    pub user: u32,
    /// The group, as the sandbox has it.
    pub group: u32,
    /// The permission bits that it gets back when it is a file, since giving a file away takes some; 0 for none.
    pub mode: u32,
    /// Its path in the directory.
    pub path: &'a [u8],
}

impl<'a> Owner<'a> {
    /// Adds it to a message.
    pub fn write(&self, message: &mut Vec<u8>) {
        for number in [self.user, self.group, self.mode, self.path.len() as u32] {
            message.extend_from_slice(&number.to_be_bytes());
        }
        message.extend_from_slice(self.path);
    }

    /// Takes the next one out of a message; `None` for what is none.
    pub fn read(message: &mut &'a [u8]) -> Option<Self> {
        let (head, rest) = message.split_at_checked(HEAD)?;
        let number = |at: usize| Some(u32::from_be_bytes(head.get(at..at + 4)?.try_into().ok()?));
        let (path, rest) = rest.split_at_checked(number(12)? as usize)?;
        *message = rest;
        Some(Self { user: number(0)?, group: number(4)?, mode: number(8)?, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn owners_come_out_of_a_message_as_they_went_in() {
        let all = [
            Owner { user: 0, group: 65_535, mode: 0o4755, path: b"bin/su" },
            Owner { user: 7, group: 8, mode: 0, path: b"\xff" },
        ];
        let mut message = Vec::new();
        all.iter().for_each(|owner| owner.write(&mut message));
        let mut rest = message.as_slice();
        assert_eq!([Owner::read(&mut rest), Owner::read(&mut rest)], all.map(Some));
        assert!(rest.is_empty() && Owner::read(&mut rest).is_none());
        assert_eq!(Owner::read(&mut &message[..message.len() - 30]), None);
    }

    proptest! {
        #[test]
        fn any_message_is_read_without_panic(message in proptest::collection::vec(any::<u8>(), 0..100)) {
            let mut rest = message.as_slice();
            while Owner::read(&mut rest).is_some() {}
        }
    }
}
