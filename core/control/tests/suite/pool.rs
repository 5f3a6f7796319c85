//! Pools that every process may take from.

use super::code;
use crate::common::{Books, begun, create, running};
use isobox_contract::*;
use isobox_control::*;

/// A process that has not ended.
async fn process(store: &Books, program: &str) -> OwnerId {
    let process = ProcessIdentity { pid: 7, started: 1, boot: "now".into(), pid_namespace: 1 };
    let (id, created_at) = (OwnerId::generate(), Timestamp::now());
    let owner = OwnerEntry { id, process, lock_inode: 0, program: program.into(), created_at, ended_at: None };
    store.put_owner(owner).await.unwrap();
    id
}

fn pool(owner: OwnerId) -> NewPool {
    let (provider, spec) = (ProviderKind::NAMESPACE, SandboxSpec::default().label("team", "blue"));
    NewPool { name: "build".into(), owner, provider, spec, library: "1".into(), size: 2 }
}

/// One that the pool keeps ready, not offered yet.
async fn kept(store: &Books, owner: OwnerId) -> SandboxId {
    let request = CreateRequest { pool: Some("build".into()), owner: Some(owner), ..create(None) };
    let (sandbox, operation) = begun(store, request).await;
    store.confirm(&operation.id, Outcome::state(State::Running)).await.unwrap();
    sandbox.id
}

fn take(keeper: OwnerId, owner: OwnerId, spec: SandboxSpec) -> Take {
    Take { pool: "build".into(), keeper, spec, owner }
}

pub async fn what_a_pool_offers_is_taken_once_by_any_process(store: Books) {
    let (keeper, taker) = (process(&store, "keeper").await, process(&store, "taker").await);
    let wanted = || take(keeper, taker, SandboxSpec::default().label("run", "1"));
    assert_eq!(code(store.take(wanted()).await), ErrorCode::NotFound, "there is no such pool");
    store.put_pool(pool(keeper)).await.unwrap();
    let (first, second) = (kept(&store, keeper).await, kept(&store, keeper).await);
    assert!(store.take(wanted()).await.unwrap().is_none(), "nothing is offered");
    store.offer(&second).await.unwrap();
    store.offer(&first).await.unwrap();
    assert_eq!(store.offered("build", &keeper).await.unwrap().sandboxes, [first, second]);
    let entry = store.pool("build").await.unwrap().unwrap();
    assert_eq!((entry.ready, entry.taken, entry.whole, entry.pid), (2, 0, true, Some(7)));

    running(&store, Some("known")).await;
    let named = take(keeper, taker, SandboxSpec::default().name("known"));
    assert_eq!(code(store.take(named).await), ErrorCode::AlreadyExists);
    let taken = store.take(wanted()).await.unwrap().unwrap();
    assert_eq!((taken.id, taken.owner, taken.detached, taken.pool), (first, Some(taker), false, None));
    assert_eq!(taken.labels["run"], "1");
    assert!(!store.withdraw(&first).await.unwrap(), "it is somebody else's");
    assert_eq!(code(store.offer(&first).await), ErrorCode::Conflict);
    assert_eq!(store.offered("build", &keeper).await.unwrap().sandboxes, [second]);

    assert!(store.withdraw(&second).await.unwrap());
    assert!(store.take(wanted()).await.unwrap().is_none(), "it is not offered any more");
    let entry = store.pool("build").await.unwrap().unwrap();
    assert_eq!((entry.ready, entry.taken), (0, 1));
}

pub async fn one_that_died_is_not_offered(store: Books) {
    let keeper = process(&store, "keeper").await;
    store.put_pool(pool(keeper)).await.unwrap();
    let id = kept(&store, keeper).await;
    store.offer(&id).await.unwrap();
    let post_mortem = PostMortem::new(id, DeathCause::AgentCrashed, Timestamp::now());
    store.record_death(post_mortem, State::Deleted).await.unwrap();
    assert!(store.take(take(keeper, keeper, SandboxSpec::default())).await.unwrap().is_none());
    assert_eq!(code(store.offer(&id).await), ErrorCode::SandboxGone);
    assert_eq!(store.pool("build").await.unwrap().unwrap().ready, 0);
}

pub async fn a_pool_has_its_name_while_its_process_lives(store: Books) {
    let (keeper, other) = (process(&store, "keeper").await, process(&store, "other").await);
    store.put_pool(pool(keeper)).await.unwrap();
    assert_eq!(code(store.put_pool(pool(other)).await), ErrorCode::AlreadyExists);
    let ready = kept(&store, keeper).await;
    store.offer(&ready).await.unwrap();
    store.end_owner(&keeper).await.unwrap();
    assert!(store.pool("build").await.unwrap().is_none() && store.pools().await.unwrap().is_empty());
    let late = store.take(take(keeper, other, SandboxSpec::default())).await;
    assert_eq!(code(late), ErrorCode::NotFound, "what it had is being removed");
    store.put_pool(pool(other)).await.unwrap();
    assert!(store.take(take(other, other, SandboxSpec::default())).await.unwrap().is_none(), "that of another");
    assert_eq!(store.pools().await.unwrap()[0].owner, other);
    store.remove_pool("build", &keeper).await.unwrap();
    assert!(store.pool("build").await.unwrap().is_some(), "it is not the other's to remove");
    store.remove_pool("build", &other).await.unwrap();
    assert!(store.pool("build").await.unwrap().is_none());
}

pub async fn a_pool_says_what_is_wrong_with_it_and_that_it_is_to_end(store: Books) {
    let keeper = process(&store, "keeper").await;
    assert_eq!(code(store.end_pool("build", None).await), ErrorCode::NotFound);
    let (env, value) = ("TOKEN".to_owned(), SecretValue::new("hidden"));
    let secret = Secret { env, value, delivery: SecretDelivery::Exposed };
    let spec = SandboxSpec { secrets: vec![secret], ..SandboxSpec::default() };
    store.put_pool(NewPool { spec, ..pool(keeper) }).await.unwrap();
    let failure = Report::from(&Error::internal("nothing works"));
    store.set_pool_failure("build", &keeper, Some(failure)).await.unwrap();
    let entry = store.pool("build").await.unwrap().unwrap();
    assert_eq!((entry.whole, entry.ending), (false, false), "others do not know the secret");
    assert_eq!(entry.failure.unwrap().message, "nothing works");
    store.set_pool_failure("build", &keeper, None).await.unwrap();
    let id = kept(&store, keeper).await;
    store.offer(&id).await.unwrap();
    let last = store.last_sequence().await.unwrap();
    assert_eq!(code(store.end_pool("build", Some(OwnerId::generate())).await), ErrorCode::NotFound, "it is another's");
    store.end_pool("build", None).await.unwrap();
    assert!(store.wait_past(last).await.unwrap() > last, "its process is woken");
    assert!(store.offered("build", &keeper).await.unwrap().ending);
    let late = store.take(take(keeper, keeper, SandboxSpec::default())).await;
    assert_eq!(code(late), ErrorCode::NotFound, "nothing is taken any more");
    assert!(store.pool("build").await.unwrap().unwrap().failure.is_none());
}
