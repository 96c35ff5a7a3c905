//! `damiera analyze`: what the engine thinks of a position, told while it thinks.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use damiera_engine::{Engine, Limits, Report, Root};
use damiera_rules::{Game, fen};
use serde::Serialize;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::analysis::LineJson;
use crate::input::{FenArg, RulesArg, play_moves, read_duration};
use crate::output::{Answer, Out, json_line};

/// How long is thought when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Iterations that follow each other faster than this, in seconds, are not told one by one on the screen.
const TELLING: f64 = 0.1;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    fen: FenArg,
    /// The moves that lead from there to the position; what they repeat and count bears on draws. Move numbers such as 1. are skipped
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    /// Think so long, for example 0.5s; without any limit 5s
    #[arg(long, value_name = "DURATION", value_parser = read_duration)]
    time: Option<Duration>,
    /// Think so many plies ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    depth: Option<u8>,
    /// Enter so many positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Think until Ctrl-C; Enter stops and goes on
    #[arg(long, conflicts_with_all = ["time", "depth", "nodes"])]
    infinite: bool,
    /// How many best moves are looked for
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    lines: u8,
    /// How many threads think
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// The size of the table of positions, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(0..=65_536))]
    hash: u32,
    /// Print the lines of every finished iteration
    #[arg(long)]
    every: bool,
    /// Print a JSON object (with --every one an iteration, and the answer last)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Analysis<'a> {
    rules: &'a str,
    fen: &'a str,
    depth: u8,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    lines: Vec<LineJson>,
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let position = args.fen.position(&args.rules.rules)?;
    let game = play_moves(Arc::clone(&args.rules.rules), position, &args.moves)?;
    let teller = Teller {
        fen: fen::format(game.rules(), game.position()),
        game: &game,
        every: args.every,
        json: args.json,
        told_at: 0.0,
        out,
    };
    if game.outcome().is_some() {
        return teller.tell_end();
    }
    let signals = Signals::catch()?;
    let engine = Engine::with_threads(args.hash as usize, usize::from(args.threads));
    let mut thinker =
        Thinker { engine, game: &game, lines: usize::from(args.lines), stop: &signals.stop, teller };
    if args.infinite {
        thinker.go_on_and_off(&signals)?;
    } else {
        let none = args.time.is_none() && args.depth.is_none() && args.nodes.is_none();
        let time = args.time.or(none.then_some(DEFAULT_TIME));
        thinker.think(&Limits { nodes: args.nodes, depth: args.depth, time, ..Limits::default() })?;
    }
    Ok(Answer::Done)
}

/// Thinks about one position and tells about it.
struct Thinker<'a> {
    engine: Engine,
    game: &'a Game,
    lines: usize,
    stop: &'a AtomicBool,
    teller: Teller<'a>,
}

impl Thinker<'_> {
    /// Thinks until a limit or a stop. What was found is told; that nobody listens any more is a stop too.
    fn think(&mut self, limits: &Limits) -> anyhow::Result<()> {
        let limits = Limits { stop: Some(self.stop), ..*limits };
        let (stop, teller) = (self.stop, &mut self.teller);
        let mut told = Ok(());
        let mut watch = |report: &Report| {
            if told.is_ok() {
                told = teller.tell_iteration(report);
                stop.fetch_or(told.is_err(), Ordering::Relaxed);
            }
        };
        let root = Root::of(self.game);
        let report = self.engine.analyze(self.game.rules(), &root, &limits, self.lines, &mut watch);
        told?;
        self.teller.tell_answer(&report)
    }

    /// Thinks without a limit. Enter stops, and what was found is told; another Enter goes on with all that is known. A signal ends it, and so does a search
    /// that has nothing left to find.
    fn go_on_and_off(&mut self, signals: &Signals) -> anyhow::Result<()> {
        let enters = Enters::read(&signals.stop);
        loop {
            self.think(&Limits::default())?;
            if !signals.stop.load(Ordering::Relaxed) || !enters.wait_and_go_on(signals) {
                return Ok(());
            }
        }
    }
}

/// Ctrl-C and the system's wish that the program ends.
struct Signals {
    /// Set by them, and by an Enter.
    stop: Arc<AtomicBool>,
    /// Set by them alone.
    end: Arc<AtomicBool>,
}

impl Signals {
    fn catch() -> anyhow::Result<Signals> {
        let signals = Signals { stop: Arc::default(), end: Arc::default() };
        for signal in [SIGINT, SIGTERM] {
            // The second one does not wait for an answer.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&signals.end))?;
            flag::register(signal, Arc::clone(&signals.end))?;
            flag::register(signal, Arc::clone(&signals.stop))?;
        }
        Ok(signals)
    }
}

