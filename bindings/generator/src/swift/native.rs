//! The native module in Rust: what crosses, as UniFFI wants it, and how it becomes what is described, and comes of it.

use super::HEAD;
use super::names::{crossing, inputs, is_bytes, named_arguments, stream_name, streams, type_name, variant_name};
use crate::description::{Description, Enum, Field, Method, MethodKind, Object, Record, Type};
use crate::text::formatted;
use heck::ToSnakeCase;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// `generated.rs`.
pub(super) fn render(description: &Description) -> Result<String, String> {
    let (inputs, options) = (inputs(description), named_arguments(description));
    let mut items = TokenStream::new();
    for record in &description.records {
        let given = inputs.contains(&record.name) || options.contains(&record.name);
        items.extend(record_type(record, !given));
        items.extend(if given { record_given(record) } else { record_shown(record) });
    }
    for of in &description.enums {
        let given = inputs.contains(&of.name);
        items.extend(enum_type(of, !given));
        if of.is_words() || given {
            items.extend(enum_given(of));
        }
        if of.is_words() || !given {
            items.extend(enum_shown(of));
        }
    }
    for of in streams(description) {
        items.extend(stream(&of)?);
    }
    for object in &description.objects {
        items.extend(handle(description, object)?);
    }
    let file = quote! {
        use crate::call::{CancelToken, guard};
        use crate::convert::{Given, Lifetime, Program, Shown, Size, text};
        use crate::error::Failure;
        use isobox_bindings::api;
        use std::collections::HashMap;
        use std::sync::Arc;
        use std::time::SystemTime;

        #items
    };
    let parsed = syn::parse2(file).map_err(|error| format!("the native module of Swift: {error}"))?;
    let head = "//! What crosses to Swift, and from it.\n#![allow(missing_debug_implementations, missing_docs)]\n\n";
    formatted(&format!("{HEAD}{head}{}", prettyplease::unparse(&parsed)))
}

