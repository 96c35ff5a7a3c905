//! A move that is not written as it should be: what it can only mean, or what it might.

use damiera_rules::explain::{Reason, explain};
use damiera_rules::notation::{self, MoveError};
use damiera_rules::walk::paths;
use damiera_rules::{Move, Position, RuleSet};

use crate::fault::Code;
use crate::guess::{NO_SQUARE, View};
use crate::movetext::{Ends, Reading, Written, read};
use crate::raw::{Kind, Token};
use crate::write::capture_mark;

/// What a move text means in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// One move, and what had to be mended.
    Move(Move, Option<Code>),
    /// Several moves, in full.
    Several(Vec<String>),
    /// None that is legal.
    Illegal(Reason),
    /// No move at all.
    Unreadable,
}

/// The results that may hang on a move.
pub(crate) const RESULTS: [&str; 7] = ["1/2-1/2", "1-0", "0-1", "2-0", "0-2", "1-1", "0-0"];

/// How many ways of one capture are compared with the squares of a text.
const PATHS: usize = 512;

/// Finds out what a text means.
pub(crate) fn meaning(rules: &RuleSet, view: &View, position: &Position, text: &str) -> Meaning {
    let found = meaning_of(rules, view, position, text);
    if !matches!(found, Meaning::Illegal(_) | Meaning::Unreadable) {
        return found;
    }
    // A result may hang on the last move: "22x131-0".
    for result in RESULTS {
        if let Some(rest) = text.strip_suffix(result)
            && let Meaning::Move(m, None) = meaning_of(rules, view, position, rest)
        {
            return Meaning::Move(m, Some(Code::ResultGlued));
        }
    }
    found
}

fn meaning_of(rules: &RuleSet, view: &View, position: &Position, text: &str) -> Meaning {
    let mut several = Vec::new();
    let mut reason = None;
    for reading in read(text) {
        match reading_of(rules, view, position, &reading) {
            Meaning::Move(m, code) => several.push((m, code)),
            Meaning::Several(texts) => return Meaning::Several(texts),
            Meaning::Illegal(why) => reason = reason.or(Some(why)),
            Meaning::Unreadable => {}
        }
    }
    several.dedup_by_key(|(m, _)| *m);
    match (several.as_slice(), reason) {
        ([(m, code)], _) => Meaning::Move(*m, *code),
        ([], Some(why)) => Meaning::Illegal(why),
        ([], None) => Meaning::Unreadable,
        (moves, _) => {
            Meaning::Several(moves.iter().map(|(m, _)| notation::full(rules, position, m)).collect())
        }
    }
}

fn reading_of(rules: &RuleSet, view: &View, position: &Position, reading: &Reading) -> Meaning {
    match reading {
        Reading::Short { column, to } => short(rules, view, position, *column, *to),
        Reading::Squares { squares, takes } => {
            let bits: Vec<u8> = squares.iter().map(|s| view.square(*s)).collect();
            if bits.contains(&NO_SQUARE) {
                return Meaning::Unreadable;
            }
            squares_of(rules, position, &bits, *takes)
        }
    }
}

/// `cb4`: from column c to b4. Who writes so leaves out the sign too.
fn short(rules: &RuleSet, view: &View, position: &Position, column: u8, to: Written) -> Meaning {
    let from_column = |m: &Move| {
        let mut squares = (0..rules.shape().size()).filter_map(|row| Written::at(column, row));
        squares.any(|square| view.square(square) == m.from)
    };
    let end = view.square(to);
    let fitting: Vec<Move> =
        rules.moves(position).into_iter().filter(|m| m.to == end && from_column(m)).collect();
    match fitting.as_slice() {
        [] if end == NO_SQUARE => Meaning::Unreadable,
        [] => Meaning::Illegal(Reason::NotOnALine),
        [m] => Meaning::Move(*m, None),
        several => Meaning::Several(several.iter().map(|m| notation::full(rules, position, m)).collect()),
    }
}

