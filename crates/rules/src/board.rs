//! Boards as people see them: names of squares, mirroring, colour.

use alloc::string::String;
use alloc::string::ToString;

use crate::geometry::Shape;

/// How the squares are named.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Naming {
    /// Numbers from White's top left, row by row (Italian, international, American).
    NumbersFromTop,
    /// Numbers from White's bottom right, row by row upwards (Spanish, Portuguese).
    NumbersFromBottom,
    /// Letters for columns from White's left, numbers for rows from White's side: a1 at White's bottom left.
    Letters,
}

/// A board with the names of its squares. Mirrored boards have a playing square in the corner at each player's right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// Size and lines.
    pub shape: Shape,
    /// Whether the columns are mirrored.
    pub mirrored: bool,
    /// How the squares are named.
    pub naming: Naming,
    /// Whether the playing squares are drawn light by default.
    pub light: bool,
}

impl Board {
    /// Returns the bits of all playing squares, row by row from White's top left as drawn.
    pub fn squares(&self) -> impl Iterator<Item = u8> + '_ {
        let size = self.shape.size();
        (0..size).flat_map(move |row| (0..size).filter_map(move |col| self.at(row, col)))
    }
    /// Returns the bit of the playing square drawn at `row` and `col` (row 0 is the farthest from White, column 0 at White's left).
    pub fn at(&self, row: u8, col: u8) -> Option<u8> {
        let size = self.shape.size();
        if col >= size {
            return None;
        }
        self.shape.at(row, if self.mirrored { size - 1 - col } else { col })
    }
    /// Returns row and column of a square as drawn.
    pub fn row_col(&self, bit: u8) -> (u8, u8) {
        let (row, col) = self.shape.row_col(bit);
        (row, if self.mirrored { self.shape.size() - 1 - col } else { col })
    }
    /// Returns the square's number counted from White's top left as drawn, from 1.
    pub fn number_from_top(&self, bit: u8) -> u8 {
        let (row, col) = self.row_col(bit);
        let len = self.shape.row_len();
        row * len + if self.shape.is_orthogonal() { col } else { col / 2 } + 1
    }
    /// Returns the square with this number counted from White's top left as drawn.
    pub fn from_number_from_top(&self, number: u32) -> Option<u8> {
        let index = u8::try_from(number.checked_sub(1)?).ok()?;
        if index >= self.shape.squares() {
            return None;
        }
        let len = self.shape.row_len();
        let (row, place) = (index / len, index % len);
        let place = if self.mirrored { len - 1 - place } else { place };
        Some(self.shape.bit_of(row * len + place))
    }
    /// Returns the square's name in this rule set.
    pub fn name(&self, bit: u8) -> String {
        match self.naming {
            Naming::NumbersFromTop => self.number_from_top(bit).to_string(),
            Naming::NumbersFromBottom => (self.shape.squares() + 1 - self.number_from_top(bit)).to_string(),
            Naming::Letters => {
                let (row, col) = self.row_col(bit);
                let mut name = String::new();
                name.push(char::from(b'a' + col));
                name.push_str(&(self.shape.size() - row).to_string());
                name
            }
        }
    }
    /// Returns the square with this name, upper or lower case, leading zeros allowed. A number on a board with letters is counted from
    /// White's top left, as other programs write it.
    pub fn square(&self, name: &str) -> Option<u8> {
        let name = name.trim();
        if name.is_empty() || name.len() > 4 || !name.is_ascii() {
            return None;
        }
        let first = name.as_bytes()[0];
        if first.is_ascii_alphabetic() {
            if self.naming != Naming::Letters {
                return None;
            }
            let col = first.to_ascii_lowercase() - b'a';
            let rank: u8 = number(&name[1..])?.try_into().ok()?;
            if rank == 0 || rank > self.shape.size() {
                return None;
            }
            return self.at(self.shape.size() - rank, col);
        }
        let n = number(name)?;
        match self.naming {
            Naming::NumbersFromTop | Naming::Letters => self.from_number_from_top(n),
            Naming::NumbersFromBottom => {
                self.from_number_from_top(u32::from(self.shape.squares() + 1).checked_sub(n)?)
            }
        }
    }
}

fn number(text: &str) -> Option<u32> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}
