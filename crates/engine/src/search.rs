//! The search: alpha-beta with principal variations, iterative deepening, and a quiescence in which captures are played out. In
//! draughts captures are forced, so a position with one is never quiet.

use std::time::Instant;

use damiera_rules::{Bits, Geometry, Goal, Move, Position, RuleSet, RuleSource, movegen};

use crate::eval::Evaluator;
use crate::order::{MoveList, Order};
use crate::path::Path;
use crate::score::{DRAW, INFINITE, MAX_PLY, WON, is_decided, loss_at, win_at};
use crate::table::{Bound, Packed, Table};
use crate::{Limits, Root};

/// The deepest iteration.
pub(crate) const MAX_DEPTH: i32 = 60;
/// Quiescence looks at every move of so many plies in which the other side threatens to capture.
const THREAT_PLIES: i32 = 2;
/// How often, in nodes, the clock and the stop flag are read.
const POLL: u64 = 256;
/// The first window of an iteration around the score of the one before.
const ASPIRATION: i32 = 30;

/// A position in the tree.
#[derive(Clone, Copy)]
pub(crate) struct Node<S> {
    pub(crate) position: Position<S>,
    pub(crate) hash: u64,
    pub(crate) ply: usize,
}

/// The scores that still matter: between `alpha`, which the mover has already, and `beta`, which the opponent would not allow.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    const FULL: Window = Window { alpha: -INFINITE, beta: INFINITE };

    fn reversed(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
    /// The window that asks only whether a move is better than alpha.
    fn zero(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }
    fn is_zero(self) -> bool {
        self.beta - self.alpha == 1
    }
}

/// The outcome of the iterations that were finished.
pub(crate) struct Found<S> {
    pub(crate) best: Option<Move<S>>,
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) pv: Vec<Move<S>>,
}

/// The scores of every root move, best first, at the last depth that was finished.
pub(crate) struct Each<S> {
    pub(crate) scores: Vec<(Move<S>, i32)>,
    pub(crate) depth: i32,
}

/// One search from one root.
pub(crate) struct Search<'a, G: Geometry, R: RuleSource> {
    rules: R,
    goal: Goal,
    optional: bool,
    eval: Evaluator,
    table: &'a mut Table,
    limits: Limits<'a>,
    began: Instant,
    path: Path<'a>,
    order: Order,
    /// The moves of each ply.
    lists: Vec<MoveList<G::Set>>,
    /// The best line found from each ply.
    lines: Vec<Vec<Move<G::Set>>>,
    root: Node<G::Set>,
    pub(crate) nodes: u64,
    stopped: bool,
}

impl<'a, G: Geometry, R: RuleSource> Search<'a, G, R> {
    pub(crate) fn new(
        rules: R,
        set: &'a RuleSet,
        eval: Evaluator,
        table: &'a mut Table,
        root: &Root,
        limits: &Limits<'a>,
    ) -> Self {
        let position = Position::<G::Set>::narrow(&root.position);
        let hash = position.hash();
        Search {
            rules,
            goal: set.goal(),
            optional: rules.movement().capture == damiera_rules::movement::Obligation::Optional,
            eval,
            table,
            limits: *limits,
            began: Instant::now(),
            path: Path::new(set, &root.earlier, hash, &root.counters, MAX_PLY),
            order: Order::new(),
            lists: (0..=MAX_PLY).map(|_| MoveList::new()).collect(),
            lines: vec![Vec::new(); MAX_PLY + 1],
            root: Node { position, hash, ply: 0 },
            nodes: 0,
            stopped: false,
        }
    }

    /// Searches deeper and deeper until a limit is reached.
    pub(crate) fn deepen(&mut self) -> Found<G::Set> {
        let mut moves = Vec::new();
        movegen::moves::<G, R>(self.rules, &self.root.position, &mut moves);
        let mut found =
            Found { best: moves.first().copied(), score: self.without_moves(0), depth: 0, pv: Vec::new() };
        if moves.is_empty() {
            return found;
        }
        // Should not even one ply be finished, the estimate stands.
        found.score = self.estimate(&self.root.position);
        for depth in 1..=self.last_depth() {
            let score = self.aspire(depth, found.score);
            // An interrupted iteration counts as far as it came: its first move is the best one of the iteration before.
            if let Some(&best) = self.lines[0].first() {
                found.best = Some(best);
                found.pv.clone_from(&self.lines[0]);
                found.score = score;
            }
            if self.stopped {
                break;
            }
            found.depth = depth;
            if self.is_settled(score, depth) || self.is_late() {
                break;
            }
        }
        found
    }

