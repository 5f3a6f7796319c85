//! `--output`, the same for all verbs that print data.

use clap::{Args, ValueEnum};

/// What goes to stdout.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// Text for people
    #[default]
    Table,
    /// JSON for programs; errors are one JSON object on stderr
    Json,
}

/// The flag.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct FormFlag {
    /// What goes to stdout
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub(crate) output: Form,
}

impl From<Form> for super::Output {
    fn from(form: Form) -> Self {
        match form {
            Form::Table => super::Output::Table,
            Form::Json => super::Output::Json,
        }
    }
}
