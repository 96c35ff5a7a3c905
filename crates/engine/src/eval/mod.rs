//! What a position is worth: where the pieces stand, what can be counted on whole sets, each with a weight that was fitted to games, and
//! what is known of endings.
//!
//! One evaluator serves every board and every rule set. It is told the rules when a search begins and turns the weights that suit them into
//! tables; what it asks of the rules afterwards is about the movement alone and folds to constants in the known families. Values are hundredths of a man.
//!
//! Two values travel together, the one at the beginning of the game and the one at its end, packed into one number so that both are
//! added at once: the opening in the high half, the ending in the low one.

mod endings;
mod features;
mod fitted;
mod hand;
pub mod tuning;
mod weights;

use damiera_rules::{Bits, Geometry, Goal, Position, RuleSet, RuleSource, Shape, Side};

use crate::score::{DRAW, MAX_VALUE};
use endings::Endings;
use features::{Features, HOMES, TERMS, Tally, Term, turned_home};
use weights::{Weight, Weights};

/// How many parts of a hundredth the weights of what is counted are rounded to.
const FINENESS: i32 = 16;
/// The share of the opening in a value runs up to this.
const WHOLE: i32 = 256;
/// A square's bit is below this on every board.
const BITS: usize = 128;

/// Where the first king wins: a race that is won.
const RACE_WON: i32 = 1500;
/// What each half step of such a race costs.
const RACE_STEP: i32 = 20;

/// The value of positions under one rule set.
#[derive(Clone)]
pub(crate) struct Evaluator {
    goal: Goal,
    features: Features,
    endings: Endings,
    /// The values of squares: White's men and kings, then Black's, which are negative.
    squares: [[i32; BITS]; 4],
    terms: [i64; TERMS],
    /// The values of patterns on the first row: White's, then Black's, which are negative.
    homes: [[i64; HOMES]; 2],
    /// How many pieces make the beginning of the game.
    most: u32,
    /// The share of the opening for each piece on the board, times 256.
    share: u32,
    /// Steps from a square to the row where a side's men are crowned.
    to_crown: [[u8; BITS]; 2],
}

impl Evaluator {
    /// Returns the evaluator for a rule set.
    pub(crate) fn new(rules: &RuleSet) -> Evaluator {
        Evaluator::with(rules, &Weights::of(rules))
    }

    fn with(rules: &RuleSet, weights: &Weights) -> Evaluator {
        let shape = rules.shape();
        let most = u32::from(shape.row_len()) * u32::from(rules.start().rows) * 2;
        let squares = |table: &[Weight], side| square_table(shape, table, side);
        Evaluator {
            goal: rules.goal(),
            features: Features::new(rules),
            endings: Endings::new(rules),
            squares: [
                squares(weights.men(), Side::White),
                squares(weights.kings(), Side::White),
                squares(weights.men(), Side::Black),
                squares(weights.kings(), Side::Black),
            ],
            terms: weights.terms().map(pack_fine),
            homes: home_tables(shape, &weights.homes()),
            most: most.max(1),
            share: WHOLE as u32 * 256 / most.max(1),
            to_crown: [by_bit(shape, |row, _| row), by_bit(shape, |row, _| shape.size() - 1 - row)],
        }
    }

    /// Returns the sum of the square values, White's less Black's, packed and computed afresh.
    pub(crate) fn squares<S: Bits>(&self, p: &Position<S>) -> i32 {
        let mut sum = 0;
        for side in [Side::White, Side::Black] {
            sum += p.men(side).iter().map(|bit| self.square(side, false, bit)).sum::<i32>();
            sum += p.kings_of(side).iter().map(|bit| self.square(side, true, bit)).sum::<i32>();
        }
        sum
    }

    /// Returns the packed value of a piece on the square of a bit, as White sees it: negative for Black's.
    #[inline(always)]
    pub(crate) fn square(&self, side: Side, king: bool, bit: u8) -> i32 {
        let table = &self.squares[(side as usize & 1) * 2 + usize::from(king)];
        table[usize::from(bit) % BITS]
    }

    /// Returns the value for the player to move, given the sum of the square values. It is never a win or a loss, and [`DRAW`] only where
    /// neither side has the force to win.
    #[inline]
    pub(crate) fn evaluate<G: Geometry, R: RuleSource>(
        &self,
        rules: R,
        p: &Position<G::Set>,
        squares: i32,
    ) -> i32 {
        let mut white = self.weigh::<G, R>(rules, p, squares);
        match self.goal {
            Goal::Normal if p.kings().any() => match self.endings.judge::<G>(p, white) {
                Some(value) => white = value,
                None => return DRAW,
            },
            Goal::Normal | Goal::Losing => {}
            Goal::FirstKing => white += self.race::<G>(p),
        }
        let value = if p.side().is_white() { white } else { -white };
        let value = value.clamp(-MAX_VALUE, MAX_VALUE);
        if value == DRAW { 1 } else { value }
    }

