//! Files of games in PDN: kept on a shelf, listed, searched, replayed, and given back clean.
//!
//! A file is kept under a hash of its bytes, so that the same file has the same address for everybody who has it, today and after a restart. It is read once,
//! when it comes in; from then on the place of each game is known, and one game of twenty thousand is read as fast as the first.

mod index;
mod replay;
mod routes;
mod say;
mod store;

pub(crate) use routes::{PDN, routes};
pub(crate) use store::Shelf;

use std::io;

/// Why something cannot be done with a file.
#[derive(Debug)]
pub(crate) enum Refused {
    /// It has more bytes than are kept, as it came or unpacked.
    TooLarge(u64),
    /// It has more games than are listed.
    TooManyGames(usize),
    /// Nothing in it looks like a game.
    NoGames,
    /// It is packed and cannot be unpacked.
    Unreadable(io::Error),
    /// There is no such file or game.
    Unknown,
    /// The disk refuses.
    Disk(io::Error),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Disk(error)
    }
}
