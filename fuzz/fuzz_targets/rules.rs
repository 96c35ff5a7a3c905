//! Canonical names and rule files: what is read has a canonical name that is read as the same rules.
#![no_main]

use damiera_rules::RuleSet;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for rules in [RuleSet::parse(&text), RuleSet::from_toml(&text)].into_iter().flatten() {
        let again = RuleSet::parse(rules.canonical());
        // A rule file without "extends" has a name that only its fields give.
        if let Ok(again) = again {
            assert_eq!(again.fingerprint(), rules.fingerprint(), "{}", rules.canonical());
        } else {
            assert_eq!(rules.key(), "custom", "{}", rules.canonical());
        }
        let position = rules.initial();
        let _ = rules.moves(&position);
    }
});
