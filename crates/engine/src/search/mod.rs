//! The search: principal variation search, deeper and deeper, by one thread or several.
//!
//! - `root` runs the iterations and knows the moves at the root; `tree` is the search below it; `quiet` plays out captures and threats
//!   at its leaves; `team` lets several threads search together.
//! - In draughts captures are forced, so a position with one is never quiet, and a single reply costs no depth.
//!
//! Architecture invariant: a [`Search`] belongs to one thread. Threads share the transposition table, a flag that ends the search and a
//! count of nodes, and nothing else.

mod quiet;
mod root;
pub(crate) mod team;
mod tree;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use damiera_rules::{Bits, Geometry, Goal, Move, Position, RuleSet, RuleSource, Side, movegen};

use crate::Root;
use crate::estimates::Estimates;
use crate::eval::Evaluator;
use crate::order::{MoveList, Order};
use crate::path::Path;
use crate::score::{INFINITE, MAX_PLY, loss_at, win_at};
use crate::steps::Steps;
use crate::table::Table;
use crate::time::Timer;

/// How often, in nodes, a thread looks at the clock and at the flags: every 0.1 ms or so.
const POLL: u64 = 512;

/// A position in the tree.
#[derive(Clone, Copy)]
struct Node<S> {
    position: Position<S>,
    hash: u64,
    /// Where the table remembers it: equal positions with different draw counts are told apart.
    key: u64,
    /// The sum of the square values, kept up to date move by move.
    squares: i32,
    ply: usize,
    /// Whether the player to move can capture.
    captures: bool,
}

/// What is on the board.
#[derive(Clone, Copy)]
struct Seen<S> {
    position: Position<S>,
    hash: u64,
    squares: i32,
}

impl<S: Bits> Node<S> {
    fn seen(&self) -> Seen<S> {
        Seen { position: self.position, hash: self.hash, squares: self.squares }
    }
}

/// The scores that still matter: between `alpha`, which the mover has already, and `beta`, which the opponent would not allow.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    const FULL: Window = Window { alpha: -INFINITE, beta: INFINITE };

    #[inline(always)]
    fn reversed(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
    /// Returns the window that asks only whether a move is better than alpha.
    #[inline(always)]
    fn zero(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self.beta - self.alpha == 1
    }
}

/// What the threads of one search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    /// Ends the search of every thread.
    pub(crate) halt: AtomicBool,
    /// Nodes of the helping threads.
    pub(crate) helped: AtomicU64,
}

/// What changes when a piece leaves or enters a square.
#[derive(Clone, Copy, Default)]
struct Delta {
    hash: u64,
    square: i32,
}

/// The deltas of every piece on every square, by side, kind and bit.
struct Deltas([[Delta; 128]; 4]);

impl Deltas {
    fn new(rules: &RuleSet, eval: &Evaluator) -> Box<Deltas> {
        let mut deltas = Box::new(Deltas([[Delta::default(); 128]; 4]));
        for side in [Side::White, Side::Black] {
            for king in [false, true] {
                for bit in rules.shape().all().iter() {
                    let hash = damiera_rules::hash::piece(side, king, bit);
                    let square = eval.square(side, king, bit);
                    deltas.0[side as usize * 2 + usize::from(king)][usize::from(bit)] =
                        Delta { hash, square };
                }
            }
        }
        deltas
    }
    #[inline(always)]
    fn of(&self, side: Side, king: bool, bit: u8) -> Delta {
        self.0[side as usize * 2 + usize::from(king)][usize::from(bit & 127)]
    }
}

/// What one thread searches.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) set: &'a RuleSet,
    pub(crate) eval: &'a Evaluator,
    pub(crate) root: &'a Root,
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) steps: Steps,
    /// The clock; helping threads have none and go on until they are told to stop.
    pub(crate) timer: Option<&'a Timer<'a>>,
    /// The most nodes of all threads together.
    pub(crate) nodes: u64,
    /// The deepest iteration.
    pub(crate) depth: i32,
}

/// The search of one thread from one root.
pub(crate) struct Search<'a, G: Geometry, R: RuleSource> {
    rules: R,
    goal: Goal,
    /// Whether nobody has to capture.
    optional: bool,
    eval: &'a Evaluator,
    deltas: Box<Deltas>,
    shared: &'a Shared<'a>,
    steps: Steps,
    timer: Option<&'a Timer<'a>>,
    most_nodes: u64,
    deepest: i32,
    path: Path<'a>,
    order: Order,
    /// The moves of each ply.
    lists: Vec<MoveList<G::Set>>,
    /// The best line found from each ply; kept up to date where the window is open.
    lines: Vec<Vec<Move<G::Set>>>,
    estimates: Estimates,
    root: Node<G::Set>,
    nodes: u64,
    /// How many of them a helping thread has told the others of.
    told: u64,
    stopped: bool,
}

