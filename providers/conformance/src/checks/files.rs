//! Files of a sandbox.

use crate::check::{Check, Checked, refused, same};
use crate::lab::Lab;
use crate::memory::Memory;
use isobox::{Capability::*, Detail, ErrorCode, FileChangeKind, FileErrorKind, FileKind, Range, WriteOptions};
use std::os::unix::fs::PermissionsExt;
use tokio::io::AsyncReadExt;

pub(crate) const CHECKS: &[Check] = &[
    check!(files_round_trip, "What is written is read back byte for byte, and the directories on the way are made.")
        .programs(&[]),
    check!(files_need_no_program, "Files work in a sandbox that has no program at all.")
        .shows(&[FilesNative])
        .needs(&[SourceRootfs])
        .programs(&[]),
    check!(files_are_those_of_commands, "Commands see files that are written, and what they write is seen.")
        .programs(&["sh", "cat"]),
    check!(files_belong_to_the_user, "A new file is 0644 and a new directory 0755, and commands can change both."),
    check!(
        files_in_parts,
        "A part of a file is read, past the end there is nothing, and what is added comes at the end."
    )
    .programs(&[]),
    check!(
        files_as_streams,
        "Files of any size go through streams, and one that is shorter than was said is an error."
    )
    .programs(&[]),
    check!(files_are_not_collected, "A large file goes through streams both ways in little memory.")
        .alone()
        .programs(&[]),
    check!(
        files_missing_are_not_found,
        "What is not there is not_found with the path, and is no fault of the provider."
    )
    .programs(&[]),
    check!(files_are_listed, "A directory is listed sorted, as deep as asked for, with what each thing is.")
        .programs(&[]),
    check!(files_with_any_name, "A name of any bytes is written, listed and read.").programs(&[]),
    check!(
        files_are_moved_copied_and_removed,
        "Renaming replaces, copies are whole, and removing what is not there is fine."
    )
    .programs(&[]),
    check!(files_have_modes, "Permission bits are set and read back.").shows(&[FilesPermissions]).programs(&[]),
    check!(files_have_owners, "Owners are set and read back.").shows(&[FilesOwnership]).programs(&[]),
    check!(files_can_be_links, "Links are made, read and not followed where that would lead elsewhere.")
        .shows(&[FilesSymlinks])
        .programs(&[]),
    check!(files_are_watched, "Changes by commands and by others are told as they happen.").shows(&[FilesWatch]),
    check!(files_while_it_is_stopped, "Files are read and written while the sandbox is stopped.")
        .shows(&[FilesStopped])
        .needs(&[LifecycleStop])
        .programs(&[]),
];

async fn files_round_trip(lab: &Lab) -> Checked {
    let files = lab.sandbox().await?.files();
    let binary: Vec<u8> = (0..=255).cycle().take(300 << 10).collect();
    for (path, contents) in [("plain", b"text\n".to_vec()), ("empty", Vec::new()), ("a/deep/er/file", binary)] {
        files.write(path, contents.clone()).await?;
        ensure!(files.read(path).await?[..] == contents[..], "{path} is not as it was written");
        same("its size", files.stat(path).await?.size, contents.len() as u64)?;
    }
    files.write("plain", "short").await?;
    same("a file that was replaced", &files.read("plain").await?[..], &b"short"[..])
}

async fn files_need_no_program(lab: &Lab) -> Checked {
    let empty = tempfile::tempdir()?;
    std::fs::set_permissions(empty.path(), std::fs::Permissions::from_mode(0o755))?;
    let sandbox = lab.make(lab.bare().rootfs(empty.path())).await?;
    let files = sandbox.files();
    files.write("/tmp/a/file", "contents").await?;
    files.copy("/tmp/a", "/tmp/b").await?;
    same("a copy", &files.read("/tmp/b/file").await?[..], &b"contents"[..])?;
    let names: Vec<_> =
        files.list_depth("/tmp", 2).await?.into_iter().map(|entry| entry.path.to_string_lossy().into_owned()).collect();
    same("what is there", names, vec!["a", "a/file", "b", "b/file"])
}

async fn files_are_those_of_commands(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    sandbox.files().write("ours", "from outside\n").await?;
    same("what a command reads", sandbox.exec(["cat", "ours"]).await?.stdout.text(), "from outside\n")?;
    let absolute = sandbox.workdir().join(&"ours".into());
    same("the same by its whole path", sandbox.files().read(absolute).await?.len(), 13)?;
    sandbox.shell("echo from inside > theirs").await?;
    same("what a command wrote", &sandbox.files().read("theirs").await?[..], &b"from inside\n"[..])
}

async fn files_belong_to_the_user(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    sandbox.files().write("directory/file", "one\n").await?;
    let mode =
        async |path: &str| Ok::<_, crate::Stop>(sandbox.files().stat(path).await?.mode.map(|mode| mode & 0o7777));
    same("the mode of a file", mode("directory/file").await?, Some(0o644))?;
    same("the mode of a directory", mode("directory").await?, Some(0o755))?;
    let result = sandbox.shell("echo two >> directory/file && : > directory/other").await?;
    same("whether commands can change both", result.success(), true)?;
    let (ours, theirs) =
        (sandbox.files().stat("directory/file").await?, sandbox.files().stat("directory/other").await?);
    same("whose it is", (ours.uid, ours.gid), (theirs.uid, theirs.gid))
}

