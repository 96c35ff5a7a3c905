//! The iterations, and the moves at the root.

use damiera_rules::{Geometry, Move, RuleSource, movegen};

use super::{Search, Window};
use crate::score::{INFINITE, WON, is_decided};
use crate::steps::Step;

/// The deepest iteration.
pub(crate) const MAX_DEPTH: i32 = 100;
/// The first window of an iteration on either side of the score of the one before, in hundredths of a man.
const ASPIRATION: i32 = 15;
/// From this depth on the window is narrow.
const ASPIRATION_DEPTH: i32 = 4;
/// A forced move is looked at so deep while a player's time runs: enough for a score.
const FORCED_DEPTH: i32 = 6;
/// At a glance a move looks so much better when it threatens to capture, in hundredths of a man.
const ATTRACTION: i32 = 150;
/// So many iterations in a row with the same move make a calm search.
const CALM: u32 = 4;

/// A move at the root with what is known of it.
#[derive(Clone)]
pub(crate) struct RootMove<S> {
    pub(crate) m: Move<S>,
    /// The score, and the line that has it; known for the first moves of an iteration only.
    pub(crate) score: i32,
    pub(crate) pv: Vec<Move<S>>,
}

/// What the iterations found so far.
pub(crate) struct Found<'a, S> {
    /// The best moves with their lines, best first, as many as were asked for.
    pub(crate) lines: &'a [RootMove<S>],
    pub(crate) depth: i32,
    pub(crate) nodes: u64,
}

