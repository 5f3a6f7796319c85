//! Which files a program name may mean: execvp's rules, with the PATH of the command's own environment.

use std::ffi::CString;

/// The search path of a command whose environment has no PATH, the one container engines use.
const DEFAULT_PATH: &[u8] = b"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The value of `name` in a list of `NAME=value`; the first one counts, as for getenv.
pub(super) fn variable<'a>(env: &'a [Vec<u8>], name: &[u8]) -> Option<&'a [u8]> {
    env.iter().find_map(|entry| entry.strip_prefix(name)?.strip_prefix(b"="))
}

/// The path that will be searched for a name without a slash.
pub(super) fn search_path(env: &[Vec<u8>]) -> &[u8] {
    variable(env, b"PATH").unwrap_or(DEFAULT_PATH)
}

/// The files to try in order. A name with a slash is a path; an empty element of PATH is the working directory.
pub(super) fn candidates(program: &CString, env: &[Vec<u8>]) -> Vec<CString> {
    let name = program.as_bytes();
    if name.is_empty() || name.contains(&b'/') {
        return vec![program.clone()];
    }
    let join = |directory: &[u8]| {
        let directory = if directory.is_empty() { b"." } else { directory };
        // Neither half has a NUL: the name is a CString and the environment was checked.
        CString::new([directory, b"/", name].concat()).ok()
    };
    search_path(env).split(|byte| *byte == b':').filter_map(join).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(program: &str, env: &[&str]) -> Vec<String> {
        let env: Vec<Vec<u8>> = env.iter().map(|entry| entry.as_bytes().to_vec()).collect();
        let program = CString::new(program).unwrap();
        candidates(&program, &env).into_iter().map(|path| path.into_string().unwrap()).collect()
    }

    #[test]
    fn a_name_is_searched_in_order_and_a_path_is_not() {
        assert_eq!(found("ls", &["PATHS=/x", "PATH=/a::/b", "PATH=/c"]), ["/a/ls", "./ls", "/b/ls"]);
        assert_eq!(found("./ls", &["PATH=/a"]), ["./ls"]);
        assert_eq!(found("", &["PATH=/a"]), [""]);
    }

    #[test]
    fn without_path_the_usual_directories_are_searched() {
        assert_eq!(found("ls", &[]).last().map(String::as_str), Some("/bin/ls"));
    }
}
