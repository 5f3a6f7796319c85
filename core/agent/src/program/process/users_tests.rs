use super::*;

struct Root(std::path::PathBuf);

impl Root {
    fn new(name: &str, passwd: &[u8], group: &[u8]) -> Self {
        let root = std::env::temp_dir().join(format!("isobox-users-{}-{name}", std::process::id()));
        std::fs::create_dir_all(root.join("etc")).unwrap();
        std::fs::write(root.join("etc/passwd"), passwd).unwrap();
        std::fs::write(root.join("etc/group"), group).unwrap();
        Self(root)
    }

    fn ids(&self, spec: &str) -> (u32, u32, Vec<u32>) {
        let ids = resolve_in(&self.0, spec).unwrap().credentials;
        (ids.uid, ids.gid, ids.groups)
    }

    fn error(&self, spec: &str) -> String {
        resolve_in(&self.0, spec).unwrap_err().to_string()
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const PASSWD: &[u8] = b"root:x:0:0:root:/root:/bin/bash\n# comment\n+::::::\n-nis:x:9:9::/:\nbad line\nshort:x:5\n\
    far:x:99999999999:1::/:/bin/sh\n\xff\xfe:x:7:7::/:\napp:x:1000:1001:App,,,:/home/app:\n2000:x:3000:3000::/n:/bin/sh";
const GROUP: &[u8] =
    b"root:x:0:\nwheel:x:10:root,app\napp:x:1001:\ndocker:x:999:app\nnot-app:x:50:happ,application\n+:::\n:x\n";

#[test]
fn every_form_is_understood() {
    let root = Root::new("forms", PASSWD, GROUP);
    assert_eq!(root.ids("app"), (1000, 1001, vec![10, 999, 1001]));
    assert_eq!(root.ids("1000"), (1000, 1001, vec![10, 999, 1001]));
    assert_eq!(root.ids("app:wheel"), (1000, 10, vec![]));
    assert_eq!(root.ids("app:4242"), (1000, 4242, vec![]));
    assert_eq!(root.ids("12:34"), (12, 34, vec![]));
    assert_eq!(root.ids("root"), (0, 0, vec![0, 10]));
}

#[test]
fn home_and_shell_have_defaults() {
    let root = Root::new("defaults", PASSWD, GROUP);
    let app = resolve_in(&root.0, "app").unwrap();
    assert_eq!((app.home, app.shell, app.name), (b"/home/app".to_vec(), b"/bin/sh".to_vec(), Some(b"app".to_vec())));
    let nobody = resolve_in(&root.0, "4711").unwrap();
    assert_eq!((nobody.home, nobody.name), (b"/".to_vec(), None));
    assert_eq!(nobody.credentials, Credentials { uid: 4711, gid: 0, groups: vec![] });
}

#[test]
fn a_name_goes_before_a_number() {
    let root = Root::new("numeric", PASSWD, GROUP);
    assert_eq!(root.ids("2000").0, 3000);
}

#[test]
fn unknown_names_say_what_to_do() {
    let root = Root::new("unknown", PASSWD, GROUP);
    let expected = r#"user "nobody" is not in the sandbox's /etc/passwd; add it to the image or give a numeric uid"#;
    assert_eq!(root.error("nobody"), expected);
    assert!(root.error("app:staff").contains(r#"group "staff""#));
    for malformed in ["", ":", "app:", ":app", "-nis", "+", "4294967295", "far"] {
        assert!(resolve_in(&root.0, malformed).is_err(), "{malformed:?}");
    }
}

#[test]
fn an_image_without_the_files_has_numbers_only() {
    let root = Root::new("empty", b"", b"");
    std::fs::remove_dir_all(root.0.join("etc")).unwrap();
    assert_eq!(root.ids("1:2"), (1, 2, vec![]));
    assert!(resolve_in(&root.0, "root").is_err());
}

#[test]
fn a_fifo_in_the_place_of_the_file_does_not_hang() {
    let root = Root::new("fifo", b"", b"");
    std::fs::remove_file(root.0.join("etc/passwd")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(root.0.join("etc/passwd")).status().unwrap();
    assert!(made.success());
    assert!(root.error("root").contains("/etc/passwd"));
}

#[test]
fn only_the_start_of_an_endless_file_is_read() {
    let mut passwd = vec![b'x'; FILE_CAP as usize + 1];
    passwd.extend_from_slice(b"\nlate:x:1:1::/:\n");
    let root = Root::new("huge", &passwd, b"");
    assert!(root.error("late").contains("late"));
}
