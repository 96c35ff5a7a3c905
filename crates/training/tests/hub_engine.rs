//! Engines in other processes, played by small shell scripts: what is said to them word by word, and every way in which they can fail.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use damiera_protocol::hub::{Budget, Clock};
use damiera_rules::{Game, RuleSet, notation};
use damiera_training::hub_engine::{Cause, HubEngine, HubEngineError, HubOptions};

/// An engine of version 2 that writes down what it hears and answers `go` with the lines in `GO`.
const TWO: &str = r#"
while read -r line; do
  echo "$line" >>"$HEARD"
  case "$line" in
    hub) echo "id name=Two version=0.2 author=\"A B\" country=Nowhere"
         echo 'param name=variant value=normal type=enum values="normal killer italian"'
         echo 'param name=book value=true type=bool'
         echo wait ;;
    init) echo '  a drawing of a board'; echo 'ready' ;;
    go*) eval "$GO" ;;
    quit) exit 0 ;;
  esac
done"#;

/// The same for version 1.
const ONE: &str = r#"
while read -r line; do
  echo "$line" >>"$HEARD"
  case "$line" in
    hub) echo 'Scan 2.0 by somebody'; echo 'name One 2.0'; echo 'author A B'; echo 'country Nowhere'; echo wait ;;
    init) echo ready ;;
    go*) eval "$GO" ;;
    quit) exit 0 ;;
  esac
done"#;

struct Fake {
    heard: PathBuf,
    command: String,
}

/// Writes a script for one test and returns how to run it.
fn fake(name: &str, script: &str, go: &str) -> Fake {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (path, heard) = (folder.join(format!("{name}.sh")), folder.join(format!("{name}.heard")));
    fs::write(&path, format!("HEARD='{}'\nGO='{go}'\n{script}\n", heard.display())).unwrap();
    fs::write(&heard, "").unwrap();
    Fake { heard, command: format!("sh '{}'", path.display()) }
}

impl Fake {
    fn heard(&self) -> Vec<String> {
        fs::read_to_string(&self.heard).unwrap().lines().map(str::to_owned).collect()
    }
    fn start(&self, rules: &str) -> Result<HubEngine, HubEngineError> {
        HubEngine::start(&self.command, &known(rules), patient())
    }
}

fn known(rules: &str) -> Arc<RuleSet> {
    Arc::new(RuleSet::parse(rules).unwrap())
}

/// Options with which a test of silence is over soon.
fn patient() -> HubOptions {
    HubOptions {
        parameters: vec![("book".to_owned(), "false".to_owned())],
        handshake: Duration::from_secs(20),
        patience: Duration::from_secs(20),
        ..HubOptions::default()
    }
}

fn impatient() -> HubOptions {
    let soon = Duration::from_millis(200);
    HubOptions { handshake: soon, patience: soon, ..HubOptions::default() }
}

fn game(rules: &str, moves: &[&str]) -> Game {
    let rules = known(rules);
    let mut game = Game::new(Arc::clone(&rules), rules.initial());
    for text in moves {
        let m = notation::parse(&rules, game.position(), text).unwrap();
        game.play(&m).unwrap();
    }
    game
}

const SECOND: Option<Duration> = Some(Duration::from_secs(1));

/// Returns the error of an engine that cannot be used.
fn error<T>(result: Result<T, HubEngineError>) -> HubEngineError {
    match result {
        Ok(_) => panic!("the engine works"),
        Err(error) => error,
    }
}

#[test]
fn version_2_is_spoken_word_by_word() {
    let go = r#"echo "info depth=3 score=-0.25 nodes=1000 time=0.1 nps=0.01 pv=\"33x24x29 20x29x24\""; echo what; echo "done move=33x24x29""#;
    let fake = fake("two", TWO, go);
    let mut engine = fake.start("international").unwrap();
    assert_eq!(engine.name(), "Two 0.2");
    engine.new_game().unwrap();
    let game =
        game("international", &["32-28", "19-23", "28x19", "14x23", "33-29", "23-28", "38-32", "20-24"]);
    // The captured square stands behind the ends, whatever the way.
    let error = error(engine.choose(&game, SECOND, None));
    assert!(matches!(error.cause, Cause::Said(_)), "{error}");
    drop(engine);
    let start = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    let expected = [
        "hub",
        "set-param name=variant value=normal",
        "set-param name=book value=false",
        "init",
        "new-game",
        &format!("pos pos={start} moves=\"32-28 19-23 28x19x23 14x23x19 33-29 23-28 38-32 20-24\""),
        "level move-time=1",
        "go think",
        "quit",
    ];
    assert_eq!(fake.heard(), expected);
}

