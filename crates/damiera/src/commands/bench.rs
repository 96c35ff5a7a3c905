//! `damiera bench`: searches fixed positions of every rule set and says how many nodes that took, and how long.

use std::io::Write;

use anyhow::bail;
use cpu_time::ProcessTime;
use damiera_engine::bench::{self, Case};
use damiera_engine::{Engine, Limits};
use damiera_rules::presets::KEYS;
use serde::Serialize;

use crate::output::{Answer, Out, json_line};

/// The benchmark of the engine: fixed positions of every rule set, each to a fixed depth with one thread and an empty table. The number of nodes in all is the
/// engine's signature
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this rule set (can be given several times)
    #[arg(long, value_name = "KEY")]
    rules: Vec<String>,
    /// Only the start of each rule set
    #[arg(long)]
    start: bool,
    /// Enter so many positions in each search, whatever the depth: a measure of speed and no signature
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Print the nodes alone, as in crates/engine/bench/signature.txt
    #[arg(long, conflicts_with_all = ["rules", "start", "nodes", "json"])]
    signature: bool,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// What the positions of a rule set took, or all positions together.
#[derive(Serialize)]
struct Count<'a> {
    rules: &'a str,
    positions: usize,
    /// The mean depth.
    depth: f64,
    nodes: u64,
    cpu_seconds: f64,
    nodes_per_cpu_second: f64,
}

#[derive(Serialize)]
struct Report<'a> {
    sets: Vec<Count<'a>>,
    nodes: u64,
    cpu_seconds: f64,
    nodes_per_cpu_second: f64,
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    if let Some(unknown) = args.rules.iter().find(|key| !KEYS.contains(&key.as_str())) {
        bail!("--rules: {unknown:?} is no known key (damiera rules list)");
    }
    if args.signature {
        write!(out, "{}", bench::signature())?;
        return Ok(Answer::Done);
    }
    let cases = bench::cases();
    let mut engine = bench::engine();
    let mut sets = Vec::new();
    for cases in cases.chunk_by(|one, other| one.rules.key() == other.rules.key()) {
        let key = cases[0].rules.key();
        if args.rules.is_empty() || args.rules.iter().any(|wanted| wanted == key) {
            let cases = if args.start { &cases[..1] } else { cases };
            let count = count(&mut engine, cases, args.nodes);
            if !args.json {
                print(&count, out)?;
            }
            sets.push(count);
        }
    }
    let nodes = sets.iter().map(|set| set.nodes).sum();
    let cpu_seconds = sets.iter().map(|set| set.cpu_seconds).sum();
    let report = Report { sets, nodes, cpu_seconds, nodes_per_cpu_second: per_second(nodes, cpu_seconds) };
    if args.json {
        json_line(out, &report)?;
    } else {
        let millions = report.nodes_per_cpu_second / 1e6;
        writeln!(out, "{nodes} nodes in {cpu_seconds:.2} CPU seconds, {millions:.2} million a second")?;
    }
    Ok(Answer::Done)
}

/// Searches the positions of one rule set. Emptying the table before each is not measured.
fn count<'a>(engine: &mut Engine, cases: &'a [Case], nodes: Option<u64>) -> Count<'a> {
    let (mut depth, mut sum, mut cpu_seconds) = (0.0, 0, 0.0);
    for case in cases {
        engine.forget();
        let began = ProcessTime::now();
        let report = match nodes {
            Some(nodes) => case.search_within(engine, &Limits::nodes(nodes)),
            None => case.search(engine),
        };
        cpu_seconds += began.elapsed().as_secs_f64();
        depth += f64::from(report.depth) / cases.len() as f64;
        sum += report.nodes;
    }
    Count {
        rules: cases[0].rules.key(),
        positions: cases.len(),
        depth,
        nodes: sum,
        cpu_seconds,
        nodes_per_cpu_second: per_second(sum, cpu_seconds),
    }
}

fn per_second(nodes: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { (nodes as f64 / seconds).round() } else { 0.0 }
}

fn print(count: &Count<'_>, out: &mut Out) -> anyhow::Result<()> {
    writeln!(
        out,
        "{:<18} {} positions, depth {:>4.1}, {:>10} nodes, {:>6.2} CPU seconds, {:>5.2} million a second",
        count.rules,
        count.positions,
        count.depth,
        count.nodes,
        count.cpu_seconds,
        count.nodes_per_cpu_second / 1e6
    )?;
    out.flush()?;
    Ok(())
}
