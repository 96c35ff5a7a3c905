//! Play in the terminal: a full screen where there is one, lines where the program is piped. Both speak to a [`Session`], which holds the table.

mod board;
mod command;
mod entry;
mod line;
mod paint;
mod screen;
mod session;
mod talk;
mod view;

use damiera_words::Lang;

pub(crate) use session::Session;

/// How the terminal is played in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Style {
    /// The language.
    pub(crate) lang: Lang,
    /// Letters and marks only, without colours or drawing characters.
    pub(crate) ascii: bool,
    /// Whether Black's side of the board is below.
    pub(crate) flipped: bool,
}

pub(crate) use line::play as play_lines;
pub(crate) use screen::play as play_on_screen;
