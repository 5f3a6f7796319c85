//! The ports of a sandbox.

use crate::sandbox::Sandbox;
use isobox_contract::{Capability, Duplex, Endpoint, Error, ListeningPort, Ports, Result};
use std::net::SocketAddr;
use std::time::Duration;

/// Its ports.
impl Sandbox {
    /// Connects to a TCP port on its loopback address. `not_found` when nothing listens there.
    pub async fn connect(&self, port: u16) -> Result<Box<dyn Duplex>> {
        let ports = self.ports("ports.connect", port)?;
        self.told("ports.connect", ports.connect(port).await)
    }

    /// Waits until something listens on the port, without connecting to it. `timeout` when nothing does in time.
    pub async fn wait_for_port(&self, port: u16, timeout: Duration) -> Result<()> {
        let ports = self.ports("ports.wait", port)?;
        self.told("ports.wait", ports.wait(port, timeout).await)
    }

    /// What listens now.
    pub async fn listening_ports(&self) -> Result<Vec<ListeningPort>> {
        self.require("ports.listening", Capability::AccessListeningPorts)?;
        let ports = self.all_ports("ports.listening")?;
        self.told("ports.listening", ports.listening().await)
    }

    /// Opens a port of this machine, on its loopback address, that leads to the port of the sandbox. The same port again
    /// gives the same endpoint.
    pub async fn forward(&self, port: u16) -> Result<Endpoint> {
        self.forwarded(None, port).await
    }

    /// The same, on an address of your choice. One that is not a loopback address lets others in.
    pub async fn forward_from(&self, address: SocketAddr, port: u16) -> Result<Endpoint> {
        self.forwarded(Some(address), port).await
    }

    async fn forwarded(&self, address: Option<SocketAddr>, port: u16) -> Result<Endpoint> {
        self.require("ports.forward", Capability::AccessForward)?;
        let ports = self.ports("ports.forward", port)?;
        self.told("ports.forward", ports.forward(port, address).await)
    }

    /// Closes what [`forward`](Self::forward) opened. Again is fine; deleting the sandbox does it too.
    pub async fn release(&self, port: u16) -> Result<()> {
        let ports = self.ports("ports.release", port)?;
        self.told("ports.release", ports.release(port).await)
    }

    fn ports(&self, operation: &str, port: u16) -> Result<&dyn Ports> {
        if port == 0 {
            return self.told(operation, Err(Error::invalid_spec("port", "is zero, give one from 1 to 65535")));
        }
        self.all_ports(operation)
    }

    fn all_ports(&self, operation: &str) -> Result<&dyn Ports> {
        let ports = self.raw().ports().ok_or_else(|| Error::unsupported(Capability::AccessPorts));
        self.told(operation, ports)
    }
}
