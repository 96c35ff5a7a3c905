//! A rule set: one value that says everything about a game, line by line, with sources.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

use crate::board::{Board, Naming};
use crate::draws::{Clause, Counts, Diagonal, FREE, Force, Material, Mode, Of};
use crate::geometry::Shape;
use crate::movement::{
    CaptureLines, Criterion, KingRange, Landing, MenCapture, Movement, Obligation, Promotion, Removal,
};
use crate::position::{Position, Side};
use crate::source::Source;

/// What a player plays for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Who cannot move loses.
    Normal,
    /// Who cannot move wins.
    Losing,
    /// The first to crown a man wins; who cannot move loses.
    FirstKing,
}

/// Where the men stand at the start: `rows` full rows a side, the first of them `behind` rows from the edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Start {
    /// Rows of men a side.
    pub rows: u8,
    /// Empty rows behind them.
    pub behind: u8,
}

/// The draw clauses of a rule set under the name by which they can be chosen for another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draws {
    /// The name: a rule set's key, or a name of its own such as `casual`; `custom` for a rule file's own list.
    pub name: Cow<'static, str>,
    /// The clauses; of those met at one ply the first is named.
    pub clauses: Vec<Clause>,
}

/// A complete rule set.
#[derive(Clone, PartialEq, Debug)]
pub struct RuleSet {
    pub(crate) key: Cow<'static, str>,
    pub(crate) name: Option<String>,
    pub(crate) canonical: String,
    pub(crate) overrides: Vec<String>,
    pub(crate) board: Board,
    pub(crate) start: Start,
    pub(crate) first: Side,
    pub(crate) movement: Movement,
    pub(crate) goal: Goal,
    pub(crate) draws: Draws,
    pub(crate) game_type: Option<&'static str>,
    pub(crate) sources: Vec<Source>,
}

impl RuleSet {
    /// Returns the key of the known rule set that this one is, or from which it was made.
    pub fn key(&self) -> &str {
        &self.key
    }
    /// Returns the name that a rule file gives.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
    /// Returns the canonical name: the key, and every field that differs from it in alphabetical order. [`RuleSet::parse`] reads it back.
    pub fn canonical(&self) -> &str {
        &self.canonical
    }
    /// Returns the fields that differ from the key's rule set, as written in the canonical name.
    pub fn overrides(&self) -> &[String] {
        &self.overrides
    }
    /// Returns the board and its names.
    pub fn board(&self) -> &Board {
        &self.board
    }
    /// Returns the board's shape.
    pub fn shape(&self) -> Shape {
        self.board.shape
    }
    /// Returns how the men stand at the start.
    pub fn start(&self) -> Start {
        self.start
    }
    /// Returns who moves first.
    pub fn first(&self) -> Side {
        self.first
    }
    /// Returns how pieces move and capture.
    pub fn movement(&self) -> &Movement {
        &self.movement
    }
    /// Returns what a player plays for.
    pub fn goal(&self) -> Goal {
        self.goal
    }
    /// Returns the draw clauses.
    pub fn draws(&self) -> &Draws {
        &self.draws
    }
    /// Returns the PDN GameType, where the table has one for exactly this board and notation.
    pub fn game_type(&self) -> Option<&str> {
        self.game_type
    }
    /// Returns the sources of the rule set's lines.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }
    /// Returns the position before the first move.
    pub fn initial(&self) -> Position {
        let (shape, start) = (self.shape(), self.start);
        let size = shape.size();
        let black = shape.rows(start.behind, start.behind + start.rows);
        let white = shape.rows(size - start.behind - start.rows, size - start.behind);
        Position::from_sets(white, black, 0, self.first)
    }
    /// Returns the sign between the squares of a capture: `:` on boards with letters, `x` on boards with numbers.
    pub fn capture_sign(&self) -> char {
        if self.board.naming == Naming::Letters { ':' } else { 'x' }
    }
    /// Returns the complete rule table as a rule file without `extends`: every field, one a line.
    pub fn table(&self) -> String {
        let mut text = String::new();
        for (field, value) in self.fields() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{field} = {value}");
        }
        text
    }
    /// Returns every field of the rule table with its value in TOML.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        let m = &self.movement;
        let quote = |word: &str| format!("\"{word}\"");
        let list = |words: Vec<String>| {
            format!("[{}]", words.iter().map(|w| quote(w)).collect::<Vec<_>>().join(", "))
        };
        alloc::vec![
            ("board", quote(words::board(self.board.shape))),
            ("mirrored", self.board.mirrored.to_string()),
            ("names", quote(words::naming(self.board.naming))),
            ("light", self.board.light.to_string()),
            ("rows", self.start.rows.to_string()),
            ("behind", self.start.behind.to_string()),
            ("first", quote(words::side(self.first))),
            ("capture", quote(words::obligation(m.capture))),
            ("men_capture", quote(words::men_capture(m.men_capture))),
            ("men_take_kings", m.men_take_kings.to_string()),
            ("lines", quote(words::lines(m.lines))),
            ("king", quote(words::king(m.king))),
            ("landing", quote(words::landing(m.landing))),
            ("ladder", list(m.ladder.steps().map(|s| words::criterion(s).to_string()).collect())),
            ("promotion", quote(words::promotion(m.promotion))),
            ("removal", quote(words::removal(m.removal))),
            ("turn_back", m.turn_back.to_string()),
            ("king_run", m.king_run.to_string()),
            ("goal", quote(words::goal(self.goal))),
            ("draws", list(self.draws.clauses.iter().map(clause_text).collect())),
        ]
    }
    /// Returns the 128-bit fingerprint of the complete rule table (FNV-1a over [`RuleSet::table`]): equal exactly when two tables
    /// are.
    pub fn fingerprint(&self) -> u128 {
        // FNV-1a, 128 bits: http://www.isthe.com/chongo/tech/comp/fnv/
        self.table().bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |hash: u128, byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        })
    }
}

