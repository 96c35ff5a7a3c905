//! All moves, one after another, for whoever wants to list or to play them.

use alloc::vec::Vec;

use crate::bits::Bits;
use crate::geometry::Geometry;
use crate::movement::RuleSource;
use crate::position::Move;

use super::chain::{Chains, List};
use super::scene::{ByLine, Captures, Mover, Scene, View, by_line, union};

/// What is told of each move. Squares come as sets of one; `crown` is the man's landing square if it is crowned there, or empty.
pub(crate) trait Visitor<S> {
    /// A man moves.
    fn man(&mut self, from: S, to: S, crown: S);
    /// A king moves.
    fn king(&mut self, from: S, to: S);
    /// A man captures one piece.
    fn man_jump(&mut self, from: S, over: S, to: S, crown: S);
    /// A king captures one piece.
    fn king_jump(&mut self, from: S, over: S, to: S);
    /// Captures that had to be followed one by one: `list` puts them all into an empty list, and returns whether there are any.
    fn chains(&mut self, list: impl FnOnce(&mut Vec<Move<S>>)) -> bool;
}

/// Visits every legal move once.
#[inline(always)]
pub(crate) fn visit<G: Geometry, R: RuleSource, M: Mover, V: Visitor<G::Set>>(
    rules: R,
    view: View<G::Set>,
    resting: G::Set,
    visitor: &mut V,
) {
    let scene = Scene::<G, R, M>::new(rules, view, resting);
    if !scene.is_plain() {
        visit_any::<G, R, M, V>(&scene, visitor);
        return;
    }
    let open = scene.open_to_men();
    let starts = union(&Scene::<G, R, M>::starts(&open));
    if (scene.men & starts).any() {
        let jumps = scene.man_jumps(&open);
        if scene.men_go_on(starts, &jumps) {
            visit_chains(&scene, visitor);
        } else {
            visit_man_jumps(&scene, &jumps, visitor);
        }
        if !scene.may_decline() {
            return;
        }
    }
    visit_quiet_men(&scene, visitor);
}

/// Visits the captures only.
pub(super) fn visit_captures<G: Geometry, R: RuleSource, M: Mover, V: Visitor<G::Set>>(
    rules: R,
    view: View<G::Set>,
    visitor: &mut V,
) {
    visit_captures_of(&Scene::<G, R, M>::new(rules, view, G::Set::EMPTY), visitor);
}

#[inline(never)]
fn visit_any<G: Geometry, R: RuleSource, M: Mover, V: Visitor<G::Set>>(
    scene: &Scene<G, R, M>,
    visitor: &mut V,
) {
    if !visit_captures_of(scene, visitor) || scene.may_decline() {
        visit_quiet_moves(scene, visitor);
    }
}

/// Visits the moves that capture nothing.
#[inline(always)]
pub(super) fn visit_quiet_moves<G: Geometry, R: RuleSource, M: Mover, V: Visitor<G::Set>>(
    scene: &Scene<G, R, M>,
    visitor: &mut V,
) {
    visit_quiet_men(scene, visitor);
    visit_quiet_kings(scene, visitor);
}

/// Visits the captures and returns whether there is one.
#[inline(always)]
fn visit_captures_of<G: Geometry, R: RuleSource, M: Mover, V: Visitor<G::Set>>(
    scene: &Scene<G, R, M>,
    visitor: &mut V,
) -> bool {
    match scene.captures() {
        Captures::Nothing => false,
        Captures::Jumps { men, kings } => {
            visit_man_jumps(scene, &men, visitor);
            visit_king_jumps(scene, &kings, visitor);
            true
        }
        Captures::Chains => visit_chains(scene, visitor),
    }
}

#[inline(never)]
fn visit_chains<G: Geometry, R: RuleSource, M: Mover, V: Visitor<G::Set>>(
    scene: &Scene<G, R, M>,
    visitor: &mut V,
) -> bool {
    visitor.chains(|moves| Chains::<G, R, M, _>::new(*scene, &mut List(moves)).run())
}

#[inline(always)]
fn visit_quiet_men<G: Geometry, R: RuleSource, M: Mover, V: Visitor<G::Set>>(
    scene: &Scene<G, R, M>,
    visitor: &mut V,
) {
    let targets = scene.quiet_men();
    by_line::<G, _>(|i, d| {
        if !Scene::<G, R, M>::is_forward(d) {
            return;
        }
        for to in targets[i].singles() {
            visitor.man(G::step(to, d.back()), to, to & Scene::<G, R, M>::last_row());
        }
    });
}

#[inline(always)]
fn visit_man_jumps<G: Geometry, R: RuleSource, M: Mover, V: Visitor<G::Set>>(
    scene: &Scene<G, R, M>,
    jumps: &ByLine<G::Set>,
    visitor: &mut V,
) {
    by_line::<G, _>(|i, d| {
        if !scene.man_captures_along(d) {
            return;
        }
        for over in jumps[i].singles() {
            let to = G::step(over, d);
            visitor.man_jump(G::step(over, d.back()), over, to, to & Scene::<G, R, M>::last_row());
        }
    });
}

#[inline(always)]
fn visit_king_jumps<G: Geometry, R: RuleSource, M: Mover, V: Visitor<G::Set>>(
    scene: &Scene<G, R, M>,
    jumps: &ByLine<G::Set>,
    visitor: &mut V,
) {
    by_line::<G, _>(|i, d| {
        for over in jumps[i].singles() {
            let from = scene.king_that_jumps(over, d);
            for to in scene.king_landings(over, d).singles() {
                visitor.king_jump(from, over, to);
            }
        }
    });
}

#[inline(always)]
fn visit_quiet_kings<G: Geometry, R: RuleSource, M: Mover, V: Visitor<G::Set>>(
    scene: &Scene<G, R, M>,
    visitor: &mut V,
) {
    for from in (scene.kings & !scene.resting).singles() {
        by_line::<G, _>(|_, d| {
            let mut to = G::step(from, d) & scene.empty;
            while to.any() {
                visitor.king(from, to);
                if !scene.kings_fly() {
                    break;
                }
                to = G::step(to, d) & scene.empty;
            }
        });
    }
}

/// Writes the moves into a list.
pub(super) struct Lister<'a, S>(pub(super) &'a mut Vec<Move<S>>);

impl<S: Bits> Lister<'_, S> {
    #[inline(always)]
    fn push(&mut self, from: S, to: S, promotes: bool, captured: S) {
        self.0.push(Move { from: from.lowest() as u8, to: to.lowest() as u8, promotes, captured });
    }
}

impl<S: Bits> Visitor<S> for Lister<'_, S> {
    #[inline(always)]
    fn man(&mut self, from: S, to: S, crown: S) {
        self.push(from, to, crown.any(), S::EMPTY);
    }
    #[inline(always)]
    fn king(&mut self, from: S, to: S) {
        self.push(from, to, false, S::EMPTY);
    }
    #[inline(always)]
    fn man_jump(&mut self, from: S, over: S, to: S, crown: S) {
        self.push(from, to, crown.any(), over);
    }
    #[inline(always)]
    fn king_jump(&mut self, from: S, over: S, to: S) {
        self.push(from, to, false, over);
    }
    fn chains(&mut self, list: impl FnOnce(&mut Vec<Move<S>>)) -> bool {
        list(self.0);
        !self.0.is_empty()
    }
}
