//! How a sandbox in Docker ends: by whoever, it is noticed at once, told apart, and nothing is left.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

#[path = "common/docker.rs"]
mod docker;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use docker::{DockerLab, TINY, library};
use elsewhere::{Elsewhere, PATIENCE, settles};
use isobox::contract::{Context, Provider, SandboxRecord};
use isobox::{
    DeathCause, DockerOptions, Ended, ErrorCode, Labels, ProviderOptions, Sandbox, SandboxId, SandboxSpec, Sidecar,
    Source, State,
};
use isobox_docker::DockerProvider;
use std::time::Duration;

/// How long a machine with other work may take for what the engine does after a request was given up.
const LONG: Duration = Duration::from_secs(60);

const MIB: u64 = 1 << 20;

/// How a sandbox died.
async fn died(sandbox: &Sandbox) -> isobox::PostMortem {
    match tokio::time::timeout(PATIENCE, sandbox.ended()).await.unwrap().unwrap() {
        Ended::Died(post_mortem) => *post_mortem,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_removal_from_outside_is_noticed_by_who_waits_and_by_who_runs_something() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.sandbox().await;
    let command = tokio::spawn(sandbox.shell("echo last words; sleep 4000").into_future());
    settles("the command", || lab.docker(&["top", sandbox.external_id().as_str()]).unwrap().contains("sleep 4000"))
        .await;
    let waiting = sandbox.clone();
    let waiting = tokio::spawn(async move { died(&waiting).await });
    lab.docker(&["rm", "--force", sandbox.external_id().as_str()]).unwrap();
    let post_mortem = waiting.await.unwrap();
    assert_eq!(post_mortem.cause, DeathCause::RemovedExternally, "{post_mortem:?}");
    let failed = tokio::time::timeout(PATIENCE, command).await.unwrap().unwrap().unwrap_err();
    assert!(failed.code() == ErrorCode::SandboxGone && failed.is_infrastructure(), "{failed:?}");
    assert_eq!(sandbox.exec(["true"]).await.unwrap_err().code(), ErrorCode::SandboxGone);
    sandbox.delete().await.unwrap();
    lab.assert_gone(sandbox.id().as_str());
}

#[tokio::test]
async fn a_stop_from_outside_is_a_stop_and_a_kill_is_a_death() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.sandbox().await;
    sandbox.files().write("/kept", "x").await.unwrap();
    lab.docker(&["stop", sandbox.external_id().as_str()]).unwrap();
    let ended = tokio::time::timeout(PATIENCE, sandbox.ended()).await.unwrap().unwrap();
    assert!(matches!(ended, Ended::Stopped), "{ended:?}");
    assert_eq!(sandbox.describe().await.unwrap().state, State::Stopped);
    // The engine alone cannot start it, and nothing is lost by the try.
    let _ = lab.docker(&["start", sandbox.external_id().as_str()]);
    settles("the end of what has no config", || {
        let state = ["inspect", "--format", "{{.State.Status}}", sandbox.external_id().as_str()];
        lab.docker(&state).unwrap() == "exited"
    })
    .await;
    assert_eq!(sandbox.describe().await.unwrap().state, State::Stopped);
    sandbox.start().await.unwrap();
    assert_eq!(sandbox.files().read_text("/kept").await.unwrap(), "x");

    lab.docker(&["kill", sandbox.external_id().as_str()]).unwrap();
    let post_mortem = died(&sandbox).await;
    assert_eq!((post_mortem.cause, post_mortem.signal), (DeathCause::RemovedExternally, Some(9)));
    sandbox.delete().await.unwrap();
    lab.assert_gone(sandbox.id().as_str());
}

#[tokio::test]
async fn a_lifetime_ends_it_or_stops_it() {
    let Some(lab) = DockerLab::open().await else { return };
    let expired = lab.tiny().ttl(Duration::from_secs(3)).create().await.unwrap();
    assert_eq!(died(&expired).await.cause, DeathCause::Expired);
    let stopped =
        lab.tiny().idle_timeout(Duration::from_secs(3)).on_expiry(isobox::Expiry::Stop).create().await.unwrap();
    let ended = tokio::time::timeout(PATIENCE, stopped.ended()).await.unwrap().unwrap();
    assert!(matches!(ended, Ended::Stopped), "{ended:?}");
    assert_eq!(stopped.describe().await.unwrap().state, State::Stopped);
    stopped.start().await.unwrap();
    assert_eq!(stopped.shell("echo again").await.unwrap().stdout.text(), "again\n");
    for sandbox in [expired, stopped] {
        sandbox.delete().await.unwrap();
        lab.assert_gone(sandbox.id().as_str());
    }
}

