//! The levels of the computer opponent. They are defined in plies and nodes, so that a slow machine is the same opponent, and a seed
//! decides everything that looks like chance.

use std::fmt;
use std::str::FromStr;

use damiera_rules::{Goal, RuleSet};

use crate::random::Random;
use crate::{Engine, Limits, Line, Report, Root};

/// What makes a level.
struct Strength {
    /// The most nodes for a move: enough for one ply in every position that games bring, such as six kings a side on 10x10.
    nodes: u64,
    /// The most plies ahead, besides captures; with 0 not even the answer is seen, but the capture that the move threatens.
    depth: u8,
    /// Moves this much worse than the best one are chosen 2.7 times less often, in hundredths of a man; 0 for the best move always.
    temperature: f64,
}

impl Strength {
    fn greatest_mistake(&self) -> i32 {
        let (times, least) = GREATEST_MISTAKE;
        ((self.temperature * times) as i32).max(least)
    }
}

const fn strength(nodes: u64, depth: u8, temperature: f64) -> Strength {
    Strength { nodes, depth, temperature }
}

const STRENGTHS: [Strength; 10] = [
    strength(300, 0, 100.0),
    strength(10_000, 1, 500.0),
    strength(10_000, 1, 140.0),
    strength(10_000, 1, 30.0),
    strength(10_000, 2, 18.0),
    strength(10_000, 3, 12.0),
    strength(10_000, 5, 8.0),
    strength(20_000, 7, 4.0),
    strength(60_000, 60, 0.0),
    strength(200_000, 60, 0.0),
];

/// The lowest level where who has nothing left wins. One gives men away there as soon as one can without looking ahead, and that is
/// not bad at all: chosen as sharply as elsewhere, the lowest level was stronger than the second (`damiera train levels`).
const LOWEST_AT_LOSING: Strength = strength(300, 0, 1000.0);

/// How many times the temperature a move may be worse than the best, and the least that this may be, in hundredths of a man: beyond that
/// nobody plays against better knowledge.
const GREATEST_MISTAKE: (f64, i32) = (3.0, 60);

/// How strong the computer plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

impl Level {
    /// The strongest: no limit but the time.
    pub const BEST: Level = Level(STRENGTHS.len() as u8 + 1);
    /// How many levels have a number.
    pub const COUNT: u8 = STRENGTHS.len() as u8;

    /// Returns the level with this number, from 1 to [`Level::COUNT`].
    pub fn new(number: u8) -> Option<Level> {
        (1..=Level::COUNT).contains(&number).then_some(Level(number))
    }
    /// Returns the level's number; `None` for the best.
    pub fn number(self) -> Option<u8> {
        (self != Level::BEST).then_some(self.0)
    }
    fn strength(self) -> Option<&'static Strength> {
        STRENGTHS.get(usize::from(self.0) - 1)
    }
    fn strength_at(self, rules: &RuleSet) -> Option<&'static Strength> {
        if self.0 == 1 && rules.goal() == Goal::Losing { Some(&LOWEST_AT_LOSING) } else { self.strength() }
    }
    /// Returns how many nodes the level may look at for one move; `None` where only time ends its search.
    pub fn nodes(self) -> Option<u64> {
        self.strength().map(|strength| strength.nodes)
    }
    /// Returns how many plies ahead the level looks at most; `None` where only time ends its search.
    pub fn depth(self) -> Option<u8> {
        self.strength().map(|strength| strength.depth)
    }
    /// Returns how freely the level chooses among moves that are about as good, in hundredths of a man: 0 always takes the best. `None` for the
    /// best level, which does so too. Level 1 is freer in the games where who loses everything wins.
    pub fn temperature(self) -> Option<f64> {
        self.strength().map(|strength| strength.temperature)
    }
    /// Chooses a move. Equal arguments give equal moves, but for the best level, which wants a limit and uses what it knows from
    /// earlier moves.
    pub fn choose(
        self,
        engine: &mut Engine,
        rules: &RuleSet,
        root: &Root,
        seed: u64,
        within: &Limits,
    ) -> Report {
        let Some(strength) = self.strength_at(rules) else {
            return engine.search(rules, root, within);
        };
        engine.forget();
        let nodes = within.nodes.map_or(strength.nodes, |n| n.min(strength.nodes));
        let depth = within.depth.map_or(strength.depth, |d| d.min(strength.depth));
        let limits = Limits { nodes: Some(nodes), depth: Some(depth), ..*within };
        if strength.temperature == 0.0 {
            // Several threads would share the nodes, each time another way.
            return engine.alone(|engine| engine.search(rules, root, &limits));
        }
        let mut report = engine.score_close(rules, root, &limits, strength.greatest_mistake());
        if let Some(line) = pick(&report.lines, strength.temperature, &mut Random::new(seed)).cloned() {
            report.best = line.pv.first().copied();
            report.score = line.score;
            report.pv.clone_from(&line.pv);
            report.lines = vec![line];
        }
        report
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number() {
            Some(number) => write!(f, "level:{number}"),
            None => f.write_str("best"),
        }
    }
}

impl FromStr for Level {
    type Err = ();

    fn from_str(text: &str) -> Result<Level, ()> {
        if text == "best" {
            return Ok(Level::BEST);
        }
        let number = text.strip_prefix("level:").and_then(|number| number.parse().ok());
        number.and_then(Level::new).ok_or(())
    }
}

/// Picks a line: the better it looks, the likelier.
fn pick<'a>(lines: &'a [Line], temperature: f64, random: &mut Random) -> Option<&'a Line> {
    let best = lines.first()?.score.hundredths();
    let weight = |line: &Line| (f64::from(line.score.hundredths() - best) / temperature).exp();
    let mut left = random.unit() * lines.iter().map(weight).sum::<f64>();
    let picked = lines.iter().find(|line| {
        left -= weight(line);
        left < 0.0
    });
    picked.or(lines.first())
}
