//! The page itself: the files of `web/`, embedded, and the words.

use axum::Router;
use axum::extract::Path;
use axum::http::header::{self, HeaderMap};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use damiera_words::Lang;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web"]
#[exclude = "test/*"]
#[exclude = "rules/*"]
struct Web;

/// Words that the page never shows.
const NOT_FOR_THE_PAGE: [&str; 3] = ["cli.", "tui.", "rp."];

/// Whatever may change with a new build is asked for again each time, and costs only a header when it has not changed.
const ASK_AGAIN: &str = "no-cache";

pub(crate) fn routes() -> Router {
    Router::new()
        .route("/", get(page))
        .route("/g/{game}", get(page))
        .route("/lang/{file}", get(words))
        .fallback(file)
}

async fn page(headers: HeaderMap) -> Response {
    serve("index.html", &headers)
}

async fn file(uri: Uri, headers: HeaderMap) -> Response {
    serve(uri.path().trim_start_matches('/'), &headers)
}

fn serve(path: &str, headers: &HeaderMap) -> Response {
    match Web::get(path) {
        None => not_found(),
        Some(file) => {
            let tag = tag(&file.metadata.sha256_hash()[..16]);
            answer(headers, kind(path), &tag, file.data.into_owned())
        }
    }
}

async fn words(Path(file): Path<String>, headers: HeaderMap) -> Response {
    let lang =
        file.strip_suffix(".json").and_then(|tag| Lang::ALL.into_iter().find(|lang| lang.tag() == tag));
    match lang {
        None => not_found(),
        Some(lang) => {
            let json = damiera_words::json_without(lang, &NOT_FOR_THE_PAGE);
            let tag = tag_of_text(&json);
            answer(&headers, "application/json", &tag, json.into_bytes())
        }
    }
}

pub(crate) fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "Not found.\n").into_response()
}

/// Answers with a body, or with nothing where the client has it already.
pub(crate) fn answer(headers: &HeaderMap, kind: &'static str, tag: &str, body: Vec<u8>) -> Response {
    let caching = [(header::ETAG, tag.to_string()), (header::CACHE_CONTROL, ASK_AGAIN.to_string())];
    if is_known(headers, tag) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    (caching, [(header::CONTENT_TYPE, kind)], body).into_response()
}

/// Compression weakens a tag on its way to the client (`W/"…"`), so only what is between the quotes counts.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag)
}

fn tag(bytes: &[u8]) -> String {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hex}\"")
}

/// Returns a tag of a text made at run time (FNV-1a).
pub(crate) fn tag_of_text(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    tag(&hash.to_be_bytes())
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
