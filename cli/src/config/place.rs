//! Where the configuration file is.

use crate::environment::XDG_CONFIG_HOME;
use std::ffi::OsString;
use std::path::PathBuf;

/// Below a directory for configuration.
const NAME: &str = "isobox/config.toml";

/// The path where it is looked for when nobody names one.
pub(super) fn find(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // The XDG base directory specification says that a relative path is to be ignored.
    let directory = set(XDG_CONFIG_HOME).filter(|path| path.is_absolute());
    directory.or_else(|| set("HOME").map(|home| home.join(".config"))).map(|directory| directory.join(NAME))
}

/// The path to tell a person who has none.
pub(super) fn usual() -> String {
    find(|name| std::env::var_os(name)).map_or_else(|| format!("~/.config/{NAME}"), |path| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_of_the_user_comes_before_the_usual_one() {
        let found = |variables: &[(&str, &str)]| {
            find(|name| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| value.into()))
        };
        let all = [("XDG_CONFIG_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(found(&all), Some("/x/isobox/config.toml".into()));
        assert_eq!(found(&all[1..]), Some("/h/.config/isobox/config.toml".into()));
        assert_eq!(found(&[("XDG_CONFIG_HOME", "x"), ("HOME", "/h")]), Some("/h/.config/isobox/config.toml".into()));
        assert_eq!(found(&[]), None);
    }
}
