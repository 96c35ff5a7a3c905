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
            Question::Move(_) => thought(&self.game.legal_moves(), whim),
        };
        Duration::from_millis(millis.min(LONGEST))
    }
}

fn thought(legal: &[Move], whim: u64) -> u64 {
    if legal.len() < 2 {
        return FORCED;
    }
    let each = if legal.iter().all(Move::is_capture) { A_CAPTURE } else { A_MOVE };
    let weighed = legal.len().min(WEIGHED) as u64;
    LOOK + each * weighed + whim
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, Message, New, Seat, Seats, Table};

    /// Returns how long a person takes over White's move in this position, under different seeds.
    fn paces(fen: &str) -> Vec<Duration> {
        let seats = Seats { white: Seat::Computer(Level::BEST), black: Seat::Person };
        let new = New { rules: "italian".into(), seats, fen: Some(fen.into()), opening: None };
        let pace = |seed: u64| {
            let (table, _) = Table::create("g", new.clone(), seed << 32, 0).expect("a position");
            table.pending().expect("White is to move").pace()
        };
        (0..2 * WHIM).map(pace).collect()
    }

    #[test]
    fn a_move_without_a_choice_comes_soon_and_no_other_later_than_two_seconds() {
        let forced = paces("W:W21:B18,1");
        assert!(forced.iter().all(|pace| *pace == Duration::from_millis(FORCED)), "{forced:?}");
        let few = paces("W:W21:B1");
        let many = paces("W:WK13,K14,K15,K20,K22,K23,K24,K25,K26:B1");
        for pace in few.iter().chain(&many) {
            assert!((FORCED..=LONGEST).contains(&(pace.as_millis() as u64)), "{pace:?}");
        }
        assert!(few.iter().max() < many.iter().max());
    }

    #[test]
    fn a_hint_is_given_at_once() {
        let seats = Seats { white: Seat::Person, black: Seat::Person };
        let new = New { rules: "italian".into(), seats, fen: None, opening: None };
        let (mut table, _) = Table::create("g", new, 7, 0).expect("known rules");
        let hint = Message::read(r#"{"t":"hint","id":"1","game":"g","ply":0}"#).expect("a message");
        assert!(table.handle(&hint, 0).expect("a hint").hint);
        assert_eq!(table.hint_task().pace(), Duration::ZERO);
    }
}
