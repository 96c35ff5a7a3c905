//! Diagrams: what the board component draws, and the same in words.

use std::sync::Arc;

use damiera_rules::explain::explain;
use damiera_rules::{Bits, Game, Move, Position, RuleSet, Side, fen, notation};
use damiera_table::json::{BoardJson, MoveJson, attempt_json, board_json, board_string, short_move_json};
use damiera_words::{Lang, t};
use serde::Serialize;

use super::content::{Figure, Show};

/// So many legal moves are drawn where a figure shows a choice.
const MOST_DRAWN: usize = 3;

/// What the board component reads.
#[derive(Serialize)]
struct Data {
    geometry: BoardJson,
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<Drawn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Why>,
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Why {
    yours: Option<Drawn>,
    better: Vec<Drawn>,
}

/// A path as it is drawn.
#[derive(Serialize)]
struct Drawn {
    path: Vec<String>,
    captured: Vec<String>,
}

impl From<MoveJson> for Drawn {
    fn from(m: MoveJson) -> Drawn {
        Drawn { path: m.path, captured: m.captured }
    }
}

/// A figure, played.
pub(crate) struct Picture {
    /// For the board component.
    pub(crate) data: String,
    /// For those who do not see it.
    pub(crate) words: String,
}

/// Returns the rules of a figure, or what is wrong with their name.
pub(crate) fn rules_of(figure: &Figure, page: &RuleSet) -> Result<RuleSet, String> {
    match &figure.rules {
        None => Ok(page.clone()),
        Some(name) => RuleSet::parse(name).map_err(|error| error.to_string()),
    }
}

/// Returns the position of a figure, or what is wrong with it.
pub(crate) fn position_of(figure: &Figure, rules: &RuleSet) -> Result<Position, String> {
    if figure.fen == "start" {
        return Ok(rules.initial());
    }
    fen::parse(rules, &figure.fen).map_err(|error| error.to_string())
}

/// Draws a figure. The error says what in it is wrong.
pub(crate) fn draw(lang: Lang, figure: &Figure, page: &RuleSet) -> Result<Picture, String> {
    let rules = rules_of(figure, page)?;
    let start = position_of(figure, &rules)?;
    let mut words = vec![in_words(lang, figure, &rules, &start)];
    let mut data = Data {
        geometry: board_json(&rules),
        position: board_string(&rules, &start),
        last: None,
        why: None,
        numbers: figure.numbers.clone(),
    };
    if figure.show == Show::After {
        let (end, last) = play_all(figure, &rules, start)?;
        data.position = board_string(&rules, &end);
        words = vec![in_words(lang, figure, &rules, &end)];
        data.last = last.map(Drawn::from);
    } else {
        data.why = attempts(lang, figure, &rules, &start, &mut words)?;
    }
    // Plain data with string keys can always be written.
    Ok(Picture { data: serde_json::to_string(&data).unwrap_or_default(), words: words.join(" ") })
}

fn play_all(
    figure: &Figure,
    rules: &RuleSet,
    start: Position,
) -> Result<(Position, Option<MoveJson>), String> {
    let mut game = Game::new(Arc::new(rules.clone()), start);
    let mut last = None;
    for text in &figure.play {
        let m = notation::parse(rules, game.position(), text).map_err(|error| format!("{text}: {error}"))?;
        last = Some(short_move_json(rules, game.position(), &game.legal_moves(), &m));
        game.play(&m).map_err(|error| format!("{text}: {error}"))?;
    }
    Ok((*game.position(), last))
}

/// Returns the refused attempt and the moves to be drawn, and says them in words.
fn attempts(
    lang: Lang,
    figure: &Figure,
    rules: &RuleSet,
    position: &Position,
    words: &mut Vec<String>,
) -> Result<Option<Why>, String> {
    let yours = figure.illegal.first().map(|text| attempt(rules, position, text)).transpose()?;
    let legal = rules.moves(position);
    let better: Vec<MoveJson> = match figure.play.first() {
        Some(text) => vec![drawn_as_written(rules, position, &legal, text)?],
        None => worth_drawing(figure, &legal).map(|m| short_move_json(rules, position, &legal, m)).collect(),
    };
    if yours.is_none() && better.is_empty() {
        return Ok(None);
    }
    words.extend(figure.illegal.first().map(|text| t(lang, "rp.fig.refused", &[("move", text)])));
    words.extend(better.iter().map(|m| t(lang, "rp.fig.move", &[("move", &m.text)])));
    Ok(Some(Why { yours, better: better.into_iter().map(Drawn::from).collect() }))
}

/// A figure without moves of its own that shows a choice or a refusal: the moves that are legal instead.
fn worth_drawing<'a>(figure: &Figure, legal: &'a [Move]) -> impl Iterator<Item = &'a Move> {
    let shown = figure.legal.is_some() || !figure.illegal.is_empty();
    legal.iter().take(if shown && legal.len() <= 2 * MOST_DRAWN { MOST_DRAWN } else { 0 })
}

/// A move is drawn by the way that its text names, square by square where it can be.
fn drawn_as_written(
    rules: &RuleSet,
    position: &Position,
    legal: &[Move],
    text: &str,
) -> Result<MoveJson, String> {
    let m = notation::parse(rules, position, text).map_err(|error| format!("{text}: {error}"))?;
    let named = notation::parse_squares(rules, text).map_err(|error| format!("{text}: {error}"))?;
    let names: Vec<String> = named.iter().map(|bit| rules.board().name(*bit)).collect();
    let mut json = damiera_table::json::move_json(rules, position, legal, &m);
    if let Some(way) = json.paths.iter().find(|way| way.path == names) {
        (json.path, json.captured) = (way.path.clone(), way.captured.clone());
    }
    json.text = notation::path_text(rules, &named, m.is_capture());
    Ok(json)
}

fn attempt(rules: &RuleSet, position: &Position, text: &str) -> Result<Drawn, String> {
    let squares = notation::parse_squares(rules, text).map_err(|error| format!("{text}: {error}"))?;
    let drawn = match explain(rules, position, &squares).yours {
        Some((m, path)) => attempt_json(rules, &m, &path).into(),
        None => {
            Drawn { path: squares.iter().map(|bit| rules.board().name(*bit)).collect(), captured: Vec::new() }
        }
    };
    Ok(drawn)
}

fn in_words(lang: Lang, figure: &Figure, rules: &RuleSet, position: &Position) -> String {
    if figure.fen == "start" && figure.show == Show::Before {
        return t(lang, "rp.fig.start", &[]);
    }
    let side = |side: Side, key: &str| t(lang, key, &[("pieces", &pieces(lang, rules, position, side))]);
    let turn = if position.side().is_white() { "page.turn.white" } else { "page.turn.black" };
    format!(
        "{} {} {}.",
        side(Side::White, "rp.fig.white"),
        side(Side::Black, "rp.fig.black"),
        t(lang, turn, &[])
    )
}

fn pieces(lang: Lang, rules: &RuleSet, position: &Position, side: Side) -> String {
    let parts: Vec<String> = [(position.men(side), "rp.fig.men"), (position.kings_of(side), "rp.fig.kings")]
        .into_iter()
        .filter(|(set, _)| set.any())
        .map(|(set, key)| {
            let squares: Vec<String> = set.iter().map(|bit| rules.board().name(bit)).collect();
            t(lang, key, &[("n", &squares.len()), ("squares", &squares.join(", "))])
        })
        .collect();
    if parts.is_empty() { t(lang, "rp.fig.none", &[]) } else { parts.join(", ") }
}
