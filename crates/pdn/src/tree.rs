//! A game as a tree: the moves that were played, what else might have been, and what is said about it.

use std::sync::Arc;

use damiera_rules::{Game, Move, Position, RuleSet, Side};

/// A position of the tree, and the step that leads to it. Ids are places in [`GameTree::nodes`]; the first node is the beginning.
pub type NodeId = u32;

/// What no node has as its number.
const NONE: NodeId = NodeId::MAX;

/// How a node comes from the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The beginning.
    Begin,
    /// By a legal move.
    Move(Move),
    /// By a position that is set up there.
    Setup,
}

/// One position in the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    step: Step,
    position: Position,
    parent: NodeId,
    first_child: NodeId,
    last_child: NodeId,
    next: NodeId,
    remarks: u32,
    /// Nobody played on from here: all children are variations.
    is_open: bool,
}

impl Node {
    /// Returns how it comes from its parent.
    pub fn step(&self) -> Step {
        self.step
    }
    /// Returns the position, after the step.
    pub fn position(&self) -> &Position {
        &self.position
    }
    /// Returns the node before it.
    pub fn parent(&self) -> Option<NodeId> {
        (self.parent != NONE).then_some(self.parent)
    }
}

/// What a position comes to, as it is written behind a move: for White, as game servers and we write it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Evaluation {
    /// In men.
    Men(f32),
    /// A win in so many moves of the side that wins, not plies; below zero where Black wins.
    Wins(i32),
}

impl Evaluation {
    fn parse(text: &str) -> Option<Evaluation> {
        match text.strip_prefix('#') {
            Some(moves) => moves.parse().ok().map(Evaluation::Wins),
            None => text.parse().ok().filter(|men: &f32| men.is_finite()).map(Evaluation::Men),
        }
    }
}

/// What is said about a step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Remarks {
    /// `!`, `?!` and so on; empty for nothing.
    pub strength: String,
    /// Numeric annotation glyphs, without their `$`.
    pub nags: Vec<u32>,
    /// Commands such as `[%clk 1:55:21]`: name and value.
    pub commands: Vec<(String, String)>,
    /// Comments, each without its braces and in one line.
    pub comments: Vec<String>,
}

impl Remarks {
    /// Returns whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.strength.is_empty()
            && self.nags.is_empty()
            && self.commands.is_empty()
            && self.comments.is_empty()
    }
    /// Returns the clock after the move, in seconds, of `[%clk h:mm:ss]`.
    pub fn clock(&self) -> Option<u32> {
        let (_, value) = self.commands.iter().find(|(name, _)| name == "clk" || name == "clock")?;
        let time = value.split_whitespace().last()?.trim_start_matches(['w', 'W', 'b', 'B']);
        time.split(':').try_fold(0u32, |sum, part| {
            let part: f32 = part.parse().ok().filter(|p| (0.0..1e6).contains(p))?;
            sum.checked_mul(60)?.checked_add(part as u32)
        })
    }
    /// Returns what `[%eval 0.35]` or `[%eval #5]` says, as it is written there.
    pub fn score(&self) -> Option<Evaluation> {
        let (_, value) = self.commands.iter().find(|(name, _)| name == "eval")?;
        Evaluation::parse(value.trim())
    }
    /// Returns the evaluation in men, where it is one.
    pub fn evaluation(&self) -> Option<f32> {
        match self.score()? {
            Evaluation::Men(men) => Some(men),
            Evaluation::Wins(_) => None,
        }
    }
    /// Returns in how many moves of the side that wins it does so, where that is said; below zero of Black.
    pub fn wins(&self) -> Option<i32> {
        match self.score()? {
            Evaluation::Wins(moves) => Some(moves),
            Evaluation::Men(_) => None,
        }
    }
}

/// How a game ended, as its text says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// This side won.
    Won(Side),
    /// Nobody won.
    Drawn,
    /// Both lost: they did not come, or were sent away.
    BothLost,
    /// It is not over, or nobody knows.
    Open,
    /// Points of a kind of their own, as they are written: `4-6`.
    Points(String),
}

