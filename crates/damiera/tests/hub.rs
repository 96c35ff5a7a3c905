//! `damiera hub` as other programs use it: the real process, spoken to on its standard input.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use damiera_protocol::hub::{Budget, Reply};
use damiera_protocol::squares;
use damiera_rules::presets::KEYS;
use damiera_rules::{Game, RuleSet, fen};
use damiera_training::hub_engine::{HubEngine, HubOptions};

/// The program with its ends. It is ended when the test is over, however that comes about.
struct Hub {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Hub {
    fn start(args: &[&str]) -> Hub {
        let mut command = Command::new(env!("CARGO_BIN_EXE_damiera"));
        command.arg("hub").args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Hub { child, input, output }
    }
    /// A program that has been through `hub` and `init`, with these parameters.
    fn ready(parameters: &[&str]) -> Hub {
        let mut hub = Hub::start(&[]);
        hub.say("hub");
        while hub.line() != "wait" {}
        for parameter in parameters {
            hub.say(&format!("set-param {parameter}"));
        }
        hub.say("init");
        assert_eq!(hub.line(), "ready");
        hub
    }
    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }
    /// Returns the next line; a program that has ended is a failure.
    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "the program has ended");
        line.trim_end().to_owned()
    }
    /// Returns the replies up to the end of a search.
    fn search(&mut self) -> Vec<Reply> {
        let mut replies = Vec::new();
        loop {
            let line = self.line();
            let reply = Reply::parse(&line).unwrap_or_else(|| panic!("{line}"));
            let done = matches!(reply, Reply::Done { .. });
            replies.push(reply);
            if done {
                return replies;
            }
        }
    }
    /// Returns the exit status, once the input is closed.
    fn close(mut self) -> Option<i32> {
        self.input = None;
        self.child.wait().unwrap().code()
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn best(replies: &[Reply]) -> String {
    match replies.last() {
        Some(Reply::Done { best: Some(best), .. }) => best.clone(),
        other => panic!("{other:?}"),
    }
}

/// Returns the line that sets up a position.
fn pos(rules: &str, position: &str) -> String {
    let rules = RuleSet::parse(rules).unwrap();
    let position = fen::parse(&rules, position).unwrap();
    format!("pos pos={}", squares::write_position(&rules, &position, &squares::HUB))
}

#[test]
fn a_search_tells_how_it_goes_and_ends_with_a_move() {
    let mut hub = Hub::ready(&[]);
    hub.say("new-game");
    hub.say("pos pos=start moves=\"32-28 19-23 28x19x23\"");
    hub.say("level depth=6");
    hub.say("go think");
    let replies = hub.search();
    let Reply::Info(info) = &replies[replies.len() - 2] else { panic!("{replies:?}") };
    assert_eq!(info.depth, Some(6));
    assert!(info.nodes.unwrap() > 0 && info.score.is_some() && info.time.is_some());
    // Black must take back, one way or the other.
    let best = best(&replies);
    assert!(["14x23x19", "13x24x19"].contains(&best.as_str()), "{best}");
    assert_eq!(info.pv[0], best);
    hub.say("quit");
    assert_eq!(hub.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_search_without_an_end_answers_ping_and_ends_with_stop() {
    let mut hub = Hub::ready(&["name=threads value=2"]);
    for mode in ["think", "analyze", "ponder"] {
        hub.say("pos");
        hub.say("level infinite");
        hub.say(&format!("go {mode}"));
        hub.say("ping");
        while hub.line() != "pong" {}
        hub.say("stop");
        let replies = hub.search();
        assert!(!best(&replies).is_empty());
    }
    // Nothing runs: nothing is said, and the program listens.
    hub.say("stop");
    hub.say("ponder-hit");
    hub.say("ping");
    assert_eq!(hub.line(), "pong");
    assert_eq!(hub.close(), Some(0));
}

#[test]
fn pondering_ends_when_the_expected_move_was_played() {
    let mut hub = Hub::ready(&[]);
    hub.say("pos pos=start moves=\"32-28 17-22\"");
    hub.say("level move-time=0.01");
    hub.say("go ponder");
    hub.say("ping");
    // The time of the move does not count yet: no move comes before the answer.
    loop {
        let line = hub.line();
        assert!(!line.starts_with("done"), "{line}");
        if line == "pong" {
            break;
        }
    }
    hub.say("ponder-hit");
    assert_eq!(best(&hub.search()), "28x17x22");
}

#[test]
fn a_new_search_ends_the_one_that_runs() {
    let mut hub = Hub::ready(&[]);
    hub.say("pos");
    hub.say("go analyze");
    hub.say(&pos("international", "W:W32:B28,19,K5"));
    hub.say("level depth=4");
    hub.say("go think");
    assert!(!best(&hub.search()).contains('x'));
    assert_eq!(best(&hub.search()), "32x14x19x28");
}

#[test]
fn the_end_of_the_input_ends_the_program_in_the_middle_of_a_search() {
    let mut hub = Hub::ready(&[]);
    hub.say("pos");
    hub.say("go analyze");
    assert_eq!(hub.close(), Some(0));
    let mut hub = Hub::ready(&[]);
    hub.say("pos");
    hub.say("go analyze");
    hub.say("quit");
    assert_eq!(hub.close(), Some(0));
    // Half a line is the end as well.
    let mut hub = Hub::ready(&[]);
    hub.input.as_mut().unwrap().write_all(b"go thi").unwrap();
    assert_eq!(hub.close(), Some(0));
}

#[test]
fn bad_lines_are_answered_and_the_program_goes_on() {
    let mut hub = Hub::ready(&[]);
    let garbage = [
        b"\xff\xfe\x00\n".to_vec(),
        vec![b'x'; 1 << 20],
        b"\npos pos=".to_vec(),
        vec![b'b'; 1 << 20],
        b"\n".to_vec(),
    ];
    for bytes in garbage {
        hub.input.as_mut().unwrap().write_all(&bytes).unwrap();
    }
    hub.say("pos pos=Wbb");
    hub.say("go think");
    hub.say("set-param name=hash value=much");
    hub.say("ping");
    let expected = [
        "error message=\"column 3: expected a word; a line is: command name=value name='a value with spaces'\"",
        "error message=\"the line is too long (64 KB at most)\"",
        "error message=\"the line is too long (64 KB at most)\"",
        "error message=\"pos: column 4: the position ends here; it has 51 characters under these rules (international)\"",
        "error message=\"go: there is no position; send pos first\"",
        "error message=\"set-param: hash='much' is not understood; accepted: 0 to 65536\"",
        "pong",
    ];
    for line in expected {
        assert_eq!(hub.line(), line);
    }
    assert_eq!(hub.close(), Some(0));
}

#[test]
fn a_level_with_a_seed_plays_the_same_move_again() {
    let moves = |seed: u64| {
        let mut hub = Hub::ready(&[
            "name=variant value=italian",
            "name=level value=2",
            &format!("name=seed value={seed}"),
        ]);
        let moves: Vec<String> = (0..8)
            .map(|_| {
                hub.say("pos");
                hub.say("go think");
                best(&hub.search())
            })
            .collect();
        moves
    };
    let first = moves(1);
    assert!(first.iter().all(|m| *m == first[0]), "{first:?}");
    assert_eq!(moves(1), first);
    // Without a seed it is another game each time; that twenty-four of its choices are alike does not happen.
    let mut chosen: Vec<String> = (0..3).flat_map(|_| moves(0)).collect();
    chosen.sort();
    chosen.dedup();
    assert!(chosen.len() > 1, "{chosen:?}");
}

#[test]
fn the_table_may_be_as_small_as_nothing_and_may_change() {
    let mut hub = Hub::ready(&["name=hash value=0"]);
    for megabytes in [0, 1, 300] {
        hub.say(&format!("set-param name=hash value={megabytes}"));
        hub.say("pos");
        hub.say("level nodes=20000");
        hub.say("go think");
        assert!(!best(&hub.search()).is_empty());
    }
}

/// The table knows positions, not rules: a changed variant must not be answered from the old one.
#[test]
fn another_variant_is_searched_as_if_it_were_the_first() {
    let position = "pos pos=Weeeeeeeeeeeeeeeeewwweeeweebebeeewbweeeeeeeebbeeeee";
    let score = |hub: &mut Hub, depth: u32| {
        hub.say(position);
        hub.say(&format!("level depth={depth}"));
        hub.say("go think");
        let replies = hub.search();
        let last = replies.iter().rev().find_map(|reply| match reply {
            Reply::Info(info) => Some((info.score, info.nodes)),
            _ => None,
        });
        (last, best(&replies))
    };
    let fresh = score(&mut Hub::ready(&["name=variant value=losing"]), 7);
    let mut hub = Hub::ready(&["name=variant value=normal"]);
    score(&mut hub, 11);
    hub.say("set-param name=variant value=losing");
    hub.say("init");
    assert_eq!(hub.line(), "ready");
    assert_eq!(score(&mut hub, 7), fresh);
}

#[test]
fn the_command_line_sets_what_the_parameters_begin_with() {
    let mut hub = Hub::start(&[
        "--rules",
        "brazilian,capture=optional",
        "--level",
        "3",
        "--hash",
        "8",
        "--threads",
        "2",
    ]);
    hub.say("hub");
    let mut params = Vec::new();
    loop {
        match Reply::parse(&hub.line()) {
            Some(Reply::Param(param)) => params.push((param.name, param.value)),
            Some(Reply::Wait) => break,
            _ => {}
        }
    }
    let of = |name: &str| params.iter().find(|(n, _)| n == name).unwrap().1.clone();
    assert_eq!(of("variant"), "brazilian,capture=optional");
    assert_eq!((of("level"), of("hash"), of("threads")), ("3".to_owned(), "8".to_owned(), "2".to_owned()));
    let bad = Command::new(env!("CARGO_BIN_EXE_damiera")).args(["hub", "--level", "11"]).output().unwrap();
    assert_eq!(bad.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&bad.stderr).contains("accepted: 1 to 10, best"));
}

#[test]
fn two_programs_play_a_game_with_each_other_in_every_rule_set() {
    let command = format!("'{}' hub --hash 2", env!("CARGO_BIN_EXE_damiera"));
    let names =
        KEYS.iter().copied().chain(["brazilian,capture=optional", "italian,first=black,draws=casual"]);
    for name in names {
        let rules = Arc::new(RuleSet::parse(name).unwrap());
        let mut players = [0, 1].map(|_| HubEngine::start(&command, &rules, HubOptions::default()).unwrap());
        let mut game = Game::new(Arc::clone(&rules), rules.initial());
        players.iter_mut().for_each(|player| player.new_game().unwrap());
        while game.outcome().is_none() && game.ply() < 160 {
            let budget = Budget { nodes: Some(300), ..Budget::default() };
            let m = players[game.ply() % 2]
                .choose_within(&game, &budget)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            game.play(&m).unwrap();
        }
        assert!(game.ply() > 20, "{name}: {:?}", game.outcome());
    }
}

/// A level forgets everything before every move, which must not take longer than its move: a table of gigabytes is not for it.
#[cfg(target_os = "linux")]
#[test]
fn a_level_takes_no_more_memory_than_it_can_use() {
    let mut hub = Hub::ready(&["name=hash value=2048", "name=level value=3"]);
    hub.say("pos");
    hub.say("go think");
    hub.search();
    let status = std::fs::read_to_string(format!("/proc/{}/status", hub.child.id())).unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u32 = resident.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kilobytes < 500_000, "{resident}");
}
