//! The analysis of a position: what the computer thinks, told while it thinks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use damiera_rules::{Game, Move};
use serde::Serialize;

use crate::json::{self, MoveJson};
use crate::opponent::{Estimate, Findings, Opponent};
use crate::reply::AnalysisJson;

/// The most lines of an analysis.
pub(crate) const MOST_LINES: usize = 5;
/// How long an analysis goes on at most; whoever wants more asks again.
const LONGEST: Duration = Duration::from_secs(60);
/// Iterations that follow each other faster are not told one by one.
const TELLING: f64 = 0.05;

/// An analysis that was asked for.
#[derive(Clone, Debug)]
pub struct Analysis {
    id: String,
    table: String,
    game: Game,
    lines: usize,
    stop: Arc<AtomicBool>,
}

// Two are the same when the same message asked for them.
impl PartialEq for Analysis {
    fn eq(&self, other: &Analysis) -> bool {
        Arc::ptr_eq(&self.stop, &other.stop)
    }
}

impl Analysis {
    pub(crate) fn new(id: &str, table: &str, game: Game, lines: usize) -> Analysis {
        Analysis { id: id.to_string(), table: table.to_string(), game, lines, stop: Arc::default() }
    }

    /// Returns what stops it: set it when nobody wants to know any longer.
    pub fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Analyses until it is stopped, the minute is over or everything is known. `tell` hears what was found so far; the last word is marked as such.
    pub fn run(&self, opponent: &dyn Opponent, tell: &mut dyn FnMut(AnalysisJson)) {
        let mut told_at = 0.0;
        let mut watch = |findings: &Findings| {
            if findings.seconds - told_at >= TELLING && !self.stop.load(Ordering::Relaxed) {
                told_at = findings.seconds;
                tell(self.words(findings, false));
            }
        };
        let found = opponent.analyze(&self.game, self.lines, LONGEST, &self.stop, &mut watch);
        tell(self.words(&found, true));
    }

    fn words(&self, found: &Findings, done: bool) -> AnalysisJson {
        AnalysisJson {
            id: self.id.clone(),
            game: self.table.clone(),
            ply: self.game.ply(),
            depth: found.depth,
            nodes: found.nodes,
            seconds: found.seconds,
            nodes_per_second: (found.nodes as f64 / found.seconds.max(1e-6)) as u64,
            lines: found.lines.iter().map(|(score, moves)| line_json(&self.game, *score, moves)).collect(),
            done,
        }
    }
}

/// What the player to move may expect.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineScore {
    /// An estimate, in men.
    Men(f64),
    /// It wins in so many plies.
    WinIn(u16),
    /// It loses in so many plies.
    LossIn(u16),
    /// The game is drawn, by this clause where the line shows it.
    Draw(Option<String>),
}

/// A line: what the player to move may expect, and the moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LineJson {
    /// The score.
    pub score: LineScore,
    /// The moves, the first one for the player to move.
    pub pv: Vec<MoveJson>,
}

/// Plays a line on, as far as the game goes, and says what it comes to.
fn line_json(game: &Game, score: Estimate, moves: &[Move]) -> LineJson {
    let mut game = game.clone();
    let mut pv = Vec::with_capacity(moves.len());
    for m in moves {
        let (before, legal) = (*game.position(), game.legal_moves());
        if game.play(m).is_err() {
            break;
        }
        pv.push(json::short_move_json(game.rules(), &before, &legal, m));
    }
    let score = match score {
        Estimate::Value(hundredths) => LineScore::Men(f64::from(hundredths) / 100.0),
        Estimate::Win(plies) => LineScore::WinIn(plies),
        Estimate::Loss(plies) => LineScore::LossIn(plies),
        Estimate::Draw => LineScore::Draw(game.drawing_clause().map(|clause| clause.id.to_string())),
    };
    LineJson { score, pv }
}
