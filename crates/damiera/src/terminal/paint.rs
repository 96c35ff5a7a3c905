//! Colours, and pieces drawn in cells of a given size.

use ratatui::style::{Color, Modifier, Style as Paint};

use damiera_rules::Piece;

/// A square of the board on the screen: columns and rows of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    /// Columns.
    pub(super) width: u16,
    /// Rows.
    pub(super) height: u16,
}

/// The sizes in which squares are drawn, largest first. A character is about twice as high as wide, so most of them look square.
pub(super) const CELLS: [Cell; 5] = [
    Cell { width: 8, height: 4 },
    Cell { width: 6, height: 3 },
    Cell { width: 4, height: 2 },
    Cell { width: 4, height: 1 },
    Cell { width: 2, height: 1 },
];

/// What is marked about a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Mark {
    /// Nothing.
    #[default]
    None,
    /// The last move began or ended here.
    Last,
    /// What is typed may go on here.
    Target,
    /// A piece that must capture, or a square of the move that must be played instead.
    Better,
    /// A square that is typed already.
    Typed,
}

// Colours of the 256-colour palette, which nearly every terminal has. The board brings its own background, so it looks alike on light and dark ones.
const LIGHT_SQUARE: Color = Color::Indexed(187);
const DARK_SQUARE: Color = Color::Indexed(65);
const WHITE_PIECE: Color = Color::Indexed(231);
const BLACK_PIECE: Color = Color::Indexed(233);
const CROWN_ON_WHITE: Color = Color::Indexed(166);
const CROWN_ON_BLACK: Color = Color::Indexed(214);
const NUMBER_ON_DARK: Color = Color::Indexed(151);
const NUMBER_ON_LIGHT: Color = Color::Indexed(101);
const CURSOR: Color = Color::Indexed(39);

/// Returns the background of a square. Pieces stand on the playing squares, which are drawn light where the rules' tradition has it so.
pub(super) fn square(playing: bool, light: bool, mark: Mark, cursor: bool) -> Color {
    if cursor {
        return CURSOR;
    }
    match mark {
        Mark::None if playing == light => LIGHT_SQUARE,
        Mark::None => DARK_SQUARE,
        Mark::Last => Color::Indexed(if light { 180 } else { 101 }),
        Mark::Target => Color::Indexed(72),
        Mark::Better => Color::Indexed(137),
        Mark::Typed => Color::Indexed(179),
    }
}

/// One run of characters of one look.
pub(super) type Run = (String, Paint);

/// Returns one row of a square's characters: the number at its left, on boards that have numbers and where there is room, and the piece.
pub(super) fn coloured(
    cell: Cell,
    row: u16,
    number: Option<&str>,
    piece: Option<Piece>,
    ground: Color,
    light: bool,
) -> Vec<Run> {
    let width = usize::from(cell.width);
    let plain = Paint::new().bg(ground);
    let number_paint = plain.fg(if light { NUMBER_ON_LIGHT } else { NUMBER_ON_DARK });
    let written = number.filter(|_| row == 0 && cell.width >= 4).unwrap_or_default();
    let Some(piece) = piece else { return vec![(format!("{written:<width$}"), number_paint)] };
    let (text, part) = disc(cell.height, row, piece.king);
    let body = if piece.side.is_white() { WHITE_PIECE } else { BLACK_PIECE };
    let crown = if piece.side.is_white() { CROWN_ON_WHITE } else { CROWN_ON_BLACK };
    let paint = match part {
        Part::Body => plain.fg(body),
        Part::Crown => plain.fg(crown),
        Part::Written => Paint::new().bg(body).fg(crown).add_modifier(Modifier::BOLD),
    };
    let spare = width - text.chars().count().min(width);
    // A number takes two columns: in narrow squares the piece makes room for it.
    let left = if number.is_some() && cell.width <= 6 { spare } else { spare / 2 };
    vec![
        (format!("{written:<left$}"), number_paint),
        (text.to_owned(), paint),
        (" ".repeat(spare - left), plain),
    ]
}

/// How a row of a piece is coloured.
enum Part {
    Body,
    Crown,
    /// A crown written on the body.
    Written,
}

/// Returns one row of a piece. A king wears a crown, which also changes its outline, so that no colour is needed to tell it.
fn disc(height: u16, row: u16, king: bool) -> (&'static str, Part) {
    match (height, row, king) {
        (4, 0, false) | (3, 0, false) => ("▄▄▄▄", Part::Body),
        (4, 0, true) | (3, 0, true) => ("▙▟▙▟", Part::Crown),
        (4, 3, _) | (3, 2, _) => ("▀▀▀▀", Part::Body),
        (4, _, _) => ("██████", Part::Body),
        (3, _, _) => ("████", Part::Body),
        (2, 0, false) => ("▄▄", Part::Body),
        (2, 0, true) => ("▙▟", Part::Crown),
        (2, _, false) => ("▀▀", Part::Body),
        (_, _, true) if height == 1 => ("^^", Part::Written),
        _ => ("██", Part::Body),
    }
}

/// Returns one row of a square without colours: the number, and the piece's letter between the signs of its mark.
pub(super) fn lettered(
    cell: Cell,
    row: u16,
    number: Option<&str>,
    piece: Option<Piece>,
    playing: bool,
    mark: Mark,
) -> String {
    let width = usize::from(cell.width);
    if !playing {
        return " ".repeat(width);
    }
    let letter = piece.map_or('.', Piece::letter);
    let middle = usize::from(cell.height > 1);
    let number = number.filter(|_| row == 0 && cell.width >= 4).unwrap_or_default();
    if usize::from(row) != middle {
        return format!("{number:<width$}");
    }
    let (open, close) = match mark {
        Mark::None => (' ', ' '),
        Mark::Last => ('{', '}'),
        Mark::Target => ('(', ')'),
        Mark::Better => ('<', '>'),
        Mark::Typed => ('[', ']'),
    };
    match cell.width {
        2 => format!("{letter}{close}"),
        // On one row the number and the letter share the square.
        4 if cell.height == 1 => format!("{number:>2}{letter}{close}"),
        _ => format!("{:^width$}", format!("{open}{letter}{close}")),
    }
}