fn squares_of(rules: &RuleSet, position: &Position, bits: &[u8], takes: Option<bool>) -> Meaning {
    match notation::find(rules, position, bits) {
        Ok(m) if bits.len() == 2 => Meaning::Move(m, has_wrong_sign(rules, &m, takes).then_some(Code::Sign)),
        Ok(m) => Meaning::Move(m, (!is_a_path(rules, position, &m, bits)).then_some(Code::Path)),
        Err(MoveError::Ambiguous { readings }) => {
            // Where captures are optional, the sign tells the quiet move from the capture with the same ends.
            let mut fitting = readings.iter().filter(|(m, _)| takes == Some(m.is_capture()));
            match (fitting.next(), fitting.next()) {
                (Some((m, _)), None) => Meaning::Move(*m, None),
                _ => Meaning::Several(readings.into_iter().map(|(_, text)| text).collect()),
            }
        }
        Err(_) => by_ends(rules, position, bits),
    }
}

/// Returns whether the sign says that a capture is none, or that a quiet move is one. Thai games write a stroke for both.
fn has_wrong_sign(rules: &RuleSet, m: &Move, takes: Option<bool>) -> bool {
    takes.is_some_and(|takes| takes != m.is_capture() && (takes || capture_mark(rules) != '-'))
}

/// Returns the capture that is written in jumps, each as a move of its own: the first at `tokens[0]`; and how many tokens it takes.
pub(crate) fn hops(
    rules: &RuleSet,
    view: &View,
    position: &Position,
    tokens: &[Token],
) -> Option<(Move, usize)> {
    let first = jump(&tokens[0])?;
    let mut squares = vec![view.square(first.from), view.square(first.to)];
    for (i, token) in tokens.iter().enumerate().skip(1) {
        if matches!(token.kind, Kind::Number { .. }) {
            continue;
        }
        let next = jump(token).filter(|next| squares.last() == Some(&view.square(next.from)))?;
        squares.push(view.square(next.to));
        if squares.contains(&NO_SQUARE) || squares.len() > HOPS {
            return None;
        }
        if let Ok(m) = notation::find(rules, position, &squares)
            && is_a_path(rules, position, &m, &squares)
        {
            return Some((m, i + 1));
        }
    }
    None
}

/// More landings than any capture has that people write jump by jump.
const HOPS: usize = 24;

fn jump(token: &Token) -> Option<Ends> {
    match token.kind {
        Kind::Move(ends) if ends.takes => Some(ends),
        _ => None,
    }
}

/// Returns whether these squares are all the landings of a way to make the move.
/// Some captures have no way of their own to be told from others; what the writer writes for those is right too.
fn is_a_path(rules: &RuleSet, position: &Position, m: &Move, bits: &[u8]) -> bool {
    let ways = paths(rules.shape(), rules.movement(), position, m, PATHS);
    ways.iter().any(|path| path.squares() == bits)
        || notation::parse_squares(rules, &notation::format(rules, position, &rules.moves(position), m))
            .is_ok_and(|squares| squares == bits)
}

/// The squares are no way of any move. The ends may fit one capture, or the text may end in the middle of one.
fn by_ends(rules: &RuleSet, position: &Position, bits: &[u8]) -> Meaning {
    let (from, to) = (bits[0], bits[bits.len() - 1]);
    let captures: Vec<Move> = rules.captures(position).into_iter().filter(|m| m.from == from).collect();
    let whole: Vec<&Move> = captures.iter().filter(|m| m.to == to).collect();
    let several = |moves: &[&Move]| moves.iter().map(|m| notation::full(rules, position, m)).collect();
    match whole.as_slice() {
        [m] if bits.len() > 2 => return Meaning::Move(**m, Some(Code::Path)),
        [_, _, ..] if bits.len() > 2 => return Meaning::Several(several(&whole)),
        _ => {}
    }
    let begun: Vec<&Move> = captures.iter().filter(|m| begins_with(rules, position, m, bits)).collect();
    match begun.as_slice() {
        [m] => Meaning::Move(**m, Some(Code::Unfinished)),
        [_, _, ..] => Meaning::Several(several(&begun)),
        [] => Meaning::Illegal(explain(rules, position, bits).reason),
    }
}

/// Returns whether a way to make the capture touches these squares, in this order, before its end.
fn begins_with(rules: &RuleSet, position: &Position, m: &Move, bits: &[u8]) -> bool {
    let ways = paths(rules.shape(), rules.movement(), position, m, PATHS);
    ways.iter().any(|path| {
        let touched = path.squares();
        let mut rest = touched.iter();
        bits.iter().all(|bit| rest.any(|t| t == bit)) && rest.next().is_some()
    })
}