#[test]
fn version_1_is_spoken_word_by_word() {
    let go = r#"echo "info 9 8.5 -25 1000 0.10 0.5 32-28 17-22"; echo "move 33-28 18-23""#;
    let fake = fake("one", ONE, go);
    let mut engine = fake.start("international").unwrap();
    assert_eq!(engine.name(), "One 2.0");
    engine.new_game().unwrap();
    let game = game("international", &["32-27", "20-24"]);
    let m = engine.choose(&game, SECOND, None).unwrap();
    assert_eq!(notation::short(game.rules(), &m), "33-28");
    let info = engine.last_info().unwrap();
    assert_eq!((info.depth, info.score, info.nodes), (Some(9), Some(-0.25), Some(1000)));
    let clock = Clock { time: Duration::from_secs(60), increment: Duration::from_millis(100), moves: None };
    engine.choose_within(&game, &Budget { clock: Some(clock), ..Budget::default() }).unwrap();
    let error = error(engine.choose(&game, None, Some(1000)));
    assert!(error.to_string().contains("no limit of nodes"), "{error}");
    drop(engine);
    let position = format!("pos w{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    let expected = [
        "hub",
        "set book false",
        "init",
        "new",
        &position,
        "move 32-27",
        "move 20-24",
        "time 1000",
        "go",
        &position,
        "move 32-27",
        "move 20-24",
        "level 0 60000 100",
        "go",
        "quit",
    ];
    assert_eq!(fake.heard(), expected);
}

#[test]
fn the_variant_is_what_the_engine_knows() {
    let go = r#"echo "done move=21-17""#;
    let fake = fake("variants", TWO, go);
    drop(fake.start("italian").unwrap());
    drop(fake.start("italian,capture=optional").unwrap());
    drop(fake.start("killer").unwrap());
    let heard = fake.heard();
    let variants: Vec<&String> = heard.iter().filter(|line| line.contains("variant")).collect();
    let expected = [
        "set-param name=variant value=italian",
        "set-param name=variant value=\"italian,capture=optional\"",
        "set-param name=variant value=killer",
    ];
    assert_eq!(variants, expected);
    let refused = error(fake.start("brazilian")).to_string();
    assert!(refused.contains("does not play brazilian (it plays normal killer italian)"), "{refused}");
    let refused = error(self::fake("variants1", ONE, go).start("italian")).to_string();
    assert!(refused.contains("does not play italian"), "{refused}");
}

