//! A game from its first position to its end: moves, counters, results and claims. It owns its counters; it reads no clock.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::bits::Bits;
use crate::draws::{Clause, Counters, Counts, Mode, Of};
use crate::position::{Move, Position, Side};
use crate::ruleset::{Goal, RuleSet};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The side to move has no legal move.
    NoMoves,
    /// The side to move has no piece left.
    NoPieces,
    /// A man was crowned and that wins.
    FirstKing,
    /// The draw clause with this index was reached or claimed.
    Clause(usize),
    /// The players agreed on a draw.
    Agreement,
    /// A player gave up.
    Resigned,
}

/// The result of a game that is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// How.
    pub end: End,
}

impl Outcome {
    /// Returns the word for the end: the draw clause's id, or `no-moves`, `no-pieces`, `first-king`, `agreement`, `resigned`.
    pub fn clause<'a>(&self, rules: &'a RuleSet) -> &'a str {
        match self.end {
            End::NoMoves => "no-moves",
            End::NoPieces => "no-pieces",
            End::FirstKing => "first-king",
            End::Clause(i) => rules.draws().clauses.get(i).map_or("draw", |clause| clause.id.as_ref()),
            End::Agreement => "agreement",
            End::Resigned => "resigned",
        }
    }
    /// Returns the word for the result: `white`, `black` or `draw`.
    pub fn word(&self) -> &'static str {
        self.winner.map_or("draw", |side| if side.is_white() { "white" } else { "black" })
    }
}

/// Why a move was not played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayError {
    /// The move is not legal in this position.
    Illegal(Move),
    /// The game was over already.
    Over(Outcome),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Illegal(_) => f.write_str("the move is not legal here"),
            PlayError::Over(_) => f.write_str("the game is over"),
        }
    }
}

impl core::error::Error for PlayError {}

/// What one draw clause has counted, for people.
#[derive(Clone, Debug)]
pub struct CounterState<'a> {
    /// The clause.
    pub clause: &'a Clause,
    /// Occurrences, or moves of each side (of the named side where the clause names one).
    pub count: u16,
    /// How many there may be.
    pub limit: u16,
    /// Counted plies; for repetition the same as `count`.
    pub plies: u16,
    /// The plies at which the clause is full; for a clause of one side's moves that side's, as `limit`.
    pub plies_limit: u16,
}

/// A game under a rule set.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Arc<RuleSet>,
    /// The positions before the first ply and after each.
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// The counters belonging to `positions`.
    counters: Vec<Counters>,
    outcome: Option<Outcome>,
}

