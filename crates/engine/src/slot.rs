//! One slot of the transposition table: two words that threads read and write without a lock.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering};

/// The slot. `check` is the key mixed with the word, so that halves of two entries are noticed.
pub(crate) struct Slot {
    check: AtomicU64,
    word: AtomicU64,
}

impl Default for Slot {
    fn default() -> Slot {
        Slot { check: AtomicU64::new(0), word: AtomicU64::new(0) }
    }
}

impl Slot {
    /// Returns the word that was written for this key, unless something else is there.
    #[inline(always)]
    pub(crate) fn read(&self, key: u64) -> Option<u64> {
        let word = self.word.load(Ordering::Relaxed);
        let check = self.check.load(Ordering::Relaxed);
        (check ^ word == key && word != 0).then_some(word)
    }
    /// Returns the word, whatever it belongs to.
    #[inline(always)]
    pub(crate) fn word(&self) -> u64 {
        self.word.load(Ordering::Relaxed)
    }
    /// Writes a word for a key.
    #[inline(always)]
    pub(crate) fn write(&self, key: u64, word: u64) {
        self.check.store(key ^ word, Ordering::Relaxed);
        self.word.store(word, Ordering::Relaxed);
    }
}

#[cfg(all(test, loom))]
mod tests {
    use loom::sync::Arc;

    use super::Slot;

    /// Whatever the order of two writers' and a reader's steps, nobody reads a word under another key.
    #[test]
    fn halves_of_two_entries_are_never_read() {
        loom::model(|| {
            let slot = Arc::new(Slot::default());
            let writers = [(0x1111, 0x0a), (0x2222, 0x0b)].map(|(key, word)| {
                let slot = Arc::clone(&slot);
                loom::thread::spawn(move || slot.write(key, word))
            });
            for (key, word) in [(0x1111, 0x0a), (0x2222, 0x0b)] {
                assert!(slot.read(key).is_none_or(|found| found == word));
            }
            for writer in writers {
                writer.join().expect("a writer");
            }
        });
    }
}
