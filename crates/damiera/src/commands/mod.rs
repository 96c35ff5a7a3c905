//! The subcommands, one module each: its arguments and what it does.

pub(crate) mod explain;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod replay;
pub(crate) mod rules;
