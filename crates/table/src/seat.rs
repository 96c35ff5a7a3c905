//! Who sits at the table.

use damiera_rules::Side;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seat {
    /// Somebody in front of a screen.
    Person,
    /// The computer at this level.
    Level(u8),
}

/// The levels that there are.
pub const LEVELS: std::ops::RangeInclusive<u8> = 1..=3;

impl Seat {
    /// Reads `person` or `level:N`.
    pub fn parse(text: &str) -> Option<Seat> {
        if text == "person" {
            return Some(Seat::Person);
        }
        let level = text.strip_prefix("level:")?.parse().ok()?;
        LEVELS.contains(&level).then_some(Seat::Level(level))
    }
    /// Returns true for a person.
    pub fn is_person(self) -> bool {
        self == Seat::Person
    }
    /// Returns the computer's level.
    pub fn level(self) -> Option<u8> {
        match self {
            Seat::Person => None,
            Seat::Level(level) => Some(level),
        }
    }
}

impl std::fmt::Display for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Seat::Person => f.write_str("person"),
            Seat::Level(level) => write!(f, "level:{level}"),
        }
    }
}

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        let text = String::deserialize(deserializer)?;
        Seat::parse(&text).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "\"{}\" is no seat: person or level:1 to level:3",
                text.escape_debug()
            ))
        })
    }
}

/// Both players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seats {
    /// Who has White.
    pub white: Seat,
    /// Who has Black.
    pub black: Seat,
}

impl Seats {
    /// Returns who has this side.
    pub fn of(&self, side: Side) -> Seat {
        if side.is_white() { self.white } else { self.black }
    }
    /// Returns the same players with the sides changed.
    #[must_use]
    pub fn changed(&self) -> Seats {
        Seats { white: self.black, black: self.white }
    }
    /// Returns the side of the only person, if there is exactly one.
    pub fn only_person(&self) -> Option<Side> {
        match (self.white.is_person(), self.black.is_person()) {
            (true, false) => Some(Side::White),
            (false, true) => Some(Side::Black),
            _ => None,
        }
    }
}
