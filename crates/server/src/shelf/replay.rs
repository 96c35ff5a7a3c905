//! One game as the page needs it to replay it: its tree as a flat list, what was found in it, and its own text beside that.

use damiera_pdn::text::Decoder;
use damiera_pdn::{Finding, GameRead, GameTree, Grade, NodeId, Step};
use damiera_rules::{RuleSet, Side, fen};
use damiera_table::json::{RulesJson, board_string, rules_json, short_move_json};
use damiera_words::Lang;
use serde::Serialize;

use super::Refused;
use super::say::message;
use super::store::Shelved;

/// How many nodes of a game are sent. No game that was played has a tenth of them; what a file was made of to break readers may have more.
const MOST_NODES: usize = 20_000;

/// How many findings of a game are sent.
const MOST_FINDINGS: usize = 1000;

/// How much of a game's text is sent, in bytes.
const MOST_TEXT: usize = 1 << 20;

/// How many tags of a game are sent.
const MOST_TAGS: usize = 200;

/// How long a tag's value and a comment may be, in characters.
const LONGEST_TAG: usize = 1000;
const LONGEST_COMMENT: usize = 20_000;

/// One game.
#[derive(Debug, Serialize)]
pub(super) struct GameJson {
    number: usize,
    /// How many games the file has, and what it is called.
    games: usize,
    file: String,
    rules: RulesJson,
    basis: &'static str,
    tags: Vec<(String, String)>,
    result: String,
    nodes: Vec<NodeJson>,
    /// How many nodes there are; `nodes` may end before.
    node_count: usize,
    findings: Vec<FindingJson>,
    finding_count: usize,
    text: TextJson,
}

/// A position of the tree, and the step that leads to it.
#[derive(Debug, Serialize)]
struct NodeJson {
    id: NodeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<NodeId>,
    /// The move's number and who made it.
    number: u32,
    side: &'static str,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    played: Option<PlayedJson>,
    board: String,
    fen: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    strength: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u32>,
    /// In seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<u32>,
    /// In men, for White.
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<f32>,
    /// In how many moves the side that wins does so; below zero where Black wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    wins: Option<i32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    /// It is another move than the one that was played there.
    is_variation: bool,
    place: PlaceJson,
}

/// A move, as the board shows it.
#[derive(Debug, Serialize)]
struct PlayedJson {
    text: String,
    path: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    captured: Vec<String>,
    promotes: bool,
}

/// A place in the game's text: a line of `text`, counted from 0, and how many characters of it stand before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
struct PlaceJson {
    line: usize,
    column: usize,
}

/// What was mended, or what is lost.
#[derive(Debug, Serialize)]
struct FindingJson {
    /// `repair` or `fault`.
    grade: &'static str,
    code: &'static str,
    place: PlaceJson,
    /// How many characters it takes in its line.
    length: usize,
    text: String,
    reading: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    lost: u32,
    message: String,
    /// The node that it is about: the move that was mended, or the one before the move that is lost.
    node: NodeId,
}

/// The game as it is written in its file.
#[derive(Debug, Serialize)]
struct TextJson {
    /// The number of its first line in the file.
    line: u64,
    lines: Vec<String>,
    /// There is more of it.
    is_cut: bool,
}

impl GameJson {
    /// Reads a game of a file, counted from 1.
    pub(super) fn read(file: &Shelved, number: usize, lang: Lang) -> Result<GameJson, Refused> {
        let (bytes, is_cut) = file.bytes_of(number, MOST_TEXT)?;
        let text = Text::new(&bytes, &file.about.encoding);
        let line = file.entry(number)?.line;
        file.read_game(number, |game| {
            let tree = game.tree;
            let rules = tree.rules();
            GameJson {
                number,
                games: file.games,
                file: file.about.name.clone(),
                rules: rules_json(rules),
                basis: game.basis.text(),
                tags: tags(tree),
                result: tree.verdict.text(rules).to_owned(),
                nodes: nodes(&game, &text),
                node_count: tree.nodes().len(),
                findings: findings(&game, &text, lang),
                finding_count: game.findings.len(),
                text: TextJson { line, lines: text.decoded(), is_cut },
            }
        })
    }
}

fn tags(tree: &GameTree) -> Vec<(String, String)> {
    let short = |text: &str| shortened(text, LONGEST_TAG);
    tree.tags.iter().take(MOST_TAGS).map(|(name, value)| (short(name), short(value))).collect()
}

