//! Where a rule comes from, and how sure that is.

use alloc::borrow::Cow;

/// How far a line of a rule set can be trusted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// The source's text was seen.
    Seen,
    /// The sources leave it open; this is our reading.
    OurReading,
    /// Sources disagree.
    Contested,
    /// The official text was not seen.
    Unverified,
}

impl Status {
    /// Returns the word used in JSON and on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Status::Seen => "seen",
            Status::OurReading => "ours",
            Status::Contested => "contested",
            Status::Unverified => "unverified",
        }
    }
}

/// The source of one line of a rule set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The field, as in rule files.
    pub field: &'static str,
    /// The text and article.
    pub text: Cow<'static, str>,
    /// How sure it is.
    pub status: Status,
}
