//! Commands that go on without their caller, and are found again.

use crate::check::{Check, Checked, refused, same};
use crate::lab::{Lab, eventually};
use crate::processes::{read_until, until_alive};
use isobox::{Capability::*, ErrorCode, ExecId, OutputEvent, ProcessState, Replay};

pub(crate) const CHECKS: &[Check] = &[
    check!(process_round_trips, "A command that runs takes input, gives output and ends when it is told.")
        .shows(&[ExecSpawn])
        .needs(&[ExecStdinStream, ExecStop])
        .programs(&["cat"]),
    check!(process_result_stays, "The result of a command can be had again, and its exit code is always there.")
        .needs(&[ExecSpawn]),
    check!(
        process_is_listed_and_attached_to,
        "A running command is listed, and who attaches gets what it wrote before and what it writes then."
    )
    .shows(&[ExecAttach])
    .needs(&[ExecSpawn, ExecLiveStreaming]),
    check!(process_attach_of_unknown_is_not_found, "A command that nobody knows is not_found.")
        .needs(&[ExecAttach])
        .programs(&[]),
    check!(
        process_goes_on_when_detached,
        "A detached command goes on when its handle is dropped, and its end can be had later."
    )
    .shows(&[ExecDetached])
    .needs(&[ExecSpawn, ExecAttach]),
    check!(process_id_is_unique, "A second command with the id of one that runs is a conflict.").needs(&[ExecSpawn]),
    check!(process_handles_leave_it_alone, "Dropping a handle that only attached leaves the command alone.")
        .needs(&[ExecSpawn, ExecAttach]),
];

async fn process_round_trips(lab: &Lab) -> Checked {
    let process = lab.sandbox().await?.exec(["cat"]).stdin_stream().spawn().await?;
    process.write("12345").await?;
    let mut read = Vec::new();
    while read.len() < 5 {
        match process.next().await? {
            Some(OutputEvent::Stdout(bytes)) => read.extend_from_slice(&bytes),
            other => ensure!(false, "{other:?} came before the input was back"),
        }
    }
    same("what came back", &read[..], &b"12345"[..])?;
    process.kill().await?;
    same("whether its caller ended it", process.wait().await?.cancelled, true)
}

async fn process_result_stays(lab: &Lab) -> Checked {
    let process = lab.sandbox().await?.shell("echo out; exit 9").spawn().await?;
    let first = process.wait().await?;
    same("the exit code", first.exit_code, 9)?;
    same("the result, again", process.wait().await?, first)?;
    let mut exits = 0;
    while let Some(event) = process.next().await? {
        if let OutputEvent::Exited(exit) = event {
            same("the exit code at the end of the output", exit.exit_code, 9)?;
            exits += 1;
        }
    }
    same("how often the end is told", exits, 1)?;
    ensure!(process.next().await?.is_none(), "something comes after the end");
    Ok(())
}

async fn process_is_listed_and_attached_to(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let script = "echo before; while [ ! -e go ]; do sleep 0.05; done; echo after; exit 5";
    let process = sandbox.shell(script).label("the-one").spawn().await?;
    read_until(&process, "before\n").await?;
    let other = lab.isobox().connect(sandbox.id().as_str()).await?;
    let listed = other.processes().await?;
    let found = listed.iter().find(|listed| listed.id == *process.id());
    same("its label in the list", found.and_then(|found| found.label.as_deref()), Some("the-one"))?;
    same("its state in the list", found.map(|found| found.state == ProcessState::Running), Some(true))?;
    let attached = other.process(process.id()).await?;
    read_until(&attached, "before\n").await?;
    let late = other.process_from(process.id(), Replay::From { stdout: 7, stderr: 0 }).await?;
    sandbox.files().write("go", "").await?;
    read_until(&attached, "after\n").await?;
    let seen = read_until(&late, "after\n").await?;
    same("what comes behind what was seen", seen.as_str(), "after\n")?;
    same("the exit code for who attached", attached.wait().await?.exit_code, 5)
}

async fn process_attach_of_unknown_is_not_found(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    refused("attaching to no command", sandbox.process(&ExecId::generate()).await.map(drop), ErrorCode::NotFound)?;
    Ok(())
}

async fn process_goes_on_when_detached(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let mark = lab.mark();
    let script = format!("sleep {mark} & while [ ! -e go ]; do sleep 0.05; done; kill $!; echo done; exit 4");
    let process = sandbox.shell(script).detached().spawn().await?;
    let id = *process.id();
    until_alive(&sandbox, &mark).await?;
    drop(process);
    sandbox.files().write("go", "").await?;
    let attached = sandbox.process(&id).await?;
    let result = attached.wait().await?;
    same("the exit code", result.exit_code, 4)?;
    same("what it wrote", result.stdout.text(), "done\n")
}

async fn process_id_is_unique(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let id = ExecId::generate();
    let process = sandbox.shell("sleep 1000").id(id).spawn().await?;
    same("its id", process.id(), &id)?;
    let second = sandbox.shell("sleep 1000").id(id).spawn().await;
    refused("a second command with the id", second.map(drop), ErrorCode::Conflict)?;
    Ok(())
}

async fn process_handles_leave_it_alone(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let process = sandbox.shell("while [ ! -e go ]; do sleep 0.05; done; echo done").spawn().await?;
    for _ in 0..3 {
        drop(sandbox.process(process.id()).await?);
    }
    sandbox.files().write("go", "").await?;
    same("what it wrote", process.wait().await?.stdout.text(), "done\n")?;
    eventually("its end being listed", async || {
        let listed = sandbox.processes().await?;
        Ok(listed.iter().all(|listed| listed.id != *process.id() || listed.state != ProcessState::Running))
    })
    .await
}
