//! `damiera explain`: why a move is refused, in words, and what may be played instead.

use std::io::Write;

use anyhow::anyhow;
use damiera_rules::explain::{Reason, explain};
use damiera_rules::{fen, notation};
use damiera_table::json::MoveJson;
use damiera_words::t;
use serde::Serialize;

use crate::input::{FenArg, LangArg, RulesArg};
use crate::json::moves;
use crate::output::{Answer, Out, json_line};
use crate::say;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    fen: FenArg,
    /// The move: its squares, with - or x between them (24-20, c3:e5, 21x14x7)
    #[arg(value_name = "MOVE")]
    attempt: String,
    #[command(flatten)]
    lang: LangArg,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    rules: &'a str,
    fen: String,
    #[serde(rename = "move")]
    attempt: &'a str,
    legal: bool,
    reason: Option<&'static str>,
    text: String,
    n: Option<u32>,
    m: Option<u32>,
    square: Option<String>,
    better: Vec<MoveJson>,
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let rules = &*args.rules.rules;
    let lang = args.lang.lang();
    let position = args.fen.position(rules)?;
    let squares = notation::parse_squares(rules, &args.attempt)
        .map_err(|error| anyhow!("{:?}: {error}", args.attempt))?;
    let explanation = explain(rules, &position, &squares);
    let reason = explanation.reason;
    let legal = rules.moves(&position);
    let is_legal = reason == Reason::Legal;
    let report = Report {
        rules: rules.canonical(),
        fen: fen::format(rules, &position),
        attempt: &args.attempt,
        legal: is_legal,
        reason: (!is_legal).then_some(reason.code()),
        text: say::why(lang, rules, &reason),
        n: reason.n(),
        m: reason.m(),
        square: reason.square().map(|bit| rules.board().name(bit)),
        better: moves(rules, &position, &legal, &explanation.better),
    };
    if args.json {
        json_line(out, &report)?;
    } else {
        writeln!(out, "{}", report.text)?;
        if !is_legal && !report.better.is_empty() {
            let texts: Vec<&str> = report.better.iter().map(|m| m.text.as_str()).collect();
            writeln!(out, "{}", t(lang, "cli.better", &[("moves", &texts.join(", "))]))?;
        }
    }
    Ok(if is_legal { Answer::Done } else { Answer::No })
}
