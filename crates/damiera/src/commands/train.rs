//! `damiera train`: what makes the engine better and shows how good it is.

mod endure;
mod fit;
mod levels;
mod selfplay;

use crate::output::{Answer, Out};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Measure how much stronger each level is than the one below it
    Levels(levels::Args),
    /// Let the engine play against itself with hardly any time, and check everything that it says
    Endure(endure::Args),
    /// Let the engine play against itself, and write down the quiet positions with the results
    Selfplay(selfplay::Args),
    /// Fit the weights of the evaluation to such positions
    Fit(fit::Args),
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    match args.command {
        Command::Levels(args) => levels::run(args, out),
        Command::Endure(args) => endure::run(args, out),
        Command::Selfplay(args) => selfplay::run(&args, out),
        Command::Fit(args) => fit::run(&args, out),
    }
}
