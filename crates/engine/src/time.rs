//! When a search has to end.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::{Clock, Limits};

/// What the engine leaves on its clock for everything but thinking: the way of its answer, a busy machine.
const RESERVE: Duration = Duration::from_millis(30);
/// How many moves a game is taken to last still, when nobody says so.
const MOVES_TO_GO: u32 = 28;
/// With a time for each move a new iteration begins only in this part of it: later it would hardly change the move.
const LATEST_START: f64 = 0.9;

/// How long the engine may think.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Allowance {
    /// After this no new iteration begins.
    wanted: Duration,
    /// After this the search ends.
    most: Duration,
}

/// The clock of one search.
pub(crate) struct Timer<'a> {
    limits: Limits<'a>,
    /// When the search was called for.
    called: Instant,
    /// Since when time counts; unknown while the opponent is thinking.
    began: OnceLock<Instant>,
    allowance: Option<Allowance>,
}

impl<'a> Timer<'a> {
    pub(crate) fn new(limits: &Limits<'a>) -> Timer<'a> {
        let called = limits.since.unwrap_or_else(Instant::now);
        let began = if limits.is_pondering() { OnceLock::new() } else { OnceLock::from(called) };
        Timer { limits: *limits, called, began, allowance: allowance(limits) }
    }

    /// Returns how long ago the search began, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.called.elapsed().as_secs_f64()
    }

    /// Returns true when the search has to end at once.
    pub(crate) fn is_over(&self) -> bool {
        self.limits.is_interrupted() || self.spent().is_some_and(|(spent, allowed)| spent >= allowed.most)
    }

    /// Returns true when another iteration is not worth beginning. `calm`: the last iterations agreed about the move.
    pub(crate) fn is_late(&self, calm: bool) -> bool {
        let share = if calm || self.limits.clock.is_none() { 1.0 } else { 1.6 };
        self.spent().is_some_and(|(spent, allowed)| spent >= allowed.wanted.mul_f64(share).min(allowed.most))
    }

    /// Returns true when a player's time runs: thinking about a forced move wastes it.
    pub(crate) fn is_running(&self) -> bool {
        self.spent().is_some()
    }

    /// Returns the time that was spent and what is allowed; `None` while no time counts.
    fn spent(&self) -> Option<(Duration, Allowance)> {
        let allowance = self.allowance?;
        let began = match self.began.get() {
            Some(began) => began,
            None if self.limits.is_pondering() => return None,
            None => self.began.get_or_init(Instant::now),
        };
        Some((began.elapsed(), allowance))
    }
}

fn allowance(limits: &Limits) -> Option<Allowance> {
    let by_move = limits.time.map(|time| Allowance { wanted: time.mul_f64(LATEST_START), most: time });
    let by_clock = limits.clock.map(of_clock);
    match (by_move, by_clock) {
        (Some(a), Some(b)) => Some(Allowance { wanted: a.wanted.min(b.wanted), most: a.most.min(b.most) }),
        (a, b) => a.or(b),
    }
}

/// Divides a clock's time: a part for each move to go and most of the increment, up to four times as much in a difficult position, and
/// never all that is left.
fn of_clock(clock: Clock) -> Allowance {
    let left = if clock.left > RESERVE * 2 { clock.left - RESERVE } else { clock.left / 2 };
    let moves = clock.moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, 100);
    let wanted = (left / moves + clock.increment.mul_f64(0.8)).min(left);
    // With one move to go the whole time may be used, otherwise most of the rest has to stay.
    let ceiling = if moves == 1 { left } else { left.mul_f64(0.4) };
    let most = (wanted * 4).min(ceiling).max(wanted.min(left.mul_f64(0.8)));
    Allowance { wanted: wanted.mul_f64(0.6).min(most), most }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> Allowance {
        let ms = Duration::from_millis;
        of_clock(Clock { left: ms(left), increment: ms(increment), moves_to_go })
    }

    #[test]
    fn time_counts_since_it_is_said_to() {
        let (heard, pondering) = (Instant::now() - Duration::from_secs(5), AtomicBool::new(false));
        for pondering in [None, Some(&pondering)] {
            let time = Some(Duration::from_secs(4));
            let limits = |since| Limits { time, since, pondering, ..Limits::default() };
            assert!(Timer::new(&limits(Some(heard))).is_over());
            assert!(!Timer::new(&limits(None)).is_over());
        }
        // While the opponent thinks nothing counts, however long ago the search was called for.
        pondering.store(true, Ordering::Relaxed);
        let limits = Limits {
            time: Some(Duration::from_secs(4)),
            since: Some(heard),
            pondering: Some(&pondering),
            ..Limits::default()
        };
        let timer = Timer::new(&limits);
        assert!(!timer.is_over());
        pondering.store(false, Ordering::Relaxed);
        assert!(!timer.is_over());
    }

    #[test]
    fn a_clock_is_never_used_up() {
        for left in [1, 5, 20, 59, 61, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let Allowance { wanted, most } = clock(left, increment, moves);
                    assert!(most < Duration::from_millis(left), "{left} {increment} {moves:?}: {most:?}");
                    assert!(wanted <= most, "{left} {increment} {moves:?}: {wanted:?} of {most:?}");
                }
            }
        }
    }

    #[test]
    fn a_game_of_many_moves_stays_within_its_clock() {
        for (start, increment) in [(1_000.0, 0.0), (60_000.0, 0.0), (1_000.0, 100.0), (180_000.0, 2_000.0)] {
            let mut left: f64 = start;
            for _ in 0..300 {
                let allowed = clock(left as u64, increment as u64, None);
                left -= allowed.most.as_secs_f64() * 1000.0;
                assert!(left > 0.0);
                left += increment;
            }
        }
    }
}
