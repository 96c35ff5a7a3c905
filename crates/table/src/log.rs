//! The log of a game: what has happened, enough to restore it.

use damiera_engine::Level;
use damiera_rules::Side;
use serde::{Deserialize, Serialize};

use crate::message::Played;
use crate::opponent::Estimate;
use crate::seat::{Seat, Seats};

/// The version of the log that is written. Version 1, of which the first records say nothing, counted three levels.
pub(crate) const VERSION: u32 = 2;
/// What the levels 1 to 3 of version 1 are today.
const LEVELS_OF_VERSION_1: [u8; 3] = [3, 7, 10];

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
    /// The version of the log.
    #[serde(default = "first_version")]
    pub version: u32,
    /// The canonical name of the rules.
    pub rules: String,
    /// The fingerprint of their complete table: a program whose rules differ does not go on with the game.
    pub fingerprint: String,
    /// The position at the start.
    pub fen: String,
    /// The opening that was played before the players took over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// The players.
    pub seats: Seats,
    /// The seed of the computer's choices.
    pub seed: u64,
}

/// An opening of a tournament's list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// The name of the list.
    pub list: String,
    /// The number of the ballot.
    pub number: u16,
    /// Its moves.
    pub moves: Vec<Played>,
}

fn first_version() -> u32 {
    1
}

impl Created {
    /// Returns who sits where, in the levels of today.
    pub(crate) fn seats_today(&self) -> Seats {
        let today = |seat| if self.version == 1 { from_version_1(seat) } else { seat };
        Seats { white: today(self.seats.white), black: today(self.seats.black) }
    }
}

fn from_version_1(seat: Seat) -> Seat {
    let old =
        seat.level().and_then(Level::number).and_then(|old| LEVELS_OF_VERSION_1.get(usize::from(old) - 1));
    old.and_then(|number| Level::new(*number)).map_or(seat, Seat::Computer)
}
