//! Reaching what listens in a sandbox.

use crate::check::{Check, Checked, Stop, refused, same};
use crate::lab::{Lab, eventually};
use crate::processes::{holds, read_until};
use isobox::{Capability::*, ErrorCode, Process, Sandbox};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub(crate) const CHECKS: &[Check] = &[
    check!(
        ports_are_connected_to,
        "A connection to a port of the sandbox carries bytes and ends both ways, and one to a silent port is not_found."
    )
    .shows(&[AccessPorts])
    .needs(&[ExecSpawn]),
    check!(ports_are_waited_for, "Waiting for a port ends when something listens, and times out when nothing does.")
        .needs(&[AccessPorts, ExecSpawn]),
    check!(ports_are_listed, "What listens is listed, and not any more when it has ended.")
        .shows(&[AccessListeningPorts])
        .needs(&[AccessPorts, ExecSpawn, ExecStop]),
    check!(ports_are_forwarded, "A port of this machine leads to the sandbox until it is released.")
        .shows(&[AccessForward])
        .needs(&[AccessPorts, ExecSpawn]),
    check!(
        preview_leads_to_a_port,
        "A preview has a URL, the same again, which leads to the port until it is released."
    )
    .shows(&[AccessPreviewUrls])
    .needs(&[AccessPorts, ExecSpawn])
    .programs(&["python3"]),
    check!(shell_command_is_told, "The command line for a terminal of this machine is not empty.")
        .shows(&[AccessShellCommand])
        .programs(&[]),
];

/// A server that gives back what it gets, in the programs that a sandbox may have.
const SERVERS: [(&str, &str); 2] = [
    (
        "python3",
        "import socket\ns = socket.create_server(('127.0.0.1', 0))\nprint(s.getsockname()[1], flush=True)\nwhile True:\n    c, _ = s.accept()\n    while d := c.recv(65536): c.sendall(d)\n    c.close()\n",
    ),
    (
        "perl",
        "use IO::Socket::INET; $| = 1; $s = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', LocalPort => 0) or die; print $s->sockport, \"\\n\"; while ($c = $s->accept) { while (sysread($c, $d, 65536)) { syswrite($c, $d) } close $c }",
    ),
];

/// Starts a server and tells its port.
async fn serve(lab: &Lab, sandbox: &Sandbox) -> Checked<(Process, u16)> {
    let process = if let Some((program, script)) = SERVERS.iter().find(|(program, _)| lab.has(program)) {
        let flag = if *program == "perl" { "-e" } else { "-c" };
        sandbox.exec([*program, flag, *script]).spawn().await?
    } else if lab.has("nc") {
        // The port is as good as any: a sandbox without these programs has a network of its own.
        sandbox.shell("echo 34567; exec nc -lk -p 34567 -e cat 2>/dev/null").spawn().await?
    } else {
        return Err(Stop::Skipped("the sandbox has none of python3, perl and nc to listen with".to_owned()));
    };
    let said = read_until(&process, "\n").await?;
    let port = said.trim().parse().map_err(|_| Stop::Failed(format!("the server said {said:?} and not its port")))?;
    sandbox.wait_for_port(port, Duration::from_secs(30)).await?;
    Ok((process, port))
}

/// A port that nothing listens on.
fn silent() -> Checked<u16> {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0))?;
    Ok(taken.local_addr()?.port())
}

async fn ports_are_connected_to(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    refused("a port that nothing listens on", sandbox.connect(silent()?).await.map(drop), ErrorCode::NotFound)?;
    let (_server, port) = serve(lab, &sandbox).await?;
    let sent: Vec<u8> = (0..=255).cycle().take(1 << 20).collect();
    let (mut reader, mut writer) = tokio::io::split(sandbox.connect(port).await?);
    let write = async {
        writer.write_all(&sent).await?;
        writer.shutdown().await
    };
    let mut back = Vec::new();
    let (written, read) = futures::future::join(write, reader.read_to_end(&mut back)).await;
    written?;
    read?;
    ensure!(back == sent, "{} bytes came back of {}, or others", back.len(), sent.len());
    Ok(())
}

async fn ports_are_waited_for(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let waited = sandbox.wait_for_port(silent()?, Duration::from_millis(300)).await;
    refused("waiting for what never listens", waited, ErrorCode::Timeout)?;
    serve(lab, &sandbox).await.map(drop)
}

async fn ports_are_listed(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let (server, port) = serve(lab, &sandbox).await?;
    let there = async || Ok::<_, Stop>(sandbox.listening_ports().await?.iter().any(|listening| listening.port == port));
    same("whether it is listed", there().await?, true)?;
    server.kill().await?;
    eventually("its going from the list", async || Ok(!there().await?)).await
}

async fn ports_are_forwarded(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let (_server, port) = serve(lab, &sandbox).await?;
    let endpoint = sandbox.forward(port).await?;
    same("the same port again", sandbox.forward(port).await?, endpoint.clone())?;
    let mut stream = TcpStream::connect((endpoint.host.as_str(), endpoint.port)).await?;
    stream.write_all(b"hello").await?;
    stream.shutdown().await?;
    let mut back = Vec::new();
    stream.read_to_end(&mut back).await?;
    same("what came back", &back[..], &b"hello"[..])?;
    sandbox.release(port).await?;
    sandbox.release(port).await?;
    let closed = TcpStream::connect((endpoint.host.as_str(), endpoint.port)).await;
    ensure!(closed.is_err(), "the port of this machine is open after it was released");
    Ok(())
}

async fn preview_leads_to_a_port(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let process = sandbox.exec(["python3", "-u", "-c", PAGES]).spawn().await?;
    let said = read_until(&process, "\n").await?;
    let port = said.trim().parse().map_err(|_| Stop::Failed(format!("the server said {said:?} and not its port")))?;
    let first = sandbox.preview_url(port).await?;
    same("the same port again", &sandbox.preview_url(port).await?.url, &first.url)?;
    let Some((host, path)) = local(&first.url) else {
        ensure!(first.url.starts_with("http"), "it is no URL");
        sandbox.release_preview(port).await?;
        return Ok(sandbox.release_preview(port).await?);
    };
    let mut stream = TcpStream::connect(&host).await?;
    stream.write_all(format!("GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n").as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    ensure!(holds(&answer, "conformance"), "what came is not the page");
    sandbox.release_preview(port).await?;
    sandbox.release_preview(port).await?;
    ensure!(TcpStream::connect(&host).await.is_err(), "it leads there after it was released");
    Ok(())
}

/// A server with one page.
const PAGES: &str = "from http.server import *
class H(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b'conformance')
s = HTTPServer(('127.0.0.1', 0), H)
print(s.server_port)
s.serve_forever()
";

/// The host and the path of a URL that leads to this machine without encryption.
fn local(url: &str) -> Option<(String, String)> {
    let rest = url.strip_prefix("http://")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let here = ["127.0.0.1:", "localhost:", "[::1]:"].iter().any(|start| host.starts_with(start));
    here.then(|| (host.to_owned(), format!("/{path}")))
}

async fn shell_command_is_told(lab: &Lab) -> Checked {
    let sandbox = lab.sandbox().await?;
    let raw = lab.raw(&sandbox).await?;
    let Some(access) = raw.access() else { return Err(Stop::Failed("there is no access".to_owned())) };
    let words = access.shell_command().await?;
    ensure!(words.first().is_some_and(|program| !program.is_empty()), "it is empty");
    Ok(())
}
