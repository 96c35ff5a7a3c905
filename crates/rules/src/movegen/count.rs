//! How many moves there are, without listing them.

use alloc::vec::Vec;

use crate::bits::Bits;
use crate::geometry::Geometry;
use crate::movement::RuleSource;

use super::chain::{Chains, Sink};
use super::scene::{Captures, Mover, Scene, View, all_but_back, by_line, total, union};

/// Returns the number of legal moves.
///
/// This is the innermost step of a perft, so the common case, men only and no capture or single jumps, is inlined into the
/// caller's loop, and everything else is kept out of it.
#[inline(always)]
pub(crate) fn count<G: Geometry, R: RuleSource, M: Mover>(
    rules: R,
    view: View<G::Set>,
    resting: G::Set,
) -> u64 {
    let scene = Scene::<G, R, M>::new(rules, view, resting);
    if !scene.is_plain() {
        return count_any::<G, R, M>(rules, view.us, view.them, view.kings, resting);
    }
    let open = scene.open_to_men();
    let starts = union(&Scene::<G, R, M>::starts(&open));
    if (scene.men & starts).is_empty() {
        return total(&scene.quiet_men());
    }
    let jumps = scene.man_jumps(&open);
    let captures = if scene.men_go_on(starts, &jumps) {
        count_long::<G, R, M>(rules, view.us, view.them, view.kings)
    } else {
        total(&jumps)
    };
    captures + if scene.may_decline() { total(&scene.quiet_men()) } else { 0 }
}

/// Counts with kings on the board. Sets are passed one by one because a struct would go through memory.
#[inline(never)]
fn count_any<G: Geometry, R: RuleSource, M: Mover>(
    rules: R,
    us: G::Set,
    them: G::Set,
    kings: G::Set,
    resting: G::Set,
) -> u64 {
    let scene = Scene::<G, R, M>::new(rules, View { us, them, kings }, resting);
    let captures = match scene.captures() {
        Captures::Nothing => 0,
        Captures::Jumps { men, kings } => {
            total(&men) + total(&by_line::<G, _>(|i, d| scene.king_landings(kings[i], d)))
        }
        Captures::Chains => count_chains::<G, R, M>(&scene),
    };
    if captures == 0 || scene.may_decline() {
        captures + total(&scene.quiet_men()) + total(&scene.quiet_kings())
    } else {
        captures
    }
}

/// Counts the captures of men of which some go on after the first jump.
///
/// Second jumps are still whole sets: a man can neither meet a piece again nor come back to its start before the fourth jump, so
/// no path needs to be told from another unless two men meet on a square.
#[inline(never)]
fn count_long<G: Geometry, R: RuleSource, M: Mover>(
    rules: R,
    us: G::Set,
    them: G::Set,
    kings: G::Set,
) -> u64 {
    let scene = Scene::<G, R, M>::new(rules, View { us, them, kings }, G::Set::EMPTY);
    let open = scene.open_to_men();
    let starts = Scene::<G, R, M>::starts(&open);
    let jumps = scene.man_jumps(&open);
    let landed = by_line::<G, _>(|i, d| G::step(jumps[i], d));
    let goes_on = union(&starts) & scene.where_man_stays();
    let on = union(&landed) & goes_on;
    let going_on = total(&by_line::<G, _>(|i, _| landed[i] & goes_on));
    let second = by_line::<G, _>(|i, d| G::step(on, d) & open[i]);
    let landed_again = by_line::<G, _>(|i, d| G::step(second[i], d));
    // Here straight back would look like a way on: the square between the two jumps is empty.
    let third = by_line::<G, _>(|i, _| landed_again[i] & all_but_back(&starts, i));
    let crowned = (union(&landed) | union(&landed_again)) & scene.where_man_turns_king();
    let two_meet = going_on != u64::from(on.len());
    if two_meet || crowned.any() || (union(&third) & scene.where_man_stays()).any() {
        count_chains::<G, R, M>(&scene)
    } else if scene.longer_is_better() {
        total(&second)
    } else {
        total(&jumps) - going_on + total(&second)
    }
}

/// Counts captures by following each.
#[inline(never)]
fn count_chains<G: Geometry, R: RuleSource, M: Mover>(scene: &Scene<G, R, M>) -> u64 {
    let mut counter = Counter { total: 0, seen: Vec::new() };
    Chains::<G, R, M, _>::new(*scene, &mut counter).run();
    counter.total
}

/// Adds up captures by their landing squares.
struct Counter<S> {
    total: u64,
    /// The captures among which there may be equal ones.
    seen: Vec<Counted<S>>,
}

/// Captures that differ only in where they end.
struct Counted<S> {
    from: S,
    captured: S,
    promotes: bool,
    landings: S,
}

impl<S: Bits> Sink<S> for Counter<S> {
    fn start_again(&mut self) {
        self.total = 0;
        self.seen.clear();
    }
    fn add(&mut self, from: S, captured: S, mut landings: S, promotes: bool, may_repeat: bool) {
        if may_repeat {
            for other in &self.seen {
                if other.captured == captured && other.from == from && other.promotes == promotes {
                    landings &= !other.landings;
                }
            }
            self.seen.push(Counted { from, captured, promotes, landings });
        }
        self.total += u64::from(landings.len());
    }
}
