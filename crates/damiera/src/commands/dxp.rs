//! `damiera dxp`: games with another program over DXP, the DamExchange protocol.

use std::io::{self, BufRead, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::Subcommand;
use damiera_engine::{Clock, Engine, Level, Limits, Random, Root};
use damiera_protocol::dxp::{Acceptance, Ending, Event, Frames, Message, Reason, Session, Terms};
use damiera_rules::{Game, Move, Position, RuleSet, Side, notation};

use crate::input::{FenArg, RulesArg, read_duration, read_level, table_of};
use crate::output::{Answer, Out};

/// How long the other program, or the person there, may think about a move in a game without a clock.
const UNTIMED_PATIENCE: Duration = Duration::from_secs(3600);
/// So much of what has arrived may wait to be heard, in pieces; more is left with its sender.
const MOST_WAITING: usize = 256;
/// How long the other program may take to read what is sent to it.
const READING_TIME: Duration = Duration::from_secs(10);
/// What a move takes when a game is played without a clock.
const UNTIMED_MOVE: Duration = Duration::from_secs(1);
/// What is kept of a game's time for the way of the messages, which the other program's clock counts as well.
const RESERVE: Duration = Duration::from_secs(1);

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Wait for other programs to connect, and play the games that they ask for
    Serve(Serve),
    /// Connect to another program and ask it for games
    Play(Play),
}

#[derive(clap::Args)]
struct Common {
    #[command(flatten)]
    rules: RulesArg,
    /// How strong it plays: 1 to 10, or best
    #[arg(long, value_name = "N", default_value = "best", value_parser = read_level)]
    level: Level,
    /// The size of the transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(0..=65_536))]
    hash: u32,
    /// How many threads search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// What everything that looks like chance in a level's play comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How long the other program may say nothing, besides the time that it has for its moves
    #[arg(long, value_name = "DURATION", default_value = "300s", value_parser = read_duration)]
    patience: Duration,
}

#[derive(clap::Args)]
struct Serve {
    #[command(flatten)]
    common: Common,
    /// Where to wait
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:27531")]
    listen: String,
    /// Leave when the first program that has connected is gone
    #[arg(long)]
    once: bool,
}

#[derive(clap::Args)]
struct Play {
    /// Where the other program waits, for example 127.0.0.1:27531
    #[arg(value_name = "HOST:PORT")]
    address: String,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    fen: FenArg,
    /// Which side to play in the first game; the sides change from game to game
    #[arg(long, value_name = "SIDE", default_value = "white", value_parser = ["white", "black"])]
    side: String,
    /// The time of each player for a game, in minutes
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=999))]
    minutes: u16,
    /// How many moves a game has; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=999))]
    moves: u16,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    match args.command {
        Command::Serve(args) => serve(&args, out),
        Command::Play(args) => play(&args, out),
    }
}

fn serve(args: &Serve, out: &mut Out) -> anyhow::Result<Answer> {
    let line = Line::open();
    let listener = TcpListener::bind(&args.listen).with_context(|| format!("--listen {}", args.listen))?;
    say(out, &format!("waiting on {}", listener.local_addr()?))?;
    loop {
        let (stream, address) = listener.accept()?;
        say(out, &format!("{address} has connected"))?;
        let session = Session::follower(Arc::clone(&args.common.rules.rules), &name());
        let played = converse(stream, session, &args.common, None, &line, out);
        match played {
            Ok(()) if args.once => return Ok(Answer::Done),
            Err(error) if args.once => return Err(error),
            Ok(()) => {}
            Err(error) => say(out, &format!("the connection is over: {error:#}"))?,
        }
    }
}

fn play(args: &Play, out: &mut Out) -> anyhow::Result<Answer> {
    let rules = &args.common.rules.rules;
    let start = args.fen.position(rules)?;
    let stream = TcpStream::connect(&args.address).with_context(|| args.address.clone())?;
    let plan = Plan {
        start,
        first: if args.side == "white" { Side::White } else { Side::Black },
        minutes: args.minutes,
        moves: args.moves,
        games: args.games,
        asked: 0,
    };
    let session = Session::initiator(Arc::clone(rules), &name());
    converse(stream, session, &args.common, Some(plan), &Line::open(), out)?;
    Ok(Answer::Done)
}

