//! The native module: how records cross, and calls by name.

use super::{HEAD, names};
use crate::description::{Description, Enum, Field, Method, MethodKind, Object, Record, Type};
use crate::python::inputs;
use crate::text::{formatted, word};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// `generated.rs`.
pub(super) fn render(description: &Description) -> Result<String, String> {
    let inputs = inputs(description);
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
    items.extend(objects(description));
    let file = quote! {
        use crate::Work;
        use crate::convert::{Fields, Flowing, FromValue, ToValue, argument, sum, unknown_word, wrong};
        use crate::value::Value;
        use isobox_bindings::api;

        #items
    };
    let parsed = syn::parse2(file).map_err(|error| format!("the native module of Node: {error}"))?;
    formatted(&format!("{HEAD}//! How records cross, and calls by name.\n\n{}", prettyplease::unparse(&parsed)))
}

fn named(name: &str) -> TokenStream {
    let name = format_ident!("{name}");
    quote!(api::#name)
}

/// The values of fields of something that goes in.
fn values(fields: &[Field]) -> TokenStream {
    let values = fields.iter().map(|field| {
        let (name, text) = (format_ident!("{}", field.name), names::field(field));
        quote!(#name: fields.get(#text)?,)
    });
    values.collect()
}

/// Puts fields of something that comes out into a record.
fn puts(fields: &[Field], of: &TokenStream) -> TokenStream {
    let puts = fields.iter().map(|field| {
        let (name, text) = (format_ident!("{}", field.name), names::field(field));
        quote!(#of #name.put(#text, &mut fields);)
    });
    puts.collect()
}

fn record_in(record: &Record) -> TokenStream {
    let (kind, values) = (named(&record.name), values(&record.fields));
    let known: Vec<_> = record.fields.iter().map(names::field).collect();
    quote! {
        impl FromValue for #kind {
            fn from_value(value: Value, name: &str) -> api::Result<Self> {
                let mut fields = Fields::of(value, name)?;
                let read = Self { #values };
                fields.done(&[#(#known),*])?;
                Ok(read)
            }

            fn missing() -> Option<Self> {
                Self::from_value(Value::None, "options").ok()
            }
        }
    }
}

fn record_out(record: &Record) -> TokenStream {
    let (kind, count, puts) = (named(&record.name), record.fields.len(), puts(&record.fields, &quote!(self.)));
    quote! {
        impl ToValue for #kind {
            fn to_value(self) -> Value {
                let mut fields = Vec::with_capacity(#count);
                #puts
                Value::Record(fields)
            }
        }
    }
}

fn words(of: &Enum) -> TokenStream {
    let kind = named(&of.name);
    let (variants, words): (Vec<_>, Vec<_>) =
        of.variants.iter().map(|variant| (format_ident!("{}", variant.name), word(&variant.name))).unzip();
    quote! {
        impl ToValue for #kind {
            fn to_value(self) -> Value {
                let word = match self { #(Self::#variants => #words),* };
                Value::Text(word.to_owned())
            }
        }

        impl FromValue for #kind {
            fn from_value(value: Value, name: &str) -> api::Result<Self> {
                let word = String::from_value(value, name)?;
                match word.as_str() {
                    #(#words => Ok(Self::#variants),)*
                    _ => Err(unknown_word(name, &word, &[#(#words),*])),
                }
            }
        }
    }
}

fn sum_out(of: &Enum) -> TokenStream {
    let kind = named(&of.name);
    let arms = of.variants.iter().map(|variant| {
        let (name, word) = (format_ident!("{}", variant.name), word(&variant.name));
        let names = variant.fields.iter().map(|field| format_ident!("{}", field.name));
        let puts = puts(&variant.fields, &quote!());
        quote! {
            Self::#name { #(#names),* } => {
                fields.push(("type".to_owned(), Value::Text(#word.to_owned())));
                #puts
            }
        }
    });
    quote! {
        impl ToValue for #kind {
            fn to_value(self) -> Value {
                let mut fields = Vec::new();
                match self { #(#arms)* }
                Value::Record(fields)
            }
        }
    }
}

fn sum_in(of: &Enum) -> TokenStream {
    let kind = named(&of.name);
    let arms = of.variants.iter().map(|variant| {
        let (name, word, values) = (format_ident!("{}", variant.name), word(&variant.name), values(&variant.fields));
        let known: Vec<_> = variant.fields.iter().map(names::field).collect();
        quote! {
            #word => {
                let read = Self::#name { #values };
                fields.done(&[#(#known),*])?;
                Ok(read)
            }
        }
    });
    let words: Vec<_> = of.variants.iter().map(|variant| word(&variant.name)).collect();
    let mutable = of.variants.iter().any(|variant| !variant.fields.is_empty());
    let fields = if mutable { quote!(mut fields) } else { quote!(fields) };
    quote! {
        impl FromValue for #kind {
            fn from_value(value: Value, name: &str) -> api::Result<Self> {
                let (word, #fields) = sum(value, name)?;
                match word.as_str() {
                    #(#arms)*
                    _ => Err(unknown_word(name, &word, &[#(#words),*])),
                }
            }
        }
    }
}

/// What handles hold, and the calls on them.
fn objects(description: &Description) -> TokenStream {
    let names: Vec<_> = description.objects.iter().map(|object| format_ident!("{}", object.name)).collect();
    let kinds: Vec<_> = description.objects.iter().map(|object| named(&object.name)).collect();
    let methods =
        || description.objects.iter().flat_map(|object| object.methods.iter().map(move |method| (object, method)));
    let calls = methods().filter(|(_, method)| method.kind != MethodKind::Getter).map(|(object, of)| call(object, of));
    let getters =
        methods().filter(|(_, method)| method.kind == MethodKind::Getter).map(|(object, of)| getter(object, of));
    quote! {
        /// What a handle holds.
        pub enum Object {
            #(#names(#kinds),)*
            Stream(Box<dyn Flowing>),
        }

        #(
            impl ToValue for #kinds {
                fn to_value(self) -> Value {
                    Value::Object(Object::#names(self))
                }
            }
        )*

        /// A call, by its name.
        pub(crate) fn work(name: &str, handle: Option<&Object>, arguments: Vec<Value>) -> api::Result<Work> {
            let mut arguments = arguments.into_iter();
            Ok(match (name, handle) {
                ("Stream.next", Some(Object::Stream(stream))) => stream.next(),
                ("Stream.close", Some(Object::Stream(stream))) => stream.close(),
                #(#calls)*
                _ => return Err(wrong("call", "is not known, the package and its native module differ")),
            })
        }

        /// What is there at once, by its name.
        pub(crate) fn get(name: &str, handle: &Object) -> Option<Value> {
            Some(match (name, handle) {
                #(#getters)*
                _ => return None,
            })
        }
    }
}

fn getter(object: &Object, method: &Method) -> TokenStream {
    let (full, of, name) = (full(object, method), format_ident!("{}", object.name), format_ident!("{}", method.name));
    quote!((#full, Object::#of(this)) => this.#name().to_value(),)
}

fn full(object: &Object, method: &Method) -> String {
    format!("{}.{}", object.name, names::method(&method.name))
}

fn call(object: &Object, method: &Method) -> TokenStream {
    let (full, of, name) = (full(object, method), format_ident!("{}", object.name), format_ident!("{}", method.name));
    let options = method.options.as_ref().map(|options| Field {
        name: "options".to_owned(),
        docs: Vec::new(),
        kind: Type::Named(options.clone()),
    });
    let all: Vec<&Field> = method.arguments.iter().chain(&options).collect();
    let arguments: Vec<_> = all.iter().map(|argument| format_ident!("{}", argument.name)).collect();
    let texts: Vec<_> = all.iter().map(|argument| names::field(argument)).collect();
    let kind = named(&object.name);
    let read = quote!(#(let #arguments = argument(&mut arguments, #texts)?;)*);
    match method.kind {
        MethodKind::StaticCall => quote! {
            (#full, None) => {
                #read
                Box::pin(async move { Ok(#kind::#name(#(#arguments),*).await?.to_value()) })
            }
        },
        _ => quote! {
            (#full, Some(Object::#of(this))) => {
                let this = this.clone();
                #read
                Box::pin(async move { Ok(this.#name(#(#arguments),*).await?.to_value()) })
            }
        },
    }
}
