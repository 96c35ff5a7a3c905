//! Matches, their players and openings.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use damiera_engine::{Engine, Level, Limits, Root, Step, Steps};
use damiera_rules::presets::KEYS;
use damiera_rules::{RuleSet, fen};
use damiera_training::match_play::{Ending, LONGEST_GAME, Match, Played, Standing};
use damiera_training::openings::Openings;
use damiera_training::player::{Budget, Fault, Kind, Means, Player};
use damiera_training::stats::Tally;

fn known(key: &str) -> Arc<RuleSet> {
    Arc::new(RuleSet::known(key).expect("a known key"))
}

fn player(text: &str) -> Player {
    text.parse().expect(text)
}

fn plan(rules: &Arc<RuleSet>, a: &str, b: &str, games: u32) -> Match {
    Match {
        rules: Arc::clone(rules),
        players: [player(a), player(b)],
        games,
        seed: 9,
        openings: Openings::balanced(rules, 9),
        threads: 2,
        budget: Budget::default(),
        means: Means { megabytes: 1, threads: 1 },
        longest: LONGEST_GAME,
        adjudication: None,
        sprt: None,
    }
}

fn play(plan: &Match) -> (Standing, BTreeMap<u32, Played>) {
    let mut games = BTreeMap::new();
    let standing = plan.play(Standing::default(), &mut |played, _| {
        games.insert(played.number, played.clone());
        Ok(())
    });
    (standing.expect("a match"), games)
}

#[test]
fn a_player_may_do_without_steps_of_its_search() {
    let two = Steps::ALL.without(Step::Reductions).without(Step::History);
    assert_eq!(player("nodes:300,without=reductions,without=history").steps, two);
    assert_eq!(player("best@0.1s,without=history").steps, Steps::ALL.without(Step::History));
    assert_eq!(player("level:3").steps, Steps::ALL);
    for text in ["nodes:300,without=null", "nodes:300,reductions", "random,without=history", "nodes:300,"] {
        let error = text.parse::<Player>().expect_err(text).to_string();
        assert!(error.contains(text) && error.contains(" reductions"), "{error}");
    }
    // The command of another engine is its own.
    assert_eq!(player("hub:a,without=history").kind, Kind::Hub("a,without=history".to_owned()));
}

/// A beginner loses to somebody who only captures when obliged and advances; the next level does not.
#[test]
fn the_lowest_level_loses_to_the_naive_player_and_the_second_wins() {
    for key in &KEYS[..7] {
        let rules = known(key);
        let share = |level: &str| play(&plan(&rules, level, "naive", 100)).0.tally.score();
        let (first, second) = (share("level:1"), share("level:2"));
        assert!((0.05..0.5).contains(&first), "{key}: level 1 has {first} of the points");
        assert!(second > 0.65, "{key}: level 2 has {second} of the points");
    }
}

#[test]
fn players_are_read() {
    let tenth = Duration::from_millis(100);
    let level = |number| Kind::Level(Level::new(number).expect("a level"));
    for (text, kind, time) in [
        ("random", Kind::Random, None),
        ("naive", Kind::Naive, None),
        ("level:1", level(1), None),
        ("level:10@0.1s", level(10), Some(tenth)),
        ("best", Kind::Level(Level::BEST), None),
        ("best@0.1s", Kind::Level(Level::BEST), Some(tenth)),
        ("nodes:500", Kind::Nodes(500), None),
        ("depth:8", Kind::Depth(8), None),
        ("time:0.1s", Kind::Time(tenth), None),
        ("hub:scan hub", Kind::Hub("scan hub".to_owned()), None),
        ("hub@0.1s:a:b@c", Kind::Hub("a:b@c".to_owned()), Some(tenth)),
    ] {
        let read = player(text);
        assert_eq!((&read.kind, read.time, read.to_string().as_str()), (&kind, time, text));
    }
    for text in [
        "",
        "level:11",
        "level:0",
        "level:x",
        "level:3@-1s",
        "level:3@0s",
        "nodes:",
        "nodes:0",
        "depth:0",
        "depth:300",
        "time:1",
        "time:1e300s",
        "time:1e9s",
        "hub@1e19s:x",
        "random@1s",
        "better",
        "hub:",
        "hub@:x",
        "hub",
    ] {
        let error = text.parse::<Player>().expect_err(text).to_string();
        assert!(error.contains(&format!("\"{text}\"")), "{error}");
    }
}

