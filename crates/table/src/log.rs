//! The log of a game: what has happened, enough to restore it.

use damiera_rules::Side;
use serde::{Deserialize, Serialize};

use crate::message::Played;
use crate::opponent::Estimate;
use crate::seat::Seats;

/// One line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The number of the event, from 0.
    pub seq: u64,
    /// What happened.
    pub event: Event,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// What happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The game began.
    Created(Created),
    /// A move was played.
    Moved {
        /// The move.
        #[serde(flatten)]
        played: Played,
        /// What the computer thought of it, where it played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        score: Option<Estimate>,
    },
    /// The last plies were taken back.
    TookBack {
        /// How many.
        plies: usize,
    },
    /// A draw was offered.
    Offered {
        /// By whom.
        side: Side,
    },
    /// The offer was declined.
    Declined,
    /// The offer was accepted.
    Agreed,
    /// A draw was claimed.
    Claimed {
        /// By which clause.
        clause: String,
    },
    /// A player gave up.
    Resigned {
        /// Who.
        side: Side,
    },
}

/// How a game began.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Created {
    /// The canonical name of the rules.
    pub rules: String,
    /// The fingerprint of their complete table: a program whose rules differ does not go on with the game.
    pub fingerprint: String,
    /// The position at the start.
    pub fen: String,
    /// The players.
    pub seats: Seats,
    /// The seed of the computer's choices.
    pub seed: u64,
}
