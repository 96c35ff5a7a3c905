//! The messages, each read and written with its exact widths.

use std::fmt;

use damiera_rules::Side;

use crate::squares::shown;

/// The longest message, in characters.
pub(crate) const LONGEST: usize = 127;
const NAME_LEN: usize = 32;
/// The version of the protocol.
const VERSION: u8 = 1;
/// How many minutes or moves can be written.
pub(super) const MOST: u16 = 999;

/// Why a message cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DxpError {
    /// What is wrong and what is accepted.
    pub message: String,
}

impl DxpError {
    pub(crate) fn new(message: impl Into<String>) -> DxpError {
        DxpError { message: message.into() }
    }
}

impl fmt::Display for DxpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DxpError {}

/// What one program says to the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// `R`: the initiator asks for a game.
    Request(GameRequest),
    /// `A`: the follower's answer.
    Answer {
        /// Who the follower is.
        name: String,
        /// Whether it plays.
        acceptance: Acceptance,
    },
    /// `M`: a move.
    Move(MoveMade),
    /// `E`: the game ends; said only by the side to move, and answered by the other.
    End {
        /// Why.
        reason: Reason,
        /// Whether whoever says it wants no other game.
        stop: bool,
    },
    /// `C`: text for people.
    Chat(String),
    /// `B`: a person wants to go back to a move.
    BackRequest {
        /// The number of the move, from 1.
        number: u16,
        /// Who is to move there.
        side: Side,
    },
    /// `K`: whether it is gone back.
    BackAnswer(Acceptance),
}

/// A game as the initiator wants it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRequest {
    /// The version of the protocol.
    pub version: u8,
    /// Who the initiator is.
    pub name: String,
    /// The side of the follower.
    pub follower: Side,
    /// The time of each player for the whole game, in minutes.
    pub minutes: u16,
    /// How many moves the game has; 0 for no limit.
    pub moves: u16,
    /// The first position.
    pub start: Start,
}

/// The position with which a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The usual one.
    Usual,
    /// The side to move and every square ([`crate::squares::DXP`]).
    Position(String),
}

/// An answer to a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acceptance {
    /// Yes.
    Yes,
    /// No: another version of the protocol is spoken here.
    Version,
    /// No, but another game may be asked for (of a request to go back: no, not to there).
    NotThis,
    /// No, and no other either.
    Never,
}

/// A move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveMade {
    /// How many seconds were thought about it.
    pub seconds: u16,
    /// The number of the square where it starts.
    pub from: u8,
    /// The number of the square where it ends.
    pub to: u8,
    /// The numbers of the captured squares, in any order.
    pub captured: Vec<u8>,
}

/// Why a game ends, from the point of view of who says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Nothing is said; always so in the answer to another end.
    Unknown,
    /// I give up, or have lost.
    Lost,
    /// A draw.
    Draw,
    /// I win.
    Won,
}

impl Acceptance {
    fn digit(self) -> char {
        match self {
            Acceptance::Yes => '0',
            Acceptance::Version => '1',
            Acceptance::NotThis => '2',
            Acceptance::Never => '3',
        }
    }
    fn of_digit(digit: char) -> Option<Acceptance> {
        let all = [Acceptance::Yes, Acceptance::Version, Acceptance::NotThis, Acceptance::Never];
        all.into_iter().find(|acceptance| acceptance.digit() == digit)
    }
}

impl Reason {
    fn digit(self) -> char {
        match self {
            Reason::Unknown => '0',
            Reason::Lost => '1',
            Reason::Draw => '2',
            Reason::Won => '3',
        }
    }
    fn of_digit(digit: char) -> Option<Reason> {
        let all = [Reason::Unknown, Reason::Lost, Reason::Draw, Reason::Won];
        all.into_iter().find(|reason| reason.digit() == digit)
    }
}

fn side_letter(side: Side) -> char {
    crate::squares::DXP.sides[side as usize]
}

impl Message {
    /// Reads a message, without the NUL behind it.
    pub fn parse(text: &str) -> Result<Message, DxpError> {
        if text.len() > LONGEST {
            return Err(DxpError::new(format!("a message of {} characters; at most {LONGEST}", text.len())));
        }
        let mut fields = Fields { text, rest: text };
        let message = match fields.char("R, A, M, E, C, B or K", Some)? {
            'R' => Message::Request(fields.request()?),
            'A' => Message::Answer {
                name: fields.name()?,
                acceptance: fields.char("0 to 3", Acceptance::of_digit)?,
            },
            'M' => Message::Move(fields.move_made()?),
            'E' => Message::End {
                reason: fields.char("a reason, 0 to 3", Reason::of_digit)?,
                stop: fields.char("0 or 1", |c| match c {
                    '0' => Some(false),
                    '1' => Some(true),
                    _ => None,
                })?,
            },
            'C' => Message::Chat(fields.everything().to_owned()),
            'B' => Message::BackRequest { number: fields.number(3)?, side: fields.side()? },
            'K' => Message::BackAnswer(fields.char("0 to 3", Acceptance::of_digit)?),
            _ => return Err(DxpError::new(format!("{} is no message of this protocol", shown(text)))),
        };
        if fields.rest.is_empty() { Ok(message) } else { Err(fields.error("nothing more")) }
    }
    /// Returns the bytes to send: the message and its NUL.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.to_string().into_bytes();
        bytes.push(0);
        bytes
    }
}

