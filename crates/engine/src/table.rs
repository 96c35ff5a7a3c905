//! The transposition table: what earlier visits to a position found. Threads share it without locks.
//!
//! A slot is two words, and its first word is the key mixed with the second: when two threads write one slot at the same moment, the
//! words that are left belong to different entries and the mixed key fits no position (Robert Hyatt and Timothy Mann, "A lock-less
//! transposition table implementation for parallel search", 2002). A test in `slot.rs` tries all orders of two writers and a reader.

use damiera_rules::{Bits, Move};

use crate::memory;
use crate::score::{from_node, from_root};
use crate::slot::Slot;

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true score is not higher.
    Upper,
    /// The true score is not lower.
    Lower,
    /// It is the true score.
    Exact,
}

/// A move in 28 bits, enough to find it again in a list. 0 is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Packed(u32);

impl Packed {
    pub(crate) const NONE: Packed = Packed(0);
    const BITS: u32 = 28;

    #[inline(always)]
    pub(crate) fn of<S: Bits>(m: &Move<S>) -> Packed {
        let way = u32::from(m.from & 127) << 7 | u32::from(m.to & 127);
        if !m.is_capture() {
            return Packed(way);
        }
        let captured = m.captured.widen();
        let folded = (captured as u64 ^ (captured >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Packed(((folded >> 50) as u32 | 1) << 14 | way)
    }
    /// Returns from and to as one number: 128 times the one plus the other.
    #[inline(always)]
    pub(crate) fn way(self) -> usize {
        (self.0 & 0x3fff) as usize
    }
}

/// What the table knows about a position.
#[derive(Clone, Copy)]
pub(crate) struct Hit {
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    pub(crate) best: Packed,
}

/// Slots that are looked through together; they share a line of the processor's cache.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// The table, of any size; it may have no slot at all.
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    generation: u8,
    /// Entries of another epoch are forgotten: they count as empty. From 1 on, so that no entry is 0.
    epoch: u8,
}

/// The size of a table in megabytes where there is no room for the one that was asked for.
const MODEST: usize = 64;
const GENERATIONS: u8 = 64;
const LAST_EPOCH: u8 = 15;

/// An entry as one word: move 28 bits, score 16, depth 8, bound 2, generation 6, epoch 4.
#[derive(Clone, Copy)]
struct Entry(u64);

impl Entry {
    #[inline(always)]
    fn new(best: Packed, score: i32, depth: i32, bound: Bound, table: &Table) -> Entry {
        Entry(
            u64::from(best.0)
                | u64::from(score as i16 as u16) << Packed::BITS
                | (depth.clamp(0, 255) as u64) << 44
                | (bound as u64) << 52
                | u64::from(table.generation) << 54
                | u64::from(table.epoch) << 60,
        )
    }
    #[inline(always)]
    fn best(self) -> Packed {
        Packed(self.0 as u32 & ((1 << Packed::BITS) - 1))
    }
    #[inline(always)]
    fn score(self) -> i32 {
        i32::from((self.0 >> Packed::BITS) as i16)
    }
    #[inline(always)]
    fn depth(self) -> i32 {
        i32::from((self.0 >> 44) as u8)
    }
    #[inline(always)]
    fn bound(self) -> Bound {
        match self.0 >> 52 & 3 {
            0 => Bound::Upper,
            1 => Bound::Lower,
            _ => Bound::Exact,
        }
    }
    #[inline(always)]
    fn generation(self) -> u8 {
        (self.0 >> 54) as u8 & (GENERATIONS - 1)
    }
    #[inline(always)]
    fn epoch(self) -> u8 {
        (self.0 >> 60) as u8
    }
}

impl Table {
    /// Returns a table of so many megabytes, or of [`MODEST`] where there is no room for them.
    pub(crate) fn new(megabytes: usize) -> Table {
        let count_in = |megabytes: usize| megabytes.saturating_mul(1 << 20) / size_of::<Bucket>();
        let mut count = count_in(megabytes);
        let mut buckets: Vec<Bucket> = Vec::new();
        if buckets.try_reserve_exact(count).is_err() {
            count = count_in(MODEST);
            buckets.reserve_exact(count);
        }
        memory::ask_for_large_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        Table { buckets, generation: 0, epoch: 1 }
    }

