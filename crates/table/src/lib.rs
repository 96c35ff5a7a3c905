//! One game at a table: seats, messages in, events out, a log that restores it.
//!
//! Architecture invariants: no sockets, no files, no clock, no random numbers (both are passed in); it never waits for the computer.
#![forbid(unsafe_code)]

pub mod json;