/// Returns a clause in the compact form of rule files: `ID=COUNTS:LIMIT[:strong|:weak][:claim][:only:MATERIAL/…][:not:MATERIAL][:unless-won]`.
pub fn clause_text(clause: &Clause) -> String {
    let mut text = format!("{}={}:{}", clause.id, words::counts(clause.counts), clause.limit);
    match clause.of {
        Of::Each => {}
        Of::Strong => text.push_str(":strong"),
        Of::Weak => text.push_str(":weak"),
    }
    if clause.mode == Mode::Claim {
        text.push_str(":claim");
    }
    if !clause.within.is_empty() {
        text.push_str(":only:");
        text.push_str(&clause.within.iter().map(material_text).collect::<Vec<_>>().join("/"));
    }
    if let Some(except) = &clause.except {
        text.push_str(":not:");
        text.push_str(&material_text(except));
    }
    if clause.unless_won {
        text.push_str(":unless-won");
    }
    text
}

fn range_text((low, high): (u8, u8)) -> String {
    match (low, high) {
        (low, high) if low == high => low.to_string(),
        (low, u8::MAX) => format!("{low}.."),
        (low, high) => format!("{low}..{high}"),
    }
}

fn force_text(force: &Force) -> String {
    let part =
        |range, letter| if range == FREE { String::new() } else { format!("{}{letter}", range_text(range)) };
    let text = format!("{}{}{}", part(force.kings, 'k'), part(force.men, 'm'), part(force.total, 'p'));
    if text.is_empty() { "any".to_string() } else { text }
}

fn material_text(material: &Material) -> String {
    let mut text = format!("{}-{}", force_text(&material.strong), force_text(&material.weak));
    if material.all != FREE {
        text.push('&');
        text.push_str(&range_text(material.all));
    }
    match material.diagonal {
        Diagonal::Free => {}
        Diagonal::Strong => text.push_str("@strong"),
        Diagonal::Weak => text.push_str("@weak"),
    }
    text
}

/// The highest limit of a clause: more than any game needs, and both sides' moves together still fit a counter.
const MAX_LIMIT: u16 = 10_000;

/// How many materials one clause names at most; all of them are looked at after every move.
const MAX_MATERIALS: usize = 32;

