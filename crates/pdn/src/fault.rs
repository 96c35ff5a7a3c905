//! What a reader says about a file: what was mended, what was lost, and where.
//!
//! A finding is a code with parameters; the words are per language and live elsewhere (`pdn.*` in the language files).

use damiera_rules::explain::Reason;

use crate::scan::{Place, Trouble};

/// How grave a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// Something was written in another way than it should be, and only one reading was possible.
    Repair,
    /// Something could not be read and is not in the game: a move with what follows it in its line of play, a position, a word, what is too much.
    Fault,
}

/// What was found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Code {
    /// A scanner's trouble.
    Text(Trouble),
    /// A capture without its sign, or a quiet move with it.
    Sign,
    /// Squares between the ends that lie on no way, or not all of them; one capture fits the ends.
    Path,
    /// A capture that is written only up to a square on its way.
    Unfinished,
    /// A capture whose jumps are written as moves of their own.
    Hops,
    /// A result that hangs on the last move.
    ResultGlued,
    /// The moves are numbered in another way.
    Numbering,
    /// A man in a set-up stands where it would be a king.
    Crowned,
    /// The board is turned round or mirrored.
    BoardTurned,
    /// The other side begins.
    FirstMover,
    /// The GameType's details are those of another game.
    GameTypeDetails,
    /// A tag has another program's name, or another language's.
    TagName,
    /// A variation begins elsewhere than behind the move before it.
    VariationPlace,
    /// The result at the end is another than the Result tag's.
    ResultDiffers,
    /// The Result tag says it in words.
    ResultWords,
    /// A tag that the game has already; it has both.
    TagTwice,
    /// A tag of which a game has one only stands again: the later one counts.
    TagReplaced,
    /// No legal move goes this way.
    Illegal,
    /// Several legal moves fit.
    Ambiguous,
    /// The text is no move.
    Unreadable,
    /// The position cannot be read.
    Position,
    /// No rules are known under this GameType.
    GameType,
    /// The game has more moves or more text than is kept.
    TooLong,
}

impl Code {
    /// Returns the code as JSON has it.
    pub const fn text(self) -> &'static str {
        match self {
            Code::Text(trouble) => match trouble {
                Trouble::Word => "word",
                Trouble::TagUnquoted => "tag-unquoted",
                Trouble::TagQuote => "tag-quote",
                Trouble::TagUnclosed => "tag-unclosed",
                Trouble::TooLong => "too-long",
                Trouble::CommentUnclosed => "comment-unclosed",
                Trouble::BraceStray => "brace-stray",
                Trouble::BracketStray => "bracket-stray",
                Trouble::VariationUnclosed => "variation-unclosed",
                Trouble::ResultTwice => "result-twice",
                Trouble::NewlineEscaped => "newline-escaped",
            },
            Code::Sign => "sign",
            Code::Path => "path",
            Code::Unfinished => "unfinished",
            Code::Hops => "hops",
            Code::ResultGlued => "result-glued",
            Code::Numbering => "numbering",
            Code::Crowned => "crowned",
            Code::BoardTurned => "board-turned",
            Code::FirstMover => "first-mover",
            Code::GameTypeDetails => "game-type-details",
            Code::TagName => "tag-name",
            Code::VariationPlace => "variation-place",
            Code::ResultDiffers => "result-differs",
            Code::ResultWords => "result-words",
            Code::TagTwice => "tag-twice",
            Code::TagReplaced => "tag-replaced",
            Code::Illegal => "illegal",
            Code::Ambiguous => "ambiguous",
            Code::Unreadable => "unreadable",
            Code::Position => "position",
            Code::GameType => "game-type",
            Code::TooLong => "too-long",
        }
    }
    /// Returns how grave it is.
    pub const fn grade(self) -> Grade {
        match self {
            Code::Illegal
            | Code::Ambiguous
            | Code::Unreadable
            | Code::Position
            | Code::GameType
            | Code::TooLong
            | Code::Text(Trouble::Word | Trouble::TooLong) => Grade::Fault,
            _ => Grade::Repair,
        }
    }
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What it is.
    pub code: Code,
    /// Where it begins.
    pub place: Place,
    /// The text there, shortened.
    pub text: String,
    /// What was made of it, or the readings that are possible.
    pub reading: String,
    /// Why a move is illegal.
    pub why: Option<Reason>,
    /// How many moves of this line of play were passed over because of it, this one included.
    pub lost: u32,
}

impl Finding {
    /// Returns how grave it is.
    pub fn grade(&self) -> Grade {
        self.code.grade()
    }
}

/// How long a text in a finding is, in characters.
const SHOWN: usize = 60;

/// Shortens a text for a finding and makes it one line.
pub(crate) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push('…');
    }
    short
}
