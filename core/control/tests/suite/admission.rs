//! Limits, turns and the queue.

use super::{act, code};
use crate::common::{Books, begun, create, running};
use isobox_contract::*;
use isobox_control::*;
use std::time::Duration;

async fn limit(store: &Books, creates: u64, live: Option<u64>) {
    let limits = Limits { concurrent_creates: creates, live_sandboxes: live, ..Limits::default() };
    store.set_limits(limits).await.unwrap();
}

/// A request of a process that has not ended.
async fn of(store: &Books, program: &str) -> OwnerId {
    let process = ProcessIdentity { pid: 7, started: 1, boot: "now".into(), pid_namespace: 1 };
    let (id, created_at) = (OwnerId::generate(), Timestamp::now());
    let owner = OwnerEntry { id, process, lock_inode: 0, program: program.into(), created_at, ended_at: None };
    store.put_owner(owner).await.unwrap();
    id
}

fn in_turn(owner: Option<OwnerId>) -> CreateRequest {
    CreateRequest { owner, admission: Admission::InTurn, ..create(None) }
}

async fn queued(store: &Books, request: CreateRequest) -> (CreateRequest, Held) {
    match store.begin_create(request).await.unwrap() {
        Created::Queued { request, held } => (*request, held),
        other => panic!("{other:?}"),
    }
}

async fn made(store: &Books, operation: &OperationId) {
    store.confirm(operation, Outcome::state(State::Running)).await.unwrap();
}

pub async fn limits_are_the_same_for_all_and_bad_ones_are_refused_by_name(store: Books) {
    let before = store.limits().await.unwrap();
    assert_eq!(before, Limits::default());
    let refused = async |limits: Limits| {
        let error = store.set_limits(limits).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidSpec);
        error.message().to_owned()
    };
    let default = Limits::default;
    assert!(refused(Limits { concurrent_creates: 0, ..default() }).await.contains("limits.concurrent_creates"));
    assert!(refused(Limits { concurrent_creates: u64::MAX, ..default() }).await.contains("limits.concurrent_creates"));
    assert!(refused(Limits { live_sandboxes: Some(0), ..default() }).await.contains("limits.live_sandboxes"));
    assert!(refused(Limits { queue_length: u64::MAX, ..default() }).await.contains("limits.queue_length"));
    assert!(refused(Limits { queue_wait: Duration::MAX, ..default() }).await.contains("limits.queue_wait"));
    assert_eq!(store.limits().await.unwrap(), before);
    let queue_wait = Duration::from_millis(1500);
    let wanted = Limits { concurrent_creates: 3, live_sandboxes: Some(9), queue_length: 0, queue_wait };
    store.set_limits(wanted.clone()).await.unwrap();
    assert_eq!(store.limits().await.unwrap(), wanted);
}

pub async fn a_request_without_room_waits_and_begins_when_there_is_some(store: Books) {
    limit(&store, 1, None).await;
    let (_, first) = begun(&store, in_turn(None)).await;
    let before = store.last_sequence().await.unwrap();
    let (request, held) = queued(&store, in_turn(None)).await;
    assert_eq!((held.waiting, held.limit, held.max), (1, "limits.concurrent_creates", 1));
    assert_eq!(store.standing(&request.operation).await.unwrap(), Standing::Full);
    assert_eq!(code(store.sandbox(&request.id).await), ErrorCode::NotFound, "nothing was begun");
    assert_eq!(store.last_sequence().await.unwrap(), before, "nor told");
    let (request, again) = queued(&store, request).await;
    assert_eq!(again.waiting, 1, "asking again is not waiting twice");

    made(&store, &first.id).await;
    assert_eq!(store.standing(&request.operation).await.unwrap(), Standing::Turn);
    let (late, _) = queued(&store, in_turn(None)).await;
    let (_, second) = begun(&store, request).await;
    assert_eq!(store.standing(&second.id).await.unwrap(), Standing::Gone, "the ticket is used");
    store.fail(&second.id, super::report(ErrorCode::Internal), Some(State::Deleted)).await.unwrap();
    begun(&store, late).await;
}

