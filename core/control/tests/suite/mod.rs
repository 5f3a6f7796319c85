//! What every store must do. Each case gets an empty store.

mod admission;
mod pool;

pub use admission::*;
pub use pool::*;

use crate::common::{Books, begun, create, running};
use isobox_contract::event::ResourceState;
use isobox_contract::*;
use isobox_control::*;
use std::time::Duration;

async fn act(store: &Books, sandbox: &SandboxId, action: Action, state: State) {
    let Begun::Begun { operation, .. } = store.begin(ActionRequest::new(*sandbox, action)).await.unwrap() else {
        panic!("{action} did not begin")
    };
    store.confirm(&operation.id, Outcome::state(state)).await.unwrap();
}

fn code<T: std::fmt::Debug>(result: Result<T>) -> ErrorCode {
    result.unwrap_err().code()
}

fn report(code: ErrorCode) -> Report {
    Report::from(&Error::new(code, "it did not work"))
}

/// The kinds of the events of a sandbox, as words.
async fn story(store: &Books, sandbox: &SandboxId) -> Vec<String> {
    let filter = EventFilter { sandboxes: vec![*sandbox], kinds: vec![] };
    let page = store.events_after(0, filter, 1000).await.unwrap();
    let numbers: Vec<u64> = page.events.iter().map(|event| event.subject_sequence).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "numbered from 1 without gaps");
    page.events
        .iter()
        .map(|event| match &event.kind {
            EventKind::StateObserved { current: ResourceState::Sandbox(state), .. } => state.to_string(),
            EventKind::OperationStarted { action } => format!("{action} started"),
            EventKind::OperationCompleted { action, .. } => format!("{action} completed"),
            EventKind::OperationFailed { action, .. } => format!("{action} failed"),
            EventKind::Died { .. } => "died".into(),
            other => panic!("{other:?}"),
        })
        .collect()
}

pub async fn a_sandbox_is_written_down_before_it_is_made_and_after(store: Books) {
    let mut request = create(Some("a"));
    request.spec.labels.insert("team".into(), "blue".into());
    request.spec.lifetimes.ttl = Some(Lifetime::After(Duration::from_secs(60)));
    let (sandbox, operation) = begun(&store, request).await;
    assert_eq!(sandbox.state, State::Creating);
    assert!(sandbox.record().is_none());
    assert_eq!(sandbox.expires_at, sandbox.created_at.checked_add(Duration::from_secs(60)));

    let record = SandboxRecord {
        id: sandbox.id,
        external: "ext".parse().unwrap(),
        data: serde_json::json!({"token": "s3cret"}),
    };
    store.note(&operation.id, record.clone()).await.unwrap();
    assert_eq!(store.sandbox(&sandbox.id).await.unwrap().record(), Some(record.clone()));
    let result = serde_json::json!({"image": "sha256:1"});
    let outcome = Outcome { record: Some(record), result: result.clone(), ..Outcome::state(State::Running) };
    let ended = store.confirm(&operation.id, outcome).await.unwrap();
    assert_eq!(ended.outcome().unwrap(), Some(&result));

    let found = store.sandbox_by_name("a").await.unwrap().unwrap();
    assert_eq!((found.id, found.state), (sandbox.id, State::Running));
    assert!(!format!("{found:?}").contains("s3cret"), "a token is not for logs");
    assert_eq!(story(&store, &sandbox.id).await, ["create started", "creating", "running", "create completed"]);
}

pub async fn values_of_secrets_are_not_kept(store: Books) {
    let mut request = create(None);
    let value = SecretValue::new("hunter2");
    request.spec.secrets.push(Secret { env: "KEY".into(), value, delivery: SecretDelivery::Exposed });
    let (sandbox, _) = begun(&store, request).await;
    let kept = store.sandbox(&sandbox.id).await.unwrap();
    assert_eq!(kept.spec.secrets[0].env, "KEY");
    assert_eq!(kept.spec.secrets[0].value.expose(), "");
}

pub async fn a_name_is_taken_until_its_sandbox_is_deleted(store: Books) {
    let first = running(&store, Some("a")).await;
    let refusal = store.begin_create(create(Some("a"))).await.unwrap_err();
    assert_eq!((refusal.code(), refusal.sandbox()), (ErrorCode::AlreadyExists, Some(&first.id)));
    let again = CreateRequest { get: true, ..create(Some("a")) };
    match store.begin_create(again).await.unwrap() {
        Created::Exists { sandbox } => assert_eq!(sandbox.id, first.id),
        other => panic!("{other:?}"),
    }
    act(&store, &first.id, Action::Delete, State::Deleted).await;
    assert!(store.sandbox_by_name("a").await.unwrap().is_none());
    let second = running(&store, Some("a")).await;
    assert_ne!(first.id, second.id);
    assert_eq!(store.sandbox(&first.id).await.unwrap().state, State::Deleted);
}

pub async fn a_key_gives_the_same_answer_and_no_other(store: Books) {
    let keyed = |name| CreateRequest { key: Some("k1".into()), ..create(Some(name)) };
    let (sandbox, operation) = begun(&store, keyed("a")).await;
    store.confirm(&operation.id, Outcome::state(State::Running)).await.unwrap();
    match store.begin_create(keyed("a")).await.unwrap() {
        Created::Earlier { operation: found, sandbox: of } => {
            assert_eq!(found.id, operation.id);
            assert_eq!(found.outcome().unwrap(), Some(&serde_json::Value::Null));
            assert_eq!(of.unwrap().id, sandbox.id);
        }
        other => panic!("{other:?}"),
    }
    let refusal = store.begin_create(keyed("b")).await.unwrap_err();
    assert_eq!((refusal.code(), refusal.is_retryable()), (ErrorCode::Conflict, false));
    let empty = CreateRequest { key: Some(String::new()), ..create(None) };
    assert_eq!(code(store.begin_create(empty).await), ErrorCode::InvalidSpec);

    let stop = |action| ActionRequest { key: Some("k2".into()), ..ActionRequest::new(sandbox.id, action) };
    assert!(matches!(store.begin(stop(Action::Stop)).await.unwrap(), Begun::Begun { .. }));
    assert!(matches!(store.begin(stop(Action::Stop)).await.unwrap(), Begun::Earlier { .. }));
    assert_eq!(code(store.begin(stop(Action::Delete)).await), ErrorCode::Conflict);
}

