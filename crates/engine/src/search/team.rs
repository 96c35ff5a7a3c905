//! Several threads that search the same position and learn from each other through the transposition table ("lazy SMP"): each goes its own
//! way, for they begin at different depths and find each other's results at different moments.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Builder;

use damiera_rules::{Geometry, Job, Move, RuleSet, RuleSource};

use super::root::{Found, MAX_DEPTH, RootMove};
use super::{Search, Shared, Task};
use crate::eval::Evaluator;
use crate::steps::Steps;
use crate::table::Table;
use crate::time::Timer;
use crate::{Limits, Line, Report, Root, Score};

/// What is to be searched, within which limits and with what.
pub(crate) struct Query<'a> {
    pub(crate) set: &'a RuleSet,
    pub(crate) eval: Evaluator,
    pub(crate) table: &'a Table,
    pub(crate) root: &'a Root,
    pub(crate) limits: &'a Limits<'a>,
    pub(crate) steps: Steps,
}

impl Query<'_> {
    /// Returns the task of the thread that keeps to the limits.
    fn task<'a>(&'a self, shared: &'a Shared<'a>, timer: &'a Timer<'a>) -> Task<'a> {
        Task {
            set: self.set,
            eval: &self.eval,
            root: self.root,
            shared,
            steps: self.steps,
            timer: Some(timer),
            nodes: self.limits.nodes.unwrap_or(u64::MAX),
            depth: self.limits.depth.map_or(MAX_DEPTH, |depth| i32::from(depth).min(MAX_DEPTH)),
        }
    }
}

/// A search for the best lines.
pub(crate) struct Deepen<'a> {
    pub(crate) query: Query<'a>,
    pub(crate) threads: usize,
    pub(crate) lines: usize,
    pub(crate) watch: &'a mut dyn FnMut(&Report),
}

impl Job for Deepen<'_> {
    type Output = Report;

    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> Report {
        let timer = Timer::new(self.query.limits);
        let shared = Shared::new(self.query.table);
        let main = self.query.task(&shared, &timer);
        let helper = Task { timer: None, nodes: u64::MAX, depth: MAX_DEPTH, ..main };
        std::thread::scope(|scope| {
            // However this search ends, the helpers end with it.
            let _halt = Halt(&shared.halt);
            for number in 1..self.threads {
                // Where the system has no more threads to give, fewer help.
                let spawned =
                    Builder::new().spawn_scoped(scope, move || help::<G, R>(rules, &helper, number));
                if spawned.is_err() {
                    break;
                }
            }
            let mut search = Search::<G, R>::new(rules, &main);
            let mut tell = |found: &Found<'_, G::Set>| (self.watch)(&report(found, &timer));
            let (moves, depth) = search.deepen(self.lines, 1, &mut tell);
            let count = self.lines.clamp(1, moves.len().max(1)).min(moves.len());
            let found = Found { lines: &moves[..count], depth, nodes: search.node_count() };
            if moves.is_empty() { without_moves(search.no_move(), &timer) } else { report(&found, &timer) }
        })
    }
}

/// Ends the helping threads when it goes.
struct Halt<'a>(&'a AtomicBool);

impl Drop for Halt<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<'a> Shared<'a> {
    fn new(table: &'a Table) -> Shared<'a> {
        Shared { table, halt: AtomicBool::new(false), helped: AtomicU64::new(0) }
    }
}

/// Searches along until the search is over; half of the helpers are a ply ahead.
fn help<G: Geometry, R: RuleSource>(rules: R, task: &Task, number: usize) {
    let mut search = Search::<G, R>::new(rules, task);
    search.deepen(1, 1 + (number % 2) as i32, &mut |_| {});
}

fn report<S: damiera_rules::Bits>(found: &Found<'_, S>, timer: &Timer) -> Report {
    let lines: Vec<Line> = found.lines.iter().map(line).collect();
    let first = lines.first().cloned().unwrap_or(Line { score: Score::Draw, pv: Vec::new() });
    Report {
        best: first.pv.first().copied(),
        score: first.score,
        depth: found.depth as u8,
        nodes: found.nodes,
        seconds: timer.seconds(),
        pv: first.pv,
        lines,
    }
}

fn line<S: damiera_rules::Bits>(m: &RootMove<S>) -> Line {
    Line { score: Score::from_search(m.score), pv: m.pv.iter().map(Move::widen).collect() }
}

fn without_moves(score: i32, timer: &Timer) -> Report {
    let score = Score::from_search(score);
    Report {
        best: None,
        score,
        depth: 0,
        nodes: 0,
        seconds: timer.seconds(),
        pv: Vec::new(),
        lines: Vec::new(),
    }
}

/// A search for the scores of all moves that are about as good as the best.
pub(crate) struct ScoreClose<'a> {
    pub(crate) query: Query<'a>,
    /// How much worse than the best move a move may be, in hundredths of a man.
    pub(crate) margin: i32,
}

impl Job for ScoreClose<'_> {
    type Output = Report;

    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> Report {
        let timer = Timer::new(self.query.limits);
        let shared = Shared::new(self.query.table);
        let task = self.query.task(&shared, &timer);
        let mut search = Search::<G, R>::new(rules, &task);
        let (moves, depth) =
            if task.depth == 0 { (search.glance(), 0) } else { search.score_close(self.margin) };
        if moves.is_empty() {
            return without_moves(search.no_move(), &timer);
        }
        report(&Found { lines: &moves, depth, nodes: search.node_count() }, &timer)
    }
}
