//! A hostile layer in an image that is otherwise fine: nothing appears outside of the store, and what is unpacked can be removed.
//!
//! The input is a list of entries, because a checksum would keep nearly everything else from being looked at:
//! kind, then path, link and contents, each with its length in a byte before it.
#![no_main]

mod images;

use libfuzzer_sys::fuzz_target;
use tar::{EntryType, Header};

const KINDS: [u8; 14] = *b"0125346LKxgSV7";

fn field<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, rest) = bytes.split_first()?;
    let (field, rest) = rest.split_at_checked(usize::from(*length))?;
    *bytes = rest;
    Some(field)
}

fn entry(bytes: &mut &[u8], tar: &mut Vec<u8>) -> Option<()> {
    let (kind, rest) = bytes.split_first()?;
    *bytes = rest;
    let (path, link, contents) = (field(bytes)?, field(bytes)?, field(bytes)?);
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::new(KINDS[usize::from(*kind) % KINDS.len()]));
    let old = header.as_old_mut();
    let (path, link) = (&path[..path.len().min(100)], &link[..link.len().min(100)]);
    old.name[..path.len()].copy_from_slice(path);
    old.linkname[..link.len()].copy_from_slice(link);
    header.set_mode(u32::from(*kind) << 4 | 0o700);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(1);
    header.set_size(contents.len() as u64);
    header.set_cksum();
    tar.extend_from_slice(header.as_bytes());
    tar.extend_from_slice(contents);
    tar.resize(tar.len().next_multiple_of(512), 0);
    Some(())
}

fuzz_target!(|bytes: &[u8]| {
    let (mut rest, mut tar) = (bytes, Vec::new());
    while entry(&mut rest, &mut tar).is_some() {}
    if tar.is_empty() {
        return;
    }
    tar.resize(tar.len() + 1024, 0);
    images::load(&images::around(&tar));
});
