//! Features that can be taken away from a machine without another kernel, and a look at what the command says then.

use super::contents::Contents;

/// A machine without one feature.
#[derive(Debug)]
pub(super) struct Variant {
    pub(super) name: &'static str,
    /// For the kernel's command line.
    pub(super) words: &'static str,
    /// What root does in the machine before anything else, as a script.
    before: &'static str,
}

/// A variant that is made by words for the kernel.
const fn booted(name: &'static str, words: &'static str) -> Variant {
    Variant { name, words, before: "" }
}

/// A variant that is made by root.
const fn set(name: &'static str, before: &'static str) -> Variant {
    Variant { name, words: "", before }
}

pub(super) const VARIANTS: [Variant; 11] = [
    booted("nothing", ""),
    set("user-namespaces", "sysctl -q user.max_user_namespaces=0"),
    set("unprivileged-user-namespaces", "sysctl -q kernel.unprivileged_userns_clone=0"),
    set("apparmor-permission", "sysctl -q kernel.apparmor_restrict_unprivileged_userns=1"),
    set("newuidmap", "rm /usr/bin/newuidmap /usr/bin/newgidmap"),
    set("overlay", "mv /lib/modules/$(uname -r)/kernel/fs/overlayfs /lib/modules/; depmod"),
    set(
        "delegation",
        "mkdir -p /run/systemd/system/user@.service.d; \
        printf '[Service]\\nDelegate=no\\n' > /run/systemd/system/user@.service.d/none.conf; systemctl daemon-reload",
    ),
    booted("cgroup-v2", "systemd.unified_cgroup_hierarchy=0 systemd.legacy_systemd_cgroup_controller=1"),
    booted("controllers-on-v2", "systemd.unified_cgroup_hierarchy=0 systemd.legacy_systemd_cgroup_controller=0"),
    booted("memory-controller", "cgroup_disable=memory"),
    booted("apparmor", "apparmor=0"),
];

/// What both users do. Only that each ends is asserted: what it says is for a person to read, and belongs into the page about
/// the machine.
const LOOK: &str = r#"
isobox="$target/debug/isobox"
say() {
    echo "$(id -un)\$ isobox $*"
    timeout 300 "$isobox" "$@" < /dev/null
    echo "(exit code $?)"
}
say run -- id -u
say run --memory 64m -- python3 -c 'x = b"x" * (200 << 20)'
say run --pids 16 -- sh -c 'for i in $(seq 40); do sleep 9 & done; echo all started'
say run --cpus 0.5 -- python3 -c '
import os, time
begun, end = os.times(), time.monotonic() + 8
while time.monotonic() < end: pass
print("of 8 seconds it ran for", round(sum(os.times()[:2]) - sum(begun[:2])))'
say doctor
"#;

impl Variant {
    /// The one of this name, or each of them.
    pub(super) fn find(name: &str) -> Result<Vec<&'static Self>, String> {
        let found: Vec<_> = VARIANTS.iter().filter(|variant| name == "each" || variant.name == name).collect();
        if found.is_empty() {
            let known = VARIANTS.iter().map(|variant| variant.name).collect::<Vec<_>>().join(", ");
            return Err(format!("cannot do without {name}; there are: each, {known}"));
        }
        Ok(found)
    }

    /// The script that the machine is started for.
    pub(super) fn start(&self, contents: &Contents) -> Result<String, String> {
        Ok(format!("{}\n{}", self.before, contents.script(LOOK, LOOK)?))
    }
}
