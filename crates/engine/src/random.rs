//! A small generator of pseudo-random numbers (splitmix64): the same numbers for the same seed on every machine.

/// The generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns a generator for a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }
    /// Returns a generator for one of many items that share a seed, such as the games of a match: equal for equal arguments, and with
    /// nothing in common between neighbours.
    pub fn for_item(seed: u64, number: u32) -> Random {
        Random(seed ^ u64::from(number).wrapping_mul(0x2545_f491_4f6c_dd1d))
    }
    /// Returns the next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }
    /// Returns a number below `end`, or 0 when `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next_u64()) * end as u128) >> 64) as usize
    }
    /// Returns a number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Returns a number in which every bit depends on every bit of `x`.
#[inline]
pub(crate) const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
