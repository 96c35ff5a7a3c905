//! What the evaluation counts in a position. Everything about men is counted on whole sets at once; kings may take longer.
//!
//! Each count is White's less Black's, and Black's is White's on the board turned round, so that one set of weights serves both sides.

use damiera_rules::movement::{CaptureLines, KingRange, MenCapture, forward};
use damiera_rules::{Bits, Geometry, Position, RuleSet, RuleSource, Shape, Side};

macro_rules! terms {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// Something that is counted and has a weight.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Term {
            $($(#[$doc])* $name,)*
        }

        impl Term {
            /// All terms, those about men first.
            pub(crate) const ALL: [Term; [$($word),*].len()] = [$(Term::$name),*];

            /// Returns the term's name in files of weights.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Term::$name => $word),* }
            }
        }
    };
}
terms! {
    /// It is this side's turn.
    Turn = "turn",
    /// With equal numbers, the side to move has the opposition: the pieces on the files of its own first row are odd in number.
    Opposition = "opposition",
    /// How many men more stand on one wing than on the other.
    Lopsided = "lopsided",
    /// Neighbouring men on the lines from top left to bottom right; on the orthogonal board on the columns.
    PairDown = "pair_down",
    /// The same on the lines from top right to bottom left; on the orthogonal board on the rows.
    PairUp = "pair_up",
    /// Three men in a row on the lines of `PairDown`.
    ThreeDown = "three_down",
    /// Three men in a row on the lines of `PairUp`.
    ThreeUp = "three_up",
    /// Men with a man behind them on every line along which they go forward.
    Backed = "backed",
    /// Men with an empty square behind them on all these lines.
    Loose = "loose",
    /// Empty squares with a man in front of them on all these lines.
    Hole = "hole",
    /// Men in the far half of the board with a man behind them.
    Outpost = "outpost",
    /// Quiet steps of men.
    Step = "step",
    /// Those after which no man can capture the one that stepped.
    SafeStep = "safe_step",
    /// Men without a quiet step.
    Stuck = "stuck",
    /// Lines on which a man has a piece of the other side right in front.
    Contact = "contact",
    /// Men one step from the last row, with nobody in their way.
    PassedOne = "passed.1",
    /// The same two steps away.
    PassedTwo = "passed.2",
    /// The same three steps away.
    PassedThree = "passed.3",
    /// The same four steps away.
    PassedFour = "passed.4",
    /// The side has a king.
    Crowned = "crowned",
    /// Squares that kings can go to.
    KingReach = "king_reach",
    /// Those where no man can capture them.
    KingSafe = "king_safe",
    /// Kings that cannot move.
    KingStuck = "king_stuck",
    /// Pieces of the other side that kings stand next to or, when they fly, look at.
    KingContact = "king_contact",
}

/// How many terms there are.
pub(crate) const TERMS: usize = Term::ALL.len();
/// How many patterns of the first row are told apart at most: on 12x12 it has six squares.
pub(crate) const HOMES: usize = 1 << 6;
/// How many steps from the last row a passed man is looked for.
const PASSED_STEPS: usize = 4;

/// Who is told of everything that is counted, so that a sum can be made while counting.
pub(crate) trait Tally {
    /// Takes how often a term counts: White's less Black's.
    fn add(&mut self, term: Term, n: i64);
    /// Takes the pattern of a side's men on its first row: a bit for each square, as White sees the board. [`turned_home`] is the pattern as
    /// Black sees it.
    fn add_home<const WHITE: bool>(&mut self, pattern: usize);

    /// Takes several terms, as White and Black have them.
    #[inline(always)]
    fn add_each<const N: usize>(&mut self, terms: [Term; N], white: [i64; N], black: [i64; N]) {
        for i in 0..N {
            self.add(terms[i], white[i] - black[i]);
        }
    }
}

/// What counting must know of the rules and the board.
#[derive(Clone)]
pub(crate) struct Features {
    left: u128,
    /// The far half of the board, for each side.
    far: [u128; 2],
    /// The files of each side's first row.
    system: [u128; 2],
    /// The squares one, two, three and four steps from the row where each side's men are crowned.
    near_crown: [[u128; PASSED_STEPS]; 2],
}

