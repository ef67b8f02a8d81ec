//! One start of the program, and how it ends: by itself, or struck at a moment.

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::output::Output;
use crate::proxy::Proxy;
use crate::s3::Account;
use crate::support::{Place, signal};

/// So long an attempt may take, one in an outage with all of its retries included.
const LONGEST: Duration = Duration::from_secs(900);
/// So long the program may take to end after SIGTERM: ten seconds are promised, and a busy machine is given some more.
const GRACE: Duration = Duration::from_secs(30);

/// The program in the folder of a test, speaking for an account.
pub fn program(place: &Place, account: Option<&Account>, arguments: &[&str]) -> Command {
    let mut command = place.command(arguments);
    command.env_remove("AWS_SESSION_TOKEN");
    if let Some(account) = account {
        command.envs(account.environment());
    }
    command
}

#[derive(Debug)]
pub enum Moment {
    /// After so long.
    Time(Duration),
    /// So long after so many stages are done.
    Stages(usize, Duration),
    /// As soon as the output holds a file whose name begins so.
    File(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blow {
    /// SIGKILL.
    Kill,
    /// SIGTERM.
    Terminate,
    /// The store does not answer any more.
    Outage,
}

#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// 0.
    Done,
    /// 75: to be started again.
    Temporary,
    /// By the signal that was sent.
    Struck,
}

/// Starts the program, strikes at the moment, and waits for its end. Any end but the expected ones is an error.
pub fn attempt(
    command: &mut Command,
    plan: Option<&(Moment, Blow)>,
    output: &Output,
    proxy: Option<&Proxy>,
) -> Result<End, String> {
    let begun = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let told = listen(&mut child);
    let mut struck = None;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if struck.is_none()
            && let Some((moment, blow)) = plan
            && is_now(moment, begun, &told, output)
        {
            strike(*blow, &mut child, proxy);
            struck = Some((*blow, Instant::now()));
        }
        let overdue = matches!(struck, Some((Blow::Terminate, at)) if at.elapsed() > GRACE);
        if overdue || begun.elapsed() > LONGEST {
            child.kill().unwrap();
            child.wait().unwrap();
            let why = if overdue { " after SIGTERM" } else { "" };
            return Err(format!("did not end{why}:\n{}", told.lock().unwrap().join("\n")));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    if let Some(proxy) = proxy {
        proxy.end_outage();
    }
    let told = told.lock().unwrap();
    let blow = struck.map(|(blow, _)| blow);
    judge(status, blow, told.is_empty()).ok_or_else(|| format!("{status}, struck by {blow:?}:\n{}", told.join("\n")))
}

/// What the ways to end mean. `silent` says that the program had not yet told anything, and so may not yet have got ready for signals.
fn judge(status: ExitStatus, struck: Option<Blow>, silent: bool) -> Option<End> {
    match (status.code(), status.signal(), struck) {
        (Some(0), _, _) => Some(End::Done),
        (Some(75), _, _) => Some(End::Temporary),
        (_, Some(9), Some(Blow::Kill)) | (Some(143), _, Some(Blow::Terminate)) => Some(End::Struck),
        (_, Some(15), Some(Blow::Terminate)) if silent => Some(End::Struck),
        _ => None,
    }
}

/// Gathers what the program tells on standard error, line by line.
fn listen(child: &mut Child) -> Arc<Mutex<Vec<String>>> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let (reader, gathered) = (BufReader::new(child.stderr.take().unwrap()), Arc::clone(&lines));
    std::thread::spawn(move || {
        reader.lines().map_while(Result::ok).for_each(|line| gathered.lock().unwrap().push(line));
    });
    lines
}

fn is_now(moment: &Moment, begun: Instant, told: &Mutex<Vec<String>>, output: &Output) -> bool {
    match moment {
        Moment::Time(time) => begun.elapsed() >= *time,
        Moment::Stages(stages, then) => {
            let done = told.lock().unwrap().iter().filter(|line| line.contains(": done, ")).count();
            if done < *stages {
                return false;
            }
            std::thread::sleep(*then);
            true
        }
        Moment::File(beginning) => output.names().iter().any(|name| name.starts_with(beginning.as_str())),
    }
}

fn strike(blow: Blow, child: &mut Child, proxy: Option<&Proxy>) {
    match (blow, proxy) {
        (Blow::Outage, Some(proxy)) => proxy.begin_outage(),
        (Blow::Terminate, _) => signal(child, libc::SIGTERM),
        _ => child.kill().unwrap(),
    }
}
