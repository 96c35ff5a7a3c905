//! The weights of the evaluation: what each thing that is counted is worth, at the beginning of the game and at its end.

use std::fmt;

use damiera_rules::{RuleSet, Shape};

use super::features::{HOMES, TERMS, Term};
use super::{fitted, hand};

/// A weight at the beginning of the game, with all pieces on the board, and at its end; positions between are worth something between.
/// In hundredths of a man.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Weight {
    /// With all pieces on the board.
    pub opening: f32,
    /// With none left.
    pub ending: f32,
}

pub(super) const fn weight(opening: f32, ending: f32) -> Weight {
    Weight { opening, ending }
}

/// The weights for one board and one way of playing on it, in one row: men by square, kings by square, men on the first row by pattern,
/// and the terms. Squares are counted row by row from White's top left before any mirroring, and hold what a piece of White's is worth
/// there.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    squares: usize,
    values: Vec<Weight>,
}

/// Where weights begin in the row.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    squares: usize,
}

impl Layout {
    pub(super) fn new(shape: Shape) -> Layout {
        Layout { squares: usize::from(shape.squares()) }
    }
    pub(super) fn man(self, square: usize) -> usize {
        square
    }
    pub(super) fn king(self, square: usize) -> usize {
        self.squares + square
    }
    pub(super) fn home(self, pattern: usize) -> usize {
        2 * self.squares + pattern
    }
    pub(super) fn term(self, term: Term) -> usize {
        2 * self.squares + HOMES + term as usize
    }
    fn len(self) -> usize {
        2 * self.squares + HOMES + TERMS
    }
    /// Returns the name of a weight in files.
    fn name(self, i: usize) -> String {
        let homes = 2 * self.squares;
        match i {
            i if i < self.squares => format!("man.{}", i + 1),
            i if i < homes => format!("king.{}", i + 1 - self.squares),
            i if i < homes + HOMES => format!("home.{}", i - homes),
            i => Term::ALL[i - homes - HOMES].name().to_owned(),
        }
    }
}

impl Weights {
    /// Returns the weights that suit a rule set best: fitted for it or for the most similar one, or set by hand.
    pub fn of(rules: &RuleSet) -> Weights {
        fitted::nearest(rules).unwrap_or_else(|| Weights::by_hand(rules))
    }

    /// Returns the weights set by hand for a rule set, from which fitting begins.
    pub fn by_hand(rules: &RuleSet) -> Weights {
        hand::weights(rules)
    }

    /// Returns weights of nothing at all.
    pub(super) fn zero(shape: Shape) -> Weights {
        let layout = Layout::new(shape);
        Weights { squares: layout.squares, values: vec![Weight::default(); layout.len()] }
    }

    /// Returns all weights in their row.
    pub fn values(&self) -> &[Weight] {
        &self.values
    }
    /// Returns all weights in their row, to be changed.
    pub fn values_mut(&mut self) -> &mut [Weight] {
        &mut self.values
    }
    /// Returns the weights of men by square.
    pub fn men(&self) -> &[Weight] {
        &self.values[..self.squares]
    }
    /// Returns the weights of kings by square.
    pub fn kings(&self) -> &[Weight] {
        &self.values[self.squares..2 * self.squares]
    }
    pub(super) fn men_mut(&mut self) -> &mut [Weight] {
        &mut self.values[..self.squares]
    }
    pub(super) fn kings_mut(&mut self) -> &mut [Weight] {
        &mut self.values[self.squares..2 * self.squares]
    }
    /// Returns the weights of the patterns of men on the first row.
    pub(super) fn homes(&self) -> [Weight; HOMES] {
        std::array::from_fn(|i| self.values[2 * self.squares + i])
    }
    /// Returns the weights of the terms.
    pub(super) fn terms(&self) -> [Weight; TERMS] {
        std::array::from_fn(|i| self.values[2 * self.squares + HOMES + i])
    }
    pub(super) fn set(&mut self, term: Term, opening: f32, ending: f32) {
        let i = Layout { squares: self.squares }.term(term);
        self.values[i] = weight(opening, ending);
    }

    /// Reads weights for a board: lines with a name, the weight of the opening and that of the ending. What is not named weighs nothing;
    /// what follows a `#` is a remark. The error names the line.
    pub fn parse(shape: Shape, text: &str) -> Result<Weights, String> {
        let layout = Layout::new(shape);
        let mut weights = Weights::zero(shape);
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = line.split_whitespace().collect();
            let (name, value) = match words[..] {
                [] => continue,
                [name, opening, ending] => (name, read(opening, ending)),
                _ => return Err(format!("line {number}: not a name and two numbers")),
            };
            let i = (0..layout.len()).find(|i| layout.name(*i) == name);
            let i = i.ok_or_else(|| format!("line {number}: nothing is called \"{name}\""))?;
            weights.values[i] = value
                .ok_or_else(|| format!("line {number}: a weight is a number between -{MOST} and {MOST}"))?;
        }
        Ok(weights)
    }
}

/// No weight is more than this, in hundredths of a man; sums of square values for a full board then fit into half a number.
const MOST: f32 = 900.0;

fn read(opening: &str, ending: &str) -> Option<Weight> {
    let number = |text: &str| text.parse().ok().filter(|value: &f32| value.abs() <= MOST);
    Some(weight(number(opening)?, number(ending)?))
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = Layout { squares: self.squares };
        for (i, weight) in self.values.iter().enumerate() {
            if *weight != Weight::default() {
                writeln!(f, "{} {:.2} {:.2}", layout.name(i), weight.opening, weight.ending)?;
            }
        }
        Ok(())
    }
}
