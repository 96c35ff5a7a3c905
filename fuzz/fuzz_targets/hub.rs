//! Lines of Hub: to the engine's session, and to a client as replies. What is read and written again is read as the same.
#![no_main]

use std::sync::Arc;

use damiera_protocol::hub::{Action, Budget, Client, Command, Mode, Reply, Session, Settings};
use damiera_rules::{Game, RuleSet};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let rules = Arc::new(RuleSet::known("italian").expect("a known key"));
    let settings =
        Settings { rules: Arc::clone(&rules), megabytes: 1, threads: 1, level: None, seed: 0, lines: 1 };
    let mut session = Session::new("0", 10, settings);
    let (mut client, _) = Client::new(Arc::clone(&rules), Vec::new());
    let game = Game::new(Arc::clone(&rules), rules.initial());
    for line in text.lines() {
        for action in session.receive(line) {
            if let Action::Say(reply) = action {
                assert!(!reply.to_string().contains('\n'));
            }
        }
        if let Ok(Some(command)) = Command::parse(line) {
            written_again(&command);
        }
        let _ = Reply::parse(line);
        let _ = client.receive(line);
        let _ = client.go(&game, &Budget::default(), Mode::Think);
    }
});

/// What a command says survives being written, unless it has what the protocol cannot carry.
fn written_again(command: &Command) {
    let line = command.to_string();
    let again = Command::parse(&line).expect("what we write can be read");
    let is_plain = !line.chars().any(|c| c == '\'' || c.is_control());
    // Times have more digits than a Duration, and a value with spaces at its ends keeps them.
    if is_plain && !matches!(command, Command::Level(_)) {
        assert_eq!(again.as_ref(), Some(command), "{line}");
    }
}
