//! Real files, a real index on disk: what is found must be what is found by looking at every game.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use damiera_collection::{Added, Collection, Dates, Error, Hit, Material, Pattern, Placed, Query, Won};
use damiera_pdn::{GameTree, Options, Step, Style, read};
use damiera_rules::RuleSet;
use damiera_rules::presets::KEYS;
use proptest::prelude::*;
use tempfile::TempDir;

const GAMES: &str = r#"[Bianco "Fadèev, Sergej"] [Nero "Ton Sijbrands"] [Data "12.05.1971"] [Evento "Torneo di Città"] [Risultato "1-0"] [GameType "20"]
1. 32-28 19-23 2. 28x19 14x23 3. 37-32 (3. 33-28 23x32) 10-14 1-0

[White "Сейбрандс"] [Black "Anna Fero"] [Date "1990.??.??"] [Event "Club"] [Result "1-1"] [GameType "20"]
1. 33-28 18-22 2. 39-33 12-18 1-1

[White "Anna Fero"] [Black "Ton Sijbrands"] [Date "1992.01.02"] [Result "0-2"] [GameType "20"] [FEN "W:W28,K46:B20,K5"]
1. 28-22 5-10 0-2

[White "Anna Fero"] [Black "?"] [Date "1993"] [Result "*"] [GameType "22"]
1. 23-19 11-15 2. 21-17 *
"#;

struct Place {
    dir: TempDir,
}

impl Place {
    fn new() -> Place {
        Place { dir: tempfile::tempdir().expect("a folder") }
    }
    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, text).expect("a file");
        path
    }
    fn index(&self) -> PathBuf {
        self.dir.path().join("games.index")
    }
}

