//! The engine as an opponent.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use damiera_engine::{Engine, Level, Limits, Report, Root, Score, accepts_draw};
use damiera_rules::Game;

use crate::opponent::{Choice, Estimate, Opponent};

/// What the three levels of the table are: a level of the engine, and how many nodes the best of them may look at.
fn strength(level: u8) -> Option<(Level, Option<u64>)> {
    match level {
        1 => Level::new(3).map(|level| (level, None)),
        2 => Level::new(7).map(|level| (level, None)),
        3 => Some((Level::BEST, Some(BEST_NODES))),
        _ => None,
    }
}

/// What takes at most two seconds on an ordinary machine.
const BEST_NODES: u64 = 1_000_000;
/// The size of one engine's table, in megabytes.
const TABLE_MB: usize = 32;
/// How long the position is looked at when a draw is offered, in nodes.
const OFFER_NODES: u64 = 200_000;
/// So many scores are wanted when a draw is offered.
const WANTED_SCORES: usize = 3;

/// The engine as an opponent. Engines are lent out, one a question, and kept for the next.
#[derive(Default)]
pub struct Computer {
    idle: Mutex<Vec<Engine>>,
}

impl Computer {
    fn with_engine<T>(&self, ask: impl FnOnce(&mut Engine) -> T) -> T {
        // An engine is lent outside the lock, so a panic elsewhere cannot leave one half used.
        let lent = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut engine = lent.unwrap_or_else(|| Engine::new(TABLE_MB));
        // What another game taught it, perhaps under other rules, must not answer here.
        engine.forget();
        let answer = ask(&mut engine);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
        answer
    }
}

impl Opponent for Computer {
    fn choose(&self, game: &Game, level: u8, seed: u64, stop: &AtomicBool) -> Option<Choice> {
        let (level, nodes) = strength(level)?;
        let limits = Limits { nodes, stop: Some(stop), ..Limits::default() };
        let report =
            self.with_engine(|engine| level.choose(engine, game.rules(), &Root::of(game), seed, &limits));
        Some(Choice { m: report.best?, score: estimate(report.score) })
    }

    fn accepts_draw(&self, game: &Game, scores: &[Estimate]) -> bool {
        let limits = Limits::nodes(OFFER_NODES);
        let now: Report = self.with_engine(|engine| engine.search(game.rules(), &Root::of(game), &limits));
        // The person is to move; the computer sees the position from the other side.
        let now = now.score.reversed();
        let mut scores: Vec<Score> = scores.iter().copied().map(score).collect();
        scores.push(now);
        // A game that was set up in the middle has no past to look at: then the present counts for it.
        if game.positions().first() != Some(&game.rules().initial()) {
            let missing = WANTED_SCORES.saturating_sub(scores.len());
            scores.extend(std::iter::repeat_n(now, missing));
        }
        accepts_draw(game.rules(), &scores)
    }
}

fn estimate(score: Score) -> Estimate {
    match score {
        Score::Value(hundredths) => Estimate::Value(hundredths),
        Score::Win(plies) => Estimate::Win(plies),
        Score::Loss(plies) => Estimate::Loss(plies),
        Score::Draw => Estimate::Draw,
    }
}

fn score(estimate: Estimate) -> Score {
    match estimate {
        Estimate::Value(hundredths) => Score::Value(hundredths),
        Estimate::Win(plies) => Score::Win(plies),
        Estimate::Loss(plies) => Score::Loss(plies),
        Estimate::Draw => Score::Draw,
    }
}
