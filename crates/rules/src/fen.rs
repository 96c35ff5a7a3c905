//! Positions as text: FEN as PDN defines it and as other programs write it.
//!
//! Read: `[W|B|?](:(W|B)[K]square[-square],…)…`, either colour first, letters or numbers, ranges, spaces, leading zeros, a doubled side token, a
//! trailing dot, lidraughts' `:H…:F…` counters and the Frisian king runs `:+b+w` (Black's count first). Written: without spaces and dot.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::bits::Bits;
use crate::board::Naming;
use crate::position::{KingRun, Position, Side};
use crate::ruleset::RuleSet;
use crate::walk::last_row;

/// The longest FEN that is read, in bytes: more than any board can need.
pub const MAX_LEN: usize = 4096;

/// Why a FEN was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError {
    /// The column in the text, counted in characters from 1.
    pub column: usize,
    /// What is wrong and what is accepted.
    pub message: String,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FEN, column {}: {}", self.column, self.message)
    }
}

impl core::error::Error for FenError {}

/// What a FEN says, before it is checked: kings and men of both sides, who is to move.
#[derive(Clone, Copy, Debug, Default)]
struct Sets {
    pieces: [u128; 2],
    kings: u128,
}

/// Reads a FEN for a rule set.
pub fn parse(rules: &RuleSet, text: &str) -> Result<Position, FenError> {
    read(rules, text, None)
}

/// Reads a FEN in which men may stand on their promotion row, as some collections have it: no man can, so these are kings. Returns their squares too.
pub fn parse_crowning(rules: &RuleSet, text: &str) -> Result<(Position, Vec<u8>), FenError> {
    let mut crowned = Vec::new();
    let position = read(rules, text, Some(&mut crowned))?;
    Ok((position, crowned))
}

fn read(rules: &RuleSet, text: &str, crowned: Option<&mut Vec<u8>>) -> Result<Position, FenError> {
    if text.len() > MAX_LEN {
        return Err(FenError {
            column: MAX_LEN + 1,
            message: format!("the text is longer than {MAX_LEN} bytes, more than a board can hold"),
        });
    }
    let chars: Vec<char> = text.chars().collect();
    let mut reader = Reader { rules, chars: &chars, at: 0, crowned };
    reader.skip_spaces();
    if reader.done() {
        return Err(reader.error("the FEN is empty; expected for example W:W21-32:B1-12"));
    }
    let side = reader.side_to_move()?;
    let mut sets = Sets::default();
    let mut run_counts = None;
    let mut sides_given = 0;
    while !reader.done() {
        if reader.trailing_dot() {
            break;
        }
        reader.expect_colon()?;
        reader.skip_spaces();
        match reader.peek() {
            Some('W' | 'w') => {
                sides_given += 1;
                reader.pieces(Side::White, &mut sets)?;
            }
            Some('B' | 'b') => {
                sides_given += 1;
                reader.pieces(Side::Black, &mut sets)?;
            }
            Some('H' | 'h' | 'F' | 'f') => reader.counter()?,
            Some('+') => run_counts = Some(reader.run_counts()?),
            _ => return Err(reader.error("expected W or B and that side's squares")),
        }
    }
    if sides_given == 0 {
        return Err(reader.error("no pieces are given; expected for example W:W21-32:B1-12"));
    }
    let mut position = Position::from_sets(sets.pieces[0], sets.pieces[1], sets.kings, side);
    if let Some(counts) = run_counts {
        set_runs(rules, &mut position, counts);
    }
    Ok(position)
}

/// Takes over the counts of quiet king moves.
fn set_runs(rules: &RuleSet, position: &mut Position, [black, white]: [u8; 2]) {
    let limit = rules.movement().king_run;
    for (side, count) in [(Side::White, white), (Side::Black, black)] {
        if let Some(at) = only_king(position, side)
            && count > 0
            && limit > 0
            && position.men(side).any()
        {
            position.runs[side as usize] = KingRun { at, count: count.min(limit) };
        }
    }
}

