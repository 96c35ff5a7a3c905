//! What a match says about strength: Elo with its error, and a sequential test that ends a match as soon as it has an answer.
//!
//! Both count pairs of games with one opening and sides changed, not games: the two of a pair are not independent, and an opening that is good for one side
//! would otherwise look like chance. A pair brings 0, ½, 1, 1½ or 2 points (the pentanomial model; see M. Van den Bergh, "The Generalized Sequential
//! Probability Ratio Test for Expectation Parameters", and the tests of Fishtest).

use std::fmt;
use std::str::FromStr;

/// How many standard errors make 95 %.
const Z_95: f64 = 1.959_963_985;

/// Games won, drawn and lost by the first player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// Returns how many games were played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }
    /// Returns how many games were decided.
    pub fn decided(&self) -> u32 {
        self.wins + self.losses
    }
    /// Returns the share of the points, from 0 to 1, a draw being half a point.
    pub fn score(&self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games().max(1))
    }
    /// Returns the share of the decided games that were won, from 0 to 1.
    pub fn won_of_decided(&self) -> f64 {
        f64::from(self.wins) / f64::from(self.decided().max(1))
    }
    /// Counts a game by its half points.
    pub fn count(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }
}

/// How many pairs of games brought the first player 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pairs(pub [u32; 5]);

/// A difference in strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// The difference, positive when the first player is stronger.
    pub value: f64,
    /// It lies so far from the value or nearer, with a probability of 95 %.
    pub error: f64,
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.0} ± {:.0}", self.value, self.error)
    }
}

impl Pairs {
    /// Counts a pair by its half points, from 0 to 4.
    pub fn count(&mut self, half_points: u8) {
        self.0[usize::from(half_points.min(4))] += 1;
    }
    /// Returns how many pairs there are.
    pub fn len(&self) -> u32 {
        self.0.iter().sum()
    }
    /// Returns true when there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Returns the share of the points, from 0 to 1.
    pub fn score(&self) -> f64 {
        self.shares().map(|(share, weight)| share * weight).sum()
    }
    /// Returns the difference in Elo; `None` without a pair, and when one player has all the points, which says only "much".
    pub fn elo(&self) -> Option<Elo> {
        let score = self.score();
        if self.is_empty() || score <= 0.0 || score >= 1.0 {
            return None;
        }
        let variance: f64 = self.shares().map(|(share, weight)| weight * (share - score).powi(2)).sum();
        // Half a pair is the last that can be told apart, where all pairs are alike and where the margin reaches beyond all points or none.
        let edge = 0.25 / f64::from(self.len());
        let margin = (Z_95 * (variance / f64::from(self.len())).sqrt()).max(edge);
        let (low, high) =
            ((score - margin).max(edge.min(score)), (score + margin).min((1.0 - edge).max(score)));
        Some(Elo { value: elo(score), error: (elo(high) - elo(low)) / 2.0 })
    }
    /// Returns each share of a pair's points with its relative frequency.
    fn shares(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let all = f64::from(self.len().max(1));
        (0..5u8).zip(self.0).map(move |(half_points, n)| (f64::from(half_points) / 4.0, f64::from(n) / all))
    }
}

/// Returns the Elo difference that makes one expect this share of the points.
fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Returns the share of the points that an Elo difference makes one expect.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential probability ratio test: is the difference `elo0` or `elo1`?
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The first hypothesis.
    pub elo0: f64,
    /// The second hypothesis, greater than the first.
    pub elo1: f64,
    /// How likely the second may be accepted although the first is true.
    pub alpha: f64,
    /// How likely the first may be accepted although the second is true.
    pub beta: f64,
}

/// What a test found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// The difference is `elo0` rather.
    First,
    /// The difference is `elo1` rather.
    Second,
}

