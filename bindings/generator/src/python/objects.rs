//! Objects, for those who wait and for those who await: the same names, the same arguments, the same documentation.

use super::records::docstring;
use super::{HEAD, hints};
use crate::description::{Description, Field, Method, MethodKind, Object, Type};
use crate::text::{sentence, wrapped};
use std::fmt::Write;

/// For whom.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavour {
    Sync,
    Async,
}

impl Flavour {
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Flavour::Sync => "",
            Flavour::Async => "Async",
        }
    }

    fn def(self) -> &'static str {
        match self {
            Flavour::Sync => "def",
            Flavour::Async => "async def",
        }
    }

    /// The result of a native call.
    fn result(self, call: &str) -> String {
        match self {
            Flavour::Sync => format!("{call}.wait()"),
            Flavour::Async => format!("await {call}.result()"),
        }
    }
}

/// `_sync.py` or `_async.py`.
pub(super) fn render(description: &Description, flavour: Flavour) -> String {
    let prefix = flavour.prefix();
    let about = match flavour {
        Flavour::Sync => "Handles whose methods wait. Other threads go on meanwhile, and Ctrl-C ends a wait at once.",
        Flavour::Async => "Handles whose methods are awaited. Cancelling a task ends what it awaits.",
    };
    let iterator = if flavour == Flavour::Sync { "Iterator" } else { "AsyncIterator" };
    let mut text = format!(
        "{HEAD}\"\"\"{about}\"\"\"\n\nfrom __future__ import annotations\n\nimport datetime\n\
         from collections.abc import {iterator}, Mapping, Sequence\n\
         from types import TracebackType\nfrom typing import Any, Generic, List, TypeVar\n\n\
         from . import _native\nfrom ._records import *  # noqa: F403\n\
         from ._types import Command, Lifetime, LocalPath, SandboxPath, Seconds, Size\n\nT = TypeVar(\"T\")\n"
    );
    text.push_str(&stream(flavour));
    for object in &description.objects {
        text.push_str(&class(description, object, flavour));
    }
    let names = description.objects.iter().map(|object| format!("{prefix}{}", object.name));
    let names: Vec<String> = [format!("{prefix}Stream")].into_iter().chain(names).collect();
    let _ = write!(text, "\n\n__all__ = [\n    \"{}\",\n]\n", names.join("\",\n    \""));
    text
}

fn stream(flavour: Flavour) -> String {
    let template = match flavour {
        Flavour::Sync => include_str!("stream_sync.py"),
        Flavour::Async => include_str!("stream_async.py"),
    };
    format!("\n\n{}", template.trim_start())
}

fn class(description: &Description, object: &Object, flavour: Flavour) -> String {
    let prefix = flavour.prefix();
    let mut text = format!("\n\nclass {prefix}{}:\n{}\n", object.name, docstring(&sentence(&object.docs), "    "));
    let _ = write!(
        text,
        "\n    __slots__ = (\"_native\",)\n\n    def __init__(self, native: _native.{}) -> None:\n        self._native = native\n",
        object.name
    );
    for method in &object.methods {
        text.push('\n');
        text.push_str(&match method.kind {
            MethodKind::Getter => getter(description, method, flavour),
            _ => call(description, object, method, flavour),
        });
    }
    text.push_str(&context(object, flavour));
    if object.name == "Sandbox" {
        text.push_str(&pickle(flavour));
    }
    text
}

/// What is there at once: a property, or a method where each call gives a new stream.
fn getter(description: &Description, method: &Method, flavour: Flavour) -> String {
    let output = hints::got(description, &method.output, flavour.prefix());
    let is_stream = matches!(method.output, Type::Stream(_));
    let property = if is_stream { "" } else { "    @property\n" };
    let native =
        if is_stream { format!("self._native.{}()", method.name) } else { format!("self._native.{}", method.name) };
    let body = wrap(description, &method.output, &native, flavour);
    let docs = docstring(&sentence(&method.docs), "        ");
    format!("{property}    def {}(self) -> {output}:\n{docs}\n        return {body}\n", method.name)
}

fn call(description: &Description, object: &Object, method: &Method, flavour: Flavour) -> String {
    let is_static = method.kind == MethodKind::StaticCall;
    let options = description.options(method);
    let mut parameters = vec![if is_static { "cls".to_owned() } else { "self".to_owned() }];
    let (positional, named): (Vec<_>, Vec<_>) =
        method.arguments.iter().partition(|argument| argument.kind != Type::Bool);
    parameters.extend(positional.iter().map(|argument| parameter(argument)));
    if !named.is_empty() || !options.is_empty() {
        parameters.push("*".to_owned());
    }
    parameters.extend(named.iter().map(|argument| parameter(argument)));
    parameters.extend(options.iter().map(|option| {
        let (hint, default) = hints::option(&option.kind);
        format!("{}: {hint} = {default}", option.name)
    }));
    let output = hints::got(description, &method.output, flavour.prefix());
    let decorator = if is_static { "    @classmethod\n" } else { "" };
    let signature = signature(flavour.def(), &method.name, &parameters, &output);
    let docs = docstring(&documentation(method, options), "        ");
    format!("{decorator}{signature}\n{docs}\n{}", body(description, object, method, flavour))
}

