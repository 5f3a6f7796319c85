//! The tree and the dotted names are the same thing twice.

use isobox_contract::{Capabilities, Capability, Detail, Isolation};
use serde_json::Value;
use std::collections::BTreeSet;

fn leaves(prefix: &str, value: &Value, found: &mut BTreeSet<(String, bool)>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                leaves(&path, value, found);
            }
        }
        Value::Bool(value) => {
            found.insert((prefix.to_owned(), *value));
        }
        other => assert_eq!((prefix, other.is_string()), ("isolation", true)),
    }
}

#[test]
fn every_leaf_has_a_name_and_every_name_a_leaf() {
    let everything = Capabilities::of(Isolation::Vm, Capability::ALL.iter().copied());
    let mut found = BTreeSet::new();
    leaves("", &serde_json::to_value(&everything).unwrap(), &mut found);
    let named = Capability::ALL.iter().map(|capability| (capability.as_str().to_owned(), true)).collect();
    assert_eq!(found, named);
}

#[test]
fn one_claim_sets_one_leaf() {
    for capability in Capability::ALL {
        let tree = Capabilities::of(Isolation::None, [*capability]);
        assert!(tree.supports(capability.as_str()));
        assert_eq!(tree.iter().collect::<Vec<_>>(), [*capability]);
        let mut found = BTreeSet::new();
        leaves("", &serde_json::to_value(&tree).unwrap(), &mut found);
        let set: Vec<_> = found.into_iter().filter(|(_, value)| *value).map(|(name, _)| name).collect();
        assert_eq!(set, [capability.as_str()]);
        assert_eq!(Capability::parse(capability.as_str()), Some(*capability));
    }
}

#[test]
fn a_missing_claim_is_refused_by_its_dotted_name() {
    let error = Capabilities::default().require(Capability::LifecyclePause).unwrap_err();
    assert!(matches!(error.detail(), Detail::Unsupported { capability } if capability == "lifecycle.pause"));
    assert!(!Capabilities::default().supports("no.such"));
}

#[test]
fn a_newer_and_an_older_tree_can_be_read() {
    let newer = r#"{"isolation":"vm","exec":{"stdin":true,"telepathy":true},"oracle":{"asks":true}}"#;
    let tree: Capabilities = serde_json::from_str(newer).unwrap();
    assert_eq!(tree, Capabilities::of(Isolation::Vm, [Capability::ExecStdin]));
    assert_eq!(serde_json::from_str::<Capabilities>("{}").unwrap(), Capabilities::default());
    // An isolation that is not understood must not pass for a weaker or a stronger one.
    assert!(serde_json::from_str::<Capabilities>(r#"{"isolation":"moon"}"#).is_err());
}

#[test]
fn every_name_of_the_plugin_protocol_has_its_place() {
    let protocol = "lifecycle.pause lifecycle.archive lifecycle.fork lifecycle.resize lifecycle.recover \
        lifecycle.undelete lifecycle.refresh_activity lifecycle.timers lifecycle.labels lifecycle.update_network \
        lifecycle.snapshot_sandbox exec.stdin exec.stop exec.stdio_process exec.stdin_stream exec.environment \
        fs.upload fs.download fs.permissions pty logs one_shot one_shot.build sessions access.preview_urls \
        access.preview_urls.signed access.ssh access.ssh.ttl access.ssh.revoke access.shell_command \
        access.web_terminal access.vnc snapshots snapshots.from_image.container \
        snapshots.from_image.virtual_machine snapshots.from_dockerfile.container \
        snapshots.from_dockerfile.virtual_machine snapshots.filesystem snapshots.live_process_state \
        snapshots.activation search git services volumes";
    let ours: BTreeSet<_> = Capability::ALL.iter().filter_map(|capability| capability.plugin_name()).collect();
    assert_eq!(ours, protocol.split_whitespace().collect());
}

#[test]
fn a_sandbox_is_never_more_than_its_provider() {
    let provider = Capabilities::of(Isolation::Container, [Capability::ExecPty, Capability::ExecStdin]);
    let sandbox = Capabilities::of(Isolation::Vm, [Capability::ExecPty, Capability::LifecyclePause]);
    assert_eq!(provider.narrowed_to(&sandbox), Capabilities::of(Isolation::Container, [Capability::ExecPty]));
}

#[test]
fn isolation_is_ordered_from_weak_to_strong() {
    let words: Vec<_> = Isolation::ALL.iter().map(|isolation| isolation.as_str()).collect();
    assert_eq!(words, ["none", "process", "container", "gvisor", "vm"]);
    assert!(Isolation::ALL.is_sorted());
}
