//! Records as frozen dataclasses, words as literals, sums as unions of dataclasses.

use super::{HEAD, hints};
use crate::description::{Description, Enum, Field, Record, Type};
use crate::text::{sentence, variant_class, word, wrapped};
use std::collections::BTreeSet;
use std::fmt::Write;

/// `_records.py`.
pub(super) fn render(description: &Description) -> Result<String, String> {
    let inputs = inputs(description);
    let mut text = String::from(HEAD);
    text.push_str(
        "\"\"\"Plain data that goes into a sandbox and comes out of it.\"\"\"\n\nfrom __future__ import annotations\n\n\
         import dataclasses\nimport datetime\nfrom collections.abc import Mapping, Sequence\nfrom typing import ClassVar, List, Literal, Union\n\n\
         from ._types import Lifetime, LocalPath, SandboxPath, Seconds, Size\n",
    );
    for of in description.enums.iter().filter(|of| of.is_words()) {
        let words: Vec<String> = of.variants.iter().map(|variant| format!("\"{}\"", word(&variant.name))).collect();
        let _ = write!(text, "\n{} = Literal[\n    {},\n]\n", of.name, words.join(",\n    "));
        let _ = writeln!(text, "{}", docstring(&words_documentation(of), ""));
    }
    let used = |name: &str| inputs.contains(name);
    for record in &description.records {
        if !record.is_options() || used(&record.name) {
            text.push_str(&dataclass(&record.name, &record.docs, &record.fields, None, used(&record.name)));
        }
    }
    for of in description.enums.iter().filter(|of| !of.is_words()) {
        for variant in of.variants.iter().filter(|variant| !variant.fields.is_empty()) {
            let (name, word) = (variant_class(of, &variant.name), word(&variant.name));
            text.push_str(&dataclass(&name, &variant.docs, &variant.fields, Some(&word), used(&of.name)));
        }
        text.push_str(&union(of));
    }
    text.push_str(&exports(description, &inputs));
    Ok(text)
}