pub async fn what_does_not_mind_the_limits_is_not_held_up(store: Books) {
    limit(&store, 1, None).await;
    begun(&store, in_turn(None)).await;
    queued(&store, in_turn(None)).await;
    begun(&store, create(None)).await;
    assert_eq!(store.queue().await.unwrap().making.len(), 2);
}

pub async fn turns_go_round_over_processes(store: Books) {
    limit(&store, 2, None).await;
    let (many, few) = (of(&store, "many").await, of(&store, "few").await);
    let mut making = vec![begun(&store, in_turn(Some(many))).await.1, begun(&store, in_turn(Some(many))).await.1];
    let mut waiting = Vec::new();
    for _ in 0..20 {
        waiting.push(queued(&store, in_turn(Some(many))).await.0);
    }
    let (last, _) = queued(&store, in_turn(Some(few))).await;
    let listed = store.queue().await.unwrap();
    assert_eq!((listed.making.len(), listed.waiting.len()), (2, 21));
    let first = &listed.waiting[0];
    assert_eq!((first.operation, first.position), (last.operation, Some(1)), "it is making none");
    assert_eq!((first.owner, first.pid, first.program.as_deref()), (Some(few), Some(7), Some("few")));
    assert_eq!((first.sandbox, first.action), (last.id, Action::Create));
    let order: Vec<OperationId> = listed.waiting[1..].iter().map(|entry| entry.operation).collect();
    assert_eq!(order, waiting.iter().map(|request| request.operation).collect::<Vec<_>>());

    made(&store, &making.remove(0).id).await;
    assert_eq!(store.standing(&waiting[0].operation).await.unwrap(), Standing::Behind(last.operation));
    let (request, _) = queued(&store, waiting.remove(0)).await;
    begun(&store, last).await;
    made(&store, &making.remove(0).id).await;
    begun(&store, request).await;
}

pub async fn the_background_comes_last(store: Books) {
    limit(&store, 1, None).await;
    let (_, first) = begun(&store, in_turn(None)).await;
    let refill = CreateRequest { admission: Admission::Background, ..in_turn(None) };
    let (refill, _) = queued(&store, refill).await;
    let (caller, _) = queued(&store, in_turn(None)).await;
    let listed = store.queue().await.unwrap().waiting;
    assert_eq!(listed.iter().map(|entry| entry.background).collect::<Vec<_>>(), [false, true]);
    made(&store, &first.id).await;
    let (refill, _) = queued(&store, refill).await;
    let (_, second) = begun(&store, caller).await;
    made(&store, &second.id).await;
    begun(&store, refill).await;
}

pub async fn a_full_queue_is_overloaded_and_nothing_is_left(store: Books) {
    let default = Limits::default;
    store.set_limits(Limits { concurrent_creates: 1, queue_length: 2, ..default() }).await.unwrap();
    begun(&store, in_turn(None)).await;
    for _ in 0..2 {
        queued(&store, in_turn(None)).await;
    }
    let request = CreateRequest { spec: SandboxSpec::default().name("mine"), ..in_turn(None) };
    let error = store.begin_create(request.clone()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Overloaded);
    assert!(matches!(error.detail(), Detail::Limit { limit, max: Some(2) } if limit == "limits.queue_length"));
    assert!(error.is_retryable() && error.retry_after().is_some());
    assert_eq!(code(store.sandbox(&request.id).await), ErrorCode::NotFound);
    assert_eq!(code(store.operation(&request.operation).await), ErrorCode::NotFound);
    assert!(store.sandbox_by_name("mine").await.unwrap().is_none());
    assert_eq!(store.queue().await.unwrap().waiting.len(), 2);
    store.set_limits(Limits { concurrent_creates: 1, queue_wait: Duration::ZERO, ..default() }).await.unwrap();
    let error = store.begin_create(request).await.unwrap_err();
    assert!(matches!(error.detail(), Detail::Limit { limit, max: Some(1) } if limit == "limits.concurrent_creates"));
}