impl Sprt {
    /// Returns the bounds of the logarithm of the likelihood ratio: below the first `elo0` is accepted, above the second `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }
    /// Returns the logarithm of the likelihood ratio of `elo1` to `elo0`.
    pub fn llr(&self, pairs: &Pairs) -> f64 {
        let outcomes: Vec<(f64, f64)> = (0..5u8)
            .zip(pairs.0)
            .map(|(half_points, n)| (f64::from(half_points) / 4.0, f64::from(n)))
            .collect();
        if pairs.is_empty() { 0.0 } else { llr(&outcomes, expected(self.elo0), expected(self.elo1)) }
    }
    /// Returns what was found; `None` when more games are needed.
    pub fn found(&self, pairs: &Pairs) -> Option<Found> {
        let (lower, upper) = self.bounds();
        match self.llr(pairs) {
            llr if llr <= lower => Some(Found::First),
            llr if llr >= upper => Some(Found::Second),
            _ => None,
        }
    }
}

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        let is_risk = |p: f64| p > 0.0 && p < 0.5;
        match numbers.as_deref() {
            Ok(&[elo0, elo1, alpha, beta])
                if elo0.abs() <= 1000.0 && elo1.abs() <= 1000.0 && elo0 < elo1 && is_risk(alpha) && is_risk(beta) =>
            {
                Ok(Sprt { elo0, elo1, alpha, beta })
            }
            _ => Err("write ELO0,ELO1,ALPHA,BETA with ELO0 < ELO1 and risks between 0 and 0.5, for example 0,10,0.05,0.05".to_owned()),
        }
    }
}

/// Returns the logarithm of the likelihood ratio that the expected outcome is `s1` rather than `s0`, for outcomes with how often they were seen. Each likelihood is
/// that of the likeliest distribution with that expectation.
pub fn llr(outcomes: &[(f64, f64)], s0: f64, s1: f64) -> f64 {
    // An outcome that was never seen is possible all the same.
    let seen: Vec<(f64, f64)> =
        outcomes.iter().map(|(a, n)| (*a, if *n > 0.0 { *n } else { 1e-3 })).collect();
    let all: f64 = seen.iter().map(|(_, n)| n).sum();
    let distribution: Vec<(f64, f64)> = seen.iter().map(|(a, n)| (*a, n / all)).collect();
    let (x0, x1) = (tilt(&distribution, s0), tilt(&distribution, s1));
    // The likeliest probabilities are p / (1 + x (a − s)).
    let term = |(a, p): &(f64, f64)| p * ((1.0 + x0 * (a - s0)) / (1.0 + x1 * (a - s1))).ln();
    all * distribution.iter().map(term).sum::<f64>()
}

