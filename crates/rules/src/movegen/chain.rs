//! Captures followed jump by jump, for any rules: the complete search, which the sets in [`super::scene`] only cut short.
//!
//! A man jumps from one square. A king jumps from the set of all squares where its last jump may have ended: since those lie on one
//! line, no piece can be jumped from two of them in the same direction, and the capture goes on if it goes on from any.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::bits::Bits;
use crate::geometry::{Dir, Geometry};
use crate::movement::{Criterion, Landing, Promotion, Removal, RuleSource};
use crate::position::Move;

use super::scene::{Mover, Scene, by_line, union};

/// Where finished captures go.
pub(super) trait Sink<S> {
    /// Drops everything: a capture was found that outranks it.
    fn start_again(&mut self);
    /// Adds the captures that end on each of the `landings`. Only if it `may_repeat` can an equal one be there already.
    fn add(&mut self, from: S, captured: S, landings: S, promotes: bool, may_repeat: bool);
    /// Learns of a jump.
    #[inline(always)]
    fn jumped(&mut self, _over: S) {}
    /// Learns that the last jump is taken back.
    #[inline(always)]
    fn taken_back(&mut self) {}
}

/// What a ladder of priorities looks at in one capture.
#[derive(Clone, Copy)]
struct Worth {
    number: u32,
    kings: u32,
    with_king: bool,
    /// One bit for each jump, highest bit first, set where a king is captured.
    sequence: u128,
}

impl Worth {
    const NOTHING: Worth = Worth { number: 0, kings: 0, with_king: false, sequence: 0 };

    /// Compares two captures on one step of the ladder.
    #[inline(always)]
    fn compare(&self, other: &Worth, step: Criterion) -> Ordering {
        match step {
            Criterion::Number => self.number.cmp(&other.number),
            Criterion::WithKing => self.with_king.cmp(&other.with_king),
            Criterion::MostKings => self.kings.cmp(&other.kings),
            // A sequence that goes on where the other one ends counts as more.
            Criterion::KingsFirst => (self.sequence, self.number).cmp(&(other.sequence, other.number)),
            Criterion::Value => self.value().cmp(&other.value()),
        }
    }
    /// Returns the value by the Frisian rule: a king is worth a little less than two men.
    #[inline(always)]
    fn value(&self) -> u32 {
        (self.number + self.kings) * 128 - self.kings
    }
}

/// The search for captures from one position, and the capture it is in the middle of.
pub(super) struct Chains<'a, G: Geometry, R, M, K> {
    /// The position; its `empty` squares change with the capture.
    scene: Scene<G, R, M>,
    sink: &'a mut K,
    from: G::Set,
    captured: G::Set,
    worth: Worth,
    /// The worth of the captures in the sink; a number of 0 means that there are none.
    best: Worth,
}

impl<'a, G: Geometry, R: RuleSource, M: Mover, K: Sink<G::Set>> Chains<'a, G, R, M, K> {
    #[inline(always)]
    pub(super) fn new(scene: Scene<G, R, M>, sink: &'a mut K) -> Self {
        Chains {
            scene,
            sink,
            from: G::Set::EMPTY,
            captured: G::Set::EMPTY,
            worth: Worth::NOTHING,
            best: Worth::NOTHING,
        }
    }

    /// Finds the captures that the ladder allows.
    #[inline(always)]
    pub(super) fn run(mut self) {
        if self.scene.kings.any() {
            self.kings();
        }
        if self.scene.men.any() {
            self.men();
        }
    }

    #[inline(always)]
    fn men(&mut self) {
        self.worth.with_king = false;
        for at in self.men_that_capture().singles() {
            self.leave(at);
            self.man_goes_on(at);
            self.scene.empty &= !at;
        }
    }

    #[inline(always)]
    fn men_that_capture(&self) -> G::Set {
        let prey = self.scene.prey_of_men();
        let along = |d: Dir| {
            if self.scene.man_captures_along(d) {
                let back = d.back();
                G::step(prey & G::step(self.scene.empty, back), back)
            } else {
                G::Set::EMPTY
            }
        };
        let mut able = union(&by_line::<G, _>(|_, d| along(d)));
        if self.scene.captures_on_eight_lines() {
            able |= G::OTHER_LINES.iter().fold(G::Set::EMPTY, |set, d| set | along(*d));
        }
        self.scene.men & able
    }

