//! An engine in another process that speaks Hub, version 1 or 2. A partner that dies or says nothing is an error that names what happened; nothing waits for ever.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use damiera_protocol::hub::{Budget, Client, ClientError, Event, Info, Mode};
use damiera_rules::{Game, Move, RuleSet};

/// The longest line that is read from an engine, in bytes; the rest of a longer one is skipped.
const LONGEST_LINE: usize = 64 * 1024;
/// How many of the engine's last lines an error shows, and how much of each.
const LAST_LINES: usize = 6;
const LAST_CHARS: usize = 200;
/// How many lines may wait to be read before the engine has to wait.
const WAITING_LINES: usize = 1024;
/// How long an engine that was told to leave may take for it.
const FAREWELL: Duration = Duration::from_millis(300);
/// How long the move may take after the engine was told to stop.
const STOPPING: Duration = Duration::from_secs(2);
/// An engine that searches fewer nodes a second than this is taken for one that hangs.
const SLOWEST_NODES: u64 = 10_000;
/// So often it is looked whether waiting is still wanted.
const LOOK: Duration = Duration::from_millis(50);
/// What a search that only its depth ends may take.
const DEPTH_ONLY: Duration = Duration::from_secs(600);

/// How an engine is started and how long it may be silent.
#[derive(Clone, Debug)]
pub struct HubOptions {
    /// Parameters to set besides the variant, such as `book=false`.
    pub parameters: Vec<(String, String)>,
    /// How long it may take until it is ready.
    pub handshake: Duration,
    /// How much longer than its budget a search may take before the engine counts as silent.
    pub patience: Duration,
    /// Set from elsewhere to end all waiting.
    pub stop: Arc<AtomicBool>,
}

impl Default for HubOptions {
    fn default() -> HubOptions {
        HubOptions {
            parameters: Vec::new(),
            handshake: Duration::from_secs(30),
            patience: Duration::from_secs(10),
            stop: Arc::default(),
        }
    }
}

/// What happened to an engine.
#[derive(Debug)]
pub enum Cause {
    /// The command line cannot be taken apart: a quotation mark is not closed, or there is nothing in it.
    Command,
    /// The process could not be started.
    Start(io::Error),
    /// The process has ended, or no longer listens.
    Ended(Option<ExitStatus>),
    /// It said nothing for so long.
    Silent(Duration),
    /// Nobody wants its answer any more.
    Stopped,
    /// What it said cannot be used.
    Said(Box<ClientError>),
}

/// Why an engine cannot be used, or no longer.
#[derive(Debug)]
pub struct HubEngineError {
    /// The command that started it.
    pub command: String,
    /// What it was doing.
    pub doing: &'static str,
    /// What happened.
    pub cause: Cause,
    /// What it said last, on standard output or standard error.
    pub last: Vec<String>,
}

impl fmt::Display for HubEngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the engine `{}`, {}: ", self.command, self.doing)?;
        match &self.cause {
            Cause::Command => {
                f.write_str("the command is empty or has a quotation mark that is not closed")?
            }
            Cause::Start(error) => write!(f, "it could not be started: {error}")?,
            Cause::Ended(Some(status)) => write!(f, "it ended ({status})")?,
            Cause::Ended(None) => f.write_str("it no longer listens")?,
            Cause::Stopped => f.write_str("its answer is no longer waited for")?,
            Cause::Silent(time) => write!(f, "no answer within {:.1} s", time.as_secs_f64())?,
            Cause::Said(error) => write!(f, "{error}")?,
        }
        if !self.last.is_empty() {
            write!(f, "; its last lines: {}", self.last.join(" | "))?;
        }
        Ok(())
    }
}

impl std::error::Error for HubEngineError {}

/// The last lines of an engine, from both its outputs.
type Tail = Arc<Mutex<VecDeque<String>>>;

/// An engine in another process. It is told to leave, and ended if it does not, when this is dropped.
pub struct HubEngine {
    command: String,
    child: Child,
    /// `None` once it was closed.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    tail: Tail,
    client: Client,
    options: HubOptions,
    info: Option<Info>,
}

impl HubEngine {
    /// Starts an engine for a rule set. The command is taken apart as a shell does it, without a shell.
    pub fn start(
        command: &str,
        rules: &Arc<RuleSet>,
        options: HubOptions,
    ) -> Result<HubEngine, HubEngineError> {
        let doing = "being started";
        let failed = |cause| HubEngineError { command: command.to_owned(), doing, cause, last: Vec::new() };
        let words =
            shlex::split(command).filter(|words| !words.is_empty()).ok_or_else(|| failed(Cause::Command))?;
        let spawned = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = spawned.map_err(|error| failed(Cause::Start(error)))?;
        let tail = Tail::default();
        let (sender, lines) = sync_channel(WAITING_LINES);
        if let Some(output) = child.stdout.take() {
            listen(output, Arc::clone(&tail), Some(sender));
        }
        if let Some(errors) = child.stderr.take() {
            listen(errors, Arc::clone(&tail), None);
        }
        let (client, hello) = Client::new(Arc::clone(rules), options.parameters.clone());
        let input = child.stdin.take();
        let command = command.to_owned();
        let mut engine = HubEngine { command, child, input, lines, tail, client, options, info: None };
        engine.get_ready(hello)?;
        Ok(engine)
    }

    /// Returns the engine's name and version; the command where it has told none.
    pub fn name(&self) -> &str {
        let name = self.client.name();
        if name.is_empty() { &self.command } else { name }
    }

    /// Returns what the last search said last.
    pub fn last_info(&self) -> Option<&Info> {
        self.info.as_ref()
    }

