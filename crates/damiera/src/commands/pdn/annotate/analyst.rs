//! The engine goes over a game, from its end to its beginning: what it has found behind a move helps it to judge the move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use damiera_engine::{Engine, Limits, Report, Root, Score};
use damiera_pdn::{GameTree, NodeId, Step};
use damiera_rules::{Game, Goal, Move, RuleSet, Side};

use super::judge::{Judgement, Scale, Turn, judge};

/// A move that looks bad is looked at again, and so much closer: nobody is to be blamed for what the search has not seen.
const CLOSER: u32 = 4;

/// The same for a limit of plies.
const DEEPER: u8 = 2;

/// A better line has so many plies, and then those that finish a capture or answer one, up to the second number.
const LINE: usize = 8;
const LONGEST_LINE: usize = 20;

/// A better line that is shorter tells nobody anything.
const SHORTEST_LINE: usize = 4;

/// How long is thought about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) nodes: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) depth: Option<u8>,
}

impl Effort {
    fn closer(self) -> Effort {
        Effort {
            nodes: self.nodes.map(|nodes| nodes.saturating_mul(u64::from(CLOSER))),
            time: self.time.map(|time| time.saturating_mul(CLOSER)),
            depth: self.depth.map(|depth| depth.saturating_add(DEEPER)),
        }
    }
}

/// A move of the game, and what is thought of it.
#[derive(Debug)]
pub(super) struct Studied {
    pub(super) node: NodeId,
    pub(super) turn: Turn,
    /// The better line, where there is something to be said.
    pub(super) better: Vec<Move>,
}

/// A game, or a part of it that begins with a position of its own.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) turns: Vec<Studied>,
    /// Who is to move at the end, and what this player may expect.
    pub(super) to_move: Side,
    pub(super) end: Score,
}

/// What the search found in a position.
struct Found {
    best: Option<Move>,
    score: Score,
    line: Vec<Move>,
}

impl Found {
    /// The line begins with the best move, also where the table has kept nothing of it.
    fn of(report: &Report) -> Found {
        let line = if report.pv.first() == report.best.as_ref() {
            report.pv.clone()
        } else {
            report.best.into_iter().collect()
        };
        Found { best: report.best, score: report.score, line }
    }
}

/// Somebody had enough before the game was gone over.
#[derive(Debug)]
pub(super) struct Stopped;

/// An engine of one thread, and how long it thinks.
pub(super) struct Analyst<'a> {
    engine: Engine,
    effort: Effort,
    stop: &'a AtomicBool,
    /// How many moves all analysts together have gone over.
    moves: &'a AtomicU64,
}

impl<'a> Analyst<'a> {
    pub(super) fn new(megabytes: usize, effort: Effort, stop: &'a AtomicBool, moves: &'a AtomicU64) -> Self {
        Analyst { engine: Engine::new(megabytes), effort, stop, moves }
    }

    /// Goes over a game. What is found depends on nothing but the game, the limits and the size of the table, as long as the limits are
    /// none of time.
    pub(super) fn study(&mut self, tree: &GameTree) -> Result<Vec<Part>, Stopped> {
        self.engine.forget();
        parts(tree).into_iter().map(|(game, nodes)| self.study_part(game, &nodes)).collect()
    }

    fn study_part(&mut self, mut game: Game, nodes: &[NodeId]) -> Result<Part, Stopped> {
        let to_move = game.position().side();
        let end = self.score(&game, self.effort)?;
        let mut turns = Vec::with_capacity(nodes.len());
        // What the player to move may expect behind the move that is looked at.
        let mut behind = end;
        for node in nodes.iter().rev() {
            let Some(played) = game.moves().last().copied() else { break };
            let studied = self.study_move(&mut game, *node, &played, behind)?;
            behind = studied.turn.before;
            turns.push(studied);
            self.moves.fetch_add(1, Ordering::Relaxed);
        }
        turns.reverse();
        Ok(Part { turns, to_move, end })
    }

    /// Looks at the last move of a game, and takes it back.
    fn study_move(
        &mut self,
        game: &mut Game,
        node: NodeId,
        played: &Move,
        behind: Score,
    ) -> Result<Studied, Stopped> {
        game.take_back();
        let side = game.position().side();
        let mut after = behind.reversed();
        if game.legal_moves().len() == 1 {
            // Nobody is to be blamed, and there is nothing to search.
            let turn = Turn { side, before: one_ply_more(after), after, judgement: None };
            return Ok(Studied { node, turn, better: Vec::new() });
        }
        let mut found = self.think(game, self.effort)?;
        let (mut judgement, mut better) = (None, Vec::new());
        if judged(game, &found, after).is_some() {
            let closer = self.effort.closer();
            after = self.score_behind(game, played, closer)?.reversed();
            found = self.think(game, closer)?;
            let is_other = found.best.is_some_and(|best| best != *played);
            judgement = judged(game, &found, after).filter(|_| is_other);
            if judgement.is_some() {
                better = self.line(game, &found.line)?;
                // Whoever is blamed is shown what was better.
                judgement = judgement.filter(|_| !better.is_empty());
            }
        }
        // The move played may win by what only the search behind it has seen.
        let before = if matches!(after, Score::Win(_)) && !matches!(found.score, Score::Win(_)) {
            one_ply_more(after)
        } else {
            found.score
        };
        Ok(Studied { node, turn: Turn { side, before, after, judgement }, better })
    }

