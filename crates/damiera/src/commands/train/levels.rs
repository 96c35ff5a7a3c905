//! `damiera train levels`: each level against the one below it, in every rule set.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use damiera_rules::RuleSet;
use damiera_training::levels::{Rating, Ratings};
use damiera_training::match_play::Standing;

use crate::commands::match_play::Progress;
use crate::input::{all_rules, games_at_once, read_rules};
use crate::output::{Answer, Out};

/// The section of the page of measurements that `--table` writes.
const SECTION: &str = "## Levels";

#[derive(clap::Args)]
pub(super) struct Args {
    /// A rule set, as often as wanted; without it all of them
    #[arg(long, value_name = "RULES", value_parser = read_rules)]
    rules: Vec<Arc<RuleSet>>,
    /// How many games a match has; without it 200 in the seven main rule sets and 60 in the others
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,
    /// How many games are played at once; without it as many as the computer can
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,
    /// The JSON file with the results; matches that it has are not played again
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// A Markdown file whose section "Levels" is written anew with what was measured
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Say nothing on the way
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let path = &args.out;
    let read = Ratings::read(path, env!("CARGO_PKG_VERSION"));
    let mut ratings = read.map_err(|error| anyhow!("{}: {error}", path.display()))?;
    // What cannot be written is better known before hours of games than after them.
    ratings.write(path).with_context(|| path.display().to_string())?;
    if let Some(page) = &args.table {
        fs::read_to_string(page).with_context(|| page.display().to_string())?;
    }
    let wanted = if args.rules.is_empty() { all_rules() } else { args.rules };
    let threads = games_at_once(args.threads);
    for rules in wanted {
        let games = args.games.unwrap_or_else(|| Rating::usual_games(&rules));
        let rating = Rating::new(rules, games, threads);
        for players in rating.missing(&ratings) {
            let progress = Progress::new(&rating.plan(&players)?, &Standing::default(), args.quiet);
            rating.play(&players, &mut ratings, &mut |_, standing| {
                progress.show(standing);
                Ok(())
            })?;
            progress.clear();
            ratings.write(path).with_context(|| path.display().to_string())?;
            let key = rating.rules.canonical();
            let step = ratings.rules.get(key).and_then(|set| {
                set.steps
                    .iter()
                    .chain(&set.naive)
                    .find(|step| [&step.level, &step.against] == [&players[0], &players[1]])
            });
            if let Some(step) = step {
                writeln!(
                    out,
                    "{key}: {} v {}: +{} ={} -{}",
                    step.level, step.against, step.wins, step.draws, step.losses
                )?;
                out.flush()?;
            }
        }
    }
    if let Some(page) = &args.table {
        write_section(page, &section(&ratings)).with_context(|| page.display().to_string())?;
    }
    Ok(Answer::Done)
}

fn section(ratings: &Ratings) -> String {
    let levels: Vec<String> =
        ratings.levels.iter().map(|level| format!("{} and {}", level.nodes, level.depth)).collect();
    format!(
        "{SECTION}\n\n`damiera train levels --out web/levels.json --table docs/measurements.md`, {}, version {}.\n\
         Elo of each level against the one below it with its error (95 %, from pairs of games), or the share of the points where one of them won everything;\n\
         balanced openings from seed 1, both sides. Levels are bounded by nodes and plies ({} for 1 to {}), so the load of the machine changes nothing. *Naive* is somebody who\n\
         captures when obliged and otherwise advances a man.\n\n{}",
        ratings.date,
        ratings.version,
        levels.join(", "),
        ratings.levels.len(),
        ratings.table()
    )
}

/// Puts a section in the place of the one with the same heading, or at the end.
fn write_section(page: &Path, section: &str) -> std::io::Result<()> {
    let text = fs::read_to_string(page)?;
    let (before, after) = match text.split_once(SECTION) {
        Some((before, old)) => (before, old.find("\n## ").map_or("", |next| &old[next..])),
        None => (text.as_str(), ""),
    };
    fs::write(page, format!("{}\n\n{section}{after}", before.trim_end()))
}