fn add(collection: &mut Collection, path: &Path) -> Added {
    collection
        .add(path, &Options::default(), &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{error}"))
}

fn counts(added: Added) -> Option<(u64, u64)> {
    match added {
        Added::Read(summary) => Some((summary.games, summary.faults)),
        Added::Known | Added::Stopped => None,
    }
}

fn found(collection: &mut Collection, query: &Query) -> Vec<(u64, u32)> {
    let hits = collection.search(query).unwrap_or_else(|error| panic!("{error}"));
    let number = |hit: &Hit| collection.entry(hit.game).ok().flatten().expect("an entry").number;
    hits.iter().map(|hit| (number(hit), hit.ply)).collect()
}

fn games(collection: &mut Collection, query: &Query) -> Vec<u64> {
    found(collection, query).into_iter().map(|(number, _)| number).collect()
}

fn trees(path: &Path) -> Vec<GameTree> {
    let mut trees = Vec::new();
    let file = fs::File::open(path).expect("the file");
    read(file, &Options::default(), &mut |game| {
        trees.push(game.tree.clone());
        ControlFlow::Continue(())
    })
    .expect("games");
    trees
}

#[test]
fn names_are_found_as_people_type_them() {
    let place = Place::new();
    let mut collection = Collection::open(&place.index()).expect("an index");
    assert_eq!(counts(add(&mut collection, &place.file("a.pdn", GAMES))), Some((4, 0)));
    let mut ask = |query: Query| games(&mut collection, &query);
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(ask(Query { player: text("sijbrands TON"), ..Query::default() }), [1, 3]);
    assert_eq!(ask(Query { player: text("fadeev"), ..Query::default() }), [1], "without its accent");
    assert_eq!(ask(Query { player: text("seibrands"), ..Query::default() }), [2], "in another script");
    assert_eq!(
        ask(Query { player: text("anna sijbrands"), ..Query::default() }),
        [] as [u64; 0],
        "two people"
    );
    assert_eq!(ask(Query { words: text("anna sijbrands"), ..Query::default() }), [3]);
    assert_eq!(ask(Query { words: text("citta torneo"), ..Query::default() }), [1]);
    assert_eq!(
        ask(Query { words: text("2-0 nero"), ..Query::default() }),
        [] as [u64; 0],
        "a word of the text is none of a tag"
    );
    assert_eq!(ask(Query { words: text("2-0 1971"), ..Query::default() }), [1]);
    assert_eq!(ask(Query { white: text("fero"), ..Query::default() }), [3, 4]);
    assert_eq!(ask(Query { black: text("fero"), ..Query::default() }), [2]);
    assert_eq!(ask(Query { event: text("club"), ..Query::default() }), [2]);
    assert_eq!(ask(Query::default()), [1, 2, 3, 4]);
}

#[test]
fn dates_results_and_rules() {
    let place = Place::new();
    let mut collection = Collection::open(&place.index()).expect("an index");
    add(&mut collection, &place.file("a.pdn", GAMES));
    let mut ask = |query: Query| games(&mut collection, &query);
    let dates = |text: &str| text.parse().ok();
    assert_eq!(ask(Query { dates: dates("1971.05"), ..Query::default() }), [1]);
    assert_eq!(ask(Query { dates: dates("1990..1992"), ..Query::default() }), [2, 3]);
    assert_eq!(ask(Query { won: Some(Won::White), ..Query::default() }), [1]);
    assert_eq!(ask(Query { won: Some(Won::Black), ..Query::default() }), [3]);
    assert_eq!(ask(Query { won: Some(Won::Nobody), ..Query::default() }), [2]);
    assert_eq!(ask(Query { won: Some(Won::Unknown), ..Query::default() }), [4]);
    assert_eq!(ask(Query { rules: Some("italian".to_owned()), ..Query::default() }), [4]);
    assert_eq!(
        collection.rules(None).expect("rules"),
        [("international".to_owned(), 3), ("italian".to_owned(), 1)]
    );
}

#[test]
fn every_position_of_every_game_is_found_where_it_comes_first() {
    let place = Place::new();
    let path = place.file("a.pdn", GAMES);
    let mut collection = Collection::open(&place.index()).expect("an index");
    add(&mut collection, &path);
    let trees = trees(&path);
    let mut asked = 0;
    for tree in &trees {
        let shape = tree.rules().shape();
        for (id, node) in tree.nodes().iter().enumerate() {
            let position = *node.position();
            let mut expected = BTreeMap::new();
            for (number, other) in (1..).zip(&trees).filter(|(_, other)| other.rules().shape() == shape) {
                let line = std::iter::once(0).chain(other.main_line());
                if let Some(ply) = line.into_iter().position(|id| {
                    let p = other.node(id).position();
                    (p.white(), p.black(), p.kings(), p.side())
                        == (position.white(), position.black(), position.kings(), position.side())
                }) {
                    expected.insert(number, ply as u32);
                }
            }
            let placed = Some((Some(shape), Placed::Position(position)));
            let query = Query { placed, ..Query::default() };
            let expected: Vec<(u64, u32)> = expected.into_iter().collect();
            assert_eq!(found(&mut collection, &query), expected, "node {id}: {position:?}");
            // Seen from the other side it is found only when that is asked for.
            let other = Some((Some(shape), Placed::Position(position.reversed(shape))));
            let reversed = Query { placed: other, or_reversed: true, ..Query::default() };
            assert!(found(&mut collection, &reversed).len() >= expected.len());
            asked += 1;
        }
    }
    assert!(asked > 15, "{asked}");
}

#[test]
fn patterns_material_and_moves_are_found_by_playing() {
    let place = Place::new();
    let mut collection = Collection::open(&place.index()).expect("an index");
    add(&mut collection, &place.file("a.pdn", GAMES));
    let rules = RuleSet::known("international").expect("rules");
    let shape = rules.shape();
    let pattern = |text: &str| {
        let pattern = Pattern::parse(&rules, text).unwrap_or_else(|error| panic!("{error}"));
        Some((Some(shape), Placed::Pattern(pattern)))
    };
    let mut ask = |query: Query| found(&mut collection, &query);
    assert_eq!(ask(Query { placed: pattern("?:W19"), ..Query::default() }), [(1, 3)]);
    assert_eq!(
        ask(Query { placed: pattern("W:W*28:E33"), ..Query::default() }),
        [(2, 2), (3, 0)],
        "33 must be empty"
    );
    assert_eq!(ask(Query { placed: pattern("?:BK5"), ..Query::default() }), [(3, 0)]);
    assert_eq!(ask(Query { placed: pattern("?:WK46"), or_reversed: true, ..Query::default() }), [(3, 0)]);
    assert_eq!(ask(Query { placed: pattern("?:W31-35:E28"), ..Query::default() }).len(), 2);
    let material = |text: &str| Material::parse(text).ok().map(|m| (Some(shape), Placed::Material(m)));
    assert_eq!(ask(Query { placed: material("1+1k v 1+k"), ..Query::default() }), [(3, 0)]);
    assert_eq!(ask(Query { placed: material("20 v 19"), ..Query::default() }), [(1, 3)]);
    assert_eq!(ask(Query { placed: material("19 v 20"), ..Query::default() }), [] as [(u64, u32); 0]);
    assert_eq!(ask(Query { placed: material("19 v 20"), or_reversed: true, ..Query::default() }), [(1, 3)]);
    let square = |name: &str| rules.board().square(name).expect("a square");
    let moves = |list: &[(&str, &str)]| list.iter().map(|(a, b)| (square(a), square(b))).collect::<Vec<_>>();
    let query = Query { moves: moves(&[("19", "23"), ("28", "19"), ("14", "23")]), ..Query::default() };
    assert_eq!(ask(query), [(1, 4)]);
    let query = Query { moves: moves(&[("19", "23"), ("14", "23")]), ..Query::default() };
    assert_eq!(ask(query), [] as [(u64, u32); 0], "moves between them");
    // With a position that comes later than the moves, it is the position that decides.
    let late = trees(&place.dir.path().join("a.pdn"))[0].clone();
    let placed = Some((Some(shape), Placed::Position(*late.node(late.last()).position())));
    let query = Query { placed, moves: moves(&[("32", "28")]), ..Query::default() };
    assert_eq!(ask(query), [(1, 6)]);
    // Both at once: the game must have the position and the moves.
    let begin = Some((Some(shape), Placed::Position(rules.initial())));
    let query = Query { placed: begin, moves: moves(&[("18", "22")]), ..Query::default() };
    assert_eq!(ask(query), [(2, 2)]);
}

#[test]
fn what_cannot_be_a_pattern_says_where() {
    let rules = RuleSet::known("international").expect("rules");
    for (text, column) in [
        ("", 1),
        ("X:W1", 1),
        ("?", 2),
        ("?:Q1", 3),
        ("?:W51", 4),
        ("?:W1,K1", 6),
        ("W:W1:BE", 7),
        ("?:W1:E1", 7),
        ("?:W", 4),
        ("?:Wé", 4),
        ("?:WKé", 4),
    ] {
        let error = Pattern::parse(&rules, text).expect_err(text);
        assert_eq!(error.column, column, "{text}: {error}");
    }
    for text in ["", "3", "v", "3 v", "x v 1", "1+1 v 1", "k+k v 1", "-1 v 2", "100 v 1"] {
        assert!(Material::parse(text).is_err(), "{text}");
    }
}

#[test]
fn a_game_is_read_again_from_its_file() {
    let place = Place::new();
    let path = place.file("a.pdn", GAMES);
    let mut collection = Collection::open(&place.index()).expect("an index");
    add(&mut collection, &path);
    let hits = collection.search(&Query::default()).expect("games");
    let trees = trees(&path);
    assert_eq!(hits.len(), trees.len());
    for (hit, tree) in hits.iter().zip(&trees) {
        let entry = collection.entry(hit.game).expect("the index").expect("an entry");
        let text = collection
            .read_game(&entry, |game| game.tree.pdn(Style::default()).to_string())
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(text, tree.pdn(Style::default()).to_string());
    }
    fs::write(&path, format!("{{moved}} {GAMES}")).expect("a file");
    let entry = collection.entry(hits[0].game).expect("the index").expect("an entry");
    assert!(matches!(collection.read_game(&entry, |_| ()), Err(Error::Changed(_))));
}

#[test]
fn a_file_is_read_once_and_again_when_it_has_changed() {
    let place = Place::new();
    let path = place.file("a.pdn", GAMES);
    let other = place.file("b.pdn", "[White \"Zoe\"] [GameType \"20\"]\n1. 34-29 *\n");
    let mut collection = Collection::open(&place.index()).expect("an index");
    add(&mut collection, &path);
    add(&mut collection, &other);
    drop(collection);
    let mut collection = Collection::open(&place.index()).expect("the index again");
    assert_eq!(add(&mut collection, &path), Added::Known);
    assert_eq!(collection.len().expect("a count"), 5);
    fs::write(&path, &GAMES[GAMES.find("[White").unwrap_or(0)..]).expect("a file");
    assert_eq!(counts(add(&mut collection, &path)), Some((3, 0)));
    assert_eq!(collection.len().expect("a count"), 4);
    let fadeev = Query { player: Some("fadeev".to_owned()), ..Query::default() };
    assert_eq!(collection.search(&fadeev).expect("an answer"), []);
    // Nothing of the old games is left among the positions.
    let rules = RuleSet::known("international").expect("rules");
    let start = Some((Some(rules.shape()), Placed::Position(rules.initial())));
    assert_eq!(collection.search(&Query { placed: start, ..Query::default() }).expect("an answer").len(), 2);
    assert!(collection.remove(&other.canonicalize().expect("a path")).expect("the index"));
    assert_eq!(collection.len().expect("a count"), 3);
}

#[test]
fn two_who_read_the_same_file_leave_it_once() {
    let place = Place::new();
    let many = "[White \"Zoe\"] [GameType \"20\"]\n1. 34-29 19-23 *\n\n".repeat(3000);
    let path = place.file("many.pdn", &many);
    let index = place.index();
    // They make the index at the same time, too.
    let outcomes: Vec<Result<Added, Error>> = std::thread::scope(|scope| {
        let read = || {
            let mut collection = Collection::open(&index)?;
            collection.add(&path, &Options::default(), &mut |_| ControlFlow::Continue(()))
        };
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(read)).collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).collect()
    });
    for outcome in &outcomes {
        assert!(
            matches!(outcome, Ok(Added::Read(_) | Added::Known) | Err(Error::Overtaken(_))),
            "{outcome:?}"
        );
    }
    let mut collection = Collection::open(&index).expect("the index");
    assert_eq!(collection.len().expect("a count"), 3000);
    assert_eq!(collection.search(&Query::default()).expect("games").len(), 3000);
    // Another file's games are its own.
    add(&mut collection, &place.file("b.pdn", GAMES));
    let entry = collection.files().expect("files").pop().expect("a file");
    let query = Query { file: Some(entry.id), ..Query::default() };
    assert_eq!(games(&mut collection, &query), [1, 2, 3, 4]);
}

