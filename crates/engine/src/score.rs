//! Scores: the numbers that the search compares, with their bands named once, and the same as people read them.

/// The largest score of the search: the player to move has won already.
pub(crate) const WON: i32 = 30_000;
/// More than any score.
pub(crate) const INFINITE: i32 = WON + 1;
/// The score of a draw. The evaluation gives it for endings that neither side can win and for nothing else, so that a draw can be told from
/// a level position.
pub(crate) const DRAW: i32 = 0;
/// The longest line that is looked at, in plies from the root.
pub(crate) const MAX_PLY: usize = 120;
/// Evaluations lie within this bound on either side; beyond it are wins and losses.
pub(crate) const MAX_VALUE: i32 = 20_000;

const WIN_BAND: i32 = WON - 2 * MAX_PLY as i32;

/// Returns the score of a win that is complete `ply` plies from the root.
#[inline]
pub(crate) const fn win_at(ply: usize) -> i32 {
    WON - ply as i32
}

/// Returns the score of a loss that is complete `ply` plies from the root.
#[inline]
pub(crate) const fn loss_at(ply: usize) -> i32 {
    -win_at(ply)
}

/// Returns true for the scores of wins and losses.
#[inline]
pub(crate) const fn is_decided(score: i32) -> bool {
    score >= WIN_BAND || score <= -WIN_BAND
}

/// Returns a score counted from the root as one counted from a node `ply` plies away, as the table keeps it.
#[inline]
pub(crate) const fn from_node(score: i32, ply: usize) -> i32 {
    match score {
        s if s >= WIN_BAND => s + ply as i32,
        s if s <= -WIN_BAND => s - ply as i32,
        s => s,
    }
}

/// Undoes [`from_node`].
#[inline]
pub(crate) const fn from_root(score: i32, ply: usize) -> i32 {
    match score {
        s if s >= WIN_BAND => s - ply as i32,
        s if s <= -WIN_BAND => s + ply as i32,
        s => s,
    }
}

/// How good a position is for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// An estimate, in hundredths of a man; positive when the player to move stands better.
    Value(i32),
    /// The player to move wins in so many plies.
    Win(u16),
    /// The player to move loses in so many plies.
    Loss(u16),
    /// The game will be drawn: by repetition, by a counter, by a clause that holds already, or because neither side has the force to win.
    Draw,
}

impl Score {
    pub(crate) fn from_search(score: i32) -> Score {
        match score {
            s if s >= WIN_BAND => Score::Win((WON - s) as u16),
            s if s <= -WIN_BAND => Score::Loss((WON + s) as u16),
            DRAW => Score::Draw,
            s => Score::Value(s),
        }
    }
    /// Returns the score as one number in hundredths of a man, in which every win is better than every estimate.
    pub(crate) fn hundredths(self) -> i32 {
        match self {
            Score::Value(hundredths) => hundredths,
            Score::Win(plies) => WON - i32::from(plies),
            Score::Loss(plies) => i32::from(plies) - WON,
            Score::Draw => DRAW,
        }
    }
    /// Returns the score in men, where a win counts as 100 and a draw as 0.
    pub fn men(self) -> f32 {
        match self {
            Score::Value(hundredths) => hundredths as f32 / 100.0,
            Score::Win(_) => 100.0,
            Score::Loss(_) => -100.0,
            Score::Draw => 0.0,
        }
    }
    /// Returns the score as the other player sees it.
    #[must_use]
    pub fn reversed(self) -> Score {
        match self {
            Score::Value(hundredths) => Score::Value(-hundredths),
            Score::Win(plies) => Score::Loss(plies),
            Score::Loss(plies) => Score::Win(plies),
            Score::Draw => Score::Draw,
        }
    }
}
