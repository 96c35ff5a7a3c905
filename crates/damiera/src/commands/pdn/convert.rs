//! `damiera pdn convert`: the games of files written anew.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::ValueEnum;
use damiera_pdn::{GameRead, GameTree, Grade, NodeId, Step, Style};
use damiera_rules::ruleset::words;
use damiera_rules::{Naming, fen, notation};
use serde::Serialize;

use super::FilesArg;
use crate::output::{Answer, Out, json_line};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: FilesArg,
    /// What to write
    #[arg(long, value_enum, default_value = "pdn")]
    to: Format,
    /// Only this game of each file, counted from 1
    #[arg(long, value_name = "N")]
    game: Option<u64>,
    /// The names of the squares: letters, numbers_from_top, numbers_from_bottom; without it those of each rule set
    #[arg(long, value_name = "NAMES", value_parser = read_names)]
    names: Option<Naming>,
    /// Write every capture with all its landings
    #[arg(long)]
    full: bool,
    /// The file to write to, which must not exist; without it standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// PDN 3.0
    Pdn,
    /// A JSON object a game: its tags and the nodes of its tree
    Json,
    /// A line a game: every hop of the game as it was played, from and to as two digits each, counted from White's top left, as lidraughts has it
    Lidraughts,
}

fn read_names(text: &str) -> Result<Naming, String> {
    words::parse_naming(text)
        .ok_or_else(|| "accepted: letters, numbers_from_top, numbers_from_bottom".to_owned())
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    if args.to != Format::Pdn && (args.names.is_some() || args.full) {
        bail!("--names and --full are for --to pdn");
    }
    // A file that is not there must not leave an empty one behind.
    args.files.exist()?;
    let mut file;
    let out: &mut dyn Write = match &args.out {
        None => out,
        Some(path) => {
            let name = || path.display().to_string();
            file = BufWriter::new(File::create_new(path).with_context(name)?);
            &mut file
        }
    };
    let mut faults = 0;
    let mut games = 0;
    for path in &args.files.files {
        let mut failed = None;
        args.files.read(path, &mut |game| {
            if args.game.is_some_and(|only| only != game.number) {
                return ControlFlow::Continue(());
            }
            games += 1;
            faults += game.findings.iter().filter(|f| f.grade() == Grade::Fault).count();
            match write(&args, out, &game) {
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
                Ok(()) if args.game.is_some() => ControlFlow::Break(()),
                Ok(()) => ControlFlow::Continue(()),
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
    }
    out.flush()?;
    if games == 0 && args.game.is_some() {
        bail!("--game: no file has so many games");
    }
    if faults > 0 {
        eprintln!(
            "damiera: {faults} faults; what could not be read is not in the games (damiera pdn check names it)"
        );
        return Ok(Answer::No);
    }
    Ok(Answer::Done)
}

fn write(args: &Args, out: &mut dyn Write, game: &GameRead<'_>) -> anyhow::Result<()> {
    match args.to {
        Format::Pdn => {
            let style = Style { names: args.names, full: args.full };
            write!(out, "{}", game.tree.pdn(style))?;
        }
        Format::Json => json_line(&mut &mut *out, &GameJson::of(game))?,
        Format::Lidraughts => {
            let hops = hops(game.tree).with_context(|| format!("game {}", game.number))?;
            writeln!(out, "{hops}")?;
        }
    }
    Ok(())
}

/// A game as JSON. The nodes are a flat list, each behind its parent, so that no reader has to go as deep as the variations are nested.
#[derive(Serialize)]
struct GameJson<'a> {
    game: u64,
    rules: &'a str,
    start: String,
    result: &'a str,
    first_number: u32,
    tags: Vec<[&'a str; 2]>,
    nodes: Vec<NodeJson<'a>>,
}

#[derive(Serialize)]
struct NodeJson<'a> {
    id: NodeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<NodeId>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    strength: &'a str,
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    nags: &'a [u32],
    #[serde(skip_serializing_if = "<[(String, String)]>::is_empty")]
    commands: &'a [(String, String)],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    comments: &'a [String],
}

impl<'a> GameJson<'a> {
    fn of(game: &GameRead<'a>) -> GameJson<'a> {
        let tree = game.tree;
        let rules = tree.rules();
        GameJson {
            game: game.number,
            rules: rules.canonical(),
            start: fen::format(rules, tree.start()),
            result: tree.verdict.text(rules),
            first_number: tree.first_number,
            tags: tree.tags.iter().map(|(name, value)| [name.as_str(), value.as_str()]).collect(),
            nodes: (0..tree.nodes().len() as NodeId).map(|id| NodeJson::of(tree, id)).collect(),
        }
    }
}

impl<'a> NodeJson<'a> {
    fn of(tree: &'a GameTree, id: NodeId) -> NodeJson<'a> {
        let (node, rules, remarks) = (tree.node(id), tree.rules(), tree.remarks(id));
        let before = node.parent().map(|parent| tree.node(parent).position());
        let text = match (node.step(), before) {
            (Step::Move(m), Some(before)) => Some(notation::format(rules, before, &rules.moves(before), &m)),
            _ => None,
        };
        NodeJson {
            id,
            parent: node.parent(),
            text,
            setup: (node.step() == Step::Setup).then(|| fen::format(rules, node.position())),
            strength: &remarks.strength,
            nags: &remarks.nags,
            commands: &remarks.commands,
            comments: &remarks.comments,
        }
    }
}

/// Returns every hop of a game as it was played: `3228 1924 …`. A capture of several pieces has several.
fn hops(tree: &GameTree) -> anyhow::Result<String> {
    let board = tree.rules().board();
    if *tree.start() != tree.rules().initial() {
        bail!("a game that begins with a position of its own has no line of hops");
    }
    let mut hops = Vec::new();
    for id in tree.main_line() {
        let node = tree.node(id);
        let Step::Move(m) = node.step() else {
            bail!("lidraughts has no set-up inside a game");
        };
        let before = node.parent().map_or(tree.start(), |parent| tree.node(parent).position());
        let squares = notation::path(tree.rules(), before, &m).squares();
        let name = |bit: u8| format!("{:02}", board.number_from_top(bit));
        hops.extend(squares.windows(2).map(|pair| name(pair[0]) + &name(pair[1])));
    }
    Ok(hops.join(" "))
}
