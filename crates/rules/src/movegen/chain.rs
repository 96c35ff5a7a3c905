//! Captures, jump by jump, for any rules: the complete search that every faster way must agree with.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::bits::Bits;
use crate::geometry::{Dir, Geometry};
use crate::movement::{Criterion, KingRange, Landing, Promotion, Removal, RuleSource};
use crate::position::{Move, Position};

use super::last_row;

/// When two captures with the same from, to and promotion count as one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Same {
    /// When they capture the same set of pieces: the rule of the game.
    Set,
    /// When they capture the same pieces in the same order: how some published perft tables count.
    Order,
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
pub(super) struct Chains<'a, G: Geometry, R: RuleSource> {
    rules: R,
    white: bool,
    us: G::Set,
    them: G::Set,
    kings: G::Set,
    empty: G::Set,
    same: Same,
    out: &'a mut Vec<Move<G::Set>>,
    /// The worth of the captures in `out`.
    best: Option<Worth>,
    /// The orders of the captures in `out`; kept only to tell orders apart.
    orders: Vec<Vec<u8>>,
    from: u8,
    /// Whether the capturing piece is a king by now.
    king: bool,
    captured: G::Set,
    order: Vec<u8>,
    worth: Worth,
}

impl<'a, G: Geometry, R: RuleSource> Chains<'a, G, R> {
    pub(super) fn new(rules: R, p: &Position<G::Set>, same: Same, out: &'a mut Vec<Move<G::Set>>) -> Self {
        let (us, them) = (p.pieces(p.side()), p.pieces(p.side().other()));
        Chains {
            rules,
            white: p.side().is_white(),
            us,
            them,
            kings: p.kings(),
            empty: G::SQUARES & !(us | them),
            same,
            out,
            best: None,
            orders: Vec::new(),
            from: 0,
            king: false,
            captured: G::Set::EMPTY,
            order: Vec::new(),
            worth: Worth { number: 0, kings: 0, with_king: false, sequence: 0 },
        }
    }

    /// Lists the captures that the ladder allows.
    pub(super) fn run(&mut self) {
        for from in self.us.iter() {
            let at = G::Set::bit(from);
            self.from = from;
            self.king = (self.kings & at).any();
            self.worth.with_king = self.king;
            // The square that the piece left is empty during the capture.
            self.empty |= at;
            if self.king {
                self.king_jumps(at, None, false);
            } else {
                self.man_jumps(at);
            }
            self.empty &= !at;
        }
    }

    /// Follows every jump of a man, and lists the capture where it cannot go on.
    fn man_jumps(&mut self, at: G::Set) {
        let m = *self.rules.movement();
        let last_row = last_row::<G>(self.white);
        let mut goes_on = false;
        for &d in m.man_captures(self.white, G::SHAPE.is_orthogonal()) {
            let over = G::step(at, d) & self.targets();
            let to = G::step(over, d) & self.empty;
            if to.is_empty() {
                continue;
            }
            goes_on = true;
            self.take(over);
            match m.promotion {
                Promotion::Stops if (to & last_row).any() => self.list(to, true),
                Promotion::AtOnce if (to & last_row).any() => {
                    self.king = true;
                    if !self.king_jumps(to, Some(d), false) {
                        self.list(to, true);
                    }
                    self.king = false;
                }
                _ => self.man_jumps(to),
            }
            self.give_back(over);
        }
        if !goes_on && self.captured.any() {
            self.list(at, (at & last_row).any());
        }
    }

    /// Follows the jumps of a king that came in direction `came`; true when there is one. With `turns_only` it does not go straight
    /// on or straight back.
    fn king_jumps(&mut self, at: G::Set, came: Option<Dir>, turns_only: bool) -> bool {
        let m = *self.rules.movement();
        let mut found = false;
        for &d in m.king_captures(G::SHAPE.is_orthogonal()) {
            if let Some(came) = came {
                let back = d == came.back() && (turns_only || !m.turn_back);
                let straight_on = d == came && turns_only;
                if back || straight_on {
                    continue;
                }
            }
            found |= self.king_jump(at, d);
        }
        found
    }

