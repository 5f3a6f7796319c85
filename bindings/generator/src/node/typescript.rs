//! The TypeScript that users see.

use super::{HEAD, names};
use crate::description::{Description, Enum, Field, Method, MethodKind, Object, Record, Type};
use crate::python::{error_class, inputs};
use crate::text::{sentence, variant_class, word, wrapped};
use std::fmt::Write;

/// A documentation comment.
fn comment(text: &str, indent: &str) -> String {
    let text = text.replace("*/", "*\\/");
    let short = format!("{indent}/** {text} */");
    if short.len() <= 118 && !text.contains('\n') {
        return short;
    }
    let lines = text.lines().map(|line| wrapped(line, &format!("{indent} * "), 118));
    format!("{indent}/**\n{}\n{indent} */", lines.collect::<Vec<_>>().join("\n"))
}

/// What may be given.
fn given(kind: &Type) -> String {
    match kind {
        Type::Unit => "void".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::I32 | Type::U16 | Type::U32 | Type::U64 | Type::F64 | Type::Duration => "number".to_owned(),
        Type::String | Type::Text => "string".to_owned(),
        Type::Bytes => "Buffer".to_owned(),
        Type::Time => "Date".to_owned(),
        Type::Argument | Type::Path | Type::LocalPath => "string | Uint8Array".to_owned(),
        Type::Program => "Command".to_owned(),
        Type::Size => "Size".to_owned(),
        Type::Lifetime => "number | 'never'".to_owned(),
        Type::Option(inner) => given(inner),
        Type::Vec(inner) => match given(inner) {
            inner if inner.contains('|') => format!("readonly ({inner})[]"),
            inner => format!("readonly {inner}[]"),
        },
        Type::Map(inner) => format!("Readonly<Record<string, {}>>", given(inner)),
        Type::Stream(inner) => format!("Stream<{}>", got(inner)),
        Type::Named(name) => name.clone(),
    }
}

/// What is got.
fn got(kind: &Type) -> String {
    match kind {
        Type::Path | Type::LocalPath => "string".to_owned(),
        Type::Option(inner) => format!("{} | undefined", got(inner)),
        Type::Vec(inner) => match got(inner) {
            inner if inner.contains('|') => format!("({inner})[]"),
            inner => format!("{inner}[]"),
        },
        Type::Map(inner) => format!("Record<string, {}>", got(inner)),
        other => given(other),
    }
}

fn is_text(kind: &Type) -> bool {
    match kind {
        Type::Text => true,
        Type::Option(inner) | Type::Vec(inner) => is_text(inner),
        _ => false,
    }
}

/// Whether something has bytes in it that are text, for which it is given a class.
fn has_text(description: &Description, kind: &Type) -> bool {
    match kind {
        Type::Option(inner) | Type::Vec(inner) | Type::Map(inner) => has_text(description, inner),
        Type::Named(name) => {
            let fields = |fields: &[Field]| {
                fields.iter().any(|field| is_text(&field.kind) || has_text(description, &field.kind))
            };
            let record = description.record(name).is_some_and(|record| fields(&record.fields));
            record || description.enumeration(name).is_some_and(|of| of.variants.iter().any(|of| fields(&of.fields)))
        }
        _ => false,
    }
}

/// `records.ts`.
pub(super) fn records(description: &Description) -> String {
    let inputs = inputs(description);
    let options: Vec<&String> = description
        .objects
        .iter()
        .flat_map(|object| &object.methods)
        .filter_map(|method| method.options.as_ref())
        .collect();
    let mut text = format!("{HEAD}\nimport type {{ Size }} from './types';\n");
    for of in description.enums.iter().filter(|of| of.is_words()) {
        text.push_str(&words(of));
    }
    for record in &description.records {
        let input = inputs.contains(&record.name) || options.contains(&&record.name);
        text.push_str(&shape(&record.name, &record.docs, &record.fields, None, input));
    }
    for of in description.enums.iter().filter(|of| !of.is_words()) {
        let input = inputs.contains(&of.name);
        let mut parts = Vec::new();
        for variant in &of.variants {
            let word = word(&variant.name);
            if variant.fields.is_empty() {
                parts.push(format!("'{word}'"));
                continue;
            }
            let class = variant_class(of, &variant.name);
            text.push_str(&shape(&class, &variant.docs, &variant.fields, Some(&word), input));
            parts.push(class);
        }
        let _ = write!(
            text,
            "\n{}\nexport type {} =\n  | {};\n",
            comment(&sentence(&of.docs), ""),
            of.name,
            parts.join("\n  | ")
        );
    }
    text.push_str(&revivals(description));
    text
}

