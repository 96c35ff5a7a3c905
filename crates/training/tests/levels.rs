//! The levels as they were measured and as the page shows them.

use std::path::Path;

use damiera_engine::Level;
use damiera_rules::RuleSet;
use damiera_rules::presets::KEYS;
use damiera_training::levels::{Rating, Ratings};

#[test]
fn every_level_was_measured_in_every_rule_set_and_beats_the_one_below_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/levels.json");
    let ratings = Ratings::read(&path, "").expect("the levels as they are");
    for key in KEYS {
        let rules = RuleSet::known(key).expect("a known key");
        let set = &ratings.rules[rules.canonical()];
        let least = Rating::usual_games(&rules);
        assert!(set.naive.as_ref().is_some_and(|step| step.games >= least), "{key}: against naive");
        let levels: Vec<&str> = set.steps.iter().map(|step| step.level.as_str()).collect();
        let wanted: Vec<String> = (2..=Level::COUNT).map(|number| format!("level:{number}")).collect();
        assert_eq!(levels, wanted, "{key}");
        for step in &set.steps {
            assert!(step.games >= least, "{key}: {step:?}");
            assert!(step.wins > step.losses, "{key}: {step:?}");
        }
    }
}
