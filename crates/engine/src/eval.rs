//! What a position is worth, judged by eye: material, advance, formation, mobility, and what wins or draws an ending.
//!
//! One evaluator serves every board and every rule set. It is told the rules when a search begins, turns them into tables of square
//! values, and reads no rules afterwards. All values are hundredths of a man.

use std::ops::{AddAssign, SubAssign};

use damiera_rules::movement::{CaptureLines, KingRange, Landing, forward, moving_lines};
use damiera_rules::{Bits, Dir, Geometry, Goal, Position, RuleSet, Shape, Side};

use crate::score::{DRAW, MAX_VALUE};

/// A value at the beginning of the game and at its end; positions between are worth something between.
#[derive(Clone, Copy, Default, Debug)]
struct Phased {
    opening: i32,
    ending: i32,
}

const fn phased(opening: i32, ending: i32) -> Phased {
    Phased { opening, ending }
}

impl Phased {
    fn times(self, n: u32) -> Phased {
        phased(self.opening * n as i32, self.ending * n as i32)
    }
}
impl AddAssign for Phased {
    fn add_assign(&mut self, other: Phased) {
        self.opening += other.opening;
        self.ending += other.ending;
    }
}
impl SubAssign for Phased {
    fn sub_assign(&mut self, other: Phased) {
        self.opening -= other.opening;
        self.ending -= other.ending;
    }
}

const MAN: i32 = 100;
/// For each row that a man has gone.
const ADVANCE: Phased = phased(2, 5);
/// The same where the first king wins.
const ADVANCE_FIRST_KING: Phased = phased(4, 10);
/// A man at home on his first row, while the other side has men to crown.
const HOME: Phased = phased(9, 3);
/// A man on the outermost column.
const EDGE: Phased = phased(-4, -2);
/// A man in the middle columns and rows.
const CENTRE: Phased = phased(4, 2);
/// A man with a piece of its own side, or the edge, right behind it.
const SUPPORTED: Phased = phased(3, 2);
/// An empty square ahead of a man.
const FREE_STEP: Phased = phased(2, 3);
/// A king that cannot move at all.
const TRAPPED_KING: i32 = 60;
/// A flying king that commands the long diagonal.
const LONG_DIAGONAL: i32 = 12;
/// For every square that a flying king can reach at once.
const KING_REACH: i32 = 2;
/// The player to move has the initiative.
const TEMPO: i32 = 3;
/// A passed man that nothing can stop, one step from the last row; each step more costs [`PASSED_STEP`].
const PASSED: i32 = 90;
const PASSED_STEP: i32 = 15;
/// Where the first king wins: a race that is won.
const RACE_WON: i32 = 1500;
/// For each step by which the stronger side's kings are nearer to a lone king.
const NEARER: i32 = 3;
/// For each square that a lone flying king can still reach without being taken there.
const CONFINED: i32 = 8;

/// The value of positions under one rule set.
#[derive(Clone)]
pub(crate) struct Evaluator {
    goal: Goal,
    flying: bool,
    /// Whether two kings win against one: they do where kings are short, and in killer draughts.
    two_win: bool,
    /// The most pieces that cannot win against a lone flying king.
    powerless: u32,
    king: i32,
    pieces_at_start: i32,
    /// Square values of a side's men.
    men: [Vec<Phased>; 2],
    /// Square values of kings.
    kings: Vec<Phased>,
    /// Steps from a square to the row where a side's men are crowned.
    to_crown: [Vec<u8>; 2],
}

impl Evaluator {
    pub(crate) fn new(rules: &RuleSet) -> Evaluator {
        let shape = rules.shape();
        let flying = rules.movement().king == KingRange::Flying;
        Evaluator {
            goal: rules.goal(),
            flying,
            two_win: !flying || rules.movement().landing != Landing::Anywhere || shape.is_orthogonal(),
            powerless: if shape.size() > 8 { 3 } else { 2 },
            king: king_value(rules),
            pieces_at_start: i32::from(shape.row_len()) * i32::from(rules.start().rows) * 2,
            men: [Side::White, Side::Black].map(|side| man_squares(rules, side)),
            kings: king_squares(shape, flying),
            to_crown: [Side::White, Side::Black].map(|side| {
                table(shape, |row, _| if side.is_white() { row } else { shape.size() - 1 - row })
            }),
        }
    }

    /// Returns the value for the player to move. It is never [`DRAW`] and never a win or a loss.
    pub(crate) fn evaluate<G: Geometry>(&self, p: &Position<G::Set>) -> i32 {
        let white = match self.goal {
            Goal::Normal => self.normal::<G>(p),
            Goal::Losing => self.losing::<G>(p),
            Goal::FirstKing => self.first_king::<G>(p),
        };
        let value = if p.side().is_white() { white } else { -white };
        let value = (value + TEMPO).clamp(-MAX_VALUE, MAX_VALUE);
        if value == DRAW { 1 } else { value }
    }