fn words(of: &Enum) -> String {
    let docs = of.variants.iter().map(|variant| format!("- `{}`: {}", word(&variant.name), sentence(&variant.docs)));
    let docs = format!("{}\n{}", sentence(&of.docs), docs.collect::<Vec<_>>().join("\n"));
    let words: Vec<String> = of.variants.iter().map(|variant| format!("'{}'", word(&variant.name))).collect();
    format!("\n{}\nexport type {} =\n  | {};\n", comment(&docs, ""), of.name, words.join("\n  | "))
}

/// An interface, or a class where bytes are read as text.
fn shape(name: &str, docs: &[String], fields: &[Field], word: Option<&str>, input: bool) -> String {
    let class = fields.iter().any(|field| is_text(&field.kind));
    let kind = if class { "class" } else { "interface" };
    let mut text = format!("\n{}\nexport {kind} {name} {{\n", comment(&sentence(docs), ""));
    let read_only = if class { "declare readonly" } else { "readonly" };
    if let Some(word) = word {
        let _ = writeln!(text, "  {read_only} type: '{word}';");
    }
    for field in fields {
        let (name, docs) = (names::field(field), comment(&sentence(&field.docs), "  "));
        if is_text(&field.kind) {
            text.push_str(&text_field(field, &name, &docs));
            continue;
        }
        let optional = if input { names::has_default(&field.kind) } else { matches!(field.kind, Type::Option(_)) };
        let mark = if optional { "?" } else { "" };
        let hint = match (&field.kind, input) {
            (_, true) => given(&field.kind),
            (Type::Option(inner), false) => got(inner),
            (_, false) => got(&field.kind),
        };
        let undefined = if optional { " | undefined" } else { "" };
        let _ = writeln!(text, "{docs}\n  {read_only} {name}{mark}: {hint}{undefined};");
        if !input && matches!(inner(&field.kind), Type::Path) {
            let docs = comment("The bytes of that, where they are no UTF-8.", "  ");
            let _ = writeln!(text, "{docs}\n  {read_only} {name}Bytes?: Buffer | undefined;");
        }
    }
    text.push_str("}\n");
    text
}

fn inner(kind: &Type) -> &Type {
    match kind {
        Type::Option(inner) => inner,
        kind => kind,
    }
}

/// Bytes, and the text of them.
fn text_field(field: &Field, name: &str, docs: &str) -> String {
    match &field.kind {
        Type::Vec(_) => format!(
            "{docs}\n  declare readonly {name}Bytes: Buffer[];\n{docs}\n  get {name}(): string[] {{\n    return this.{name}Bytes.map((part) => part.toString('utf8'));\n  }}\n"
        ),
        _ => format!(
            "{docs}\n  declare readonly {name}Bytes: Buffer;\n{docs}\n  get {name}(): string {{\n    return this.{name}Bytes.toString('utf8');\n  }}\n"
        ),
    }
}

/// Functions that give what comes out its classes.
fn revivals(description: &Description) -> String {
    let mut text = String::new();
    let inputs = inputs(description);
    for record in description.records.iter().filter(|record| !inputs.contains(&record.name) && !record.is_options()) {
        if has_text(description, &Type::Named(record.name.clone())) {
            text.push_str(&revival(description, record));
        }
    }
    for of in description.enums.iter().filter(|of| has_text(description, &Type::Named(of.name.clone()))) {
        let arms = of.variants.iter().filter_map(|variant| {
            let body = revive_fields(description, &variant.fields, "value");
            (!body.is_empty()).then(|| {
                format!("    case '{}':\n{}      break;\n", word(&variant.name), body.replace("  value", "      value"))
            })
        });
        let arms: String = arms.collect();
        let _ = write!(
            text,
            "\n/** @internal */\nexport function revive{0}(value: {0}): {0} {{\n  switch (value.type) {{\n{arms}  }}\n  return value;\n}}\n",
            of.name
        );
    }
    text
}

fn revival(description: &Description, record: &Record) -> String {
    let class = record.fields.iter().any(|field| is_text(&field.kind));
    let prototype =
        if class { format!("  Object.setPrototypeOf(value, {}.prototype);\n", record.name) } else { String::new() };
    let fields = revive_fields(description, &record.fields, "value");
    format!(
        "\n/** @internal */\nexport function revive{0}(value: {0}): {0} {{\n{prototype}{fields}  return value;\n}}\n",
        record.name
    )
}

