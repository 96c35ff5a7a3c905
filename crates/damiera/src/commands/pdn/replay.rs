//! `damiera pdn replay`: how the games of a file end by the rules, and whether their results say the same.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

use anyhow::bail;
use damiera_pdn::{GameRead, GameTree, Grade, Step};
use damiera_rules::{Game, fen};
use damiera_words::{Lang, t};
use serde::Serialize;

use super::FilesArg;
use crate::input::LangArg;
use crate::output::{Answer, Out, json_line};
use crate::say;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: FilesArg,
    /// Only this game of the file, counted from 1
    #[arg(long, value_name = "N")]
    game: Option<u64>,
    /// Show the position after every ply, and before the first
    #[arg(long)]
    every: bool,
    #[command(flatten)]
    lang: LangArg,
    /// Print a JSON object a game (with --every one a ply)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    game: u64,
    rules: &'a str,
    ply: usize,
    /// The move that led here.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    last: Option<String>,
    fen: String,
    /// How it stands by the rules.
    result: &'static str,
    clause: Option<String>,
    /// How it ended as the file says.
    written_result: &'a str,
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let lang = args.lang.lang();
    let (mut games, mut answer) = (0, Answer::Done);
    for path in &args.files.files {
        let name = path.display().to_string();
        let mut failed = None;
        args.files.read(path, &mut |game| {
            if args.game.is_some_and(|only| only != game.number) {
                return ControlFlow::Continue(());
            }
            games += 1;
            if game.findings.iter().any(|f| f.grade() == Grade::Fault) {
                answer = Answer::No;
            }
            if let Err(error) = tell(&args, out, lang, &name, &game) {
                failed = Some(error);
                return ControlFlow::Break(());
            }
            if args.game.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
    }
    if games == 0 && args.game.is_some() {
        bail!("--game: no file has so many games");
    }
    Ok(answer)
}

fn tell(args: &Args, out: &mut Out, lang: Lang, file: &str, read: &GameRead<'_>) -> anyhow::Result<()> {
    let tree = read.tree;
    let mut game = Game::new(Arc::clone(tree.rules()), *tree.start());
    if args.every {
        report(args, out, lang, file, read, &game)?;
    }
    for id in tree.main_line() {
        if !play(&mut game, tree, id) {
            break;
        }
        if args.every {
            report(args, out, lang, file, read, &game)?;
        }
    }
    if !args.every {
        report(args, out, lang, file, read, &game)?;
    }
    Ok(())
}

/// Plays the next step. A game that is over by the rules is not played on, though people may have; a set-up begins a new one.
fn play(game: &mut Game, tree: &GameTree, id: damiera_pdn::NodeId) -> bool {
    match tree.node(id).step() {
        Step::Move(m) => game.play(&m).is_ok(),
        Step::Begin => true,
        Step::Setup => {
            *game = Game::new(Arc::clone(tree.rules()), *tree.node(id).position());
            true
        }
    }
}

fn report(
    args: &Args,
    out: &mut Out,
    lang: Lang,
    file: &str,
    read: &GameRead<'_>,
    game: &Game,
) -> anyhow::Result<()> {
    let rules = read.tree.rules();
    let outcome = game.outcome();
    let last = game.moves().last().map(|m| damiera_rules::notation::short(rules, m));
    let position = fen::format(rules, game.position());
    if args.json {
        return json_line(
            out,
            &Report {
                file,
                game: read.number,
                rules: rules.canonical(),
                ply: game.ply(),
                last: last.filter(|_| args.every),
                fen: position,
                result: outcome.map_or("ongoing", |outcome| outcome.word()),
                clause: outcome.map(|outcome| outcome.clause(rules).to_owned()),
                written_result: read.tree.verdict.text(rules),
            },
        );
    }
    let said = match outcome {
        Some(outcome) => format!("{} {}", say::result(lang, &outcome), say::end(lang, rules, &outcome)),
        None => t(lang, "cli.result.ongoing", &[]),
    };
    let players = [read.tree.tag("White"), read.tree.tag("Black")].map(|name| name.unwrap_or("?"));
    let written = read.tree.verdict.text(rules);
    let ply = t(lang, "cli.replay.ply", &[("ply", &game.ply())]);
    writeln!(out, "{}. {} – {} {written}  {ply}: {position}  {said}", read.number, players[0], players[1])?;
    Ok(())
}