/// Returns the x for which the distribution p / (1 + x (a − s)) has the expectation s: the zero of a falling function, found by halving.
fn tilt(distribution: &[(f64, f64)], s: f64) -> f64 {
    let excess = |x: f64| distribution.iter().map(|(a, p)| p * (a - s) / (1.0 + x * (a - s))).sum::<f64>();
    let least = distribution.iter().map(|(a, _)| *a).fold(f64::INFINITY, f64::min);
    let most = distribution.iter().map(|(a, _)| *a).fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / (most - s), 1.0 / (s - least));
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64, within: f64) {
        assert!((value - expected).abs() <= within, "{value} is not {expected}");
    }

    #[test]
    fn a_tally_counts_a_draw_as_half() {
        let tally = Tally { wins: 6, draws: 2, losses: 2 };
        assert_eq!((tally.games(), tally.decided()), (10, 8));
        close(tally.score(), 0.7, 1e-9);
        close(tally.won_of_decided(), 0.75, 1e-9);
        assert_eq!(Tally::default().score(), 0.0);
    }

    /// A result that Fastchess printed: Ptnml(0-2): [0, 0, 2, 0, 37], Elo: 631.91.
    #[test]
    fn elo_is_that_of_other_programs() {
        close(Pairs([0, 0, 2, 0, 37]).elo().expect("Elo").value, 631.91, 0.005);
        // Elo's table: 75 % of the points are 191 points, 64 % are 100.
        close(Pairs([0, 0, 50, 0, 50]).elo().expect("Elo").value, 190.85, 0.005);
        // Equality has no sign.
        assert_eq!(Pairs([0, 0, 500, 0, 0]).elo().expect("Elo").to_string(), "+0 ± 0");
        close(expected(100.0), 0.640_065, 1e-6);
    }

    /// Between independent games of which half are won the standard error of the share is ½/√games: for 200 games 3.54 %, 1.96 of which are 48.5 Elo.
    #[test]
    fn the_error_is_the_normal_one_when_games_are_independent() {
        let independent = Pairs([25, 0, 50, 0, 25]);
        let elo = independent.elo().expect("Elo");
        close(elo.value, 0.0, 1e-9);
        close(elo.error, 48.46, 0.01);
        // One win and one loss in every pair says that the openings decide and the players are equal, the more surely the more pairs there are.
        close(Pairs([0, 0, 100, 0, 0]).elo().expect("Elo").error, 1.737, 0.001);
        assert!(Pairs([0, 0, 1, 0, 0]).elo().expect("Elo").error > 150.0);
    }

    #[test]
    fn all_points_or_none_are_no_number() {
        assert_eq!(Pairs([0, 0, 0, 0, 10]).elo(), None);
        assert_eq!(Pairs([10, 0, 0, 0, 0]).elo(), None);
        assert_eq!(Pairs::default().elo(), None);
        let almost = Pairs([0, 0, 0, 1, 99]).elo().expect("Elo");
        assert!(almost.error.is_finite() && almost.error > 50.0, "{almost}");
    }

    /// Tests that Fishtest ran on pairs of games (Stockfish pull requests 2493, 2950 and 3209, both tests of each): bounds, pairs, LLR.
    #[test]
    fn the_likelihood_ratio_is_that_of_fishtest() {
        for (elo0, elo1, pairs, expected) in [
            (-1.0, 3.0, [424, 2948, 5832, 3045, 460], 2.94),
            (0.0, 2.0, [1284, 17437, 55536, 18085, 1292], 2.94),
            (-0.5, 1.5, [133, 1751, 5094, 1849, 165], 2.94),
            (0.25, 1.75, [149, 4748, 32785, 5063, 159], 2.95),
            (-0.25, 1.25, [253, 4282, 17604, 4431, 286], 2.94),
            (0.25, 1.25, [58, 3302, 33130, 3518, 84], 2.97),
        ] {
            let test = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 };
            close(test.llr(&Pairs(pairs)), expected, 0.01);
        }
        let (lower, upper) = sprt("0,3,0.05,0.05").bounds();
        close(lower, -2.944, 0.001);
        close(upper, 2.944, 0.001);
    }

    #[test]
    fn nothing_seen_and_a_level_result_say_nothing() {
        let test = sprt("-1,1,0.05,0.05");
        assert_eq!(test.llr(&Pairs::default()), 0.0);
        close(test.llr(&Pairs([10, 5, 2, 5, 10])), 0.0, 1e-9);
    }

    #[test]
    fn a_test_ends_when_it_knows() {
        let test = sprt("0,20,0.05,0.05");
        assert_eq!(test.found(&Pairs([1, 2, 3, 2, 1])), None);
        assert_eq!(test.found(&Pairs([20, 100, 300, 200, 80])), Some(Found::Second));
        assert_eq!(test.found(&Pairs([80, 200, 300, 100, 20])), Some(Found::First));
        for text in [
            "",
            "0,10",
            "10,0,0.05,0.05",
            "0,10,0,0.05",
            "0,10,0.05,0.6",
            "0,nan,0.05,0.05",
            "0,inf,0.05,0.05",
        ] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }

    fn sprt(text: &str) -> Sprt {
        text.parse().expect(text)
    }
}
