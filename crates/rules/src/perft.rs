//! Perft: how many move sequences of a given length a position has. The measure of a move generator's correctness and speed.

use alloc::vec::Vec;
use core::hint::black_box;
use core::marker::PhantomData;

use crate::bits::Bits;
use crate::geometry::Geometry;
use crate::movegen;
use crate::movegen::count::count;
use crate::movegen::scene::{Black, Mover, View, White};
use crate::movegen::visit::{Visitor, visit};
use crate::movement::RuleSource;
use crate::position::{Move, Position, Side};

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
    if options.leaf == Leaf::Make {
        let (hash, count) = (p.hash(), options.count);
        return if p.side().is_white() {
            make::<G, R, White>(rules, p, hash, count, &mut buffers)
        } else {
            make::<G, R, Black>(rules, p, hash, count, &mut buffers)
        };
    }
    let only_pieces = rules.movement().king_run == 0;
    let nodes = match &mut buffers[..] {
        [_, buffers @ ..] if only_pieces && options.count == Count::Unique => {
            if p.side().is_white() {
                tally::<G, R, White>(rules, View::of(p), buffers)
            } else {
                tally::<G, R, Black>(rules, View::of(p), buffers)
            }
        }
        buffers => walk::<G, R>(rules, p, options.count, buffers),
    };
    Outcome { nodes, checksum: 0 }
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

#[inline(always)]
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

/// Counts to as many plies as there are buffers, by lists of moves.
fn walk<G: Geometry, R: RuleSource>(
    rules: R,
    p: &Position<G::Set>,
    count: Count,
    buffers: &mut [Vec<Move<G::Set>>],
) -> u64 {
    let Some((moves, rest)) = buffers.split_first_mut() else { return 1 };
    list::<G, R>(rules, p, count, moves);
    if rest.is_empty() {
        return moves.len() as u64;
    }
    moves.iter().map(|m| walk::<G, R>(rules, &after(rules, p, m), count, rest)).sum()
}

/// Plays every move to as many plies as there are buffers; `hash` is the hash of `p`, and `M` its side to move.
fn make<G: Geometry, R: RuleSource, M: Mover>(
    rules: R,
    p: &Position<G::Set>,
    hash: u64,
    count: Count,
    buffers: &mut [Vec<Move<G::Set>>],
) -> Outcome {
    let Some((moves, rest)) = buffers.split_first_mut() else { return Outcome { nodes: 1, checksum: hash } };
    // With the side as a constant, playing and hashing are straight code.
    let p = &Position { side: if M::WHITE { Side::White } else { Side::Black }, ..*p };
    list::<G, R>(rules, p, count, moves);
    if rest.is_empty() {
        return Outcome { nodes: moves.len() as u64, checksum: make_leaves(rules, p, hash, moves) };
    }
    let mut outcome = Outcome::default();
    for m in moves.iter() {
        let child_hash = hash ^ p.hash_change(rules, m);
        outcome = outcome.plus(make::<G, R, M::Other>(rules, &after(rules, p, m), child_hash, count, rest));
    }
    outcome
}

/// Plays every move and returns the sum of the hashes.
#[inline(always)]
fn make_leaves<S: Bits, R: RuleSource>(rules: R, p: &Position<S>, hash: u64, moves: &[Move<S>]) -> u64 {
    let mut checksum = 0u64;
    for m in moves {
        // Nobody looks at the last position, but playing it is what is measured.
        black_box(&after(rules, p, m));
        checksum = checksum.wrapping_add(hash ^ p.hash_change(rules, m));
    }
    checksum
}

/// Counts one ply more than there are buffers, for rules whose positions are nothing but pieces: every child is built from sets
/// of squares, and no list is written except of captures that had to be followed.
fn tally<G: Geometry, R: RuleSource, M: Mover>(
    rules: R,
    view: View<G::Set>,
    buffers: &mut [Vec<Move<G::Set>>],
) -> u64 {
    match buffers {
        [] => count_ply::<G, R, M>(rules, view),
        [list] => {
            let mut last = LastPly::<G, R, M> { rules, view, list, nodes: 0, mover: PhantomData };
            visit::<G, R, M, _>(rules, view, G::Set::EMPTY, &mut last);
            last.nodes
        }
        [list, deeper @ ..] => {
            let mut below = Below::<G, R, M> { rules, view, list, deeper, nodes: 0, mover: PhantomData };
            visit::<G, R, M, _>(rules, view, G::Set::EMPTY, &mut below);
            below.nodes
        }
    }
}