    /// Begins a new game.
    pub fn new_game(&mut self) -> Result<(), HubEngineError> {
        let lines = self.client.new_game();
        self.send(&lines, "beginning a game")
    }

    /// Returns the move that the engine plays, with so much time or so many nodes for it.
    pub fn choose(
        &mut self,
        game: &Game,
        time: Option<Duration>,
        nodes: Option<u64>,
    ) -> Result<Move, HubEngineError> {
        self.choose_within(game, &Budget { move_time: time, nodes, ..Budget::default() })
    }

    /// Returns the move that the engine plays within a budget, which must have some limit.
    pub fn choose_within(&mut self, game: &Game, budget: &Budget) -> Result<Move, HubEngineError> {
        let doing = "thinking";
        let Some(expected) = longest(budget) else {
            let limit = ClientError::Limit("a search needs a limit of time, nodes or depth");
            return Err(self.failed(doing, said(limit)));
        };
        self.info = None;
        let lines =
            self.client.go(game, budget, Mode::Think).map_err(|error| self.failed(doing, said(error)))?;
        self.send(&lines, doing)?;
        match self.wait_for_move(doing, expected + self.options.patience) {
            Err(HubEngineError { cause: Cause::Silent(_), .. }) => {
                let stop = self.client.stop();
                self.send(&[stop], doing)?;
                self.wait_for_move("being stopped", STOPPING)
            }
            answer => answer,
        }
    }

    fn wait_for_move(&mut self, doing: &'static str, time: Duration) -> Result<Move, HubEngineError> {
        let mut info = None;
        let answer = self.wait(doing, time, |event| match event {
            Event::Done { best, .. } => Some(best),
            Event::Info(said) => {
                info = Some(said);
                None
            }
            _ => None,
        });
        if info.is_some() {
            self.info = info;
        }
        answer
    }

    fn get_ready(&mut self, hello: String) -> Result<(), HubEngineError> {
        let doing = "getting ready";
        self.send(&[hello], doing)?;
        self.wait(doing, self.options.handshake, |event| matches!(event, Event::Ready).then_some(()))
    }

    /// Reads lines until `wanted` finds what it waits for.
    fn wait<T>(
        &mut self,
        doing: &'static str,
        time: Duration,
        mut wanted: impl FnMut(Event) -> Option<T>,
    ) -> Result<T, HubEngineError> {
        let deadline = Instant::now() + time;
        loop {
            if self.options.stop.load(Ordering::Relaxed) {
                return Err(self.failed(doing, Cause::Stopped));
            }
            // An engine that never ends its talk is as silent as another.
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.failed(doing, Cause::Silent(time)));
            }
            let line = match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(doing)),
            };
            match self.client.receive(&line).map_err(|error| self.failed(doing, said(error)))? {
                Some(Event::Send(lines)) => self.send(&lines, doing)?,
                Some(event) => {
                    if let Some(found) = wanted(event) {
                        return Ok(found);
                    }
                }
                None => {}
            }
        }
    }

    fn send(&mut self, lines: &[String], doing: &'static str) -> Result<(), HubEngineError> {
        let mut text = lines.join("\n");
        text.push('\n');
        let written = match &mut self.input {
            Some(input) => input.write_all(text.as_bytes()).and_then(|()| input.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        written.map_err(|_| self.ended(doing))
    }

    /// Says that the process has ended or is about to.
    fn ended(&mut self, doing: &'static str) -> HubEngineError {
        let status = self.wait_for_end(FAREWELL);
        self.failed(doing, Cause::Ended(status))
    }

    fn failed(&self, doing: &'static str, cause: Cause) -> HubEngineError {
        let last = self.tail.lock().map(|tail| tail.iter().cloned().collect()).unwrap_or_default();
        HubEngineError { command: self.command.clone(), doing, cause, last }
    }

    fn wait_for_end(&mut self, time: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }
}

impl Drop for HubEngine {
    fn drop(&mut self) {
        let quit = self.client.quit();
        // Whoever does not listen any more is ended all the same.
        let _ = self.send(&[quit], "leaving");
        self.input = None;
        if self.wait_for_end(FAREWELL).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn said(error: ClientError) -> Cause {
    Cause::Said(Box::new(error))
}

/// Returns how long a search with this budget may take; `None` for one without a limit.
fn longest(budget: &Budget) -> Option<Duration> {
    let by_clock = budget.clock.map(|clock| clock.time + clock.increment);
    let by_nodes = budget.nodes.map(|nodes| Duration::from_secs(nodes / SLOWEST_NODES));
    let by_depth = budget.depth.map(|_| DEPTH_ONLY);
    [budget.move_time, by_clock, by_nodes, by_depth].into_iter().flatten().min()
}

/// Reads an output of the engine on a thread of its own, line by line, until it ends or nobody listens.
fn listen(output: impl Read + Send + 'static, tail: Tail, sender: Option<SyncSender<String>>) {
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        while let Ok(Some(line)) = next_line(&mut output) {
            if let Ok(mut tail) = tail.lock() {
                if tail.len() == LAST_LINES {
                    tail.pop_front();
                }
                // It is shown on people's screens: nothing in it may command them.
                let shown = line.chars().take(LAST_CHARS).map(|c| if c.is_control() { '?' } else { c });
                tail.push_back(shown.collect());
            }
            if sender.as_ref().is_some_and(|sender| sender.send(line).is_err()) {
                return;
            }
        }
    });
}

/// Reads the next line without its end; `None` at the end of the output.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') {
        skip_line(input)?;
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let chunk = input.fill_buf()?;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(chunk.len(), |end| end + 1);
        let over = end.is_some() || chunk.is_empty();
        input.consume(used);
        if over {
            return Ok(());
        }
    }
}
