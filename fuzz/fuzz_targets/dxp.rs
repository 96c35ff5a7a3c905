//! Bytes of a DXP partner, to both ends of a session. What is read and written again is read as the same.
#![no_main]

use std::sync::Arc;

use damiera_protocol::dxp::{Frames, Message, Session, Terms};
use damiera_rules::{RuleSet, Side};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let rules = Arc::new(RuleSet::known("international").expect("a known key"));
    let mut follower = Session::follower(Arc::clone(&rules), "F");
    let mut initiator = Session::initiator(Arc::clone(&rules), "I");
    let terms = Terms { side: Side::White, minutes: 5, moves: 0 };
    initiator.ask(terms, rules.initial()).expect("nothing was asked yet");
    let mut frames = Frames::new();
    for text in frames.push(data).into_iter().flatten() {
        let Ok(message) = Message::parse(&text) else { continue };
        let written = message.to_string();
        assert!(written.len() <= 127);
        // What commands a screen is read, but never sent.
        if !text.contains(|c: char| c.is_ascii_control()) {
            assert_eq!(Message::parse(&written).as_ref(), Ok(&message), "{text:?}");
        }
        for session in [&mut follower, &mut initiator] {
            let _ = session.receive(message.clone());
            let first = session.game().legal_moves().first().copied();
            if let Some(m) = first.filter(|_| session.is_our_turn()) {
                session.play(&m, 0).expect("a legal move on our turn");
            }
        }
    }
});
