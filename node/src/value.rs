//! Plain values, as they cross the border. They are made and read on the library's threads, so that the event loop only hands them over.
#![allow(
    unsafe_code,
    reason = "napi's own traits are unsafe functions; all that is done here is to pass on to those of its types"
)]

use crate::Handle;
use crate::generated::Object as Native;
use bytes::Bytes;
use napi::bindgen_prelude::{
    Array, Buffer, FromNapiValue, Object, ToNapiValue, TypeName, Uint8Array, Unknown, ValidateNapiValue, sys,
};
use napi::{Env, JsValue, Result, ValueType};

/// A value of JavaScript.
pub enum Value {
    /// `undefined`, and `null` on the way in.
    None,
    Bool(bool),
    Number(f64),
    Text(String),
    Bytes(Bytes),
    /// A moment, in milliseconds since 1970 began.
    Date(f64),
    List(Vec<Value>),
    Record(Vec<(String, Value)>),
    /// A handle.
    Object(Native),
}

impl ToNapiValue for Value {
    unsafe fn to_napi_value(env: sys::napi_env, value: Self) -> Result<sys::napi_value> {
        // SAFETY: each is called with the environment that this is called with.
        unsafe {
            match value {
                Value::None => <()>::to_napi_value(env, ()),
                Value::Bool(value) => bool::to_napi_value(env, value),
                Value::Number(value) => f64::to_napi_value(env, value),
                Value::Text(value) => String::to_napi_value(env, value),
                Value::Bytes(value) => Buffer::to_napi_value(env, Vec::from(value).into()),
                Value::Date(millis) => {
                    let env = Env::from_raw(env);
                    let date = env.create_date(millis)?;
                    Ok(date.value().value)
                }
                Value::List(items) => Vec::to_napi_value(env, items),
                Value::Record(fields) => {
                    let env_of = Env::from_raw(env);
                    let mut object = Object::new(&env_of)?;
                    for (name, value) in fields {
                        object.set(&name, value)?;
                    }
                    Object::to_napi_value(env, object)
                }
                Value::Object(native) => Handle::to_napi_value(env, Handle(native)),
            }
        }
    }
}

impl TypeName for Value {
    fn type_name() -> &'static str {
        "value"
    }

    fn value_type() -> ValueType {
        ValueType::Unknown
    }
}

impl ValidateNapiValue for Value {}

impl FromNapiValue for Value {
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> Result<Self> {
        // SAFETY: each is called with what this is called with, once its type is known.
        unsafe {
            Ok(match Unknown::from_napi_value(env, value)?.get_type()? {
                ValueType::Boolean => Value::Bool(bool::from_napi_value(env, value)?),
                ValueType::Number => Value::Number(f64::from_napi_value(env, value)?),
                ValueType::BigInt => Value::Number(i64::from_napi_value(env, value)? as f64),
                ValueType::String => Value::Text(String::from_napi_value(env, value)?),
                ValueType::Object => from_object(env, value)?,
                _ => Value::None,
            })
        }
    }
}

/// A list, bytes, or a record.
unsafe fn from_object(env: sys::napi_env, value: sys::napi_value) -> Result<Value> {
    // SAFETY: it is an object, and each is called once that is known of it.
    unsafe {
        let object = Object::from_napi_value(env, value)?;
        if object.is_array()? {
            let array = Array::from_napi_value(env, value)?;
            let items = (0..array.len()).map(|index| Ok(array.get::<Value>(index)?.unwrap_or(Value::None)));
            return Ok(Value::List(items.collect::<Result<_>>()?));
        }
        if object.is_typedarray()? {
            return Ok(Value::Bytes(Bytes::copy_from_slice(&Uint8Array::from_napi_value(env, value)?)));
        }
        let mut fields = Vec::new();
        for name in Object::keys(&object)? {
            let field = object.get::<Value>(&name)?.unwrap_or(Value::None);
            fields.push((name, field));
        }
        Ok(Value::Record(fields))
    }
}
