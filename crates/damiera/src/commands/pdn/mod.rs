//! `damiera pdn`: games in files, checked, replayed, converted and counted.

mod annotate;
mod check;
mod convert;
mod replay;
mod search;
mod stats;

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::Subcommand;
use damiera_pdn::{GameRead, Options, Summary, read};
use damiera_rules::RuleSet;

use crate::input::read_rules;
use crate::output::{Answer, Out};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Let the engine go over games: mistakes with the better line, wins and draws overlooked
    Annotate(annotate::Args),
    /// Say what is wrong with files of games, and what was made of it
    Check(check::Args),
    /// Say how each game of the files ends by the rules
    Replay(replay::Args),
    /// Write the games of files anew: clean PDN, JSON lines, or hops of four digits
    Convert(convert::Args),
    /// Find games by names, dates, results, positions, patterns, material and moves
    Search(search::Args),
    /// Count results, players, openings and lengths
    Stats(stats::Args),
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    match args.command {
        Command::Annotate(args) => annotate::run(args, out),
        Command::Check(args) => check::run(args, out),
        Command::Replay(args) => replay::run(args, out),
        Command::Convert(args) => convert::run(args, out),
        Command::Search(args) => search::run(args, out),
        Command::Stats(args) => stats::run(args, out),
    }
}

/// The files to read, and the rules to read them by.
#[derive(clap::Args)]
struct FilesArg {
    /// The files: PDN, also packed as .gz or .bz2; - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read every game by these rules, whatever its tags say
    #[arg(long, value_name = "RULES", value_parser = read_rules)]
    rules: Option<Arc<RuleSet>>,
}

impl FilesArg {
    /// Complains about the first file that cannot be opened.
    fn exist(&self) -> anyhow::Result<()> {
        for path in self.files.iter().filter(|path| *path != Path::new("-")) {
            File::open(path).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }

    /// Reads the games of one file.
    fn read(
        &self,
        path: &Path,
        visitor: &mut dyn FnMut(GameRead<'_>) -> ControlFlow<()>,
    ) -> anyhow::Result<Summary> {
        let options = Options { rules: self.rules.clone() };
        let name = || path.display().to_string();
        if path == Path::new("-") {
            return read(std::io::stdin().lock(), &options, visitor).with_context(name);
        }
        let file = File::open(path).with_context(name)?;
        read(file, &options, visitor).with_context(name)
    }
}
