//! The server as browsers and their users meet it.

mod client;
mod http;
mod play;
mod restart;
