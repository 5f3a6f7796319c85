//! What a sandbox is made from.

use crate::check::{Check, Checked, refused, same};
use crate::lab::Lab;
use isobox::contract::DockerfileText;
use isobox::{Capability::*, ErrorCode, ImageSource, PullPolicy, Source, WorkspaceOwnership};

pub(crate) const CHECKS: &[Check] = &[
    check!(source_is_an_image, "A sandbox made from an image has its files, and an image that is not there is image_not_found or cannot be fetched.").shows(&[SourceImage, ImagesPull, ImagesProgress, ImagesManage]).programs(&[]),
    check!(source_has_a_platform, "An image is fetched for the architecture that is asked for.").shows(&[SourcePlatform]).programs(&[]),
    check!(source_is_an_archive, "An archive of an image is loaded, and sandboxes are made from it.").shows(&[SourceArchive, ImagesLoad]).programs(&[]),
    check!(source_is_a_dockerfile, "A sandbox made from a Dockerfile has what its lines have made.").shows(&[SourceDockerfile]).programs(&[]),
    check!(source_is_a_directory, "A sandbox has a directory of this machine as its root, and never changes it.").shows(&[SourceRootfs]).programs(&[]),
    check!(source_is_this_machine, "A sandbox has the programs of this machine, and none of its users' files.").shows(&[SourceHost]),
    check!(source_is_a_workspace, "A directory that is the workspace is changed in place and stays when the sandbox goes.").shows(&[SourceHostDirectory]).programs(&[]),
];

fn image(lab: &Lab) -> Checked<String> {
    match &lab.fixtures().remote_image {
        Some(image) => Ok(image.clone()),
        None => lab.fixture("image", |fixtures| &fixtures.image),
    }
}

async fn source_is_an_image(lab: &Lab) -> Checked {
    let image = image(lab)?;
    lab.keep_image(&image).await;
    let images = lab.isobox().images().provider(lab.kind());
    let pulled = images.pull(image.as_str()).await?;
    ensure!(pulled.id.is_some(), "what was fetched has no id");
    let sandbox = lab.make(lab.bare().image(image.as_str())).await?;
    same("whether its shell is there", sandbox.files().exists("/bin/sh").await?, true)?;
    let told = lab.raw(&sandbox).await?.describe().await?.image;
    ensure!(told.is_some(), "it does not say what image it is made from");
    ensure!(!images.list().await?.is_empty(), "the image is not listed");
    let missing = ImageSource {
        reference: "conformance-is-not-there:1".to_owned(),
        pull: PullPolicy::Never,
        ..ImageSource::default()
    };
    let made = lab.bare().source(Source::Image(missing)).create().await;
    refused("an image that is not there and must not be fetched", made.map(drop), ErrorCode::ImageNotFound)?;
    Ok(())
}

async fn source_has_a_platform(lab: &Lab) -> Checked {
    let reference = image(lab)?;
    lab.keep_image(&reference).await;
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let source = |platform: String| {
        Source::Image(ImageSource { reference: reference.clone(), platform: Some(platform), ..ImageSource::default() })
    };
    let here = lab.make(lab.bare().source(source(format!("linux/{arch}")))).await?;
    same("whether its shell is there", here.files().exists("/bin/sh").await?, true)?;
    let nowhere = lab.bare().source(source("linux/conformance".to_owned())).create().await;
    ensure!(nowhere.is_err(), "an image for an architecture that there is none of was found");
    Ok(())
}

async fn source_is_an_archive(lab: &Lab) -> Checked {
    let archive = lab.fixture("archive", |fixtures| &fixtures.archive)?;
    let images = lab.isobox().images().provider(lab.kind());
    let before = images.list().await?;
    let loaded = images.load(&archive).await?;
    ensure!(!loaded.is_empty(), "nothing was loaded");
    for image in loaded.iter().filter(|image| before.iter().all(|other| other.reference != image.reference)) {
        lab.remove_image(&image.reference);
    }
    let sandbox = lab.make(lab.bare().archive(&archive)).await?;
    same("whether its shell is there", sandbox.files().exists("/bin/sh").await?, true)?;
    let missing = lab.bare().archive("/conformance/is/not/there.tar").create().await;
    refused("an archive that is not there", missing.map(drop), ErrorCode::InvalidSpec)?;
    Ok(())
}

async fn source_is_a_dockerfile(lab: &Lab) -> Checked {
    let text = lab.fixture("dockerfile", |fixtures| &fixtures.dockerfile)?;
    let source = Source::Dockerfile { content: DockerfileText::from(text.as_str()), context: None };
    let sandbox = lab.make(lab.bare().source(source)).await?;
    same("whether its file is there", sandbox.files().exists("/conformance").await?, true)
}

async fn source_is_a_directory(lab: &Lab) -> Checked {
    use std::os::unix::fs::PermissionsExt;
    let root = lab.home().join(lab.unique());
    std::fs::create_dir_all(root.join("data"))?;
    std::fs::write(root.join("data/file"), "original")?;
    std::fs::set_permissions(&root, std::fs::Permissions::from_mode(0o755))?;
    let sandbox = lab.make(lab.bare().rootfs(&root)).await?;
    same("a file", &sandbox.files().read("/data/file").await?[..], &b"original"[..])?;
    sandbox.files().write("/data/file", "changed").await?;
    same("the file in it", &sandbox.files().read("/data/file").await?[..], &b"changed"[..])?;
    same("the file on this machine", std::fs::read(root.join("data/file"))?, b"original".to_vec())?;
    refused(
        "a directory that is not there",
        lab.bare().rootfs(root.join("none")).create().await.map(drop),
        ErrorCode::InvalidSpec,
    )?;
    Ok(())
}

async fn source_is_this_machine(lab: &Lab) -> Checked {
    let sandbox = lab.make(lab.bare().source(Source::Host)).await?;
    same("a command", sandbox.shell("echo here").await?.stdout.text(), "here\n")?;
    let secret = tempfile::Builder::new().prefix("conformance").tempdir()?;
    std::fs::write(secret.path().join("file"), "private")?;
    let seen = sandbox.files().exists(secret.path().join("file").as_path().to_string_lossy().into_owned()).await?;
    same("whether it sees the files of this user", seen, false)
}

async fn source_is_a_workspace(lab: &Lab) -> Checked {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("file"), "before")?;
    let sandbox = lab.make(lab.bare().workspace(directory.path())).await?;
    same("a file", &sandbox.files().read("file").await?[..], &b"before"[..])?;
    sandbox.files().write("file", "after").await?;
    same("whose it is", sandbox.describe().await?.workspace, Some(WorkspaceOwnership::Designated))?;
    sandbox.delete().await?;
    same("the file when the sandbox is gone", std::fs::read(directory.path().join("file"))?, b"after".to_vec())
}
