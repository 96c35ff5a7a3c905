//! Findings in the reader's language.

use damiera_pdn::{Code, Finding};
use damiera_rules::{RuleSet, notation};
use damiera_words::{Lang, Param, t};

/// Says what a finding is.
pub(super) fn message(finding: &Finding, rules: &RuleSet, lang: Lang) -> String {
    let (why, example) = (why(finding, rules, lang), example(finding, rules));
    let params: [Param<'_>; 4] =
        [("text", &finding.text), ("reading", &finding.reading), ("why", &why), ("example", &example)];
    t(lang, &format!("pdn.{}", finding.code.text()), &params)
}

/// Says why a move is illegal.
fn why(finding: &Finding, rules: &RuleSet, lang: Lang) -> String {
    let Some(reason) = finding.why else { return String::new() };
    let square = reason.square().map(|bit| rules.board().name(bit));
    let (n, m) = (reason.n(), reason.m());
    let mut params: Vec<Param<'_>> = Vec::new();
    params.extend(n.as_ref().map(|n| ("n", n as _)));
    params.extend(m.as_ref().map(|m| ("m", m as _)));
    params.extend(square.as_ref().map(|square| ("square", square as _)));
    t(lang, &format!("why.{}", reason.code()), &params)
}

/// Returns a move as these rules write it, for a text that is none.
fn example(finding: &Finding, rules: &RuleSet) -> String {
    if finding.code != Code::Unreadable {
        return String::new();
    }
    rules.moves(&rules.initial()).first().map_or_else(String::new, |m| notation::short(rules, m))
}