/// Reads a clause in the form that [`clause_text`] writes. The error says what was not understood.
pub(crate) fn parse_clause(text: &str) -> Result<Clause, String> {
    let (id, rest) =
        text.split_once('=').ok_or_else(|| format!("\"{text}\" has no \"=\" (ID=COUNTS:LIMIT…)"))?;
    if id.is_empty() || !id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-') {
        return Err(format!("\"{id}\" is no clause name (small letters, digits and -)"));
    }
    let mut parts = rest.split(':');
    let counts = parts.next().unwrap_or_default();
    let counts = words::parse_counts(counts).ok_or_else(|| {
        format!("\"{counts}\" is nothing to count (repetition, repetition-ahead, king-moves, no-promotion, material, balance)")
    })?;
    let limit = parts.next().unwrap_or_default();
    let limit = limit
        .parse()
        .ok()
        .filter(|n| *n <= MAX_LIMIT)
        .ok_or_else(|| format!("\"{limit}\" is no limit (0 to {MAX_LIMIT})"))?;
    let mut clause = Clause {
        id: Cow::Owned(id.to_string()),
        counts,
        within: Cow::Borrowed(&[]),
        except: None,
        unless_won: false,
        limit,
        of: Of::Each,
        mode: Mode::Automatic,
        status: crate::source::Status::OurReading,
        source: Cow::Borrowed("rule file"),
    };
    while let Some(part) = parts.next() {
        match part {
            "strong" => clause.of = Of::Strong,
            "weak" => clause.of = Of::Weak,
            "claim" => clause.mode = Mode::Claim,
            "unless-won" => clause.unless_won = true,
            "only" => {
                let list = parts.next().unwrap_or_default();
                let materials = list.split('/').map(parse_material).collect::<Result<Vec<_>, _>>()?;
                if materials.len() > MAX_MATERIALS {
                    return Err(format!("\"{id}\" names more than {MAX_MATERIALS} materials"));
                }
                clause.within = Cow::Owned(materials);
            }
            "not" => clause.except = Some(parse_material(parts.next().unwrap_or_default())?),
            other => {
                return Err(format!(
                    "\"{other}\" is not understood (strong, weak, claim, only, not, unless-won)"
                ));
            }
        }
    }
    if clause.limit == 0 && (clause.is_repetition() || clause.within.is_empty()) {
        return Err(format!(
            "the limit of \"{id}\" is 0: only a clause for a material (only:…) may draw at once"
        ));
    }
    if clause.limit < 2 && clause.is_repetition() {
        return Err(format!("the limit of \"{id}\" must be at least 2 occurrences"));
    }
    Ok(clause)
}

fn parse_range(text: &str) -> Option<(u8, u8)> {
    match text.split_once("..") {
        None => text.parse().ok().map(|n| (n, n)),
        Some((low, "")) => Some((low.parse().ok()?, u8::MAX)),
        Some((low, high)) => Some((low.parse().ok()?, high.parse().ok()?)),
    }
}

fn parse_force(text: &str) -> Option<Force> {
    let mut force = Force::ANY;
    if text == "any" {
        return Some(force);
    }
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let range = parse_range(&rest[..end])?;
        match &rest[end..=end] {
            "k" => force.kings = range,
            "m" => force.men = range,
            "p" => force.total = range,
            _ => return None,
        }
        rest = &rest[end + 1..];
    }
    Some(force)
}

fn parse_material(text: &str) -> Result<Material, String> {
    let wrong = || {
        format!("\"{text}\" is no material (such as 3k0m-1k0m@strong: kings, men and pieces of each side)")
    };
    let (rest, diagonal) = match text.split_once('@') {
        None => (text, Diagonal::Free),
        Some((rest, "strong")) => (rest, Diagonal::Strong),
        Some((rest, "weak")) => (rest, Diagonal::Weak),
        Some(_) => return Err(wrong()),
    };
    let (rest, all) = match rest.split_once('&') {
        None => (rest, FREE),
        Some((rest, all)) => (rest, parse_range(all).ok_or_else(wrong)?),
    };
    let (strong, weak) = rest.split_once('-').ok_or_else(wrong)?;
    Ok(Material {
        strong: parse_force(strong).ok_or_else(wrong)?,
        weak: parse_force(weak).ok_or_else(wrong)?,
        all,
        diagonal,
    })
}

