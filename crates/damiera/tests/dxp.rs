//! `damiera dxp` as other programs meet it: real processes and real connections.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use damiera_protocol::dxp::{Frames, Message};

/// The program. It is ended when the test is over, however that comes about.
struct Dxp {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// What became of a program: its exit status, what it said, what it complained of.
struct Ran {
    status: Option<i32>,
    out: String,
    err: String,
}

impl Dxp {
    fn start(args: &[&str]) -> Dxp {
        let mut command = Command::new(env!("CARGO_BIN_EXE_damiera"));
        command.arg("dxp").args(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Dxp { child, input, output }
    }
    /// A program that waits for one other, and the address where it does.
    fn serve(args: &[&str]) -> (Dxp, String) {
        let mut dxp =
            Dxp::start(&[&["serve", "--once", "--listen", "127.0.0.1:0", "--hash", "1"], args].concat());
        let line = dxp.line();
        let address = line.strip_prefix("waiting on ").unwrap_or_else(|| panic!("{line}")).to_owned();
        (dxp, address)
    }
    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "the program has ended");
        line.trim_end().to_owned()
    }
    /// Waits until it ends by itself.
    fn end(mut self) -> Ran {
        let (mut out, mut err) = (String::new(), String::new());
        self.output.read_to_string(&mut out).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        let status = self.child.wait().unwrap().code();
        assert!(!err.contains("panicked"), "{err}");
        Ran { status, out, err }
    }
}

impl Drop for Dxp {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A partner that says what the test wants.
struct Partner {
    stream: TcpStream,
    frames: Frames,
    heard: Vec<Message>,
}

impl Partner {
    fn new(stream: TcpStream) -> Partner {
        Partner { stream, frames: Frames::new(), heard: Vec::new() }
    }
    fn connect(address: &str) -> Partner {
        Partner::new(TcpStream::connect(address).unwrap())
    }
    fn say(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
        self.stream.write_all(b"\0").unwrap();
    }
    /// Returns the next message.
    fn hear(&mut self) -> String {
        while self.heard.is_empty() {
            let mut buffer = [0; 512];
            let count = self.stream.read(&mut buffer).unwrap();
            assert!(count > 0, "the program has closed the connection");
            let texts = self.frames.push(&buffer[..count]);
            self.heard.extend(texts.into_iter().map(|text| Message::parse(&text.unwrap()).unwrap()));
        }
        self.heard.remove(0).to_string()
    }
}

/// Returns a request for a game of international draughts in which the program has this side.
fn request(side: char) -> String {
    format!("R01{:<32}{side}001000A", "Partner")
}

fn answer(acceptance: char) -> String {
    format!("A{:<32}{acceptance}", format!("Damiera {}", env!("CARGO_PKG_VERSION")))
}

#[test]
fn two_programs_play_whole_games_with_each_other() {
    for rules in ["italian", "spanish", "turkish", "russian"] {
        let (server, address) = Dxp::serve(&["--rules", rules, "--level", "1"]);
        let client = Dxp::start(&[
            "play", &address, "--rules", rules, "--level", "1", "--games", "2", "--moves", "60", "--hash",
            "1",
        ]);
        let (client, server) = (client.end(), server.end());
        assert_eq!(
            (client.status, server.status),
            (Some(0), Some(0)),
            "{rules}: {} {}",
            client.err,
            server.err
        );
        let moves = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| line.contains(". white ") || line.contains(". black "));
            lines.map(|line| line.split(" (").next().unwrap().to_owned()).collect()
        };
        let (played, seen) = (moves(&client.out), moves(&server.out));
        assert_eq!(played, seen, "{rules}");
        assert!(played.len() > 40, "{rules}: {}", client.out);
        for text in [
            "game 1: white against Damiera",
            "game 2: black against Damiera",
            "game 1 is over after",
            "game 2 is over after",
        ] {
            assert!(client.out.contains(text), "{rules}: {}", client.out);
        }
        assert!(server.out.contains("game 1: black against Damiera"), "{rules}: {}", server.out);
    }
}