#[test]
fn results_and_dates_with_signs_are_words_of_their_own() {
    let place = Place::new();
    let text = "[White \"A\"] [Event \"Wch 2010\"] [Elo \"2100\"] [GameType \"22\"] [Result \"0-1\"] 1. 22-18 0-1\n\
                [White \"B\"] [Event \"Wch 2010\"] [GameType \"22\"] [Result \"1-0\"] [Date \"2003.11.30\"] 1. 22-18 1-0\n\
                [White \"C\"] [Event \"30 2003 11\"] [Date \"????.??.??\"] [EventDate \"2004\"] [GameType \"22\"] 1. 22-18 *\n";
    let mut collection = Collection::open(&place.index()).expect("an index");
    add(&mut collection, &place.file("a.pdn", text));
    let mut ask =
        |words: &str| games(&mut collection, &Query { words: Some(words.to_owned()), ..Query::default() });
    assert_eq!(ask("1-0"), [2]);
    assert_eq!(ask("2003.11.30"), [2]);
    assert_eq!(ask("wch 2010"), [1, 2]);
    assert_eq!(ask("2004"), [3], "a date of which nothing is known is none");
    let many = Query { words: Some("a ".repeat(2000)), ..Query::default() };
    assert!(matches!(collection.search(&many), Err(Error::TooManyWords)));
}

