//! The replaying reader: what is mended, what is reported, and that nothing is lost without a word.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use damiera_pdn::{GameTree, Options, Style, Summary, read};
use damiera_rules::RuleSet;
use damiera_rules::presets::KEYS;
use proptest::prelude::*;

struct Found {
    trees: Vec<GameTree>,
    /// Findings as `code text -> reading`.
    findings: Vec<String>,
    summary: Summary,
}

fn found(bytes: &[u8]) -> Found {
    found_by(bytes, &Options::default())
}

fn found_by(bytes: impl Read, options: &Options) -> Found {
    let (mut trees, mut findings) = (Vec::new(), Vec::new());
    let summary = read(bytes, options, &mut |game| {
        let lost: u64 = game.findings.iter().map(|f| u64::from(f.lost)).sum();
        assert_eq!(game.plies + lost, game.written, "a move is not accounted for");
        for f in game.findings {
            let why = f.why.map_or(String::new(), |why| format!(" ({})", why.code()));
            let reading = if f.reading.is_empty() { String::new() } else { format!(" -> {}", f.reading) };
            findings.push(format!("{} {}{reading}{why}", f.code.text(), f.text).trim_end().to_owned());
        }
        trees.push(game.tree.clone());
        ControlFlow::Continue(())
    })
    .unwrap();
    Found { trees, findings, summary }
}

/// Reads one game; compares the moves as they are written anew, and the findings.
#[track_caller]
fn check(text: &str, moves: &str, findings: &[&str]) {
    let found = found(text.as_bytes());
    assert_eq!(found.trees.len(), 1, "{text}");
    let written = found.trees[0].pdn(Style::default()).to_string();
    let body = written.split_once("\n\n").unwrap().1.replace('\n', " ");
    assert_eq!(body.trim().trim_end_matches('*').trim(), moves, "{text}");
    assert_eq!(found.findings, findings, "{text}");
}

#[test]
fn signs_are_mended() {
    check(
        "[GameType \"22\"] 1. 22x18 12-16 2. 21:17",
        "1. 22-18 12-16 2. 21-17",
        &["sign 22x18 -> 22-18", "sign 21:17 -> 21-17"],
    );
    check(
        "[GameType \"20\"] 1. 32-28 19-23 2. 28-19 14x23",
        "1. 32-28 19-23 2. 28x19 14x23",
        &["sign 28-19 -> 28x19"],
    );
    // Letters with no sign at all are a notation, not a slip.
    check("[GameType \"25\"] 1. cb4 ba5 2. b4c5 db4", "1. c3-b4 b6-a5 2. b4-c5 d6:b4", &[]);
    check("[GameType \"20\"] 1. 3228 1923 2. 2819 1423", "1. 32-28 19-23 2. 28x19 14x23", &[]);
}

#[test]
fn a_capture_that_is_written_wrong_is_mended_where_only_one_fits() {
    let one = "[GameType \"20\"] [FEN \"W:W38:B33,23,1\"] 1. ";
    check(&format!("{one}38x18"), "1. 38x18", &[]);
    check(&format!("{one}38x29x18"), "1. 38x18", &[]);
    check(&format!("{one}38x27x18"), "1. 38x18", &["path 38x27x18 -> 38x29x18"]);
    check(&format!("{one}38x29"), "1. 38x18", &["unfinished 38x29 -> 38x29x18"]);
    check(&format!("{one}38x29 29x18 1-6"), "1. 38x18 1-6", &["hops 38x29 -> 38x29x18"]);
    check(&format!("{one}38x181-0"), "1. 38x18", &["result-glued 38x181-0 -> 38x29x18"]);
}

/// Where several fit, nothing is guessed: the readings are named, and the line ends there.
#[test]
fn an_ambiguous_capture_ends_its_line_and_no_more() {
    let two = "[GameType \"21\"] [FEN \"W:W30:B26,18,25,17,1\"] 1. ... ";
    let finding = "ambiguous 30x14 -> 30x21x14 30x23x14";
    check(&format!("{two}30x14 1-6 2. 14-10"), "{[%unread 30x14 1-6 14-10]}", &[finding]);
    check(
        &format!("{two}30x23x14 (1... 30x14 1-5) 2. 1-6"),
        "{[%unread 30x14 1-5]} 1. ... 30x23x14 2. 1-6",
        &[finding],
    );
    check(
        &format!("{two}30x23x14 (1... 30x21x14 2. 1-5) 2. 1-6"),
        "1. ... 30x23x14 (1. ... 30x21x14 2. 1-5) 2. 1-6",
        &[],
    );
    check(
        &format!("{two}30x14 (1... 30x21x14 2. 1-5)"),
        "{[%unread 30x14]} (1. ... 30x21x14 2. 1-5)",
        &[finding],
    );
}

