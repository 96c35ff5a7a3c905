//! Under which rules a game was played: what its tags say, else what its squares allow and its moves show.

use std::collections::HashMap;
use std::sync::Arc;

use damiera_rules::presets::KEYS;
use damiera_rules::{Board, Naming, RuleSet, Side};

use crate::movetext::Written;
use crate::raw::{Kind, RawGame};

/// What the rules of a game are known from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Basis {
    /// The caller has said so.
    Told,
    /// The Rules tag.
    Rules,
    /// The GameType tag.
    GameType,
    /// The Variant tag, or the event's name as game servers write it.
    Variant,
    /// Nothing says so: the game's moves are legal under these rules, or more of them than under any other.
    Moves,
}

impl Basis {
    /// Returns the word for it, as JSON has it.
    pub const fn text(self) -> &'static str {
        match self {
            Basis::Told => "told",
            Basis::Rules => "rules",
            Basis::GameType => "game-type",
            Basis::Variant => "variant",
            Basis::Moves => "moves",
        }
    }
}

/// How the squares in a file lie on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// As the rule set names them.
    AsIs,
    /// Turned round by half a turn.
    Around,
    /// Mirrored from left to right.
    Sideways,
    /// Both.
    Both,
}

/// A way to read the moves of a game: the rules, who begins, how the squares lie.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Stance {
    pub(crate) rules: Arc<RuleSet>,
    pub(crate) turn: Turn,
    /// The names of the squares.
    pub(crate) names: Naming,
}

impl Stance {
    /// Returns the plain way to read games of a rule set.
    pub(crate) fn plain(rules: Arc<RuleSet>) -> Stance {
        let names = rules.board().naming;
        Stance { rules, turn: Turn::AsIs, names }
    }
    /// Returns the board with the names that are used.
    pub(crate) fn board(&self) -> Board {
        Board { naming: self.names, ..*self.rules.board() }
    }
}

/// The rule sets by name, made once each.
#[derive(Debug, Default)]
pub(crate) struct Library {
    sets: HashMap<String, Option<Arc<RuleSet>>>,
}

/// How many names of rule sets are remembered, and how long they may be; files may make up as many as they like.
const NAMES: usize = 256;

impl Library {
    pub(crate) fn get(&mut self, name: &str) -> Option<Arc<RuleSet>> {
        if let Some(rules) = self.sets.get(name) {
            return rules.clone();
        }
        let rules = RuleSet::parse(name).ok().map(Arc::new);
        if self.sets.len() < NAMES && name.len() < NAMES {
            self.sets.insert(name.to_owned(), rules.clone());
        }
        rules
    }
    /// Returns some rule set.
    pub(crate) fn any(&mut self) -> Arc<RuleSet> {
        KEYS.iter().find_map(|key| self.get(key)).expect("the keys are those of known rule sets")
    }
    /// Returns the same rules with the other side to begin.
    pub(crate) fn other_first(&mut self, rules: &RuleSet) -> Option<Arc<RuleSet>> {
        let first = if rules.first() == Side::White { "black" } else { "white" };
        self.get(&format!("{},first={first}", rules.canonical()))
    }
    /// Returns the same rules with other names for the squares, to read a FEN that is written so.
    pub(crate) fn named(&mut self, rules: &RuleSet, names: Naming) -> Option<Arc<RuleSet>> {
        let names = damiera_rules::ruleset::words::naming(names);
        self.get(&format!("{},names={names}", rules.canonical()))
    }
}

/// Returns the rule set of a GameType's number: those of the PDN table, and those that lidraughts has added.
pub(crate) fn key_of_game_type(number: u32) -> Option<&'static str> {
    Some(match number {
        20 => "international",
        21 => "american",
        22 => "italian",
        23 => "pool",
        24 => "spanish",
        25 => "russian",
        26 => "brazilian",
        27 => "canadian",
        28 => "portuguese",
        29 => "czech",
        30 => "turkish",
        31 => "thai",
        40 | 97 => "frisian",
        96 => "breakthrough",
        98 => "antidraughts",
        _ => return None,
    })
}

/// Returns the rule set that a game server's variant or event speaks of.
pub(crate) fn key_of_variant(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    // The longer names first: "American pool" is no American game.
    const NAMES: [(&str, &str); 20] = [
        ("breakthrough", "breakthrough"),
        ("antidraughts", "antidraughts"),
        ("anti-draughts", "antidraughts"),
        ("frisian", "frisian"),
        ("frysk", "frisian"),
        ("poddavki", "poddavki"),
        ("killer", "killer"),
        ("pool", "pool"),
        ("russian", "russian"),
        ("brazilian", "brazilian"),
        ("italian", "italian"),
        ("spanish", "spanish"),
        ("portuguese", "portuguese"),
        ("czech", "czech"),
        ("turkish", "turkish"),
        ("thai", "thai"),
        ("canadian", "canadian"),
        ("american", "american"),
        ("english", "american"),
        ("international", "international"),
    ];
    NAMES.iter().find(|(name, _)| text.contains(name)).map(|(_, key)| *key)
}

