//! Rules as JSON.

use axum::extract::Query;
use axum::http::StatusCode;
use axum::http::header::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use damiera_rules::RuleSet;
use damiera_rules::presets::KEYS;
use damiera_table::json::{RulesJson, rules_json};
use serde::Deserialize;

use crate::assets::{answer, tag_of};

pub(crate) fn routes() -> Router {
    Router::new().route("/api/rules", get(rules))
}

#[derive(Deserialize)]
struct Asked {
    spec: Option<String>,
}

async fn rules(Query(asked): Query<Asked>, headers: HeaderMap) -> Response {
    let json = match &asked.spec {
        None => {
            let all: Vec<RulesJson> =
                KEYS.iter().filter_map(|key| RuleSet::known(key)).map(|r| rules_json(&r)).collect();
            serde_json::to_string(&all)
        }
        Some(spec) => match RuleSet::parse(spec) {
            Ok(rules) => serde_json::to_string(&rules_json(&rules)),
            Err(error) => {
                let error = serde_json::json!({ "error": error.to_string() });
                return (StatusCode::NOT_FOUND, Json(error)).into_response();
            }
        },
    };
    // Rules are plain data: they can always be written.
    let json = json.unwrap_or_default();
    let tag = tag_of(json.as_bytes());
    answer(&headers, "application/json", &tag, json.into_bytes())
}
