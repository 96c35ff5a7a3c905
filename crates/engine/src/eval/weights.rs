//! The weights of the evaluation: what each thing that is counted is worth, at the beginning of the game and at its end.

use damiera_rules::{RuleSet, Shape};

use super::features::{HOMES, TERMS, Term};
use super::hand;

/// A weight at the beginning of the game, with all pieces on the board, and at its end; positions between are worth something between.
/// In hundredths of a man.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Weight {
    pub(crate) opening: f32,
    pub(crate) ending: f32,
}

/// Returns a weight.
pub(crate) const fn weight(opening: f32, ending: f32) -> Weight {
    Weight { opening, ending }
}

/// The weights for one board and one way of playing on it. Squares are counted row by row from White's top left before any mirroring,
/// and hold what a piece of White's is worth there.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Weights {
    pub(crate) men: Vec<Weight>,
    pub(crate) kings: Vec<Weight>,
    /// By the pattern of men on the first row.
    pub(crate) homes: [Weight; HOMES],
    pub(crate) terms: [Weight; TERMS],
}

impl Weights {
    /// Returns weights of nothing at all.
    pub(super) fn zero(shape: Shape) -> Weights {
        let squares = usize::from(shape.squares());
        Weights {
            men: vec![Weight::default(); squares],
            kings: vec![Weight::default(); squares],
            homes: [Weight::default(); HOMES],
            terms: [Weight::default(); TERMS],
        }
    }

    /// Returns the weights that suit a rule set best.
    pub(crate) fn of(rules: &RuleSet) -> Weights {
        hand::weights(rules)
    }

    pub(super) fn set(&mut self, term: Term, opening: f32, ending: f32) {
        self.terms[term as usize] = weight(opening, ending);
    }
}
