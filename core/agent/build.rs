//! Compiles the agent for the library to embed: the same package once more, as a static program.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Sources that decide how the agent behaves, as far as they are beside this package.
const SOURCES: [&str; 4] = ["build.rs", "src", "../wire/src", "../tree/src"];

fn main() {
    println!("cargo:rerun-if-env-changed=ISOBOX_AGENT_BINARY");
    println!("cargo:rerun-if-env-changed=ISOBOX_AGENT_BUILD");
    let package = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let build = env::var("ISOBOX_AGENT_BUILD").unwrap_or_else(|_| build_id(&package));
    println!("cargo:rustc-env=ISOBOX_AGENT_BUILD={build}");
    if env::var_os("CARGO_FEATURE_PROGRAM").is_some() {
        return;
    }
    let out = PathBuf::from(variable("OUT_DIR"));
    let embedded = out.join("isobox-agent");
    let made = match env::var_os("ISOBOX_AGENT_BINARY") {
        Some(given) => PathBuf::from(given),
        None => compile(&package, &out, &build),
    };
    fs::copy(&made, &embedded).unwrap_or_else(|error| panic!("cannot read the agent {}: {error}", made.display()));
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name} for build scripts"))
}

/// Names this state of the sources, so that an agent and a client that were not built together refuse each other.
fn build_id(package: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    variable("CARGO_PKG_VERSION").hash(&mut hasher);
    for source in SOURCES.map(|source| package.join(source)) {
        hash_sources(&source, &mut hasher);
    }
    format!("{}-{:016x}", variable("CARGO_PKG_VERSION"), hasher.finish())
}

fn hash_sources(path: &Path, hasher: &mut DefaultHasher) {
    println!("cargo:rerun-if-changed={}", path.display());
    if let Ok(entries) = fs::read_dir(path) {
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths.iter().for_each(|path| hash_sources(path, hasher));
    } else if let Ok(contents) = fs::read(path) {
        path.file_name().hash(hasher);
        contents.hash(hasher);
    }
}

/// Runs cargo for the program alone, in a target directory of its own that all profiles share.
fn compile(package: &Path, out: &Path, build: &str) -> PathBuf {
    let triple = static_triple();
    let target = out.ancestors().nth(4).unwrap_or(out).join("isobox-agent");
    let mut cargo = Command::new(variable("CARGO"));
    for (name, _) in env::vars_os() {
        // What cargo set for this script would change the build of the program.
        let name = name.to_string_lossy().into_owned();
        let kept = ["CARGO_HOME", "CARGO_NET_OFFLINE", "CARGO_TERM_COLOR", "CARGO_HTTP_PROXY"];
        if (name.starts_with("CARGO") || name.starts_with("RUSTC") || name == "RUSTFLAGS" || name == "TARGET")
            && !kept.contains(&name.as_str())
            // A build for another processor needs its linker.
            && !(name.starts_with("CARGO_TARGET_") && name.ends_with("_LINKER"))
        {
            cargo.env_remove(name);
        }
    }
    cargo
        .args(["build", "--release", "--quiet", "--bin", "isobox-agent", "--features", "program", "--target", &triple])
        .args(["--config", "profile.release.panic='abort'", "--config", "profile.release.lto='fat'"])
        .args([
            "--config",
            "profile.release.codegen-units=1",
            "--config",
            "profile.release.strip='symbols'",
            "--config",
            "profile.release.opt-level='s'",
        ])
        .arg("--manifest-path")
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .env("ISOBOX_AGENT_BUILD", build)
        // Relocations packed: 60 kB less. The C library has to understand them, which glibc does since 2.36. Nobody unwinds a
        // program that aborts, so it needs no tables for that, nor an index of those that the C library brings.
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            "-Ctarget-feature=+crt-static\x1f-Clink-arg=-Wl,-z,pack-relative-relocs,--no-eh-frame-hdr\x1f-Cforce-unwind-tables=no",
        );
    let status = cargo.status().unwrap_or_else(|error| panic!("cannot run cargo to build the agent: {error}"));
    assert!(
        status.success(),
        "the agent did not build for {triple}; a static C library is needed (Debian: libc6-dev), or set \
         ISOBOX_AGENT_BINARY to an agent built elsewhere"
    );
    target.join(triple).join("release/isobox-agent")
}

/// The agent always runs on Linux, on the processor that the library is built for.
fn static_triple() -> String {
    let target = variable("TARGET");
    if target.contains("-linux-") { target } else { format!("{}-unknown-linux-gnu", variable("CARGO_CFG_TARGET_ARCH")) }
}