pub async fn a_key_of_what_was_broken_off_is_free_once_that_is_undone(store: Books) {
    let keyed = || CreateRequest { key: Some("k".into()), ..create(Some("a")) };
    let (sandbox, operation) = begun(&store, keyed()).await;
    // Its process is dead, and another one takes it over to undo it.
    let mut delete = ActionRequest::new(sandbox.id, Action::Delete);
    delete.instead_of = Some(operation.id);
    assert!(matches!(store.begin(delete.clone()).await.unwrap(), Begun::Begun { .. }));
    match store.begin_create(keyed()).await.unwrap() {
        Created::Earlier { operation: found, sandbox: Some(of) } => {
            assert_eq!((found.id, of.state), (operation.id, State::Deleting));
        }
        other => panic!("{other:?}"),
    }
    store.confirm(&delete.operation, Outcome::state(State::Deleted)).await.unwrap();
    let (again, _) = begun(&store, keyed()).await;
    assert_ne!(again.id, sandbox.id);
    assert!(matches!(store.begin_create(keyed()).await.unwrap(), Created::Earlier { .. }));
    let other = CreateRequest { key: Some("k".into()), ..create(Some("b")) };
    assert_eq!(code(store.begin_create(other).await), ErrorCode::Conflict);
}

pub async fn one_operation_at_a_time_has_a_sandbox(store: Books) {
    let sandbox = running(&store, None).await;
    let Begun::Begun { sandbox: stopping, operation } =
        store.begin(ActionRequest::new(sandbox.id, Action::Stop)).await.unwrap()
    else {
        panic!("it did not begin")
    };
    assert_eq!(stopping.state, State::Stopping);
    match store.begin(ActionRequest::new(sandbox.id, Action::Delete)).await.unwrap() {
        Begun::Busy { operation: busy } => assert_eq!(busy.id, operation.id),
        other => panic!("{other:?}"),
    }
    let seen = Transition::to(State::Running, Action::Start);
    assert_eq!(code(store.transition(&sandbox.id, seen).await), ErrorCode::Conflict);
    store.confirm(&operation.id, Outcome::state(State::Stopped)).await.unwrap();
    let again = store.begin(ActionRequest::new(sandbox.id, Action::Stop)).await.unwrap();
    assert!(matches!(again, Begun::Done { .. }), "a stopped sandbox is as wanted");
    act(&store, &sandbox.id, Action::Delete, State::Deleted).await;
    let again = store.begin(ActionRequest::new(sandbox.id, Action::Delete)).await.unwrap();
    assert!(matches!(again, Begun::Done { .. }), "so is a deleted one");
}

pub async fn many_who_delete_one_sandbox_all_succeed(store: Books) {
    let sandbox = running(&store, None).await.id;
    let deletes = (0..16).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            match store.begin(ActionRequest::new(sandbox, Action::Delete)).await.unwrap() {
                Begun::Begun { operation, .. } => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    store.confirm(&operation.id, Outcome::state(State::Deleted)).await.unwrap();
                    1
                }
                Begun::Busy { operation } => {
                    let wait = ended(&*store, &operation.id);
                    let ended = tokio::time::timeout(Duration::from_secs(20), wait).await.expect("it ends").unwrap();
                    ended.outcome().unwrap();
                    0
                }
                Begun::Done { .. } => 0,
                other => panic!("{other:?}"),
            }
        })
    });
    let mut did = 0;
    for delete in deletes.collect::<Vec<_>>() {
        did += delete.await.unwrap();
    }
    assert_eq!(did, 1, "one does it, and the others wait for that");
    assert_eq!(store.sandbox(&sandbox).await.unwrap().state, State::Deleted);
}

pub async fn an_operation_of_a_dead_process_is_taken_over_once(store: Books) {
    let sandbox = running(&store, None).await;
    let first = ActionRequest::new(sandbox.id, Action::Delete);
    store.begin(first.clone()).await.unwrap();
    let instead =
        || ActionRequest { instead_of: Some(first.operation), ..ActionRequest::new(sandbox.id, Action::Delete) };
    let second = instead();
    assert!(matches!(store.begin(second.clone()).await.unwrap(), Begun::Begun { .. }));
    assert_eq!(code(store.begin(instead()).await), ErrorCode::Conflict);
    let late = store.confirm(&first.operation, Outcome::state(State::Deleted)).await;
    assert_eq!(code(late), ErrorCode::Incomplete, "the one that was given up hears of it");
    store.confirm(&second.operation, Outcome::state(State::Deleted)).await.unwrap();
    let expected = ["create started", "creating", "running", "create completed", "delete started", "deleting"];
    let then = ["delete failed", "delete started", "deleted", "delete completed"];
    assert_eq!(story(&store, &sandbox.id).await, [&expected[..], &then[..]].concat());
}

pub async fn what_changed_since_it_was_read_is_not_acted_on(store: Books) {
    let read = running(&store, None).await;
    let delete = || ActionRequest { version: Some(read.version), ..ActionRequest::new(read.id, Action::Delete) };
    // Somebody lets it live on meanwhile.
    let change = SandboxChange { detached: Some(!read.detached), ..SandboxChange::default() };
    let changed = store.change(&read.id, change).await.unwrap();
    assert_eq!(code(store.begin(delete()).await), ErrorCode::Conflict);
    assert_eq!(store.state(&read.id).await.unwrap(), State::Running);
    let delete = ActionRequest { version: Some(changed.version), ..delete() };
    assert!(matches!(store.begin(delete).await.unwrap(), Begun::Begun { .. }));
    assert_eq!(store.state(&read.id).await.unwrap(), State::Deleting);
    assert_eq!(code(store.state(&SandboxId::generate()).await), ErrorCode::NotFound);
}

