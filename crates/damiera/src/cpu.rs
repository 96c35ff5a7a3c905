//! The program is built for x86-64-v3 (`.cargo/config.toml` says why). An older processor would stop at the first instruction that it lacks, without a
//! word; this module finds out first and says what to do.
//!
//! It reads the CPUID instruction itself: `is_x86_feature_detected!` folds to `true` for whatever the build takes for granted.

/// Returns what this processor lacks of the level that the program was built for.
#[cfg(target_arch = "x86_64")]
pub(crate) fn missing() -> Vec<&'static str> {
    use core::arch::x86_64::{__cpuid, __cpuid_count};

    let highest = __cpuid(0).eax;
    let highest_extended = __cpuid(0x8000_0000).eax;
    let basic = __cpuid(1).ecx;
    let structured = if highest >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let extended = if highest_extended >= 0x8000_0001 { __cpuid(0x8000_0001).ecx } else { 0 };

    let has = |register: u32, bit: u32| register & (1 << bit) != 0;
    let level = [
        ("popcnt", cfg!(target_feature = "popcnt"), has(basic, 23)),
        ("movbe", cfg!(target_feature = "movbe"), has(basic, 22)),
        ("fma", cfg!(target_feature = "fma"), has(basic, 12)),
        ("f16c", cfg!(target_feature = "f16c"), has(basic, 29)),
        ("lzcnt", cfg!(target_feature = "lzcnt"), has(extended, 5)),
        ("bmi1", cfg!(target_feature = "bmi1"), has(structured, 3)),
        ("bmi2", cfg!(target_feature = "bmi2"), has(structured, 8)),
        ("avx2", cfg!(target_feature = "avx2"), has(structured, 5)),
        ("wide registers kept by the system", cfg!(target_feature = "avx"), has(basic, 27) && keeps_wide_registers()),
    ];
    level.into_iter().filter(|(_, needed, present)| *needed && !present).map(|(name, ..)| name).collect()
}

/// Other processors are not built for a level beyond their base.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn missing() -> Vec<&'static str> {
    Vec::new()
}

/// Returns true when the operating system saves the AVX registers: the bits for SSE and AVX state in XCR0. Only called where OSXSAVE is set.
#[cfg(target_arch = "x86_64")]
fn keeps_wide_registers() -> bool {
    let (low, _high): (u32, u32);
    // The intrinsic `_xgetbv` needs the target feature xsave, which this build does not assume; the instruction is there because OSXSAVE is set.
    #[expect(unsafe_code, reason = "XGETBV has no safe form, reads no memory, and OSXSAVE says that it exists")]
    unsafe {
        core::arch::asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") _high, options(nomem, nostack, preserves_flags));
    }
    low & 0b110 == 0b110
}

/// Returns what to tell somebody whose processor lacks something.
pub(crate) fn advice(missing: &[&str]) -> String {
    format!(
        "damiera: this program was built for processors of the level x86-64-v3 (2013 and later), and this one lacks: {}.\n\
         Build it for this processor with:  RUSTFLAGS=\"-C target-cpu=native\" cargo build --release\n",
        missing.join(", ")
    )
}
