//! The real program: `damiera match`, its record, and how it goes on after it was stopped.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damiera"));
    command.args(args).stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    program(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json_lines(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// A game of a PDN file: its tags and its moves.
#[derive(PartialEq, Eq, Debug)]
struct Pdn {
    tags: BTreeMap<String, String>,
    moves: Vec<String>,
    comment: String,
}

/// Reads PDN by the letter of the grammar that the program writes, independently of the program.
fn read_pdn(text: &str) -> Vec<Pdn> {
    let mut games = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (head, tail) = rest.split_once("\n\n").unwrap();
        let (body, tail) = tail.split_once("\n\n").unwrap();
        let tags = head.lines().map(|line| {
            let (name, value) =
                line.strip_prefix('[').unwrap().strip_suffix("\"]").unwrap().split_once(" \"").unwrap();
            (name.to_owned(), value.to_owned())
        });
        let (moves, comment) = body.split_once('{').unwrap();
        let (comment, end) = comment.split_once('}').unwrap();
        assert_eq!(end.trim(), "*");
        let words = moves.split_whitespace().filter(|word| !word.ends_with('.'));
        games.push(Pdn {
            tags: tags.collect(),
            moves: words.map(str::to_owned).collect(),
            comment: comment.to_owned(),
        });
        rest = tail;
    }
    games
}

#[test]
fn players_meet_in_a_match() {
    let args =
        ["match", "random", "nodes:200", "--rules", "italian", "--games", "2", "--threads", "1", "--json"];
    let ran = run(&args);
    let json = &json_lines(&ran)[0];
    assert_eq!(json["games"], 2);
    assert_eq!(json["players"], serde_json::json!(["random", "nodes:200"]));
    let sum = ["wins", "draws", "losses"].iter().filter_map(|field| json[*field].as_u64()).sum::<u64>();
    assert_eq!(sum, 2);
    assert_eq!(json["pairs"].as_array().unwrap().iter().filter_map(Value::as_u64).sum::<u64>(), 1);
    assert!(text(&ran.stderr).contains("2 of 2 games: +"), "{}", text(&ran.stderr));
    let every = run(&[&args[..], &["--every", "--quiet"]].concat());
    let lines = json_lines(&every);
    assert_eq!((lines.len(), every.stderr.len()), (3, 0));
    assert!(lines[0]["opening"].as_str().is_some_and(|opening| opening.split(' ').count() >= 6));
}

#[test]
fn what_cannot_be_played_is_bad_usage() {
    let base = ["match", "random", "random", "--rules", "italian"];
    for (more, why) in [
        (&["--openings", "11-man"][..], "2-move, 3-move"),
        (&["--openings", "no/such/file"], "no/such/file"),
        (&["--openings", "unbalanced:2,1"], "unbalanced:LEAST,MOST"),
        (&["--sprt", "10,0,0.05,0.05"], "ELO0"),
        (&["--clock", "10"], "10s+0.1s"),
        (&["--clock", "1e19s+1e19s"], "10s+0.1s"),
        (&["--time", "1e19s"], "at most"),
        (&["--adjudicate", "5"], "MEN,PLIES"),
        (&["--resume"], "--pdn"),
        (&["--games", "0"], "--games"),
    ] {
        let ran = run(&[&base[..], more].concat());
        assert_eq!(ran.status.code(), Some(2), "{more:?}");
        assert!(text(&ran.stderr).contains(why), "{more:?}: {}", text(&ran.stderr));
    }
    for player in ["level:11", "hub:", "best", "hub:/nowhere/to/be-found"] {
        let ran = run(&["match", player, "random", "--rules", "international"]);
        assert_eq!(ran.status.code(), Some(2), "{player}");
        assert!(text(&ran.stderr).contains(player.trim_start_matches("hub:")), "{}", text(&ran.stderr));
    }
    // What is wrong is said once.
    let ran = run(&["match", "hub@1s:/nowhere/to/be-found", "random", "--rules", "international"]);
    assert_eq!(text(&ran.stderr).matches("could not be started").count(), 1, "{}", text(&ran.stderr));
    for commands in [r"\033[31m", r"a\007b"] {
        let engine = format!("hub@1s:sh -c 'printf \"{commands}\\n\"; read -r hub'");
        let ran = run(&["match", &engine, "random", "--rules", "international", "--games", "1"]);
        let last = text(&ran.stderr);
        let (_, last) = last.split_once("last lines").unwrap();
        assert!(!last.trim_end().contains(char::is_control), "{last:?}");
    }
}

/// Every game of the record is legal to its end, and the program's own judge agrees with result and clause.
#[test]
fn the_record_is_correct() {
    for (rules, openings) in
        [("american", "11-man"), ("international", "balanced"), ("brazilian-classic", "unbalanced")]
    {
        let path = file(&format!("record-{rules}.pdn"));
        let args = [
            "match",
            "level:2",
            "level:1",
            "--rules",
            rules,
            "--games",
            "4",
            "--quiet",
            "--openings",
            openings,
        ];
        let ran = run(&[&args[..], &["--json", "--every", "--pdn", path.to_str().unwrap()]].concat());
        assert!(ran.status.success(), "{}", text(&ran.stderr));
        let lines = json_lines(&ran);
        let games = read_pdn(&fs::read_to_string(&path).unwrap());
        assert_eq!(games.len(), 4);
        for (game, line) in games.iter().zip(&lines) {
            assert_eq!(game.tags["Round"], (line["game"].as_u64().unwrap() + 1).to_string());
            let white = if line["side"] == "white" { "level:2" } else { "level:1" };
            assert_eq!(game.tags["White"], white);
            assert_eq!(game.tags["Opening"], line["opening"].as_str().unwrap());
            assert_eq!(game.tags["Termination"], line["clause"].as_str().unwrap());
            assert_eq!(
                game.tags.get("Rules").map(String::as_str),
                (rules == "brazilian-classic").then_some(rules)
            );
            assert!(game.comment.contains(line["clause"].as_str().unwrap()));
            assert_eq!(game.tags["Date"].len(), "2026.11.30".len());
            let mut replay = vec!["replay", "--rules", rules, "--claim", "--json"];
            if let Some(fen) = game.tags.get("FEN") {
                replay.extend(["--fen", fen]);
            }
            replay.extend(game.moves.iter().map(String::as_str));
            let judged = &json_lines(&run(&replay))[0];
            assert_eq!(judged["error"], Value::Null, "{judged}");
            assert_eq!((&judged["result"], &judged["clause"]), (&line["result"], &line["clause"]));
            assert_eq!((&judged["fen"], &judged["ply"]), (&line["fen"], &line["plies"]));
            let result = match (line["result"].as_str().unwrap(), rules) {
                ("white", "international") => "2-0",
                ("black", "international") => "0-2",
                ("draw", "international") => "1-1",
                ("white", _) => "1-0",
                ("black", _) => "0-1",
                _ => "1/2-1/2",
            };
            assert_eq!(game.tags["Result"], result);
        }
        assert_eq!(games.iter().any(|game| game.tags.contains_key("FEN")), openings == "11-man");
    }
}

const LONG: [&str; 12] = [
    "match",
    "level:3",
    "level:2",
    "--rules",
    "italian",
    "--games",
    "40",
    "--quiet",
    "--json",
    "--threads",
    "2",
    "--pdn",
];

/// Who plays more pairs than there are openings is told so.
#[test]
fn openings_that_are_played_again_are_announced() {
    let openings = file("two.txt");
    fs::write(&openings, "11-15\n9-14\n").unwrap();
    let base = ["match", "random", "naive", "--rules", "american", "--openings", openings.to_str().unwrap()];
    for (games, told) in [("4", false), ("6", true)] {
        let ran = run(&[&base[..], &["--games", games]].concat());
        assert!(ran.status.success(), "{}", text(&ran.stderr));
        let said = text(&ran.stderr);
        assert_eq!(said.contains("openings: "), told, "{said}");
        assert_eq!(said.contains("openings: 2 for 3 pairs of games"), told, "{said}");
    }
}

/// A match that is killed goes on where it was and comes to the same result.
#[test]
fn a_killed_match_goes_on() {
    let (whole, killed) = (file("whole.pdn"), file("killed.pdn"));
    let expected = run(&[&LONG[..], &[whole.to_str().unwrap()]].concat());
    assert!(expected.status.success(), "{}", text(&expected.stderr));
    let args = [&LONG[..], &[killed.to_str().unwrap()]].concat();
    let mut child = program(&args).stdout(Stdio::null()).spawn().unwrap();
    let written = || fs::read_to_string(&killed).unwrap_or_default().matches("[Event ").count();
    let patience = Instant::now() + Duration::from_secs(120);
    while written() < 5 {
        assert!(
            Instant::now() < patience && child.try_wait().unwrap().is_none(),
            "no game was written in time"
        );
        sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!((5..40).contains(&written()), "{}", written());
    // What a crash may leave behind: the beginning of a game.
    let mut torn = fs::read_to_string(&killed).unwrap();
    let event = torn.lines().next().unwrap().to_owned();
    assert!(
        event.starts_with("[Event \"level:3 v level:2, italian, balanced openings, seed 1, engine "),
        "{event}"
    );
    torn.push_str(&format!("{event}\n[Round \"39\"]\n\n1. 22-18 *"));
    fs::write(&killed, torn).unwrap();
    let refused = run(&args);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--resume"), "{}", text(&refused.stderr));
    let resumed = run(&[&args[..], &["--resume"]].concat());
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    let (expected, resumed) = (&json_lines(&expected)[0], &json_lines(&resumed)[0]);
    for field in ["games", "wins", "draws", "losses", "pairs", "elo", "elo_error"] {
        assert_eq!(expected[field], resumed[field], "{field}");
    }
    let games = |path: &Path| {
        let mut games = read_pdn(&fs::read_to_string(path).unwrap());
        for game in &mut games {
            game.tags.remove("Date");
        }
        games.sort_by_key(|game| game.tags["Round"].parse::<u32>().unwrap());
        games
    };
    assert_eq!(games(&whole), games(&killed));
    // Another match does not go on with these games.
    let other = run(&[&args[..], &["--resume", "--seed", "2"]].concat());
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("another match"), "{}", text(&other.stderr));
}

/// Whatever else stands in the file of `--pdn`, nothing of it is lost.
#[test]
fn a_file_of_something_else_is_left_alone() {
    let path = file("foreign.pdn");
    let args = ["match", "random", "random", "--rules", "italian", "--games", "2", "--quiet", "--pdn"];
    let args = [&args[..], &[path.to_str().unwrap(), "--resume"]].concat();
    assert!(run(&args).status.success());
    let own = fs::read(&path).unwrap();
    let torn = &own[..own.len() - 9];
    let last = own[..own.len() - 2].windows(2).position(|pair| pair == b"*\n").unwrap() + 3;
    let foreign = b"[Event \"Campionato\"]\n[Result \"1-0\"]\n\n1. 22-18 1-0\n\n";
    let crlf = String::from_utf8_lossy(&own).replace('\n', "\r\n").into_bytes();
    for (contents, why) in [
        (b"milk, bread\n".to_vec(), "not of a match"),
        (foreign.to_vec(), "Campionato"),
        ([&own[..], b"\nmilk, bread\n"].concat(), "game 3"),
        ([&own[..], foreign].concat(), "Campionato"),
        (crlf, "not of a match"),
        (b"\xff\xfe\x00".to_vec(), "not of a match"),
    ] {
        fs::write(&path, &contents).unwrap();
        let ran = run(&args);
        assert_eq!(ran.status.code(), Some(2));
        assert!(text(&ran.stderr).contains(why), "{why}: {}", text(&ran.stderr));
        assert_eq!(fs::read(&path).unwrap(), contents);
    }
    // The beginning of one of its own games is no loss.
    for beginning in [torn, &own[..last + 5], &own[..last], b"[Ev"] {
        fs::write(&path, beginning).unwrap();
        assert!(run(&args).status.success());
        assert_eq!(read_pdn(&fs::read_to_string(&path).unwrap()).len(), 2);
    }
    assert_eq!(run(&[&args[..args.len() - 2], &["/dev/null"]].concat()).status.code(), Some(2));
}

#[test]
fn two_matches_do_not_write_to_one_file() {
    let path = file("shared.pdn");
    let args = ["match", "random", "random", "--rules", "italian", "--games", "2", "--quiet", "--pdn"];
    let args = [&args[..], &[path.to_str().unwrap()]].concat();
    let other = fs::File::create(&path).unwrap();
    other.lock().unwrap();
    let ran = run(&args);
    assert_eq!(ran.status.code(), Some(2));
    assert!(text(&ran.stderr).contains("another match is writing"), "{}", text(&ran.stderr));
    drop(other);
    assert!(run(&args).status.success());
}

/// Ctrl-C while another engine thinks: it is ended, what was played counts, and the match can go on.
#[cfg(unix)]
#[test]
fn an_interrupted_match_says_how_it_stands() {
    let (pdn, thinks, script) = (file("interrupted.pdn"), file("thinks"), file("thinks.sh"));
    // It plays the first move of a first game at once and then thinks for ever, whatever it is told.
    let text_of = format!(
        "trap '' TERM INT\nwhile read -r line; do case \"$line\" in\nhub) echo 'id name=Slow version=1'; echo wait;;\ninit) echo ready;;\n\
         go*) if [ -e {0} ]; then echo $$ > {0}.pid; exec sleep 600; fi; echo > {0}; echo 'done move=1-2';;\nesac; done\n",
        thinks.display()
    );
    fs::write(&script, text_of).unwrap();
    let pid = file("thinks.pid");
    let engine = format!("hub@60s:sh {}", script.display());
    let args = [
        "match",
        &engine,
        "random",
        "--rules",
        "international",
        "--games",
        "9",
        "--threads",
        "1",
        "--json",
        "--quiet",
    ];
    let args = [&args[..], &["--pdn", pdn.to_str().unwrap()]].concat();
    let child = program(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(120);
    let thinking = loop {
        assert!(Instant::now() < patience, "the engine has never thought");
        match fs::read_to_string(&pid) {
            Ok(number) if number.ends_with('\n') => break number.trim().to_owned(),
            _ => sleep(Duration::from_millis(5)),
        }
    };
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ran = child.wait_with_output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(text(&ran.stderr).contains("stopped after 1 of 9 games; --resume"), "{}", text(&ran.stderr));
    assert_eq!(json_lines(&ran)[0]["games"], 1);
    assert_eq!(read_pdn(&fs::read_to_string(&pdn).unwrap()).len(), 1);
    let alive = Command::new("kill").args(["-0", &thinking]).stderr(Stdio::null()).status().unwrap();
    assert!(!alive.success(), "the engine goes on without a match");
}