pub async fn a_failure_is_kept_and_says_where_it_left_the_sandbox(store: Books) {
    let (sandbox, operation) = begun(&store, create(Some("a"))).await;
    let failed = store.fail(&operation.id, report(ErrorCode::ImageNotFound), Some(State::Deleted)).await.unwrap();
    assert_eq!(code(failed.outcome().map(|_| ())), ErrorCode::ImageNotFound);
    assert_eq!(store.sandbox(&sandbox.id).await.unwrap().state, State::Deleted);
    assert!(store.sandbox_by_name("a").await.unwrap().is_none(), "the name is free");
    let again = store.fail(&operation.id, report(ErrorCode::Internal), None).await.unwrap();
    assert_eq!(code(again.outcome().map(|_| ())), ErrorCode::ImageNotFound, "the first failure stays");
    let late = store.confirm(&operation.id, Outcome::state(State::Running)).await;
    assert_eq!(code(late), ErrorCode::ImageNotFound);

    let other = running(&store, None).await;
    let stop = ActionRequest::new(other.id, Action::Stop);
    store.begin(stop.clone()).await.unwrap();
    store.fail(&stop.operation, report(ErrorCode::EngineUnavailable), Some(State::Error)).await.unwrap();
    let left = store.sandbox(&other.id).await.unwrap();
    assert_eq!(left.state, State::Error);
    assert_eq!(left.error.unwrap().kind, ErrorCode::EngineUnavailable);
    let confirmed = begun(&store, create(None)).await.1.id;
    store.confirm(&confirmed, Outcome::state(State::Running)).await.unwrap();
    assert_eq!(code(store.fail(&confirmed, report(ErrorCode::Internal), None).await), ErrorCode::InvalidState);
}

pub async fn states_move_only_as_the_table_says(store: Books) {
    let sandbox = running(&store, None).await;
    let refusal = store.begin(ActionRequest::new(sandbox.id, Action::Resume)).await;
    assert!(matches!(refusal, Ok(Begun::Done { .. })), "one that runs needs no resume");
    let refusal = store.begin(ActionRequest::new(sandbox.id, Action::Recover)).await.unwrap_err();
    assert!(matches!(refusal.detail(), Detail::InvalidState { state: State::Running, action: Action::Recover }));
    let observed =
        |from: &[State], to, version| Transition { from: from.to_vec(), version, ..Transition::to(to, Action::Stop) };
    let refusal = store.transition(&sandbox.id, observed(&[State::Paused], State::Stopped, None)).await.unwrap_err();
    assert!(matches!(refusal.detail(), Detail::InvalidState { state: State::Running, action: Action::Stop }));
    let refusal = store.transition(&sandbox.id, observed(&[], State::Archived, None)).await;
    assert_eq!(code(refusal), ErrorCode::InvalidState);
    let stale = observed(&[], State::Stopped, Some(sandbox.version - 1));
    assert_eq!(code(store.transition(&sandbox.id, stale).await), ErrorCode::Conflict);
    let moved = store.transition(&sandbox.id, observed(&[], State::Stopped, Some(sandbox.version))).await.unwrap();
    assert_eq!((moved.state, moved.version), (State::Stopped, sandbox.version + 1));
    let same = store.transition(&sandbox.id, observed(&[], State::Stopped, None)).await.unwrap();
    assert_eq!(same.version, moved.version, "nothing changed");
    assert_eq!(code(store.sandbox(&SandboxId::generate()).await), ErrorCode::NotFound);
}

pub async fn every_refused_create_leaves_nothing(store: Books) {
    let before = store.last_sequence().await.unwrap();
    let request = CreateRequest { volumes: vec![VolumeId::generate()], ..create(Some("a")) };
    assert_eq!(code(store.begin_create(request.clone()).await), ErrorCode::NotFound);
    assert_eq!(code(store.sandbox(&request.id).await), ErrorCode::NotFound);
    assert_eq!(code(store.operation(&request.operation).await), ErrorCode::NotFound);
    assert_eq!(store.last_sequence().await.unwrap(), before, "no number is lost");
    running(&store, Some("a")).await;
}

pub async fn a_death_is_kept_with_its_cause(store: Books) {
    let sandbox = running(&store, Some("a")).await;
    let stop = ActionRequest::new(sandbox.id, Action::Stop);
    store.begin(stop.clone()).await.unwrap();
    let mut death = PostMortem::new(sandbox.id, DeathCause::Oom, Timestamp::now());
    death.memory_limit = Some(1 << 20);
    death.last_output = b"last words"[..].into();
    let after = store.record_death(death, State::Deleted).await.unwrap();
    assert_eq!(after.state, State::Deleted);
    let kept = store.post_mortem(&sandbox.id).await.unwrap().unwrap();
    assert_eq!((kept.cause, &kept.last_output[..]), (DeathCause::Oom, &b"last words"[..]));
    let second = PostMortem::new(sandbox.id, DeathCause::Unknown, Timestamp::now());
    store.record_death(second, State::Deleted).await.unwrap();
    assert_eq!(store.post_mortem(&sandbox.id).await.unwrap().unwrap().cause, DeathCause::Oom, "the first one stays");

    let late = store.confirm(&stop.operation, Outcome::state(State::Stopped)).await.unwrap_err();
    assert_eq!(late.post_mortem().unwrap().cause, DeathCause::Oom, "who was at it hears why");
    let start = store.begin(ActionRequest::new(sandbox.id, Action::Start)).await.unwrap_err();
    assert_eq!(start.post_mortem().unwrap().cause, DeathCause::Oom);
    let page = store.events_after(0, EventFilter::default(), 1000).await.unwrap();
    let text = serde_json::to_string(&page.events).unwrap();
    assert!(text.contains("\"died\"") && !text.contains("last words"), "events hold no output");
}

pub async fn what_dies_while_it_is_deleted_is_deleted(store: Books) {
    let sandbox = running(&store, None).await;
    let delete = ActionRequest::new(sandbox.id, Action::Delete);
    store.begin(delete.clone()).await.unwrap();
    let death = PostMortem::new(sandbox.id, DeathCause::OwnerLost, Timestamp::now());
    assert_eq!(store.record_death(death, State::Deleted).await.unwrap().state, State::Deleted);
    let ended = ["died", "deleted", "delete completed"];
    assert_eq!(story(&store, &sandbox.id).await[6..], ended);
    let late = store.confirm(&delete.operation, Outcome::state(State::Deleted)).await.unwrap();
    assert!(matches!(late.state, OperationState::Succeeded { .. }), "{late:?}");
}

