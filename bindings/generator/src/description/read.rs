//! Reading the description. What is not of the grammar is refused, with the place.

use super::{Description, Enum, Field, Method, MethodKind, Object, Record, Type, Variant};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use syn::{Attribute, Expr, Fields, FnArg, GenericArgument, ImplItem, Item, Lit, Meta, Pat, PathArguments, ReturnType};
use syn::{UseTree, Visibility};

/// What is wrong with the description.
type Result<T> = std::result::Result<T, String>;

/// Reads `api.rs` and its modules.
pub(crate) fn read(api: &Path) -> Result<Description> {
    let root = parse(api)?;
    let exported = exports(&root);
    let mut description = Description::default();
    let mut methods = Vec::new();
    for module in modules(&root) {
        let path = api.with_extension("").join(format!("{module}.rs"));
        let file = parse(&path)?;
        let told = |problem| format!("{}: {problem}", path.display());
        for item in &file.items {
            description.add(item, &exported, &mut methods).map_err(told)?;
        }
    }
    for (object, method) in methods {
        match description.objects.iter_mut().find(|known| known.name == object) {
            Some(object) => object.methods.push(method),
            None if exported.contains(&object) => {}
            None => return Err(format!("{object} has methods and is not exported")),
        }
    }
    description.find_options();
    description.check()?;
    Ok(description)
}

fn parse(path: &Path) -> Result<syn::File> {
    let told = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
    let text = fs::read_to_string(path).map_err(|error| told(&error))?;
    syn::parse_file(&text).map_err(|error| told(&error))
}

fn modules(root: &syn::File) -> Vec<String> {
    let modules = root.items.iter().filter_map(|item| match item {
        Item::Mod(module) => Some(module.ident.to_string()),
        _ => None,
    });
    modules.collect()
}

/// The names that `api.rs` exports.
fn exports(root: &syn::File) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in &root.items {
        if let Item::Use(item) = item
            && matches!(item.vis, Visibility::Public(_))
        {
            leaves(&item.tree, &mut names);
        }
    }
    names
}

fn leaves(tree: &UseTree, names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, names),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, names)),
        UseTree::Name(name) => drop(names.insert(name.ident.to_string())),
        UseTree::Rename(_) | UseTree::Glob(_) => {}
    }
}

/// The error is an object to Rust, and something of its own to every language.
const ERROR: &str = "Error";

impl Description {
    fn add(&mut self, item: &Item, exported: &BTreeSet<String>, methods: &mut Vec<(String, Method)>) -> Result<()> {
        match item {
            Item::Struct(item) if exported.contains(&item.ident.to_string()) && item.ident != ERROR => {
                let (name, docs) = (item.ident.to_string(), documentation(&item.attrs));
                if item.fields.iter().all(|field| is_public(&field.vis)) {
                    let fields = fields(&item.fields).map_err(|problem| format!("{name}: {problem}"))?;
                    self.records.push(Record { name, docs, fields });
                } else {
                    self.objects.push(Object { name, docs, methods: Vec::new() });
                }
            }
            Item::Enum(item) if exported.contains(&item.ident.to_string()) => {
                let name = item.ident.to_string();
                let variants = item.variants.iter().map(|variant| {
                    let fields = fields(&variant.fields)?;
                    Ok(Variant { name: variant.ident.to_string(), docs: documentation(&variant.attrs), fields })
                });
                let variants = variants.collect::<Result<_>>().map_err(|problem| format!("{name}: {problem}"))?;
                self.enums.push(Enum { name, docs: documentation(&item.attrs), variants });
            }
            Item::Impl(item) if item.trait_.is_none() => methods.extend(public_methods(item, exported)?),
            _ => {}
        }
        Ok(())
    }

    /// Tells named arguments from others.
    fn find_options(&mut self) {
        let options: BTreeSet<String> =
            self.records.iter().filter(|record| record.is_options()).map(|record| record.name.clone()).collect();
        for method in self.objects.iter_mut().flat_map(|object| &mut object.methods) {
            let last = method.arguments.last().and_then(|argument| match &argument.kind {
                Type::Named(name) if options.contains(name) => Some(name.clone()),
                _ => None,
            });
            if last.is_some() {
                method.arguments.pop();
                method.options = last;
            }
        }
    }

    /// Refuses names that nothing has, and named arguments without a default.
    fn check(&self) -> Result<()> {
        let fields =
            self.records.iter().flat_map(|record| record.fields.iter().map(move |field| (&record.name, field)));
        let variants = self.enums.iter().flat_map(|of| of.variants.iter().map(move |variant| (&of.name, variant)));
        let variants = variants.flat_map(|(name, variant)| variant.fields.iter().map(move |field| (name, field)));
        for (of, field) in fields.chain(variants) {
            self.check_type(&field.kind).map_err(|problem| format!("{of}.{}: {problem}", field.name))?;
        }
        for object in &self.objects {
            for method in &object.methods {
                let told = |problem| format!("{}.{}: {problem}", object.name, method.name);
                let arguments = method.arguments.iter().map(|argument| &argument.kind);
                arguments.chain([&method.output]).try_for_each(|kind| self.check_type(kind)).map_err(told)?;
            }
        }
        Ok(())
    }

