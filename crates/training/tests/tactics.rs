//! The problems of `tests/data/tactics`: each is what `damiera train tactics` says of it.

use std::fs;
use std::path::Path;

use damiera_engine::{Engine, Limits, Root};
use damiera_rules::RuleSet;
use damiera_training::tactics::{self, Problem};

/// The rule sets that have problems.
const KEYS: [&str; 6] = ["italian", "brazilian", "spanish", "russian", "american", "international"];
/// The table of the program that has found them, in megabytes.
const MEGABYTES: usize = 8;

fn problems(rules: &RuleSet, key: &str) -> Vec<Problem> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/data/tactics/{key}.txt"));
    let text = fs::read_to_string(path).expect(key);
    tactics::read(rules, &text).unwrap_or_else(|error| panic!("{key}: {error}"))
}

/// A search of four plies does not see the answer, and one of some hundred thousand nodes, a tenth of a second, does.
#[test]
fn problems_are_deep_and_are_solved() {
    for key in KEYS {
        let rules = RuleSet::known(key).expect("a known key");
        let problems = problems(&rules, key);
        assert!(problems.len() >= 30, "{key}: {}", problems.len());
        let mut engine = Engine::new(MEGABYTES);
        for (number, problem) in (1..).zip(&problems) {
            let root = Root::new(&rules, problem.position);
            let mut sees = |limits: &Limits| {
                engine.forget();
                problem.answer.is_found(&engine.search(&rules, &root, limits))
            };
            assert!(!sees(&Limits { depth: Some(4), ..Limits::default() }), "{key} {number} is shallow");
            let solved = [10_000, 100_000, 500_000].into_iter().any(|nodes| sees(&Limits::nodes(nodes)));
            assert!(solved, "{key} {number} is not solved");
        }
    }
}
