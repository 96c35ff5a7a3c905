//! Positions and moves as Hub and DXP write them: one character a square, and numbers counted from White's top left, row by row, in every rule set.
//!
//! A Turkish board has 64 squares there, and the Spanish square 32 is number 1: names such as `c3` are for players.

use std::fmt;

use damiera_rules::{Bits, Move, Position, RuleSet, Side, notation, walk};

/// The characters that stand for pieces and sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Letters {
    /// The sides as written before the squares: White, Black.
    pub sides: [char; 2],
    /// The men of White and of Black.
    pub men: [char; 2],
    /// The kings of White and of Black.
    pub kings: [char; 2],
}

/// An empty square.
const EMPTY: char = 'e';

/// Hub, version 2.
pub const HUB: Letters = Letters { sides: ['W', 'B'], men: ['w', 'b'], kings: ['W', 'B'] };
/// Hub, version 1: as version 2 with the side to move in small letters.
pub const HUB_1: Letters = Letters { sides: ['w', 'b'], ..HUB };
/// DXP, whose Black is *zwart*.
pub const DXP: Letters = Letters { sides: ['W', 'Z'], men: ['w', 'z'], kings: ['W', 'Z'] };

/// Why a position or a move cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SquaresError {
    /// The column in the text, counted in characters from 1.
    pub column: usize,
    /// What is wrong and what is accepted.
    pub message: String,
}

impl fmt::Display for SquaresError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for SquaresError {}

/// Writes a position: the side to move, then every square.
pub fn write_position(rules: &RuleSet, position: &Position, letters: &Letters) -> String {
    let square = |bit| match position.piece_at(bit) {
        None => EMPTY,
        Some(piece) if piece.king => letters.kings[piece.side as usize],
        Some(piece) => letters.men[piece.side as usize],
    };
    let side = letters.sides[position.side() as usize];
    std::iter::once(side).chain(rules.board().squares().map(square)).collect()
}

/// Reads a position: the side to move, then every square.
pub fn read_position(rules: &RuleSet, text: &str, letters: &Letters) -> Result<Position, SquaresError> {
    let wrong = |column, message| Err(SquaresError { column, message });
    let count = usize::from(rules.shape().squares()) + 1;
    let mut chars = text.chars();
    let [white, black] = letters.sides;
    let side = match chars.next() {
        Some(c) if c == white => Side::White,
        Some(c) if c == black => Side::Black,
        _ => return wrong(1, format!("the side to move is {white} or {black}")),
    };
    let mut sets = [0_u128; 2];
    let mut kings = 0_u128;
    for (index, bit) in rules.board().squares().enumerate() {
        let Some(c) = chars.next() else {
            return wrong(
                index + 2,
                format!("the position ends here; it has {count} characters under these rules"),
            );
        };
        if c == EMPTY {
            continue;
        }
        let place = |pieces: &[char; 2]| pieces.iter().position(|piece| *piece == c);
        let (owner, king) = match (place(&letters.men), place(&letters.kings)) {
            (Some(owner), _) => (owner, false),
            (None, Some(owner)) => (owner, true),
            (None, None) => return wrong(index + 2, unknown_piece(c, letters)),
        };
        let is_white = owner == Side::White as usize;
        if !king && rules.board().row_col(bit).0 == walk::last_row(rules.shape(), is_white) {
            return wrong(index + 2, "a man cannot stand on the row where it becomes a king".to_owned());
        }
        sets[owner] |= u128::bit(bit);
        if king {
            kings |= u128::bit(bit);
        }
    }
    if chars.next().is_some() {
        return wrong(
            count + 1,
            format!("the position goes on; it has {count} characters under these rules"),
        );
    }
    Ok(Position::from_sets(sets[0], sets[1], kings, side))
}

fn unknown_piece(c: char, letters: &Letters) -> String {
    let ([wm, bm], [wk, bk]) = (letters.men, letters.kings);
    format!("\"{}\" is no square; accepted: {wm}, {bm} (men), {wk}, {bk} (kings), {EMPTY}", c.escape_debug())
}

/// Returns the number of a square.
pub fn number(rules: &RuleSet, bit: u8) -> u8 {
    rules.board().number_from_top(bit)
}