    /// Searches every root move by itself, deeper and deeper, for the exact scores of the last depth that was finished.
    pub(crate) fn score_each(&mut self) -> Each<G::Set> {
        let mut moves = Vec::new();
        movegen::moves::<G, R>(self.rules, &self.root.position, &mut moves);
        let estimate = self.estimate(&self.root.position);
        let mut each = Each { scores: moves.iter().map(|m| (*m, estimate)).collect(), depth: 0 };
        for depth in 1..=self.last_depth() {
            let Some(scores) = self.score_all(&each.scores, depth) else { break };
            each = Each { scores, depth };
            if each.scores.iter().all(|(_, score)| self.is_settled(*score, depth)) {
                break;
            }
        }
        each
    }

    /// Returns the moves with their scores at a depth, best first; `None` when a limit came first.
    fn score_all(&mut self, moves: &[(Move<G::Set>, i32)], depth: i32) -> Option<Vec<(Move<G::Set>, i32)>> {
        let root = self.root;
        let mut scores = Vec::with_capacity(moves.len());
        for (m, _) in moves {
            let score = self.try_move(&root, m, depth - 1, Window::FULL);
            if self.stopped {
                return None;
            }
            scores.push((*m, score));
        }
        scores.sort_by_key(|(_, score)| -score);
        Some(scores)
    }

    fn last_depth(&self) -> i32 {
        self.limits.depth.map_or(MAX_DEPTH, |depth| i32::from(depth).min(MAX_DEPTH))
    }

    /// Returns true when a deeper iteration would find nothing new: the end lies inside the depth that was searched in full.
    fn is_settled(&self, score: i32, depth: i32) -> bool {
        is_decided(score) && WON - score.abs() <= depth
    }

    /// Returns true when the next iteration would most likely not be finished in time.
    fn is_late(&self) -> bool {
        self.limits.time.is_some_and(|time| self.began.elapsed() > time / 2)
    }

    fn aspire(&mut self, depth: i32, expected: i32) -> i32 {
        let mut window = Window { alpha: expected - ASPIRATION, beta: expected + ASPIRATION };
        if depth < 3 || is_decided(expected) {
            window = Window::FULL;
        }
        let root = self.root;
        loop {
            let score = self.search(&root, depth, window);
            if self.stopped {
                return score;
            }
            if score <= window.alpha {
                window.alpha = -INFINITE;
            } else if score >= window.beta {
                window.beta = INFINITE;
            } else {
                return score;
            }
        }
    }

    /// Returns the score of a node for the player to move there.
    fn search(&mut self, node: &Node<G::Set>, depth: i32, window: Window) -> i32 {
        let ply = node.ply;
        self.lines[ply].clear();
        if ply > 0 && self.path.is_repetition(ply) {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return self.estimate(&node.position);
        }
        if ply > 0
            && self.path.has_full_counter(ply)
            && self.can_move(node)
            && self.path.is_drawn(ply, &node.position.widen())
        {
            return DRAW;
        }
        if depth <= 0 {
            return self.quiesce(node, depth, window);
        }
        let key = node.hash ^ self.path.key(ply);
        let hit = self.table.get(key, ply);
        if let Some(hit) = &hit
            && window.is_zero()
            && ply > 0
            && hit.depth >= depth
            && match hit.bound {
                Bound::Exact => true,
                Bound::Lower => hit.score >= window.beta,
                Bound::Upper => hit.score <= window.alpha,
            }
        {
            return hit.score;
        }
        let first = hit.map_or(Packed::NONE, |hit| hit.best);
        let mut list = self.take_list(ply);
        movegen::moves::<G, R>(self.rules, &node.position, &mut list.moves);
        let score = if list.moves.is_empty() {
            self.without_moves(ply)
        } else {
            self.order.rate(&mut list, node.position.side(), node.position.kings(), ply, first);
            let (score, best) = self.best_of(node, &mut list, depth, window);
            if !self.stopped {
                let bound = match score {
                    s if s >= window.beta => Bound::Lower,
                    s if s <= window.alpha => Bound::Upper,
                    _ => Bound::Exact,
                };
                self.table.put(key, ply, depth, score, bound, best);
            }
            score
        };
        self.lists[ply] = list;
        score
    }

