//! `isobox ls` and `isobox inspect`: what sandboxes there are, and what is known of them.

use crate::args::{Form, InspectArgs, LsArgs};
use crate::view::{Inspected, SandboxView, Sandboxes};
use crate::{exit, find, output, runtime};
use isobox::{Error, Result, SandboxEntry, SandboxFilter, State};

pub(crate) fn ls(args: &LsArgs) -> Result<u8> {
    let wanted = Wanted::of(args)?;
    runtime::with_isobox("ls", async |isobox| {
        let all = isobox.list(wanted.filter.clone()).await?;
        let views: Vec<_> = all.iter().filter(|entry| wanted.fits(entry)).map(SandboxView::of).collect();
        if args.quiet {
            return output::lines(views.iter().map(|view| view.id().as_str()));
        }
        output::show(&Sandboxes(views), args.form.output)
    })
}

/// What filters ask for: one that the library knows, and the rest.
#[derive(Debug)]
struct Wanted {
    filter: SandboxFilter,
    labels: Vec<String>,
    name: Option<String>,
    /// Those that a pool keeps ready, too.
    pooled: bool,
}

impl Wanted {
    fn of(args: &LsArgs) -> Result<Self> {
        let mut wanted = Self {
            filter: SandboxFilter { deleted: args.all, ..SandboxFilter::default() },
            labels: Vec::new(),
            name: None,
            pooled: args.all,
        };
        for (key, value) in &args.filters {
            wanted.add(key, value)?;
        }
        Ok(wanted)
    }

    fn add(&mut self, key: &str, value: &str) -> Result<()> {
        let refused = |reason: String| Err(Error::invalid_spec("--filter", reason));
        match key {
            "label" => match value.split_once('=') {
                Some((name, value)) => drop(self.filter.labels.insert(name.to_owned(), value.to_owned())),
                None => self.labels.push(value.to_owned()),
            },
            "state" => match State::ALL.iter().find(|state| state.as_str() == value) {
                Some(state) => self.filter.states.push(*state),
                None => {
                    let states: Vec<_> = State::ALL.iter().map(|state| state.as_str()).collect();
                    return refused(format!("state={value} is no state, use one of {}", states.join(", ")));
                }
            },
            "name" => self.name = Some(value.to_owned()),
            "provider" => match value.parse() {
                Ok(kind) => self.filter.provider = Some(kind),
                Err(error) => return refused(format!("provider={value} is no provider: {error}")),
            },
            _ => return refused(format!("{key} is not known, use label, state, name or provider")),
        }
        Ok(())
    }

    fn fits(&self, entry: &SandboxEntry) -> bool {
        let named = self.name.is_none() || entry.name == self.name;
        named
            && (self.pooled || entry.pool.is_none())
            && self.labels.iter().all(|label| entry.labels.contains_key(label))
    }
}

pub(crate) fn inspect(args: &InspectArgs) -> Result<u8> {
    runtime::with_isobox("inspect", async |isobox| {
        let mut all = Vec::new();
        for word in &args.sandboxes {
            let entry = find::remembered(&isobox, word).await?;
            let post_mortem = isobox.post_mortem(&entry.id).await?;
            all.push(Inspected::of(&entry, post_mortem));
        }
        match args.form.output {
            Form::Json => output::line(&all).map(exit::of_reader),
            Form::Table => {
                let texts: Vec<_> = all.iter().map(output::Show::text).collect();
                output::put(texts.join("\n").as_bytes()).map(exit::of_reader)
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::FormFlag;

    fn wanted(filters: &[(&str, &str)]) -> Result<Wanted> {
        let filters = filters.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Wanted::of(&LsArgs { all: false, quiet: false, filters, form: FormFlag { output: Form::Table } })
    }

    #[test]
    fn filters_are_read() {
        let all = [("label", "a=b"), ("label", "c"), ("state", "running"), ("state", "paused"), ("provider", "host")];
        let wanted = wanted(&all).unwrap();
        assert_eq!(wanted.filter.labels.get("a").map(String::as_str), Some("b"));
        assert_eq!(wanted.labels, ["c"]);
        assert_eq!(wanted.filter.states, [State::Running, State::Paused]);
    }

    #[test]
    fn a_filter_that_is_not_known_is_refused_with_those_that_are() {
        let error = |key, value| wanted(&[(key, value)]).unwrap_err().message().to_owned();
        assert_eq!(error("nmae", "x"), "--filter nmae is not known, use label, state, name or provider");
        assert!(
            error("state", "up").starts_with("--filter state=up is no state, use one of creating, starting, running")
        );
    }
}
