use super::*;
use proptest::prelude::*;

fn config() -> LaunchConfig {
    LaunchConfig {
        state_dir: b"/run/\xff box".to_vec(),
        root: RootFs::Directory(b"/images/a".to_vec()),
        memory: vec![MemoryMount { target: b"/m".to_vec(), size: 1, mode: 0o700, writable: true, after: 1 }],
        mounts: vec![BindMount { source: b"/a".to_vec(), part: Vec::new(), target: b"/b".to_vec(), writable: true }],
        hostname: "box".into(),
        uid_map: vec![IdRange { inside: 0, outside: 100_000, count: 65_536 }],
        gid_map: vec![IdRange { inside: 0, outside: 100_000, count: 65_536 }],
        id_helpers: Some(IdHelpers { users: b"/bin/u".to_vec(), groups: b"/bin/g".to_vec() }),
        id_mapped: true,
        network: Network::None,
        confinement: Confinement { system_calls: Some(vec![6, 0, 0, 0, 0, 0, 255, 127]), ..Confinement::default() },
        keep: false,
        again: true,
        stop_after: vec![11],
        shm_size: None,
        tmp_size: Some(1 << 20),
        pauses: true,
        disk: Disk::Memory(1 << 30),
        cgroups: Cgroups { born_in: Some(b"/sys/fs/cgroup/a".to_vec()), ..Cgroups::default() },
        agent: vec![1, 2, 3],
    }
}

#[test]
fn a_config_survives_the_wire() {
    let frame = config().to_frame().unwrap();
    assert_eq!(frame[..4], u32::try_from(frame.len() - 4).unwrap().to_be_bytes());
    assert_eq!(LaunchConfig::from_body(&frame[4..]), Ok(config()));
}

#[test]
fn a_report_survives_the_wire() {
    let failure = LaunchFailure {
        step: LaunchStep::BindMount,
        errno: 2,
        message: "no such thing".into(),
        hint: Some("make it".into()),
    };
    for report in [LaunchReport::Ready { pid: 7 }, LaunchReport::Failed(failure)] {
        let frame = report.to_frame().unwrap();
        assert_eq!(LaunchReport::from_body(&frame[4..]), Ok(report));
    }
}

#[test]
fn an_oversized_config_is_refused_before_it_is_sent() {
    let large = LaunchConfig { agent: vec![0; MAX_LAUNCH_CONFIG], ..config() };
    assert!(large.to_frame().is_err());
}

#[test]
fn bytes_behind_a_config_are_refused() {
    let mut frame = config().to_frame().unwrap();
    frame.push(0);
    assert!(LaunchConfig::from_body(&frame[4..]).is_err());
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = LaunchConfig::from_body(&bytes);
        let _ = LaunchReport::from_body(&bytes);
    }
}
