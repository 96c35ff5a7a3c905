//! Sentences for players: reasons, results, counters.

use damiera_rules::explain::Reason;
use damiera_rules::game::CounterState;
use damiera_rules::{End, Outcome, RuleSet};
use damiera_words::{Lang, Param, has, t};

/// Says why a move is refused (or that it is legal).
pub(crate) fn why(lang: Lang, rules: &RuleSet, reason: &Reason) -> String {
    let square = reason.square().map(|bit| rules.board().name(bit));
    let (n, m) = (reason.n(), reason.m());
    let mut params: Vec<Param<'_>> = Vec::new();
    if let Some(n) = &n {
        params.push(("n", n));
    }
    if let Some(m) = &m {
        params.push(("m", m));
    }
    if let Some(square) = &square {
        params.push(("square", square));
    }
    t(lang, &format!("why.{}", reason.code()), &params)
}

/// Returns the name of a rule set: that of its file, or the one that players know it by.
pub(crate) fn rules_name(lang: Lang, rules: &RuleSet) -> String {
    let key = format!("rules.{}.name", rules.key());
    match rules.name() {
        Some(name) => name.to_owned(),
        None if has(&key) => t(lang, &key, &[]),
        None => rules.key().to_owned(),
    }
}

/// Says who has won, or that the game is drawn.
pub(crate) fn result(lang: Lang, outcome: &Outcome) -> String {
    t(lang, &format!("cli.result.{}", outcome.word()), &[])
}

/// Says how the game ended.
pub(crate) fn end(lang: Lang, rules: &RuleSet, outcome: &Outcome) -> String {
    let limit = match outcome.end {
        End::Clause(i) => rules.draws().clauses.get(i).map_or(0, |clause| clause.limit),
        _ => 0,
    };
    let key = format!("end.{}", outcome.clause(rules));
    t(lang, if has(&key) { &key } else { "end.custom" }, &[("n", &limit)])
}

/// Returns the name of a draw clause.
pub(crate) fn clause(lang: Lang, id: &str) -> String {
    let key = format!("clause.{id}");
    t(lang, if has(&key) { &key } else { "clause.custom" }, &[])
}

/// Says what a draw clause has counted.
pub(crate) fn counter(lang: Lang, state: &CounterState<'_>) -> String {
    let name = clause(lang, &state.clause.id);
    t(lang, "cli.counter", &[("clause", &name), ("n", &state.count), ("limit", &state.limit)])
}
