//! Captures square by square: the landings of each leg and the piece taken on it.
//!
//! The generator ([`crate::movegen`]) lists moves as classes and is fast; people want to see paths. This module walks the paths of one piece, one
//! leg at a time, without regard to the ladder. It is not for hot code, and every walk has a budget, because a king among many pieces can have
//! millions of paths.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::bits::Bits;
use crate::geometry::{Dir, Shape};
use crate::movement::{KingRange, Landing, Movement, Promotion, Removal, forward, moving_lines};
use crate::position::{Move, Position};

/// One jump of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leg {
    /// The square of the captured piece.
    pub over: u8,
    /// The square where the jump ends.
    pub landing: u8,
}

/// A way to make a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// Where the move starts.
    pub from: u8,
    /// The jumps; empty for a quiet move.
    pub legs: Vec<Leg>,
    /// Where it ends.
    pub to: u8,
}

impl Path {
    /// Returns the squares that the piece touches, first to last.
    pub fn squares(&self) -> Vec<u8> {
        if self.legs.is_empty() {
            return alloc::vec![self.from, self.to];
        }
        core::iter::once(self.from).chain(self.legs.iter().map(|leg| leg.landing)).collect()
    }
    /// Returns in which order the way meets kings, as a number: one bit a jump, the first jump highest, so that a greater number meets them earlier.
    pub fn kings_order(&self, kings: u128) -> u64 {
        let jumps = self.legs.iter().take(64).enumerate();
        jumps.fold(0, |bits, (i, leg)| bits | u64::from(kings.has(leg.over)) << (63 - i))
    }
}

/// How many steps a walk may take.
const BUDGET: u32 = 30_000;

/// Returns the square one step from `bit`, or `None` off the board. On a diagonal board a straight step is two rows or columns long.
pub fn step(shape: Shape, bit: u8, dir: Dir) -> Option<u8> {
    let (row, col) = shape.row_col(bit);
    let straight = if shape.is_orthogonal() { 1 } else { 2 };
    let (down, right): (i8, i8) = match dir {
        Dir::NorthWest => (-1, -1),
        Dir::NorthEast => (-1, 1),
        Dir::SouthWest => (1, -1),
        Dir::SouthEast => (1, 1),
        Dir::North => (-straight, 0),
        Dir::South => (straight, 0),
        Dir::West => (0, -straight),
        Dir::East => (0, straight),
    };
    shape.at(row.checked_add_signed(down)?, col.checked_add_signed(right)?)
}

/// Returns the directions in which a piece captures.
pub fn capture_dirs(shape: Shape, m: &Movement, king: bool, white: bool) -> &'static [Dir] {
    let orthogonal = shape.is_orthogonal();
    if king { m.king_captures(orthogonal) } else { m.man_captures(white, orthogonal) }
}

/// Returns the directions in which a piece makes quiet moves.
pub fn quiet_dirs(shape: Shape, king: bool, white: bool) -> &'static [Dir] {
    let orthogonal = shape.is_orthogonal();
    if king { moving_lines(orthogonal) } else { forward(white, orthogonal) }
}

/// Returns true when a direction leads back towards the side's own edge.
pub fn is_backward(dir: Dir, white: bool) -> bool {
    let north = matches!(dir, Dir::NorthWest | Dir::NorthEast | Dir::North);
    let south = matches!(dir, Dir::SouthWest | Dir::SouthEast | Dir::South);
    if white { south } else { north }
}

/// Returns the row on which a side's men are crowned.
pub fn last_row(shape: Shape, white: bool) -> u8 {
    if white { 0 } else { shape.size() - 1 }
}

/// The state of a capture in progress: what has been jumped and what still stands.
#[derive(Clone, Debug)]
pub struct Walker<'a> {
    shape: Shape,
    movement: &'a Movement,
    us: u128,
    them: u128,
    kings: u128,
    white: bool,
    from: u8,
    captured: u128,
    legs: Vec<Leg>,
    budget: u32,
}

/// The jumps that a piece can make in one direction: the piece taken and every square where it may land.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Jump {
    /// The direction.
    pub dir: Dir,
    /// The piece taken.
    pub over: u8,
    /// The landing squares, nearest first.
    pub landings: Vec<u8>,
}