#[test]
fn an_illegal_move_is_named_with_its_reason_and_ends_its_line_only() {
    check(
        "[GameType \"22\"] 1. 22-18 12-16 2. 18-13 9x18 3. 21x14 10x19 4. 30-31 1-5",
        "1. 22-18 12-16 2. 18-13 9x18 3. 21x14 10x19 {[%unread 30-31 1-5]}",
        &["illegal 30-31 (not-on-a-line)"],
    );
    check(
        "[GameType \"22\"] 1. 22-18 12-16 2. 99-98 9-13",
        "1. 22-18 12-16 {[%unread 99-98 9-13]}",
        &["unreadable 99-98"],
    );
    check(
        "[GameType \"22\"] 1. 22-18 (1. 21-17 9-13 2. 1-5 {?}) 12-16",
        "1. 22-18 (1. 21-17 9-13 {[%unread 1-5]} {?}) 1... 12-16",
        &["illegal 1-5 (not-your-piece)"],
    );
}

#[test]
fn numbers_results_and_variations_are_put_right() {
    check(
        "[GameType \"22\"] 1. 22-18 12-16 3. 21-17 9-13",
        "1. 22-18 12-16 2. 21-17 9-13",
        &["numbering 3. -> 2."],
    );
    check("[GameType \"22\"] 22-18 12-16 21-17", "1. 22-18 12-16 2. 21-17", &[]);
    check("[GameType \"22\"] 1. ... 22-18 12-16", "1. 22-18 12-16", &[]);
    // A variation that goes on from the move before it, as its number says, and as its move says.
    check(
        "[GameType \"22\"] 1. 22-18 12-16 (2. 21-17 9-13) 2. 23-20",
        "1. 22-18 12-16 2. 23-20 (2. 21-17 9-13)",
        &[],
    );
    check(
        "[GameType \"22\"] 1. 22-18 12-16 (21-17 9-13) 2. 23-20",
        "1. 22-18 12-16 2. 23-20 (2. 21-17 9-13)",
        &["variation-place 21-17"],
    );
    // Three dots may be spaced, or left out.
    for number in ["1...", "1. ...", "1.", ""] {
        check(
            &format!("[GameType \"22\"] 1. 22-18 12-16 ({number} 9-13) 2. 23-20"),
            "1. 22-18 12-16 (1... 9-13) 2. 23-20",
            &[],
        );
    }
    // Where the numbers slip, a variation still replaces the move before it.
    check(
        "[GameType \"22\"] 1. 22-18 12-16 1. 21-17 (1. 23-20) 9-13",
        "1. 22-18 12-16 2. 21-17 (2. 23-20) 2... 9-13",
        &["numbering 1. -> 2."],
    );
    // Analysis behind the last move is no move that was played.
    check("[GameType \"22\"] 1. 22-18 12-16 1-0 (2. 21-17 9-13)", "1. 22-18 12-16 (2. 21-17 9-13)", &[]);
    check("[GameType \"22\"] 1. 22-18 (1. 21-17 0-1) 12-16", "1. 22-18 (1. 21-17) 1... 12-16", &[]);
    check("[Result \"1-0\"] [GameType \"22\"] 1. 22-18 0-1", "1. 22-18", &["result-differs 0-1 -> 1-0"]);
    // A first number other than one is the game's own.
    check("[GameType \"22\"] [FEN \"W:W30:B3\"] 41. 30-26 3-6 42. 26-21", "41. 30-26 3-6 42. 26-21", &[]);
}

