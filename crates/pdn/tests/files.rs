//! Files made by others, in `../shared/data/pdn`: every game of them is accounted for. `tests/data/pdn/files.txt` says of each file how many games and
//! moves it has, what was mended, and names every move that is not replayed, with its cause. `scripts/compare-shared` runs this.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use damiera_pdn::{Grade, Options, read};

/// Returns the files below a folder, in the order of their paths.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Returns a file's games as PDN. Some are lists of texts in JSON.
fn pdn(path: &Path) -> Option<Vec<u8>> {
    let bytes = fs::read(path).unwrap();
    match path.extension()?.to_str()? {
        "pdn" => Some(bytes),
        "json" => {
            let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            let games = json.get("games").or(json.get("pdn_positions"))?.as_array()?;
            let texts: Vec<&str> = games.iter().filter_map(|game| game.as_str()).collect();
            (!texts.is_empty()).then(|| texts.join("\n\n").into_bytes())
        }
        _ => None,
    }
}

/// Writes what a file is found to be, and the moves that are not replayed.
fn report(name: &str, bytes: &[u8]) -> (String, u64, u64) {
    let mut codes = BTreeMap::<&str, u32>::new();
    let mut rules = BTreeMap::<String, u32>::new();
    let mut faults = String::new();
    let summary = read(bytes, &Options::default(), &mut |game| {
        *rules.entry(game.tree.rules().canonical().to_owned()).or_default() += 1;
        let lost: u64 = game.findings.iter().map(|f| u64::from(f.lost)).sum();
        assert_eq!(
            game.plies + lost,
            game.written,
            "{name}, game {}: a move is not accounted for",
            game.number
        );
        for finding in game.findings {
            *codes.entry(finding.code.text()).or_default() += 1;
            if finding.grade() == Grade::Fault {
                let place = finding.place;
                let (code, text, lost) = (finding.code.text(), &finding.text, finding.lost);
                writeln!(
                    faults,
                    "  {} {}:{} {code} {text:?}, {lost} lost",
                    game.number, place.line, place.column
                )
                .unwrap();
            }
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    let list = |counts: Vec<(String, u32)>| {
        counts.iter().map(|(name, n)| format!("{name} {n}")).collect::<Vec<_>>().join(", ")
    };
    let codes = list(codes.into_iter().map(|(code, n)| (code.to_owned(), n)).collect());
    let rules = list(rules.into_iter().collect());
    let text = format!(
        "{name}: {} games, {} of {} moves; {}; {rules}; {codes}\n{faults}",
        summary.games, summary.plies, summary.written, summary.encoding
    );
    (text, summary.plies, summary.written)
}

#[test]
#[ignore = "needs the folder shared: scripts/compare-shared runs it"]
fn every_game_and_every_move_is_accounted_for() {
    let shared =
        PathBuf::from(std::env::var_os("DAMIERA_SHARED").expect("the folder with the files of others"));
    let folder = shared.join("data/pdn");
    let (mut found, mut plies, mut written) = (String::new(), 0, 0);
    for path in files(&folder) {
        let Some(bytes) = pdn(&path) else { continue };
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        let (text, replayed, all) = report(&name, &bytes);
        found.push_str(&text);
        plies += replayed;
        written += all;
    }
    writeln!(found, "all: {plies} of {written} moves").unwrap();
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/pdn/files.txt");
    let known = fs::read_to_string(&table).unwrap();
    // What stands behind a # says the cause, by hand.
    let bare = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines
            .map(|line| line.split(" #").next().unwrap().trim_end().to_owned())
            .filter(|l| !l.is_empty())
            .collect()
    };
    let (found, known) = (bare(&found), bare(&known));
    for line in found.iter().filter(|line| !known.contains(line)) {
        eprintln!("found, not expected: {line}");
    }
    for line in known.iter().filter(|line| !found.contains(line)) {
        eprintln!("expected, not found: {line}");
    }
    assert!(found == known, "the files are read in another way than {} says", table.display());
    // The bar: 99.5 % of all moves.
    assert!(plies * 1000 >= written * 995, "{plies} of {written}");
    for line in fs::read_to_string(&table).unwrap().lines().filter(|line| line.starts_with("  ")) {
        assert!(line.contains(" #"), "without its cause: {line}");
    }
}
