//! A proxy before an S3 server that does what networks and stores do on bad days.
//!
//! ```text
//! program ──▶ proxy ──▶ server          one connection for each request
//!              │  ▲
//!              │  └ carried out, and the answer is lost, cut or slow
//!              └ refused, reset, or answered 500 or 503 without asking the server
//! ```
//!
//! What becomes of a request is drawn from the seed, the request and how often it has come before, so that the same program has
//! the same bad day again, whatever the order in which its requests come. The host that was signed is passed on as it is.

mod request;
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::{Notify, oneshot};

use super::chance::Chance;
use request::{Request, head_length};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Answered with 500; the server was not asked.
    InternalError,
    /// Answered with 503; the server was not asked.
    SlowDown,
    /// The connection is reset; the server was not asked.
    Reset,
    /// Half of the answer comes, then the connection is reset.
    ResetMidway,
    /// The answer promises more bytes than come before the connection is closed.
    Truncated,
    /// The answer comes, over a second.
    Slow,
    /// Carried out, and the connection is reset without an answer.
    LostToReset,
    /// Carried out, and the connection is closed without an answer.
    LostToClose,
    /// Carried out, and answered with 500.
    LostToError,
    /// For up to two seconds nobody can connect.
    Burst,
    /// Nobody can connect until the test says so.
    Outage,
}

impl Fault {
    /// All that befall one request.
    pub const OF_A_REQUEST: [Self; 9] = [
        Self::InternalError,
        Self::SlowDown,
        Self::Reset,
        Self::ResetMidway,
        Self::Truncated,
        Self::Slow,
        Self::LostToReset,
        Self::LostToClose,
        Self::LostToError,
    ];
}

/// How bad the day is.
#[derive(Debug, Clone, Copy)]
pub struct Weather {
    pub seed: u64,
    /// The share of requests that one of `faults` befalls.
    pub share: f64,
    pub faults: &'static [Fault],
    /// The share of requests at which a burst begins.
    pub bursts: f64,
}

/// So often in a row may a fault befall the same request: clients that try again ten times get through.
const IN_A_ROW: usize = 3;

pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    server: String,
    weather: Weather,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    /// For each request: how often it has come, and how many faults have befallen it in a row.
    seen: HashMap<String, (usize, usize)>,
    counts: BTreeMap<Fault, usize>,
    closed_until: Option<Instant>,
}

impl Proxy {
    /// Starts a proxy before the server at `endpoint`.
    pub fn start(endpoint: &str, weather: Weather) -> Self {
        let server = endpoint.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let shared = Arc::new(Shared { server, weather, state: Mutex::default(), changed: Notify::new() });
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let of_thread = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            Runtime::new().unwrap().block_on(async {
                let held = free_port().unwrap();
                let address = held.local_addr().unwrap();
                let listener = listening(address).unwrap();
                tell.send(address).unwrap();
                tokio::select! { _ = of_thread.listen(listener) => {}, _ = stopped => {} }
            });
        });
        Self { address: told.recv().unwrap(), shared, stop: Some(stop), thread: Some(thread) }
    }

    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// From now on nobody can connect, until [`Proxy::end_outage`].
    pub fn begin_outage(&self) {
        let mut state = self.shared.state.lock().unwrap();
        *state.counts.entry(Fault::Outage).or_default() += 1;
        state.closed_until = Some(Instant::now() + Duration::from_secs(24 * 3600));
        self.shared.changed.notify_one();
    }

    pub fn end_outage(&self) {
        self.shared.state.lock().unwrap().closed_until = None;
    }

    /// How often each fault has come.
    pub fn counts(&self) -> BTreeMap<Fault, usize> {
        self.shared.state.lock().unwrap().counts.clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A free port, held without anybody listening: while the proxy is closed, connections to it are refused, and no other server gets it.
fn free_port() -> std::io::Result<TcpSocket> {
    let port = TcpSocket::new_v4()?;
    port.set_reuseport(true)?;
    port.bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
    Ok(port)
}

/// Listens at a port that is held.
fn listening(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseport(true)?;
    socket.bind(address)?;
    socket.listen(1024)
}

impl Shared {
    async fn listen(self: Arc<Self>, listener: TcpListener) {
        let address = listener.local_addr().unwrap();
        let mut listener = Some(listener);
        loop {
            if self.is_closed() {
                listener = None;
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
            let Some(open) = &listener else {
                tokio::time::sleep(Duration::from_millis(5)).await;
                listener = listening(address).ok();
                continue;
            };
            tokio::select! {
                accepted = open.accept() => if let Ok((client, _)) = accepted {
                    // A connection that breaks off is what this is for.
                    let shared = Arc::clone(&self);
                    tokio::spawn(async move { drop(shared.serve(client).await) });
                },
                () = self.changed.notified() => {}
            }
        }
    }

    fn is_closed(&self) -> bool {
        self.state.lock().unwrap().closed_until.is_some_and(|until| Instant::now() < until)
    }

    async fn serve(&self, mut client: TcpStream) -> std::io::Result<()> {
        let request = Request::read(&mut client).await?;
        let fault = self.draw(&request);
        match fault {
            Some(Fault::InternalError) => return client.write_all(&request.refusal("500 Internal Server Error")).await,
            Some(Fault::SlowDown) => return client.write_all(&request.refusal("503 Slow Down")).await,
            Some(Fault::Reset | Fault::Burst) => return client.set_zero_linger(),
            _ => {}
        }
        let answer = request.ask(&self.server).await?;
        let head = head_length(&answer).unwrap_or(answer.len());
        match fault {
            Some(Fault::LostToReset) => client.set_zero_linger(),
            Some(Fault::LostToClose) => Ok(()),
            Some(Fault::LostToError) => client.write_all(&request.refusal("500 Internal Server Error")).await,
            Some(Fault::ResetMidway) => {
                client.write_all(&answer[..answer.len() / 2]).await?;
                tokio::time::sleep(Duration::from_millis(20)).await;
                client.set_zero_linger()
            }
            Some(Fault::Truncated) if head < answer.len() => {
                client.write_all(&answer[..(head + answer.len()) / 2]).await
            }
            Some(Fault::Truncated) => client.write_all(&answer[..head / 2]).await,
            Some(Fault::Slow) => {
                for piece in answer.chunks(answer.len().div_ceil(20).max(1)) {
                    client.write_all(piece).await?;
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                Ok(())
            }
            _ => client.write_all(&answer).await,
        }
    }

    fn draw(&self, request: &Request) -> Option<Fault> {
        let Weather { seed, share, faults, bursts } = self.weather;
        let name = request.name();
        let state = &mut *self.state.lock().unwrap();
        let (times, in_a_row) = state.seen.entry(name.clone()).or_default();
        let mut chance = Chance::of(seed, &format!("{name}\n{times}"));
        *times += 1;
        let (burst, fault) = (chance.fraction() < bursts, chance.fraction() < share);
        if !(burst || fault) || *in_a_row == IN_A_ROW {
            *in_a_row = 0;
            return None;
        }
        *in_a_row += 1;
        let fault = if burst { Fault::Burst } else { *chance.one_of(faults) };
        *state.counts.entry(fault).or_default() += 1;
        if burst && state.closed_until.is_none_or(|until| until < Instant::now()) {
            state.closed_until = Some(Instant::now() + Duration::from_millis(200 + chance.below(1800) as u64));
            self.changed.notify_one();
        }
        Some(fault)
    }
}
