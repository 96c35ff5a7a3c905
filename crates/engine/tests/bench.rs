//! The engine's signature: what `damiera bench` counts must be what `crates/engine/bench/signature.txt` says.

use damiera_engine::bench;
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

#[test]
fn the_signature_has_every_rule_set() {
    let nodes: Vec<u64> = KEYS.iter().filter_map(|key| bench::signature_of(key)).collect();
    assert_eq!(nodes.len(), KEYS.len());
    assert_eq!(Some(nodes.iter().sum()), bench::signature_of("total"));
    assert_eq!(bench::signature_of("ital"), None);
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
