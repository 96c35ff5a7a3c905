//! `damiera replay`: an arbiter's tool. It plays a game's moves and says what has been counted, who has won or why it is drawn, and at which ply.

use std::io::{self, IsTerminal, Read, Write};
use std::sync::Arc;

use anyhow::{anyhow, bail};
use damiera_rules::explain::explain;
use damiera_rules::notation::{self, MoveError};
use damiera_rules::{Game, Move, RuleSet, fen};
use damiera_table::json::{CounterJson, MoveJson, claimable, counters_json};
use damiera_words::{Lang, t};
use serde::Serialize;

use crate::input::{FenArg, LangArg, RulesArg, without_number};
use crate::json::moves;
use crate::output::{Answer, Out, json_line};
use crate::say;

/// The longest game that is read from standard input, in bytes.
const MAX_INPUT: u64 = 16 * 1024 * 1024;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    fen: FenArg,
    /// Judge the position after every ply, and before the first
    #[arg(long)]
    every: bool,
    /// Treat a draw that can be claimed as claimed, as soon as it can be
    #[arg(long)]
    claim: bool,
    /// The moves; without any they are read from standard input. Move numbers such as 1. are skipped
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    #[command(flatten)]
    lang: LangArg,
    /// Print a JSON object (with --every one a ply)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    rules: &'a str,
    start: &'a str,
    fen: String,
    ply: usize,
    /// The move that led here.
    #[serde(rename = "move")]
    last: Option<String>,
    result: &'static str,
    clause: Option<&'a str>,
    claimable: Vec<String>,
    counters: Vec<CounterJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Fault>,
}

/// The move at which the game stopped being one.
#[derive(Serialize)]
struct Fault {
    ply: usize,
    #[serde(rename = "move")]
    attempt: String,
    reason: &'static str,
    /// The reason in words.
    text: String,
    n: Option<u32>,
    m: Option<u32>,
    square: Option<String>,
    better: Vec<MoveJson>,
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let rules = Arc::clone(&args.rules.rules);
    let position = args.fen.position(&rules)?;
    let tokens = if args.moves.is_empty() { moves_from_stdin()? } else { args.moves.join(" ") };
    let mut replay = Replay {
        start: fen::format(&rules, &position),
        game: Game::new(rules, position),
        lang: args.lang.lang(),
        json: args.json,
        out,
    };
    if args.every {
        replay.report(None)?;
    }
    for token in tokens.split_whitespace() {
        let text = without_number(token);
        if text.is_empty() {
            continue;
        }
        if let Some(fault) = replay.play(text)? {
            replay.report(Some(fault))?;
            return Ok(Answer::No);
        }
        if args.claim {
            replay.claim();
        }
        if args.every {
            replay.report(None)?;
        }
    }
    if !args.every {
        replay.report(None)?;
    }
    Ok(Answer::Done)
}

