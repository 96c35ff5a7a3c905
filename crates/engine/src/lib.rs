//! The computer opponent for every rule set: search, evaluation and levels; opening ballots.
//!
//! ```
//! use damiera_engine::{Engine, Limits, Root};
//! use damiera_rules::RuleSet;
//!
//! let rules = RuleSet::known("italian").expect("a known key");
//! let root = Root::new(&rules, rules.initial());
//! let report = Engine::new(1).search(&rules, &root, &Limits { depth: Some(4), ..Limits::default() });
//! assert!(rules.moves(&rules.initial()).contains(&report.best.expect("there are moves")));
//! ```
//!
//! Architecture invariants: nothing but the lists of opening ballots and of fitted weights names a rule set, everything else comes from
//! the [`RuleSet`] value; no type parameter leaves this crate; apart from the clock that a time limit needs there is no I/O, and a search
//! of one thread without a time limit gives the same answer everywhere.

mod ballots;
pub mod bench;
mod estimates;
mod eval;
mod level;
mod memory;
mod offer;
mod order;
mod path;
mod random;
mod score;
mod search;
mod slot;
mod steps;
mod table;
mod time;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use damiera_rules::{Counters, Game, Move, Position, RuleSet, dispatch};

pub use ballots::{Ballot, Ballots};
pub use eval::tuning;
pub use level::Level;
pub use offer::accepts_draw;
pub use random::Random;
pub use score::Score;
pub use steps::{Step, Steps};

use eval::Evaluator;
use search::team::{Deepen, Query, ScoreClose};
use table::Table;

/// When a search ends. Without any limit it goes on until the result is proven or the greatest depth is reached.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits<'a> {
    /// The most nodes: positions entered by making a move, in the search or in quiescence.
    pub nodes: Option<u64>,
    /// The deepest iteration, in plies.
    pub depth: Option<u8>,
    /// The most time.
    pub time: Option<Duration>,
    /// Since when time counts; without it since the search is called for.
    pub since: Option<Instant>,
    /// What the player's clock shows: the engine divides its time itself and never uses all of it.
    pub clock: Option<Clock>,
    /// While true the opponent is thinking, and no limit of time counts; set to false when he has played the expected move.
    pub pondering: Option<&'a AtomicBool>,
    /// Set by another thread to end the search.
    pub stop: Option<&'a AtomicBool>,
}

/// A player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The time left for the moves to go, or for the whole game.
    pub left: Duration,
    /// What a move adds to it.
    pub increment: Duration,
    /// How many moves that time is for, this one included; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Limits<'_> {
    /// Returns limits of so many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }
    fn is_pondering(&self) -> bool {
        self.pondering.is_some_and(|pondering| pondering.load(Ordering::Relaxed))
    }
    fn is_interrupted(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// Where a search begins: a position, and what of the game so far bears on draws.
#[derive(Clone, Debug)]
pub struct Root {
    /// The position.
    pub position: Position,
    /// The hashes of the positions before it, first one first.
    pub earlier: Vec<u64>,
    /// The counters of the rule set's draw clauses.
    pub counters: Counters,
}

impl Root {
    /// Returns the root of a game that begins with this position.
    pub fn new(rules: &RuleSet, position: Position) -> Root {
        let counters = Counters::new(rules.shape(), &rules.draws().clauses, &position);
        Root { position, earlier: Vec::new(), counters }
    }
    /// Returns the present position of a game.
    pub fn of(game: &Game) -> Root {
        let positions = game.positions();
        let earlier = positions[..positions.len() - 1].iter().map(Position::hash).collect();
        Root { position: *game.position(), earlier, counters: game.counters().clone() }
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The best move; `None` when there is no legal move.
    pub best: Option<Move>,
    /// The score for the player to move.
    pub score: Score,
    /// The deepest iteration that was finished.
    pub depth: u8,
    /// How many nodes were entered.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// The line that both sides are expected to play, `best` first.
    pub pv: Vec<Move>,
    /// The best lines with different first moves, best first, as many as were asked for; the first is `score` and `pv`.
    pub lines: Vec<Line>,
}

/// A line with its score for the player to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The score.
    pub score: Score,
    /// The moves that both sides are expected to play.
    pub pv: Vec<Move>,
}

/// The engine: a transposition table that one search after the other uses.
pub struct Engine {
    table: Table,
    threads: usize,
    steps: Steps,
    /// The rules that the table knows positions of.
    rules: Option<Box<RuleSet>>,
}

impl Engine {
    /// Returns an engine of one thread with a table of at most this many megabytes (64 where there is no room for so much); with 0 it has none.
    pub fn new(megabytes: usize) -> Engine {
        Engine::with_threads(megabytes, 1)
    }

    /// Returns an engine that searches with so many threads.
    pub fn with_threads(megabytes: usize, threads: usize) -> Engine {
        Engine { table: Table::new(megabytes), threads: threads.max(1), steps: Steps::ALL, rules: None }
    }

    /// Forgets what earlier searches found, as it does by itself when other rules come. The next search of one thread without a limit of time depends on nothing but its
    /// arguments and the size of the table.
    pub fn forget(&mut self) {
        self.table.forget();
    }

    /// Searches with these steps only, to measure what the others are worth.
    pub fn set_steps(&mut self, steps: Steps) {
        self.steps = steps;
    }

    /// Does something with a single thread.
    fn alone<T>(&mut self, ask: impl FnOnce(&mut Engine) -> T) -> T {
        let threads = std::mem::replace(&mut self.threads, 1);
        let answer = ask(self);
        self.threads = threads;
        answer
    }

    /// Returns how many threads search.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Searches a position.
    pub fn search(&mut self, rules: &RuleSet, root: &Root, limits: &Limits) -> Report {
        self.analyze(rules, root, limits, 1, &mut |_| {})
    }

    /// Searches a position for its best `lines` moves and tells `watch` after every iteration what was found so far.
    pub fn analyze(
        &mut self,
        rules: &RuleSet,
        root: &Root,
        limits: &Limits,
        lines: usize,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        self.turn_to(rules);
        let query = self.query(rules, root, limits);
        dispatch(rules.shape(), rules.movement(), Deepen { query, threads: self.threads, lines, watch })
    }

    /// Returns the moves that are at most `margin` hundredths of a man worse than the best one as the report's lines, with exact
    /// scores, best first, as far as the limits allow. With a depth of 0 all moves are listed, by what they look like at a glance.
    pub fn score_close(&mut self, rules: &RuleSet, root: &Root, limits: &Limits, margin: i32) -> Report {
        self.turn_to(rules);
        let query = self.query(rules, root, limits);
        dispatch(rules.shape(), rules.movement(), ScoreClose { query, margin })
    }

    /// Begins a search under these rules. What was found under others would be wrong: the table knows positions, not rules.
    fn turn_to(&mut self, rules: &RuleSet) {
        if self.rules.as_deref() != Some(rules) {
            self.forget();
            self.rules = Some(Box::new(rules.clone()));
        }
        self.table.age();
    }

    fn query<'a>(&'a self, set: &'a RuleSet, root: &'a Root, limits: &'a Limits<'a>) -> Query<'a> {
        Query { set, eval: Evaluator::new(set), table: &self.table, root, limits, steps: self.steps }
    }
}
