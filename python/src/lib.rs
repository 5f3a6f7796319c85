//! The native module of the Python package: classes behind those of the package, and what they run on.

mod call;
mod convert;
mod errors;
mod generated;

use call::Call;
use isobox_bindings::{LocalPath, runtime};
use pyo3::prelude::*;

/// A sandbox by its id, in the books of a directory: how a handle that went to another process finds it.
#[pyfunction]
fn connect(home: std::path::PathBuf, id: String) -> Call {
    Call::start(runtime::connect(LocalPath(home), id))
}

/// Ends the sandboxes of this process and all threads of this library. For the end of the interpreter.
#[pyfunction]
fn end(py: Python<'_>) {
    py.detach(runtime::end);
}

/// Panics, which must be an error of the call alone. For the tests of this package.
#[pyfunction]
fn _panic() -> Call {
    Call::start(async { if true { panic!("on purpose") } else { Ok(false) } })
}

/// The native module of isobox.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<call::Call>()?;
    module.add_class::<call::Stream>()?;
    module.add_function(wrap_pyfunction!(connect, module)?)?;
    module.add_function(wrap_pyfunction!(end, module)?)?;
    module.add_function(wrap_pyfunction!(_panic, module)?)?;
    generated::add(module)
}
