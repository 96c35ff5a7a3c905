//! The search below the root.

use damiera_rules::{Bits, Geometry, Goal, Move, RuleSource, movegen};

use super::{Node, Search, Window};
use crate::order::MoveList;
use crate::score::{DRAW, INFINITE, MAX_PLY, WON, is_decided, loss_at, win_at};
use crate::steps::Step;
use crate::table::{Bound, Hit, Packed};

/// Up to this depth a quiet position may be left at its estimate.
const FUTILE_DEPTH: i32 = 3;
/// By how much a ply an estimate must lie below alpha, or above beta, in hundredths of a man.
const FUTILE_MARGIN: i32 = 60;
const REVERSE_MARGIN: i32 = 40;
/// From this depth on, a position without a known move is searched a ply less deep.
const REDUCED_DEPTH: i32 = 4;
/// With no more pieces than this on the board, one of them against the others, a win lies in sacrifices that every estimate speaks against.
const FEW_PIECES: u32 = 4;

impl<G: Geometry, R: RuleSource> Search<'_, G, R> {
    /// Returns the score of a node for the player to move there.
    pub(super) fn search(&mut self, node: &Node<G::Set>, depth: i32, window: Window) -> i32 {
        let ply = node.ply;
        self.lines[ply].clear();
        if self.is_drawn(node) {
            return DRAW;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(node, depth.min(0), window);
        }
        let window = Window { alpha: window.alpha.max(loss_at(ply)), beta: window.beta.min(win_at(ply)) };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        // Estimated before the table is asked: its answer is still on the way from memory.
        let estimate = may_be_futile(node.captures, depth, window).then(|| self.evaluate(node));
        let hit = self.shared.table.get(node.key, ply);
        if let Some(score) = hit.and_then(|hit| known_score(&hit, depth, window))
            && self.is_in_time(score, ply)
        {
            return score;
        }
        if let Some(estimate) = estimate
            && self.is_futile(node, depth, window, estimate)
        {
            return estimate;
        }
        let first = hit.map_or(Packed::NONE, |hit| hit.best);
        let mut list = self.take_list(ply);
        movegen::moves::<G, R>(self.rules, &node.position, &mut list.moves);
        let score = if list.moves.is_empty() {
            self.without_moves(ply)
        } else {
            let depth =
                depth - i32::from(first == Packed::NONE && self.is_reduced(node, depth, list.moves.len()));
            let (score, best) = self.best_of(node, &mut list, depth, window, first);
            if !self.stopped {
                let bound = bound_of(score, window);
                self.shared.table.put(node.key, ply, depth, score, bound, best);
            }
            score
        };
        self.lists[ply] = list;
        score
    }

    /// Returns true when a node without a known move is searched a ply less deep (internal iterative reduction): its moves would be tried in
    /// a poor order, and mostly it is not important. A single reply needs no order, and a hunt every ply.
    fn is_reduced(&self, node: &Node<G::Set>, depth: i32, moves: usize) -> bool {
        depth >= REDUCED_DEPTH && moves > 1 && self.steps.has(Step::InternalReduction) && !self.is_hunt(node)
    }

    /// Returns true when a repetition or a draw clause ends the game here. A side without a move has lost all the same.
    #[inline]
    fn is_drawn(&self, node: &Node<G::Set>) -> bool {
        self.path.is_repetition(node.ply)
            || self.path.has_full_counter(node.ply)
                && (node.captures || self.can_step(node))
                && self.path.is_drawn(node.ply, &node.position.widen())
    }

    /// Returns false for a win or a loss that was found when the counters stood lower, and that a full counter may now stop.
    #[inline]
    fn is_in_time(&self, score: i32, ply: usize) -> bool {
        !is_decided(score) || WON - score.abs() - ply as i32 <= self.path.plies_left(ply)
    }

    /// Returns true when the estimate of a position near the leaves lies so far outside the window that the plies left would hardly bring it
    /// back.
    fn is_futile(&self, node: &Node<G::Set>, depth: i32, window: Window, estimate: i32) -> bool {
        let (lowest, highest) = (window.alpha - FUTILE_MARGIN * depth, window.beta + REVERSE_MARGIN * depth);
        let low = estimate <= lowest && self.steps.has(Step::Futility);
        let high = estimate >= highest && self.steps.has(Step::ReverseFutility) && !self.is_hunt(node);
        (low || high) && self.can_step(node) && !self.is_threatened(&node.position)
    }

    /// Returns true where a single king is hunted by few pieces.
    #[inline(always)]
    fn is_hunt(&self, node: &Node<G::Set>) -> bool {
        let p = &node.position;
        let (white, black) = (p.white().len(), p.black().len());
        self.goal == Goal::Normal && white.min(black) == 1 && white + black <= FEW_PIECES && p.kings().any()
    }

    /// Tries the moves of a node, most promising first, until one is too good for the opponent to allow.
    fn best_of(
        &mut self,
        node: &Node<G::Set>,
        list: &mut MoveList<G::Set>,
        depth: i32,
        mut window: Window,
        first: Packed,
    ) -> (i32, Packed) {
        let (mut best, mut best_move) = (-INFINITE, first);
        // A single reply costs no depth: forced lines are seen to their end.
        let depth_below =
            if list.moves.len() == 1 && self.steps.has(Step::Forced) { depth } else { depth - 1 };
        // The move that was best at an earlier visit is tried before the others are even rated: mostly it is enough.
        let known = list.bring_first(first);
        for i in 0..list.moves.len() {
            if i == usize::from(known) && list.moves.len() > 1 {
                self.order.rate(list, &node.position);
            }
            let m = list.pick(i);
            let score = self.try_in_window(node, &m, i, depth_below, window);
            if self.stopped {
                break;
            }
            if score <= best {
                continue;
            }
            best = score;
            if score > window.alpha {
                best_move = Packed::of(&m);
                if !window.is_zero() {
                    self.extend_line(node.ply, &m);
                }
                window.alpha = score;
            }
            if score >= window.beta {
                if !m.is_capture() {
                    self.order.refuted(node.position.side(), depth, &m, &list.moves[..i]);
                }
                break;
            }
        }
        (best, best_move)
    }

    /// Searches move number `i` of a node: the first with the whole window, the others only as far as needed to see that they are
    /// no better; late quiet ones at first less deep.
    pub(super) fn try_in_window(
        &mut self,
        node: &Node<G::Set>,
        m: &Move<G::Set>,
        i: usize,
        depth: i32,
        window: Window,
    ) -> i32 {
        if i == 0 {
            return self.try_move(node, m, depth, window);
        }
        let reduction = self.reduction(node, m, i, depth, window);
        let mut score = self.try_move(node, m, depth - reduction, window.zero());
        if score > window.alpha && reduction > 0 {
            score = self.try_move(node, m, depth, window.zero());
        }
        if score > window.alpha && score < window.beta {
            score = self.try_move(node, m, depth, window);
        }
        score
    }

    /// Returns by how much a late quiet move is searched less deep.
    fn reduction(&self, node: &Node<G::Set>, m: &Move<G::Set>, i: usize, depth: i32, window: Window) -> i32 {
        if m.is_capture() || m.promotes || depth < 2 || i < 3 || !self.steps.has(Step::Reductions) {
            return 0;
        }
        let mut reduction = 1 + i32::from(i >= 6) + i32::from(depth >= 8);
        reduction -= i32::from(!window.is_zero());
        reduction -= self.order.history(node.position.side(), m) / 6_000;
        reduction.clamp(0, depth - 1)
    }
}

/// Returns true when a position may be left at its estimate. Only where nobody can capture: else the estimate means little.
fn may_be_futile(captures: bool, depth: i32, window: Window) -> bool {
    depth <= FUTILE_DEPTH && window.is_zero() && !captures && !is_decided(window.beta)
}

/// Returns the score of an earlier visit, where it was deep enough to answer what is asked now.
fn known_score(hit: &Hit, depth: i32, window: Window) -> Option<i32> {
    let answers = window.is_zero()
        && hit.depth >= depth
        && match hit.bound {
            Bound::Exact => true,
            Bound::Lower => hit.score >= window.beta,
            Bound::Upper => hit.score <= window.alpha,
        };
    answers.then_some(hit.score)
}

fn bound_of(score: i32, window: Window) -> Bound {
    match score {
        s if s >= window.beta => Bound::Lower,
        s if s <= window.alpha => Bound::Upper,
        _ => Bound::Exact,
    }
}