fn docs(lines: &[String]) -> TokenStream {
    lines.iter().map(|line| format!(" {line}")).map(|line| quote!(#[doc = #line])).collect()
}

fn described(name: &str) -> TokenStream {
    let name = format_ident!("{name}");
    quote!(api::#name)
}

/// A type as it crosses.
fn crossing_type(description: Option<&Description>, kind: &Type) -> Result<TokenStream, String> {
    let inside = |inner| crossing_type(description, inner);
    Ok(match kind {
        Type::Unit => quote!(()),
        Type::Bool => quote!(bool),
        Type::I32 => quote!(i32),
        Type::U16 => quote!(u16),
        Type::U32 => quote!(u32),
        Type::U64 => quote!(u64),
        Type::F64 | Type::Duration => quote!(f64),
        Type::String => quote!(String),
        Type::Bytes | Type::Argument | Type::Path | Type::LocalPath | Type::Text => quote!(Vec<u8>),
        Type::Time => quote!(SystemTime),
        Type::Program => quote!(Program),
        Type::Size => quote!(Size),
        Type::Lifetime => quote!(Lifetime),
        Type::Option(inner) => {
            let inner = inside(inner)?;
            quote!(Option<#inner>)
        }
        Type::Vec(inner) => {
            let inner = inside(inner)?;
            quote!(Vec<#inner>)
        }
        Type::Map(inner) => {
            let inner = inside(inner)?;
            quote!(HashMap<String, #inner>)
        }
        Type::Stream(inner) => {
            let name = format_ident!("{}", stream_name(inner)?);
            quote!(Arc<#name>)
        }
        Type::Named(name) => {
            let crossing = format_ident!("{}", type_name(name));
            let object = description.is_some_and(|description| description.is_object(name));
            if object { quote!(Arc<#crossing>) } else { quote!(#crossing) }
        }
    })
}

fn plain_type(kind: &Type) -> TokenStream {
    crossing_type(None, kind).unwrap_or_else(|problem| quote!(compile_error!(#problem)))
}

fn record_type(record: &Record, shown: bool) -> TokenStream {
    let (name, sentences) = (format_ident!("{}", type_name(&record.name)), docs(&record.docs));
    let fields = record.fields.iter().map(|field| {
        let (name, kind) = (format_ident!("{}", crossing(field)), plain_type(&field.kind));
        let sentences = docs(&field.docs);
        let default = match field.kind {
            Type::Option(_) => quote!(#[uniffi(default = None)]),
            Type::Bool => quote!(#[uniffi(default = false)]),
            Type::Vec(_) | Type::Map(_) => quote!(#[uniffi(default)]),
            _ => quote!(),
        };
        quote!(#sentences #default pub #name: #kind,)
    });
    // What goes in may be a secret, and has no text form.
    let debug = if shown { quote!(Debug,) } else { quote!() };
    quote!(#sentences #[derive(#debug uniffi::Record)] pub struct #name { #(#fields)* })
}

/// Whether no text form may show it.
pub(super) fn is_secret(record: &Record) -> bool {
    let secret = |field: &Field| {
        let of = match &field.kind {
            Type::Option(inner) => inner,
            kind => kind,
        };
        let nested = matches!(of, Type::Named(name) if name == "RegistryAuth");
        nested || field.name == "password" || matches!(of, Type::Vec(inner) if **inner == Type::Named("Secret".into()))
    };
    record.name == "Secret" || record.fields.iter().any(secret)
}

fn record_given(record: &Record) -> TokenStream {
    let (name, kind) = (format_ident!("{}", type_name(&record.name)), described(&record.name));
    let fields = record.fields.iter().map(|field| {
        let (name, crossing) = (format_ident!("{}", field.name), format_ident!("{}", crossing(field)));
        let text = &field.name;
        quote!(#name: self.#crossing.given(#text)?,)
    });
    quote! {
        impl Given<#kind> for #name {
            fn given(self, _: &str) -> api::Result<#kind> {
                Ok(#kind { #(#fields)* })
            }
        }
    }
}

fn record_shown(record: &Record) -> TokenStream {
    let (name, kind) = (format_ident!("{}", type_name(&record.name)), described(&record.name));
    let fields = record.fields.iter().map(|field| {
        let (name, crossing) = (format_ident!("{}", field.name), format_ident!("{}", crossing(field)));
        quote!(#crossing: self.#name.shown(),)
    });
    quote! {
        impl Shown<#name> for #kind {
            fn shown(self) -> #name {
                #name { #(#fields)* }
            }
        }
    }
}

/// Words, or a sum. A path that comes out in a variant is there twice, as a text and as bytes.
fn enum_type(of: &Enum, shown: bool) -> TokenStream {
    let (name, sentences) = (format_ident!("{}", type_name(&of.name)), docs(&of.docs));
    let variants = of.variants.iter().map(|variant| {
        let (name, sentences) = (format_ident!("{}", variant_name(&variant.name)), docs(&variant.docs));
        let fields = variant.fields.iter().map(|field| {
            let (name, kind) = (format_ident!("{}", crossing(field)), plain_type(&field.kind));
            let sentences = docs(&field.docs);
            let text = (shown && is_bytes(&field.kind)).then(|| {
                let name = format_ident!("{}", field.name);
                quote!(#sentences #name: String,)
            });
            quote!(#text #sentences #name: #kind,)
        });
        let fields = if variant.fields.is_empty() { quote!() } else { quote!({ #(#fields)* }) };
        quote!(#sentences #name #fields,)
    });
    let debug = if shown || of.is_words() { quote!(Debug,) } else { quote!() };
    quote!(#sentences #[derive(#debug uniffi::Enum)] pub enum #name { #(#variants)* })
}

fn enum_given(of: &Enum) -> TokenStream {
    let (name, kind) = (format_ident!("{}", type_name(&of.name)), described(&of.name));
    let arms = of.variants.iter().map(|variant| {
        let (theirs, ours) = (format_ident!("{}", variant.name), format_ident!("{}", variant_name(&variant.name)));
        let taken: Vec<_> = variant.fields.iter().map(|field| format_ident!("{}", crossing(field))).collect();
        let fields = variant.fields.iter().zip(&taken).map(|(field, taken)| {
            let (name, text) = (format_ident!("{}", field.name), &field.name);
            quote!(#name: #taken.given(#text)?,)
        });
        match variant.fields.is_empty() {
            true => quote!(Self::#ours => #kind::#theirs,),
            false => quote!(Self::#ours { #(#taken),* } => #kind::#theirs { #(#fields)* },),
        }
    });
    quote! {
        impl Given<#kind> for #name {
            fn given(self, _: &str) -> api::Result<#kind> {
                Ok(match self { #(#arms)* })
            }
        }
    }
}

fn enum_shown(of: &Enum) -> TokenStream {
    let (name, kind) = (format_ident!("{}", type_name(&of.name)), described(&of.name));
    let arms = of.variants.iter().map(|variant| {
        let (theirs, ours) = (format_ident!("{}", variant.name), format_ident!("{}", variant_name(&variant.name)));
        let taken: Vec<_> = variant.fields.iter().map(|field| format_ident!("{}", field.name)).collect();
        let fields = variant.fields.iter().zip(&taken).map(|(field, taken)| {
            let crossing = format_ident!("{}", crossing(field));
            match is_bytes(&field.kind) {
                // No described variant has more than a path of them.
                true => quote!(#taken: text(&#taken.0), #crossing: #taken.shown(),),
                false => quote!(#crossing: #taken.shown(),),
            }
        });
        match variant.fields.is_empty() {
            true => quote!(Self::#theirs => #name::#ours,),
            false => quote!(Self::#theirs { #(#taken),* } => #name::#ours { #(#fields)* },),
        }
    });
    quote! {
        impl Shown<#name> for #kind {
            fn shown(self) -> #name {
                match self { #(#arms)* }
            }
        }
    }
}

/// A stream, which UniFFI cannot have of anything.
fn stream(of: &Type) -> Result<TokenStream, String> {
    let (name, item) = (format_ident!("{}", stream_name(of)?), plain_type(of));
    let of = match of {
        Type::Named(name) => described(name),
        _ => quote!(bytes::Bytes),
    };
    Ok(quote! {
        /// Things that come one by one.
        #[derive(uniffi::Object)]
        pub struct #name(isobox_bindings::Stream<#of>);

        impl Shown<Arc<#name>> for isobox_bindings::Stream<#of> {
            fn shown(self) -> Arc<#name> {
                Arc::new(#name(self))
            }
        }

        #[uniffi::export]
        impl #name {
            /// The next one; none at the end.
            pub async fn next(&self, cancel: Arc<CancelToken>) -> Result<Option<#item>, Failure> {
                let this = self.0.clone();
                guard(cancel, async move { this.next().await }).await
            }

            /// Ends it and what it came from.
            pub async fn close(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
                let this = self.0.clone();
                guard(cancel, async move { this.close().await }).await
            }
        }
    })
}

/// A handle, and beside it what is called on none.
fn handle(description: &Description, object: &Object) -> Result<TokenStream, String> {
    let (name, kind, sentences) =
        (format_ident!("{}", type_name(&object.name)), described(&object.name), docs(&object.docs));
    let (mut methods, mut functions) = (Vec::new(), Vec::new());
    for of in &object.methods {
        match of.kind {
            MethodKind::Getter => methods.push(getter(description, of)?),
            MethodKind::Call => methods.push(call(description, object, of)?),
            MethodKind::StaticCall => functions.push(call(description, object, of)?),
        }
    }
    Ok(quote! {
        #sentences
        #[derive(uniffi::Object)]
        pub struct #name(#kind);

        impl Shown<Arc<#name>> for #kind {
            fn shown(self) -> Arc<#name> {
                Arc::new(#name(self))
            }
        }

        #[uniffi::export]
        impl #name { #(#methods)* }

        #(#functions)*
    })
}

fn getter(description: &Description, of: &Method) -> Result<TokenStream, String> {
    let (name, output) = (format_ident!("{}", of.name), crossing_type(Some(description), &of.output)?);
    let sentences = docs(&of.docs);
    Ok(quote!(#sentences pub fn #name(&self) -> #output { self.0.#name().shown() }))
}

/// The name of the function for what is called on no handle.
pub(super) fn function_name(object: &Object, of: &Method) -> String {
    format!("{}_{}", object.name.to_snake_case(), of.name)
}

fn call(description: &Description, object: &Object, of: &Method) -> Result<TokenStream, String> {
    let options = of.options.iter().map(|options| ("options".to_owned(), Type::Named(options.clone())));
    let arguments: Vec<(String, Type)> =
        of.arguments.iter().map(|argument| (argument.name.clone(), argument.kind.clone())).chain(options).collect();
    let names: Vec<_> = arguments.iter().map(|(name, _)| format_ident!("{name}")).collect();
    let kinds = arguments.iter().map(|(_, kind)| crossing_type(Some(description), kind));
    let kinds: Vec<_> = kinds.collect::<Result<_, _>>()?;
    let texts = arguments.iter().map(|(name, _)| name);
    let (name, output, sentences) =
        (format_ident!("{}", of.name), crossing_type(Some(description), &of.output)?, docs(&of.docs));
    if of.kind == MethodKind::StaticCall {
        let (function, of) = (format_ident!("{}", function_name(object, of)), described(&object.name));
        return Ok(quote! {
            #sentences
            #[uniffi::export]
            pub async fn #function(#(#names: #kinds,)* cancel: Arc<CancelToken>) -> Result<#output, Failure> {
                guard(cancel, async move { #of::#name(#(#names.given(#texts)?),*).await }).await
            }
        });
    }
    Ok(quote! {
        #sentences
        pub async fn #name(&self, #(#names: #kinds,)* cancel: Arc<CancelToken>) -> Result<#output, Failure> {
            let this = self.0.clone();
            guard(cancel, async move { this.#name(#(#names.given(#texts)?),*).await }).await
        }
    })
}
