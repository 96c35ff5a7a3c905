//! How pieces move and capture, as plain data; and where a generator gets that data from.

use crate::geometry::Dir;

/// Whether a player who can capture must.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Obligation {
    /// Who can capture must capture.
    Obligatory,
    /// A player may decline every capture; a capture that is made obeys the ladder and is finished.
    Optional,
}

/// In which directions men capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MenCapture {
    /// Forward only (on the orthogonal board forward and sideways).
    Forward,
    /// Forward and backward: every line on which this game captures.
    Everywhere,
}

/// Along which lines pieces capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CaptureLines {
    /// Along the lines on which pieces move.
    AsMoving,
    /// Diagonals, rows and columns (Frisian).
    Eight,
}

/// How far a king goes in one step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KingRange {
    /// One square.
    Short,
    /// Any number of empty squares; captures at a distance.
    Flying,
}

/// Where a flying king may stop behind a captured piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Landing {
    /// On any empty square up to the next piece.
    Anywhere,
    /// Only on the square right behind it, after every jump.
    Behind,
    /// Anywhere, but the move ends right behind the last captured piece when that is a king (killer).
    BehindLastKing,
}

/// What becomes of a man that reaches the last row in the middle of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Promotion {
    /// It is crowned and the move ends there.
    Stops,
    /// It goes on as a man and is crowned only if the move ends on the last row.
    AtEnd,
    /// It becomes a king at once and goes on as a king.
    AtOnce,
}

/// When captured pieces leave the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Removal {
    /// At the end of the move: until then they block, and none may be jumped twice.
    AtEnd,
    /// One by one as they are jumped.
    AtOnce,
}

/// One step of the ladder that decides between captures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Criterion {
    /// The most pieces.
    Number,
    /// With a king rather than a man.
    WithKing,
    /// The most kings captured.
    MostKings,
    /// Kings met earlier: the two sequences are compared jump by jump to the end.
    KingsFirst,
    /// The highest value, a king being worth more than one man and less than two: n kings beat 2n-1 men and lose to 2n (Frisian).
    Value,
}

/// The ladder of priorities between captures, first step first. An empty ladder leaves the choice free.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Ladder {
    steps: [Option<Criterion>; 4],
    /// One bit for each criterion among the steps, so that asking for one costs a single test also at run time.
    present: u8,
}

impl Ladder {
    /// Any capture may be made.
    pub const FREE: Ladder = Ladder { steps: [None; 4], present: 0 };

    /// Returns the ladder with these steps, of which there may be at most four.
    pub const fn new(steps: &[Criterion]) -> Ladder {
        let mut ladder = Ladder::FREE;
        let mut i = 0;
        while i < steps.len() {
            ladder.steps[i] = Some(steps[i]);
            ladder.present |= 1 << steps[i] as u8;
            i += 1;
        }
        ladder
    }
    /// Returns the steps, first step first.
    #[inline(always)]
    pub fn steps(&self) -> impl Iterator<Item = Criterion> + '_ {
        self.steps.iter().map_while(|step| *step)
    }
    /// Returns step number `i`, counted from 0.
    #[inline(always)]
    pub const fn step(&self, i: usize) -> Option<Criterion> {
        if i < 4 { self.steps[i] } else { None }
    }
    /// Returns true when `criterion` is a step of the ladder.
    #[inline(always)]
    pub const fn has(&self, criterion: Criterion) -> bool {
        self.present & 1 << criterion as u8 != 0
    }
}

/// How pieces move and capture. With the board ([`crate::Shape`]) this decides every legal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Movement {
    /// Whether capturing is a duty.
    pub capture: Obligation,
    /// In which directions men capture.
    pub men_capture: MenCapture,
    /// Whether a man may capture a king.
    pub men_take_kings: bool,
    /// Along which lines pieces capture.
    pub lines: CaptureLines,
    /// How far kings go.
    pub king: KingRange,
    /// Where a flying king may stop behind a captured piece.
    pub landing: Landing,
    /// Which capture must be chosen.
    pub ladder: Ladder,
    /// What becomes of a man that reaches the last row in mid-capture.
    pub promotion: Promotion,
    /// When captured pieces leave the board.
    pub removal: Removal,
    /// Whether a capturing piece may turn straight back between two jumps. It matters only where captured pieces leave at once.
    pub turn_back: bool,
    /// How many quiet moves in a row one king may make while its side has a man; 0 for no limit (Frisian: 3).
    pub king_run: u8,
}

impl Movement {
    /// Returns the same movement with a free choice between captures.
    #[must_use]
    pub const fn without_ladder(mut self) -> Movement {
        self.ladder = Ladder::FREE;
        self
    }
}

/// Where a generator gets its rules: a zero-sized type, whose rules fold to constants, or a shared value read at run time. The same
/// code serves both.
pub trait RuleSource: Copy + Send + Sync {
    /// Returns the rules of movement.
    fn movement(&self) -> &Movement;
}

impl RuleSource for &Movement {
    #[inline(always)]
    fn movement(&self) -> &Movement {
        self
    }
}

/// Returns the two forward diagonals (or, on the orthogonal board, forward and both sides) of a side.
#[inline(always)]
pub const fn forward(white: bool, orthogonal: bool) -> &'static [Dir] {
    match (white, orthogonal) {
        (true, false) => &[Dir::NorthWest, Dir::NorthEast],
        (false, false) => &[Dir::SouthWest, Dir::SouthEast],
        (true, true) => &[Dir::North, Dir::West, Dir::East],
        (false, true) => &[Dir::South, Dir::West, Dir::East],
    }
}

/// Returns the four lines along which kings move on the board.
#[inline(always)]
pub const fn moving_lines(orthogonal: bool) -> &'static [Dir] {
    if orthogonal { &Dir::STRAIGHT } else { &Dir::DIAGONAL }
}

impl Movement {
    /// Returns the directions in which kings capture.
    #[inline(always)]
    pub const fn king_captures(&self, orthogonal: bool) -> &'static [Dir] {
        match self.lines {
            CaptureLines::AsMoving => moving_lines(orthogonal),
            CaptureLines::Eight => &Dir::ALL,
        }
    }
    /// Returns the directions in which a side's men capture. Where captures go in eight directions and men capture forward only,
    /// they capture on every line that leads forward, and sideways only on the orthogonal board, where they also move sideways.
    #[inline(always)]
    pub const fn man_captures(&self, white: bool, orthogonal: bool) -> &'static [Dir] {
        use Dir::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
        match (self.men_capture, self.lines) {
            (MenCapture::Everywhere, _) => self.king_captures(orthogonal),
            (MenCapture::Forward, CaptureLines::AsMoving) => forward(white, orthogonal),
            (MenCapture::Forward, CaptureLines::Eight) => match (white, orthogonal) {
                (true, false) => &[NorthWest, NorthEast, North],
                (false, false) => &[SouthWest, SouthEast, South],
                (true, true) => &[NorthWest, NorthEast, North, West, East],
                (false, true) => &[SouthWest, SouthEast, South, West, East],
            },
        }
    }
}
