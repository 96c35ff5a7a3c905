//! The transposition table: what earlier visits to a position found.

use crate::random::mix;
use crate::score::{from_node, from_root};
use damiera_rules::{Bits, Move};

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Bound {
    /// The true score is not higher.
    #[default]
    Upper,
    /// The true score is not lower.
    Lower,
    /// It is the true score.
    Exact,
}

/// A move in 32 bits, enough to find it again in a list. 0 is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Packed(u32);

impl Packed {
    pub(crate) const NONE: Packed = Packed(0);

    #[inline]
    pub(crate) fn of<S: Bits>(m: &Move<S>) -> Packed {
        let captured = m.captured.widen();
        let folded = mix(captured as u64 ^ (captured >> 64) as u64) as u32;
        Packed(1 << 31 | (folded & 0xffff) << 14 | u32::from(m.from & 127) << 7 | u32::from(m.to & 127))
    }
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    best: Packed,
    score: i16,
    depth: u8,
    /// The bound in the low two bits, the generation above them.
    mark: u8,
}

/// What the table knows about a position.
pub(crate) struct Hit {
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    pub(crate) best: Packed,
}

/// The table. It has 2^n entries or none at all.
pub(crate) struct Table {
    entries: Vec<Entry>,
    generation: u8,
    salt: u64,
}

const GENERATIONS: u8 = 64;

impl Table {
    pub(crate) fn new(megabytes: usize) -> Table {
        let wanted = megabytes.saturating_mul(1 << 20) / size_of::<Entry>();
        let count = if wanted == 0 { 0 } else { 1 << wanted.ilog2() };
        Table { entries: vec![Entry::default(); count], generation: 0, salt: 0 }
    }

    /// Makes all entries invisible without touching them: a search that follows finds the same as with a new table. Entries of
    /// older generations are always replaced, so they do not influence what is kept either.
    pub(crate) fn forget(&mut self) {
        self.generation += 1;
        if self.generation == GENERATIONS {
            self.generation = 0;
            self.entries.fill(Entry::default());
        }
        self.salt = mix(u64::from(self.generation) << 32 | 0x7ab1e);
    }

    #[inline]
    fn place(&self, key: u64) -> Option<usize> {
        let mask = self.entries.len().checked_sub(1)?;
        Some(key as usize & mask)
    }

    #[inline]
    pub(crate) fn get(&self, key: u64, ply: usize) -> Option<Hit> {
        let key = key ^ self.salt;
        let entry = &self.entries[self.place(key)?];
        if entry.key != key || entry.best == Packed::NONE {
            return None;
        }
        let bound = match entry.mark & 3 {
            0 => Bound::Upper,
            1 => Bound::Lower,
            _ => Bound::Exact,
        };
        Some(Hit {
            score: from_root(i32::from(entry.score), ply),
            depth: i32::from(entry.depth),
            bound,
            best: entry.best,
        })
    }

    #[inline]
    pub(crate) fn put(&mut self, key: u64, ply: usize, depth: i32, score: i32, bound: Bound, best: Packed) {
        let key = key ^ self.salt;
        let Some(place) = self.place(key) else { return };
        let depth = depth.clamp(0, 255) as u8;
        let entry = &mut self.entries[place];
        let current = entry.mark >> 2 == self.generation && entry.best != Packed::NONE;
        // A shallow result does not push out a much deeper one of the same search.
        if current && entry.key != key && entry.depth > depth + 3 {
            return;
        }
        let mark = self.generation << 2
            | match bound {
                Bound::Upper => 0,
                Bound::Lower => 1,
                Bound::Exact => 2,
            };
        *entry = Entry { key, best, score: from_node(score, ply) as i16, depth, mark };
    }
}
