//! `isobox pool`: sandboxes that are ready before they are needed.

mod serve;
mod view;

use crate::args::{Form, PoolArgs, PoolVerb, TakeArgs};
use crate::config::Config;
use crate::each::each;
use crate::spec::maybe;
use crate::view::SandboxView;
use crate::{output, runtime};
use isobox::{Isobox, Result, TakeOptions};
use view::{Listed, PoolView};

pub(crate) fn main(args: &PoolArgs, config: &Config) -> Result<u8> {
    match &args.verb {
        PoolVerb::Serve(serve) => serve::main(serve, config, args.output),
        PoolVerb::Take(take) => {
            runtime::with_isobox("pool take", async |isobox| taken(&isobox, take, args.output).await)
        }
        PoolVerb::Ls { quiet } => runtime::with_isobox("pool ls", async |isobox| {
            let all = isobox.pools().await?;
            if *quiet {
                return output::lines(all.iter().map(|pool| pool.name.as_str()));
            }
            output::show(&Listed(all.iter().map(PoolView::of).collect()), args.output)
        }),
        PoolVerb::Stop { pools } => runtime::with_isobox("pool stop", async |isobox| {
            let stop = async |name: &String| {
                isobox.end_pool(name).await?;
                Ok(name.clone())
            };
            each(pools, args.output, stop).await
        }),
    }
}

async fn taken(isobox: &Isobox, args: &TakeArgs, form: Form) -> Result<u8> {
    let options =
        args.labels.iter().fold(TakeOptions::default().detached(), |all, (name, value)| all.label(name, value));
    let options = maybe(options, args.name.as_ref(), TakeOptions::name);
    let options = maybe(options, args.ttl, TakeOptions::ttl);
    let options = maybe(options, args.timeout, TakeOptions::timeout);
    let id = *isobox.take_from_with(&args.pool, options).await?.id();
    match form {
        Form::Table => output::lines([id.as_str()]),
        form => output::show(&SandboxView::of(&isobox.inspect(id.as_str()).await?), form),
    }
}