#[test]
fn a_game_in_every_word_of_the_protocol() {
    let (mut server, address) = Dxp::serve(&["--rules", "international", "--level", "1"]);
    let mut partner = Partner::connect(&address);
    partner.say("CGood evening\u{7}");
    partner.say(&request('W'));
    assert_eq!(partner.hear(), answer('0'));
    let first = partner.hear();
    assert!(first.starts_with("M0000"), "{first}");
    // Back to the beginning: the program is to move there, and moves.
    partner.say("B001W");
    assert_eq!(partner.hear(), "K0");
    assert!(partner.hear().starts_with("M0000"));
    partner.say("B040Z");
    assert_eq!(partner.hear(), "K2");
    // No game ends out of turn, but an end is always answered.
    partner.say("E20");
    assert_eq!(partner.hear(), "E00");
    partner.say(&request('Z'));
    assert_eq!(partner.hear(), answer('0'));
    partner.say("M00003228000");
    partner.say("M0000322800");
    assert!(partner.hear().starts_with("M0000"));
    // A person writes back.
    writeln!(server.input, "hello").unwrap();
    assert_eq!(partner.hear(), "Chello");
    writeln!(server.input, "/back 1 white").unwrap();
    assert_eq!(partner.hear(), "B001W");
    partner.say("K2");
    partner.say("E11");
    assert_eq!(partner.hear(), "E01");
    let ran = server.end();
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    for text in [
        "chat: Good evening\\u{7}",
        "game 1: white against Partner, 1 minute",
        "back to ply 0",
        "game 1 is over after 1 plies: the other program says that it is a draw",
        "game 2: black against Partner",
        "not understood: \"M00003228000\"",
        "the other program does not go back",
        "game 2 is over after 2 plies: the other program has lost",
        "the other program leaves",
    ] {
        assert!(ran.out.contains(text), "{text}: {}", ran.out);
    }
}

#[test]
fn a_position_is_asked_for_and_the_loser_ends_the_game() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    // White takes the last piece; the other program, to move, says that it has lost.
    let client =
        Dxp::start(&["play", &address, "--rules", "international", "--fen", "W:W32:B28", "--hash", "1"]);
    let mut partner = Partner::new(listener.accept().unwrap().0);
    let position = format!("W{}z{}w{}", "e".repeat(27), "e".repeat(3), "e".repeat(18));
    let name = format!("Damiera {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(partner.hear(), format!("R01{name:<32}Z005000B{position}"));
    partner.say(&format!("A{:<32}0", "Partner"));
    assert_eq!(partner.hear(), "M00003223 0128".replace(' ', ""));
    partner.say("E10");
    assert_eq!(partner.hear(), "E00");
    let ran = client.end();
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.contains("by the rules: white (no-pieces)"), "{}", ran.out);
}

#[test]
fn a_partner_that_goes_is_reported_at_every_stage() {
    type Stage = (&'static str, fn(&mut Partner));
    let stages: [Stage; 4] = [
        ("in the middle of a message", |partner| partner.stream.write_all(b"R01Half").unwrap()),
        ("in the middle of game 1, after 0 plies", |partner| {
            partner.say(&request('Z'));
            partner.hear();
        }),
        ("in the middle of game 1, after 1 plies", |partner| {
            partner.say(&request('W'));
            partner.hear();
            partner.hear();
        }),
        ("in the middle of game 1, after 0 plies", |partner| {
            partner.say(&request('Z'));
            partner.hear();
            partner.stream.write_all(&[b'C'; 1 << 20]).unwrap();
        }),
    ];
    for (said, stage) in stages {
        let (server, address) = Dxp::serve(&["--rules", "international", "--level", "1"]);
        let mut partner = Partner::connect(&address);
        stage(&mut partner);
        drop(partner);
        let ran = server.end();
        assert_eq!(ran.status, Some(2), "{said}: {}", ran.out);
        let text = format!("the other program has closed the connection {said}");
        assert!(ran.err.contains(&text), "{said}: {}", ran.err);
    }
    // Between two games anybody may go.
    let (server, address) = Dxp::serve(&["--rules", "international"]);
    drop(Partner::connect(&address));
    assert_eq!(server.end().status, Some(0));
}

#[test]
fn a_partner_that_goes_before_it_answers_is_reported() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let client = Dxp::start(&["play", &address, "--rules", "international", "--hash", "1"]);
    let mut partner = Partner::new(listener.accept().unwrap().0);
    partner.hear();
    drop(partner);
    let ran = client.end();
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("before it had answered"), "{}", ran.err);
}

