//! What clients say: one variant a message, as in `docs/table.md`.

use damiera_rules::{Bits, Move, RuleSet, Side};
use serde::Deserialize;

use crate::seat::Seats;

/// A message: what it asks, under the client's own id.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Message {
    /// The client's own id, given back with the answer.
    pub id: String,
    /// What is asked.
    #[serde(flatten)]
    pub request: Request,
}

/// What a message asks.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum Request {
    /// Begins a game.
    New {
        /// Which.
        #[serde(flatten)]
        new: New,
        /// As in [`Request::Open`].
        #[serde(default)]
        paced: bool,
    },
    /// Subscribes to a game.
    Open {
        /// Which.
        game: String,
        /// Whether the computer is to take its time over its moves as a person does.
        #[serde(default)]
        paced: bool,
    },
    /// Plays a move.
    Move {
        /// In which game.
        game: String,
        /// After how many plies.
        ply: usize,
        /// The move.
        #[serde(flatten)]
        played: Played,
    },
    /// Asks why an attempt is refused.
    Explain {
        /// In which game.
        game: String,
        /// After how many plies.
        ply: usize,
        /// The attempted path.
        squares: Vec<String>,
    },
    /// Takes back a move.
    Takeback {
        /// In which game.
        game: String,
        /// After how many plies.
        ply: usize,
    },
    /// Asks for a hint.
    Hint {
        /// In which game.
        game: String,
        /// After how many plies.
        ply: usize,
    },
    /// Asks for an analysis of the position.
    Analyze {
        /// In which game.
        game: String,
        /// After how many plies.
        ply: usize,
        /// How many lines.
        #[serde(default = "one")]
        lines: usize,
    },
    /// Stops the analysis.
    StopAnalysis {
        /// In which game.
        game: String,
    },
    /// Gives up.
    Resign {
        /// In which game.
        game: String,
        /// After how many plies.
        ply: usize,
        /// Who, where two persons play.
        side: Option<Side>,
    },
    /// Offers a draw.
    OfferDraw {
        /// In which game.
        game: String,
        /// After how many plies.
        ply: usize,
    },
    /// Answers the offer of a draw.
    AnswerDraw {
        /// In which game.
        game: String,
        /// After how many plies.
        ply: usize,
        /// Whether it is accepted.
        accept: bool,
    },
    /// Claims a draw.
    Claim {
        /// In which game.
        game: String,
        /// After how many plies.
        ply: usize,
        /// By which clause.
        clause: String,
    },
    /// Begins a game with the same rules and the sides changed.
    Rematch {
        /// After which game.
        game: String,
        /// As in [`Request::Open`].
        #[serde(default)]
        paced: bool,
    },
}

/// A new game.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct New {
    /// The canonical name of the rules.
    pub rules: String,
    /// The players.
    pub seats: Seats,
    /// The position at the start; that of the rules when it is left out.
    #[serde(default)]
    pub fen: Option<String>,
    /// The opening: a list (`3-move`) to draw from by lot, or one of its ballots (`3-move:17`).
    #[serde(default)]
    pub opening: Option<String>,
}

/// A move as clients send it and the log keeps it: squares in the rule set's own naming.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, serde::Serialize)]
pub struct Played {
    /// Where it starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// The captured pieces in any order.
    #[serde(default)]
    pub captured: Vec<String>,
    /// Whether a man is crowned. A client may leave it out: the other fields decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promotes: Option<bool>,
}

impl Played {
    /// Returns a move in the names of a rule set's squares.
    pub fn of(rules: &RuleSet, m: &Move) -> Played {
        let name = |bit: u8| rules.board().name(bit);
        Played {
            from: name(m.from),
            to: name(m.to),
            captured: m.captured.iter().map(name).collect(),
            promotes: Some(m.promotes),
        }
    }
}

fn one() -> usize {
    1
}

impl Message {
    /// Reads a frame. The error carries the id, where one can be read.
    pub fn read(text: &str) -> Result<Message, (Option<String>, String)> {
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|error| (None, format!("not JSON: {error}")))?;
        let id = value.get("id").and_then(serde_json::Value::as_str).map(str::to_string);
        if id.as_ref().is_some_and(|id| id.len() > MAX_ID) {
            return Err((None, format!("an id has at most {MAX_ID} bytes")));
        }
        serde_json::from_value(value).map_err(|error| (id, error.to_string()))
    }
}

/// The longest id of a message, in bytes: it is sent back.
const MAX_ID: usize = 64;

impl Request {
    /// Returns the game that the message is about, once it exists.
    pub fn game(&self) -> Option<&str> {
        match self {
            Request::New { .. } => None,
            Request::Open { game, .. }
            | Request::Move { game, .. }
            | Request::Explain { game, .. }
            | Request::Takeback { game, .. }
            | Request::Hint { game, .. }
            | Request::Analyze { game, .. }
            | Request::StopAnalysis { game }
            | Request::Resign { game, .. }
            | Request::OfferDraw { game, .. }
            | Request::AnswerDraw { game, .. }
            | Request::Claim { game, .. }
            | Request::Rematch { game, .. } => Some(game),
        }
    }
    /// Returns the ply that the message answers.
    pub fn ply(&self) -> Option<usize> {
        match self {
            Request::New { .. }
            | Request::Open { .. }
            | Request::StopAnalysis { .. }
            | Request::Rematch { .. } => None,
            Request::Move { ply, .. }
            | Request::Explain { ply, .. }
            | Request::Takeback { ply, .. }
            | Request::Hint { ply, .. }
            | Request::Analyze { ply, .. }
            | Request::Resign { ply, .. }
            | Request::OfferDraw { ply, .. }
            | Request::AnswerDraw { ply, .. }
            | Request::Claim { ply, .. } => Some(*ply),
        }
    }
}