pub async fn lists_are_filtered_and_paged(store: Books) {
    let mut all = Vec::new();
    for number in 0..7 {
        let mut request = create(None);
        request.spec.labels.insert("parity".into(), if number % 2 == 0 { "even" } else { "odd" }.into());
        request.spec.labels.insert("number".into(), number.to_string());
        let (sandbox, operation) = begun(&store, request).await;
        store.confirm(&operation.id, Outcome::state(State::Running)).await.unwrap();
        all.push(sandbox.id);
    }
    act(&store, &all[6], Action::Delete, State::Deleted).await;
    act(&store, &all[0], Action::Stop, State::Stopped).await;
    let ids = |found: Vec<SandboxEntry>| found.into_iter().map(|entry| entry.id).collect::<Vec<_>>();
    let list = async |filter, page| ids(store.sandboxes(filter, page).await.unwrap());
    assert_eq!(list(SandboxFilter::default(), Page::first()).await, all[..6]);
    assert_eq!(list(SandboxFilter { deleted: true, ..Default::default() }, Page::first()).await, all);
    let even = Labels::from([("parity".to_owned(), "even".to_owned())]);
    let filter = SandboxFilter { labels: even.clone(), ..Default::default() };
    assert_eq!(list(filter, Page::first()).await, [all[0], all[2], all[4]]);
    let filter = SandboxFilter { labels: even, states: vec![State::Running], ..Default::default() };
    assert_eq!(list(filter, Page::first()).await, [all[2], all[4]]);
    assert_eq!(list(SandboxFilter::default(), Page { after: Some(all[1]), limit: 2 }).await, all[2..4]);
    let provider = SandboxFilter { provider: Some(ProviderKind::DOCKER), ..Default::default() };
    assert!(list(provider, Page::first()).await.is_empty());
    let none = store.sandboxes(SandboxFilter::default(), Page { after: None, limit: 0 }).await;
    assert_eq!(code(none), ErrorCode::InvalidSpec);

    let labels = Labels::from([("parity".to_owned(), "none".to_owned())]);
    let change = SandboxChange { labels: Some(labels.clone()), ..Default::default() };
    assert_eq!(store.change(&all[1], change).await.unwrap().labels, labels);
    let filter = SandboxFilter { labels, ..Default::default() };
    assert_eq!(list(filter, Page::first()).await, [all[1]]);
}

pub async fn a_sandbox_changes_hands(store: Books) {
    let sandbox = running(&store, None).await;
    let owner = OwnerId::generate();
    let adopt = SandboxChange { owner: Some(Some(owner)), version: Some(sandbox.version), ..Default::default() };
    let adopted = store.change(&sandbox.id, adopt.clone()).await.unwrap();
    assert_eq!(adopted.owner, Some(owner));
    assert_eq!(code(store.change(&sandbox.id, adopt).await), ErrorCode::Conflict, "of two who adopt one does");
    let filter = SandboxFilter { owner: Some(owner), ..Default::default() };
    assert_eq!(store.sandboxes(filter, Page::first()).await.unwrap().len(), 1);
    let detach = SandboxChange { owner: Some(None), detached: Some(true), ..Default::default() };
    let detached = store.change(&sandbox.id, detach).await.unwrap();
    assert_eq!((detached.owner, detached.detached), (None, true));
    act(&store, &sandbox.id, Action::Delete, State::Deleted).await;
    assert_eq!(code(store.change(&sandbox.id, SandboxChange::default()).await), ErrorCode::InvalidState);
}

pub async fn what_dead_processes_have_left_is_found(store: Books) {
    let (alive, dead) = (OwnerId::generate(), OwnerId::generate());
    for owner in [alive, dead] {
        let process = ProcessIdentity { pid: 1, started: 1, boot: "boot".into(), pid_namespace: 1 };
        let (program, created_at) = ("test".into(), Timestamp::now());
        let entry = OwnerEntry { id: owner, process, lock_inode: 1, program, created_at, ended_at: None };
        store.put_owner(entry).await.unwrap();
    }
    let mut sandboxes = Vec::new();
    for (owner, detached) in [(alive, false), (dead, false), (dead, true), (alive, false), (dead, true)] {
        let sandbox = running(&store, None).await;
        let change = SandboxChange { owner: Some(Some(owner)), detached: Some(detached), ..Default::default() };
        store.change(&sandbox.id, change).await.unwrap();
        sandboxes.push(sandbox.id);
    }
    let by = |sandbox, owner| ActionRequest { owner: Some(owner), ..ActionRequest::new(sandbox, Action::Pause) };
    store.begin(by(sandboxes[3], dead)).await.unwrap();
    store.begin(by(sandboxes[4], alive)).await.unwrap();
    let abandoned = async || {
        let filter = SandboxFilter { abandoned: true, ..Default::default() };
        let found = store.sandboxes(filter, Page::first()).await.unwrap();
        found.into_iter().map(|entry| entry.id).collect::<Vec<_>>()
    };
    assert!(abandoned().await.is_empty(), "nobody has ended");
    store.end_owner(&dead).await.unwrap();
    assert_eq!(abandoned().await, [sandboxes[1], sandboxes[3]]);
    act(&store, &sandboxes[1], Action::Delete, State::Deleted).await;
    assert_eq!(abandoned().await, [sandboxes[3]]);
}

pub async fn lifetimes_of_any_length_are_kept(store: Books) {
    for (ttl, forever) in [
        (Some(Lifetime::Never), true),
        (Some(Lifetime::After(Duration::MAX)), true),
        (Some(Lifetime::After(Duration::from_millis(u64::MAX))), true),
        (None, true),
        (Some(Lifetime::After(Duration::ZERO)), false),
        (Some(Lifetime::After(Duration::from_secs(86_400 * 365 * 1000))), false),
    ] {
        let mut request = create(None);
        request.spec.lifetimes.ttl = ttl;
        let (sandbox, _) = begun(&store, request).await;
        let kept = store.sandbox(&sandbox.id).await.unwrap();
        assert_eq!(kept.expires_at.is_none(), forever, "{ttl:?}");
        assert_eq!(kept.expires_at, sandbox.expires_at);
    }
    let sandbox = running(&store, None).await;
    let change = SandboxChange { expires_at: Some(Some(Timestamp::MAX)), ..Default::default() };
    let changed = store.change(&sandbox.id, change).await.unwrap().expires_at.unwrap();
    assert!(Timestamp::MAX.since(changed) < Duration::from_micros(1), "the end of time is kept");
}

