//! A call that runs, for those who wait and for those who await, and a stream of them.

use crate::convert::ToPython;
use crate::errors;
use isobox_bindings::{api, call as start};
use pyo3::prelude::*;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often a wait looks whether Ctrl-C was pressed.
const GLANCE: Duration = Duration::from_millis(50);

/// A call that runs already. One of `wait` and `result` gives what comes of it, once; dropping it ends the call.
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Call(Mutex<Option<Box<dyn Running>>>);

/// A call, whatever comes of it.
trait Running: Send {
    /// Waits on this thread, while others run Python.
    fn wait(self: Box<Self>, py: Python<'_>) -> PyResult<Py<PyAny>>;

    /// Waits as a future.
    fn result(self: Box<Self>) -> Pin<Box<dyn Future<Output = PyResult<Py<PyAny>>> + Send>>;
}

impl<T: ToPython + Send + 'static> Running for isobox_bindings::Call<T> {
    fn wait(self: Box<Self>, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let look = || Python::attach(|py| py.check_signals());
        let waited = py.detach(move || (*self).wait(GLANCE, look))?;
        waited.map_err(|error| errors::raised(py, error))?.to_python(py)
    }

    fn result(self: Box<Self>) -> Pin<Box<dyn Future<Output = PyResult<Py<PyAny>>> + Send>> {
        Box::pin(async move {
            let result = (*self).await;
            Python::attach(|py| result.map_err(|error| errors::raised(py, error))?.to_python(py))
        })
    }
}

impl Call {
    /// Starts it.
    pub(crate) fn start<T: ToPython + Send + 'static>(
        work: impl Future<Output = api::Result<T>> + Send + 'static,
    ) -> Self {
        let running: Box<dyn Running> = Box::new(start(work));
        Self(Mutex::new(Some(running)))
    }

    fn take(&self) -> PyResult<Box<dyn Running>> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.ok_or_else(|| pyo3::exceptions::PyRuntimeError::new_err("this call was waited for already"))
    }
}

#[pymethods]
impl Call {
    fn wait(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.take()?.wait(py)
    }

    async fn result(&self) -> PyResult<Py<PyAny>> {
        self.take()?.result().await
    }
}

/// Things that come one by one.
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Stream(Box<dyn Flowing>);

/// A stream, whatever it brings.
trait Flowing: Send + Sync {
    fn next(&self) -> Call;
    fn close(&self) -> Call;
}

impl<T: ToPython + Send + 'static> Flowing for isobox_bindings::Stream<T> {
    fn next(&self) -> Call {
        let this = self.clone();
        Call::start(async move { this.next().await })
    }

    fn close(&self) -> Call {
        let this = self.clone();
        Call::start(async move { this.close().await.map(crate::convert::unit) })
    }
}

impl<T: ToPython + Send + 'static> ToPython for isobox_bindings::Stream<T> {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Stream(Box::new(self)))?.into_any())
    }
}

#[pymethods]
impl Stream {
    fn next(&self) -> Call {
        self.0.next()
    }

    fn close(&self) -> Call {
        self.0.close()
    }
}
