//! A position as the side to move sees it, and what can be said about it with a few operations on whole sets.

use core::marker::PhantomData;

use crate::bits::Bits;
use crate::geometry::{Dir, Geometry};
use crate::movement::{
    CaptureLines, Criterion, KingRange, Landing, MenCapture, Obligation, Promotion, Removal, RuleSource,
};
use crate::position::Position;

/// The side to move as a type, so that every direction is a constant.
pub(crate) trait Mover: Copy {
    /// The other side.
    type Other: Mover<Other = Self>;
    /// Whether White is to move.
    const WHITE: bool;
}

/// White to move.
#[derive(Clone, Copy)]
pub(crate) struct White;
/// Black to move.
#[derive(Clone, Copy)]
pub(crate) struct Black;

impl Mover for White {
    type Other = Black;
    const WHITE: bool = true;
}
impl Mover for Black {
    type Other = White;
    const WHITE: bool = false;
}

/// The pieces, told by who is to move.
#[derive(Clone, Copy)]
pub(crate) struct View<S> {
    pub(crate) us: S,
    pub(crate) them: S,
    /// The kings of both sides.
    pub(crate) kings: S,
}

impl<S: Bits> View<S> {
    #[inline(always)]
    pub(crate) fn of(p: &Position<S>) -> View<S> {
        View { us: p.pieces(p.side()), them: p.pieces(p.side().other()), kings: p.kings() }
    }
    /// Returns what the other side sees after a man's quiet move; `crown` is its landing square if it is crowned there.
    #[inline(always)]
    pub(crate) fn after_man(self, from: S, to: S, crown: S) -> View<S> {
        View { us: self.them, them: self.us ^ (from | to), kings: self.kings | crown }
    }
    /// Returns what the other side sees after a king's quiet move.
    #[inline(always)]
    pub(crate) fn after_king(self, from: S, to: S) -> View<S> {
        let way = from | to;
        View { us: self.them, them: self.us ^ way, kings: self.kings ^ way }
    }
    /// Returns what the other side sees after a capture.
    #[inline(always)]
    pub(crate) fn after_capture(self, from: S, captured: S, to: S, promotes: bool) -> View<S> {
        let king = promotes || (self.kings & from).any();
        View {
            us: self.them & !captured,
            // Remove, then add: a capture may end where it began.
            them: (self.us & !from) | to,
            kings: (self.kings & !(from | captured)) | if king { to } else { S::EMPTY },
        }
    }
}

/// Something for each of the four lines along which pieces move; entry `3 - i` belongs to the opposite line of entry `i`.
pub(super) type ByLine<T> = [T; 4];

/// Returns something for each line. The four calls are written out, so that each works with a constant direction.
#[inline(always)]
pub(super) fn by_line<G: Geometry, T>(mut of: impl FnMut(usize, Dir) -> T) -> ByLine<T> {
    let [a, b, c, d] = G::LINES;
    [of(0, a), of(1, b), of(2, c), of(3, d)]
}

/// Returns all squares of the four sets.
#[inline(always)]
pub(super) fn union<S: Bits>(sets: &ByLine<S>) -> S {
    sets[0] | sets[1] | sets[2] | sets[3]
}

/// Returns the squares of the three sets that do not belong to the line opposite to line `i`.
#[inline(always)]
pub(super) fn all_but_back<S: Bits>(sets: &ByLine<S>, i: usize) -> S {
    match i {
        0 => sets[0] | sets[1] | sets[2],
        1 => sets[0] | sets[1] | sets[3],
        2 => sets[0] | sets[2] | sets[3],
        _ => sets[1] | sets[2] | sets[3],
    }
}

/// Returns the sum of the numbers of squares.
#[inline(always)]
pub(super) fn total<S: Bits>(sets: &ByLine<S>) -> u64 {
    u64::from(sets[0].len() + sets[1].len() + sets[2].len() + sets[3].len())
}