impl Game {
    /// Returns a game that begins with this position. It may be over at once, when the side to move has no move; draws are not judged
    /// before the first ply.
    pub fn new(rules: Arc<RuleSet>, start: Position) -> Game {
        let counters = Counters::new(rules.shape(), &rules.draws().clauses, &start);
        let mut game = Game {
            rules,
            positions: alloc::vec![start],
            moves: Vec::new(),
            counters: alloc::vec![counters],
            outcome: None,
        };
        game.outcome = game.without_moves();
        game
    }
    /// Returns the rules.
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }
    /// Returns the position on the board.
    pub fn position(&self) -> &Position {
        // There is always the position before the first ply.
        &self.positions[self.positions.len() - 1]
    }
    /// Returns the positions before the first ply and after each.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }
    /// Returns the moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
    /// Returns how many plies were played.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }
    /// Returns the counters of the draw clauses.
    pub fn counters(&self) -> &Counters {
        &self.counters[self.counters.len() - 1]
    }
    /// Returns the result, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
    /// Returns the legal moves; none once the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.outcome.is_some() { Vec::new() } else { self.rules.moves(self.position()) }
    }
    /// Plays a move.
    pub fn play(&mut self, m: &Move) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome {
            return Err(PlayError::Over(outcome));
        }
        if !self.rules.moves(self.position()).contains(m) {
            return Err(PlayError::Illegal(*m));
        }
        let before = *self.position();
        let after = self.rules.after(&before, m);
        let mut counters = self.counters().clone();
        counters.count(self.rules.shape(), &self.rules.draws().clauses, &before, m, &after);
        self.positions.push(after);
        self.moves.push(*m);
        self.counters.push(counters);
        self.outcome = self.judge(m);
        Ok(())
    }
    /// Takes back the last ply, also after the end of the game. Returns false when none was played.
    pub fn take_back(&mut self) -> bool {
        if self.moves.pop().is_none() {
            return false;
        }
        self.positions.pop();
        self.counters.pop();
        self.outcome = None;
        true
    }
    /// Ends the game because a player gives up. Returns false when it was over already.
    pub fn resign(&mut self, side: Side) -> bool {
        self.finish(Outcome { winner: Some(side.other()), end: End::Resigned })
    }
    /// Ends the game by agreement. Returns false when it was over already.
    pub fn agree_draw(&mut self) -> bool {
        self.finish(Outcome { winner: None, end: End::Agreement })
    }
    /// Ends the game by a claim of the player to move. Returns false when the clause cannot be claimed now.
    pub fn claim(&mut self, id: &str) -> bool {
        let clauses = &self.rules.draws().clauses;
        let Some(i) = self.claimable().into_iter().find(|i| clauses[*i].id == id) else { return false };
        self.finish(Outcome { winner: None, end: End::Clause(i) })
    }
    fn finish(&mut self, outcome: Outcome) -> bool {
        if self.outcome.is_some() {
            return false;
        }
        self.outcome = Some(outcome);
        true
    }
    /// Returns the indices of the draw clauses that the player to move may claim now.
    pub fn claimable(&self) -> Vec<usize> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        self.full(Mode::Claim).collect()
    }
    /// Returns the clause that draws this game, at the end of a line that is drawn: the one that has ended it, the first that may be claimed, or
    /// the repetition that has begun. `None` where the game does not show it.
    pub fn drawing_clause(&self) -> Option<&Clause> {
        let clauses = &self.rules.draws().clauses;
        let ended = match self.outcome.as_ref().map(|outcome| outcome.end) {
            Some(End::Clause(i)) => Some(i),
            _ => None,
        };
        let full = ended.or_else(|| self.claimable().first().copied()).and_then(|i| clauses.get(i));
        full.or_else(|| clauses.iter().find(|clause| clause.is_repetition() && self.occurrences() > 1))
    }
    /// Returns how often the position on the board has occurred, this time included.
    pub fn occurrences(&self) -> u16 {
        self.occurrences_of(self.position())
    }
    fn occurrences_of(&self, position: &Position) -> u16 {
        let n = self.positions.iter().filter(|earlier| *earlier == position).count();
        u16::try_from(n).unwrap_or(u16::MAX)
    }
    /// Returns what the draw clauses have counted; clauses whose material is not on the board are left out.
    pub fn counter_states(&self) -> Vec<CounterState<'_>> {
        let clauses = &self.rules.draws().clauses;
        let state = |(i, clause)| self.counter_state(i, clause);
        clauses.iter().enumerate().filter_map(state).collect()
    }
    fn counter_state<'a>(&'a self, i: usize, clause: &'a Clause) -> Option<CounterState<'a>> {
        let limit = clause.limit;
        if clause.is_repetition() {
            let count = self.occurrences();
            return Some(CounterState { clause, count, limit, plies: count, plies_limit: limit });
        }
        let counter = self.counters().get(i);
        if !counter.runs() {
            return None;
        }
        let count = counter.count(clause.of);
        let (plies, plies_limit) = match clause.of {
            Of::Each => (counter.plies(), limit.saturating_mul(2)),
            Of::Strong | Of::Weak => (count, limit),
        };
        Some(CounterState { clause, count, limit, plies, plies_limit })
    }
    /// Judges the position after a move. A win stands before a draw; of clauses met together the first is named.
    fn judge(&self, m: &Move) -> Option<Outcome> {
        if self.rules.goal() == Goal::FirstKing && m.promotes {
            return Some(Outcome { winner: Some(self.position().side().other()), end: End::FirstKing });
        }
        self.without_moves().or_else(|| {
            let i = self.full(Mode::Automatic).next()?;
            Some(Outcome { winner: None, end: End::Clause(i) })
        })
    }
    /// Judges a side to move that cannot.
    fn without_moves(&self) -> Option<Outcome> {
        let position = self.position();
        let side = position.side();
        let end = if position.pieces(side).is_empty() {
            End::NoPieces
        } else if self.rules.moves(position).is_empty() {
            End::NoMoves
        } else {
            return None;
        };
        let winner = if self.rules.goal() == Goal::Losing { side } else { side.other() };
        Some(Outcome { winner: Some(winner), end })
    }
    fn full(&self, mode: Mode) -> impl Iterator<Item = usize> + '_ {
        let clauses = &self.rules.draws().clauses;
        clauses.iter().enumerate().filter(move |(i, c)| c.mode == mode && self.is_full(*i, c)).map(|(i, _)| i)
    }
    fn is_full(&self, i: usize, clause: &Clause) -> bool {
        match clause.counts {
            Counts::Repetition { ahead: false } => self.occurrences() >= clause.limit,
            Counts::Repetition { ahead: true } => {
                let position = self.position();
                self.rules
                    .moves(position)
                    .iter()
                    .any(|m| self.occurrences_of(&self.rules.after(position, m)) + 1 >= clause.limit)
            }
            _ => {
                self.counters().is_full(&self.rules.draws().clauses, i)
                    && !(clause.unless_won && is_being_won(&self.rules, self.position()))
            }
        }
    }
    /// Returns a short description for logs.
    pub fn describe(&self) -> String {
        crate::fen::format(&self.rules, self.position())
    }
}

/// Returns true when a piece is won at once or by force with the next move: the side to move can capture; or whatever it plays, the other side can; or
/// it has a quiet move after which it captures whatever the other side plays.
pub fn is_being_won(rules: &RuleSet, position: &Position) -> bool {
    let can_capture = |p: &Position| !rules.captures(p).is_empty();
    if can_capture(position) {
        return true;
    }
    let replies: Vec<Position> = rules.moves(position).iter().map(|m| rules.after(position, m)).collect();
    if replies.is_empty() || replies.iter().all(can_capture) {
        return true;
    }
    replies.iter().filter(|p| !can_capture(p)).any(|p| {
        let answers = rules.moves(p);
        !answers.is_empty() && answers.iter().all(|m| can_capture(&rules.after(p, m)))
    })
}
