//! The configuration file: the default provider, and profiles, which are sets of flags with a name.
//!
//! ```toml
//! default-provider = "namespace"
//!
//! [profiles.python]
//! image = "python:3.13"
//! memory = "1g"
//! env = { LANG = "C.UTF-8" }
//! ```
//!
//! It is looked for in this order: `--config`, `ISOBOX_CONFIG`, `isobox/config.toml` in `$XDG_CONFIG_HOME`, the same in
//! `~/.config`. One that was named must be there; without one, there are no profiles.

mod place;
mod settings;

pub(crate) use settings::Settings;

use isobox::{Error, ErrorCode, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the file says.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
struct File {
    default_provider: Option<String>,
    profiles: BTreeMap<String, Settings>,
}

/// The file, once it is read.
#[derive(Debug, Default)]
pub(crate) struct Config {
    path: Option<PathBuf>,
    file: File,
}

impl Config {
    /// Reads the file that is meant; nothing when there is none.
    pub(crate) fn read(named: Option<&Path>) -> Result<Self> {
        let (path, must) = match named {
            Some(path) => (path.to_owned(), true),
            None => match place::find(|name| std::env::var_os(name)) {
                Some(path) => (path, false),
                None => return Ok(Self::default()),
            },
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => Self::parse(path, &text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !must => Ok(Self::default()),
            Err(error) => {
                let message = format!("the configuration file {} cannot be read, name another one", path.display());
                Err(Error::new(ErrorCode::InvalidSpec, message).with_source(error))
            }
        }
    }

    fn parse(path: PathBuf, text: &str) -> Result<Self> {
        match toml::from_str(text) {
            Ok(file) => Ok(Self { path: Some(path), file }),
            Err(error) => Err(wrong(&path, text, &error)),
        }
    }

    /// The provider that is meant: the one that was named, else the file's, else `auto`.
    pub(crate) fn provider<'a>(&'a self, named: Option<&'a str>) -> &'a str {
        self.named_provider(named).unwrap_or(isobox::AUTO)
    }

    /// The same, none where it is left open.
    pub(crate) fn named_provider<'a>(&'a self, named: Option<&'a str>) -> Option<&'a str> {
        named.or(self.file.default_provider.as_deref()).filter(|name| *name != isobox::AUTO)
    }

    /// The settings of a profile; none without a name.
    pub(crate) fn profile(&self, name: Option<&str>) -> Result<Settings> {
        let Some(name) = name else { return Ok(Settings::default()) };
        if let Some(settings) = self.file.profiles.get(name) {
            return Ok(settings.clone());
        }
        let reason = match &self.path {
            None => format!("{name:?} is not there: there is no configuration file, make {}", place::usual()),
            Some(path) => {
                let names: Vec<_> = self.file.profiles.keys().map(String::as_str).collect();
                let names = if names.is_empty() { "has none".to_owned() } else { format!("has {}", names.join(", ")) };
                format!("{name:?} is not there: {} {names}", path.display())
            }
        };
        Err(Error::invalid_spec("profile", reason))
    }
}

/// What is wrong with the file, in one line with its place.
fn wrong(path: &Path, text: &str, error: &toml::de::Error) -> Error {
    let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    let line = line.map(|line| format!(" line {line}")).unwrap_or_default();
    let what = error.message().replace('\n', ", ");
    Error::new(ErrorCode::InvalidSpec, format!("the configuration file {}{line}: {what}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config> {
        Config::parse("/c.toml".into(), text)
    }

    fn refusal(text: &str) -> String {
        read(text).unwrap_err().message().to_owned()
    }

    #[test]
    fn a_profile_is_found_by_its_name() {
        let config = read("default-provider = 'host'\n[profiles.a]\nimage = 'x'\nread-only = true\n").unwrap();
        assert_eq!((config.provider(None), config.provider(Some("x"))), ("host", "x"));
        let settings = config.profile(Some("a")).unwrap();
        assert_eq!((settings.image.as_deref(), settings.read_only), (Some("x"), Some(true)));
        assert_eq!(config.profile(None).unwrap().image, None);
        let error = config.profile(Some("b")).unwrap_err();
        assert_eq!(error.message(), "profile \"b\" is not there: /c.toml has a");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let unknown = refusal("[profiles.a]\nimage = 'x'\nmemroy = '1g'\n");
        assert!(unknown.starts_with("the configuration file /c.toml line 3: unknown field `memroy`"), "{unknown}");
        let unknown = refusal("\nprofile = 1\n");
        assert!(unknown.starts_with("the configuration file /c.toml line 2: unknown field `profile`"), "{unknown}");
        let value = refusal("[profiles.a]\n\nmemory = 'much'\n");
        assert!(value.starts_with("the configuration file /c.toml line 3: ") && value.contains("512m"), "{value}");
        let syntax = refusal("[profiles.a\n");
        assert!(syntax.starts_with("the configuration file /c.toml line 1: "), "{syntax}");
    }
}