/// Returns the square of a side's king when it has but one. The text does not say which king has moved, so only for that one a count is written and
/// read.
fn only_king(position: &Position, side: Side) -> Option<u8> {
    let kings = position.kings_of(side);
    (kings.len() == 1).then(|| kings.lowest() as u8)
}

struct Reader<'a> {
    rules: &'a RuleSet,
    chars: &'a [char],
    at: usize,
    /// Where men on their promotion row are noted who are to be kings; without it they are an error.
    crowned: Option<&'a mut Vec<u8>>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }
    fn done(&self) -> bool {
        self.at >= self.chars.len()
    }
    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }
    fn error(&self, message: &str) -> FenError {
        self.error_at(self.at, message.to_string())
    }
    fn error_at(&self, at: usize, message: String) -> FenError {
        FenError { column: at + 1, message }
    }
    fn side_to_move(&mut self) -> Result<Side, FenError> {
        let side = match self.peek() {
            Some('W' | 'w') => Side::White,
            Some('B' | 'b') => Side::Black,
            Some('?') => self.rules.first(),
            Some(':') => return Ok(self.rules.first()),
            _ => return Err(self.error("expected W or B: the side to move")),
        };
        self.at += 1;
        self.skip_spaces();
        Ok(side)
    }
    fn expect_colon(&mut self) -> Result<(), FenError> {
        if self.peek() != Some(':') {
            let found = self.peek().map_or("the end".to_string(), |c| format!("\"{}\"", c.escape_debug()));
            return Err(self.error(&format!("expected \":\", found {found}")));
        }
        self.at += 1;
        Ok(())
    }
    /// Skips a dot with nothing but spaces behind it.
    fn trailing_dot(&mut self) -> bool {
        if self.peek() != Some('.') || !self.chars[self.at + 1..].iter().all(|c| c.is_whitespace()) {
            return false;
        }
        self.at = self.chars.len();
        true
    }
    fn pieces(&mut self, side: Side, sets: &mut Sets) -> Result<(), FenError> {
        self.at += 1;
        self.skip_spaces();
        while !matches!(self.peek(), None | Some(':' | '.')) {
            self.item(side, sets)?;
            self.skip_spaces();
            match self.peek() {
                Some(',') => {
                    self.at += 1;
                    self.skip_spaces();
                    if matches!(self.peek(), None | Some(':' | ',')) {
                        return Err(self.error("expected a square after the comma"));
                    }
                }
                None | Some(':' | '.') => {}
                Some(c) => {
                    return Err(
                        self.error(&format!("expected \",\" or \":\", found \"{}\"", c.escape_debug()))
                    );
                }
            }
        }
        Ok(())
    }
    fn item(&mut self, side: Side, sets: &mut Sets) -> Result<(), FenError> {
        let start = self.at;
        let king = self.king_mark();
        let first = self.square()?;
        self.skip_spaces();
        let squares = if self.peek() == Some('-') {
            self.at += 1;
            self.skip_spaces();
            let second_king = self.king_mark();
            let last = self.square()?;
            if second_king && !king {
                return Err(self.error_at(start, "a range of kings begins with K".to_string()));
            }
            self.range(start, first, last)?
        } else {
            alloc::vec![first]
        };
        for bit in squares {
            self.put(start, side, king, bit, sets)?;
        }
        Ok(())
    }
    /// `K` marks a king. A small `k` does too, except where a column is named k.
    fn king_mark(&mut self) -> bool {
        let board = self.rules.board();
        let column_k = board.naming == Naming::Letters && board.shape.size() > 10;
        let marked = self.peek() == Some('K') || (self.peek() == Some('k') && !column_k);
        if marked {
            self.at += 1;
            self.skip_spaces();
        }
        marked
    }
    fn square(&mut self) -> Result<u8, FenError> {
        let start = self.at;
        if self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
            self.at += 1;
        }
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        let name: String = self.chars[start..self.at].iter().collect();
        if name.is_empty() {
            let found = self.peek().map_or("the end".to_string(), |c| format!("\"{}\"", c.escape_debug()));
            return Err(self.error_at(start, format!("expected a square, found {found}")));
        }
        self.rules.board().square(&name).ok_or_else(|| {
            let shown: String = name.chars().take(20).collect();
            let board = self.rules.board();
            let accepted = match board.naming {
                Naming::Letters => {
                    "a playing square such as a1, or its number from White's top left".to_string()
                }
                _ => format!("1 to {}", board.shape.squares()),
            };
            self.error_at(start, format!("\"{shown}\" is no square of this board; accepted: {accepted}"))
        })
    }
    fn range(&self, start: usize, first: u8, last: u8) -> Result<Vec<u8>, FenError> {
        let board = self.rules.board();
        // A range runs along the names; with letters, along the numbers from White's top left.
        let key = |bit: u8| match board.naming {
            Naming::NumbersFromBottom => board.shape.squares() + 1 - board.number_from_top(bit),
            _ => board.number_from_top(bit),
        };
        let (low, high) = (key(first), key(last));
        if low > high {
            return Err(self.error_at(start, "the range runs backwards".to_string()));
        }
        Ok(board.squares().filter(|bit| (low..=high).contains(&key(*bit))).collect())
    }
    fn put(
        &mut self,
        start: usize,
        side: Side,
        king: bool,
        bit: u8,
        sets: &mut Sets,
    ) -> Result<(), FenError> {
        let (board, shape) = (self.rules.board(), self.rules.shape());
        if (sets.pieces[0] | sets.pieces[1]).has(bit) {
            return Err(self.error_at(start, format!("square {} is given twice", board.name(bit))));
        }
        let must_be_king = !king && shape.row_col(bit).0 == last_row(shape, side.is_white());
        if must_be_king && let Some(crowned) = self.crowned.as_deref_mut() {
            crowned.push(bit);
        } else if must_be_king {
            let who = if side.is_white() { "white" } else { "black" };
            return Err(self.error_at(
                start,
                format!("a {who} man on {}, its promotion row, would be a king: write K{0}", board.name(bit)),
            ));
        }
        sets.pieces[side as usize] |= u128::bit(bit);
        if king || must_be_king {
            sets.kings |= u128::bit(bit);
        }
        Ok(())
    }
    /// `H0` and `F12`, as lidraughts writes them: read over.
    fn counter(&mut self) -> Result<(), FenError> {
        self.at += 1;
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        if start == self.at { Err(self.error("expected a number")) } else { Ok(()) }
    }
    fn run_counts(&mut self) -> Result<[u8; 2], FenError> {
        let mut counts = [0; 2];
        for count in &mut counts {
            if self.peek() != Some('+') {
                return Err(self.error("expected two counts of king moves such as +0+2"));
            }
            self.at += 1;
            let digit = self.peek().and_then(|c| c.to_digit(10));
            *count = digit.ok_or_else(|| self.error("expected a digit"))? as u8;
            self.at += 1;
        }
        Ok(counts)
    }
}

/// Writes a position as FEN, in the rule set's own naming.
pub fn format(rules: &RuleSet, position: &Position) -> String {
    let board = rules.board();
    let mut text = String::new();
    text.push(position.side().letter());
    for side in [Side::White, Side::Black] {
        text.push(':');
        text.push(side.letter());
        let mut squares: Vec<u8> = position.pieces(side).iter().collect();
        squares.sort_by_key(|bit| match board.naming {
            Naming::NumbersFromBottom => board.shape.squares() - board.number_from_top(*bit),
            _ => board.number_from_top(*bit),
        });
        for (i, bit) in squares.into_iter().enumerate() {
            if i > 0 {
                text.push(',');
            }
            if position.kings().has(bit) {
                text.push('K');
            }
            text.push_str(&board.name(bit));
        }
    }
    let [white, black] = [Side::White, Side::Black]
        .map(|side| only_king(position, side).map_or(0, |_| position.king_run(side).count));
    if white > 0 || black > 0 {
        text.push_str(&format!(":+{black}+{white}"));
    }
    text
}