#[tokio::test]
async fn what_its_root_leaves_beside_the_socket_goes_with_it() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.sandbox().await;
    let made =
        "mkdir -p /.isobox/run/a/b && chmod 700 /.isobox/run/a && echo x >/.isobox/run/a/b/c && echo x >/.isobox/run/d";
    let try_it = async || sandbox.shell(made).await.unwrap().exit_code == 0;
    let left = try_it().await;
    if rustix::process::geteuid().is_root() && can_seal(lab.home()) {
        assert!(!left, "it is on this machine's disk");
    }
    sandbox.stop(None).await.unwrap();
    sandbox.start().await.unwrap();
    assert_eq!(sandbox.shell("ls /.isobox/run").await.unwrap().stdout.text(), "agent.sock\n");
    assert_eq!(try_it().await, left);
    sandbox.delete().await.unwrap();
    lab.assert_gone(sandbox.id().as_str());
}

/// Whether the filesystem of a directory has the flag that nothing may be made in one.
fn can_seal(directory: &std::path::Path) -> bool {
    use rustix::fs::{IFlags, ioctl_getflags, ioctl_setflags};
    let place = tempfile::tempdir_in(directory).unwrap();
    let opened = std::fs::File::open(place.path()).unwrap();
    let change = |flag: bool| {
        let before = ioctl_getflags(&opened)?;
        ioctl_setflags(&opened, if flag { before | IFlags::IMMUTABLE } else { before - IFlags::IMMUTABLE })
    };
    change(true).and_then(|()| change(false)).is_ok()
}

#[tokio::test]
async fn its_root_fills_no_disk_through_what_it_shares_with_this_machine() {
    let Some(lab) = DockerLab::open().await else { return };
    if !rustix::process::geteuid().is_root() || !can_seal(lab.home()) {
        println!("skipped: only root can seal a directory, and not on every filesystem");
        return;
    }
    let sandbox = lab.sandbox().await;
    let before = used(lab.home());
    // By a new file, by what is there, by its name, and by whoever it may be.
    let fill =
        "cd /.isobox/run; dd if=/dev/zero of=fill bs=1048576 count=8; mkdir more; ln -s x link; mv agent.sock other;
        cat /dev/zero > agent.sock; rm -f agent.sock; chmod 700 .; chattr -i .; mount -o remount,rw .; ls";
    let seen = sandbox.shell(fill).await.unwrap();
    assert_eq!(seen.stdout.text(), "agent.sock\n", "{}", seen.stderr.text());
    assert!(used(lab.home()) < before + MIB, "it has filled the disk");
    assert_eq!(sandbox.shell("echo on").await.unwrap().stdout.text(), "on\n");
    let other = lab.again().await.connect(sandbox.id().as_str()).await.unwrap();
    assert_eq!(other.shell("echo on").await.unwrap().stdout.text(), "on\n");
    sandbox.delete().await.unwrap();
    lab.assert_gone(sandbox.id().as_str());
}

/// Bytes of everything below a directory's part for containers.
fn used(home: &std::path::Path) -> u64 {
    let mut open = vec![home.join("docker")];
    let mut bytes = 0;
    while let Some(path) = open.pop() {
        let metadata = path.symlink_metadata().unwrap();
        bytes += metadata.len();
        if metadata.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    bytes
}

#[tokio::test]
async fn the_last_handle_takes_it_along() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.sandbox().await;
    let id = sandbox.id().to_string();
    drop(sandbox);
    settles("the removal", || lab.containers(&id).is_empty() && lab.left_over().is_empty()).await;
}

#[tokio::test]
#[ignore = "a part of a test, in another process"]
async fn owner() {
    let Some(home) = elsewhere::home() else { return };
    let isobox = library(&home, &docker::address().unwrap()).await;
    let builder = isobox.sandbox().provider("docker").image(TINY).owner_lease(Duration::from_secs(2));
    let sandbox = builder.create().await.unwrap();
    sandbox.shell("sleep 4000").detached().spawn().await.unwrap();
    elsewhere::say(sandbox.id().as_str());
    while elsewhere::hear().is_some() {}
    std::mem::forget(sandbox);
}

