//! What was found, written into a game: signs, comments, better lines, evaluations; and how that is told from what others have written.
//!
//! A comment of ours begins with our name, and a line of ours ends with it. A sign behind a move is ours where the comment after it says no
//! sign of its own.

use damiera_engine::Score;
use damiera_pdn::{GameTree, NodeId, Remarks, Step, Verdict};
use damiera_rules::{Side, notation};
use damiera_words::{Lang, Param, t};

use super::analyst::{Part, Studied, scale};
use super::judge::{Gravity, Judgement, Kind, decisive, leader};

/// Our name: it begins our comments, and our part of the tag that says who has annotated a game.
const NAME: &str = "Damiera";

/// The tag that says who has annotated a game, and what stands between two who have.
const TAG: &str = "Annotator";
const AND: &str = "; ";

/// What our part of the tag ends with where the evaluations of the moves are ours.
const WITH_EVALS: &str = ", evals";

/// The command that has an evaluation.
const EVAL: &str = "eval";

/// Positions that differ from a level one by less than this, in hundredths of a man, are called level.
const LEVEL: i32 = 15;

/// The signs that are said about a move by number: `$1` is a good one, `$6` a dubious one.
const SIGNS: std::ops::RangeInclusive<u32> = 1..=6;

/// How games are annotated.
#[derive(Clone, Debug)]
pub(super) struct Manner {
    pub(super) lang: Lang,
    /// What the limits of the search are, as the tag says it.
    pub(super) limits: String,
    /// Write what every move comes to.
    pub(super) evals: bool,
}

/// How much was said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally {
    pub(super) plies: u64,
    pub(super) blunders: u64,
    pub(super) mistakes: u64,
    pub(super) dubious: u64,
    pub(super) wins_overlooked: u64,
    pub(super) draws_overlooked: u64,
}

impl Tally {
    fn count(&mut self, judgement: Judgement) {
        *match judgement.gravity {
            Gravity::Blunder => &mut self.blunders,
            Gravity::Mistake => &mut self.mistakes,
            Gravity::Dubious => &mut self.dubious,
        } += 1;
        self.wins_overlooked += u64::from(judgement.kind == Kind::WinOverlooked);
        self.draws_overlooked += u64::from(judgement.kind == Kind::DrawOverlooked);
    }

    pub(super) fn add(&mut self, other: &Tally) {
        self.plies += other.plies;
        self.blunders += other.blunders;
        self.mistakes += other.mistakes;
        self.dubious += other.dubious;
        self.wins_overlooked += other.wins_overlooked;
        self.draws_overlooked += other.draws_overlooked;
    }
}

/// Returns whether a game has moves that can be annotated.
pub(super) fn has_moves(tree: &GameTree) -> bool {
    tree.main_line().any(|id| matches!(tree.node(id).step(), Step::Move(_)))
}

/// Returns whether we have annotated a game before.
pub(super) fn is_annotated(tree: &GameTree) -> bool {
    tree.tag(TAG).is_some_and(|who| who.split(AND).any(is_our_part))
}

fn is_our_part(part: &str) -> bool {
    part.strip_prefix(NAME).is_some_and(|rest| rest.starts_with(' '))
}

/// Signs a game: the tag names us, behind whoever has annotated it before.
pub(super) fn sign(tree: &mut GameTree, manner: &Manner) {
    let evals = if writes_evals(tree, manner) { WITH_EVALS } else { "" };
    let ours = format!("{NAME} {}, {}{evals}", env!("CARGO_PKG_VERSION"), manner.limits);
    match tree.tags.iter_mut().find(|(name, _)| name == TAG) {
        Some((_, who)) => *who = format!("{who}{AND}{ours}"),
        None => tree.tags.push((TAG.to_owned(), ours)),
    }
}

/// A game that somebody has evaluated already keeps those evaluations.
fn writes_evals(tree: &GameTree, manner: &Manner) -> bool {
    let has_eval = |id| tree.remarks(id).commands.iter().any(|(name, _)| name == EVAL);
    manner.evals && !tree.main_line().any(has_eval)
}

