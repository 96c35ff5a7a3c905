//! Hub: every message is read as it is written, and the engine's end answers as the specification says.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::sync::Arc;
use std::time::Duration;

use damiera_protocol::hub::{
    Action, Budget, Client, Clock, Command, Event, Id, Info, Mode, Param, Reply, Session, Settings, Task,
    Version, variant_name, variant_rules,
};
use damiera_rules::presets::KEYS;
use damiera_rules::{Game, RuleSet, fen, notation};
use proptest::prelude::*;

/// A search of the position before the first move.
const START: &str = "(think in W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20)";

fn settings() -> Settings {
    let rules = Arc::new(RuleSet::known("international").unwrap());
    Settings { rules, megabytes: 64, threads: 1, level: None, seed: 0, lines: 1 }
}

fn session() -> Session {
    Session::new("1.2", 10, settings())
}

/// Says lines to a session and returns what it answers, actions by their names.
fn says(session: &mut Session, lines: &[&str]) -> Vec<String> {
    let actions = lines.iter().flat_map(|line| session.receive(line));
    actions
        .map(|action| match action {
            Action::Say(reply) => reply.to_string(),
            Action::Prepare(_) => "(prepare)".to_owned(),
            Action::Search(task) => {
                format!("({} in {})", task.mode.word(), fen::format(task.game.rules(), task.game.position()))
            }
            Action::Stop => "(stop)".to_owned(),
            Action::PonderHit => "(ponder-hit)".to_owned(),
            Action::Forget => "(forget)".to_owned(),
            Action::Quit => "(quit)".to_owned(),
        })
        .collect()
}

/// Returns the task of the search that these lines begin.
fn task(session: &mut Session, lines: &[&str]) -> Task {
    let mut actions: Vec<Action> = lines.iter().flat_map(|line| session.receive(line)).collect();
    match actions.pop() {
        Some(Action::Search(task)) if actions.is_empty() => *task,
        other => panic!("{actions:?} {other:?}"),
    }
}

#[test]
fn the_dialogue_of_the_specification() {
    let mut session = session();
    let start = format!("pos pos=W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    let answers = says(
        &mut session,
        &[
            "hub",
            "set-param name=variant value=normal",
            "init",
            &start,
            "level move-time=1",
            "go think",
            "ping",
            "stop",
            "quit",
        ],
    );
    let keys = "italian brazilian spanish russian american czech international brazilian-classic brazilian-quality \
                brazilian-64 portuguese pool poddavki canadian breakthrough antidraughts turkish thai";
    let expected = [
        "id name=Damiera version=1.2 author=\"the Damiera contributors\"".to_owned(),
        format!(
            "param name=variant value=normal type=enum values=\"normal killer bt frisian losing {keys}\""
        ),
        "param name=hash value=64 type=int min=0 max=65536".to_owned(),
        "param name=threads value=1 type=int min=1 max=256".to_owned(),
        "param name=level value=best type=enum values=\"1 2 3 4 5 6 7 8 9 10 best\"".to_owned(),
        "param name=seed value=0 type=int min=0 max=18446744073709551615".to_owned(),
        "param name=lines value=1 type=int min=1 max=64".to_owned(),
        "wait".to_owned(),
        "(prepare)".to_owned(),
        START.to_owned(),
        "pong".to_owned(),
        "(stop)".to_owned(),
        "(quit)".to_owned(),
    ];
    assert_eq!(answers, expected);
}

#[test]
fn a_position_of_the_specification_with_its_moves() {
    let mut session = session();
    let line = r#"pos pos=BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee moves="38-15 5-41 48-26""#;
    let task = task(&mut session, &[line, "level moves=9 time=291.587", "go ponder"]);
    assert_eq!(fen::format(task.game.rules(), task.game.position()), "W:WK4,25,35,36,K41:BK15,K26");
    assert_eq!((task.mode, task.game.ply()), (Mode::Ponder, 3));
}