    /// The usual game: material and position, weighed by how few pieces are left, and the endings that are known.
    fn normal<G: Geometry>(&self, p: &Position<G::Set>) -> i32 {
        let value = self.board::<G>(p);
        let [white, black] = [p.white().len() as i32, p.black().len() as i32];
        // With fewer pieces the same difference weighs more: who is ahead should exchange.
        let value = value + value * 12 / (white + black + 8);
        let value = value + self.kings_hunt::<G>(p);
        self.near_to_draw::<G>(p, value)
    }

    /// Material, squares and formation.
    fn board<G: Geometry>(&self, p: &Position<G::Set>) -> i32 {
        let mut sum = Phased::default();
        for bit in p.men(Side::White).iter() {
            sum += self.men[0][usize::from(bit)];
        }
        for bit in p.men(Side::Black).iter() {
            sum -= self.men[1][usize::from(bit)];
        }
        sum += self.formation::<G>(p, Side::White);
        sum -= self.formation::<G>(p, Side::Black);
        let passed = self.passed::<G>(p, Side::White) - self.passed::<G>(p, Side::Black);
        let kings = self.kings_of::<G>(p, Side::White) - self.kings_of::<G>(p, Side::Black);
        self.phase(p, sum) + passed + kings
    }

    fn phase<S: Bits>(&self, p: &Position<S>, sum: Phased) -> i32 {
        let left = ((p.white() | p.black()).len() as i32).min(self.pieces_at_start);
        sum.ending + (sum.opening - sum.ending) * left / self.pieces_at_start
    }

    fn formation<G: Geometry>(&self, p: &Position<G::Set>, side: Side) -> Phased {
        let (own, men) = (p.pieces(side), p.men(side));
        let empty = G::SQUARES & !(p.white() | p.black());
        let (mut supported, mut free) = (0, 0);
        for &d in forward(side.is_white(), G::SHAPE.is_orthogonal()) {
            supported += (G::step(own, d) & men).len();
            free += (G::step(men, d) & empty).len();
        }
        let mut sum = SUPPORTED.times(supported);
        sum += FREE_STEP.times(free);
        sum
    }

    /// The men that no piece of the other side stands in front of, near the last row.
    fn passed<G: Geometry>(&self, p: &Position<G::Set>, side: Side) -> i32 {
        if p.men(side).is_empty() || (self.flying && p.kings_of(side.other()).any()) {
            return 0;
        }
        let to_crown = &self.to_crown[side as usize];
        self.passed_men::<G>(p, side)
            .iter()
            .map(|bit| {
                (PASSED - PASSED_STEP * (i32::from(to_crown[usize::from(bit)]) - 1)).max(0) * self.king / 300
            })
            .sum()
    }

    /// A man is passed when no piece of the other side can still come into its way: it lies outside the cone of squares that each of
    /// them sees ahead.
    fn passed_men<G: Geometry>(&self, p: &Position<G::Set>, side: Side) -> G::Set {
        let ahead = forward(!side.is_white(), G::SHAPE.is_orthogonal());
        let mut cone = p.pieces(side.other());
        for _ in 1..G::SHAPE.size() {
            for &d in ahead {
                cone |= G::step(cone, d) & G::SQUARES;
            }
        }
        p.men(side) & !cone
    }

    fn kings_of<G: Geometry>(&self, p: &Position<G::Set>, side: Side) -> i32 {
        let kings = p.kings_of(side);
        let mut sum = Phased::default();
        for bit in kings.iter() {
            sum += self.kings[usize::from(bit)];
        }
        let mut value = kings.len() as i32 * self.king + self.phase(p, sum);
        if kings.is_empty() {
            return value;
        }
        let empty = G::SQUARES & !(p.white() | p.black());
        let lines = moving_lines(G::SHAPE.is_orthogonal());
        for bit in kings.iter().take(3) {
            let at = G::Set::bit(bit);
            let near = lines.iter().fold(G::Set::EMPTY, |near, d| near | G::step(at, *d)) & empty;
            if near.is_empty() {
                value -= TRAPPED_KING;
            } else if self.flying {
                value += KING_REACH * reach::<G>(at, empty, lines).len() as i32;
            }
        }
        value
    }

    /// One side has only kings and is outnumbered: the other one should close in, or take away its squares.
    fn kings_hunt<G: Geometry>(&self, p: &Position<G::Set>) -> i32 {
        let hunt = |strong: Side| {
            let (hunters, prey) = (p.kings_of(strong), p.kings_of(strong.other()));
            if prey.is_empty() || p.men(strong.other()).any() || prey.len() > 2 || hunters.len() <= prey.len()
            {
                return 0;
            }
            if self.flying {
                return -CONFINED * safe_reach::<G>(p, hunters, prey).len() as i32;
            }
            let near = |from: u8| prey.iter().map(|to| distance(G::SHAPE, from, to)).min().unwrap_or(0);
            -NEARER * hunters.iter().take(4).map(near).sum::<i32>()
        };
        hunt(Side::White) - hunt(Side::Black)
    }