/// The lines of standard input, each of which stops the search or lets it go on.
struct Enters(Arc<Mutex<Counted>>);

#[derive(Default)]
struct Counted {
    /// How many lines have come.
    come: usize,
    /// How many of them have stopped a search or let one go on.
    done: usize,
    /// Whether no more will come.
    closed: bool,
}

impl Enters {
    /// How often it is looked whether something has come while nothing is thought.
    const LOOK: Duration = Duration::from_millis(50);

    /// Reads them on a thread of its own and sets `stop` at each. The end of the input stops nothing.
    fn read(stop: &Arc<AtomicBool>) -> Enters {
        let counted = Arc::new(Mutex::new(Counted::default()));
        let (stop, shared) = (Arc::clone(stop), Arc::clone(&counted));
        thread::spawn(move || {
            for _ in io::stdin().lock().split(b'\n').map_while(Result::ok) {
                let mut counted = shared.lock().unwrap_or_else(PoisonError::into_inner);
                counted.come += 1;
                stop.store(true, Ordering::Relaxed);
            }
            shared.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        });
        Enters(counted)
    }

    /// Waits, after an Enter has stopped the search, for the one that lets it go on. Returns false when the program is to end instead.
    fn wait_and_go_on(&self, signals: &Signals) -> bool {
        while !signals.end.load(Ordering::Relaxed) {
            let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if counted.come >= counted.done + 2 {
                counted.done += 2;
                let again = counted.come > counted.done || signals.end.load(Ordering::Relaxed);
                signals.stop.store(again, Ordering::Relaxed);
                return true;
            }
            if counted.closed {
                return false;
            }
            drop(counted);
            thread::sleep(Enters::LOOK);
        }
        false
    }
}

/// Tells what was found: the answer on standard output, the progress on standard error or, where it is asked for, on standard output as well.
struct Teller<'a> {
    game: &'a Game,
    fen: String,
    every: bool,
    json: bool,
    /// When the progress was last told, in seconds of the search.
    told_at: f64,
    out: &'a mut Out,
}

impl Teller<'_> {
    fn tell_iteration(&mut self, report: &Report) -> anyhow::Result<()> {
        if self.every {
            self.tell_answer(report)?;
        } else if !self.json && (report.seconds < self.told_at || report.seconds - self.told_at > TELLING) {
            self.told_at = report.seconds;
            self.tell_progress(report);
        }
        Ok(())
    }

    /// Writes one line to standard error, where nobody need be listening.
    fn tell_progress(&self, report: &Report) {
        let best = LineJson::new(self.game, report.score, &report.pv);
        let _ = writeln!(io::stderr(), "{}  {}  {}", Effort::of(report), best.score, best.pv.join(" "));
    }

    fn tell_answer(&mut self, report: &Report) -> anyhow::Result<()> {
        let lines = report.lines.iter().map(|line| LineJson::new(self.game, line.score, &line.pv)).collect();
        self.write(&Effort::of(report), lines)
    }

    /// Tells how a game ended that is over before anybody could think.
    fn tell_end(mut self) -> anyhow::Result<Answer> {
        let end = LineJson::of_end(self.game).into_iter().collect();
        self.write(&Effort::default(), end)?;
        Ok(Answer::Done)
    }

    fn write(&mut self, effort: &Effort, lines: Vec<LineJson>) -> anyhow::Result<()> {
        if self.json {
            let analysis = Analysis {
                rules: self.game.rules().canonical(),
                fen: &self.fen,
                depth: effort.depth,
                nodes: effort.nodes,
                seconds: effort.seconds,
                nodes_per_second: effort.nodes_per_second().round(),
                lines,
            };
            json_line(self.out, &analysis)?;
        } else {
            writeln!(self.out, "{effort}")?;
            for (number, line) in (1..).zip(&lines) {
                writeln!(self.out, "{number}. {}  {}", line.score, line.pv.join(" "))?;
            }
        }
        self.out.flush()?;
        Ok(())
    }
}

/// How far was looked.
#[derive(Default)]
struct Effort {
    depth: u8,
    nodes: u64,
    seconds: f64,
}

impl Effort {
    fn of(report: &Report) -> Effort {
        Effort { depth: report.depth, nodes: report.nodes, seconds: report.seconds }
    }
    fn nodes_per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.nodes as f64 / self.seconds } else { 0.0 }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millions = self.nodes_per_second() / 1e6;
        let Effort { depth, nodes, seconds } = self;
        write!(f, "depth {depth}, {nodes} nodes, {seconds:.1} s, {millions:.2} million a second")
    }
}
