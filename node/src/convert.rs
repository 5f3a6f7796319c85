//! From the types of the description to values, and back.

use crate::value::Value;
use bytes::Bytes;
use isobox_bindings::api::{Error, Result};
use isobox_bindings::{Argument, Lifetime, LocalPath, Path, Program, Size, Stream, Text};
use std::collections::BTreeMap;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What comes out.
pub(crate) trait ToValue {
    fn to_value(self) -> Value;

    /// Puts it into a record, under its name and, where it has more than one form, under those of the others.
    fn put(self, name: &str, fields: &mut Vec<(String, Value)>)
    where
        Self: Sized,
    {
        match self.to_value() {
            Value::None => {}
            value => fields.push((name.to_owned(), value)),
        }
    }
}

/// What goes in.
pub(crate) trait FromValue: Sized {
    /// From what was given for the name; `invalid_spec` that names it otherwise.
    fn from_value(value: Value, name: &str) -> Result<Self>;

    /// What it is when nothing was given; none for what must be.
    fn missing() -> Option<Self> {
        None
    }
}

/// An argument of a call, by its place.
pub(crate) fn argument<T: FromValue>(arguments: &mut std::vec::IntoIter<Value>, name: &str) -> Result<T> {
    given(arguments.next().unwrap_or(Value::None), name)
}

fn given<T: FromValue>(value: Value, name: &str) -> Result<T> {
    match value {
        Value::None => T::missing().ok_or_else(|| wrong(name, "is missing")),
        value => T::from_value(value, name),
    }
}

pub(crate) fn wrong(name: &str, reason: &str) -> Error {
    isobox::Error::invalid_spec(name, reason).into()
}

pub(crate) fn unknown_word(name: &str, word: &str, words: &[&str]) -> Error {
    wrong(name, &format!("is {word:?}, give one of {}", words.join(", ")))
}

/// The fields of a record that is given.
pub(crate) struct Fields<'a> {
    fields: Vec<(String, Value)>,
    name: &'a str,
    /// Fields of the record of a call's options have no prefix.
    root: bool,
}

impl<'a> Fields<'a> {
    pub(crate) fn of(value: Value, name: &'a str) -> Result<Self> {
        match value {
            Value::Record(fields) => Ok(Self { fields, name, root: name == "options" }),
            Value::None => Ok(Self { fields: Vec::new(), name, root: true }),
            _ => Err(wrong(name, "must be an object")),
        }
    }

    /// A field, by its name.
    pub(crate) fn get<T: FromValue>(&mut self, field: &str) -> Result<T> {
        let place = self.fields.iter().position(|(name, _)| name == field);
        let value = place.map_or(Value::None, |place| self.fields.swap_remove(place).1);
        given(value, &self.full(field))
    }

    /// Refuses what is left: a name that nobody asked for is a slip of somebody's.
    pub(crate) fn done(self, known: &[&str]) -> Result<()> {
        match self.fields.iter().find(|(_, value)| !matches!(value, Value::None)) {
            None => Ok(()),
            Some((field, _)) => {
                Err(wrong(&self.full(field), &format!("is not known here, there are {}", known.join(", "))))
            }
        }
    }

    fn full(&self, field: &str) -> String {
        if self.root { field.to_owned() } else { format!("{}.{field}", self.name) }
    }
}

/// The word of a sum that is given, and its fields.
pub(crate) fn sum<'a>(value: Value, name: &'a str) -> Result<(String, Fields<'a>)> {
    match value {
        Value::Text(word) => Ok((word, Fields { fields: Vec::new(), name, root: false })),
        value => {
            let mut fields = Fields::of(value, name)?;
            let word = fields.get::<String>("type")?;
            Ok((word, fields))
        }
    }
}

/// All that is known about an error.
pub(crate) fn facts(error: &Error) -> Value {
    let mut fields = Vec::new();
    error.code().put("code", &mut fields);
    error.message().put("message", &mut fields);
    error.retryable().put("retryable", &mut fields);
    error.retry_after().put("retryAfterMs", &mut fields);
    error.fault().put("fault", &mut fields);
    error.provider().put("provider", &mut fields);
    error.sandbox().put("sandbox", &mut fields);
    error.operation().put("operation", &mut fields);
    error.detail().put("detail", &mut fields);
    Value::Record(fields)
}