#[test]
fn signs_alone_find_nothing_and_say_so() {
    let place = Place::new();
    let mut collection = Collection::open(&place.index()).expect("an index");
    add(&mut collection, &place.file("a.pdn", "[White \"Fero\"] [Event \"Lecce - 1988\"] 1. 23-19 *\n"));
    for sign in ["%", "'", ".*", "\"\"", "- !"] {
        let text = || Some(sign.to_owned());
        for query in [
            Query { player: text(), ..Query::default() },
            Query { white: text(), ..Query::default() },
            Query { event: text(), ..Query::default() },
        ] {
            assert!(matches!(collection.search(&query), Err(Error::NoWord(_))), "{query:?}");
        }
    }
    let beside = Query { event: Some("lecce -".to_owned()), ..Query::default() };
    assert_eq!(games(&mut collection, &beside), [1], "a sign beside a word");
}

#[test]
fn a_foreign_database_is_left_as_it_is() {
    let place = Place::new();
    let path = place.dir.path().join("foreign.sqlite");
    let other = rusqlite::Connection::open(&path).expect("a database");
    other
        .execute_batch("CREATE TABLE shopping (what TEXT); INSERT INTO shopping VALUES ('bread');")
        .expect("a table");
    drop(other);
    let before = fs::read(&path).expect("the file");
    assert!(matches!(Collection::open(&path), Err(Error::NotAnIndex(_))));
    assert_eq!(fs::read(&path).expect("the file"), before);
}

#[test]
fn who_stops_leaves_nothing_behind() {
    let place = Place::new();
    let many = "[White \"Zoe\"] [GameType \"20\"]\n1. 34-29 19-23 *\n\n".repeat(5000);
    let path = place.file("many.pdn", &many);
    let mut collection = Collection::open(&place.index()).expect("an index");
    let mut told = 0;
    let added = collection.add(&path, &Options::default(), &mut |progress| {
        told += 1;
        assert!(progress.games == 4096 && progress.bytes > 0 && progress.of == many.len() as u64);
        ControlFlow::Break(())
    });
    assert_eq!((added.expect("no error"), told), (Added::Stopped, 1));
    assert!(collection.is_empty().expect("a count"));
    assert_eq!(collection.search(&Query::default()).expect("an answer"), []);
    assert_eq!(counts(add(&mut collection, &path)), Some((5000, 0)));
}

