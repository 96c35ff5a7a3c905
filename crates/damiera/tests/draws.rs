//! Every draw clause of every rule set through `damiera replay`: reached at exactly the right ply, claimable at exactly the right ply, or not at all.
//! The games are those of `tests/data/draws.jsonl` (written from the articles of the rules: see `crates/rules/tests/articles`).
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Scripted {
    article: String,
    rules: String,
    clause: String,
    fen: String,
    moves: Vec<String>,
    end: Option<String>,
    claim: Option<String>,
}

fn replay(game: &Scripted, more: &[&str]) -> (i32, Vec<Value>) {
    let output = Command::new(env!("CARGO_BIN_EXE_damiera"))
        .args(["replay", "--json", "--rules", &game.rules])
        .args(if game.fen == "start" { vec![] } else { vec!["--fen", &game.fen] })
        .args(more)
        .args(&game.moves)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn every_clause_draws_at_exactly_its_ply() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/draws.jsonl");
    let games: Vec<Scripted> = std::fs::read_to_string(file)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(games.len() > 150);
    for game in &games {
        let place = format!("{}: {}", game.rules, game.article);
        let (status, plies) = replay(game, &["--every"]);
        assert_eq!(status, 0, "{place}");
        assert_eq!(plies.len(), game.moves.len() + 1, "{place}");
        let (last, before) = plies.split_last().unwrap();
        for ply in before {
            assert_eq!(ply["result"], "ongoing", "{place}: {ply}");
        }
        let claimable =
            |ply: &Value| ply["claimable"].as_array().unwrap().iter().any(|id| id == game.clause.as_str());
        match (&game.end, &game.claim) {
            (Some(end), _) => {
                assert_eq!(
                    (&last["result"], &last["clause"]),
                    (&"draw".into(), &end.as_str().into()),
                    "{place}"
                );
            }
            (None, Some(id)) => {
                assert!(claimable(last), "{place}: {last}");
                assert!(!before.iter().any(claimable), "{place}");
                // Where another clause could be claimed on the way, that claim ends the game first.
                if before.iter().all(|ply| ply["claimable"].as_array().unwrap().is_empty()) {
                    let (status, claimed) = replay(game, &["--claim"]);
                    assert_eq!((status, &claimed[0]["clause"]), (0, &id.as_str().into()), "{place}");
                }
            }
            (None, None) => assert_eq!(last["result"], "ongoing", "{place}"),
        }
    }
}
