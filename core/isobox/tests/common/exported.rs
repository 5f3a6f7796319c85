//! A sandbox from an image that has changed in every way that a layer can say, for those who look at it elsewhere.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::Lab;
use crate::image::Image;
use isobox::{NamespaceOptions, NamespaceUsers, ProviderOptions, Sandbox, SandboxBuilder, SnapshotOptions};
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Everything of `/data` that a copy must keep, names of one file apart: an overlay does not keep these together.
pub const PICTURE: &str = "cd /data; cat new*; find . ! -name 'new*line*' | sort | while read -r name; do
    stat -c '%n %F %a %u:%g %s %y' \"$name\"; [ -f \"$name\" ] && busybox sha256sum \"$name\"; done; readlink link; ls /";

/// What is done in the sandbox, before and after a snapshot of it.
const CHANGES: [&str; 2] = [
    "b=busybox; cd /data; echo changed > file; rm gone; rm -r inner; mkdir inner; echo new > inner/new
        $b ln file hard; $b ln file inner/hard; $b ln -s nowhere link; $b mkfifo pipe; mkdir sticky; $b chmod 1777 sticky
        touch suid; $b chmod 4755 suid; touch 'a b'; echo odd > \"$($b printf 'new\\nline \\377')\"
        echo secret > closed; $b chmod 0 closed; $b truncate -s 3000000 holes; touch -d '2001-02-03 04:05:06' inner/new inner
        $b chown 1000:1000 suid sticky 2>/dev/null; $b chmod 750 .",
    "b=busybox; cd /data; rm hard; rm -r sticky; echo a file > sticky; rm suid; mkdir suid; echo x > suid/x; rm /bin/env
        echo later > later; $b chmod 600 file",
];

/// An image with something to change, and something to say.
pub fn with_tools() -> Image {
    let mut image = Image::busybox();
    image.layer(&[], |root| {
        fs::create_dir_all(root.join("bin")).unwrap();
        symlink("busybox", root.join("bin/sort")).unwrap();
        fs::create_dir_all(root.join("data/inner")).unwrap();
        for name in ["file", "gone", "inner/gone"] {
            fs::write(root.join("data").join(name), "original").unwrap();
        }
    });
    image.config = json!({
        "Env": ["PATH=/bin", "FROM=the image"], "WorkingDir": "/data", "Cmd": ["sh"], "Labels": { "made": "here" },
    });
    image
}

/// A sandbox that can be copied, also an ordinary user's: that has one user then.
pub fn prepared(lab: &Lab, archive: &Path) -> SandboxBuilder {
    let builder = lab.isobox.sandbox().provider("namespace").archive(archive);
    match rustix::process::geteuid().is_root() {
        true => builder,
        false => {
            let users = NamespaceUsers::Single;
            builder.options(ProviderOptions::Namespace(NamespaceOptions { users, ..NamespaceOptions::default() }))
        }
    }
}

/// A sandbox with all the changes, some of them in a snapshot that it stands on.
pub async fn changed(lab: &Lab, image: &Image) -> Sandbox {
    let first = prepared(lab, &image.archive("original:1")).env("GIVEN", "by the caller").create().await.unwrap();
    out(&first, CHANGES[0]).await;
    let snapshot = first.snapshot(SnapshotOptions::default()).await.unwrap();
    first.delete().await.unwrap();
    let second = lab.isobox.sandbox().provider("namespace").snapshot(snapshot.external).create().await.unwrap();
    out(&second, CHANGES[1]).await;
    second
}

/// What a script writes.
pub async fn out(sandbox: &Sandbox, script: &str) -> String {
    let result = sandbox.shell(script).await.unwrap();
    assert_eq!(result.stderr.text(), "", "{script}");
    result.stdout.text().into_owned()
}
