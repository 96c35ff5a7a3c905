//! `damiera train selfplay`: games of the engine against itself, as data for the evaluation.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use damiera_training::selfplay::SelfPlay;

use crate::input::RulesArg;
use crate::output::{Answer, Out};

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    rules: RulesArg,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    /// How many nodes the engine may look at for a move
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// What the openings come from; equal seeds give equal games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games are played at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &Args, out: &mut Out) -> anyhow::Result<Answer> {
    let plan = SelfPlay {
        rules: Arc::clone(&args.rules.rules),
        games: args.games,
        nodes: args.nodes,
        seed: args.seed,
        threads: usize::from(args.threads),
    };
    let name = args.out.display();
    let file = File::create(&args.out).with_context(|| format!("cannot write {name}"))?;
    let mut progress = Progress { games: args.games };
    let count = plan
        .write(&mut BufWriter::new(file), &mut |done| progress.show(done))
        .with_context(|| format!("cannot write {name}"))?;
    writeln!(out, "{}: {} games, {count} positions in {name}", plan.rules.canonical(), plan.games)?;
    Ok(Answer::Done)
}

/// A line on standard error, now and then.
struct Progress {
    games: u32,
}

impl Progress {
    fn show(&mut self, done: u32) {
        if done.is_multiple_of(100) {
            // Nobody need be listening.
            let _ = writeln!(std::io::stderr(), "{done} of {} games", self.games);
        }
    }
}
