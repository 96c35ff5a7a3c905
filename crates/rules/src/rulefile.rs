//! Reading rule sets: canonical names such as `brazilian,capture=optional,first=black`, and rule files in TOML. Both change fields of a
//! known rule set; both speak of the fields of [`RuleSet::fields`], and of `repetition` and `without` for single draw clauses.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::movement::{CaptureLines, Ladder};
use crate::presets::{EXTRA_DRAWS, KEYS, draws, preset};
use crate::ruleset::{Draws, RuleSet, parse_clause, words};
use crate::source::{Source, Status};

/// Why a rule set could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleError {
    /// Line and column in the rule file, from 1; `None` for a canonical name.
    pub place: Option<(usize, usize)>,
    /// What is wrong and what is accepted.
    pub message: String,
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "line {line}, column {column}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl core::error::Error for RuleError {}

/// The key of a rule set that is defined completely, without a known one to start from.
const CUSTOM: &str = "custom";

/// The longest rule file or name that is read.
const MAX_LEN: usize = 64 * 1024;

impl RuleSet {
    /// Returns the known rule set with this key, without overrides.
    pub fn known(key: &str) -> Option<RuleSet> {
        preset(key)
    }

    /// Reads a canonical name: a key and overrides `field=value`, separated by commas, in any order.
    pub fn parse(name: &str) -> Result<RuleSet, RuleError> {
        let fail = |message| RuleError { place: None, message };
        if name.len() > MAX_LEN {
            return Err(fail(format!("the name of a rule set has at most {MAX_LEN} bytes")));
        }
        let (key, overrides) = split_key(name);
        let changes = read_overrides(overrides).map_err(fail)?;
        build(key, &changes).map_err(|(_, message)| fail(message))
    }

    /// Reads a rule file. It needs `extends = "KEY"`, or every field of [`RuleSet::fields`].
    pub fn from_toml(text: &str) -> Result<RuleSet, RuleError> {
        let at =
            |offset: usize, message: String| RuleError { place: Some(line_column(text, offset)), message };
        if text.len() > MAX_LEN {
            return Err(at(0, format!("a rule file has at most {MAX_LEN} bytes")));
        }
        let table = toml::de::DeTable::parse(text)
            .map_err(|error| at(error.span().map_or(0, |span| span.start), error.message().to_string()))?;
        let (mut name, mut extends) = (None, None);
        let (mut changes, mut places) = (Vec::new(), Vec::new());
        for (key, value) in table.get_ref() {
            let place = value.span().start;
            let value = value_text(value.get_ref())
                .map_err(|message| at(place, format!("\"{}\": {message}", key.get_ref())))?;
            match key.get_ref().as_ref() {
                "name" => name = Some((value, place)),
                "extends" => extends = Some((value, place)),
                field => {
                    changes.push((field.to_string(), value));
                    places.push((key.span().start, place));
                }
            }
        }
        let (base, base_place) = extends.map_or((CUSTOM.to_string(), 0), |(base, place)| (base, place));
        // A base may itself carry overrides: its fields come first, the file's own replace them.
        let (key, inherited) = split_key(&base);
        let mut all = read_overrides(inherited).map_err(|message| at(base_place, message))?;
        all.retain(|(field, _)| changes.iter().all(|(own, _)| own != field));
        let own_from = all.len();
        all.append(&mut changes);
        let mut rules = build(key, &all).map_err(|(index, message)| match index {
            Some(index) if index >= own_from => at(places[index - own_from].0, message),
            _ => at(base_place, message),
        })?;
        if let Some((name, place)) = name {
            if name.trim().is_empty() || name.chars().count() > 80 || name.chars().any(is_control) {
                return Err(at(place, "a name has 1 to 80 characters and no control characters".to_string()));
            }
            rules.name = Some(name.trim().to_string());
        }
        Ok(rules)
    }
}

/// Control characters, and those that turn the direction of the text around them.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Splits a canonical name into the key and the overrides behind it, if there are any.
fn split_key(name: &str) -> (&str, Option<&str>) {
    match name.split_once(',') {
        Some((key, overrides)) => (key.trim(), Some(overrides)),
        None => (name.trim(), None),
    }
}

/// Reads `field=value,field=value`.
fn read_overrides(text: Option<&str>) -> Result<Vec<(String, String)>, String> {
    let parts = text.into_iter().flat_map(|text| text.split(',')).map(str::trim);
    let read = |part: &str| {
        let (field, value) = part
            .split_once('=')
            .ok_or_else(|| format!("\"{}\" is no override: write field=value", shorten(part)))?;
        Ok((field.trim().to_string(), value.trim().to_string()))
    };
    parts.map(read).collect()
}

fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
    (line, column)
}

/// Returns a TOML value as it is written in a canonical name.
fn value_text(value: &toml::de::DeValue<'_>) -> Result<String, String> {
    use toml::de::DeValue;
    Ok(match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Array(list) => {
            let parts: Result<Vec<String>, String> = list
                .iter()
                .map(|item| match item.get_ref() {
                    DeValue::String(text) => Ok(text.to_string()),
                    _ => Err("a list holds strings".to_string()),
                })
                .collect();
            parts?.join("+")
        }
        _ => return Err("expected a string, a whole number, true or false, or a list of strings".to_string()),
    })
}

type BuildError = (Option<usize>, String);

fn build(key: &str, changes: &[(String, String)]) -> Result<RuleSet, BuildError> {
    let mut rules = match preset(key) {
        Some(rules) => rules,
        None if key == CUSTOM => blank(),
        None => return Err((None, unknown_key(key))),
    };
    for (i, (field, _)) in changes.iter().enumerate() {
        if changes[..i].iter().any(|(earlier, _)| earlier == field) {
            return Err((Some(i), format!("\"{field}\" is set twice")));
        }
    }
    if key == CUSTOM {
        let missing: Vec<&str> = rules
            .fields()
            .into_iter()
            .map(|(field, _)| field)
            .filter(|field| changes.iter().all(|(own, _)| own != field))
            .collect();
        if !missing.is_empty() {
            return Err((
                None,
                format!("without \"extends\" every field must be there; missing: {}", missing.join(", ")),
            ));
        }
    }
    // Single clauses are changed after the list of clauses that they belong to.
    let mut draw_changes = DrawChanges::default();
    for (i, (field, value)) in changes.iter().enumerate() {
        match field.as_str() {
            "repetition" => {
                let count = value.parse().ok().filter(|n: &u16| *n == 0 || (2..=1000).contains(n));
                let count = count.ok_or_else(|| {
                    (
                        Some(i),
                        format!(
                            "repetition=\"{value}\": expected 2 to 1000 occurrences, or 0 for no such rule"
                        ),
                    )
                })?;
                draw_changes.repetition = Some(count);
            }
            "without" => draw_changes.without = value.split('+').map(|id| (i, id.to_string())).collect(),
            _ => set_field(&mut rules, field, value).map_err(|message| (Some(i), message))?,
        }
    }
    draw_changes.apply(&mut rules)?;
    check(&rules).map_err(|message| (None, message))?;
    name_overrides(&mut rules, key, &draw_changes);
    Ok(rules)
}

#[derive(Default)]
struct DrawChanges {
    repetition: Option<u16>,
    without: Vec<(usize, String)>,
}

impl DrawChanges {
    fn apply(&mut self, rules: &mut RuleSet) -> Result<(), BuildError> {
        let clauses = &mut rules.draws.clauses;
        for (i, id) in &self.without {
            let Some(at) = clauses.iter().position(|clause| clause.id == id.as_str()) else {
                let known: Vec<&str> = clauses.iter().map(|clause| clause.id.as_ref()).collect();
                return Err((
                    Some(*i),
                    format!(
                        "without=\"{id}\": these rules have no such draw clause (they have: {})",
                        known.join(", ")
                    ),
                ));
            };
            clauses.remove(at);
        }
        self.without.sort_by(|a, b| a.1.cmp(&b.1));
        let Some(count) = self.repetition else { return Ok(()) };
        let at = clauses.iter().position(|clause| clause.is_repetition());
        match (count, at) {
            (0, Some(at)) => {
                clauses.remove(at);
            }
            (0, None) => self.repetition = None,
            (count, Some(at)) if clauses[at].limit == count => self.repetition = None,
            (count, Some(at)) => {
                clauses[at].limit = count;
                clauses[at].source = Cow::Borrowed("override");
                clauses[at].status = Status::OurReading;
            }
            (count, None) => {
                let mut clause =
                    parse_clause("repetition=repetition:3").map_err(|message| (None, message))?;
                clause.limit = count;
                clause.source = Cow::Borrowed("override");
                clauses.push(clause);
            }
        }
        Ok(())
    }
}

