//! Positions and moves as Hub and DXP write them, in every rule set.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use damiera_protocol::squares::{self, DXP, HUB, HUB_1};
use damiera_rules::presets::KEYS;
use damiera_rules::{Bits, RuleSet, fen, notation};
use proptest::prelude::*;

fn known(name: &str) -> RuleSet {
    RuleSet::parse(name).unwrap()
}

/// Plays a game at random, decided by `choices`, and hands every position with its rules to `look`.
fn random_game(rules: &RuleSet, choices: &[u8], mut look: impl FnMut(&damiera_rules::Position)) {
    let mut position = rules.initial();
    for choice in choices {
        look(&position);
        let moves = rules.moves(&position);
        if moves.is_empty() {
            return;
        }
        position = rules.after(&position, &moves[usize::from(*choice) % moves.len()]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_position_is_read_back(key in prop::sample::select(&KEYS[..]), choices in prop::collection::vec(any::<u8>(), 120)) {
        let rules = known(key);
        random_game(&rules, &choices, |position| {
            for letters in [HUB, HUB_1, DXP] {
                let text = squares::write_position(&rules, position, &letters);
                assert_eq!(text.len(), usize::from(rules.shape().squares()) + 1);
                let back = squares::read_position(&rules, &text, &letters).unwrap();
                // What has been counted about kings is no part of the text.
                let same = |p: &damiera_rules::Position| (p.white(), p.black(), p.kings(), p.side());
                assert_eq!(same(&back), same(position), "{key} {text}");
            }
        });
    }

    #[test]
    fn every_move_is_read_back_with_its_captures_in_any_order(
        key in prop::sample::select(&KEYS[..]),
        choices in prop::collection::vec(any::<u8>(), 120),
    ) {
        let rules = known(key);
        random_game(&rules, &choices, |position| {
            let legal = rules.moves(position);
            for m in &legal {
                let twins = legal.iter().filter(|o| (o.from, o.to, o.captured) == (m.from, m.to, m.captured)).count();
                let text = squares::write_move(&rules, m);
                let read = squares::read_move(&rules, position, &text);
                // Two moves that differ in the crown alone cannot be told apart by this protocol; it is said, not guessed.
                assert_eq!(read.ok(), (twins == 1).then_some(*m), "{key} {text}");
                let mut numbers = squares::captured_numbers(&rules, m);
                numbers.reverse();
                let (from, to) = (squares::number(&rules, m.from), squares::number(&rules, m.to));
                if twins == 1 {
                    assert_eq!(squares::find_move(&rules, position, from, to, &numbers), Ok(*m));
                }
            }
        });
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,80}") {
        for key in ["italian", "international", "turkish", "spanish"] {
            let rules = known(key);
            let _ = squares::read_position(&rules, &text, &HUB);
            let _ = squares::read_move(&rules, &rules.initial(), &text);
        }
    }
}

#[test]
fn squares_are_counted_from_whites_top_left_in_every_rule_set() {
    for (key, name, number) in [
        ("spanish", "32", 1),
        ("spanish", "1", 32),
        ("italian", "1", 1),
        ("russian", "b8", 1),
        ("russian", "a1", 29),
        ("turkish", "a8", 1),
        ("turkish", "h1", 64),
        ("canadian", "72", 72),
    ] {
        let rules = known(key);
        let bit = rules.board().square(name).unwrap();
        assert_eq!(squares::number(&rules, bit), number, "{key} {name}");
    }
}

#[test]
fn the_starts_are_written_as_other_programs_write_them() {
    let international = known("international");
    let start = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    assert_eq!(squares::write_position(&international, &international.initial(), &HUB), start);
    let dxp = start.replace('b', "z");
    assert_eq!(squares::write_position(&international, &international.initial(), &DXP), dxp);
    let turkish = known("turkish");
    let start =
        format!("W{}{}{}{}{}", "e".repeat(8), "b".repeat(16), "e".repeat(16), "w".repeat(16), "e".repeat(8));
    assert_eq!(squares::write_position(&turkish, &turkish.initial(), &HUB), start);
}

#[test]
fn a_position_that_cannot_be_read_is_refused_with_its_column() {
    let rules = known("international");
    let start = squares::write_position(&rules, &rules.initial(), &HUB);
    for (text, column, message) in [
        ("", 1, "the side to move is W or B"),
        ("x", 1, "the side to move is W or B"),
        (&start[..40], 41, "the position ends here; it has 51 characters"),
        (&format!("{start}e"), 52, "the position goes on"),
        (&start.replacen('b', "z", 1), 2, "\"z\" is no square"),
        (&format!("W{}", "w".repeat(50)), 2, "where it becomes a king"),
        (&format!("B{}b", "e".repeat(49)), 51, "where it becomes a king"),
    ] {
        let error = squares::read_position(&rules, text, &HUB).unwrap_err();
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.message.contains(message), "{text}: {error}");
    }
}

