//! `damiera pdn annotate`: the engine goes over games and writes comments into them: mistakes with the better line, wins and draws
//! overlooked.
//!
//! [`judge`] says what is to be said of a move, [`analyst`] asks the engine, [`notes`] writes it into the game, [`record`] keeps the games
//! that are done.

mod analyst;
mod judge;
mod notes;
mod progress;
mod record;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use anyhow::bail;
use damiera_pdn::{GameRead, GameTree, Grade, Style};
use damiera_words::{Lang, t};
use serde::Serialize;

use self::analyst::{Analyst, Effort};
use self::notes::{Manner, Tally};
use self::progress::{Progress, Total};
use self::record::{Begun, Record};
use super::FilesArg;
use crate::commands::match_play::stop_of_signals;
use crate::input::{LangArg, games_at_once, read_duration};
use crate::output::{Answer, Out, json_line};

/// How many positions are entered for a move when no limit is given: enough to see the shots that people see.
const DEFAULT_NODES: u64 = 300_000;

/// So many games are read ahead for each thread: a long one must not keep the others waiting.
const AHEAD: usize = 8;

/// How often it is looked whether a game is done, so that somebody can be told how far it is.
const LOOK: Duration = Duration::from_millis(250);

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: FilesArg,
    /// The file to write to, game by game; without it standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on with the file of --out: the games that it has are passed over, one that was not written to its end is written anew
    #[arg(long, requires = "out")]
    resume: bool,
    /// Enter so many positions for a move; without any limit 300000. The same file gives the same comments then
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Think so long about a move, for example 0.2s
    #[arg(long, value_name = "DURATION", value_parser = read_duration)]
    time: Option<Duration>,
    /// Think so many plies ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    depth: Option<u8>,
    /// Only this game of each file, counted from 1
    #[arg(long, value_name = "N")]
    game: Option<u64>,
    /// Write what every move comes to, as [%eval], into games that have no such evaluations
    #[arg(long)]
    evals: bool,
    /// How many games are gone over at once; without it as many as the computer can
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,
    /// The table of positions of each thread, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 32, value_parser = clap::value_parser!(u32).range(0..=65_536))]
    hash: u32,
    #[command(flatten)]
    lang: LangArg,
    /// Say on standard error how far it is also where that is no terminal
    #[arg(long)]
    progress: bool,
    /// Print what was found in all as a JSON object (with --out)
    #[arg(long, requires = "out")]
    json: bool,
}

/// A game to be gone over.
struct Job {
    place: u64,
    game: Ready,
}

/// A game that was gone over; or nothing, when somebody had enough before.
struct Done {
    place: u64,
    text: Option<(String, Tally)>,
}

/// A game as it is taken up.
enum Ready {
    /// It is to be annotated; the tag says so already.
    Annotate(GameTree),
    /// It stays as it is: it has no moves.
    Empty(GameTree),
    /// It stays as it is: what we wrote into it cannot be told from what others did.
    Mixed(GameTree),
}

impl Ready {
    fn new(tree: &GameTree, manner: &Manner) -> Ready {
        if !notes::has_moves(tree) {
            return Ready::Empty(tree.clone());
        }
        let clean = if notes::is_annotated(tree) { notes::without_ours(tree) } else { Some(tree.clone()) };
        let Some(mut clean) = clean else { return Ready::Mixed(tree.clone()) };
        notes::sign(&mut clean, manner);
        Ready::Annotate(clean)
    }

    fn tree(&self) -> &GameTree {
        match self {
            Ready::Annotate(tree) | Ready::Empty(tree) | Ready::Mixed(tree) => tree,
        }
    }
}

/// What was found in all, as JSON.
#[derive(Serialize)]
struct Report {
    games: u64,
    /// How many games the file had already.
    games_before: u64,
    plies: u64,
    blunders: u64,
    mistakes: u64,
    dubious: u64,
    wins_overlooked: u64,
    draws_overlooked: u64,
    faults: u64,
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    // A file that is not there must not leave an empty one behind.
    args.files.exist()?;
    if let Some(out) = &args.out {
        record::refuse_input(out, &args.files.files)?;
    }
    let limits = Limits::of(&args);
    let manner = Manner { lang: args.lang.lang(), limits: limits.text, evals: args.evals };
    let progress = Progress::is_wanted(args.progress).then(|| Progress::new(manner.lang, total(&args)));
    let stop = stop_of_signals()?;
    let moves = AtomicU64::new(0);
    let (job_sender, jobs) = mpsc::channel();
    let (done_sender, done) = mpsc::channel();
    let jobs = Mutex::new(jobs);
    let threads = games_at_once(args.threads);
    let end = thread::scope(|scope| {
        let worker = |_| {
            let (jobs, done, manner) = (&jobs, done_sender.clone(), &manner);
            let analyst = Analyst::new(args.hash as usize, limits.effort, &stop, &moves);
            scope.spawn(move || work(analyst, jobs, &done, manner))
        };
        let workers = (0..threads).map(worker).collect();
        let mut desk = Desk {
            jobs: Some(job_sender),
            done,
            workers,
            ahead: threads * AHEAD,
            waiting: BTreeMap::new(),
            given: 0,
            written: 0,
            begun: None,
            record: None,
            progress,
            moves: &moves,
            stop: &stop,
            sum: Sum::default(),
        };
        let ended = desk.open(&args, out).and_then(|()| desk.go_through(&args, &manner));
        // Whatever has happened, the threads have nothing more to do.
        stop.fetch_or(ended.is_err(), Ordering::Relaxed);
        desk.jobs = None;
        if let Some(progress) = &desk.progress {
            progress.clear();
        }
        ended.map(|()| desk.sum)
    });
    let sum = end?;
    if stop.load(Ordering::Relaxed) {
        let how = if args.out.is_some() { "; --resume goes on" } else { "" };
        bail!("stopped after {} games{how}", sum.games_before + sum.games);
    }
    tell(&args, out, manner.lang, &sum)
}