pub async fn a_volume_in_use_is_not_deleted(store: Books) {
    let volume = |name: &str| VolumeEntry {
        id: VolumeId::generate(),
        name: name.into(),
        provider: ProviderKind::NAMESPACE,
        external: None,
        state: VolumeState::Ready,
        labels: Labels::new(),
        size: Some(u64::MAX),
        owner: None,
        created_at: Timestamp::from_unix(1, 0),
        attached: 0,
    };
    let data = volume("data");
    store.put_volume(data.clone()).await.unwrap();
    assert_eq!(store.volume(&data.provider, "data").await.unwrap(), data);
    assert_eq!(code(store.put_volume(volume("data")).await), ErrorCode::AlreadyExists);
    let request = CreateRequest { volumes: vec![data.id], ..create(None) };
    let (sandbox, operation) = begun(&store, request).await;
    store.confirm(&operation.id, Outcome::state(State::Running)).await.unwrap();
    assert_eq!(store.volume(&data.provider, data.id.as_str()).await.unwrap().attached, 1);
    assert_eq!(store.volume_users(&data.id).await.unwrap(), [sandbox.id]);
    let deleting = VolumeEntry { state: VolumeState::Deleting, ..data.clone() };
    let used = store.put_volume(deleting.clone()).await.unwrap_err();
    assert_eq!(used.code(), ErrorCode::Conflict);
    assert!(used.message().contains(sandbox.id.as_str()), "{used}");
    assert_eq!(code(store.move_volume(deleting.clone(), vec![VolumeState::Ready]).await), ErrorCode::Conflict);
    assert_eq!(code(store.remove_volume(&data.id).await), ErrorCode::Conflict);
    act(&store, &sandbox.id, Action::Delete, State::Deleted).await;
    store.put_volume(deleting).await.unwrap();
    let late = CreateRequest { volumes: vec![data.id], ..create(None) };
    assert_eq!(code(store.begin_create(late).await), ErrorCode::InvalidState, "its end has begun");
    store.remove_volume(&data.id).await.unwrap();
    store.remove_volume(&data.id).await.unwrap();
    assert!(store.volumes().await.unwrap().is_empty());
    assert_eq!(store.volume_users(&data.id).await.unwrap(), []);
}

pub async fn a_volume_is_moved_from_the_state_that_was_seen_and_tells_it(store: Books) {
    let owner = OwnerId::generate();
    let volume = VolumeEntry {
        id: VolumeId::generate(),
        name: "data".into(),
        provider: ProviderKind::NAMESPACE,
        external: None,
        state: VolumeState::Creating,
        labels: Labels::new(),
        size: None,
        owner: Some(owner),
        created_at: Timestamp::from_unix(1, 0),
        attached: 0,
    };
    let ready = VolumeEntry { state: VolumeState::Ready, owner: None, ..volume.clone() };
    let deleting = VolumeEntry { state: VolumeState::Deleting, ..volume.clone() };
    assert_eq!(code(store.move_volume(ready.clone(), vec![VolumeState::Creating]).await), ErrorCode::NotFound);
    store.put_volume(volume.clone()).await.unwrap();
    assert_eq!(store.volume(&volume.provider, "data").await.unwrap(), volume);
    store.move_volume(ready.clone(), vec![VolumeState::Creating]).await.unwrap();
    let late = store.move_volume(ready.clone(), vec![VolumeState::Creating]).await;
    assert_eq!(code(late), ErrorCode::Conflict);
    assert_eq!(store.volume(&volume.provider, "data").await.unwrap(), ready);
    store.move_volume(deleting, vec![VolumeState::Ready]).await.unwrap();
    store.remove_volume(&volume.id).await.unwrap();
    store.remove_volume(&volume.id).await.unwrap();
    let told = store.events_after(0, EventFilter::default(), 100).await.unwrap().events;
    let states: Vec<_> = told
        .iter()
        .filter_map(|event| match (&event.subject, &event.kind) {
            (Subject::Volume { id, .. }, EventKind::StateObserved { current: ResourceState::Volume(now), .. }) => {
                assert_eq!(*id, volume.id);
                Some(*now)
            }
            _ => None,
        })
        .collect();
    use VolumeState::{Creating, Deleted, Deleting, Ready};
    assert_eq!(states, [Creating, Ready, Deleting, Deleted]);
}

pub async fn snapshots_and_commands_are_remembered(store: Books) {
    let sandbox = running(&store, None).await;
    let snapshot = SnapshotEntry {
        id: SnapshotId::generate(),
        name: Some("base".into()),
        provider: ProviderKind::NAMESPACE,
        external: None,
        sandbox: Some(sandbox.id),
        state: SnapshotState::Building,
        labels: Labels::new(),
        size: None,
        error: None,
        owner: None,
        created_at: Timestamp::now(),
    };
    store.put_snapshot(snapshot.clone()).await.unwrap();
    let ready = SnapshotEntry { state: SnapshotState::Active, size: Some(5), ..snapshot.clone() };
    store.put_snapshot(ready).await.unwrap();
    let found = store.snapshot(&snapshot.provider, "base").await.unwrap();
    assert_eq!((found.id, found.state, found.size), (snapshot.id, SnapshotState::Active, Some(5)));
    let deleting = SnapshotEntry { state: SnapshotState::Deleting, ..snapshot.clone() };
    let late = store.move_snapshot(deleting.clone(), vec![SnapshotState::Building]).await;
    assert_eq!(code(late), ErrorCode::Conflict);
    store.move_snapshot(deleting, vec![SnapshotState::Active]).await.unwrap();
    let second = SnapshotEntry { id: SnapshotId::generate(), ..snapshot.clone() };
    assert_eq!(code(store.put_snapshot(second).await), ErrorCode::AlreadyExists);
    store.remove_snapshot(&snapshot.id).await.unwrap();
    assert_eq!(code(store.snapshot(&snapshot.provider, "base").await), ErrorCode::NotFound);

    let process = ProcessEntry {
        id: ExecId::generate(),
        sandbox: sandbox.id,
        label: Some("tests".into()),
        started_at: Timestamp::from_unix(5, 0),
        ended_at: None,
        exit: None,
    };
    store.put_process(process.clone()).await.unwrap();
    let ended = Timestamp::from_unix(6, 0);
    let exit = Exit::code(3, Duration::from_secs(1));
    let over = ProcessEntry { ended_at: Some(ended), exit: Some(exit), ..process.clone() };
    store.put_process(over.clone()).await.unwrap();
    assert_eq!(store.processes(&sandbox.id).await.unwrap(), [over]);
    let lost = ProcessEntry { id: ExecId::generate(), ..process.clone() };
    store.put_process(lost).await.unwrap();
    act(&store, &sandbox.id, Action::Delete, State::Deleted).await;
    let left = store.processes(&sandbox.id).await.unwrap();
    assert!(left.iter().all(|process| process.ended_at.is_some()), "nothing runs in a deleted sandbox");
    let nowhere = ProcessEntry { sandbox: SandboxId::generate(), ..process };
    assert_eq!(code(store.put_process(nowhere).await), ErrorCode::NotFound);
}

