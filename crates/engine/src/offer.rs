//! Whether the computer agrees to a draw.

use damiera_rules::{Goal, RuleSet};

use crate::Score;

/// Standing better than this, in men, the computer plays on.
const HOPE: f32 = 0.5;
/// The same where pieces are given away: there the estimate of even the initial position swings by most of a man from one depth to the next.
const HOPE_LOSING: f32 = 1.0;
/// So many of its last scores must be known: a game that has hardly begun is not drawn.
const KNOWN: usize = 3;

/// Returns true when the computer agrees to a draw. `scores` are its own scores, positive when it stands better, of its moves within the
/// last ten plies, oldest first. It agrees when it has stood no better than level all the while.
pub fn accepts_draw(rules: &RuleSet, scores: &[Score]) -> bool {
    let hope = if rules.goal() == Goal::Losing { HOPE_LOSING } else { HOPE };
    scores.len() >= KNOWN && scores.iter().all(|score| score.men() <= hope)
}
