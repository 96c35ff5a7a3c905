//! Fitting the weights of the evaluation to the results of games: logistic regression.
//!
//! The engine's value of a position, times a scale, is taken for the logarithm of the odds that White wins, a draw being half a win. The
//! scale is found first, for the weights as they are; then the weights are moved so that the results become as likely as possible, each
//! held back by a spring to where it began. Games are held out to see whether what was learned is true of others too.

use damiera_engine::tuning::{Trace, Tracer, Weight, Weights};
use damiera_rules::{Goal, RuleSet};

use crate::selfplay::Sample;

/// Of so many games one is held out.
const HELD_OUT: u32 = 10;
/// How the result of the game and what the search thought of the position share in what is fitted: the search is less noisy, the result
/// knows more.
const SHARE_OF_SEARCH: f32 = 0.3;
/// How far a weight moves, in hundredths of a man, before the spring holds it as strongly as one surprising game would.
const SPRING: f32 = 8.0;
/// The steps of the descent (Adam), and how far a weight moves in the first of them, in hundredths of a man.
const STEPS: u32 = 600;
const STEP: f32 = 2.0;
const MOMENTUM: f32 = 0.9;
const SPREAD: f32 = 0.999;
/// A man is worth this at the beginning of the game, on average over the squares.
const MAN: f32 = 100.0;

/// What weights make of samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quality {
    /// The mean logarithm of what the results were thought to be worth, negative; in nats. Less is better.
    pub loss: f64,
    /// The share of the decided games' positions in which the winner was thought to be better.
    pub accuracy: f64,
}

/// Weights that were fitted.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights.
    pub weights: Weights,
    /// Positions that were fitted to, and those of games held out.
    pub samples: (usize, usize),
    /// On the games held out, with the weights as they were.
    pub before: Quality,
    /// On the games held out, with the fitted weights.
    pub after: Quality,
}

/// A position taken apart, with what it should be worth.
struct Point {
    trace: Trace,
    result: f32,
    score: f32,
}

/// Fits weights to samples of games under a rule set, from `start` on.
pub fn fit(rules: &RuleSet, samples: &[Sample], start: &Weights) -> Fitted {
    let tracer = Tracer::new(rules, start);
    let point = |sample: &Sample| Point {
        trace: tracer.trace(&sample.position),
        result: sample.result,
        score: sample.score as f32,
    };
    let (held_out, rest): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|sample| sample.game % HELD_OUT == 0);
    let points: Vec<Point> = rest.into_iter().map(point).collect();
    let test: Vec<Point> = held_out.into_iter().map(point).collect();

    let scale = best_scale(&points, start.values());
    let before = quality(&test, start.values(), scale);
    let mut weights = start.clone();
    descend(&points, scale, weights.values_mut());
    let after = quality(&test, weights.values(), scale);
    normalise(&mut weights, rules);
    Fitted { weights, samples: (points.len(), test.len()), before, after }
}

/// Returns the scale from hundredths of a man to the logarithm of the odds under which the results are most likely.
fn best_scale(points: &[Point], weights: &[Weight]) -> f32 {
    let values: Vec<(f32, f32)> = points.iter().map(|p| (p.trace.value(weights), p.result)).collect();
    let loss =
        |scale: f32| -> f64 { values.iter().map(|(value, result)| surprise(value * scale, *result)).sum() };
    // Ternary search: the loss falls up to the best scale and rises behind it.
    let (mut low, mut high) = (0.000_5f32, 0.05f32);
    for _ in 0..40 {
        let third = (high - low) / 3.0;
        if loss(low + third) < loss(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    (low + high) / 2.0
}

/// Moves the weights to where the results are most likely.
fn descend(points: &[Point], scale: f32, weights: &mut [Weight]) {
    let start: Vec<Weight> = weights.to_vec();
    let targets: Vec<f32> = points
        .iter()
        .map(|p| p.result * (1.0 - SHARE_OF_SEARCH) + sigmoid(p.score * scale) * SHARE_OF_SEARCH)
        .collect();
    let spring = 1.0 / (SPRING * SPRING * points.len().max(1) as f32);
    let mut mean = vec![[0.0f32; 2]; weights.len()];
    let mut square = vec![[0.0f32; 2]; weights.len()];
    for step in 1..=STEPS {
        let gradient = gradient(points, &targets, scale, weights);
        let rate = STEP * (1.0 - (step - 1) as f32 / STEPS as f32);
        let bias = (1.0 - MOMENTUM.powi(step as i32), 1.0 - SPREAD.powi(step as i32));
        for (i, weight) in weights.iter_mut().enumerate() {
            let pull = [weight.opening - start[i].opening, weight.ending - start[i].ending];
            let moved: [f32; 2] = std::array::from_fn(|half| {
                let slope = gradient[i][half] + pull[half] * spring;
                mean[i][half] = MOMENTUM * mean[i][half] + (1.0 - MOMENTUM) * slope;
                square[i][half] = SPREAD * square[i][half] + (1.0 - SPREAD) * slope * slope;
                rate * (mean[i][half] / bias.0) / ((square[i][half] / bias.1).sqrt() + 1e-9)
            });
            weight.opening -= moved[0];
            weight.ending -= moved[1];
        }
    }
}

/// Returns how the mean loss changes with each weight's opening and ending.
fn gradient(points: &[Point], targets: &[f32], scale: f32, weights: &[Weight]) -> Vec<[f32; 2]> {
    let mut gradient = vec![[0.0f32; 2]; weights.len()];
    for (point, target) in points.iter().zip(targets) {
        let error = (sigmoid(point.trace.value(weights) * scale) - target) * scale;
        let opening = error * point.trace.opening;
        let ending = error * (point.trace.factor - point.trace.opening);
        for &(i, n) in &point.trace.counts {
            let slope = &mut gradient[usize::from(i)];
            slope[0] += opening * f32::from(n);
            slope[1] += ending * f32::from(n);
        }
    }
    let share = 1.0 / points.len().max(1) as f32;
    gradient.iter_mut().flatten().for_each(|slope| *slope *= share);
    gradient
}

/// Scales the weights so that a man is worth 100 at the beginning.
fn normalise(weights: &mut Weights, rules: &RuleSet) {
    let row = usize::from(rules.shape().row_len());
    // Men never stand on the last row.
    let men = &weights.men()[row..];
    let mean = men.iter().map(|man| man.opening).sum::<f32>() / men.len() as f32;
    let wanted = if rules.goal() == Goal::Losing { -MAN } else { MAN };
    let factor = wanted / mean;
    if factor.is_finite() && factor > 0.0 {
        for weight in weights.values_mut() {
            weight.opening *= factor;
            weight.ending *= factor;
        }
    }
}

fn quality(points: &[Point], weights: &[Weight], scale: f32) -> Quality {
    let (mut loss, mut right, mut decided) = (0.0, 0u32, 0u32);
    for point in points {
        let value = point.trace.value(weights);
        loss += surprise(value * scale, point.result);
        if point.result != 0.5 {
            decided += 1;
            right += u32::from((value > 0.0) == (point.result > 0.5));
        }
    }
    let count = points.len().max(1) as f64;
    Quality { loss: loss / count, accuracy: f64::from(right) / f64::from(decided.max(1)) }
}

/// Returns the loss of one result, given the logarithm of the odds.
fn surprise(odds: f32, result: f32) -> f64 {
    let p = f64::from(sigmoid(odds)).clamp(1e-9, 1.0 - 1e-9);
    -(f64::from(result) * p.ln() + f64::from(1.0 - result) * (1.0 - p).ln())
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
