//! How values cross, in both directions.

use crate::errors::invalid;
use bytes::Bytes;
use isobox_bindings::{Argument, Lifetime, LocalPath, Path, Program, Size, Text};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::{Duration, SystemTime};

/// What comes out.
pub(crate) trait ToPython {
    /// As Python has it.
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>>;
}

/// What goes in.
pub(crate) trait FromPython: Sized {
    /// From what was given for the name; a `TypeError` or `InvalidSpecError` that names it otherwise.
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self>;

    /// What it is when nothing was given; none for what must be.
    fn missing() -> Option<Self> {
        None
    }
}

/// An object of one of the dataclasses, by position.
macro_rules! make {
    ($py:expr, $class:literal, [$($field:expr),* $(,)?]) => {{
        static CLASS: pyo3::sync::PyOnceLock<Py<PyAny>> = pyo3::sync::PyOnceLock::new();
        let class = CLASS.get_or_try_init($py, || $crate::convert::class_of($py, $class))?;
        let fields = pyo3::types::PyTuple::new($py, [$($field),*])?;
        class.call1($py, fields)
    }};
}

pub(crate) use make;

pub(crate) fn class_of(py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
    Ok(py.import("isobox._records")?.getattr(name)?.unbind())
}

/// What a call gives that gives nothing.
pub(crate) fn unit((): ()) -> Nothing {
    Nothing
}

/// Python's `None`.
pub(crate) struct Nothing;

impl ToPython for Nothing {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(py.None())
    }
}

/// The fields of a record that is given: named arguments, or the attributes of a dataclass.
pub(crate) struct Fields<'a, 'py> {
    of: &'a Bound<'py, PyAny>,
    dictionary: Option<&'a Bound<'py, PyDict>>,
    name: &'a str,
}

impl<'a, 'py> Fields<'a, 'py> {
    pub(crate) fn of(value: &'a Bound<'py, PyAny>, name: &'a str) -> Self {
        Self { of: value, dictionary: value.cast::<PyDict>().ok(), name }
    }

    pub(crate) fn py(&self) -> Python<'py> {
        self.of.py()
    }

    /// Whether a word was given, which has no fields.
    pub(crate) fn is_word(&self) -> bool {
        self.of.is_instance_of::<PyString>()
    }

    /// Refuses a dictionary in a dataclass's place that has names of its own.
    pub(crate) fn are_known(&self, known: &[&str]) -> PyResult<()> {
        // The named arguments of a call are put into one by the package.
        let Some(given) = self.dictionary.filter(|_| self.name != "options") else { return Ok(()) };
        for field in given.keys() {
            let field: String = field.extract().map_err(|_| wrong(&field, self.name, "a dictionary of names"))?;
            if !known.contains(&field.as_str()) {
                let reason = format!("is not known here, there are {}", known.join(", "));
                return Err(invalid(self.py(), &format!("{}.{field}", self.name), &reason));
            }
        }
        Ok(())
    }

    /// A field, by its name.
    pub(crate) fn get<T: FromPython>(&self, field: &Bound<'py, PyString>) -> PyResult<T> {
        let value = match self.dictionary {
            Some(dictionary) => dictionary.get_item(field)?,
            None => self.of.getattr_opt(field)?,
        };
        match value.filter(|value| !value.is_none()) {
            Some(value) if self.dictionary.is_some() => T::from_python(&value, field.to_str()?),
            Some(value) => T::from_python(&value, &format!("{}.{}", self.name, field.to_str()?)),
            None => T::missing().ok_or_else(|| wrong(self.of, self.name, &format!("something with {field}"))),
        }
    }
}

/// The word of a sum that is given: itself, or that of a dataclass.
pub(crate) fn kind_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    if let Ok(word) = value.extract::<String>() {
        return Ok(word);
    }
    let word = value.getattr_opt(pyo3::intern!(value.py(), "type"))?.and_then(|word| word.extract::<String>().ok());
    word.ok_or_else(|| wrong(value, name, "one of its words or classes"))
}

pub(crate) fn unknown_word(py: Python<'_>, name: &str, word: &str, words: &[&str]) -> PyErr {
    invalid(py, name, &format!("is {word:?}, give one of {}", words.join(", ")))
}

fn wrong(value: &Bound<'_, PyAny>, name: &str, wanted: &str) -> PyErr {
    let got = value.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name} must be {wanted}, not {got}"))
}

macro_rules! plain {
    ($($kind:ty, $wanted:literal);+ $(;)?) => {$(
        impl ToPython for $kind {
            fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                pyo3::IntoPyObjectExt::into_py_any(self, py)
            }
        }

        impl FromPython for $kind {
            fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
                value.extract().map_err(|_| wrong(value, name, $wanted))
            }
        }
    )+};
}

plain!(i32, "an int"; u16, "an int from 0 to 65535"; u32, "an int from 0 to 4294967295"; f64, "a number"; String, "a str");

macro_rules! defaulted {
    ($($kind:ty, $wanted:literal, $default:expr);+ $(;)?) => {$(
        impl ToPython for $kind {
            fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                pyo3::IntoPyObjectExt::into_py_any(self, py)
            }
        }

        impl FromPython for $kind {
            fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
                value.extract().map_err(|_| wrong(value, name, $wanted))
            }

            fn missing() -> Option<Self> {
                Some($default)
            }
        }
    )+};
}

defaulted!(bool, "a bool", false; u64, "an int that is not negative", 0);

impl ToPython for SystemTime {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        pyo3::IntoPyObjectExt::into_py_any(self, py)
    }
}

impl ToPython for Duration {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.as_secs_f64().to_python(py)
    }
}