/// The records and enums that go in somewhere.
pub(crate) fn inputs(description: &Description) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for object in &description.objects {
        for method in &object.methods {
            method.arguments.iter().for_each(|argument| gather(description, &argument.kind, &mut found));
            description.options(method).iter().for_each(|field| gather(description, &field.kind, &mut found));
        }
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

fn words_documentation(of: &Enum) -> String {
    let words = of.variants.iter().map(|variant| format!("`{}`: {}", word(&variant.name), sentence(&variant.docs)));
    format!("{}\n\n{}", sentence(&of.docs), words.collect::<Vec<_>>().join("\n"))
}

/// A documentation as Python has it: the first line beside the quotes, the rest below.
pub(super) fn docstring(text: &str, indent: &str) -> String {
    // A line keeps the indent that it has already.
    let paragraph = |line: &str| {
        let own = line.len() - line.trim_start().len();
        wrapped(line, &format!("{indent}{}", " ".repeat(own)), 118)
    };
    let paragraphs: Vec<String> = text.lines().map(paragraph).collect();
    let body =
        paragraphs.iter().map(|line| if line.trim().is_empty() { "" } else { line }).collect::<Vec<_>>().join("\n");
    let body = body.trim_start();
    let end = if body.contains('\n') { format!("\n{indent}") } else { String::new() };
    format!("{indent}\"\"\"{}{end}\"\"\"", body.replace('\\', "\\\\"))
}

/// A field as the dataclass has it: bytes that are text have another name, and give the text by a property.
fn stored(field: &Field) -> (String, String) {
    match &field.kind {
        Type::Text => (format!("{}_bytes", field.name), "bytes".to_owned()),
        Type::Vec(inner) if **inner == Type::Text => (format!("{}_bytes", field.name), "list[bytes]".to_owned()),
        _ => (field.name.clone(), String::new()),
    }
}

/// What no text form may show.
fn is_private(record: &str, field: &Field) -> bool {
    let text = matches!(&field.kind, Type::Text | Type::Bytes);
    let texts = matches!(&field.kind, Type::Vec(inner) if **inner == Type::Text);
    text || texts || field.name == "password" || (record == "Secret" && field.name == "value")
}

fn dataclass(name: &str, docs: &[String], fields: &[Field], word: Option<&str>, input: bool) -> String {
    let mut text = format!("\n\n@dataclasses.dataclass(frozen=True, slots=True)\nclass {name}:\n");
    let _ = writeln!(text, "{}\n", docstring(&sentence(docs), "    "));
    if let Some(word) = word {
        let _ = writeln!(text, "    type: ClassVar[Literal[\"{word}\"]] = \"{word}\"\n");
    }
    let default = |field: &Field| if input { hints::default(&field.kind) } else { None };
    let (needed, optional): (Vec<_>, Vec<_>) = fields.iter().partition(|field| default(field).is_none());
    for field in &needed {
        text.push_str(&attribute(name, field, input, None));
    }
    if !optional.is_empty() {
        text.push_str("    _: dataclasses.KW_ONLY\n");
    }
    for field in &optional {
        text.push_str(&attribute(name, field, input, default(field)));
    }
    for field in fields {
        text.push_str(&view(field));
    }
    text
}

fn attribute(record: &str, field: &Field, input: bool, default: Option<&str>) -> String {
    let (name, bytes) = stored(field);
    let hint = match (bytes.is_empty(), input) {
        (false, _) => bytes,
        (true, true) if default == Some("None") && !matches!(field.kind, Type::Option(_)) => {
            format!("{} | None", hints::given(&field.kind))
        }
        (true, true) => hints::given(&field.kind),
        (true, false) => hints::got(&Description::default(), &field.kind, ""),
    };
    let value = match (is_private(record, field), default) {
        (true, None) => " = dataclasses.field(repr=False)".to_owned(),
        (true, Some(default)) => format!(" = dataclasses.field(repr=False, default={default})"),
        (false, Some(default)) => format!(" = {default}"),
        (false, None) => String::new(),
    };
    format!("    {name}: {hint}{value}\n{}\n\n", docstring(&sentence(&field.docs), "    "))
}

/// The text of a field that is stored as bytes.
fn view(field: &Field) -> String {
    let (stored, _) = stored(field);
    let (hint, body) = match &field.kind {
        Type::Text => ("str", format!("self.{stored}.decode(\"utf-8\", \"replace\")")),
        Type::Vec(inner) if **inner == Type::Text => {
            ("list[str]", format!("[part.decode(\"utf-8\", \"replace\") for part in self.{stored}]"))
        }
        _ => return String::new(),
    };
    let docs = docstring(
        &format!("{} As text, with replacement characters where it is not UTF-8.", sentence(&field.docs)),
        "        ",
    );
    format!("    @property\n    def {}(self) -> {hint}:\n{docs}\n        return {body}\n\n", field.name)
}

/// One name for all variants of a sum.
fn union(of: &Enum) -> String {
    let (words, classes): (Vec<_>, Vec<_>) = of.variants.iter().partition(|variant| variant.fields.is_empty());
    let words: Vec<String> = words.iter().map(|variant| format!("\"{}\"", word(&variant.name))).collect();
    let mut parts: Vec<String> = classes.iter().map(|variant| variant_class(of, &variant.name)).collect();
    if !words.is_empty() {
        parts.insert(0, format!("Literal[{}]", words.join(", ")));
    }
    let documented = docstring(&sentence(&of.docs), "");
    match &parts[..] {
        [only] => format!("\n\n{} = {only}\n{documented}\n", of.name),
        _ => format!("\n\n{} = Union[\n    {},\n]\n{documented}\n", of.name, parts.join(",\n    ")),
    }
}

/// Every name of the file.
pub(super) fn names(description: &Description, inputs: &BTreeSet<String>) -> Vec<String> {
    let records = description.records.iter().filter(|record| !record.is_options() || inputs.contains(&record.name));
    let mut names: Vec<String> = records.map(|record| record.name.clone()).collect();
    for of in &description.enums {
        names.push(of.name.clone());
        let classes = of.variants.iter().filter(|variant| !variant.fields.is_empty());
        names.extend(classes.map(|variant| variant_class(of, &variant.name)));
    }
    names.sort();
    names
}

fn exports(description: &Description, inputs: &BTreeSet<String>) -> String {
    let names = names(description, inputs);
    format!("\n\n__all__ = [\n    \"{}\",\n]\n", names.join("\",\n    \""))
}
