//! The writer of PDN.

use std::sync::Arc;

use damiera_pdn::{Record, Verdict};
use damiera_rules::{Game, RuleSet, Side, fen, notation};

fn game(rules: &str, start: Option<&str>, moves: &str) -> Game {
    let rules = Arc::new(RuleSet::parse(rules).expect("rules"));
    let start = start.map_or(rules.initial(), |text| fen::parse(&rules, text).expect("a FEN"));
    let mut game = Game::new(Arc::clone(&rules), start);
    for text in moves.split_whitespace() {
        let m = notation::parse(&rules, game.position(), text).expect(text);
        game.play(&m).expect(text);
    }
    game
}

fn write(game: &Game, verdict: Verdict, comment: &str) -> String {
    Record { tags: &[], more_tags: &[], game, verdict, comment }.to_string()
}

#[test]
fn a_game_type_that_is_not_exact_has_its_rules_beside_it() {
    let rules_tag = |rules| {
        let text = write(&game(rules, None, ""), Verdict::Open, "");
        text.lines().find(|line| line.starts_with("[Rules")).map(str::to_owned)
    };
    assert_eq!(rules_tag("international"), None);
    assert_eq!(rules_tag("brazilian"), None);
    assert_eq!(rules_tag("brazilian-classic").as_deref(), Some("[Rules \"brazilian-classic\"]"));
    assert_eq!(
        rules_tag("italian,capture=optional").as_deref(),
        Some("[Rules \"italian,capture=optional\"]")
    );
    assert_eq!(rules_tag("killer").as_deref(), Some("[Rules \"killer\"]"));
}

#[test]
fn numbers_begin_with_the_side_that_begins() {
    let american = game("american", None, "11-15 23-19 8-11");
    assert!(write(&american, Verdict::Open, "").ends_with("\n\n1. 11-15 23-19 2. 8-11 *\n\n"));
    let white = game("american", Some("W:W19,21-32:B1-8,10,12,15"), "22-18 15x22 25x18");
    let text = write(&white, Verdict::Open, "");
    assert!(text.contains("\n[FEN \"W:W19,21,22,"), "{text}");
    assert!(text.ends_with("\n\n1. ... 22-18 2. 15x22 25x18 *\n\n"), "{text}");
}

#[test]
fn results_are_the_points_of_white_and_black() {
    let italian = game("italian", None, "");
    let international = game("international", None, "");
    for (verdict, small, large) in [
        (Verdict::Won(Side::White), "1-0", "2-0"),
        (Verdict::Won(Side::Black), "0-1", "0-2"),
        (Verdict::Drawn, "1/2-1/2", "1-1"),
        (Verdict::Open, "*", "*"),
    ] {
        for (game, expected) in [(&italian, small), (&international, large)] {
            assert!(write(game, verdict, "").starts_with(&format!("[Result \"{expected}\"]\n")));
            assert_eq!(Verdict::parse(expected), Some(verdict));
        }
    }
}

#[test]
fn what_would_break_the_text_is_kept_from_it() {
    let game = game("italian", None, "22-18");
    let tags = [("Event", "a \"b\" \\ c\nd")];
    let record = Record {
        tags: &tags,
        more_tags: &[("Opening", "22-18")],
        game: &game,
        verdict: Verdict::Open,
        comment: "no {braces}\nhere",
    };
    let text = record.to_string();
    assert!(text.starts_with("[Event \"a \\\"b\\\" \\\\ c d\"]\n"), "{text}");
    assert!(text.contains("[GameType \"22,W,8,8,N2,1\"]\n[Opening \"22-18\"]\n\n"), "{text}");
    assert!(text.ends_with("1. 22-18 {no (braces) here} *\n\n"), "{text}");
}

/// Two captures with the same ends are told apart, letters have their colon, and lines stay short.
#[test]
fn moves_are_unambiguous_and_lines_short() {
    let rules = "international";
    let mut long = game(rules, None, "");
    for _ in 0..60 {
        let Some(m) = long.legal_moves().first().copied() else { break };
        long.play(&m).expect("legal");
    }
    let text = write(&long, Verdict::Open, "");
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    let body = text.split("\n\n").nth(1).expect("moves");
    let moves = body.split_whitespace().filter(|word| !word.ends_with('.') && *word != "*");
    let again = game(rules, None, &moves.collect::<Vec<_>>().join(" "));
    assert_eq!(again.moves(), long.moves());
    let russian = game("russian", None, "c3-b4 b6-a5 b4-c5 d6:b4");
    assert!(write(&russian, Verdict::Open, "").contains("2. b4-c5 d6:b4 *"));
}