fn revive_fields(description: &Description, fields: &[Field], of: &str) -> String {
    let lines = fields.iter().filter_map(|field| {
        let name = names::field(field);
        let (optional, kind) = match &field.kind {
            Type::Option(inner) => (true, &**inner),
            kind => (false, kind),
        };
        has_text(description, kind).then(|| {
            let revived = match kind {
                Type::Vec(item) => format!("{of}.{name}.forEach({})", revive(description, item)),
                kind => format!("{}({of}.{name})", revive(description, kind)),
            };
            let condition = if optional { format!("if ({of}.{name} !== undefined) ") } else { String::new() };
            format!("  {condition}{revived};\n")
        })
    });
    lines.collect()
}

/// The function that gives a thing its classes.
fn revive(description: &Description, kind: &Type) -> String {
    match kind {
        Type::Named(name) if description.is_object(name) => format!("(value: Native) => new {name}(value)"),
        kind if !has_text(description, kind) => "same".to_owned(),
        Type::Named(name) => format!("revive{name}"),
        Type::Vec(inner) => format!("each({})", revive(description, inner)),
        Type::Option(inner) => format!("maybe({})", revive(description, inner)),
        _ => "same".to_owned(),
    }
}

/// `errors.ts`.
pub(super) fn errors(description: &Description) -> Result<String, String> {
    let codes = description.enumeration("ErrorCode").ok_or("ErrorCode is not described")?;
    let mut text =
        format!("{HEAD}\nimport {{ reviveDetail, type Detail, type ErrorCode, type Fault }} from './records';\n\n");
    text.push_str(include_str!("errors_base.ts"));
    let mut table = String::new();
    for code in &codes.variants {
        let word = word(&code.name);
        let class = error_class(&word);
        let _ =
            write!(text, "\n{}\nexport class {class} extends SandboxError {{}}\n", comment(&sentence(&code.docs), ""));
        let _ = writeln!(table, "  {word}: {class},");
    }
    let _ = write!(text, "\nconst classes: Record<string, typeof SandboxError> = {{\n{table}}};\n");
    text.push_str(include_str!("errors_made.ts"));
    Ok(text)
}

/// `objects.ts`.
pub(super) fn objects(description: &Description) -> String {
    let revived = |name: &str| has_text(description, &Type::Named(name.to_owned()));
    let inputs = inputs(description);
    let records = description.records.iter().filter(|record| !inputs.contains(&record.name) && !record.is_options());
    let names = records.map(|record| &record.name).chain(description.enums.iter().map(|of| &of.name));
    let revivals: Vec<String> = names.filter(|name| revived(name)).map(|name| format!("revive{name}")).collect();
    let classes: String = description.objects.iter().map(|object| class(description, object)).collect();
    let used = |name: &&String| classes.contains(&format!("{name}(")) || classes.contains(&format!("{name})"));
    let revivals: Vec<&str> = revivals.iter().filter(used).map(String::as_str).collect();
    format!(
        "{HEAD}\nimport {{ {} }} from './records';\n\
         import type {{\n  {},\n}} from './records';\n\
         import {{ begin, each, get, maybe, none, same, Stream, type CallOptions, type Native }} from './runtime';\n\
         import type {{ Command, Size }} from './types';\n{classes}",
        revivals.join(", "),
        names_used(description).join(",\n  "),
    )
}

/// Every record and enum, which classes may speak of.
fn names_used(description: &Description) -> Vec<String> {
    let mut used = Vec::new();
    for method in description.objects.iter().flat_map(|object| &object.methods) {
        let arguments = method.arguments.iter().map(|argument| &argument.kind);
        for kind in arguments.chain([&method.output]) {
            gather(description, kind, &mut used);
        }
        used.extend(method.options.clone());
    }
    used.sort();
    used.dedup();
    used
}

fn gather(description: &Description, kind: &Type, used: &mut Vec<String>) {
    match kind {
        Type::Option(inner) | Type::Vec(inner) | Type::Map(inner) | Type::Stream(inner) => {
            gather(description, inner, used)
        }
        Type::Named(name) if !description.is_object(name) => used.push(name.clone()),
        _ => {}
    }
}

