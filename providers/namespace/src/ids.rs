//! Which ids a sandbox has, and what they are on the host.
//!
//! | isobox runs as | `users` | inside 0 | inside 1 to 65535 |
//! |---|---|---|---|
//! | root | any but `single` | 0x70000000 | what follows that |
//! | root of a user namespace that does not have these | any but `single` | the first of the last ids that it has, up to 65536, but not its own | what follows that |
//! | an ordinary user with subordinate ids | `range`, or `auto` when several users are likely | the caller | the subordinate ids |
//! | an ordinary user | `single`, or `auto` | the caller | none |

use isobox_contract::{Capability, Detail, Error, ErrorCode, LaunchStep, NamespaceUsers, Result, SandboxSpec, Source};
use isobox_machine::subids::{self, Subordinate};
use isobox_wire::launch::{IdHelpers, IdRange};
use isobox_wire::remedy;
use rustix::process::{getegid, geteuid};

/// The ids that the caller can give.
#[derive(Clone, Debug)]
pub(crate) enum Ids {
    /// A range that owns nothing on the machine, or as good as nothing in the container that this is.
    Root(subids::Range),
    /// The caller's own and its subordinate ones.
    Several(Box<Subordinate>),
    /// The caller's own, and why not more.
    One(String),
    /// Root's own, which no sandbox gets.
    Nothing,
}

/// The ids of one sandbox.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Maps {
    pub(crate) users: Vec<IdRange>,
    pub(crate) groups: Vec<IdRange>,
    pub(crate) helpers: Option<IdHelpers>,
    /// Whether directories are shown with their owners mapped.
    pub(crate) id_mapped: bool,
}

impl Ids {
    /// What this process can give.
    pub(crate) fn here() -> Self {
        if geteuid().is_root() {
            return match isobox_machine::root_range() {
                Some(range) => Self::Root(range),
                None => Self::Nothing,
            };
        }
        match isobox_machine::subordinate() {
            Ok(ids) => Self::Several(Box::new(ids)),
            Err(remedy) => Self::One(remedy.hint()),
        }
    }

    /// Whether a sandbox can have several users.
    pub(crate) fn several(&self) -> bool {
        !matches!(self, Self::One(_) | Self::Nothing)
    }

    /// Why a sandbox cannot have several users.
    pub(crate) fn why_one(&self) -> Option<String> {
        match self {
            Self::One(why) => Some(why.clone()),
            Self::Root(_) | Self::Several(_) | Self::Nothing => None,
        }
    }

    /// The ids of a sandbox.
    ///
    /// # Errors
    /// `unsupported` when a range is asked for and there is none.
    pub(crate) fn maps(&self, spec: &SandboxSpec, users: NamespaceUsers) -> Result<Maps> {
        let one = |outside| vec![IdRange { inside: 0, outside, count: 1 }];
        match (self, users) {
            (Self::Root(range), _) => {
                let count = if users == NamespaceUsers::Single { 1 } else { range.count };
                let range = vec![IdRange { inside: 0, outside: range.first, count }];
                Ok(Maps { users: range.clone(), groups: range, helpers: None, id_mapped: true })
            }
            (Self::Nothing, _) => {
                let hint = remedy::NO_IDS.hint();
                let detail = Detail::Launch { step: LaunchStep::UserMapping, errno: None, hint: Some(hint.clone()) };
                let message = format!("there are no ids for a sandbox; {hint}");
                Err(Error::new(ErrorCode::EngineUnavailable, message).with_detail(detail))
            }
            (Self::One(why), NamespaceUsers::Range) => {
                let message = format!("options.namespace.users is range, and there is one id here; {why}");
                let capability = Capability::ExecUser.into();
                Err(Error::new(ErrorCode::Unsupported, message).with_detail(Detail::Unsupported { capability }))
            }
            (Self::Several(ids), users) if users == NamespaceUsers::Range || wants_several(spec, users) => {
                let (users, groups, helpers) = isobox_local::maps(ids);
                Ok(Maps { users, groups, helpers: Some(helpers), id_mapped: false })
            }
            _ => Ok(Maps {
                users: one(geteuid().as_raw()),
                groups: one(getegid().as_raw()),
                helpers: None,
                id_mapped: false,
            }),
        }
    }
}

/// Whether a sandbox is likely to need more users than its root: it is to run as another, is a whole system, or shares a
/// volume with one that does, in which both have to see the same owners. The machine's own programs work without, and two
/// helpers would be started for nothing.
fn wants_several(spec: &SandboxSpec, users: NamespaceUsers) -> bool {
    let root = |user: &str| ["root", "0", "0:0", "root:root"].contains(&user);
    // What an ordinary user's snapshot holds was made with one id.
    let system = matches!(spec.source, Source::Image(_) | Source::Archive { .. } | Source::Dockerfile { .. });
    let shares = !spec.volumes.is_empty();
    users == NamespaceUsers::Auto && (system || shares || spec.user.as_deref().is_some_and(|user| !root(user)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox_machine::subids::Range;

    fn several() -> Ids {
        let map = vec![(0, Range { first: 1000, count: 1 }), (1, Range { first: 100_000, count: 65_535 })];
        Ids::Several(Box::new(Subordinate {
            newuidmap: "/usr/bin/newuidmap".into(),
            newgidmap: "/usr/bin/newgidmap".into(),
            uid_map: map.clone(),
            gid_map: map,
        }))
    }

    fn count(ids: &Ids, users: NamespaceUsers, spec: &SandboxSpec) -> usize {
        ids.maps(spec, users).unwrap().users.iter().map(|range| range.count as usize).sum()
    }

    #[test]
    fn a_range_is_taken_when_it_is_likely_to_be_needed() {
        use NamespaceUsers::{Auto, Range, Single};
        let plain = SandboxSpec::default();
        let named = SandboxSpec { user: Some("nobody".into()), ..plain.clone() };
        let root = SandboxSpec { user: Some("0".into()), ..plain.clone() };
        let ids = several();
        let counts = [(Auto, &plain), (Auto, &named), (Auto, &root), (Range, &plain), (Single, &named)];
        assert_eq!(counts.map(|(users, spec)| count(&ids, users, spec)), [1, 65_536, 1, 65_536, 1]);
        assert_eq!(
            [Auto, Range, Single].map(|users| count(
                &Ids::Root(subids::Range { first: 0x7000_0000, count: 65_536 }),
                users,
                &plain
            )),
            [65_536, 65_536, 1]
        );
    }

    #[test]
    fn a_range_that_is_not_there_is_refused_with_the_way_out() {
        let ids = Ids::One("apt install uidmap".into());
        let error = ids.maps(&SandboxSpec::default(), NamespaceUsers::Range).unwrap_err();
        assert!(error.message().contains("apt install uidmap"), "{error}");
        assert_eq!(count(&ids, NamespaceUsers::Auto, &SandboxSpec::default()), 1);
    }
}
