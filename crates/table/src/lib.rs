//! One game at a table: seats, messages in, events out, a log that restores it.
//!
//! ```
//! use damiera_table::{Message, New, Seats, Seat, Table};
//!
//! let seats = Seats { white: Seat::Person, black: Seat::Person };
//! let (mut table, created) = Table::create("g1", New { rules: "italian".into(), seats, fen: None, opening: None }, 7, 0).expect("known rules");
//! let message = r#"{"t":"move","id":"1","game":"g1","ply":0,"from":"23","to":"20","captured":[]}"#;
//! let message = Message::read(message).expect("a message");
//! let effects = table.handle(&message, 1000).expect("a legal move");
//! assert_eq!(table.state(None).ply, 1);
//! // The log restores the game.
//! let log = [vec![created], effects.records].concat();
//! assert_eq!(Table::restore("g1", &log).expect("a sound log").state(None), table.state(None));
//! ```
//!
//! Architecture invariants: no sockets, no files, no clock, no random numbers (clock readings and seeds are passed in); the table never waits for the
//! computer: it asks by a [`Task`] and is told the [`Answer`].
#![forbid(unsafe_code)]

mod analysis;
mod computer;
pub mod json;
mod log;
mod message;
pub mod opening;
mod opponent;
mod pace;
mod reply;
mod seat;
mod table;

pub use analysis::{Analysis, LineJson, LineScore};
pub use computer::Computer;
pub use damiera_engine::{Ballot, Ballots, Level};
pub use log::{Created, Event, Opening, Record};
pub use message::{Message, New, Played, Request};
pub use opponent::{Answer, Choice, Estimate, Findings, Opponent, Question, Said, Task};
pub use reply::{
    AnalysisJson, Code, Entry, OpeningJson, Refusal, Reply, ResultJson, SeatJson, SeatsJson, State, Why,
};
pub use seat::{Seat, Seats};
pub use table::{Damage, Effects, Table};
