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
//! Architecture invariants: nothing but the lists of opening ballots names a rule set, everything comes from the [`RuleSet`] value; no type parameter leaves this
//! crate; apart from the clock that a time limit needs there is no I/O, and a search without a time limit gives the same answer
//! everywhere.

mod ballots;
mod eval;
mod level;
mod offer;
mod order;
mod path;
mod random;
mod score;
mod search;
mod table;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use damiera_rules::{Counters, Game, Geometry, Job, Move, Position, RuleSet, RuleSource, dispatch};

pub use ballots::{Ballot, Ballots};
pub use level::Level;
pub use offer::accepts_draw;
pub use random::Random;
pub use score::Score;

use eval::Evaluator;
use search::Search;
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

/// The engine: a transposition table that many searches use one after the other.
pub struct Engine {
    table: Table,
    threads: usize,
}

impl Engine {
    /// Returns an engine with a table of at most this many megabytes; with 0 it has none.
    pub fn new(megabytes: usize) -> Engine {
        Engine::with_threads(megabytes, 1)
    }

    /// Returns an engine that searches with so many threads.
    pub fn with_threads(megabytes: usize, threads: usize) -> Engine {
        Engine { table: Table::new(megabytes), threads: threads.max(1) }
    }

    /// Forgets what earlier searches found: the next one depends on nothing but its arguments.
    pub fn forget(&mut self) {
        self.table.forget();
    }

    /// Returns how many threads search.
    pub fn threads(&self) -> usize {
        self.threads
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
        let _ = lines;
        let report = self.search(rules, root, limits);
        watch(&report);
        report
    }

    /// Searches a position. The answer depends on nothing but the arguments.
    pub fn search(&mut self, rules: &RuleSet, root: &Root, limits: &Limits) -> Report {
        self.search_with(rules, Evaluator::new(rules), root, limits)
    }

    fn search_with(&mut self, rules: &RuleSet, eval: Evaluator, root: &Root, limits: &Limits) -> Report {
        self.table.forget();
        dispatch(
            rules.shape(),
            rules.movement(),
            Deepen { rules, eval, table: &mut self.table, root, limits },
        )
    }

    /// Returns every legal move with its score, best first, as far as the limits allow.
    pub fn score_moves(&mut self, rules: &RuleSet, root: &Root, limits: &Limits) -> Vec<(Move, Score)> {
        let scored = self.score_each(rules, Evaluator::new(rules), root, limits).scores;
        scored.into_iter().map(|(m, score)| (m, Score::from_search(score))).collect()
    }

    fn score_each(&mut self, rules: &RuleSet, eval: Evaluator, root: &Root, limits: &Limits) -> Scored {
        self.table.forget();
        dispatch(
            rules.shape(),
            rules.movement(),
            ScoreEach { rules, eval, table: &mut self.table, root, limits },
        )
    }
}

/// What a search of every move found.
struct Scored {
    /// The moves with their scores, best first.
    scores: Vec<(Move, i32)>,
    /// The move that was chosen, and its score or, without a move, the result.
    best: Option<Move>,
    score: Score,
    depth: u8,
    nodes: u64,
    seconds: f64,
}

impl Scored {
    fn summary(self) -> Report {
        let Scored { best, score, depth, nodes, seconds, .. } = self;
        let pv: Vec<Move> = best.into_iter().collect();
        Report { best, score, depth, nodes, seconds, lines: vec![Line { score, pv: pv.clone() }], pv }
    }
}

struct Deepen<'a> {
    rules: &'a RuleSet,
    eval: Evaluator,
    table: &'a mut Table,
    root: &'a Root,
    limits: &'a Limits<'a>,
}

impl Job for Deepen<'_> {
    type Output = Report;
    fn run<G: Geometry, R: RuleSource>(self, source: R) -> Report {
        let began = Instant::now();
        let mut search =
            Search::<G, R>::new(source, self.rules, self.eval, self.table, self.root, self.limits);
        let found = search.deepen();
        let score = Score::from_search(found.score);
        let pv: Vec<Move> = found.pv.iter().map(Move::widen).collect();
        Report {
            best: found.best.map(|m| m.widen()),
            score,
            depth: found.depth as u8,
            nodes: search.nodes,
            seconds: began.elapsed().as_secs_f64(),
            lines: vec![Line { score, pv: pv.clone() }],
            pv,
        }
    }
}

struct ScoreEach<'a> {
    rules: &'a RuleSet,
    eval: Evaluator,
    table: &'a mut Table,
    root: &'a Root,
    limits: &'a Limits<'a>,
}

impl Job for ScoreEach<'_> {
    type Output = Scored;
    fn run<G: Geometry, R: RuleSource>(self, source: R) -> Scored {
        let began = Instant::now();
        let mut search =
            Search::<G, R>::new(source, self.rules, self.eval, self.table, self.root, self.limits);
        let each = search.score_each();
        let first = each.scores.first();
        Scored {
            best: first.map(|(m, _)| m.widen()),
            score: Score::from_search(first.map_or_else(|| search.without_moves(0), |(_, score)| *score)),
            scores: each.scores.iter().map(|(m, score)| (m.widen(), *score)).collect(),
            depth: each.depth as u8,
            nodes: search.nodes,
            seconds: began.elapsed().as_secs_f64(),
        }
    }
}