async fn files_in_parts(lab: &Lab) -> Checked {
    let files = lab.sandbox().await?.files();
    files.append("file", "0123").await?;
    files.append("file", "456789").await?;
    for (offset, length, expected) in [
        (0, Some(3), "012"),
        (4, Some(2), "45"),
        (8, Some(100), "89"),
        (8, None, "89"),
        (10, None, ""),
        (1000, Some(1), ""),
        (2, Some(0), ""),
    ] {
        let read = files.read_range("file", Range { offset, length }, 1000).await?;
        same(&format!("{length:?} bytes at {offset}"), &read[..], expected.as_bytes())?;
    }
    refused("more than the limit", files.read_range("file", Range::ALL, 9).await, ErrorCode::LimitExceeded)?;
    Ok(())
}

async fn files_as_streams(lab: &Lab) -> Checked {
    let files = lab.sandbox().await?.files();
    let contents: Vec<u8> = (0..16 << 20).map(|i: u32| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    same("bytes written", files.write_stream("large", &contents[..]).await?, contents.len() as u64)?;
    let mut read = Vec::new();
    files.read_stream("large").await?.read_to_end(&mut read).await?;
    ensure!(read == contents, "{} bytes came back of {}, or others", read.len(), contents.len());
    let longer = WriteOptions { length: Some(100), ..WriteOptions::default() };
    let short = files.write_stream_with("short", &b"only this"[..], longer).await;
    refused("a stream that is shorter than was said", short, ErrorCode::Io)?;
    Ok(())
}

async fn files_are_not_collected(lab: &Lab) -> Checked {
    let much = lab.amount(128 << 20, 1 << 30);
    let files = lab.sandbox().await?.files();
    let memory = Memory::now();
    same("bytes written", files.write_stream("large", tokio::io::repeat(7).take(much)).await?, much)?;
    let mut stream = files.read_stream("large").await?;
    let (mut read, mut piece) = (0, vec![0; 64 << 10]);
    loop {
        let length = stream.read(&mut piece).await?;
        if length == 0 {
            break;
        }
        ensure!(piece[..length].iter().all(|byte| *byte == 7), "other bytes came back than were written");
        read += length as u64;
    }
    same("bytes read", read, much)?;
    memory.is_flat()?;
    Ok(files.remove("large").await?)
}

async fn files_missing_are_not_found(lab: &Lab) -> Checked {
    let files = lab.sandbox().await?.files();
    for (what, result) in [
        ("read", files.read("missing").await.map(drop)),
        ("stat", files.stat("missing").await.map(drop)),
        ("list", files.list("missing").await.map(drop)),
        ("rename", files.rename("missing", "other").await),
        ("copy", files.copy("missing", "other").await),
        ("read_stream", files.read_stream("missing").await.map(drop)),
    ] {
        let error = refused(what, result, ErrorCode::NotFound)?;
        let told = matches!(error.detail(), Detail::File { kind: FileErrorKind::NotFound, .. });
        ensure!(told && !error.is_infrastructure(), "{what}: the detail is {:?}", error.detail());
    }
    same("whether it is there", files.exists("missing").await?, false)?;
    files.mkdir("directory").await?;
    ensure!(files.read("directory").await.is_err(), "a directory is read as a file");
    ensure!(files.write("directory", "x").await.is_err(), "a directory is written as a file");
    Ok(())
}

async fn files_are_listed(lab: &Lab) -> Checked {
    let files = lab.sandbox().await?.files();
    files.write("top/b/inner", "12345").await?;
    files.write("top/a", "1").await?;
    files.mkdir("top/c").await?;
    let listed = |entries: Vec<isobox::Entry>| -> Vec<(String, FileKind, u64)> {
        let size = |entry: &isobox::Entry| if entry.metadata.kind == FileKind::File { entry.metadata.size } else { 0 };
        entries
            .iter()
            .map(|entry| (entry.path.to_string_lossy().into_owned(), entry.metadata.kind, size(entry)))
            .collect()
    };
    let flat = listed(files.list("top").await?);
    let (file, directory) = (FileKind::File, FileKind::Directory);
    same("what is in it", flat, vec![("a".into(), file, 1), ("b".into(), directory, 0), ("c".into(), directory, 0)])?;
    let deep = listed(files.list_depth("top", 2).await?);
    let expected = vec![
        ("a".into(), file, 1),
        ("b".into(), directory, 0),
        ("b/inner".into(), file, 5),
        ("c".into(), directory, 0),
    ];
    same("what is below it", deep, expected)
}

async fn files_with_any_name(lab: &Lab) -> Checked {
    let files = lab.sandbox().await?.files();
    let names: [&[u8]; 6] = [b"\xff\xfe", b"new\nline", b" space ", b"-rf", b"\xc3\xa9", b"*$(x)"];
    for name in names {
        let path = isobox::SandboxPath::new([b"names/".as_slice(), name].concat());
        files.write(&path, name.to_vec()).await?;
        same("what is in it", &files.read(&path).await?[..], name)?;
    }
    let mut listed: Vec<_> =
        files.list("names").await?.into_iter().map(|entry| entry.path.as_bytes().to_vec()).collect();
    listed.sort();
    let mut expected: Vec<_> = names.iter().map(|name| name.to_vec()).collect();
    expected.sort();
    same("the names", listed, expected)
}

async fn files_are_moved_copied_and_removed(lab: &Lab) -> Checked {
    let files = lab.sandbox().await?.files();
    files.write("one", "1").await?;
    files.write("two", "2").await?;
    files.rename("one", "two").await?;
    same("what was replaced", &files.read("two").await?[..], &b"1"[..])?;
    same("what was renamed", files.exists("one").await?, false)?;
    files.write("tree/a/b", "inner").await?;
    files.copy("tree", "copy").await?;
    same("a copy", &files.read("copy/a/b").await?[..], &b"inner"[..])?;
    ensure!(files.remove("tree").await.is_err(), "a directory with something in it was removed as if it were empty");
    files.remove_all("tree").await?;
    files.remove_all("tree").await?;
    files.remove("tree").await?;
    same("what was removed", files.exists("tree").await?, false)?;
    same("the copy afterwards", files.exists("copy/a/b").await?, true)
}

async fn files_have_modes(lab: &Lab) -> Checked {
    let files = lab.sandbox().await?.files();
    files.write("file", "x").await?;
    for mode in [0o600, 0o755, 0o4711, 0o444] {
        files.chmod("file", mode).await?;
        same("the mode", files.stat("file").await?.mode.map(|mode| mode & 0o7777), Some(mode))?;
    }
    let options = WriteOptions { mode: Some(0o750), ..WriteOptions::default() };
    files.mkdir_with("directory", options).await?;
    same("the mode of a directory", files.stat("directory").await?.mode.map(|mode| mode & 0o7777), Some(0o750))
}

async fn files_have_owners(lab: &Lab) -> Checked {
    let files = lab.sandbox().await?.files();
    files.write("file", "x").await?;
    files.chown("file", "1234:2345").await?;
    let found = files.stat("file").await?;
    same("its owner", (found.uid, found.gid), (Some(1234), Some(2345)))?;
    let options = WriteOptions { owner: Some("4321".to_owned()), ..WriteOptions::default() };
    files.write_with("other", "x", options).await?;
    same("the owner of a new one", files.stat("other").await?.uid, Some(4321))
}

async fn files_can_be_links(lab: &Lab) -> Checked {
    let files = lab.sandbox().await?.files();
    files.write("target/file", "here").await?;
    files.symlink("target", "link").await?;
    same("the text of a link", files.read_link("link").await?.to_string_lossy().as_ref(), "target")?;
    same("what a link is", files.stat_link("link").await?.kind, FileKind::Symlink)?;
    same("what it leads to", files.stat("link").await?.kind, FileKind::Directory)?;
    same("a file behind it", &files.read("link/file").await?[..], &b"here"[..])?;
    files.remove_all("link").await?;
    same("the target after the link was removed", files.exists("target/file").await?, true)?;
    files.symlink("nowhere", "dangling").await?;
    same("whether a dangling link leads to something", files.exists("dangling").await?, false)
}

async fn files_are_watched(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    sandbox.files().mkdir("watched/below").await?;
    let mut watch = sandbox.files().watch_all("watched").await?;
    sandbox.shell("echo one > watched/file; echo two >> watched/below/other; mv watched/file watched/moved").await?;
    sandbox.files().remove("watched/moved").await?;
    let mut seen = Vec::new();
    while !seen.iter().any(|(kind, path)| *kind == FileChangeKind::Removed && path == "moved") {
        let Some(change) = watch.next().await? else { break };
        let path = change.path.to_string_lossy().into_owned();
        seen.push((change.kind, path));
    }
    let told = |kind, path: &str| seen.iter().any(|(seen, at)| *seen == kind && at == path);
    ensure!(told(FileChangeKind::Created, "file"), "a new file was not told: {seen:?}");
    ensure!(told(FileChangeKind::Created, "below/other"), "a new file below was not told: {seen:?}");
    ensure!(told(FileChangeKind::Renamed, "file"), "a new name was not told: {seen:?}");
    ensure!(told(FileChangeKind::Removed, "moved"), "a removal was not told: {seen:?}");
    Ok(())
}

async fn files_while_it_is_stopped(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    sandbox.files().write("before", "1").await?;
    sandbox.stop(None).await?;
    same("a file", &sandbox.files().read("before").await?[..], &b"1"[..])?;
    sandbox.files().write("between", "2").await?;
    sandbox.start().await?;
    same("what was written meanwhile", &sandbox.files().read("between").await?[..], &b"2"[..])
}
