//! Types as Python writes them.

use crate::description::{Description, Type};

/// What may be given.
pub(super) fn given(kind: &Type) -> String {
    match kind {
        Type::Unit => "None".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::I32 | Type::U16 | Type::U32 | Type::U64 => "int".to_owned(),
        Type::F64 => "float".to_owned(),
        Type::String | Type::Text => "str".to_owned(),
        Type::Bytes => "bytes".to_owned(),
        Type::Duration => "Seconds".to_owned(),
        Type::Time => "datetime.datetime".to_owned(),
        Type::Argument => "str | bytes".to_owned(),
        Type::Path => "SandboxPath".to_owned(),
        Type::LocalPath => "LocalPath".to_owned(),
        Type::Program => "Command".to_owned(),
        Type::Size => "Size".to_owned(),
        Type::Lifetime => "Lifetime".to_owned(),
        Type::Option(inner) => format!("{} | None", given(inner)),
        Type::Vec(inner) => format!("Sequence[{}]", given(inner)),
        Type::Map(inner) => format!("Mapping[str, {}]", given(inner)),
        Type::Stream(inner) => format!("Stream[{}]", given(inner)),
        Type::Named(name) => name.clone(),
    }
}

/// What is got. Objects and streams have a prefix for those who await.
pub(super) fn got(description: &Description, kind: &Type, prefix: &str) -> String {
    let inside = |inner| got(description, inner, prefix);
    match kind {
        Type::Duration => "float".to_owned(),
        Type::Path | Type::LocalPath => "str".to_owned(),
        Type::Option(inner) => format!("{} | None", inside(inner)),
        // Not `list`, which is a method of some objects.
        Type::Vec(inner) => format!("List[{}]", inside(inner)),
        Type::Map(inner) => format!("dict[str, {}]", inside(inner)),
        Type::Stream(inner) => format!("{prefix}Stream[{}]", inside(inner)),
        Type::Named(name) if description.is_object(name) => format!("{prefix}{name}"),
        other => given(other),
    }
}

/// What an argument is when it is left out; none for one that must be given.
pub(super) fn default(kind: &Type) -> Option<&'static str> {
    match kind {
        Type::Bool => Some("False"),
        Type::Option(_) => Some("None"),
        Type::Vec(_) => Some("()"),
        Type::Map(_) => Some("None"),
        _ => None,
    }
}

/// What may be given for a named argument: what it is, or what stands for its default.
pub(super) fn option(kind: &Type) -> (String, &'static str) {
    match kind {
        Type::U64 => ("int".to_owned(), "0"),
        Type::Map(_) => (format!("{} | None", given(kind)), "None"),
        _ => (given(kind), default(kind).unwrap_or("...")),
    }
}
