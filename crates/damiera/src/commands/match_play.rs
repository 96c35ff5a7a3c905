//! `damiera match`: games between two players, from paired openings.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use damiera_rules::{RuleSet, Side, fen};
use damiera_training::match_play::{Adjudication, Ending, LONGEST_GAME, Match, Played, Standing};
use damiera_training::openings::{Openings, Source};
use damiera_training::player::{Budget, GameClock, Means, Player};
use damiera_training::record::Log;
use damiera_training::stats::{Elo, Found, Sprt};
use serde::Serialize;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::input::{RulesArg, games_at_once, read_duration, read_text};
use crate::output::{Answer, Out, json_line};

/// How many lines of progress a match has at most where they are not rewritten.
const PROGRESS_LINES: u32 = 20;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The first player: level:1 to level:10, best@0.1s, nodes:10000, depth:8, time:0.1s, random, naive, or an engine that speaks Hub, hub:COMMAND
    #[arg(value_name = "A")]
    first: Player,
    /// The second player
    #[arg(value_name = "B")]
    second: Player,
    #[command(flatten)]
    rules: RulesArg,
    /// How many games; each opening serves for two, with the sides changed
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// The most time a move for levels, the best and other engines, for example 0.1s
    #[arg(long, value_name = "DURATION", value_parser = read_duration)]
    time: Option<Duration>,
    /// The most nodes a move for the best and other engines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Both players' clock, for example 10s+0.1s; it takes the place of the time a move
    #[arg(long, value_name = "BASE+INCREMENT", conflicts_with = "time")]
    clock: Option<GameClock>,
    /// Where the openings come from: balanced, unbalanced (one side better by 0.6 to 1.5 men; unbalanced:0.3,0.8 by others), ballots of tournaments (2-move, 3-move, 11-man), or a file with a line of moves, a FEN or a
    /// FEN tag each
    #[arg(long, value_name = "OPENINGS", default_value = "balanced")]
    openings: String,
    /// What the openings and everything else that looks like chance come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games are played at once; without it as many as the computer can
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,
    /// The table of each engine of our own, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=65_536))]
    hash: u32,
    /// How many threads each engine of our own searches with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    engine_threads: u16,
    /// A game of so many plies counts as drawn
    #[arg(long, value_name = "PLIES", default_value_t = LONGEST_GAME, value_parser = read_longest)]
    longest: usize,
    /// Count a game as won when both players have seen one side better by so many men for so many plies; without it the rules alone end games
    #[arg(long, value_name = "MEN,PLIES")]
    adjudicate: Option<Adjudication>,
    /// End the match as soon as it is clear whether A is stronger by ELO0 or by ELO1, for example 0,10,0.05,0.05
    #[arg(long, value_name = "ELO0,ELO1,ALPHA,BETA", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Write every game to this file as it ends
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Go on with the match whose games the file of --pdn has
    #[arg(long, requires = "pdn")]
    resume: bool,
    /// Print every game as it ends
    #[arg(long)]
    every: bool,
    /// Print a JSON object (with --every one a game, and the result last)
    #[arg(long)]
    json: bool,
    /// Say nothing on the way
    #[arg(long)]
    quiet: bool,
}

/// The result of a match, for the first player.
#[derive(Serialize)]
struct Report<'a> {
    rules: &'a str,
    players: [String; 2],
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    /// The share of the points.
    score: f64,
    decided: u32,
    won_of_decided: f64,
    /// Pairs of games with 0, ½, 1, 1½ and 2 points.
    pairs: [u32; 5],
    elo: Option<f64>,
    /// The error of the Elo difference, 95 %.
    elo_error: Option<f64>,
    too_long: u32,
    faults: [u32; 2],
    overrun_seconds: [f64; 2],
    sprt: Option<SprtJson>,
    openings: &'a str,
    seed: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct SprtJson {
    elo0: f64,
    elo1: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    /// `elo0` or `elo1`, whichever was accepted.
    result: Option<&'static str>,
}

#[derive(Serialize)]
struct GameJson<'a> {
    game: u32,
    side: Side,
    result: &'static str,
    clause: &'a str,
    fault: Option<String>,
    plies: usize,
    opening: &'a str,
    fen: String,
}