impl<'a> Walker<'a> {
    /// Returns a walker for the piece on `from`, which must belong to the side to move.
    pub fn new(shape: Shape, movement: &'a Movement, p: &Position, from: u8) -> Self {
        let side = p.side();
        Walker {
            shape,
            movement,
            us: p.pieces(side) & !u128::bit(from),
            them: p.pieces(side.other()),
            kings: p.kings(),
            white: side.is_white(),
            from,
            captured: 0,
            legs: Vec::new(),
            budget: BUDGET,
        }
    }
    fn is_occupied(&self, bit: u8) -> bool {
        let gone = if self.movement.removal == Removal::AtOnce { self.captured } else { 0 };
        (self.us | (self.them & !gone)).has(bit)
    }
    /// Returns the jump in one direction, or `None`.
    pub fn jump(&self, at: u8, dir: Dir, king: bool) -> Option<Jump> {
        let flying = king && self.movement.king == KingRange::Flying;
        let mut over = step(self.shape, at, dir)?;
        while flying && !self.is_occupied(over) {
            over = step(self.shape, over, dir)?;
        }
        let takes_kings = king || self.movement.men_take_kings;
        let target = self.them & !self.captured;
        if !target.has(over) || (!takes_kings && self.kings.has(over)) {
            return None;
        }
        let mut landings = Vec::new();
        let mut next = step(self.shape, over, dir);
        while let Some(landing) = next
            && !self.is_occupied(landing)
        {
            landings.push(landing);
            if !flying || self.movement.landing == Landing::Behind {
                break;
            }
            next = step(self.shape, landing, dir);
        }
        (!landings.is_empty()).then_some(Jump { dir, over, landings })
    }
    /// Returns all jumps from a square, having come in direction `came`.
    pub fn jumps(&self, at: u8, king: bool, came: Option<Dir>) -> Vec<Jump> {
        capture_dirs(self.shape, self.movement, king, self.white)
            .iter()
            .filter(|dir| self.movement.turn_back || came != Some(dir.back()))
            .filter_map(|dir| self.jump(at, *dir, king))
            .collect()
    }
    /// Returns whether a piece that lands on `landing` is a king from there on, and whether its move must end there.
    pub fn arrive(&self, landing: u8, king: bool) -> (bool, bool) {
        let reaches = !king && self.shape.row_col(landing).0 == last_row(self.shape, self.white);
        match self.movement.promotion {
            _ if !reaches => (king, false),
            Promotion::Stops => (king, true),
            Promotion::AtEnd => (king, false),
            Promotion::AtOnce => (true, false),
        }
    }
    /// Returns the square where the walk begins.
    pub fn from(&self) -> u8 {
        self.from
    }
    /// Plays one leg, so that the walk can be continued by hand.
    pub fn take(&mut self, over: u8, landing: u8) {
        self.captured |= u128::bit(over);
        self.legs.push(Leg { over, landing });
    }
    /// Returns the pieces captured so far.
    pub fn captured(&self) -> u128 {
        self.captured
    }
    /// Visits every complete capture of the piece whose captured pieces all belong to `only`: the legs, and whether a man is crowned. The
    /// visitor may stop the walk.
    pub fn visit(
        &mut self,
        only: u128,
        visitor: &mut dyn FnMut(&[Leg], bool) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let king = self.kings.has(self.from);
        let from = self.from;
        self.go_on(from, king, None, only, visitor)
    }
    fn go_on(
        &mut self,
        at: u8,
        king: bool,
        came: Option<Dir>,
        only: u128,
        visitor: &mut dyn FnMut(&[Leg], bool) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for jump in self.jumps(at, king, came) {
            if !only.has(jump.over) {
                continue;
            }
            if self.budget == 0 {
                return ControlFlow::Break(());
            }
            self.budget -= 1;
            self.captured |= u128::bit(jump.over);
            let result = self.land(&jump, king, only, visitor);
            self.captured &= !u128::bit(jump.over);
            result?;
        }
        ControlFlow::Continue(())
    }
    /// Goes on from the landings of one jump that lead on; if there is none, the move ends on any of them.
    fn land(
        &mut self,
        jump: &Jump,
        king: bool,
        only: u128,
        visitor: &mut dyn FnMut(&[Leg], bool) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut goes_on = false;
        for &landing in &jump.landings {
            let (now_king, stops) = self.arrive(landing, king);
            if stops || self.jumps(landing, now_king, Some(jump.dir)).is_empty() {
                continue;
            }
            goes_on = true;
            self.legs.push(Leg { over: jump.over, landing });
            let result = self.go_on(landing, now_king, Some(jump.dir), only, visitor);
            self.legs.pop();
            result?;
        }
        if goes_on {
            return ControlFlow::Continue(());
        }
        let beside_king = self.movement.landing == Landing::BehindLastKing && self.kings.has(jump.over);
        let ends = if beside_king { &jump.landings[..1] } else { &jump.landings[..] };
        for &landing in ends {
            let started_king = self.kings.has(self.from);
            let crowned = king || self.shape.row_col(landing).0 == last_row(self.shape, self.white);
            self.legs.push(Leg { over: jump.over, landing });
            let result = visitor(&self.legs, crowned && !started_king);
            self.legs.pop();
            result?;
        }
        ControlFlow::Continue(())
    }
}

/// Returns ways to make a move that the generator listed, at most `most` of them. For a quiet move there is one. Should the budget end before a way
/// is found, the answer is empty.
pub fn paths(shape: Shape, movement: &Movement, p: &Position, m: &Move, most: usize) -> Vec<Path> {
    if !m.is_capture() {
        return alloc::vec![Path { from: m.from, legs: Vec::new(), to: m.to }];
    }
    let mut found = Vec::new();
    // The walk's end makes no difference: what was found counts.
    let _ = Walker::new(shape, movement, p, m.from).visit(m.captured, &mut |legs, promotes| {
        let captured = legs.iter().fold(0, |set, leg| set | u128::bit(leg.over));
        let to = legs.last().map_or(m.from, |leg| leg.landing);
        if captured == m.captured && to == m.to && promotes == m.promotes {
            found.push(Path { from: m.from, legs: legs.to_vec(), to });
        }
        if found.len() >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}
