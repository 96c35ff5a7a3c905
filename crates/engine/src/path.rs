//! The line from the beginning of the game to the position being searched, and the draws that lie on it.

use damiera_rules::draws::{Clause, Counts, Force, Material};
use damiera_rules::game::is_being_won;
use damiera_rules::{Bits, Counters, Geometry, Move, Position, RuleSet};

use crate::random::mix;

/// A counter with no more moves left than this is part of a position's identity in the transposition table: below it, equal
/// positions with different counts may have different results. It lies beyond what the search sees of longer counts.
const NEAR: u16 = 16;

#[derive(Clone, Copy)]
struct Step {
    hash: u64,
    /// How many plies ago the position last changed for good, as far as the search knows.
    reversible: u32,
}

/// The path.
pub(crate) struct Path<'a> {
    rules: &'a RuleSet,
    clauses: &'a [Clause],
    /// The occurrence of a position that draws, where repetition does.
    repetition: Option<u16>,
    /// Whether some clause counts moves even while no king is on the board.
    counts_without_kings: bool,
    steps: Vec<Step>,
    root: usize,
    /// The counters of each ply from the root; where `counted` is false they are out of date.
    counters: Vec<Counters>,
    counted: Vec<bool>,
}

impl<'a> Path<'a> {
    /// `earlier` are the hashes of the positions before the root, `hash` is the root's.
    pub(crate) fn new(
        rules: &'a RuleSet,
        earlier: &[u64],
        hash: u64,
        counters: &Counters,
        plies: usize,
    ) -> Self {
        let clauses = &rules.draws().clauses[..];
        let mut steps: Vec<Step> = (0u32..)
            .zip(earlier.iter().chain([&hash]))
            .map(|(i, &hash)| Step { hash, reversible: i })
            .collect();
        let root = steps.len() - 1;
        steps.resize(root + plies + 2, Step { hash: 0, reversible: 0 });
        Path {
            rules,
            clauses,
            repetition: clauses.iter().find(|c| c.is_repetition()).map(|c| c.limit),
            counts_without_kings: clauses.iter().any(counts_without_kings),
            root,
            steps,
            counters: vec![counters.clone(); plies + 2],
            counted: vec![true; plies + 2],
        }
    }

    /// Goes on by a move from ply to ply + 1.
    #[inline]
    pub(crate) fn push<G: Geometry>(
        &mut self,
        ply: usize,
        before: &Position<G::Set>,
        m: &Move<G::Set>,
        after: &Position<G::Set>,
        hash: u64,
    ) {
        // On the orthogonal board men step sideways and back again.
        let for_good =
            m.is_capture() || m.promotes || (!G::SHAPE.is_orthogonal() && !before.kings().has(m.from));
        let last = self.steps[self.root + ply].reversible;
        self.steps[self.root + ply + 1] = Step { hash, reversible: if for_good { 0 } else { last + 1 } };
        if after.kings().any() || self.counts_without_kings {
            self.count::<G>(ply, before, m, after);
        } else {
            // A move that leaves no king on the board leaves nothing to count, or restarts it.
            self.counted[ply + 1] = false;
        }
    }

    fn count<G: Geometry>(
        &mut self,
        ply: usize,
        before: &Position<G::Set>,
        m: &Move<G::Set>,
        after: &Position<G::Set>,
    ) {
        let after = after.widen();
        if self.counted[ply] {
            let (done, rest) = self.counters.split_at_mut(ply + 1);
            rest[0].clone_from(&done[ply]);
            rest[0].count(G::SHAPE, self.clauses, &before.widen(), &m.widen(), &after);
        } else {
            self.counters[ply + 1] = Counters::new(G::SHAPE, self.clauses, &after);
        }
        self.counted[ply + 1] = true;
    }

    /// Returns true when the position at `ply` stood on the board before: once in the line that is being searched, or often
    /// enough in the game so far. A repetition inside the search gains nothing, so it counts as a draw at once.
    #[inline]
    pub(crate) fn is_repetition(&self, ply: usize) -> bool {
        let at = self.root + ply;
        let Step { hash, reversible } = self.steps[at];
        if reversible < 4 {
            return false;
        }
        let first = at - (reversible as usize).min(at);
        let mut occurrences = 1;
        let mut i = at;
        while i >= first + 2 {
            i -= 2;
            if self.steps[i].hash == hash {
                if i >= self.root {
                    return true;
                }
                occurrences += 1;
            }
        }
        self.repetition.is_some_and(|limit| occurrences >= limit)
    }

    /// Returns true when a draw clause other than repetition is full at `ply`. A side without a move has lost all the same: the
    /// caller looks at that first.
    pub(crate) fn is_drawn(&self, ply: usize, position: &Position) -> bool {
        self.counted[ply]
            && (0..self.clauses.len()).any(|i| {
                self.counters[ply].is_full(self.clauses, i)
                    && !(self.clauses[i].unless_won && is_being_won(self.rules, position))
            })
    }

    /// Returns true when some counter is full at `ply`, which [`Path::is_drawn`] looks at closer.
    #[inline]
    pub(crate) fn has_full_counter(&self, ply: usize) -> bool {
        self.counted[ply] && (0..self.clauses.len()).any(|i| self.counters[ply].is_full(self.clauses, i))
    }

    /// Returns how many plies may follow on `ply` at most before some running counter is full that [`Path::key`] leaves out; a capture or a
    /// man's move may give more.
    #[cold]
    pub(crate) fn plies_left(&self, ply: usize) -> i32 {
        if !self.counted[ply] {
            return i32::MAX;
        }
        let left = |(i, clause): (usize, &Clause)| {
            let counter = self.counters[ply].get(i);
            let moves = clause.limit.saturating_sub(counter.count(clause.of));
            (counter.runs() && !clause.is_repetition() && moves > NEAR).then(|| 2 * i32::from(moves))
        };
        self.clauses.iter().enumerate().filter_map(left).min().unwrap_or(i32::MAX)
    }

    /// Returns what tells apart equal positions with different counts.
    #[inline]
    pub(crate) fn key(&self, ply: usize) -> u64 {
        if !self.counted[ply] {
            return 0;
        }
        let mut key = 0;
        for (i, clause) in self.clauses.iter().enumerate() {
            let counter = self.counters[ply].get(i);
            let count = counter.count(clause.of);
            if counter.runs() && !clause.is_repetition() && clause.limit.saturating_sub(count) <= NEAR {
                key ^= mix((i as u64 + 1) << 40 | u64::from(counter.plies()) << 20 | u64::from(count));
            }
        }
        key
    }
}

/// Returns true when the clause counts something while no king is on the board.
fn counts_without_kings(clause: &Clause) -> bool {
    let needs_king = |force: &Force| force.kings.0 > 0;
    let material_needs_king = |m: &Material| needs_king(&m.strong) || needs_king(&m.weak);
    match clause.counts {
        // A king's move in a row of king moves needs a king.
        Counts::Repetition { .. } | Counts::KingMoves => false,
        Counts::NoCaptureNoPromotion | Counts::Material | Counts::Balance => {
            clause.within.is_empty() || !clause.within.iter().all(material_needs_king)
        }
    }
}
