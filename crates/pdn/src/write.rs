//! The writer: PDN 3.0 by the rules that the specification has for writers, so that what is written is read back as the same tree.
//!
//! Captures are short where that is unambiguous, otherwise with every landing; lines are wrapped; the star alone ends a game.

use std::fmt::{self, Write};
use std::sync::OnceLock;

use damiera_rules::presets::KEYS;
use damiera_rules::{Naming, RuleSet, fen, notation};

use crate::tags::FIRST;
use crate::tree::{GameTree, NodeId, Remarks, Step};

/// The longest line of moves and comments, in characters.
const LINE: usize = 80;

/// How a game is to be written, where there is a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// The names of the squares; without it, and for rules that have no GameType to say it, the rule set's own.
    pub names: Option<Naming>,
    /// Write every capture with all its landings.
    pub full: bool,
}

/// A tree to be written; its text is its `Display`.
#[derive(Clone, Debug)]
pub struct Pdn<'a> {
    tree: &'a GameTree,
    /// The rules with the names that are written.
    named: RuleSet,
    style: Style,
}

impl GameTree {
    /// Returns the game as PDN 3.0.
    pub fn pdn(&self, style: Style) -> Pdn<'_> {
        let rules = self.rules();
        // Without a GameType nothing would say what the names are.
        let can_say = rules.game_type().is_some();
        let renamed =
            style.names.filter(|names| can_say && *names != rules.board().naming).and_then(|names| {
                let word = damiera_rules::ruleset::words::naming(names);
                RuleSet::parse(&format!("{},names={word}", rules.canonical())).ok()
            });
        Pdn { tree: self, named: renamed.unwrap_or_else(|| (**rules).clone()), style }
    }
}

impl fmt::Display for Pdn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tree, rules) = (self.tree, self.tree.rules());
        let is_first = |name: &str| FIRST.contains(&name);
        for (name, value) in tree.tags.iter().filter(|(name, _)| is_first(name)) {
            f.write_str(&tag_line(name, value))?;
        }
        f.write_str(&tag_line("Result", tree.verdict.text(rules)))?;
        if let Some(game_type) = rules.game_type() {
            f.write_str(&tag_line(
                "GameType",
                &game_type_named(game_type, rules, self.named.board().naming),
            ))?;
        }
        if !game_type_is_exact(rules) {
            f.write_str(&tag_line("Rules", rules.canonical()))?;
        }
        if *tree.start() != rules.initial() {
            f.write_str(&tag_line("FEN", &fen::format(&self.named, tree.start())))?;
        }
        for (name, value) in tree.tags.iter().filter(|(name, _)| !is_first(name)) {
            f.write_str(&tag_line(name, value))?;
        }
        f.write_str("\n")?;
        let mut lines = Lines { out: f, column: 0, opens: false };
        self.write_moves(&mut lines)?;
        lines.word("*")?;
        f.write_str("\n\n")
    }
}

/// What is still to be written, last first.
enum Task {
    /// How the line goes on behind a node; the ply there, and whether its next move needs a number.
    GoOn(NodeId, u32, bool),
    /// A move beside the one that was played.
    Variation(NodeId, u32),
    /// The end of a variation.
    Close,
}

impl Pdn<'_> {
    /// Writes the tree without recursion: variations may be nested as deep as a file likes.
    fn write_moves<W: Write>(&self, lines: &mut Lines<'_, W>) -> fmt::Result {
        self.write_remarks(lines, self.tree.remarks(0))?;
        let mut tasks = vec![Task::GoOn(0, 0, true)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => lines.close()?,
                Task::Variation(node, ply) => {
                    lines.open();
                    let ply = self.write_step(lines, node, ply, true)?;
                    tasks.push(Task::Close);
                    tasks.push(Task::GoOn(node, ply, !self.tree.remarks(node).is_empty()));
                }
                Task::GoOn(node, ply, needs_number) => {
                    let mut children = self.tree.children(node);
                    let Some(played) = self.tree.played(node) else {
                        let others: Vec<NodeId> = children.collect();
                        tasks.extend(others.into_iter().rev().map(|other| Task::Variation(other, ply)));
                        continue;
                    };
                    children.next();
                    let after = self.write_step(lines, played, ply, needs_number)?;
                    let others: Vec<NodeId> = children.collect();
                    let says = !others.is_empty() || !self.tree.remarks(played).is_empty();
                    tasks.push(Task::GoOn(played, after, says));
                    tasks.extend(others.into_iter().rev().map(|other| Task::Variation(other, ply)));
                }
            }
        }
        Ok(())
    }

    /// Writes a step that follows on `ply` plies, and what is said about it. Returns the plies after it.
    fn write_step<W: Write>(
        &self,
        lines: &mut Lines<'_, W>,
        id: NodeId,
        ply: u32,
        needs_number: bool,
    ) -> Result<u32, fmt::Error> {
        let node = self.tree.node(id);
        let parent = node.parent().unwrap_or(0);
        let before = self.tree.node(parent).position();
        let remarks = self.tree.remarks(id);
        let after = match node.step() {
            Step::Begin => ply,
            Step::Setup => {
                lines.word(&format!("/FEN \"{}\"/", fen::format(&self.named, node.position())))?;
                ply + u32::from(before.side() != node.position().side())
            }
            Step::Move(m) => {
                let late = u32::from(self.tree.start().side() != self.tree.rules().first());
                let number = (ply + late) / 2 + self.tree.first_number;
                let is_first = (ply + late).is_multiple_of(2);
                if is_first {
                    lines.word(&format!("{number}."))?;
                } else if ply == 0 {
                    lines.word(&format!("{number}. ..."))?;
                } else if needs_number {
                    lines.word(&format!("{number}..."))?;
                }
                let full = notation::full(&self.named, before, &m);
                let is_clear = || {
                    let squares = notation::parse_squares(&self.named, &full);
                    squares.and_then(|squares| notation::find(&self.named, before, &squares)) == Ok(m)
                };
                let text = if self.style.full && m.is_capture() && is_clear() {
                    full
                } else {
                    notation::format(&self.named, before, &self.named.moves(before), &m)
                };
                let text =
                    text.replace(self.named.capture_sign(), &capture_mark(self.tree.rules()).to_string());
                lines.word(&format!("{text}{}", remarks.strength))?;
                ply + 1
            }
        };
        self.write_remarks(lines, remarks)?;
        Ok(after)
    }

    fn write_remarks<W: Write>(&self, lines: &mut Lines<'_, W>, remarks: &Remarks) -> fmt::Result {
        for nag in &remarks.nags {
            lines.word(&format!("${nag}"))?;
        }
        if !remarks.commands.is_empty() {
            let commands = remarks.commands.iter().map(|(name, value)| {
                let gap = if value.is_empty() { "" } else { " " };
                format!("[%{name}{gap}{value}]")
            });
            lines.words(&format!("{{{}}}", commands.collect::<Vec<_>>().join(" ")))?;
        }
        for comment in &remarks.comments {
            lines.words(&format!("{{{}}}", comment.replace('{', "(").replace('}', ")")))?;
        }
        Ok(())
    }
}

