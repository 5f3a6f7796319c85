//! From settings to a sandbox that is to be made.

use crate::args::CommandsFlags;
use crate::config::{Config, Settings};
use crate::{options, parse, source, whose};
use isobox::{Error, Isobox, Lifetime, NamespaceOptions, ProviderOptions, Resources, Result, SandboxBuilder};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

/// How long a sandbox exists that outlives its command, when nothing says.
pub(crate) const DEFAULT_TTL: Duration = Duration::from_secs(24 * 3600);

/// Variables, as bytes.
pub(crate) type Variables = Vec<(Vec<u8>, Vec<u8>)>;

/// What flags say of variables.
pub(crate) fn variables(flags: &[OsString]) -> Result<Variables> {
    let parsed = flags.iter().map(|text| parse::variable(text, |name| std::env::var_os(name)));
    parsed.filter_map(Result::transpose).collect()
}

/// What to make, but for how it is named and who owns it.
pub(crate) async fn builder(isobox: &Isobox, config: &Config, settings: &Settings) -> Result<SandboxBuilder> {
    let provider = &*provider(isobox, config, settings).await?;
    let builder = isobox.sandbox().provider(provider).resources(Resources {
        cpus: settings.cpus,
        memory: settings.memory,
        disk: settings.disk,
        pids: settings.pids,
        gpus: None,
    });
    let mounts = settings.mounts.iter().chain(&settings.tmpfs);
    let builder = mounts.cloned().fold(builder, SandboxBuilder::mount);
    let builder = settings.volumes.iter().cloned().fold(builder, SandboxBuilder::volume_mount);
    let builder = maybe(builder, provider_options(provider, settings)?, SandboxBuilder::options);
    let builder = settings.labels.iter().fold(builder, |builder, (name, value)| builder.label(name, value));
    let builder = settings.env.iter().fold(builder, |builder, (name, value)| builder.env(name, value));
    let builder = maybe(builder, source::of(isobox, provider, settings).await?, SandboxBuilder::source);
    let builder = maybe(builder, settings.rootfs.as_ref(), SandboxBuilder::rootfs);
    let builder = maybe(builder, settings.workspace.as_ref(), SandboxBuilder::workspace);
    let builder = maybe(builder, settings.network.clone(), SandboxBuilder::network);
    let builder = maybe(builder, settings.ttl, SandboxBuilder::ttl);
    let builder = maybe(builder, settings.idle_timeout, SandboxBuilder::idle_timeout);
    let builder = maybe(builder, settings.name.as_ref(), SandboxBuilder::name);
    let builder = maybe(builder, settings.user.as_ref(), SandboxBuilder::user);
    Ok(maybe(builder, settings.workdir.as_ref(), |builder, directory| builder.workdir(directory.as_str())))
}

/// The provider that is meant: when none is named, the one that has what the sandbox is to be made with.
async fn provider(isobox: &Isobox, config: &Config, settings: &Settings) -> Result<String> {
    if let Some(named) = config.named_provider(settings.provider.as_deref()) {
        return Ok(named.to_owned());
    }
    let volumes: Vec<_> = settings.volumes.iter().map(|volume| volume.volume.as_str()).collect();
    whose::sandbox(isobox, settings.snapshot.as_deref(), &volumes).await
}

/// What flags of the command say of every command in the sandbox.
pub(crate) fn with_command(builder: SandboxBuilder, workdir: Option<&OsStr>, user: Option<&str>) -> SandboxBuilder {
    let builder = maybe(builder, user, SandboxBuilder::user);
    maybe(builder, workdir, |builder, workdir| builder.workdir(workdir.as_bytes()))
}

/// What flags of a sandbox say of every command in it, but for its variables.
pub(crate) fn with_commands(builder: SandboxBuilder, flags: &CommandsFlags) -> SandboxBuilder {
    let builder = with_command(builder, flags.workdir.as_deref(), flags.user.as_deref());
    if flags.image_entrypoint { builder.entrypoint() } else { builder }
}

/// Lets it outlive this process.
pub(crate) fn outliving(builder: SandboxBuilder, settings: &Settings, env: Variables) -> Result<SandboxBuilder> {
    let ttl = settings.ttl.unwrap_or(Lifetime::After(DEFAULT_TTL));
    with_variables(builder.ttl(ttl).detached(), env)
}

/// Gives variables to every command in it.
pub(crate) fn with_variables(builder: SandboxBuilder, env: Variables) -> Result<SandboxBuilder> {
    env.into_iter().try_fold(builder, |builder, (name, value)| {
        match (String::from_utf8(name), String::from_utf8(value)) {
            (Ok(name), Ok(value)) => Ok(builder.env(name, value)),
            _ => Err(Error::invalid_spec("--env", "is not UTF-8, which variables of a whole sandbox are")),
        }
    })
}

fn provider_options(provider: &str, settings: &Settings) -> Result<Option<ProviderOptions>> {
    if settings.disk_backing.is_some() && settings.disk.is_none() {
        return Err(Error::invalid_spec("disk_backing", "is for a disk of limited size, give --disk too"));
    }
    // Only the namespace provider has a choice there; any other refuses the limit by its own reason.
    let chosen = settings.disk.filter(|_| [isobox::AUTO, "namespace"].contains(&provider));
    let disk_backing = chosen.map(|_| settings.disk_backing.unwrap_or(isobox::DiskBacking::Tmpfs));
    let read_only_root = settings.read_only.unwrap_or(false);
    if read_only_root && ![isobox::AUTO, "namespace"].contains(&provider) {
        return Err(Error::invalid_spec("--read-only", format!("is not for the provider {provider}, leave it out")));
    }
    match options::of(provider, &settings.options)? {
        Some(ProviderOptions::Namespace(given)) => {
            // A flag of its own counts more than the same as an option.
            let read_only_root = read_only_root || given.read_only_root;
            let disk_backing = settings.disk_backing.and(disk_backing).or(given.disk_backing).or(disk_backing);
            Ok(Some(ProviderOptions::Namespace(NamespaceOptions { read_only_root, disk_backing, ..given })))
        }
        Some(other) => Ok(Some(other)),
        None => {
            let options = NamespaceOptions { read_only_root, disk_backing, ..NamespaceOptions::default() };
            Ok((options != NamespaceOptions::default()).then_some(ProviderOptions::Namespace(options)))
        }
    }
}

/// The builder with a value, where there is one.
pub(crate) fn maybe<B, V>(builder: B, value: Option<V>, set: impl FnOnce(B, V) -> B) -> B {
    match value {
        Some(value) => set(builder, value),
        None => builder,
    }
}
