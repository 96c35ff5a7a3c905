//! The server as browsers and their users meet it.

mod analysis;
mod client;
mod files;
mod http;
mod play;
mod restart;