fn unknown_key(key: &str) -> String {
    let near = KEYS.iter().filter(|known| !key.is_empty() && known.starts_with(beginning(key)));
    let near: Vec<&str> = near.copied().collect();
    let list = if near.is_empty() { KEYS.join(", ") } else { near.join(", ") };
    let shown: String = key.chars().take(40).collect();
    if near.is_empty() {
        format!("there is no rule set \"{shown}\"; known are: {list}")
    } else {
        format!("there is no rule set \"{shown}\"; did you mean {list}?")
    }
}

/// Returns the first three letters.
fn beginning(text: &str) -> &str {
    text.char_indices().nth(3).map_or(text, |(end, _)| &text[..end])
}

/// The value that a complete definition fills field by field.
fn blank() -> RuleSet {
    let mut rules = preset("international").unwrap_or_else(|| unreachable!("a known key"));
    rules.key = Cow::Borrowed(CUSTOM);
    rules.game_type = None;
    rules.sources.clear();
    rules
}

fn set_field(rules: &mut RuleSet, field: &str, value: &str) -> Result<(), String> {
    fn word<T>(
        field: &str,
        value: &str,
        parse: impl Fn(&str) -> Option<T>,
        accepted: &str,
    ) -> Result<T, String> {
        parse(&value.replace('-', "_"))
            .or_else(|| parse(value))
            .ok_or_else(|| format!("{field}=\"{}\" is not understood; accepted: {accepted}", shorten(value)))
    }
    let flag = |value: &str| match value {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    };
    let small = |value: &str| value.parse::<u8>().ok().filter(|n| *n <= 100);
    match field {
        "board" => {
            rules.board.shape = word(field, value, words::parse_board, "8x8, 10x10, 12x12, 8x8-orthogonal")?;
        }
        "mirrored" => rules.board.mirrored = word(field, value, flag, "true, false")?,
        "light" => rules.board.light = word(field, value, flag, "true, false")?,
        "names" => {
            rules.board.naming =
                word(field, value, words::parse_naming, "numbers_from_top, numbers_from_bottom, letters")?;
        }
        "rows" => rules.start.rows = word(field, value, small, "a number of rows")?,
        "behind" => rules.start.behind = word(field, value, small, "a number of rows")?,
        "first" => rules.first = word(field, value, words::parse_side, "white, black")?,
        "capture" => {
            rules.movement.capture = word(field, value, words::parse_obligation, "obligatory, optional")?;
        }
        "men_capture" => {
            rules.movement.men_capture = word(field, value, words::parse_men_capture, "forward, everywhere")?;
        }
        "men_take_kings" => rules.movement.men_take_kings = word(field, value, flag, "true, false")?,
        "lines" => rules.movement.lines = word(field, value, words::parse_lines, "as_moving, eight")?,
        "king" => rules.movement.king = word(field, value, words::parse_king, "short, flying")?,
        "landing" => {
            rules.movement.landing =
                word(field, value, words::parse_landing, "anywhere, behind, behind_last_king")?;
        }
        "ladder" => rules.movement.ladder = parse_ladder(value)?,
        "promotion" => {
            rules.movement.promotion = word(field, value, words::parse_promotion, "stops, at_end, at_once")?;
        }
        "removal" => rules.movement.removal = word(field, value, words::parse_removal, "at_end, at_once")?,
        "turn_back" => rules.movement.turn_back = word(field, value, flag, "true, false")?,
        "king_run" => {
            rules.movement.king_run = word(field, value, small, "0 for no limit, or a number of moves")?
        }
        "goal" => rules.goal = word(field, value, words::parse_goal, "normal, losing, first_king")?,
        "draws" => rules.draws = parse_draws(value)?,
        _ => {
            let known: Vec<&str> = rules.fields().into_iter().map(|(name, _)| name).collect();
            return Err(format!(
                "there is no field \"{}\"; known are: {}, repetition, without",
                shorten(field),
                known.join(", ")
            ));
        }
    }
    if let Some(source) = rules.sources.iter_mut().find(|source| source.field == field) {
        source.text = Cow::Borrowed("override");
        source.status = Status::OurReading;
    } else if let Some((name, _)) = rules.fields().into_iter().find(|(name, _)| *name == field) {
        rules.sources.push(Source {
            field: name,
            text: Cow::Borrowed("override"),
            status: Status::OurReading,
        });
    }
    Ok(())
}

fn shorten(text: &str) -> String {
    text.chars().take(60).collect()
}