fn name() -> String {
    format!("Damiera {}", env!("CARGO_PKG_VERSION"))
}

fn duration(minutes: u16) -> String {
    match minutes {
        0 => "without a clock".to_owned(),
        1 => "1 minute".to_owned(),
        _ => format!("{minutes} minutes"),
    }
}

fn say(out: &mut Out, line: &str) -> anyhow::Result<()> {
    writeln!(out, "{line}")?;
    out.flush()?;
    Ok(())
}

/// The games that the initiator asks for.
struct Plan {
    start: Position,
    first: Side,
    minutes: u16,
    moves: u16,
    games: u32,
    asked: u32,
}

impl Plan {
    /// Returns the terms of the next game; `None` when all were asked for.
    fn next(&mut self) -> Option<Terms> {
        if self.asked == self.games {
            return None;
        }
        let side = if self.asked.is_multiple_of(2) { self.first } else { self.first.other() };
        self.asked += 1;
        Some(Terms { side, minutes: self.minutes, moves: self.moves })
    }
    fn is_last(&self) -> bool {
        self.asked == self.games
    }
}

/// What wakes the conversation.
enum Input {
    /// The other program has sent something.
    Bytes(Vec<u8>),
    /// The connection is closed, or broken.
    Closed(Option<io::Error>),
    /// A search has found a move; the number is that of its search.
    Found(u64, Option<Move>),
    /// A person has typed a line here.
    Typed(String),
}

/// A search to be made on the other thread.
struct Task {
    number: u64,
    game: Game,
    left: Option<Clock>,
    stop: Arc<AtomicBool>,
}

/// A conversation with another program, from the first message to the last.
struct Conversation<'a> {
    /// How long the other program may say nothing, besides the time for its moves.
    patience: Duration,
    session: Session,
    plan: Option<Plan>,
    stream: &'a TcpStream,
    tasks: Sender<Task>,
    out: &'a mut Out,
    /// The search that runs: its number, when it began and its stop.
    searching: Option<(u64, Instant, Arc<AtomicBool>)>,
    searches: u64,
    terms: Option<Terms>,
    /// What this program has thought in this game.
    thought: Duration,
    /// When the other program was asked to go back, where that was on this one's time.
    asked_back: Option<Instant>,
    /// Since when this program waits for the other one: chat is no answer.
    quiet_since: Instant,
    games: u32,
    over: bool,
}

/// Where everything that wakes a conversation arrives: one after the other, for as long as the program runs.
struct Line {
    sender: SyncSender<Input>,
    arriving: Receiver<Input>,
}

impl Line {
    /// Returns a line on which what a person types arrives.
    fn open() -> Line {
        let (sender, arriving) = sync_channel(MOST_WAITING);
        let typed = sender.clone();
        // Reading the keyboard cannot be broken off: this thread stays until the program ends.
        thread::spawn(move || {
            let lines = io::stdin().lock().lines().map_while(Result::ok);
            lines.map(Input::Typed).all(|input| typed.send(input).is_ok())
        });
        Line { sender, arriving }
    }
}

/// Plays with the program at the other end until one of the two leaves.
fn converse(
    stream: TcpStream,
    session: Session,
    common: &Common,
    plan: Option<Plan>,
    line: &Line,
    out: &mut Out,
) -> anyhow::Result<()> {
    // A move is one small message that the other waits for.
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(READING_TIME))?;
    let (tasks, orders) = channel();
    let reading = stream.try_clone()?;
    let result = thread::scope(|scope| {
        let (from_net, found) = (line.sender.clone(), line.sender.clone());
        let reader = scope.spawn(move || read_bytes(reading, &from_net));
        let thinker = scope.spawn(move || search(orders, &found, common));
        let mut conversation = Conversation {
            session,
            plan,
            patience: common.patience,
            stream: &stream,
            tasks,
            out,
            searching: None,
            searches: 0,
            terms: None,
            thought: Duration::ZERO,
            asked_back: None,
            quiet_since: Instant::now(),
            games: 0,
            over: false,
        };
        let result = conversation.run(&line.arriving);
        conversation.stop_search();
        // This ends the thread that reads; the one that searches ends with the conversation, which gives it its tasks.
        let _ = stream.shutdown(Shutdown::Both);
        drop(conversation);
        // What arrives too late belongs to no later conversation; neither thread can end while it waits to be heard.
        while !(reader.is_finished() && thinker.is_finished()) {
            line.arriving.try_iter().for_each(drop);
            thread::sleep(Duration::from_millis(1));
        }
        result
    });
    line.arriving.try_iter().for_each(drop);
    result
}

