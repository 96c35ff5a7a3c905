//! What holds in every position of every rule set.

use std::sync::Arc;

use damiera_engine::{Engine, Level, Limits, Random, Root};
use damiera_rules::presets::KEYS;
use damiera_rules::{Game, RuleSet};

/// The known rule sets, and home-made ones that change several lines at once.
fn rule_sets() -> Vec<Arc<RuleSet>> {
    let home_made = [
        "brazilian,capture=optional,draws=casual,first=black",
        "italian,king=flying,promotion=at_once",
        "international,goal=losing,capture=optional",
        "turkish,capture=optional,removal=at_end",
        "canadian,goal=first_king",
        "frisian,king=short,draws=none",
    ];
    KEYS.iter()
        .chain(&home_made)
        .map(|name| Arc::new(RuleSet::parse(name).unwrap_or_else(|error| panic!("{name}: {error}"))))
        .collect()
}

/// Plays at random and stops now and then.
fn random_games(rules: &Arc<RuleSet>, seed: u64, mut visit: impl FnMut(&Game)) {
    let mut random = Random::new(seed);
    let mut game = Game::new(Arc::clone(rules), rules.initial());
    while game.outcome().is_none() && game.ply() < 160 {
        if game.ply() % 9 == 8 {
            visit(&game);
        }
        let moves = game.legal_moves();
        game.play(&moves[random.below(moves.len())]).expect("a listed move");
    }
    visit(&game);
}

#[test]
fn the_best_move_and_its_line_are_always_legal() {
    let mut engine = Engine::new(1);
    for rules in rule_sets() {
        random_games(&rules, 7, |game| {
            let root = Root::of(game);
            let report = engine.search(&rules, &root, &Limits::nodes(1_500));
            assert!(report.nodes <= 1_500, "{}", rules.canonical());
            assert_eq!(report.best, report.pv.first().copied().or(report.best), "{}", rules.canonical());
            let mut position = root.position;
            for m in &report.pv {
                assert!(rules.moves(&position).contains(m), "{}: {}", rules.canonical(), game.describe());
                position = rules.after(&position, m);
            }
            match report.best {
                Some(m) => assert!(rules.moves(&root.position).contains(&m)),
                None => assert!(rules.moves(&root.position).is_empty()),
            }
        });
    }
}

#[test]
fn levels_choose_legal_moves_and_the_same_ones_for_a_seed() {
    let (mut one, mut two) = (Engine::new(1), Engine::new(1));
    for rules in rule_sets() {
        random_games(&rules, 11, |game| {
            if game.outcome().is_some() {
                return;
            }
            for level in (1..=Level::COUNT).filter_map(Level::new) {
                let seed = game.ply() as u64;
                let most = Limits::nodes(2_000);
                let chosen = level.choose(&mut one, &rules, &Root::of(game), seed, &most);
                assert!(
                    chosen.best.is_some_and(|m| game.legal_moves().contains(&m)),
                    "{}",
                    rules.canonical()
                );
                let again = level.choose(&mut two, &rules, &Root::of(game), seed, &most);
                assert_eq!((chosen.best, chosen.score), (again.best, again.score), "{}", rules.canonical());
                assert!(level.nodes().is_some_and(|most| chosen.nodes <= most.min(2_000)));
            }
        });
    }
}
