//! `damiera train fit`: weights of the evaluation fitted to the results of games.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use damiera_engine::tuning::Weights;
use damiera_rules::RuleSet;
use damiera_training::fit::{Fitted, Quality, fit};
use damiera_training::selfplay::{Sample, Samples};

use crate::output::{Answer, Out};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Files of `damiera train selfplay`, all of one rule set
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file of weights to write
    #[arg(long, value_name = "WEIGHTS")]
    out: PathBuf,
}

pub(super) fn run(args: &Args, out: &mut Out) -> anyhow::Result<Answer> {
    let Data { rules, samples, games, nodes } = Data::read(&args.files)?;
    if samples.is_empty() {
        bail!("there is no position in these files, so nothing to learn from");
    }
    let fitted = fit(&rules, &samples, &Weights::by_hand(&rules));
    let header = header(&rules, games, nodes, &fitted);
    let text = format!("{header}{}", fitted.weights);
    fs::write(&args.out, text).with_context(|| format!("cannot write {}", args.out.display()))?;
    out.write_all(header.replace("# ", "").as_bytes())?;
    Ok(Answer::Done)
}

/// What the files hold together.
struct Data {
    rules: Arc<RuleSet>,
    samples: Vec<Sample>,
    games: u32,
    nodes: u64,
}

impl Data {
    fn read(files: &[PathBuf]) -> anyhow::Result<Data> {
        let mut data: Option<Data> = None;
        for path in files {
            let name = path.display();
            let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
            let read = Samples::parse(&text).with_context(|| name.to_string())?;
            let data = data.get_or_insert_with(|| Data {
                rules: Arc::clone(&read.rules),
                samples: Vec::new(),
                games: 0,
                nodes: read.nodes,
            });
            if data.rules.canonical() != read.rules.canonical() {
                bail!("{name} is about {}, not about {}", read.rules.canonical(), data.rules.canonical());
            }
            // Games of different files are different games.
            let first = data.games;
            for sample in read.list {
                let game = sample.game.checked_add(first).with_context(|| too_many(path))?;
                data.samples.push(Sample { game, ..sample });
            }
            data.games = data.games.checked_add(read.games).with_context(|| too_many(path))?;
        }
        data.context("no file was given")
    }
}

fn too_many(path: &Path) -> String {
    format!("{}: more games than can be numbered", path.display())
}

/// Returns the remarks at the head of a file of weights.
fn header(rules: &RuleSet, games: u32, nodes: u64, fitted: &Fitted) -> String {
    let name = rules.canonical();
    let (learned, held_out) = fitted.samples;
    let quality = |q: Quality| format!("loss {:.4}, winner known {:.1} %", q.loss, 100.0 * q.accuracy);
    format!(
        "# Weights for {name}, in hundredths of a man: name, at the beginning of the game, at its end.\n\
         # damiera train selfplay --rules {name} --games {games} --nodes {nodes}; damiera train fit\n\
         # {learned} positions learned from, {held_out} of other games to check:\n\
         # before: {}\n# after: {}\n",
        quality(fitted.before),
        quality(fitted.after)
    )
}