/// A program that connects and says nothing does not keep the others waiting.
#[test]
fn a_partner_that_says_nothing_is_left_for_the_next() {
    let args = ["--rules", "international", "--level", "1", "--patience", "0.3s"];
    let mut server = Dxp::start(&[&["serve", "--listen", "127.0.0.1:0", "--hash", "1"][..], &args].concat());
    let line = server.line();
    let address = line.strip_prefix("waiting on ").unwrap();
    let _silent = Partner::connect(address);
    let mut second = Partner::connect(address);
    second.say(&request('W'));
    assert_eq!(second.hear(), answer('0'));
    assert!(second.hear().starts_with('M'));
    let lines: Vec<String> = (0..4).map(|_| server.line()).collect();
    assert!(lines.iter().any(|line| line.contains("has said nothing for 0.3 s")), "{lines:?}");
}

#[test]
fn refusals_are_reported() {
    for (digit, why) in [('1', "another version"), ('2', "not this game"), ('3', "no game at all")] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let client = Dxp::start(&["play", &address, "--rules", "international", "--hash", "1"]);
        let mut partner = Partner::new(listener.accept().unwrap().0);
        partner.hear();
        partner.say(&format!("A{:<32}{digit}", "Partner"));
        let ran = client.end();
        assert_eq!(ran.status, Some(2));
        assert!(ran.err.contains(&format!("Partner refuses: {why}")), "{}", ran.err);
    }
    let nobody = Dxp::start(&["play", "127.0.0.1:1", "--rules", "italian"]).end();
    assert_eq!(nobody.status, Some(2));
    assert!(nobody.err.contains("127.0.0.1:1"), "{}", nobody.err);
    // A position that cannot be read is no reason to call anybody.
    let unread = Dxp::start(&["play", "127.0.0.1:1", "--rules", "italian", "--fen", "x"]).end();
    assert_eq!(unread.status, Some(2));
    assert!(unread.err.contains("--fen"), "{}", unread.err);
}

#[test]
fn an_illegal_move_ends_the_game_and_is_named() {
    let (server, address) = Dxp::serve(&["--rules", "international", "--level", "1"]);
    let mut partner = Partner::connect(&address);
    partner.say(&request('Z'));
    partner.hear();
    partner.say("M0000322100");
    assert!(partner.hear().starts_with("Cthe move M0000322100 cannot be played"));
    assert_eq!(partner.hear(), "E00");
    partner.say("E00");
    let ran = server.end();
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("the move M0000322100 cannot be played"), "{}", ran.err);
}

#[test]
fn garbage_does_not_end_a_game() {
    let (server, address) = Dxp::serve(&["--rules", "international", "--level", "1"]);
    let mut partner = Partner::connect(&address);
    partner.stream.write_all(b"\xff\xfe\0\0\0garbage\0M\0").unwrap();
    partner.stream.write_all(&[b'x'; 100_000]).unwrap();
    partner.stream.write_all(b"\0").unwrap();
    partner.say(&request('W'));
    assert_eq!(partner.hear(), answer('0'));
    assert!(partner.hear().starts_with('M'));
    partner.say("E01");
    assert_eq!(partner.hear(), "E01");
    let ran = server.end();
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.contains("a message of more than 127 characters"), "{}", ran.out);
}
