//! What is not claimed is refused by its dotted name, before anything has started.
//!
//! There is one check for each capability that is not claimed and that the interface can ask for by itself. Those that
//! only say how something is done, such as whether output comes as it is written, cannot be asked for.

mod calls;
mod commands;
mod specs;

use crate::check::{Act, Check, Checked, same};
use crate::lab::Lab;
use isobox::{Capabilities, Capability, Detail, ErrorCode, Owner, Result, SandboxSpec};
use std::borrow::Cow;

/// The checks for a provider with these claims.
pub(crate) fn of(claims: &Capabilities) -> Vec<Check> {
    let missing = Capability::ALL.iter().filter(|capability| !claims.has(**capability));
    missing.filter(|capability| can_be_asked(claims, **capability)).map(|capability| refusal(*capability)).collect()
}

fn refusal(capability: Capability) -> Check {
    let check = Check::new("", "", Act::Ask(capability)).programs(&[]);
    Check {
        name: Cow::Owned(format!("refuses.{capability}")),
        about: Cow::Owned(format!("What asks for {capability} is refused with this name.")),
        ..check
    }
}

/// Whether there is something that needs this and nothing else that is missing.
fn can_be_asked(claims: &Capabilities, capability: Capability) -> bool {
    match spec(claims, capability) {
        Some(spec) => spec.needs().into_iter().find(|need| !claims.has(*need)) == Some(capability),
        None => commands::request(capability).is_some() || calls::can_be_asked(claims, capability),
    }
}

/// A spec that needs the capability, and an owner that the provider knows.
fn spec(claims: &Capabilities, capability: Capability) -> Option<SandboxSpec> {
    let mut spec = specs::asking_for(capability)?;
    if capability != Capability::LifecycleOwner && !claims.has(Capability::LifecycleOwner) {
        spec.owner = Owner::Detached;
    }
    Some(spec)
}

/// Asks for it in every way there is.
pub(crate) async fn ask(lab: &Lab, capability: Capability) -> Checked {
    if let Some(spec) = spec(lab.all_claims(), capability) {
        let made = lab.with_spec(spec).create().await;
        if let Ok(made) = &made {
            lab.keep(made);
        }
        return refused("a sandbox with it", made.map(drop), capability);
    }
    let sandbox = lab.sandbox().await?;
    if let Some(request) = commands::request(capability) {
        return refused("a command with it", commands::start(&sandbox, request).await, capability);
    }
    for (what, answer) in calls::answers(lab, &sandbox, capability).await? {
        refused(what, answer, capability)?;
    }
    Ok(())
}

fn refused(what: &str, answer: Result<()>, capability: Capability) -> Checked {
    let error = crate::check::refused(what, answer, ErrorCode::Unsupported)?;
    let Detail::Unsupported { capability: named } = error.detail() else {
        ensure!(false, "{what} was refused without the name of a capability: {error}");
        return Ok(());
    };
    same("the capability that the refusal names", named.as_str(), capability.as_str())
}
