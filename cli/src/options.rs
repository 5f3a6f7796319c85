//! The options of a provider: `-o KEY=VALUE`, checked against the type that the contract has for that provider.
//!
//! What a value is follows from what the type takes: a text, a word of a list, true or false, a number or a size. A list gets one
//! more entry each time its key is given. What has entries of its own is `KEY.NAME=VALUE`, or JSON.

use crate::parse;
use isobox::contract::{DaytonaOptions, DockerOptions, KubernetesOptions, RemoteOptions};
use isobox::{Error, HostOptions, NamespaceOptions, ProviderOptions, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Options as they were given: the last of a key counts, except in lists.
pub(crate) type Given = Vec<(String, Value)>;

/// The options of a provider; nothing when none are given.
pub(crate) fn of(provider: &str, given: &Given) -> Result<Option<ProviderOptions>> {
    if given.is_empty() {
        return Ok(None);
    }
    let options = match provider {
        isobox::AUTO | "namespace" => ProviderOptions::Namespace(typed::<NamespaceOptions>(given)?),
        "host" => ProviderOptions::Host(typed::<HostOptions>(given)?),
        "docker" => ProviderOptions::Docker(Box::new(typed::<DockerOptions>(given)?)),
        "kubernetes" => ProviderOptions::Kubernetes(Box::new(typed::<KubernetesOptions>(given)?)),
        "daytona" => ProviderOptions::Daytona(Box::new(typed::<DaytonaOptions>(given)?)),
        "remote" => ProviderOptions::Remote(typed::<RemoteOptions>(given)?),
        other => {
            let reason = format!("are not known for the provider {}, leave them out", other.escape_debug());
            return Err(Error::invalid_spec("--option", reason));
        }
    };
    Ok(Some(options))
}

fn typed<T: Default + Serialize + DeserializeOwned>(given: &Given) -> Result<T> {
    let Ok(Value::Object(mut all)) = serde_json::to_value(T::default()) else {
        return Err(Error::internal("the options of a provider are no object"));
    };
    for (key, value) in given {
        let (name, member) = key.split_once('.').map_or((key.as_str(), None), |(name, member)| (name, Some(member)));
        let name = name.replace('-', "_");
        let Some(now) = all.get(&name) else {
            let known: Vec<_> = all.keys().map(String::as_str).collect();
            let reason = format!("has no key {}, use one of {}", name.escape_debug(), known.join(", "));
            return Err(Error::invalid_spec("--option", reason));
        };
        let set = fitting::<T>(&all, &name, readings(now, member, value));
        all.insert(name.clone(), set.map_err(|reason| Error::invalid_spec(format!("--option {name}"), reason))?);
    }
    serde_json::from_value(Value::Object(all)).map_err(|error| Error::internal(error.to_string()))
}

/// The first reading that the type takes, or why it does not take the first of them.
fn fitting<T: DeserializeOwned>(all: &Map<String, Value>, name: &str, readings: Vec<Value>) -> Result<Value, String> {
    let mut refused = None;
    for reading in readings {
        let mut with = all.clone();
        with.insert(name.to_owned(), reading.clone());
        match serde_json::from_value::<T>(Value::Object(with)) {
            Ok(_) => return Ok(reading),
            Err(error) => _ = refused.get_or_insert(error.to_string()),
        }
    }
    Err(format!("cannot be that: {}", refused.unwrap_or_else(|| "it has no entries, give KEY=VALUE".to_owned())))
}

/// What a value may mean for something that is this now.
fn readings(now: &Value, member: Option<&str>, value: &Value) -> Vec<Value> {
    let Value::String(text) = value else { return vec![value.clone()] };
    let json = || serde_json::from_str(text).ok();
    match (now, member) {
        (Value::Object(now), Some(member)) => {
            let with = |value: Value| {
                let mut now = now.clone();
                now.insert(member.to_owned(), value);
                Value::Object(now)
            };
            std::iter::once(value.clone()).chain(json()).map(with).collect()
        }
        (_, Some(_)) => Vec::new(),
        (Value::Array(now), None) => {
            let with = |value: Value| [now.clone(), vec![value]].concat().into();
            let all = json().filter(Value::is_array);
            all.into_iter().chain(std::iter::once(value.clone()).chain(json()).map(with)).collect()
        }
        // A text first: `hostname=5` is a name.
        _ => std::iter::once(value.clone()).chain(parse::size(text).ok().map(Value::from)).chain(json()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox::{DiskBacking, NamespaceUsers};
    use serde_json::json;

    fn given(pairs: &[(&str, &str)]) -> Given {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), Value::from(*value))).collect()
    }

    fn refusal(provider: &str, pairs: &[(&str, &str)]) -> String {
        of(provider, &given(pairs)).unwrap_err().message().to_owned()
    }

    #[test]
    fn values_are_what_the_option_takes() {
        let pairs = [
            ("users", "single"),
            ("hostname", "5"),
            ("shm-size", "64m"),
            ("read_only_root", "true"),
            ("disk_backing", "loop"),
        ];
        let expected = NamespaceOptions {
            users: NamespaceUsers::Single,
            hostname: Some("5".into()),
            shm_size: Some(64 << 20),
            read_only_root: true,
            disk_backing: Some(DiskBacking::Loop),
            ..NamespaceOptions::default()
        };
        assert_eq!(of("auto", &given(&pairs)).unwrap(), Some(ProviderOptions::Namespace(expected)));
        assert_eq!(of("namespace", &given(&[])).unwrap(), None);
    }

    #[test]
    fn lists_grow_and_what_has_entries_gets_them_one_by_one() {
        let pairs = [
            ("cap_add", "NET_ADMIN"),
            ("cap_add", "SYS_TIME"),
            ("sysctls.net.core.somaxconn", "1024"),
            ("extra_hosts.db", "10.0.0.1"),
            ("dns", "1.1.1.1"),
            ("sidecars", r#"{"name": "db", "image": "postgres:17"}"#),
        ];
        let Some(ProviderOptions::Docker(docker)) = of("docker", &given(&pairs)).unwrap() else { panic!("for docker") };
        assert_eq!(docker.cap_add, ["NET_ADMIN", "SYS_TIME"]);
        assert_eq!(docker.sysctls["net.core.somaxconn"], "1024");
        assert_eq!(json!(docker.extra_hosts), json!({ "db": "10.0.0.1" }));
        assert_eq!((docker.dns.len(), docker.sidecars[0].image.as_str()), (1, "postgres:17"));
    }

    #[test]
    fn what_is_not_known_is_refused_with_what_is() {
        let unknown = refusal("namespace", &[("userz", "single")]);
        assert!(unknown.contains("has no key userz") && unknown.contains("shm_size, users"), "{unknown}");
        let word = refusal("namespace", &[("users", "many")]);
        assert!(word.starts_with("--option users ") && word.contains("auto, single, range"), "{word}");
        let flag = refusal("namespace", &[("read_only_root", "yes")]);
        assert!(flag.starts_with("--option read_only_root ") && flag.contains("boolean"), "{flag}");
        assert!(refusal("namespace", &[("users.x", "single")]).contains("has no entries"));
        assert!(refusal("host", &[("users", "single")]).contains("inherit_env"));
        assert!(refusal("docker", &[("dns", "nowhere")]).starts_with("--option dns "));
        assert!(refusal("mine", &[("a", "b")]).contains("are not known for the provider mine"));
    }
}
