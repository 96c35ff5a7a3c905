//! Opening ballots: the openings that tournaments draw by lot, so that games do not begin alike.

use std::sync::Arc;

use damiera_rules::{Bits, Game, Position, RuleSet, notation};

use crate::Random;

/// The lists: rule set, name of the list, text.
const LISTS: [(&str, &str, &str); 5] = [
    ("american", "2-move", include_str!("../ballots/american-2-move.txt")),
    ("american", "3-move", include_str!("../ballots/american-3-move.txt")),
    ("american", "11-man", include_str!("../ballots/american-11-man.txt")),
    ("italian", "2-move", include_str!("../ballots/italian-2-move.txt")),
    ("italian", "3-move", include_str!("../ballots/italian-3-move.txt")),
];

/// A list of ballots for one rule set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ballots {
    /// Its name: `2-move`, `3-move` or `11-man`.
    pub name: &'static str,
    /// The ballots in their usual order.
    pub list: Vec<Ballot>,
}

/// An opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ballot {
    /// Its number in the list.
    pub number: u16,
    /// Whether tournaments leave it out because it is too good for one side.
    pub barred: bool,
    /// The squares of the men that are taken off the board before the first move.
    pub removed: Vec<&'static str>,
    /// The moves.
    pub moves: Vec<&'static str>,
}

impl Ballots {
    /// Returns the lists for a rule set; none for most. A list is for the game as tournaments play it: other draws do not matter,
    /// another start or other captures do.
    pub fn of(rules: &RuleSet) -> Vec<Ballots> {
        if !plays_as_known(rules) {
            return Vec::new();
        }
        let for_rules = LISTS.iter().filter(|(key, _, _)| *key == rules.key());
        for_rules
            .map(|(_, name, text)| Ballots { name, list: text.lines().filter_map(Ballot::read).collect() })
            .collect()
    }
    /// Returns the list of this name for a rule set.
    pub fn named(rules: &RuleSet, name: &str) -> Option<Ballots> {
        Ballots::of(rules).into_iter().find(|ballots| ballots.name == name)
    }
    /// Returns the ballot with this number.
    pub fn number(&self, number: u16) -> Option<&Ballot> {
        self.list.iter().find(|ballot| ballot.number == number)
    }
    /// Returns the ballots that may be drawn.
    pub fn admitted(&self) -> impl Iterator<Item = &Ballot> {
        self.list.iter().filter(|ballot| !ballot.barred)
    }
    /// Draws a ballot by lot, never a barred one.
    pub fn draw(&self, random: &mut Random) -> Option<&Ballot> {
        let admitted: Vec<&Ballot> = self.admitted().collect();
        admitted.get(random.below(admitted.len())).copied()
    }
}

/// Returns whether a rule set begins and moves like the known one of its key.
fn plays_as_known(rules: &RuleSet) -> bool {
    RuleSet::known(rules.key()).is_some_and(|known| {
        (known.board(), known.start(), known.first(), known.movement(), known.goal())
            == (rules.board(), rules.start(), rules.first(), rules.movement(), rules.goal())
    })
}

impl Ballot {
    /// Reads a line of a list: `3! -11 -28 8-11 24-19`; `!` bars, `-11` takes a man off. Other lines are comments.
    fn read(line: &'static str) -> Option<Ballot> {
        let mut words = line.split_whitespace();
        let number = words.next()?;
        let barred = number.ends_with('!');
        let number = number.trim_end_matches('!').parse().ok()?;
        let (removed, moves): (Vec<_>, Vec<_>) = words.partition(|word| word.starts_with('-'));
        let removed = removed.into_iter().map(|word| word.trim_start_matches('-')).collect();
        Some(Ballot { number, barred, removed, moves })
    }
    /// Returns the position before the first move.
    pub fn start(&self, rules: &RuleSet) -> Option<Position> {
        let start = rules.initial();
        let squares = self.removed.iter().map(|name| rules.board().square(name).map(u128::bit));
        let gone = squares.collect::<Option<Vec<_>>>()?.into_iter().fold(0, |set, bit| set | bit);
        Some(Position::from_sets(start.white() & !gone, start.black() & !gone, 0, start.side()))
    }
    /// Returns a game in which the moves have been played; `None` under rules that do not allow them.
    pub fn game(&self, rules: &Arc<RuleSet>) -> Option<Game> {
        let mut game = Game::new(Arc::clone(rules), self.start(rules)?);
        for text in &self.moves {
            let m = notation::parse(rules, game.position(), text).ok()?;
            game.play(&m).ok()?;
        }
        Some(game)
    }
}
