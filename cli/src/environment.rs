//! Every environment variable that the command reads, beside what it is asked to pass on with `--env NAME`.

pub(crate) use isobox::ISOBOX_HOME;

/// The provider to use when `--provider` does not say.
pub(crate) const ISOBOX_PROVIDER: &str = "ISOBOX_PROVIDER";

/// The configuration file when `--config` does not say.
pub(crate) const ISOBOX_CONFIG: &str = "ISOBOX_CONFIG";

/// Where the configuration file is looked for, in `isobox/config.toml`, when nothing says.
pub(crate) const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";

/// The kind of terminal, which a command in a terminal gets too.
pub(crate) const TERM: &str = "TERM";

/// The part of the help about these.
pub(crate) fn help() -> String {
    format!(
        "Environment:\n  \
         {ISOBOX_HOME:16} isobox's directory [default: $XDG_DATA_HOME/isobox, else ~/.local/share/isobox]\n  \
         {ISOBOX_PROVIDER:16} The provider when --provider does not say [default: auto]\n  \
         {ISOBOX_CONFIG:16} The configuration file when --config does not say [default: isobox/config.toml in\n  \
         {:16} ${XDG_CONFIG_HOME}, else in ~/.config]\n  \
         {TERM:16} The kind of terminal, passed on to a command in a terminal [default: xterm]",
        ""
    )
}