    /// Endings that can hardly be won are worth little, however many pieces one side has more.
    fn near_to_draw<G: Geometry>(&self, p: &Position<G::Set>, value: i32) -> i32 {
        let strong = if value > 0 { Side::White } else { Side::Black };
        let weak = strong.other();
        let (n, m) = (p.pieces(strong).len(), p.pieces(weak).len());
        if p.kings_of(weak).is_empty() || n < m {
            return value;
        }
        if n == 1 {
            return value / 8;
        }
        if self.two_win {
            return value;
        }
        let holds = (p.kings_of(weak).widen() & G::SHAPE.long_diagonal()) != 0;
        if n <= self.powerless || (n == self.powerless + 1 && holds) {
            value / 8
        } else if n - m <= 1 || (holds && n <= self.powerless + 3) {
            value / 2
        } else {
            value
        }
    }

    /// The losing game: pieces are a burden, and so is having many moves left when the other side has few.
    fn losing<G: Geometry>(&self, p: &Position<G::Set>) -> i32 {
        let burden = |side| {
            let (men, kings) = (p.men(side).len() as i32, p.kings_of(side).len() as i32);
            men * MAN + kings * self.king
        };
        let (white, black) = (burden(Side::White), burden(Side::Black));
        // The same difference weighs more when little is left to give away.
        let value = (black - white) * 40 / (8 + (p.white() | p.black()).len() as i32);
        let mut free = self.formation::<G>(p, Side::White);
        free -= self.formation::<G>(p, Side::Black);
        value + free.opening
    }

    /// The race for the first king.
    fn first_king<G: Geometry>(&self, p: &Position<G::Set>) -> i32 {
        let mut value = self.board::<G>(p);
        let fastest = |side: Side| {
            let steps = self.passed_men::<G>(p, side).iter().map(|bit| {
                i32::from(self.to_crown[side as usize][usize::from(bit)]) * 2 - i32::from(p.side() == side)
            });
            steps.min()
        };
        let race = |mine: Option<i32>, other: Option<i32>| match (mine, other) {
            (Some(mine), Some(other)) if mine < other => RACE_WON - 20 * mine,
            (Some(mine), None) => RACE_WON / 2 - 20 * mine,
            _ => 0,
        };
        let (white, black) = (fastest(Side::White), fastest(Side::Black));
        value += race(white, black) - race(black, white);
        value
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

fn king_value(rules: &RuleSet) -> i32 {
    let m = rules.movement();
    if rules.goal() == Goal::Losing {
        return 90;
    }
    match m.king {
        KingRange::Short if m.men_take_kings => 140,
        KingRange::Short => 175,
        KingRange::Flying if rules.shape().is_orthogonal() => 480,
        KingRange::Flying if m.lines == CaptureLines::Eight => 350,
        KingRange::Flying if rules.shape().size() > 8 => 330,
        KingRange::Flying => 290,
    }
}

/// Returns a table with a value for every square, by its bit.
fn table<T: Clone + Default>(shape: Shape, value: impl Fn(u8, u8) -> T) -> Vec<T> {
    let mut table = vec![T::default(); 128];
    for bit in shape.all().iter() {
        let (row, col) = shape.row_col(bit);
        table[usize::from(bit)] = value(row, col);
    }
    table
}

fn man_squares(rules: &RuleSet, side: Side) -> Vec<Phased> {
    let shape = rules.shape();
    let size = shape.size();
    let first_king = rules.goal() == Goal::FirstKing;
    table(shape, |row, col| {
        let gone = if side.is_white() { size - 1 - row } else { row };
        let mut value = phased(MAN, MAN);
        value += (if first_king { ADVANCE_FIRST_KING } else { ADVANCE }).times(u32::from(gone));
        if gone == 0 {
            value += HOME;
        }
        if col == 0 || col == size - 1 {
            value += EDGE;
        }
        if is_central(shape, row, col) {
            value += CENTRE;
        }
        value
    })
}

fn king_squares(shape: Shape, flying: bool) -> Vec<Phased> {
    table(shape, |row, col| {
        let mut value = Phased::default();
        if is_central(shape, row, col) {
            value += phased(6, 8);
        }
        if flying && !shape.is_orthogonal() && row + col == shape.size() - 1 {
            value += phased(LONG_DIAGONAL, LONG_DIAGONAL);
        }
        value
    })
}

fn is_central(shape: Shape, row: u8, col: u8) -> bool {
    let rim = shape.size() / 2 - 2;
    let within = |x: u8| (rim..shape.size() - rim).contains(&x);
    within(row) && within(col)
}

/// Returns how many steps a short king needs from one square to another on an empty board.
fn distance(shape: Shape, from: u8, to: u8) -> i32 {
    let ((r0, c0), (r1, c1)) = (shape.row_col(from), shape.row_col(to));
    let (rows, cols) = (i32::from(r0.abs_diff(r1)), i32::from(c0.abs_diff(c1)));
    if shape.is_orthogonal() { rows + cols } else { rows.max(cols) }
}