    /// Forgets everything: a search that follows finds the same as with a new table. The levels do so before every move, and most of
    /// the time nothing is touched for it.
    pub(crate) fn forget(&mut self) {
        self.generation = 0;
        if self.epoch < LAST_EPOCH {
            self.epoch += 1;
            return;
        }
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.write(0, 0);
        }
        self.epoch = 1;
    }

    /// Begins another search: what is known stays, but gives way to what is new.
    pub(crate) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> Option<&Bucket> {
        let place = (u128::from(key) * self.buckets.len() as u128) >> 64;
        self.buckets.get(place as usize)
    }

    /// Asks the processor to fetch the place of a position from memory, while other things are done before [`Table::get`] needs it.
    #[inline(always)]
    pub(crate) fn fetch_ahead(&self, key: u64) {
        if let Some(bucket) = self.bucket(key) {
            memory::fetch_ahead(bucket);
        }
    }

    #[inline]
    pub(crate) fn get(&self, key: u64, ply: usize) -> Option<Hit> {
        let slots = &self.bucket(key)?.0;
        let entry = slots.iter().find_map(|slot| self.read(slot, key))?;
        Some(Hit {
            score: from_root(entry.score(), ply),
            depth: entry.depth(),
            bound: entry.bound(),
            best: entry.best(),
        })
    }

    #[inline]
    pub(crate) fn put(&self, key: u64, ply: usize, depth: i32, score: i32, bound: Bound, best: Packed) {
        let Some(bucket) = self.bucket(key) else { return };
        if let Some(slot) = self.slot_for(&bucket.0, key, depth, bound) {
            slot.write(key, Entry::new(best, from_node(score, ply), depth, bound, self).0);
        }
    }

    /// Returns what a slot knows about a position and has not been forgotten.
    #[inline(always)]
    fn read(&self, slot: &Slot, key: u64) -> Option<Entry> {
        slot.read(key).map(Entry).filter(|entry| entry.epoch() == self.epoch)
    }

    /// Returns where an entry goes: over the same position if that is there, otherwise over the least useful of the bucket; `None` when
    /// the same position is known from a much deeper search already.
    #[inline]
    fn slot_for<'a>(&self, slots: &'a [Slot; 4], key: u64, depth: i32, bound: Bound) -> Option<&'a Slot> {
        let mut worst = &slots[0];
        let mut least = i32::MAX;
        for slot in slots {
            if let Some(old) = self.read(slot, key) {
                let keep =
                    bound != Bound::Exact && old.generation() == self.generation && old.depth() > depth + 3;
                return (!keep).then_some(slot);
            }
            let use_of = self.usefulness(Entry(slot.word()));
            if use_of < least {
                (worst, least) = (slot, use_of);
            }
        }
        Some(worst)
    }

    #[inline(always)]
    fn usefulness(&self, entry: Entry) -> i32 {
        if entry.epoch() != self.epoch {
            return i32::MIN;
        }
        let age = (self.generation + GENERATIONS - entry.generation()) % GENERATIONS;
        entry.depth() - 4 * i32::from(age) + i32::from(entry.bound() == Bound::Exact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_without_room_is_smaller() {
        assert_eq!(Table::new(1 << 43).buckets.len(), Table::new(MODEST).buckets.len());
    }

    #[test]
    fn what_was_forgotten_neither_answers_nor_takes_room() {
        let (mut used, best) = (Table::new(1), Packed(7));
        // More often than there are epochs.
        for round in 0..40 {
            used.forget();
            let mut fresh = Table::new(1);
            let keys = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for n in 0..50_000 {
                assert!(used.get(keys(n), 0).is_none(), "round {round}, key {n}");
                let depth = (n % 23) as i32;
                for table in [&mut used, &mut fresh] {
                    table.put(keys(n), 0, depth, round, Bound::Lower, best);
                }
            }
            for n in 0..50_000 {
                let found = [&used, &fresh].map(|table| table.get(keys(n), 0).map(|hit| hit.depth));
                assert_eq!(found[0], found[1], "round {round}, key {n}");
            }
        }
    }
}