fn parse_ladder(value: &str) -> Result<Ladder, String> {
    if value.is_empty() || value == "free" {
        return Ok(Ladder::FREE);
    }
    let mut steps = Vec::new();
    for word in value.split('+') {
        let step = words::parse_criterion(&word.replace('-', "_")).ok_or_else(|| {
            format!(
                "ladder: \"{}\" is no step; accepted: number, with_king, most_kings, kings_first, value, or free",
                shorten(word)
            )
        })?;
        if steps.contains(&step) {
            return Err(format!("ladder: \"{word}\" stands twice"));
        }
        if steps.len() == 4 {
            return Err("ladder: at most four steps".to_string());
        }
        steps.push(step);
    }
    Ok(Ladder::new(&steps))
}

fn parse_draws(value: &str) -> Result<Draws, String> {
    if let Some(clauses) = draws(value) {
        let name = KEYS.iter().chain(&EXTRA_DRAWS).find(|known| **known == value);
        return Ok(Draws { name: Cow::Borrowed(name.copied().unwrap_or("none")), clauses });
    }
    if value.is_empty() {
        return Ok(Draws { name: Cow::Borrowed("none"), clauses: Vec::new() });
    }
    if !value.contains('=') {
        return Err(format!(
            "draws=\"{}\" is not known; accepted: a rule set's key, {}, or a list of clauses ID=COUNTS:LIMIT…",
            shorten(value),
            EXTRA_DRAWS.join(", ")
        ));
    }
    let mut clauses = Vec::new();
    for text in value.split('+') {
        let clause = parse_clause(text).map_err(|message| format!("draws: {message}"))?;
        if clauses.iter().any(|earlier: &crate::draws::Clause| {
            earlier.id == clause.id || (earlier.is_repetition() && clause.is_repetition())
        }) {
            return Err(format!("draws: the clause \"{}\" stands twice", clause.id));
        }
        if clauses.len() == 16 {
            return Err("draws: at most 16 clauses".to_string());
        }
        clauses.push(clause);
    }
    Ok(Draws { name: Cow::Borrowed(CUSTOM), clauses })
}

fn check(rules: &RuleSet) -> Result<(), String> {
    let (size, start) = (rules.shape().size(), rules.start);
    if start.rows == 0 || 2 * (u16::from(start.rows) + u16::from(start.behind)) >= u16::from(size) {
        return Err(format!(
            "rows={} and behind={} do not fit on a board of {size} rows: at least one row of men a side and two empty rows between them",
            start.rows, start.behind
        ));
    }
    if rules.shape().is_orthogonal() && rules.movement.lines == CaptureLines::Eight {
        return Err("lines=eight needs a diagonal board".to_string());
    }
    Ok(())
}

/// Works out which fields differ from the base, and with them the canonical name.
fn name_overrides(rules: &mut RuleSet, key: &str, draw_changes: &DrawChanges) {
    let base = preset(key);
    let base_fields = base.as_ref().map(RuleSet::fields).unwrap_or_default();
    let mut parts: Vec<String> = Vec::new();
    for (field, value) in rules.fields() {
        let same = base_fields.iter().any(|(name, old)| *name == field && *old == value);
        if field != "draws" && !same {
            parts.push(format!("{field}={}", plain(&value)));
        }
    }
    let base_draws = base.as_ref().map(|base| base.draws.name.as_ref());
    if base_draws != Some(rules.draws.name.as_ref()) {
        let value = if rules.draws.name == CUSTOM {
            let custom = rules.draws.clauses.iter().map(crate::ruleset::clause_text);
            custom.collect::<Vec<_>>().join("+")
        } else {
            rules.draws.name.to_string()
        };
        parts.push(format!("draws={value}"));
    }
    if rules.draws.name != CUSTOM {
        if let Some(count) = draw_changes.repetition {
            parts.push(format!("repetition={count}"));
        }
        if !draw_changes.without.is_empty() {
            let ids: Vec<&str> = draw_changes.without.iter().map(|(_, id)| id.as_str()).collect();
            parts.push(format!("without={}", ids.join("+")));
        }
    }
    parts.sort();
    rules.canonical =
        core::iter::once(key).chain(parts.iter().map(String::as_str)).collect::<Vec<_>>().join(",");
    // The PDN number stands for a board, its names and who begins; it must not be claimed for another.
    let named = ["board", "mirrored", "names", "first"];
    if parts.iter().any(|part| named.iter().any(|field| part.starts_with(&format!("{field}=")))) {
        rules.game_type = None;
    }
    rules.overrides = parts;
}

/// Returns a TOML value as it is written in a canonical name.
fn plain(value: &str) -> String {
    value
        .trim_matches(['[', ']'])
        .split(", ")
        .map(|item| item.trim_matches('"'))
        .collect::<Vec<_>>()
        .join("+")
}
