//! The real program: every subcommand, its JSON, its exit status, and what it makes of bad input.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

struct Ran {
    status: i32,
    out: String,
    err: String,
}

impl Ran {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {} {}", self.out, self.err))
    }
    fn json_lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damiera"));
    command.args(args).env_remove("LC_ALL").env_remove("LC_MESSAGES").env("LANG", "C");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program to its end. A panic is never an answer.
fn run_with(args: &[&str], input: &[u8]) -> Ran {
    let mut child = program(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The program may stop reading: a pipe that it has closed is no fault of the test.
    let writer = std::thread::spawn(move || stdin.write_all(&input).is_ok());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!err.contains("panicked"), "{args:?}: {err}");
    Ran {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err,
    }
}

fn run(args: &[&str]) -> Ran {
    run_with(args, b"")
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

/// Writes a file for one test.
fn file(name: &str, text: &[u8]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// What makes a move, whatever the order of its captures.
type Class = (String, String, BTreeSet<String>, bool);

fn class(m: &Value) -> Class {
    let captured = m["captured"].as_array().unwrap().iter().map(text).collect();
    (text(&m["from"]), text(&m["to"]), captured, m["promotes"].as_bool().unwrap())
}

fn classes(moves: &Value) -> BTreeSet<Class> {
    let moves = moves.as_array().unwrap_or_else(|| panic!("{moves} is no list"));
    let set: BTreeSet<Class> = moves.iter().map(class).collect();
    assert_eq!(set.len(), moves.len(), "a move is listed twice: {moves:?}");
    set
}

// ---- moves ----

#[test]
fn moves_as_json() {
    let ran = run(&["moves", "--rules", "italian", "--fen", "W:W21,K22,K31:B11,18", "--json"]);
    let json = ran.json();
    assert_eq!(ran.status, 0);
    assert_eq!(json["rules"], "italian");
    assert_eq!(json["fen"], "W:W21,K22,K31:B11,18");
    let expected = serde_json::json!([{
        "text": "21x7", "from": "21", "to": "7", "captured": ["11", "18"], "path": ["21", "14", "7"], "promotes": false
    }]);
    assert_eq!(json["moves"], expected);
}

#[test]
fn moves_as_text_and_of_the_start() {
    let ran = run(&["moves", "--rules", "russian"]);
    assert_eq!(ran.status, 0);
    assert_eq!(ran.out.lines().count(), 7);
    assert!(ran.out.lines().any(|line| line.starts_with("c3-d4")), "{}", ran.out);
}

/// Every position of the test data, grouped by its rules, with the moves that it has.
fn known_positions() -> BTreeMap<String, Vec<(String, BTreeSet<Class>)>> {
    let mut known: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for name in ["rules/cases.jsonl", "rules/random.jsonl"] {
        for line in fs::read_to_string(data(name)).unwrap().lines() {
            let json: Value = serde_json::from_str(line).unwrap();
            let optional = json["capture_optional"] == true;
            let rules = text(&json["rules"]) + if optional { ",capture=optional" } else { "" };
            known.entry(rules).or_default().push((text(&json["fen"]), classes(&json["moves"])));
        }
    }
    assert!(known.values().map(Vec::len).sum::<usize>() > 800);
    known
}

#[test]
fn moves_of_every_known_position_over_standard_input() {
    for (rules, positions) in known_positions() {
        let input: String = positions.iter().map(|(fen, _)| format!("{fen}\n")).collect();
        let ran = run_with(&["moves", "--rules", &rules, "--stdin", "--json"], input.as_bytes());
        assert_eq!(ran.status, 0, "{rules}: {}", ran.err);
        let answers = ran.json_lines();
        assert_eq!(answers.len(), positions.len(), "{rules}");
        for (answer, (fen, expected)) in answers.iter().zip(&positions) {
            assert_eq!(&classes(&answer["moves"]), expected, "{rules} {fen}");
            assert_eq!(answer["rules"], rules.as_str());
            for m in answer["moves"].as_array().unwrap() {
                let path = m["path"].as_array().unwrap();
                assert_eq!((path.first(), path.last()), (Some(&m["from"]), Some(&m["to"])), "{rules} {fen}");
            }
        }
    }
}

#[test]
fn a_bad_line_is_answered_on_its_line() {
    let long = "W:W".to_owned() + &"1,".repeat(100_000);
    let input = [
        "W:W21-32:B1-12",
        "",
        "nonsense",
        "W:W9:B33",
        "W:W\u{0}:B1",
        &long,
        "B:WK1:B32\u{e9}",
        "B:W21-32:B1-12\r",
    ]
    .join("\n");
    let mut input = input.into_bytes();
    input.extend_from_slice(b"\n\xff\xfe\nW:W21:B1");
    let ran = run_with(&["moves", "--rules", "italian", "--stdin", "--json"], &input);
    let answers = ran.json_lines();
    assert_eq!(ran.status, 1);
    assert_eq!(answers.len(), 10);
    let good: Vec<bool> = answers.iter().map(|answer| answer["error"].is_null()).collect();
    assert_eq!(good, [true, false, false, false, false, false, false, true, false, true]);
    assert!(text(&answers[3]["error"]).contains("33"));
    assert!(answers[1..7].iter().all(|answer| !text(&answer["error"]).is_empty()));
}

#[test]
fn an_answer_comes_before_the_next_question() {
    let mut child = program(&["moves", "--rules", "italian", "--stdin", "--json"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        input.write_all(b"W:W21-32:B1-12\n").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.contains("24-20"), "{line}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_closed_pipe_is_no_error() {
    for args in [
        &["moves", "--rules", "italian", "--stdin", "--json"][..],
        &["moves", "--rules", "italian", "--stdin"],
        &["play", "--two"],
    ] {
        let mut child = program(args).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut first = [0; 1];
        let lines = "W:W21-32:B1-12\n".repeat(200);
        input.write_all(lines.as_bytes()).unwrap();
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        // Its output has just been closed; whether it reads on does not matter.
        let _ = input.write_all(lines.repeat(50).as_bytes());
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    }
}

// ---- bad usage ----

#[test]
fn bad_usage_is_status_2_with_the_reason_on_stderr() {
    let million: String = "W:W".to_owned() + &"1,".repeat(40_000) + "1:B2";
    let broken = file("broken.toml", b"extends = \"brazilian\"\ncapture = [\n");
    let not_utf8 = file("latin1.toml", b"extends = \"brazilian\"\nname = \"\xe9\"\n");
    let cases: [(&[&str], &str); 19] = [
        (&["moves", "--rules", "no-such-rules"], "no-such-rules"),
        (&["moves", "--rules", "italian,colour=red"], "colour"),
        (&["moves", "--rules", ""], "rule set"),
        (&["moves", "--rules", "missing.toml"], "missing.toml"),
        (&["moves", "--rules", &broken], "line"),
        (&["moves", "--rules", &not_utf8], "line 2"),
        (&["moves", "--rules", "italian", "--fen", ""], "empty"),
        (&["moves", "--rules", "italian", "--fen", "W:W1,1:B2"], "column"),
        (&["moves", "--rules", "italian", "--fen", "W:W1:B2"], "promotion row"),
        (&["moves", "--rules", "italian", "--fen", &million], "longer"),
        (&["moves"], "--rules"),
        (&["explain", "--rules", "italian", "foo"], "column 1"),
        (&["explain", "--rules", "italian", "99-1"], "99"),
        (&["explain", "--rules", "italian", "--lang", "xx", "24-20"], "xx"),
        (&["replay", "--rules", "italian", "24-20", "zz"], "ply 2"),
        (&["perft", "--rules", "italian", "--depth", "4000000000"], "depth"),
        (&["rules", "show", "nothing"], "nothing"),
        (&["rules", "check", "missing.toml"], "missing.toml"),
        (&["no-such-command"], "no-such-command"),
    ];
    for (args, reason) in cases {
        let ran = run(args);
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(reason), "{args:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{args:?}");
    }
}

#[test]
fn help_is_there_for_every_command() {
    for command in ["", "play", "rules", "moves", "explain", "replay", "perft", "match", "train"] {
        let args: Vec<&str> = [command, "--help"].into_iter().filter(|arg| !arg.is_empty()).collect();
        let ran = run(&args);
        assert_eq!(ran.status, 0, "{command}");
        assert!(ran.out.contains("Usage"), "{command}: {}", ran.out);
    }
}

// ---- explain ----

#[test]
fn explain_as_json() {
    let ran = run(&["explain", "--rules", "italian", "--fen", "W:W21,K22,K31:B11,18", "22x13", "--json"]);
    let json = ran.json();
    assert_eq!(ran.status, 1);
    assert_eq!((&json["legal"], &json["reason"]), (&Value::Bool(false), &Value::from("too-few")));
    assert_eq!((&json["n"], &json["m"]), (&Value::from(1), &Value::from(2)));
    assert_eq!(json["better"][0]["text"], "21x7");
    assert_eq!(json["move"], "22x13");
    let legal = run(&["explain", "--rules", "italian", "24-20", "--json"]);
    assert_eq!((legal.status, &legal.json()["legal"]), (0, &Value::Bool(true)));
    assert!(legal.json()["reason"].is_null());
}

#[test]
fn explain_speaks_four_languages() {
    let args = ["explain", "--rules", "italian", "--fen", "W:W21,K22,K31:B11,18", "22x13", "--lang"];
    let mut said = BTreeSet::new();
    for lang in ["it", "es", "pt-BR", "en"] {
        let ran = run(&[&args[..], &[lang]].concat());
        assert_eq!(ran.status, 1);
        assert!(ran.out.contains("21x7"), "{}", ran.out);
        said.insert(ran.out);
    }
    assert_eq!(said.len(), 4);
    let portuguese = run(&[&args[..], &["pt_PT.UTF-8"]].concat());
    assert!(said.contains(&portuguese.out));
    // The environment decides where --lang is absent.
    let mut command = program(&args[..args.len() - 1]);
    let output = command.env("LANG", "it_IT.UTF-8").stdin(Stdio::null()).output().unwrap();
    assert!(said.contains(&String::from_utf8_lossy(&output.stdout).into_owned()));
}

#[test]
fn explain_agrees_with_moves_on_every_pair_of_squares() {
    let positions = [("italian", "W:W21,K22,K31:B11,18"), ("russian", "B:Wc3,e3,Kh2:Bd4,f6,Ka7")];
    for (rules, fen) in positions {
        let listed = run(&["moves", "--rules", rules, "--fen", fen, "--json"]).json();
        let ends: BTreeSet<(String, String)> =
            classes(&listed["moves"]).into_iter().map(|(from, to, ..)| (from, to)).collect();
        let shown = run(&["rules", "show", rules, "--json"]).json();
        let squares: Vec<String> =
            shown["board"]["squares"].as_array().unwrap().iter().map(|square| text(&square["n"])).collect();
        // Every start with every fifth end, so that the test stays short; the rules crate tries all pairs.
        for (i, from) in squares.iter().enumerate() {
            for to in squares.iter().skip(i % 5).step_by(5) {
                let ran =
                    run(&["explain", "--rules", rules, "--fen", fen, &format!("{from}-{to}"), "--json"]);
                let json = ran.json();
                let is_listed = ends.contains(&(from.clone(), to.clone()));
                let ambiguous = json["reason"] == "ambiguous";
                assert_eq!(
                    json["legal"] == true || ambiguous,
                    is_listed,
                    "{rules} {fen} {from}-{to}: {json}"
                );
                assert_eq!(ran.status == 0, json["legal"] == true);
                assert!(
                    !text(&json["text"]).contains('{') && !text(&json["text"]).starts_with("why."),
                    "{json}"
                );
            }
        }
    }
}

// ---- replay ----

#[test]
fn replay_judges_a_game() {
    let ran = run(&["replay", "--rules", "italian", "1.", "22-18", "10-14", "2.24-20", "--json"]);
    let json = ran.json();
    assert_eq!(ran.status, 0);
    assert_eq!((&json["ply"], &json["result"]), (&Value::from(3), &Value::from("ongoing")));
    assert!(json["clause"].is_null());
    assert_eq!(json["rules"], "italian");
    let counter = &json["counters"][0];
    for field in ["clause", "count", "limit", "plies", "plies_limit"] {
        assert!(!counter[field].is_null(), "{field}: {counter}");
    }
    // The same from standard input, one object a ply.
    let every =
        run_with(&["replay", "--rules", "italian", "--every", "--json"], b"1. 22-18 10-14\n2. 24-20\n");
    let lines = every.json_lines();
    let plies: Vec<u64> = lines.iter().filter_map(|line| line["ply"].as_u64()).collect();
    assert_eq!(plies, [0, 1, 2, 3]);
    assert_eq!(lines[3]["fen"], json["fen"]);
}

/// Two kings that go back and forth.
const SHUFFLE: [&str; 4] = ["32-28", "1-5", "28-32", "5-1"];

#[test]
fn replay_finds_the_draw_at_its_ply() {
    // The position at the start occurs for the third time after eight plies.
    let moves = SHUFFLE.repeat(2);
    let args = ["replay", "--rules", "italian,repetition=3", "--fen", "W:WK32,24:BK1,9", "--json"];
    let ran = run(&[&args[..], &moves].concat());
    let json = ran.json();
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!((&json["ply"], &json["result"]), (&Value::from(8), &Value::from("draw")));
    assert_eq!(json["clause"], "repetition");
    // One move more is one too many.
    let over = run(&[&args[..], &moves, &["32-28"]].concat());
    let json = over.json();
    assert_eq!(over.status, 1);
    assert_eq!(
        (&json["error"]["reason"], &json["error"]["ply"]),
        (&Value::from("game-over"), &Value::from(9))
    );
    assert!(text(&json["error"]["text"]).contains('8'), "{json}");
}

#[test]
fn replay_can_make_claims() {
    let moves = SHUFFLE.repeat(2);
    let args = ["replay", "--rules", "american,first=white", "--fen", "W:WK32,24:BK1,9", "--json"];
    let open = run(&[&args[..], &moves].concat()).json();
    assert_eq!(open["result"], "ongoing");
    assert_eq!(open["claimable"][0], "repetition");
    let claimed = run(&[&args[..], &["--claim"], &moves].concat());
    let json = claimed.json();
    // The claim is made as soon as the next move could repeat the position: one ply before the end of the list.
    assert_eq!(claimed.status, 1, "{json}");
    assert_eq!((&json["result"], &json["ply"]), (&Value::from("draw"), &Value::from(7)));
}

#[test]
fn replay_stops_at_an_illegal_move() {
    let ran = run(&["replay", "--rules", "italian", "22-18", "10-14", "18x10", "--json"]);
    let json = ran.json();
    assert_eq!(ran.status, 1);
    assert_eq!(json["ply"], 2);
    assert_eq!(json["error"]["ply"], 3);
    assert!(!text(&json["error"]["reason"]).is_empty());
    let said = run(&["replay", "--rules", "italian", "22-18", "10-14", "18x10", "--lang", "it"]);
    assert!(said.out.contains("Semimossa 3"), "{}", said.out);
}

// ---- perft ----

#[test]
fn perft_counts() {
    let ran = run(&["perft", "--rules", "italian", "--depth", "6", "--json"]);
    let json = ran.json();
    assert_eq!((ran.status, &json["nodes"]), (0, &Value::from(36473)));
    for (field, value) in [("rules", "italian"), ("count", "unique"), ("leaf", "count")] {
        assert_eq!(json[field], value);
    }
    assert_eq!((&json["depth"], &json["threads"]), (&Value::from(6), &Value::from(1)));
    assert!(json["seconds"].is_f64() && json["nodes_per_second"].is_f64() && json["checksum"].is_null());
}

#[test]
fn perft_counts_alike_however_it_is_done() {
    let start = ["perft", "--rules", "brazilian", "--depth", "5", "--json"];
    let made = run(&[&start[..], &["--leaf", "make"]].concat()).json();
    assert_eq!(made["nodes"], run(&start).json()["nodes"]);
    for extra in [&["--threads", "3"][..], &["--divide"], &["--divide", "--threads", "2"]] {
        let json = run(&[&start[..], &["--leaf", "make"], extra].concat()).json();
        assert_eq!((&json["nodes"], &json["checksum"]), (&made["nodes"], &made["checksum"]), "{extra:?}");
        if let Some(parts) = json["divide"].as_array() {
            let sum: u64 = parts.iter().filter_map(|part| part["nodes"].as_u64()).sum();
            assert_eq!(Some(sum), made["nodes"].as_u64());
        }
    }
    let kept = run(&["perft", "--rules", "italian", "--depth", "0", "--count", "keep", "--json"]).json();
    assert_eq!(kept["nodes"], 1);
}

// ---- rules ----

#[test]
fn rules_are_listed_and_shown() {
    let listed = run(&["rules", "list", "--json"]).json();
    assert_eq!(listed["rules"].as_array().map(Vec::len), Some(20));
    for rules in listed["rules"].as_array().unwrap() {
        let key = text(&rules["key"]);
        let shown = run(&["rules", "show", &key, "--json"]).json();
        assert_eq!(shown["canonical"], rules["canonical"]);
        let fingerprint = text(&shown["fingerprint"]);
        assert!(
            fingerprint.len() == 32 && fingerprint.bytes().all(|b| b.is_ascii_hexdigit()),
            "{fingerprint}"
        );
        assert!(shown["fields"].as_array().unwrap().len() >= 19);
    }
    let said = run(&["rules", "list", "--lang", "es"]);
    assert!(said.out.contains("Damas italianas"), "{}", said.out);
    let italian = run(&["rules", "show", "italian"]);
    assert!(italian.out.contains("[unverified]") && italian.out.contains("22,W,8,8,N2,1"), "{}", italian.out);
}

#[test]
fn rule_files_are_checked_and_played() {
    let good = file("casa.toml", b"name = \"Brasiliana di casa\"\nextends = \"brazilian\"\ncapture = \"optional\"\ndraws = \"casual\"\n");
    let checked = run(&["rules", "check", &good]);
    assert_eq!(checked.status, 0, "{}", checked.err);
    assert!(checked.out.contains("brazilian,capture=optional,draws=casual"), "{}", checked.out);
    let json = run(&["moves", "--rules", &good, "--json"]).json();
    assert_eq!(json["rules"], "brazilian,capture=optional,draws=casual");
    let shown = run(&["rules", "show", &good]);
    assert!(shown.out.starts_with("Brasiliana di casa"));

    let bad = file("bad.toml", b"extends = \"brazilian\"\n\n  king = \"slow\"\n");
    let checked = run(&["rules", "check", &bad]);
    assert_eq!(checked.status, 1);
    assert!(checked.out.contains("line 3, column 3") && checked.out.contains("slow"), "{}", checked.out);
    let json = run(&["rules", "check", &bad, "--json"]).json();
    assert_eq!(
        (&json["faults"][0]["line"], &json["faults"][0]["column"]),
        (&Value::from(3), &Value::from(3))
    );
    for (name, text) in [
        ("empty.toml", &b""[..]),
        ("alone.toml", b"capture = \"optional\"\n"),
        ("unknown.toml", b"extends = \"brazilian\"\ncolour = \"red\"\n"),
        ("type.toml", b"extends = \"brazilian\"\nrows = { a = 1 }\n"),
        ("twice.toml", b"extends = \"brazilian\"\nrows = 3\nrows = 3\n"),
    ] {
        let ran = run(&["rules", "check", &file(name, text)]);
        assert_eq!(ran.status, 1, "{name}: {} {}", ran.out, ran.err);
        assert!(ran.out.contains("line"), "{name}: {}", ran.out);
    }
}

// ---- play, serve ----

#[test]
fn a_game_is_played_line_by_line() {
    let input = "22-18\nfoo\n10-14\n21x14\n18x10\n18x11\nback\n18x11\nmoves\nflip\ndraw\nno\nresign\n22-18\nrematch\nquit\n";
    let ran = run_with(&["play", "--two", "--lang", "en"], input.as_bytes());
    // Some lines could not be played, and that is said.
    assert_eq!(ran.status, 1, "{}", ran.err);
    for said in ["White to move.", "is not a move", "1. 22-18", "offers a draw", "resigned"] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    let clean =
        run_with(&["play", "--two", "--rules", "spanish", "--fen", "W:W11:B15", "--lang", "es"], b"11x20\n");
    assert_eq!(clean.status, 0, "{}", clean.out);
    assert!(clean.out.contains("Ganan las blancas."), "{}", clean.out);
}

#[test]
fn the_computer_answers_line_by_line() {
    let ran = run_with(&["play", "--level", "1", "--lang", "it"], b"suggerimento\n22-18\n");
    assert_eq!(ran.status, 0, "{}", ran.out);
    assert!(ran.out.contains("Prova ") && ran.out.contains("Nero: "), "{}", ran.out);
    let black = run_with(&["play", "--level", "1", "--side", "black", "--rules", "russian"], b"");
    assert!(black.out.contains("White: "), "{}", black.out);
}

#[test]
fn a_level_is_a_number_up_to_ten_or_the_best() {
    for level in ["1", "10", "best"] {
        let ran = run_with(&["play", "--level", level, "--fen", "W:W24:B10", "--lang", "en"], b"24-20\n");
        assert_eq!(ran.status, 0, "{level}: {}", ran.err);
        assert!(ran.out.contains("Black: 10-"), "{level}: {}", ran.out);
    }
    for level in ["0", "11", "level:11", "Best", ""] {
        let ran = run(&["play", "--level", level]);
        assert_eq!(ran.status, 2, "{level}");
        assert!(ran.err.contains("1 to 10"), "{level}: {}", ran.err);
    }
}

#[test]
fn a_game_begins_with_a_tournament_opening() {
    let lot = run_with(&["play", "--two", "--opening", "lot", "--lang", "it"], b"mosse\n");
    assert!(lot.out.contains("Apertura n. ") && lot.out.contains("(tre mosse)"), "{}", lot.out);
    assert!(lot.out.contains("  2. "), "{}", lot.out);
    let chosen = run_with(
        &["play", "--two", "--rules", "american", "--opening", "3-move:1", "--lang", "en"],
        b"moves\nback\n",
    );
    for said in
        ["Opening no. 1 (three-move)", "1. 9-13      21-17", "2. 5-9", "There is no move to take back."]
    {
        assert!(chosen.out.contains(said), "{said}: {}", chosen.out);
    }
    for (rules, opening) in [("russian", "lot"), ("american", "3-move:0"), ("italian", "11-man")] {
        let ran = run(&["play", "--rules", rules, "--opening", opening]);
        assert_eq!(ran.status, 2, "{rules} {opening}: {}", ran.out);
        assert!(ran.err.contains("is no opening"), "{}", ran.err);
    }
}

#[test]
fn the_page_is_served_at_the_address_that_is_printed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("games");
    let folder = folder.to_string_lossy().into_owned();
    let mut child = program(&["--port", "0", "--no-open", "--data-dir", &folder]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").unwrap_or_else(|| panic!("{line:?} is no address"));
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    stream
        .write_all(format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes())
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    // A port that was asked for by number and is taken is an error; nothing is served elsewhere.
    let port = address.rsplit(':').next().unwrap();
    let taken = run(&["--port", port, "--no-open", "--data-dir", &folder]);
    assert_eq!(taken.status, 2);
    assert!(taken.err.contains(port), "{}", taken.err);
    child.kill().unwrap();
    child.wait().unwrap();
}