/// The words of rule files, overrides and JSON for each value.
pub mod words {
    use super::*;

    macro_rules! words {
        ($($(#[$doc:meta])* $name:ident, $parse:ident: $type:ty { $($value:path => $word:literal),* $(,)? })*) => {$(
            $(#[$doc])*
            pub const fn $name(value: $type) -> &'static str {
                match value { $($value => $word),* }
            }
            /// Reads the word back.
            pub fn $parse(word: &str) -> Option<$type> {
                match word { $($word => Some($value),)* _ => None }
            }
        )*};
    }
    words! {
        /// Returns the word for a board.
        board, parse_board: Shape {
            Shape::Diagonal8 => "8x8", Shape::Diagonal10 => "10x10", Shape::Diagonal12 => "12x12", Shape::Orthogonal8 => "8x8-orthogonal",
        }
        /// Returns the word for the names of squares.
        naming, parse_naming: Naming {
            Naming::NumbersFromTop => "numbers_from_top", Naming::NumbersFromBottom => "numbers_from_bottom", Naming::Letters => "letters",
        }
        /// Returns the word for a side.
        side, parse_side: Side { Side::White => "white", Side::Black => "black" }
        /// Returns the word for the duty to capture.
        obligation, parse_obligation: Obligation { Obligation::Obligatory => "obligatory", Obligation::Optional => "optional" }
        /// Returns the word for the directions in which men capture.
        men_capture, parse_men_capture: MenCapture { MenCapture::Forward => "forward", MenCapture::Everywhere => "everywhere" }
        /// Returns the word for the lines of capture.
        lines, parse_lines: CaptureLines { CaptureLines::AsMoving => "as_moving", CaptureLines::Eight => "eight" }
        /// Returns the word for a king's range.
        king, parse_king: KingRange { KingRange::Short => "short", KingRange::Flying => "flying" }
        /// Returns the word for a king's landing.
        landing, parse_landing: Landing {
            Landing::Anywhere => "anywhere", Landing::Behind => "behind", Landing::BehindLastKing => "behind_last_king",
        }
        /// Returns the word for a step of the ladder.
        criterion, parse_criterion: Criterion {
            Criterion::Number => "number", Criterion::WithKing => "with_king", Criterion::MostKings => "most_kings",
            Criterion::KingsFirst => "kings_first", Criterion::Value => "value",
        }
        /// Returns the word for promotion in mid-capture.
        promotion, parse_promotion: Promotion {
            Promotion::Stops => "stops", Promotion::AtEnd => "at_end", Promotion::AtOnce => "at_once",
        }
        /// Returns the word for the removal of captured pieces.
        removal, parse_removal: Removal { Removal::AtEnd => "at_end", Removal::AtOnce => "at_once" }
        /// Returns the word for the goal.
        goal, parse_goal: Goal { Goal::Normal => "normal", Goal::Losing => "losing", Goal::FirstKing => "first_king" }
        /// Returns the word for whose moves are counted.
        of, parse_of: Of { Of::Each => "each", Of::Strong => "strong", Of::Weak => "weak" }
        /// Returns the word for what a full count means.
        mode, parse_mode: Mode { Mode::Automatic => "automatic", Mode::Claim => "claim" }
    }

    /// Returns the word for what a clause counts.
    pub const fn counts(value: Counts) -> &'static str {
        match value {
            Counts::Repetition { ahead: false } => "repetition",
            Counts::Repetition { ahead: true } => "repetition-ahead",
            Counts::KingMoves => "king-moves",
            Counts::NoCaptureNoPromotion => "no-promotion",
            Counts::Material => "material",
            Counts::Balance => "balance",
        }
    }
    /// Reads the word back.
    pub fn parse_counts(word: &str) -> Option<Counts> {
        Some(match word {
            "repetition" => Counts::Repetition { ahead: false },
            "repetition-ahead" => Counts::Repetition { ahead: true },
            "king-moves" => Counts::KingMoves,
            "no-promotion" => Counts::NoCaptureNoPromotion,
            "material" => Counts::Material,
            "balance" => Counts::Balance,
            _ => return None,
        })
    }
}
