//! From what is seen of a machine to what it offers.
//!
//! Root uses the top of what it can see, as container engines do, so that sandboxes do not end with a login session. An
//! ordinary user has what was delegated: first a cgroup that its manager marked as handed over, then the nearest one
//! without processes, then its own.

use crate::layout::{Controller, Layout, Place, Unified};
use crate::obstacle::Obstacle;
use crate::parse::{self, Mount};
use crate::view::View;
use std::path::{Path, PathBuf};

pub(crate) fn detect(view: &dyn View, root: bool) -> Layout {
    let read = |path: &str| view.read(Path::new(path)).unwrap_or_default();
    let mounts = parse::mounts(&read("/proc/self/mountinfo"));
    let own = parse::own_unified(&read("/proc/self/cgroup"));
    let legacy = |controller: Controller| legacy(view, &mounts, controller, root);
    // What a v1 hierarchy has, v2 cannot have as well.
    let wanted: Vec<_> = Controller::ALL.into_iter().filter(|controller| legacy(*controller).is_none()).collect();
    let unified = unified(view, &mounts, own.as_deref(), &wanted, root);
    let place = |controller| legacy(controller).unwrap_or_else(|| in_unified(&unified, controller));
    Layout { cpu: place(Controller::Cpu), memory: place(Controller::Memory), pids: place(Controller::Pids), unified }
}

fn in_unified(unified: &Result<Unified, Obstacle>, controller: Controller) -> Result<Place, Obstacle> {
    match unified {
        Ok(unified) if unified.controllers.contains(&controller) => Ok(Place::Unified),
        Ok(unified) => Err(Obstacle::NoController { controller, parent: unified.parent.clone() }),
        Err(obstacle) => Err(obstacle.clone()),
    }
}

/// The v1 hierarchy of a controller, if it is in one.
fn legacy(view: &dyn View, mounts: &[Mount], controller: Controller, root: bool) -> Option<Result<Place, Obstacle>> {
    let has = |mount: &&Mount| mount.controllers.iter().flatten().any(|name| name == controller.name());
    let mount = mounts.iter().find(has)?;
    if mount.read_only {
        return Some(Err(Obstacle::ReadOnly(mount.point.clone())));
    }
    if !root || !view.writable(&mount.point) {
        return Some(Err(Obstacle::LegacyNeedsRoot(controller)));
    }
    if controller == Controller::Cpu && view.read(&mount.point.join("cpu.cfs_quota_us")).is_none() {
        return Some(Err(Obstacle::NoBandwidth));
    }
    Some(Ok(Place::Legacy(mount.point.clone())))
}

fn unified(
    view: &dyn View,
    mounts: &[Mount],
    own: Option<&Path>,
    wanted: &[Controller],
    root: bool,
) -> Result<Unified, Obstacle> {
    let mut all = mounts.iter().filter(|mount| mount.controllers.is_none()).peekable();
    let first = *all.peek().ok_or(Obstacle::NotMounted)?;
    let seen = all.find_map(|mount| Some((mount, parse::below(mount, own?)?)));
    let (mount, own) = seen.ok_or_else(|| Obstacle::Elsewhere(first.point.clone()))?;
    if mount.read_only {
        return Err(Obstacle::ReadOnly(mount.point.clone()));
    }
    let mut chain: Vec<Cgroup<'_>> = own
        .ancestors()
        .take_while(|path| path.starts_with(&mount.point))
        .map(|path| Cgroup { view, path: path.into() })
        .collect();
    let own = chain[0].clone();
    if root {
        chain.reverse();
    }
    let free = || chain.iter().find(|cgroup| cgroup.is_ours() && !cgroup.is_crowded(wanted));
    let crowded = || Some(&own).filter(|own| own.is_ours() && (!root || own.path == mount.point));
    let handed_over = || crowded().filter(|own| !root && view.delegated(&own.path));
    let Some(chosen) = handed_over().or_else(free).or_else(crowded) else {
        return Err(Obstacle::NotDelegated);
    };
    if chosen.is_threaded() {
        return Err(Obstacle::Threaded(chosen.path.clone()));
    }
    let controllers = chosen.controllers();
    Ok(Unified {
        crowded: chosen.is_crowded(wanted),
        controllers: wanted.iter().copied().filter(|wanted| controllers.contains(wanted)).collect(),
        parent: chosen.path.clone(),
    })
}

/// One cgroup of the v2 hierarchy.
#[derive(Clone)]
struct Cgroup<'a> {
    view: &'a dyn View,
    path: PathBuf,
}

impl Cgroup<'_> {
    fn read(&self, file: &str) -> Option<String> {
        self.view.read(&self.path.join(file))
    }

    /// Whether children can be made and processes moved between them.
    fn is_ours(&self) -> bool {
        let writable = |file: &str| self.view.writable(&self.path.join(file));
        self.view.writable(&self.path) && writable("cgroup.procs") && writable("cgroup.subtree_control")
    }

    /// The root of all has no type.
    fn is_threaded(&self) -> bool {
        self.read("cgroup.type").is_some_and(|kind| kind.trim() != "domain")
    }

    /// Whether it has processes that keep it from giving the wanted controllers to its children.
    fn is_crowded(&self, wanted: &[Controller]) -> bool {
        let enabled = listed(self.read("cgroup.subtree_control"));
        let missing = self.controllers().into_iter().any(|has| wanted.contains(&has) && !enabled.contains(&has));
        let is_top = self.read("cgroup.type").is_none();
        missing && !is_top && self.read("cgroup.procs").is_some_and(|all| !all.trim().is_empty())
    }

    fn controllers(&self) -> Vec<Controller> {
        listed(self.read("cgroup.controllers"))
    }
}

fn listed(text: Option<String>) -> Vec<Controller> {
    let text = text.unwrap_or_default();
    let is_listed = |controller: &Controller| text.split_whitespace().any(|name| name == controller.name());
    Controller::ALL.into_iter().filter(is_listed).collect()
}

#[cfg(test)]
#[path = "detect_tests.rs"]
mod tests;
