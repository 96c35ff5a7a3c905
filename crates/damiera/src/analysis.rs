//! A line of the engine as the command line prints it.

use std::fmt;

use damiera_engine::Score;
use damiera_rules::{Clause, Game, Move, notation};
use serde::Serialize;

/// A line: what the player to move may expect, and the moves.
#[derive(Serialize)]
pub(crate) struct LineJson {
    pub(crate) score: LineScore,
    pub(crate) pv: Vec<String>,
}

/// What the player to move may expect.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LineScore {
    /// An estimate, in men.
    Men(f64),
    /// It wins in so many plies.
    WinIn(u16),
    /// It loses in so many plies.
    LossIn(u16),
    /// The game is drawn, by the clause with this name.
    Draw(Option<String>),
}

impl LineJson {
    /// Plays a line on from a game, as far as the game goes, and says what it comes to.
    pub(crate) fn new(game: &Game, score: Score, moves: &[Move]) -> LineJson {
        let mut line = game.clone();
        let mut pv = Vec::with_capacity(moves.len());
        for m in moves {
            let text = notation::format(line.rules(), line.position(), &line.legal_moves(), m);
            if line.play(m).is_err() {
                break;
            }
            pv.push(text);
        }
        let score = match score {
            Score::Value(hundredths) => LineScore::Men(f64::from(hundredths) / 100.0),
            Score::Win(plies) => LineScore::WinIn(plies),
            Score::Loss(plies) => LineScore::LossIn(plies),
            Score::Draw => LineScore::Draw(drawing_clause(&line).map(|clause| clause.id.to_string())),
        };
        LineJson { score, pv }
    }

    /// Returns what a game has come to that is over: a line without moves.
    pub(crate) fn of_end(game: &Game) -> Option<LineJson> {
        let score = match game.outcome()?.winner {
            Some(side) if side == game.position().side() => LineScore::WinIn(0),
            Some(_) => LineScore::LossIn(0),
            None => LineScore::Draw(drawing_clause(game).map(|clause| clause.id.to_string())),
        };
        Some(LineJson { score, pv: Vec::new() })
    }
}

impl fmt::Display for LineScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = |n: u16| if n == 1 { "ply" } else { "plies" };
        match self {
            LineScore::Men(men) => write!(f, "{men:+.2}"),
            LineScore::WinIn(0) => f.write_str("has won"),
            LineScore::WinIn(n) => write!(f, "wins in {n} {}", plies(*n)),
            LineScore::LossIn(0) => f.write_str("has lost"),
            LineScore::LossIn(n) => write!(f, "loses in {n} {}", plies(*n)),
            LineScore::Draw(Some(clause)) => write!(f, "draw ({clause})"),
            LineScore::Draw(None) => f.write_str("draw"),
        }
    }
}

/// Returns the clause that draws a game which the engine calls drawn at the end of a line: the one that the game shows; otherwise, where the line breaks off
/// before, the counter that will be full first if nothing changes, or repetition, for the engine goes round no circle twice.
fn drawing_clause(game: &Game) -> Option<&Clause> {
    let repetition = || game.rules().draws().clauses.iter().find(|clause| clause.is_repetition());
    game.drawing_clause().or_else(|| nearest_counter(game)).or_else(repetition)
}

fn nearest_counter(game: &Game) -> Option<&Clause> {
    let counters = game.counter_states();
    let nearest = counters
        .iter()
        .filter(|state| !state.clause.is_repetition())
        .min_by_key(|state| state.plies_limit.saturating_sub(state.plies))?;
    Some(nearest.clause)
}
