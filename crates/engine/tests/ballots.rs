//! The lists of opening ballots.

use std::collections::HashSet;
use std::sync::Arc;

use damiera_engine::{Ballots, Random};
use damiera_rules::{Position, RuleSet, fen};

fn known(key: &str) -> Arc<RuleSet> {
    Arc::new(RuleSet::known(key).expect("a known key"))
}

#[test]
fn every_ballot_is_legal_and_no_position_occurs_twice() {
    let counts = [
        ("american", "2-move", 49, 43),
        ("american", "3-move", 174, 157),
        ("american", "11-man", 2500, 2253),
        ("italian", "2-move", 47, 47),
        ("italian", "3-move", 174, 174),
    ];
    for (key, name, all, admitted) in counts {
        let rules = known(key);
        let ballots = Ballots::named(&rules, name).expect(name);
        assert_eq!((ballots.list.len(), ballots.admitted().count()), (all, admitted), "{key} {name}");
        let mut positions = HashSet::<Position>::new();
        for (i, ballot) in ballots.list.iter().enumerate() {
            assert_eq!(usize::from(ballot.number), i + 1, "{key} {name}");
            let game = ballot.game(&rules).unwrap_or_else(|| panic!("{key} {name} {}", ballot.number));
            assert!(game.outcome().is_none());
            assert!(positions.insert(*game.position()), "{key} {name} {}", ballot.number);
        }
    }
}

#[test]
fn a_ballot_takes_men_off_the_board() {
    let rules = known("american");
    let ballots = Ballots::named(&rules, "11-man").expect("a list");
    let game = ballots.number(1).expect("a ballot").game(&rules).expect("legal");
    // The first position of CheckerBoard's 11_man_english.pdn with these men off: 11 and 28, then 8-11 24-19.
    let expected = fen::parse(&rules, "B:W19,23,22,21,27,26,25,32,31,30,29:B4,3,2,1,7,6,5,12,11,10,9");
    assert_eq!(*game.position(), expected.expect("a FEN"));
}

/// Openings that were drawn at the Italian championship of 1998 (ci98-fero.pdn, mig0/Games-Checkers).
#[test]
fn openings_of_an_italian_championship_are_in_the_list() {
    let rules = known("italian");
    let ballots = Ballots::named(&rules, "3-move").expect("a list");
    let positions: HashSet<Position> =
        ballots.list.iter().map(|b| *b.game(&rules).expect("legal").position()).collect();
    for moves in [
        "23-19 11-15 21-17",
        "24-20 9-13 20-15",
        "23-20 12-15 20-16",
        "24-20 9-13 20-16",
        "22-19 11-14 27-22",
        "23-19 10-13 28-23",
        "21-17 10-14 24-20",
        "21-17 12-16 26-21",
        "24-20 9-13 21-17",
        "21-18 12-16 22-19",
        "22-18 10-14 23-19",
        "21-17 11-15 22-18",
    ] {
        let mut game = damiera_rules::Game::new(Arc::clone(&rules), rules.initial());
        for text in moves.split(' ') {
            let m = damiera_rules::notation::parse(&rules, game.position(), text).expect(text);
            game.play(&m).expect("legal");
        }
        assert!(positions.contains(game.position()), "{moves}");
    }
}

#[test]
fn lists_are_for_the_game_that_tournaments_play() {
    let names = |text: &str| {
        let rules = RuleSet::parse(text).expect("rules");
        Ballots::of(&rules).iter().map(|ballots| ballots.name).collect::<Vec<_>>()
    };
    assert_eq!(names("american"), ["2-move", "3-move", "11-man"]);
    assert_eq!(names("italian,draws=casual"), ["2-move", "3-move"]);
    assert_eq!(names("italian,capture=optional"), [""; 0]);
    assert_eq!(names("american,first=white"), [""; 0]);
    assert_eq!(names("russian"), [""; 0]);
}

#[test]
fn a_lot_is_never_barred_and_depends_on_the_seed() {
    let ballots = Ballots::named(&known("american"), "2-move").expect("a list");
    let draw = |seed| ballots.draw(&mut Random::new(seed)).expect("a ballot");
    let drawn: HashSet<u16> = (0..2_000).map(|seed| draw(seed).number).collect();
    assert_eq!(drawn, ballots.admitted().map(|ballot| ballot.number).collect());
    assert_eq!(draw(5), draw(5));
}
