//! The native module: how values cross, and a low class for each object. And what type checkers see of it.

use super::{HEAD, hints, records};
use crate::description::{Description, Enum, Field, Method, MethodKind, Object, Record, Type};
use crate::text::{formatted, variant_class, word};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::fmt::Write;

/// `generated.rs`.
pub(super) fn render(description: &Description) -> Result<String, String> {
    let inputs = records::inputs(description);
    let options =
        description.objects.iter().flat_map(|object| &object.methods).filter_map(|method| method.options.clone());
    let options: Vec<String> = options.collect();
    let goes_in = |name: &String| inputs.contains(name) || options.contains(name);
    let mut items = TokenStream::new();
    for record in &description.records {
        items.extend(if goes_in(&record.name) { record_in(record) } else { record_out(record) });
    }
    for of in &description.enums {
        items.extend(match (of.is_words(), goes_in(&of.name)) {
            (true, _) => words(of),
            (false, true) => sum_in(of),
            (false, false) => sum_out(of),
        });
    }
    items.extend(description.objects.iter().map(class));
    let classes = description.objects.iter().map(|object| format_ident!("{}", object.name));
    let file = quote! {
        use crate::call::Call;
        use crate::convert::{Fields, FromPython, ToPython, kind_of, make, unit, unknown_word};
        use isobox_bindings::api;
        use pyo3::intern;
        use pyo3::prelude::*;

        #items

        /// Puts every class into the module.
        pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
            #(module.add_class::<#classes>()?;)*
            Ok(())
        }
    };
    let parsed = syn::parse2(file).map_err(|error| format!("the native module: {error}"))?;
    let head = HEAD.replace("# ", "// ");
    formatted(&format!(
        "{head}//! How values cross, and a class for each object.\n\n{}",
        prettyplease::unparse(&parsed)
    ))
}

