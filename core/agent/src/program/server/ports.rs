//! Which TCP ports are being listened on, read from the network namespace's own tables.

use isobox_wire::Port;
use std::collections::HashMap;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The state of a listening socket in `/proc/net/tcp` (`TCP_LISTEN` in the kernel's `tcp_states.h`).
const LISTEN: &str = "0A";

/// All listening ports, by number.
pub(super) fn listening() -> Vec<Port> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| fs::read_to_string(table).unwrap_or_default());
    let sockets: Vec<Socket> = tables.iter().flat_map(|table| table.lines().skip(1).filter_map(parse)).collect();
    let owners = if sockets.is_empty() { HashMap::new() } else { owners() };
    let mut ports: Vec<Port> = sockets
        .into_iter()
        .map(|socket| Port {
            port: socket.port,
            address: socket.address.to_string(),
            pid: owners.get(&socket.inode).copied(),
        })
        .collect();
    ports.sort_by(|a, b| (a.port, &a.address).cmp(&(b.port, &b.address)));
    ports.dedup();
    ports
}

#[derive(Debug, PartialEq)]
struct Socket {
    address: IpAddr,
    port: u16,
    inode: u64,
}

/// One row: `sl local_address rem_address st tx:rx tr:tm retrnsmt uid timeout inode …`.
fn parse(row: &str) -> Option<Socket> {
    let fields: Vec<&str> = row.split_ascii_whitespace().collect();
    if *fields.get(3)? != LISTEN {
        return None;
    }
    let (address, port) = fields[1].split_once(':')?;
    Some(Socket {
        address: parse_address(address)?,
        port: u16::from_str_radix(port, 16).ok()?,
        inode: fields.get(9)?.parse().ok()?,
    })
}

/// Addresses are 32-bit words in the machine's order, in hexadecimal.
fn parse_address(text: &str) -> Option<IpAddr> {
    let words: Option<Vec<[u8; 4]>> = (0..text.len() / 8)
        .map(|at| Some(u32::from_str_radix(text.get(at * 8..at * 8 + 8)?, 16).ok()?.to_ne_bytes()))
        .collect();
    match words?.as_slice() {
        [word] => Some(IpAddr::V4(Ipv4Addr::from(*word))),
        words @ [_, _, _, _] => Some(IpAddr::V6(Ipv6Addr::from(<[u8; 16]>::try_from(words.concat()).ok()?))),
        _ => None,
    }
}

/// Which process holds which socket, as far as it may be seen.
fn owners() -> HashMap<u64, u32> {
    let Ok(processes) = fs::read_dir("/proc") else { return HashMap::new() };
    let pids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.flat_map(|pid| sockets(pid).into_iter().map(move |inode| (inode, pid))).collect()
}

fn sockets(pid: u32) -> Vec<u64> {
    let Ok(files) = fs::read_dir(format!("/proc/{pid}/fd")) else { return Vec::new() };
    let links = files.flatten().filter_map(|file| fs::read_link(file.path()).ok());
    links.filter_map(|link| link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listening_socket_is_found_with_its_process() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let found = listening().into_iter().find(|found| found.port == port).unwrap();
        assert_eq!((found.address.as_str(), found.pid), ("127.0.0.1", Some(std::process::id())));
        drop(listener);
        assert!(listening().iter().all(|found| found.port != port));
    }

    #[test]
    fn rows_that_are_no_rows_are_passed_over() {
        assert_eq!(parse("garbage"), None);
        assert_eq!(parse("0: ZZZZ:0016 00000000:0000 0A 0:0 0:0 0 0 0 1"), None);
        let v6 = "1: 00000000000000000000000001000000:1F90 00:0000 0A 0:0 0:0 0 0 0 77 1";
        assert_eq!(parse(v6), Some(Socket { address: "::1".parse().unwrap(), port: 8080, inode: 77 }));
    }
}