/// What the sets of a side look like while its features are counted.
#[derive(Clone, Copy)]
struct View<S> {
    men: S,
    kings: S,
    enemies: S,
    enemy_men: S,
    empty: S,
}

impl<S: Bits> View<S> {
    #[inline(always)]
    fn new<G: Geometry<Set = S>, const WHITE: bool>(p: &Position<S>) -> View<S> {
        let (own, enemies) = if WHITE { (p.white(), p.black()) } else { (p.black(), p.white()) };
        View {
            men: own & !p.kings(),
            kings: own & p.kings(),
            enemies,
            enemy_men: enemies & !p.kings(),
            empty: G::SQUARES & !(own | enemies),
        }
    }
}

impl Features {
    pub(crate) fn new(rules: &RuleSet) -> Features {
        let shape = rules.shape();
        let size = shape.size();
        let for_sides = |of: &dyn Fn(bool) -> u128| [of(true), of(false)];
        let near = |steps: u8| {
            for_sides(&|white| {
                if white { shape.rows(steps, steps + 1) } else { shape.rows(size - 1 - steps, size - steps) }
            })
        };
        let rows: [[u128; 2]; PASSED_STEPS] = std::array::from_fn(|i| near(i as u8 + 1));
        Features {
            left: squares_where(shape, |_, col| col < size / 2),
            far: [shape.rows(0, size / 2), shape.rows(size / 2, size)],
            system: for_sides(&|white| {
                let first = if white { size - 1 } else { 0 };
                squares_where(shape, |_, col| shape.at(first, col).is_some())
            }),
            near_crown: [rows.map(|row| row[0]), rows.map(|row| row[1])],
        }
    }

    /// Counts everything that has a weight, but for the squares on which pieces stand.
    #[inline(always)]
    pub(crate) fn count<G: Geometry, R: RuleSource>(
        &self,
        rules: R,
        p: &Position<G::Set>,
        tally: &mut impl Tally,
    ) {
        let white = View::new::<G, true>(p);
        let black = View::new::<G, false>(p);
        if !G::SHAPE.is_orthogonal() {
            tally.add_home::<true>(home::<G, true>(white.men));
            tally.add_home::<false>(home::<G, false>(black.men));
        }
        tally.add(Term::Lopsided, self.lopsided(white.men) - self.lopsided(black.men));
        tally.add_each(FORMATION, formation::<G>(white.men), formation::<G>(black.men));
        tally.add_each(SUPPORT, self.support::<G, true>(&white), self.support::<G, false>(&black));
        let attacked = (attacked::<G, R, true>(rules, &white), attacked::<G, R, false>(rules, &black));
        tally.add_each(STEPS, steps::<G, true>(&white, attacked.0), steps::<G, false>(&black, attacked.1));
        self.count_passed::<G, R, true>(rules, &white, tally);
        self.count_passed::<G, R, false>(rules, &black, tally);
        self.count_turn::<G>(p, tally);
        if p.kings().any() {
            let (white, black) =
                (kings::<G, R>(rules, &white, attacked.0), kings::<G, R>(rules, &black, attacked.1));
            tally.add_each(KINGS, white, black);
        }
    }

    #[inline(always)]
    fn lopsided<S: Bits>(&self, men: S) -> i64 {
        (2 * count(men & S::narrow(self.left)) - count(men)).abs()
    }

    /// Counts what stands behind men: [`SUPPORT`].
    #[inline(always)]
    fn support<G: Geometry, const WHITE: bool>(&self, v: &View<G::Set>) -> [i64; 4] {
        let men = v.men;
        let (mut backed, mut loose, mut hole) = (men, men, v.empty);
        let mut supported = G::Set::EMPTY;
        for &d in forward(WHITE, G::SHAPE.is_orthogonal()) {
            let behind = G::step(men, d);
            backed &= behind;
            supported |= behind;
            loose &= G::step(v.empty, d);
            hole &= G::step(men, d.back());
        }
        let far = G::Set::narrow(self.far[usize::from(!WHITE)]);
        [count(backed), count(loose), count(hole), count(men & supported & far)]
    }

