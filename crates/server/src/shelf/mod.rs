//! Files of games in PDN: kept on a shelf, listed, searched, replayed, and given back clean.
//!
//! A file is kept under a hash of its bytes, so that the same file has the same address for everybody who has it, today and after a restart. It is read once,
//! when it comes in; from then on the place of each game is known, and one game of twenty thousand is read as fast as the first.

mod replay;
mod routes;
mod say;
mod store;

pub(crate) use routes::{PDN, routes};
pub(crate) use store::Shelf;

use std::{fmt, io};

use damiera_collection::Error;

/// Why something cannot be done with a file.
#[derive(Debug)]
pub(crate) enum Refused {
    /// It has more bytes than are kept, as it came or unpacked.
    TooLarge(u64),
    /// Nothing in it looks like a game.
    NoGames,
    /// It is packed and cannot be unpacked.
    Unreadable(io::Error),
    /// There is no such file or game.
    Unknown,
    /// It lies outside and is not what it was when it was read.
    Changed,
    /// It lies outside and is packed, or in UTF-16: its games cannot be read one by one.
    Packed,
    /// It is being read just now.
    Busy,
    /// Words that cannot be searched for.
    Query(String),
    /// A position that is searched for cannot be read.
    Position(String),
    /// The index of all games is damaged; it is made again when it is next asked for something.
    Damaged(Error),
    /// The disk refuses.
    Disk(io::Error),
}

impl Refused {
    /// Returns the code that the page knows (`docs/games.md`).
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Refused::TooLarge(_) => "too-large",
            Refused::NoGames => "no-games",
            Refused::Unreadable(_) | Refused::Packed => "unreadable",
            Refused::Position(_) => "position",
            Refused::Query(_) => "query",
            Refused::Unknown => "unknown",
            Refused::Changed => "changed",
            Refused::Busy => "busy",
            Refused::Damaged(_) | Refused::Disk(_) => "disk",
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::TooLarge(most) => write!(f, "more than {most} bytes"),
            Refused::NoGames => f.write_str("there is no game in it"),
            Refused::Unreadable(error) | Refused::Disk(error) => error.fmt(f),
            Refused::Unknown => f.write_str("there is no such file or game"),
            Refused::Changed => {
                f.write_str("the file has changed since it was read; start the program again")
            }
            Refused::Packed => {
                f.write_str("the file is packed or in UTF-16; unpack it, or open it in the page")
            }
            Refused::Busy => f.write_str("the file is being read just now; ask again"),
            Refused::Query(why) | Refused::Position(why) => f.write_str(why),
            Refused::Damaged(error) => error.fmt(f),
        }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        match error {
            Error::Io(_, error) => Refused::Disk(error),
            Error::Changed(_) => Refused::Changed,
            Error::Overtaken(_) => Refused::Busy,
            Error::TooManyWords | Error::NoWord(_) => Refused::Query(error.to_string()),
            error if error.is_damage() => Refused::Damaged(error),
            error => Refused::Disk(io::Error::other(error)),
        }
    }
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Disk(error)
    }
}
