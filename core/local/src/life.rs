//! Stop, start and the end of a sandbox.
//!
//! ```text
//! running ──stop──> stopped ──start──> running          one at a time, of all processes of this machine
//!    └──delete──> gone <──delete──┘
//! ```
//!
//! A handle is for all of it: its facets go on over the connection to the agent of now. Another process may stop or start
//! the sandbox too; a handle learns of a stop at once, and of a start when it starts the sandbox itself, which then just
//! connects.

use crate::disk::MadeDisk;
use crate::forked::Lease;
use crate::keeper::{Keeper, Leave};
use crate::launch::{Launch, launch};
use crate::record::LocalRecord;
use crate::removal::clear;
use crate::sandbox::LocalSandbox;
use crate::settings::left_of;
use crate::stopped::{Stopped, Turn};
use futures::future::join_all;
use isobox_contract::{Context, Detail, Ended, Error, ErrorCode, Exec, Resource, Result, SandboxId};
use isobox_guest::{Greeting, Guest};
use isobox_wire::launch::SOCKET_NAME;
use isobox_wire::system::SetLifetimes;
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::UnixStream;

/// What ending commands may take beyond their grace.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a keeper may take from removing the sandbox's directory to its own end.
const LAST_WORDS: Duration = Duration::from_secs(15);

/// A sandbox that runs, found by its directory.
pub(crate) struct Found {
    pub(crate) guest: Guest,
    pub(crate) keeper: Arc<Keeper>,
}

/// Connects to the sandbox of a record, if it runs.
///
/// # Errors
/// `unauthenticated` when the record's token is not the sandbox's.
pub(crate) async fn find(record: &LocalRecord, id: &SandboxId, owner: bool) -> Result<Option<Found>> {
    let stream = match dial(&record.state_dir).await {
        Ok(stream) => stream,
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::ConnectionRefused) => {
            return Ok(None);
        }
        Err(error) => return Err(Error::transport("cannot connect to the sandbox's agent").with_source(error)),
    };
    // The keeper has bound the socket. Its number cannot have been given to another process while the agent answers,
    // which ends with its keeper.
    let pid = stream.peer_cred().ok().and_then(|peer| peer.pid()).filter(|pid| *pid > 0);
    let Some(pid) = pid.map(i32::unsigned_abs) else {
        return Err(Error::transport("the sandbox belongs to another process namespace, use it from there"));
    };
    let Ok(keeper) = Keeper::watch(*id, &record.state_dir, pid, None) else { return Ok(None) };
    let guest = Guest::connect(Lease::new(stream), greeting(record, owner), keeper.obituary()).await?;
    Ok(Some(Found { guest, keeper }))
}

/// Ends whatever runs in a sandbox's directory, and removes everything that is found by the sandbox's id: that directory, its
/// cgroups, the limit of its disk. Needs no token: the directory is this user's.
pub(crate) async fn end_nameless(state_dir: &Path, id: &SandboxId) -> Result<()> {
    let pid = listening(state_dir).await;
    // Before the directory goes, which tells of one.
    let projects = crate::reserved::projects(state_dir);
    if let Some(pid) = pid
        && let Ok(keeper) = Keeper::watch(*id, state_dir, pid, None)
        // While it is watched its number stays its own; before that it may have ended, and the number be another's.
        && listening(state_dir).await == Some(pid)
    {
        keeper.end(None, Leave::Nothing).await?;
    }
    let (name, directory) = (*id, state_dir.to_owned());
    let removed = tokio::task::spawn_blocking(move || {
        isobox_cgroup::remove_named(&isobox_cgroup::Layout::of_this_machine(), name.as_str());
        isobox_fault::point!("nameless.ended");
        crate::removal::remove(&directory)?;
        isobox_fault::point!("nameless.removed");
        if let Some(places) = directory.parent() {
            // As with the keeper, which may have done it already.
            projects.iter().for_each(|project| drop(project.end(places)));
        }
        crate::reserved::forget(&directory);
        Ok(())
    });
    removed.await.unwrap_or_else(|_| Err(Error::internal("the removal of a sandbox broke off")))
}

/// The process that has bound the socket in a directory, if anything answers there.
async fn listening(state_dir: &Path) -> Option<u32> {
    let pid = dial(state_dir).await.ok()?.peer_cred().ok()?.pid()?;
    (pid > 0).then(|| pid.unsigned_abs())
}