    /// A man is passed when no piece of the other side can still come into its way: it lies outside the cone of squares that each of
    /// them sees ahead. Against a flying king nobody is.
    #[inline(always)]
    fn count_passed<G: Geometry, R: RuleSource, const WHITE: bool>(
        &self,
        rules: R,
        v: &View<G::Set>,
        tally: &mut impl Tally,
    ) {
        let rows = self.near_crown[usize::from(!WHITE)].map(G::Set::narrow);
        let near = v.men & (rows[0] | rows[1] | rows[2] | rows[3]);
        if near.is_empty() || (kings_fly(rules) && v.enemy_men != v.enemies) {
            return;
        }
        let passed = near & !cone::<G, WHITE>(v.enemies, PASSED_STEPS as u32);
        if passed.is_empty() {
            return;
        }
        let on_rows = rows.map(|row| count(passed & row));
        let (white, black) = if WHITE { (on_rows, [0; 4]) } else { ([0; 4], on_rows) };
        tally.add_each(PASSED, white, black);
    }

    #[inline(always)]
    fn count_turn<G: Geometry>(&self, p: &Position<G::Set>, tally: &mut impl Tally) {
        let (side, sign) = if p.side().is_white() { (0, 1) } else { (1, -1) };
        tally.add(Term::Turn, sign);
        if p.white().len() == p.black().len() {
            let odd = count((p.white() | p.black()) & G::Set::narrow(self.system[side])) % 2;
            tally.add(Term::Opposition, sign * (2 * odd - 1));
        }
    }

    /// Returns the passed men of a side, as far as they may be from the last row.
    pub(crate) fn passed_men<G: Geometry>(&self, p: &Position<G::Set>, side: Side) -> G::Set {
        let steps = u32::from(G::SHAPE.size()) - 1;
        let enemies = p.pieces(side.other());
        let cone =
            if side.is_white() { cone::<G, true>(enemies, steps) } else { cone::<G, false>(enemies, steps) };
        p.men(side) & !cone
    }
}

#[inline(always)]
fn kings_fly<R: RuleSource>(rules: R) -> bool {
    rules.movement().king == KingRange::Flying
}

/// What [`formation`] counts.
const FORMATION: [Term; 4] = [Term::PairDown, Term::ThreeDown, Term::PairUp, Term::ThreeUp];

/// Counts men in rows: [`FORMATION`].
#[inline(always)]
fn formation<G: Geometry>(men: G::Set) -> [i64; 4] {
    let down = men & G::step(men, G::LINES[0]);
    let up = men & G::step(men, G::LINES[1]);
    let (three_down, three_up) = (down & G::step(down, G::LINES[0]), up & G::step(up, G::LINES[1]));
    [count(down), count(three_down), count(up), count(three_up)]
}

/// What [`Features::support`] counts.
const SUPPORT: [Term; 4] = [Term::Backed, Term::Loose, Term::Hole, Term::Outpost];
/// What [`Features::count_passed`] counts.
const PASSED: [Term; PASSED_STEPS] = [Term::PassedOne, Term::PassedTwo, Term::PassedThree, Term::PassedFour];
/// What [`steps`] counts.
const STEPS: [Term; 4] = [Term::Step, Term::SafeStep, Term::Contact, Term::Stuck];

/// Counts where men can go: [`STEPS`]. `attacked` are the squares where they could be captured.
#[inline(always)]
fn steps<G: Geometry, const WHITE: bool>(v: &View<G::Set>, attacked: G::Set) -> [i64; 4] {
    let men = v.men;
    let (mut steps, mut safe, mut contacts) = (0, 0, 0);
    let mut mobile = G::Set::EMPTY;
    for &d in forward(WHITE, G::SHAPE.is_orthogonal()) {
        let to = G::step(men, d) & v.empty;
        let front = G::step(v.enemies, d.back());
        mobile |= G::step(v.empty, d.back());
        steps += count(to);
        // The square that a man leaves is empty for whoever stands right in front of it then.
        safe += count(to & !attacked & !front);
        contacts += count(men & front);
    }
    [steps, safe, contacts, count(men & !mobile)]
}

