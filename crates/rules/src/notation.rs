//! Moves as text: short where that is unambiguous, otherwise with every turn. The ends followed by all captured pieces are read as well.
//!
//! Read: squares in the rule set's own naming, or numbers counted from White's top left on a board with letters, separated by `-`, `x`, `×`, `:` or
//! spaces; letters need no separator (`c3e5`). The sign is not judged, for whether the move captures follows from the position; only where
//! a quiet move and a capture have the same ends, `-` means the quiet one.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::bits::Bits;
use crate::board::Naming;
use crate::movement::Criterion;
use crate::position::{Move, Position};
use crate::ruleset::RuleSet;
use crate::walk::{Path, paths};

/// How many paths of one move are looked at when a text names squares between from and to.
const PATHS: usize = 512;

/// The longest move text that is read, in bytes.
const MAX_LEN: usize = 256;

/// Why a text is no legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveError {
    /// The text cannot be read.
    Unreadable {
        /// The column, in characters from 1.
        column: usize,
        /// What is wrong and what is accepted.
        message: String,
    },
    /// It is read, but no legal move goes this way: [`crate::explain`] says why.
    Illegal {
        /// The squares that it names.
        squares: Vec<u8>,
    },
    /// Several legal moves fit; each captures other pieces.
    Ambiguous {
        /// They, with their full texts.
        readings: Vec<(Move, String)>,
    },
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Unreadable { column, message } => write!(f, "column {column}: {message}"),
            MoveError::Illegal { .. } => f.write_str("no legal move goes this way"),
            MoveError::Ambiguous { readings } => {
                f.write_str("several moves fit:")?;
                readings.iter().try_for_each(|(_, text)| write!(f, " {text}"))
            }
        }
    }
}

impl core::error::Error for MoveError {}

/// Reads the squares that a text names, two or more.
pub fn parse_squares(rules: &RuleSet, text: &str) -> Result<Vec<u8>, MoveError> {
    let unreadable = |column: usize, message: String| MoveError::Unreadable { column, message };
    if text.len() > MAX_LEN {
        return Err(unreadable(MAX_LEN + 1, format!("a move has at most {MAX_LEN} bytes")));
    }
    let board = rules.board();
    let chars: Vec<char> = text.chars().collect();
    let mut squares = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        let is_column = board.naming == Naming::Letters
            && c.is_ascii_alphabetic()
            && chars.get(at + 1).is_some_and(char::is_ascii_digit)
            && c.to_ascii_lowercase() <= 'l';
        if !is_column && !c.is_ascii_digit() {
            if matches!(c, '-' | 'x' | 'X' | '×' | ':' | '–') || c.is_whitespace() {
                at += 1;
                continue;
            }
            return Err(unreadable(
                at + 1,
                format!(
                    "\"{}\" does not belong in a move; write squares and signs such as {}",
                    c.escape_debug(),
                    example(rules)
                ),
            ));
        }
        let start = at;
        at += 1;
        while chars.get(at).is_some_and(char::is_ascii_digit) {
            at += 1;
        }
        let name: String = chars[start..at].iter().collect();
        let bit = board.square(&name).ok_or_else(|| {
            unreadable(
                start + 1,
                format!("\"{name}\" is no square of this board; write for example {}", example(rules)),
            )
        })?;
        squares.push(bit);
    }
    if squares.len() < 2 {
        return Err(unreadable(
            chars.len() + 1,
            format!("a move names at least two squares, for example {}", example(rules)),
        ));
    }
    Ok(squares)
}

fn example(rules: &RuleSet) -> String {
    let start = rules.initial();
    rules.moves(&start).first().map_or_else(String::new, |m| short(rules, m))
}

/// Reads a move in a position.
pub fn parse(rules: &RuleSet, position: &Position, text: &str) -> Result<Move, MoveError> {
    match find(rules, position, &parse_squares(rules, text)?) {
        // With captures optional, a king may step to a square to which it may also capture its way. There the sign does matter.
        Err(MoveError::Ambiguous { readings }) if text.contains(['-', '–']) => {
            let quiet = readings.iter().map(|(m, _)| *m).find(|m| !m.is_capture());
            quiet.ok_or(MoveError::Ambiguous { readings })
        }
        found => found,
    }
}

