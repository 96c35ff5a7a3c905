//! The program is built for x86-64-v3 (`.cargo/config.toml` says why). An older processor would stop at the first instruction that it lacks, without a
//! word; this module finds out first and says what to do.
//!
//! It reads the CPUID instruction itself: `is_x86_feature_detected!` folds to `true` for whatever the build takes for granted. And since the compiler takes
//! the level for granted here too, the code is kept so plain that there is nothing in it to be done with newer instructions: single bits, constant texts,
//! no collections, no formatting. `scripts/test` runs it on an emulated old processor.

/// Returns true when the processor has the level that the program was built for; otherwise says on standard error what it lacks.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub(crate) fn is_new_enough() -> bool {
    use core::arch::x86_64::{__cpuid, __cpuid_count};

    let highest = __cpuid(0).eax;
    let highest_extended = __cpuid(0x8000_0000).eax;
    let basic = __cpuid(1).ecx;
    let structured = if highest >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let extended = if highest_extended > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
    let wide_kept = basic & OSXSAVE != 0 && keeps_wide_registers();

    let enough = basic & BASIC == BASIC
        && structured & STRUCTURED == STRUCTURED
        && extended & EXTENDED == EXTENDED
        && (wide_kept || !cfg!(target_feature = "avx"));
    if !enough {
        complain(basic, structured, extended, wide_kept);
    }
    enough
}

/// Other processors are not built for a level beyond their base.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn is_new_enough() -> bool {
    true
}

#[cfg(target_arch = "x86_64")]
use bits::*;

/// The bits of CPUID that the build needs.
#[cfg(target_arch = "x86_64")]
mod bits {
    // Leaf 1, ECX.
    pub(super) const FMA: u32 = 1 << 12;
    pub(super) const MOVBE: u32 = 1 << 22;
    pub(super) const POPCNT: u32 = 1 << 23;
    pub(super) const OSXSAVE: u32 = 1 << 27;
    pub(super) const F16C: u32 = 1 << 29;
    // Leaf 7, EBX.
    pub(super) const BMI1: u32 = 1 << 3;
    pub(super) const AVX2: u32 = 1 << 5;
    pub(super) const BMI2: u32 = 1 << 8;
    // Leaf 8000_0001, ECX.
    pub(super) const LZCNT: u32 = 1 << 5;

    const fn when(needed: bool, bit: u32) -> u32 {
        if needed { bit } else { 0 }
    }

    pub(super) const BASIC: u32 = when(cfg!(target_feature = "fma"), FMA)
        | when(cfg!(target_feature = "movbe"), MOVBE)
        | when(cfg!(target_feature = "popcnt"), POPCNT)
        | when(cfg!(target_feature = "f16c"), F16C);
    pub(super) const STRUCTURED: u32 = when(cfg!(target_feature = "bmi1"), BMI1)
        | when(cfg!(target_feature = "avx2"), AVX2)
        | when(cfg!(target_feature = "bmi2"), BMI2);
    pub(super) const EXTENDED: u32 = when(cfg!(target_feature = "lzcnt"), LZCNT);
}

/// Returns true when the operating system saves the AVX registers: the bits for SSE and AVX state in XCR0. Only called where OSXSAVE is set.
#[cfg(target_arch = "x86_64")]
fn keeps_wide_registers() -> bool {
    let (low, _high): (u32, u32);
    // The intrinsic `_xgetbv` needs the target feature xsave, which this build does not assume; the instruction is there because OSXSAVE is set.
    #[expect(
        unsafe_code,
        reason = "XGETBV has no safe form, reads no memory, and OSXSAVE says that it exists"
    )]
    unsafe {
        core::arch::asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") _high, options(nomem, nostack, preserves_flags));
    }
    low & 0b110 == 0b110
}

#[cfg(target_arch = "x86_64")]
#[cold]
#[inline(never)]
fn complain(basic: u32, structured: u32, extended: u32, wide_kept: bool) {
    say(
        "damiera: this program was built for processors of the level x86-64-v3 (2013 and later), and this one lacks:",
    );
    let name_if = |lacking: bool, name: &str| {
        if lacking {
            say(name);
        }
    };
    name_if(basic & POPCNT == 0, " popcnt");
    name_if(extended & LZCNT == 0, " lzcnt");
    name_if(structured & BMI1 == 0, " bmi1");
    name_if(structured & BMI2 == 0, " bmi2");
    name_if(structured & AVX2 == 0, " avx2");
    name_if(basic & FMA == 0, " fma");
    name_if(basic & F16C == 0, " f16c");
    name_if(basic & MOVBE == 0, " movbe");
    name_if(!wide_kept, " (a system that keeps the wide registers)");
    say("\nBuild it for this processor with:  RUSTFLAGS=\"-C target-cpu=native\" cargo build --release\n");
}

/// Writes to standard error. Where that is impossible there is nobody to tell.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn say(text: &str) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
}
