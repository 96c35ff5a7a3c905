//! What the table says: one variant a message, as in `docs/table.md`.

use damiera_engine::Level;
use damiera_rules::Side;
use serde::Serialize;

use crate::analysis::LineJson;
use crate::json::{CounterJson, MoveJson, RulesJson, StartJson};
use crate::seat::{Seat, Seats};

/// Why a message was refused. The game is as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The code.
    pub code: Code,
    /// What is wrong, for people who write clients.
    pub text: String,
    /// The reason code of `docs/reasons.md`, for an illegal move.
    pub reason: Option<&'static str>,
}

impl Refusal {
    /// Returns a refusal without a reason code.
    pub fn new(code: Code, text: impl Into<String>) -> Refusal {
        Refusal { code, text: text.into(), reason: None }
    }
    /// Returns the message to the client.
    pub fn reply(self, id: Option<String>) -> Reply {
        Reply::Error { id, code: self.code, text: self.text, reason: self.reason }
    }
}

/// The codes of errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// The message cannot be read.
    BadMessage,
    /// The frame or the game is too long.
    TooLong,
    /// There is no such game.
    UnknownGame,
    /// The rules cannot be read.
    UnknownRules,
    /// The position cannot be read.
    BadFen,
    /// The move is not legal.
    IllegalMove,
    /// The computer is to move, or nobody here has that side.
    NotYourTurn,
    /// The message answers a ply that is past.
    Stale,
    /// The game is over.
    Over,
    /// There is nothing to take back.
    NothingToTakeBack,
    /// No draw is offered.
    NoOffer,
    /// The draw cannot be claimed.
    CannotClaim,
}

/// A message to clients.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "e", rename_all = "snake_case")]
pub enum Reply {
    /// A message was refused.
    Error {
        /// The id of the message.
        id: Option<String>,
        /// The code.
        code: Code,
        /// What is wrong.
        text: String,
        /// The reason code of an illegal move.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'static str>,
    },
    /// Why an attempt is refused.
    Why(Box<Why>),
    /// A hint.
    Hint {
        /// The id of the message.
        id: String,
        /// In which game.
        game: String,
        /// After how many plies.
        ply: usize,
        /// The move.
        #[serde(rename = "move")]
        m: MoveJson,
    },
    /// What an analysis has found so far.
    Analysis(AnalysisJson),
    /// An offer of a draw was declined.
    DrawDeclined {
        /// In which game.
        game: String,
        /// After how many plies.
        ply: usize,
    },
    /// The game as it stands.
    State(Box<State>),
}

/// What an analysis has found so far.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AnalysisJson {
    /// The id of the message that asked for it.
    pub id: String,
    /// In which game.
    pub game: String,
    /// After how many plies.
    pub ply: usize,
    /// The deepest iteration that was finished.
    pub depth: u8,
    /// How many positions were entered.
    pub nodes: u64,
    /// How long it has taken, in seconds.
    pub seconds: f64,
    /// How many positions were entered a second.
    pub nodes_per_second: u64,
    /// The best lines, best first.
    pub lines: Vec<LineJson>,
    /// Whether this was the last word.
    pub done: bool,
}

/// Why an attempt is refused, or that it is legal.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Why {
    /// The id of the message.
    pub id: String,
    /// In which game.
    pub game: String,
    /// After how many plies.
    pub ply: usize,
    /// Whether the attempt is legal.
    pub legal: bool,
    /// The reason code.
    pub reason: &'static str,
    /// The attempt's number.
    pub n: Option<u32>,
    /// The number that was possible.
    pub m: Option<u32>,
    /// The square that the reason speaks of.
    pub square: Option<String>,
    /// The attempted move, where the board allows it and the ladder does not (or where it is legal).
    pub yours: Option<MoveJson>,
    /// The captures that are legal instead.
    pub better: Vec<MoveJson>,
}

/// A seat, as clients see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SeatJson {
    /// `person`, `level` or `best`.
    pub kind: &'static str,
    /// The number of the computer's level, unless it is the best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
}

impl From<Seat> for SeatJson {
    fn from(seat: Seat) -> SeatJson {
        match seat.level().map(Level::number) {
            None => SeatJson { kind: "person", level: None },
            Some(None) => SeatJson { kind: "best", level: None },
            Some(number) => SeatJson { kind: "level", level: number },
        }
    }
}

/// Both seats, as clients see them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SeatsJson {
    /// White's.
    pub white: SeatJson,
    /// Black's.
    pub black: SeatJson,
}

impl From<Seats> for SeatsJson {
    fn from(seats: Seats) -> SeatsJson {
        SeatsJson { white: seats.white.into(), black: seats.black.into() }
    }
}

/// The opening with which a game began.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OpeningJson {
    /// The name of the list.
    pub list: String,
    /// The number of the ballot.
    pub number: u16,
    /// How many plies it has.
    pub plies: usize,
}

/// A ply that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Entry {
    /// Its number, from 1.
    pub ply: usize,
    /// Who played.
    pub side: Side,
    /// The move in the rule set's notation.
    pub text: String,
    /// Where it started.
    pub from: String,
    /// Where it ended.
    pub to: String,
    /// The squares touched.
    pub path: Vec<String>,
    /// The captured pieces.
    pub captured: Vec<String>,
    /// Whether a man was crowned.
    pub promotes: bool,
    /// The board after it.
    pub board: String,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ResultJson {
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// The draw clause, or how it was won.
    pub clause: String,
}

/// The game as it stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct State {
    /// The id of the message that caused it, for who sent it.
    pub id: Option<String>,
    /// The game.
    pub game: String,
    /// The number of the last event.
    pub seq: u64,
    /// The rules.
    pub rules: RulesJson,
    /// The players.
    pub seats: SeatsJson,
    /// The position before the first ply.
    pub start: StartJson,
    /// The opening that was played for the players.
    pub opening: Option<OpeningJson>,
    /// How many plies were played.
    pub ply: usize,
    /// Whose turn it is.
    pub side: Side,
    /// The position as FEN.
    pub fen: String,
    /// The position as a board string.
    pub board: String,
    /// The legal moves.
    pub moves: Vec<MoveJson>,
    /// The plies played.
    pub history: Vec<Entry>,
    /// What the draw clauses have counted.
    pub counters: Vec<CounterJson>,
    /// The clauses that the player to move may claim.
    pub claimable: Vec<String>,
    /// Who offers a draw.
    pub offer: Option<Side>,
    /// Whether the computer is being waited for.
    pub thinking: bool,
    /// Whether every event is safely in the log; the server sets it.
    pub saved: bool,
    /// The result.
    pub result: Option<ResultJson>,
}