    /// The square that the piece left is empty during its capture.
    #[inline(always)]
    fn leave(&mut self, from: G::Set) {
        self.from = from;
        self.scene.empty |= from;
    }

    /// Follows every jump of a man, or ends the capture when there is none.
    fn man_goes_on(&mut self, at: G::Set) {
        let mut on = false;
        by_line::<G, _>(|_, d| on |= self.man_jumps(at, d));
        if self.scene.captures_on_eight_lines() {
            let [a, b, c, d] = G::OTHER_LINES;
            on |=
                self.man_jumps(at, a) | self.man_jumps(at, b) | self.man_jumps(at, c) | self.man_jumps(at, d);
        }
        if !on {
            self.finish(at, (at & Scene::<G, R, M>::last_row()).any());
        }
    }

    /// Follows a man's jump in one direction; false when there is none.
    #[inline(always)]
    fn man_jumps(&mut self, at: G::Set, d: Dir) -> bool {
        if !self.scene.man_captures_along(d) {
            return false;
        }
        let over = G::step(at, d) & self.scene.prey_of_men() & !self.captured;
        let to = G::step(over, d) & self.scene.empty;
        if to.is_empty() {
            return false;
        }
        self.take(over);
        let crowned = (to & Scene::<G, R, M>::last_row()).any();
        match self.scene.rules.movement().promotion {
            Promotion::Stops if crowned => self.finish(to, true),
            Promotion::AtOnce if crowned => self.king_goes_on(over, to, d),
            _ => self.man_goes_on(to),
        }
        self.give_back(over);
        true
    }

    /// Follows the captures of kings, from the first piece that they jump.
    fn kings(&mut self) {
        self.worth.with_king = true;
        by_line::<G, _>(|_, d| self.kings_along(d));
        if self.scene.captures_on_eight_lines() {
            let [a, b, c, d] = G::OTHER_LINES;
            self.kings_along(a);
            self.kings_along(b);
            self.kings_along(c);
            self.kings_along(d);
        }
    }

    #[inline(always)]
    fn kings_along(&mut self, d: Dir) {
        for over in self.scene.king_jumps(self.scene.kings, d).singles() {
            let from = self.scene.king_that_jumps(over, d);
            self.leave(from);
            self.king_jumps(over, d);
            self.scene.empty &= !from;
        }
    }

    /// Jumps one piece with a king and goes on.
    #[inline(always)]
    fn king_jumps(&mut self, over: G::Set, d: Dir) {
        self.take(over);
        self.king_goes_on(over, self.scene.king_landings_on_the_way(over, d), d);
        self.give_back(over);
    }

    /// Follows every jump of a king that jumped `over` and `landed` on one of these squares, or ends the capture when there is none.
    fn king_goes_on(&mut self, over: G::Set, landed: G::Set, came: Dir) {
        let mut on = false;
        by_line::<G, _>(|_, d| on |= self.king_goes_on_along(landed, came, d));
        if self.scene.captures_on_eight_lines() {
            let [a, b, c, d] = G::OTHER_LINES;
            on |= self.king_goes_on_along(landed, came, a)
                | self.king_goes_on_along(landed, came, b)
                | self.king_goes_on_along(landed, came, c)
                | self.king_goes_on_along(landed, came, d);
        }
        if on {
            return;
        }
        let bound = self.scene.rules.movement().landing == Landing::BehindLastKing
            && (over & self.scene.their_kings).any();
        let landings = if bound { landed & G::step(over, came) } else { landed };
        self.finish(landings, !self.worth.with_king);
    }

    /// Follows the jumps in one direction; false when there is none.
    #[inline(always)]
    fn king_goes_on_along(&mut self, landed: G::Set, came: Dir, d: Dir) -> bool {
        if d == came.back() && !self.scene.rules.movement().turn_back {
            return false;
        }
        let jumps = self.scene.king_jumps(landed, d) & !self.captured;
        for over in jumps.singles() {
            self.king_jumps(over, d);
        }
        jumps.any()
    }