#[test]
fn moves_are_played_and_counted_for_repetition() {
    let mut session = session();
    let rules = RuleSet::known("international").unwrap();
    let position = fen::parse(&rules, "W:WK48,K50:BK1,K5").unwrap();
    let text = damiera_protocol::squares::write_position(&rules, &position, &damiera_protocol::squares::HUB);
    let task = task(&mut session, &[&format!("pos pos={text} moves=\"50-45 1-6 45-50 6-1\""), "go"]);
    assert_eq!(task.game.occurrences(), 2);
    assert_eq!(task.mode, Mode::Think);
    assert_eq!(task.budget, Budget::default());
}

#[test]
fn a_game_that_our_rules_call_drawn_can_be_searched_all_the_same() {
    let mut session = session();
    let rules = RuleSet::known("international").unwrap();
    let position = fen::parse(&rules, "W:WK48,K50:BK1,K5").unwrap();
    let text = damiera_protocol::squares::write_position(&rules, &position, &damiera_protocol::squares::HUB);
    let round = "50-45 1-6 45-50 6-1 ".repeat(4);
    let task = task(&mut session, &[&format!("pos pos={text} moves=\"{round}50-45\""), "go think"]);
    assert_eq!(task.game.outcome(), None);
    assert_eq!(fen::format(&rules, task.game.position()), "B:WK45,K48:BK1,K5");
}