/// Returns a text that is no longer than this, in characters.
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn nodes(game: &GameRead<'_>, text: &Text<'_>) -> Vec<NodeJson> {
    let tree = game.tree;
    let mut cursor = text.cursor();
    // How many plies lead to each node: none for a position that is set up with the same side to move.
    let mut plies: Vec<u32> = Vec::new();
    let ids = 0..tree.nodes().len().min(MOST_NODES) as NodeId;
    ids.map(|id| {
        let node = tree.node(id);
        let before =
            node.parent().map(|parent| (plies[parent as usize], tree.node(parent).position().side()));
        let ply = match (node.step(), before) {
            (Step::Move(_), Some((ply, _))) => ply + 1,
            (Step::Setup, Some((ply, side))) => ply + u32::from(side != node.position().side()),
            _ => 0,
        };
        plies.push(ply);
        node_json(tree, id, ply, cursor.place(game.places.get(id as usize).copied().unwrap_or_default()))
    })
    .collect()
}

fn node_json(tree: &GameTree, id: NodeId, ply: u32, place: PlaceJson) -> NodeJson {
    let (node, rules, remarks) = (tree.node(id), tree.rules(), tree.remarks(id));
    // The first move is made by the side that begins here, which need not be the one that begins games.
    let late = u32::from(tree.start().side() != rules.first());
    let before = (ply + late).saturating_sub(1);
    NodeJson {
        id,
        parent: node.parent(),
        number: before / 2 + tree.first_number,
        side: word(if before.is_multiple_of(2) { rules.first() } else { rules.first().other() }),
        played: played(tree, id),
        board: board_string(rules, node.position()),
        fen: fen::format(rules, node.position()),
        strength: remarks.strength.clone(),
        nags: remarks.nags.clone(),
        clock: remarks.clock(),
        eval: remarks.evaluation(),
        wins: remarks.wins(),
        comments: remarks.comments.iter().map(|text| shortened(text, LONGEST_COMMENT)).collect(),
        is_variation: node.parent().is_some_and(|parent| tree.played(parent) != Some(id)),
        place,
    }
}

fn word(side: Side) -> &'static str {
    if side.is_white() { "white" } else { "black" }
}

fn played(tree: &GameTree, id: NodeId) -> Option<PlayedJson> {
    let (node, rules) = (tree.node(id), tree.rules());
    let before = tree.node(node.parent()?).position();
    let Step::Move(m) = node.step() else { return None };
    let json = short_move_json(rules, before, &rules.moves(before), &m);
    Some(PlayedJson { text: json.text, path: json.path, captured: json.captured, promotes: json.promotes })
}

fn findings(game: &GameRead<'_>, text: &Text<'_>, lang: Lang) -> Vec<FindingJson> {
    let rules = game.tree.rules();
    let mut cursor = text.cursor();
    let shown = game.findings.iter().take(MOST_FINDINGS);
    shown.map(|finding| finding_json(finding, game, rules, &mut cursor, lang)).collect()
}

fn finding_json(
    finding: &Finding,
    game: &GameRead<'_>,
    rules: &RuleSet,
    cursor: &mut Cursor<'_>,
    lang: Lang,
) -> FindingJson {
    let offset = finding.place.offset;
    // Nodes are numbered as they are written.
    let behind = game.places.partition_point(|place| *place <= offset);
    FindingJson {
        grade: if finding.grade() == Grade::Fault { "fault" } else { "repair" },
        code: finding.code.text(),
        place: cursor.place(offset),
        length: cursor.text.length_at(offset),
        text: finding.text.clone(),
        reading: finding.reading.clone(),
        reason: finding.why.map(|why| why.code()),
        lost: finding.lost,
        message: message(finding, rules, lang),
        node: NodeId::try_from(behind.saturating_sub(1)).unwrap_or_default(),
    }
}

/// The bytes of a game, line by line.
struct Text<'a> {
    bytes: &'a [u8],
    /// Where each line begins and ends, without its newline, and whether it is UTF-8. Else it is in an encoding that has a character a byte.
    lines: Vec<(usize, usize, bool)>,
    decoder: Decoder,
}