    /// Everything that has a weight, between its values at the beginning and at the end, as White sees it.
    #[inline(always)]
    fn weigh<G: Geometry, R: RuleSource>(&self, rules: R, p: &Position<G::Set>, squares: i32) -> i32 {
        let mut sum = Sum { evaluator: self, packed: 0 };
        self.features.count::<G, R>(rules, p, &mut sum);
        let (opening, ending) = unpack_fine(sum.packed);
        let opening = opening + ((squares + (1 << 15)) >> 16) * FINENESS;
        let ending = ending + i32::from(squares as i16) * FINENESS;
        let share = self.share(p);
        (opening * share + ending * (WHOLE - share)) / (WHOLE * FINENESS)
    }

    /// Returns how much of the opening is in a position, out of [`WHOLE`].
    #[inline(always)]
    fn share<S: Bits>(&self, p: &Position<S>) -> i32 {
        let left = (p.white() | p.black()).len().min(self.most);
        (left * self.share / 256) as i32
    }

    /// The race for the first king, as White sees it.
    fn race<G: Geometry>(&self, p: &Position<G::Set>) -> i32 {
        let fastest = |side: Side| {
            let to_crown = &self.to_crown[side as usize];
            let steps =
                |bit: u8| i32::from(to_crown[usize::from(bit) % BITS]) * 2 - i32::from(p.side() == side);
            self.features.passed_men::<G>(p, side).iter().map(steps).min()
        };
        let won = |mine: Option<i32>, other: Option<i32>| match (mine, other) {
            (Some(mine), Some(other)) if mine < other => RACE_WON - RACE_STEP * mine,
            (Some(mine), None) => RACE_WON / 2 - RACE_STEP * mine,
            _ => 0,
        };
        let (white, black) = (fastest(Side::White), fastest(Side::Black));
        won(white, black) - won(black, white)
    }
}

/// Adds up weights while features are counted.
struct Sum<'a> {
    evaluator: &'a Evaluator,
    packed: i64,
}

impl Tally for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, term: Term, n: i64) {
        self.packed += self.evaluator.terms[term as usize] * n;
    }
    #[inline(always)]
    fn add_home<const WHITE: bool>(&mut self, pattern: usize) {
        self.packed += self.evaluator.homes[usize::from(!WHITE)][pattern % HOMES];
    }
}

/// Returns the packed values of the patterns of White's and Black's first row, as White sees the board.
fn home_tables(shape: Shape, weights: &[Weight; HOMES]) -> [[i64; HOMES]; 2] {
    let values = weights.map(pack_fine);
    [values, std::array::from_fn(|pattern| -values[turned_home(shape, pattern) % HOMES])]
}

/// Returns a table with a value for every square, by its bit.
fn by_bit<T: Copy + Default>(shape: Shape, value: impl Fn(u8, u8) -> T) -> [T; BITS] {
    let mut table = [T::default(); BITS];
    for bit in shape.all().iter() {
        let (row, col) = shape.row_col(bit);
        table[usize::from(bit)] = value(row, col);
    }
    table
}

/// Returns the packed values of a side's pieces by bit. Black's squares are White's on the board turned round.
fn square_table(shape: Shape, weights: &[Weight], side: Side) -> [i32; BITS] {
    let mut table = [0; BITS];
    for index in 0..shape.squares() {
        let (from, sign) = if side.is_white() { (index, 1) } else { (shape.squares() - 1 - index, -1) };
        table[usize::from(shape.bit_of(index))] = sign * pack(weights[usize::from(from)]);
    }
    table
}

/// Packs the value of a square, in hundredths of a man.
fn pack(weight: Weight) -> i32 {
    ((weight.opening.round() as i32) << 16) + weight.ending.round() as i32
}

/// Packs a weight in parts of a hundredth.
fn pack_fine(weight: Weight) -> i64 {
    let fine = |value: f32| i64::from((value * FINENESS as f32).round() as i32);
    (fine(weight.opening) << 32) + fine(weight.ending)
}

/// Returns the two halves of a sum of packed weights.
#[inline(always)]
fn unpack_fine(sum: i64) -> (i32, i32) {
    (((sum + (1 << 31)) >> 32) as i32, sum as i32)
}

#[cfg(test)]
mod tests;
