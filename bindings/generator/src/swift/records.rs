//! Records, words and sums: where they come from, the texts of what is bytes, and how they are made.

use super::HEAD;
use super::names::{
    camel, comment, crossing, documentation, inputs, is_bytes, named_arguments, type_name, variant_name,
};
use super::native::is_secret;
use super::values::{crossed, default, given, got, text};
use crate::description::{Description, Enum, Field, Record, Variant};
use crate::text::{sentence, word};
use std::fmt::Write;

/// `Records.swift`.
pub(super) fn render(description: &Description) -> String {
    let (inputs, hidden) = (inputs(description), named_arguments(description));
    let mut written = format!("{HEAD}\nimport Foundation\nimport IsoboxNative\n");
    for record in description.records.iter().filter(|record| !hidden.contains(&record.name)) {
        written.push_str(&alias(&record.name, &record.docs));
        let bytes = record.fields.iter().any(|field| is_bytes(&field.kind));
        if bytes && inputs.contains(&record.name) {
            written.push_str(&maker(record));
        } else if bytes {
            written.push_str(&views(record));
        }
        if is_secret(record) {
            let _ = writeln!(written, "\nextension {}: Secretive {{}}", type_name(&record.name));
        }
    }
    for of in &description.enums {
        written.push_str(&alias(&of.name, &of.docs));
        if of.is_words() {
            written.push_str(&words(of));
        }
        if inputs.contains(&of.name) {
            of.variants.iter().for_each(|variant| written.push_str(&variant_maker(of, variant)));
        }
    }
    written
}

fn alias(name: &str, docs: &[String]) -> String {
    let name = type_name(name);
    format!("\n{}public typealias {name} = IsoboxNative.{name}\n", documentation(docs, ""))
}

/// The texts of a record that comes out.
fn views(record: &Record) -> String {
    let mut written = format!("\nextension {} {{\n", type_name(&record.name));
    let views = record.fields.iter().filter(|field| is_bytes(&field.kind)).map(|field| {
        let more = format!("{} As text, with replacement characters where it is not UTF-8.", sentence(&field.docs));
        let (name, bytes) = (camel(&field.name), camel(&crossing(field)));
        let (kind, body) = (got(&field.kind), text(&field.kind, &bytes));
        format!("{}    public var {name}: {kind} {{ {body} }}\n", comment(&more, "    "))
    });
    written.push_str(&views.collect::<Vec<_>>().join("\n"));
    written + "}\n"
}

/// The arguments that make something, and what is given on for them.
fn makings(fields: &[Field]) -> (String, String) {
    let parameters = fields.iter().map(|field| {
        let default = default(&field.kind).map(|default| format!(" = {default}")).unwrap_or_default();
        format!("{}: {}{default}", camel(&field.name), given(&field.kind))
    });
    let passed = fields
        .iter()
        .map(|field| format!("{}: {}", camel(&crossing(field)), crossed(&field.kind, &camel(&field.name))));
    (parameters.collect::<Vec<_>>().join(", "), passed.collect::<Vec<_>>().join(", "))
}

/// How a record that goes in is made, with texts for what is bytes.
fn maker(record: &Record) -> String {
    let (parameters, passed) = makings(&record.fields);
    format!(
        "\nextension {} {{\n{}    public init({parameters}) {{\n        self.init({passed})\n    }}\n}}\n",
        type_name(&record.name),
        comment("Paths and texts as `String`, or as `Data` where they are not UTF-8.", "    ")
    )
}

/// The same of a variant.
fn variant_maker(of: &Enum, variant: &Variant) -> String {
    if !variant.fields.iter().any(|field| is_bytes(&field.kind)) {
        return String::new();
    }
    let (parameters, passed) = makings(&variant.fields);
    let (of, name) = (type_name(&of.name), camel(variant_name(&variant.name)));
    format!(
        "\nextension {of} {{\n{}    public static func {name}({parameters}) -> {of} {{\n        .{name}({passed})\n    }}\n}}\n",
        documentation(&variant.docs, "    ")
    )
}

/// The words that are the same in every language.
fn words(of: &Enum) -> String {
    let cases = of
        .variants
        .iter()
        .map(|variant| format!("        case .{}: \"{}\"\n", camel(variant_name(&variant.name)), word(&variant.name)));
    format!(
        "\nextension {}: CustomStringConvertible {{\n{}    public var description: String {{\n        switch self {{\n{}        }}\n    }}\n}}\n",
        type_name(&of.name),
        comment("The word for it, the same in every language.", "    "),
        cases.collect::<String>()
    )
}