/// Returns the GameType of a rule set when its squares have these names. Its notation is a letter and the corner of the first square, as the side that
/// begins sees it.
pub(crate) fn game_type_named(own: &str, rules: &RuleSet, names: Naming) -> String {
    if names == rules.board().naming {
        return own.to_owned();
    }
    let notation = match names {
        Naming::Letters if rules.first().is_white() => "A0",
        Naming::Letters => "A3",
        _ if names_of_notation("N2", own, rules) == Some(names) => "N2",
        _ => "N1",
    };
    own.split(',').enumerate().map(|(i, f)| if i == 4 { notation } else { f }).collect::<Vec<_>>().join(",")
}

/// Returns the names that a GameType's notation says, where it says any.
pub(crate) fn names_of_game_type(text: &str, rules: &RuleSet) -> Option<Naming> {
    names_of_notation(text.split(',').nth(4)?.trim(), rules.game_type()?, rules)
}

fn names_of_notation(notation: &str, own: &str, rules: &RuleSet) -> Option<Naming> {
    use Naming::{NumbersFromBottom, NumbersFromTop};
    // What the rule set's own notation means is known; the table does not count all corners alike.
    let own_notation = own.split(',').nth(4)?;
    match (notation, rules.board().naming) {
        (notation, names) if notation == own_notation => Some(names),
        ("A0" | "A1" | "A2" | "A3", _) => Some(Naming::Letters),
        ("N1" | "N2", NumbersFromTop) => Some(NumbersFromBottom),
        ("N1" | "N2", NumbersFromBottom) => Some(NumbersFromTop),
        ("N1" | "N2", Naming::Letters) => {
            let is_top = (notation == "N2") == rules.first().is_white();
            Some(if is_top { NumbersFromTop } else { NumbersFromBottom })
        }
        _ => None,
    }
}

/// Returns the sign of captures that the specification's table has for a GameType.
pub(crate) fn capture_mark(rules: &RuleSet) -> char {
    match rules.game_type().and_then(|t| t.split(',').next()) {
        Some("25") => ':',
        Some("31") => '-',
        Some(_) => 'x',
        None => rules.capture_sign(),
    }
}

/// Returns whether the GameType tag says everything: the rules are the first known ones of that type.
fn game_type_is_exact(rules: &RuleSet) -> bool {
    // Made once: rule sets carry all their sources.
    static FIRST: OnceLock<Vec<RuleSet>> = OnceLock::new();
    let Some(game_type) = rules.game_type() else { return false };
    let known = FIRST.get_or_init(|| KEYS.iter().filter_map(|key| RuleSet::known(key)).collect());
    known.iter().find(|other| other.game_type() == Some(game_type)).is_some_and(|first| first == rules)
}

/// Returns a tag as it is written, with the end of its line.
pub fn tag_line(name: &str, value: &str) -> String {
    let one_line = value.replace(char::is_control, " ");
    format!("[{name} \"{}\"]\n", one_line.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Words in lines of at most [`LINE`] characters.
struct Lines<'a, W> {
    out: &'a mut W,
    column: usize,
    /// The next word has a bracket before it.
    opens: bool,
}

impl<W: Write> Lines<'_, W> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let bracket = if std::mem::take(&mut self.opens) { "(" } else { "" };
        let width = bracket.len() + word.chars().count();
        // A line that begins with "%" is a comment for others.
        let must_stay = word.starts_with('%');
        let gap = match self.column {
            0 => "",
            column if column + 1 + width > LINE && !must_stay => "\n",
            _ => " ",
        };
        self.column = if gap == " " { self.column + 1 + width } else { width };
        write!(self.out, "{gap}{bracket}{word}")
    }
    fn words(&mut self, text: &str) -> fmt::Result {
        text.split_whitespace().try_for_each(|word| self.word(word))
    }
    fn open(&mut self) {
        self.opens = true;
    }
    fn close(&mut self) -> fmt::Result {
        let gap = if self.column < LINE { "" } else { "\n" };
        self.column = if gap.is_empty() { self.column + 1 } else { 1 };
        write!(self.out, "{gap})")
    }
}