#[test]
fn a_game_that_is_over_is_not_searched() {
    let mut session = session();
    let lost = format!("pos pos=W{}B{}", "e".repeat(10), "e".repeat(39));
    let answers = says(&mut session, &[&lost, "go think"]);
    assert_eq!(answers, [r#"error message="go: the game is over (no-pieces) in W:W:BK11""#]);
    let mut session = self::session();
    let crowned =
        format!("pos pos=W{}w{} moves=\"8-2\"", "e".repeat(7), "eebeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee");
    let answers = says(&mut session, &["set-param name=variant value=bt", &crowned, "go think"]);
    assert!(answers[0].contains("first-king"), "{answers:?}");
}

#[test]
fn every_variant_and_canonical_name_is_taken() {
    for (word, key) in [
        ("normal", "international"),
        ("killer", "killer"),
        ("bt", "breakthrough"),
        ("frisian", "frisian"),
        ("losing", "antidraughts"),
    ] {
        assert_eq!(variant_rules(word).unwrap().canonical(), key);
        assert_eq!(variant_name(key), word);
    }
    for key in KEYS {
        let mut session = session();
        let task = task(&mut session, &[&format!("set-param name=variant value={key}"), "pos", "go think"]);
        assert_eq!(task.game.rules().canonical(), key);
        assert_eq!(task.settings.rules.canonical(), key);
    }
    let mut session = session();
    for line in [
        "set-param name=variant value=\"brazilian,capture=optional\"",
        "set-param name=variant value=brazilian,capture=optional",
    ] {
        let task = task(&mut session, &[line, "pos pos=start", "go think"]);
        assert_eq!(task.game.rules().canonical(), "brazilian,capture=optional");
    }
}

#[test]
fn parameters_are_taken_or_refused() {
    let mut session = session();
    let lines = [
        "hash value=512",
        "threads value=2",
        "level value=7",
        "seed value=99",
        "lines value=3",
        "book value=true",
    ];
    for line in lines {
        assert_eq!(says(&mut session, &[&format!("set-param name={line}")]), Vec::<String>::new());
    }
    let s = task(&mut session, &["go analyze"]).settings;
    assert_eq!((s.megabytes, s.threads, s.level, s.seed, s.lines), (512, 2, Some(7), 99, 3));
    assert_eq!(says(&mut session, &["set-param name=level value=best"]), Vec::<String>::new());
    assert_eq!(task(&mut session, &["go analyze"]).settings.level, None);
    for (line, part) in [
        ("set-param name=hash value=-1", "accepted: 0 to 65536"),
        ("set-param name=threads value=0", "accepted: 1 to 256"),
        ("set-param name=level value=11", "accepted: 1 to 10, or best"),
        ("set-param name=variant value=chess", "there is no rule set 'chess'"),
        ("set-param name=hash", "value=… is missing"),
        ("set-param value=3", "name=… is missing"),
    ] {
        let answers = says(&mut session, &[line]);
        assert!(
            answers.len() == 1 && answers[0].starts_with("error message=") && answers[0].contains(part),
            "{line}: {answers:?}"
        );
    }
}

#[test]
fn budgets_are_read() {
    let seconds = Duration::from_secs_f64;
    let clock = |time, increment, moves| Budget {
        clock: Some(Clock { time: seconds(time), increment: seconds(increment), moves }),
        ..Budget::default()
    };
    for (line, budget) in [
        ("level depth=9", Budget { depth: Some(9), ..Budget::default() }),
        ("level nodes=1000000", Budget::nodes(1_000_000)),
        ("level move-time=0.25", Budget::time(seconds(0.25))),
        (
            "level depth=9 nodes=5 move-time=1",
            Budget { depth: Some(9), nodes: Some(5), move_time: Some(seconds(1.0)), clock: None },
        ),
        ("level time=291.587", clock(291.587, 0.0, None)),
        ("level moves=9 time=291.587", clock(291.587, 0.0, Some(9))),
        ("level time=60 inc=0.5", clock(60.0, 0.5, None)),
        ("level moves=0 time=-0.2", clock(0.0, 0.0, None)),
        ("level infinite", Budget::default()),
        ("level ponder", Budget::default()),
        ("level", Budget::default()),
        ("level time=1e30", clock(1e8, 0.0, None)),
    ] {
        assert_eq!(Command::parse(line).unwrap().unwrap(), Command::Level(budget), "{line}");
    }
    for line in [
        "level depth=x",
        "level depth=-1",
        "level nodes=1.5",
        "level move-time=abc",
        "level time=nan",
        "level moves=3",
        "level inc=1",
        "level time=",
    ] {
        assert!(Command::parse(line).is_err(), "{line}");
    }
    // A budget is for one search.
    let mut session = session();
    assert_eq!(task(&mut session, &["level depth=3", "pos", "go think"]).budget.depth, Some(3));
    assert_eq!(task(&mut session, &["go think"]).budget.depth, None);
}

#[test]
fn what_is_not_known_is_ignored_and_what_is_wrong_is_named() {
    let mut session = session();
    for line in ["", "   ", "\t", "uci", "hubb", "visit name=x", "go-away", "level depth=3 colour=red"] {
        assert_eq!(says(&mut session, &[line]), Vec::<String>::new(), "{line:?}");
    }
    for (line, error) in [
        (
            "pos pos=W",
            "pos: column 2: the position ends here; it has 51 characters under these rules (international)",
        ),
        ("pos pos=\"Wbb", "column 9: the quotation mark that begins here is not closed"),
        ("=3", "column 1: expected a word; a line is: command name=value name='a value with spaces'"),
        (
            "pos moves=\"32-28 19-23 32-28\"",
            "moves: move 3: '32-28': no legal move goes this way in W:W28,31,33,",
        ),
        (
            "pos moves=zz",
            "moves: move 1: 'zz': column 1: 'z' does not belong in a move; write squares and signs such as 31-26 in W:W31,32,",
        ),
    ] {
        let answers = says(&mut session, &[line]);
        assert_eq!(answers.len(), 1, "{line}");
        assert!(answers[0].starts_with(&format!("error message=\"{error}")), "{line}: {answers:?}");
    }
}

#[test]
fn a_bad_position_is_not_followed_by_a_search_of_an_older_one() {
    let mut session = session();
    let answers = says(&mut session, &["pos", "pos pos=bad", "go think", "pos", "go think"]);
    assert_eq!(answers[1], "error message=\"go: there is no position; send pos first\"");
    assert_eq!(answers[2], START);
    // Other rules have other positions.
    let answers = says(&mut session, &["set-param name=variant value=italian", "go think"]);
    assert_eq!(answers, ["error message=\"go: there is no position; send pos first\""]);
}

#[test]
fn a_client_and_a_session_play_a_game_in_every_rule_set() {
    for key in KEYS {
        let rules = Arc::new(RuleSet::known(key).unwrap());
        let mut session = session();
        let (mut client, hello) = Client::new(Arc::clone(&rules), vec![("seed".to_owned(), "5".to_owned())]);
        let ready = converse(&mut client, &mut session, &[hello]);
        assert_eq!(ready.last(), Some(&Event::Ready), "{key}");
        assert_eq!((client.name(), client.version()), ("Damiera 1.2", Some(Version::Two)));
        let mut game = Game::new(Arc::clone(&rules), rules.initial());
        while game.outcome().is_none() && game.ply() < 60 {
            let lines = client.go(&game, &Budget::nodes(10), Mode::Think).unwrap();
            let events = converse(&mut client, &mut session, &lines);
            let Some(Event::Done { best, .. }) = events.last() else { panic!("{key}: {events:?}") };
            game.play(best).unwrap();
        }
        assert!(game.ply() > 10, "{key}");
    }
}

/// Carries lines between a client and a session whose search plays the last legal move; returns the client's events.
fn converse(client: &mut Client, session: &mut Session, lines: &[String]) -> Vec<Event> {
    let mut events = Vec::new();
    let mut to_session = lines.to_vec();
    while !to_session.is_empty() {
        let mut replies = Vec::new();
        for line in to_session.drain(..) {
            for action in session.receive(&line) {
                match action {
                    Action::Say(reply) => replies.push(reply),
                    Action::Prepare(_) => replies.push(Reply::Ready),
                    Action::Search(task) => {
                        let m = *task.game.legal_moves().last().unwrap();
                        let best = Some(damiera_protocol::squares::write_move(task.game.rules(), &m));
                        replies.push(Reply::Done { best, ponder: None });
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
        for reply in replies {
            match client.receive(&reply.to_string()).unwrap() {
                Some(Event::Send(lines)) => to_session.extend(lines),
                Some(event) => events.push(event),
                None => {}
            }
        }
    }
    events
}

#[test]
fn a_client_reads_info_and_the_expected_answer() {
    let rules = Arc::new(RuleSet::known("international").unwrap());
    let (mut client, _) = Client::new(Arc::clone(&rules), Vec::new());
    for line in [
        "garbage",
        "id name=X version=2",
        "param name=variant value=normal type=enum values=\"normal\"",
        "wait",
        "a board",
        "ready",
    ] {
        client.receive(line).unwrap();
    }
    let game = Game::new(Arc::clone(&rules), rules.initial());
    client.go(&game, &Budget::default(), Mode::Analyze).unwrap();
    assert!(client.go(&game, &Budget::default(), Mode::Analyze).is_err());
    let info = r#"info depth=21 mean-depth=20.8 score=-0.01 nodes=31261613 time=3.906 nps=8.0 pv="32-28 17-22 28x17x22""#;
    let Some(Event::Info(info)) = client.receive(info).unwrap() else { panic!() };
    assert_eq!(
        (info.depth, info.score, info.nodes, info.pv.len()),
        (Some(21), Some(-0.01), Some(31_261_613), 3)
    );
    assert_eq!(client.receive("error message=\"no\"").unwrap(), Some(Event::Complaint("no".to_owned())));
    let Some(Event::Done { best, ponder }) = client.receive("done move=32-28 ponder=17-22").unwrap() else {
        panic!()
    };
    assert_eq!(notation::short(&rules, &best), "32-28");
    assert_eq!(notation::short(&rules, &ponder.unwrap()), "17-22");
    assert_eq!(client.receive("done move=32-28").unwrap(), None);
}

fn word() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9_.,;:+-]{1,12}"
}

fn value() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9_.,;:+= -]{0,20}"
}

fn time() -> impl Strategy<Value = Duration> {
    (0_u64..100_000_000_000).prop_map(Duration::from_micros)
}

fn budget() -> impl Strategy<Value = Budget> {
    let clock = (time(), time(), prop::option::of(1_u32..1000)).prop_map(|(time, increment, moves)| Clock {
        time,
        increment,
        moves,
    });
    (
        prop::option::of(any::<u32>()),
        prop::option::of(any::<u64>()),
        prop::option::of(time()),
        prop::option::of(clock),
    )
        .prop_map(|(depth, nodes, move_time, clock)| Budget { depth, nodes, move_time, clock })
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        prop::sample::select(vec![
            Command::Hub,
            Command::Init,
            Command::Stop,
            Command::PonderHit,
            Command::Ping,
            Command::NewGame,
            Command::Quit
        ]),
        (word(), value()).prop_map(|(name, value)| Command::SetParam { name, value }),
        (prop::option::of(word()), prop::collection::vec(word(), 0..5))
            .prop_map(|(position, moves)| Command::Pos { position, moves }),
        budget().prop_map(Command::Level),
        prop::sample::select(vec![Mode::Think, Mode::Ponder, Mode::Analyze]).prop_map(Command::Go),
    ]
}

fn number() -> impl Strategy<Value = f64> {
    (-1_000_000_i32..1_000_000).prop_map(|n| f64::from(n) / 1000.0)
}

fn reply() -> impl Strategy<Value = Reply> {
    let id = (value(), value(), value(), value())
        .prop_map(|(name, version, author, country)| Reply::Id(Id { name, version, author, country }));
    let param = (
        word(),
        value(),
        word(),
        prop::option::of(word()),
        prop::option::of(word()),
        prop::option::of(value()),
    )
        .prop_map(|(name, value, kind, min, max, values)| {
            Reply::Param(Param { name, value, kind, min, max, values })
        });
    let numbers = (
        prop::option::of(number()),
        prop::option::of(number()),
        prop::option::of(number()),
        prop::option::of(number()),
    );
    let info = (
        prop::option::of(any::<u32>()),
        prop::option::of(any::<u64>()),
        numbers,
        prop::collection::vec(word(), 0..5),
        prop::option::of(1_u32..9),
    )
        .prop_map(|(depth, nodes, (mean_depth, score, time, nps), pv, line)| {
            Reply::Info(Info { depth, mean_depth, score, nodes, time, nps, pv, line })
        });
    let done = (prop::option::of(word()), prop::option::of(word()))
        .prop_map(|(best, ponder)| Reply::Done { best, ponder });
    prop_oneof![
        prop::sample::select(vec![Reply::Wait, Reply::Ready, Reply::Pong]),
        id,
        param,
        info,
        done,
        value().prop_map(Reply::Error),
    ]
}

proptest! {
    #[test]
    fn every_command_is_read_back(command in command()) {
        let line = command.to_string();
        prop_assert_eq!(Command::parse(&line).unwrap(), Some(command), "{}", line);
    }

    #[test]
    fn every_reply_is_read_back(reply in reply()) {
        let line = reply.to_string();
        prop_assert_eq!(Reply::parse(&line), Some(reply), "{}", line);
    }

    #[test]
    fn whatever_is_said_a_session_answers_on_one_line_each(lines in prop::collection::vec("\\PC{0,60}|(pos|level|go|set-param|stop)( [a-z-]{1,9}=[\"a-z0-9x -]{0,12}){0,3}", 0..12)) {
        let mut session = session();
        for line in &lines {
            for action in session.receive(line) {
                if let Action::Say(reply) = action {
                    prop_assert!(!reply.to_string().contains(['\n', '\r']));
                }
            }
        }
    }

    #[test]
    fn whatever_an_engine_says_a_client_goes_on(lines in prop::collection::vec("\\PC{0,60}|(id|param|wait|ready|done|info|move|error)( [a-z-]{1,9}=?[\"a-z0-9x -]{0,12}){0,3}", 0..12)) {
        let rules = Arc::new(RuleSet::known("international").unwrap());
        let game = Game::new(Arc::clone(&rules), rules.initial());
        let (mut client, _) = Client::new(rules, Vec::new());
        for line in &lines {
            if client.receive(line).is_err() {
                break;
            }
            let _ = client.go(&game, &Budget::default(), Mode::Think);
        }
    }
}

/// A search without the limit that was meant might never end.
#[test]
fn nothing_is_searched_after_a_level_that_was_not_understood() {
    let mut session = session();
    let answers = says(&mut session, &["level move-time=0,5", "go think"]);
    assert!(answers[1].contains("send level first"), "{answers:?}");
    assert_eq!(says(&mut session, &["level infinite", "go think"]), [START]);
}

#[test]
fn a_search_that_cannot_begin_leaves_the_level_for_the_next() {
    let mut session = session();
    let answers = says(&mut session, &["level depth=2", "set-param name=variant value=russian", "go think"]);
    assert!(answers[0].contains("send pos first"), "{answers:?}");
    assert_eq!(task(&mut session, &["pos", "go think"]).budget.depth, Some(2));
    assert_eq!(task(&mut session, &["go think"]).budget.depth, None, "it is for one search");
}