/// Finds the legal move that goes by these squares: the first and the last are its ends, those between lie on its path in this order.
pub fn find(rules: &RuleSet, position: &Position, squares: &[u8]) -> Result<Move, MoveError> {
    let legal = rules.moves(position);
    let illegal = || MoveError::Illegal { squares: squares.to_vec() };
    let (Some(&from), Some(&to)) = (squares.first(), squares.last()) else { return Err(illegal()) };
    let mut fitting: Vec<Move> = legal.iter().filter(|m| m.from == from && m.to == to).copied().collect();
    if squares.len() > 2 {
        let on_the_way: Vec<(Move, bool)> =
            fitting.iter().filter_map(|m| Some((*m, goes_by(rules, position, m, squares)?))).collect();
        // Who names more than the ends names every landing: a longer way that touches the same squares is not meant.
        let exact = on_the_way.iter().any(|(_, exact)| *exact);
        fitting = on_the_way.into_iter().filter(|(_, e)| *e == exact).map(|(m, _)| m).collect();
    }
    if fitting.is_empty() && squares.len() > 2 {
        // Ends first and the captured pieces behind them, as engines write it.
        let captured = squares[2..].iter().fold(0, |set, bit| set | u128::bit(*bit));
        fitting = legal
            .iter()
            .filter(|m| (m.from, m.to, m.captured) == (from, squares[1], captured))
            .copied()
            .collect();
    }
    // With captures optional a quiet move may share its ends with a capture; squares alone do not say which is meant.
    match fitting.as_slice() {
        [] => Err(illegal()),
        [m] => Ok(*m),
        several => Err(MoveError::Ambiguous {
            readings: several.iter().map(|m| (*m, full(rules, position, m))).collect(),
        }),
    }
}

/// Returns whether some way to make the move touches these squares in this order: `Some(true)` when they are all its landings.
fn goes_by(rules: &RuleSet, position: &Position, m: &Move, squares: &[u8]) -> Option<bool> {
    let ways = paths(rules.shape(), rules.movement(), position, m, PATHS);
    let touched = ways.iter().map(Path::squares).filter(|touched| {
        let mut rest = touched.iter();
        squares.iter().all(|square| rest.any(|t| t == square))
    });
    touched.map(|touched| touched == squares).max()
}

/// Writes a legal move: short, or in full where another legal move has the same ends. A single jump between the ends of a longer capture has no fuller
/// path; then the captured pieces follow the ends.
pub fn format(rules: &RuleSet, position: &Position, legal: &[Move], m: &Move) -> String {
    let twins = legal.iter().filter(|other| other.from == m.from && other.to == m.to).count();
    if twins < 2 || !m.is_capture() {
        return short(rules, m);
    }
    let squares = path(rules, position, m).squares();
    if squares.len() > 2 {
        return path_text(rules, &squares, true);
    }
    let with_captured: Vec<u8> = squares.into_iter().chain(m.captured.iter()).collect();
    path_text(rules, &with_captured, true)
}

/// Writes only the ends of a move.
pub fn short(rules: &RuleSet, m: &Move) -> String {
    let sign = if m.is_capture() { rules.capture_sign() } else { '-' };
    format!("{}{sign}{}", rules.board().name(m.from), rules.board().name(m.to))
}

/// Writes a move with every landing; on a straight run that is the square right behind each captured piece.
pub fn full(rules: &RuleSet, position: &Position, m: &Move) -> String {
    let path = path(rules, position, m);
    path_text(rules, &path.squares(), m.is_capture())
}

/// Writes squares with the sign of a quiet move or of a capture between them.
pub fn path_text(rules: &RuleSet, squares: &[u8], capture: bool) -> String {
    let sign = if capture { rules.capture_sign().to_string() } else { "-".to_string() };
    let names: Vec<String> = squares.iter().map(|bit| rules.board().name(*bit)).collect();
    names.join(&sign)
}

/// Returns the way in which a legal move is shown: its first path, and where the ladder asks for kings first, the first of those that meet them
/// earliest.
pub fn path(rules: &RuleSet, position: &Position, m: &Move) -> Path {
    let kings = m.captured & position.kings();
    let by_order = kings != 0 && rules.movement().ladder.has(Criterion::KingsFirst);
    let most = if by_order { PATHS } else { 1 };
    let mut best: Option<(u64, Path)> = None;
    for path in paths(rules.shape(), rules.movement(), position, m, most) {
        let order = path.kings_order(kings);
        if best.as_ref().is_none_or(|(earlier, _)| order > *earlier) {
            best = Some((order, path));
        }
    }
    best.map_or(Path { from: m.from, legs: Vec::new(), to: m.to }, |(_, path)| path)
}
