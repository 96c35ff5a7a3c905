//! What positions were estimated at shortly before: the same ones come up again in the next iteration, and by other orders of moves.

use std::cell::Cell;

/// So many estimates are kept; twice as many are found again as often by a fifth only, and crowd out what else the search needs at hand.
const COUNT: usize = 1 << 12;
/// The part of an entry that is the estimate; the rest is the position's hash, of which the low bits choose the place.
const ESTIMATE: u64 = 0xffff;

/// The latest estimates of one thread.
pub(crate) struct Estimates(Box<[Cell<u64>; COUNT]>);

impl Estimates {
    pub(crate) fn new() -> Estimates {
        Estimates(Box::new([const { Cell::new(0) }; COUNT]))
    }

    /// Returns the estimate of a position, which is worked out if it is not at hand. Estimates are within 16 bits, as scores in the table.
    #[inline(always)]
    pub(crate) fn of(&self, hash: u64, work_out: impl FnOnce() -> i32) -> i32 {
        let entry = &self.0[hash as usize % COUNT];
        if (entry.get() ^ hash) & !ESTIMATE == 0 {
            return i32::from(entry.get() as i16);
        }
        let estimate = work_out();
        entry.set(hash & !ESTIMATE | u64::from(estimate as u16));
        estimate
    }
}
