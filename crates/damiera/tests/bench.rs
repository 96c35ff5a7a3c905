//! `damiera bench` as people and scripts run it.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::process::{Command, Output};

use serde_json::Value;

fn bench(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_damiera")).arg("bench").args(args).output().unwrap()
}

#[test]
fn the_counts_are_those_of_the_signature() {
    let printed = String::from_utf8(bench(&["--signature"]).stdout).unwrap();
    assert_eq!(printed, include_str!("../../engine/bench/signature.txt"));
    let counted: Value =
        serde_json::from_slice(&bench(&["--rules", "thai", "--rules", "italian", "--json"]).stdout).unwrap();
    let sets = counted["sets"].as_array().unwrap();
    assert_eq!(sets.iter().map(|set| &set["rules"]).collect::<Vec<_>>(), ["italian", "thai"]);
    for set in sets {
        let line = format!("{} {}", set["rules"].as_str().unwrap(), set["nodes"]);
        assert!(printed.lines().any(|printed| printed == line), "{line}");
        assert!(set["cpu_seconds"].as_f64().unwrap() > 0.0, "{set}");
    }
}

#[test]
fn a_measure_of_speed_enters_as_many_positions_as_are_wanted() {
    let args = ["--rules", "italian", "--start", "--nodes", "20000", "--json"];
    let counted: Value = serde_json::from_slice(&bench(&args).stdout).unwrap();
    assert_eq!(
        (&counted["sets"][0]["positions"], &counted["nodes"]),
        (&Value::from(1), &Value::from(20_000))
    );
}

#[test]
fn an_unknown_rule_set_is_named() {
    let output = bench(&["--rules", "martian"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("martian"));
}
