//! Writes the reference of the table, and finds out when it is stale.

use super::allowed::ALLOWED;
use super::checked::CHECKED;
use super::refused::REFUSED;
use super::{Machine, Refusal, compile};
use std::fmt::Write;
use std::path::Path;

const PAGE: &str = "../../docs/reference/system-calls.md";

/// Where Docker's default profile decides otherwise, for a container with its default capabilities. The profile is
/// `seccomp/default_linux.go` of the repository `moby/profiles`.
const DIFFERENCES: [(&str, &str, &str); 10] = [
    ("`clone3`", "ENOSYS", "allowed, because the number of user namespaces is limited to none by the kernel itself"),
    ("`socket`, `socketpair`", "every family but AF_VSOCK and AF_ALG; pairs of any", "four families, for both"),
    ("`socketcall` (32-bit)", "allowed", "makes no sockets"),
    ("`ioctl`", "allowed", "not TIOCSTI, TIOCLINUX and TIOCSETD"),
    ("`personality`", "no ADDR_NO_RANDOMIZE", "allowed: debuggers and sanitizers need it"),
    ("`unshare`", "refused", "allowed without namespaces"),
    ("`modify_ldt`", "allowed", "ENOSYS"),
    ("`fanotify_mark`", "allowed", "refused, as `fanotify_init` is by both"),
    ("x32 calls", "as the others", "ENOSYS"),
    ("a call that is not known", "EPERM", "ENOSYS, so that programs fall back to what was there before"),
];

fn page() -> String {
    let mut text = String::from(
        "<!-- Written from providers/namespace/src/seccomp by `ISOBOX_BLESS=1 cargo test -p isobox-namespace page`. -->\n\
         # System calls of a namespace sandbox\n\n\
         Every process of a namespace sandbox, the agent too, runs under one filter of system calls, on x86-64 for 64-bit \
         and for 32-bit programs, and on 64-bit ARM. What is listed as allowed is allowed, what is refused fails with \
         `EPERM` or as if the kernel did not have it, what is not known to this table does not exist (`ENOSYS`), and \
         programs that call in any other way (32-bit ARM) are killed.\n\n\
         With the option `nested_user_namespaces` the first group is allowed too.\n\n\
         ## Checked\n\n| call | what | why |\n|---|---|---|\n",
    );
    for check in &CHECKED {
        writeln!(text, "| `{}` | {} | {} |", check.call.0, check.what, check.why).unwrap();
    }
    text.push_str("\n## Refused\n");
    for group in &REFUSED {
        let error = if group.refusal == Refusal::Denied { "EPERM" } else { "ENOSYS" };
        writeln!(text, "\n### {} (`{error}`)\n\n| call | why |\n|---|---|", group.title).unwrap();
        for (call, reason) in group.calls {
            writeln!(text, "| `{}` | {reason} |", call.0).unwrap();
        }
    }
    text.push_str("\n## Beside Docker's default profile\n\n| | Docker | isobox |\n|---|---|---|\n");
    for (what, docker, here) in DIFFERENCES {
        writeln!(text, "| {what} | {docker} | {here} |").unwrap();
    }
    let names: Vec<String> = ALLOWED.iter().map(|call| format!("`{}`", call.0)).collect();
    write!(text, "\n## Allowed\n\n{} calls: {}.\n", names.len(), names.join(", ")).unwrap();
    let length = compile(&[Machine::X86_64, Machine::X86], false).len();
    write!(text, "\n## Size\n\nThe program for x86-64 has {length} instructions; the kernel takes 4096.\n").unwrap();
    text
}

#[test]
fn the_page_is_written_from_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    if std::env::var_os("ISOBOX_BLESS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page(), "{PAGE} is stale: ISOBOX_BLESS=1 cargo test -p isobox-namespace page");
}
