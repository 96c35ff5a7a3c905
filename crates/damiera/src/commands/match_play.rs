//! `damiera match`: games between two players of the engine, from paired openings.

use std::io::Write;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use damiera_rules::{Side, fen};
use damiera_training::match_play::{Match, Played, Player, seconds};
use serde::Serialize;

use crate::input::RulesArg;
use crate::output::{Answer, Out, json_line};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The first player: level:1 to level:3, level:3@0.1s, random, nodes:10000 or time:0.1s
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
    /// The most time a move for players that are levels, for example 0.1s
    #[arg(long, value_name = "DURATION", value_parser = read_duration)]
    time: Option<Duration>,
    /// What the openings and everything else that looks like chance come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games are played at once; without it as many as the computer can
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,
    /// Print every game as it ends
    #[arg(long)]
    every: bool,
    /// Print a JSON object (with --every one a game, and the result last)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    rules: &'a str,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    /// The first player's share of the points.
    score: f64,
    decided: u32,
    won_of_decided: f64,
}

#[derive(Serialize)]
struct Game<'a> {
    game: u32,
    side: Side,
    result: &'static str,
    clause: Option<&'a str>,
    plies: usize,
    fen: String,
}

impl<'a> Game<'a> {
    fn new(played: &'a Played) -> Game<'a> {
        let rules = played.game.rules();
        Game {
            game: played.number,
            side: played.side,
            result: played.outcome.map_or("draw", |outcome| outcome.word()),
            clause: played.outcome.as_ref().map(|outcome| outcome.clause(rules)),
            plies: played.game.ply(),
            fen: fen::format(rules, played.game.position()),
        }
    }
    fn print(&self, json: bool, out: &mut Out) -> anyhow::Result<()> {
        if json {
            json_line(out, self)?;
        } else {
            let side = if self.side.is_white() { "white" } else { "black" };
            let clause = self.clause.unwrap_or("too long");
            writeln!(
                out,
                "game {}: A has {side}, {} ({clause}), {} plies",
                self.game, self.result, self.plies
            )?;
        }
        out.flush()?;
        Ok(())
    }
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let threads =
        args.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let limited = |player| match player {
        Player::Level(level, None) => Player::Level(level, args.time),
        other => other,
    };
    let plan = Match {
        rules: args.rules.rules,
        players: [limited(args.first), limited(args.second)],
        games: args.games,
        seed: args.seed,
        threads,
    };
    let (every, json) = (args.every, args.json);
    // The games end on several threads. That a line could not be printed is noticed again with the last one.
    let lines = Mutex::new(&mut *out);
    let watch = |played: &Played| {
        if every && let Ok(mut lines) = lines.lock() {
            let _ = Game::new(played).print(json, *lines);
        }
    };
    let tally = plan.play(&watch);
    let report = Report {
        rules: plan.rules.canonical(),
        games: tally.games(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        score: tally.score(),
        decided: tally.decided(),
        won_of_decided: tally.won_of_decided(),
    };
    if json {
        json_line(out, &report)?;
    } else {
        writeln!(
            out,
            "{}: A wins {}, draws {}, loses {} of {}: {:.1} % of the points, {:.1} % of the decided games",
            report.rules,
            report.wins,
            report.draws,
            report.losses,
            report.games,
            100.0 * report.score,
            100.0 * report.won_of_decided
        )?;
    }
    Ok(Answer::Done)
}

fn read_duration(text: &str) -> Result<Duration, String> {
    seconds(text).ok_or_else(|| "a duration is written in seconds, for example 0.1s".to_owned())
}
