//! The program `damiera`: draughts by exact rules, in the page, in the terminal and for scripts.

mod analysis;
mod commands;
mod cpu;
mod input;
mod json;
mod output;
mod say;
mod terminal;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use output::{Answer, Out};

/// Draughts by exact rules: italian, brazilian, spanish, international and sixteen more.
///
/// Without a command: serves the page on this computer and opens the browser.
#[derive(Parser)]
#[command(name = "damiera", version, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    serve: commands::serve::Args,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play in the terminal
    Play(commands::play::Args),
    /// List the rule sets, show one, check a rule file
    Rules(commands::rules::Args),
    /// List every legal move of a position
    Moves(commands::moves::Args),
    /// Say why a move is refused, and what may be played instead
    Explain(commands::explain::Args),
    /// Judge a game's moves: position, draw counters, result and the clause that ended it
    Replay(commands::replay::Args),
    /// Check, replay and convert files of games
    Pdn(commands::pdn::Args),
    /// Count move sequences
    Perft(commands::perft::Args),
    /// Let the engine look for the best moves of a position
    Analyze(commands::analyze::Args),
    /// Search fixed positions of every rule set: how fast the engine is, and whether it still does the same
    Bench(commands::bench::Args),
    /// Let two players meet in a match: levels, limits of the search, other engines
    Match(Box<commands::match_play::Args>),
    /// Measure the levels, check the engine, find and solve problems
    Train(commands::train::Args),
    /// The engine for programs that speak Hub, on standard input and output
    Hub(commands::hub::Args),
    /// Games with another program over DXP, the DamExchange protocol
    Dxp(commands::dxp::Args),
}

fn main() -> ExitCode {
    if !cpu::is_new_enough() {
        return ExitCode::from(1);
    }
    answer_command_line()
}

/// Does what the command line asks. It stays out of `main`, whose code must run on every processor.
#[inline(never)]
fn answer_command_line() -> ExitCode {
    let cli = Cli::parse();
    let mut out = output::open();
    let answer = run(cli, &mut out).and_then(|answer| {
        out.flush()?;
        Ok(answer)
    });
    match answer {
        Ok(Answer::Done) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // What was answered before the error still belongs on standard output; that it cannot be written changes nothing now.
            let _ = out.flush();
            complain(&format!("damiera: {error:#}\n"), 2)
        }
    }
}

fn run(cli: Cli, out: &mut Out) -> anyhow::Result<Answer> {
    match cli.command {
        Some(Command::Play(args)) => commands::play::run(args, out),
        Some(Command::Rules(args)) => commands::rules::run(args, out),
        Some(Command::Moves(args)) => commands::moves::run(args, out),
        Some(Command::Explain(args)) => commands::explain::run(args, out),
        Some(Command::Replay(args)) => commands::replay::run(args, out),
        Some(Command::Pdn(args)) => commands::pdn::run(args, out),
        Some(Command::Perft(args)) => commands::perft::run(args, out),
        Some(Command::Analyze(args)) => commands::analyze::run(args, out),
        Some(Command::Bench(args)) => commands::bench::run(args, out),
        Some(Command::Match(args)) => commands::match_play::run(*args, out),
        Some(Command::Train(args)) => commands::train::run(args, out),
        Some(Command::Hub(args)) => commands::hub::run(args, out),
        Some(Command::Dxp(args)) => commands::dxp::run(args, out),
        None => commands::serve::run(cli.serve, out),
    }
}

/// Writes to standard error, where nobody need be listening, and returns the exit status.
fn complain(text: &str, status: u8) -> ExitCode {
    let _ = std::io::stderr().write_all(text.as_bytes());
    ExitCode::from(status)
}
