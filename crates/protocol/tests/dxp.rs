//! DXP: messages by their exact widths, and who may say what when.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::sync::Arc;

use damiera_protocol::dxp::{
    Acceptance, Ending, Event, Frames, GameRequest, Message, MoveMade, Reason, Session, Start, Terms,
};
use damiera_protocol::squares::{self, DXP};
use damiera_rules::presets::KEYS;
use damiera_rules::{Move, RuleSet, Side, fen, notation};
use proptest::prelude::*;

fn rules(name: &str) -> Arc<RuleSet> {
    Arc::new(RuleSet::parse(name).unwrap())
}

/// A request of White for a game of five minutes from the usual start.
fn request(start: Start) -> GameRequest {
    GameRequest {
        version: 1,
        name: "Initiator".to_owned(),
        follower: Side::Black,
        minutes: 5,
        moves: 75,
        start,
    }
}

fn terms(side: Side) -> Terms {
    Terms { side, minutes: 5, moves: 75 }
}

/// A follower and an initiator with White that have begun a game.
fn begun(name: &str) -> (Session, Session) {
    let rules = rules(name);
    let mut white = Session::initiator(Arc::clone(&rules), "White");
    let mut black = Session::follower(Arc::clone(&rules), "Black");
    let asked = white.ask(terms(Side::White), rules.initial()).unwrap();
    let events = carry(&mut black, asked);
    let [Event::Send(answer), Event::Started(begun)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(*begun, terms(Side::Black));
    let events = carry(&mut white, answer.clone());
    assert_eq!(events, [Event::Started(terms(Side::White)), Event::YourTurn]);
    (white, black)
}

/// Hands a message over as bytes, as a connection does.
fn carry(session: &mut Session, message: Message) -> Vec<Event> {
    let read: Vec<String> = Frames::new().push(&message.to_bytes()).into_iter().map(Result::unwrap).collect();
    let [text] = read.as_slice() else { panic!("{read:?}") };
    let back = Message::parse(text).unwrap();
    assert_eq!(back, message);
    session.receive(back).unwrap()
}

/// Plays a move of one session and tells the other.
fn play(from: &mut Session, to: &mut Session, text: &str) -> Vec<Event> {
    let m = notation::parse(from.game().rules(), from.game().position(), text).unwrap();
    let message = from.play(&m, 3).unwrap();
    carry(to, message)
}

#[test]
fn the_examples_of_the_specification() {
    for (text, message) in [
        (
            "R01Tornado voor Windows 4.0        W060065A",
            Message::Request(GameRequest {
                version: 1,
                name: "Tornado voor Windows 4.0".to_owned(),
                follower: Side::White,
                minutes: 60,
                moves: 65,
                start: Start::Usual,
            }),
        ),
        (
            "ATornado voor Windows 4.0        0",
            Message::Answer { name: "Tornado voor Windows 4.0".to_owned(), acceptance: Acceptance::Yes },
        ),
        ("M0012061100", Message::Move(MoveMade { seconds: 12, from: 6, to: 11, captured: vec![] })),
        (
            "M001205250422122320",
            Message::Move(MoveMade { seconds: 12, from: 5, to: 25, captured: vec![22, 12, 23, 20] }),
        ),
        ("E00", Message::End { reason: Reason::Unknown, stop: false }),
        ("CWhat do you think about move 35?", Message::Chat("What do you think about move 35?".to_owned())),
        ("B005Z", Message::BackRequest { number: 5, side: Side::Black }),
        ("K0", Message::BackAnswer(Acceptance::Yes)),
    ] {
        assert_eq!(Message::parse(text).unwrap(), message);
        assert_eq!(message.to_string(), text);
    }
}

#[test]
fn what_has_other_widths_is_refused_with_its_column() {
    for (text, error) in [
        ("", "column 1: expected R, A, M, E, C, B or K"),
        ("X", "is no message of this protocol"),
        ("M001206110", "column 10: expected a number of 2 digits"),
        ("M00120611001", "column 12: expected nothing more"),
        ("M0012061101", "column 12: expected a number of 2 digits"),
        ("M+012061100", "column 2: expected a number of 4 digits"),
        ("E4", "column 2: expected a reason, 0 to 3"),
        ("E02", "column 3: expected 0 or 1"),
        ("E0", "column 3: expected 0 or 1"),
        ("B005B", "column 5: expected W or Z"),
        ("Ashort0", "column 2: expected a name of 32 characters"),
        ("R01Tornado voor Windows 4.0        W060065C", "column 43: expected A or B"),
        ("K", "column 2: expected 0 to 3"),
    ] {
        let found = Message::parse(text).unwrap_err().to_string();
        assert!(found.contains(error), "{text}: {found}");
    }
}

#[test]
fn messages_are_cut_at_each_nul_however_the_bytes_come() {
    let bytes = b"E00\0CHello\0\0M0012061100\0K";
    for size in 1..bytes.len() {
        let mut frames = Frames::new();
        let texts: Vec<String> =
            bytes.chunks(size).flat_map(|part| frames.push(part)).map(Result::unwrap).collect();
        assert_eq!(texts, ["E00", "CHello", "M0012061100"]);
        assert!(frames.is_within());
    }
    let mut frames = Frames::new();
    let longest = [b'C'; 127];
    assert_eq!(frames.push(&longest).len(), 0);
    assert!(frames.push(b"\0")[0].is_ok());
    frames.push(&vec![b'C'; 1 << 20]);
    let messages = frames.push(b"C\0E00\0");
    assert!(messages[0].is_err());
    assert_eq!(messages[1].as_ref().unwrap(), "E00");
}

#[test]
fn a_game_goes_from_request_to_end() {
    let (mut white, mut black) = begun("international");
    assert_eq!(black.opponent(), "White");
    assert_eq!(white.opponent(), "Black");
    assert!(white.play(&white.game().rules().moves(white.game().position())[0], 0).is_ok());
    let (mut white, _) = (begun("international").0, ());
    for (number, text) in ["32-28", "19-23", "28x19", "14x23"].into_iter().enumerate() {
        let (from, to) = if number % 2 == 0 { (&mut white, &mut black) } else { (&mut black, &mut white) };
        let events = play(from, to, text);
        let [Event::Moved { seconds: 3, .. }, Event::YourTurn] = events.as_slice() else {
            panic!("{events:?}")
        };
    }
    // Nobody ends a game out of turn.
    assert!(black.end(Reason::Lost, false).is_err());
    let end = white.end(Reason::Lost, true).unwrap();
    assert_eq!(end.to_string(), "E11");
    let events = carry(&mut black, end);
    let ending = Ending { by_us: false, reason: Reason::Lost, stop: true, fault: None };
    let answer = Message::End { reason: Reason::Unknown, stop: true };
    assert_eq!(events, [Event::Send(answer.clone()), Event::Ended(ending), Event::Left]);
    let ending = Ending { by_us: true, reason: Reason::Lost, stop: true, fault: None };
    assert_eq!(carry(&mut white, answer), [Event::Ended(ending), Event::Left]);
    assert!(!white.is_playing() && !black.is_playing());
}

#[test]
fn captured_squares_come_in_any_order() {
    let rules = rules("international");
    let start = fen::parse(&rules, "W:W32:B28,19,K5").unwrap();
    let mut black = Session::follower(Arc::clone(&rules), "Black");
    let position = squares::write_position(&rules, &start, &DXP);
    black.receive(Message::Request(request(Start::Position(position)))).unwrap();
    let events = black.receive(Message::parse("M00003214022819").unwrap()).unwrap();
    assert!(matches!(events[0], Event::Moved { .. }), "{events:?}");
}

#[test]
fn a_move_that_is_not_legal_ends_the_game_and_is_named() {
    let (_, mut black) = begun("international");
    let events =
        carry(&mut black, Message::Move(MoveMade { seconds: 0, from: 32, to: 21, captured: vec![27] }));
    let [Event::Send(Message::Chat(chat)), Event::Send(end)] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert!(chat.contains("M000032210127"), "{chat}");
    assert_eq!(*end, Message::End { reason: Reason::Unknown, stop: false });
    let events = carry(&mut black, end.clone());
    let [Event::Ended(Ending { by_us: true, fault: Some(fault), .. })] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert!(fault.contains("no legal move goes this way"), "{fault}");
}

#[test]
fn requests_are_refused_for_their_reason() {
    let international = rules("international");
    let answer = |session: &mut Session, text: &str| {
        let events = session.receive(Message::parse(text).unwrap()).unwrap();
        match &events[0] {
            Event::Send(Message::Answer { acceptance, .. }) => *acceptance,
            other => panic!("{other:?}"),
        }
    };
    let mut follower = Session::follower(Arc::clone(&international), "F");
    let name = format!("{:<32}", "X");
    assert_eq!(answer(&mut follower, "R02whatever a later version says"), Acceptance::Version);
    assert_eq!(answer(&mut follower, &format!("R01{name}W005000BW")), Acceptance::NotThis);
    let lost = format!("R01{name}W005000BW{}z", "e".repeat(49));
    assert!(Message::parse(&lost).is_ok());
    assert_eq!(answer(&mut follower, &format!("R01{name}W005000BW{}", "e".repeat(50))), Acceptance::NotThis);
    // A game for other rules has another number of squares.
    let mut italian = Session::follower(rules("italian"), "F");
    assert_eq!(answer(&mut italian, &format!("R01{name}W005000BW{}", "e".repeat(50))), Acceptance::NotThis);
    // The usual start has White to move.
    let mut american = Session::follower(rules("american"), "F");
    assert_eq!(answer(&mut american, &format!("R01{name}W005000A")), Acceptance::NotThis);
    assert_eq!(answer(&mut follower, &format!("R01{name}W005000A")), Acceptance::Yes);
    // One game at a time.
    assert_eq!(answer(&mut follower, &format!("R01{name}W005000A")), Acceptance::NotThis);
    assert!(follower.is_playing());
    let mut initiator = Session::initiator(international, "I");
    assert_eq!(answer(&mut initiator, &format!("R01{name}W005000A")), Acceptance::NotThis);
}

#[test]
fn a_refused_initiator_may_ask_again() {
    let rules = rules("international");
    let mut white = Session::initiator(Arc::clone(&rules), "White");
    for acceptance in [Acceptance::Version, Acceptance::NotThis, Acceptance::Never] {
        white.ask(terms(Side::White), rules.initial()).unwrap();
        assert!(white.ask(terms(Side::White), rules.initial()).is_err());
        let events = carry(&mut white, Message::Answer { name: "Black".to_owned(), acceptance });
        assert_eq!(events, [Event::Refused(acceptance)]);
    }
}

#[test]
fn moves_are_taken_back_on_request() {
    let (mut white, mut black) = begun("international");
    for (number, text) in ["32-28", "19-23", "28x19"].into_iter().enumerate() {
        let (from, to) = if number % 2 == 0 { (&mut white, &mut black) } else { (&mut black, &mut white) };
        play(from, to, text);
    }
    // What the game has not had, nobody goes back to.
    assert!(white.ask_back(3, Side::White).is_err());
    assert_eq!(
        carry(&mut black, Message::BackRequest { number: 3, side: Side::White }),
        [Event::Send(Message::BackAnswer(Acceptance::NotThis))]
    );
    assert_eq!(
        carry(&mut black, Message::BackRequest { number: 0, side: Side::White }),
        [Event::Send(Message::BackAnswer(Acceptance::NotThis))]
    );
    let back = white.ask_back(1, Side::Black).unwrap();
    let events = carry(&mut black, back.clone());
    assert_eq!(events, [Event::Send(Message::BackAnswer(Acceptance::Yes)), Event::WentBack, Event::YourTurn]);
    assert_eq!(carry(&mut white, Message::BackAnswer(Acceptance::Yes)), [Event::WentBack]);
    assert_eq!((white.game().ply(), black.game().ply()), (1, 1));
    assert_eq!(white.game().position(), black.game().position());
    // Refused, everything stays.
    white.ask_back(1, Side::White).unwrap();
    assert_eq!(carry(&mut white, Message::BackAnswer(Acceptance::NotThis)), [Event::StayedThere]);
    assert_eq!(white.game().ply(), 1);
    assert!(white.receive(Message::BackAnswer(Acceptance::Yes)).is_err());
}

/// The other program may grant it and forget everything after: a move made meanwhile would be one too many.
#[test]
fn who_waits_for_leave_to_go_back_makes_no_move() {
    let (mut white, mut black) = begun("international");
    play(&mut white, &mut black, "32-28");
    play(&mut black, &mut white, "19-23");
    let mine = white.game().legal_moves()[0];
    white.ask_back(1, Side::White).unwrap();
    assert!(white.is_waiting() && !white.is_our_turn() && white.is_asking_back());
    assert!(white.play(&mine, 0).is_err());
    // An answer does not say to what: one request at a time.
    assert!(white.ask_back(1, Side::Black).is_err());
    let late = Message::Move(MoveMade { seconds: 0, from: 18, to: 22, captured: vec![] });
    assert!(white.receive(late).is_err(), "it is White's turn all the same");
    let events = carry(&mut white, Message::BackAnswer(Acceptance::NotThis));
    assert_eq!(events, [Event::StayedThere, Event::YourTurn]);
    assert!(white.play(&mine, 0).is_ok());
}

/// What was asked in one game says nothing about the next.
#[test]
fn a_request_to_go_back_ends_with_its_game() {
    let (mut white, mut black) = begun("international");
    play(&mut white, &mut black, "32-28");
    white.ask_back(1, Side::White).unwrap();
    carry(&mut white, Message::End { reason: Reason::Lost, stop: false });
    assert!(!white.is_asking_back() && white.stay().is_empty());
}

/// A program that knows no take-back says nothing to it: the game goes on all the same.
#[test]
fn who_gets_no_answer_to_a_take_back_stays() {
    let (mut white, mut black) = begun("international");
    play(&mut white, &mut black, "32-28");
    white.ask_back(1, Side::White).unwrap();
    play(&mut black, &mut white, "19-23");
    assert!(!white.is_our_turn());
    assert_eq!(white.stay(), [Event::StayedThere, Event::YourTurn]);
    assert_eq!(white.stay(), []);
    assert!(white.receive(Message::BackAnswer(Acceptance::Yes)).is_err(), "it comes too late");
    let mine = white.game().legal_moves()[0];
    assert!(white.play(&mine, 0).is_ok());
}

/// A draw by our rules that the other program does not heed begins no new game: moves are counted on.
#[test]
fn a_game_that_goes_on_after_a_draw_counts_its_moves_on() {
    let rules = rules("international");
    let start = fen::parse(&rules, "W:WK48:BK5").unwrap();
    let mut black = Session::initiator(Arc::clone(&rules), "B");
    black.ask(Terms { moves: 40, ..terms(Side::Black) }, start).unwrap();
    let accepted = Message::Answer { name: "W".to_owned(), acceptance: Acceptance::Yes };
    carry(&mut black, accepted);
    let (theirs, mine) = ([(48, 43), (43, 48)], [(5, 10), (10, 5)]);
    let their_move = |ply: usize| {
        let (from, to) = theirs[ply / 2 % 2];
        Message::Move(MoveMade { seconds: 0, from, to, captured: vec![] })
    };
    let mut plies = 0;
    while black.game().outcome().is_none() {
        carry(&mut black, their_move(plies));
        let (from, to) = mine[plies / 2 % 2];
        let m = find(&black, from, to);
        black.play(&m, 0).unwrap();
        plies += 2;
    }
    assert!(plies > 4);
    carry(&mut black, their_move(plies));
    assert_eq!(black.ply(), plies + 1);
    // Only what came after can be taken back.
    assert!(black.ask_back(1, Side::White).is_err());
    let number = (plies / 2 + 1) as u16;
    black.ask_back(number, Side::White).unwrap();
    assert_eq!(carry(&mut black, Message::BackAnswer(Acceptance::Yes)), [Event::WentBack]);
    assert_eq!(black.ply(), plies);
}

fn find(session: &Session, from: u8, to: u8) -> Move {
    let rules = session.game().rules();
    let text = format!("{from}-{to}");
    notation::parse(rules, session.game().position(), &text).unwrap()
}

#[test]
fn what_has_no_place_changes_nothing() {
    let rules = rules("international");
    let quiet = Message::Move(MoveMade { seconds: 0, from: 32, to: 28, captured: vec![] });
    let answer = Message::Answer { name: "A".to_owned(), acceptance: Acceptance::Yes };
    let mut idle = Session::follower(Arc::clone(&rules), "F");
    assert!(idle.receive(quiet.clone()).is_err());
    assert!(idle.receive(answer.clone()).is_err());
    assert_eq!(idle.receive(Message::End { reason: Reason::Won, stop: false }).unwrap(), []);
    assert_eq!(idle.receive(Message::End { reason: Reason::Won, stop: true }).unwrap(), [Event::Left]);
    assert_eq!(idle.receive(Message::Chat("hello".to_owned())).unwrap(), [Event::Chat("hello".to_owned())]);
    let (mut white, mut black) = begun("international");
    assert!(white.receive(quiet.clone()).is_err(), "it is White's own turn");
    assert!(white.receive(answer).is_err());
    assert!(black.play(&rules.moves(&rules.initial())[0], 0).is_err());
    carry(&mut black, quiet);
    assert!(black.is_our_turn());
}

#[test]
fn whole_games_are_played_in_every_rule_set() {
    for key in KEYS {
        let rules = rules(key);
        let (mut white, mut black) =
            (Session::initiator(Arc::clone(&rules), "W"), Session::follower(Arc::clone(&rules), "B"));
        let asked = white.ask(terms(Side::White), rules.initial()).unwrap();
        assert!(asked.to_string().len() <= 127, "{key}");
        let mut to_white: Vec<Event> = Vec::new();
        for event in carry(&mut black, asked) {
            if let Event::Send(message) = event {
                to_white.extend(carry(&mut white, message));
            }
        }
        let mut ended = 0;
        let mut choice = 7_usize;
        while ended < 2 {
            let (mover, other) =
                if white.is_our_turn() { (&mut white, &mut black) } else { (&mut black, &mut white) };
            let message = match mover.verdict() {
                Some(reason) => mover.end(reason, false).unwrap(),
                None => {
                    let moves = mover.game().legal_moves();
                    choice = choice.wrapping_mul(31).wrapping_add(11);
                    let m = moves[choice % moves.len()];
                    mover.play(&m, 1).unwrap()
                }
            };
            for event in carry(other, message) {
                match event {
                    Event::Send(answer) => {
                        let events = carry(mover, answer);
                        ended += events.iter().filter(|event| matches!(event, Event::Ended(_))).count();
                    }
                    Event::Ended(ending) => {
                        assert!(!ending.by_us, "{key}");
                        ended += 1;
                    }
                    Event::Moved { .. } | Event::YourTurn => {}
                    other => panic!("{key}: {other:?}"),
                }
            }
        }
        assert_eq!(white.game().position(), black.game().position(), "{key}");
        assert!(white.game().ply() > 10, "{key}");
    }
}

fn side() -> impl Strategy<Value = Side> {
    prop::sample::select(vec![Side::White, Side::Black])
}

fn acceptance() -> impl Strategy<Value = Acceptance> {
    prop::sample::select(vec![Acceptance::Yes, Acceptance::Version, Acceptance::NotThis, Acceptance::Never])
}

fn name() -> impl Strategy<Value = String> {
    "([!-~]([ -~]{0,30}[!-~])?)?"
}

fn message() -> impl Strategy<Value = Message> {
    let start = prop_oneof![Just(Start::Usual), "[WZ][wzWZe]{32,72}".prop_map(Start::Position)];
    let request = (name(), side(), 0_u16..1000, 0_u16..1000, start).prop_map(
        |(name, follower, minutes, moves, start)| {
            Message::Request(GameRequest { version: 1, name, follower, minutes, moves, start })
        },
    );
    let made = (0_u16..10_000, 1_u8..73, 1_u8..73, prop::collection::vec(1_u8..73, 0..21))
        .prop_map(|(seconds, from, to, captured)| Message::Move(MoveMade { seconds, from, to, captured }));
    let reason = prop::sample::select(vec![Reason::Unknown, Reason::Lost, Reason::Draw, Reason::Won]);
    prop_oneof![
        request,
        (name(), acceptance()).prop_map(|(name, acceptance)| Message::Answer { name, acceptance }),
        made,
        (reason, any::<bool>()).prop_map(|(reason, stop)| Message::End { reason, stop }),
        "[ -~]{0,126}".prop_map(Message::Chat),
        (0_u16..1000, side()).prop_map(|(number, side)| Message::BackRequest { number, side }),
        acceptance().prop_map(Message::BackAnswer),
    ]
}

proptest! {
    #[test]
    fn every_message_is_read_back(message in message()) {
        let text = message.to_string();
        prop_assert!(text.len() <= 127 && text.is_ascii());
        prop_assert_eq!(Message::parse(&text).unwrap(), message);
    }

    #[test]
    fn a_longer_or_a_shorter_message_is_never_read(message in message()) {
        let text = message.to_string();
        // Chat and positions have no width of their own.
        if !matches!(message, Message::Chat(_) | Message::Request(GameRequest { start: Start::Position(_), .. })) {
            prop_assert!(Message::parse(&text[..text.len() - 1]).is_err());
            let longer = format!("{}0", text);
            prop_assert!(Message::parse(&longer).is_err());
        }
    }

    #[test]
    fn whatever_is_said_a_session_goes_on(messages in prop::collection::vec(message(), 0..20), texts in prop::collection::vec("\\PC{0,130}", 0..5)) {
        let mut session = Session::follower(rules("international"), "F");
        for message in messages {
            let _ = session.receive(message);
            if session.is_our_turn() {
                let m = session.game().legal_moves().first().copied();
                if let Some(m) = m {
                    session.play(&m, 0).unwrap();
                }
            }
        }
        for text in texts {
            let _ = Message::parse(&text);
            Frames::new().push(text.as_bytes());
        }
    }
}
