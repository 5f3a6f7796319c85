//! Columns as the contract's types.

use crate::clock::from_micros;
use crate::failure::{Failure, Outcome};
use isobox_contract::{Error, Timestamp};
use rusqlite::types::FromSql;
use rusqlite::{Row, RowIndex};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::str::FromStr;

/// The most bytes of one value of JSON.
pub(crate) const MAX_JSON: usize = 1 << 20;

/// A column by its name, or, where many rows are read, by its number, which is found at once.
pub(crate) trait Column: RowIndex + Copy + std::fmt::Display {}

impl<T: RowIndex + Copy + std::fmt::Display> Column for T {}

/// The numbers of the columns of a row, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Numbers(std::cell::Cell<usize>);

impl Numbers {
    /// The next column.
    pub(crate) fn next(&self) -> usize {
        self.0.replace(self.0.get() + 1)
    }
}

/// A column as it is.
pub(crate) fn plain<T: FromSql>(row: &Row<'_>, column: impl Column) -> Outcome<T> {
    Ok(row.get(column)?)
}

/// An id or a word.
pub(crate) fn word<T: FromStr>(row: &Row<'_>, column: impl Column) -> Outcome<T> {
    plain::<String>(row, column)?.parse().map_err(|_| unreadable(column))
}

/// An id or a word that may be missing.
pub(crate) fn word_or_null<T: FromStr>(row: &Row<'_>, column: impl Column) -> Outcome<Option<T>> {
    plain::<Option<String>>(row, column)?.map(|text| text.parse().map_err(|_| unreadable(column))).transpose()
}

/// A time.
pub(crate) fn time(row: &Row<'_>, column: impl Column) -> Outcome<Timestamp> {
    plain(row, column).map(from_micros)
}

/// A time that may be missing.
pub(crate) fn time_or_null(row: &Row<'_>, column: impl Column) -> Outcome<Option<Timestamp>> {
    Ok(plain::<Option<i64>>(row, column)?.map(from_micros))
}

/// A count.
pub(crate) fn count(row: &Row<'_>, column: impl Column) -> Outcome<u64> {
    u64::try_from(plain::<i64>(row, column)?).map_err(|_| unreadable(column))
}

/// A count that may be missing. Above `i64::MAX` it is kept as negative, which is the same bits.
pub(crate) fn bits_or_null(row: &Row<'_>, column: impl Column) -> Outcome<Option<u64>> {
    Ok(plain::<Option<i64>>(row, column)?.map(i64::cast_unsigned))
}

/// A value of JSON.
pub(crate) fn json<T: DeserializeOwned>(row: &Row<'_>, column: impl Column) -> Outcome<T> {
    serde_json::from_str(&plain::<String>(row, column)?).map_err(|_| unreadable(column))
}

/// A value of JSON that may be missing.
pub(crate) fn json_or_null<T: DeserializeOwned>(row: &Row<'_>, column: impl Column) -> Outcome<Option<T>> {
    plain::<Option<String>>(row, column)?
        .map(|text| serde_json::from_str(&text).map_err(|_| unreadable(column)))
        .transpose()
}

/// A value as JSON, at most `most` bytes.
pub(crate) fn to_json<T: Serialize + ?Sized>(what: &str, value: &T, most: usize) -> Outcome<String> {
    let text = serde_json::to_string(value).map_err(|error| Error::internal(format!("{what}: {error}")))?;
    if text.len() > most {
        return Err(Error::limit_exceeded(format!("control.{what}_bytes"), most as u64).into());
    }
    Ok(text)
}

fn unreadable(column: impl std::fmt::Display) -> Failure {
    Error::internal(format!("the column {column} of the control plane holds what this version cannot read")).into()
}