#[test]
fn turned_boards_and_other_beginners_are_found() {
    // A start turned round is the start with the other side to move: squares and results stay as they are written.
    check(
        "[GameType \"22\"] 1. 10-14 22-18 2. 12-16 23-19 3. 14x23 28x19 4. 6-10 26-22 0-1",
        "1. 10-14 22-18 2. 12-16 23-19 3. 14x23 28x19 4. 6-10 26-22",
        &["first-mover  -> black"],
    );
    let game = found(b"[GameType \"21\"] 1. 22-18 11-15 2. 18x11 8x15 3. 21-17 4-8 4. 23-19 8-11 1-0");
    assert_eq!(game.findings, ["first-mover  -> white"]);
    let tree = &game.trees[0];
    assert_eq!(
        (tree.moves(), tree.rules().canonical(), tree.verdict.text(tree.rules())),
        (8, "american,first=white", "1-0")
    );
    // A mirrored board in an American game, squares counted from the right of each row.
    check(
        "[GameType \"21\"] 1. 10-14 22-19 2. 5-10 26-22 3. 1-5 22-18",
        "1. 11-15 23-18 2. 8-11 27-23 3. 4-8 23-19",
        &["board-turned  -> sideways"],
    );
}

/// What is said before a variation's first move is said about it, and nothing else gets lost with a line that cannot be read.
#[test]
fn remarks_stay_where_they_belong() {
    check(
        "[GameType \"22\"] 1. 22-18 12-16 ({meglio} 1... 9-13 {ecco}) 2. 21-17",
        "1. 22-18 12-16 (1... 9-13 {meglio} {ecco}) 2. 21-17",
        &[],
    );
    check("[GameType \"22\"] 1. 22-18 ({niente}) 12-16", "1. 22-18 {niente} 1... 12-16", &[]);
    check(
        "[GameType \"22\"] [FEN \"W:W77\"] {una} 1. 22-18 {due} *",
        "{[%unread 22-18]} {una} {due}",
        &["position W:W77 -> FEN, column 4: \"77\" is no square of this board; accepted: 1 to 32"],
    );
}

/// Found by the fuzzer: control characters between a quotation mark and a bracket became the space that ends a tag.
#[test]
fn a_value_never_ends_its_tag_early_when_it_is_written() {
    let text = b"[Result \"1-0\"\x01\0]\x02[GameType \"22\"]\n\n1. 22-18";
    let tree = found(text).trees.remove(0);
    let written = tree.pdn(Style::default()).to_string();
    let again = found(written.as_bytes());
    assert_eq!(again.findings, [] as [&str; 0], "{written}");
    assert!(again.trees[0] == tree, "{written}");
}

/// Behind moves that could not be read nobody knows where a variation begins.
#[test]
fn variations_behind_lost_moves_are_lost_with_them() {
    let text = b"[GameType \"22\"] 1. 22-18 12-16 2. 1-5 9-13 3. 21-17 (3. 23-20) 10-14";
    let game = found(text);
    assert_eq!((game.summary.plies, game.summary.written), (2, 7));
    assert_eq!(game.findings, ["illegal 1-5 (not-your-piece)"]);
    let written = game.trees[0].pdn(Style::default()).to_string();
    assert!(written.contains("{[%unread 1-5 9-13 21-17 (23-20) 10-14]}"), "{written}");
    // Behind the move itself one does.
    check(
        "[GameType \"22\"] 1. 22-18 12-16 2. 1-5 (2. 21-17 9-13) 9-13",
        "1. 22-18 12-16 {[%unread 1-5 9-13]} (2. 21-17 9-13)",
        &["illegal 1-5 (not-your-piece)"],
    );
}