    #[inline(always)]
    fn take(&mut self, over: G::Set) {
        let m = self.scene.rules.movement();
        self.captured |= over;
        if self.counts_kings() && (over & self.scene.their_kings).any() {
            self.worth.kings += 1;
            if m.ladder.has(Criterion::KingsFirst) {
                self.worth.sequence |= 1 << (127 - self.worth.number);
            }
        }
        self.worth.number += 1;
        if m.removal == Removal::AtOnce {
            self.scene.empty |= over;
        }
        self.sink.jumped(over);
    }

    #[inline(always)]
    fn give_back(&mut self, over: G::Set) {
        let m = self.scene.rules.movement();
        self.captured &= !over;
        self.worth.number -= 1;
        if self.counts_kings() && (over & self.scene.their_kings).any() {
            self.worth.kings -= 1;
            if m.ladder.has(Criterion::KingsFirst) {
                self.worth.sequence &= !(1 << (127 - self.worth.number));
            }
        }
        if m.removal == Removal::AtOnce {
            self.scene.empty &= !over;
        }
        self.sink.taken_back();
    }

    #[inline(always)]
    fn counts_kings(&self) -> bool {
        let ladder = &self.scene.rules.movement().ladder;
        ladder.has(Criterion::MostKings) || ladder.has(Criterion::KingsFirst) || ladder.has(Criterion::Value)
    }

    /// Hands a finished capture to the sink if the ladder allows it.
    #[inline(always)]
    fn finish(&mut self, landings: G::Set, promotes: bool) {
        match self.rank() {
            Ordering::Less => return,
            Ordering::Equal => {}
            Ordering::Greater => {
                self.sink.start_again();
                self.best = self.worth;
            }
        }
        self.sink.add(self.from, self.captured, landings, promotes, self.may_repeat());
    }

    /// Compares the finished capture with the best ones so far.
    #[inline(always)]
    fn rank(&self) -> Ordering {
        if self.best.number == 0 {
            return Ordering::Greater;
        }
        for step in self.scene.rules.movement().ladder.steps() {
            let order = self.worth.compare(&self.best, step);
            if order.is_ne() {
                return order;
            }
        }
        Ordering::Equal
    }

    /// Returns true when there may be a second capture with the same ends and the same pieces: along four lines two such paths
    /// form a cycle, which takes four jumps.
    #[inline(always)]
    fn may_repeat(&self) -> bool {
        let along_four_lines =
            !self.scene.captures_on_eight_lines() && self.scene.rules.movement().removal == Removal::AtEnd;
        self.worth.number >= if along_four_lines { 4 } else { 2 }
    }
}

/// Lists captures as moves.
pub(super) struct List<'a, S>(pub(super) &'a mut Vec<Move<S>>);

impl<S: Bits> Sink<S> for List<'_, S> {
    fn start_again(&mut self) {
        self.0.clear();
    }
    fn add(&mut self, from: S, captured: S, landings: S, promotes: bool, may_repeat: bool) {
        let from = from.lowest() as u8;
        for to in landings.iter() {
            let m = Move { from, to, promotes, captured };
            if !(may_repeat && self.0.contains(&m)) {
                self.0.push(m);
            }
        }
    }
}

/// Lists captures as moves, and those apart that capture the same pieces in another order.
pub(super) struct ListByOrder<'a, S> {
    moves: &'a mut Vec<Move<S>>,
    /// The order of each listed capture.
    orders: Vec<Vec<S>>,
    order: Vec<S>,
}

impl<'a, S> ListByOrder<'a, S> {
    pub(super) fn new(moves: &'a mut Vec<Move<S>>) -> Self {
        ListByOrder { moves, orders: Vec::new(), order: Vec::new() }
    }
}

impl<S: Bits> Sink<S> for ListByOrder<'_, S> {
    fn start_again(&mut self) {
        self.moves.clear();
        self.orders.clear();
    }
    fn add(&mut self, from: S, captured: S, landings: S, promotes: bool, _may_repeat: bool) {
        let from = from.lowest() as u8;
        for to in landings.iter() {
            let m = Move { from, to, promotes, captured };
            if !self.moves.iter().zip(&self.orders).any(|(other, order)| *other == m && *order == self.order)
            {
                self.moves.push(m);
                self.orders.push(self.order.clone());
            }
        }
    }
    fn jumped(&mut self, over: S) {
        self.order.push(over);
    }
    fn taken_back(&mut self) {
        self.order.pop();
    }
}