impl FromPython for Duration {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        if let Ok(seconds) = value.extract::<f64>() {
            let reason = "is no time to wait, give seconds from 0 on";
            return Duration::try_from_secs_f64(seconds).map_err(|_| invalid(value.py(), name, reason));
        }
        let wanted = "a number of seconds or a datetime.timedelta";
        value.extract().map_err(|_| wrong(value, name, wanted))
    }
}

impl ToPython for Bytes {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(PyBytes::new(py, &self).into_any().unbind())
    }
}

impl ToPython for Text {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.to_python(py)
    }
}

/// As a path of Python: bytes that are no UTF-8 are kept, in the way of `os.fsdecode`.
fn decoded(py: Python<'_>, bytes: &[u8]) -> PyResult<Py<PyAny>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned().to_python(py),
        Err(_) => pyo3::IntoPyObjectExt::into_py_any(OsStr::from_bytes(bytes), py),
    }
}

/// The bytes of a text, of bytes, or of a path: what `os.fsencode` takes.
fn encoded(value: &Bound<'_, PyAny>, name: &str, wanted: &str) -> PyResult<Vec<u8>> {
    if let Ok(text) = value.cast::<PyString>() {
        return match text.to_str() {
            Ok(text) => Ok(text.as_bytes().to_vec()),
            Err(_) => Ok(value.extract::<std::ffi::OsString>()?.into_vec()),
        };
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    let path = value.getattr_opt(pyo3::intern!(value.py(), "__fspath__"))?;
    match path {
        Some(path) => encoded(&path.call0()?, name, wanted),
        None => Err(wrong(value, name, wanted)),
    }
}

impl ToPython for Path {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        decoded(py, &self.0)
    }
}

impl FromPython for Path {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        encoded(value, name, "a str, bytes or a path").map(Self)
    }
}

impl ToPython for LocalPath {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        decoded(py, self.0.as_os_str().as_bytes())
    }
}

impl FromPython for LocalPath {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let bytes = encoded(value, name, "a str, bytes or a path")?;
        Ok(Self(std::ffi::OsString::from_vec(bytes).into()))
    }
}

impl FromPython for Argument {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let wanted = "a str or bytes";
        // Whatever else holds bytes, such as a bytearray or a memoryview.
        if !value.is_instance_of::<PyString>() && !value.is_instance_of::<PyBytes>() && !value.hasattr("__fspath__")? {
            let bytes = value.py().get_type::<PyBytes>();
            let is_buffer = value.is_instance_of::<pyo3::types::PyByteArray>()
                || value.get_type().name().is_ok_and(|name| name == "memoryview");
            return match is_buffer {
                true => encoded(&bytes.call1((value,))?, name, wanted).map(Self),
                false => Err(wrong(value, name, wanted)),
            };
        }
        encoded(value, name, wanted).map(Self)
    }
}

impl FromPython for Program {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
            return Argument::from_python(value, name).map(Self::Shell);
        }
        let wanted = "a list of arguments or a script as one str";
        let items = value.try_iter().map_err(|_| wrong(value, name, wanted))?;
        items
            .map(|item| Argument::from_python(&item?, "each part of the command"))
            .collect::<PyResult<_>>()
            .map(Self::Argv)
    }
}

impl FromPython for Size {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        if let Ok(text) = value.extract::<String>() {
            return Ok(Self::Text(text));
        }
        let wanted = "a number of bytes or a text such as \"512m\"";
        value.extract().map(Self::Bytes).map_err(|_| wrong(value, name, wanted))
    }
}

impl FromPython for Lifetime {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        match value.extract::<String>() {
            Ok(word) if word == "never" => Ok(Self::Never),
            Ok(word) => Err(unknown_word(value.py(), name, &word, &["a number of seconds", "\"never\""])),
            Err(_) => Duration::from_python(value, name).map(Self::After),
        }
    }
}

impl<T: ToPython> ToPython for Option<T> {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.map_or_else(|| Ok(py.None()), |value| value.to_python(py))
    }
}

impl<T: FromPython> FromPython for Option<T> {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        if value.is_none() { Ok(None) } else { T::from_python(value, name).map(Some) }
    }

    fn missing() -> Option<Self> {
        Some(None)
    }
}

impl<T: ToPython> ToPython for Vec<T> {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let items: PyResult<Vec<_>> = self.into_iter().map(|item| item.to_python(py)).collect();
        Ok(PyList::new(py, items?)?.into_any().unbind())
    }
}

impl<T: FromPython> FromPython for Vec<T> {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let one_text = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>();
        let items = value.try_iter().ok().filter(|_| !one_text);
        let items = items.ok_or_else(|| wrong(value, name, "a list"))?;
        items.map(|item| T::from_python(&item?, name)).collect()
    }

    fn missing() -> Option<Self> {
        Some(Vec::new())
    }
}

impl<T: ToPython> ToPython for BTreeMap<String, T> {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let dictionary = PyDict::new(py);
        for (name, value) in self {
            dictionary.set_item(name, value.to_python(py)?)?;
        }
        Ok(dictionary.into_any().unbind())
    }
}

impl<T: FromPython> FromPython for BTreeMap<String, T> {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let items = value.call_method0("items").map_err(|_| wrong(value, name, "a mapping"))?;
        let items = items.try_iter()?.map(|item| {
            let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item?.extract()?;
            let key = String::from_python(&key, &format!("each name in {name}"))?;
            let value = T::from_python(&value, &format!("{name}[{key:?}]"))?;
            Ok((key, value))
        });
        items.collect()
    }

    fn missing() -> Option<Self> {
        Some(BTreeMap::new())
    }
}
