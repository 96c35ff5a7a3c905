//! What a search finds: wins, losses and draws, within its limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use damiera_engine::{Clock, Engine, Level, Limits, Random, Report, Root, Score, Step, Steps, accepts_draw};
use damiera_rules::presets::KEYS;
use damiera_rules::{Bits, Counters, Game, Goal, Move, Position, RuleSet, Side, fen, notation};

fn known(key: &str) -> Arc<RuleSet> {
    Arc::new(RuleSet::known(key).expect("a known key"))
}

fn depth(plies: u8) -> Limits<'static> {
    Limits { depth: Some(plies), ..Limits::default() }
}

fn search(rules: &RuleSet, text: &str, limits: &Limits) -> Report {
    let position = fen::parse(rules, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    Engine::new(4).search(rules, &Root::new(rules, position), limits)
}

/// Puts pieces on squares at random: `kings` and `men` of White and Black.
fn scatter(rules: &RuleSet, random: &mut Random, kings: [u32; 2], men: [u32; 2], side: Side) -> Position {
    let squares: Vec<u8> = rules.board().squares().collect();
    let size = rules.shape().size();
    let (mut sets, mut crowned) = ([0u128; 2], 0u128);
    for i in 0..2 {
        for n in 0..kings[i] + men[i] {
            let king = n < kings[i];
            loop {
                let bit = squares[random.below(squares.len())];
                let last_row = rules.shape().row_col(bit).0 == if i == 0 { 0 } else { size - 1 };
                if (sets[0] | sets[1]).has(bit) || (!king && last_row) {
                    continue;
                }
                sets[i] |= u128::bit(bit);
                crowned |= if king { u128::bit(bit) } else { 0 };
                break;
            }
        }
    }
    Position::from_sets(sets[0], sets[1], crowned, side)
}

/// Returns the result of a game for the player to move when it is forced within so many plies: `Some(true)` for a win. It looks at
/// everything and estimates nothing.
fn forced(game: &mut Game, plies: u32) -> Option<bool> {
    let side = game.position().side();
    if let Some(outcome) = game.outcome() {
        return outcome.winner.map(|winner| winner == side);
    }
    if plies == 0 || !game.claimable().is_empty() {
        return None;
    }
    let mut all_lose = true;
    for m in game.legal_moves() {
        game.play(&m).expect("a listed move");
        let reply = forced(game, plies - 1);
        game.take_back();
        match reply {
            Some(false) => return Some(true),
            Some(true) => {}
            None => all_lose = false,
        }
    }
    all_lose.then_some(false)
}

#[test]
fn every_forced_win_and_loss_within_three_plies_is_found() {
    let mut engine = Engine::new(4);
    let mut total = 0;
    for key in KEYS {
        let rules = known(key);
        let mut random = Random::new(3);
        let mut found = 0;
        for attempt in 0..60 {
            let (kings, men) = match attempt % 4 {
                0 => ([2, 1], [0, 0]),
                1 => ([1, 0], [1, 2]),
                2 => ([1, 1], [1, 1]),
                _ => ([0, 0], [3, 2]),
            };
            let side = if attempt % 2 == 0 { Side::White } else { Side::Black };
            let mut game = Game::new(Arc::clone(&rules), scatter(&rules, &mut random, kings, men, side));
            if game.outcome().is_some() {
                continue;
            }
            let Some(won) = forced(&mut game, 3) else { continue };
            let report = engine.search(&rules, &Root::of(&game), &depth(6));
            let agrees = matches!((won, report.score), (true, Score::Win(_)) | (false, Score::Loss(_)));
            assert!(agrees, "{key} {}: {won}, but {:?}", game.describe(), report.score);
            found += 1;
        }
        assert!(found > 0, "{key}: no position with a forced result");
        total += found;
    }
    assert!(total >= 100, "only {total} positions with a forced result");
}

#[test]
fn a_forced_capture_is_the_only_move() {
    let rules = known("italian");
    let report = search(&rules, "W:W21,K22,K31:B11,18", &depth(3));
    let best = report.best.expect("there is a capture");
    assert_eq!((rules.board().name(best.from), rules.board().name(best.to)), ("21".into(), "7".into()));
}

#[test]
fn a_table_of_any_size_serves() {
    for key in KEYS {
        let rules = known(key);
        let mut random = Random::new(17);
        let mut game = Game::new(Arc::clone(&rules), rules.initial());
        for _ in 0..12 {
            let moves = game.legal_moves();
            if let Some(m) = moves.get(random.below(moves.len())) {
                game.play(m).expect("a listed move");
            }
        }
        for megabytes in [0, 1, 3] {
            let report = Engine::new(megabytes).search(&rules, &Root::of(&game), &depth(4));
            let moves = game.legal_moves();
            assert_eq!(report.best.is_some(), !moves.is_empty(), "{key} {}", game.describe());
            assert!(report.best.is_none_or(|m| moves.contains(&m)), "{key} {}", game.describe());
        }
    }
}

/// Plays a quiet move of each side to and fro until the next move would bring the position back for the last time.
fn game_before_repetition(rules: &Arc<RuleSet>, limit: u16) -> (Game, Move) {
    let mut random = Random::new(23);
    loop {
        let start = scatter(rules, &mut random, [3, 2], [0, 0], Side::White);
        let mut game = Game::new(Arc::clone(rules), start);
        if let Some(last) = shuffle(&mut game, 4 * (usize::from(limit) - 1) - 1) {
            return (game, last);
        }
    }
}

/// Plays so many plies of shuffling; returns the next move of the shuffle, `None` when the position allows none.
fn shuffle(game: &mut Game, plies: usize) -> Option<Move> {
    let back = |m: &Move| Move { from: m.to, to: m.from, ..*m };
    let mine = *game.legal_moves().iter().find(|m| !m.is_capture())?;
    game.play(&mine).ok()?;
    let theirs = *game.legal_moves().iter().find(|m| !m.is_capture())?;
    game.play(&theirs).ok()?;
    let cycle = [mine, theirs, back(&mine), back(&theirs)];
    for ply in 2..plies {
        game.play(&cycle[ply % 4]).ok()?;
    }
    let next = cycle[plies % 4];
    (game.outcome().is_none() && game.legal_moves().contains(&next)).then_some(next)
}

#[test]
fn the_last_repetition_is_a_draw() {
    for key in ["italian", "brazilian-classic", "spanish", "turkish", "thai"] {
        let rules = known(key);
        let limit = rules.draws().clauses.iter().find(|c| c.is_repetition()).expect("a clause").limit;
        let (mut game, last) = game_before_repetition(&rules, limit);
        let report = Engine::new(1).analyze(&rules, &Root::of(&game), &depth(3), usize::MAX, &mut |_| {});
        let line = report.lines.iter().find(|line| line.pv[0] == last).expect("a legal move");
        let score = line.score;
        assert_eq!(score, Score::Draw, "{key} {}", game.describe());
        game.play(&last).expect("a legal move");
        assert_eq!(game.outcome().map(|outcome| outcome.winner), Some(None), "{key}");
    }
}

#[test]
fn a_win_that_the_draw_counter_stops_is_no_win() {
    let rules = known("italian");
    let clauses = &rules.draws().clauses;
    let position = fen::parse(&rules, "W:WK18,K22:BK8").expect("a position");
    let mut root = Root::new(&rules, position);
    let Score::Win(plies) = Engine::new(4).search(&rules, &root, &depth(25)).score else {
        panic!("two kings against one are a win here")
    };
    // The counter runs until a move less is left than the win needs.
    let left = usize::from(plies) - 1;
    let mine = rules.moves(&position)[0];
    let between = rules.after(&position, &mine);
    let theirs = rules.moves(&between)[0];
    assert!(!mine.is_capture() && !theirs.is_capture());
    let mut counters = Counters::new(rules.shape(), clauses, &position);
    for ply in 0..80 - left {
        let (before, m, after) =
            if ply % 2 == 0 { (&position, &mine, &between) } else { (&between, &theirs, &position) };
        counters.count(rules.shape(), clauses, before, m, after);
    }
    root.counters = counters;
    let score = Engine::new(4).search(&rules, &root, &depth(25)).score;
    // Who gives up a king starts the counter anew, but wins nothing by it.
    assert!(score == Score::Draw || score.men().abs() < 0.3, "{score:?}");
}

#[test]
fn a_set_stop_flag_ends_the_search_at_once() {
    let stop = AtomicBool::new(true);
    let rules = known("canadian");
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    let report = Engine::new(1).search(&rules, &Root::new(&rules, rules.initial()), &limits);
    assert!(report.best.is_some() && report.nodes == 0, "{report:?}");
}

#[test]
fn a_search_without_limits_ends_when_it_is_told_to() {
    let stop = AtomicBool::new(false);
    let rules = known("brazilian");
    std::thread::scope(|scope| {
        let searching = scope.spawn(|| {
            let limits = Limits { stop: Some(&stop), ..Limits::default() };
            Engine::new(1).search(&rules, &Root::new(&rules, rules.initial()), &limits)
        });
        std::thread::sleep(Duration::from_millis(50));
        assert!(!searching.is_finished(), "nothing limits it");
        // How soon it ends is measured by `scripts/measure-stop`; here, that it does.
        stop.store(true, Ordering::Relaxed);
        assert!(searching.join().expect("no panic").best.is_some());
    });
}

/// Returns a position in the middle of a game.
fn middlegame(rules: &Arc<RuleSet>, seed: u64) -> Game {
    let mut random = Random::new(seed);
    let mut game = Game::new(Arc::clone(rules), rules.initial());
    for _ in 0..14 {
        let moves = game.legal_moves();
        game.play(&moves[random.below(moves.len())]).expect("a listed move");
    }
    game
}

#[test]
fn several_lines_begin_differently_and_are_sorted() {
    for key in KEYS {
        let game = middlegame(&known(key), 5);
        let moves = game.legal_moves();
        let mut iterations = 0;
        let mut watch = |report: &Report| {
            iterations += 1;
            assert_eq!(report.lines.len(), moves.len().min(3), "{key}");
            assert_eq!(report.score, report.lines[0].score);
            assert_eq!(report.best, report.lines[0].pv.first().copied());
        };
        let report = Engine::new(4).analyze(game.rules(), &Root::of(&game), &depth(5), 3, &mut watch);
        assert!((1..=5).contains(&iterations), "{key}: {iterations}");
        let scores: Vec<f32> = report.lines.iter().map(|line| line.score.men()).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{key}: {scores:?}");
        for (i, line) in report.lines.iter().enumerate() {
            assert!(moves.contains(&line.pv[0]), "{key}");
            assert!(report.lines[..i].iter().all(|other| other.pv[0] != line.pv[0]), "{key}");
        }
    }
}

#[test]
fn a_step_that_is_left_out_is_missed() {
    let mut engine = Engine::new(4);
    let mut nodes = |game: &Game, steps: Steps| {
        engine.set_steps(steps);
        engine.forget();
        engine.search(game.rules(), &Root::of(game), &depth(9)).nodes
    };
    let games = ["italian", "russian", "international"].map(|key| middlegame(&known(key), 5));
    for step in Step::all() {
        let without = Steps::ALL.without(step);
        assert!(games.iter().any(|game| nodes(game, without) != nodes(game, Steps::ALL)), "{step}");
    }
}

#[test]
fn two_threads_find_what_one_finds() {
    for megabytes in [0, 1, 16] {
        let mut engine = Engine::with_threads(megabytes, 2);
        let rules = known("italian");
        let position = fen::parse(&rules, "W:WK18,K22:BK8").expect("a position");
        let report = engine.search(&rules, &Root::new(&rules, position), &depth(25));
        // Without a table the win lies too deep.
        let wins = matches!(report.score, Score::Win(_));
        assert!(wins || megabytes == 0, "{megabytes} MB: {:?}", report.score);
        let game = middlegame(&known("brazilian"), 9);
        let report = engine.search(game.rules(), &Root::of(&game), &Limits::nodes(100_000));
        assert!(report.best.is_some_and(|m| game.legal_moves().contains(&m)));
        assert!(report.nodes >= 100_000, "nodes of both threads count");
    }
}

#[test]
fn no_time_counts_while_the_opponent_thinks() {
    let (pondering, stop) = (AtomicBool::new(true), AtomicBool::new(false));
    let game = middlegame(&known("russian"), 2);
    std::thread::scope(|scope| {
        let searching = scope.spawn(|| {
            let limits = Limits {
                time: Some(Duration::from_millis(20)),
                pondering: Some(&pondering),
                stop: Some(&stop),
                ..Limits::default()
            };
            Engine::new(4).search(game.rules(), &Root::of(&game), &limits)
        });
        std::thread::sleep(Duration::from_millis(150));
        assert!(!searching.is_finished(), "the time limit ended a search that was pondering");
        pondering.store(false, Ordering::Relaxed);
        assert!(searching.join().expect("no panic").best.is_some());
    });
}

#[test]
fn a_clock_limits_the_search() {
    let game = middlegame(&known("international"), 2);
    for (left, increment, moves_to_go) in [(1, 0, None), (300, 0, Some(1)), (2_000, 10, None)] {
        let left = Duration::from_millis(left);
        let clock = Clock { left, increment: Duration::from_millis(increment), moves_to_go };
        // So many nodes take a minute: a search that did not heed the clock would end with them.
        let most = 300_000_000;
        let limits = Limits { clock: Some(clock), nodes: Some(most), ..Limits::default() };
        let report = Engine::new(4).search(game.rules(), &Root::of(&game), &limits);
        // The allowance itself is tested in `time.rs`.
        assert!(report.best.is_some() && report.nodes < most, "{report:?}");
    }
}

#[test]
fn limits_of_nodes_are_exact() {
    for nodes in [0, 1, 17, 300, 5_000] {
        let rules = known("russian");
        let report =
            Engine::new(1).search(&rules, &Root::new(&rules, rules.initial()), &Limits::nodes(nodes));
        assert_eq!(report.nodes, nodes);
        assert!(report.best.is_some());
    }
}

#[test]
fn strange_positions_are_survived() {
    for key in KEYS {
        let rules = known(key);
        let all = rules.shape().all();
        let half = all & 0x5555_5555_5555_5555_5555_5555_5555_5555;
        for (white, black) in [(0, 0), (all, 0), (0, all), (half, all & !half), (half, 0)] {
            let position = Position::from_sets(white, black, white | black, Side::White);
            let root = Root::new(&rules, position);
            let report = Engine::new(1).search(&rules, &root, &Limits::nodes(500));
            assert_eq!(report.best.is_none(), rules.moves(&position).is_empty(), "{key}");
        }
    }
}

/// Returns the initial position without three men of a side.
fn handicapped(rules: &RuleSet, side: Side) -> Position {
    let start = rules.initial();
    let keep = |pieces: u128| pieces.without_lowest().without_lowest().without_lowest();
    let (white, black) = match side {
        Side::White => (keep(start.white()), start.black()),
        Side::Black => (start.white(), keep(start.black())),
    };
    Position::from_sets(white, black, 0, start.side())
}

#[test]
fn a_draw_offer_is_judged_by_the_scores() {
    for key in KEYS {
        let rules = known(key);
        let mover = rules.first();
        let mut engine = Engine::new(4);
        let mut accepts = |position: Position| {
            let score = engine.search(&rules, &Root::new(&rules, position), &Limits::nodes(20_000)).score;
            accepts_draw(&rules, &[score; 5])
        };
        assert!(accepts(rules.initial()), "{key}: even");
        // Where pieces are given away, three men fewer at the start decide nothing.
        if rules.goal() == Goal::Losing {
            assert!(
                !accepts_draw(&rules, &[Score::Win(20); 5]) && accepts_draw(&rules, &[Score::Loss(20); 5])
            );
            continue;
        }
        assert!(!accepts(handicapped(&rules, mover.other())), "{key}: won");
        assert!(accepts(handicapped(&rules, mover)), "{key}: lost");
    }
    assert!(!accepts_draw(&known("italian"), &[]), "a game that has hardly begun");
    let fading = [Score::Value(400), Score::Value(20), Score::Draw, Score::Value(-10), Score::Value(5)];
    assert!(!accepts_draw(&known("italian"), &fading), "it was better not long ago");
}

/// A position in which both sides have many flying kings: even one ply takes more than a thousand nodes.
const MANY_KINGS: &str = "W:WK1,K6,K46,K50,K28,K33:BK5,K10,K41,K45,K18,K23";

#[test]
fn levels_see_at_least_one_ply_in_positions_that_games_bring() {
    let rules = known("international");
    let root = Root::new(&rules, fen::parse(&rules, MANY_KINGS).expect("a position"));
    for number in 2..=Level::COUNT {
        let level = Level::new(number).expect("a level");
        for seed in 0..5 {
            let report = level.choose(&mut Engine::new(1), &rules, &root, seed, &Limits::default());
            assert!(report.depth >= 1, "level {number}: {report:?}");
        }
    }
}

#[test]
fn moves_are_told_apart_even_when_the_first_ply_is_not_finished() {
    let rules = known("international");
    let root = Root::new(&rules, fen::parse(&rules, MANY_KINGS).expect("a position"));
    let seen = |nodes| Engine::new(1).score_close(&rules, &root, &Limits::nodes(nodes), 10_000);
    let told_apart = |report: &Report| report.lines.iter().any(|line| line.score != report.score);
    let mut unfinished = (100..10_000).step_by(10).map(seen).take_while(|report| report.depth == 0);
    assert!(unfinished.any(|report| told_apart(&report)));
}

#[test]
fn a_level_with_a_number_plays_the_same_with_any_number_of_threads() {
    let game = middlegame(&known("russian"), 3);
    let choose = |threads| {
        let mut engine = Engine::with_threads(4, threads);
        let level = Level::new(9).expect("a level");
        let report = level.choose(&mut engine, game.rules(), &Root::of(&game), 1, &Limits::default());
        (report.best, report.score, report.nodes, engine.threads())
    };
    let (alone, together) = (choose(1), choose(3));
    assert_eq!((alone.0, alone.1, alone.2), (together.0, together.1, together.2));
    assert_eq!(together.3, 3);
}

/// The table knows positions, not rules.
#[test]
fn what_was_found_under_other_rules_is_forgotten() {
    let (normal, losing) = (known("international"), known("antidraughts"));
    let mut engine = Engine::new(4);
    for seed in 0..4 {
        let root = Root::new(&losing, *middlegame(&normal, seed).position());
        let fresh = Engine::new(4).search(&losing, &root, &depth(6));
        engine.search(&normal, &Root::new(&normal, root.position), &depth(9));
        let after = engine.search(&losing, &root, &depth(6));
        assert_eq!((fresh.best, fresh.score, fresh.nodes), (after.best, after.score, after.nodes));
    }
}

#[test]
fn lines_are_sorted_wherever_the_search_stops() {
    let game = middlegame(&known("brazilian"), 5);
    for nodes in (500..12_000).step_by(70) {
        let limits = Limits::nodes(nodes);
        let report = Engine::new(1).analyze(game.rules(), &Root::of(&game), &limits, 4, &mut |_| {});
        let scores: Vec<f32> = report.lines.iter().map(|line| line.score.men()).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{nodes} nodes: {scores:?}");
    }
}

/// At some of these stops the second line is being searched, in which 32-28 or 45-40 has just a bound that is much too high: both lose eight men, and another move is
/// proved to be the best at that depth.
#[test]
fn a_bound_of_a_line_that_was_not_finished_makes_no_move_the_best() {
    let rules = known("antidraughts");
    let mut game = Game::new(Arc::clone(&rules), rules.initial());
    let moves = "34-30 18-23 33-29 23x25 31-27 25-30 35x24 20x29 40-34 29x40 44x35 12-18 35-30 15-20";
    for text in moves.split(' ') {
        let m = notation::parse(&rules, game.position(), text).expect(text);
        game.play(&m).expect(text);
    }
    let losing =
        ["32-28", "45-40"].map(|text| notation::parse(&rules, game.position(), text).expect("a move"));
    for nodes in (1_000..3_000).step_by(10) {
        let limits = Limits::nodes(nodes);
        let report = Engine::new(1).analyze(&rules, &Root::of(&game), &limits, 5, &mut |_| {});
        assert!(report.best.is_some_and(|m| !losing.contains(&m)), "{nodes} nodes: {report:?}");
    }
}
