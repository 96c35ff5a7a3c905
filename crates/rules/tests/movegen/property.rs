//! Any rules on any board in any position: the generator gives the moves that the oracle gives.

use std::collections::BTreeSet;

use crate::common::{GAMES, Game, Job, narrow, on_board};
use crate::oracle::{Oracle, Told};
use damiera_rules::movegen::{captures, count, has_capture, moves};
use damiera_rules::movement::{
    CaptureLines, Criterion, KingRange, Ladder, Landing, MenCapture, Obligation, Promotion, Removal,
};
use damiera_rules::perft::{Count, Leaf, Options, Outcome, perft};
use damiera_rules::{Bits, Geometry, Move, Movement, Position, RuleSource, Shape, Side};
use proptest::prelude::*;

/// Everything that the generator says about one position.
#[derive(Debug, PartialEq)]
struct Answers {
    moves: BTreeSet<Told>,
    captures: BTreeSet<Told>,
    repeats: bool,
    count: u64,
    has_capture: bool,
    perft: [u64; 4],
    checksum: u64,
}

struct Ask<'a>(&'a Position);

impl Job for Ask<'_> {
    type Output = Answers;
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> Answers {
        let p = narrow::<G>(self.0);
        let mut list = vec![];
        moves::<G, R>(rules, &p, &mut list);
        let all = tell(&list);
        let outcome = |depth, count, leaf| perft::<G, R>(rules, &p, depth, &Options { count, leaf });
        let made = outcome(1, Count::Unique, Leaf::Make);
        let mut answers = Answers {
            repeats: list.len() != all.len(),
            moves: all,
            captures: BTreeSet::new(),
            count: count::<G, R>(rules, &p),
            has_capture: has_capture::<G, R>(rules, &p),
            perft: [
                outcome(1, Count::Unique, Leaf::Count).nodes,
                made.nodes,
                outcome(1, Count::Keep, Leaf::Count).nodes,
                outcome(2, Count::Unique, Leaf::Count).nodes,
            ],
            checksum: made.checksum,
        };
        captures::<G, R>(rules, &p, &mut list);
        answers.captures = tell(&list);
        answers.repeats |= list.len() != answers.captures.len();
        answers
    }
}

fn tell<S: Bits>(moves: &[Move<S>]) -> BTreeSet<Told> {
    moves.iter().map(|m| (m.from, m.to, m.captured.widen(), m.promotes)).collect()
}

/// Returns what the oracle says, or nothing when it gave up.
fn expected(shape: Shape, movement: Movement, p: &Position) -> Option<Answers> {
    let oracle = Oracle::new(shape, movement, p);
    let captures = oracle.captures();
    if oracle.gave_up() {
        return None;
    }
    let moves = oracle.moves();
    let number = moves.len() as u64;
    let children: Vec<Position> = moves
        .iter()
        .map(|&(from, to, captured, promotes)| {
            let mut child = *p;
            child.play(&movement, &Move { from, to, promotes, captured });
            child
        })
        .collect();
    let mut grandchildren = 0;
    for child in &children {
        let oracle = Oracle::new(shape, movement, child);
        grandchildren += oracle.moves().len() as u64;
        if oracle.gave_up() {
            return None;
        }
    }
    Some(Answers {
        repeats: false,
        has_capture: !captures.is_empty(),
        captures,
        moves,
        count: number,
        perft: [number, number, oracle.count_by_order() as u64, grandchildren],
        checksum: children.iter().fold(0, |sum, child| sum.wrapping_add(child.hash())),
    })
}

fn shapes() -> impl Strategy<Value = Shape> {
    prop::sample::select(vec![Shape::Diagonal8, Shape::Diagonal10, Shape::Diagonal12, Shape::Orthogonal8])
}

fn ladders() -> impl Strategy<Value = Ladder> {
    use Criterion::*;
    let steps = vec![Number, WithKing, MostKings, KingsFirst, Value];
    let shuffled = Just(steps).prop_shuffle();
    (shuffled, 0..=4usize).prop_map(|(steps, length)| Ladder::new(&steps[..length]))
}

fn movements() -> impl Strategy<Value = Movement> {
    use prop::sample::select;
    let men = (
        select(vec![MenCapture::Forward, MenCapture::Everywhere]),
        any::<bool>(),
        select(vec![Promotion::Stops, Promotion::AtEnd, Promotion::AtOnce]),
    );
    let kings = (
        select(vec![KingRange::Short, KingRange::Flying, KingRange::Flying]),
        select(vec![Landing::Anywhere, Landing::Behind, Landing::BehindLastKing]),
    );
    let capture = (
        prop::bool::weighted(0.2),
        prop::bool::weighted(0.3),
        prop_oneof![Just(Ladder::FREE), Just(Ladder::new(&[Criterion::Number])), ladders()],
        select(vec![Removal::AtEnd, Removal::AtEnd, Removal::AtOnce]),
        any::<bool>(),
    );
    (men, kings, capture).prop_map(
        |(
            (men_capture, men_take_kings, promotion),
            (king, landing),
            (optional, eight, ladder, removal, turn_back),
        )| Movement {
            capture: if optional { Obligation::Optional } else { Obligation::Obligatory },
            men_capture,
            men_take_kings,
            lines: if eight { CaptureLines::Eight } else { CaptureLines::AsMoving },
            king,
            landing,
            ladder,
            promotion,
            removal,
            turn_back,
            king_run: 0,
        },
    )
}