/// The fields of a message, read one after the other.
struct Fields<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Fields<'a> {
    fn error(&self, accepted: &str) -> DxpError {
        let column = self.text.len() - self.rest.len() + 1;
        DxpError::new(format!("{}, column {column}: expected {accepted}", shown(self.text)))
    }
    fn take(&mut self, len: usize, what: &str) -> Result<&'a str, DxpError> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or_else(|| self.error(what))?;
        self.rest = rest;
        Ok(taken)
    }
    fn everything(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }
    fn char<T>(&mut self, accepted: &str, read: impl Fn(char) -> Option<T>) -> Result<T, DxpError> {
        let found = self.rest.chars().next().and_then(|c| Some((c.len_utf8(), read(c)?)));
        let (len, value) = found.ok_or_else(|| self.error(accepted))?;
        self.take(len, accepted)?;
        Ok(value)
    }
    fn side(&mut self) -> Result<Side, DxpError> {
        self.char("W or Z", |c| [Side::White, Side::Black].into_iter().find(|side| side_letter(*side) == c))
    }
    fn number<T: std::str::FromStr>(&mut self, len: usize) -> Result<T, DxpError> {
        let accepted = format!("a number of {len} digits");
        let before = self.rest;
        let digits = self.take(len, &accepted)?;
        let number = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
        number.ok_or_else(|| {
            self.rest = before;
            self.error(&accepted)
        })
    }
    fn name(&mut self) -> Result<String, DxpError> {
        // A name is shown on people's screens: nothing in it may command them.
        Ok(plain(self.take(NAME_LEN, "a name of 32 characters")?.trim(), NAME_LEN))
    }
    fn request(&mut self) -> Result<GameRequest, DxpError> {
        let version = self.number(2)?;
        if version != VERSION {
            // What another version says behind its number is its own affair; the request is refused, not misread.
            self.everything();
            let (name, start) = (String::new(), Start::Usual);
            return Ok(GameRequest { version, name, follower: Side::White, minutes: 0, moves: 0, start });
        }
        let (name, follower) = (self.name()?, self.side()?);
        let (minutes, moves) = (self.number(3)?, self.number(3)?);
        let is_usual = self.char("A or B", |c| matches!(c, 'A' | 'B').then_some(c == 'A'))?;
        let start = if is_usual { Start::Usual } else { Start::Position(self.everything().to_owned()) };
        Ok(GameRequest { version, name, follower, minutes, moves, start })
    }
    fn move_made(&mut self) -> Result<MoveMade, DxpError> {
        let (seconds, from, to) = (self.number(4)?, self.number(2)?, self.number(2)?);
        let count: usize = self.number(2)?;
        let captured = (0..count).map(|_| self.number(2)).collect::<Result<_, _>>()?;
        Ok(MoveMade { seconds, from, to, captured })
    }
}

/// Returns a text as the protocol can carry it: printable ASCII, at most so long.
fn plain(text: &str, most: usize) -> String {
    text.chars().map(|c| if c.is_ascii() && !c.is_ascii_control() { c } else { '?' }).take(most).collect()
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Request(request) => {
                let (minutes, moves) = (request.minutes.min(MOST), request.moves.min(MOST));
                let name = plain(request.name.trim_start(), NAME_LEN);
                let follower = side_letter(request.follower);
                write!(
                    f,
                    "R{:02}{name:<NAME_LEN$}{follower}{minutes:03}{moves:03}",
                    request.version.min(99)
                )?;
                match &request.start {
                    Start::Usual => f.write_str("A"),
                    Start::Position(position) => write!(f, "B{position}"),
                }
            }
            Message::Answer { name, acceptance } => {
                write!(f, "A{:<NAME_LEN$}{}", plain(name.trim_start(), NAME_LEN), acceptance.digit())
            }
            Message::Move(m) => {
                write!(f, "M{:04}{:02}{:02}{:02}", m.seconds.min(9999), m.from, m.to, m.captured.len())?;
                m.captured.iter().try_for_each(|square| write!(f, "{square:02}"))
            }
            Message::End { reason, stop } => write!(f, "E{}{}", reason.digit(), u8::from(*stop)),
            Message::Chat(text) => write!(f, "C{}", plain(text, LONGEST - 1)),
            Message::BackRequest { number, side } => {
                write!(f, "B{:03}{}", number.min(&MOST), side_letter(*side))
            }
            Message::BackAnswer(acceptance) => write!(f, "K{}", acceptance.digit()),
        }
    }
}
