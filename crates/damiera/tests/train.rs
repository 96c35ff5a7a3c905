//! The real program: the commands of `damiera train` that measure levels, check the engine, find problems and solve them.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_damiera")).args(args).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// Every neighbouring pair is played once; what is measured is not played again; the table goes into its section.
#[test]
fn levels_are_measured_once_and_shown() {
    let (out, page) = (file("levels.json"), file("page.md"));
    fs::write(&page, "# Measurements\n\n## Levels\n\nold\n\n## Speed\n\nfast\n").unwrap();
    let base = ["train", "levels", "--quiet", "--games", "2", "--out", out.to_str().unwrap()];
    let ran = run(&[&base[..], &["--rules", "italian"]].concat());
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    assert_eq!(text(&ran.stdout).lines().count(), 10, "{}", text(&ran.stdout));
    let again = run(&[&base[..], &["--rules", "italian", "--table", page.to_str().unwrap()]].concat());
    assert!(again.status.success() && again.stdout.is_empty(), "{}", text(&again.stdout));
    let written = fs::read_to_string(&out).unwrap();
    assert!(written.lines().any(|line| line.starts_with("\"italian\":{\"engine\":")), "{written}");
    let json: Value = serde_json::from_str(&written).unwrap();
    let steps = json["rules"]["italian"]["steps"].as_array().unwrap();
    for (i, step) in steps.iter().enumerate() {
        assert_eq!(step["level"], format!("level:{}", i + 2));
        assert_eq!(step["against"], format!("level:{}", i + 1));
        let games = ["wins", "draws", "losses"].iter().filter_map(|field| step[*field].as_u64()).sum::<u64>();
        assert_eq!((games, &step["games"]), (2, &Value::from(2)));
    }
    assert_eq!(steps.len(), 9);
    assert_eq!(json["rules"]["italian"]["naive"]["against"], "naive");
    assert_eq!(json["date"].as_str().unwrap().len(), "2026-11-30".len());
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains("\n| italian | 2 |") && page.contains("| 10 v 9 | 1 v naive |"), "{page}");
    assert!(
        page.starts_with("# Measurements\n\n## Levels\n") && page.ends_with("\n## Speed\n\nfast\n"),
        "{page}"
    );
    assert!(!page.contains("old"), "{page}");
    // What another engine has played is played again.
    let engine = json["rules"]["italian"]["engine"].as_u64().unwrap();
    fs::write(&out, written.replace(&engine.to_string(), "1")).unwrap();
    let newer = run(&[&base[..], &["--rules", "italian"]].concat());
    assert_eq!(text(&newer.stdout).lines().count(), 10, "{}", text(&newer.stdout));
    let renewed: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(renewed["rules"], json["rules"]);
    // Results of other levels are not mixed with these.
    fs::write(&out, written.replace("\"temperature\":500.0", "\"temperature\":501.0")).unwrap();
    let other = run(&[&base[..], &["--rules", "italian"]].concat());
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("other levels"), "{}", text(&other.stderr));
}

#[test]
fn an_endurance_run_checks_and_reports() {
    let args = ["train", "endure", "--games", "4", "--json", "--margin", "20s", "--hash", "1"];
    let ran = run(&[&args[..], &["--rules", "turkish", "--rules", "frisian"]].concat());
    assert!(ran.status.success(), "{}", text(&ran.stdout));
    let reports: Vec<Value> =
        text(&ran.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports.len(), 2);
    for (report, rules) in reports.iter().zip(["turkish", "frisian"]) {
        assert_eq!((&report["rules"], &report["games"]), (&Value::from(rules), &Value::from(4)));
        let ended =
            ["white", "draws", "black", "too_long"].iter().filter_map(|field| report[*field].as_u64());
        assert_eq!(ended.sum::<u64>(), 4);
        assert!(report["moves"].as_u64().unwrap() > 40 && report["faults"].as_array().unwrap().is_empty());
        assert_eq!(report["assertions"], cfg!(debug_assertions));
    }
    // A margin that nobody can keep to is a fault, with the place where it happened.
    let args = [
        "train",
        "endure",
        "--games",
        "1",
        "--rules",
        "italian",
        "--margin",
        "0.000000001s",
        "--time",
        "0.001s",
    ];
    let late = run(&args);
    assert_eq!(late.status.code(), Some(1), "{}", text(&late.stdout));
    assert!(text(&late.stdout).contains("more than its 1ms"), "{}", text(&late.stdout));
}

/// What is found can be read again; a wrong answer is not solved, and says which one it is.
#[test]
fn problems_are_found_and_solved() {
    let found = run(&["train", "tactics", "--rules", "international", "--count", "1"]);
    assert!(found.status.success(), "{}", text(&found.stderr));
    let problem = text(&found.stdout);
    let fields: Vec<&str> = problem.trim_end().split('\t').collect();
    let [fen, answer, line, ..] = fields[..] else { panic!("{problem}") };
    assert!(line.starts_with(&format!("{answer} ")), "{problem}");
    let replayed = run(&["replay", "--rules", "international", "--fen", fen, line]);
    assert!(replayed.status.success(), "{}", text(&replayed.stderr));

    // White takes two and has won; the same position said to be lost is a problem nobody can solve.
    let (won, lost) = ("W:W27:B22,12\t27x7\n", "W:W27:B22,12\tloss\n");
    let path = file("problems.txt");
    fs::write(&path, format!("# two problems\n\n{won}{lost}")).unwrap();
    let path = path.to_str().unwrap();
    let args =
        ["train", "solve", "--rules", "international", "--time", "0.2s", "--time", "0.1s", "--json", path];
    let solved: Value = serde_json::from_slice(&run(&args).stdout).unwrap();
    assert_eq!(solved["problems"], 2);
    let within = serde_json::json!([{"seconds": 0.1, "solved": 1}, {"seconds": 0.2, "solved": 1}]);
    assert_eq!(solved["within"], within);
    assert_eq!(solved["unsolved"], serde_json::json!(["W:W27:B12,22"]));
}