macro_rules! numbers {
    ($($kind:ty, $wanted:literal);+ $(;)?) => {$(
        impl ToValue for $kind {
            fn to_value(self) -> Value {
                Value::Number(self as f64)
            }
        }

        impl FromValue for $kind {
            fn from_value(value: Value, name: &str) -> Result<Self> {
                match value {
                    // What is no whole number, or too large, does not come back as it was.
                    Value::Number(number) if (number as $kind) as f64 == number => Ok(number as $kind),
                    _ => Err(wrong(name, $wanted)),
                }
            }
        }
    )+};
}

numbers!(i32, "must be a whole number"; u16, "must be a whole number from 0 to 65535"; u32, "must be a whole number from 0 to 4294967295");

impl ToValue for u64 {
    fn to_value(self) -> Value {
        Value::Number(self as f64)
    }
}

impl FromValue for u64 {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        match value {
            Value::Number(number) if number >= 0.0 && number.fract() == 0.0 => Ok(number as u64),
            _ => Err(wrong(name, "must be a whole number from 0 on")),
        }
    }

    fn missing() -> Option<Self> {
        Some(0)
    }
}

impl ToValue for f64 {
    fn to_value(self) -> Value {
        Value::Number(self)
    }
}

impl FromValue for f64 {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        match value {
            Value::Number(number) => Ok(number),
            _ => Err(wrong(name, "must be a number")),
        }
    }
}

impl ToValue for bool {
    fn to_value(self) -> Value {
        Value::Bool(self)
    }
}

impl FromValue for bool {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        match value {
            Value::Bool(value) => Ok(value),
            _ => Err(wrong(name, "must be true or false")),
        }
    }

    fn missing() -> Option<Self> {
        Some(false)
    }
}

impl ToValue for () {
    fn to_value(self) -> Value {
        Value::None
    }
}

impl ToValue for String {
    fn to_value(self) -> Value {
        Value::Text(self)
    }
}

impl FromValue for String {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        match value {
            Value::Text(text) => Ok(text),
            _ => Err(wrong(name, "must be a string")),
        }
    }
}

impl ToValue for Bytes {
    fn to_value(self) -> Value {
        Value::Bytes(self)
    }
}

impl ToValue for SystemTime {
    fn to_value(self) -> Value {
        let millis = match self.duration_since(UNIX_EPOCH) {
            Ok(after) => after.as_secs_f64() * 1000.0,
            Err(error) => -error.duration().as_secs_f64() * 1000.0,
        };
        Value::Date(millis.floor())
    }
}

impl ToValue for Duration {
    fn to_value(self) -> Value {
        Value::Number(self.as_secs_f64() * 1000.0)
    }
}

impl FromValue for Duration {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        let Value::Number(millis) = value else { return Err(wrong(name, "must be a number of milliseconds")) };
        Duration::try_from_secs_f64(millis / 1000.0)
            .map_err(|_| wrong(name, "is no time to wait, give milliseconds from 0 on"))
    }
}

impl ToValue for Text {
    fn to_value(self) -> Value {
        Value::Bytes(self.0)
    }

    /// As bytes: the class of the record makes a text of them when it is asked for one.
    fn put(self, name: &str, fields: &mut Vec<(String, Value)>) {
        fields.push((format!("{name}Bytes"), self.to_value()));
    }
}

/// A path as text, and as bytes where those are no UTF-8.
fn put_path(bytes: &[u8], name: &str, fields: &mut Vec<(String, Value)>) {
    fields.push((name.to_owned(), Value::Text(String::from_utf8_lossy(bytes).into_owned())));
    if std::str::from_utf8(bytes).is_err() {
        fields.push((format!("{name}Bytes"), Value::Bytes(Bytes::copy_from_slice(bytes))));
    }
}

impl ToValue for Path {
    fn to_value(self) -> Value {
        Value::Text(String::from_utf8_lossy(&self.0).into_owned())
    }

    fn put(self, name: &str, fields: &mut Vec<(String, Value)>) {
        put_path(&self.0, name, fields);
    }
}