impl<'a, G: Geometry, R: RuleSource> Search<'a, G, R> {
    pub(crate) fn new(rules: R, task: &Task<'a>) -> Self {
        let position = Position::<G::Set>::narrow(&task.root.position);
        let hash = position.hash();
        let path = Path::new(task.set, &task.root.earlier, hash, &task.root.counters, MAX_PLY);
        let root = Node {
            position,
            hash,
            key: hash ^ path.key(0),
            squares: task.eval.squares(&position),
            ply: 0,
            captures: movegen::has_capture::<G, R>(rules, &position),
        };
        Search {
            rules,
            goal: task.set.goal(),
            optional: rules.movement().capture == damiera_rules::movement::Obligation::Optional,
            eval: task.eval,
            deltas: Deltas::new(task.set, task.eval),
            shared: task.shared,
            steps: task.steps,
            timer: task.timer,
            most_nodes: task.nodes,
            deepest: task.depth,
            path,
            order: Order::new::<G::Set>(task.steps),
            lists: (0..=MAX_PLY).map(|_| MoveList::new()).collect(),
            lines: vec![Vec::new(); MAX_PLY + 1],
            estimates: Estimates::new(),
            root,
            nodes: 0,
            told: 0,
            stopped: false,
        }
    }

    /// Returns the score of a player who has no move.
    fn without_moves(&self, ply: usize) -> i32 {
        if self.goal == Goal::Losing { win_at(ply) } else { loss_at(ply) }
    }

    /// Returns the estimate of a position. A fifth or more are of positions that were estimated shortly before.
    fn evaluate(&self, node: &Node<G::Set>) -> i32 {
        self.estimates.of(node.hash, || self.estimate(&node.seen()))
    }

    fn estimate(&self, seen: &Seen<G::Set>) -> i32 {
        self.eval.evaluate::<G, R>(self.rules, &seen.position, seen.squares)
    }

    /// Plays a move, searches what follows and takes it back; the score is the mover's. The position entered is what counts as a node.
    fn try_move(&mut self, node: &Node<G::Set>, m: &Move<G::Set>, depth: i32, window: Window) -> i32 {
        if self.must_stop() {
            return 0;
        }
        self.nodes += 1;
        let child = self.enter(node, m, depth);
        if self.goal == Goal::FirstKing && m.promotes {
            self.lines[child.ply].clear();
            return win_at(child.ply);
        }
        -self.search(&child, depth, window.reversed())
    }

    /// Plays a move on the path. What the table knows of the position is on its way from memory while the captures are looked for.
    #[inline(always)]
    fn enter(&mut self, node: &Node<G::Set>, m: &Move<G::Set>, depth: i32) -> Node<G::Set> {
        let Seen { position, hash, squares } = self.after(node, m);
        let ply = node.ply + 1;
        self.path.push::<G>(node.ply, &node.position, m, &position, hash);
        let mut key = 0;
        if depth > 0 {
            key = hash ^ self.path.key(ply);
            self.shared.table.fetch_ahead(key);
        }
        let captures = movegen::has_capture::<G, R>(self.rules, &position);
        Node { position, hash, key, squares, ply, captures }
    }

    /// Returns true when no more nodes may be entered.
    #[inline(always)]
    fn must_stop(&mut self) -> bool {
        if self.nodes.is_multiple_of(POLL) {
            self.poll();
        }
        self.stopped |= self.nodes >= self.most_nodes;
        self.stopped
    }

    /// Returns what is on the board after a move.
    #[inline(always)]
    fn after(&self, node: &Node<G::Set>, m: &Move<G::Set>) -> Seen<G::Set> {
        let mut position = node.position;
        position.play(self.rules, m);
        let (side, kings) = (node.position.side(), node.position.kings());
        let king = kings.has(m.from);
        let from = self.deltas.of(side, king, m.from);
        let to = self.deltas.of(side, king || m.promotes, m.to);
        let mut hash = node.hash ^ damiera_rules::hash::BLACK_TO_MOVE ^ from.hash ^ to.hash;
        let mut squares = node.squares - from.square + to.square;
        for bit in m.captured.iter() {
            let gone = self.deltas.of(side.other(), kings.has(bit), bit);
            hash ^= gone.hash;
            squares -= gone.square;
        }
        if self.rules.movement().king_run > 0 {
            hash = node.hash ^ node.position.hash_change(self.rules, m);
        }
        Seen { position, hash, squares }
    }

    #[cold]
    fn poll(&mut self) {
        let shared = self.shared;
        let Some(timer) = self.timer else {
            shared.helped.fetch_add(self.nodes - self.told, Ordering::Relaxed);
            self.told = self.nodes;
            self.stopped |= shared.halt.load(Ordering::Relaxed);
            return;
        };
        self.stopped |= timer.is_over() || self.all_nodes() >= self.most_nodes;
    }

    /// Returns the nodes of all threads.
    fn all_nodes(&self) -> u64 {
        self.nodes + self.shared.helped.load(Ordering::Relaxed)
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
