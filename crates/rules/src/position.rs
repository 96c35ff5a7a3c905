//! Positions and moves, generic over the set type that holds the board.

use crate::bits::Bits;
use crate::geometry::Shape;
use crate::hash;
use crate::movement::{Movement, RuleSource};

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White, who moves towards row 0.
    White,
    /// Black.
    Black,
}

impl Side {
    /// Returns the other player.
    #[inline(always)]
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
    /// Returns true for White.
    #[inline(always)]
    pub const fn is_white(self) -> bool {
        matches!(self, Side::White)
    }
    /// Returns `W` or `B`, as written in a FEN.
    pub const fn letter(self) -> char {
        match self {
            Side::White => 'W',
            Side::Black => 'B',
        }
    }
}

/// What stands on a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Whose piece.
    pub side: Side,
    /// Whether it is a king.
    pub king: bool,
}

impl Piece {
    /// Returns the piece's letter: `w`, `b`, or `W`, `B` for kings.
    pub const fn letter(self) -> char {
        match (self.side, self.king) {
            (Side::White, false) => 'w',
            (Side::White, true) => 'W',
            (Side::Black, false) => 'b',
            (Side::Black, true) => 'B',
        }
    }
}

/// The quiet moves in a row that a side has made with one king (only counted where [`Movement::king_run`] limits them).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct KingRun {
    /// The bit of the square on which that king stands.
    pub at: u8,
    /// How many moves; 0 when there is no run.
    pub count: u8,
}

/// A position: what stands where and who is to move. `S` is the board's set type; `Position<u128>` (the default) holds every board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position<S = u128> {
    pub(crate) white: S,
    pub(crate) black: S,
    pub(crate) kings: S,
    pub(crate) side: Side,
    pub(crate) runs: [KingRun; 2],
}

/// A legal move: from, to, the captured pieces and whether a man is crowned. The order of the captured pieces and the landings
/// between two jumps make no other move. Squares are bit numbers ([`crate::Shape::bit_of`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move<S = u128> {
    /// The bit of the square where the move starts.
    pub from: u8,
    /// The bit of the square where it ends; the same as `from` for a capture that returns.
    pub to: u8,
    /// Whether a man becomes a king.
    pub promotes: bool,
    /// The captured pieces; empty for a quiet move.
    pub captured: S,
}

impl<S: Bits> Move<S> {
    /// Returns true when the move captures.
    #[inline(always)]
    pub fn is_capture(&self) -> bool {
        self.captured.any()
    }
    /// Returns the move with the wide set type.
    pub fn widen(&self) -> Move {
        Move { from: self.from, to: self.to, promotes: self.promotes, captured: self.captured.widen() }
    }
    /// Returns a wide move with this set type; the board must be the same.
    pub fn narrow(wide: &Move) -> Self {
        Move { from: wide.from, to: wide.to, promotes: wide.promotes, captured: S::narrow(wide.captured) }
    }
}

impl Position {
    /// Returns the position with the board turned round and the colours exchanged: the same for the rules, seen from the other side.
    pub fn reversed(&self, shape: Shape) -> Position {
        let [white, black, kings] = [self.black, self.white, self.kings].map(|set| shape.turned(set));
        let run = |run: KingRun| match run.count {
            0 => run,
            count => KingRun { at: shape.bit_of(shape.squares() - 1 - shape.index_of(run.at)), count },
        };
        Position {
            white,
            black,
            kings,
            side: self.side.other(),
            runs: [run(self.runs[1]), run(self.runs[0])],
        }
    }
}

