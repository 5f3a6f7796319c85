//! The network, and the protocols behind sockets.

use super::{Attempt, EPERM, NO_FAMILY, NO_PROTOCOL, row};
use crate::seen::{Seen, of, past};
use crate::system::{at, call};
use crate::target::{named, number};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};

fn socket(family: i32, kind: i32, protocol: i32) -> Result<i64, i32> {
    call(libc::SYS_socket, [family.into(), kind.into(), protocol.into()])
}

fn refused<T>(result: std::io::Result<T>) -> Seen {
    result.map_or_else(|error| Seen::Refused(error.raw_os_error().unwrap_or(libc::EIO)), |_| Seen::Reached)
}

fn connects(address: &str) -> Seen {
    // Nothing is sent: the kernel only looks for a way.
    let connected = std::net::UdpSocket::bind("0.0.0.0:0").and_then(|socket| socket.connect(address));
    refused(connected)
}

/// Sets the flags of the loopback interface to what they are.
fn interface() -> Seen {
    let mut request = [0u8; 40];
    request[..2].copy_from_slice(b"lo");
    let socket = socket(libc::AF_INET, libc::SOCK_DGRAM, 0).unwrap();
    let asked = call(libc::SYS_ioctl, [socket, libc::SIOCGIFFLAGS as i64, crate::system::to(&mut request)]);
    of(asked.and_then(|_| call(libc::SYS_ioctl, [socket, libc::SIOCSIFFLAGS as i64, at(&request)])))
}

const NO_WAY: &[Seen] = &[Seen::Refused(libc::ENETUNREACH)];
const NOBODY_THERE: &[Seen] = &[Seen::Refused(libc::ECONNREFUSED)];

pub(super) fn attempts() -> Vec<Attempt> {
    vec![
        row("loopback", "connects to a service on the machine's loopback", NOBODY_THERE, || {
            refused(std::net::TcpStream::connect(("127.0.0.1", number("PORT") as u16)))
        }),
        row("abstract_socket", "connects to a socket that only has a name", NOBODY_THERE, || {
            refused(UnixStream::connect_addr(&SocketAddr::from_abstract_name(named("ABSTRACT")).unwrap()))
        }),
        row("outside_address", "finds a way to the machine's network", NO_WAY, || connects("192.0.2.1:9")),
        row("metadata", "finds a way to the cloud's metadata service", NO_WAY, || connects("169.254.169.254:80")),
        row("interface", "changes an interface", EPERM, interface),
        row("vsock", "makes a socket to the hypervisor", NO_FAMILY, || of(socket(40, libc::SOCK_STREAM, 0))),
        row("af_alg", "makes a socket to the kernel's ciphers", NO_FAMILY, || {
            of(socket(libc::AF_ALG, libc::SOCK_SEQPACKET, 0))
        }),
        row("af_packet", "makes a socket under all protocols", NO_FAMILY, || {
            of(socket(libc::AF_PACKET, libc::SOCK_RAW, 0))
        }),
        row("af_packet_pair", "makes a pair of such sockets, which loads the module too", NO_FAMILY, || {
            let mut pair = [0i32; 2];
            let kind = libc::SOCK_RAW.into();
            let made = call(libc::SYS_socketpair, [libc::AF_PACKET.into(), kind, 0, crate::system::to(&mut pair)]);
            past(made, &[libc::EOPNOTSUPP])
        }),
        row("nfnetlink", "speaks to the firewall", NO_PROTOCOL, || of(socket(libc::AF_NETLINK, libc::SOCK_RAW, 12))),
        row("xfrm", "speaks to the kernel's IPsec", NO_PROTOCOL, || of(socket(libc::AF_NETLINK, libc::SOCK_RAW, 6))),
        row("audit", "speaks to the audit", NO_PROTOCOL, || of(socket(libc::AF_NETLINK, libc::SOCK_RAW, 9))),
    ]
}