/// Returns the numbers of the captured pieces, lowest first.
pub fn captured_numbers(rules: &RuleSet, m: &Move) -> Vec<u8> {
    let mut numbers: Vec<u8> = m.captured.iter().map(|bit| number(rules, bit)).collect();
    numbers.sort_unstable();
    numbers
}

/// Writes a move: `32-28`, or the ends of a capture and all captured squares, `28x19x23`.
pub fn write_move(rules: &RuleSet, m: &Move) -> String {
    let sign = if m.is_capture() { 'x' } else { '-' };
    let mut text = format!("{}{sign}{}", number(rules, m.from), number(rules, m.to));
    for captured in captured_numbers(rules, m) {
        text.push_str(&format!("x{captured}"));
    }
    text
}

/// Finds the legal move with these ends and captured squares, given by their numbers; the captured squares may come in any order.
///
/// A capture of which only the ends are named is found where no other capture has them.
pub fn find_move(
    rules: &RuleSet,
    position: &Position,
    from: u8,
    to: u8,
    captured: &[u8],
) -> Result<Move, String> {
    let board = rules.board();
    let bit = |number: u8| {
        let bit = board.from_number_from_top(u32::from(number));
        bit.ok_or_else(|| format!("there is no square {number}; they are 1 to {}", rules.shape().squares()))
    };
    let (from, to) = (bit(from)?, bit(to)?);
    let mut taken = 0_u128;
    for number in captured {
        taken |= u128::bit(bit(*number)?);
    }
    let legal = rules.moves(position);
    let mut fitting =
        legal.iter().filter(|m| m.from == from && m.to == to && (taken == 0 || m.captured == taken));
    match (fitting.next(), fitting.next()) {
        (Some(m), None) => Ok(*m),
        (None, _) => Err("no legal move goes this way".to_owned()),
        (Some(_), Some(_)) => {
            // A quiet move and a capture can share their ends where capturing is optional; nothing named as captured means the quiet one.
            let quiet = legal.iter().find(|m| m.from == from && m.to == to && !m.is_capture());
            quiet.filter(|_| taken == 0).copied().ok_or_else(|| "several legal moves fit".to_owned())
        }
    }
}

/// Reads a move in a position: as [`write_move`] writes it, with the captured squares in any order, or as players write it where the board has letters.
pub fn read_move(rules: &RuleSet, position: &Position, text: &str) -> Result<Move, SquaresError> {
    let wrong = |message| SquaresError { column: 1, message };
    let numbers = match read_numbers(text) {
        Ok(numbers) => numbers,
        Err(error) if !text.contains(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'x' | 'X')) => {
            return Err(error);
        }
        Err(_) => {
            return notation::parse(rules, position, text)
                .map_err(|error| wrong(format!("{}: {error}", shown(text))));
        }
    };
    let [from, to, captured @ ..] = numbers.as_slice() else {
        return Err(wrong(format!("{} is no move; a move is written 32-28 or 28x19x23", shown(text))));
    };
    find_move(rules, position, *from, *to, captured)
        .map_err(|message| wrong(format!("{}: {message}", shown(text))))
}

/// The most squares that a move names: its ends and every square of the largest board.
const MOST_NUMBERS: usize = 2 + 72;

fn read_numbers(text: &str) -> Result<Vec<u8>, SquaresError> {
    let mut numbers = Vec::new();
    let mut column = 1;
    for part in text.split(['-', 'x', 'X', ':']) {
        let number = part
            .parse()
            .ok()
            .filter(|_| part.bytes().all(|b| b.is_ascii_digit()) && numbers.len() < MOST_NUMBERS);
        numbers.push(number.ok_or_else(|| SquaresError {
            column,
            message: format!("{} is no move; a move is written 32-28 or 28x19x23", shown(text)),
        })?);
        column += part.chars().count() + 1;
    }
    Ok(numbers)
}

/// Returns the beginning of a text in quotation marks, for an error.
pub(crate) fn shown(text: &str) -> String {
    let mut short: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() {
        short.push('…');
    }
    format!("\"{short}\"")
}