/// Returns `from` and every square that can be reached from it in one direction over `empty` squares only, by doubling, up to at
/// least `most` steps.
#[inline(always)]
fn slide<G: Geometry>(from: G::Set, empty: G::Set, d: Dir, most: u8) -> G::Set {
    let step = |set| G::step(set, d);
    let two = |set| step(step(set));
    let four = |set| two(two(set));
    let mut reach = from;
    reach |= empty & step(reach);
    let two_empty = empty & step(empty);
    reach |= two_empty & two(reach);
    if most <= 5 {
        return reach | two_empty & two(reach);
    }
    let four_empty = two_empty & two(two_empty);
    reach |= four_empty & four(reach);
    if most > 7 {
        reach |= four_empty & four(reach);
    }
    reach
}

/// As [`slide`], for the way to a piece that is jumped or from there: two more squares of the line are taken.
#[inline(always)]
pub(super) fn slide_in_capture<G: Geometry>(from: G::Set, empty: G::Set, d: Dir) -> G::Set {
    slide::<G>(from, empty, d, G::SHAPE.size() - 3)
}

/// Which captures a position offers, as far as sets can tell.
pub(super) enum Captures<S> {
    /// None.
    Nothing,
    /// Single jumps, none of which can go on, and all of which the ladder allows: the pieces jumped by men and by kings.
    Jumps { men: ByLine<S>, kings: ByLine<S> },
    /// Perhaps longer ones, or ones that the ladder must judge one by one.
    Chains,
}

/// A position taken apart for the side to move.
#[derive(Clone, Copy)]
pub(super) struct Scene<G: Geometry, R, M> {
    pub(super) rules: R,
    pub(super) men: G::Set,
    pub(super) kings: G::Set,
    pub(super) them: G::Set,
    pub(super) their_kings: G::Set,
    pub(super) empty: G::Set,
    /// The king that may make no quiet move.
    pub(super) resting: G::Set,
    mover: PhantomData<M>,
}

impl<G: Geometry, R: RuleSource, M: Mover> Scene<G, R, M> {
    #[inline(always)]
    pub(super) fn new(rules: R, view: View<G::Set>, resting: G::Set) -> Self {
        Scene {
            rules,
            men: view.us & !view.kings,
            kings: view.us & view.kings,
            them: view.them,
            their_kings: view.them & view.kings,
            empty: G::SQUARES & !(view.us | view.them),
            resting,
            mover: PhantomData,
        }
    }

    /// Returns the row where men are crowned.
    #[inline(always)]
    pub(super) fn last_row() -> G::Set {
        if M::WHITE { G::TOP } else { G::BOTTOM }
    }

    /// Returns true for the lines along which men move.
    #[inline(always)]
    pub(super) fn is_forward(d: Dir) -> bool {
        match d {
            Dir::NorthWest | Dir::North | Dir::NorthEast => M::WHITE,
            Dir::SouthWest | Dir::South | Dir::SouthEast => !M::WHITE,
            Dir::West | Dir::East => G::SHAPE.is_orthogonal(),
        }
    }

    /// Returns true for the lines along which men capture.
    #[inline(always)]
    pub(super) fn man_captures_along(&self, d: Dir) -> bool {
        self.rules.movement().men_capture == MenCapture::Everywhere || Self::is_forward(d)
    }

    #[inline(always)]
    pub(super) fn captures_on_eight_lines(&self) -> bool {
        self.rules.movement().lines == CaptureLines::Eight
    }

    #[inline(always)]
    pub(super) fn kings_fly(&self) -> bool {
        self.rules.movement().king == KingRange::Flying
    }

    #[inline(always)]
    pub(super) fn may_decline(&self) -> bool {
        self.rules.movement().capture == Obligation::Optional
    }

    /// Returns true when more jumps are a duty as long as only men capture and no king is captured.
    #[inline(always)]
    pub(super) fn longer_is_better(&self) -> bool {
        let ladder = &self.rules.movement().ladder;
        ladder.has(Criterion::Number) || ladder.has(Criterion::Value) || ladder.has(Criterion::KingsFirst)
    }

    /// Returns true when the ladder looks at what is captured, not only at how many and with what.
    #[inline(always)]
    fn ladder_looks_at_kings(&self) -> bool {
        let ladder = &self.rules.movement().ladder;
        ladder.has(Criterion::MostKings) || ladder.has(Criterion::KingsFirst) || ladder.has(Criterion::Value)
    }

