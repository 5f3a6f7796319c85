//! The native module of the npm package: calls by name on handles, and plain values in both directions.

mod convert;
mod generated;
mod value;

use generated::Object as Native;
use isobox_bindings::{LocalPath, api, call, runtime};
use napi::bindgen_prelude::{Env, Object};
use napi_derive::napi;
use std::future::Future;
use std::pin::Pin;
use tokio_util::sync::CancellationToken;
use value::Value;

/// A call that was read and has not begun.
pub type Work = Pin<Box<dyn Future<Output = api::Result<Value>> + Send>>;

/// What a JavaScript object holds. It goes with that.
#[napi]
pub struct Handle(pub(crate) Native);

/// Ends the calls that it was given to.
#[napi]
pub struct Cancel(CancellationToken);

#[napi]
impl Cancel {
    /// One that has not ended anything yet.
    #[napi(constructor)]
    #[allow(clippy::new_without_default, reason = "JavaScript has no defaults")]
    pub fn new() -> Self {
        Self(CancellationToken::new())
    }

    /// Ends them.
    #[napi]
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

/// Begins a call. The promise is kept with `[value]`, or with `[undefined, facts]` of an error: the class of it is made where the
/// caller's stack is.
#[napi]
pub fn begin<'env>(
    env: &'env Env,
    name: String,
    handle: Option<&Handle>,
    arguments: Vec<Value>,
    cancel: Option<&Cancel>,
) -> napi::Result<Object<'env>> {
    let work = generated::work(&name, handle.map(|handle| &handle.0), arguments);
    let work = work.unwrap_or_else(|error| Box::pin(async move { Err(error) }));
    promised(env, work, cancel.map(|cancel| cancel.0.clone()))
}

/// A sandbox by its id, in the books of a directory.
#[napi]
pub fn connect<'env>(env: &'env Env, home: String, id: String) -> napi::Result<Object<'env>> {
    use convert::ToValue;
    let work = async move { Ok(runtime::connect(LocalPath(home.into()), id).await?.to_value()) };
    promised(env, Box::pin(work), None)
}

/// Panics, which must be an error of the call alone. For the tests of this package.
#[napi(js_name = "panic")]
pub fn panics(env: &Env) -> napi::Result<Object<'_>> {
    promised(env, Box::pin(async { if true { panic!("on purpose") } else { Ok(Value::None) } }), None)
}

fn promised(env: &Env, work: Work, cancel: Option<CancellationToken>) -> napi::Result<Object<'_>> {
    let (deferred, promise) = env.create_deferred()?;
    let running = call(work);
    runtime::in_background(async move {
        let done = match cancel {
            Some(cancel) => cancel.run_until_cancelled(running).await,
            None => Some(running.await),
        };
        deferred.resolve(move |_| {
            Ok(match done {
                Some(Ok(value)) => vec![value],
                Some(Err(error)) => vec![Value::None, convert::facts(&error)],
                // The signal has the reason.
                None => vec![Value::None, Value::Bool(true)],
            })
        });
    });
    Ok(promise)
}

/// What is there at once.
#[napi]
pub fn get(name: String, handle: &Handle) -> Value {
    generated::get(&name, &handle.0).unwrap_or(Value::None)
}

/// Ends the sandboxes of this process and all threads of this library. For the end of the process.
#[napi]
pub fn end() {
    runtime::end();
}
