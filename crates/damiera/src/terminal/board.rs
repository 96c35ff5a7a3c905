//! The board as plain text: letters for pieces, names on the squares or at the edge.

use damiera_rules::{Naming, Position, RuleSet};

/// Returns the board's rows from top to bottom, each with its squares from left to right, as the side below sees it; `None` where no piece can stand.
pub(super) fn rows(rules: &RuleSet, flipped: bool) -> Vec<Vec<Option<u8>>> {
    let board = rules.board();
    let size = board.shape.size();
    let seen = |i: u8| if flipped { size - 1 - i } else { i };
    (0..size).map(|row| (0..size).map(|col| board.at(seen(row), seen(col))).collect()).collect()
}

/// Returns the name of the row that is drawn as number `row` from the top, on boards with letters.
pub(super) fn row_name(rules: &RuleSet, flipped: bool, row: u8) -> String {
    let size = rules.shape().size();
    (if flipped { row + 1 } else { size - row }).to_string()
}

/// Returns the name of the column that is drawn as number `col` from the left, on boards with letters.
pub(super) fn column_name(rules: &RuleSet, flipped: bool, col: u8) -> char {
    let size = rules.shape().size();
    char::from(b'a' + if flipped { size - 1 - col } else { col })
}

/// Returns true when the names of squares are letters and numbers, written at the edge.
pub(super) fn has_letters(rules: &RuleSet) -> bool {
    rules.board().naming == Naming::Letters
}

/// Returns the position as lines of text. Numbered squares carry their number; squares with letters are named at the edge.
pub(super) fn text(rules: &RuleSet, position: &Position, flipped: bool) -> String {
    let letters = has_letters(rules);
    let mut out = String::new();
    for (i, row) in (0_u8..).zip(rows(rules, flipped)) {
        let mut line = if letters { format!("{:>3} ", row_name(rules, flipped, i)) } else { String::new() };
        for square in row {
            let piece = |bit| position.piece_at(bit).map_or('.', |piece| piece.letter());
            match square {
                None if letters => line.push_str("  "),
                None => line.push_str("    "),
                Some(bit) if letters => line.extend([piece(bit), ' ']),
                Some(bit) => line.push_str(&format!("{:>2}{} ", rules.board().name(bit), piece(bit))),
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    if letters {
        let columns: String =
            (0..rules.shape().size()).flat_map(|col| [column_name(rules, flipped, col), ' ']).collect();
        out.push_str(&format!("    {}\n", columns.trim_end()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_as_text() {
        let russian = RuleSet::parse("russian").unwrap();
        let drawn = text(&russian, &russian.initial(), false);
        assert_eq!(drawn.lines().next(), Some("  8   b   b   b   b"));
        assert_eq!(drawn.lines().last(), Some("    a b c d e f g h"));
        let italian = RuleSet::parse("italian").unwrap();
        let drawn = text(&italian, &italian.initial(), true);
        assert!(drawn.lines().next().is_some_and(|line| line.contains("32w")));
    }
}
