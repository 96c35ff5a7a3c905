//! Who sits at the table.

use damiera_engine::Level;
use damiera_rules::Side;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seat {
    /// Somebody in front of a screen.
    Person,
    /// The computer at this level.
    Computer(Level),
}

impl Seat {
    /// Reads `person`, `level:N` or `best`.
    pub fn parse(text: &str) -> Option<Seat> {
        if text == "person" {
            return Some(Seat::Person);
        }
        text.parse().ok().map(Seat::Computer)
    }
    /// Returns true for a person.
    pub fn is_person(self) -> bool {
        self == Seat::Person
    }
    /// Returns the computer's level.
    pub fn level(self) -> Option<Level> {
        match self {
            Seat::Person => None,
            Seat::Computer(level) => Some(level),
        }
    }
}

impl std::fmt::Display for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Seat::Person => f.write_str("person"),
            Seat::Computer(level) => level.fmt(f),
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
                "\"{}\" is no seat: person, level:1 to level:{}, or best",
                text.escape_debug(),
                Level::COUNT
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
