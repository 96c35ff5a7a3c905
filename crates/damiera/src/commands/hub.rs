//! `damiera hub`: the engine for programs that speak Hub, on standard input and output.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufReader, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use anyhow::anyhow;
use damiera_engine::{Clock, Engine, Level, Limits, Line as Found, Report, Root};
use damiera_protocol::hub::{Action, Budget, Info, Mode, Reply, Session, Settings, Task};
use damiera_protocol::squares;
use damiera_rules::{Game, Move, RuleSet};

use crate::input::{Line, next_line, read_level, read_rules, table_of};
use crate::output::{Answer, Out};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The rules to begin with (parameter "variant")
    #[arg(long, value_name = "RULES", default_value = "international", value_parser = read_rules)]
    rules: Arc<RuleSet>,
    /// The size of the transposition table in megabytes (parameter "hash")
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(0..=65_536))]
    hash: u32,
    /// How many threads search (parameter "threads")
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// How strong it plays: 1 to 10, or best (parameter "level")
    #[arg(long, value_name = "N", default_value = "best", value_parser = read_level)]
    level: Level,
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let settings = Settings {
        rules: args.rules,
        megabytes: args.hash as usize,
        threads: args.threads as usize,
        level: args.level.number(),
        seed: 0,
        lines: 1,
    };
    let session = Session::new(env!("CARGO_PKG_VERSION"), Level::COUNT, settings);
    let voice = Voice(Mutex::new(out));
    let (sender, orders) = channel();
    let voice = &voice;
    thread::scope(|scope| {
        let searching = scope.spawn(move || obey(orders, voice));
        let heard = listen(session, sender, voice);
        // The sender is gone, and with it the loop of the other thread.
        let searched = searching.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        heard.and(searched)
    })?;
    Ok(Answer::Done)
}

/// Standard output, shared by the thread that listens and the one that searches.
struct Voice<'a>(Mutex<&'a mut Out>);

impl Voice<'_> {
    fn say(&self, reply: &Reply) -> io::Result<()> {
        let mut out = self.0.lock().map_err(|_| io::Error::other("standard output was lost"))?;
        writeln!(out, "{reply}")?;
        out.flush()
    }
}

/// What the searching thread is to do.
enum Order {
    Prepare(Settings),
    Search(Box<Task>, Arc<Flags>),
    Forget,
}

/// What is said to a search that runs.
struct Flags {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// When it was asked for: the wait for a search before it, or for a new table, is on its clock.
    heard: Instant,
}

/// Reads commands until the input ends or somebody says `quit`; a search goes on meanwhile.
fn listen(mut session: Session, orders: Sender<Order>, voice: &Voice<'_>) -> anyhow::Result<()> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut running: Option<Arc<Flags>> = None;
    let stop = |running: &Option<Arc<Flags>>| {
        if let Some(flags) = running {
            flags.stop.store(true, Ordering::Relaxed);
        }
    };
    let order = |order| orders.send(order).map_err(|_| anyhow!("the search has ended"));
    while let Some(line) = next_line(&mut input)? {
        let actions = match line {
            Line::Text(text) => session.receive(&text),
            Line::TooLong => {
                vec![Action::Say(Reply::Error("the line is too long (64 KB at most)".to_owned()))]
            }
        };
        for action in actions {
            match action {
                Action::Say(reply) => voice.say(&reply)?,
                Action::Prepare(settings) => order(Order::Prepare(settings))?,
                Action::Search(task) => {
                    stop(&running);
                    let pondering = AtomicBool::new(task.mode == Mode::Ponder);
                    let flags =
                        Arc::new(Flags { stop: AtomicBool::new(false), pondering, heard: Instant::now() });
                    running = Some(Arc::clone(&flags));
                    order(Order::Search(task, flags))?;
                }
                Action::Stop => stop(&running),
                Action::PonderHit => {
                    if let Some(flags) = &running {
                        flags.pondering.store(false, Ordering::Relaxed);
                    }
                }
                Action::Forget => order(Order::Forget)?,
                Action::Quit => {
                    stop(&running);
                    return Ok(());
                }
            }
        }
    }
    stop(&running);
    Ok(())
}

/// The engine with what it was made for.
struct Ready {
    engine: Engine,
    megabytes: usize,
    threads: usize,
}

impl Ready {
    fn new(megabytes: usize, threads: usize) -> Ready {
        Ready { engine: Engine::with_threads(megabytes, threads), megabytes, threads }
    }
}

/// Searches as it is told, until nobody can tell it any more.
fn obey(orders: Receiver<Order>, voice: &Voice<'_>) -> anyhow::Result<()> {
    let mut ready: Option<Ready> = None;
    for order in orders {
        match order {
            Order::Prepare(settings) => {
                engine_for(&mut ready, &settings, Mode::Think);
                voice.say(&Reply::Ready)?;
            }
            Order::Search(task, flags) => {
                let engine = engine_for(&mut ready, &task.settings, task.mode);
                let report = search(engine, &task, &flags, voice);
                voice.say(&done(&task.game, &report))?;
            }
            Order::Forget => {
                if let Some(ready) = &mut ready {
                    ready.engine.forget();
                }
            }
        }
    }
    Ok(())
}