    /// Returns true when only men can move and sets alone can say what the ladder wants.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        let judged = || self.ladder_looks_at_kings() && self.rules.movement().men_take_kings;
        self.kings.is_empty() && !self.captures_on_eight_lines() && (self.their_kings.is_empty() || !judged())
    }

    /// Returns what men may capture.
    #[inline(always)]
    pub(super) fn prey_of_men(&self) -> G::Set {
        if self.rules.movement().men_take_kings { self.them } else { self.them & !self.their_kings }
    }

    /// Returns the part of `prey` that has an empty square behind it.
    #[inline(always)]
    fn open(&self, prey: G::Set, d: Dir) -> G::Set {
        prey & G::step(self.empty, d.back())
    }

    /// Returns what men can jump, open behind, by line.
    #[inline(always)]
    pub(super) fn open_to_men(&self) -> ByLine<G::Set> {
        let forward = self.prey_of_men();
        let everywhere = self.rules.movement().men_capture == MenCapture::Everywhere;
        let backward = if everywhere { forward } else { G::Set::EMPTY };
        by_line::<G, _>(|_, d| self.open(if Self::is_forward(d) { forward } else { backward }, d))
    }

    /// Returns from where men can jump, by line.
    #[inline(always)]
    pub(super) fn starts(open: &ByLine<G::Set>) -> ByLine<G::Set> {
        by_line::<G, _>(|i, d| G::step(open[i], d.back()))
    }

    /// Returns the pieces that men can jump.
    #[inline(always)]
    pub(super) fn man_jumps(&self, open: &ByLine<G::Set>) -> ByLine<G::Set> {
        by_line::<G, _>(|i, d| G::step(self.men, d) & open[i])
    }

    /// Returns the part of the squares where men may land and go on as men.
    #[inline(always)]
    pub(super) fn where_man_stays(&self) -> G::Set {
        if self.rules.movement().promotion == Promotion::AtEnd { !G::Set::EMPTY } else { !Self::last_row() }
    }

    /// Returns the squares where a man that lands becomes a king that may go on.
    #[inline(always)]
    pub(super) fn where_man_turns_king(&self) -> G::Set {
        if self.rules.movement().promotion == Promotion::AtOnce { Self::last_row() } else { G::Set::EMPTY }
    }

    /// Returns true when some man that has jumped may have to go on, `starts` being all squares from where men can jump. Straight
    /// back over the same piece is no way on, and the sets do not show it as one, because the man's own square is not empty in them.
    #[inline(always)]
    pub(super) fn men_go_on(&self, starts: G::Set, jumps: &ByLine<G::Set>) -> bool {
        let landed = union(&by_line::<G, _>(|i, d| G::step(jumps[i], d)));
        (landed & (starts & self.where_man_stays() | self.where_man_turns_king())).any()
    }

    /// Returns `from` and the squares to which a king can go from there in one direction.
    #[inline(always)]
    pub(super) fn king_reach(&self, from: G::Set, d: Dir) -> G::Set {
        if self.kings_fly() { slide_in_capture::<G>(from, self.empty, d) } else { from }
    }

    /// Returns the pieces that kings can jump from the squares `from` in one direction.
    #[inline(always)]
    pub(super) fn king_jumps(&self, from: G::Set, d: Dir) -> G::Set {
        G::step(self.king_reach(from, d), d) & self.open(self.them, d)
    }

    /// Returns the pieces that the kings can jump, by line. Most positions have no king, and sliding is the dear part.
    #[inline(always)]
    fn jumps_of_kings(&self) -> ByLine<G::Set> {
        if self.kings.is_empty() {
            return [G::Set::EMPTY; 4];
        }
        by_line::<G, _>(|_, d| self.king_jumps(self.kings, d))
    }

    /// Returns where kings may land after jumping `over`.
    #[inline(always)]
    pub(super) fn king_landings(&self, over: G::Set, d: Dir) -> G::Set {
        if !self.kings_fly() {
            return G::step(over, d);
        }
        match self.rules.movement().landing {
            Landing::Behind => G::step(over, d),
            Landing::Anywhere => slide_in_capture::<G>(G::step(over, d), self.empty, d),
            Landing::BehindLastKing => {
                let kings = over & self.their_kings;
                G::step(kings, d) | slide_in_capture::<G>(G::step(over & !kings, d), self.empty, d)
            }
        }
    }

    /// Returns the king that can jump `over` in one direction.
    #[inline(always)]
    pub(super) fn king_that_jumps(&self, over: G::Set, d: Dir) -> G::Set {
        G::step(self.king_reach(over, d.back()), d.back()) & self.kings
    }

    /// Returns where kings land that jump `over`, for going on: there a king may land anywhere also where a king that it captured
    /// last would bind it at the end.
    #[inline(always)]
    pub(super) fn king_landings_on_the_way(&self, over: G::Set, d: Dir) -> G::Set {
        let behind = G::step(over, d);
        if self.kings_fly() && self.rules.movement().landing != Landing::Behind {
            slide_in_capture::<G>(behind, self.empty, d)
        } else {
            behind
        }
    }

    /// Returns true when some king that has jumped must go on.
    #[inline(always)]
    fn kings_go_on(&self, jumps: &ByLine<G::Set>) -> bool {
        let landed = by_line::<G, _>(|i, d| self.king_landings_on_the_way(jumps[i], d));
        let on = by_line::<G, _>(|i, d| self.king_jumps(all_but_back(&landed, i), d));
        union(&on).any()
    }

    /// Returns which captures there are; for the general case, with kings on either side and any rules.
    #[inline(always)]
    pub(super) fn captures(&self) -> Captures<G::Set> {
        if self.captures_on_eight_lines() {
            return Captures::Chains;
        }
        let open = self.open_to_men();
        let mut men = self.man_jumps(&open);
        let starts = union(&Self::starts(&open));
        let kings = self.jumps_of_kings();
        let king_captures = union(&kings).any();
        if union(&men).is_empty() && !king_captures {
            return Captures::Nothing;
        }
        let m = self.rules.movement();
        let judged = self.ladder_looks_at_kings() && self.their_kings.any();
        // A king that turns straight back flies over the square of the piece that just left, which the sets still show as taken.
        let turns_back = king_captures && m.turn_back && m.removal == Removal::AtOnce;
        if judged || turns_back || self.men_go_on(starts, &men) || king_captures && self.kings_go_on(&kings) {
            return Captures::Chains;
        }
        if king_captures && m.ladder.has(Criterion::WithKing) {
            men = [G::Set::EMPTY; 4];
        }
        Captures::Jumps { men, kings }
    }

    /// Returns true when there is a capture.
    #[inline(always)]
    pub(super) fn has_capture(&self) -> bool {
        let starts = union(&Self::starts(&self.open_to_men()));
        (self.men & starts).any()
            || self.kings.any() && union(&self.jumps_of_kings()).any()
            || self.captures_on_eight_lines() && G::OTHER_LINES.iter().any(|d| self.captures_along(*d))
    }

    #[inline(always)]
    fn captures_along(&self, d: Dir) -> bool {
        let prey = self.prey_of_men();
        let by_man = self.man_captures_along(d) && (G::step(self.men, d) & self.open(prey, d)).any();
        by_man || self.king_jumps(self.kings, d).any()
    }

    /// Returns the squares to which men can move without capturing, by line.
    #[inline(always)]
    pub(super) fn quiet_men(&self) -> ByLine<G::Set> {
        by_line::<G, _>(
            |_, d| if Self::is_forward(d) { G::step(self.men, d) & self.empty } else { G::Set::EMPTY },
        )
    }

    /// Returns the squares to which kings can move without capturing, by line.
    #[inline(always)]
    pub(super) fn quiet_kings(&self) -> ByLine<G::Set> {
        let kings = self.kings & !self.resting;
        by_line::<G, _>(|_, d| {
            let first = G::step(kings, d) & self.empty;
            if self.kings_fly() { slide::<G>(first, self.empty, d, G::SHAPE.size() - 2) } else { first }
        })
    }
}