pub async fn operations_are_found_by_who_does_them(store: Books) {
    let owner = OwnerId::generate();
    let request = CreateRequest { owner: Some(owner), ..create(None) };
    let (sandbox, operation) = begun(&store, request).await;
    begun(&store, create(None)).await;
    let filter = OperationFilter { running: true, owner: Some(owner), ..Default::default() };
    let found = store.operations(filter.clone(), 10).await.unwrap();
    assert_eq!(found.iter().map(|found| found.id).collect::<Vec<_>>(), [operation.id]);
    store.confirm(&operation.id, Outcome::state(State::Running)).await.unwrap();
    assert!(store.operations(filter, 10).await.unwrap().is_empty());
    let filter = OperationFilter { sandbox: Some(sandbox.id), ..Default::default() };
    assert_eq!(store.operations(filter, 10).await.unwrap().len(), 1);
}

pub async fn a_follower_gets_every_event_once(store: Books) {
    let sandbox = running(&store, None).await;
    let other = running(&store, None).await;
    let filter = EventFilter { sandboxes: vec![sandbox.id], kinds: vec![] };
    let mut follow = isobox_control::follow(store.clone(), 0, filter);
    let mut seen = Vec::new();
    for _ in 0..4 {
        seen.push(next(&mut follow).await.subject_sequence);
    }
    let (again, writer) = (store.clone(), sandbox.id);
    let writing = tokio::spawn(async move {
        for _ in 0..50 {
            act(&again, &other.id, Action::Stop, State::Stopped).await;
            act(&again, &other.id, Action::Start, State::Running).await;
            act(&again, &writer, Action::Stop, State::Stopped).await;
            act(&again, &writer, Action::Start, State::Running).await;
        }
    });
    for _ in 0..400 {
        seen.push(next(&mut follow).await.subject_sequence);
    }
    writing.await.unwrap();
    assert_eq!(seen, (1..=404).collect::<Vec<_>>());
}

async fn next(follow: &mut Follow) -> Event {
    match tokio::time::timeout(Duration::from_secs(20), follow.next()).await.expect("an event in time").unwrap() {
        Followed::Event(event) => *event,
        other => panic!("{other:?}"),
    }
}

pub async fn events_are_filtered_by_kind(store: Books) {
    let sandbox = running(&store, None).await;
    let notice = |number: u32| NewEvent {
        at: None,
        provider: None,
        subject: Subject::Image { reference: "alpine".into() },
        operation: None,
        correlation: Some("mine".into()),
        kind: EventKind::Notice { code: "test".into(), message: number.to_string() },
    };
    let last = store.append_events(vec![notice(1), notice(2)]).await.unwrap();
    assert_eq!(store.last_sequence().await.unwrap(), last);
    let filter = EventFilter { sandboxes: vec![], kinds: vec!["notice".into()] };
    let page = store.events_after(0, filter.clone(), 1).await.unwrap();
    assert_eq!((page.events.len(), page.through, page.gone), (1, last - 1, None));
    assert_eq!(page.events[0].correlation.as_deref(), Some("mine"));
    let page = store.events_after(page.through, filter, 10).await.unwrap();
    assert_eq!((page.events.len(), page.through, page.events[0].subject_sequence), (1, last, 2));
    let filter = EventFilter { sandboxes: vec![sandbox.id], kinds: vec!["notice".into()] };
    assert!(store.events_after(0, filter, 10).await.unwrap().events.is_empty());
    let mut large = notice(3);
    large.kind = EventKind::Notice { code: "test".into(), message: "x".repeat(100_000) };
    assert_eq!(code(store.append_events(vec![notice(3), large]).await), ErrorCode::LimitExceeded);
    assert_eq!(store.last_sequence().await.unwrap(), last, "all of them or none");
    let many = (0..1001).map(notice).collect();
    assert_eq!(code(store.append_events(many).await), ErrorCode::LimitExceeded);

    let large = |number| {
        let kind = EventKind::Notice { code: "test".into(), message: "x".repeat(60_000) };
        NewEvent { kind, ..notice(number) }
    };
    let end = store.append_events((0..200).map(large).collect()).await.unwrap();
    let page = store.events_after(last, EventFilter::default(), 1000).await.unwrap();
    assert!(page.events.len() < 200, "a page fits into memory");
    let rest = store.events_after(page.through, EventFilter::default(), 1000).await.unwrap();
    assert_eq!((page.events.len() + rest.events.len(), rest.through), (200, end));
}

/// What a provider has, with these names.
fn images(revision: u64, names: &[(&str, &str)]) -> ImageList {
    let image = |(reference, id): &(&str, &str)| ImageEntry {
        provider: ProviderKind::NAMESPACE,
        reference: (*reference).to_owned(),
        id: Some((*id).to_owned()),
        digest: Some("sha256:d".into()),
        platform: Some("linux/amd64".into()),
        size: Some(1),
        fetched_at: Some(Timestamp::from_unix(1, 0)),
        used_at: None,
    };
    ImageList { revision, images: names.iter().map(image).collect() }
}

/// Makes a sandbox from an image, which it is found to have.
async fn made_from(store: &Books, source: Source, reference: &str, id: &str) -> SandboxEntry {
    made_by(store, ProviderKind::NAMESPACE, source, reference, id).await
}

async fn made_by(store: &Books, kind: ProviderKind, source: Source, reference: &str, id: &str) -> SandboxEntry {
    let request = CreateRequest::new(kind, SandboxSpec::new(source));
    let (sandbox, operation) = begun(store, request).await;
    let (entrypoint, command) = (vec![], vec![]);
    let image = SandboxImage { reference: reference.into(), id: id.into(), digest: None, entrypoint, command };
    let outcome = Outcome { image: Some(image), ..Outcome::state(State::Running) };
    store.confirm(&operation.id, outcome).await.unwrap();
    store.sandbox(&sandbox.id).await.unwrap()
}

