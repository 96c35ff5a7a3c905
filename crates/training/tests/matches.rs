//! Matches and their players.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use damiera_engine::Level;
use damiera_rules::RuleSet;
use damiera_training::match_play::{Match, Player, Tally};

fn level(number: u8, time: Option<Duration>) -> Player {
    Player::Level(Level::new(number).expect("a level"), time)
}

#[test]
fn players_are_read() {
    let tenth = Duration::from_millis(100);
    for (text, player) in [
        ("random", Player::Random),
        ("level:1", level(1, None)),
        ("level:3@0.1s", level(3, Some(tenth))),
        ("nodes:500", Player::Nodes(500)),
        ("time:0.1s", Player::Time(tenth)),
    ] {
        assert_eq!(text.parse(), Ok(player), "{text}");
    }
    for text in
        ["", "level:11", "level:0", "level:x", "level:3@-1s", "nodes:", "time:1", "time:1e300s", "better"]
    {
        let error = text.parse::<Player>().expect_err(text).to_string();
        assert!(error.contains(&format!("\"{text}\"")), "{error}");
    }
}

/// Plays a small match; returns the tally and every game's moves.
fn play(threads: usize) -> (Tally, BTreeMap<u32, Vec<(u8, u8)>>) {
    let rules = Arc::new(RuleSet::known("italian").expect("a known key"));
    let contest = Match { rules, players: [level(2, None), Player::Random], games: 6, seed: 9, threads };
    let games = Mutex::new(BTreeMap::new());
    let tally = contest.play(&|played| {
        let moves = played.game.moves().iter().map(|m| (m.from, m.to)).collect();
        games.lock().expect("no panic").insert(played.number, moves);
    });
    (tally, games.into_inner().expect("no panic"))
}

#[test]
fn a_match_depends_on_its_seed_alone() {
    let (one, games) = play(1);
    let (two, same) = play(2);
    assert_eq!((one, &games), (two, &same));
    assert_eq!((one.games(), one.wins), (6, 6));
    assert_eq!(games[&0][..6], games[&1][..6], "a pair of games has one opening");
    assert_ne!(games[&0][..6], games[&2][..6]);
}

#[test]
fn a_tally_counts_a_draw_as_half() {
    let tally = Tally { wins: 6, draws: 2, losses: 2 };
    assert_eq!((tally.games(), tally.decided()), (10, 8));
    assert!((tally.score() - 0.7).abs() < 1e-9 && (tally.won_of_decided() - 0.75).abs() < 1e-9);
    assert_eq!(Tally::default().score(), 0.0);
}
