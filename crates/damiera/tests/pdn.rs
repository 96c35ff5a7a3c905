//! `damiera pdn`: the real program on real files.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A club's file as such files are: Italian tag names, one-byte accents, a wrong sign, a wrong number, a torn line, words outside comments.
const CLUB: &[u8] = b"[Bianco \"Nicol\xf2\"]\r\n[Nero \"Perani\"]\r\n[Risultato \"1-0\"]\r\n[GameType \"22\"]\r\n\r\n1. 23x19 11-15 {cos\xec si gioca} 3. 21-17 10-14 3. 19x10 5x14 4. 1-1\r\n\r\n[Evento \"Due\"]\r\n1. 22-18 12-16 2. 30-31 9-13 vinta *\r\n";

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("pdn-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn program(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_damiera"))
        .arg("pdn")
        .args(args)
        .env("LANG", "C")
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who has read enough closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!error.contains("panicked"), "{error}");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn check_says_what_is_wrong_and_what_was_made_of_it() {
    let path = file("club.pdn", CLUB);
    let output = program(&["check", path.to_str().unwrap(), "--json"], b"");
    assert_eq!(output.status.code(), Some(1));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (json["encoding"].as_str(), json["rules"].as_str(), json["games"].as_u64()),
        (Some("windows-1252"), Some("italian"), Some(2))
    );
    // The move that is not legal and the one behind it are written and not replayed.
    assert_eq!((json["moves"].as_u64(), json["plies"].as_u64()), (Some(10), Some(8)));
    let codes = |list: &str| -> Vec<String> {
        json[list].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(codes("faults"), ["illegal", "word"]);
    assert_eq!(
        codes("repairs"),
        ["tag-name", "tag-name", "tag-name", "sign", "numbering", "result-differs", "tag-name"]
    );
    let fault = &json["faults"][0];
    assert_eq!(
        (fault["game"].as_u64(), fault["line"].as_u64(), fault["column"].as_u64()),
        (Some(2), Some(9), Some(19))
    );
    assert_eq!((fault["text"].as_str(), fault["lost"].as_u64()), (Some("30-31"), Some(2)));
}

#[test]
fn check_speaks_the_readers_language() {
    let path = file("lingua.pdn", CLUB);
    let said = text(&program(&["check", path.to_str().unwrap(), "--lang", "it"], b"").stdout);
    assert!(said.contains("partite: 2, mosse: 8 di 10"), "{said}");
    assert!(said.contains("Partita 1, riga 6, colonna 4: 23x19: il segno è quello di una presa"), "{said}");
    assert!(said.contains("2 mosse non sono lette."), "{said}");
    assert!(said.contains("L’etichetta Bianco è stata letta come White."), "{said}");
}

#[test]
fn a_clean_file_is_a_yes() {
    let output = program(&["check", "-"], b"[GameType \"20\"] 1. 32-28 19-23 *");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).starts_with("-: games: 1, moves: 2 of 2, repairs: 0, faults: 0\n"));
}

#[test]
fn convert_writes_what_can_be_read_anew() {
    let path = file("alt.pdn", CLUB);
    let output = program(&["convert", path.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(1), "the file has faults");
    let clean = text(&output.stdout);
    assert!(
        clean.starts_with(
            "[White \"Nicolò\"]\n[Black \"Perani\"]\n[Result \"1-0\"]\n[GameType \"22,W,8,8,N2,1\"]\n"
        ),
        "{clean}"
    );
    assert!(clean.contains("1. 23-19 11-15 {così si gioca} 2. 21-17 10-14 3. 19x10 5x14 *"), "{clean}");
    let again = program(&["check", "-", "--json"], clean.as_bytes());
    let json: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!((json["repair_count"].as_u64(), json["fault_count"].as_u64()), (Some(0), Some(0)));
    assert_eq!(text(&program(&["convert", "-"], clean.as_bytes()).stdout), clean);
}

#[test]
fn convert_knows_other_forms() {
    let game = b"[GameType \"26\"] 1. c3-b4 b6-a5 2. b4-c5 d6xb4 3. a3xc5 {!} *";
    let hops = text(&program(&["convert", "-", "--to", "lidraughts"], game).stdout);
    assert_eq!(hops, "2217 0913 1714 1017 2114\n");
    let numbers = text(&program(&["convert", "-", "--names", "numbers_from_top"], game).stdout);
    assert!(
        numbers.contains("[GameType \"26,W,8,8,N2,0\"]")
            && numbers.contains("1. 22-17 9-13 2. 17-14 10x17 3. 21x14"),
        "{numbers}"
    );
    let line = text(&program(&["convert", "-", "--to", "json"], game).stdout);
    let json: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(json["nodes"][5]["move"], "a3:c5");
    assert_eq!(json["nodes"][5]["comments"][0], "!");
}

#[test]
fn replay_says_how_a_game_ends_by_the_rules() {
    let output = program(
        &["replay", "-", "--json"],
        b"[GameType \"22\"] [FEN \"W:W10:B6\"] [Result \"1-0\"] 1. 10x3 1-0",
    );
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (json["result"].as_str(), json["clause"].as_str(), json["written_result"].as_str()),
        (Some("white"), Some("no-pieces"), Some("1-0"))
    );
}