#[test]
fn results_are_those_of_the_game() {
    let verdict = |text: &str| {
        let game = found(text.as_bytes());
        let tree = &game.trees[0];
        (game.trees.len(), tree.verdict.text(tree.rules()).to_owned(), game.findings)
    };
    assert_eq!(verdict("[GameType \"22\"] 1. 22-18 (1. 21-17 9-13 0-1) 12-16"), (1, "*".into(), vec![]));
    assert_eq!(
        verdict("[GameType \"22\"] 1. 22-18 12-161-0"),
        (1, "1-0".into(), vec!["result-glued 12-161-0 -> 12-16".into()])
    );
    assert_eq!(
        verdict("[GameType \"22\"] 1. 22-18 1-0 0-1"),
        (1, "1-0".into(), vec!["result-twice 0-1".into()])
    );
    assert_eq!(
        verdict("[Result \"1-0\"] [Result \"\"] [Result \"0-1\"] [GameType \"22\"] 1. 22-18"),
        (1, "0-1".into(), vec!["tag-replaced Result \"1-0\" -> Result \"0-1\"".into()])
    );
    for (words, result) in [
        ("patta", "1/2-1/2"),
        ("Tablas", "1/2-1/2"),
        ("empate", "1/2-1/2"),
        ("Vince il Bianco", "1-0"),
        ("ganan las negras", "0-1"),
        ("as brancas vencem.", "1-0"),
        ("Black wins", "0-1"),
        ("Wit wint", "1-0"),
        ("remise", "1/2-1/2"),
    ] {
        assert_eq!(
            verdict(&format!("[Result \"{words}\"] [GameType \"22\"] 1. 22-18")),
            (1, result.into(), vec![format!("result-words {words} -> {result}")])
        );
    }
    assert_eq!(
        verdict("[Result \"*\"] [GameType \"22\"] 1. 22-18 1-0"),
        (1, "1-0".into(), vec!["result-differs 1-0 -> 1-0".into()])
    );
    assert_eq!(
        verdict("[Uitslag \"12-8\"] [GameType \"20\"] 1. 32-28 12-8"),
        (1, "12-8".into(), vec!["tag-name Uitslag -> Result".into()])
    );
    // A slip such as 17-17 is no end.
    assert_eq!(
        verdict("[GameType \"22\"] 1. 22-18 17-17 2. 21-17 1-0"),
        (1, "1-0".into(), vec!["illegal 17-17 (empty-square)".into()])
    );
}

#[test]
fn tags_of_other_languages_are_known() {
    let text = b"[Bianco \"Nicol\xf2\"] [Nero \"B\"] [Risultato \"1-0\"] [Evento \"Finale\"] 1. 22-18 {cos\xec \xe8 pi\xf9 forte} 1-0";
    let found = found(text);
    let tree = &found.trees[0];
    assert_eq!(
        (tree.tag("White"), tree.tag("Black"), tree.tag("Event")),
        (Some("Nicolò"), Some("B"), Some("Finale"))
    );
    assert_eq!(tree.verdict.text(tree.rules()), "1-0");
    assert_eq!(tree.remarks(1).comments, ["così è più forte"]);
    assert_eq!(found.summary.encoding, "windows-1252");
    let mut codes = found.findings;
    codes.sort();
    assert_eq!(
        codes,
        [
            "tag-name Bianco -> White",
            "tag-name Evento -> Event",
            "tag-name Nero -> Black",
            "tag-name Risultato -> Result"
        ]
    );
}

#[test]
fn clocks_and_evaluations_are_read_from_commands() {
    let found = found(b"[GameType \"20\"] 1. 32-28 {[%clk 1:55:21] solid [%eval -0.05]} 19-23 $1 {[%clock w0:00:10 B0:00:03]}");
    let (first, second) = (found.trees[0].remarks(1), found.trees[0].remarks(2));
    assert_eq!(
        (first.clock(), first.evaluation(), first.comments.as_slice()),
        (Some(6921), Some(-0.05), &["solid".to_owned()][..])
    );
    assert_eq!((second.clock(), second.nags.as_slice()), (Some(3), &[1][..]));
}

#[test]
fn positions_may_be_set_up_inside_the_moves() {
    check(
        "[GameType \"20\"] 1. 31-26 17-21 /FEN \"B:B1-16,18-21:W26,28,33-50\"/ 21-27",
        "1. 31-26 17-21 /FEN \"B:W26,28,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,18,19,20,21\"/ 21-27",
        &[],
    );
    check(
        "[GameType \"20\"] 1. 31-26 /FEN \"W::\"/ 2. 37-31",
        "1. 31-26 /FEN \"W:W26,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20\"/ 2. 37-31",
        &[],
    );
    check("[GameType \"20\"] [FEN \"W:W1:B50\"] *", "", &["crowned W:W1:B50 -> K1 K50"]);
    check(
        "[GameType \"20\"] [FEN \"W:W1,77:B5\"] 1. 1-7",
        "{[%unread 1-7]}",
        &["position W:W1,77:B5 -> FEN, column 6: \"77\" is no square of this board; accepted: 1 to 50"],
    );
}