/// Counts the moves of a position outside of the innermost loop.
#[inline(never)]
fn count_ply<G: Geometry, R: RuleSource, M: Mover>(rules: R, view: View<G::Set>) -> u64 {
    count::<G, R, M>(rules, view, G::Set::EMPTY)
}

/// Adds up the numbers of answers to each move.
struct LastPly<'a, G: Geometry, R, M> {
    rules: R,
    view: View<G::Set>,
    list: &'a mut Vec<Move<G::Set>>,
    nodes: u64,
    mover: PhantomData<M>,
}

impl<G: Geometry, R: RuleSource, M: Mover> LastPly<'_, G, R, M> {
    #[inline(always)]
    fn add(&mut self, child: View<G::Set>) {
        self.nodes += count_ply::<G, R, M::Other>(self.rules, child);
    }
}

impl<G: Geometry, R: RuleSource, M: Mover> Visitor<G::Set> for LastPly<'_, G, R, M> {
    /// The innermost loop of a perft: counting is inlined here, and only here, so that what does not change from one man's move to
    /// the next stays in registers.
    #[inline(always)]
    fn man(&mut self, from: G::Set, to: G::Set, crown: G::Set) {
        let child = self.view.after_man(from, to, crown);
        self.nodes += count::<G, R, M::Other>(self.rules, child, G::Set::EMPTY);
    }
    #[inline(always)]
    fn king(&mut self, from: G::Set, to: G::Set) {
        self.add(self.view.after_king(from, to));
    }
    #[inline(always)]
    fn man_jump(&mut self, from: G::Set, over: G::Set, to: G::Set, crown: G::Set) {
        self.add(self.view.after_capture(from, over, to, crown.any()));
    }
    #[inline(always)]
    fn king_jump(&mut self, from: G::Set, over: G::Set, to: G::Set) {
        self.add(self.view.after_capture(from, over, to, false));
    }
    fn chains(&mut self, list: impl FnOnce(&mut Vec<Move<G::Set>>)) -> bool {
        self.list.clear();
        list(self.list);
        for i in 0..self.list.len() {
            let m = self.list[i];
            self.add(self.view.after_capture(G::Set::bit(m.from), m.captured, G::Set::bit(m.to), m.promotes));
        }
        !self.list.is_empty()
    }
}

/// Adds up what is below each move, further from the end.
struct Below<'a, G: Geometry, R, M> {
    rules: R,
    view: View<G::Set>,
    list: &'a mut Vec<Move<G::Set>>,
    deeper: &'a mut [Vec<Move<G::Set>>],
    nodes: u64,
    mover: PhantomData<M>,
}

impl<G: Geometry, R: RuleSource, M: Mover> Below<'_, G, R, M> {
    #[inline(always)]
    fn add(&mut self, child: View<G::Set>) {
        self.nodes += tally::<G, R, M::Other>(self.rules, child, self.deeper);
    }
}

impl<G: Geometry, R: RuleSource, M: Mover> Visitor<G::Set> for Below<'_, G, R, M> {
    #[inline(always)]
    fn man(&mut self, from: G::Set, to: G::Set, crown: G::Set) {
        self.add(self.view.after_man(from, to, crown));
    }
    #[inline(always)]
    fn king(&mut self, from: G::Set, to: G::Set) {
        self.add(self.view.after_king(from, to));
    }
    #[inline(always)]
    fn man_jump(&mut self, from: G::Set, over: G::Set, to: G::Set, crown: G::Set) {
        self.add(self.view.after_capture(from, over, to, crown.any()));
    }
    #[inline(always)]
    fn king_jump(&mut self, from: G::Set, over: G::Set, to: G::Set) {
        self.add(self.view.after_capture(from, over, to, false));
    }
    fn chains(&mut self, list: impl FnOnce(&mut Vec<Move<G::Set>>)) -> bool {
        self.list.clear();
        list(self.list);
        for i in 0..self.list.len() {
            let m = self.list[i];
            self.add(self.view.after_capture(G::Set::bit(m.from), m.captured, G::Set::bit(m.to), m.promotes));
        }
        !self.list.is_empty()
    }
}