#[test]
fn a_match_depends_on_its_seed_alone() {
    let rules = known("italian");
    let mut one = plan(&rules, "level:2", "random", 6);
    one.threads = 1;
    let (alone, games) = play(&one);
    let (together, same) = play(&plan(&rules, "level:2", "random", 6));
    assert_eq!(alone.tally, together.tally);
    let moves = |games: &BTreeMap<u32, Played>| {
        games.values().map(|played| played.game.moves().to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(moves(&games), moves(&same));
    assert_eq!((alone.tally.games(), alone.pairs.len()), (6, 3));
}

#[test]
fn openings_come_in_pairs_with_the_sides_changed() {
    let (_, games) = play(&plan(&known("brazilian"), "level:1", "random", 6));
    let mut openings = HashSet::new();
    for pair in 0..3 {
        let (first, second) = (&games[&(2 * pair)], &games[&(2 * pair + 1)]);
        assert!(first.side.is_white() && !second.side.is_white());
        assert_eq!(first.opening, second.opening);
        assert_eq!(first.game.moves()[..6], second.game.moves()[..6]);
        openings.insert(first.opening.clone());
    }
    assert_eq!(openings.len(), 3);
}

#[test]
fn a_match_goes_on_where_it_stopped() {
    let plan = plan(&known("italian"), "level:2", "level:1", 8);
    let (whole, games) = play(&plan);
    let mut before = Standing::default();
    for number in [0, 3, 4, 7] {
        before.count((&games[&number]).into());
    }
    let mut played = Vec::new();
    let rest = plan.play(before, &mut |game, _| {
        played.push(game.number);
        Ok(())
    });
    played.sort_unstable();
    assert_eq!(played, [1, 2, 5, 6]);
    let rest = rest.expect("a match");
    assert_eq!((rest.tally, rest.pairs), (whole.tally, whole.pairs));
}

#[test]
fn made_openings_are_as_they_are_called_in_every_rule_set() {
    for key in KEYS {
        let rules = known(key);
        let balanced = Openings::balanced(&rules, 3).opening(0);
        assert!(balanced.game.outcome().is_none() && balanced.game.ply() >= 6, "{key}: {}", balanced.name);
        assert_eq!(Openings::balanced(&rules, 3).opening(0).name, balanced.name);
        assert_ne!(Openings::balanced(&rules, 4).opening(0).name, balanced.name, "{key}");
        let unbalanced = Openings::made(&rules, 3, "unbalanced", 0.6, 1.5).opening(0);
        assert!(unbalanced.game.outcome().is_none(), "{key}: {}", unbalanced.name);
    }
    // What unbalanced means, seen by a longer search.
    let rules = known("international");
    let openings = Openings::made(&rules, 1, "unbalanced", 0.6, 1.5);
    let mut better = 0;
    for pair in 0..6 {
        let game = openings.opening(pair).game;
        let report = Engine::new(16).search(&rules, &Root::of(&game), &Limits::nodes(100_000));
        better += u32::from((0.4..2.0).contains(&report.score.men().abs()));
    }
    assert!(better >= 4, "{better} of 6");
}

#[test]
fn openings_are_read_from_a_file() {
    let rules = known("italian");
    let text = "\u{feff}# mine\n\n1. 22-18 10-14 2. 21-17\n22-19 11-14\nW:W21-32:B1-11,16\n[Event \"x\"]\n[FEN \"B:W22,23:BK1\"]\n*\n";
    let openings = Openings::read(&rules, 1, "mine", text).expect("openings");
    let names: HashSet<String> = (0..4).map(|pair| openings.opening(pair).name).collect();
    let expected = ["22-18 10-14 21-17", "22-19 11-14", "W:W21-32:B1-11,16", "B:W22,23:BK1"];
    assert_eq!(names, expected.map(str::to_owned).into());
    assert_eq!(openings.opening(4).name, openings.opening(0).name, "they are taken in turn");
    for (text, line, why) in [
        ("22-18\n22-17", "line 2", "22-17"),
        ("W:W21:B0", "line 1", "\"0\""),
        ("B:W21:B", "line 1", "over"),
        ("# none", "no opening", ""),
    ] {
        let error = Openings::read(&rules, 1, "mine", text).expect_err(text).to_string();
        assert!(error.contains(line) && error.contains(why), "{error}");
    }
}

#[test]
fn ballots_are_drawn_without_repeating_one() {
    let rules = known("italian");
    let openings = Openings::ballots(&rules, 5, "3-move").expect("ballots");
    let names: HashSet<String> = (0..174).map(|pair| openings.opening(pair).name).collect();
    assert_eq!(names.len(), 174);
    assert_ne!(
        openings.opening(0).name,
        Openings::ballots(&rules, 6, "3-move").expect("ballots").opening(0).name
    );
    let error = Openings::ballots(&rules, 5, "11-man").expect_err("no such ballots").to_string();
    assert!(error.contains("2-move, 3-move"), "{error}");
    let error = Openings::ballots(&known("russian"), 5, "3-move").expect_err("no ballots").to_string();
    assert!(error.contains("no ballots for these rules"), "{error}");
}

/// A man's step ahead is always preferred, and a king moves only when no man can.
#[test]
fn the_naive_player_advances_men() {
    let rules = known("italian");
    let mut plan = plan(&rules, "naive", "naive", 20);
    plan.openings = Openings::read(&rules, 1, "mine", "W:WK32,25:BK1,9,4").expect("openings");
    plan.longest = 12;
    let (_, games) = play(&plan);
    for played in games.values() {
        for (m, position) in played.game.moves().iter().zip(played.game.positions()) {
            let is_king = |m: &damiera_rules::Move| position.piece_at(m.from).is_some_and(|piece| piece.king);
            if is_king(m) && !m.is_capture() {
                assert!(rules.moves(position).iter().all(is_king), "{}", fen::format(&rules, position));
            }
        }
    }
    assert_eq!(games.len(), 20);
}

#[test]
fn a_player_without_a_limit_is_refused() {
    let rules = known("italian");
    let mut endless = plan(&rules, "best", "random", 2);
    let error = endless.play(Standing::default(), &mut |_, _| Ok(())).expect_err("no limit").to_string();
    assert!(error.contains("best"), "{error}");
    endless.budget.nodes = Some(100);
    assert_eq!(play(&endless).0.tally.games(), 2);
}

#[test]
fn a_failing_note_ends_the_match() {
    let plan = plan(&known("italian"), "random", "random", 1_000);
    let mut told = 0;
    let failed = plan.play(Standing::default(), &mut |_, _| {
        told += 1;
        Err(std::io::Error::other("the disk is full"))
    });
    assert!(failed.expect_err("an error").to_string().contains("the disk is full"));
    assert_eq!(told, 1);
}

#[test]
fn a_match_ends_when_its_test_has_an_answer() {
    let mut plan = plan(&known("italian"), "level:5", "random", 10_000);
    plan.sprt = Some("0,200,0.05,0.05".parse().expect("a test"));
    let (standing, _) = play(&plan);
    assert!(standing.tally.games() < 200, "{:?}", standing.tally);
    assert!(standing.tally.score() > 0.9);
}

#[test]
fn a_game_may_be_too_long_or_adjudged() {
    let rules = known("italian");
    let mut short = plan(&rules, "random", "random", 4);
    short.longest = 10;
    let (standing, games) = play(&short);
    assert_eq!((standing.tally, standing.too_long), (Tally { wins: 0, draws: 4, losses: 0 }, 4));
    assert!(games.values().all(|played| played.game.ply() == 10 && played.clause() == "too-long"));
    let mut adjudged = plan(&rules, "nodes:2000", "nodes:500", 2);
    adjudged.openings =
        Openings::read(&rules, 1, "mine", "W:W26,30,31,32,25,29,21:B1,2").expect("an opening");
    adjudged.adjudication = Some("2,4".parse().expect("a rule"));
    let (_, games) = play(&adjudged);
    for played in games.values() {
        assert_eq!(played.ending, Ending::Adjudged(damiera_rules::Side::White), "{}", played.game.describe());
        assert_eq!(played.game.ply(), 4);
    }
}

/// A clock for the whole game: nobody oversteps it.
#[test]
fn own_players_keep_to_a_clock() {
    let mut plan = plan(&known("russian"), "best", "level:3", 2);
    plan.budget.clock = Some("0.3s+0.01s".parse().expect("a clock"));
    let (standing, games) = play(&plan);
    assert_eq!(standing.faults, [0, 0], "{:?}", games.values().map(|g| &g.ending).collect::<Vec<_>>());
}

/// Writes an engine that answers to `go` with this line of shell; each start of it adds a line to the file `starts`.
fn engine(name: &str, answer: &str) -> (String, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let (script, starts) = (folder.join("engine.sh"), folder.join("starts"));
    let _ = fs::remove_file(&starts);
    let text = format!(
        "echo start >> {}\nwhile read -r line; do case \"$line\" in\nhub) echo 'id name=Poor version=0.1'; echo wait;;\n\
         init) echo ready;;\ngo*) {answer};;\nquit) exit 0;;\nesac; done\n",
        starts.display()
    );
    fs::write(&script, text).expect("a script");
    (format!("hub@0.1s:sh {}", script.display()), starts)
}

#[test]
fn an_engine_that_dies_loses_and_is_started_again() {
    let (poor, starts) = engine("dying", "exit 3");
    let mut plan = plan(&known("international"), &poor, "random", 4);
    plan.threads = 1;
    let (standing, games) = play(&plan);
    assert_eq!((standing.tally.losses, standing.faults), (4, [4, 0]));
    for played in games.values() {
        let Ending::Fault { player: 0, fault: Fault::Died(why) } = &played.ending else {
            panic!("{:?}", played.ending)
        };
        assert!(why.contains("exit status: 3"), "{why}");
        assert_eq!(played.names[0], "Poor 0.1");
        assert_eq!((played.winner(), played.clause()), (Some(played.side.other()), "died"));
    }
    assert_eq!(fs::read_to_string(starts).expect("starts").lines().count(), 4);
}

#[test]
fn an_engine_that_plays_an_illegal_move_loses() {
    let (poor, _) = engine("illegal", "echo 'done move=50-1'");
    let (standing, games) = play(&plan(&known("international"), "random", &poor, 2));
    assert_eq!((standing.tally.wins, standing.faults), (2, [0, 2]));
    for played in games.values() {
        let Ending::Fault { player: 1, fault: Fault::Illegal(why) } = &played.ending else {
            panic!("{:?}", played.ending)
        };
        assert!(why.contains("50-1"), "{why}");
    }
}

#[test]
fn an_engine_that_thinks_too_long_loses() {
    let (poor, _) = engine("slow", "sleep 1.6; echo 'done move=32-28'");
    let poor = poor.replace("hub@0.1s", "hub@0.05s");
    let mut slow = plan(&known("international"), &poor, "random", 1);
    slow.openings = Openings::read(&slow.rules, 1, "mine", "W:W31-50:B1-20").expect("an opening");
    let (standing, games) = play(&slow);
    assert_eq!(standing.faults, [1, 0]);
    let Ending::Fault { player: 0, fault: Fault::Time { used, allowed } } = games[&0].ending else {
        panic!("{:?}", games[&0].ending)
    };
    assert!(used > 1.5 && allowed < 0.1);
    assert!(standing.overrun[0] > 1.5);
}

#[test]
fn an_engine_that_cannot_be_started_is_an_error() {
    let plan = plan(&known("international"), "hub@1s:/nowhere/to/be-found", "random", 2);
    let error = plan.play(Standing::default(), &mut |_, _| Ok(())).expect_err("no engine").to_string();
    assert!(error.contains("/nowhere/to/be-found"), "{error}");
}
