//! `damiera analyze` as people and scripts run it: limits, several lines, stopping and going on, draws by their clause, bad input.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damiera"));
    command.arg("analyze").args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Returns the exit status and what was written to standard output and standard error.
fn run(args: &[&str]) -> (i32, String, String) {
    let output = program(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(args: &[&str]) -> Value {
    let (status, out, err) = run(&[args, &["--json"]].concat());
    assert_eq!(status, 0, "{args:?}: {err}");
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"))
}

/// Plays a line with `damiera replay`, which must find every move legal.
fn assert_playable(rules: &str, fen: &str, moves: &[&str], line: &Value) {
    let pv: Vec<&str> = line["pv"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    assert!(!pv.is_empty(), "{line}");
    let start = if fen.is_empty() { vec![] } else { vec!["--fen", fen] };
    let replay = Command::new(env!("CARGO_BIN_EXE_damiera"))
        .args(["replay", "--rules", rules])
        .args(start)
        .args(moves)
        .args(&pv)
        .output()
        .unwrap();
    assert!(replay.status.success(), "{rules} {fen} {line}");
}

#[test]
fn an_answer_has_a_score_and_a_line_that_can_be_played() {
    for rules in ["italian", "brazilian", "russian", "international", "turkish", "frisian", "poddavki"] {
        let answer = json(&["--rules", rules, "--depth", "5"]);
        assert_eq!(answer["rules"], rules);
        assert_eq!(answer["depth"], 5, "{answer}");
        assert!(answer["nodes"].as_u64().unwrap() > 50 && answer["seconds"].is_f64(), "{answer}");
        let lines = answer["lines"].as_array().unwrap();
        assert_eq!(lines.len(), 1);
        assert!(lines[0]["score"]["men"].is_f64(), "{answer}");
        assert_playable(rules, "", &[], &lines[0]);
    }
}

#[test]
fn moves_lead_to_the_position() {
    let moves = ["1.", "22-18", "10-14", "2.24-20"];
    let answer = json(&[&["--rules", "italian", "--nodes", "3000"], &moves[..]].concat());
    assert!(answer["fen"].as_str().unwrap().starts_with("B:"), "{answer}");
    assert!(answer["nodes"].as_u64().unwrap() <= 3_000, "{answer}");
    assert_playable("italian", "", &moves, &answer["lines"][0]);
}

#[test]
fn wins_and_losses_are_counted_in_plies() {
    let won = json(&["--rules", "russian", "--fen", "W:Wc3:Bd4", "--depth", "3"]);
    assert_eq!(won["lines"][0]["score"], serde_json::json!({"win_in": 1}));
    assert_eq!(won["lines"][0]["pv"], serde_json::json!(["c3:e5"]));
    let lost = json(&["--rules", "russian", "--fen", "B:Wc3,e3:Bd6", "--depth", "8"]);
    assert!(lost["lines"][0]["score"]["loss_in"].as_u64().unwrap() > 0, "{lost}");
    let (status, out, _) = run(&["--rules", "russian", "--fen", "W:Wc3:Bd4", "--depth", "3"]);
    assert!(status == 0 && out.contains("1. wins in 1 ply  c3:e5"), "{out}");
}

/// Two kings going back and forth between their corners. White's only move now brings a position for the third time, so that no evaluation has a say.
const SHUFFLE: [&str; 8] = ["24-28", "1-5", "28-32", "5-1", "32-28", "1-5", "28-32", "5-1"];

#[test]
fn draws_are_named_by_their_clause() {
    let start = ["--rules", "italian,repetition=3", "--fen", "W:WK24:BK1"];
    let drawn = json(&[&start[..], &["--depth", "4"], &SHUFFLE[..]].concat());
    assert_eq!(drawn["lines"], serde_json::json!([{"score": {"draw": "repetition"}, "pv": ["32-28"]}]));
    // The game that is over by repetition is drawn by it.
    let over = json(&[&start[..], &SHUFFLE[..], &["32-28"]].concat());
    assert_eq!(over["lines"], serde_json::json!([{"score": {"draw": "repetition"}, "pv": []}]));
    // One king cannot win against one, and here that ends the game after five moves.
    let few = json(&["--rules", "brazilian", "--fen", "W:WKa1:BKh2", "--depth", "12", "--lines", "3"]);
    let lines = few["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    for line in lines.iter().filter(|line| line["score"].get("draw").is_some()) {
        let clause = line["score"]["draw"].as_str().unwrap();
        assert!(["few-pieces", "repetition"].contains(&clause), "{few}");
    }
    assert!(lines[0]["score"]["draw"].is_string(), "{few}");
}

#[test]
fn a_game_that_is_over_is_said_to_be_lost() {
    let lost = json(&["--rules", "italian", "--fen", "W:W:B12"]);
    assert_eq!(lost["lines"], serde_json::json!([{"score": {"loss_in": 0}, "pv": []}]));
    let given_away = json(&["--rules", "poddavki", "--fen", "W:W:Bb6"]);
    assert_eq!(given_away["lines"][0]["score"], serde_json::json!({"win_in": 0}));
}

#[test]
fn iterations_are_told_where_it_is_asked_for() {
    let (status, out, err) = run(&["--rules", "spanish", "--depth", "4", "--every", "--json"]);
    let told: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(told.len() >= 2, "{out}");
    assert!(told.windows(2).all(|two| two[0]["depth"].as_u64() <= two[1]["depth"].as_u64()), "{out}");
    assert_eq!(told[told.len() - 1]["depth"], 4);
}

#[test]
fn ctrl_c_ends_the_search_and_not_the_answer() {
    let mut child =
        program(&["--rules", "international", "--infinite", "--every", "--json"]).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    interrupt(&child);
    let last = out.lines().last().unwrap().unwrap();
    let answer: Value = serde_json::from_str(&last).unwrap();
    assert!(!answer["lines"][0]["pv"].as_array().unwrap().is_empty(), "{answer}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

fn interrupt(child: &Child) {
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
}

#[test]
fn enter_stops_and_goes_on() {
    let mut child =
        program(&["--rules", "international", "--infinite", "--json"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut answer = || {
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        serde_json::from_str::<Value>(&line).unwrap()
    };
    // Each pair stops the search and lets it go on; the last one stops it, and after it nothing comes.
    for _ in 0..2 {
        stdin.write_all(b"\n").unwrap();
        assert!(answer()["lines"][0]["score"]["men"].is_f64());
        stdin.write_all(b"\n").unwrap();
    }
    stdin.write_all(b"\n").unwrap();
    answer();
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn bad_input_is_explained() {
    for (args, said) in [
        (&["--rules", "italian", "22-18", "10-15"][..], "ply 2, \"10-15\""),
        (&["--rules", "italian", "zz"], "ply 1, \"zz\""),
        (&["--rules", "italian", "--fen", "W:W11:B15", "11x20"], "captures forward only"),
        (&["--rules", "italian", "--fen", "W:W60:B1"], "--fen"),
        (&["--rules", "italian", "--fen", ""], "--fen"),
        (&["--rules", "spanish", "--fen", "W:W11:B15", "11x20", "1-5"], "ply 2"),
        (&["--rules", "martian"], "martian"),
        (&["--rules", "italian", "--time", "soon"], "in seconds"),
        (&["--rules", "italian", "--time=-1s"], "--time"),
        (&["--rules", "italian", "--depth", "0"], "--depth"),
        (&["--rules", "italian", "--lines", "0"], "--lines"),
        (&["--rules", "italian", "--nodes", "many"], "--nodes"),
        (&["--rules", "italian", "--threads", "0"], "--threads"),
        (&["--rules", "italian", "--hash", "99999999"], "--hash"),
        (&["--rules", "italian", "--infinite", "--time", "1s"], "--time"),
        (&["--depth", "3"], "--rules"),
    ] {
        let (status, out, err) = run(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(said) && !err.contains("panicked"), "{args:?}: {err}");
    }
}
