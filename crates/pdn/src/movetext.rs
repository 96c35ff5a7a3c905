//! A move as text, before anybody knows the rules: squares by number or by letter, a sign or none.

/// A square as written: a number, or a column and a row. One `u16` holds both, so that a table of 512 finds the board's square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Written(pub(crate) u16);

impl Written {
    /// The first of the codes for letters.
    const LETTERS: u16 = 0x100;
    /// How many codes there are.
    pub(crate) const CODES: usize = 0x200;
    pub(crate) const NONE: Written = Written(0);

    fn number(n: u32) -> Option<Written> {
        (1..0x100).contains(&n).then_some(Written(n as u16))
    }
    fn letter(column: u8, row: u32) -> Option<Written> {
        let column = column.to_ascii_lowercase().checked_sub(b'a')?;
        (1..=12).contains(&row).then(|| Self::at(column, row as u8 - 1)).flatten()
    }
    /// Returns the square in a column and a row, from 0.
    pub(crate) fn at(column: u8, row: u8) -> Option<Written> {
        (column < 12 && row < 12)
            .then(|| Written(Self::LETTERS | u16::from(column) << 4 | u16::from(row + 1)))
    }
    /// Returns column and row, from 0, of a square with letters.
    pub(crate) fn column_row(self) -> Option<(u8, u8)> {
        let row = (self.0 & 0xf).checked_sub(1)?;
        (self.0 >= Self::LETTERS).then_some(((self.0 >> 4 & 0xf) as u8, row as u8))
    }
    /// Returns the number of a square with a number.
    pub(crate) fn as_number(self) -> Option<u32> {
        (1..Self::LETTERS).contains(&self.0).then_some(u32::from(self.0))
    }
}

/// The common case of a move text, known without the board: two squares and a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ends {
    pub(crate) from: Written,
    /// [`Written::NONE`] when the text is anything else than two squares and a sign.
    pub(crate) to: Written,
    pub(crate) takes: bool,
}

/// What a move text says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// Squares, two or more, and the sign if there is one: `true` for a capture.
    Squares { squares: Vec<Written>, takes: Option<bool> },
    /// The column where the move begins, and its end: `cb4`.
    Short { column: u8, to: Written },
}

/// The longest text that is taken for a move, in bytes.
const LONGEST: usize = 256;

/// Returns the ends of a move of two squares.
#[inline]
pub(crate) fn ends(text: &[u8]) -> Ends {
    let none = Ends { from: Written::NONE, to: Written::NONE, takes: false };
    // Numbers of two digits, the commonest move of all.
    if let [a, b, sign @ (b'-' | b'x'), c, d] = text
        && [a, b, c, d].iter().all(|digit| digit.is_ascii_digit())
    {
        let number = |tens: u8, ones: u8| Written(u16::from(tens - b'0') * 10 + u16::from(ones - b'0'));
        return Ends { from: number(*a, *b), to: number(*c, *d), takes: *sign == b'x' };
    }
    let Some((from, rest)) = square(text) else { return none };
    let (takes, rest) = match rest {
        [b'-', rest @ ..] => (false, rest),
        [b'x' | b':' | b'X', rest @ ..] => (true, rest),
        _ => return none,
    };
    match square(rest) {
        Some((to, [])) => Ends { from, to, takes },
        _ => none,
    }
}

/// Takes a square from the front of a text.
#[inline]
fn square(text: &[u8]) -> Option<(Written, &[u8])> {
    match text {
        [a @ b'0'..=b'9', b @ b'0'..=b'9', rest @ ..] if !matches!(rest, [b'0'..=b'9', ..]) => {
            Some((Written::number(u32::from(a - b'0') * 10 + u32::from(b - b'0'))?, rest))
        }
        [a @ b'0'..=b'9', rest @ ..] if !matches!(rest, [b'0'..=b'9', ..]) => {
            Some((Written::number(u32::from(a - b'0'))?, rest))
        }
        [c, b'1', b @ b'0'..=b'2', rest @ ..] if c.is_ascii_alphabetic() => {
            Some((Written::letter(*c, 10 + u32::from(b - b'0'))?, rest))
        }
        [c, b @ b'1'..=b'9', rest @ ..] if c.is_ascii_alphabetic() => {
            Some((Written::letter(*c, u32::from(b - b'0'))?, rest))
        }
        _ => None,
    }
}

