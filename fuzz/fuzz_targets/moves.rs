//! Move texts in positions of a game that the first bytes play: what is read is legal, and its full text is read as the same move.
#![no_main]

use damiera_protocol::squares;
use damiera_rules::presets::KEYS;
use damiera_rules::{RuleSet, notation};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [choice, plies, rest @ ..] = data else { return };
    let Some(rules) = RuleSet::known(KEYS[usize::from(*choice) % KEYS.len()]) else { return };
    let mut position = rules.initial();
    let (played, text) = rest.split_at(usize::from(*plies % 64).min(rest.len()));
    for choice in played {
        let moves = rules.moves(&position);
        let Some(m) = moves.get(usize::from(*choice) % moves.len().max(1)) else { return };
        position = rules.after(&position, m);
    }
    let legal = rules.moves(&position);
    let text = String::from_utf8_lossy(text);
    for m in
        [notation::parse(&rules, &position, &text).ok(), squares::read_move(&rules, &position, &text).ok()]
    {
        let Some(m) = m else { continue };
        assert!(legal.contains(&m), "{text:?}");
        let written = notation::format(&rules, &position, &legal, &m);
        if let Ok(again) = notation::parse(&rules, &position, &written) {
            assert_eq!((again.from, again.to, again.captured), (m.from, m.to, m.captured), "{written}");
        }
    }
});