/// Returns a game without what we have written into it. `None` where that cannot be told from what others have: where a line has variations
/// and nothing that was played.
pub(super) fn without_ours(tree: &GameTree) -> Option<GameTree> {
    let mut clean = GameTree::new(tree.rules().clone(), *tree.start());
    clean.tags = tree.tags.clone();
    clean.verdict = tree.verdict.clone();
    clean.first_number = tree.first_number;
    let has_our_evals = unsign(&mut clean);
    let mut open = vec![(0, 0)];
    while let Some((old, new)) = open.pop() {
        *clean.remarks_mut(new) = tree.remarks(old).clone();
        if old != 0 {
            unsay(&mut clean, new);
        }
        let played = tree.played(old);
        if played.is_none() && tree.children(old).next().is_some() {
            return None;
        }
        let is_ours = |child: &NodeId| Some(*child) != played && is_our_line(tree, *child);
        for child in tree.children(old).filter(|child| !is_ours(child)) {
            let node = tree.node(child);
            open.push((child, clean.push(new, node.step(), *node.position())));
        }
    }
    if has_our_evals {
        let played: Vec<NodeId> = clean.main_line().collect();
        for id in played {
            clean.remarks_mut(id).commands.retain(|(name, _)| name != EVAL);
        }
    }
    Some(clean)
}

/// Takes us out of the tag. Returns whether the evaluations are ours.
fn unsign(tree: &mut GameTree) -> bool {
    let Some(place) = tree.tags.iter().position(|(name, _)| name == TAG) else { return false };
    let (ours, others): (Vec<&str>, Vec<&str>) = tree.tags[place].1.split(AND).partition(|p| is_our_part(p));
    let has_our_evals = ours.iter().any(|part| part.ends_with(WITH_EVALS));
    let others = others.join(AND);
    if others.is_empty() {
        tree.tags.remove(place);
    } else {
        tree.tags[place].1 = others;
    }
    has_our_evals
}

/// Takes our comment off a step, and our sign.
fn unsay(tree: &mut GameTree, id: NodeId) {
    let remarks = tree.remarks_mut(id);
    let before = remarks.comments.len();
    let is_signed = remarks.comments.iter().any(|comment| comment.starts_with(&our_beginning(None)));
    remarks.comments.retain(|comment| !is_our_comment(comment));
    if is_signed && remarks.comments.len() < before {
        remarks.strength.clear();
    }
}

/// Returns how our comment begins: with the sign where the one behind the move is another's.
fn our_beginning(sign: Option<&str>) -> String {
    sign.map_or_else(|| format!("{NAME}: "), |sign| format!("{NAME} ({sign}): "))
}

fn is_our_comment(comment: &str) -> bool {
    let signs = [None, Some("??"), Some("?"), Some("?!")];
    signs.into_iter().any(|sign| comment.starts_with(&our_beginning(sign)))
}

/// Returns whether a variation is ours: one line, with nothing said in it but our name at its end.
fn is_our_line(tree: &GameTree, first: NodeId) -> bool {
    let mut at = first;
    loop {
        let remarks = tree.remarks(at);
        let Some(next) = tree.played(at) else {
            let is_end = tree.children(at).next().is_none();
            let ours = Remarks { comments: vec![NAME.to_owned()], ..Remarks::default() };
            return is_end && *remarks == ours;
        };
        if !remarks.is_empty() || tree.children(at).nth(1).is_some() {
            return false;
        }
        at = next;
    }
}

/// Writes what was found into a game that is signed.
pub(super) fn annotate(tree: &mut GameTree, parts: &[Part], manner: &Manner) -> Tally {
    let mut tally = Tally::default();
    // The tag has said it before anything was written.
    let evals = tree.tag(TAG).is_some_and(|who| who.ends_with(WITH_EVALS));
    let decisive = decisive_move(tree, parts);
    for studied in parts.iter().flat_map(|part| &part.turns) {
        tally.plies += 1;
        if evals {
            let eval = eval_text(studied.turn.side, studied.turn.after);
            tree.remarks_mut(studied.node).commands.push((EVAL.to_owned(), eval));
        }
        if let Some(judgement) = studied.turn.judgement {
            tally.count(judgement);
            say(tree, studied, judgement, decisive == Some(studied.node), manner.lang);
            add_line(tree, studied);
        }
    }
    tally
}