pub async fn the_images_of_a_provider_are_written_down_as_they_were_last_seen(store: Books) {
    let kind = ProviderKind::NAMESPACE;
    let settle = async |list, ended| store.settle_images(&kind, list, ended).await.unwrap();
    let change = ImageChange { operation: OperationId::generate(), provider: kind.clone(), owner: None };
    store.begin_image_change(change.clone()).await.unwrap();
    assert_eq!(store.image_changes().await.unwrap(), std::slice::from_ref(&change));
    assert!(settle(images(0, &[("a", "1"), ("b", "1"), ("c", "2")]), vec![change.operation]).await);
    assert_eq!(store.image_changes().await.unwrap(), []);
    assert!(!settle(images(0, &[("old", "3")]), vec![]).await, "somebody has seen newer things");
    let known = store.images(&kind).await.unwrap();
    assert_eq!(known, images(1, &[("a", "1"), ("b", "1"), ("c", "2")]));
    assert_eq!(store.images(&ProviderKind::DOCKER).await.unwrap(), images(0, &[]));

    // A use is one of all names, and outlasts a new list.
    let archive = || Source::Archive { path: "/x.tar".into(), reference: None };
    let sandbox = made_from(&store, archive(), "other", "1").await;
    assert_eq!(sandbox.image.map(|image| image.pinned()).as_deref(), Some("1"));
    let used = |list: ImageList| list.images.iter().map(|image| image.used_at.is_some()).collect::<Vec<_>>();
    assert_eq!(used(store.images(&kind).await.unwrap()), [true, true, false]);
    assert!(settle(images(1, &[("a", "1"), ("c", "2")]), vec![]).await);
    assert_eq!(used(store.images(&kind).await.unwrap()), [true, false]);
    assert_eq!(store.image_changes().await.unwrap(), []);
}

pub async fn an_image_that_came_with_a_sandbox_is_a_change(store: Books) {
    let kind = ProviderKind::NAMESPACE;
    assert!(store.settle_images(&kind, images(0, &[("a", "1")]), vec![]).await.unwrap());
    let image = |reference: &str| {
        let (reference, pull) = (reference.to_owned(), PullPolicy::Missing);
        Source::Image(ImageSource { reference, pull, platform: None, auth: None })
    };
    made_from(&store, image("a"), "a", "1").await;
    made_from(&store, image("1"), "1", "1").await;
    assert_eq!(store.image_changes().await.unwrap(), [], "it is known");
    made_from(&store, image("b"), "b", "1").await;
    made_from(&store, image("a"), "a", "2").await;
    let unknown = store.image_changes().await.unwrap();
    assert_eq!(unknown.len(), 2, "another name, and another image");
    let ended = unknown.iter().map(|change| change.operation).collect();
    assert!(store.settle_images(&kind, images(1, &[("a", "2"), ("b", "1")]), ended).await.unwrap());
    assert_eq!(store.image_changes().await.unwrap(), []);
    // Also with one that failed after that.
    let request = CreateRequest { spec: SandboxSpec::new(image("c")), ..create(None) };
    let (_, operation) = begun(&store, request).await;
    let error = Report::from(&Error::internal("x"));
    store.fail(&operation.id, error, Some(State::Deleted)).await.unwrap();
    assert_eq!(store.image_changes().await.unwrap()[0].operation, operation.id);
}

pub async fn a_name_that_an_engine_does_not_list_is_looked_for_once(store: Books) {
    let kind = ProviderKind::DOCKER;
    let image = |reference: &str| {
        let (reference, pull) = (reference.to_owned(), PullPolicy::Missing);
        Source::Image(ImageSource { reference, pull, platform: None, auth: None })
    };
    for (reference, id) in [("docker-daemon:a", "1"), ("docker.io/library/b@sha256:d", "2")] {
        made_by(&store, kind.clone(), image(reference), reference, id).await;
        let ended: Vec<_> = store.image_changes().await.unwrap().into_iter().map(|change| change.operation).collect();
        assert_eq!(ended.len(), 1, "{reference} may have come just now");
        let revision = store.images(&kind).await.unwrap().revision;
        assert!(store.settle_images(&kind, images(revision, &[("listed", id)]), ended).await.unwrap());
        made_by(&store, kind.clone(), image(reference), reference, id).await;
        assert_eq!(store.image_changes().await.unwrap(), [], "{reference} is known");
    }
    made_by(&store, kind, image("scratch"), "scratch", "3").await;
    assert_eq!(store.image_changes().await.unwrap(), [], "nothing is no image");
}

pub async fn that_a_sandbox_expires_is_told_once_for_each_time(store: Books) {
    let short = SandboxSpec {
        lifetimes: Lifetimes { ttl: Some(Lifetime::After(Duration::from_secs(60))), ..Lifetimes::default() },
        ..SandboxSpec::default()
    };
    let (sandbox, operation) = begun(&store, CreateRequest { spec: short, ..create(None) }).await;
    store.confirm(&operation.id, Outcome::state(State::Running)).await.unwrap();
    let other = running(&store, None).await;
    let soon = |id, expires_at| NewEvent {
        at: None,
        provider: None,
        subject: Subject::Sandbox { id, external: None, name: None },
        operation: None,
        correlation: None,
        kind: EventKind::ExpirySoon { expires_at },
    };
    let (first, second) = (Timestamp::from_unix(100, 5000), Timestamp::from_unix(100, 6000));
    let told = [soon(sandbox.id, first), soon(sandbox.id, first), soon(other.id, first), soon(sandbox.id, second)];
    for event in told.clone().into_iter().chain(told) {
        store.append_events(vec![event]).await.unwrap();
    }
    let filter = EventFilter { kinds: vec!["expiry_soon".into()], ..EventFilter::default() };
    assert_eq!(store.events_after(0, filter, 100).await.unwrap().events.len(), 3);

    let ends = sandbox.expires_at.unwrap();
    let before = async |expires_before| {
        let filter = SandboxFilter { expires_before: Some(expires_before), ..SandboxFilter::default() };
        store.sandboxes(filter, Page::first()).await.unwrap().len()
    };
    assert_eq!((before(ends).await, before(ends.checked_add(Duration::from_millis(1)).unwrap()).await), (0, 1));
}

