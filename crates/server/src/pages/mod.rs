//! The rules pages: one for each rule set and language, made of what people wrote (`web/rules`), of the rules as data, and of diagrams.

mod content;
mod facts;
mod figure;
mod html;
mod render;
#[cfg(test)]
mod tests;

use axum::Router;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use damiera_words::Lang;

use crate::assets::{answer, not_found, tag_of};

pub(crate) fn routes() -> Router {
    Router::new()
        .route("/rules", get(in_the_readers_language))
        .route("/rules/", get(in_the_readers_language))
        .route("/{lang}/rules", get(with_slash))
        .route("/{lang}/rules/", get(index))
        .route("/{lang}/rules/{key}", get(page))
}

fn language(tag: &str) -> Option<Lang> {
    Lang::ALL.into_iter().find(|lang| lang.tag() == tag)
}

async fn in_the_readers_language(headers: HeaderMap) -> Redirect {
    let wanted =
        headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    Redirect::temporary(&format!("/{}/rules/", Lang::from_accept_language(wanted).tag()))
}

async fn with_slash(Path(tag): Path<String>) -> Response {
    language(&tag).map_or_else(not_found, |lang| {
        Redirect::permanent(&format!("/{}/rules/", lang.tag())).into_response()
    })
}

async fn index(Path(tag): Path<String>, headers: HeaderMap) -> Response {
    respond(language(&tag).map(render::index), &headers)
}

async fn page(Path((tag, key)): Path<(String, String)>, headers: HeaderMap) -> Response {
    respond(language(&tag).and_then(|lang| render::page(lang, &key)), &headers)
}

fn respond(html: Option<String>, headers: &HeaderMap) -> Response {
    match html {
        None => not_found(),
        Some(html) => {
            let tag = tag_of(html.as_bytes());
            answer(headers, "text/html; charset=utf-8", &tag, html.into_bytes())
        }
    }
}