fn class(description: &Description, object: &Object) -> String {
    let name = &object.name;
    let mut text = format!(
        "\n{}\nexport class {name} {{\n  /** @internal */\n  readonly native: Native;\n\n  /** @internal */\n  \
         constructor(native: Native) {{\n    this.native = native;\n  }}\n",
        comment(&sentence(&object.docs), "")
    );
    for method in &object.methods {
        text.push('\n');
        text.push_str(&match method.kind {
            MethodKind::Getter => getter(description, object, method),
            _ => call(description, object, method),
        });
    }
    let has = |name: &&&str| object.methods.iter().any(|method| method.name == **name);
    if let Some(end) = ["delete", "close", "kill"].iter().find(has).filter(|_| name != "Files") {
        let docs = comment(&format!("The end of an `await using`: the same as `{end}`."), "  ");
        let _ = write!(
            text,
            "\n{docs}\n  async [Symbol.asyncDispose](): Promise<void> {{\n    await this.{end}();\n  }}\n"
        );
    }
    text.push_str("}\n");
    text
}

fn getter(description: &Description, object: &Object, method: &Method) -> String {
    let name = names::method(&method.name);
    let native = format!("get('{}.{name}', this.native)", object.name);
    let docs = comment(&sentence(&method.docs), "  ");
    let hint = got(&method.output);
    match &method.output {
        Type::Stream(item) => format!(
            "{docs}\n  {name}(): {hint} {{\n    return new Stream({native} as Native, {});\n  }}\n",
            revive(description, item)
        ),
        Type::Named(of) if description.is_object(of) => {
            format!("{docs}\n  get {name}(): {hint} {{\n    return new {of}({native} as Native);\n  }}\n")
        }
        _ => format!("{docs}\n  get {name}(): {hint} {{\n    return {native} as {hint};\n  }}\n"),
    }
}

fn call(description: &Description, object: &Object, method: &Method) -> String {
    let name = names::method(&method.name);
    let (optional, needed): (Vec<_>, Vec<_>) =
        method.arguments.iter().partition(|argument| names::is_optional(&argument.kind));
    let mut parameters: Vec<String> =
        needed.iter().map(|argument| format!("{}: {}", names::field(argument), given(&argument.kind))).collect();
    let own: Vec<String> = optional
        .iter()
        .map(|argument| format!("{}?: {} | undefined", names::field(argument), given(&argument.kind)))
        .collect();
    let mut kinds: Vec<String> = method.options.iter().cloned().collect();
    if !own.is_empty() {
        kinds.push(format!("{{ {} }}", own.join("; ")));
    }
    kinds.push("CallOptions".to_owned());
    parameters.push(format!("options: {} = {{}}", kinds.join(" & ")));
    let picked: Vec<String> = optional.iter().map(|argument| names::field(argument)).collect();
    let unasked = if method.options.is_some() { "" } else { "    none(rest);\n" };
    let comma = if picked.is_empty() { String::new() } else { format!(", {}", picked.join(", ")) };
    let arguments: Vec<String> =
        method.arguments.iter().map(names::field).chain(method.options.iter().map(|_| "rest".to_owned())).collect();
    let (is_static, handle) = match method.kind {
        MethodKind::StaticCall => ("static ", "undefined"),
        _ => ("", "this.native"),
    };
    let output = got(&method.output);
    let begun = format!("await begin('{}.{name}', {handle}, [{}], signal)", object.name, arguments.join(", "));
    let body = match &method.output {
        Type::Unit => format!("    {begun};\n"),
        Type::Stream(item) => format!("    return new Stream(({begun}) as Native, {});\n", revive(description, item)),
        Type::Named(of) if description.is_object(of) => format!("    return new {of}(({begun}) as Native);\n"),
        Type::Vec(inner) if matches!(&**inner, Type::Named(of) if description.is_object(of)) => {
            let Type::Named(of) = &**inner else { unreachable!("it was just matched") };
            format!("    return (({begun}) as Native[]).map((native) => new {of}(native));\n")
        }
        kind if has_text(description, kind) => {
            format!("    return {}(({begun}) as {output});\n", revive(description, kind))
        }
        _ => format!("    return ({begun}) as {output};\n"),
    };
    let docs = comment(&sentence(&method.docs), "  ");
    format!(
        "{docs}\n  {is_static}async {name}({}): Promise<{output}> {{\n    const {{ signal{comma}, ...rest }} = options;\n{unasked}{body}  }}\n",
        parameters.join(", ")
    )
}