#[test]
fn a_file_of_problems_that_cannot_be_read_is_explained() {
    let path = file("bad-problems.txt");
    for (line, said) in [
        ("W:W27:B22", "line 2: after the FEN"),
        ("W:W99:B22\twin", "line 2: FEN"),
        ("W:W27:B22\t27-1", "line 2: \"27-1\""),
    ] {
        fs::write(&path, format!("# a problem\n{line}\n")).unwrap();
        let ran = run(&["train", "solve", "--rules", "international", path.to_str().unwrap()]);
        assert_eq!(ran.status.code(), Some(2), "{line}");
        assert!(text(&ran.stderr).contains(said), "{}", text(&ran.stderr));
    }
}

/// Whoever has hours of games before him learns first that their result can be written.
#[test]
fn levels_that_cannot_be_written_are_not_measured() {
    let folder = file("no-such-folder").join("levels.json");
    let (out, empty) = (file("unshown.json"), file("empty.json"));
    fs::write(&empty, "").unwrap();
    for (out, table, said) in [
        (folder.as_path(), None, "no-such-folder"),
        (&out, Some("no/such/page.md"), "no/such/page.md"),
        (&empty, None, "empty.json"),
        (Path::new("/dev/null"), None, "no ordinary file"),
    ] {
        let mut args =
            vec!["train", "levels", "--rules", "italian", "--games", "2", "--out", out.to_str().unwrap()];
        args.extend(table.iter().flat_map(|page| ["--table", page]));
        let ran = run(&args);
        assert_eq!((ran.status.code(), ran.stdout.len()), (Some(2), 0), "{said}");
        assert!(text(&ran.stderr).contains(said), "{}", text(&ran.stderr));
        assert!(!text(&ran.stderr).contains("games:"), "{}", text(&ran.stderr));
    }
}

#[test]
fn files_without_a_lesson_are_refused() {
    let (samples, weights) = (file("samples.txt"), file("learned.txt"));
    let header = "rules italian games 4294967295 nodes 1 seed 1\n";
    for (lines, said) in [("", "no position"), ("4294967295 1 5 W:W21:B1\n", "more games than")] {
        fs::write(&samples, format!("{header}{lines}")).unwrap();
        let name = samples.to_str().unwrap();
        let files = if lines.is_empty() { vec![name] } else { vec![name, name] };
        let args = [&["train", "fit", "--out", weights.to_str().unwrap()], &files[..]].concat();
        let ran = run(&args);
        assert_eq!(ran.status.code(), Some(2));
        assert!(text(&ran.stderr).contains(said), "{}", text(&ran.stderr));
        assert!(!weights.exists());
    }
}

/// Games of the engine against itself are written once for all numbers of threads, and weights are learned from them.
#[test]
fn games_are_played_and_learned_from() {
    let (one, two, weights) = (file("one.txt"), file("two.txt"), file("italian.weights"));
    for (path, threads) in [(&one, "1"), (&two, "2")] {
        let path = path.to_str().unwrap();
        let games = ["--games", "30", "--nodes", "150", "--seed", "7", "--threads", threads];
        let ran = run(&[&["train", "selfplay", "--rules", "italian", "--out", path], &games[..]].concat());
        assert!(ran.status.success(), "{}", text(&ran.stderr));
        assert!(text(&ran.stdout).starts_with("italian: 30 games, "), "{}", text(&ran.stdout));
    }
    let written = fs::read_to_string(&one).unwrap();
    assert_eq!(written, fs::read_to_string(&two).unwrap());
    assert!(
        written.starts_with("rules italian games 30 nodes 150 seed 7\n") && written.lines().count() > 100
    );
    let args = ["train", "fit", "--out", weights.to_str().unwrap(), one.to_str().unwrap()];
    let ran = run(&args);
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    let learned = fs::read_to_string(&weights).unwrap();
    assert!(learned.starts_with("# Weights for italian"), "{learned}");
    let value = |name: &str| -> f64 {
        let line = learned.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
        line.split(' ').nth(1).unwrap().parse().unwrap()
    };
    assert!(value("king.16") > 0.0 && value("man.16") > 0.0, "{learned}");
    // A line that is no sample is named.
    fs::write(&two, written.replacen("\n0 ", "\nnull ", 1)).unwrap();
    let broken = run(&["train", "fit", "--out", weights.to_str().unwrap(), two.to_str().unwrap()]);
    assert_eq!(broken.status.code(), Some(2));
    assert!(
        text(&broken.stderr).contains("two.txt") && text(&broken.stderr).contains("line 2"),
        "{}",
        text(&broken.stderr)
    );
    assert_eq!(fs::read_to_string(&weights).unwrap(), learned, "nothing is lost");
}
