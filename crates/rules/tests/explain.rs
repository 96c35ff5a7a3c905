//! `explain` against the generator, on the whole of the random positions: it agrees on every pair of squares, and it always knows why.

mod support;

use std::collections::BTreeMap;

use damiera_rules::explain::{Reason, explain};
use damiera_rules::{Bits, Position, RuleSet, fen, notation};
use support::{Case, cases, known};

fn every_position(mut check: impl FnMut(&RuleSet, &Position, &Case)) {
    for case in cases("rules/random.jsonl").into_iter().chain(cases("rules/cases.jsonl")) {
        let rules = known(&case.rules);
        let position = fen::parse(&rules, &case.fen).expect("the file's FEN");
        check(&rules, &position, &case);
    }
}

/// `Reason::NotACapture` is the only answer that tells nothing about the board; on pairs of squares it must never be needed.
#[test]
fn agrees_with_moves_on_every_square_pair_and_is_never_generic() {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    every_position(|rules, position, case| {
        let legal = rules.moves(position);
        let own = position.pieces(position.side());
        let others = rules.board().squares().filter(|from| !own.has(*from)).take(4);
        // Whose piece stands on the other squares is answered at once; four of them stand for all.
        for from in own.iter().chain(others) {
            for to in rules.board().squares() {
                let fitting = legal.iter().filter(|m| m.from == from && m.to == to).count();
                let answer = explain(rules, position, &[from, to]);
                let wanted = match fitting {
                    0 => {
                        !matches!(answer.reason, Reason::Legal | Reason::Ambiguous) && answer.legal.is_none()
                    }
                    1 => answer.reason == Reason::Legal && answer.legal.is_some(),
                    _ => answer.reason == Reason::Ambiguous && answer.better.len() == fitting,
                };
                let (from, to) = (rules.board().name(from), rules.board().name(to));
                assert!(wanted, "{} {} {from}-{to}: {:?}", case.rules, case.fen, answer.reason);
                assert_ne!(answer.reason, Reason::NotACapture, "{} {} {from}-{to}", case.rules, case.fen);
                *seen.entry(answer.reason.code()).or_default() += 1;
            }
        }
    });
    for code in ["must-capture", "must-finish", "cannot-take-king", "two-in-a-row", "no-landing", "blocked"] {
        assert!(seen.contains_key(code), "{code} never came: {seen:?}");
    }
}

#[test]
fn too_few_names_both_numbers_and_a_legal_better_capture() {
    let mut checked = 0;
    every_position(|rules, position, case| {
        let legal = rules.moves(position);
        let free = rules.captures_under(&rules.movement().without_ladder(), position);
        // A board full of flying kings has thousands of forbidden captures; an even choice of them stands for all.
        let forbidden: Vec<_> = free.iter().filter(|m| !legal.contains(m)).collect();
        for m in forbidden.iter().step_by(forbidden.len() / 24 + 1) {
            let squares = notation::path(rules, position, m).squares();
            let answer = explain(rules, position, &squares);
            let place = format!("{} {} {}", case.rules, case.fen, notation::full(rules, position, m));
            match answer.reason {
                Reason::TooFew(n, best) => {
                    assert_eq!(n, m.captured.len(), "{place}");
                    assert!(n < best, "{place}");
                    assert!(answer.better.iter().any(|b| b.captured.len() == best), "{place}");
                    checked += 1;
                }
                Reason::MustUseKing | Reason::FewerKings(..) | Reason::KingsLater | Reason::LowerValue => {}
                // The same squares may also be the way of another capture that is legal or unfinished.
                Reason::Legal | Reason::Ambiguous | Reason::MustFinish(..) => {}
                other => panic!("{place}: {other:?}"),
            }
            assert!(!answer.better.is_empty(), "{place}");
            assert!(answer.better.iter().all(|b| legal.contains(b)), "{place}");
        }
    });
    assert!(checked > 300, "only {checked} were checked");
}

#[test]
fn a_touch_says_why_the_piece_cannot_move() {
    every_position(|rules, position, case| {
        let legal = rules.moves(position);
        for from in position.pieces(position.side()).iter() {
            let answer = explain(rules, position, &[from]);
            let can = legal.iter().any(|m| m.from == from);
            assert_eq!(
                answer.reason == Reason::Legal,
                can,
                "{} {} {}",
                case.rules,
                case.fen,
                rules.board().name(from)
            );
        }
    });
}

#[track_caller]
fn check(rules: &str, position: &str, attempt: &str, reason: Reason) {
    let rules = known(rules);
    let position = fen::parse(&rules, position).expect("a FEN");
    let squares = notation::parse_squares(&rules, attempt).expect("squares");
    assert_eq!(explain(&rules, &position, &squares).reason, reason);
}

fn at(rules: &str, name: &str) -> u8 {
    known(rules).board().square(name).expect("a square")
}

#[test]
fn reasons_one_by_one() {
    check("italian", "W:W21,K22,K31:B11,18", "22x13", Reason::TooFew(1, 2));
    check("italian", "W:WK22,30:B26", "30x21", Reason::MustUseKing);
    check("italian", "W:WK23:B19,K28", "23x14", Reason::FewerKings(0, 1));
    check("italian", "W:WK5,K14,K31:BK19,27", "31x15", Reason::KingsLater);
    check("italian,ladder=kings_first", "W:W21,K22,K31:B11,18", "22x13", Reason::TooFew(1, 2));
    check("italian", "W:W30:BK26", "30x21", Reason::CannotTakeKing(at("italian", "26")));
    check("italian", "W:W21:B10", "21-25", Reason::WrongDirection);
    check("italian", "W:W21,22:B10", "21x13", Reason::NotOnALine);
    check("italian", "W:W24:B20,28", "24x31", Reason::CannotTakeBackward(at("italian", "28")));
    check("italian", "W:W31:B12,20,28", "31x24", Reason::MustFinish(1, 3));
    check("spanish", "W:WK17:B6,7,K21", "17x26", Reason::TooFew(1, 2));
    check("russian", "W:WKa1:Bd4,e5", "a1:f6", Reason::TwoInARow(at("russian", "d4")));
    check("russian", "W:WKa1:Bc3,f4", "a1:d4", Reason::MustFinish(1, 2));
    check("killer", "W:WK25:BK14", "25x3", Reason::MustLandBehind(at("killer", "9")));
    check("thai", "W:WK2,21:BK11", "2x20", Reason::MustLandBehind(at("thai", "16")));
    check("frisian", "W:WK26:BK16,27", "26x28", Reason::LowerValue);
    check("frisian,men_capture=forward", "W:W33:B34", "33x35", Reason::NotOnALine);
    check("russian", "W:WKa1:Bb2,d2", "a1:c3:e1:c3", Reason::Twice(at("russian", "d2")));
    check("american", "B:B1,K10:W6,7,15", "1-5", Reason::MustCapture(1));
    check("turkish", "W:WKc2:BKb2,e2", "c2:a2:f2", Reason::TurnBack);
}

#[test]
fn a_tired_frisian_king_rests() {
    let rules = known("frisian");
    let mut position = fen::parse(&rules, "W:WK46,31:B1,2,3").expect("a FEN");
    for text in ["46-41", "1-6", "41-46", "2-7", "46-41", "3-8"] {
        let m = notation::parse(&rules, &position, text).unwrap_or_else(|e| panic!("{text}: {e}"));
        position = rules.after(&position, &m);
    }
    let squares = notation::parse_squares(&rules, "41-46").expect("squares");
    assert_eq!(explain(&rules, &position, &squares).reason, Reason::KingRun(3));
}
