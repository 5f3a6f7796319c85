//! `isobox port`: the way from this machine to the ports of a sandbox.

use crate::args::{Form, PortArgs};
use crate::output::{self, Reader, Show};
use crate::parse::PortPair;
use crate::table::Table;
use crate::{exit, failure, find, runtime};
use isobox::{Endpoint, Error, ListeningPort, Result, Sandbox};
use serde::Serialize;
use std::net::SocketAddr;

/// A port that leads into a sandbox.
#[derive(Serialize)]
struct Forwarded {
    port: u16,
    #[serde(flatten)]
    endpoint: Local,
}

#[derive(Serialize)]
struct Local {
    local_host: String,
    local_port: u16,
    url: String,
}

impl Show for Forwarded {
    fn text(&self) -> String {
        format!("{}:{} -> {}\n", self.endpoint.local_host, self.endpoint.local_port, self.port)
    }
}

/// What listens in a sandbox.
#[derive(Serialize)]
#[serde(transparent)]
struct Listening(Vec<ListeningPort>);

impl Show for Listening {
    fn text(&self) -> String {
        let mut table = Table::new(["PORT", "ADDRESS", "PID", "PROGRAM"]);
        for port in &self.0 {
            table.row([
                port.port.to_string(),
                port.address.to_string(),
                port.pid.map(|pid| pid.to_string()).unwrap_or_default(),
                port.process.clone().unwrap_or_default(),
            ]);
        }
        table.text()
    }
}

pub(crate) fn main(args: &PortArgs) -> Result<u8> {
    runtime::until_stopped(async |isobox| {
        let sandbox = find::sandbox(isobox, &args.sandbox).await?;
        if args.ports.is_empty() {
            return output::show(&Listening(sandbox.listening_ports().await?), args.output);
        }
        forward(&sandbox, args).await
    })
}

/// Forwards until the sandbox ends.
async fn forward(sandbox: &Sandbox, args: &PortArgs) -> Result<u8> {
    for PortPair { local, remote } in &args.ports {
        let address = SocketAddr::new(args.bind, local.unwrap_or(0));
        let Endpoint { host, port, url } = sandbox.forward_from(address, *remote).await?;
        let endpoint = Local { local_host: host, local_port: port, url };
        if output::piece(&Forwarded { port: *remote, endpoint }, args.output)? == Reader::Gone {
            return Ok(exit::NO_READER);
        }
    }
    let ended = sandbox.ended().await?;
    if args.output == Form::Table {
        failure::note(&format!("the sandbox {} ended", sandbox.id()));
    }
    match ended {
        isobox::Ended::Died(post_mortem) => Err(Error::sandbox_gone(*post_mortem).with_sandbox(sandbox.id())),
        _ => Ok(0),
    }
}
