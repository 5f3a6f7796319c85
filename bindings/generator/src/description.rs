//! The public surface as it is described in `bindings/src/api.rs` and its modules: the grammar, and reading it.

mod read;

pub(crate) use read::read;

/// Everything that is described, each kind in the order of its modules and lines.
#[derive(Debug, Default)]
pub(crate) struct Description {
    pub(crate) records: Vec<Record>,
    pub(crate) enums: Vec<Enum>,
    pub(crate) objects: Vec<Object>,
}

/// A type of the grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Unit,
    Bool,
    I32,
    U16,
    U32,
    U64,
    F64,
    String,
    Bytes,
    Duration,
    Time,
    /// Text or bytes, going in.
    Argument,
    /// A path in a sandbox.
    Path,
    /// A path on this machine.
    LocalPath,
    /// Bytes that are text most of the time, coming out.
    Text,
    /// What to run.
    Program,
    Size,
    Lifetime,
    Option(Box<Type>),
    Vec(Box<Type>),
    /// From texts to these.
    Map(Box<Type>),
    Stream(Box<Type>),
    /// A record, an enum or an object.
    Named(String),
}

/// Plain data.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) docs: Vec<String>,
    pub(crate) fields: Vec<Field>,
}

/// A field of a record or variant, or an argument.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) docs: Vec<String>,
    pub(crate) kind: Type,
}

/// Some words, or a sum of records.
#[derive(Debug)]
pub(crate) struct Enum {
    pub(crate) name: String,
    pub(crate) docs: Vec<String>,
    pub(crate) variants: Vec<Variant>,
}

#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) docs: Vec<String>,
    pub(crate) fields: Vec<Field>,
}

/// A handle with methods.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) name: String,
    pub(crate) docs: Vec<String>,
    pub(crate) methods: Vec<Method>,
}

#[derive(Debug)]
pub(crate) struct Method {
    pub(crate) name: String,
    pub(crate) docs: Vec<String>,
    pub(crate) arguments: Vec<Field>,
    /// The named arguments, by the record of them.
    pub(crate) options: Option<String>,
    pub(crate) output: Type,
    pub(crate) kind: MethodKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MethodKind {
    /// A call that is waited for, on a handle.
    Call,
    /// A call that is waited for, on none.
    StaticCall,
    /// What is there at once.
    Getter,
}

impl Record {
    /// Whether it is the named arguments of methods.
    pub(crate) fn is_options(&self) -> bool {
        self.name.ends_with("Options")
    }
}

impl Enum {
    /// Whether it is some words.
    pub(crate) fn is_words(&self) -> bool {
        self.variants.iter().all(|variant| variant.fields.is_empty())
    }
}

impl Description {
    pub(crate) fn record(&self, name: &str) -> Option<&Record> {
        self.records.iter().find(|record| record.name == name)
    }

    pub(crate) fn enumeration(&self, name: &str) -> Option<&Enum> {
        self.enums.iter().find(|enumeration| enumeration.name == name)
    }

    pub(crate) fn is_object(&self, name: &str) -> bool {
        self.objects.iter().any(|object| object.name == name)
    }

    /// The fields of a method's named arguments.
    pub(crate) fn options(&self, method: &Method) -> &[Field] {
        let record = method.options.as_deref().and_then(|name| self.record(name));
        record.map_or(&[], |record| &record.fields)
    }
}
