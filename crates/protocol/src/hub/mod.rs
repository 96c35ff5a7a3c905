//! Hub, the protocol of an engine on standard input and output, a line a message.
//!
//! The specification is `protocol.txt` of Scan 3.1. [`Session`] is the engine's end, [`Client`] the other one, which also speaks version 1, the language of Scan 2.0.

mod client;
mod line;
mod message;
mod session;

pub use client::{Client, ClientError, Event, Version};
pub use line::HubError;
pub use message::{Budget, Clock, Command, Id, Info, Mode, Param, Reply};
pub use session::{Action, Session, Settings, Task, variant_name, variant_rules};
