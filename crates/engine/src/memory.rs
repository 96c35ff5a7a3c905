//! Two hints about memory that have no safe form. Neither reads or writes anything. A third of a search's time was waiting for the
//! transposition table (docs/measurements.md, "Search speed", which has what both brought together).

/// The size of a large page, in bytes.
#[cfg(target_os = "linux")]
const LARGE_PAGE: usize = 2 << 20;

/// Asks the system to keep this memory in large pages, before it is first written to. A search looks at the table's places in no order,
/// and with small pages finding out where a place is takes longer than fetching it. Where the system refuses, nothing changes.
#[cfg(target_os = "linux")]
pub(crate) fn ask_for_large_pages<T>(memory: &mut [T]) {
    let range = memory.as_mut_ptr_range();
    let first = range.start.addr().next_multiple_of(LARGE_PAGE);
    let length = range.end.addr().saturating_sub(first) / LARGE_PAGE * LARGE_PAGE;
    if length > 0 {
        let start = range.start.with_addr(first).cast();
        #[expect(
            unsafe_code,
            reason = "the standard library has no name for it; measured in docs/measurements.md"
        )]
        // SAFETY: the range lies inside memory that is borrowed here alone, and this advice changes nothing of what it holds.
        unsafe {
            libc::madvise(start, length, libc::MADV_HUGEPAGE);
        }
    }
}

/// Other systems choose the size of pages themselves.
#[cfg(not(target_os = "linux"))]
pub(crate) fn ask_for_large_pages<T>(_memory: &mut [T]) {}

/// Asks the processor to fetch what a reference points to, while other things are done.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn fetch_ahead<T>(wanted: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    #[expect(unsafe_code, reason = "there is no safe form; measured in docs/measurements.md")]
    // SAFETY: a prefetch reads nothing into the program and never faults, whatever the address; this one is a reference's besides.
    unsafe {
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(wanted).cast());
    }
}

/// Other processors are not told.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn fetch_ahead<T>(_wanted: &T) {}