impl<S: Bits> Position<S> {
    /// Returns the position with these sets. The caller sees to it that no square is in both sides, that kings are pieces and that
    /// all squares are on the board; [`crate::fen`] checks what people write.
    pub fn from_sets(white: S, black: S, kings: S, side: Side) -> Self {
        Position { white, black, kings, side, runs: [KingRun::default(); 2] }
    }
    /// Returns White's pieces.
    #[inline(always)]
    pub fn white(&self) -> S {
        self.white
    }
    /// Returns Black's pieces.
    #[inline(always)]
    pub fn black(&self) -> S {
        self.black
    }
    /// Returns the kings of both sides.
    #[inline(always)]
    pub fn kings(&self) -> S {
        self.kings
    }
    /// Returns the pieces of a side.
    #[inline(always)]
    pub fn pieces(&self, side: Side) -> S {
        if side.is_white() { self.white } else { self.black }
    }
    /// Returns the men of a side.
    #[inline(always)]
    pub fn men(&self, side: Side) -> S {
        self.pieces(side) & !self.kings
    }
    /// Returns the kings of a side.
    #[inline(always)]
    pub fn kings_of(&self, side: Side) -> S {
        self.pieces(side) & self.kings
    }
    /// Returns whose turn it is.
    #[inline(always)]
    pub fn side(&self) -> Side {
        self.side
    }
    /// Returns a side's run of quiet moves with one king.
    #[inline(always)]
    pub fn king_run(&self, side: Side) -> KingRun {
        self.runs[side as usize]
    }
    /// Returns what stands on a square, given by its bit.
    pub fn piece_at(&self, bit: u8) -> Option<Piece> {
        let king = self.kings.has(bit);
        if self.white.has(bit) {
            Some(Piece { side: Side::White, king })
        } else if self.black.has(bit) {
            Some(Piece { side: Side::Black, king })
        } else {
            None
        }
    }
    /// Returns the position with the wide set type.
    pub fn widen(&self) -> Position {
        Position {
            white: self.white.widen(),
            black: self.black.widen(),
            kings: self.kings.widen(),
            side: self.side,
            runs: self.runs,
        }
    }
    /// Returns a wide position with this set type; the board must be the same.
    pub fn narrow(wide: &Position) -> Self {
        Position {
            white: S::narrow(wide.white),
            black: S::narrow(wide.black),
            kings: S::narrow(wide.kings),
            side: wide.side,
            runs: wide.runs,
        }
    }
    /// Returns the position's hash, computed afresh: board, side to move and, where they count, the kings' runs. Equal for equal
    /// positions of every set type.
    pub fn hash(&self) -> u64 {
        let mut hash = if self.side.is_white() { 0 } else { hash::BLACK_TO_MOVE };
        for side in [Side::White, Side::Black] {
            for bit in self.men(side).iter() {
                hash ^= hash::piece(side, false, bit);
            }
            for bit in self.kings_of(side).iter() {
                hash ^= hash::piece(side, true, bit);
            }
            hash ^= hash::king_run(side, self.runs[side as usize]);
        }
        hash
    }
    /// Returns what `m` changes in the hash: `after.hash() == before.hash() ^ before.hash_change(rules, m)`.
    #[inline(always)]
    pub fn hash_change<R: RuleSource>(&self, rules: R, m: &Move<S>) -> u64 {
        let side = self.side;
        let king = self.kings.has(m.from);
        let mut change = hash::BLACK_TO_MOVE
            ^ hash::piece(side, king, m.from)
            ^ hash::piece(side, king || m.promotes, m.to);
        for bit in m.captured.iter() {
            change ^= hash::piece(side.other(), self.kings.has(bit), bit);
        }
        if rules.movement().king_run > 0 {
            let mut after = *self;
            after.play(rules, m);
            for s in [Side::White, Side::Black] {
                change ^=
                    hash::king_run(s, self.runs[s as usize]) ^ hash::king_run(s, after.runs[s as usize]);
            }
        }
        change
    }
    /// Plays a move that the generator listed for this position. Another move leaves a position that no game reaches.
    #[inline(always)]
    pub fn play<R: RuleSource>(&mut self, rules: R, m: &Move<S>) {
        let (from, to) = (S::bit(m.from), S::bit(m.to));
        let king = (self.kings & from).any();
        let (us, them) = if self.side.is_white() {
            (&mut self.white, &mut self.black)
        } else {
            (&mut self.black, &mut self.white)
        };
        // Remove, then add: a capture may end where it began.
        *us = (*us & !from) | to;
        *them &= !m.captured;
        self.kings &= !(from | m.captured);
        if king || m.promotes {
            self.kings |= to;
        }
        if rules.movement().king_run > 0 {
            self.update_runs(king, m);
        }
        self.side = self.side.other();
    }
    fn update_runs(&mut self, king: bool, m: &Move<S>) {
        let mine = self.runs[self.side as usize];
        self.runs[self.side as usize] = if king && !m.is_capture() {
            let count = if mine.count > 0 && mine.at == m.from { mine.count.saturating_add(1) } else { 1 };
            KingRun { at: m.to, count }
        } else {
            KingRun::default()
        };
        // A run counts only while its side has a man, and ends with the king that made it.
        for side in [Side::White, Side::Black] {
            let run = self.runs[side as usize];
            if self.men(side).is_empty() || !self.kings_of(side).has(run.at) {
                self.runs[side as usize] = KingRun::default();
            }
        }
    }
    /// Returns the king that may make no quiet move now because its run is at the limit, as a set of at most one square.
    #[inline(always)]
    pub fn tired_king(&self, movement: &Movement) -> S {
        let run = self.runs[self.side as usize];
        if movement.king_run > 0 && run.count >= movement.king_run { S::bit(run.at) } else { S::EMPTY }
    }
}