#[test]
fn the_rules_are_known_from_whatever_says_them() {
    let rules = |text: &str| {
        let mut known = String::new();
        read(text.as_bytes(), &Options::default(), &mut |game| {
            known = format!("{} by {}", game.tree.rules().canonical(), game.basis.text());
            ControlFlow::Continue(())
        })
        .unwrap();
        known
    };
    assert_eq!(rules("[GameType \"26,W,8,8,A0,0\"] *"), "brazilian by game-type");
    assert_eq!(
        rules("[GameType \"26\"] [Rules \"brazilian,capture=optional\"] *"),
        "brazilian,capture=optional by rules"
    );
    assert_eq!(rules("[Variant \"Antidraughts\"] *"), "antidraughts by variant");
    assert_eq!(rules("[Event \"Rated Frisian game\"] *"), "frisian by variant");
    assert_eq!(rules("1. 32-28 19-23"), "international by moves");
    assert_eq!(rules("1. 22-18 12-16 2. 18-13"), "italian by moves");
    assert_eq!(rules("1. 11-15 22-17"), "american by moves");
    assert_eq!(rules("1. c3-d4 f6-g5"), "russian by moves");
    assert_eq!(rules("[FEN \"W:W31-50:B1-20\"] *"), "international by moves");
}

/// The caller may know better.
#[test]
fn the_rules_can_be_told() {
    let options = Options { rules: Some(Arc::new(RuleSet::known("czech").unwrap())) };
    let found = found_by(&b"[GameType \"25\"] 1. c3-d4 f6-g5 *"[..], &options);
    assert_eq!(found.trees[0].rules().key(), "czech");
}

#[test]
fn packed_files_and_files_in_utf16_are_read() {
    let text = "[White \"Фадеев\"] [GameType \"20\"] 1. 32-28 19-23 *";
    let check = |bytes: &[u8], encoding: &str, packing| {
        let found = found(bytes);
        assert_eq!(found.trees[0].tag("White"), Some("Фадеев"));
        assert_eq!(
            (found.summary.encoding.as_str(), found.summary.packing, found.summary.plies),
            (encoding, packing, 2)
        );
    };
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    check(&gzip.finish().unwrap(), "utf-8", Some("gzip"));
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    bzip2.write_all(text.as_bytes()).unwrap();
    check(&bzip2.finish().unwrap(), "utf-8", Some("bzip2"));
    for big in [false, true] {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        let bytes: Vec<u8> =
            units.flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() }).collect();
        check(&bytes, "utf-16", None);
    }
    check(&[b"\xef\xbb\xbf", text.as_bytes()].concat(), "utf-8", None);
}

/// A bomb: a thousand times its size. It ends with an error, not with the memory or the day.
#[test]
fn a_packed_file_may_not_grow_without_end() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let block = vec![b' '; 1 << 20];
    for _ in 0..1100 {
        gzip.write_all(&block).unwrap();
    }
    let error = read(&gzip.finish().unwrap()[..], &Options::default(), &mut |_| ControlFlow::Continue(()))
        .unwrap_err();
    assert!(error.to_string().contains("200 times its size"), "{error}");
}

/// Reads what a generator makes, without holding it in memory.
struct Made<F>(F, Vec<u8>);

impl<F: FnMut() -> Option<Vec<u8>>> Read for Made<F> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.1.is_empty() {
            self.1 = (self.0)().unwrap_or_default();
        }
        let n = self.1.len().min(buffer.len());
        buffer[..n].copy_from_slice(&self.1[..n]);
        self.1.drain(..n);
        Ok(n)
    }
}