#[tokio::test]
async fn it_ends_with_its_owner_and_the_next_one_takes_away_what_is_left() {
    let Some(lab) = DockerLab::open().await else { return };
    let mut owner = Elsewhere::start("owner", lab.home());
    let id = owner.hear();
    let seen = lab.isobox.connect(&id).await.unwrap();
    assert_eq!(seen.shell("echo seen").await.unwrap().stdout.text(), "seen\n");
    owner.kill();
    assert_eq!(died(&seen).await.cause, DeathCause::OwnerLost);
    lab.isobox.collect_garbage().await.unwrap();
    lab.assert_gone(&id);
}

#[tokio::test]
async fn what_is_detached_is_found_entered_and_adopted_by_another() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.tiny().name("shared").detached().create().await.unwrap();
    let id = sandbox.id().to_string();
    sandbox.files().write("/word", "left").await.unwrap();
    drop(sandbox);
    let other = lab.again().await;
    let found = other.connect("shared").await.unwrap();
    assert_eq!(found.files().read_text("/word").await.unwrap(), "left");
    found.adopt().await.unwrap();
    found.set_ttl(Duration::from_secs(3000)).await.unwrap();
    assert!(found.describe().await.unwrap().expires_at.is_some());
    found.detach().await.unwrap();
    found.stop(None).await.unwrap();
    // The first library has not seen any of that.
    let again = lab.isobox.connect(&id).await.unwrap();
    assert_eq!(again.describe().await.unwrap().state, State::Stopped);
    again.start().await.unwrap();
    assert_eq!(again.files().read_text("/word").await.unwrap(), "left");
    again.delete().await.unwrap();
    lab.assert_gone(&id);
    assert_eq!(other.connect("shared").await.unwrap_err().code(), ErrorCode::NotFound);
}

