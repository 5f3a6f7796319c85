//! `isobox create`: a sandbox that outlives the command.

use crate::args::{CreateArgs, Form};
use crate::config::Config;
use crate::progress::Bar;
use crate::view::SandboxView;
use crate::{output, runtime, spec};
use isobox::{Result, SandboxBuilder};

pub(crate) fn main(args: &CreateArgs, config: &Config) -> Result<u8> {
    let settings = config.profile(args.sandbox.profile.as_deref())?.under(&args.sandbox);
    let env = spec::variables(&args.commands.env)?;
    runtime::with_isobox("create", async |isobox| {
        let bar = Bar::new();
        let builder = spec::builder(&isobox, config, &settings).await?;
        let builder = spec::with_commands(builder, &args.commands);
        let builder = spec::outliving(builder, &settings, env)?.events(bar.sink());
        let made = if args.get { SandboxBuilder::get_or_create(builder).await } else { builder.create().await };
        drop(bar);
        let id = *made?.id();
        match args.form.output {
            Form::Table => output::lines([id.as_str()]),
            form => output::show(&SandboxView::of(&isobox.inspect(id.as_str()).await?), form),
        }
    })
}
