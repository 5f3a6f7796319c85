//! Names and sentences as Swift has them.

use crate::description::{Description, Field, Method, Record, Type};
use crate::text::{sentence, wrapped};
use heck::ToLowerCamelCase;
use std::collections::BTreeSet;

/// The name of a type. Foundation and SwiftUI have types of the same name as some, and most programs import one of them.
pub(super) fn type_name(described: &str) -> &str {
    match described {
        "Process" => "SandboxProcess",
        "ProcessInfo" => "SandboxProcessInfo",
        "Progress" => "SandboxProgress",
        "State" => "SandboxState",
        name => name,
    }
}

/// The name of a variant. `.none` of an optional one would be that of the optional.
pub(super) fn variant_name(described: &str) -> &str {
    match described {
        "None" => "Nothing",
        name => name,
    }
}

/// Words of the language that a name can be.
const KEYWORDS: [&str; 44] = [
    "as",
    "break",
    "case",
    "catch",
    "class",
    "continue",
    "default",
    "defer",
    "do",
    "else",
    "enum",
    "extension",
    "false",
    "for",
    "func",
    "guard",
    "if",
    "import",
    "in",
    "init",
    "inout",
    "internal",
    "is",
    "let",
    "nil",
    "operator",
    "private",
    "protocol",
    "public",
    "repeat",
    "return",
    "self",
    "static",
    "struct",
    "subscript",
    "super",
    "switch",
    "throw",
    "throws",
    "true",
    "try",
    "var",
    "where",
    "while",
];

/// A name of a variable or function.
pub(super) fn camel(described: &str) -> String {
    let name = described.to_lower_camel_case();
    if KEYWORDS.contains(&name.as_str()) { format!("`{name}`") } else { name }
}

/// Whether it crosses as bytes, and is a text to people.
pub(super) fn is_bytes(kind: &Type) -> bool {
    match kind {
        Type::Argument | Type::Path | Type::LocalPath | Type::Text => true,
        Type::Option(inner) | Type::Vec(inner) | Type::Map(inner) => is_bytes(inner),
        _ => false,
    }
}

/// The name of a field in what crosses.
pub(super) fn crossing(field: &Field) -> String {
    if is_bytes(&field.kind) { format!("{}_bytes", field.name) } else { field.name.clone() }
}

/// The name of the handle of a stream in what crosses.
pub(super) fn stream_name(of: &Type) -> Result<String, String> {
    match of {
        Type::Named(name) => Ok(format!("{}Stream", type_name(name))),
        Type::Bytes => Ok("BytesStream".to_owned()),
        other => Err(format!("a stream of {other:?} is not known to Swift")),
    }
}

/// What streams there are of.
pub(super) fn streams(description: &Description) -> Vec<Type> {
    let mut found = Vec::new();
    for method in description.objects.iter().flat_map(|object| &object.methods) {
        if let Type::Stream(of) = &method.output
            && !found.contains(&**of)
        {
            found.push((**of).clone());
        }
    }
    found
}

/// The records and enums that go in somewhere, in arguments or in those that are named.
pub(super) fn inputs(description: &Description) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for method in description.objects.iter().flat_map(|object| &object.methods) {
        method.arguments.iter().for_each(|argument| gather(description, &argument.kind, &mut found));
        description.options(method).iter().for_each(|field| gather(description, &field.kind, &mut found));
    }
    found
}

fn gather(description: &Description, kind: &Type, found: &mut BTreeSet<String>) {
    match kind {
        Type::Option(inner) | Type::Vec(inner) | Type::Map(inner) => gather(description, inner, found),
        Type::Named(name) if found.insert(name.clone()) => {
            let fields = description.record(name).map(|record: &Record| record.fields.iter().collect::<Vec<_>>());
            let variants =
                description.enumeration(name).map(|of| of.variants.iter().flat_map(|of| &of.fields).collect());
            fields.or(variants).unwrap_or_default().iter().for_each(|field| gather(description, &field.kind, found));
        }
        _ => {}
    }
}

/// The records that are only ever the named arguments of a method.
pub(super) fn named_arguments(description: &Description) -> BTreeSet<String> {
    let inputs = inputs(description);
    let methods = description.objects.iter().flat_map(|object| &object.methods);
    let options = methods.filter_map(|method: &Method| method.options.clone());
    options.filter(|name| !inputs.contains(name)).collect()
}

/// A documentation as Swift has it.
pub(super) fn documentation(docs: &[String], indent: &str) -> String {
    comment(&sentence(docs), indent)
}

/// A text as a documentation.
pub(super) fn comment(text: &str, indent: &str) -> String {
    format!("{}\n", wrapped(text, &format!("{indent}/// "), 118))
}
