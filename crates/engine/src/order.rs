//! Which moves are tried first.

use damiera_rules::{Bits, Move, Side};

use crate::score::MAX_PLY;
use crate::table::Packed;

/// The moves of one node, to be picked best first.
pub(crate) struct MoveList<S> {
    pub(crate) moves: Vec<Move<S>>,
    scores: Vec<i32>,
}

impl<S: Bits> MoveList<S> {
    pub(crate) fn new() -> Self {
        MoveList { moves: Vec::new(), scores: Vec::new() }
    }
    /// Brings the best of the moves from number `i` on to that place and returns it.
    #[inline]
    pub(crate) fn pick(&mut self, i: usize) -> Move<S> {
        let mut best = i;
        for j in i + 1..self.scores.len() {
            if self.scores[j] > self.scores[best] {
                best = j;
            }
        }
        self.moves.swap(i, best);
        self.scores.swap(i, best);
        self.moves[i]
    }
}

/// What earlier nodes of the search say about moves.
pub(crate) struct Order {
    killers: Vec<[Packed; 2]>,
    /// For each side, from and to: how often a move refuted the one before.
    history: Vec<i32>,
}

const FIRST: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 24;
const CROWN: i32 = 1 << 23;
const KILLER: i32 = 1 << 22;
const HISTORY_LIMIT: i32 = 1 << 14;

fn slot<S: Bits>(side: Side, m: &Move<S>) -> usize {
    (side as usize) << 14 | usize::from(m.from & 127) << 7 | usize::from(m.to & 127)
}

impl Order {
    pub(crate) fn new() -> Self {
        Order { killers: vec![[Packed::NONE; 2]; MAX_PLY + 1], history: vec![0; 2 << 14] }
    }

    /// Rates the moves of a node for [`MoveList::pick`].
    pub(crate) fn rate<S: Bits>(
        &self,
        list: &mut MoveList<S>,
        side: Side,
        kings: S,
        ply: usize,
        best: Packed,
    ) {
        let MoveList { moves, scores } = list;
        scores.clear();
        scores.extend(moves.iter().map(|m| self.rating(m, side, kings, ply, best)));
    }

    #[inline]
    fn rating<S: Bits>(&self, m: &Move<S>, side: Side, kings: S, ply: usize, best: Packed) -> i32 {
        let packed = Packed::of(m);
        if packed == best {
            FIRST
        } else if m.is_capture() {
            CAPTURE
                + 4 * m.captured.len() as i32
                + 3 * (m.captured & kings).len() as i32
                + i32::from(m.promotes)
        } else if m.promotes {
            CROWN
        } else if let Some(i) = self.killers[ply].iter().position(|k| *k == packed) {
            KILLER - i as i32
        } else {
            self.history[slot(side, m)]
        }
    }

    /// Remembers a quiet move that refuted the move before, and that `tried` before it did not.
    pub(crate) fn refuted<S: Bits>(
        &mut self,
        side: Side,
        ply: usize,
        depth: i32,
        m: &Move<S>,
        tried: &[Move<S>],
    ) {
        let packed = Packed::of(m);
        if self.killers[ply][0] != packed {
            self.killers[ply][1] = self.killers[ply][0];
            self.killers[ply][0] = packed;
        }
        let bonus = depth * depth;
        self.change(slot(side, m), bonus);
        for other in tried.iter().filter(|other| !other.is_capture()) {
            self.change(slot(side, other), -bonus);
        }
    }

    fn change(&mut self, slot: usize, by: i32) {
        let value = &mut self.history[slot];
        *value += by - *value * by.abs() / HISTORY_LIMIT;
    }
}
