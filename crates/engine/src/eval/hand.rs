//! Weights set by hand: where fitting begins, and what a rule set is judged by that has nothing better.

use damiera_rules::movement::{CaptureLines, KingRange};
use damiera_rules::{Goal, RuleSet, Shape};

use super::features::Term;
use super::weights::{Weight, Weights, weight};

/// What a man is worth at the end of the game: with fewer pieces the same difference weighs more, so who is ahead should exchange.
const MAN: Weight = weight(100.0, 160.0);
/// For each row that a man has gone.
const ADVANCE: Weight = weight(2.0, 6.0);
/// The same where the first king wins.
const ADVANCE_FIRST_KING: Weight = weight(4.0, 12.0);
/// A man at home on his first row, while the other side has men to crown.
const HOME: Weight = weight(9.0, 3.0);
/// A man on the outermost column.
const EDGE: Weight = weight(-4.0, -2.0);
/// A man in the middle columns and rows.
const CENTRE: Weight = weight(4.0, 2.0);
/// A king there.
const KING_CENTRE: Weight = weight(6.0, 8.0);
/// A flying king on the long diagonal.
const LONG_DIAGONAL: Weight = weight(12.0, 12.0);
/// How much more a man weighs at the end of a losing game.
const LAST_BURDEN: f32 = 2.5;

/// Returns the weights for a rule set.
pub(super) fn weights(rules: &RuleSet) -> Weights {
    let mut weights = Weights::zero(rules.shape());
    if rules.goal() == Goal::Losing {
        fill_losing(&mut weights);
        return weights;
    }
    fill_men(weights.men_mut(), rules.shape(), rules.goal() == Goal::FirstKing);
    fill_kings(weights.kings_mut(), rules);
    fill_terms(&mut weights, rules);
    weights
}

fn fill_losing(weights: &mut Weights) {
    weights.men_mut().fill(weight(-100.0, -100.0 * LAST_BURDEN));
    weights.kings_mut().fill(weight(-90.0, -90.0 * LAST_BURDEN));
    weights.set(Term::Turn, 3.0, 3.0);
    weights.set(Term::Step, 2.0, 2.0);
}

fn fill_men(men: &mut [Weight], shape: Shape, first_king: bool) {
    let size = shape.size();
    let advance = if first_king { ADVANCE_FIRST_KING } else { ADVANCE };
    for (man, (row, col)) in men.iter_mut().zip(squares(shape)) {
        let gone = f32::from(size - 1 - row);
        *man = sum(MAN, weight(advance.opening * gone, advance.ending * gone));
        if row == size - 1 {
            *man = sum(*man, HOME);
        }
        if col == 0 || col == size - 1 {
            *man = sum(*man, EDGE);
        }
        if is_central(shape, row, col) {
            *man = sum(*man, CENTRE);
        }
    }
}

fn fill_kings(kings: &mut [Weight], rules: &RuleSet) {
    let (shape, flying) = (rules.shape(), rules.movement().king == KingRange::Flying);
    let value = king_value(rules);
    for (king, (row, col)) in kings.iter_mut().zip(squares(shape)) {
        *king = weight(value, value * MAN.ending / MAN.opening);
        if is_central(shape, row, col) {
            *king = sum(*king, KING_CENTRE);
        }
        if flying && !shape.is_orthogonal() && row + col == shape.size() - 1 {
            *king = sum(*king, LONG_DIAGONAL);
        }
    }
}

fn fill_terms(weights: &mut Weights, rules: &RuleSet) {
    let flying = rules.movement().king == KingRange::Flying;
    let king = king_value(rules);
    weights.set(Term::Turn, 3.0, 3.0);
    weights.set(Term::PairDown, 3.0, 2.0);
    weights.set(Term::PairUp, 3.0, 2.0);
    weights.set(Term::Step, 1.0, 1.0);
    weights.set(Term::SafeStep, 1.0, 2.0);
    let passed = [Term::PassedOne, Term::PassedTwo, Term::PassedThree, Term::PassedFour];
    for (term, share) in passed.into_iter().zip([0.30, 0.25, 0.20, 0.15]) {
        weights.set(term, king * share, king * share);
    }
    weights.set(Term::KingStuck, -60.0, -60.0);
    if flying {
        weights.set(Term::KingReach, 1.0, 1.0);
        weights.set(Term::KingSafe, 1.0, 1.0);
    }
}

fn king_value(rules: &RuleSet) -> f32 {
    let m = rules.movement();
    match m.king {
        KingRange::Short if m.men_take_kings => 140.0,
        KingRange::Short => 175.0,
        KingRange::Flying if rules.shape().is_orthogonal() => 480.0,
        KingRange::Flying if m.lines == CaptureLines::Eight => 350.0,
        KingRange::Flying if rules.shape().size() > 8 => 330.0,
        KingRange::Flying => 290.0,
    }
}

fn sum(a: Weight, b: Weight) -> Weight {
    weight(a.opening + b.opening, a.ending + b.ending)
}

/// Returns row and column of every playing square.
fn squares(shape: Shape) -> impl Iterator<Item = (u8, u8)> {
    (0..shape.squares()).map(move |index| shape.row_col(shape.bit_of(index)))
}

fn is_central(shape: Shape, row: u8, col: u8) -> bool {
    let rim = shape.size() / 2 - 2;
    let within = |x: u8| (rim..shape.size() - rim).contains(&x);
    within(row) && within(col)
}