fn read_bytes(mut stream: TcpStream, inputs: &SyncSender<Input>) {
    let mut buffer = [0; 4096];
    loop {
        let input = match stream.read(&mut buffer) {
            Ok(0) => Input::Closed(None),
            Ok(count) => Input::Bytes(buffer[..count].to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Input::Closed(Some(error)),
        };
        let closed = matches!(input, Input::Closed(_));
        if inputs.send(input).is_err() || closed {
            return;
        }
    }
}

/// Searches as it is told, until nobody can tell it any more.
fn search(orders: Receiver<Task>, inputs: &SyncSender<Input>, common: &Common) {
    let mut engine =
        Engine::with_threads(table_of(common.level, common.hash as usize), common.threads as usize);
    let mut random = Random::new(common.seed);
    for task in orders {
        if task.game.ply() < 2 {
            engine.forget();
        }
        let time = if task.left.is_none() { Some(UNTIMED_MOVE) } else { None };
        let limits = Limits { time, clock: task.left, stop: Some(&task.stop), ..Limits::default() };
        let root = Root::of(&task.game);
        let report = common.level.choose(&mut engine, task.game.rules(), &root, random.next_u64(), &limits);
        let best = report.best.or_else(|| task.game.legal_moves().first().copied());
        if inputs.send(Input::Found(task.number, best)).is_err() {
            return;
        }
    }
}

impl Conversation<'_> {
    fn run(&mut self, inputs: &Receiver<Input>) -> anyhow::Result<()> {
        let mut frames = Frames::new();
        self.next_game()?;
        while !self.over {
            let patience = self.patience();
            let input = match patience {
                Some(time) => inputs.recv_timeout(time.saturating_sub(self.quiet_since.elapsed())),
                None => inputs.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match input {
                Ok(Input::Bytes(bytes)) => {
                    for message in frames.push(&bytes) {
                        self.hear(message.and_then(|text| Message::parse(&text)))?;
                    }
                }
                Ok(Input::Closed(error)) => return self.closed(error, frames.is_within()),
                Ok(Input::Found(number, best)) => self.found(number, best)?,
                Ok(Input::Typed(line)) => self.typed(&line)?,
                Err(RecvTimeoutError::Timeout) if self.session.is_asking_back() => {
                    self.quiet_since = Instant::now();
                    self.session.stay().into_iter().try_for_each(|event| self.heed(event))?;
                }
                Err(RecvTimeoutError::Timeout) => {
                    let time = patience.unwrap_or_default().as_secs_f64();
                    bail!("the other program has said nothing for {time} s");
                }
                Err(RecvTimeoutError::Disconnected) => bail!("nothing can be heard any more"),
            }
        }
        Ok(())
    }

    /// Returns how long to wait for the other program; `None` while this one is thinking.
    fn patience(&self) -> Option<Duration> {
        if self.session.is_our_turn() {
            return None;
        }
        if self.session.is_asking_back() {
            // Not so long that too little of the clock is left for the game.
            return Some(self.clock().map_or(self.patience, |clock| self.patience.min(clock.left / 2)));
        }
        let thinking = match self.terms.filter(|_| self.session.is_playing()) {
            Some(Terms { minutes: 0, .. }) => UNTIMED_PATIENCE,
            Some(terms) => Duration::from_secs(u64::from(terms.minutes) * 60),
            None => Duration::ZERO,
        };
        Some(self.patience + thinking)
    }

    /// Asks for the next game, where this program does so.
    fn next_game(&mut self) -> anyhow::Result<()> {
        let Some(plan) = &mut self.plan else { return Ok(()) };
        match plan.next() {
            Some(terms) => {
                let message = self.session.ask(terms, plan.start)?;
                self.send(&message)
            }
            None => {
                self.over = true;
                Ok(())
            }
        }
    }

    fn send(&mut self, message: &Message) -> anyhow::Result<()> {
        if !matches!(message, Message::Chat(_)) {
            self.quiet_since = Instant::now();
        }
        let mut stream = self.stream;
        stream.write_all(&message.to_bytes()).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                anyhow!("the other program does not read what it is told")
            }
            _ => anyhow::Error::new(error).context("the other program no longer listens"),
        })
    }

    fn hear(&mut self, message: Result<Message, damiera_protocol::dxp::DxpError>) -> anyhow::Result<()> {
        let is_chat = matches!(message, Ok(Message::Chat(_)));
        if message.is_ok() && !(is_chat && self.session.is_waiting()) {
            self.quiet_since = Instant::now();
        }
        match message.and_then(|message| self.session.receive(message)) {
            Ok(events) => events.into_iter().try_for_each(|event| self.heed(event)),
            // Nothing has changed by it; the other program may do better.
            Err(error) => say(self.out, &format!("not understood: {error}")),
        }
    }

    fn heed(&mut self, event: Event) -> anyhow::Result<()> {
        match event {
            Event::Send(message) => self.send(&message),
            Event::Started(terms) => self.started(terms),
            Event::Refused(acceptance) => self.refused(acceptance),
            Event::Moved { played, seconds } => {
                if self.session.is_asking_back() {
                    // From now on the answer is waited for on this program's clock.
                    self.asked_back = Some(Instant::now());
                }
                self.tell_move(&played, u64::from(seconds))
            }
            Event::YourTurn => self.think(),
            Event::WentBack => {
                self.stop_search();
                self.count_wait();
                say(self.out, &format!("back to ply {}", self.session.ply()))
            }
            Event::StayedThere => {
                self.count_wait();
                say(self.out, "the other program does not go back")
            }
            Event::Ended(ending) => self.ended(&ending),
            Event::Left => {
                self.stop_search();
                self.over = true;
                say(self.out, "the other program leaves")
            }
            Event::Chat(text) => {
                let shown: String = text.chars().flat_map(char::escape_debug).collect();
                say(self.out, &format!("chat: {shown}"))
            }
        }
    }

    fn started(&mut self, terms: Terms) -> anyhow::Result<()> {
        self.games += 1;
        self.thought = Duration::ZERO;
        self.asked_back = None;
        self.terms = Some(terms);
        let (side, opponent) = (word(terms.side), self.session.opponent());
        let limit = if terms.moves == 0 { String::new() } else { format!(", {} moves", terms.moves) };
        say(
            self.out,
            &format!("game {}: {side} against {opponent}, {}{limit}", self.games, duration(terms.minutes)),
        )
    }

    fn refused(&mut self, acceptance: Acceptance) -> anyhow::Result<()> {
        let why = match acceptance {
            Acceptance::Yes | Acceptance::NotThis => "not this game",
            Acceptance::Version => "another version of the protocol",
            Acceptance::Never => "no game at all",
        };
        bail!("{} refuses: {why}", self.session.opponent())
    }

    /// Thinks about a move, or says that the game is over.
    fn think(&mut self) -> anyhow::Result<()> {
        if let Some(reason) = self.session.verdict() {
            let stop = self.plan.as_ref().is_some_and(Plan::is_last);
            let message = self.session.end(reason, stop)?;
            return self.send(&message);
        }
        self.stop_search();
        self.searches += 1;
        let stop = Arc::new(AtomicBool::new(false));
        self.searching = Some((self.searches, Instant::now(), Arc::clone(&stop)));
        let game = self.session.game().clone();
        let task = Task { number: self.searches, left: self.clock(), game, stop };
        self.tasks.send(task).map_err(|_| anyhow!("the search has ended"))
    }

    /// Returns what this program's clock shows; `None` in a game without one.
    fn clock(&self) -> Option<Clock> {
        let terms = self.terms.filter(|terms| terms.minutes > 0)?;
        let time = Duration::from_secs(u64::from(terms.minutes) * 60);
        let played = (self.session.ply() / 2) as u32;
        let moves_to_go = (terms.moves > 0).then(|| u32::from(terms.moves).saturating_sub(played).max(1));
        Some(Clock {
            left: time.saturating_sub(self.thought + RESERVE),
            increment: Duration::ZERO,
            moves_to_go,
        })
    }

    fn stop_search(&mut self) {
        if let Some((_, began, stop)) = self.searching.take() {
            stop.store(true, Ordering::Relaxed);
            // The other program's clock has counted it.
            self.thought += began.elapsed();
        }
    }

    /// Waits for leave to go back; where this program was thinking its clock goes on.
    fn hold_up(&mut self) {
        self.asked_back = self.session.has_our_side_to_move().then(Instant::now);
        self.stop_search();
    }

    /// Counts what the other program took for its answer to a request to go back, where it was asked on our time.
    fn count_wait(&mut self) {
        if let Some(asked) = self.asked_back.take() {
            self.thought += asked.elapsed();
        }
    }

    fn found(&mut self, number: u64, best: Option<Move>) -> anyhow::Result<()> {
        // The game may have gone another way meanwhile.
        let Some((_, began, _)) = self.searching.take_if(|(searching, ..)| *searching == number) else {
            return Ok(());
        };
        let time = began.elapsed();
        self.thought += time;
        let best = best.ok_or_else(|| anyhow!("the search found no move"))?;
        let seconds = time.as_secs_f64().round() as u16;
        let message = self.session.play(&best, seconds)?;
        self.send(&message)?;
        self.tell_move(&best, u64::from(seconds))
    }

    /// Prints the last move.
    fn tell_move(&mut self, m: &Move, seconds: u64) -> anyhow::Result<()> {
        let game = self.session.game();
        let Some(before) = game.positions().iter().rev().nth(1) else { return Ok(()) };
        let rules: &RuleSet = game.rules();
        let text = notation::format(rules, before, &rules.moves(before), m);
        let (number, side) = (self.session.ply().div_ceil(2), word(before.side()));
        say(self.out, &format!("{number}. {side} {text} ({seconds} s)"))
    }

    fn ended(&mut self, ending: &Ending) -> anyhow::Result<()> {
        self.stop_search();
        let by = if ending.by_us { "this program" } else { "the other program" };
        let why = match ending.reason {
            Reason::Unknown => "gives no reason",
            Reason::Lost => "has lost",
            Reason::Draw => "says that it is a draw",
            Reason::Won => "has won",
        };
        let game = self.session.game();
        let by_rules = game.outcome().map_or_else(String::new, |outcome| {
            format!("; by the rules: {} ({})", outcome.word(), outcome.clause(game.rules()))
        });
        let line =
            format!("game {} is over after {} plies: {by} {why}{by_rules}", self.games, self.session.ply());
        say(self.out, &line)?;
        if let Some(fault) = &ending.fault {
            bail!("{fault}");
        }
        if ending.stop {
            return Ok(());
        }
        self.next_game()
    }

    /// Sends what a person has typed: text, or a wish to go back.
    fn typed(&mut self, line: &str) -> anyhow::Result<()> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let message = match words.as_slice() {
            [] => return Ok(()),
            ["/back", number, side @ ("white" | "black")] => {
                let side = if *side == "white" { Side::White } else { Side::Black };
                let number = number.parse().map_err(|_| anyhow!("{number} is no number"));
                number.and_then(|number| Ok(self.session.ask_back(number, side)?)).inspect(|_| self.hold_up())
            }
            ["/back", ..] => Err(anyhow!("write /back NUMBER white, or black")),
            _ => Ok(Message::Chat(line.to_owned())),
        };
        match message {
            Ok(message) => self.send(&message),
            Err(error) => say(self.out, &format!("{error:#}")),
        }
    }

    /// The connection has ended: as it should between two games, or in the middle of something.
    fn closed(&mut self, error: Option<io::Error>, within_message: bool) -> anyhow::Result<()> {
        let doing = if self.session.is_playing() {
            format!("in the middle of game {}, after {} plies", self.games, self.session.ply())
        } else if self.session.is_waiting() {
            "before it had answered".to_owned()
        } else if within_message {
            "in the middle of a message".to_owned()
        } else {
            return say(self.out, "the other program has closed the connection");
        };
        let cause = error.map_or_else(String::new, |error| format!(" ({error})"));
        bail!("the other program has closed the connection {doing}{cause}")
    }
}

fn word(side: Side) -> &'static str {
    if side.is_white() { "white" } else { "black" }
}
