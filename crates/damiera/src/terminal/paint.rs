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
const PALE: Color = Color::Indexed(187);
const GREEN: Color = Color::Indexed(65);
/// Playing squares where the tradition has them light: darker than [`PALE`], so that white pieces stand out.
const TAN: Color = Color::Indexed(179);
const WHITE_PIECE: Color = Color::Indexed(231);
const BLACK_PIECE: Color = Color::Indexed(233);
const CROWN_ON_WHITE: Color = Color::Indexed(202);
const CROWN_ON_BLACK: Color = Color::Indexed(220);
const NUMBER_ON_DARK: Color = Color::Indexed(151);
const NUMBER_ON_LIGHT: Color = Color::Indexed(94);
const NUMBER_ON_PIECE: Color = Color::Indexed(244);
const CURSOR: Color = Color::Indexed(39);

/// Returns the background of a square. Pieces stand on the playing squares, which are drawn light where the rules' tradition has it so.
pub(super) fn square(playing: bool, light: bool, mark: Mark, cursor: bool) -> Color {
    if cursor {
        return CURSOR;
    }
    match mark {
        Mark::None if playing && light => TAN,
        Mark::None if playing == light => PALE,
        Mark::None => GREEN,
        Mark::Last => Color::Indexed(if light { 136 } else { 101 }),
        Mark::Target => Color::Indexed(if light { 114 } else { 72 }),
        Mark::Better => Color::Indexed(if light { 173 } else { 130 }),
        Mark::Typed => Color::Indexed(if light { 208 } else { 172 }),
    }
}

/// One run of characters of one look.
pub(super) type Run = (String, Paint);

/// Returns one row of a square's characters. A number stands in the middle, on the piece where there is one.
pub(super) fn coloured(
    cell: Cell,
    row: u16,
    number: Option<&str>,
    piece: Option<Piece>,
    ground: Color,
    light: bool,
) -> Vec<Run> {
    let plain = Paint::new().bg(ground);
    let number = number.unwrap_or_default();
    let Some(piece) = piece else {
        let width = usize::from(cell.width);
        let written = if row == number_row(cell) && cell.width >= 4 { number } else { "" };
        let paint = plain.fg(if light { NUMBER_ON_LIGHT } else { NUMBER_ON_DARK });
        return vec![(format!("{written:^width$}"), paint)];
    };
    let (body, crown) =
        if piece.side.is_white() { (WHITE_PIECE, CROWN_ON_WHITE) } else { (BLACK_PIECE, CROWN_ON_BLACK) };
    let paint = |part| match part {
        Part::Body => plain.fg(body),
        Part::Crown => plain.fg(crown),
        Part::Number => Paint::new().bg(body).fg(NUMBER_ON_PIECE),
        Part::CrownOnBody => Paint::new().bg(body).fg(crown).add_modifier(Modifier::BOLD),
    };
    let runs = disc(cell, row, piece.king, number);
    runs.into_iter().map(|(text, part)| (text, paint(part))).collect()
}

/// Returns the row of a square in which its number stands, and a piece's letter.
pub(super) fn number_row(cell: Cell) -> u16 {
    cell.height / 2
}

/// How a part of a piece is coloured.
#[derive(Clone, Copy)]
enum Part {
    Body,
    Crown,
    Number,
    CrownOnBody,
}

/// Returns one row of a piece. A king wears a crown, which also changes its outline, so that no colour is needed to tell it.
fn disc(cell: Cell, row: u16, king: bool, number: &str) -> Vec<(String, Part)> {
    let whole = |text: &str, part| vec![(text.to_owned(), part)];
    let with_number = |left: &str, right: &str, side| {
        let width = usize::from(cell.width) - 2;
        let number = format!("{number:^width$}");
        vec![(left.to_owned(), side), (number, Part::Number), (right.to_owned(), side)]
    };
    match (cell.height, row, king) {
        (4, 0, false) => whole("  ▄▄▄▄  ", Part::Body),
        (4, 0, true) => whole("  ▙▟▙▟  ", Part::Crown),
        (4, 1, _) => whole("▐██████▌", Part::Body),
        (4, 3, _) => whole("  ▀▀▀▀  ", Part::Body),
        (3, 0, false) => whole(" ▄▄▄▄ ", Part::Body),
        (3, 0, true) => whole(" ▙▟▙▟ ", Part::Crown),
        (3, 2, _) => whole(" ▀▀▀▀ ", Part::Body),
        (2, 0, false) => whole(" ▄▄ ", Part::Body),
        (2, 0, true) => whole(" ▙▟ ", Part::Crown),
        (1, _, false) if cell.width < 4 => whole("██", Part::Body),
        (1, _, true) if cell.width < 4 => whole("^^", Part::CrownOnBody),
        (1, _, true) => with_number("▟", "▙", Part::Crown),
        _ => with_number("▐", "▌", Part::Body),
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
    let letter = piece.map_or('.', |piece| piece.letter());
    let number = number.filter(|_| row == 0 && cell.width >= 4).unwrap_or_default();
    if row != number_row(cell) {
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
