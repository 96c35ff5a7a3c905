//! The steps of the search that can be left out, so that a match shows what each is worth.

use std::fmt;
use std::str::FromStr;

/// A step of the search that can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Step {
    /// A narrow window around the score of the iteration before.
    Aspiration,
    /// Quiet moves that refuted much elsewhere go first.
    History,
    /// Late quiet moves are searched less deep at first.
    Reductions,
    /// Near the leaves, a quiet position estimated far below alpha is left at its estimate.
    Futility,
    /// The same far above beta.
    ReverseFutility,
    /// A position without a known move is searched a ply less deep.
    InternalReduction,
    /// A single reply costs no depth.
    Forced,
    /// At the leaves every move is tried where the other side threatens to capture.
    Threats,
}

const NAMES: [(&str, Step); 8] = [
    ("aspiration", Step::Aspiration),
    ("history", Step::History),
    ("reductions", Step::Reductions),
    ("futility", Step::Futility),
    ("reverse-futility", Step::ReverseFutility),
    ("internal-reduction", Step::InternalReduction),
    ("forced", Step::Forced),
    ("threats", Step::Threats),
];

impl Step {
    /// Returns every step.
    pub fn all() -> impl Iterator<Item = Step> {
        NAMES.into_iter().map(|(_, step)| step)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, step)| step == self).map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

impl FromStr for Step {
    type Err = ();

    fn from_str(text: &str) -> Result<Step, ()> {
        NAMES.iter().find(|(name, _)| *name == text).map(|(_, step)| *step).ok_or(())
    }
}

/// A set of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps(u16);

impl Steps {
    /// Every step: how the engine plays.
    pub const ALL: Steps = Steps(u16::MAX);

    /// Returns the set without one step.
    #[must_use]
    pub const fn without(self, step: Step) -> Steps {
        Steps(self.0 & !(1 << step as u8))
    }
    #[inline(always)]
    pub(crate) const fn has(self, step: Step) -> bool {
        self.0 >> step as u8 & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_steps_are_left_out_one_by_one() {
        for step in Step::all() {
            assert_eq!(step.to_string().parse(), Ok(step));
            let rest = Steps::ALL.without(step);
            assert!(Step::all().all(|other| rest.has(other) == (other != step)));
        }
        assert_eq!("null".parse::<Step>(), Err(()));
    }
}
