//! Errors as Python raises them: the class for the code, with all that is known.

use crate::convert::ToPython;
use isobox_bindings::api::{Detail, Error};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// What makes an error of its facts.
static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The exception for an error.
pub(crate) fn raised(py: Python<'_>, error: Error) -> PyErr {
    made(py, &error).unwrap_or_else(|failed| failed)
}

fn made(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let make = MAKE.get_or_try_init(py, || py.import("isobox._errors")?.getattr("make").map(Bound::unbind))?;
    let facts = PyDict::new(py);
    facts.set_item(intern!(py, "code"), error.code().to_python(py)?)?;
    facts.set_item(intern!(py, "retryable"), error.retryable())?;
    facts.set_item(intern!(py, "retry_after"), error.retry_after().to_python(py)?)?;
    facts.set_item(intern!(py, "fault"), error.fault().to_python(py)?)?;
    facts.set_item(intern!(py, "provider"), error.provider())?;
    facts.set_item(intern!(py, "sandbox"), error.sandbox())?;
    facts.set_item(intern!(py, "operation"), error.operation())?;
    let detail = error.detail();
    let kind = match &detail {
        Some(Detail::File { kind, .. }) => Some(kind.to_python(py)?),
        _ => None,
    };
    facts.set_item(intern!(py, "detail"), detail.to_python(py)?)?;
    let made = make.bind(py).call1((error.code().to_python(py)?, kind, error.message(), facts))?;
    Ok(PyErr::from_value(made))
}

/// The exception for something that was given and is wrong.
pub(crate) fn invalid(py: Python<'_>, field: &str, reason: &str) -> PyErr {
    raised(py, Error::from(isobox::Error::invalid_spec(field, reason)))
}
