//! Legal moves for callers that know a rule set only at run time.

use alloc::vec::Vec;

use crate::dispatch::{Job, dispatch, run_as_data};
use crate::geometry::Geometry;
use crate::movegen;
use crate::movement::{Movement, RuleSource};
use crate::position::{Move, Position};
use crate::ruleset::RuleSet;

struct ListMoves<'a> {
    position: &'a Position,
}

impl Job for ListMoves<'_> {
    type Output = Vec<Move>;
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> Vec<Move> {
        let mut moves = Vec::new();
        movegen::moves::<G, R>(rules, &Position::narrow(self.position), &mut moves);
        moves.iter().map(Move::widen).collect()
    }
}

struct ListCaptures<'a> {
    position: &'a Position,
}

impl Job for ListCaptures<'_> {
    type Output = Vec<Move>;
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> Vec<Move> {
        let mut moves = Vec::new();
        movegen::captures::<G, R>(rules, &Position::narrow(self.position), &mut moves);
        moves.iter().map(Move::widen).collect()
    }
}

impl RuleSet {
    /// Returns all legal moves, each once. Movement only: whether the game is over is asked of a [`crate::Game`].
    pub fn moves(&self, position: &Position) -> Vec<Move> {
        dispatch(self.shape(), &self.movement, ListMoves { position })
    }
    /// Returns all legal captures.
    pub fn captures(&self, position: &Position) -> Vec<Move> {
        dispatch(self.shape(), &self.movement, ListCaptures { position })
    }
    /// Returns all captures that would be legal under another movement, such as one without the ladder.
    pub fn captures_under(&self, movement: &Movement, position: &Position) -> Vec<Move> {
        run_as_data(self.shape(), movement, ListCaptures { position })
    }
    /// Returns the position after a legal move.
    pub fn after(&self, position: &Position, m: &Move) -> Position {
        let mut after = *position;
        after.play(&self.movement, m);
        after
    }
}
