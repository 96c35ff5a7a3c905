//! What a rule set says, in words: the same sentences as the page's own lists.

use damiera_rules::RuleSet;
use damiera_rules::draws::{Clause, Counts, Mode, Of};
use damiera_rules::source::Status;
use damiera_table::json::{FactsJson, facts_json};
use damiera_words::{Lang, has, t};

/// A fact: the key of its label, and its text.
pub(crate) type Fact = (&'static str, String);

/// Returns the facts worth a line.
pub(crate) fn facts(lang: Lang, rules: &RuleSet) -> Vec<Fact> {
    let facts = facts_json(rules);
    vec![
        ("fact.board", board(lang, rules)),
        ("fact.man", man(lang, &facts)),
        ("fact.king", king(lang, &facts)),
        ("fact.capture", capture(lang, &facts)),
        ("fact.promotion", t(lang, &format!("fact.promotion.{}", facts.promotion), &[])),
        (
            "fact.first",
            t(lang, &format!("fact.first.{}", if rules.first().is_white() { "white" } else { "black" }), &[]),
        ),
        ("fact.goal", goal(lang, &facts)),
    ]
}

fn board(lang: Lang, rules: &RuleSet) -> String {
    let board = rules.board();
    let kind = match (board.shape.is_orthogonal(), board.mirrored) {
        (true, _) => "orthogonal",
        (false, true) => "mirrored",
        (false, false) => "diagonal",
    };
    let men = rules.initial().white().count_ones();
    let size = board.shape.size();
    let board = t(lang, &format!("fact.board.{kind}"), &[("size", &size)]);
    format!("{board}; {}", t(lang, "fact.men", &[("n", &men)]))
}

fn man(lang: Lang, facts: &FactsJson) -> String {
    let text = t(lang, &format!("fact.man.{}", facts.men_capture), &[]);
    if facts.men_take_kings { text } else { format!("{text}, {}", t(lang, "fact.man.no-kings", &[])) }
}

fn king(lang: Lang, facts: &FactsJson) -> String {
    let text = t(lang, &format!("fact.king.{}", facts.king), &[]);
    if facts.landing == "any" {
        text
    } else {
        format!("{text}; {}", t(lang, &format!("fact.landing.{}", facts.landing), &[]))
    }
}

fn capture(lang: Lang, facts: &FactsJson) -> String {
    let steps = facts.ladder.iter().map(|step| t(lang, &format!("fact.ladder.{step}"), &[]));
    let list = steps.reduce(|a, b| t(lang, "fact.then", &[("a", &a), ("b", &b)]));
    let key = match (facts.capture, &list) {
        ("optional", Some(_)) => "fact.capture.optional-ladder",
        ("optional", None) => "fact.capture.optional",
        (_, Some(_)) => "fact.capture.ladder",
        (_, None) => "fact.capture.free",
    };
    let rule = t(lang, key, &[("list", &list.unwrap_or_default())]);
    if facts.removal == "at-once" {
        format!("{rule}; {}", t(lang, "fact.removal.at-once", &[]))
    } else {
        rule
    }
}

fn goal(lang: Lang, facts: &FactsJson) -> String {
    match facts.goal {
        "normal" => t(lang, "rp.goal.normal", &[]),
        other => t(lang, &format!("fact.goal.{other}"), &[]),
    }
}

/// Returns the steps of the ladder as the parts of one sentence; none where the choice is free.
pub(crate) fn ladder(lang: Lang, rules: &RuleSet) -> Vec<String> {
    let steps = facts_json(rules).ladder;
    let word = |(i, step): (usize, &&str)| {
        let end = if i + 1 == steps.len() { "." } else { ";" };
        t(lang, &format!("rp.ladder.{step}"), &[]) + end
    };
    steps.iter().enumerate().map(word).collect()
}

/// Returns the name of a draw clause.
pub(crate) fn clause_name(lang: Lang, clause: &Clause) -> String {
    let own = format!("rp.clause.{}", clause.id);
    let shared = format!("clause.{}", clause.id);
    t(lang, [own, shared].iter().find(|key| has(key)).map_or("clause.custom", String::as_str), &[])
}

/// Returns how much of it makes a draw.
pub(crate) fn clause_count(lang: Lang, clause: &Clause) -> String {
    let key = match (clause.counts, clause.of) {
        (Counts::Repetition { ahead: false }, _) => "rp.draw.times",
        (Counts::Repetition { ahead: true }, _) => "rp.draw.times-ahead",
        _ if clause.limit == 0 => "rp.draw.at-once",
        (_, Of::Each) => "rp.draw.each",
        (_, Of::Strong) => "rp.draw.strong",
        (_, Of::Weak) => "rp.draw.weak",
    };
    let mut text = t(lang, key, &[("n", &clause.limit)]);
    for (holds, key) in
        [(clause.unless_won, "rp.draw.unless-won"), (clause.mode == Mode::Claim, "rp.draw.claim")]
    {
        if holds {
            text.push_str(", ");
            text.push_str(&t(lang, key, &[]));
        }
    }
    text
}

/// Returns the words for how far a source can be trusted.
pub(crate) fn status(lang: Lang, status: Status) -> String {
    t(lang, &format!("rp.status.{}", status.word()), &[])
}