impl Verdict {
    /// Returns the text of the Result tag: White's points first, two for a win on boards of ten rows and more, as played there.
    pub fn text(&self, rules: &RuleSet) -> &str {
        match (self, rules.shape().size() >= 10) {
            (Verdict::Won(Side::White), true) => "2-0",
            (Verdict::Won(Side::Black), true) => "0-2",
            (Verdict::Drawn, true) => "1-1",
            (Verdict::Won(Side::White), false) => "1-0",
            (Verdict::Won(Side::Black), false) => "0-1",
            (Verdict::Drawn, false) => "1/2-1/2",
            (Verdict::BothLost, _) => "0-0",
            (Verdict::Open, _) => "*",
            (Verdict::Points(text), _) => text,
        }
    }
    /// Reads a result of any kind; an empty one is [`Verdict::Open`].
    pub fn parse(text: &str) -> Verdict {
        let plain: String = text
            .chars()
            .filter(|c| !c.is_whitespace())
            .flat_map(|c| {
                match c {
                    '½' => "1/2".chars(),
                    ':' | '–' | '—' => "-".chars(),
                    _ => "\0".chars(),
                }
                .map(move |d| if d == '\0' { c } else { d })
            })
            .collect();
        match plain.as_str() {
            "2-0" | "1-0" => Verdict::Won(Side::White),
            "0-2" | "0-1" => Verdict::Won(Side::Black),
            "1-1" | "1/2-1/2" => Verdict::Drawn,
            "0-0" => Verdict::BothLost,
            "*" | "" | "?" => Verdict::Open,
            _ => Verdict::in_words(text)
                .unwrap_or_else(|| Verdict::Points(text.split_whitespace().collect::<Vec<_>>().join(" "))),
        }
    }
    /// Reads a result that is written in words, as people type it who do not know the signs: in Italian, Spanish, Portuguese, English or Dutch.
    pub(crate) fn in_words(text: &str) -> Option<Verdict> {
        const DRAWN: [&str; 8] = ["patta", "pari", "pareggio", "tablas", "empate", "draw", "drawn", "remise"];
        const WINS: [&str; 8] = ["vince", "vincono", "gana", "ganan", "vence", "vencem", "wins", "wint"];
        const ARTICLES: [&str; 8] = ["il", "i", "la", "las", "los", "as", "os", "el"];
        // Every game's result comes by here, and hardly any is in words.
        if !text.contains(char::is_alphabetic) {
            return None;
        }
        let text = text.to_lowercase();
        let words: Vec<&str> = text.trim().trim_end_matches('.').split_whitespace().collect();
        if let [word] = words.as_slice() {
            return DRAWN.contains(word).then_some(Verdict::Drawn);
        }
        // "vince il Bianco", "Blancas ganan": who wins and that it is a win, in either order.
        let said: Vec<&str> = words.into_iter().filter(|word| !ARTICLES.contains(word)).collect();
        let who = match said.as_slice() {
            [who, wins] if WINS.contains(wins) => who,
            [wins, who] if WINS.contains(wins) => who,
            _ => return None,
        };
        match *who {
            "bianco" | "bianchi" | "blancas" | "brancas" | "white" | "wit" => Some(Verdict::Won(Side::White)),
            "nero" | "neri" | "negras" | "pretas" | "black" | "zwart" => Some(Verdict::Won(Side::Black)),
            _ => None,
        }
    }
}

/// A game: its tags, the tree of its moves, its result.
#[derive(Clone, Debug)]
pub struct GameTree {
    rules: Arc<RuleSet>,
    /// The tags by name and value, without those that the tree itself tells: GameType, Rules, FEN, SetUp and Result.
    pub tags: Vec<(String, String)>,
    /// How it ended.
    pub verdict: Verdict,
    nodes: Vec<Node>,
    remarks: Vec<Remarks>,
    /// What is said where nothing is.
    silence: Remarks,
    /// The number of the first move.
    pub first_number: u32,
}

