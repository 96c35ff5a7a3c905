//! Endings with few pieces: hunts for a lone king, and material that hardly wins.

use damiera_rules::movement::{KingRange, Landing, moving_lines};
use damiera_rules::{Bits, Dir, Geometry, Position, RuleSet, Shape, Side};

/// For each step by which the stronger side's kings are nearer to a lone king, in hundredths of a man.
const NEARER: i32 = 3;
/// For each square that a lone flying king can still reach without being taken there.
const CONFINED: i32 = 8;

/// What is known of a rule set's endings.
#[derive(Clone)]
pub(crate) struct Endings {
    flying: bool,
    /// Whether two kings win against one: they do where kings are short, and in killer draughts.
    two_win: bool,
    /// The most pieces that cannot win against a lone flying king.
    powerless: u32,
}

impl Endings {
    pub(super) fn new(rules: &RuleSet) -> Endings {
        let (shape, movement) = (rules.shape(), rules.movement());
        let flying = movement.king == KingRange::Flying;
        Endings {
            flying,
            two_win: !flying || movement.landing != Landing::Anywhere || shape.is_orthogonal(),
            powerless: if shape.size() > 8 { 3 } else { 2 },
        }
    }

    /// Returns White's value with what is known of the ending.
    #[inline]
    pub(super) fn judge<G: Geometry>(&self, p: &Position<G::Set>, value: i32) -> i32 {
        let (hunt, eighths) = self.parts::<G>(p, value);
        (value + hunt) * eighths / 8
    }

    /// Returns what the hunt for a lone king adds to White's value, and how many eighths of the sum count.
    #[inline]
    pub(super) fn parts<G: Geometry>(&self, p: &Position<G::Set>, value: i32) -> (i32, i32) {
        let hunt = self.hunt::<G>(p, Side::White) - self.hunt::<G>(p, Side::Black);
        (hunt, self.eighths::<G>(p, value + hunt))
    }

    /// One side has only kings and is outnumbered: the other one should close in, or take away its squares.
    fn hunt<G: Geometry>(&self, p: &Position<G::Set>, strong: Side) -> i32 {
        let (hunters, prey) = (p.kings_of(strong), p.kings_of(strong.other()));
        if prey.is_empty() || p.men(strong.other()).any() || prey.len() > 2 || hunters.len() <= prey.len() {
            return 0;
        }
        if self.flying {
            return -CONFINED * safe_reach::<G>(p, hunters, prey).len() as i32;
        }
        let near = |from: u8| prey.iter().map(|to| distance(G::SHAPE, from, to)).min().unwrap_or(0);
        -NEARER * hunters.iter().take(4).map(near).sum::<i32>()
    }

    /// Endings that can hardly be won are worth little, however many pieces one side has more. Returns how many eighths of the value
    /// count.
    #[inline]
    fn eighths<G: Geometry>(&self, p: &Position<G::Set>, value: i32) -> i32 {
        let strong = if value > 0 { Side::White } else { Side::Black };
        let weak = strong.other();
        let (n, m) = (p.pieces(strong).len(), p.pieces(weak).len());
        if p.kings_of(weak).is_empty() || n < m {
            return 8;
        }
        if n == 1 {
            return 1;
        }
        if self.two_win {
            return 8;
        }
        let holds = (p.kings_of(weak).widen() & G::SHAPE.long_diagonal()) != 0;
        if n <= self.powerless || (n == self.powerless + 1 && holds) {
            1
        } else if n - m <= 1 || (holds && n <= self.powerless + 3) {
            4
        } else {
            8
        }
    }
}

/// Returns the squares that a king could fly to along empty lines.
fn reach<G: Geometry>(kings: G::Set, empty: G::Set, lines: &[Dir]) -> G::Set {
    let mut reached = G::Set::EMPTY;
    for &d in lines {
        let mut next = G::step(kings, d) & empty;
        while next.any() {
            reached |= next;
            next = G::step(next, d) & empty;
        }
    }
    reached
}

/// Returns the squares that a flying king could go to and not be captured on by a hunting king. On a diagonal board nothing is captured
/// on the rim.
fn safe_reach<G: Geometry>(p: &Position<G::Set>, hunters: G::Set, prey: G::Set) -> G::Set {
    let empty = G::SQUARES & !(p.white() | p.black());
    let lines = moving_lines(G::SHAPE.is_orthogonal());
    let mut attacked = reach::<G>(hunters, empty | prey, lines);
    if !G::SHAPE.is_orthogonal() {
        for &d in lines {
            attacked &= G::step(G::SQUARES, d);
        }
    }
    reach::<G>(prey, empty, lines) & !attacked
}

/// Returns how many steps a short king needs from one square to another on an empty board.
fn distance(shape: Shape, from: u8, to: u8) -> i32 {
    let ((r0, c0), (r1, c1)) = (shape.row_col(from), shape.row_col(to));
    let (rows, cols) = (i32::from(r0.abs_diff(r1)), i32::from(c0.abs_diff(c1)));
    if shape.is_orthogonal() { rows + cols } else { rows.max(cols) }
}