pub async fn a_dead_process_holds_no_room_and_no_turn(store: Books) {
    limit(&store, 1, None).await;
    let (dead, other) = (of(&store, "dead").await, of(&store, "other").await);
    begun(&store, in_turn(Some(dead))).await;
    queued(&store, in_turn(Some(dead))).await;
    let (request, _) = queued(&store, in_turn(Some(other))).await;
    store.end_owner(&dead).await.unwrap();
    assert_eq!(store.standing(&request.operation).await.unwrap(), Standing::Turn);
    let (_, operation) = begun(&store, request).await;
    let listed = store.queue().await.unwrap();
    assert_eq!((listed.making.len(), listed.waiting.len()), (1, 0));
    made(&store, &operation.id).await;

    // What it owned ends by itself, and what it left behind lives on.
    limit(&store, 1, Some(2)).await;
    let (request, _) = begun(&store, in_turn(Some(other))).await;
    made(&store, &store.queue().await.unwrap().making[0].operation).await;
    assert_eq!(store.queue().await.unwrap().live, 2, "{}", request.id);
    let (next, _) = queued(&store, in_turn(None)).await;
    store.end_owner(&other).await.unwrap();
    begun(&store, next).await;
}

pub async fn a_ticket_that_is_taken_back_holds_nobody_up(store: Books) {
    limit(&store, 1, None).await;
    let (_, first) = begun(&store, in_turn(None)).await;
    let (given_up, _) = queued(&store, in_turn(None)).await;
    let (request, _) = queued(&store, in_turn(None)).await;
    store.leave_queue(&given_up.operation).await.unwrap();
    store.leave_queue(&given_up.operation).await.unwrap();
    made(&store, &first.id).await;
    begun(&store, request).await;
    // It is told, and waits anew if it asks again.
    assert_eq!(store.standing(&given_up.operation).await.unwrap(), Standing::Gone);
    queued(&store, given_up).await;
}

pub async fn a_name_that_is_taken_meanwhile_is_found_when_the_turn_comes(store: Books) {
    limit(&store, 1, None).await;
    let (_, first) = begun(&store, in_turn(None)).await;
    let named = |get| CreateRequest { get, spec: SandboxSpec::default().name("same"), ..in_turn(None) };
    let (request, _) = queued(&store, named(true)).await;
    let other = running(&store, Some("same")).await;
    match store.begin_create(request).await.unwrap() {
        Created::Exists { sandbox } => assert_eq!(sandbox.id, other.id, "without waiting for a turn"),
        other => panic!("{other:?}"),
    }
    assert_eq!(code(store.begin_create(named(false)).await), ErrorCode::AlreadyExists);
    made(&store, &first.id).await;
}

pub async fn live_sandboxes_are_counted_until_they_are_stopped_or_gone(store: Books) {
    limit(&store, 10, Some(2)).await;
    let (first, second) = (running(&store, None).await, running(&store, None).await);
    let (request, held) = queued(&store, in_turn(None)).await;
    assert_eq!((held.limit, held.max), ("limits.live_sandboxes", 2));
    act(&store, &first.id, Action::Stop, State::Stopped).await;
    let (_, third) = begun(&store, request).await;
    made(&store, &third.id).await;

    let start = ActionRequest { admission: Admission::InTurn, ..ActionRequest::new(first.id, Action::Start) };
    let Begun::Queued { request: start, held } = store.begin(start).await.unwrap() else { panic!("there is no room") };
    assert_eq!((held.limit, store.sandbox(&first.id).await.unwrap().state), ("limits.live_sandboxes", State::Stopped));
    act(&store, &second.id, Action::Delete, State::Deleted).await;
    assert!(matches!(store.begin(*start).await.unwrap(), Begun::Begun { .. }));
    assert_eq!(store.queue().await.unwrap().live, 2);
}

