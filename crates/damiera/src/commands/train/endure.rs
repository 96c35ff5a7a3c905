//! `damiera train endure`: very fast games of the engine against itself, with everything checked.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use damiera_rules::RuleSet;
use damiera_training::endure::Endurance;
use damiera_training::player::Means;
use serde::Serialize;

use crate::input::{all_rules, games_at_once, read_duration, read_rules};
use crate::output::{Answer, Out, json_line};

#[derive(clap::Args)]
pub(super) struct Args {
    /// A rule set, as often as wanted; without it all of them
    #[arg(long, value_name = "RULES", value_parser = read_rules)]
    rules: Vec<Arc<RuleSet>>,
    /// How many games a rule set
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    /// The time for a move
    #[arg(long, value_name = "DURATION", default_value = "0.001s", value_parser = read_duration)]
    time: Duration,
    /// How much longer a move may take: what a busy computer needs to come back to the engine
    #[arg(long, value_name = "DURATION", default_value = "0.25s", value_parser = read_duration)]
    margin: Duration,
    /// The engine's table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=65_536))]
    hash: u32,
    /// How many threads the engine searches with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    engine_threads: u16,
    /// How many games are played at once; without it as many as the computer can
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,
    /// What the openings come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print a JSON object a rule set
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    rules: &'a str,
    games: u32,
    white: u32,
    draws: u32,
    black: u32,
    too_long: u32,
    moves: u64,
    nodes: u64,
    /// The most that a move took beyond its time.
    overrun_seconds: f64,
    /// Whether the program was built to check its own assumptions.
    assertions: bool,
    faults: Vec<String>,
    seconds: f64,
}

pub(super) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let wanted = if args.rules.is_empty() { all_rules() } else { args.rules };
    let threads = games_at_once(args.threads);
    let mut answer = Answer::Done;
    for rules in wanted {
        let began = Instant::now();
        let run = Endurance {
            rules,
            games: args.games,
            time: args.time,
            margin: args.margin,
            means: Means { megabytes: args.hash as usize, threads: usize::from(args.engine_threads) },
            threads,
            seed: args.seed,
        };
        let found = run.run();
        let report = Report {
            rules: run.rules.canonical(),
            games: found.games,
            white: found.won[0],
            draws: found.drawn,
            black: found.won[1],
            too_long: found.too_long,
            moves: found.moves,
            nodes: found.nodes,
            overrun_seconds: found.overrun.as_secs_f64(),
            assertions: cfg!(debug_assertions),
            faults: found.faults.iter().map(ToString::to_string).collect(),
            seconds: began.elapsed().as_secs_f64(),
        };
        if !report.faults.is_empty() {
            answer = Answer::No;
        }
        if args.json {
            json_line(out, &report)?
        } else {
            print(&report, out)?
        }
        out.flush()?;
    }
    Ok(answer)
}

fn print(report: &Report, out: &mut Out) -> anyhow::Result<()> {
    writeln!(
        out,
        "{}: {} games, White {} draws {} Black {}, {} too long; {} moves, {} nodes, at most {:.1} ms late; {} faults; {:.0} s{}",
        report.rules,
        report.games,
        report.white,
        report.draws,
        report.black,
        report.too_long,
        report.moves,
        report.nodes,
        1e3 * report.overrun_seconds,
        report.faults.len(),
        report.seconds,
        if report.assertions { "" } else { " (built without assertions)" }
    )?;
    for fault in &report.faults {
        writeln!(out, "  {fault}")?;
    }
    Ok(())
}
