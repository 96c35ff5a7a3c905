//! `damiera train`: what makes the engine better and shows how good it is.

mod endure;
mod fit;
mod levels;
mod selfplay;
mod tactics;

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
    /// Find tactical problems in games of the engine against itself, and print them, a line each, as `solve` reads them
    Tactics(tactics::FindArgs),
    /// Let the engine solve the problems of files, and say how many it solves in which time
    Solve(tactics::SolveArgs),
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    match args.command {
        Command::Levels(args) => levels::run(args, out),
        Command::Endure(args) => endure::run(args, out),
        Command::Selfplay(args) => selfplay::run(&args, out),
        Command::Fit(args) => fit::run(&args, out),
        Command::Tactics(args) => tactics::find(&args, out),
        Command::Solve(args) => tactics::solve(args, out),
    }
}
