//! What a position is asked for that is not known square by square: some pieces, or how many there are.

use std::fmt;

use damiera_rules::{Board, Position, RuleSet, Shape, Side};

/// What is wrong with a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternError {
    /// The column in the text, in characters from 1.
    pub column: usize,
    /// What is wrong and what is accepted.
    pub message: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for PatternError {}

/// Some squares of a board. Written as a FEN that says only what matters: `?:W27,K46:B18,*24:E22` is a white man on 27 and a white king on 46, a black man on 18, a
/// black man or king on 24, and nothing on 22; whoever is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pattern {
    side: Option<Side>,
    /// White's and Black's.
    men: [u128; 2],
    kings: [u128; 2],
    /// Men or kings.
    pieces: [u128; 2],
    empty: u128,
}

impl Pattern {
    /// Reads a pattern, its squares named as the rule set has them.
    pub fn parse(rules: &RuleSet, text: &str) -> Result<Pattern, PatternError> {
        let mut pattern = Pattern::default();
        let mut column = 1;
        for (i, part) in text.split(':').enumerate() {
            if i == 0 {
                pattern.side = side_to_move(part)?;
            } else {
                pattern.add_list(rules.board(), part, column)?;
            }
            column += part.chars().count() + 1;
        }
        if pattern.is_empty() {
            return Err(PatternError {
                column: text.chars().count() + 1,
                message: "no square is named; expected for example ?:W27,K46:B18:E22".to_owned(),
            });
        }
        Ok(pattern)
    }
    fn is_empty(&self) -> bool {
        self.all() == 0
    }
    /// All squares that it speaks of.
    fn all(&self) -> u128 {
        [self.men, self.kings, self.pieces].iter().flatten().fold(self.empty, |all, set| all | set)
    }
    fn add_list(&mut self, board: &Board, list: &str, column: usize) -> Result<(), PatternError> {
        let mut chars = list.chars();
        let owner = match chars.next() {
            Some('W' | 'w') => Some(0),
            Some('B' | 'b') => Some(1),
            Some('E' | 'e') => None,
            _ => {
                let message = "expected W (white), B (black) or E (empty) and squares".to_owned();
                return Err(PatternError { column, message });
            }
        };
        let mut column = column + 1;
        for item in chars.as_str().split(',') {
            self.add(board, owner, item, column)?;
            column += item.chars().count() + 1;
        }
        Ok(())
    }
    fn add(
        &mut self,
        board: &Board,
        owner: Option<usize>,
        item: &str,
        column: usize,
    ) -> Result<(), PatternError> {
        let item = item.trim();
        let (set, squares) = match (owner, item.chars().next()) {
            (None, _) => (&mut self.empty, item),
            (Some(side), Some('K')) => (&mut self.kings[side], &item[1..]),
            (Some(side), Some('*')) => (&mut self.pieces[side], &item[1..]),
            (Some(side), _) => (&mut self.men[side], item),
        };
        let mut named = 0;
        for bit in squares_of(board, squares)
            .ok_or_else(|| PatternError { column, message: format!("{item:?} is no square of this board") })?
        {
            named |= 1 << bit;
        }
        *set |= named;
        let counted: u32 =
            [self.men, self.kings, self.pieces].iter().flatten().map(|set| set.count_ones()).sum();
        if counted + self.empty.count_ones() != self.all().count_ones() {
            return Err(PatternError { column, message: format!("{item:?} is named twice") });
        }
        Ok(())
    }
    /// Returns whether a position has it.
    pub fn fits(&self, position: &Position) -> bool {
        let has = |side: usize, of: Side| {
            self.men[side] & !position.men(of) == 0
                && self.kings[side] & !position.kings_of(of) == 0
                && self.pieces[side] & !position.pieces(of) == 0
        };
        self.side.is_none_or(|side| side == position.side())
            && (position.white() | position.black()) & self.empty == 0
            && has(0, Side::White)
            && has(1, Side::Black)
    }
    /// Returns the pattern as it looks from the other side of the board, with the colours exchanged.
    pub fn reversed(&self, shape: Shape) -> Pattern {
        let turn = |[white, black]: [u128; 2]| [shape.turned(black), shape.turned(white)];
        Pattern {
            side: self.side.map(Side::other),
            men: turn(self.men),
            kings: turn(self.kings),
            pieces: turn(self.pieces),
            empty: shape.turned(self.empty),
        }
    }
}

fn side_to_move(text: &str) -> Result<Option<Side>, PatternError> {
    match text.trim() {
        "W" | "w" => Ok(Some(Side::White)),
        "B" | "b" => Ok(Some(Side::Black)),
        "?" | "" => Ok(None),
        other => Err(PatternError {
            column: 1,
            message: format!(
                "{other:?} is nobody who could move; expected W, B or ?, then lists such as :W27,K46:B18:E22"
            ),
        }),
    }
}

/// Returns the square or the squares of a range.
fn squares_of(board: &Board, text: &str) -> Option<Vec<u8>> {
    let Some((first, last)) = text.split_once('-') else {
        return Some(vec![board.square(text)?]);
    };
    let [first, last] = [board.square(first)?, board.square(last)?];
    let names: Vec<u8> = board.squares().collect();
    let [i, j] = [first, last].map(|bit| names.iter().position(|other| *other == bit));
    // Where numbers run up the board, the first of a range is drawn after its last.
    let (i, j) = (i?.min(j?), i?.max(j?));
    Some(names[i..=j].to_vec())
}

/// How many men and kings each side has. Written `4+1k v 3`: White has four men and a king, Black three men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Material {
    men: [u32; 2],
    kings: [u32; 2],
}

impl Material {
    /// Reads it.
    pub fn parse(text: &str) -> Result<Material, PatternError> {
        let error = |column| PatternError {
            column,
            message: "expected men and kings of White, then of Black: 4+1k v 3, or 2k v 1k".to_owned(),
        };
        let Some((white, black)) = text.split_once(['v', 'V', ':']) else { return Err(error(1)) };
        let second = white.chars().count() + 2;
        let (white, black) =
            (force(white).ok_or_else(|| error(1))?, force(black).ok_or_else(|| error(second))?);
        Ok(Material { men: [white.0, black.0], kings: [white.1, black.1] })
    }
    /// Returns whether a position has it.
    pub fn fits(&self, position: &Position) -> bool {
        [Side::White, Side::Black].into_iter().enumerate().all(|(i, side)| {
            position.men(side).count_ones() == self.men[i]
                && position.kings_of(side).count_ones() == self.kings[i]
        })
    }
    /// Returns it with the colours exchanged.
    pub fn reversed(&self) -> Material {
        let [[a, b], [c, d]] = [self.men, self.kings];
        Material { men: [b, a], kings: [d, c] }
    }
}

/// Reads `4+1k`, `4`, `k` or `2k`: men and kings.
fn force(text: &str) -> Option<(u32, u32)> {
    let (mut men, mut kings) = (None, None);
    for term in text.trim().split('+') {
        let term = term.trim();
        let (set, count) = match term.strip_suffix(['k', 'K']) {
            Some("") => (&mut kings, "1"),
            Some(count) => (&mut kings, count),
            None => (&mut men, term),
        };
        let count: u32 = count.trim().parse().ok().filter(|count| *count < 100)?;
        if set.replace(count).is_some() {
            return None;
        }
    }
    Some((men.unwrap_or(0), kings.unwrap_or(0)))
}
