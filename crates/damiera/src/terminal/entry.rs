//! What is typed: which moves it may become, and what it means when it is entered.

use damiera_rules::explain::explain;
use damiera_rules::notation::{self, MoveError};
use damiera_rules::walk::paths;
use damiera_rules::{Game, Move, Naming, RuleSet};
use damiera_words::{Lang, t};

use super::command::Command;
use crate::say;

/// How many ways of one move are offered for completion.
const MOST_WAYS: usize = 32;

/// What an entered text means.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Entered {
    /// Nothing was typed.
    Nothing,
    /// A command.
    Command(Command),
    /// A legal move.
    Move(Move),
    /// Neither: why, and the moves that are legal instead.
    Refused(Refused),
}

/// Why a text was not played.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Refused {
    /// The reason in words.
    pub(super) text: String,
    /// The captures (or, for an ambiguous text, the moves) that may be played instead.
    pub(super) better: Vec<Move>,
}

/// Reads an entered text.
pub(super) fn read(lang: Lang, game: &Game, text: &str) -> Entered {
    if text.trim().is_empty() {
        return Entered::Nothing;
    }
    if let Some(command) = Command::parse(lang, text) {
        return Entered::Command(command);
    }
    let rules = game.rules();
    let squares = match squares_of(rules, text) {
        Ok(squares) => squares,
        Err(text) => {
            let text = t(lang, "tui.unreadable", &[("text", &text)]);
            return Entered::Refused(Refused { text, better: Vec::new() });
        }
    };
    if squares.len() > 1
        && let Ok(m) = notation::parse(rules, game.position(), text)
    {
        return Entered::Move(m);
    }
    let explanation = explain(rules, game.position(), &squares);
    Entered::Refused(Refused { text: say::why(lang, rules, &explanation.reason), better: explanation.better })
}

/// Reads the squares of a text, one alone too; the error is the text as far as it is worth repeating.
fn squares_of(rules: &RuleSet, text: &str) -> Result<Vec<u8>, String> {
    if let Some(bit) = rules.board().square(text) {
        return Ok(vec![bit]);
    }
    notation::parse_squares(rules, text).map_err(|error| match error {
        MoveError::Unreadable { .. } | MoveError::Illegal { .. } | MoveError::Ambiguous { .. } => {
            text.trim().chars().take(30).map(|c| if c.is_control() { '?' } else { c }).collect()
        }
    })
}

/// Returns the squares that a text names so far; none when something else is typed.
pub(super) fn touched(rules: &RuleSet, text: &str) -> Vec<u8> {
    squares_of(rules, text.trim_end_matches(is_sign)).unwrap_or_default()
}

/// A move that a text may become.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    /// The move.
    pub(super) m: Move,
    /// Its text, short or with every square where that is what is being typed.
    pub(super) text: String,
}

/// Returns the legal moves that a text may become, each once.
pub(super) fn candidates(game: &Game, text: &str) -> Vec<Candidate> {
    let (rules, position) = (game.rules(), game.position());
    let legal = game.legal_moves();
    let letters = rules.board().naming == Naming::Letters;
    let typed = normal(text, letters);
    let fits = |candidate: &str| {
        let candidate = normal(candidate, letters);
        candidate.starts_with(&typed)
    };
    let candidate = |m: &Move| {
        let short = notation::format(rules, position, &legal, m);
        if fits(&short) {
            return Some(Candidate { m: *m, text: short });
        }
        paths(rules.shape(), rules.movement(), position, m, MOST_WAYS)
            .iter()
            .map(|path| notation::path_text(rules, &path.squares(), m.is_capture()))
            .find(|text| fits(text))
            .map(|text| Candidate { m: *m, text })
    };
    legal.iter().filter_map(candidate).collect()
}

/// Returns a text in the form in which texts are compared: one sign for all, and none between letters.
fn normal(text: &str, letters: bool) -> String {
    let mut out = String::new();
    for c in text.trim_start().to_lowercase().chars() {
        match is_sign(c) {
            false => out.push(c),
            true if letters || out.ends_with('-') => {}
            true => out.push('-'),
        }
    }
    out
}

fn is_sign(c: char) -> bool {
    matches!(c, '-' | 'x' | 'X' | '×' | ':' | '–') || c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use damiera_rules::fen;

    use super::*;

    fn game(rules: &str, position: Option<&str>) -> Game {
        let rules = RuleSet::parse(rules).unwrap();
        let start = position.map_or_else(|| rules.initial(), |text| fen::parse(&rules, text).unwrap());
        Game::new(Arc::new(rules), start)
    }

    fn texts(game: &Game, typed: &str) -> Vec<String> {
        let mut texts: Vec<String> = candidates(game, typed).into_iter().map(|c| c.text).collect();
        texts.sort();
        texts
    }

    #[test]
    fn typing_narrows_the_moves() {
        let italian = game("italian", None);
        assert_eq!(texts(&italian, "").len(), 7);
        assert_eq!(texts(&italian, "24"), ["24-20"]);
        assert_eq!(texts(&italian, "22-1"), ["22-18", "22-19"]);
        assert_eq!(texts(&italian, "22x18"), ["22-18"]);
        assert!(texts(&italian, "zz").is_empty());
        let russian = game("russian", None);
        assert_eq!(texts(&russian, "c3"), ["c3-b4", "c3-d4"]);
        assert_eq!(texts(&russian, "c3d"), ["c3-d4"]);
    }

    #[test]
    fn a_path_completes_as_a_path() {
        let italian = game("italian", Some("W:W21,K22,K31:B11,18"));
        assert_eq!(texts(&italian, "21"), ["21x7"]);
        assert_eq!(texts(&italian, "21x14"), ["21x14x7"]);
        assert!(matches!(read(Lang::En, &italian, "21 14 7"), Entered::Move(_)));
    }

    #[test]
    fn what_is_not_played_is_explained() {
        let italian = game("italian", Some("W:W21,K22,K31:B11,18"));
        let Entered::Refused(refused) = read(Lang::En, &italian, "22x13") else { panic!("it is illegal") };
        assert!(refused.text.contains('2'), "{}", refused.text);
        assert_eq!(refused.better.len(), 1);
        assert!(matches!(read(Lang::It, &italian, "aiuto"), Entered::Command(Command::Help)));
        for garbage in ["", " ", "99-1", "22-", "xyz", "\u{7}", "22x13x\u{301}", "1000000000000-2"] {
            assert!(!matches!(read(Lang::En, &italian, garbage), Entered::Move(_)), "{garbage:?}");
        }
    }
}