fn moves_from_stdin() -> anyhow::Result<String> {
    if io::stdin().is_terminal() {
        return Ok(String::new());
    }
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_INPUT {
        bail!("standard input: a game has at most {MAX_INPUT} bytes");
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

struct Replay<'a> {
    start: String,
    game: Game,
    lang: Lang,
    json: bool,
    out: &'a mut Out,
}

impl Replay<'_> {
    /// Plays a move. A text that cannot be read is an error; one that can be read and not played gives a fault.
    fn play(&mut self, text: &str) -> anyhow::Result<Option<Fault>> {
        let rules = Arc::clone(self.game.rules());
        let ply = self.game.ply() + 1;
        let squares = match notation::parse_squares(&rules, text) {
            Ok(squares) => squares,
            Err(error) => {
                let shown: String = text.chars().take(60).collect();
                return Err(anyhow!("ply {ply}, {shown:?}: {error}"));
            }
        };
        if let Some(outcome) = self.game.outcome() {
            let (result, end) = (say::result(self.lang, &outcome), say::end(self.lang, &rules, &outcome));
            let last = self.game.ply();
            let params: [(&str, &dyn std::fmt::Display); 3] =
                [("ply", &last), ("result", &result), ("end", &end)];
            return Ok(Some(Fault {
                ply,
                attempt: text.to_owned(),
                reason: "game-over",
                n: None,
                m: None,
                square: None,
                better: Vec::new(),
                text: t(self.lang, "cli.replay.over", &params),
            }));
        }
        match notation::parse(&rules, self.game.position(), text) {
            Ok(m) => {
                // The move was just found among the legal ones, and the game is not over.
                self.game.play(&m).map_err(|error| anyhow!("ply {ply}, {text:?}: {error}"))?;
                Ok(None)
            }
            Err(MoveError::Unreadable { .. } | MoveError::Illegal { .. } | MoveError::Ambiguous { .. }) => {
                Ok(Some(self.refused(&rules, ply, text, &squares)))
            }
        }
    }

    fn refused(&self, rules: &RuleSet, ply: usize, text: &str, squares: &[u8]) -> Fault {
        let position = self.game.position();
        let explanation = explain(rules, position, squares);
        let legal = rules.moves(position);
        let reason = explanation.reason;
        Fault {
            ply,
            attempt: text.to_owned(),
            reason: reason.code(),
            n: reason.n(),
            m: reason.m(),
            square: reason.square().map(|bit| rules.board().name(bit)),
            better: moves(rules, position, &legal, &explanation.better),
            text: say::why(self.lang, rules, &reason),
        }
    }

    /// Makes the first claim that the player to move has.
    fn claim(&mut self) {
        if let Some(clause) = claimable(&self.game).first() {
            self.game.claim(clause);
        }
    }

    fn report(&mut self, error: Option<Fault>) -> anyhow::Result<()> {
        if self.json {
            let rules = self.game.rules();
            let outcome = self.game.outcome();
            let report = Report {
                rules: rules.canonical(),
                start: &self.start,
                fen: fen::format(rules, self.game.position()),
                ply: self.game.ply(),
                last: self.last_text(),
                result: outcome.map_or("ongoing", |outcome| outcome.word()),
                clause: outcome.as_ref().map(|outcome| outcome.clause(rules)),
                claimable: claimable(&self.game),
                counters: counters_json(&self.game),
                error,
            };
            return json_line(self.out, &report);
        }
        self.print(error)
    }

    /// Returns the last move as it would be written.
    fn last_text(&self) -> Option<String> {
        let (m, before): (&Move, _) = (self.game.moves().last()?, self.game.positions().iter().rev().nth(1)?);
        let rules = self.game.rules();
        Some(notation::format(rules, before, &rules.moves(before), m))
    }

    fn print(&mut self, error: Option<Fault>) -> anyhow::Result<()> {
        let (lang, game) = (self.lang, &self.game);
        let rules = game.rules();
        let ply = game.ply();
        let last = self.last_text().unwrap_or_default();
        writeln!(self.out, "{} {last}", t(lang, "cli.replay.ply", &[("ply", &ply)]))?;
        writeln!(self.out, "{}", fen::format(rules, game.position()))?;
        for state in game.counter_states() {
            writeln!(self.out, "  {}", say::counter(lang, &state))?;
        }
        for id in claimable(game) {
            writeln!(
                self.out,
                "  {}",
                t(lang, "cli.replay.claimable", &[("clause", &say::clause(lang, &id))])
            )?;
        }
        match game.outcome() {
            Some(outcome) => {
                writeln!(self.out, "{} {}", say::result(lang, &outcome), say::end(lang, rules, &outcome))?;
            }
            None => writeln!(self.out, "{}", t(lang, "cli.result.ongoing", &[]))?,
        }
        if let Some(fault) = error {
            let params: [(&str, &dyn std::fmt::Display); 3] =
                [("ply", &fault.ply), ("move", &fault.attempt), ("why", &fault.text)];
            writeln!(self.out, "{}", t(lang, "cli.replay.refused", &params))?;
            if !fault.better.is_empty() {
                let texts: Vec<&str> = fault.better.iter().map(|m| m.text.as_str()).collect();
                writeln!(self.out, "{}", t(lang, "cli.better", &[("moves", &texts.join(", "))]))?;
            }
        }
        Ok(())
    }
}
