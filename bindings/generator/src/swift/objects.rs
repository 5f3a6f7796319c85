//! Handles, over those that cross: named arguments, streams, and tasks that can be cancelled.

use super::HEAD;
use super::names::{camel, comment, crossing, documentation, is_bytes, stream_name, streams, type_name};
use super::native::function_name;
use super::values::{crossed, default, given, got, option_default, text};
use crate::description::{Description, Field, Method, MethodKind, Object, Type};
use crate::text::sentence;
use std::fmt::Write;

/// `Objects.swift`.
pub(super) fn render(description: &Description) -> String {
    let mut written = format!("{HEAD}\nimport Foundation\nimport IsoboxNative\n");
    for of in streams(description).iter().filter_map(|of| stream_name(of).ok()) {
        let _ = write!(written, "\nextension IsoboxNative.{of}: NativeStream {{}}\n");
    }
    for object in &description.objects {
        written.push_str(&class(description, object));
    }
    written
}

fn class(description: &Description, object: &Object) -> String {
    let name = type_name(&object.name);
    let mut written = format!(
        "\n{}public final class {name}: Sendable {{\n    let native: IsoboxNative.{name}\n\n    init(_ native: IsoboxNative.{name}) {{\n        \
         self.native = native\n    }}\n",
        documentation(&object.docs, "")
    );
    for method in &object.methods {
        written.push_str(&match method.kind {
            MethodKind::Getter => getter(description, method),
            MethodKind::Call | MethodKind::StaticCall => call(description, object, method),
        });
    }
    written + "}\n"
}

fn getter(description: &Description, method: &Method) -> String {
    let (name, kind) = (camel(&method.name), got(&method.output));
    let native = format!("native.{name}()");
    if matches!(method.output, Type::Stream(_)) {
        let docs = documentation(&method.docs, "    ");
        return format!("\n{docs}    public func {name}() -> {kind} {{\n        SandboxStream({native})\n    }}\n");
    }
    let docs = documentation(&method.docs, "    ");
    if !is_bytes(&method.output) {
        let value = wrapped(description, &method.output, &native);
        return format!("\n{docs}    public var {name}: {kind} {{ {value} }}\n");
    }
    let more = format!("{} As bytes, without loss.", sentence(&method.docs));
    format!(
        "\n{docs}    public var {name}: {kind} {{ {} }}\n\n{}    public var {}Bytes: Data {{ {native} }}\n",
        text(&method.output, &native),
        comment(&more, "    "),
        name
    )
}

/// A native result as people have it.
fn wrapped(description: &Description, kind: &Type, native: &str) -> String {
    let is_object = |kind: &Type| matches!(kind, Type::Named(name) if description.is_object(name));
    match kind {
        Type::Stream(_) => format!("SandboxStream({native})"),
        Type::Named(name) if is_object(kind) => format!("{}({native})", type_name(name)),
        Type::Vec(inner) | Type::Option(inner) if is_object(inner) => {
            format!("{native}.map {{ {} }}", wrapped(description, inner, "$0"))
        }
        kind if is_bytes(kind) => text(kind, native),
        _ => native.to_owned(),
    }
}

/// One argument: with its name, unless it is the first and says by its place what it is.
fn parameter(method: &Method, position: usize, argument: &Field) -> String {
    let (name, default) = (camel(&argument.name), default(&argument.kind));
    let alike =
        method.arguments.get(1).is_some_and(|second| second.kind == argument.kind && argument.kind == Type::U16);
    let nameless = position == 0 && default.is_none() && !alike;
    let default = default.map(|default| format!(" = {default}")).unwrap_or_default();
    format!("{}{name}: {}{default}", if nameless { "_ " } else { "" }, given(&argument.kind))
}

fn call(description: &Description, object: &Object, method: &Method) -> String {
    let fixed = method.arguments.iter().enumerate().map(|(position, argument)| parameter(method, position, argument));
    let options = description.options(method);
    let named = options.iter().map(|field| {
        let default = option_default(&field.kind).map(|default| format!(" = {default}")).unwrap_or_default();
        format!("{}: {}{default}", camel(&field.name), given(&field.kind))
    });
    let parameters: Vec<String> = fixed.chain(named).collect();
    let output = match method.output {
        Type::Unit => String::new(),
        _ => format!(" -> {}", got(&method.output)),
    };
    let is_static = method.kind == MethodKind::StaticCall;
    format!(
        "\n{}{}    public {}func {}({}) async throws{output} {{\n{}    }}\n",
        described(method, options),
        if is_discardable(description, &method.output) { "    @discardableResult\n" } else { "" },
        if is_static { "static " } else { "" },
        camel(&method.name),
        listed(&parameters, "    "),
        body(description, object, method)
    )
}

/// Whether nothing ends with it that somebody may have wanted.
fn is_discardable(description: &Description, kind: &Type) -> bool {
    match kind {
        Type::Unit | Type::Stream(_) => false,
        Type::Named(name) => !description.is_object(name),
        Type::Vec(inner) | Type::Option(inner) | Type::Map(inner) => is_discardable(description, inner),
        _ => true,
    }
}

/// The arguments, one to a line where they are many.
fn listed(items: &[String], indent: &str) -> String {
    let line = items.join(", ");
    if line.len() < 80 {
        return line;
    }
    format!("\n{indent}    {}\n{indent}", items.join(&format!(",\n{indent}    ")))
}

/// The sentences of a call, and those of its named arguments.
fn described(method: &Method, options: &[Field]) -> String {
    let mut written = documentation(&method.docs, "    ");
    if !options.is_empty() {
        written.push_str("    ///\n    /// - Parameters:\n");
    }
    for field in options {
        let text = format!("- {}: {}", camel(&field.name), sentence(&field.docs));
        written.push_str(&comment(&text, "    ").replace("/// - ", "///   - ").replace("\n    /// ", "\n    ///     "));
    }
    written
}

fn body(description: &Description, object: &Object, method: &Method) -> String {
    let mut written = String::new();
    let mut passed: Vec<String> = Vec::new();
    let mut captured: Vec<String> = Vec::new();
    for argument in &method.arguments {
        let name = camel(&argument.name);
        if is_bytes(&argument.kind) {
            let _ = writeln!(written, "        let {name} = {}", crossed(&argument.kind, &name));
        }
        passed.push(format!("{name}: {name}"));
        captured.push(name);
    }
    if let Some(options) = &method.options {
        let fields = description
            .options(method)
            .iter()
            .map(|field| format!("{}: {}", camel(&crossing(field)), crossed(&field.kind, &camel(&field.name))));
        let fields = listed(&fields.collect::<Vec<_>>(), "        ");
        let _ = writeln!(written, "        let options = IsoboxNative.{}({fields})", type_name(options));
        passed.push("options: options".to_owned());
    }
    passed.push("cancel: $0".to_owned());
    let native = match method.kind {
        MethodKind::StaticCall => {
            format!("IsoboxNative.{}({})", camel(&function_name(object, method)), passed.join(", "))
        }
        _ => format!("native.{}({})", camel(&method.name), passed.join(", ")),
    };
    let called = format!("try await cancellable {{ try await {native} }}");
    let value = match wrapped(description, &method.output, "result") {
        same if same == "result" => format!("        {}{called}\n", if written.is_empty() { "" } else { "return " }),
        other => format!("        let result = {called}\n        return {other}\n"),
    };
    written + &value
}
