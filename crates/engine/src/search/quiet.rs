//! The leaves: captures are played out, threats of capture are looked at, and what is quiet then is estimated.

use damiera_rules::{Bits, Dir, Geometry, Position, RuleSource, movegen, movement};

use super::{Node, Search, Window};
use crate::order::MoveList;
use crate::score::{INFINITE, MAX_PLY};
use crate::steps::Step;

/// So many plies below the last full one, every move is tried where the other side threatens to capture.
const THREAT_PLIES: i32 = 1;

impl<G: Geometry, R: RuleSource> Search<'_, G, R> {
    /// Returns the score of a node at the end of its depth; `depth` is 0 there, and less below answered threats.
    pub(super) fn quiesce(&mut self, node: &Node<G::Set>, depth: i32, window: Window) -> i32 {
        if !node.captures {
            return self.rest(node, depth, window);
        }
        if node.ply >= MAX_PLY {
            return self.evaluate(node);
        }
        let mut list = self.take_list(node.ply);
        movegen::captures::<G, R>(self.rules, &node.position, &mut list.moves);
        let score = self.play_captures(node, &mut list, depth, window);
        self.lists[node.ply] = list;
        score
    }

    /// Judges a position without captures: lost without a move, otherwise estimated. An estimate that would be good enough is looked at
    /// closer where the other side threatens to capture; one that is too low would not get better by that.
    fn rest(&mut self, node: &Node<G::Set>, depth: i32, window: Window) -> i32 {
        if !self.can_step(node) {
            return self.without_moves(node.ply);
        }
        let estimate = self.evaluate(node);
        let trusts = estimate <= window.alpha || depth <= -THREAT_PLIES || node.ply >= MAX_PLY;
        if trusts || !self.steps.has(Step::Threats) || !self.is_threatened(&node.position) {
            return estimate;
        }
        let mut list = self.take_list(node.ply);
        movegen::moves::<G, R>(self.rules, &node.position, &mut list.moves);
        self.order.rate(&mut list, &node.position);
        let score = self.best_listed(node, &mut list, depth - 1, window, -INFINITE);
        self.lists[node.ply] = list;
        score
    }

    fn play_captures(
        &mut self,
        node: &Node<G::Set>,
        list: &mut MoveList<G::Set>,
        depth: i32,
        mut window: Window,
    ) -> i32 {
        let mut best = -INFINITE;
        if self.optional {
            // Nobody has to capture: the position is worth at least what it is worth as it stands.
            best = self.evaluate(node);
            if best >= window.beta {
                return best;
            }
            window.alpha = window.alpha.max(best);
        }
        list.rate_captures(node.position.kings());
        self.best_listed(node, list, depth, window, best)
    }

    /// Tries the listed moves of a node and returns the best score, which is at least `best`.
    fn best_listed(
        &mut self,
        node: &Node<G::Set>,
        list: &mut MoveList<G::Set>,
        depth: i32,
        mut window: Window,
        mut best: i32,
    ) -> i32 {
        for i in 0..list.moves.len() {
            let m = list.pick(i);
            let score = self.try_move(node, &m, depth, window);
            if self.stopped {
                return best;
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    if !window.is_zero() {
                        self.extend_line(node.ply, &m);
                    }
                    window.alpha = score;
                }
                if score >= window.beta {
                    break;
                }
            }
        }
        best
    }

    /// Returns true when the other side could capture if it were its turn.
    #[inline]
    pub(super) fn is_threatened(&self, p: &Position<G::Set>) -> bool {
        let passed = Position::from_sets(p.white(), p.black(), p.kings(), p.side().other());
        movegen::has_capture::<G, R>(self.rules, &passed)
    }

    /// Returns true when the player to move has a legal move that captures nothing, captures apart.
    #[inline]
    pub(super) fn can_step(&self, node: &Node<G::Set>) -> bool {
        let p = &node.position;
        let empty = G::SQUARES & !(p.white() | p.black());
        let orthogonal = G::SHAPE.is_orthogonal();
        let steps = |set: G::Set, dirs: &[Dir]| dirs.iter().any(|d| (G::step(set, *d) & empty).any());
        if steps(p.men(p.side()), movement::forward(p.side().is_white(), orthogonal)) {
            return true;
        }
        let kings = p.kings_of(p.side());
        kings.any() && steps(kings & !p.tired_king(self.rules.movement()), movement::moving_lines(orthogonal))
    }
}
