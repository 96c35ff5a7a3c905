//! Legal moves.
//!
//! Architecture invariant: this module knows movement only. No end of a game (a draw, a first king that wins) ever empties the
//! list, and nothing here names a rule set: everything comes from a [`crate::Movement`].

mod chain;

use alloc::vec::Vec;

use crate::bits::Bits;
use crate::geometry::Geometry;
use crate::movement::{self, KingRange, Obligation, RuleSource};
use crate::position::{Move, Position};
use chain::{Chains, Same};

/// Clears `out` and lists all legal moves, each once.
pub fn moves<G: Geometry, R: RuleSource>(rules: R, p: &Position<G::Set>, out: &mut Vec<Move<G::Set>>) {
    captures::<G, R>(rules, p, out);
    if out.is_empty() || rules.movement().capture == Obligation::Optional {
        quiet_moves::<G, R>(rules, p, out);
    }
}

/// Clears `out` and lists all moves, counting captures apart that differ in the order of the captured pieces.
pub(crate) fn moves_by_order<G: Geometry, R: RuleSource>(
    rules: R,
    p: &Position<G::Set>,
    out: &mut Vec<Move<G::Set>>,
) {
    out.clear();
    Chains::<G, R>::new(rules, p, Same::Order, out).run();
    if out.is_empty() || rules.movement().capture == Obligation::Optional {
        quiet_moves::<G, R>(rules, p, out);
    }
}

/// Clears `out` and lists the legal captures, each once; where capturing is optional these are the captures that obey the ladder.
pub fn captures<G: Geometry, R: RuleSource>(rules: R, p: &Position<G::Set>, out: &mut Vec<Move<G::Set>>) {
    out.clear();
    Chains::<G, R>::new(rules, p, Same::Set, out).run();
}

/// Returns true when the side to move can capture something.
pub fn has_capture<G: Geometry, R: RuleSource>(rules: R, p: &Position<G::Set>) -> bool {
    let m = rules.movement();
    let (us, them) = (p.pieces(p.side()), p.pieces(p.side().other()));
    let (men, kings) = (us & !p.kings(), us & p.kings());
    let empty = G::SQUARES & !(us | them);
    let targets = if m.men_take_kings { them } else { them & !p.kings() };
    let orthogonal = G::SHAPE.is_orthogonal();
    m.man_captures(p.side().is_white(), orthogonal)
        .iter()
        .any(|&d| (G::step(G::step(men, d) & targets, d) & empty).any())
        || m.king_captures(orthogonal).iter().any(|&d| {
            let mut ahead = G::step(kings, d);
            if m.king == KingRange::Flying {
                let mut free = ahead & empty;
                while free.any() {
                    free = G::step(free, d);
                    ahead |= free;
                    free &= empty;
                }
            }
            (G::step(ahead & them, d) & empty).any()
        })
}

/// Returns the number of legal moves.
pub fn count<G: Geometry, R: RuleSource>(rules: R, p: &Position<G::Set>) -> u64 {
    let mut out = Vec::new();
    moves::<G, R>(rules, p, &mut out);
    out.len() as u64
}

/// Appends the moves that capture nothing.
fn quiet_moves<G: Geometry, R: RuleSource>(rules: R, p: &Position<G::Set>, out: &mut Vec<Move<G::Set>>) {
    let m = rules.movement();
    let white = p.side().is_white();
    let empty = G::SQUARES & !(p.white() | p.black());
    let last_row = last_row::<G>(white);
    let nothing = G::Set::EMPTY;
    for &d in movement::forward(white, G::SHAPE.is_orthogonal()) {
        for to in (G::step(p.men(p.side()), d) & empty).iter() {
            let from = G::step(G::Set::bit(to), d.back()).lowest() as u8;
            out.push(Move { from, to, promotes: last_row.has(to), captured: nothing });
        }
    }
    for from in (p.kings_of(p.side()) & !p.tired_king(m)).iter() {
        for &d in movement::moving_lines(G::SHAPE.is_orthogonal()) {
            let mut to = G::step(G::Set::bit(from), d) & empty;
            while to.any() {
                out.push(Move { from, to: to.lowest() as u8, promotes: false, captured: nothing });
                if m.king == KingRange::Short {
                    break;
                }
                to = G::step(to, d) & empty;
            }
        }
    }
}

/// Returns the row where a side's men are crowned.
#[inline(always)]
fn last_row<G: Geometry>(white: bool) -> G::Set {
    if white { G::TOP } else { G::BOTTOM }
}
