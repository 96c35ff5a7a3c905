//! `damiera train tactics` finds tactical problems, `damiera train solve` lets the engine solve them.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use damiera_engine::Engine;
use damiera_rules::{Game, fen};
use damiera_training::tactics::{self, Found};
use serde::Serialize;

use crate::analysis::LineJson;
use crate::input::{RulesArg, read_duration, read_text};
use crate::output::{Answer, Out, json_line};

/// The size of the table of positions where problems are solved, in megabytes.
const SOLVING_MB: usize = 64;
/// The same where they are found: it is emptied three times a position.
const FINDING_MB: usize = 8;

#[derive(clap::Args)]
pub(crate) struct FindArgs {
    #[command(flatten)]
    rules: RulesArg,
    /// How many problems are wanted
    #[arg(long, value_name = "N", default_value_t = 30)]
    count: usize,
    /// The number of the first game; equal numbers give equal games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The most games that are played
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: u64,
}

pub(crate) fn find(args: &FindArgs, out: &mut Out) -> anyhow::Result<Answer> {
    let rules = &args.rules.rules;
    let mut engine = Engine::new(FINDING_MB);
    let mut count = 0;
    for seed in args.seed..args.seed.saturating_add(args.games) {
        for found in tactics::find(rules, &mut engine, seed).into_iter().take(args.count - count) {
            let game = Game::new(Arc::clone(rules), found.position);
            writeln!(out, "{}", problem_line(&game, &found, seed))?;
            out.flush()?;
            count += 1;
        }
        let _ = writeln!(io::stderr(), "{} game {seed}: {count} of {}", rules.canonical(), args.count);
        if count >= args.count {
            return Ok(Answer::Done);
        }
    }
    Ok(Answer::No)
}

/// Writes a problem: the position, the move, the line, the scores of the move and of the next best, where it comes from.
fn problem_line(game: &Game, found: &Found, seed: u64) -> String {
    let line = LineJson::new(game, found.score, &found.line);
    let second = LineJson::new(game, found.second, &[]);
    [
        fen::format(game.rules(), game.position()),
        line.pv.first().cloned().unwrap_or_default(),
        line.pv.join(" "),
        format!("{}, next best {}", line.score, second.score),
        format!("game {seed}, ply {}", found.ply),
    ]
    .join("\t")
}

#[derive(clap::Args)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    rules: RulesArg,
    /// How long the engine thinks; what it does not solve in the first time it tries again in the next
    #[arg(long = "time", value_name = "DURATION", value_parser = read_duration, default_value = "1s")]
    times: Vec<Duration>,
    /// How many threads think
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Name the problems that are not solved
    #[arg(long)]
    every: bool,
    /// Print a JSON object a file
    #[arg(long)]
    json: bool,
    /// The files, with a problem a line: FEN, tab, the move (or win, loss, draw for the player to move)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(Serialize)]
struct Solved<'a> {
    file: String,
    rules: &'a str,
    problems: usize,
    /// For each time how many were solved in it or in a shorter one.
    within: Vec<Within>,
    unsolved: Vec<String>,
}

#[derive(Serialize)]
struct Within {
    seconds: f64,
    solved: usize,
}

pub(crate) fn solve(mut args: SolveArgs, out: &mut Out) -> anyhow::Result<Answer> {
    let rules = &args.rules.rules;
    args.times.sort();
    let mut engine = Engine::with_threads(SOLVING_MB, usize::from(args.threads));
    for path in &args.files {
        let name = path.display().to_string();
        let problems = tactics::read(rules, &read_text(path)?).map_err(|error| anyhow!("{name}: {error}"))?;
        let mut within: Vec<Within> =
            args.times.iter().map(|time| Within { seconds: time.as_secs_f64(), solved: 0 }).collect();
        let mut unsolved = Vec::new();
        for problem in &problems {
            match tactics::solve(&mut engine, rules, problem, &args.times) {
                Some(first) => within.iter_mut().skip(first).for_each(|within| within.solved += 1),
                None => unsolved.push(fen::format(rules, &problem.position)),
            }
        }
        let solved =
            Solved { file: name, rules: rules.canonical(), problems: problems.len(), within, unsolved };
        print_solved(&solved, &args, out)?;
    }
    Ok(Answer::Done)
}

fn print_solved(solved: &Solved<'_>, args: &SolveArgs, out: &mut Out) -> anyhow::Result<()> {
    if args.json {
        json_line(out, solved)?;
    } else {
        write!(out, "{}: {} problems", solved.file, solved.problems)?;
        for Within { seconds, solved: n } in &solved.within {
            write!(out, ", {n} solved in {seconds} s")?;
        }
        writeln!(out)?;
        if args.every {
            for position in &solved.unsolved {
                writeln!(out, "  not solved: {position}")?;
            }
        }
    }
    out.flush()?;
    Ok(())
}
