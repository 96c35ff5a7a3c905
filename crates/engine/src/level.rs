//! The three levels of the computer opponent. They are defined in nodes, so that a slow machine is the same opponent, and a seed
//! decides everything that looks like chance.

use damiera_rules::{Bits, Goal, Move, Position, RuleSet, Shape};

use crate::eval::Evaluator;
use crate::random::Random;
use crate::score::is_decided;
use crate::{Engine, Limits, Report, Root, Score};

/// Nodes of levels 1 and 2.
const NODES: [u64; 2] = [300, 4_000];
/// Nodes of level 3: what takes at most two seconds on an ordinary machine. Large boards have slower nodes.
const fn most_nodes(shape: Shape) -> u64 {
    match shape {
        Shape::Diagonal8 => 1_000_000,
        Shape::Orthogonal8 | Shape::Diagonal10 => 800_000,
        Shape::Diagonal12 => 400_000,
    }
}
/// How wrong the estimates of each level are, in hundredths of a man.
const NOISE: [u64; 3] = [35, 6, 1];
/// Level 1 looks so many plies ahead, besides captures.
const CARELESS_DEPTH: u8 = 1;
/// Level 1 chooses among moves about this much apart, in hundredths of a man.
const CARELESSNESS: f64 = 75.0;
/// Level 1 makes no mistake greater than this: plausible, not suicide.
const GREATEST_MISTAKE: i32 = 200;
/// A capture that wins at least so many pieces in the end is obvious to everybody.
const OBVIOUS: i32 = 2;

/// How strong the computer plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

impl Level {
    /// The levels, weakest first.
    pub const ALL: [Level; 3] = [Level(1), Level(2), Level(3)];

    /// Returns the level with this number, from 1 to 3.
    pub fn new(number: u8) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.0 == number)
    }
    /// Returns the level's number.
    pub fn number(self) -> u8 {
        self.0
    }
    /// Returns how many nodes the level may look at for one move.
    pub fn nodes(self, rules: &RuleSet) -> u64 {
        NODES.get(usize::from(self.0 - 1)).copied().unwrap_or(most_nodes(rules.shape()))
    }
    /// Chooses a move. Equal arguments give equal moves.
    pub fn choose(self, engine: &mut Engine, rules: &RuleSet, root: &Root, seed: u64) -> Report {
        self.choose_within(engine, rules, root, seed, &Limits::default())
    }
    /// Chooses a move as [`Level::choose`] does, unless a limit of time or the stop flag ends it sooner.
    pub fn choose_within(
        self,
        engine: &mut Engine,
        rules: &RuleSet,
        root: &Root,
        seed: u64,
        within: &Limits,
    ) -> Report {
        let nodes = self.nodes(rules);
        let limits = Limits { nodes: Some(within.nodes.map_or(nodes, |n| n.min(nodes))), ..*within };
        let mut random = Random::new(seed);
        let noise = NOISE[usize::from(self.0 - 1)];
        let eval = Evaluator::new(rules).with_noise(random.next_u64(), noise);
        if self.0 == 1 {
            return choose_carelessly(engine, rules, eval, root, &limits, &mut random);
        }
        if rules.moves(&root.position).len() == 1 {
            // There is nothing to choose; a short look gives the score.
            let limits = Limits { nodes: limits.nodes.map(|n| n / 20), ..limits };
            return engine.search_with(rules, eval, root, &limits);
        }
        engine.search_with(rules, eval, root, &limits)
    }
}

/// Looks a few plies ahead and then takes one of the moves that look nearly as good as the best.
fn choose_carelessly(
    engine: &mut Engine,
    rules: &RuleSet,
    eval: Evaluator,
    root: &Root,
    limits: &Limits,
    random: &mut Random,
) -> Report {
    let depth = limits.depth.unwrap_or(CARELESS_DEPTH).min(CARELESS_DEPTH);
    let mut report = engine.score_each(rules, eval, root, &Limits { depth: Some(depth), ..*limits });
    let obvious = obvious_captures(rules, &root.position, &report.scores);
    let candidates = if obvious.is_empty() { &report.scores } else { &obvious };
    if let Some((m, score)) = pick(candidates, random) {
        report.best = Some(m);
        report.score = Score::from_search(score);
    }
    report.summary()
}

/// Returns the captures that take at least [`OBVIOUS`] pieces more than the best reply takes back. Where pieces are given away, no
/// capture is a gain, and a move that wins at once needs no capture.
fn obvious_captures(rules: &RuleSet, position: &Position, scored: &[(Move, i32)]) -> Vec<(Move, i32)> {
    let wins = scored.first().is_some_and(|(_, score)| is_decided(*score) && *score > 0);
    if wins || rules.goal() == Goal::Losing {
        return Vec::new();
    }
    let gain = |m: &Move| {
        let replies = rules.captures(&rules.after(position, m));
        let lost = replies.iter().map(|reply| reply.captured.len()).max().unwrap_or(0);
        m.captured.len() as i32 - lost as i32
    };
    scored.iter().filter(|(m, _)| m.captured.len() >= OBVIOUS as u32 && gain(m) >= OBVIOUS).copied().collect()
}

/// Picks a move: the better it looks, the likelier.
fn pick(scored: &[(Move, i32)], random: &mut Random) -> Option<(Move, i32)> {
    let best = scored.first()?.1;
    let weight = |score: i32| {
        if best - score > GREATEST_MISTAKE { 0.0 } else { (-f64::from(best - score) / CARELESSNESS).exp() }
    };
    let mut left = random.unit() * scored.iter().map(|(_, score)| weight(*score)).sum::<f64>();
    scored
        .iter()
        .find(|(_, score)| {
            left -= weight(*score);
            left < 0.0
        })
        .or(scored.first())
        .copied()
}
