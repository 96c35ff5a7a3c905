//! Tests of the move generator and of perft. One binary, because every generator in it takes its time to compile.

mod common;
mod oracle;
mod perft;
mod positions;
mod property;
