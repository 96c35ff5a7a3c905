//! The movement of every known rule set, each as a constant and as a zero-sized [`RuleSource`].
//!
//! Rule sets that differ only in board, start, notation, goal or draws share a family: `brazilian`, `international`, `canadian`,
//! `breakthrough` and `antidraughts` all move by [`INTERNATIONAL`]. Sources of each line: [`crate::presets`].

use crate::movement::{
    CaptureLines, Criterion, KingRange, Ladder, Landing, MenCapture, Movement, Obligation, Promotion,
    Removal, RuleSource,
};

const BASE: Movement = Movement {
    capture: Obligation::Obligatory,
    men_capture: MenCapture::Forward,
    men_take_kings: true,
    lines: CaptureLines::AsMoving,
    king: KingRange::Short,
    landing: Landing::Anywhere,
    ladder: Ladder::FREE,
    promotion: Promotion::Stops,
    removal: Removal::AtEnd,
    turn_back: false,
    king_run: 0,
};

/// Men forward, short kings, free choice.
pub const AMERICAN: Movement = BASE;
/// Men forward and never over kings, short kings, the ladder of four steps.
pub const ITALIAN: Movement = Movement {
    men_take_kings: false,
    ladder: Ladder::new(&[
        Criterion::Number,
        Criterion::WithKing,
        Criterion::MostKings,
        Criterion::KingsFirst,
    ]),
    ..BASE
};
/// Men forward, flying kings, the most pieces and then the most kings.
pub const SPANISH: Movement = Movement {
    king: KingRange::Flying,
    ladder: Ladder::new(&[Criterion::Number, Criterion::MostKings]),
    ..BASE
};
/// Men forward, flying kings; a king that can capture must.
pub const CZECH: Movement =
    Movement { king: KingRange::Flying, ladder: Ladder::new(&[Criterion::WithKing]), ..BASE };
/// Men everywhere, flying kings, free choice.
pub const POOL: Movement = Movement {
    men_capture: MenCapture::Everywhere,
    king: KingRange::Flying,
    promotion: Promotion::AtEnd,
    ..BASE
};
/// As pool, but a man that reaches the last row is a king at once.
pub const RUSSIAN: Movement = Movement { promotion: Promotion::AtOnce, ..POOL };
/// Men everywhere, flying kings, the most pieces.
pub const INTERNATIONAL: Movement = Movement { ladder: Ladder::new(&[Criterion::Number]), ..POOL };
/// As international with the Italian ladder.
pub const BRAZILIAN_QUALITY: Movement = Movement { ladder: ITALIAN.ladder, ..INTERNATIONAL };
/// As international; a king stops right behind a king that it captured last.
pub const KILLER: Movement = Movement { landing: Landing::BehindLastKing, ..INTERNATIONAL };
/// Captures in eight directions, by value, then with a king.
pub const FRISIAN: Movement = Movement {
    lines: CaptureLines::Eight,
    ladder: Ladder::new(&[Criterion::Value, Criterion::WithKing]),
    king_run: 3,
    ..POOL
};
/// Men forward, flying kings that stop right behind and may turn straight back, pieces leave at once.
pub const THAI: Movement = Movement {
    king: KingRange::Flying,
    landing: Landing::Behind,
    removal: Removal::AtOnce,
    turn_back: true,
    ..BASE
};
/// Rows and columns, pieces leave at once, no turning straight back, the most pieces.
pub const TURKISH: Movement = Movement {
    king: KingRange::Flying,
    ladder: Ladder::new(&[Criterion::Number]),
    promotion: Promotion::AtEnd,
    removal: Removal::AtOnce,
    ..BASE
};

macro_rules! families {
    ($($(#[$doc:meta])* $name:ident = $movement:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;
        impl RuleSource for $name {
            #[inline(always)]
            fn movement(&self) -> &Movement {
                const M: Movement = $movement;
                &M
            }
        }
    )*};
}
families! {
    /// [`AMERICAN`] as a type.
    American = AMERICAN;
    /// [`ITALIAN`] as a type.
    Italian = ITALIAN;
    /// [`SPANISH`] as a type.
    Spanish = SPANISH;
    /// [`CZECH`] as a type.
    Czech = CZECH;
    /// [`POOL`] as a type.
    Pool = POOL;
    /// [`RUSSIAN`] as a type.
    Russian = RUSSIAN;
    /// [`INTERNATIONAL`] as a type.
    International = INTERNATIONAL;
    /// [`BRAZILIAN_QUALITY`] as a type.
    BrazilianQuality = BRAZILIAN_QUALITY;
    /// [`KILLER`] as a type.
    Killer = KILLER;
    /// [`FRISIAN`] as a type.
    Frisian = FRISIAN;
    /// [`THAI`] as a type.
    Thai = THAI;
    /// [`TURKISH`] as a type.
    Turkish = TURKISH;
}