/// Returns the squares on which a man of the other side could capture a piece now.
#[inline(always)]
fn attacked<G: Geometry, R: RuleSource, const WHITE: bool>(rules: R, v: &View<G::Set>) -> G::Set {
    let (movement, orthogonal) = (rules.movement(), G::SHAPE.is_orthogonal());
    let mut attacked = jumped::<G>(v.enemy_men, v.empty, forward(!WHITE, orthogonal));
    if movement.men_capture == MenCapture::Everywhere {
        attacked |= jumped::<G>(v.enemy_men, v.empty, forward(WHITE, orthogonal));
    }
    if movement.lines == CaptureLines::Eight {
        attacked |= jumped::<G>(v.enemy_men, v.empty, &G::OTHER_LINES);
    }
    attacked
}

/// What [`kings`] counts.
const KINGS: [Term; 5] = [Term::Crowned, Term::KingReach, Term::KingSafe, Term::KingStuck, Term::KingContact];

/// Counts what a side's kings can do: [`KINGS`].
fn kings<G: Geometry, R: RuleSource>(rules: R, v: &View<G::Set>, attacked: G::Set) -> [i64; 5] {
    if v.kings.is_empty() {
        return [0; 5];
    }
    let (mut reach, mut seen, mut free) = (G::Set::EMPTY, G::Set::EMPTY, G::Set::EMPTY);
    for d in G::LINES {
        let mut front = G::step(v.kings, d);
        free |= G::step(front & v.empty, d.back());
        while kings_fly(rules) && (front & v.empty).any() {
            reach |= front & v.empty;
            seen |= front;
            front = G::step(front & v.empty, d);
        }
        reach |= front & v.empty;
        seen |= front;
    }
    [1, count(reach), count(reach & !attacked), count(v.kings & !free), count(seen & v.enemies)]
}

/// Returns the squares on which one of `men` could capture a piece along these lines: one of them before, an empty square behind.
#[inline(always)]
fn jumped<G: Geometry>(men: G::Set, empty: G::Set, lines: &[damiera_rules::Dir]) -> G::Set {
    lines.iter().fold(G::Set::EMPTY, |set, &d| set | (G::step(men, d) & G::step(empty, d.back())))
}

/// Returns the squares that the pieces facing side `WHITE` stand on or can go forward to within so many steps, if nothing is in their way.
#[inline(always)]
fn cone<G: Geometry, const WHITE: bool>(enemies: G::Set, steps: u32) -> G::Set {
    let mut cone = enemies;
    for _ in 0..steps {
        for &d in forward(!WHITE, G::SHAPE.is_orthogonal()) {
            cone |= G::step(cone, d);
        }
        cone &= G::SQUARES;
    }
    cone
}

/// Returns the pattern of a side's men on its first row, as White sees the board.
#[inline(always)]
fn home<G: Geometry, const WHITE: bool>(men: G::Set) -> usize {
    let row = u32::from(G::SHAPE.row_len());
    let first = if WHITE { u32::from(G::SHAPE.bit_of(G::SHAPE.squares() - G::SHAPE.row_len())) } else { 0 };
    (men >> first).widen() as usize & ((1 << row) - 1)
}

/// Returns a pattern of a first row on the board turned round: it is read from the other end.
pub(crate) fn turned_home(shape: Shape, pattern: usize) -> usize {
    pattern.reverse_bits() >> (usize::BITS - u32::from(shape.row_len()))
}

/// Returns the playing squares whose row and column satisfy a condition.
fn squares_where(shape: Shape, holds: impl Fn(u8, u8) -> bool) -> u128 {
    shape
        .all()
        .singles()
        .filter(|square| {
            let (row, col) = shape.row_col(square.lowest() as u8);
            holds(row, col)
        })
        .fold(0, |set, square| set | square)
}

#[inline(always)]
fn count<S: Bits>(set: S) -> i64 {
    i64::from(set.len())
}
