//! Rules and openings as JSON.

use std::sync::Arc;

use axum::extract::Query;
use axum::http::StatusCode;
use axum::http::header::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use damiera_rules::RuleSet;
use damiera_rules::presets::KEYS;
use damiera_table::json::{RulesJson, board_string, rules_json};
use damiera_table::{Ballot, Ballots};
use serde::{Deserialize, Serialize};

use crate::assets::{answer, tag_of};

pub(crate) fn routes() -> Router {
    Router::new().route("/api/rules", get(rules)).route("/api/openings", get(openings))
}

#[derive(Deserialize)]
struct Asked {
    spec: Option<String>,
}

async fn rules(Query(asked): Query<Asked>, headers: HeaderMap) -> Response {
    let Some(spec) = asked.spec else {
        let all: Vec<RulesJson> =
            KEYS.iter().filter_map(|key| RuleSet::known(key)).map(|r| rules_json(&r)).collect();
        return json(&headers, &all);
    };
    match RuleSet::parse(&spec) {
        Ok(rules) => json(&headers, &rules_json(&rules)),
        Err(error) => unknown(&error.to_string()),
    }
}

/// A list of openings.
#[derive(Serialize)]
struct List {
    list: &'static str,
    ballots: Vec<BallotJson>,
}

/// An opening.
#[derive(Serialize)]
struct BallotJson {
    number: u16,
    barred: bool,
    removed: Vec<&'static str>,
    moves: Vec<&'static str>,
    board: String,
}

async fn openings(Query(asked): Query<Asked>, headers: HeaderMap) -> Response {
    let rules = match RuleSet::parse(&asked.spec.unwrap_or_default()) {
        Ok(rules) => rules,
        Err(error) => return unknown(&error.to_string()),
    };
    let rules = Arc::new(rules);
    let list = |l: Ballots| List {
        list: l.name,
        ballots: l.list.into_iter().filter_map(|b| ballot_json(&rules, b)).collect(),
    };
    json(&headers, &Ballots::of(&rules).into_iter().map(list).collect::<Vec<List>>())
}

/// Returns an opening with the position after its moves; `None` where the rules do not allow them.
fn ballot_json(rules: &Arc<RuleSet>, ballot: Ballot) -> Option<BallotJson> {
    let board = board_string(rules, ballot.game(rules)?.position());
    Some(BallotJson {
        number: ballot.number,
        barred: ballot.barred,
        removed: ballot.removed,
        moves: ballot.moves,
        board,
    })
}

fn json(headers: &HeaderMap, value: &impl Serialize) -> Response {
    // Plain data with string keys can always be written.
    let json = serde_json::to_string(value).unwrap_or_default();
    let tag = tag_of(json.as_bytes());
    answer(headers, "application/json", &tag, json.into_bytes())
}

fn unknown(error: &str) -> Response {
    (StatusCode::NOT_FOUND, Json(serde_json::json!({ "error": error }))).into_response()
}