impl<'a> GameJson<'a> {
    fn new(played: &'a Played) -> GameJson<'a> {
        let fault =
            if let Ending::Fault { fault, .. } = &played.ending { Some(fault.to_string()) } else { None };
        GameJson {
            game: played.number,
            side: played.side,
            result: played.winner().map_or("draw", |side| if side.is_white() { "white" } else { "black" }),
            clause: played.clause(),
            fault,
            plies: played.game.ply(),
            opening: &played.opening,
            fen: fen::format(played.game.rules(), played.game.position()),
        }
    }
    fn print(&self, json: bool, out: &mut Out) -> anyhow::Result<()> {
        if json {
            json_line(out, self)?;
        } else {
            let side = if self.side.is_white() { "white" } else { "black" };
            write!(
                out,
                "game {}: A has {side}, {} ({}), {} plies",
                self.game, self.result, self.clause, self.plies
            )?;
            match &self.fault {
                Some(fault) => writeln!(out, ": {fault}")?,
                None => writeln!(out)?,
            }
        }
        out.flush()?;
        Ok(())
    }
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let openings = read_openings(&args.openings, &args.rules.rules, args.seed)?;
    let threads = games_at_once(args.threads);
    let plan = Match {
        rules: args.rules.rules,
        players: [args.first, args.second],
        games: args.games,
        seed: args.seed,
        openings,
        threads,
        budget: Budget { time: args.time, nodes: args.nodes, clock: args.clock },
        means: Means { megabytes: args.hash as usize, threads: usize::from(args.engine_threads) },
        longest: args.longest,
        adjudication: args.adjudicate,
        sprt: args.sprt,
    };
    let (mut log, before) = match &args.pdn {
        Some(path) => {
            let opened = Log::open(path, &plan.describe(), args.resume);
            let (log, before) = opened.map_err(|error| anyhow!("{}: {error}", path.display()))?;
            (Some(log), before)
        }
        None => (None, Standing::default()),
    };
    let pairs = plan.games.div_ceil(2) as usize;
    if let Some(count) = plan.openings.count().filter(|count| *count < pairs && !args.quiet) {
        eprintln!("openings: {count} for {pairs} pairs of games; they are taken again in turn");
    }
    let began = Instant::now();
    let progress = Progress::new(&plan, &before, args.quiet);
    let (every, json) = (args.every, args.json);
    let mut watch = |played: &Played, standing: &Standing| {
        if let Some(log) = &mut log {
            log.add(played)?;
        }
        if every {
            progress.clear();
            // Nobody need read the games; that they could not be printed is noticed again with the result.
            let _ = GameJson::new(played).print(json, out);
        }
        progress.show(standing);
        Ok(())
    };
    let stop = stop_of_signals()?;
    let played = plan.play_until(&stop, before, &mut watch);
    progress.clear();
    let standing = played?;
    print_report(&plan, &standing, began.elapsed().as_secs_f64(), json, out)?;
    if stop.load(Ordering::Relaxed) {
        let how = if args.pdn.is_some() { "; --resume goes on" } else { "" };
        bail!("stopped after {} of {} games{how}", standing.tally.games(), plan.games);
    }
    Ok(Answer::Done)
}

/// Returns what Ctrl-C and the system's wish that the program ends set; the second one does not wait.
pub(super) fn stop_of_signals() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop))?;
        flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}

/// Makes or reads the openings that were asked for.
pub(crate) fn read_openings(text: &str, rules: &Arc<RuleSet>, seed: u64) -> anyhow::Result<Openings> {
    let source = text.parse().map_err(|why: String| anyhow!("--openings: {why}"))?;
    Ok(match source {
        Source::Made { least, most } => Openings::made(rules, seed, text, least, most),
        Source::Ballots(name) => {
            Openings::ballots(rules, seed, &name).map_err(|error| anyhow!("--openings: {error}"))?
        }
        Source::File(path) => {
            if !std::path::Path::new(&path).is_file() {
                bail!(
                    "--openings: \"{path}\" is no file; accepted: balanced, unbalanced, 2-move, 3-move, 11-man, a file"
                );
            }
            let contents = read_text(path.as_ref())?;
            Openings::read(rules, seed, &path, &contents).map_err(|error| anyhow!("{path}: {error}"))?
        }
    })
}

