//! Which moves are tried first.

use damiera_rules::{Bits, Move, Position, Side};

use crate::steps::{Step, Steps};
use crate::table::Packed;

/// The moves of one node, to be picked best first.
pub(crate) struct MoveList<S> {
    pub(crate) moves: Vec<Move<S>>,
    ratings: Vec<i32>,
}

impl<S: Bits> MoveList<S> {
    pub(crate) const fn new() -> Self {
        MoveList { moves: Vec::new(), ratings: Vec::new() }
    }
    /// Brings the best of the moves from number `i` on to that place and returns it.
    #[inline(always)]
    pub(crate) fn pick(&mut self, i: usize) -> Move<S> {
        if let Some(rest) = self.ratings.get(i..)
            && let Some((&first, later)) = rest.split_first()
        {
            let (mut best, mut highest) = (0, first);
            for (j, &rating) in later.iter().enumerate() {
                if rating > highest {
                    (best, highest) = (j + 1, rating);
                }
            }
            if best > 0 {
                self.moves.swap(i, i + best);
                self.ratings.swap(i, i + best);
            }
        }
        self.moves[i]
    }
    /// Puts the move first that is known by this sign, unrated as yet like all others; false when it is not there.
    #[inline]
    pub(crate) fn bring_first(&mut self, sign: Packed) -> bool {
        self.ratings.clear();
        if sign == Packed::NONE {
            return false;
        }
        let found = self.moves.iter().position(|m| Packed::of(m) == sign);
        if let Some(i) = found {
            self.moves.swap(0, i);
        }
        found.is_some()
    }
    /// Rates captures by what they take.
    #[inline]
    pub(crate) fn rate_captures(&mut self, kings: S) {
        self.ratings.clear();
        if self.moves.len() > 1 {
            self.ratings.extend(self.moves.iter().map(|m| value_of_capture(m, kings)));
        }
    }
}

/// Returns how much a capture takes: pieces, and kings half as much again.
#[inline(always)]
fn value_of_capture<S: Bits>(m: &Move<S>, kings: S) -> i32 {
    8 * m.captured.len() as i32 + 4 * (m.captured & kings).len() as i32 + 2 * i32::from(m.promotes)
        - i32::from(kings.has(m.from))
}

/// What earlier nodes of the search say about moves.
pub(crate) struct Order {
    steps: Steps,
    /// For each side, from and to: how often a move refuted the one before.
    history: Vec<i16>,
}

const CAPTURE: i32 = 1 << 24;
const CROWN: i32 = 1 << 23;
const HISTORY_LIMIT: i32 = 1 << 14;
/// Returns how many ways from square to square the table has for each side on boards of this set type: no more than needed, for every
/// search begins with an empty one.
const fn ways<S>() -> usize {
    8 * size_of::<S>() * 128
}

#[inline(always)]
fn slot<S: Bits>(side: Side, m: Packed) -> usize {
    (side as usize) * ways::<S>() + m.way()
}

impl Order {
    /// Returns what is known before a search on boards of this set type: nothing.
    pub(crate) fn new<S: Bits>(steps: Steps) -> Self {
        Order { steps, history: vec![0; 2 * ways::<S>()] }
    }

    /// Rates the moves of a position for [`MoveList::pick`].
    pub(crate) fn rate<S: Bits>(&self, list: &mut MoveList<S>, position: &Position<S>) {
        let MoveList { moves, ratings } = list;
        ratings.clear();
        ratings.extend(moves.iter().map(|m| {
            if m.is_capture() {
                CAPTURE + value_of_capture(m, position.kings())
            } else if m.promotes {
                CROWN
            } else {
                self.history(position.side(), m)
            }
        }));
    }

    /// Returns how often a quiet move was good, from about -16,000 to 16,000.
    #[inline]
    pub(crate) fn history<S: Bits>(&self, side: Side, m: &Move<S>) -> i32 {
        i32::from(self.history[slot::<S>(side, Packed::of(m))])
    }

    /// Remembers a quiet move that refuted the move before, and that `tried` before it did not.
    pub(crate) fn refuted<S: Bits>(&mut self, side: Side, depth: i32, m: &Move<S>, tried: &[Move<S>]) {
        if !self.steps.has(Step::History) {
            return;
        }
        let bonus = (depth * depth).min(HISTORY_LIMIT / 16);
        self.change(slot::<S>(side, Packed::of(m)), bonus);
        for other in tried.iter().filter(|other| !other.is_capture()) {
            self.change(slot::<S>(side, Packed::of(other)), -bonus);
        }
    }

    fn change(&mut self, slot: usize, by: i32) {
        let value = i32::from(self.history[slot]);
        self.history[slot] = (value + by - value * by.abs() / HISTORY_LIMIT) as i16;
    }
}
