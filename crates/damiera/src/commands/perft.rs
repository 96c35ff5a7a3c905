//! `damiera perft`: counts move sequences, the measure of a move generator.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use clap::ValueEnum;
use damiera_rules::perft::{Count, Leaf, Options, Outcome, divide, perft, split};
use damiera_rules::{Geometry, Job, Move, Position, RuleSource, dispatch, fen, notation};
use serde::Serialize;

use crate::input::{FenArg, RulesArg};
use crate::output::{Answer, Out, json_line};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    fen: FenArg,
    /// How many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// Which captures are one move
    #[arg(long, value_enum, default_value_t = CountArg::Unique)]
    count: CountArg,
    /// What is done at the last ply
    #[arg(long, value_enum, default_value_t = LeafArg::Count)]
    leaf: LeafArg,
    /// Count below each move apart
    #[arg(long)]
    divide: bool,
    /// How many threads share the work
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum CountArg {
    /// Those with equal from, to, captured pieces and crowning
    Unique,
    /// Captures in another order count apart
    Keep,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum LeafArg {
    /// Its moves are counted
    Count,
    /// Its moves are listed and played; the JSON carries the sum of the positions' hashes
    Make,
}

#[derive(Serialize)]
struct Report<'a> {
    rules: &'a str,
    fen: String,
    depth: u32,
    count: CountArg,
    leaf: LeafArg,
    threads: u16,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    checksum: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Part>>,
}

/// What was counted below one move.
#[derive(Serialize)]
struct Part {
    #[serde(rename = "move")]
    text: String,
    nodes: u64,
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let rules = &*args.rules.rules;
    let position = args.fen.position(rules)?;
    let options = Options {
        count: match args.count {
            CountArg::Unique => Count::Unique,
            CountArg::Keep => Count::Keep,
        },
        leaf: match args.leaf {
            LeafArg::Count => Leaf::Count,
            LeafArg::Make => Leaf::Make,
        },
    };
    let work = Work { position: &position, depth: args.depth, options, threads: usize::from(args.threads) };
    let started = Instant::now();
    let (total, parts) = if args.divide && args.depth > 0 {
        let parts = dispatch(rules.shape(), rules.movement(), Divided(work));
        (parts.iter().map(|(_, outcome)| *outcome).fold(Outcome::default(), Outcome::plus), Some(parts))
    } else {
        (dispatch(rules.shape(), rules.movement(), Total(work)), None)
    };
    let seconds = started.elapsed().as_secs_f64();
    let parts = parts.map(|parts| {
        let legal: Vec<Move> = parts.iter().map(|(m, _)| *m).collect();
        let text = |m: &Move| notation::format(rules, &position, &legal, m);
        parts.iter().map(|(m, outcome)| Part { text: text(m), nodes: outcome.nodes }).collect::<Vec<_>>()
    });
    let report = Report {
        rules: rules.canonical(),
        fen: fen::format(rules, &position),
        depth: args.depth,
        count: args.count,
        leaf: args.leaf,
        threads: args.threads,
        nodes: total.nodes,
        seconds,
        nodes_per_second: if seconds > 0.0 { (total.nodes as f64 / seconds).round() } else { 0.0 },
        checksum: (args.leaf == LeafArg::Make).then_some(total.checksum),
        divide: parts,
    };
    if args.json {
        json_line(out, &report)?;
    } else {
        print(&report, out)?;
    }
    Ok(Answer::Done)
}

fn print(report: &Report<'_>, out: &mut Out) -> anyhow::Result<()> {
    for part in report.divide.iter().flatten() {
        writeln!(out, "{:<16} {:>16}", part.text, part.nodes)?;
    }
    writeln!(
        out,
        "{} depth {}: {} nodes in {:.3} s, {:.1} million a second",
        report.rules,
        report.depth,
        report.nodes,
        report.seconds,
        report.nodes_per_second / 1e6
    )?;
    if let Some(checksum) = report.checksum {
        writeln!(out, "checksum {checksum}")?;
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Work<'a> {
    position: &'a Position,
    depth: u32,
    options: Options,
    threads: usize,
}

impl Work<'_> {
    /// Counts below a position with all threads: they take turns at the positions two plies on.
    fn count<G: Geometry, R: RuleSource>(&self, rules: R, p: &Position<G::Set>, depth: u32) -> Outcome {
        let ahead = depth.saturating_sub(1).min(2);
        if self.threads <= 1 || ahead == 0 {
            return perft::<G, R>(rules, p, depth, &self.options);
        }
        let positions = split::<G, R>(rules, p, ahead, &self.options);
        let next = AtomicUsize::new(0);
        let worker = || {
            let mut sum = Outcome::default();
            while let Some(p) = positions.get(next.fetch_add(1, Ordering::Relaxed)) {
                sum = sum.plus(perft::<G, R>(rules, p, depth - ahead, &self.options));
            }
            sum
        };
        thread::scope(|scope| {
            // The calling thread works too. A thread that the system refuses is one fewer.
            let helpers: Vec<_> = (1..self.threads)
                .map_while(|_| thread::Builder::new().spawn_scoped(scope, worker).ok())
                .collect();
            let own = worker();
            helpers.into_iter().filter_map(|helper| helper.join().ok()).fold(own, Outcome::plus)
        })
    }
}

/// Counts everything together.
struct Total<'a>(Work<'a>);

impl Job for Total<'_> {
    type Output = Outcome;
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> Outcome {
        self.0.count::<G, R>(rules, &Position::narrow(self.0.position), self.0.depth)
    }
}

/// Counts below each move apart.
struct Divided<'a>(Work<'a>);

impl Job for Divided<'_> {
    type Output = Vec<(Move, Outcome)>;
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> Self::Output {
        let p = Position::narrow(self.0.position);
        // One ply gives the moves, in the order and with the doubles that the counting convention wants.
        let moves = divide::<G, R>(rules, &p, 1, &self.0.options);
        let below = |m: &Move<G::Set>| {
            let mut after = p;
            after.play(rules, m);
            self.0.count::<G, R>(rules, &after, self.0.depth - 1)
        };
        moves.iter().map(|(m, _)| (m.widen(), below(m))).collect()
    }
}
