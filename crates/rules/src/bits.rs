//! Sets of squares: one bit a square.

use core::fmt::Debug;
use core::hash::Hash;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// An unsigned integer used as a set of squares.
///
/// `u64` holds the 8x8 and 10x10 boards, `u128` the 12x12 board and, widened, any of them.
pub trait Bits:
    Copy
    + Eq
    + Ord
    + Debug
    + Default
    + Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// The empty set.
    const EMPTY: Self;
    /// The set that holds only bit 0.
    const ONE: Self;

    /// Returns how many squares the set holds.
    fn len(self) -> u32;
    /// Returns the lowest bit's number; the set must not be empty.
    fn lowest(self) -> u32;
    /// Returns the set without its lowest bit.
    fn without_lowest(self) -> Self;
    /// Returns the set of only its lowest bit; empty for the empty set.
    fn only_lowest(self) -> Self;
    /// Returns the set as the wide type that serves every board.
    fn widen(self) -> u128;
    /// Returns the set read back from the wide type; bits that do not fit are lost.
    fn narrow(wide: u128) -> Self;

    /// Returns true when no square is in the set.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
    /// Returns true when some square is in the set.
    #[inline(always)]
    fn any(self) -> bool {
        self != Self::EMPTY
    }
    /// Returns the set that holds only `bit`.
    #[inline(always)]
    fn bit(bit: u8) -> Self {
        Self::ONE << u32::from(bit)
    }
    /// Returns true when `bit` is in the set.
    #[inline(always)]
    fn has(self, bit: u8) -> bool {
        (self & Self::bit(bit)).any()
    }
    /// Returns the numbers of the bits, lowest first.
    #[inline(always)]
    fn iter(self) -> BitIter<Self> {
        BitIter(self)
    }
    /// Returns the squares as sets of one, lowest first.
    #[inline(always)]
    fn singles(self) -> Singles<Self> {
        Singles(self)
    }
}

macro_rules! bits {
    ($($t:ty),*) => {$(
        impl Bits for $t {
            const EMPTY: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn only_lowest(self) -> Self {
                self & self.wrapping_neg()
            }
            #[inline(always)]
            fn widen(self) -> u128 {
                u128::from(self)
            }
            #[inline(always)]
            fn narrow(wide: u128) -> Self {
                wide as $t
            }
        }
    )*};
}
bits!(u64, u128);

/// Iterates over the bits of a set, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct BitIter<S>(S);

impl<S: Bits> Iterator for BitIter<S> {
    type Item = u8;
    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0.is_empty() {
            return None;
        }
        let bit = self.0.lowest() as u8;
        self.0 = self.0.without_lowest();
        Some(bit)
    }
}

/// Iterates over the squares of a set as sets of one, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Singles<S>(S);

impl<S: Bits> Iterator for Singles<S> {
    type Item = S;
    #[inline(always)]
    fn next(&mut self) -> Option<S> {
        if self.0.is_empty() {
            return None;
        }
        let single = self.0.only_lowest();
        self.0 = self.0.without_lowest();
        Some(single)
    }
}
