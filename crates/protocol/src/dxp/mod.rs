//! DXP, the DamExchange protocol: two programs play games with each other over a connection.
//!
//! The specification is at mesander.nl/damexchange. The **initiator** asks for games, the **follower** accepts or refuses them; messages
//! are ASCII of at most 127 characters, of fixed widths, each ended by a NUL. Other boards than the international one are the same messages with as many
//! squares as they have; both programs must know which rules they play, for no message says it.

mod frame;
mod message;
mod session;

pub use frame::Frames;
pub use message::{Acceptance, DxpError, GameRequest, Message, MoveMade, Reason, Start};
pub use session::{Ending, Event, Session, Terms};
