//! The real program: the commands of `damiera train` that measure levels and check the engine.
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
    assert!(written.lines().any(|line| line.starts_with("\"italian\":{\"steps\":")), "{written}");
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
    // Results of other levels are not mixed with these.
    fs::write(&out, written.replace("\"nodes\":[", "\"nodes\":[1,")).unwrap();
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