/// Returns the engine; another one when its size or its threads have changed.
fn engine_for<'a>(ready: &'a mut Option<Ready>, settings: &Settings, mode: Mode) -> &'a mut Engine {
    let level = level_for(settings, mode).unwrap_or(Level::BEST);
    let (megabytes, threads) = (table_of(level, settings.megabytes), settings.threads);
    let kept = ready.take().filter(|ready| ready.megabytes == megabytes && ready.threads == threads);
    &mut ready.insert(kept.unwrap_or_else(|| Ready::new(megabytes, threads))).engine
}

/// Returns the level with a number at which is searched; none where the best is asked for, and for an analysis.
fn level_for(settings: &Settings, mode: Mode) -> Option<Level> {
    settings.level.and_then(Level::new).filter(|_| mode != Mode::Analyze)
}

fn search(engine: &mut Engine, task: &Task, flags: &Flags, voice: &Voice<'_>) -> Report {
    let (rules, root, settings) = (task.game.rules(), Root::of(&task.game), &task.settings);
    let limits = limits(&task.budget, flags);
    let level = level_for(settings, task.mode);
    // That nobody reads any more is noticed with the move.
    let say = |report: &Report, lines: usize| {
        for reply in infos(&task.game, report, lines) {
            let _ = voice.say(&reply);
        }
    };
    if let Some(level) = level {
        let report = level.choose(engine, rules, &root, seed(settings, &task.game), &limits);
        say(&report, 1);
        return report;
    }
    let lines = if task.mode == Mode::Analyze { settings.lines } else { 1 };
    engine.analyze(rules, &root, &limits, lines, &mut |report| say(report, lines))
}

fn limits<'a>(budget: &Budget, flags: &'a Flags) -> Limits<'a> {
    Limits {
        nodes: budget.nodes,
        depth: budget.depth.map(|depth| u8::try_from(depth).unwrap_or(u8::MAX)),
        time: budget.move_time,
        since: Some(flags.heard),
        clock: budget.clock.map(|clock| Clock {
            left: clock.time,
            increment: clock.increment,
            moves_to_go: clock.moves,
        }),
        pondering: Some(&flags.pondering),
        stop: Some(&flags.stop),
    }
}

/// Returns what a level's choice comes from: of equal seeds the same game, of 0 another each time.
fn seed(settings: &Settings, game: &Game) -> u64 {
    match settings.seed {
        0 => RandomState::new().hash_one(game.ply()),
        seed => seed.wrapping_add((game.ply() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
    }
}

/// Returns what is told of a report: of several lines the best last, so that who shows but one shows that.
fn infos(game: &Game, report: &Report, lines: usize) -> Vec<Reply> {
    let texts = |pv: &[Move]| pv.iter().map(|m| squares::write_move(game.rules(), m)).collect();
    let rounded = |number: f64, places: i32| (number * 10_f64.powi(places)).round() / 10_f64.powi(places);
    let of = |(index, line): (usize, &Found)| Info {
        depth: Some(u32::from(report.depth)),
        score: Some(rounded(men(line), 2)),
        nodes: Some(report.nodes),
        time: Some(rounded(report.seconds, 3)),
        nps: (report.seconds > 0.0).then(|| rounded(report.nodes as f64 / report.seconds / 1e6, 3)),
        pv: texts(&line.pv),
        line: (lines > 1).then_some(index as u32 + 1),
        ..Info::default()
    };
    report.lines.iter().enumerate().take(lines).map(of).map(Reply::Info).rev().collect()
}

/// Returns a score in men: a win in n plies is 100 - n / 100, so that the quicker one is worth more.
fn men(line: &Found) -> f64 {
    use damiera_engine::Score;
    match line.score {
        Score::Win(plies) => 100.0 - f64::from(plies) / 100.0,
        Score::Loss(plies) => f64::from(plies) / 100.0 - 100.0,
        score => f64::from(score.men()),
    }
}

/// Returns the end of a search: its move, any legal one when it was stopped before it had one, and the answer it expects.
fn done(game: &Game, report: &Report) -> Reply {
    let rules = game.rules();
    let best = report.best.or_else(|| game.legal_moves().first().copied());
    let ponder = match (best, report.pv.as_slice()) {
        (Some(best), [first, answer, ..]) if best == *first => {
            let after = rules.after(game.position(), &best);
            rules.moves(&after).contains(answer).then_some(*answer)
        }
        _ => None,
    };
    let text = |m: Move| squares::write_move(rules, &m);
    Reply::Done { best: best.map(text), ponder: ponder.map(text) }
}