    /// Tries the moves of a node, most promising first, until one is too good for the opponent to allow.
    fn best_of(
        &mut self,
        node: &Node<G::Set>,
        list: &mut MoveList<G::Set>,
        depth: i32,
        window: Window,
    ) -> (i32, Packed) {
        let (mut best, mut best_move) = (-INFINITE, Packed::of(&list.moves[0]));
        let mut window = window;
        // A single reply costs no depth: forced lines are seen to their end.
        let depth_below = if list.moves.len() == 1 { depth } else { depth - 1 };
        for i in 0..list.moves.len() {
            let m = list.pick(i);
            let score = self.try_in_window(node, &m, i, depth_below, window);
            if self.stopped {
                return (best.max(window.alpha), best_move);
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Packed::of(&m);
                    self.extend_line(node.ply, &m);
                    window.alpha = score;
                }
            }
            if best >= window.beta {
                if !m.is_capture() {
                    self.order.refuted(node.position.side(), node.ply, depth, &m, &list.moves[..i]);
                }
                break;
            }
        }
        (best, best_move)
    }

    /// Searches move number `i` of a node: the first with the whole window, the others only as far as needed to see that they are
    /// no better; late quiet ones at first less deep.
    fn try_in_window(
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
        let reduction = self.reduction(m, i, depth, window);
        let mut score = self.try_move(node, m, depth - reduction, window.zero());
        if score > window.alpha && reduction > 0 {
            score = self.try_move(node, m, depth, window.zero());
        }
        if score > window.alpha && score < window.beta {
            score = self.try_move(node, m, depth, window);
        }
        score
    }

    fn reduction(&self, m: &Move<G::Set>, i: usize, depth: i32, window: Window) -> i32 {
        if m.is_capture() || m.promotes || depth < 3 || i < 3 {
            return 0;
        }
        let late = i32::from(i >= 8) + i32::from(depth >= 8);
        (1 + late - i32::from(!window.is_zero())).max(0)
    }

    /// Plays a move, searches what follows and takes it back; the score is the mover's.
    fn try_move(&mut self, node: &Node<G::Set>, m: &Move<G::Set>, depth: i32, window: Window) -> i32 {
        let Some(child) = self.enter(node, m) else { return DRAW };
        if self.goal == Goal::FirstKing && m.promotes {
            self.lines[child.ply].clear();
            return win_at(child.ply);
        }
        -self.search(&child, depth, window.reversed())
    }

    /// Enters the position after a move, which is what counts as a node; `None` when the budget is spent.
    fn enter(&mut self, node: &Node<G::Set>, m: &Move<G::Set>) -> Option<Node<G::Set>> {
        self.stopped |= self.must_stop();
        if self.stopped {
            return None;
        }
        self.nodes += 1;
        let hash = node.hash ^ node.position.hash_change(self.rules, m);
        let mut position = node.position;
        position.play(self.rules, m);
        self.path.push::<G>(node.ply, &node.position, m, &position, hash);
        Some(Node { position, hash, ply: node.ply + 1 })
    }

    fn must_stop(&self) -> bool {
        self.limits.nodes.is_some_and(|nodes| self.nodes >= nodes)
            || (self.nodes.is_multiple_of(POLL)
                && (self.limits.is_interrupted()
                    || self.limits.time.is_some_and(|time| self.began.elapsed() >= time)))
    }

    /// Plays out captures until the position is quiet, then estimates it.
    fn quiesce(&mut self, node: &Node<G::Set>, depth: i32, window: Window) -> i32 {
        let mut list = self.take_list(node.ply);
        movegen::captures::<G, R>(self.rules, &node.position, &mut list.moves);
        let score = if list.moves.is_empty() {
            self.rest(node, &mut list, depth, window)
        } else {
            self.play_captures(node, &mut list, depth, window)
        };
        self.lists[node.ply] = list;
        score
    }

    /// Judges a position without captures: lost without a move, looked at closer under a threat, otherwise estimated.
    fn rest(&mut self, node: &Node<G::Set>, list: &mut MoveList<G::Set>, depth: i32, window: Window) -> i32 {
        if !self.can_move(node) {
            return self.without_moves(node.ply);
        }
        if depth <= -THREAT_PLIES || !self.is_threatened(node) {
            return self.estimate(&node.position);
        }
        movegen::moves::<G, R>(self.rules, &node.position, &mut list.moves);
        self.order.rate(list, node.position.side(), node.position.kings(), node.ply, Packed::NONE);
        let (mut best, mut window) = (-INFINITE, window);
        self.try_listed(node, list, depth - 1, &mut window, &mut best);
        best
    }

    fn play_captures(
        &mut self,
        node: &Node<G::Set>,
        list: &mut MoveList<G::Set>,
        depth: i32,
        window: Window,
    ) -> i32 {
        let (mut best, mut window) = (-INFINITE, window);
        if self.optional {
            // Nobody has to capture: the position is worth at least what it is worth as it stands.
            best = self.estimate(&node.position);
            if best >= window.beta {
                return best;
            }
            window.alpha = window.alpha.max(best);
        }
        self.order.rate(list, node.position.side(), node.position.kings(), node.ply, Packed::NONE);
        self.try_listed(node, list, depth, &mut window, &mut best);
        best
    }

    /// Tries the listed moves of a node of the quiescence.
    fn try_listed(
        &mut self,
        node: &Node<G::Set>,
        list: &mut MoveList<G::Set>,
        depth: i32,
        window: &mut Window,
        best: &mut i32,
    ) {
        for i in 0..list.moves.len() {
            let m = list.pick(i);
            let score = self.try_move(node, &m, depth.min(0), *window);
            if self.stopped {
                return;
            }
            if score > *best {
                *best = score;
                if score > window.alpha {
                    self.extend_line(node.ply, &m);
                    window.alpha = score;
                }
            }
            if *best >= window.beta {
                return;
            }
        }
    }

    fn estimate(&self, position: &Position<G::Set>) -> i32 {
        self.eval.evaluate::<G>(position, self.eval.squares(position))
    }

    /// Returns true when the other side could capture if it were its turn.
    fn is_threatened(&self, node: &Node<G::Set>) -> bool {
        let p = &node.position;
        let passed = Position::from_sets(p.white(), p.black(), p.kings(), p.side().other());
        movegen::has_capture::<G, R>(self.rules, &passed)
    }

    /// Returns true when the player to move has a legal move.
    fn can_move(&self, node: &Node<G::Set>) -> bool {
        let p = &node.position;
        let movement = self.rules.movement();
        let empty = G::SQUARES & !(p.white() | p.black());
        let orthogonal = G::SHAPE.is_orthogonal();
        let steps =
            |set: G::Set, dirs: &[damiera_rules::Dir]| dirs.iter().any(|d| (G::step(set, *d) & empty).any());
        let kings = p.kings_of(p.side()) & !p.tired_king(movement);
        steps(p.men(p.side()), damiera_rules::movement::forward(p.side().is_white(), orthogonal))
            || steps(kings, damiera_rules::movement::moving_lines(orthogonal))
            || movegen::has_capture::<G, R>(self.rules, p)
    }

    /// Returns the score of a player who has no move.
    pub(crate) fn without_moves(&self, ply: usize) -> i32 {
        if self.goal == Goal::Losing { win_at(ply) } else { loss_at(ply) }
    }

    /// Puts a move in front of the best line of the ply below.
    fn extend_line(&mut self, ply: usize, m: &Move<G::Set>) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(*m);
        if let Some(rest) = below.first() {
            line.extend_from_slice(rest);
        }
    }

    fn take_list(&mut self, ply: usize) -> MoveList<G::Set> {
        std::mem::replace(&mut self.lists[ply], MoveList::new())
    }
}
