//! The four boards as bit layouts: what one step in each direction means.
//!
//! Diagonal boards: `bit = index + index / width`, where `index` counts the playing squares row by row from White's top left. The one
//! ghost bit after every two rows makes each diagonal and each vertical step one constant shift that cannot wrap round an edge: it
//! falls on a ghost, which [`Geometry::SQUARES`] leaves out. Sideways steps (Frisian) do need a mask. The orthogonal board plays
//! on all 64 squares, `bit = index`.
//!
//! Mirrored boards (Italian, Spanish, Portuguese) are the same boards: only names and drawing differ ([`crate::Board`]).

use crate::bits::Bits;

/// A direction of a step, as White sees the board: north is away from White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Dir {
    /// Forward left for White.
    NorthWest,
    /// Forward right for White.
    NorthEast,
    /// Backward left for White.
    SouthWest,
    /// Backward right for White.
    SouthEast,
    /// Straight forward for White; on a diagonal board two rows up.
    North,
    /// Left; on a diagonal board two columns.
    West,
    /// Right; on a diagonal board two columns.
    East,
    /// Straight back for White; on a diagonal board two rows down.
    South,
}

impl Dir {
    /// The four diagonals.
    pub const DIAGONAL: [Dir; 4] = [Dir::NorthWest, Dir::NorthEast, Dir::SouthWest, Dir::SouthEast];
    /// The four straight lines.
    pub const STRAIGHT: [Dir; 4] = [Dir::North, Dir::West, Dir::East, Dir::South];
    /// All eight, diagonals first.
    pub const ALL: [Dir; 8] = [
        Dir::NorthWest,
        Dir::NorthEast,
        Dir::SouthWest,
        Dir::SouthEast,
        Dir::North,
        Dir::West,
        Dir::East,
        Dir::South,
    ];

    /// Returns the opposite direction.
    #[inline(always)]
    pub const fn back(self) -> Dir {
        match self {
            Dir::NorthWest => Dir::SouthEast,
            Dir::NorthEast => Dir::SouthWest,
            Dir::SouthWest => Dir::NorthEast,
            Dir::SouthEast => Dir::NorthWest,
            Dir::North => Dir::South,
            Dir::West => Dir::East,
            Dir::East => Dir::West,
            Dir::South => Dir::North,
        }
    }
}

/// Which board: its size and which of its squares are played on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// 8x8, the 32 squares of one colour.
    Diagonal8,
    /// 10x10, the 50 squares of one colour.
    Diagonal10,
    /// 12x12, the 72 squares of one colour.
    Diagonal12,
    /// 8x8, all 64 squares.
    Orthogonal8,
}

impl Shape {
    /// Returns the number of columns, which is the number of rows too.
    pub const fn size(self) -> u8 {
        match self {
            Shape::Diagonal8 | Shape::Orthogonal8 => 8,
            Shape::Diagonal10 => 10,
            Shape::Diagonal12 => 12,
        }
    }
    /// Returns true when pieces move along rows and columns and every square is played on.
    pub const fn is_orthogonal(self) -> bool {
        matches!(self, Shape::Orthogonal8)
    }
    /// Returns how many playing squares one row has.
    pub const fn row_len(self) -> u8 {
        if self.is_orthogonal() { self.size() } else { self.size() / 2 }
    }
    /// Returns the number of playing squares.
    pub const fn squares(self) -> u8 {
        self.row_len() * self.size()
    }
    /// Returns the bit of the playing square `index`, counted row by row from White's top left.
    pub const fn bit_of(self, index: u8) -> u8 {
        if self.is_orthogonal() { index } else { index + index / self.size() }
    }
    /// Returns the index of a playing square's bit; for a ghost bit the number has no meaning.
    pub const fn index_of(self, bit: u8) -> u8 {
        if self.is_orthogonal() { bit } else { bit - bit / (self.size() + 1) }
    }
    /// Returns a set of squares as it lies when the board is turned round.
    pub fn turned(self, set: u128) -> u128 {
        set.iter()
            .fold(0, |turned, bit| turned | u128::bit(self.bit_of(self.squares() - 1 - self.index_of(bit))))
    }
    /// Returns row and column of a playing square's bit; row 0 is the farthest from White, column 0 at White's left, on the board
    /// before any mirroring.
    pub const fn row_col(self, bit: u8) -> (u8, u8) {
        let index = self.index_of(bit);
        let row = index / self.row_len();
        let place = index % self.row_len();
        if self.is_orthogonal() { (row, place) } else { (row, 2 * place + (row + 1) % 2) }
    }
    /// Returns the bit of the playing square at `row` and `col`, or `None` off the board and on the other colour.
    pub const fn at(self, row: u8, col: u8) -> Option<u8> {
        if row >= self.size() || col >= self.size() {
            return None;
        }
        if self.is_orthogonal() {
            return Some(row * 8 + col);
        }
        if col % 2 != (row + 1) % 2 {
            return None;
        }
        Some(self.bit_of(row * self.row_len() + col / 2))
    }
    /// Returns the playing squares of the rows `from..to`.
    pub const fn rows(self, from: u8, to: u8) -> u128 {
        let (mut set, mut index) = (0u128, from * self.row_len());
        while index < to * self.row_len() {
            set |= 1 << self.bit_of(index);
            index += 1;
        }
        set
    }
    /// Returns all playing squares.
    pub const fn all(self) -> u128 {
        self.rows(0, self.size())
    }
    /// Returns the long diagonal: the squares from White's bottom left to top right, before any mirroring. Empty on the orthogonal board.
    pub const fn long_diagonal(self) -> u128 {
        if self.is_orthogonal() {
            return 0;
        }
        let (mut set, mut row) = (0u128, 0);
        while row < self.size() {
            if let Some(bit) = self.at(row, self.size() - 1 - row) {
                set |= 1 << bit;
            }
            row += 1;
        }
        set
    }
}