    /// Follows a king's jump in one direction; true when there is one.
    fn king_jump(&mut self, at: G::Set, d: Dir) -> bool {
        let m = *self.rules.movement();
        let mut over = G::step(at, d);
        if m.king == KingRange::Flying {
            while (over & self.empty).any() {
                over = G::step(over, d);
            }
        }
        over &= self.targets();
        let behind = G::step(over, d) & self.empty;
        if behind.is_empty() {
            return false;
        }
        self.take(over);
        let beyond = if m.king == KingRange::Flying && m.landing != Landing::Behind {
            self.empty_beyond(behind, d)
        } else {
            G::Set::EMPTY
        };
        let mut goes_on = self.king_jumps(behind, Some(d), false);
        for bit in beyond.iter() {
            // Straight on and straight back meet the same pieces as from the first landing square.
            goes_on |= self.king_jumps(G::Set::bit(bit), Some(d), true);
        }
        if !goes_on {
            let promotes = !self.worth.with_king;
            self.list(behind, promotes);
            if !(m.landing == Landing::BehindLastKing && (over & self.kings).any()) {
                for bit in beyond.iter() {
                    self.list(G::Set::bit(bit), promotes);
                }
            }
        }
        self.give_back(over);
        true
    }

    /// Returns the empty squares that follow `at` without a gap.
    fn empty_beyond(&self, at: G::Set, d: Dir) -> G::Set {
        let mut beyond = G::Set::EMPTY;
        let mut next = G::step(at, d) & self.empty;
        while next.any() {
            beyond |= next;
            next = G::step(next, d) & self.empty;
        }
        beyond
    }

    #[inline(always)]
    fn targets(&self) -> G::Set {
        let targets = self.them & !self.captured;
        if self.king || self.rules.movement().men_take_kings { targets } else { targets & !self.kings }
    }

    fn take(&mut self, over: G::Set) {
        let king = (self.kings & over).any();
        self.captured |= over;
        if king {
            self.worth.sequence |= 1 << (127 - self.worth.number);
        }
        self.worth.kings += u32::from(king);
        self.worth.number += 1;
        if self.same == Same::Order {
            self.order.push(over.lowest() as u8);
        }
        if self.rules.movement().removal == Removal::AtOnce {
            self.empty |= over;
        }
    }

    fn give_back(&mut self, over: G::Set) {
        let king = (self.kings & over).any();
        self.captured &= !over;
        self.worth.number -= 1;
        self.worth.kings -= u32::from(king);
        self.worth.sequence &= !(1 << (127 - self.worth.number));
        if self.same == Same::Order {
            self.order.pop();
        }
        if self.rules.movement().removal == Removal::AtOnce {
            self.empty &= !over;
        }
    }

    /// Adds the finished capture if the ladder allows it and it is not listed yet, and drops what it outranks.
    fn list(&mut self, to: G::Set, promotes: bool) {
        match self.rank() {
            Ordering::Less => return,
            Ordering::Equal => {}
            Ordering::Greater => {
                self.out.clear();
                self.orders.clear();
                self.best = Some(self.worth);
            }
        }
        let m = Move { from: self.from, to: to.lowest() as u8, promotes, captured: self.captured };
        match self.same {
            Same::Set if self.out.contains(&m) => return,
            Same::Order
                if self.out.iter().zip(&self.orders).any(|(o, order)| *o == m && *order == self.order) =>
            {
                return;
            }
            Same::Set => {}
            Same::Order => self.orders.push(self.order.clone()),
        }
        self.out.push(m);
    }

    /// Compares the finished capture with the best ones so far.
    #[inline(always)]
    fn rank(&self) -> Ordering {
        let Some(best) = &self.best else { return Ordering::Greater };
        self.rules
            .movement()
            .ladder
            .steps()
            .map(|step| self.worth.compare(best, step))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}