pub(crate) fn greeting(record: &LocalRecord, owner: bool) -> Greeting {
    Greeting { token: record.token.clone(), build: isobox_agent::BUILD_ID.into(), owner }
}

/// Connects to the agent's socket. Through the open directory, because a socket's path may be 108 bytes and no longer.
pub(crate) async fn dial(state_dir: &Path) -> std::io::Result<UnixStream> {
    let directory = openat(CWD, state_dir, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    UnixStream::connect(format!("/proc/self/fd/{}/{SOCKET_NAME}", directory.as_raw_fd())).await
}

impl LocalSandbox {
    /// Starts it, as [`isobox_contract::Sandbox::start`].
    pub(crate) async fn start_again(&self, context: &Context) -> Result<()> {
        self.here()?;
        context.remaining("start")?;
        let ending = self.keeper().is_some_and(|keeper| keeper.is_asked());
        match self.ended_now().await {
            None if !ending => return Ok(()),
            None | Some(Ended::Stopped) => {}
            Some(_) => return Err(self.guest.lost().await),
        }
        let turn = self.turn().await?;
        match self.ended_now().await {
            // Another task has started it, since what is about to end has the turn.
            None => return Ok(()),
            Some(Ended::Stopped) => {}
            Some(_) => return Err(self.guest.lost().await),
        }
        if let Some(found) = find(&self.record, &self.id, self.owned.load(Ordering::Relaxed)).await? {
            found.keeper.listen(found.guest.clone());
            self.go_on(&found.guest, found.keeper);
            return Ok(());
        }
        let stopped = Stopped::read(&self.record.state_dir, &self.kind)?;
        let mut stopped = stopped.ok_or_else(|| Error::not_found(Resource::Sandbox, self.id))?;
        stopped.settings.ttl = stopped.settings.ttl.map(|ttl| left_of(ttl, self.age()));
        if stopped.settings.lease.is_some() {
            // Whoever starts it is its owner.
            self.owned.store(true, Ordering::Relaxed);
        }
        isobox_fault::point!("start.taken");
        let again = self.cgroups.as_ref().map(|cgroups| cgroups.make_again(&self.id)).transpose()?;
        isobox_fault::point!("start.cgroups_made");
        if let Some(again) = &again {
            stopped.put_into(again.wire.clone());
        }
        let (role, config) = stopped.relaunch()?;
        let (state_dir, token) = (self.record.state_dir.clone(), self.record.token.clone());
        let cgroups = self.cgroups.clone();
        let disk = match self.record.disk {
            Some(disk) => Some(MadeDisk::again(disk, &state_dir).await?),
            None => None,
        };
        let id = self.id;
        let started =
            launch(Launch { id, state_dir, role, config, token, cgroups, disk, image: None }, Some(&turn)).await?;
        self.go_on(&started.guest, started.keeper);
        Ok(())
    }

    fn go_on(&self, guest: &Guest, keeper: Arc<Keeper>) {
        self.guest.continue_with(guest);
        keeper.witnessed_by(self.guest.witness(), self.cgroups.clone());
        self.put_authority(None);
        self.put_keeper(keeper);
    }

    /// Stops it, as [`isobox_contract::Sandbox::stop`].
    pub(crate) async fn stop_now(&self, grace: Option<Duration>, context: &Context) -> Result<()> {
        self.here()?;
        context.remaining("stop")?;
        if self.record.disk.is_some_and(|disk| disk.is_in_memory()) {
            let message = "the sandbox keeps what it writes in memory, which a stop would lose: delete it instead";
            let capability = "lifecycle.stop".to_owned();
            return Err(Error::new(ErrorCode::Unsupported, message).with_detail(Detail::Unsupported { capability }));
        }
        if let Some(Ended::Stopped) = self.ended_as() {
            return Ok(());
        }
        let turn = self.turn().await?;
        let keeper = match (self.ended_as(), self.keeper()) {
            (None, Some(keeper)) => keeper,
            (Some(Ended::Stopped), _) | (_, None) => return Ok(()),
            (Some(_), _) => return Err(self.guest.lost().await),
        };
        let lifetimes = self.guest.lifetimes(SetLifetimes::default()).await.ok();
        if let Some(grace) = grace.filter(|grace| !grace.is_zero()) {
            if let Some(cgroups) = &self.cgroups {
                // What stands still hears no TERM.
                cgroups.resume().await?;
            }
            self.end_commands(grace).await;
        }
        isobox_fault::point!("stop.taken");
        keeper.end(Some(&turn), Leave::Files).await?;
        isobox_fault::point!("stop.ended");
        if !matches!(keeper.ended(), Some(Ended::Stopped)) {
            return Err(Error::new(ErrorCode::Incomplete, "the sandbox ended, and its files could not be kept"));
        }
        match lifetimes {
            None => Ok(()),
            Some(lifetimes) => self.change_stopped(|settings| {
                let age = self.age();
                settings.ttl = lifetimes.ttl.and_then(|left| age.checked_add(left));
                settings.idle_timeout = lifetimes.idle_timeout;
                settings.lease = lifetimes.lease;
            }),
        }
    }

    /// TERM for every command's tree, and KILL for what is left of it after the grace.
    async fn end_commands(&self, grace: Duration) {
        let Ok(all) = self.guest.processes().await else { return };
        let stopped = join_all(all.iter().map(|process| self.guest.stop_process(&process.id, Some(grace))));
        // What does not end so is killed with the sandbox.
        let _ = tokio::time::timeout(grace.saturating_add(PATIENCE), stopped).await;
    }

    /// Changes the settings of the next start. The caller has the turn.
    pub(crate) fn change_stopped(&self, change: impl FnOnce(&mut isobox_wire::Settings)) -> Result<()> {
        let Some(mut stopped) = Stopped::read(&self.record.state_dir, &self.kind)? else { return Ok(()) };
        change(&mut stopped.settings);
        stopped.write(&self.record.state_dir)
    }

    /// Ends it for good and waits until everything of it is gone.
    pub(crate) async fn remove_all(&self) -> Result<()> {
        self.here()?;
        let turn = match self.turn().await {
            Err(error) if error.code() == ErrorCode::NotFound => None,
            turn => Some(turn?),
        };
        isobox_fault::point!("delete.taken");
        if let Some(keeper) = self.keeper() {
            keeper.end(turn.as_ref(), Leave::Nothing).await?;
        }
        if matches!(self.ended_as(), Some(Ended::Stopped))
            && let Ok(Some(found)) = find(&self.record, &self.id, false).await
        {
            // Somebody else has started it again.
            found.keeper.end(turn.as_ref(), Leave::Nothing).await?;
        }
        isobox_fault::point!("delete.ended");
        if let Some(cgroups) = &self.cgroups {
            cgroups.remove().await;
        }
        self.gone.store(true, Ordering::Release);
        let cleared = clear(&self.record);
        isobox_fault::point!("delete.cleared");
        cleared
    }

    pub(crate) async fn turn(&self) -> Result<Turn> {
        Turn::take(&self.record.state_dir, &self.id).await
    }

    /// How it ended, if it has, as far as this handle knows.
    pub(crate) fn ended_as(&self) -> Option<Ended> {
        if self.gone.load(Ordering::Acquire) {
            return Some(Ended::Deleted);
        }
        self.keeper().map_or(Some(Ended::Stopped), |keeper| keeper.ended())
    }

    /// Why it is gone, if it died. One whose directory is gone is about to end: its keeper removes that first, and is waited for.
    pub async fn obituary(&self) -> Option<Error> {
        let ended = match (self.ended_now().await, self.keeper()) {
            (None, Some(keeper)) if self.record.state_dir.symlink_metadata().is_err() => {
                tokio::time::timeout(LAST_WORDS, keeper.wait()).await.ok()
            }
            (ended, _) => ended,
        };
        match ended {
            Some(Ended::Died(post_mortem)) => Some(Error::sandbox_gone(*post_mortem)),
            _ => None,
        }
    }

    /// How it ended, if it has, also when another process has just ended it.
    async fn ended_now(&self) -> Option<Ended> {
        match self.keeper() {
            Some(keeper) if !self.gone.load(Ordering::Acquire) => keeper.ended_now().await,
            _ => self.ended_as(),
        }
    }

    /// What the end of the owner's handle means for a stopped sandbox: nobody could find it again.
    pub(crate) fn abandon(&self) {
        let record = self.record.clone();
        // Not here, since a handle may be dropped anywhere, and the files may be many.
        std::thread::spawn(move || {
            if Stopped::is_in(&record.state_dir)
                && std::os::unix::net::UnixStream::connect(record.state_dir.join(SOCKET_NAME)).is_err()
            {
                let _ = clear(&record);
            }
        });
    }
}
