//! Ports that something listens on: a closure.

use crate::faults::Operation;
use crate::place::Place;
use crate::sync::locked;
use async_trait::async_trait;
use isobox_contract::{Action, Capability, Duplex, Endpoint, Error, ListeningPort, Ports, Resource, Result};
use std::collections::BTreeMap;
use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::DuplexStream;
use tokio::sync::watch;

/// Bytes on their way through a connection.
const ON_THE_WAY: usize = 64 << 10;

/// What serves one connection.
pub(crate) type Server = Arc<dyn Fn(DuplexStream) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

pub(crate) fn server<F, T>(serve: F) -> Server
where
    F: Fn(DuplexStream) -> T + Send + Sync + 'static,
    T: Future<Output = ()> + Send + 'static,
{
    Arc::new(move |stream| Box::pin(serve(stream)))
}

/// The ports of one sandbox that something listens on.
pub(crate) struct Listeners {
    servers: Mutex<BTreeMap<u16, Server>>,
    changed: watch::Sender<()>,
}

impl Listeners {
    pub(crate) fn new(servers: BTreeMap<u16, Server>) -> Self {
        Self { servers: Mutex::new(servers), changed: watch::Sender::new(()) }
    }

    fn get(&self, port: u16) -> Option<Server> {
        locked(&self.servers).get(&port).cloned()
    }
}

impl Place {
    /// Something listens on a port from now on, or nothing any more.
    pub(crate) fn listen(&self, port: u16, server: Option<Server>) {
        match server {
            Some(server) => drop(locked(&self.listeners.servers).insert(port, server)),
            None => drop(locked(&self.listeners.servers).remove(&port)),
        }
        self.listeners.changed.send_replace(());
    }
}

pub(crate) struct Doors(pub(crate) Arc<Place>);

#[async_trait]
impl Ports for Doors {
    async fn connect(&self, port: u16) -> Result<Box<dyn Duplex>> {
        let at = self.0.fleet.clock.elapsed();
        let connected = async {
            self.0.alive(Action::Access)?;
            self.0.meet_plainly(Operation::Connect, || port.to_string()).await?;
            let server = self.0.listeners.get(port).ok_or_else(|| Error::not_found(Resource::Port, port))?;
            let (near, far) = tokio::io::duplex(ON_THE_WAY);
            tokio::spawn(server(far));
            self.0.used();
            Ok(Box::new(near) as Box<dyn Duplex>)
        };
        let connected = connected.await;
        self.0.fleet.recording.operation(Operation::Connect, Some(self.0.id), port.to_string(), at, &connected);
        connected
    }

    async fn wait(&self, port: u16, timeout: Duration) -> Result<()> {
        self.0.alive(Action::Access)?;
        let mut changed = self.0.listeners.changed.subscribe();
        let listens = async {
            while self.0.listeners.get(port).is_none() {
                // Sent by this sandbox, which is there.
                let _ = changed.changed().await;
            }
        };
        tokio::select! {
            biased;
            () = listens => Ok(()),
            () = self.0.fleet.clock.sleep(timeout) => Err(Error::timeout("ports.wait", timeout)),
        }
    }

    async fn listening(&self) -> Result<Vec<ListeningPort>> {
        self.0.capabilities.require(Capability::AccessListeningPorts)?;
        self.0.alive(Action::Access)?;
        let address = Ipv4Addr::LOCALHOST.into();
        let ports: Vec<u16> = locked(&self.0.listeners.servers).keys().copied().collect();
        Ok(ports.into_iter().map(|port| ListeningPort { port, address, pid: None, process: None }).collect())
    }

    async fn forward(&self, _: u16, _: Option<SocketAddr>) -> Result<Endpoint> {
        Err(Error::unsupported(Capability::AccessForward))
    }

    async fn release(&self, _: u16) -> Result<()> {
        Ok(())
    }
}
