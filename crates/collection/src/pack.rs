//! A game's moves as bytes: two for a quiet move, one more for each captured piece. They are played again without asking which moves are legal, which is what makes
//! looking through a million games quick.

use std::sync::Arc;

use damiera_pdn::{GameTree, Step};
use damiera_rules::{Move, Position, RuleSet, fen};

/// The first byte of a position that is set up inside a game; no move begins so, for no board has a square 127.
const SETUP: u8 = 0xff;

/// What the high bit of a square's byte says: the move crowns (from), it captures (to), one more piece follows (captured).
const MORE: u8 = 0x80;

/// Adds one step.
fn push(packed: &mut Vec<u8>, rules: &RuleSet, step: Step, position: &Position) {
    match step {
        Step::Begin => {}
        Step::Move(m) => {
            packed.push(m.from | if m.promotes { MORE } else { 0 });
            packed.push(m.to | if m.is_capture() { MORE } else { 0 });
            let mut captured: Vec<u8> = (0..128).filter(|bit| m.captured >> bit & 1 == 1).collect();
            let last = captured.pop();
            packed.extend(captured.into_iter().map(|bit| bit | MORE));
            packed.extend(last);
        }
        Step::Setup => {
            let text = fen::format(rules, position);
            packed.push(SETUP);
            packed.extend((text.len() as u16).to_le_bytes());
            packed.extend(text.as_bytes());
        }
    }
}

/// Returns the moves of a game as it was played.
pub(crate) fn pack(tree: &GameTree) -> Vec<u8> {
    let mut packed = Vec::new();
    for id in tree.main_line() {
        let node = tree.node(id);
        push(&mut packed, tree.rules(), node.step(), node.position());
    }
    packed
}

/// Plays packed moves. It ends early where the bytes make no sense: an index on disk may be damaged.
pub(crate) struct Unpacked<'a> {
    rules: &'a Arc<RuleSet>,
    bytes: &'a [u8],
    position: Position,
    squares: u128,
}

impl<'a> Unpacked<'a> {
    pub(crate) fn new(rules: &'a Arc<RuleSet>, start: Position, bytes: &'a [u8]) -> Self {
        Unpacked { rules, bytes, position: start, squares: rules.shape().all() }
    }
    fn take(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }
    fn square(&self, byte: u8) -> Option<u8> {
        let bit = byte & !MORE;
        (self.squares >> bit & 1 == 1).then_some(bit)
    }
    fn captured(&mut self) -> Option<u128> {
        let mut captured = 0;
        loop {
            let byte = self.take()?;
            captured |= 1 << self.square(byte)?;
            if byte & MORE == 0 {
                return Some(captured);
            }
        }
    }
    fn setup(&mut self) -> Option<Position> {
        let len = usize::from(u16::from_le_bytes([self.take()?, self.take()?]));
        let text = self.bytes.get(..len)?;
        self.bytes = &self.bytes[len..];
        fen::parse(self.rules, std::str::from_utf8(text).ok()?).ok()
    }
}

impl Iterator for Unpacked<'_> {
    /// The move, none for a set-up, and the position after it.
    type Item = (Option<Move>, Position);

    fn next(&mut self) -> Option<Self::Item> {
        let first = self.take()?;
        if first == SETUP {
            self.position = self.setup()?;
            return Some((None, self.position));
        }
        let second = self.take()?;
        let captured = if second & MORE == 0 { 0 } else { self.captured()? };
        let m = Move {
            from: self.square(first)?,
            to: self.square(second)?,
            promotes: first & MORE != 0,
            captured,
        };
        self.position = self.rules.after(&self.position, &m);
        Some((Some(m), self.position))
    }
}
