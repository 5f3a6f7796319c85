//! The keys that leave a command to itself, such as Docker's Ctrl-P Ctrl-Q.

use std::fmt;
use std::str::FromStr;

const CTRL_P: u8 = 0x10;
const CTRL_Q: u8 = 0x11;

/// A sequence of keys; empty when there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DetachKeys(Vec<u8>);

impl Default for DetachKeys {
    fn default() -> Self {
        Self(vec![CTRL_P, CTRL_Q])
    }
}

impl DetachKeys {
    /// Looks for the sequence in what is typed.
    pub(crate) fn watch(&self) -> Typed {
        Typed { keys: self.0.clone(), matched: 0 }
    }
}

impl FromStr for DetachKeys {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(Vec::new()));
        }
        let keys: Option<Vec<u8>> = text.split(',').map(key).collect();
        keys.map(Self).ok_or_else(|| "expected keys such as ctrl-p,ctrl-q or a letter, or none".to_owned())
    }
}

fn key(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [byte] if byte.is_ascii_graphic() => Some(*byte),
        [b'c', b't', b'r', b'l', b'-', byte @ (b'a'..=b'z' | b'@' | b'[' | b'\\' | b']' | b'^' | b'_')] => {
            Some(byte.to_ascii_uppercase() & 0x1f)
        }
        _ => None,
    }
}

impl fmt::Display for DetachKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        for (index, byte) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            match byte {
                0..0x20 => write!(f, "{comma}ctrl-{}", char::from(byte | 0x40).to_ascii_lowercase())?,
                _ => write!(f, "{comma}{}", char::from(*byte))?,
            }
        }
        Ok(())
    }
}

/// What was typed so far.
#[derive(Debug)]
pub(crate) struct Typed {
    keys: Vec<u8>,
    matched: usize,
}

impl Typed {
    /// What of the input is for the command, and whether the sequence is complete. The beginning of a sequence is held back
    /// until the next key shows whether it is one.
    pub(crate) fn pass(&mut self, input: &[u8]) -> (Vec<u8>, bool) {
        let mut out = Vec::with_capacity(input.len());
        for byte in input {
            if self.keys.get(self.matched) == Some(byte) {
                self.matched += 1;
                if self.matched == self.keys.len() {
                    return (out, true);
                }
                continue;
            }
            out.extend_from_slice(&self.keys[..self.matched]);
            self.matched = usize::from(self.keys.first() == Some(byte));
            if self.matched == 0 {
                out.push(*byte);
            }
        }
        (out, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_written_as_docker_writes_it() {
        for text in ["ctrl-p,ctrl-q", "none", "ctrl-x", "a,ctrl-@", "ctrl-],q"] {
            assert_eq!(text.parse::<DetachKeys>().unwrap().to_string(), text);
        }
        for wrong in ["", "ctrl-", "ctrl-pp", "p,", "ctrl-1", "\u{e9}"] {
            assert!(wrong.parse::<DetachKeys>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_the_whole_sequence_leaves() {
        let mut typed = DetachKeys::default().watch();
        assert_eq!(typed.pass(b"ab"), (b"ab".to_vec(), false));
        assert_eq!(typed.pass(b"c\x10"), (b"c".to_vec(), false), "held back");
        assert_eq!(typed.pass(b"d"), (b"\x10d".to_vec(), false));
        assert_eq!(typed.pass(b"\x10\x10"), (b"\x10".to_vec(), false));
        assert_eq!(typed.pass(b"\x11x"), (b"".to_vec(), true));
        assert_eq!("none".parse::<DetachKeys>().unwrap().watch().pass(b"\x10\x11"), (b"\x10\x11".to_vec(), false));
    }
}
