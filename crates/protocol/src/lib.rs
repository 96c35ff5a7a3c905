//! Hub and DXP, the protocols that draughts programs speak with each other: messages, and who may say what when.
//!
//! - [`hub`]: an engine on standard input and output, version 2 as an engine and versions 1 and 2 as the program that uses one.
//! - [`dxp`]: two programs that play games over a connection (DamExchange).
//! - [`squares`]: positions and moves as both of them write them.
//!
//! ```
//! use damiera_protocol::hub::{Command, Reply};
//!
//! assert_eq!(Command::parse("go think")?, Some(Command::Go(damiera_protocol::hub::Mode::Think)));
//! assert_eq!(Reply::Pong.to_string(), "pong");
//! # Ok::<(), damiera_protocol::hub::HubError>(())
//! ```
//!
//! Architecture invariants: no sockets, no processes, no threads, no clock; lines and messages come in, lines, messages and events go out. Whatever the other program
//! sends ends in an event or an error, never in a panic.
#![forbid(unsafe_code)]

pub mod dxp;
pub mod hub;
pub mod squares;
