//! Legal moves.
//!
//! - `scene` takes a position apart for the side to move and answers with whole sets: who can jump what, does anyone have to go on.
//! - `chain` follows captures jump by jump, for any rules.
//! - [`count`] counts moves, `visit` tells them one by one; both use the sets where these suffice and the chains where not.
//!
//! Architecture invariant: this module knows movement only. No end of a game (a draw, a first king that wins) ever empties the
//! list, and nothing here names a rule set: everything comes from a [`crate::Movement`].

mod chain;
pub(crate) mod count;
pub(crate) mod scene;
pub(crate) mod visit;

use alloc::vec::Vec;

use crate::bits::Bits;
use crate::geometry::Geometry;
use crate::movement::RuleSource;
use crate::position::{Move, Position};
use chain::{Chains, ListByOrder};
use scene::{Black, Mover, Scene, View, White};
use visit::Lister;

/// Clears `out` and lists all legal moves, each once.
#[inline]
pub fn moves<G: Geometry, R: RuleSource>(rules: R, p: &Position<G::Set>, out: &mut Vec<Move<G::Set>>) {
    out.clear();
    let resting = p.tired_king(rules.movement());
    if p.side().is_white() {
        visit::visit::<G, R, White, _>(rules, View::of(p), resting, &mut Lister(out));
    } else {
        visit::visit::<G, R, Black, _>(rules, View::of(p), resting, &mut Lister(out));
    }
}

/// Clears `out` and lists the legal captures, each once; where capturing is optional these are the captures that obey the ladder.
pub fn captures<G: Geometry, R: RuleSource>(rules: R, p: &Position<G::Set>, out: &mut Vec<Move<G::Set>>) {
    out.clear();
    if p.side().is_white() {
        visit::visit_captures::<G, R, White, _>(rules, View::of(p), &mut Lister(out));
    } else {
        visit::visit_captures::<G, R, Black, _>(rules, View::of(p), &mut Lister(out));
    }
}

/// Clears `out` and lists all moves, counting captures apart that differ in the order of the captured pieces.
pub(crate) fn moves_by_order<G: Geometry, R: RuleSource>(
    rules: R,
    p: &Position<G::Set>,
    out: &mut Vec<Move<G::Set>>,
) {
    let resting = p.tired_king(rules.movement());
    if p.side().is_white() {
        list_by_order::<G, R, White>(Scene::new(rules, View::of(p), resting), out);
    } else {
        list_by_order::<G, R, Black>(Scene::new(rules, View::of(p), resting), out);
    }
}

/// Returns true when the side to move can capture something.
#[inline]
pub fn has_capture<G: Geometry, R: RuleSource>(rules: R, p: &Position<G::Set>) -> bool {
    if p.side().is_white() {
        Scene::<G, R, White>::new(rules, View::of(p), G::Set::EMPTY).has_capture()
    } else {
        Scene::<G, R, Black>::new(rules, View::of(p), G::Set::EMPTY).has_capture()
    }
}

/// Returns the number of legal moves.
#[inline]
pub fn count<G: Geometry, R: RuleSource>(rules: R, p: &Position<G::Set>) -> u64 {
    let resting = p.tired_king(rules.movement());
    if p.side().is_white() {
        count::count::<G, R, White>(rules, View::of(p), resting)
    } else {
        count::count::<G, R, Black>(rules, View::of(p), resting)
    }
}

fn list_by_order<G: Geometry, R: RuleSource, M: Mover>(scene: Scene<G, R, M>, out: &mut Vec<Move<G::Set>>) {
    out.clear();
    Chains::new(scene, &mut ListByOrder::new(out)).run();
    if out.is_empty() || scene.may_decline() {
        visit::visit_quiet_moves(&scene, &mut Lister(out));
    }
}