pub async fn a_command_starts_and_ends_once_whoever_tells_of_it(store: Books) {
    let sandbox = running(&store, None).await;
    let (first, second) = (ExecId::generate(), ExecId::generate());
    let told = |sandbox: SandboxId, at: i64, kind: EventKind| NewEvent {
        at: Some(Timestamp::from_unix(at, 0)),
        provider: Some(ProviderKind::NAMESPACE),
        subject: Subject::Sandbox { id: sandbox, external: None, name: None },
        operation: None,
        correlation: None,
        kind,
    };
    let started = |exec, label: &str| EventKind::ExecStarted { exec, label: Some(label.into()) };
    let exited = |exec| EventKind::ExecExited { exec, exit: Exit::code(3, Duration::from_secs(2)) };
    let batch = || {
        let long = "ä".repeat(1000);
        let kinds = [(10, started(first, "tests")), (11, started(second, &long)), (12, exited(first))];
        kinds.into_iter().map(|(at, kind)| told(sandbox.id, at, kind)).collect::<Vec<_>>()
    };
    let last = store.append_events(batch()).await.unwrap();
    assert_eq!(store.append_events(batch()).await.unwrap(), last, "nothing of it is new");
    let known = store.processes(&sandbox.id).await.unwrap();
    assert_eq!((known[0].id, known[0].label.as_deref()), (first, Some("tests")));
    assert_eq!(known[0].ended_at.map(|at| at.since(known[0].started_at)), Some(Duration::from_secs(2)));
    assert_eq!(known[0].exit.as_ref().map(|exit| exit.exit_code), Some(3));
    assert_eq!((known[1].ended_at, known[1].label.as_ref().map(String::len)), (None, Some(1024)));
    let page = store.events_after(last - 3, EventFilter::default(), 10).await.unwrap();
    assert_eq!(page.events.iter().map(|event| event.at.unix().0).collect::<Vec<_>>(), [10, 11, 12]);

    // Its sandbox ends, and only then somebody says how the command did.
    act(&store, &sandbox.id, Action::Delete, State::Deleted).await;
    let last = store.append_events(vec![told(sandbox.id, 13, exited(second))]).await.unwrap();
    assert!(store.processes(&sandbox.id).await.unwrap().iter().all(|process| process.exit.is_some()));
    // Of a command whose start nobody told, and of a sandbox that is not in the books.
    let late = store.append_events(vec![told(sandbox.id, 20, exited(ExecId::generate()))]).await.unwrap();
    assert_eq!((late, store.processes(&sandbox.id).await.unwrap()[2].started_at.unix().0), (last + 1, 18));
    let nowhere = SandboxId::generate();
    let end = store.append_events(vec![told(nowhere, 20, started(ExecId::generate(), "x"))]).await.unwrap();
    assert_eq!((end, store.processes(&nowhere).await.unwrap().len()), (last + 2, 0));

    let one = Retention { max_processes: 1, ..Retention::FOREVER };
    assert_eq!(store.prune(&one).await.unwrap().processes, 2);
    let left = store.processes(&sandbox.id).await.unwrap();
    assert_eq!((left.len(), store.stats().await.unwrap().processes), (1, 1));
    assert!(left[0].id > second, "the first ones go first");
    assert_eq!(store.prune(&Retention::FOREVER).await.unwrap(), Pruned::default());
}

pub async fn a_chore_is_for_one_at_a_time(store: Books) {
    let hour = Duration::from_secs(3600);
    let claims = futures::future::join_all((0..20).map(|_| store.claim("sweep", hour))).await;
    assert_eq!(claims.into_iter().filter(|claim| *claim.as_ref().unwrap()).count(), 1);
    assert!(store.claim("other", hour).await.unwrap());
    assert!(store.claim("sweep", Duration::ZERO).await.unwrap());
    assert!(!store.claim("sweep", Duration::MAX).await.unwrap());
}

pub async fn retention_drops_the_old_and_says_so(store: Books) {
    let kept = running(&store, Some("kept")).await;
    let mut gone = Vec::new();
    for _ in 0..5 {
        let sandbox = running(&store, None).await;
        let death = PostMortem::new(sandbox.id, DeathCause::Exited, Timestamp::now());
        store.record_death(death, State::Deleted).await.unwrap();
        gone.push(sandbox.id);
    }
    assert_eq!(store.prune(&Retention::default()).await.unwrap(), Pruned::default(), "all is young");
    let last = store.last_sequence().await.unwrap();
    let few =
        Retention { max_sandboxes: 2, max_operations: 3, max_events: 4, max_post_mortems: 1, ..Default::default() };
    let pruned = store.prune(&few).await.unwrap();
    assert_eq!((pruned.sandboxes, pruned.post_mortems, pruned.operations), (3, 4, 3));
    assert_eq!(pruned.events, last - 4);
    let stats = store.stats().await.unwrap();
    assert_eq!((stats.live_sandboxes, stats.ended_sandboxes, stats.events, stats.post_mortems), (1, 2, 4, 1));
    assert_eq!(store.sandbox(&kept.id).await.unwrap().state, State::Running);
    assert_eq!(code(store.sandbox(&gone[0]).await), ErrorCode::NotFound);

    let mut late = isobox_control::follow(store.clone(), 1, EventFilter::default());
    match late.next().await.unwrap() {
        Followed::Gone { oldest } => assert_eq!(oldest, last - 3),
        other => panic!("{other:?}"),
    }
    assert_eq!(next(&mut late).await.sequence, last - 3);
    let mut in_time = isobox_control::follow(store.clone(), last - 4, EventFilter::default());
    assert_eq!(next(&mut in_time).await.sequence, last - 3, "nothing that it wanted is gone");

    let none = Retention { max_events: 0, ..few };
    store.prune(&none).await.unwrap();
    assert_eq!(store.last_sequence().await.unwrap(), last, "numbers are never given twice");
    act(&store, &kept.id, Action::Stop, State::Stopped).await;
    let page = store.events_after(last, EventFilter::default(), 10).await.unwrap();
    assert_eq!((page.gone, page.events[0].sequence, page.events[0].subject_sequence), (None, last + 1, 5));
}

pub async fn a_closed_store_refuses(store: Books) {
    running(&store, None).await;
    let waiting = tokio::spawn({
        let store = store.clone();
        async move { store.wait_past(1_000_000).await }
    });
    tokio::task::yield_now().await;
    store.close().await.unwrap();
    store.close().await.unwrap();
    assert_eq!(code(store.last_sequence().await), ErrorCode::InvalidState);
    assert_eq!(code(store.begin_create(create(None)).await), ErrorCode::InvalidState);
    assert_eq!(code(waiting.await.unwrap()), ErrorCode::InvalidState, "who waits is told");
}