fn named(name: &str) -> TokenStream {
    let name = format_ident!("{name}");
    quote!(api::#name)
}

/// A record that goes in: from a dictionary of named arguments or from its dataclass.
fn record_in(record: &Record) -> TokenStream {
    let (kind, fields) = (named(&record.name), field_values(&record.fields));
    let known: Vec<_> = record.fields.iter().map(|field| &field.name).collect();
    quote! {
        impl FromPython for #kind {
            fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
                let fields = Fields::of(value, name);
                fields.are_known(&[#(#known),*])?;
                Ok(Self { #fields })
            }
        }
    }
}

fn field_values(fields: &[Field]) -> TokenStream {
    let values = fields.iter().map(|field| {
        let (name, text) = (format_ident!("{}", field.name), &field.name);
        quote!(#name: fields.get(intern!(fields.py(), #text))?,)
    });
    values.collect()
}

/// A record that comes out: its dataclass, by position.
fn record_out(record: &Record) -> TokenStream {
    let (kind, name) = (named(&record.name), &record.name);
    let fields: Vec<_> = record.fields.iter().map(|field| format_ident!("{}", field.name)).collect();
    quote! {
        impl ToPython for #kind {
            fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                make!(py, #name, [#(self.#fields.to_python(py)?),*])
            }
        }
    }
}

/// Some words, both ways.
fn words(of: &Enum) -> TokenStream {
    let kind = named(&of.name);
    let (variants, words): (Vec<_>, Vec<_>) =
        of.variants.iter().map(|variant| (format_ident!("{}", variant.name), word(&variant.name))).unzip();
    quote! {
        impl ToPython for #kind {
            fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                let word = match self { #(Self::#variants => intern!(py, #words)),* };
                Ok(word.clone().into_any().unbind())
            }
        }

        impl FromPython for #kind {
            fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
                let word: String = FromPython::from_python(value, name)?;
                match word.as_str() {
                    #(#words => Ok(Self::#variants),)*
                    _ => Err(unknown_word(value.py(), name, &word, &[#(#words),*])),
                }
            }
        }
    }
}

/// A sum that comes out: the dataclass of its variant, or a word.
fn sum_out(of: &Enum) -> TokenStream {
    let kind = named(&of.name);
    let arms = of.variants.iter().map(|variant| {
        let (name, class) = (format_ident!("{}", variant.name), variant_class(of, &variant.name));
        let fields: Vec<_> = variant.fields.iter().map(|field| format_ident!("{}", field.name)).collect();
        match fields.is_empty() {
            true => {
                let word = word(&variant.name);
                quote!(Self::#name => Ok(intern!(py, #word).clone().into_any().unbind()),)
            }
            false => quote!(Self::#name { #(#fields),* } => make!(py, #class, [#(#fields.to_python(py)?),*]),),
        }
    });
    quote! {
        impl ToPython for #kind {
            fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                match self { #(#arms)* }
            }
        }
    }
}

/// A sum that goes in: a word, or the dataclass of a variant.
fn sum_in(of: &Enum) -> TokenStream {
    let kind = named(&of.name);
    let arms = of.variants.iter().map(|variant| {
        let (name, word) = (format_ident!("{}", variant.name), word(&variant.name));
        let fields = field_values(&variant.fields);
        match variant.fields.is_empty() {
            true => quote!(#word => Ok(Self::#name),),
            false => quote!(#word if !fields.is_word() => Ok(Self::#name { #fields }),),
        }
    });
    let words: Vec<_> = of.variants.iter().map(|variant| word(&variant.name)).collect();
    quote! {
        impl FromPython for #kind {
            fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
                let (word, fields) = (kind_of(value, name)?, Fields::of(value, name));
                match word.as_str() {
                    #(#arms)*
                    _ => Err(unknown_word(value.py(), name, &word, &[#(#words),*])),
                }
            }
        }
    }
}

fn class(object: &Object) -> TokenStream {
    let (name, kind) = (format_ident!("{}", object.name), named(&object.name));
    let methods = object.methods.iter().map(|of| method(object, of));
    quote! {
        #[pyclass(frozen, module = "isobox._native")]
        pub(crate) struct #name(api::#name);

        impl ToPython for #kind {
            fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                Ok(Py::new(py, #name(self))?.into_any())
            }
        }

        #[pymethods]
        impl #name {
            #(#methods)*
        }
    }
}

fn method(object: &Object, method: &Method) -> TokenStream {
    let name = format_ident!("{}", method.name);
    if method.kind == MethodKind::Getter {
        let getter = if matches!(method.output, Type::Stream(_)) { quote!() } else { quote!(#[getter]) };
        return quote! {
            #getter
            fn #name(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.0.#name().to_python(py)
            }
        };
    }
    let options = method.options.as_ref().map(|options| Field {
        name: "options".to_owned(),
        docs: Vec::new(),
        kind: Type::Named(options.clone()),
    });
    let arguments: Vec<&Field> = method.arguments.iter().chain(&options).collect();
    let names: Vec<_> = arguments.iter().map(|argument| format_ident!("{}", argument.name)).collect();
    let texts: Vec<_> = arguments.iter().map(|argument| &argument.name).collect();
    let taken: Vec<_> =
        names.iter().zip(&texts).map(|(name, text)| quote!(FromPython::from_python(#name, #text)?)).collect();
    let of = named(&object.name);
    // What returns nothing gives None, and not an empty tuple.
    let done = if method.output == Type::Unit { quote!(.map(unit)) } else { quote!() };
    match method.kind {
        MethodKind::StaticCall => quote! {
            #[staticmethod]
            fn #name(#(#names: &Bound<'_, PyAny>),*) -> PyResult<Call> {
                let (#(#names,)*) = (#(#taken,)*);
                Ok(Call::start(async move { #of::#name(#(#names),*).await #done }))
            }
        },
        _ => quote! {
            fn #name(&self, #(#names: &Bound<'_, PyAny>),*) -> PyResult<Call> {
                let this = self.0.clone();
                let (#(#names,)*) = (#(#taken,)*);
                Ok(Call::start(async move { this.#name(#(#names),*).await #done }))
            }
        },
    }
}

/// `_native.pyi`.
pub(super) fn stubs(description: &Description) -> String {
    let mut text = format!(
        "{HEAD}\"\"\"The native module. Its classes are behind those of the package, and not for use by themselves.\"\"\"\n\n\
         import datetime\nfrom collections.abc import Mapping, Sequence\nfrom typing import Any, Generic, List, TypeVar\n\n\
         from ._records import *  # noqa: F403\nfrom ._types import Command, Lifetime, LocalPath, SandboxPath, Seconds, Size\n\n\
         T = TypeVar(\"T\")\n\n__version__: str\n\n\
         class Call(Generic[T]):\n    def wait(self) -> T: ...\n    async def result(self) -> T: ...\n\n\
         class Stream(Generic[T]):\n    def next(self) -> Call[T | None]: ...\n    def close(self) -> Call[None]: ...\n\n\
         def connect(home: str, id: str) -> Call[Sandbox]: ...\ndef end() -> None: ...\n"
    );
    for object in &description.objects {
        let _ = write!(text, "\nclass {}:\n", object.name);
        for method in &object.methods {
            let output = hints::got(description, &method.output, "");
            let options = method.options.as_ref().map(|_| "options: dict[str, Any]".to_owned());
            let arguments =
                method.arguments.iter().map(|argument| format!("{}: {}", argument.name, hints::given(&argument.kind)));
            let arguments: Vec<String> = arguments.chain(options).collect();
            let _ = match method.kind {
                MethodKind::Getter if matches!(method.output, Type::Stream(_)) => {
                    writeln!(text, "    def {}(self) -> {output}: ...", method.name)
                }
                MethodKind::Getter => writeln!(text, "    @property\n    def {}(self) -> {output}: ...", method.name),
                MethodKind::Call => {
                    let arguments = [vec!["self".to_owned()], arguments].concat().join(", ");
                    writeln!(text, "    def {}({arguments}) -> Call[{output}]: ...", method.name)
                }
                MethodKind::StaticCall => {
                    writeln!(
                        text,
                        "    @staticmethod\n    def {}({}) -> Call[{output}]: ...",
                        method.name,
                        arguments.join(", ")
                    )
                }
            };
        }
    }
    text
}
