//! Values as Swift writes them, and how they become what crosses.

use super::names::{is_bytes, type_name};
use crate::description::Type;

/// What may be given.
pub(super) fn given(kind: &Type) -> String {
    match kind {
        Type::Argument | Type::Path | Type::LocalPath | Type::Text => "any BytesConvertible".to_owned(),
        Type::Option(inner) if is_bytes(inner) && !matches!(**inner, Type::Vec(_) | Type::Map(_)) => {
            format!("({})?", given(inner))
        }
        Type::Option(inner) => format!("{}?", given(inner)),
        Type::Vec(inner) => format!("[{}]", given(inner)),
        Type::Map(inner) => format!("[String: {}]", given(inner)),
        other => got(other),
    }
}

/// What is got.
pub(super) fn got(kind: &Type) -> String {
    match kind {
        Type::Unit => "Void".to_owned(),
        Type::Bool => "Bool".to_owned(),
        Type::I32 => "Int32".to_owned(),
        Type::U16 => "UInt16".to_owned(),
        Type::U32 => "UInt32".to_owned(),
        Type::U64 => "UInt64".to_owned(),
        Type::F64 => "Double".to_owned(),
        Type::String | Type::Path | Type::LocalPath | Type::Text => "String".to_owned(),
        Type::Bytes | Type::Argument => "Data".to_owned(),
        Type::Duration => "TimeInterval".to_owned(),
        Type::Time => "Date".to_owned(),
        Type::Program => "Program".to_owned(),
        Type::Size => "Size".to_owned(),
        Type::Lifetime => "Lifetime".to_owned(),
        Type::Option(inner) => format!("{}?", got(inner)),
        Type::Vec(inner) => format!("[{}]", got(inner)),
        Type::Map(inner) => format!("[String: {}]", got(inner)),
        Type::Stream(inner) => format!("SandboxStream<{}>", got(inner)),
        Type::Named(name) => type_name(name).to_owned(),
    }
}

/// What an argument is when it is left out; none for one that must be given.
pub(super) fn default(kind: &Type) -> Option<&'static str> {
    match kind {
        Type::Bool => Some("false"),
        Type::Option(_) => Some("nil"),
        Type::Vec(_) => Some("[]"),
        Type::Map(_) => Some("[:]"),
        _ => None,
    }
}

/// The same of a named argument.
pub(super) fn option_default(kind: &Type) -> Option<&'static str> {
    match kind {
        Type::I32 | Type::U16 | Type::U32 | Type::U64 => Some("0"),
        kind => default(kind),
    }
}

/// What was given as what crosses.
pub(super) fn crossed(kind: &Type, value: &str) -> String {
    match kind {
        Type::Argument | Type::Path | Type::LocalPath | Type::Text => format!("{value}.sandboxBytes"),
        Type::Option(inner) if is_bytes(inner) => crossed(inner, &format!("{value}?")),
        Type::Vec(inner) if is_bytes(inner) => format!("{value}.map {{ {} }}", crossed(inner, "$0")),
        Type::Map(inner) if is_bytes(inner) => format!("{value}.mapValues {{ {} }}", crossed(inner, "$0")),
        _ => value.to_owned(),
    }
}

/// What crossed as bytes, as the text that it is.
pub(super) fn text(kind: &Type, value: &str) -> String {
    match kind {
        Type::Option(inner) => format!("{value}.map {{ {} }}", text(inner, "$0")),
        Type::Vec(inner) => format!("{value}.map {{ {} }}", text(inner, "$0")),
        Type::Map(inner) => format!("{value}.mapValues {{ {} }}", text(inner, "$0")),
        _ => format!("String(decoding: {value}, as: UTF8.self)"),
    }
}