#[test]
fn many_small_files_become_few_segments_and_stay_findable() {
    let place = Place::new();
    let mut collection = Collection::open(&place.index()).expect("an index");
    for i in 0..100 {
        let text = format!("[White \"Player {i}\"] [GameType \"20\"]\n1. 34-29 19-23 2. 40-34 *\n");
        add(&mut collection, &place.file(&format!("{i}.pdn"), &text));
    }
    let trees = trees(&place.dir.path().join("0.pdn"));
    let tree = &trees[0];
    let last = *tree.node(tree.last()).position();
    assert!(matches!(tree.node(tree.last()).step(), Step::Move(_)));
    let placed = Some((Some(tree.rules().shape()), Placed::Position(last)));
    let hits = collection.search(&Query { placed, ..Query::default() }).expect("an answer");
    assert_eq!(hits.len(), 100);
    let db = rusqlite::Connection::open(place.index()).expect("the database");
    let segments: i64 = db.query_row("SELECT count(*) FROM segment", [], |row| row.get(0)).expect("a count");
    assert!(segments < 40, "{segments} segments");
    // What was made one can be taken apart again.
    let path = place.dir.path().join("7.pdn").canonicalize().expect("a path");
    assert!(collection.remove(&path).expect("the index"));
    let query = Query { placed, ..Query::default() };
    assert_eq!(collection.search(&query).expect("an answer").len(), 99);
    assert!(hits.iter().all(|hit| hit.ply == 3));
}

#[test]
fn another_file_is_no_index_and_a_damaged_one_is_an_error() {
    let place = Place::new();
    let text = place.file("no.index", &"no index at all. ".repeat(100));
    assert!(matches!(Collection::open(&text), Err(Error::NotAnIndex(_))));
    assert_eq!(fs::read_to_string(&text).expect("the file"), "no index at all. ".repeat(100), "left alone");
    let mut collection = Collection::open(&place.index()).expect("an index");
    add(&mut collection, &place.file("a.pdn", GAMES));
    drop(collection);
    let whole = fs::read(place.index()).expect("the index");
    let rules = RuleSet::known("international").expect("rules");
    for at in (0..whole.len()).step_by(whole.len() / 150) {
        let mut bytes = whole.clone();
        for byte in bytes.iter_mut().skip(at).take(40) {
            *byte ^= 0x5a;
        }
        let path = place.dir.path().join("damaged.index");
        let _ = fs::remove_file(place.dir.path().join("damaged.index-wal"));
        fs::write(&path, &bytes).expect("a file");
        let Ok(mut damaged) = Collection::open(&path) else { continue };
        let pattern = Pattern::parse(&rules, "?:W19").ok().map(|p| (Some(rules.shape()), Placed::Pattern(p)));
        for placed in [None, pattern] {
            if let Ok(hits) = damaged.search(&Query { placed, ..Query::default() }) {
                for hit in hits {
                    let Ok(Some(entry)) = damaged.entry(hit.game) else { continue };
                    let _ = damaged.read_game(&entry, |game| game.tree.moves());
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever is typed is read or refused, and what is read can be asked for.
    #[test]
    fn anything_may_be_asked(text in "[WBE?K*:,0-9a-hv+k. -]{0,24}|\\PC{0,12}", key in prop::sample::select(&KEYS[..])) {
        let rules = RuleSet::known(key).expect("a known key");
        let start = rules.initial();
        if let Ok(pattern) = Pattern::parse(&rules, &text) {
            let there_and_back = pattern.reversed(rules.shape()).reversed(rules.shape());
            prop_assert_eq!(there_and_back, pattern);
            let other = start.reversed(rules.shape());
            prop_assert_eq!(pattern.fits(&start), pattern.reversed(rules.shape()).fits(&other));
        }
        if let Ok(material) = Material::parse(&text) {
            prop_assert_eq!(material.reversed().reversed(), material);
        }
        let _ = text.parse::<Dates>();
        let mut collection = Collection::temporary().expect("an index");
        let words = Some(text.clone());
        let query = Query { words: words.clone(), player: words.clone(), event: words, ..Query::default() };
        prop_assert!(matches!(collection.search(&query), Ok(_) | Err(Error::NoWord(_))));
    }
}
