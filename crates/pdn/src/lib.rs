//! Games as PDN 3.0 text: the writer. It opens nothing and knows no clock.
//!
//! ```
//! use std::sync::Arc;
//! use damiera_pdn::{Record, Verdict};
//! use damiera_rules::{Game, RuleSet, notation};
//!
//! let rules = Arc::new(RuleSet::known("italian").expect("a known key"));
//! let mut game = Game::new(Arc::clone(&rules), rules.initial());
//! for text in ["22-18", "10-14"] {
//!     let m = notation::parse(&rules, game.position(), text).expect("legal");
//!     game.play(&m).expect("legal");
//! }
//! let record = Record {
//!     tags: &[("Event", "Prova")],
//!     more_tags: &[],
//!     game: &game,
//!     verdict: Verdict::Open,
//!     comment: "",
//! };
//! assert_eq!(
//!     record.to_string(),
//!     "[Event \"Prova\"]\n[Result \"*\"]\n[GameType \"22,W,8,8,N2,1\"]\n\n1. 22-18 10-14 *\n\n"
//! );
//! ```
#![forbid(unsafe_code)]

use std::fmt;

use damiera_rules::presets::KEYS;
use damiera_rules::{Game, RuleSet, Side, fen, notation};

/// The longest line of moves and comments, in characters.
const LINE: usize = 80;

/// How a game ended, for its Result tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// This side won.
    Won(Side),
    /// Nobody won.
    Drawn,
    /// It is not over, or nobody knows.
    Open,
}

impl Verdict {
    /// Returns the text of the Result tag: White's points first, two for a win on boards of ten rows and more, as played there.
    pub fn text(self, rules: &RuleSet) -> &'static str {
        match (self, rules.shape().size() >= 10) {
            (Verdict::Won(Side::White), true) => "2-0",
            (Verdict::Won(Side::Black), true) => "0-2",
            (Verdict::Drawn, true) => "1-1",
            (Verdict::Won(Side::White), false) => "1-0",
            (Verdict::Won(Side::Black), false) => "0-1",
            (Verdict::Drawn, false) => "1/2-1/2",
            (Verdict::Open, _) => "*",
        }
    }
    /// Reads the text of a Result tag, of either kind.
    pub fn parse(text: &str) -> Option<Verdict> {
        match text {
            "2-0" | "1-0" => Some(Verdict::Won(Side::White)),
            "0-2" | "0-1" => Some(Verdict::Won(Side::Black)),
            "1-1" | "1/2-1/2" => Some(Verdict::Drawn),
            "*" => Some(Verdict::Open),
            _ => None,
        }
    }
}

/// A game to be written; its text is its `Display`. Result, GameType, Rules (where the GameType alone is not exact) and FEN (where the game does not begin at
/// the start) stand between the given tags by themselves.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The first tags, in their order.
    pub tags: &'a [(&'a str, &'a str)],
    /// The last tags, in their order.
    pub more_tags: &'a [(&'a str, &'a str)],
    /// The game.
    pub game: &'a Game,
    /// How it ended, which the board need not show.
    pub verdict: Verdict,
    /// What is said after the last move; empty for nothing.
    pub comment: &'a str,
}

impl fmt::Display for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.game.rules();
        for (name, value) in self.tags {
            tag(f, name, value)?;
        }
        tag(f, "Result", self.verdict.text(rules))?;
        if let Some(game_type) = rules.game_type() {
            tag(f, "GameType", game_type)?;
        }
        if !game_type_is_exact(rules) {
            tag(f, "Rules", rules.canonical())?;
        }
        let start = self.game.positions()[0];
        if start != rules.initial() {
            tag(f, "FEN", &fen::format(rules, &start))?;
        }
        for (name, value) in self.more_tags {
            tag(f, name, value)?;
        }
        f.write_str("\n")?;
        write_wrapped(f, self.words())?;
        f.write_str("\n\n")
    }
}

impl Record<'_> {
    /// Returns the numbered moves, the comment and the end mark, in pieces that must not be broken.
    fn words(&self) -> Vec<String> {
        let rules = self.game.rules();
        let positions = self.game.positions();
        let mut words = Vec::new();
        let mut number = 1;
        for (i, (m, position)) in self.game.moves().iter().zip(positions).enumerate() {
            let is_first = position.side() == rules.first();
            if is_first {
                words.push(format!("{number}."));
            } else if i == 0 {
                words.push(format!("{number}. ..."));
            }
            words.push(notation::format(rules, position, &rules.moves(position), m));
            number += usize::from(!is_first);
        }
        if !self.comment.is_empty() {
            // A comment ends at the first closing brace.
            let comment = format!("{{{}}}", self.comment.replace('{', "(").replace('}', ")"));
            words.extend(comment.split_whitespace().map(str::to_owned));
        }
        words.push("*".to_owned());
        words
    }
}

/// Returns whether the GameType tag says everything: the rules are the first known ones of that type.
fn game_type_is_exact(rules: &RuleSet) -> bool {
    let Some(game_type) = rules.game_type() else { return false };
    let mut known = KEYS.iter().filter_map(|key| RuleSet::known(key));
    known.find(|other| other.game_type() == Some(game_type)).is_some_and(|first| first == *rules)
}

fn tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    f.write_str(&tag_line(name, value))
}

/// Returns a tag as a [`Record`] writes it, with the end of its line.
pub fn tag_line(name: &str, value: &str) -> String {
    let one_line = value.replace(char::is_control, " ");
    format!("[{name} \"{}\"]\n", one_line.replace('\\', "\\\\").replace('"', "\\\""))
}

fn write_wrapped(f: &mut fmt::Formatter<'_>, words: Vec<String>) -> fmt::Result {
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        let gap = match column {
            0 => "",
            _ if column + 1 + width > LINE => "\n",
            _ => " ",
        };
        column = if gap == " " { column + 1 + width } else { width };
        write!(f, "{gap}{word}")?;
    }
    Ok(())
}
