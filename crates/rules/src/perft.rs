//! Perft: how many move sequences of a given length a position has. The measure of a move generator's correctness and speed.

use alloc::vec::Vec;

use crate::bits::Bits;
use crate::geometry::Geometry;
use crate::movegen;
use crate::movement::RuleSource;
use crate::position::{Move, Position};

/// Which captures are one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Count {
    /// Those with equal from, to, captured set and promotion: the rule of the game.
    #[default]
    Unique,
    /// Captures that differ in the order of the captured pieces count apart, as some published tables have it.
    Keep,
}

/// What is done at the last ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leaf {
    /// Its moves are counted.
    #[default]
    Count,
    /// Its moves are listed and played, as a search would, and the positions' hashes are summed.
    Make,
}

/// How to count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Which captures are one move.
    pub count: Count,
    /// What is done at the last ply.
    pub leaf: Leaf,
}

/// What was counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// The number of move sequences.
    pub nodes: u64,
    /// The wrapping sum of the hashes of all positions at the end; 0 unless leaves were made.
    pub checksum: u64,
}

impl Outcome {
    /// Returns the outcome of two parts of a tree together.
    #[must_use]
    pub const fn plus(self, other: Outcome) -> Outcome {
        Outcome {
            nodes: self.nodes.wrapping_add(other.nodes),
            checksum: self.checksum.wrapping_add(other.checksum),
        }
    }
}

/// Counts the move sequences of `depth` plies from `p`.
pub fn perft<G: Geometry, R: RuleSource>(
    rules: R,
    p: &Position<G::Set>,
    depth: u32,
    options: &Options,
) -> Outcome {
    let mut buffers = Vec::new();
    buffers.resize_with(depth as usize, Vec::new);
    walk::<G, R>(rules, p, options, &mut buffers)
}

/// Counts below each legal move of `p` apart; `depth` counts the plies from `p` and is at least 1.
pub fn divide<G: Geometry, R: RuleSource>(
    rules: R,
    p: &Position<G::Set>,
    depth: u32,
    options: &Options,
) -> Vec<(Move<G::Set>, Outcome)> {
    let mut moves = Vec::new();
    list::<G, R>(rules, p, options.count, &mut moves);
    let below = depth.saturating_sub(1);
    moves.iter().map(|m| (*m, perft::<G, R>(rules, &after(rules, p, m), below, options))).collect()
}

/// Returns the positions after every sequence of `plies` moves, for a caller that shares the work among threads: the outcome of
/// `perft` to `depth` is the sum over these positions of `perft` to `depth - plies`.
pub fn split<G: Geometry, R: RuleSource>(
    rules: R,
    p: &Position<G::Set>,
    plies: u32,
    options: &Options,
) -> Vec<Position<G::Set>> {
    let mut positions = alloc::vec![*p];
    let mut moves = Vec::new();
    for _ in 0..plies {
        let mut next = Vec::new();
        for p in &positions {
            list::<G, R>(rules, p, options.count, &mut moves);
            next.extend(moves.iter().map(|m| after(rules, p, m)));
        }
        positions = next;
    }
    positions
}

fn after<S: Bits, R: RuleSource>(rules: R, p: &Position<S>, m: &Move<S>) -> Position<S> {
    let mut next = *p;
    next.play(rules, m);
    next
}

fn list<G: Geometry, R: RuleSource>(
    rules: R,
    p: &Position<G::Set>,
    count: Count,
    out: &mut Vec<Move<G::Set>>,
) {
    match count {
        Count::Unique => movegen::moves::<G, R>(rules, p, out),
        Count::Keep => movegen::moves_by_order::<G, R>(rules, p, out),
    }
}

/// Counts to as many plies as there are buffers.
fn walk<G: Geometry, R: RuleSource>(
    rules: R,
    p: &Position<G::Set>,
    options: &Options,
    buffers: &mut [Vec<Move<G::Set>>],
) -> Outcome {
    let Some((moves, rest)) = buffers.split_first_mut() else {
        let checksum = if options.leaf == Leaf::Make { p.hash() } else { 0 };
        return Outcome { nodes: 1, checksum };
    };
    list::<G, R>(rules, p, options.count, moves);
    if rest.is_empty() && options.leaf == Leaf::Count {
        return Outcome { nodes: moves.len() as u64, checksum: 0 };
    }
    moves
        .iter()
        .map(|m| walk::<G, R>(rules, &after(rules, p, m), options, rest))
        .fold(Outcome::default(), Outcome::plus)
}
