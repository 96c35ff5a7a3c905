//! Openings of tournaments, drawn by lot or chosen: they are played before the players take over.

use std::sync::Arc;

use damiera_engine::{Ballot, Ballots, Random};
use damiera_rules::{Position, RuleSet};

use crate::log::Opening;
use crate::message::Played;
use crate::reply::{Code, Refusal};

/// Finds the opening that is meant: a list to draw from, or a ballot of it. Returns the position before its moves, and the opening.
pub(crate) fn open(rules: &RuleSet, wanted: &str, seed: u64) -> Result<(Position, Opening), Refusal> {
    let refused = |known: String| {
        Refusal::new(Code::BadMessage, format!("\"{}\" is no opening: {known}", wanted.escape_debug()))
    };
    let (name, number) = match wanted.split_once(':') {
        Some((name, number)) => (name, Some(number)),
        None => (wanted, None),
    };
    let list = Ballots::named(rules, name).ok_or_else(|| refused(known_lists(rules)))?;
    let no_such_ballot = || refused(format!("{name} has the numbers 1 to {}", list.list.len()));
    let ballot = match number {
        Some(number) => number.parse().ok().and_then(|number| list.number(number)),
        None => list.draw(&mut Random::new(seed)),
    };
    let ballot = ballot.ok_or_else(no_such_ballot)?;
    let (start, moves) = played(rules, ballot).ok_or_else(no_such_ballot)?;
    Ok((start, Opening { list: name.to_string(), number: ballot.number, moves }))
}

fn known_lists(rules: &RuleSet) -> String {
    let lists = lists(rules);
    if lists.is_empty() { "these rules have none".into() } else { format!("there are {}", lists.join(", ")) }
}

/// Returns the position before a ballot's moves, and the moves.
fn played(rules: &RuleSet, ballot: &Ballot) -> Option<(Position, Vec<Played>)> {
    let game = ballot.game(&Arc::new(rules.clone()))?;
    let start = *game.positions().first()?;
    Some((start, game.moves().iter().map(|m| Played::of(rules, m)).collect()))
}

/// The name of the list that is drawn from where nobody asks for another, if the rules have it.
const USUAL: &str = "3-move";

/// Returns the names of the lists of openings that a rule set has, the usual one first.
pub fn lists(rules: &RuleSet) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Ballots::of(rules).iter().map(|list| list.name).collect();
    names.sort_by_key(|name| *name != USUAL);
    names
}