pub async fn copies_need_room_for_all_of_them(store: Books) {
    limit(&store, 1, Some(3)).await;
    let first = running(&store, None).await;
    let with = |others: usize| {
        let others = (0..others).map(|_| (SandboxId::generate(), OperationId::generate())).collect();
        CreateRequest { others, ..in_turn(None) }
    };
    assert_eq!(code(store.begin_create(with(3)).await), ErrorCode::Overloaded, "there never is");
    let named = CreateRequest { spec: SandboxSpec::default().name("same"), ..with(1) };
    assert_eq!(code(store.begin_create(named).await), ErrorCode::InvalidSpec, "one name is for one");
    let (three, _) = queued(&store, with(2)).await;
    let (one, _) = queued(&store, in_turn(None)).await;
    assert_eq!(store.standing(&one.operation).await.unwrap(), Standing::Full, "nobody overtakes");
    act(&store, &first.id, Action::Delete, State::Deleted).await;
    let all: Vec<_> = std::iter::once((three.id, three.operation)).chain(three.others.clone()).collect();
    begun(&store, three).await;
    assert_eq!(store.queue().await.unwrap().live, 3, "all at once, so nobody comes in between");
    assert_eq!(store.standing(&one.operation).await.unwrap(), Standing::Full);
    for (sandbox, operation) in all {
        assert_eq!(store.sandbox(&sandbox).await.unwrap().state, State::Creating);
        made(&store, &operation).await;
        assert_eq!(store.sandbox(&sandbox).await.unwrap().state, State::Running);
    }
}

pub async fn what_a_pool_keeps_ready_is_handed_out_once(store: Books) {
    let pooled = || CreateRequest { pool: Some("warm".into()), ..create(None) };
    let (ready, operation) = begun(&store, pooled()).await;
    let handout = |spec| Handout { sandbox: ready.id, spec, owner: None };
    let early = store.hand_out(handout(SandboxSpec::default())).await;
    assert_eq!(code(early), ErrorCode::InvalidState, "it is still being made");
    made(&store, &operation.id).await;
    assert_eq!(store.sandbox(&ready.id).await.unwrap().pool.as_deref(), Some("warm"));

    running(&store, Some("taken")).await;
    let mut spec = SandboxSpec::default().name("taken").label("team", "blue");
    assert_eq!(code(store.hand_out(handout(spec.clone())).await), ErrorCode::AlreadyExists);
    spec = spec.name("mine");
    spec.lifetimes.ttl = Some(Lifetime::After(Duration::from_secs(60)));
    let taken = store.hand_out(handout(spec)).await.unwrap();
    assert_eq!((taken.pool, taken.name.as_deref()), (None, Some("mine")));
    let since = taken.taken_at.unwrap();
    assert!(since > taken.created_at);
    assert_eq!(taken.expires_at, since.checked_add(Duration::from_secs(60)), "it lives from the taking on");
    let labels = SandboxFilter { labels: taken.labels.clone(), ..SandboxFilter::default() };
    assert_eq!(store.sandboxes(labels, Page::first()).await.unwrap().len(), 1);
    assert_eq!(code(store.hand_out(handout(SandboxSpec::default())).await), ErrorCode::Conflict);

    let (dead, operation) = begun(&store, pooled()).await;
    made(&store, &operation.id).await;
    let post_mortem = PostMortem::new(dead.id, DeathCause::AgentCrashed, Timestamp::now());
    store.record_death(post_mortem, State::Deleted).await.unwrap();
    let handout = Handout { sandbox: dead.id, spec: SandboxSpec::default(), owner: None };
    assert_eq!(code(store.hand_out(handout).await), ErrorCode::SandboxGone);
}
