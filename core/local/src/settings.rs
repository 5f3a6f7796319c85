//! What the agent of a sandbox is told of its spec.

use isobox_contract::{Error, Lifetime, Lifetimes, Owner, Result, SandboxSpec};
use isobox_wire::system::SetLifetimes;
use isobox_wire::{Blob, Settings, settings};
use std::time::Duration;

/// How long a sandbox outlives its owner's connection unless the spec says otherwise.
pub const LEASE: Duration = Duration::from_secs(5);
/// Bytes of a token.
const TOKEN: usize = 32;

/// A fresh secret.
fn token() -> Result<Vec<u8>> {
    let mut token = vec![0; TOKEN];
    let filled = rustix::rand::getrandom(&mut token, rustix::rand::GetRandomFlags::empty());
    match filled {
        Ok(TOKEN) => Ok(token),
        _ => Err(Error::internal("the system has no random numbers")),
    }
}

/// The agent's settings for a spec.
///
/// # Errors
/// When the system has no random numbers for the token.
pub fn settings(spec: &SandboxSpec, place: settings::Place) -> Result<Settings> {
    let blob = |text: &str| Blob::from(text.as_bytes().to_vec());
    let after = |lifetime: Option<Lifetime>| match lifetime {
        Some(Lifetime::After(duration)) => Some(duration),
        _ => None,
    };
    Ok(Settings {
        build: isobox_agent::BUILD_ID.into(),
        token: Blob::from(token()?),
        env: spec.env.iter().map(|(name, value)| (blob(name), blob(value))).collect(),
        user: spec.user.clone(),
        workdir: spec.workdir.as_ref().map(|workdir| Blob::from(workdir.as_bytes().to_vec())),
        make_workdir: false,
        temporary: None,
        place,
        lease: match spec.owner {
            Owner::Process => Some(spec.lifetimes.owner_lease.unwrap_or(LEASE)),
            Owner::Detached => None,
        },
        lifeline: None,
        ttl: after(spec.lifetimes.ttl),
        idle_timeout: after(spec.lifetimes.idle_timeout),
        pause_after: crate::pause_after(&spec.lifetimes),
    })
}

/// What the agent of a sandbox of this age is told of new lifetimes: it counts from now on, the contract from the creation. Only
/// who owns the sandbox has a lease.
pub fn set_lifetimes(lifetimes: &Lifetimes, age: Duration, owned: bool) -> SetLifetimes {
    let left = |lifetime: Option<Lifetime>, age: Duration| match lifetime {
        Some(Lifetime::After(duration)) => Some(duration.saturating_sub(age)),
        _ => None,
    };
    SetLifetimes {
        ttl: Some(left(lifetimes.ttl, age)),
        idle_timeout: Some(left(lifetimes.idle_timeout, Duration::ZERO)),
        lease: lifetimes.owner_lease.filter(|_| owned).map(Some),
        touch: false,
    }
}

/// The same for a sandbox that is stopped, in what its agent is started with next. There its ttl counts from the creation.
pub fn keep_lifetimes(set: &SetLifetimes, age: Duration, settings: &mut Settings) {
    settings.ttl = set.ttl.flatten().and_then(|left| age.checked_add(left));
    settings.idle_timeout = set.idle_timeout.flatten();
    settings.lease = set.lease.unwrap_or(settings.lease);
}

/// What is left of a ttl at this age. All of it again, when it is over: it has ended the sandbox already.
pub fn left_of(ttl: Duration, age: Duration) -> Duration {
    ttl.checked_sub(age).filter(|left| !left.is_zero()).unwrap_or(ttl)
}