/// Reads a move text in every way that its form allows, the likelier first.
pub(crate) fn read(text: &str) -> Vec<Reading> {
    if text.len() > LONGEST {
        return Vec::new();
    }
    let plain: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            '×' | 'X' | ':' => 'x',
            '–' | '—' => '-',
            c => c.to_ascii_lowercase(),
        })
        .collect();
    let bytes = plain.as_bytes();
    if !bytes.is_ascii() {
        return Vec::new();
    }
    if bytes.iter().all(u8::is_ascii_digit) {
        return digits(bytes);
    }
    if let [column @ b'a'..=b'l', rest @ ..] = bytes
        && let Some((to, [])) = square(rest)
        && to.column_row().is_some()
    {
        return vec![Reading::Short { column: column - b'a', to }];
    }
    squares(bytes).into_iter().collect()
}

/// `3228`: squares without a sign, in every way to part them.
fn digits(text: &[u8]) -> Vec<Reading> {
    let value = |part: &[u8]| {
        let is_number = matches!(part.len(), 1 | 2) && (part[0] != b'0' || part.len() == 2);
        is_number.then(|| part.iter().fold(0, |n, d| n * 10 + u32::from(d - b'0'))).and_then(Written::number)
    };
    let parted = |at: usize| {
        let (from, to) = (value(&text[..at])?, value(&text[at..])?);
        Some(Reading::Squares { squares: vec![from, to], takes: None })
    };
    if text.len() < 3 {
        return Vec::new();
    }
    (1..3).rev().filter_map(parted).collect()
}

fn squares(text: &[u8]) -> Option<Reading> {
    let mut squares = Vec::new();
    let mut takes = None;
    let mut rest = text;
    while !rest.is_empty() {
        if !squares.is_empty() {
            match rest {
                [b'x', tail @ ..] => (takes, rest) = (Some(true), tail),
                [b'-', tail @ ..] => (takes, rest) = (takes.or(Some(false)), tail),
                _ => {}
            }
        }
        let (square, tail) = square(rest)?;
        squares.push(square);
        rest = tail;
    }
    (squares.len() > 1).then_some(Reading::Squares { squares, takes })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes readings as `32 28`, `c3 d4`, `c>b4`, with the sign in front.
    fn shown(text: &str) -> String {
        let name = |w: &Written| match (w.as_number(), w.column_row()) {
            (Some(n), _) => n.to_string(),
            (_, Some((column, row))) => format!("{}{}", char::from(b'a' + column), row + 1),
            _ => "none".to_owned(),
        };
        let readings: Vec<String> = read(text)
            .iter()
            .map(|reading| match reading {
                Reading::Squares { squares, takes } => {
                    let sign = takes.map_or("?", |takes| if takes { "x" } else { "-" });
                    format!("{sign} {}", squares.iter().map(name).collect::<Vec<_>>().join(" "))
                }
                Reading::Short { column, to } => format!("{}>{}", char::from(b'a' + column), name(to)),
            })
            .collect();
        readings.join(" | ")
    }

    #[test]
    fn every_form_is_read() {
        assert_eq!(shown("32-28"), "- 32 28");
        assert_eq!(shown("06-11"), "- 6 11");
        assert_eq!(shown("18x9x4"), "x 18 9 4");
        assert_eq!(shown("4-  9"), "- 4 9");
        assert_eq!(shown("A3-B4"), "- a3 b4");
        assert_eq!(shown("c3:e5"), "x c3 e5");
        assert_eq!(shown("a3b4"), "? a3 b4");
        assert_eq!(shown("k12-l11"), "- k12 l11");
        assert_eq!(shown("cb4"), "c>b4");
        assert_eq!(shown("3228"), "? 32 28");
        assert_eq!(shown("615"), "? 61 5 | ? 6 15");
        assert_eq!(shown("11×22"), "x 11 22");
    }

    #[test]
    fn what_is_no_move_is_not_read() {
        for text in
            ["", "0-5", "32", "32-", "x5", "a0-b1", "m1-n2", "300-200", "1.2", "3-é", &"1-".repeat(200)]
        {
            assert_eq!(shown(text), "", "{text}");
        }
    }

    #[test]
    fn the_ends_of_a_plain_move_are_what_the_long_way_finds() {
        for text in ["32-28", "18x9", "c3:e5", "A3-B4", "06-11", "a10-b11"] {
            let ends = ends(text.as_bytes());
            let Reading::Squares { squares, takes } = &read(text)[0] else { panic!("{text}") };
            assert_eq!((vec![ends.from, ends.to], Some(ends.takes)), (squares.clone(), *takes), "{text}");
        }
        for text in ["18x9x4", "4- 9", "3228", "cb4", "0-5", "a3b4"] {
            assert_eq!(ends(text.as_bytes()).to, Written::NONE, "{text}");
        }
    }
}
