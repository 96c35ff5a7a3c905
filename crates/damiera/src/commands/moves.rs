//! `damiera moves`: every legal move of one position, or of one a line on standard input.

use std::io::{self, BufReader, Write};

use damiera_rules::{Position, RuleSet, fen};
use damiera_table::json::MoveJson;
use serde::Serialize;
use serde_json::json;

use crate::input::{FenArg, Line, RulesArg, next_line};
use crate::json::moves;
use crate::output::{Answer, Out, json_line};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    fen: FenArg,
    /// Read positions from standard input, one FEN a line; an answer a line
    #[arg(long, conflicts_with = "fen")]
    stdin: bool,
    /// Print a JSON object (with --stdin one a line; a line that cannot be read gives {"error":…})
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    rules: &'a str,
    fen: String,
    moves: Vec<MoveJson>,
}

impl<'a> Report<'a> {
    fn new(rules: &'a RuleSet, position: &Position) -> Report<'a> {
        let legal = rules.moves(position);
        Report {
            rules: rules.canonical(),
            fen: fen::format(rules, position),
            moves: moves(rules, position, &legal, &legal),
        }
    }
    fn texts(&self) -> String {
        let texts: Vec<&str> = self.moves.iter().map(|m| m.text.as_str()).collect();
        texts.join(" ")
    }
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let rules = &*args.rules.rules;
    if args.stdin {
        return answer_lines(rules, args.json, out);
    }
    let report = Report::new(rules, &args.fen.position(rules)?);
    if args.json {
        json_line(out, &report)?;
    } else {
        print(&report, out)?;
    }
    Ok(Answer::Done)
}

fn print(report: &Report<'_>, out: &mut Out) -> anyhow::Result<()> {
    for m in &report.moves {
        let sign = if m.captured.is_empty() { "-" } else { "x" };
        let crowned = if m.promotes { "  crowned" } else { "" };
        let taken =
            if m.captured.is_empty() { String::new() } else { format!("  takes {}", m.captured.join(",")) };
        writeln!(out, "{:<10} {}{taken}{crowned}", m.text, m.path.join(sign))?;
    }
    Ok(())
}

/// Answers line by line; the answer is a no when some line could not be read.
fn answer_lines(rules: &RuleSet, json: bool, out: &mut Out) -> anyhow::Result<Answer> {
    let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut answer = Answer::Done;
    let mut number = 0_u64;
    while let Some(line) = next_line(&mut input)? {
        number += 1;
        let position = match &line {
            Line::Text(text) => fen::parse(rules, text).map_err(|error| error.to_string()),
            Line::TooLong => Err("FEN: the line is too long".to_owned()),
        };
        match position {
            Ok(position) => {
                let report = Report::new(rules, &position);
                if json {
                    json_line(out, &report)?;
                } else {
                    writeln!(out, "{}  {}", report.fen, report.texts())?;
                }
            }
            Err(error) => {
                answer = Answer::No;
                if json {
                    json_line(out, &json!({"error": error, "line": number}))?;
                } else {
                    writeln!(out, "line {number}: {error}")?;
                }
            }
        }
        // Somebody who waits for the answer before sending the next line gets it.
        if input.buffer().is_empty() {
            out.flush()?;
        }
    }
    Ok(answer)
}
