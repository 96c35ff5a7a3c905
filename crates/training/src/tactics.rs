//! Tactical problems: found in games of the engine against itself, read from files, and solved against the clock.
//!
//! A file has a problem a line, its fields separated by tabs: the position as FEN, the answer, and whatever else its maker wants to say. The answer is a move,
//! or `win`, `loss` or `draw` for the player to move. Empty lines and lines that begin with `#` say nothing.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use damiera_engine::{Engine, Level, Limits, Report, Root, Score};
use damiera_rules::{Game, Move, Position, RuleSet, Side, fen, notation};

/// The depth, in plies, at which nobody must see the answer.
const SHALLOW: u8 = 4;
/// The nodes of the search that notices a combination.
const NOTICE_NODES: u64 = 10_000;
/// The nodes of the search that verifies it.
const VERIFY_NODES: u64 = 100 * NOTICE_NODES;
/// So much better than anything else the answer is, in hundredths of a man.
const MARGIN: i32 = 150;
/// Less than this is no win, in hundredths of a man.
const SLIGHT: i32 = 100;
/// A value that is won or lost, in hundredths of a man, for comparing it with others.
const DECIDED: i32 = 10_000;
/// The level of the games: it overlooks something now and then, as people do.
const LEVEL: u8 = 6;
/// Games are left after so many plies.
const LONGEST: usize = 120;
/// Openings are not looked at.
const OPENING: usize = 8;

/// A problem.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The position.
    pub position: Position,
    /// The answer.
    pub answer: Answer,
}

/// What solves a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// This move.
    Move(Move),
    /// To see that the player to move wins.
    Win,
    /// To see that it loses.
    Loss,
    /// To see that neither wins.
    Draw,
}

impl Answer {
    /// Returns whether a search has found it. A result counts as seen when the score lies on the right side of one man.
    pub fn is_found(self, report: &Report) -> bool {
        let value = value(report.score);
        match self {
            Answer::Move(m) => report.best == Some(m),
            Answer::Win => value >= SLIGHT,
            Answer::Loss => value <= -SLIGHT,
            Answer::Draw => value.abs() < SLIGHT,
        }
    }
}

/// Why a file of problems cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProblemError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ProblemError {}

/// Reads problems.
pub fn read(rules: &RuleSet, text: &str) -> Result<Vec<Problem>, ProblemError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let problem = |(line, text)| read_problem(rules, text).map_err(|message| ProblemError { line, message });
    lines.map(problem).collect()
}

fn read_problem(rules: &RuleSet, line: &str) -> Result<Problem, String> {
    let mut fields = line.split('\t').map(str::trim);
    let position =
        fen::parse(rules, fields.next().unwrap_or_default()).map_err(|error| format!("FEN: {error}"))?;
    let answer = match fields.next() {
        Some("win") => Answer::Win,
        Some("loss") => Answer::Loss,
        Some("draw") => Answer::Draw,
        Some(text) => notation::parse(rules, &position, text)
            .map(Answer::Move)
            .map_err(|error| format!("{text:?}: {error}"))?,
        None => {
            return Err("after the FEN and a tab an answer is expected: a move, win, loss or draw".to_owned());
        }
    };
    Ok(Problem { position, answer })
}

/// Returns in which of the times, shortest first, the engine finds the answer: the index of the first, or `None`.
pub fn solve(engine: &mut Engine, rules: &RuleSet, problem: &Problem, times: &[Duration]) -> Option<usize> {
    let root = Root::new(rules, problem.position);
    times.iter().position(|time| {
        engine.forget();
        let limits = Limits { time: Some(*time), ..Limits::default() };
        problem.answer.is_found(&engine.search(rules, &root, &limits))
    })
}

/// A problem that was found, with what was seen of it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The position.
    pub position: Position,
    /// The line that both sides are expected to play; it begins with the answer.
    pub line: Vec<Move>,
    /// The score of the answer for the player to move.
    pub score: Score,
    /// The score of the next best move.
    pub second: Score,
    /// The ply of the game.
    pub ply: usize,
}

/// Plays a game of the engine against itself and returns the problems in it: positions in which exactly one move wins, and loses material first; a search of
/// four plies does not find it, and one a hundred times as long as the one that noticed it confirms it.
pub fn find(rules: &Arc<RuleSet>, engine: &mut Engine, seed: u64) -> Vec<Found> {
    let game = play(rules, engine, seed);
    let positions = game.positions().iter().enumerate().skip(OPENING);
    let mut found: Vec<Found> = Vec::new();
    for (ply, position) in positions {
        // A combination stays there for some plies; one problem of it is enough.
        if found.last().is_some_and(|last| ply < last.ply + 4) {
            continue;
        }
        found.extend(examine(rules, engine, position).map(|problem| Found { ply, ..problem }));
    }
    found
}

fn play(rules: &Arc<RuleSet>, engine: &mut Engine, seed: u64) -> Game {
    let mut game = Game::new(Arc::clone(rules), rules.initial());
    let Some(level) = Level::new(LEVEL) else { return game };
    while game.outcome().is_none() && game.ply() < LONGEST {
        let lot = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ game.ply() as u64;
        let report = level.choose(engine, rules, &Root::of(&game), lot, &Limits::default());
        if report.best.is_none_or(|m| game.play(&m).is_err()) {
            break;
        }
    }
    game
}

/// Returns the problem in a position, when there is one.
fn examine(rules: &RuleSet, engine: &mut Engine, position: &Position) -> Option<Found> {
    if rules.moves(position).len() < 3 {
        return None;
    }
    let root = Root::new(rules, *position);
    let mut ask = |limits: &Limits, lines| {
        engine.forget();
        engine.analyze(rules, &root, limits, lines, &mut |_| {})
    };
    let shallow = ask(&Limits { depth: Some(SHALLOW), ..Limits::default() }, 1);
    let noticed = ask(&Limits::nodes(NOTICE_NODES), 1);
    if shallow.best == noticed.best || value(noticed.score) < value(shallow.score) + MARGIN {
        return None;
    }
    let verified = ask(&Limits::nodes(VERIFY_NODES), 2);
    let [best, second, ..] = &verified.lines[..] else { return None };
    let is_clear = value(best.score) >= value(second.score).max(0) + MARGIN && value(second.score) < SLIGHT;
    let is_hidden = best.pv.first().copied() != shallow.best;
    if !is_clear || !is_hidden || !sacrifices(rules, position, &best.pv, best.score) {
        return None;
    }
    Some(Found {
        position: *position,
        line: best.pv.clone(),
        score: best.score,
        second: second.score,
        ply: 0,
    })
}

fn value(score: Score) -> i32 {
    match score {
        Score::Value(hundredths) => hundredths,
        Score::Win(_) => DECIDED,
        Score::Loss(_) => -DECIDED,
        Score::Draw => 0,
    }
}

/// Returns true when the player to move has less after a reply of the line than at its beginning, and more at its end or a win.
pub fn sacrifices(rules: &RuleSet, position: &Position, line: &[Move], score: Score) -> bool {
    let side = position.side();
    let before = balance(position, side);
    let mut now = *position;
    let mut given = false;
    for m in line {
        now = rules.after(&now, m);
        given |= now.side() == side && balance(&now, side) < before;
    }
    given && (balance(&now, side) > before || matches!(score, Score::Win(_)))
}

/// Returns how much more a side has than the other, in half men; a king counts as two and a half.
fn balance(position: &Position, side: Side) -> i32 {
    let material =
        |side| 2 * position.men(side).count_ones() as i32 + 5 * position.kings_of(side).count_ones() as i32;
    material(side) - material(side.other())
}
