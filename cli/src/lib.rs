//! What the `isobox` command is made of, as far as others call it too.

pub mod bench;
