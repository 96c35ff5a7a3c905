//! What the tests of rules, explanations and games share: the data files and the known rule sets.
// Each test program uses its own part of this.
#![allow(dead_code)]

use std::sync::Arc;

use damiera_rules::{Game, RuleSet, fen, notation};
use serde::Deserialize;

/// A position with all its legal moves.
#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) rules: String,
    pub(crate) fen: String,
    pub(crate) moves: Vec<CaseMove>,
    #[serde(default)]
    pub(crate) exercises: String,
}

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CaseMove {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) captured: Vec<String>,
    pub(crate) promotes: bool,
}

pub(crate) fn data(path: &str) -> String {
    let path = format!("{}/../../tests/data/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

pub(crate) fn cases(path: &str) -> Vec<Case> {
    data(path)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{path}: {e}")))
        .collect()
}

#[track_caller]
pub(crate) fn known(name: &str) -> RuleSet {
    RuleSet::parse(name).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[track_caller]
pub(crate) fn game(rules: &str, position: &str) -> Game {
    let rules = Arc::new(known(rules));
    let start = if position == "start" {
        rules.initial()
    } else {
        fen::parse(&rules, position).unwrap_or_else(|e| panic!("{position}: {e}"))
    };
    Game::new(rules, start)
}

#[track_caller]
pub(crate) fn play(game: &mut Game, text: &str) {
    let m = notation::parse(game.rules(), game.position(), text)
        .unwrap_or_else(|e| panic!("{text} in {}: {e}", fen::format(game.rules(), game.position())));
    game.play(&m).unwrap_or_else(|e| panic!("{text}: {e}"));
}
