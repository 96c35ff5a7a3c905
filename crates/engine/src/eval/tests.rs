//! What holds for every evaluation under every rule set, on positions of random games.

use std::sync::Arc;

use damiera_rules::presets::KEYS;
use damiera_rules::{Bits, Game, Geometry, Job, Move, Position, RuleSet, RuleSource, Shape, Side, dispatch};

use super::Evaluator;
use super::tuning::{Tracer, Weights};
use crate::random::Random;
use crate::score::{DRAW, MAX_VALUE};

const HOME_MADE: [&str; 7] = [
    "brazilian,capture=optional,draws=casual,first=black",
    "italian,king=flying,promotion=at_once",
    "international,goal=losing,capture=optional",
    "turkish,capture=optional,removal=at_end",
    "turkish,goal=losing",
    "canadian,goal=first_king",
    "frisian,king=short,draws=none",
];

fn rule_sets() -> impl Iterator<Item = Arc<RuleSet>> {
    KEYS.iter()
        .chain(&HOME_MADE)
        .map(|name| Arc::new(RuleSet::parse(name).unwrap_or_else(|error| panic!("{name}: {error}"))))
}

/// Plays random games and shows every move with the positions before and after it.
fn random_moves(rules: &Arc<RuleSet>, games: u64, mut visit: impl FnMut(&Position, &Move, &Position)) {
    for seed in 0..games {
        let mut random = Random::new(seed);
        let mut game = Game::new(Arc::clone(rules), rules.initial());
        while game.outcome().is_none() && game.ply() < 200 {
            let moves = game.legal_moves();
            let (before, m) = (*game.position(), moves[random.below(moves.len())]);
            game.play(&m).expect("a listed move");
            visit(&before, &m, game.position());
        }
    }
}

struct Evaluate<'a>(&'a Evaluator, &'a Position);

impl Job for Evaluate<'_> {
    type Output = i32;
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> i32 {
        let Evaluate(evaluator, position) = self;
        let p = Position::<G::Set>::narrow(position);
        evaluator.evaluate::<G, R>(rules, &p, evaluator.squares(&p))
    }
}

fn evaluate(rules: &RuleSet, evaluator: &Evaluator, p: &Position) -> i32 {
    dispatch(rules.shape(), rules.movement(), Evaluate(evaluator, p))
}

#[test]
fn both_sides_are_judged_alike() {
    for rules in rule_sets() {
        let evaluator = Evaluator::new(&rules);
        random_moves(&rules, 30, |_, _, p| {
            let other = p.reversed(rules.shape());
            let values = [p, &other].map(|p| evaluate(&rules, &evaluator, p));
            assert_eq!(values[0], values[1], "{}: {p:?}", rules.canonical());
        });
    }
}

#[test]
fn square_values_can_be_kept_move_by_move() {
    for rules in rule_sets() {
        let evaluator = Evaluator::new(&rules);
        random_moves(&rules, 20, |before, m, after| {
            let (side, king) = (before.side(), before.kings().has(m.from));
            let mut sum = evaluator.squares(before) - evaluator.square(side, king, m.from)
                + evaluator.square(side, king || m.promotes, m.to);
            for bit in m.captured.iter() {
                sum -= evaluator.square(side.other(), before.kings().has(bit), bit);
            }
            assert_eq!(sum, evaluator.squares(after), "{}: {before:?} {m:?}", rules.canonical());
        });
    }
}

#[test]
fn an_estimate_is_no_win_and_a_draw_only_with_few_kings() {
    for rules in rule_sets() {
        let evaluator = Evaluator::new(&rules);
        let judge = |p: &Position| {
            let value = evaluate(&rules, &evaluator, p);
            let few = (1..=4).contains(&(p.white() | p.black()).len()) && p.kings().len() >= 2;
            assert!((value != DRAW || few) && value.abs() <= MAX_VALUE, "{}: {p:?}", rules.canonical());
        };
        random_moves(&rules, 10, |_, _, p| judge(p));
        // The most that can stand on one side, and nothing at all.
        let (all, none) = (rules.shape().all(), 0);
        for side in [Side::White, Side::Black] {
            judge(&Position::from_sets(all, none, all, side));
            judge(&Position::from_sets(none, all, none, side));
            judge(&Position::from_sets(none, none, none, side));
        }
    }
}

#[test]
fn a_man_more_is_better_or_worse_by_the_goal() {
    for rules in rule_sets() {
        let evaluator = Evaluator::new(&rules);
        let p = rules.initial();
        let fewer = |set: u128| {
            set & !(1 << rules.shape().bit_of(rules.shape().row_len() * (rules.start().behind + 1)))
        };
        let up = Position::from_sets(p.white(), fewer(p.black()), 0, Side::White);
        let value = evaluate(&rules, &evaluator, &up);
        if rules.goal() == damiera_rules::Goal::Losing {
            assert!(value < -50, "{}: {value}", rules.canonical());
        } else {
            assert!(value > 50, "{}: {value}", rules.canonical());
        }
    }
}

#[test]
fn a_trace_adds_up_to_the_estimate() {
    for rules in rule_sets() {
        let weights = Weights::of(&rules);
        let (evaluator, tracer) = (Evaluator::new(&rules), Tracer::new(&rules, &weights));
        random_moves(&rules, 10, |_, _, p| {
            let traced = tracer.trace(p).value(weights.values());
            let traced = if p.side().is_white() { traced } else { -traced };
            let value = evaluate(&rules, &evaluator, p) as f32;
            // Square values are rounded to hundredths, some pieces at a time.
            assert!((traced - value).abs() < 16.0, "{}: {traced} {value} {p:?}", rules.canonical());
        });
    }
}

#[test]
fn weights_can_be_written_and_read_back() {
    for rules in rule_sets() {
        let text = Weights::by_hand(&rules).to_string();
        let read = Weights::parse(rules.shape(), &text).expect("weights as written");
        assert_eq!(read.to_string(), text, "{}", rules.canonical());
    }
    let shape = Shape::Diagonal8;
    for (text, place) in
        [("man.1 2", "line 1"), ("\nman.33 1 1", "line 2"), ("turn 1 x", "line 1"), ("turn 1 nan", "line 1")]
    {
        let error = Weights::parse(shape, text).expect_err(text);
        assert!(error.starts_with(place), "{error}");
    }
}