/// A board as types and constants, for code where speed counts. [`Shape`] is the same at run time.
pub trait Geometry: Copy + Default + Send + Sync + 'static {
    /// The set type that holds this board.
    type Set: Bits;
    /// The board.
    const SHAPE: Shape;
    /// All playing squares.
    const SQUARES: Self::Set;
    /// The row farthest from White, where White's men are crowned.
    const TOP: Self::Set;
    /// White's own first row, where Black's men are crowned.
    const BOTTOM: Self::Set;
    /// The lines along which pieces move; entry `3 - i` is the opposite of entry `i`.
    const LINES: [Dir; 4] = if Self::SHAPE.is_orthogonal() { Dir::STRAIGHT } else { Dir::DIAGONAL };
    /// The other four lines, in the same order.
    const OTHER_LINES: [Dir; 4] = if Self::SHAPE.is_orthogonal() { Dir::DIAGONAL } else { Dir::STRAIGHT };

    /// Moves every square of the set one step. The result may hold ghost bits: intersect it with a set of playing squares.
    fn step(set: Self::Set, dir: Dir) -> Self::Set;
}

/// 8x8, 32 squares.
#[derive(Clone, Copy, Default, Debug)]
pub struct Diagonal8;
/// 10x10, 50 squares.
#[derive(Clone, Copy, Default, Debug)]
pub struct Diagonal10;
/// 12x12, 72 squares.
#[derive(Clone, Copy, Default, Debug)]
pub struct Diagonal12;
/// 8x8, 64 squares, rows and columns.
#[derive(Clone, Copy, Default, Debug)]
pub struct Orthogonal8;

/// Returns the squares in the first (or last) column that a row of a diagonal board has, for both parities of row.
const fn row_ends(shape: Shape, last: bool) -> u128 {
    let (mut set, mut row) = (0u128, 0);
    while row < shape.size() {
        let place = if last { shape.row_len() - 1 } else { 0 };
        set |= 1 << shape.bit_of(row * shape.row_len() + place);
        row += 1;
    }
    set
}

macro_rules! diagonal {
    ($($name:ident: $set:ty),*) => {$(
        impl Geometry for $name {
            type Set = $set;
            const SHAPE: Shape = Shape::$name;
            const SQUARES: $set = Shape::$name.all() as $set;
            const TOP: $set = Shape::$name.rows(0, 1) as $set;
            const BOTTOM: $set = Shape::$name.rows(Shape::$name.size() - 1, Shape::$name.size()) as $set;
            #[inline(always)]
            fn step(set: $set, dir: Dir) -> $set {
                const HALF: u32 = Shape::$name.size() as u32 / 2;
                const WEST_END: $set = row_ends(Shape::$name, false) as $set;
                const EAST_END: $set = row_ends(Shape::$name, true) as $set;
                match dir {
                    Dir::NorthWest => set >> (HALF + 1),
                    Dir::NorthEast => set >> HALF,
                    Dir::SouthWest => set << HALF,
                    Dir::SouthEast => set << (HALF + 1),
                    Dir::North => set >> (2 * HALF + 1),
                    Dir::South => set << (2 * HALF + 1),
                    Dir::West => (set & !WEST_END) >> 1,
                    Dir::East => (set & !EAST_END) << 1,
                }
            }
        }
    )*};
}
diagonal!(Diagonal8: u64, Diagonal10: u64, Diagonal12: u128);

impl Geometry for Orthogonal8 {
    type Set = u64;
    const SHAPE: Shape = Shape::Orthogonal8;
    const SQUARES: u64 = u64::MAX;
    const TOP: u64 = 0xff;
    const BOTTOM: u64 = 0xff << 56;
    #[inline(always)]
    fn step(set: u64, dir: Dir) -> u64 {
        const WEST_END: u64 = 0x0101_0101_0101_0101;
        const EAST_END: u64 = WEST_END << 7;
        match dir {
            Dir::North => set >> 8,
            Dir::South => set << 8,
            Dir::West => (set & !WEST_END) >> 1,
            Dir::East => (set & !EAST_END) << 1,
            Dir::NorthWest => (set & !WEST_END) >> 9,
            Dir::NorthEast => (set & !EAST_END) >> 7,
            Dir::SouthWest => (set & !WEST_END) << 7,
            Dir::SouthEast => (set & !EAST_END) << 9,
        }
    }
}