#[test]
fn what_is_without_measure_is_read_with_measure() {
    let codes = |bytes: &[u8]| {
        let found = found(bytes);
        (found.summary.games, found.summary.plies, found.findings)
    };
    // A million brackets, none of them closed.
    let (games, plies, findings) =
        codes(format!("[GameType \"22\"] 1. 22-18 {} 12-16", "(".repeat(1_000_000)).as_bytes());
    assert_eq!((games, plies), (1, 1));
    assert_eq!(findings, ["too-long"], "the move behind them is counted as lost: {findings:?}");
    // A comment of a hundred million bytes; the game goes on behind it.
    let mut parts = 0;
    let comment = Made(
        || {
            parts += 1;
            Some(match parts {
                1 => b"[GameType \"22\"] 1. 22-18 {".to_vec(),
                2..=101 => vec![b'x'; 1_000_000],
                102 => b"} 12-16 *".to_vec(),
                _ => return None,
            })
        },
        Vec::new(),
    );
    let long = found_by(comment, &Options::default());
    assert_eq!((long.summary.games, long.summary.plies), (1, 2));
    assert!(long.findings[0].starts_with("too-long"), "{:?}", long.findings);
    // A tag of ten megabytes, a number that no machine holds, NULs, half a character.
    let tag = format!("[White \"{}\"] 1. 22-18 12-16 *", "y".repeat(10_000_000));
    assert_eq!((codes(tag.as_bytes()).0, codes(tag.as_bytes()).1), (1, 2));
    assert_eq!(codes(b"[GameType \"22\"] 1. 22-18 12-16 18446744073709551616. 21-17").1, 3);
    assert_eq!(codes(b"[GameType \"22\"]\0\0 1. 22-18\0 12-16 {\0} 2. 21-17\0").1, 3);
    assert_eq!(codes(b"[GameType \"22\"] 1. 22-18 {\xd0} 12-16").1, 2);
    assert_eq!(codes(b"").0, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever the bytes are, every game that begins ends, and every move is in the tree or in a finding.
    #[test]
    fn any_bytes_are_read_and_accounted_for(
        parts in prop::collection::vec(prop_oneof![
            "[\\[\\](){}*!?./:x0-9a-h\" \n-]{0,30}".prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>(), 0..12),
            prop::sample::select(vec![
                "[Event \"a\"]\n", "1. 32-28 19-23 ", "2. 28x19 14x23 ", "(", ")", "{", "}", " 1-0 ", "*\n\n", "[GameType \"22\"]", "22-18 ",
                "/FEN \"W:W1:B2\"/", "[FEN \"B:WK1:BK2\"]", " $3 ", "38x29 29x18 ", "[%clk 1:0:0]",
            ]).prop_map(|text| text.as_bytes().to_vec()),
        ], 0..40),
        key in prop::option::of(prop::sample::select(KEYS.to_vec())),
    ) {
        // The space keeps them from beginning as a packed file does.
        let bytes = [b" ".to_vec(), parts.concat()].concat();
        let options = Options { rules: key.map(|key| Arc::new(RuleSet::known(key).unwrap())) };
        let found = found_by(&bytes[..], &options);
        prop_assert_eq!(found.trees.len() as u64, found.summary.games);
        // What was read is written and read again without a finding.
        for tree in &found.trees {
            let text = tree.pdn(Style::default()).to_string();
            let again = found_by(text.as_bytes(), &Options::default());
            // A tag may stand twice with two values; both are kept.
            let findings: Vec<&String> = again.findings.iter().filter(|f| !f.starts_with("tag-twice")).collect();
            prop_assert!(findings.is_empty(), "{:?}\n{}", findings, text);
            prop_assert_eq!(again.trees.len(), 1);
            let shown = |tree: &GameTree| {
                let remarks = (0..tree.nodes().len()).map(|id| tree.remarks(id as u32));
                format!("{:?} {:?} {} {:?} {:?}", tree.tags, tree.verdict, tree.first_number, tree.nodes(), remarks.collect::<Vec<_>>())
            };
            prop_assert!(again.trees[0] == *tree, "{}\n{}\n{}", text, shown(&again.trees[0]), shown(tree));
        }
    }
}

#[test]
fn one_slip_does_not_make_a_game_that_of_a_larger_board() {
    let moves = "1. 22-18 12-16 2. 21-17 10-14";
    for (slip, size) in [("3. 99-1", 8), ("3. 45-40", 8), ("", 8)] {
        let found = found(format!("{moves} {slip} 9-13 *").as_bytes());
        assert_eq!(found.trees[0].rules().shape().size(), size, "{slip}");
        assert!(found.summary.plies >= 4, "{slip}: {:?}", found.findings);
    }
    // Squares that are all there are those of a larger board as before.
    let found = found("1. 32-28 19-23 2. 28x19 14x23 3. 99-1 *".as_bytes());
    assert_eq!(found.trees[0].rules().key(), "international");
}
