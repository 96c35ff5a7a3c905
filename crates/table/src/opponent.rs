//! How a seat reaches the computer: a trait, so that a program without a search can still host people.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use damiera_engine::Level;
use damiera_rules::{Game, Move};
use serde::{Deserialize, Serialize};

/// How the computer judges a position for itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Estimate {
    /// An estimate in hundredths of a man.
    Value(i32),
    /// It wins in so many plies.
    Win(u16),
    /// It loses in so many plies.
    Loss(u16),
    /// The game will be drawn.
    Draw,
}

/// A move that the computer chose.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The move.
    pub m: Move,
    /// What it thinks of its position.
    pub score: Estimate,
}

/// What an analysis has found so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Findings {
    /// The deepest iteration that was finished.
    pub depth: u8,
    /// How many positions were entered.
    pub nodes: u64,
    /// How long it has taken, in seconds.
    pub seconds: f64,
    /// The best lines, best first: what the player to move may expect, and the moves.
    pub lines: Vec<(Estimate, Vec<Move>)>,
}

/// A computer player. Its calls may take long: they are made where waiting hurts nobody.
pub trait Opponent: Send + Sync {
    /// Chooses a move for the side to move. `None` only where there is none, or when `stop` was set before one was found.
    fn choose(&self, game: &Game, level: Level, seed: u64, stop: &AtomicBool) -> Option<Choice>;
    /// Returns a good move for a person. `None` as for [`Opponent::choose`].
    fn hint(&self, game: &Game, stop: &AtomicBool) -> Option<Move>;
    /// Decides about a draw offered by the side to move. `scores` are what the other side thought at its moves of the last ten plies, oldest
    /// first.
    fn accepts_draw(&self, game: &Game, scores: &[Estimate]) -> bool;
    /// Looks for the best `lines` moves, tells `watch` after every iteration what was found so far, and returns the last of it.
    fn analyze(
        &self,
        game: &Game,
        lines: usize,
        longest: Duration,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&Findings),
    ) -> Findings;
}

/// What the table asks of the computer.
#[derive(Clone, Debug)]
pub struct Task {
    /// The number of the last event: an answer to an older task changes nothing.
    pub seq: u64,
    /// What is asked.
    pub question: Question,
    /// The seed for choices.
    pub seed: u64,
    /// The game as it stands.
    pub game: Game,
    /// Set it when the answer is not wanted any longer.
    pub stop: Arc<AtomicBool>,
}

/// A question to the computer.
#[derive(Clone, PartialEq, Debug)]
pub enum Question {
    /// Its move, at this level.
    Move(Level),
    /// A good move for the person.
    Hint,
    /// Whether it accepts a draw, with its scores of the last ten plies.
    Draw(Vec<Estimate>),
}

/// The computer's answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The number of the event after which it was asked.
    pub seq: u64,
    /// The answer.
    pub said: Said,
}

/// What the computer said.
#[derive(Clone, PartialEq, Debug)]
pub enum Said {
    /// Its move.
    Move(Option<Choice>),
    /// A move for the person.
    Hint(Option<Move>),
    /// Whether it accepts the draw.
    Draw(bool),
}

impl Task {
    /// Lets the computer answer. This takes as long as the level takes.
    pub fn answer(&self, opponent: &dyn Opponent) -> Answer {
        let said = match &self.question {
            Question::Move(level) => Said::Move(opponent.choose(&self.game, *level, self.seed, &self.stop)),
            Question::Hint => Said::Hint(opponent.hint(&self.game, &self.stop)),
            Question::Draw(scores) => Said::Draw(opponent.accepts_draw(&self.game, scores)),
        };
        Answer { seq: self.seq, said }
    }
}
