//! Flips every field of every rule set in turn. A flip that no article of that field notices is a hole in the tests, unless it is listed below as one
//! that changes no game.

use std::process::ExitCode;

use damiera_rules::presets::KEYS;
use damiera_rules::ruleset::clause_text;
use damiera_rules::{RuleSet, Shape};

use crate::check::Article;

/// What each field can be instead.
const VALUES: [(&str, &[&str]); 18] = [
    ("board", &["8x8", "10x10", "12x12", "8x8-orthogonal"]),
    ("mirrored", &["true", "false"]),
    ("names", &["numbers_from_top", "numbers_from_bottom", "letters"]),
    ("light", &["true", "false"]),
    ("rows", &["1", "2", "3", "4", "5"]),
    ("behind", &["0", "1"]),
    ("first", &["white", "black"]),
    ("capture", &["obligatory", "optional"]),
    ("men_capture", &["forward", "everywhere"]),
    ("men_take_kings", &["true", "false"]),
    ("lines", &["as_moving", "eight"]),
    ("king", &["short", "flying"]),
    ("landing", &["anywhere", "behind", "behind_last_king"]),
    ("promotion", &["stops", "at_end", "at_once"]),
    ("removal", &["at_end", "at_once"]),
    ("turn_back", &["true", "false"]),
    ("king_run", &["0", "3"]),
    ("goal", &["normal", "losing", "first_king"]),
];

const STEPS: [&str; 5] = ["number", "with_king", "most_kings", "kings_first", "value"];

/// Returns why a flip changes no legal move and no game, if that is known.
fn changes_nothing(rules: &RuleSet, field: &str, value: &str) -> Option<&'static str> {
    let now =
        |name: &str| rules.fields().into_iter().find(|(f, _)| *f == name).map(|(_, v)| v).unwrap_or_default();
    let is = |name: &str, value: &str| now(name).trim_matches('"') == value;
    let forward = is("men_capture", "forward") && rules.shape() != Shape::Orthogonal8;
    match field {
        "landing" | "removal" if is("king", "short") => {
            Some("a short king lands right behind, and never meets a captured piece's square")
        }
        "promotion" if forward && value != "at_once" && !is("promotion", "at_once") => {
            Some("a man that captures forward only cannot go on from the last row")
        }
        "mirrored" if rules.shape() == Shape::Orthogonal8 => {
            Some("all squares are played on: there is no corner to mirror")
        }
        "ladder" if value == "number+most_kings+with_king+kings_first" && is("men_take_kings", "false") => {
            Some("who captures kings is a king already")
        }
        "ladder" if value == "number+most_kings+value" => {
            Some("as many pieces and as many kings are worth as much")
        }
        "ladder" if value.starts_with("value+with_king+") && !value.ends_with("kings_first") => {
            Some("what is worth as much is as many pieces and as many kings")
        }
        "turn_back" if is("removal", "at_end") => {
            Some("the piece just captured stands behind and may not be jumped twice")
        }
        _ => None,
    }
}

pub(crate) fn run(articles: &[Article]) -> ExitCode {
    let (mut caught, mut equal, mut holes) = (0, 0, Vec::new());
    for key in KEYS {
        let Some(rules) = RuleSet::known(key) else { continue };
        for (field, value) in flips(&rules) {
            let spec = format!("{key},{}={value}", field.split('.').next().unwrap_or(&field));
            // A flip may contradict itself (rows that do not fit the board): then there is nothing to play.
            let Ok(mutant) = RuleSet::parse(&spec) else { continue };
            if mutant.fingerprint() == rules.fingerprint() {
                continue;
            }
            let noticed = articles
                .iter()
                .filter(|a| a.rules == key && a.fields.contains(&field))
                .any(|a| a.check_rules(mutant.clone()).is_err());
            match (noticed, changes_nothing(&rules, &field, &value)) {
                (true, _) => caught += 1,
                (false, Some(_)) => equal += 1,
                (false, None) => holes.push(format!("{key}: {field}={value}")),
            }
        }
    }
    for hole in &holes {
        eprintln!("not noticed by any article of that field: {hole}");
    }
    eprintln!(
        "{caught} flips noticed, {equal} change nothing (with a reason each), {} not noticed",
        holes.len()
    );
    if holes.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns every flip of a rule set: the field (`draws.ID` for a clause) and the other value.
fn flips(rules: &RuleSet) -> Vec<(String, String)> {
    let mut flips: Vec<(String, String)> = VALUES
        .iter()
        .flat_map(|(field, values)| values.iter().map(|value| (field.to_string(), value.to_string())))
        .collect();
    flips.extend(ladder_flips(rules).into_iter().map(|value| ("ladder".to_string(), value)));
    flips.extend(draw_flips(rules));
    flips
}

/// Each step left out, two neighbours exchanged, one more step put at the end.
fn ladder_flips(rules: &RuleSet) -> Vec<String> {
    let steps: Vec<&str> =
        rules.movement().ladder.steps().map(damiera_rules::ruleset::words::criterion).collect();
    let text = |steps: Vec<&str>| if steps.is_empty() { "free".to_string() } else { steps.join("+") };
    let mut flips = Vec::new();
    for i in 0..steps.len() {
        let mut without = steps.clone();
        without.remove(i);
        flips.push(text(without));
        if i + 1 < steps.len() {
            let mut exchanged = steps.clone();
            exchanged.swap(i, i + 1);
            flips.push(text(exchanged));
        }
    }
    if steps.len() < 4 {
        for more in STEPS.iter().filter(|more| !steps.contains(more)) {
            let mut longer = steps.clone();
            longer.push(more);
            flips.push(text(longer));
        }
    }
    flips
}

/// Each clause left out, its limit one less and one more, automatic for claim, another side's moves.
fn draw_flips(rules: &RuleSet) -> Vec<(String, String)> {
    let texts: Vec<String> = rules.draws().clauses.iter().map(clause_text).collect();
    let mut flips = Vec::new();
    for (i, clause) in rules.draws().clauses.iter().enumerate() {
        let field = format!("draws.{}", clause.id);
        let mut put = |changed: Option<String>| {
            let mut list = texts.clone();
            match changed {
                Some(text) => list[i] = text,
                None => {
                    list.remove(i);
                }
            }
            let value = if list.is_empty() { "none".to_string() } else { list.join("+") };
            flips.push((field.clone(), value));
        };
        put(None);
        let mut with_limit = |limit: u16| {
            let mut changed = clause.clone();
            changed.limit = limit;
            put(Some(clause_text(&changed)));
        };
        with_limit(clause.limit + 1);
        if clause.limit > 0 {
            with_limit(clause.limit - 1);
        }
        let mut changed = clause.clone();
        changed.mode = match clause.mode {
            damiera_rules::draws::Mode::Automatic => damiera_rules::draws::Mode::Claim,
            damiera_rules::draws::Mode::Claim => damiera_rules::draws::Mode::Automatic,
        };
        put(Some(clause_text(&changed)));
        if clause.limit > 0 && !clause.is_repetition() && !clause.within.is_empty() {
            for of in [
                damiera_rules::draws::Of::Each,
                damiera_rules::draws::Of::Strong,
                damiera_rules::draws::Of::Weak,
            ] {
                let mut changed = clause.clone();
                changed.of = of;
                put(Some(clause_text(&changed)));
            }
        }
        if clause.unless_won || clause.except.is_some() {
            let mut changed = clause.clone();
            changed.unless_won = false;
            changed.except = None;
            put(Some(clause_text(&changed)));
        }
    }
    flips
}
