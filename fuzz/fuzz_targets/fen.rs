//! FEN texts under a rule set that the first byte chooses: what is read is written, and read again, as the same position.
#![no_main]

use damiera_rules::presets::KEYS;
use damiera_rules::{RuleSet, fen};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((choice, rest)) = data.split_first() else { return };
    let Some(rules) = RuleSet::known(KEYS[usize::from(*choice) % KEYS.len()]) else { return };
    let text = String::from_utf8_lossy(rest);
    let Ok(position) = fen::parse(&rules, &text) else { return };
    let written = fen::format(&rules, &position);
    let again = fen::parse(&rules, &written).expect("what we write can be read");
    let same = |p: &damiera_rules::Position| (p.white(), p.black(), p.kings(), p.side());
    assert_eq!(same(&again), same(&position), "{written}");
    let _ = rules.moves(&position);
});
