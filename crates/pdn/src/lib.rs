//! Games as PDN, read and written without losing anything. Nothing here opens a file or knows a clock.
//!
//! - [`scan`]: a streaming reader without rules: bytes in, events out, constant memory.
//! - [`read`]: on top of it a reader that knows the rule sets and yields trees of legal moves, with everything that was mended or lost.
//! - [`GameTree::pdn`]: the writer.
//!
//! ```
//! use std::ops::ControlFlow;
//! use damiera_pdn::{Options, Style, read};
//!
//! let file = b"[Bianco \"Fero\"] [GameType \"22\"] 1. 23-19 11-15 (11-14 {possibile}) 2. 21-17! 1/2-1/2";
//! read(&file[..], &Options::default(), &mut |game| {
//!     assert_eq!(
//!         game.tree.pdn(Style::default()).to_string(),
//!         "[White \"Fero\"]\n[Result \"1/2-1/2\"]\n[GameType \"22,W,8,8,N2,1\"]\n\n\
//!          1. 23-19 11-15 (1... 11-14 {possibile}) 2. 21-17! *\n\n"
//!     );
//!     ControlFlow::Continue(())
//! })?;
//! # Ok::<(), std::io::Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod fault;
mod guess;
mod mend;
mod movetext;
mod raw;
mod replay;
pub mod scan;
pub mod source;
mod tags;
pub mod text;
pub mod tree;
mod write;

pub use fault::{Code, Finding, Grade};
pub use guess::{Basis, Turn};
pub use replay::{GameRead, Options, Reader, Summary, read};
pub use tree::{GameTree, NodeId, Remarks, Step, Verdict};
pub use write::{Pdn, Style, tag_line};
