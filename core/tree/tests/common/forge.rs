//! Streams by hand, from the drawing of the format and not from the code that writes them.

use serde::Serialize;
use serde_bytes::Bytes;

#[derive(Serialize, Clone, Copy)]
pub struct Meta {
    pub mode: u32,
    pub seconds: i64,
    pub nanoseconds: u32,
}

pub const PLAIN: Meta = Meta { mode: 0o644, seconds: 1, nanoseconds: 2 };
pub const FOLDER: Meta = Meta { mode: 0o755, seconds: 1, nanoseconds: 2 };

#[derive(Serialize)]
enum Item<'a> {
    Directory { path: &'a Bytes, meta: Meta },
    File { path: &'a Bytes, meta: Meta, linked: bool },
    Symlink { path: &'a Bytes, meta: Meta, target: &'a Bytes },
    HardLink { path: &'a Bytes, first: &'a Bytes },
    Data(Fixed),
    FileEnd { size: u64 },
    End { entries: u64, bytes: u64 },
}

#[derive(Serialize)]
struct Fixed {
    #[serde(with = "postcard::fixint::le")]
    offset: u64,
    #[serde(with = "postcard::fixint::le")]
    length: u32,
}

/// A stream under construction, with its root.
pub struct Forge {
    bytes: Vec<u8>,
    entries: u64,
    contents: u64,
}

impl Forge {
    pub fn new() -> Self {
        Forge::bare().item(&Item::Directory { path: Bytes::new(b""), meta: FOLDER })
    }

    /// Nothing but the magic number.
    pub fn bare() -> Self {
        Forge { bytes: b"isotree\x01".to_vec(), entries: 0, contents: 0 }
    }

    fn item(mut self, item: &Item<'_>) -> Self {
        let head = postcard::to_allocvec(item).unwrap();
        self.bytes.extend_from_slice(&u16::try_from(head.len()).unwrap().to_le_bytes());
        self.bytes.extend_from_slice(&head);
        self
    }

    fn entry(mut self, item: &Item<'_>) -> Self {
        self.entries += 1;
        self.item(item)
    }

    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub fn directory(self, path: &[u8]) -> Self {
        self.directory_of(path, FOLDER)
    }

    pub fn directory_of(self, path: &[u8], meta: Meta) -> Self {
        self.entry(&Item::Directory { path: Bytes::new(path), meta })
    }

    pub fn file_begin(self, path: &[u8], meta: Meta) -> Self {
        self.entry(&Item::File { path: Bytes::new(path), meta, linked: true })
    }

    pub fn data(mut self, offset: u64, length: u32, contents: &[u8]) -> Self {
        self.contents += contents.len() as u64;
        self.item(&Item::Data(Fixed { offset, length })).raw(contents)
    }

    pub fn file_end(self, size: u64) -> Self {
        self.item(&Item::FileEnd { size })
    }

    pub fn file(self, path: &[u8], contents: &[u8]) -> Self {
        let size = contents.len() as u64;
        let begun = self.file_begin(path, PLAIN);
        if size == 0 { begun } else { begun.data(0, size as u32, contents) }.file_end(size)
    }

    pub fn symlink(self, path: &[u8], target: &[u8]) -> Self {
        self.entry(&Item::Symlink { path: Bytes::new(path), meta: PLAIN, target: Bytes::new(target) })
    }

    pub fn hard_link(self, path: &[u8], first: &[u8]) -> Self {
        self.entry(&Item::HardLink { path: Bytes::new(path), first: Bytes::new(first) })
    }

    /// With the totals of what was forged.
    pub fn end(self) -> Vec<u8> {
        let (entries, bytes) = (self.entries, self.contents);
        self.end_with(entries, bytes)
    }

    pub fn end_with(self, entries: u64, bytes: u64) -> Vec<u8> {
        self.item(&Item::End { entries, bytes }).bytes
    }

    pub fn cut(self) -> Vec<u8> {
        self.bytes
    }
}