/// Returns the rule sets under which a game's squares exist, the likelier first.
pub(crate) fn candidates(game: &RawGame, fen: Option<&str>) -> Vec<&'static str> {
    let mut greatest = fen.map_or(0, greatest_number);
    let mut letters = false;
    let (mut greatest_row, mut any_light) = (0, false);
    for token in &game.tokens {
        if let Kind::Move(ends) = token.kind {
            for square in [ends.from, ends.to] {
                greatest = greatest.max(square.as_number().unwrap_or(0));
                if let Some((column, row)) = square.column_row() {
                    letters = true;
                    greatest_row = greatest_row.max(row).max(column);
                    any_light |= (column + row) % 2 == 1;
                }
            }
            letters |= game.text(token).first().is_some_and(u8::is_ascii_alphabetic);
        }
    }
    const LETTERS: [&str; 6] = ["russian", "brazilian", "czech", "american", "pool", "international"];
    const LIGHT: [&str; 4] = ["italian", "spanish", "portuguese", "turkish"];
    const LARGE: [&str; 3] = ["international", "frisian", "canadian"];
    const SMALL: [&str; 11] = [
        "american",
        "italian",
        "international",
        "spanish",
        "portuguese",
        "pool",
        "russian",
        "brazilian",
        "czech",
        "thai",
        "frisian",
    ];
    const BIG: [&str; 2] = ["international", "frisian"];
    const HUGE: [&str; 2] = ["canadian", "turkish"];
    // One slip must not make a game that of a larger board: the smaller ones come behind those that have all its squares.
    let smaller: &[&[&str]] = match (fen, letters, greatest) {
        (Some(_), ..) | (_, true, _) | (_, _, 0..=32) => &[],
        (_, _, 33..=50) => &[&SMALL],
        _ => &[&BIG, &SMALL],
    };
    let fitting: &[&str] = match (letters, greatest) {
        (true, _) if greatest_row > 7 => &LARGE,
        (true, _) if any_light => &LIGHT,
        (true, _) => &LETTERS,
        (false, 0..=32) => &SMALL,
        (false, 33..=50) => &BIG,
        (false, _) => &HUGE,
    };
    fitting.iter().chain(smaller.iter().copied().flatten()).copied().collect()
}

/// Returns the greatest number of one or two digits in a text.
fn greatest_number(text: &str) -> u32 {
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.filter(|n| n.len() < 3).filter_map(|n| n.parse().ok()).max().unwrap_or(0)
}

/// The squares of a file on a rule set's board.
#[derive(Clone, Debug)]
pub(crate) struct View {
    squares: [u8; Written::CODES],
}

/// What stands for a square that the board does not have.
pub(crate) const NO_SQUARE: u8 = u8::MAX;

impl View {
    pub(crate) fn new(board: &Board, turn: Turn) -> View {
        let (size, count, row_len) =
            (board.shape.size(), u32::from(board.shape.squares()), board.shape.row_len());
        let mut squares = [NO_SQUARE; Written::CODES];
        for (code, square) in squares.iter_mut().enumerate() {
            let written = Written(code as u16);
            let bit = if let Some((column, row)) = written.column_row() {
                let (column, row) = match turn {
                    _ if column >= size || row >= size => continue,
                    Turn::AsIs => (column, row),
                    Turn::Around => (size - 1 - column, size - 1 - row),
                    Turn::Sideways => (size - 1 - column, row),
                    Turn::Both => (column, size - 1 - row),
                };
                board.at(size - 1 - row, column)
            } else {
                let Some(number) = written.as_number().filter(|n| *n <= count) else { continue };
                let (row, place) = ((number - 1) / u32::from(row_len), (number - 1) % u32::from(row_len));
                let (last_row, last_place) = (count / u32::from(row_len) - 1, u32::from(row_len) - 1);
                let (row, place) = match turn {
                    Turn::AsIs => (row, place),
                    Turn::Around => (last_row - row, last_place - place),
                    Turn::Sideways => (row, last_place - place),
                    Turn::Both => (last_row - row, place),
                };
                let number = row * u32::from(row_len) + place + 1;
                match board.naming {
                    Naming::NumbersFromBottom => board.from_number_from_top(count + 1 - number),
                    _ => board.from_number_from_top(number),
                }
            };
            *square = bit.unwrap_or(NO_SQUARE);
        }
        View { squares }
    }
    #[inline]
    pub(crate) fn square(&self, written: Written) -> u8 {
        self.squares[written.0 as usize % Written::CODES]
    }
}