fn print_report(
    plan: &Match,
    standing: &Standing,
    seconds: f64,
    json: bool,
    out: &mut Out,
) -> anyhow::Result<()> {
    let (tally, elo) = (standing.tally, standing.pairs.elo());
    let report = Report {
        rules: plan.rules.canonical(),
        players: plan.players.each_ref().map(ToString::to_string),
        games: tally.games(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        score: tally.score(),
        decided: tally.decided(),
        won_of_decided: tally.won_of_decided(),
        pairs: standing.pairs.0,
        elo: elo.map(|elo| elo.value),
        elo_error: elo.map(|elo| elo.error),
        too_long: standing.too_long,
        faults: standing.faults,
        overrun_seconds: standing.overrun,
        sprt: plan.sprt.map(|sprt| sprt_json(&sprt, standing)),
        openings: plan.openings.name(),
        seed: plan.seed,
        seconds,
    };
    if json {
        return json_line(out, &report);
    }
    writeln!(
        out,
        "{}: A wins {}, draws {}, loses {} of {}: {:.1} % of the points, {:.1} % of the decided games, Elo {}",
        report.rules,
        report.wins,
        report.draws,
        report.losses,
        report.games,
        100.0 * report.score,
        100.0 * report.won_of_decided,
        elo_text(elo)
    )?;
    if report.too_long > 0 {
        writeln!(out, "{} games were too long and count as drawn", report.too_long)?;
    }
    for (player, faults) in ["A", "B"].iter().zip(report.faults).filter(|(_, faults)| *faults > 0) {
        writeln!(
            out,
            "{player} lost {faults} games by a fault: an illegal move, too much time, or its process ended"
        )?;
    }
    if let Some(sprt) = &report.sprt {
        let result = sprt.result.unwrap_or("nothing yet");
        writeln!(
            out,
            "SPRT {} v {}: LLR {:.2} ({:.2} to {:.2}), accepted: {result}",
            sprt.elo0, sprt.elo1, sprt.llr, sprt.lower, sprt.upper
        )?;
    }
    Ok(())
}

fn sprt_json(sprt: &Sprt, standing: &Standing) -> SprtJson {
    let (lower, upper) = sprt.bounds();
    let result = sprt.found(&standing.pairs).map(|found| match found {
        Found::First => "elo0",
        Found::Second => "elo1",
    });
    SprtJson { elo0: sprt.elo0, elo1: sprt.elo1, llr: sprt.llr(&standing.pairs), lower, upper, result }
}

fn elo_text(elo: Option<Elo>) -> String {
    elo.map_or_else(|| "unknown".to_owned(), |elo| elo.to_string())
}

/// The line on standard error that says how a match goes: rewritten on a terminal, otherwise a new one now and then.
pub(crate) struct Progress {
    began: Instant,
    games: u32,
    /// How many games were over before.
    before: u32,
    sprt: Option<Sprt>,
    is_terminal: bool,
    quiet: bool,
}

impl Progress {
    pub(crate) fn new(plan: &Match, before: &Standing, quiet: bool) -> Progress {
        Progress {
            began: Instant::now(),
            games: plan.games,
            before: before.tally.games(),
            sprt: plan.sprt,
            is_terminal: io::stderr().is_terminal(),
            quiet,
        }
    }

    /// Says how the match stands. Nobody need be listening.
    pub(crate) fn show(&self, standing: &Standing) {
        let games = standing.tally.games();
        let is_due = self.is_terminal
            || games == self.games
            || games.is_multiple_of((self.games / PROGRESS_LINES).max(1));
        if self.quiet || !is_due {
            return;
        }
        let (start, end) = if self.is_terminal { ("\r", "\x1b[K") } else { ("", "\n") };
        let mut error = io::stderr().lock();
        let _ = write!(error, "{start}{}{end}", self.line(standing)).and_then(|()| error.flush());
    }

    fn line(&self, standing: &Standing) -> String {
        let tally = standing.tally;
        let per_second =
            f64::from(tally.games() - self.before) / self.began.elapsed().as_secs_f64().max(0.001);
        let left = f64::from(self.games.saturating_sub(tally.games())) / per_second.max(1e-9);
        let sprt =
            self.sprt.map_or_else(String::new, |sprt| format!(", LLR {:.2}", sprt.llr(&standing.pairs)));
        format!(
            "{} of {} games: +{} ={} -{}, Elo {}{sprt}, {:.1} games/min, {} left",
            tally.games(),
            self.games,
            tally.wins,
            tally.draws,
            tally.losses,
            elo_text(standing.pairs.elo()),
            60.0 * per_second,
            duration_text(left)
        )
    }

    /// Takes the line off a terminal, so that something else can be printed.
    pub(crate) fn clear(&self) {
        if self.is_terminal && !self.quiet {
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

fn duration_text(seconds: f64) -> String {
    let seconds = seconds.min(1e9) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds:02} s"),
        (hours, minutes, _) => format!("{hours} h {minutes:02} min"),
    }
}

fn read_longest(text: &str) -> Result<usize, String> {
    let plies = text.parse().ok().filter(|plies| (1..=100_000).contains(plies));
    plies.ok_or_else(|| "a number of plies from 1 to 100000".to_owned())
}