/// The limits of the search, and how the tag says them.
struct Limits {
    effort: Effort,
    text: String,
}

impl Limits {
    fn of(args: &Args) -> Limits {
        let none = args.nodes.is_none() && args.time.is_none() && args.depth.is_none();
        let nodes = args.nodes.or(none.then_some(DEFAULT_NODES));
        let said = [
            nodes.map(|nodes| format!("{nodes} nodes")),
            args.time.map(|time| format!("{} s", time.as_secs_f64())),
            args.depth.map(|depth| format!("{depth} plies")),
        ];
        let text = said.into_iter().flatten().collect::<Vec<_>>().join(", ");
        Limits {
            effort: Effort { nodes, time: args.time, depth: args.depth },
            text: format!("{text} a move"),
        }
    }
}

/// Counts what there is to do; `None` where the input can be read only once, or not to its end: that is said when it comes to that.
fn total(args: &Args) -> Option<Total> {
    if args.files.files.iter().any(|path| path == Path::new("-")) {
        return None;
    }
    let mut total = Total::default();
    for path in &args.files.files {
        let read = args.files.read(path, &mut |game| {
            if args.game.is_none_or(|only| only == game.number) {
                total.games += 1;
                total.plies += game.tree.main_line().count() as u64;
            }
            ControlFlow::Continue(())
        });
        read.ok()?;
    }
    Some(total)
}

/// Goes over games until there are no more.
fn work(mut analyst: Analyst<'_>, jobs: &Mutex<Receiver<Job>>, done: &Sender<Done>, manner: &Manner) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { place, game }) = job else { return };
        let text = annotated(&mut analyst, game, manner);
        if done.send(Done { place, text }).is_err() {
            return;
        }
    }
}

/// Returns a game as it is to be written; `None` when somebody had enough.
fn annotated(analyst: &mut Analyst<'_>, game: Ready, manner: &Manner) -> Option<(String, Tally)> {
    let (tree, tally) = match game {
        Ready::Annotate(mut tree) => {
            let parts = analyst.study(&tree).ok()?;
            let tally = notes::annotate(&mut tree, &parts, manner);
            (tree, tally)
        }
        Ready::Empty(tree) | Ready::Mixed(tree) => (tree, Tally::default()),
    };
    Some((tree.pdn(Style::default()).to_string(), tally))
}

/// What has come together.
#[derive(Default)]
struct Sum {
    games: u64,
    games_before: u64,
    /// Games that stayed as they are because of what we had written into them.
    mixed: u64,
    faults: u64,
    tally: Tally,
}

/// Gives out the games in the order of the files, and writes them in that order.
struct Desk<'a, 'scope> {
    /// `None` when there are no more.
    jobs: Option<Sender<Job>>,
    done: Receiver<Done>,
    workers: Vec<ScopedJoinHandle<'scope, ()>>,
    /// How many games may be given out and not yet written.
    ahead: usize,
    /// What is done and has to wait for a game before it.
    waiting: BTreeMap<u64, Option<(String, Tally)>>,
    given: u64,
    written: u64,
    /// The games that the file has already, as long as there are any.
    begun: Option<Begun>,
    record: Option<Record<'a>>,
    progress: Option<Progress>,
    moves: &'a AtomicU64,
    stop: &'a AtomicBool,
    sum: Sum,
}

