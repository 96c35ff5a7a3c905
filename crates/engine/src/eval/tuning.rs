//! What fitting weights needs to know of a position: its value as a sum of weights.

use damiera_rules::{Bits, Geometry, Goal, Job, Position, RuleSet, RuleSource, Shape, Side, dispatch};

use super::Evaluator;
use super::features::{Features, Tally, Term, turned_home};
use super::weights::Layout;
pub use super::weights::{Weight, Weights};

/// A position's value as White sees it: `offset` and the sum, over `counts`, of the count times the weight.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// What no weight decides, in hundredths of a man.
    pub offset: f32,
    /// How much of a weight's opening counts, from 0 to `factor`; the rest of it is the share of the ending.
    pub opening: f32,
    /// How much is left of the sum: less than 1 where an ending is known to be hard to win.
    pub factor: f32,
    /// Places in the row of weights, and how often they count: White's less Black's.
    pub counts: Vec<(u16, i16)>,
}

impl Trace {
    /// Returns the value with these weights, in hundredths of a man.
    pub fn value(&self, weights: &[Weight]) -> f32 {
        let sum = |of: fn(&Weight) -> f32| -> f32 {
            self.counts.iter().map(|&(i, n)| of(&weights[usize::from(i)]) * f32::from(n)).sum()
        };
        let ending = self.factor - self.opening;
        self.offset + self.opening * sum(|weight| weight.opening) + ending * sum(|weight| weight.ending)
    }
}

/// Takes positions apart.
pub struct Tracer {
    evaluator: Evaluator,
    rules: RuleSet,
}

impl Tracer {
    /// Returns a tracer for a rule set. Where an ending's value depends on who is ahead, `weights` decide it.
    pub fn new(rules: &RuleSet, weights: &Weights) -> Tracer {
        Tracer { evaluator: Evaluator::with(rules, weights), rules: rules.clone() }
    }

    /// Takes a position apart.
    pub fn trace(&self, position: &Position) -> Trace {
        dispatch(self.rules.shape(), self.rules.movement(), Take { evaluator: &self.evaluator, position })
    }
}

struct Take<'a> {
    evaluator: &'a Evaluator,
    position: &'a Position,
}

impl Job for Take<'_> {
    type Output = Trace;
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> Trace {
        let eval = self.evaluator;
        let p = Position::<G::Set>::narrow(self.position);
        let share = eval.share(&p) as f32 / super::WHOLE as f32;
        let (offset, factor) = match eval.goal {
            Goal::Normal if p.kings().any() => {
                let sum = eval.weigh::<G, R>(rules, &p, eval.squares(&p));
                let (known, eighths) = eval.endings.parts::<G>(&p, sum).unwrap_or((0, 0));
                (known as f32, eighths as f32 / 8.0)
            }
            Goal::Normal | Goal::Losing => (0.0, 1.0),
            Goal::FirstKing => (eval.race::<G>(&p) as f32, 1.0),
        };
        let counts = counts::<G, R>(rules, &eval.features, &p);
        Trace { offset, opening: share * factor, factor, counts }
    }
}

/// Lists what is counted.
struct List {
    shape: Shape,
    layout: Layout,
    totals: Vec<i16>,
}

impl List {
    fn add_at<const WHITE: bool>(&mut self, i: usize, n: i32) {
        self.totals[i] += if WHITE { n } else { -n } as i16;
    }
}

impl Tally for List {
    fn add(&mut self, term: Term, n: i64) {
        self.totals[self.layout.term(term)] += n as i16;
    }
    fn add_home<const WHITE: bool>(&mut self, pattern: usize) {
        let pattern = if WHITE { pattern } else { turned_home(self.shape, pattern) };
        self.add_at::<WHITE>(self.layout.home(pattern), 1);
    }
}

fn counts<G: Geometry, R: RuleSource>(
    rules: R,
    features: &Features,
    p: &Position<G::Set>,
) -> Vec<(u16, i16)> {
    let layout = Layout::new(G::SHAPE);
    let totals = vec![0; Weights::zero(G::SHAPE).values().len()];
    let mut list = List { shape: G::SHAPE, layout, totals };
    features.count::<G, R>(rules, p, &mut list);
    for bit in p.white().iter() {
        list.add_at::<true>(place(layout, p, bit, square_of(G::SHAPE, Side::White, bit)), 1);
    }
    for bit in p.black().iter() {
        list.add_at::<false>(place(layout, p, bit, square_of(G::SHAPE, Side::Black, bit)), 1);
    }
    let counted = (0u16..).zip(list.totals).filter(|(_, n)| *n != 0);
    counted.collect()
}

fn place<S: Bits>(layout: Layout, p: &Position<S>, bit: u8, square: usize) -> usize {
    if p.kings().has(bit) { layout.king(square) } else { layout.man(square) }
}

/// Returns the number of a square as a side's own pieces see it, from 0.
fn square_of(shape: Shape, side: Side, bit: u8) -> usize {
    let index = shape.index_of(bit);
    usize::from(if side.is_white() { index } else { shape.squares() - 1 - index })
}