impl GameTree {
    /// Returns a game without moves that begins with this position.
    pub fn new(rules: Arc<RuleSet>, start: Position) -> GameTree {
        let mut tree = GameTree {
            rules,
            tags: Vec::new(),
            verdict: Verdict::Open,
            nodes: Vec::new(),
            remarks: Vec::new(),
            silence: Remarks::default(),
            first_number: 1,
        };
        tree.restart(start);
        tree
    }
    /// Returns a game that was played here.
    pub fn of(game: &Game) -> GameTree {
        let mut tree = GameTree::new(Arc::clone(game.rules()), game.positions()[0]);
        let mut at = 0;
        for (m, position) in game.moves().iter().zip(&game.positions()[1..]) {
            at = tree.push(at, Step::Move(*m), *position);
        }
        tree
    }
    /// Returns the last node of the game as it was played.
    pub fn last(&self) -> NodeId {
        self.main_line().last().unwrap_or(0)
    }
    /// Forgets everything but the rules; the memory is kept for the next game.
    pub(crate) fn clear(&mut self, rules: &Arc<RuleSet>, start: Position) {
        if !Arc::ptr_eq(&self.rules, rules) {
            self.rules = Arc::clone(rules);
        }
        self.tags.clear();
        self.verdict = Verdict::Open;
        self.remarks.clear();
        self.first_number = 1;
        self.restart(start);
    }
    fn restart(&mut self, start: Position) {
        self.nodes.clear();
        self.nodes.push(Node {
            step: Step::Begin,
            position: start,
            parent: NONE,
            first_child: NONE,
            last_child: NONE,
            next: NONE,
            remarks: NONE,
            is_open: false,
        });
    }
    /// Returns the rules.
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }
    /// Returns all nodes, each behind its parent.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }
    /// Returns a node. The id must come from this tree.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }
    /// Returns the position at the beginning.
    pub fn start(&self) -> &Position {
        &self.nodes[0].position
    }
    /// Returns the ways to go on, the one that was played first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut next = self.node(id).first_child;
        std::iter::from_fn(move || {
            let child = next;
            next = self.nodes.get(child as usize)?.next;
            Some(child)
        })
    }
    /// Returns how the game or the variation goes on, without its alternatives.
    pub fn played(&self, id: NodeId) -> Option<NodeId> {
        let node = self.node(id);
        (node.first_child != NONE && !node.is_open).then_some(node.first_child)
    }
    /// Returns the nodes of the game as it was played, without the beginning.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut at = Some(0);
        std::iter::from_fn(move || {
            at = self.played(at?);
            at
        })
    }
    /// Adds a step behind a node: the first one is what was played, the others are variations. The caller has seen to it that a move is legal and leads to
    /// `position`.
    pub fn push(&mut self, parent: NodeId, step: Step, position: Position) -> NodeId {
        let is_played = self.node(parent).first_child == NONE;
        self.push_as(parent, step, position, is_played)
    }
    /// Adds a step behind a node, as what was played there or as its last variation.
    #[inline]
    pub(crate) fn push_as(
        &mut self,
        parent: NodeId,
        step: Step,
        position: Position,
        is_played: bool,
    ) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let first = self.nodes[parent as usize].first_child;
        self.nodes.push(Node {
            step,
            position,
            parent,
            first_child: NONE,
            last_child: NONE,
            // What was played stands before the variations, though they may have been read first.
            next: if is_played { first } else { NONE },
            remarks: NONE,
            is_open: false,
        });
        let parent = &mut self.nodes[parent as usize];
        let before = parent.last_child;
        if is_played {
            parent.first_child = id;
            parent.is_open = false;
            if before == NONE {
                parent.last_child = id;
            }
            return id;
        }
        parent.last_child = id;
        if before == NONE {
            parent.first_child = id;
            parent.is_open = true;
        } else {
            self.nodes[before as usize].next = id;
        }
        id
    }
    /// Plays a move behind a node. Returns `None` when it is not legal there.
    pub fn play(&mut self, parent: NodeId, m: &Move) -> Option<NodeId> {
        let position = *self.node(parent).position();
        let is_legal = self.rules.moves(&position).contains(m);
        is_legal.then(|| self.push(parent, Step::Move(*m), self.rules.after(&position, m)))
    }
    /// Returns what is said about a step; about the beginning: before the first move.
    pub fn remarks(&self, id: NodeId) -> &Remarks {
        self.remarks.get(self.node(id).remarks as usize).unwrap_or(&self.silence)
    }
    /// Returns what is said about a step, to be changed.
    pub fn remarks_mut(&mut self, id: NodeId) -> &mut Remarks {
        let place = self.nodes[id as usize].remarks;
        if place != NONE {
            return &mut self.remarks[place as usize];
        }
        let place = self.remarks.len();
        self.nodes[id as usize].remarks = place as u32;
        self.remarks.push(Remarks::default());
        &mut self.remarks[place]
    }
    /// Returns how many moves the tree has, all variations counted.
    pub fn moves(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node.step, Step::Move(_))).count()
    }
    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// Two trees are equal when they say the same; the numbers of their nodes make no difference.
impl PartialEq for GameTree {
    fn eq(&self, other: &GameTree) -> bool {
        let same = |a: NodeId, b: NodeId| {
            let (left, right) = (self.node(a), other.node(b));
            left.step == right.step
                && left.is_open == right.is_open
                && left.position == right.position
                && self.remarks(a) == other.remarks(b)
        };
        if *self.rules != *other.rules
            || self.tags != other.tags
            || self.verdict != other.verdict
            || self.first_number != other.first_number
            || self.nodes.len() != other.nodes.len()
        {
            return false;
        }
        let mut open = vec![(0, 0)];
        while let Some((a, b)) = open.pop() {
            if !same(a, b) || self.children(a).count() != other.children(b).count() {
                return false;
            }
            open.extend(self.children(a).zip(other.children(b)));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_is_in_men_or_a_win() {
        let said = |value: &str| {
            let commands = vec![("eval".to_owned(), value.to_owned())];
            let remarks = Remarks { commands, ..Remarks::default() };
            (remarks.evaluation(), remarks.wins())
        };
        assert_eq!(said("-0.35"), (Some(-0.35), None));
        assert_eq!(said(" 2 "), (Some(2.0), None));
        assert_eq!(said("#5"), (None, Some(5)));
        assert_eq!(said("#-12"), (None, Some(-12)));
        for nothing in ["", "#", "#5.5", "# 5", "##5", "inf", "NaN", "#99999999999"] {
            assert_eq!(said(nothing), (None, None), "{nothing:?}");
        }
        assert_eq!(Remarks::default().score(), None);
    }
}
