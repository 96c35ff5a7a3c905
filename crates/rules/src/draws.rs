//! Draw clauses as data, and the counters that a game keeps for them, exact to the ply.
//!
//! Settled readings (one table for all clauses, so that two people count alike): a material count begins with the first move after the
//! material arises and starts anew when one named material becomes another; "N moves" are N of each side unless a side is named; a
//! side that must hold the long diagonal and leaves it ends the count, and on its return a new one begins; the position before the
//! first ply is the first occurrence, and material present there counts from the first move.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::bits::Bits;
use crate::geometry::Shape;
use crate::position::{Move, Position, Side};
use crate::source::Status;

/// What a clause counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counts {
    /// Occurrences of the same position with the same side to move.
    Repetition {
        /// The player to move may claim as soon as a legal move of his would bring the last occurrence.
        ahead: bool,
    },
    /// Moves by kings in a row; a capture or a move of a man restarts them.
    KingMoves,
    /// Moves without capture or promotion; moves of men count too.
    NoCaptureNoPromotion,
    /// Any moves while the material holds.
    Material,
    /// Moves during which no piece is captured or crowned.
    Balance,
}

/// Whose moves are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Of {
    /// So many of each side.
    Each,
    /// Those of the stronger side.
    Strong,
    /// Those of the weaker side.
    Weak,
}

/// What happens when the count is full.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// The game is drawn.
    Automatic,
    /// A player may claim the draw.
    Claim,
}

/// How many pieces of one kind a side may have, both ends included.
pub type Range = (u8, u8);

/// Any number of pieces.
pub const FREE: Range = (0, u8::MAX);

fn within((low, high): Range, n: u32) -> bool {
    n >= u32::from(low) && n <= u32::from(high)
}

/// The pieces of one side that a material names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Force {
    /// Kings.
    pub kings: Range,
    /// Men.
    pub men: Range,
    /// Kings and men together.
    pub total: Range,
}

impl Force {
    /// Exactly `kings` kings and `men` men.
    pub const fn exactly(kings: u8, men: u8) -> Force {
        Force { kings: (kings, kings), men: (men, men), total: FREE }
    }
    /// Exactly `total` pieces, at least one of them a king.
    pub const fn with_king(total: u8) -> Force {
        Force { kings: (1, u8::MAX), men: FREE, total: (total, total) }
    }
    /// Any pieces at all.
    pub const ANY: Force = Force { kings: FREE, men: FREE, total: FREE };

    fn fits(&self, kings: u32, men: u32) -> bool {
        within(self.kings, kings) && within(self.men, men) && within(self.total, kings + men)
    }
}

/// Who must hold the long diagonal for a material to count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Diagonal {
    /// Nobody.
    Free,
    /// A king of the stronger side.
    Strong,
    /// A king of the weaker side.
    Weak,
}

/// A material that a clause names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Material {
    /// The stronger side's pieces.
    pub strong: Force,
    /// The weaker side's pieces.
    pub weak: Force,
    /// All pieces on the board together.
    pub all: Range,
    /// Who must hold the long diagonal.
    pub diagonal: Diagonal,
}

impl Material {
    /// A material without a condition on the diagonal or on the sum.
    pub const fn new(strong: Force, weak: Force) -> Material {
        Material { strong, weak, all: FREE, diagonal: Diagonal::Free }
    }
    /// The same material while `diagonal` is held.
    #[must_use]
    pub const fn holding(mut self, diagonal: Diagonal) -> Material {
        self.diagonal = diagonal;
        self
    }
    fn fits(&self, census: &Census, strong: Side) -> bool {
        let (strong, weak) = (strong as usize, strong.other() as usize);
        within(self.all, census.all)
            && self.strong.fits(census.kings[strong], census.men[strong])
            && self.weak.fits(census.kings[weak], census.men[weak])
            && match self.diagonal {
                Diagonal::Free => true,
                Diagonal::Strong => census.holds_diagonal(strong),
                Diagonal::Weak => census.holds_diagonal(weak),
            }
    }
}

/// What stands on the board, counted once for all the materials that it is compared with.
struct Census {
    shape: Shape,
    kings_at: [u128; 2],
    kings: [u32; 2],
    men: [u32; 2],
    all: u32,
}

impl Census {
    fn of(shape: Shape, p: &Position) -> Census {
        let kings_at = [p.white() & p.kings(), p.black() & p.kings()];
        let kings = kings_at.map(u128::len);
        let men = [p.white().len() - kings[0], p.black().len() - kings[1]];
        Census { shape, kings_at, kings, men, all: kings[0] + kings[1] + men[0] + men[1] }
    }
    fn holds_diagonal(&self, side: usize) -> bool {
        (self.kings_at[side] & self.shape.long_diagonal()).any()
    }
}