#[test]
fn a_dying_engine_is_reported_with_its_last_words() {
    let dying = [
        ("at once", "echo 'no licence' >&2; exit 3", "getting ready"),
        ("greeted", "read -r line; echo 'id name=X version=1'; exit 3", "getting ready"),
        ("starting", "read -r line; echo 'id name=X'; echo wait; read -r line; exit 3", "getting ready"),
    ];
    for (when, script, doing) in dying {
        let fake = fake(&format!("dying-{}", when.replace(' ', "-")), script, "");
        let error = error(HubEngine::start(&fake.command, &known("international"), patient()));
        assert_eq!(error.doing, doing, "{when}: {error}");
        assert!(
            matches!(error.cause, Cause::Ended(Some(status)) if status.code() == Some(3)),
            "{when}: {error}"
        );
    }
    let fake = fake("dying-thinking", TWO, r#"echo "out of memory" >&2; exit 4"#);
    let mut engine = fake.start("international").unwrap();
    let error = error(engine.choose(&game("international", &[]), SECOND, None));
    assert_eq!(error.doing, "thinking");
    let text = error.to_string();
    assert!(text.contains("it ended (exit status: 4)") && text.contains("out of memory"), "{text}");
    // It stays dead.
    assert!(matches!(self::error(engine.new_game()).cause, Cause::Ended(_)));
}

#[test]
fn what_is_no_program_is_reported() {
    let rules = known("international");
    let start = |command: &str| error(HubEngine::start(command, &rules, patient()));
    assert!(matches!(start("/nonexistent/engine hub").cause, Cause::Start(_)));
    assert!(matches!(start("").cause, Cause::Command));
    assert!(matches!(start("engine 'hub").cause, Cause::Command));
}

#[test]
fn a_silent_engine_is_not_waited_for() {
    let rules = known("international");
    let mute = fake("mute", "while read -r line; do :; done", "");
    let waited = error(HubEngine::start(&mute.command, &rules, impatient()));
    assert!(matches!(waited.cause, Cause::Silent(_)), "{waited}");
    let talking = fake("talking", "while :; do echo 'info depth=1' || exit; done", "");
    let waited = error(HubEngine::start(&talking.command, &rules, impatient()));
    assert!(matches!(waited.cause, Cause::Silent(_)), "{waited}");
    // It thinks until it is told to stop, and not even then.
    let thinking = fake("thinking", TWO, ":");
    let options = HubOptions { handshake: Duration::from_secs(20), ..impatient() };
    let mut engine = HubEngine::start(&thinking.command, &rules, options).unwrap();
    let waited = error(engine.choose(&game("international", &[]), Some(Duration::from_millis(1)), None));
    assert_eq!(waited.doing, "being stopped");
    assert!(matches!(waited.cause, Cause::Silent(_)), "{waited}");
    assert_eq!(thinking.heard().last().unwrap(), "stop");
}

#[test]
fn a_late_move_is_taken_after_stop() {
    let late = fake("late", &TWO.replace("quit)", "stop) echo 'done move=31-26' ;;\n    quit)"), ":");
    let options = HubOptions { handshake: Duration::from_secs(20), ..impatient() };
    let mut engine = HubEngine::start(&late.command, &known("international"), options).unwrap();
    let game = game("international", &[]);
    let m = engine.choose(&game, Some(Duration::from_millis(1)), None).unwrap();
    assert_eq!(notation::short(game.rules(), &m), "31-26");
}

#[test]
fn a_search_without_a_limit_is_refused() {
    let fake = fake("unlimited", TWO, ":");
    let mut engine = fake.start("international").unwrap();
    let error = error(engine.choose(&game("international", &[]), None, None));
    assert!(error.to_string().contains("needs a limit"), "{error}");
}

#[test]
fn a_line_of_a_megabyte_and_bytes_that_are_no_text_are_skipped() {
    let go = r#"head -c 1000000 /dev/zero | tr "\\0" "x"; echo; printf "\\377\\376\\000\\n"; echo "done move=32-28""#;
    let fake = fake("long", TWO, go);
    let mut engine = fake.start("international").unwrap();
    let game = game("international", &[]);
    let m = engine.choose(&game, SECOND, None).unwrap();
    assert_eq!(notation::short(game.rules(), &m), "32-28");
}

#[test]
fn moves_that_are_not_legal_are_named() {
    for (go, said) in [
        (r#"echo "done move=32-27x5""#, "32-27x5"),
        (r#"echo "done move=32-21""#, "no legal move goes this way"),
        (r#"echo "done move=hello""#, "hello"),
        (r#"echo "done move=99-98""#, "there is no square 99"),
        (r#"echo "done""#, "gave no move"),
    ] {
        let fake = fake("illegal", TWO, go);
        let mut engine = fake.start("international").unwrap();
        let error = error(engine.choose(&game("international", &[]), SECOND, None));
        assert!(error.to_string().contains(said), "{go}: {error}");
    }
}

#[test]
fn an_engine_that_does_not_leave_is_ended() {
    let script = "trap '' TERM HUP\nread -r line; echo \"id name=$$ version=\"; echo wait; read -r line; read -r line; echo ready\nwhile :; do sleep 1; done";
    let fake = fake("stubborn", script, "");
    let engine = fake.start("international").unwrap();
    let id: u32 = engine.name().parse().unwrap();
    let is_there =
        || Command::new("sh").args(["-c", &format!("kill -0 {id} 2>/dev/null")]).status().unwrap().success();
    assert!(is_there());
    drop(engine);
    assert!(!is_there());
}