#[test]
fn stats_count_results_players_and_openings() {
    let games = b"[White \"A\"] [Black \"B\"] [GameType \"20\"] 1. 32-28 19-23 2. 28x19 14x23 2-0\n[White \"B\"] [Black \"A\"] [GameType \"20\"] 1. 32-28 19-23 2. 28x19 14x23 3. 37-32 1-1";
    let json: Value = serde_json::from_slice(&program(&["stats", "-", "--json"], games).stdout).unwrap();
    assert_eq!(
        (json["games"].as_u64(), json["plies"].as_u64(), json["results"]["won"].as_u64()),
        (Some(2), Some(9), Some(1))
    );
    assert_eq!(
        (json["players"][0]["name"].as_str(), json["players"][0]["share"].as_f64()),
        (Some("A"), Some(75.0))
    );
    assert_eq!(
        (json["openings"][0]["name"].as_str(), json["openings"][0]["games"].as_u64()),
        (Some("32-28 19-23 28x19 14x23"), Some(2))
    );
    let said = text(&program(&["stats", "-", "--lang", "es"], games).stdout);
    assert!(said.contains("Ganan blancas: 1, tablas: 1, ganan negras: 0"), "{said}");
}

#[test]
fn bad_input_is_named() {
    let missing = program(&["check", "there/is/none.pdn"], b"");
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("there/is/none.pdn"), "{}", text(&missing.stderr));
    assert_eq!(program(&["check"], b"").status.code(), Some(2));
    let exists = file("exists.pdn", b"x");
    let refused = program(&["convert", "-", "--out", exists.to_str().unwrap()], b"1. 32-28 *");
    assert_eq!((refused.status.code(), fs::read(&exists).unwrap()), (Some(2), b"x".to_vec()));
    let beyond = program(&["convert", "-", "--game", "2"], b"1. 32-28 *");
    assert_eq!(beyond.status.code(), Some(2));
    // A file that is packed and broken.
    let clean = file("clean.pdn", b"1. 32-28 19-23 *");
    let both = program(&["check", "there/is/none.pdn", clean.to_str().unwrap()], b"");
    assert_eq!(both.status.code(), Some(2));
    assert!(text(&both.stdout).contains("moves: 2 of 2"), "the other file is still checked");
    let target = clean.with_file_name("never.pdn");
    let refused = program(&["convert", "there/is/none.pdn", "--out", target.to_str().unwrap()], b"");
    assert_eq!((refused.status.code(), target.exists()), (Some(2), false));
    assert_eq!(program(&["replay", "-", "--game", "2"], b"1. 32-28 *").status.code(), Some(2));
    let broken = file("broken.pdn.gz", b"\x1f\x8b\x08\x00broken");
    let said = program(&["check", broken.to_str().unwrap()], b"");
    assert_eq!(said.status.code(), Some(2));
    assert!(text(&said.stderr).contains("broken.pdn.gz"));
}

#[test]
fn search_lists_prints_and_keeps_an_index() {
    let path = file("cerca.pdn", CLUB);
    let index = path.with_file_name("cerca.index");
    let _ = fs::remove_file(&index);
    let (path, index) = (path.to_str().unwrap(), index.to_str().unwrap());
    let found = |args: &[&str]| {
        let output = program(&[&["search"], args].concat(), b"");
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    // Without its accent, and with a position of the game.
    let (status, list, said) = found(&["--index", index, path, "--player", "nicolo", "--lang", "it"]);
    assert_eq!((status, said.as_str()), (Some(0), "Trovata 1 partita su 2\n"));
    assert!(list.trim_end().ends_with("cerca.pdn:1  Nicolò – Perani  1-0"), "{list}");
    let json = |args: &[&str]| -> Vec<Value> {
        let (_, list, _) = found(&[args, &["--json"]].concat());
        list.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    // The index knows the file; it need not be named again.
    let hits = json(&["--index", index, "--moves", "1. 23-19 11-15"]);
    assert_eq!(hits.len(), 1);
    assert_eq!((hits[0]["game"].as_u64(), hits[0]["ply"].as_u64()), (Some(1), Some(2)));
    assert_eq!(hits[0]["rules"], "italian");
    let hits = json(&["--index", index, "--pattern", "?:W18:B16:E12"]);
    assert_eq!((hits.len(), hits[0]["game"].as_u64(), hits[0]["line"].as_u64()), (1, Some(2), Some(8)));
    let (status, pdn, _) = found(&["--index", index, "--result", "white", "--pdn"]);
    assert_eq!(status, Some(0));
    let checked = program(&["check", "-"], pdn.as_bytes());
    assert_eq!(checked.status.code(), Some(0), "{pdn}");
    assert!(pdn.contains("[White \"Nicolò\"]") && pdn.contains("{così si gioca}"), "{pdn}");
    // Without an index the same is found, and nothing is left behind.
    assert_eq!(json(&[path, "--moves", "23-19 11-15"]).len(), 1);
    let (status, list, _) = found(&["--index", index, "--player", "nobody"]);
    assert_eq!((status, list.as_str()), (Some(1), ""));
}

#[test]
fn a_search_that_makes_no_sense_says_so() {
    let path = file("senso.pdn", CLUB);
    let path = path.to_str().unwrap();
    let none = path.to_owned() + ".index";
    for (args, words) in [
        (vec!["--player", "x"], "FILE"),
        (vec!["--index", &none], "there is no such index"),
        (vec![path, "--position", "W:W99"], "--position: FEN, column 4"),
        (vec![path, "--pattern", "?:W99"], "--pattern: column 4: \"99\" is no square of this board"),
        (vec![path, "--material", "three"], "--material: column 1: expected men and kings"),
        (vec![path, "--moves", "23-99"], "--moves: 23-99"),
        (vec![path, "--moves", ""], "--moves: there is no move"),
        (vec![path, "--date", "yesterday"], "expected a year"),
        (vec![path, "--reversed"], "--position"),
        (vec!["-"], "standard input"),
        (vec![path, "no-such-file.pdn"], "no-such-file.pdn"),
    ] {
        let output = program(&[vec!["search"], args.clone()].concat(), b"");
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(words), "{args:?}: {error}");
    }
    assert!(!PathBuf::from(none).exists());
}
