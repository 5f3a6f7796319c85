//! What the engine's labels say about a thing of isobox. They are the truth: what has no [`ID`] is not ours.
//!
//! ```text
//! isobox.id=sbx_…            whose thing it is: a sandbox's container, or something beside it
//! isobox.role=sandbox        what it is: sandbox, sidecar, one_shot, volume, workspace, helper, snapshot, fork, build
//! isobox.fleet=…             the isobox directory whose books it is in
//! isobox.name=…              the name that a caller gave it
//! isobox.built=sbx_…         of an image, the sandbox that it was built for
//! isobox.stops=11,12         exit codes of a sandbox's agent that are a stop, beside that of being asked to
//! isobox.label.NAME=VALUE    a caller's own label
//! isobox.labels=["NAME"]     which of these there are; or {"NAME":"VALUE"}, and then none of these
//! isobox.added=["NAME"]      of an image, variables that are the engine's and not its own
//! ```
//!
//! What is made from an image inherits the image's labels, also those of a sandbox that the image was made of. So what a thing has
//! is always written, a missing name as an empty one, and labels that are not listed are none.

use isobox_contract::{Labels, SandboxId};
use std::collections::HashMap;

/// The id of the sandbox, snapshot or volume.
pub(crate) const ID: &str = "isobox.id";
/// What it is.
pub(crate) const ROLE: &str = "isobox.role";
/// The caller's name for it.
pub(crate) const NAME: &str = "isobox.name";
/// The sandbox that an image was built for. A builder adds labels one by one in the order of their names, and this is the first.
pub(crate) const BUILT: &str = "isobox.built";
/// The isobox whose it is: several may use one engine, and each knows its own books only.
pub(crate) const FLEET: &str = "isobox.fleet";
/// Exit codes of the agent that are a stop, with commas between them.
pub(crate) const STOPS: &str = "isobox.stops";
/// The names of the caller's own labels, as JSON.
const NAMES: &str = "isobox.labels";
/// The names of variables that an image has from the engine that made it of a container, as JSON.
pub(crate) const ADDED: &str = "isobox.added";
/// In front of the caller's own labels.
const OWN: &str = "isobox.label.";

/// The role of a sandbox's container.
pub(crate) const SANDBOX: &str = "sandbox";

/// What is in [`NAMES`].
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Names {
    Alone(Vec<String>),
    WithValues(Labels),
}

/// The labels of a thing. More of isobox's own can be inserted.
pub(crate) fn write(id: &str, role: &str, name: Option<&str>, own: &Labels) -> HashMap<String, String> {
    let mut all: HashMap<_, _> = own.iter().map(|(name, value)| (format!("{OWN}{name}"), value.clone())).collect();
    all.insert(ID.into(), id.into());
    all.insert(ROLE.into(), role.into());
    all.insert(NAME.into(), name.unwrap_or_default().into());
    let names: Vec<_> = own.keys().collect();
    all.insert(NAMES.into(), serde_json::json!(names).to_string());
    all
}

/// The same labels with the caller's own as one: written as lines of text, as Podman takes them, a label could be several otherwise.
pub(crate) fn gathered(mut all: HashMap<String, String>) -> HashMap<String, String> {
    let own = own(&all);
    all.retain(|name, _| !name.starts_with(OWN));
    all.insert(NAMES.into(), serde_json::json!(own).to_string());
    all
}

/// The caller's own labels, as the caller gave them.
pub(crate) fn own(all: &HashMap<String, String>) -> Labels {
    let names = match all.get(NAMES).and_then(|names| serde_json::from_str(names).ok()) {
        Some(Names::Alone(names)) => names,
        Some(Names::WithValues(own)) => return own,
        None => Vec::new(),
    };
    names.into_iter().filter_map(|name| Some((name.clone(), all.get(&format!("{OWN}{name}"))?.clone()))).collect()
}

/// The caller's name for it.
pub(crate) fn name(all: &HashMap<String, String>) -> Option<&String> {
    all.get(NAME).filter(|name| !name.is_empty())
}

/// The sandbox that a container is or belongs to; none for what is not isobox's.
pub(crate) fn sandbox(all: &HashMap<String, String>) -> Option<SandboxId> {
    all.get(ID)?.parse().ok()
}

/// Exit codes of the agent that are a stop.
pub(crate) fn stops(all: &HashMap<String, String>) -> Vec<u8> {
    all.get(STOPS).into_iter().flat_map(|codes| codes.split(',')).filter_map(|code| code.parse().ok()).collect()
}

/// Whose a container is, for a person: a sandbox's, or somebody else's.
pub(crate) fn whose(container: &bollard::models::ContainerSummary) -> Option<String> {
    let ours = container.labels.as_ref().and_then(sandbox).map(|id| id.to_string());
    ours.or_else(|| Some(format!("container {}", container.id.as_ref()?)))
}

/// Whether it has this role.
pub(crate) fn is(all: &HashMap<String, String>, role: &str) -> bool {
    all.get(ROLE).is_some_and(|is| is == role)
}

/// Filters of a list request: everything of this role, and of this id and this fleet where they are given.
pub(crate) fn filters(role: &str, id: Option<&str>, fleet: Option<&str>) -> HashMap<String, Vec<String>> {
    let mut labels = vec![format!("{ROLE}={role}")];
    labels.extend(fleet.map(|fleet| format!("{FLEET}={fleet}")));
    labels.push(id.map_or_else(|| ID.to_owned(), |id| format!("{ID}={id}")));
    HashMap::from([("label".to_owned(), labels)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let id = SandboxId::generate();
        let own_labels = Labels::from([("isobox.id".to_owned(), "forged".to_owned()), ("a".into(), "b".into())]);
        let all = write(id.as_str(), SANDBOX, Some("x"), &own_labels);
        assert_eq!((sandbox(&all), own(&all)), (Some(id), own_labels));
        assert!(is(&all, SANDBOX) && all[NAME] == "x");
        assert_eq!(sandbox(&HashMap::from([("a".into(), "b".into())])), None);
        let gathered = gathered(all.clone());
        assert_eq!((sandbox(&gathered), own(&gathered)), (Some(id), own(&all)));
        assert!(!gathered.keys().any(|name| name.starts_with(OWN)));
        let inherited = write(id.as_str(), SANDBOX, None, &Labels::new()).into_iter();
        let inherited = [("isobox.label.old".to_owned(), "x".to_owned())].into_iter().chain(inherited).collect();
        assert_eq!((name(&inherited), own(&inherited)), (None, Labels::new()));
    }
}
