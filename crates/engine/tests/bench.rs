//! The engine's signature: what `damiera bench` counts must be what `crates/engine/bench/signature.txt` says.

use damiera_engine::bench;
use damiera_rules::RuleSet;
use damiera_rules::presets::KEYS;

#[test]
fn the_signature_is_the_one_in_the_repository() {
    assert_eq!(
        bench::signature(),
        include_str!("../bench/signature.txt"),
        "The search or the evaluation does something else than before. If that is meant, write the new counts with \
         `cargo run --release -p damiera -- bench --signature > crates/engine/bench/signature.txt` and say with which match \
         the change was tested."
    );
}

/// A set by itself has the number that the whole signature gives it; home-made rules have one too, and another than their base.
#[test]
fn the_signature_of_one_rule_set_is_its_line() {
    for key in ["italian", "international", "turkish"] {
        let rules = RuleSet::known(key).expect("a known key");
        let line = format!("{key} {}\n", bench::signature_of(&rules));
        assert!(include_str!("../bench/signature.txt").contains(&line), "{line}");
    }
    let (base, made) = (RuleSet::known("brazilian"), RuleSet::parse("brazilian,capture=optional"));
    let (base, made) = (base.expect("a known key"), made.expect("a rule set"));
    assert!(bench::signature_of(&made) > 0);
    assert_ne!(bench::signature_of(&base), bench::signature_of(&made));
}

#[test]
fn every_rule_set_has_five_positions_and_the_first_is_its_start() {
    let lines = include_str!("../bench/positions.txt").lines().count();
    let cases = bench::cases();
    assert_eq!((cases.len(), lines), (5 * KEYS.len(), 5 * KEYS.len()));
    for (five, key) in cases.chunks(5).zip(KEYS) {
        assert!(five.iter().all(|case| case.rules.key() == key), "{key}");
        assert_eq!(five[0].position, five[0].rules.initial());
    }
}