impl<'a> Text<'a> {
    fn new(bytes: &'a [u8], encoding: &str) -> Text<'a> {
        let mut decoder = Decoder::new(bytes);
        decoder.expect(encoding);
        let mut lines = Vec::new();
        let mut from = 0;
        let mut at = 0;
        while at <= bytes.len() {
            let newline = match bytes.get(at) {
                Some(b'\r') if bytes.get(at + 1) == Some(&b'\n') => 2,
                Some(b'\n' | b'\r') | None => 1,
                Some(_) => 0,
            };
            if newline > 0 {
                lines.push((from, at, std::str::from_utf8(&bytes[from..at]).is_ok()));
                from = at + newline;
            }
            at += newline.max(1);
        }
        Text { bytes, lines, decoder }
    }

    /// Returns the lines up to the last one that says anything.
    fn decoded(&self) -> Vec<String> {
        let mut decoder = self.decoder.clone();
        let mut lines: Vec<String> = self
            .lines
            .iter()
            .map(|(from, to, _)| decoder.decode(&self.bytes[*from..*to]).into_owned())
            .collect();
        while lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
        lines
    }

    fn cursor(&'a self) -> Cursor<'a> {
        Cursor { text: self, at: 0, place: PlaceJson { line: 0, column: 0 } }
    }

    /// Returns how many characters the word at this byte has; of a bracketed piece, up to the end of its line.
    fn length_at(&self, offset: u64) -> usize {
        let at = usize::try_from(offset).unwrap_or(usize::MAX).min(self.bytes.len());
        let line = self.lines.partition_point(|(from, ..)| *from <= at).saturating_sub(1);
        let Some(&(_, to, is_utf8)) = self.lines.get(line) else { return 0 };
        let rest = &self.bytes[at.min(to)..to];
        let is_end = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'(' | b')' | b'{' | b'}');
        let length = match rest.first() {
            Some(b'[') => rest.iter().position(|b| *b == b']').map_or(rest.len(), |n| n + 1),
            Some(_) => 1 + rest[1..].iter().position(is_end).unwrap_or(rest.len() - 1),
            None => 0,
        };
        characters(&rest[..length], is_utf8)
    }
}

fn characters(bytes: &[u8], is_utf8: bool) -> usize {
    if is_utf8 { bytes.iter().filter(|b| !(0x80..0xc0).contains(*b)).count() } else { bytes.len() }
}

/// Finds the lines and columns of bytes. Those that come in their order take no longer than the text is.
struct Cursor<'a> {
    text: &'a Text<'a>,
    at: usize,
    place: PlaceJson,
}

impl Cursor<'_> {
    fn place(&mut self, offset: u64) -> PlaceJson {
        let lines = &self.text.lines;
        let wanted = usize::try_from(offset).unwrap_or(usize::MAX).min(self.text.bytes.len());
        let line = lines.partition_point(|(from, ..)| *from <= wanted).saturating_sub(1);
        let Some(&(from, to, is_utf8)) = lines.get(line) else { return self.place };
        let wanted = wanted.min(to);
        if line != self.place.line || wanted < self.at {
            self.at = from;
            self.place = PlaceJson { line, column: 0 };
        }
        self.place.column += characters(&self.text.bytes[self.at..wanted], is_utf8);
        self.at = wanted;
        self.place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the line and column of the first `wanted` in a text.
    fn place(text: &[u8], wanted: &[u8]) -> (usize, usize) {
        let text = Text::new(text, "windows-1252");
        let offset = text.bytes.windows(wanted.len()).position(|w| w == wanted).unwrap();
        let PlaceJson { line, column } = text.cursor().place(offset as u64);
        (line, column)
    }

    #[test]
    fn places_are_counted_in_characters_whatever_the_encoding() {
        assert_eq!(place("{è così} 22-18".as_bytes(), b"22"), (0, 9));
        assert_eq!(place(b"{\xe8 cos\xec} 22-18", b"22"), (0, 9));
        assert_eq!(place(b"{\x93no\x94} 22-18", b"22"), (0, 7));
        for newline in ["\n", "\r\n", "\r"] {
            let text = format!("1. 22-18{newline}{newline}2. 27-22");
            assert_eq!(place(text.as_bytes(), b"27"), (2, 3), "{newline:?}");
        }
    }

    #[test]
    fn places_come_in_any_order() {
        let text = Text::new(b"ab cd\nef gh", "ascii");
        let mut cursor = text.cursor();
        let mut at = |offset| {
            let PlaceJson { line, column } = cursor.place(offset);
            (line, column)
        };
        assert_eq!(
            [at(9), at(3), at(4), at(0), at(11), at(5), at(99)],
            [(1, 3), (0, 3), (0, 4), (0, 0), (1, 5), (0, 5), (1, 5)]
        );
    }

    #[test]
    fn a_finding_is_as_long_as_its_word() {
        let text = Text::new("[Bianco \"È\"] 22x18(prova) è!".as_bytes(), "utf-8");
        let length = |wanted: &str| {
            let offset = std::str::from_utf8(text.bytes).unwrap().find(wanted).unwrap();
            text.length_at(offset as u64)
        };
        assert_eq!([length("[B"), length("22x"), length("(p"), length("è!")], [12, 5, 6, 2]);
        assert_eq!(text.length_at(9999), 0);
    }
}
