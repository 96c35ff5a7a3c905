//! The engine as an opponent.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use damiera_engine::{Engine, Level, Limits, Report, Root, Score, accepts_draw};
use damiera_rules::{Game, Move};

use crate::opponent::{Choice, Estimate, Findings, Opponent};

/// The size of one engine's table, in megabytes.
const TABLE_MB: usize = 32;
/// How long the position is looked at when a draw is offered, in nodes.
const OFFER_NODES: u64 = 200_000;
/// So many scores are wanted when a draw is offered.
const WANTED_SCORES: usize = 3;
/// How much a hint looks at, in nodes: more than the strongest level with a number.
const HINT_NODES: u64 = 1_000_000;

/// The engine as an opponent. Engines are lent out, one a question, and kept for the next.
pub struct Computer {
    /// How long the best level thinks about a move.
    time: Duration,
    idle: Mutex<Vec<Engine>>,
}

impl Computer {
    /// Returns a computer that thinks so long about a move when it plays its best. Every other level has its nodes.
    pub fn new(time: Duration) -> Computer {
        Computer { time, idle: Mutex::default() }
    }

    fn with_engine<T>(&self, ask: impl FnOnce(&mut Engine) -> T) -> T {
        // An engine is lent outside the lock, so a panic elsewhere cannot leave one half used.
        let lent = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut engine = lent.unwrap_or_else(|| Engine::new(TABLE_MB));
        let answer = ask(&mut engine);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
        answer
    }
}

impl Opponent for Computer {
    fn choose(&self, game: &Game, level: Level, seed: u64, stop: &AtomicBool) -> Option<Choice> {
        let time = (level == Level::BEST).then_some(self.time);
        let limits = Limits { time, stop: Some(stop), ..Limits::default() };
        let report =
            self.with_engine(|engine| level.choose(engine, game.rules(), &Root::of(game), seed, &limits));
        Some(Choice { m: report.best?, score: estimate(report.score) })
    }

    fn hint(&self, game: &Game, stop: &AtomicBool) -> Option<Move> {
        let limits = Limits { stop: Some(stop), ..Limits::nodes(HINT_NODES) };
        self.with_engine(|engine| engine.search(game.rules(), &Root::of(game), &limits)).best
    }

    fn accepts_draw(&self, game: &Game, scores: &[Estimate]) -> bool {
        let limits = Limits::nodes(OFFER_NODES);
        let now: Report = self.with_engine(|engine| {
            engine.forget();
            engine.search(game.rules(), &Root::of(game), &limits)
        });
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

    fn analyze(
        &self,
        game: &Game,
        lines: usize,
        longest: Duration,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&Findings),
    ) -> Findings {
        let limits = Limits { time: Some(longest), stop: Some(stop), ..Limits::default() };
        let root = Root::of(game);
        let report = self.with_engine(|engine| {
            engine.analyze(game.rules(), &root, &limits, lines, &mut |report| watch(&findings(report)))
        });
        findings(&report)
    }
}

fn findings(report: &Report) -> Findings {
    let lines = report.lines.iter().map(|line| (estimate(line.score), line.pv.clone())).collect();
    Findings { depth: report.depth, nodes: report.nodes, seconds: report.seconds, lines }
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
