//! Zobrist keys: fixed pseudo-random numbers, so that hashes are the same on every machine and in every version.

use crate::position::{KingRun, Side};

const fn splitmix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

const fn keys() -> [[u64; 128]; 4] {
    let mut keys = [[0; 128]; 4];
    let mut i = 0;
    while i < 512 {
        keys[i / 128][i % 128] = splitmix(0xda31_e7a0 + i as u64);
        i += 1;
    }
    keys
}

static KEYS: [[u64; 128]; 4] = keys();

/// What a hash changes by when the turn passes.
pub const BLACK_TO_MOVE: u64 = splitmix(0xb1ac);

/// Returns the key of a piece on a square, given by its bit.
#[inline(always)]
pub fn piece(side: Side, king: bool, bit: u8) -> u64 {
    KEYS[side as usize * 2 + usize::from(king)][usize::from(bit & 127)]
}

/// Returns the key of a side's run of king moves; 0 when there is no run.
#[inline(always)]
pub fn king_run(side: Side, run: KingRun) -> u64 {
    if run.count == 0 {
        return 0;
    }
    splitmix((side as u64) << 32 | u64::from(run.at) << 8 | u64::from(run.count) | 1 << 40)
}
