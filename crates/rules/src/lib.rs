//! Exact rules of draughts: every rule set as data, one move generator for all of them.
//!
//! ```
//! use damiera_rules::{RuleSet, fen, notation};
//!
//! let italian = RuleSet::known("italian").expect("a known key");
//! // Two men can be taken with the man on 21, one with the king on 22: the number decides.
//! let position = fen::parse(&italian, "W:W21,K22,K31:B11,18")?;
//! let moves = italian.moves(&position);
//! assert_eq!(moves.len(), 1);
//! assert_eq!(notation::full(&italian, &position, &moves[0]), "21x14x7");
//! # Ok::<(), fen::FenError>(())
//! ```
//!
//! Architecture invariants: no I/O, no clock, no global state, no `unsafe`. A position does not know the rules; a rule set does not know a game; nothing
//! here knows a player's language.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod bits;
pub mod board;
pub mod dispatch;
pub mod draws;
pub mod explain;
pub mod families;
pub mod fen;
pub mod game;
pub mod geometry;
pub mod hash;
mod list;
pub mod movegen;
pub mod movement;
pub mod notation;
pub mod perft;
pub mod position;
pub mod presets;
mod rulefile;
pub mod ruleset;
pub mod source;
pub mod walk;

pub use bits::Bits;
pub use board::{Board, Naming};
pub use dispatch::{Job, dispatch};
pub use draws::{Clause, Counters};
pub use game::{End, Game, Outcome};
pub use geometry::{Dir, Geometry, Shape};
pub use movement::{Movement, RuleSource};
pub use position::{Move, Piece, Position, Side};
pub use rulefile::RuleError;
pub use ruleset::{Goal, RuleSet};