#[test]
fn a_move_is_read_by_its_ends_where_they_suffice() {
    let rules = known("international");
    let position = fen::parse(&rules, "W:W32:B28,19,K5").unwrap();
    let moves = rules.moves(&position);
    let captures: Vec<String> = moves.iter().map(|m| squares::write_move(&rules, m)).collect();
    assert_eq!(captures, ["32x14x19x28"]);
    for text in ["32x14", "32x14x28x19", "32x14x19x28", "32-14", "32:14"] {
        assert_eq!(squares::read_move(&rules, &position, text).unwrap(), moves[0], "{text}");
    }
    for text in
        ["32x14x28", "32x23x28", "32x23", "14x32", "32", "", "-", "32x", "32x14x28x19x5", "999x14", "32x0"]
    {
        assert!(squares::read_move(&rules, &position, text).is_err(), "{text}");
    }
}

#[test]
fn where_captures_share_their_ends_the_captured_squares_decide() {
    let rules = known("american");
    let position = fen::parse(&rules, "W:W26:B22,23,14,15").unwrap();
    let legal = rules.moves(&position);
    let texts: Vec<String> = legal.iter().map(|m| squares::write_move(&rules, m)).collect();
    assert_eq!(texts, ["26x10x14x22", "26x10x15x23"]);
    for (m, text) in legal.iter().zip(&texts) {
        assert_eq!(squares::read_move(&rules, &position, text).unwrap(), *m);
    }
    let error = squares::read_move(&rules, &position, "26x10").unwrap_err();
    assert!(error.message.contains("several legal moves fit"), "{error}");
}

#[test]
fn a_quiet_move_is_meant_where_nothing_is_named_as_captured() {
    let rules = known("brazilian,capture=optional");
    // The king may step to a3, or come there over all three men.
    let position = fen::parse(&rules, "W:WKc1:Bd2,d4,b4").unwrap();
    let legal = rules.moves(&position);
    let ends = |m: &damiera_rules::Move| (m.from, m.to);
    let shared = |m: &damiera_rules::Move| legal.iter().any(|o| o.is_capture() && ends(o) == ends(m));
    assert!(legal.iter().any(|m| !m.is_capture() && shared(m)), "{legal:?}");
    for m in &legal {
        let text = squares::write_move(&rules, m);
        assert_eq!(squares::read_move(&rules, &position, &text).unwrap(), *m, "{text}");
    }
}

#[test]
fn letters_are_read_where_the_board_has_them() {
    let rules = known("russian");
    let position = rules.initial();
    let m = squares::read_move(&rules, &position, "c3-d4").unwrap();
    assert_eq!(notation::short(&rules, &m), "c3-d4");
    assert_eq!(squares::write_move(&rules, &m), "22-18");
    assert!(squares::read_move(&known("italian"), &known("italian").initial(), "c3-d4").is_err());
    assert_eq!(m.captured.len(), 0);
}
