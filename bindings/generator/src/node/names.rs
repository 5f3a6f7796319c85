//! Names as JavaScript has them.

use crate::description::{Field, Type};
use heck::ToLowerCamelCase;

/// The name of a method, or of an argument or field, with its unit where it is a time span.
pub(super) fn field(field: &Field) -> String {
    let name = field.name.to_lower_camel_case();
    if is_span(&field.kind) { format!("{name}Ms") } else { name }
}

pub(super) fn method(name: &str) -> String {
    name.to_lower_camel_case()
}

fn is_span(kind: &Type) -> bool {
    match kind {
        Type::Duration | Type::Lifetime => true,
        Type::Option(inner) => is_span(inner),
        _ => false,
    }
}

/// Whether something may be left out.
pub(super) fn is_optional(kind: &Type) -> bool {
    matches!(kind, Type::Option(_) | Type::Bool)
}

/// Whether a field of something that goes in may be left out.
pub(super) fn has_default(kind: &Type) -> bool {
    is_optional(kind) || matches!(kind, Type::Vec(_) | Type::Map(_) | Type::U64)
}
