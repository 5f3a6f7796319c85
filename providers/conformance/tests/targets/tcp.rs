//! A TCP port that leads to an engine's socket, as one on another machine would be reached.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::thread::spawn;

/// The address of a port that leads to the socket, for as long as this process. An address that is no socket's is given back.
pub(super) fn leading_to(engine: &str) -> String {
    let Some(path) = engine.strip_prefix("unix://").map(str::to_owned) else { return engine.to_owned() };
    let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback address has a port left");
    let address = listener.local_addr().expect("it is bound");
    spawn(move || {
        for client in listener.incoming().flatten() {
            let Ok(engine) = UnixStream::connect(&path) else { continue };
            let (Ok(from_client), Ok(to_engine)) = (client.try_clone(), engine.try_clone()) else { continue };
            let done = |engine: &UnixStream| engine.shutdown(Shutdown::Write);
            spawn(move || carry(from_client, to_engine, done));
            spawn(move || carry(engine, client, |client: &TcpStream| client.shutdown(Shutdown::Write)));
        }
    });
    format!("tcp://{address}")
}

/// Carries bytes to their end, and says the end.
fn carry<T: Write>(mut from: impl Read, mut to: T, end: impl Fn(&T) -> std::io::Result<()>) {
    let _ = std::io::copy(&mut from, &mut to);
    let _ = end(&to);
}