fn parameter(argument: &Field) -> String {
    let hint = hints::given(&argument.kind);
    match hints::default(&argument.kind) {
        Some(default) => format!("{}: {hint} = {default}", argument.name),
        None => format!("{}: {hint}", argument.name),
    }
}

fn signature(def: &str, name: &str, parameters: &[String], output: &str) -> String {
    let short = format!("    {def} {name}({}) -> {output}:", parameters.join(", "));
    if short.len() <= 118 {
        return short;
    }
    format!("    {def} {name}(\n        {},\n    ) -> {output}:", parameters.join(",\n        "))
}

fn documentation(method: &Method, options: &[Field]) -> String {
    let mut text = sentence(&method.docs);
    if !options.is_empty() {
        text.push_str("\n\nArgs:");
        for option in options {
            let line = wrapped(&format!("{}: {}", option.name, sentence(&option.docs)), "", 100);
            for (number, line) in line.lines().enumerate() {
                let indent = if number == 0 { "    " } else { "        " };
                let _ = write!(text, "\n{indent}{line}");
            }
        }
    }
    text
}

fn body(description: &Description, object: &Object, method: &Method, flavour: Flavour) -> String {
    let mut arguments: Vec<String> = method.arguments.iter().map(|argument| argument.name.clone()).collect();
    let options = description.options(method);
    if method.options.is_some() {
        let given: Vec<String> = options.iter().map(|option| format!("\"{0}\": {0}", option.name)).collect();
        arguments.push(match &given[..] {
            [] => "{}".to_owned(),
            given if given.len() <= 3 => format!("{{{}}}", given.join(", ")),
            given => format!("{{\n            {},\n        }}", given.join(",\n            ")),
        });
    }
    let on = match method.kind {
        MethodKind::StaticCall => format!("_native.{}", object.name),
        _ => "self._native".to_owned(),
    };
    let result = flavour.result(&format!("{on}.{}({})", method.name, arguments.join(", ")));
    let own = method.kind == MethodKind::StaticCall && method.output == Type::Named(object.name.clone());
    if own {
        return format!("        return cls({result})\n");
    }
    match method.output {
        Type::Unit => format!("        {result}\n"),
        _ => format!("        return {}\n", wrap(description, &method.output, &result, flavour)),
    }
}

/// A native result as Python has it.
fn wrap(description: &Description, kind: &Type, native: &str, flavour: Flavour) -> String {
    let prefix = flavour.prefix();
    match kind {
        Type::Named(name) if description.is_object(name) => format!("{prefix}{name}({native})"),
        Type::Stream(_) => format!("{prefix}Stream({native})"),
        Type::Vec(inner) => match &**inner {
            Type::Named(name) if description.is_object(name) => {
                format!("[{prefix}{name}(native) for native in {native}]")
            }
            _ => native.to_owned(),
        },
        _ => native.to_owned(),
    }
}

/// The end of a `with`: a sandbox is deleted, a process killed, everything else closed.
fn context(object: &Object, flavour: Flavour) -> String {
    let has = |name: &&&str| object.methods.iter().any(|method| method.name == **name);
    let Some(end) = ["delete", "close", "kill"].iter().find(has) else { return String::new() };
    if object.name == "Files" {
        return String::new();
    }
    let (def, wait, enter, exit) = match flavour {
        Flavour::Sync => ("def", "", "__enter__", "__exit__"),
        Flavour::Async => ("async def", "await ", "__aenter__", "__aexit__"),
    };
    let name = format!("{}{}", flavour.prefix(), object.name);
    // A file that could not be written whole is not closed as if it were.
    let body = match object.name.as_str() {
        "FileWriter" => format!("        if error is None:\n            {wait}self.{end}()\n"),
        _ => format!("        {wait}self.{end}()\n"),
    };
    format!(
        "\n    {def} {enter}(self) -> {name}:\n        return self\n\n    {def} {exit}(\n        self,\n        \
         kind: type[BaseException] | None,\n        error: BaseException | None,\n        trace: TracebackType | None,\n    ) -> None:\n{body}"
    )
}

/// A handle goes to another process as the place of the books and its id, and connects there.
fn pickle(flavour: Flavour) -> String {
    let name = format!("{}Sandbox", flavour.prefix());
    format!(
        "\n    def __reduce__(self) -> tuple[Any, ...]:\n        return ({name}._found, (self.home, self.id))\n\n    @classmethod\n    \
         def _found(cls, home: str, id: str) -> {name}:\n        return cls(_native.connect(home, id).wait())\n\n    \
         def __repr__(self) -> str:\n        return f\"<{name} {{self.id}} of {{self.provider}}>\"\n"
    )
}