#[tokio::test]
async fn a_creation_that_is_given_up_leaves_nothing_wherever_it_was() {
    let Some(lab) = DockerLab::open().await else { return };
    for kind in ["image", "build", "sidecar"] {
        let builder = || {
            let command = vec!["sleep".to_owned(), "4000".to_owned()];
            let sidecar = Sidecar { name: "beside".into(), image: TINY.into(), command, ..Sidecar::default() };
            let options = DockerOptions { sidecars: vec![sidecar], ..DockerOptions::default() };
            // A build that is the same as one before is none.
            let content = format!("FROM {TINY}\nRUN echo {} > /built\n", SandboxId::generate()).into();
            match kind {
                "build" => {
                    lab.isobox.sandbox().provider("docker").source(Source::Dockerfile { content, context: None })
                }
                "sidecar" => lab.tiny().options(ProviderOptions::Docker(Box::new(options))),
                _ => lab.tiny(),
            }
        };
        let begun = std::time::Instant::now();
        builder().create().await.unwrap().delete().await.unwrap();
        let whole = begun.elapsed();
        for part in 1..=12 {
            let made = tokio::time::timeout(whole * part / 12, builder().create()).await;
            if let Ok(made) = made {
                made.unwrap().delete().await.unwrap();
            }
        }
        let deadline = std::time::Instant::now() + LONG;
        while (lab.ours(), lab.left_over()) != (String::new(), Vec::new()) {
            let left = || (lab.ours(), lab.left_over());
            assert!(std::time::Instant::now() < deadline, "of {kind} there is left: {:?}", left());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

#[tokio::test]
async fn a_volume_that_nobody_waits_for_is_made_to_its_end_or_not_at_all() {
    let Some(lab) = DockerLab::open().await else { return };
    let volumes = lab.isobox.volumes().provider("docker");
    let begun = std::time::Instant::now();
    volumes.create("whole").await.unwrap();
    let whole = begun.elapsed();
    volumes.delete("whole").await.unwrap();
    for part in 1..=12 {
        let name = format!("part-{part}");
        let made = tokio::time::timeout(whole * part / 12, volumes.create(&name)).await;
        if made.is_ok_and(|made| made.is_ok()) || volumes.get(&name).await.is_ok() {
            let sandbox = lab.tiny().volume(&name, "/volume").user("1000").create().await.unwrap();
            assert!(sandbox.shell("touch /volume/file").await.unwrap().success(), "it is half made");
            sandbox.delete().await.unwrap();
        }
        volumes.delete(&name).await.unwrap();
    }
    settles("the removal", || lab.ours().is_empty()).await;
}

#[tokio::test]
async fn many_are_made_at_once_or_wait_for_their_turn() {
    let Some(lab) = DockerLab::open().await else { return };
    let mut all = tokio::task::JoinSet::new();
    for number in 0..100 {
        let builder = lab.tiny().label("many", number.to_string()).create_timeout(Duration::from_secs(600));
        all.spawn(async move {
            let sandbox = builder.create().await.unwrap();
            let said = sandbox.shell(format!("echo {number}")).await.unwrap();
            assert_eq!(said.stdout.text(), format!("{number}\n"));
            sandbox
        });
    }
    // All of them are there at once.
    let made = all.join_all().await;
    assert_eq!(lab.left_over().len(), 100);
    for done in futures::future::join_all(made.iter().map(|sandbox| sandbox.delete())).await {
        done.unwrap();
    }
    assert_eq!((lab.ours(), lab.left_over()), (String::new(), Vec::new()));
}

#[tokio::test]
async fn what_is_somebody_elses_is_neither_seen_nor_touched() {
    let Some(lab) = DockerLab::open().await else { return };
    let other = lab.docker(&["create", "--label", "isobox.like=this", TINY, "/bin/true"]).unwrap();
    let provider = lab.isobox.provider("docker").await.unwrap();
    let record = SandboxRecord {
        id: SandboxId::generate(),
        external: other.parse().unwrap(),
        data: serde_json::json!({ "token": [1, 2, 3] }),
    };
    let refused = provider.attach(&record, &Context::quiet()).await.err().unwrap();
    assert_eq!(refused.code(), ErrorCode::NotFound, "{refused}");
    provider.delete(&record, &Context::quiet()).await.unwrap();
    // Nor is what another isobox has at the same engine.
    let neighbour = DockerLab::with(&lab.address).await;
    let theirs = neighbour.sandbox().await;
    assert!(provider.list(&isobox::contract::Filter::default()).await.unwrap().is_empty());
    assert!(provider.leavings().await.unwrap().is_empty());
    lab.isobox.collect_garbage().await.unwrap();
    assert_eq!(theirs.shell("echo lives").await.unwrap().stdout.text(), "lives\n");
    theirs.delete().await.unwrap();
    lab.docker(&["inspect", &other]).unwrap();
    lab.docker(&["rm", &other]).unwrap();
}

#[tokio::test]
async fn an_id_is_given_once_and_a_list_says_what_there_is() {
    let Some(lab) = DockerLab::open().await else { return };
    let provider = DockerProvider::at(lab.home(), &lab.address).unwrap();
    let id = SandboxId::generate();
    let spec = SandboxSpec::new(Source::image(TINY)).name("one").label("a", "b");
    let made = provider.create(&id, &spec, &Context::quiet()).await.unwrap();
    let again = provider.create(&id, &spec, &Context::quiet()).await.err().unwrap();
    assert_eq!(again.code(), ErrorCode::AlreadyExists, "{again}");
    assert_eq!(made.exec().run(isobox::ExecRequest::argv(["/bin/echo", "x"])).await.unwrap().exit_code, 0);
    let listed = provider.list(&isobox::contract::Filter::default()).await.unwrap();
    let [status] = &listed[..] else { panic!("{listed:?}") };
    assert_eq!((status.id, status.state, status.name.as_deref()), (Some(id), State::Running, Some("one")));
    assert_eq!(status.labels, Labels::from([("a".to_owned(), "b".to_owned())]));
    made.stop(None, &Context::quiet()).await.unwrap();
    assert_eq!(provider.list(&isobox::contract::Filter::default()).await.unwrap()[0].state, State::Stopped);
    assert!(provider.leavings().await.unwrap().is_empty());
    // Of a sandbox whose maker was killed, the id is all that is known.
    let nameless = SandboxRecord { id, external: id.as_str().parse().unwrap(), data: serde_json::Value::Null };
    provider.delete(&nameless, &Context::quiet()).await.unwrap();
    lab.assert_gone(id.as_str());
    let missing = lab.isobox.sandbox().provider("docker").image("localhost:1/no:such").create().await.unwrap_err();
    assert!(matches!(missing.code(), ErrorCode::ImageNotFound | ErrorCode::ImagePullFailed), "{missing:?}");
}