/// Returns positions with more or fewer pieces: what each side has, and one piece in how many is a king. The side to move has few
/// pieces where the others are many, or the oracle would take too long.
fn positions(shape: Shape) -> impl Strategy<Value = Position> {
    let squares: Vec<u8> = (0..shape.squares()).map(|index| shape.bit_of(index)).collect();
    let most = usize::from(shape.squares()).min(40) / 2;
    let counts = (0..=most / 2, 0..=most, 1..=6u8);
    let shuffled = Just(squares).prop_shuffle();
    (shuffled, counts, any::<bool>(), any::<u64>()).prop_map(|(squares, (few, many, one_in), white, seed)| {
        let set = |bits: &[u8]| bits.iter().map(|b| 1u128 << b).fold(0, |a, b| a | b);
        let (mine, theirs) = (set(&squares[..few]), set(&squares[few..few + many]));
        let is_king = |bit: u8| seed.rotate_left(bit.into()) % u64::from(one_in) == 0;
        let kings = set(&squares.iter().copied().filter(|bit| is_king(*bit)).collect::<Vec<_>>());
        let (white_set, black_set, side) =
            if white { (mine, theirs, Side::White) } else { (theirs, mine, Side::Black) };
        Position::from_sets(white_set, black_set, kings & (mine | theirs), side)
    })
}

fn boards() -> impl Strategy<Value = (Shape, Position)> {
    shapes().prop_flat_map(|shape| positions(shape).prop_map(move |p| (shape, p)))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(600)) })]

    #[test]
    fn any_rules_on_any_board((shape, p) in boards(), movement in movements()) {
        let Some(expected) = expected(shape, movement, &p) else { return Ok(()) };
        prop_assert_eq!(on_board(shape, &movement, Ask(&p)), expected);
    }

    #[test]
    fn every_game((game, p) in games()) {
        let Some(expected) = expected(game.shape, game.movement, &p) else { return Ok(()) };
        prop_assert_eq!(&game.run_static(Ask(&p)), &expected, "{}", game.key);
        prop_assert_eq!(game.run_as_data(Ask(&p)), expected, "{} as data", game.key);
    }
}

fn games() -> impl Strategy<Value = (&'static Game, Position)> {
    (0..GAMES.len()).prop_flat_map(|i| positions(GAMES[i].shape).prop_map(move |p| (&GAMES[i], p)))
}

/// Returns the number of random cases: `PROPTEST_CASES` when it is set.
fn cases(default: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Counts to a depth as the generator does.
struct Nodes<'a>(&'a Position, u32);

impl Job for Nodes<'_> {
    type Output = u64;
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> u64 {
        let outcome: Outcome = perft::<G, R>(rules, &narrow::<G>(self.0), self.1, &Options::default());
        outcome.nodes
    }
}

#[test]
fn a_king_that_ran_three_times_rests() {
    let game = Game::find("frisian");
    let mut p = game.position("W:WK46,35:BK3,20");
    let square = |name: &str| game.square(name);
    let quiet =
        |from: &str, to: &str| Move { from: square(from), to: square(to), promotes: false, captured: 0 };
    for (from, to) in [("46", "41"), ("3", "8"), ("41", "46"), ("8", "3"), ("46", "41"), ("3", "8")] {
        assert!(game.run_as_data(Ask(&p)).moves.contains(&(square(from), square(to), 0, false)));
        p.play(&game.movement, &quiet(from, to));
    }
    for answers in [game.run_as_data(Ask(&p)), game.run_static(Ask(&p))] {
        assert!(!answers.moves.is_empty());
        assert!(answers.moves.iter().all(|m| m.0 == square("35")), "only the man moves: {:?}", answers.moves);
        assert_eq!(answers.count, answers.moves.len() as u64);
        assert_eq!(answers.perft[0], answers.count);
        assert_eq!(answers.perft[1], answers.count);
        assert_eq!(answers.perft[2], answers.count);
    }
    let rested = p.widen();
    assert_eq!(game.run_static(Nodes(&rested, 3)), game.run_as_data(Nodes(&rested, 3)));
}