fn bytes(value: Value, name: &str, wanted: &str) -> Result<Vec<u8>> {
    match value {
        Value::Text(text) => Ok(text.into_bytes()),
        Value::Bytes(bytes) => Ok(bytes.to_vec()),
        _ => Err(wrong(name, wanted)),
    }
}

impl FromValue for Path {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        bytes(value, name, "must be a string, or bytes").map(Self)
    }
}

impl ToValue for LocalPath {
    fn to_value(self) -> Value {
        Value::Text(String::from_utf8_lossy(self.0.as_os_str().as_bytes()).into_owned())
    }
}

impl FromValue for LocalPath {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        let bytes = bytes(value, name, "must be a string, or bytes")?;
        Ok(Self(std::ffi::OsString::from_vec(bytes).into()))
    }
}

impl FromValue for Argument {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        bytes(value, name, "must be a string, or bytes").map(Self)
    }
}

impl FromValue for Program {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        match value {
            Value::List(items) => {
                let each = "each part of the command";
                items.into_iter().map(|item| given(item, each)).collect::<Result<_>>().map(Self::Argv)
            }
            value => bytes(value, name, "must be an array of arguments, or a script as one string")
                .map(|script| Self::Shell(Argument(script))),
        }
    }
}

impl FromValue for Size {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        match value {
            Value::Text(text) => Ok(Self::Text(text)),
            value => u64::from_value(value, name)
                .map(Self::Bytes)
                .map_err(|_| wrong(name, "must be a number of bytes, or a string such as \"512m\"")),
        }
    }
}

impl FromValue for Lifetime {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        match value {
            Value::Text(word) if word == "never" => Ok(Self::Never),
            Value::Text(word) => Err(unknown_word(name, &word, &["a number of milliseconds", "\"never\""])),
            value => Duration::from_value(value, name).map(Self::After),
        }
    }
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(self) -> Value {
        self.map_or(Value::None, ToValue::to_value)
    }

    fn put(self, name: &str, fields: &mut Vec<(String, Value)>) {
        if let Some(value) = self {
            value.put(name, fields);
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        T::from_value(value, name).map(Some)
    }

    fn missing() -> Option<Self> {
        Some(None)
    }
}

impl<T: ToValue> ToValue for Vec<T> {
    fn to_value(self) -> Value {
        Value::List(self.into_iter().map(ToValue::to_value).collect())
    }
}

impl<T: FromValue> FromValue for Vec<T> {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        match value {
            Value::List(items) => items.into_iter().map(|item| given(item, name)).collect(),
            _ => Err(wrong(name, "must be an array")),
        }
    }

    fn missing() -> Option<Self> {
        Some(Vec::new())
    }
}

impl<T: ToValue> ToValue for BTreeMap<String, T> {
    fn to_value(self) -> Value {
        Value::Record(self.into_iter().map(|(name, value)| (name, value.to_value())).collect())
    }
}

impl<T: FromValue> FromValue for BTreeMap<String, T> {
    fn from_value(value: Value, name: &str) -> Result<Self> {
        let Value::Record(fields) = value else { return Err(wrong(name, "must be an object of strings")) };
        let fields = fields.into_iter().map(|(key, value)| {
            let value = given(value, &format!("{name}[{key:?}]"))?;
            Ok((key, value))
        });
        fields.collect()
    }

    fn missing() -> Option<Self> {
        Some(BTreeMap::new())
    }
}

impl<T: ToValue + Send + 'static> ToValue for Stream<T> {
    fn to_value(self) -> Value {
        Value::Object(crate::generated::Object::Stream(Box::new(self)))
    }
}

/// A stream, whatever it brings.
pub trait Flowing: Send + Sync {
    /// Begins to wait for the next one: a list with it, or nothing at the end.
    fn next(&self) -> crate::Work;
    /// Ends it.
    fn close(&self) -> crate::Work;
}

impl<T: ToValue + Send + 'static> Flowing for Stream<T> {
    fn next(&self) -> crate::Work {
        let this = self.clone();
        Box::pin(async move { Ok(this.next().await?.map_or(Value::None, |item| Value::List(vec![item.to_value()]))) })
    }

    fn close(&self) -> crate::Work {
        let this = self.clone();
        Box::pin(async move { this.close().await.map(ToValue::to_value) })
    }
}