/// Returns the move that lost the game: by its result, or by how it stands at its end where no result says who won.
fn decisive_move(tree: &GameTree, parts: &[Part]) -> Option<NodeId> {
    let part = parts.last()?;
    let scale = scale(tree.rules());
    let winner = match tree.verdict {
        Verdict::Won(side) => side,
        Verdict::Open => leader(part.to_move, part.end, scale)?,
        _ => return None,
    };
    let turns: Vec<_> = part.turns.iter().map(|studied| studied.turn).collect();
    decisive(&turns, winner, scale).map(|i| part.turns[i].node)
}

fn say(tree: &mut GameTree, studied: &Studied, judgement: Judgement, is_decisive: bool, lang: Lang) {
    let comment = comment(tree, studied, judgement, is_decisive, lang);
    let sign = judgement.gravity.sign();
    let remarks = tree.remarks_mut(studied.node);
    let is_free = remarks.strength.is_empty() && !remarks.nags.iter().any(|nag| SIGNS.contains(nag));
    if is_free {
        remarks.strength.push_str(sign);
    }
    let beginning = our_beginning((!is_free).then_some(sign));
    remarks.comments.push(format!("{beginning}{comment}"));
}

fn comment(
    tree: &GameTree,
    studied: &Studied,
    judgement: Judgement,
    is_decisive: bool,
    lang: Lang,
) -> String {
    let turn = studied.turn;
    let position = tree.node(tree.node(studied.node).parent().unwrap_or(0)).position();
    let rules = tree.rules();
    let better = studied
        .better
        .first()
        .map_or_else(String::new, |m| notation::format(rules, position, &rules.moves(position), m));
    let before = score_text(lang, turn.side, turn.before);
    let after = score_text(lang, turn.side, turn.after);
    let params: [Param<'_>; 3] = [("better", &better), ("before", &before), ("after", &after)];
    let kind = match judgement.kind {
        Kind::WinOverlooked => "win",
        Kind::DrawOverlooked => "draw",
        Kind::Losing => "losing",
        Kind::Worse => "worse",
    };
    let mut comment = t(lang, &format!("pdn.annotate.{kind}"), &params);
    if is_decisive {
        comment.push(' ');
        comment.push_str(&t(lang, "pdn.annotate.decisive", &[]));
    }
    comment
}

/// Adds the better line beside the move that was played.
fn add_line(tree: &mut GameTree, studied: &Studied) {
    let Some(mut at) = tree.node(studied.node).parent().filter(|_| !studied.better.is_empty()) else {
        return;
    };
    for m in &studied.better {
        let Some(next) = tree.play(at, m) else { break };
        at = next;
    }
    tree.remarks_mut(at).comments.push(NAME.to_owned());
}

/// Says what a position comes to. `score` is that of this side.
fn score_text(lang: Lang, side: Side, score: Score) -> String {
    let name = |side: Side| if side.is_white() { "white" } else { "black" };
    let wins = |side: Side, plies: u16| match plies.div_ceil(2) {
        0 => t(lang, &format!("pdn.annotate.won.{}", name(side)), &[]),
        n => t(lang, &format!("pdn.annotate.wins.{}", name(side)), &[("n", &n)]),
    };
    match score {
        Score::Win(plies) => wins(side, plies),
        Score::Loss(plies) => wins(side.other(), plies),
        Score::Draw => t(lang, "pdn.annotate.drawn", &[]),
        Score::Value(hundredths) if hundredths.abs() < LEVEL => t(lang, "pdn.annotate.level", &[]),
        Score::Value(hundredths) => {
            let ahead = if hundredths > 0 { side } else { side.other() };
            let men = format!("{:.1}", f64::from(hundredths.abs()) / 100.0);
            let men = if lang == Lang::En { men } else { men.replace('.', ",") };
            t(lang, &format!("pdn.annotate.ahead.{}", name(ahead)), &[("men", &men)])
        }
    }
}

/// Returns an evaluation as game servers write it: in men for White, or the moves to a win.
fn eval_text(side: Side, score: Score) -> String {
    let minus = |is_white: bool| if is_white { "" } else { "-" };
    match if side.is_white() { score } else { score.reversed() } {
        Score::Value(hundredths) => format!("{:.2}", f64::from(hundredths) / 100.0),
        Score::Draw => "0.00".to_owned(),
        Score::Win(plies) => format!("#{}{}", minus(true), plies.div_ceil(2)),
        Score::Loss(plies) => format!("#{}{}", minus(false), plies.div_ceil(2)),
    }
}
