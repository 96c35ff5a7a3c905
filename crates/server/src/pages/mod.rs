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
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use damiera_words::Lang;

use crate::assets::{answer, tag_of};

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

fn text_of(headers: &HeaderMap, name: HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn readers_language(headers: &HeaderMap) -> Lang {
    Lang::from_accept_language(text_of(headers, header::ACCEPT_LANGUAGE))
}

async fn in_the_readers_language(headers: HeaderMap) -> Redirect {
    Redirect::temporary(&format!("/{}/rules/", readers_language(&headers).tag()))
}

async fn with_slash(Path(tag): Path<String>, headers: HeaderMap) -> Response {
    match language(&tag) {
        None => not_found(&headers),
        Some(lang) => Redirect::permanent(&format!("/{}/rules/", lang.tag())).into_response(),
    }
}

/// Says that there is nothing at an address: to a person with a page that leads on, to a program with a word.
pub(crate) fn not_found(headers: &HeaderMap) -> Response {
    if !text_of(headers, header::ACCEPT).contains("text/html") {
        return (StatusCode::NOT_FOUND, "Not found.\n").into_response();
    }
    (StatusCode::NOT_FOUND, Html(render::missing(readers_language(headers)))).into_response()
}

async fn index(Path(tag): Path<String>, headers: HeaderMap) -> Response {
    respond(language(&tag).map(render::index), &headers)
}

async fn page(Path((tag, key)): Path<(String, String)>, headers: HeaderMap) -> Response {
    respond(language(&tag).and_then(|lang| render::page(lang, &key)), &headers)
}

fn respond(html: Option<String>, headers: &HeaderMap) -> Response {
    match html {
        None => not_found(headers),
        Some(html) => {
            let tag = tag_of(html.as_bytes());
            answer(headers, "text/html; charset=utf-8", &tag, html.into_bytes())
        }
    }
}
