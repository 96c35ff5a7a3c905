//! The subcommands, one module each: its arguments and what it does.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod dxp;
pub(crate) mod explain;
pub(crate) mod hub;
pub(crate) mod match_play;
pub(crate) mod moves;
pub(crate) mod pdn;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod serve;
pub(crate) mod train;
