//! Two threads for one stream: one reads ahead (decompresses, hashes), the other takes it.
//!
//! Holds a few pieces, so the memory is the same for any length.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

const PIECE: usize = 256 << 10;
const AHEAD: usize = 4;

/// Runs `take` on the calling thread with what another thread reads from `source`. Gives `source` back too, unless
/// reading it failed, which `take` has then seen.
pub(crate) fn ahead<R: Read + Send, T>(source: R, take: impl FnOnce(&mut Ahead) -> T) -> (Option<R>, T) {
    std::thread::scope(|scope| {
        let (full, filled) = sync_channel(AHEAD);
        let (back, empty) = sync_channel(AHEAD + 2);
        let reader = scope.spawn(move || read(source, &full, &empty));
        let mut stream = Ahead { filled, back, piece: Vec::new(), at: 0, ended: false };
        let taken = take(&mut stream);
        // Ends the reader's thread when not everything was wanted.
        drop(stream);
        (reader.join().expect("reading does not panic"), taken)
    })
}

fn read<R: Read>(mut source: R, full: &SyncSender<io::Result<Vec<u8>>>, empty: &Receiver<Vec<u8>>) -> Option<R> {
    loop {
        let mut piece = empty.try_recv().unwrap_or_default();
        piece.clear();
        match (&mut source).take(PIECE as u64).read_to_end(&mut piece) {
            Ok(0) => return Some(source),
            Ok(_) => full.send(Ok(piece)).ok()?,
            Err(error) => {
                // Nobody there means that nobody wants to know.
                let _ = full.send(Err(error));
                return None;
            }
        }
    }
}

/// The taker's end.
pub(crate) struct Ahead {
    filled: Receiver<io::Result<Vec<u8>>>,
    back: SyncSender<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
    ended: bool,
}

impl Read for Ahead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() && !self.ended {
            let _ = self.back.try_send(std::mem::take(&mut self.piece));
            self.at = 0;
            match self.filled.recv() {
                Ok(piece) => self.piece = piece?,
                Err(_) => self.ended = true,
            }
        }
        let rest = &self.piece[self.at..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_arrives_in_order_and_the_source_comes_back() {
        let bytes: Vec<u8> = (0..3_000_000u32).flat_map(u32::to_le_bytes).collect();
        let mut got = Vec::new();
        let (source, read) = ahead(bytes.as_slice(), |stream| stream.read_to_end(&mut got));
        assert_eq!(read.unwrap(), bytes.len());
        assert!(got == bytes && source.is_some_and(<[u8]>::is_empty));
    }

    #[test]
    fn a_taker_that_leaves_ends_the_reader() {
        let (source, ()) = ahead(io::repeat(0), |stream| stream.read_exact(&mut [0; 10]).unwrap());
        assert!(source.is_none());
    }
}
