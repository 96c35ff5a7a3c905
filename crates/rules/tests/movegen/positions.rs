//! Positions with their complete lists of moves: hand-checked cases and random positions from an independent generator.

use std::collections::BTreeSet;

use crate::common::data;
use crate::common::{Game, Job, narrow};
use damiera_rules::movegen::{captures, count, has_capture, moves};
use damiera_rules::movement::Obligation;
use damiera_rules::{Bits, Geometry, Position, RuleSource};
use serde_json::Value;

/// A move as data files tell it: from, to, captured squares, whether it crowns.
type Told = (u8, u8, u128, bool);

/// Lists the moves of a position, and checks that the other questions about it get fitting answers.
struct List<'a>(&'a Position);

impl Job for List<'_> {
    type Output = BTreeSet<Told>;
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> BTreeSet<Told> {
        let p = narrow::<G>(self.0);
        let mut list = vec![];
        moves::<G, R>(rules, &p, &mut list);
        assert_eq!(count::<G, R>(rules, &p), list.len() as u64, "the count is the length of the list");
        let told = |m: &damiera_rules::Move<G::Set>| (m.from, m.to, m.captured.widen(), m.promotes);
        let all: BTreeSet<Told> = list.iter().map(told).collect();
        assert_eq!(all.len(), list.len(), "no move is listed twice");
        captures::<G, R>(rules, &p, &mut list);
        assert_eq!(list.iter().map(told).collect::<Vec<_>>().len(), all.iter().filter(|m| m.2 != 0).count());
        assert_eq!(has_capture::<G, R>(rules, &p), !list.is_empty());
        all
    }
}

fn told(game: &Game, value: &Value) -> Told {
    let square = |v: &Value| game.square(v.as_str().expect("a square"));
    let captured = value["captured"].as_array().expect("a list").iter().map(|v| 1u128 << square(v)).sum();
    (
        square(&value["from"]),
        square(&value["to"]),
        captured,
        value["promotes"].as_bool().expect("a truth value"),
    )
}

fn check_file(name: &str) {
    for (number, line) in (1..).zip(data(name).lines()) {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let game = Game::find(case["rules"].as_str().expect("a key"));
        let position = game.position(case["fen"].as_str().expect("a FEN"));
        let moves = case["moves"].as_array().expect("a list").iter();
        let expected: BTreeSet<Told> = moves.map(|m| told(game, m)).collect();
        let at = format!("{name}:{number} {line}");
        if case["capture_optional"] == true {
            let mut optional = *game;
            optional.movement.capture = Obligation::Optional;
            assert_eq!(optional.run_as_data(List(&position)), expected, "{at}");
            continue;
        }
        assert_eq!(game.run_static(List(&position)), expected, "static, {at}");
        assert_eq!(game.run_as_data(List(&position)), expected, "as data, {at}");
    }
}

#[test]
fn hand_checked_cases() {
    check_file("rules/cases.jsonl");
}

#[test]
fn random_positions() {
    check_file("rules/random.jsonl");
}