impl<'a> Desk<'a, '_> {
    fn open(&mut self, args: &Args, out: &'a mut Out) -> anyhow::Result<()> {
        match &args.out {
            Some(path) if args.resume => self.begun = Some(Begun::open(path, args.files.rules.clone())?),
            Some(path) => self.record = Some(record::create(path)?),
            None => self.record = Some(Record::Output(out)),
        }
        Ok(())
    }

    fn go_through(&mut self, args: &Args, manner: &Manner) -> anyhow::Result<()> {
        let mut has_game = false;
        for path in &args.files.files {
            let mut failed = None;
            let read = args.files.read(path, &mut |game| {
                if args.game.is_some_and(|only| only != game.number) {
                    return ControlFlow::Continue(());
                }
                has_game = true;
                failed = self.take(&game, manner).err();
                let is_enough = args.game.is_some() || failed.is_some() || self.is_stopped();
                if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if let Some(error) = failed {
                return Err(error);
            }
            if let Err(error) = read {
                // What could be read of the file before is still written.
                self.wait_until_written(0)?;
                return Err(error);
            }
            if self.is_stopped() {
                break;
            }
        }
        if !has_game && args.game.is_some() {
            bail!("--game: no file has so many games");
        }
        // Who is stopped before the end of the file's games leaves the file alone.
        if !self.is_stopped()
            && let Some(begun) = &mut self.begun
        {
            if !begun.is_over()? {
                bail!("the file of --out has more games than these files");
            }
            self.write_on()?;
        }
        self.wait_until_written(0)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Takes up the next game of the files.
    fn take(&mut self, read: &GameRead<'_>, manner: &Manner) -> anyhow::Result<()> {
        self.sum.faults += read.findings.iter().filter(|f| f.grade() == Grade::Fault).count() as u64;
        let game = Ready::new(read.tree, manner);
        if let Some(begun) = &mut self.begun {
            if begun.take(game.tree())? {
                self.sum.games_before += 1;
                if let Some(progress) = &mut self.progress {
                    progress.pass_over(game.tree().main_line().count() as u64);
                }
                return Ok(());
            }
            self.write_on()?;
        }
        self.sum.mixed += u64::from(matches!(game, Ready::Mixed(_)));
        if let Some(jobs) = &self.jobs {
            // The threads are there as long as the desk is.
            let _ = jobs.send(Job { place: self.given, game });
            self.given += 1;
        }
        self.wait_until_written(self.ahead - 1)
    }

    /// Writes on behind the games that the file has.
    fn write_on(&mut self) -> anyhow::Result<()> {
        if let Some(begun) = self.begun.take() {
            self.record = Some(begun.go_on()?);
        }
        Ok(())
    }

    /// Waits until no more than so many games are given out and not yet written.
    fn wait_until_written(&mut self, open: usize) -> anyhow::Result<()> {
        while self.given - self.written > open as u64 {
            match self.done.recv_timeout(LOOK) {
                Ok(Done { place, text }) => {
                    self.waiting.insert(place, text);
                    self.write()?;
                }
                // While there are games to be given out no thread ends, unless it has come to grief.
                Err(_) if self.workers.iter().any(ScopedJoinHandle::is_finished) => {
                    bail!("a thread has ended before its game was done");
                }
                Err(_) => {}
            }
            self.show_progress();
        }
        Ok(())
    }

    /// Writes what is done and need not wait. Behind a game that was broken off nothing is written: the file has the first games, and all
    /// of them.
    fn write(&mut self) -> anyhow::Result<()> {
        while let Some(text) = self.waiting.remove(&self.written) {
            self.written += 1;
            let (Some((text, tally)), Some(record)) = (text, &mut self.record) else {
                self.record = None;
                continue;
            };
            record.add(&text)?;
            self.sum.games += 1;
            self.sum.tally.add(&tally);
        }
        Ok(())
    }

    fn show_progress(&mut self) {
        let done = Total { games: self.sum.games, plies: self.moves.load(Ordering::Relaxed) };
        if let Some(progress) = &mut self.progress {
            progress.show(done);
        }
    }
}

/// Says what was found in all.
fn tell(args: &Args, out: &mut Out, lang: Lang, sum: &Sum) -> anyhow::Result<Answer> {
    let tally = sum.tally;
    let report = Report {
        games: sum.games,
        games_before: sum.games_before,
        plies: tally.plies,
        blunders: tally.blunders,
        mistakes: tally.mistakes,
        dubious: tally.dubious,
        wins_overlooked: tally.wins_overlooked,
        draws_overlooked: tally.draws_overlooked,
        faults: sum.faults,
    };
    if args.json {
        json_line(out, &report)?;
    } else if args.out.is_some() {
        let params: [(&str, &dyn std::fmt::Display); 7] = [
            ("games", &report.games),
            ("plies", &report.plies),
            ("blunders", &report.blunders),
            ("mistakes", &report.mistakes),
            ("dubious", &report.dubious),
            ("wins", &report.wins_overlooked),
            ("draws", &report.draws_overlooked),
        ];
        writeln!(out, "{}", t(lang, "pdn.annotate.summary", &params))?;
    }
    out.flush()?;
    for (key, n) in [("before", sum.games_before), ("mixed", sum.mixed), ("faults", sum.faults)] {
        if n > 0 {
            // Nobody need be listening.
            let _ =
                writeln!(io::stderr(), "damiera: {}", t(lang, &format!("pdn.annotate.{key}"), &[("n", &n)]));
        }
    }
    Ok(if sum.faults > 0 { Answer::No } else { Answer::Done })
}
