//! The games that are being played: who looks on, what is written, what the computer is asked.

mod hub;
mod room;
mod store;

pub(crate) use hub::Hub;
pub(crate) use room::Listener;
pub(crate) use store::Store;
