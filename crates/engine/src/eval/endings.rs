//! Endings with few pieces: hunts for a lone king, and material that hardly wins.

use damiera_rules::movement::{CaptureLines, KingRange, Landing, moving_lines};
use damiera_rules::{Bits, Counters, Dir, Geometry, Position, RuleSet, Shape, Side};

/// For each step by which the stronger side's kings are nearer to a lone king, in hundredths of a man.
const NEARER: i32 = 3;
/// For each square that a lone flying king can still reach without being taken there.
const CONFINED: i32 = 8;
/// For each flying king of the stronger side beside the long diagonal that is not played on. In the solved ending of three kings against one
/// on 8x8 the win is nearer by three to four plies for every king on these two lines, and how many squares the lone king has says little:
/// this is Petrov's triangle.
const ON_LANE: i32 = 100;
/// So many kings find room on these lines.
const LANE_KINGS: u32 = 3;
/// What each flying king is worth that hunts a lone one: nothing but the hunt counts then.
const HUNTER: i32 = 400;

/// What is known of a rule set's endings.
#[derive(Clone)]
pub(crate) struct Endings {
    flying: bool,
    /// Whether two kings win against one: they do where kings are short, in killer draughts, and where kings capture along eight lines.
    two_win: bool,
    /// The most pieces that cannot win against a lone flying king.
    powerless: u32,
    /// The two lines beside the long diagonal that has no squares.
    lanes: u128,
}

impl Endings {
    pub(super) fn new(rules: &RuleSet) -> Endings {
        let (shape, movement) = (rules.shape(), rules.movement());
        let flying = movement.king == KingRange::Flying;
        Endings {
            flying,
            two_win: !flying
                || movement.landing != Landing::Anywhere
                || movement.lines == CaptureLines::Eight
                || (shape.is_orthogonal() && !ends_king_against_king(rules)),
            powerless: if shape.size() > 8 { 3 } else { 2 },
            lanes: beside_empty_diagonal(shape),
        }
    }

    /// Returns White's value with what is known of the ending; `None` for a draw.
    #[inline]
    pub(super) fn judge<G: Geometry>(&self, p: &Position<G::Set>, value: i32) -> Option<i32> {
        let (known, eighths) = self.parts::<G>(p, value)?;
        Some(known + value * eighths / 8)
    }

    /// Returns what is known of White's value in an ending, and how many eighths of what was counted are to be added; `None` for a draw.
    #[inline]
    pub(super) fn parts<G: Geometry>(&self, p: &Position<G::Set>, value: i32) -> Option<(i32, i32)> {
        if self.is_dead::<G>(p) {
            return None;
        }
        if self.flying && p.men(Side::White).is_empty() && p.men(Side::Black).is_empty() {
            for (strong, sign) in [(Side::White, 1), (Side::Black, -1)] {
                if p.pieces(strong.other()).len() == 1 && p.pieces(strong).len() > 1 {
                    let hunt = sign * self.hunt_flying::<G>(p, strong);
                    return Some((hunt * self.eighths::<G>(p, hunt) / 8, 0));
                }
            }
        }
        let hunt = self.hunt::<G>(p, Side::White) - self.hunt::<G>(p, Side::Black);
        let eighths = self.eighths::<G>(p, value + hunt);
        Some((hunt * eighths / 8, eighths))
    }

    /// Kings only, and the other side has a single one that flies: it is shut in where two can win, and otherwise the lines are taken from
    /// which three do.
    fn hunt_flying<G: Geometry>(&self, p: &Position<G::Set>, strong: Side) -> i32 {
        let (hunters, prey) = (p.kings_of(strong), p.kings_of(strong.other()));
        let nearer = if self.two_win {
            -CONFINED * safe_reach::<G>(p, hunters, prey).len() as i32
        } else {
            ON_LANE * (hunters & G::Set::narrow(self.lanes)).len().min(LANE_KINGS) as i32
        };
        HUNTER * hunters.len() as i32 + nearer
    }

    /// Returns true when neither side can win, but for what is captured in the next few plies: at most two flying kings on each side, or
    /// three pieces, two of them kings, against a king on the long diagonal of the small board. Some rule sets have no clause that ends such games, and who
    /// thought himself ahead would go on for ever.
    #[inline]
    fn is_dead<G: Geometry>(&self, p: &Position<G::Set>) -> bool {
        if self.two_win || (p.white() | p.black()).len() > 4 {
            return false;
        }
        let few = |side: Side| p.men(side).is_empty() && (1..=2).contains(&p.kings_of(side).len());
        let holds = |side: Side| self.holds_against_three::<G>(p, side);
        (few(Side::White) && few(Side::Black)) || holds(Side::White) || holds(Side::Black)
    }

    /// Returns true when the only piece of a side is a king on the long diagonal, and three pieces cannot drive it off.
    fn holds_against_three<G: Geometry>(&self, p: &Position<G::Set>, side: Side) -> bool {
        let king = p.kings_of(side);
        self.powerless == 2
            && king.len() == 1
            && p.men(side).is_empty()
            && p.kings_of(side.other()).len() >= 2
            && p.pieces(side.other()).len() <= 3
            && (king.widen() & G::SHAPE.long_diagonal()) != 0
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

/// Returns true when a clause ends the game at once where each side has a single king.
fn ends_king_against_king(rules: &RuleSet) -> bool {
    let (shape, clauses) = (rules.shape(), &rules.draws().clauses);
    let (white, black) = (1 << shape.bit_of(0), 1 << shape.bit_of(shape.squares() - 1));
    let position = Position::from_sets(white, black, white | black, Side::White);
    let counters = Counters::new(shape, clauses, &position);
    (0..clauses.len()).any(|i| counters.is_full(clauses, i) && !clauses[i].unless_won)
}

/// Returns the squares beside the long diagonal that is not played on; none on the orthogonal board.
fn beside_empty_diagonal(shape: Shape) -> u128 {
    let is_beside = |square: &u128| {
        let (row, col) = shape.row_col(square.lowest() as u8);
        !shape.is_orthogonal() && row.abs_diff(col) == 1
    };
    shape.all().singles().filter(is_beside).fold(0, |set, square| set | square)
}

/// Returns the squares that a king could fly to along empty lines in one direction.
fn ray<G: Geometry>(kings: G::Set, empty: G::Set, d: Dir) -> G::Set {
    let mut reached = G::Set::EMPTY;
    let mut next = G::step(kings, d) & empty;
    while next.any() {
        reached |= next;
        next = G::step(next, d) & empty;
    }
    reached
}

/// Returns the squares that a flying king could go to and not be captured on by a hunting king, which needs an empty square behind it.
fn safe_reach<G: Geometry>(p: &Position<G::Set>, hunters: G::Set, prey: G::Set) -> G::Set {
    let empty = G::SQUARES & !(p.white() | p.black());
    let (mut reached, mut attacked) = (G::Set::EMPTY, G::Set::EMPTY);
    for &d in moving_lines(G::SHAPE.is_orthogonal()) {
        reached |= ray::<G>(prey, empty, d);
        attacked |= ray::<G>(hunters, empty | prey, d) & G::step(empty | prey, d.back());
    }
    reached & !attacked
}

/// Returns how many steps a short king needs from one square to another on an empty board.
fn distance(shape: Shape, from: u8, to: u8) -> i32 {
    let ((r0, c0), (r1, c1)) = (shape.row_col(from), shape.row_col(to));
    let (rows, cols) = (i32::from(r0.abs_diff(r1)), i32::from(c0.abs_diff(c1)));
    if shape.is_orthogonal() { rows + cols } else { rows.max(cols) }
}