impl<G: Geometry, R: RuleSource> Search<'_, G, R> {
    /// Searches deeper and deeper for the best `wanted` moves, until a limit is reached, and tells `watch` after every iteration. Returns
    /// all moves, best first, and the last depth that was finished.
    pub(crate) fn deepen(
        &mut self,
        wanted: usize,
        start: i32,
        watch: &mut dyn FnMut(&Found<'_, G::Set>),
    ) -> (Vec<RootMove<G::Set>>, i32) {
        let mut moves = self.root_moves();
        let wanted = wanted.clamp(1, moves.len().max(1));
        let (mut finished, mut same) = (0, 0);
        if moves.is_empty() {
            return (moves, 0);
        }
        for depth in start.min(self.deepest)..=self.deepest {
            let before = moves[0].m;
            for line in 0..wanted {
                self.aspire(&mut moves, line, depth);
                if self.stopped {
                    settle(&mut moves[..wanted], line);
                    return (moves, finished);
                }
            }
            moves[..wanted].sort_by_key(|m| -m.score);
            finished = depth;
            same = if moves[0].m == before { same + 1 } else { 0 };
            watch(&Found { lines: &moves[..wanted], depth, nodes: self.all_nodes() });
            if self.is_enough(&moves, wanted, depth, same) {
                break;
            }
        }
        (moves, finished)
    }

    /// Returns the score of a root without moves.
    pub(crate) fn no_move(&self) -> i32 {
        self.without_moves(0)
    }

    /// Returns the nodes of all threads.
    pub(crate) fn node_count(&self) -> u64 {
        self.all_nodes()
    }

    fn root_moves(&mut self) -> Vec<RootMove<G::Set>> {
        let root = self.root;
        let mut list = self.take_list(0);
        movegen::moves::<G, R>(self.rules, &root.position, &mut list.moves);
        self.order.rate(&mut list, &root.position);
        // Should not even one ply be finished, the estimate stands.
        let score = self.evaluate(&root);
        let in_order = (0..list.moves.len()).map(|i| list.pick(i));
        in_order.map(|m| RootMove { m, score, pv: vec![m] }).collect()
    }

    /// Returns true when a deeper iteration would bring nothing new, or come too late.
    fn is_enough(&self, moves: &[RootMove<G::Set>], wanted: usize, depth: i32, same: u32) -> bool {
        // The end lies inside the depth that was searched in full.
        let settled = |m: &RootMove<G::Set>| is_decided(m.score) && WON - m.score.abs() <= depth;
        if moves[..wanted].iter().all(settled) {
            return true;
        }
        let Some(timer) = self.timer else { return false };
        timer.is_late(same >= CALM) || (moves.len() == 1 && depth >= FORCED_DEPTH && timer.is_running())
    }

    /// Searches for the best of the moves from number `line` on, in a window around the score expected, and puts it at that place.
    fn aspire(&mut self, moves: &mut [RootMove<G::Set>], line: usize, depth: i32) {
        let expected = moves[line].score;
        let mut margin = ASPIRATION;
        let mut window = Window::FULL;
        if self.steps.has(Step::Aspiration) && depth >= ASPIRATION_DEPTH && !is_decided(expected) {
            window = Window { alpha: expected - margin, beta: expected + margin };
        }
        loop {
            let score = self.search_root(moves, line, depth, window);
            if self.stopped {
                return;
            }
            margin *= 4;
            if score <= window.alpha {
                window.alpha = if margin > 400 { -INFINITE } else { score - margin };
            } else if score >= window.beta {
                window.beta = if margin > 400 { INFINITE } else { score + margin };
            } else {
                return;
            }
        }
    }

    /// Searches the moves from number `line` on and brings the best one to that place.
    fn search_root(
        &mut self,
        moves: &mut [RootMove<G::Set>],
        line: usize,
        depth: i32,
        window: Window,
    ) -> i32 {
        let root = self.root;
        let mut window = window;
        let mut best = -INFINITE;
        for i in line..moves.len() {
            let m = moves[i].m;
            let score = self.try_in_window(&root, &m, i - line, depth - 1, window);
            if self.stopped {
                break;
            }
            if score <= window.alpha {
                // It is worth no more than this now, whatever it was a ply before.
                moves[i].score = moves[i].score.min(score);
            }
            if score <= best {
                continue;
            }
            best = score;
            if score > window.alpha {
                moves[i].score = score;
                self.extend_line(0, &m);
                moves[i].pv.clone_from(&self.lines[0]);
                moves[line..=i].rotate_right(1);
                window.alpha = score;
            }
            if score >= window.beta {
                break;
            }
        }
        best
    }

    /// Returns all moves with what they look like at a glance, best first: what stands on the board after each, whatever the answer, and
    /// whether it threatens to capture. So plays who has just learnt the moves: he sees what he might take, and not what he gives for it.
    pub(crate) fn glance(&mut self) -> Vec<RootMove<G::Set>> {
        let root = self.root;
        let mut moves = self.root_moves();
        for m in &mut moves {
            let after = self.after(&root, &m.m);
            m.score = -self.estimate(&after);
            if self.is_threatened(&after.position) {
                m.score += ATTRACTION;
            }
        }
        moves.sort_by_key(|m| -m.score);
        moves
    }

    /// Searches every root move by itself, deeper and deeper. Returns the moves that are at most `margin` worse than the best, best
    /// first, with their exact scores at the last depth that was finished, and that depth.
    pub(crate) fn score_close(&mut self, margin: i32) -> (Vec<RootMove<G::Set>>, i32) {
        let mut moves = self.root_moves();
        let mut finished = 0;
        for depth in 1..=self.deepest {
            let scored = self.score_all(&moves, depth, margin);
            if self.stopped {
                // Of an unfinished first ply the moves that were seen are better than none.
                if finished == 0 && !scored.is_empty() {
                    moves = scored;
                }
                break;
            }
            moves = scored;
            finished = depth;
            let settled = |m: &RootMove<G::Set>| is_decided(m.score) && WON - m.score.abs() <= depth;
            if moves.iter().all(settled) {
                break;
            }
        }
        if let Some(best) = moves.first().map(|m| m.score) {
            moves.retain(|m| best - m.score <= margin);
        }
        (moves, finished)
    }

    /// Returns the moves with their scores at a depth, best first; only those that were looked at before a limit came.
    fn score_all(&mut self, moves: &[RootMove<G::Set>], depth: i32, margin: i32) -> Vec<RootMove<G::Set>> {
        let root = self.root;
        let mut scored = Vec::with_capacity(moves.len());
        let mut best = -INFINITE;
        for RootMove { m, .. } in moves {
            let window = Window { alpha: (best - margin - 1).max(-INFINITE), beta: INFINITE };
            let score = self.try_move(&root, m, depth - 1, window);
            if self.stopped {
                break;
            }
            best = best.max(score);
            self.extend_line(0, m);
            scored.push(RootMove { m: *m, score, pv: self.lines[0].clone() });
        }
        scored.sort_by_key(|m| -m.score);
        scored
    }
}

/// Sorts the lines of an iteration that was stopped at number `line`. Those before it are proved at this depth, and nothing behind a proved line is worth more than it,
/// whatever a bound of the unfinished one or the iteration before says.
fn settle<S>(moves: &mut [RootMove<S>], line: usize) {
    let (proved, rest) = moves.split_at_mut(line);
    if let (Some(last), Some(current)) = (proved.last(), rest.first_mut()) {
        current.score = current.score.min(last.score);
    }
    if let Some((current, later)) = rest.split_first_mut() {
        later.iter_mut().for_each(|m| m.score = m.score.min(current.score));
        later.sort_by_key(|m| -m.score);
    }
}
