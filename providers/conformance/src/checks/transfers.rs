//! Copies from and to this machine.

use crate::check::{Check, Checked, refused, same};
use crate::lab::Lab;
use isobox::{Capability::*, ErrorCode, FileKind, Sandbox};
use std::os::unix::fs::{PermissionsExt, symlink};

pub(crate) const CHECKS: &[Check] = &[
    check!(upload_and_download_of_a_file, "A file is copied both ways, byte for byte, with its mode.")
        .shows(&[FilesUpload, FilesDownload])
        .programs(&[]),
    check!(
        upload_and_download_of_a_directory,
        "A directory is copied both ways with modes, links and empty directories."
    )
    .shows(&[FilesDirectories])
    .needs(&[FilesUpload, FilesDownload])
    .programs(&[]),
    check!(
        upload_and_download_of_many_files,
        "A thousand files are copied both ways, and what is no file is left out and counted."
    )
    .needs(&[FilesDirectories, FilesUpload, FilesDownload])
    .programs(&[]),
    check!(download_never_leaves_its_target, "A link that the sandbox has made leads nowhere on this machine.")
        .needs(&[FilesDirectories, FilesDownload]),
];

async fn upload_and_download_of_a_file(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let local = tempfile::tempdir()?;
    let contents: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    std::fs::write(local.path().join("up"), &contents)?;
    std::fs::set_permissions(local.path().join("up"), std::fs::Permissions::from_mode(0o755))?;
    let report = sandbox.files().upload(local.path().join("up"), "to/file").await?;
    same("what was copied", (report.files, report.bytes), (1, 100_000))?;
    same("the mode of the copy", sandbox.files().stat("to/file").await?.mode.map(|mode| mode & 0o777), Some(0o755))?;
    sandbox.files().download("to/file", local.path().join("down")).await?;
    ensure!(std::fs::read(local.path().join("down"))? == contents, "the copy back is not the same");
    let missing = sandbox.files().download("missing", local.path().join("none")).await;
    refused("a download of what is not there", missing, ErrorCode::NotFound)?;
    same("what is left of it", local.path().join("none").exists(), false)
}

async fn upload_and_download_of_a_directory(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let local = tempfile::tempdir()?;
    let up = local.path().join("up");
    std::fs::create_dir_all(up.join("empty"))?;
    std::fs::create_dir_all(up.join("a/b"))?;
    std::fs::write(up.join("a/b/file"), "contents")?;
    std::fs::set_permissions(up.join("a/b/file"), std::fs::Permissions::from_mode(0o700))?;
    symlink("a/b/file", up.join("link"))?;
    sandbox.files().upload(&up, "copy").await?;
    same("a file", &sandbox.files().read("copy/a/b/file").await?[..], &b"contents"[..])?;
    same("an empty directory", sandbox.files().stat("copy/empty").await?.kind, FileKind::Directory)?;
    same("a link", sandbox.files().stat_link("copy/link").await?.kind, FileKind::Symlink)?;
    let down = local.path().join("down");
    sandbox.files().download("copy", &down).await?;
    same("a file that came back", std::fs::read(down.join("a/b/file"))?, b"contents".to_vec())?;
    same("its mode", std::fs::metadata(down.join("a/b/file"))?.permissions().mode() & 0o777, 0o700)?;
    same("an empty directory that came back", down.join("empty").is_dir(), true)?;
    same("a link that came back", std::fs::read_link(down.join("link"))?, std::path::PathBuf::from("a/b/file"))
}

async fn upload_and_download_of_many_files(lab: &Lab) -> Checked {
    let many = lab.amount(1000, 10_000);
    let sandbox = lab.sandbox().await?;
    let local = tempfile::tempdir()?;
    let up = local.path().join("up");
    for number in 0..many {
        let directory = up.join((number / 100).to_string());
        std::fs::create_dir_all(&directory)?;
        std::fs::write(directory.join(number.to_string()), number.to_string())?;
    }
    let _socket = std::os::unix::net::UnixListener::bind(up.join("socket"))?;
    let sent = sandbox.files().upload(&up, "many").await?;
    same("files that were copied, and what was left out", (sent.files, sent.skipped), (many, 1))?;
    let down = local.path().join("down");
    let back = sandbox.files().download("many", &down).await?;
    same("files that came back", back.files, many)?;
    for number in 0..many {
        let file = down.join((number / 100).to_string()).join(number.to_string());
        same("a file that came back", std::fs::read(file)?, number.to_string().into_bytes())?;
    }
    Ok(())
}

async fn download_never_leaves_its_target(lab: &Lab) -> Checked {
    let sandbox: Sandbox = lab.sandbox().await?;
    let local = tempfile::tempdir()?;
    let outside = local.path().join("outside");
    std::fs::create_dir(&outside)?;
    let script = format!(
        "mkdir -p evil/in && ln -s {} evil/away && ln -s ../../.. evil/in/up && echo x > evil/file && mkfifo evil/pipe 2>/dev/null; :",
        outside.display()
    );
    sandbox.shell(script).await?;
    let down = local.path().join("down");
    sandbox.files().download("evil", &down).await?;
    // A second copy goes over what the first has left.
    sandbox.shell("rm -r evil/in evil/away && mkdir -p evil/away evil/in/up && echo y > evil/away/written && echo y > evil/in/up/written").await?;
    let again = sandbox.files().download("evil", &down).await;
    same("what is outside of the target", std::fs::read_dir(&outside)?.count(), 0)?;
    same("what is beside the target", local.path().join("written").exists(), false)?;
    ensure!(down.join("file").is_file(), "the harmless file did not come: {again:?}");
    Ok(())
}
