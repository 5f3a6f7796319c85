//! Bodies with their length in front.

use super::MAX_LAUNCH_CONFIG;
use serde::{Deserialize, Serialize};

/// Any config for an agent with its length in front. Fails when it is larger than [`MAX_LAUNCH_CONFIG`].
pub fn frame<T: Serialize>(config: &T) -> postcard::Result<Vec<u8>> {
    frame_within(config, MAX_LAUNCH_CONFIG)
}

pub(super) fn frame_within<T: Serialize>(value: &T, most: usize) -> postcard::Result<Vec<u8>> {
    let mut bytes = postcard::to_extend(value, vec![0; 4])?;
    let length = bytes.len() - 4;
    if length > most {
        return Err(postcard::Error::SerializeBufferFull);
    }
    // The cast is exact: both limits are far below 4 GiB.
    bytes[..4].copy_from_slice(&(length as u32).to_be_bytes());
    Ok(bytes)
}

pub(super) fn whole<'a, T: Deserialize<'a>>(body: &'a [u8]) -> postcard::Result<T> {
    match postcard::take_from_bytes(body)? {
        (value, []) => Ok(value),
        _ => Err(postcard::Error::DeserializeBadEncoding),
    }
}