    /// Returns what the player to move may expect behind a move of a game.
    fn score_behind(&mut self, game: &mut Game, m: &Move, effort: Effort) -> Result<Score, Stopped> {
        let is_played = game.play(m).is_ok();
        let score = self.score(game, effort);
        if is_played {
            game.take_back();
        }
        score
    }

    /// Returns what the player to move may expect.
    fn score(&mut self, game: &Game, effort: Effort) -> Result<Score, Stopped> {
        match game.outcome() {
            Some(outcome) => Ok(match outcome.winner {
                Some(winner) if winner == game.position().side() => Score::Win(0),
                Some(_) => Score::Loss(0),
                None => Score::Draw,
            }),
            None => Ok(self.think(game, effort)?.score),
        }
    }

    /// Searches a position. Only finished iterations count: what the last one leaves behind when the limit ends it is no exact score.
    fn think(&mut self, game: &Game, effort: Effort) -> Result<Found, Stopped> {
        let Effort { nodes, time, depth } = effort;
        let limits = Limits { nodes, time, depth, stop: Some(self.stop), ..Limits::default() };
        let (rules, root) = (game.rules(), Root::of(game));
        let mut found = None;
        self.engine.analyze(rules, &root, &limits, 1, &mut |report| found = Some(Found::of(report)));
        if found.is_none() {
            // The limit does not even allow one ply.
            let one_ply = Limits { depth: Some(1), stop: Some(self.stop), ..Limits::default() };
            found = Some(Found::of(&self.engine.search(rules, &root, &one_ply)));
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        found.ok_or(Stopped)
    }

    /// Returns the beginning of a line, long enough to show something and with no capture left open at its end. Its first move is that of
    /// the line: only what follows is looked for where the line is too short.
    fn line(&mut self, game: &Game, pv: &[Move]) -> Result<Vec<Move>, Stopped> {
        let mut game = game.clone();
        let mut line = Vec::new();
        while game.outcome().is_none() && line.len() < LONGEST_LINE {
            let is_quiet = game.rules().captures(game.position()).is_empty();
            if is_quiet && line.len() >= LINE {
                break;
            }
            let next = match pv.get(line.len()) {
                Some(m) => Some(*m),
                None if line.is_empty() || is_quiet && line.len() >= SHORTEST_LINE => None,
                None => self.think(&game, self.effort)?.best,
            };
            let Some(m) = next.filter(|m| game.play(m).is_ok()) else { break };
            line.push(m);
        }
        Ok(line)
    }
}

/// Returns what the scores of these rules mean.
pub(super) fn scale(rules: &RuleSet) -> Scale {
    if rules.goal() == Goal::Losing { Scale::LOSING } else { Scale::NORMAL }
}

fn judged(game: &Game, found: &Found, after: Score) -> Option<Judgement> {
    let is_sure_draw = found.score == Score::Draw && draws_for_sure(game, &found.line);
    judge(found.score, after, is_sure_draw, scale(game.rules()))
}

/// Returns a score as it is one ply before.
fn one_ply_more(score: Score) -> Score {
    match score {
        Score::Win(plies) => Score::Win(plies.saturating_add(1)),
        Score::Loss(plies) => Score::Loss(plies.saturating_add(1)),
        score => score,
    }
}

/// Returns whether a line ends in a draw by the rules that the other side cannot prevent: it has no choice on the way.
fn draws_for_sure(game: &Game, line: &[Move]) -> bool {
    let side = game.position().side();
    let mut game = game.clone();
    for (i, m) in line.iter().enumerate() {
        let has_choice = i % 2 == 1 && game.legal_moves().len() > 1;
        if has_choice || game.play(m).is_err() {
            return false;
        }
        let may_claim = game.position().side() == side && !game.claimable().is_empty();
        if may_claim || game.outcome().is_some_and(|outcome| outcome.winner.is_none()) {
            return true;
        }
    }
    false
}

/// Returns the parts of a game as it was played: a position that is set up begins another one, and so does playing on behind a draw. Behind
/// a win there is nothing to be said, up to the next position that is set up.
fn parts(tree: &GameTree) -> Vec<(Game, Vec<NodeId>)> {
    let rules: &Arc<RuleSet> = tree.rules();
    let begin = |position| (Game::new(Arc::clone(rules), position), Vec::new());
    let mut parts = vec![begin(*tree.start())];
    let mut here = *tree.start();
    for id in tree.main_line() {
        let node = tree.node(id);
        let Some((game, nodes)) = parts.last_mut() else { break };
        match node.step() {
            Step::Begin => {}
            Step::Setup => parts.push(begin(*node.position())),
            Step::Move(m) => match game.outcome() {
                None => nodes.extend(game.play(&m).is_ok().then_some(id)),
                Some(outcome) if outcome.winner.is_none() => {
                    let (mut game, mut nodes) = begin(here);
                    if game.play(&m).is_ok() {
                        nodes.push(id);
                    }
                    parts.push((game, nodes));
                }
                Some(_) => {}
            },
        }
        here = *node.position();
    }
    parts.retain(|(_, nodes)| !nodes.is_empty());
    parts
}
