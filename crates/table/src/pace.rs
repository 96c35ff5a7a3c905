//! How long a person would have thought about a move: the computer's answer would otherwise come before the eye has followed one's own.

use std::time::Duration;

use damiera_rules::Move;

use crate::opponent::{Question, Task};

/// A move without a choice.
const FORCED: u64 = 400;
/// Answering an offer of a draw.
const OFFER: u64 = 900;
/// Looking at the board before anything else.
const LOOK: u64 = 550;
/// Each further way to play or to capture.
const A_MOVE: u64 = 60;
const A_CAPTURE: u64 = 120;
/// So many ways are weighed; the others are passed over.
const WEIGHED: usize = 15;
/// People are not clocks: up to so much more, by the seed.
const WHIM: u64 = 500;
/// Nobody is kept waiting longer.
const LONGEST: u64 = 2_000;

impl Task {
    /// Returns how long a person would have taken for the answer: 0.4 to 2 s, more where there is more to choose from. A hint is given at once.
    pub fn pace(&self) -> Duration {
        let whim = (self.seed >> 32) % WHIM;
        let millis = match self.question {
            Question::Hint => 0,
            Question::Draw(_) => OFFER + whim,
            Question::Move(_) => thought(&self.game.legal_moves()) + whim,
        };
        Duration::from_millis(millis.min(LONGEST))
    }
}

fn thought(legal: &[Move]) -> u64 {
    if legal.len() < 2 {
        return FORCED;
    }
    let each = if legal.iter().all(Move::is_capture) { A_CAPTURE } else { A_MOVE };
    let weighed = legal.len().min(WEIGHED) as u64;
    LOOK + each * weighed
}
