//! Endings with few kings: whether the engine wins those that are won, and knows those that are not.

use std::sync::Arc;

use damiera_engine::{Engine, Limits, Random, Root, Score};
use damiera_rules::{Bits, Game, Position, RuleSet, Side, fen};

const NODES: u64 = 3_000;

fn known(key: &str) -> Arc<RuleSet> {
    Arc::new(RuleSet::known(key).expect("a known key"))
}

/// Puts White's kings and a single one of Black's on squares where nobody can capture, whoever's turn it is.
fn quiet_hunt(rules: &Arc<RuleSet>, hunters: usize, random: &mut Random) -> Position {
    let squares: Vec<u8> = rules.board().squares().collect();
    loop {
        let mut white = 0u128;
        while (white.len() as usize) < hunters {
            white |= u128::bit(squares[random.below(squares.len())]);
        }
        let black = u128::bit(squares[random.below(squares.len())]);
        let facing = |side| Position::from_sets(white, black, white | black, side);
        let captures = |side| rules.moves(&facing(side)).iter().any(damiera_rules::Move::is_capture);
        if white & black == 0 && !captures(Side::White) && !captures(Side::Black) {
            return facing(Side::White);
        }
    }
}

/// Plays the position out, each side with an engine of its own; both claim every draw that they may.
fn play_out(rules: &Arc<RuleSet>, position: Position) -> Game {
    let mut game = Game::new(Arc::clone(rules), position);
    let mut engines = [Engine::new(2), Engine::new(2)];
    while game.outcome().is_none() && game.claimable().is_empty() && game.ply() < 400 {
        let engine = &mut engines[game.position().side() as usize];
        let best = engine.search(rules, &Root::of(&game), &Limits::nodes(NODES)).best;
        game.play(&best.expect("a game that goes on has moves")).expect("a legal move");
    }
    game
}

/// Plays ten such endings and returns how many White wins.
fn wins(key: &str, hunters: usize) -> usize {
    let (rules, mut random) = (known(key), Random::new(11));
    let won = |_: &usize| {
        let game = play_out(&rules, quiet_hunt(&rules, hunters, &mut random));
        game.outcome().is_some_and(|outcome| outcome.winner == Some(Side::White))
    };
    (0..10).filter(won).count()
}

#[test]
fn two_kings_win_against_one_where_they_can() {
    for (key, least) in [("thai", 9), ("killer", 8), ("italian", 9)] {
        let wins = wins(key, 2);
        assert!(wins >= least, "{key}: {wins} of 10");
    }
}

/// Where two flying kings do not win, the game ends soon, with or without a clause for it.
#[test]
fn two_kings_that_cannot_win_do_not_go_on_for_ever() {
    for key in ["pool", "czech", "portuguese", "turkish"] {
        let (rules, mut random) = (known(key), Random::new(5));
        for _ in 0..5 {
            let game = play_out(&rules, quiet_hunt(&rules, 2, &mut random));
            assert!(game.ply() < 100, "{key}: {} plies, {}", game.ply(), game.describe());
        }
    }
}

fn score(key: &str, text: &str) -> Score {
    let rules = known(key);
    let position = fen::parse(&rules, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    Engine::new(4).search(&rules, &Root::new(&rules, position), &Limits::nodes(20_000)).score
}

#[test]
fn who_holds_the_long_diagonal_has_a_draw() {
    assert_eq!(score("pool", "W:WK1,K2,K3:BK22"), Score::Draw);
    // Beside it three kings win; with a man more against them neither a king nor its diagonal decides.
    assert!(score("pool", "W:WK1,K2,K3:BK21").men() > 3.0);
    assert_ne!(score("pool", "W:WK1,K2,K3,21:BK22"), Score::Draw);
}

/// Kings that capture along rows and columns too win two against one from nearly everywhere, though at this depth not yet seen to the end.
#[test]
fn two_frisian_kings_are_not_taken_for_a_draw() {
    for text in ["W:WK13,K31:BK46", "W:WK22,K32:BK47", "W:WK23,K41:BK50", "W:WK26,K38:BK44"] {
        assert!(score("frisian", text).men() > 3.0, "{text}");
    }
}
