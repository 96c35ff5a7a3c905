//! What is written is read back; what is kept up step by step equals what is computed afresh; what nobody should write is refused.

mod support;

use damiera_rules::presets::KEYS;
use damiera_rules::{Bits, Position, RuleSet, Side, fen, notation};
use proptest::prelude::*;
use support::{cases, data, game, known, play};

/// Rules of nobody's, which put fields together that no known set does.
const HOUSE: [&str; 4] = [
    "frisian,men_capture=forward",
    "brazilian,landing=behind,removal=at_once,turn_back=true",
    "italian,king=flying,ladder=kings_first,men_capture=everywhere,promotion=at_once",
    "turkish,capture=optional,landing=behind_last_king,men_capture=everywhere,promotion=stops",
];

/// Plays a game whose moves are given by `choices`, and calls `visit` before every move.
fn random_game(
    rules: &RuleSet,
    choices: &[usize],
    mut visit: impl FnMut(&Position, &[damiera_rules::Move], usize),
) {
    let mut position = rules.initial();
    for choice in choices {
        let moves = rules.moves(&position);
        if moves.is_empty() {
            return;
        }
        let choice = choice % moves.len();
        visit(&position, &moves, choice);
        position = rules.after(&position, &moves[choice]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn games_keep_what_they_promise(
        name in prop::sample::select([&KEYS[..], &HOUSE].concat()),
        choices in prop::collection::vec(0usize..1000, 120),
    ) {
        let rules = known(name);
        random_game(&rules, &choices, |position, moves, choice| {
            // FEN.
            let text = fen::format(&rules, position);
            let read = fen::parse(&rules, &text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(fen::format(&rules, &read), text);
            assert_eq!((read.white(), read.black(), read.kings()), (position.white(), position.black(), position.kings()));
            // Moves.
            for m in moves {
                let text = notation::format(&rules, position, moves, m);
                assert_eq!(notation::parse(&rules, position, &text).as_ref(), Ok(m), "{text} in {}", fen::format(&rules, position));
                // The walk finds a way to make it, leg by leg.
                let taken = notation::path(&rules, position, m).legs.iter().fold(0, |set, leg| set | 1 << leg.over);
                assert_eq!(m.captured, taken, "{name} {text} in {}", fen::format(&rules, position));
            }
            // The hash, step by step and afresh; no captured piece stays.
            let m = &moves[choice];
            let after = rules.after(position, m);
            assert_eq!(position.hash() ^ position.hash_change(rules.movement(), m), after.hash());
            assert!(((after.white() | after.black()) & m.captured & !(1 << m.to)).is_empty());
            assert_eq!((after.white() & after.black()).len(), 0);
            let gone = position.pieces(position.side().other()).len() - after.pieces(position.side().other()).len();
            assert_eq!(gone, m.captured.len());
        });
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "\\PC{0,60}", key in 0..KEYS.len()) {
        let rules = known(KEYS[key]);
        let _ = fen::parse(&rules, &text);
        let _ = notation::parse(&rules, &rules.initial(), &text);
        let _ = RuleSet::parse(&text);
        let _ = RuleSet::parse(&format!("{},{text}", KEYS[key]));
        let _ = RuleSet::from_toml(&text);
    }

    #[test]
    fn nearly_right_text_makes_no_parser_panic(text in "[WBK]?(:[WB](K?[a-l0-9]{1,3}[-,]?){0,9}){0,3}[.:+0-9HF]{0,6}", key in 0..KEYS.len()) {
        let rules = known(KEYS[key]);
        if let Ok(position) = fen::parse(&rules, &text) {
            let _ = rules.moves(&position);
            let again = fen::format(&rules, &position);
            prop_assert_eq!(fen::format(&rules, &fen::parse(&rules, &again).expect("own text")), again);
        }
    }
}

#[test]
fn every_position_of_the_files_survives_fen_and_notation() {
    for case in cases("rules/random.jsonl").into_iter().chain(cases("rules/cases.jsonl")) {
        let rules = known(&case.rules);
        let position = fen::parse(&rules, &case.fen).expect("the file's FEN");
        let again = fen::parse(&rules, &fen::format(&rules, &position)).expect("own FEN");
        assert_eq!(again, position, "{}", case.fen);
        let moves = rules.moves(&position);
        for m in &moves {
            let text = notation::format(&rules, &position, &moves, m);
            assert_eq!(
                notation::parse(&rules, &position, &text).as_ref(),
                Ok(m),
                "{} {} {text}",
                case.rules,
                case.fen
            );
        }
    }
}

#[test]
fn a_single_jump_between_the_ends_of_a_longer_capture_has_a_text_of_its_own() {
    let rules = known("pool");
    let position = fen::parse(&rules, "B:WK3,K8,K14,K16,K22,K23,K24,K30,K31:BK7,K11,K17").expect("a FEN");
    let parse = |text: &str| notation::parse(&rules, &position, text);
    assert!(matches!(parse("11x4"), Err(notation::MoveError::Ambiguous { .. })));
    assert_eq!(parse("11x4x8").map(|m| m.captured.len()), Ok(1));
    assert_eq!(parse("11x20x27x18x4").map(|m| m.captured.len()), Ok(4));
}

/// Where nobody has to capture, a king may step to where it may also come round by capturing: the sign tells them apart.
#[test]
fn a_step_and_a_capture_between_the_same_squares_are_told_apart_by_the_sign() {
    let rules = known("turkish,capture=optional");
    let position = fen::parse(&rules, "W:WKc1:Bc3,e4,h3").expect("a FEN");
    let parse = |text: &str| notation::parse(&rules, &position, text);
    let moves = rules.moves(&position);
    let between: Vec<_> = moves.iter().filter(|m| (m.from, m.to) == ends(&rules, "c1", "h1")).collect();
    assert_eq!(between.len(), 2, "a step and a capture");
    assert_eq!(parse("c1-h1").map(|m| m.is_capture()), Ok(false));
    assert!(matches!(parse("c1:h1"), Err(notation::MoveError::Ambiguous { .. })));
    for m in between {
        assert_eq!(parse(&notation::format(&rules, &position, &moves, m)).as_ref(), Ok(m));
    }
}

fn ends(rules: &RuleSet, from: &str, to: &str) -> (u8, u8) {
    let square = |name| rules.board().square(name).expect("a square");
    (square(from), square(to))
}

#[test]
fn every_rule_table_is_a_complete_rule_file() {
    for key in KEYS {
        let rules = known(key);
        let read =
            RuleSet::from_toml(&rules.table()).unwrap_or_else(|e| panic!("{key}: {e}\n{}", rules.table()));
        assert_eq!(read.fingerprint(), rules.fingerprint(), "{key}");
        assert_eq!(read.table(), rules.table(), "{key}");
        let named = known(read.canonical());
        assert_eq!(named.fingerprint(), rules.fingerprint(), "{key}: {}", read.canonical());
        assert_eq!(known(rules.canonical()), rules);
    }
}

/// Five fields at once, and one set turned into another by naming every field in which they differ.
#[test]
fn a_rule_file_with_five_fields_plays_as_they_say() {
    let file = "name = \"Di casa\"\nextends = \"brazilian\"\nmen_capture = \"forward\"\nking = \"short\"\npromotion = \"stops\"\nladder = []\nfirst = \"black\"\n";
    let house = RuleSet::from_toml(file).expect("a good file");
    assert_eq!(house.name(), Some("Di casa"));
    assert_eq!(
        house.canonical(),
        "brazilian,first=black,king=short,ladder=,men_capture=forward,promotion=stops"
    );
    assert_eq!(house.movement(), known("american").movement());
    assert_eq!(known(house.canonical()).fingerprint(), house.fingerprint());
    let mut american = known("american");
    let all = "american,names=letters,draws=brazilian";
    american = RuleSet::parse(all).unwrap_or_else(|e| panic!("{} {e}", american.canonical()));
    assert_eq!(american.fingerprint(), house.fingerprint());
}

#[test]
fn overrides_come_in_alphabetical_order_and_only_where_they_differ() {
    let name = |text: &str| known(text).canonical().to_string();
    assert_eq!(
        name("brazilian,first=black,draws=casual,capture=optional"),
        "brazilian,capture=optional,draws=casual,first=black"
    );
    assert_eq!(name("brazilian,first=white,draws=brazilian,repetition=3"), "brazilian");
    assert_eq!(name("italian,repetition=3"), "italian,repetition=3");
    assert_eq!(known("italian,repetition=3").game_type(), Some("22,W,8,8,N2,1"));
    assert_eq!(known("italian,first=black").game_type(), None, "the number says that White begins");
    assert_eq!(name("italian,without=king-moves"), "italian,without=king-moves");
    assert_eq!(name("turkish,promotion=at-once"), "turkish,promotion=at_once");
    assert_ne!(known("italian,repetition=3").fingerprint(), known("italian").fingerprint());
}

#[track_caller]
fn refused(rules: &str, text: &str, column: usize, words: &str) {
    let error = fen::parse(&known(rules), text).expect_err(text);
    assert_eq!(error.column, column, "{error}");
    assert!(error.message.contains(words), "{error}");
}

#[test]
fn bad_fens_are_refused_with_their_place_and_cause() {
    refused("italian", "", 1, "empty");
    refused("italian", "X:W1:B2", 1, "side to move");
    refused("italian", "W:W33:B1", 4, "no square of this board");
    refused("italian", "W:W21:B1,2,21", 12, "given twice");
    refused("italian", "W:W1:B9", 4, "promotion row");
    refused("italian", "W:W21:B32", 8, "promotion row");
    refused("italian", "W:W21;B1", 6, "expected");
    refused("italian", "W:W21,:B1", 7, "after the comma");
    refused("italian", "W:W22-21:B1", 4, "backwards");
    refused("italian", "W", 2, "no pieces");
    refused("russian", "W:Wa1,b1:Bh8", 7, "no square of this board");
    refused("international", "W:W51:B1", 4, "1 to 50");
    let million = format!("W:W{}:B1", vec!["21"; 1_000_000].join(","));
    refused("italian", &million, fen::MAX_LEN + 1, "longer");
}

#[test]
fn fens_of_other_programs_are_read() {
    let read = |rules: &str, text: &str| {
        let rules = known(rules);
        fen::format(&rules, &fen::parse(&rules, text).unwrap_or_else(|e| panic!("{text}: {e}")))
    };
    assert_eq!(read("italian", " w : b1 , K2 : W 21 - 23 . "), "W:W21,22,23:B1,K2");
    assert_eq!(read("italian", "W:W:W31:B03"), "W:W31:B3");
    assert_eq!(read("italian", "?:W31:B"), "W:W31:B");
    assert_eq!(
        read("international", "B:W31-50:B1-20:H0:F1"),
        format!("B:W{}:B{}", list(31, 50), list(1, 20))
    );
    assert_eq!(read("frisian", "W:WK46,31:BK5:H0:F1:+0+2"), "W:W31,K46:BK5:+0+2");
    assert_eq!(read("russian", "W:W29,32:BK1"), "W:Wa1,g1:BKb8");
    assert_eq!(read("russian", "W:WA1,Kc3:BH8"), "W:WKc3,a1:Bh8");
}

fn list(from: u8, to: u8) -> String {
    (from..=to).map(|n| n.to_string()).collect::<Vec<_>>().join(",")
}

#[track_caller]
fn file_refused(text: &str, place: (usize, usize), words: &str) {
    let error = RuleSet::from_toml(text).expect_err(text);
    assert_eq!(error.place, Some(place), "{error}");
    assert!(error.message.contains(words), "{error}");
}

#[test]
fn bad_rule_files_are_refused_with_their_place_and_cause() {
    file_refused("extends = \"brazilian\"\nking = \"tall\"\n", (2, 1), "short, flying");
    file_refused("extends = \"brasilian\"\n", (1, 11), "did you mean brazilian");
    file_refused("king = \"short\"\n", (1, 1), "missing: board");
    file_refused("extends = \"italian\"\ncolour = \"red\"\n", (2, 1), "no field \"colour\"");
    file_refused("extends = \"italian\"\nrows = 4\n", (1, 11), "do not fit");
    file_refused("extends = \"italian\"\nrows = [1]\n", (2, 8), "a list holds strings");
    file_refused("extends = \"italian\nrows = 2", (1, 19), "");
    file_refused("extends = \"italian\"\ndraws = \"never\"\n", (2, 1), "not known");
    file_refused("extends = \"italian\"\ndraws = [\"x=moves:9\"]\n", (2, 1), "nothing to count");
    file_refused("extends = \"italian\"\ndraws = [\"x=king-moves:65535\"]\n", (2, 1), "0 to 10000");
    let materials = vec!["1k-1k"; 33].join("/");
    let many = format!("extends = \"italian\"\ndraws = [\"x=material:5:only:{materials}\"]\n");
    file_refused(&many, (2, 1), "more than 32 materials");
    file_refused("extends = \"brazilian,optional\"\n", (1, 11), "is no override");
    file_refused("extends = \"italian\"\nname = \"\u{202e}dama\"\n", (2, 8), "no control characters");
}

#[test]
fn own_draw_clauses_of_a_rule_file_are_played() {
    let file = "extends = \"russian\"\ndraws = [\"quick=king-moves:2\"]\n";
    let rules = RuleSet::from_toml(file).expect("a good file");
    let name = rules.canonical().to_string();
    let mut game = game(&name, "W:WKg1,a1:BKb8,h8");
    for text in ["g1-h2", "b8-a7", "h2-g1", "a7-b8"] {
        assert_eq!(game.outcome(), None);
        play(&mut game, text);
    }
    assert_eq!(game.outcome().map(|o| o.clause(&rules).to_string()), Some("quick".to_string()));
}

#[test]
fn the_data_files_say_where_they_come_from() {
    assert!(data("SOURCES.md").contains("random.jsonl"));
}

/// The text does not say which of two kings has moved: no count is written that would be read as another's, or not at all.
#[test]
fn a_count_of_king_moves_is_written_for_a_single_king() {
    let rules = known("frisian");
    let mut position = fen::parse(&rules, "B:W26,36,K3:B1,K41,K50:+0+2").unwrap();
    let m = notation::parse(&rules, &position, "50-45").unwrap();
    position = rules.after(&position, &m);
    assert_eq!(position.king_run(Side::Black).count, 1);
    let text = fen::format(&rules, &position);
    assert_eq!(text, "W:WK3,26,36:B1,K41,K45:+0+2");
    assert_eq!(fen::format(&rules, &fen::parse(&rules, &text).unwrap()), text);
}