/// One clause by which a game is drawn.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Clause {
    /// A short name, the same for clauses of the same kind in all rule sets: the words for players hang on it.
    pub id: Cow<'static, str>,
    /// What is counted.
    pub counts: Counts,
    /// The materials in which the clause runs; empty for all.
    pub within: Cow<'static, [Material]>,
    /// A material in which it does not run.
    pub except: Option<Material>,
    /// Not drawn while a piece can be won at once or by force with the next move (Frisian king against king).
    pub unless_won: bool,
    /// How many moves (or occurrences); 0 means at once.
    pub limit: u16,
    /// Whose moves.
    pub of: Of,
    /// What happens when the count is full.
    pub mode: Mode,
    /// How far the source can be trusted.
    pub status: Status,
    /// Where the clause comes from.
    pub source: Cow<'static, str>,
}

impl Clause {
    /// Returns true for the clause that counts repetitions.
    pub fn is_repetition(&self) -> bool {
        matches!(self.counts, Counts::Repetition { .. })
    }
    /// Returns the material that holds in a position: its index in `within` and the stronger side.
    fn material(&self, census: &Census) -> Option<(u8, Side)> {
        if let Some(except) = &self.except
            && [Side::White, Side::Black].iter().any(|side| except.fits(census, *side))
        {
            return None;
        }
        if self.within.is_empty() {
            return Some((0, Side::White));
        }
        self.within.iter().enumerate().find_map(|(i, material)| {
            [Side::White, Side::Black]
                .into_iter()
                .find(|side| material.fits(census, *side))
                .map(|side| (i as u8, side))
        })
    }
    fn restarts(&self, man_moved: bool, capture: bool, promotes: bool) -> bool {
        match self.counts {
            Counts::Repetition { .. } | Counts::Material => false,
            Counts::KingMoves => man_moved || capture,
            Counts::NoCaptureNoPromotion | Counts::Balance => capture || promotes,
        }
    }
}

/// What one clause has counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counter {
    /// The material that holds, and the stronger side.
    material: Option<(u8, Side)>,
    /// Counted moves of White and Black.
    moves: [u16; 2],
}

impl Counter {
    /// Returns all counted plies.
    pub fn plies(&self) -> u16 {
        self.moves[0].saturating_add(self.moves[1])
    }
    /// Returns true while the clause's material holds, so that moves are being counted.
    pub fn runs(&self) -> bool {
        self.material.is_some()
    }
    /// Returns the counted moves in the clause's own unit: of each side, or of the named side.
    pub fn count(&self, of: Of) -> u16 {
        let strong = self.material.map_or(Side::White, |(_, side)| side);
        match of {
            Of::Each => self.plies() / 2,
            Of::Strong => self.moves[strong as usize],
            Of::Weak => self.moves[strong.other() as usize],
        }
    }
}

/// The counters of all clauses of a rule set except repetition, in the clauses' order. Small enough to be copied at every ply of a
/// search.
#[derive(PartialEq, Eq, Debug)]
pub struct Counters(Vec<Counter>);

impl Clone for Counters {
    fn clone(&self) -> Self {
        Counters(self.0.clone())
    }
    /// Copies without asking for memory again, as a search does at every ply.
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl Counters {
    /// Returns the counters before the first ply: material on the board already counts from the first move.
    pub fn new(shape: Shape, clauses: &[Clause], p: &Position) -> Counters {
        let census = Census::of(shape, p);
        Counters(clauses.iter().map(|c| Counter { material: c.material(&census), moves: [0, 0] }).collect())
    }
    /// Counts a move played from `before` to `after`.
    pub fn count(&mut self, shape: Shape, clauses: &[Clause], before: &Position, m: &Move, after: &Position) {
        let man_moved = !before.kings().has(m.from);
        let census = Census::of(shape, after);
        for (clause, counter) in clauses.iter().zip(&mut self.0) {
            if clause.is_repetition() {
                continue;
            }
            let material = clause.material(&census);
            if material.is_none()
                || material != counter.material
                || clause.restarts(man_moved, m.is_capture(), m.promotes)
            {
                *counter = Counter { material, moves: [0, 0] };
            } else {
                let mine = &mut counter.moves[before.side() as usize];
                *mine = mine.saturating_add(1);
            }
        }
    }
    /// Returns true when clause number `i` is full. Repetition is not judged here: see [`crate::Game`].
    pub fn is_full(&self, clauses: &[Clause], i: usize) -> bool {
        let (clause, counter) = (&clauses[i], &self.0[i]);
        !clause.is_repetition()
            && counter.runs()
            && match clause.of {
                Of::Each => u32::from(counter.plies()) >= 2 * u32::from(clause.limit),
                of => counter.count(of) >= clause.limit,
            }
    }
    /// Returns what clause number `i` has counted.
    pub fn get(&self, i: usize) -> &Counter {
        &self.0[i]
    }
}