    fn check_type(&self, kind: &Type) -> Result<()> {
        match kind {
            Type::Option(inner) | Type::Vec(inner) | Type::Map(inner) | Type::Stream(inner) => self.check_type(inner),
            Type::Named(name) => {
                let known = self.record(name).is_some() || self.enumeration(name).is_some() || self.is_object(name);
                if known { Ok(()) } else { Err(format!("{name} is not described")) }
            }
            _ => Ok(()),
        }
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn documentation(attributes: &[Attribute]) -> Vec<String> {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    lines.collect()
}

fn fields(fields: &Fields) -> Result<Vec<Field>> {
    let read = |field: &syn::Field| {
        let name = field.ident.as_ref().ok_or("has a field without a name")?.to_string();
        Ok(Field { name, docs: documentation(&field.attrs), kind: kind(&field.ty)? })
    };
    fields.iter().map(read).collect()
}

fn public_methods(item: &syn::ItemImpl, exported: &BTreeSet<String>) -> Result<Vec<(String, Method)>> {
    let syn::Type::Path(path) = &*item.self_ty else { return Ok(Vec::new()) };
    let Some(of) = path.path.segments.last().map(|segment| segment.ident.to_string()) else { return Ok(Vec::new()) };
    if !exported.contains(&of) || of == ERROR {
        return Ok(Vec::new());
    }
    let public = item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) if is_public(&function.vis) => Some(function),
        _ => None,
    });
    let read = |function| method(function).map(|method| (of.clone(), method));
    public.map(|function| read(function).map_err(|problem| format!("{of}.{}: {problem}", function.sig.ident))).collect()
}

fn method(function: &syn::ImplItemFn) -> Result<Method> {
    let arguments = function.sig.inputs.iter().filter_map(|argument| match argument {
        FnArg::Typed(argument) => Some(argument),
        FnArg::Receiver(_) => None,
    });
    let argument = |argument: &syn::PatType| match &*argument.pat {
        Pat::Ident(name) => Ok(Field { name: name.ident.to_string(), docs: Vec::new(), kind: kind(&argument.ty)? }),
        _ => Err("has an argument that is a pattern".to_owned()),
    };
    let (output, fails) = output(&function.sig.output)?;
    let kind = match (function.sig.asyncness.is_some(), fails, function.sig.receiver().is_some()) {
        (true, true, true) => MethodKind::Call,
        (true, true, false) => MethodKind::StaticCall,
        (false, false, true) => MethodKind::Getter,
        _ => return Err("is neither a call that gives a Result nor a getter that gives none".to_owned()),
    };
    Ok(Method {
        name: function.sig.ident.to_string(),
        docs: documentation(&function.attrs),
        arguments: arguments.map(argument).collect::<Result<_>>()?,
        options: None,
        output,
        kind,
    })
}

/// The type, and whether it is in a `Result`.
fn output(output: &ReturnType) -> Result<(Type, bool)> {
    let ReturnType::Type(_, output) = output else { return Ok((Type::Unit, false)) };
    match generic(output) {
        Some((name, inner)) if name == "Result" => Ok((kind(inner)?, true)),
        _ => Ok((kind(output)?, false)),
    }
}

/// The name of a generic type and its first argument.
fn generic(kind: &syn::Type) -> Option<(String, &syn::Type)> {
    let syn::Type::Path(path) = kind else { return None };
    let segment = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(kind),
        _ => None,
    });
    // Of a map it is the values that differ.
    types.last().map(|inner| (segment.ident.to_string(), inner))
}

fn kind(written: &syn::Type) -> Result<Type> {
    if let Some((name, inner)) = generic(written) {
        let inner = Box::new(kind(inner)?);
        return match name.as_str() {
            "Option" => Ok(Type::Option(inner)),
            "Vec" => Ok(Type::Vec(inner)),
            "BTreeMap" => Ok(Type::Map(inner)),
            "Stream" => Ok(Type::Stream(inner)),
            _ => Err(format!("{name} is not of the grammar")),
        };
    }
    let name = match written {
        syn::Type::Tuple(tuple) if tuple.elems.is_empty() => return Ok(Type::Unit),
        syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    };
    let name = name.ok_or("a type is not of the grammar")?;
    Ok(match name.as_str() {
        "bool" => Type::Bool,
        "i32" => Type::I32,
        "u16" => Type::U16,
        "u32" => Type::U32,
        "u64" => Type::U64,
        "f64" => Type::F64,
        "String" => Type::String,
        "Bytes" => Type::Bytes,
        "Duration" => Type::Duration,
        "SystemTime" => Type::Time,
        "Argument" => Type::Argument,
        "Path" => Type::Path,
        "LocalPath" => Type::LocalPath,
        "Text" => Type::Text,
        "Program" => Type::Program,
        "Size" => Type::Size,
        "Lifetime" => Type::Lifetime,
        _ => Type::Named(name),
    })
}
