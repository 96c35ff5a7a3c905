//! The page itself: the files of `web/`, embedded, and the words.

use axum::Router;
use axum::extract::Path;
use axum::http::header::{self, HeaderMap};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use damiera_words::Lang;
use rust_embed::RustEmbed;

use crate::pages::not_found;

#[derive(RustEmbed)]
#[folder = "../../web"]
#[exclude = "test/*"]
#[exclude = "rules/*"]
struct Web;

/// Words that the page never shows.
const NOT_FOR_THE_PAGE: [&str; 5] = ["cli.", "tui.", "rp.", "pdn.", GAMES];

/// Words that the page fetches when it shows files of games.
const GAMES: &str = "page.games.";

/// Whatever may change with a new build is asked for again each time, and costs only a header when it has not changed.
const ASK_AGAIN: &str = "no-cache";

pub(crate) fn routes() -> Router {
    Router::new()
        .route("/", get(page))
        .route("/g/{game}", get(page))
        .route("/games", get(page))
        .route("/games/{file}", get(page))
        .route("/games/{file}/{game}", get(page))
        .route("/lang/{file}", get(words))
        .route("/lang/games/{file}", get(words_for_games))
        .fallback(file)
}

async fn page(headers: HeaderMap) -> Response {
    serve("index.html", &headers)
}

async fn file(uri: Uri, headers: HeaderMap) -> Response {
    serve(uri.path().trim_start_matches('/'), &headers)
}

fn serve(path: &str, headers: &HeaderMap) -> Response {
    let Some(file) = Web::get(path) else { return not_found(headers) };
    let kind = kind(path);
    let body = match std::str::from_utf8(&file.data) {
        Ok(script) if path.ends_with(".js") => bare(script, "/**").into_bytes(),
        Ok(sheet) if path.ends_with(".css") => bare(sheet, "/*").into_bytes(),
        _ => file.data.into_owned(),
    };
    let tag = tag_of(&body);
    answer(headers, kind, &tag, body)
}

/// Returns a script or a style sheet without its comments and its indentation. This relies on the house's style: a comment is a block that begins with
/// `block` (in scripts only JSDoc, which no text contains) or a line that begins with `//`.
fn bare(source: &str, block: &str) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, comment)) = rest.split_once(block) {
        kept.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    let lines = kept.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.fold(String::with_capacity(kept.len()), |text, line| text + line + "\n")
}

async fn words(Path(file): Path<String>, headers: HeaderMap) -> Response {
    serve_words(&file, &headers, |lang| damiera_words::json_without(lang, &NOT_FOR_THE_PAGE))
}

async fn words_for_games(Path(file): Path<String>, headers: HeaderMap) -> Response {
    serve_words(&file, &headers, |lang| damiera_words::json_of(lang, GAMES))
}

fn serve_words(file: &str, headers: &HeaderMap, json: impl Fn(Lang) -> String) -> Response {
    let lang =
        file.strip_suffix(".json").and_then(|tag| Lang::ALL.into_iter().find(|lang| lang.tag() == tag));
    match lang.map(json) {
        None => not_found(headers),
        Some(json) => {
            let tag = tag_of(json.as_bytes());
            answer(headers, "application/json", &tag, json.into_bytes())
        }
    }
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

/// Returns the tag of a body (FNV-1a): another body, another tag.
pub(crate) fn tag_of(body: &[u8]) -> String {
    let hash = body.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("\"{hash:016x}\"")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_lose_their_comments_and_nothing_else() {
        let script = "// A file.\nimport './a.js';\n\n/** Adds.\n * @param {number} a */\nconst f = a => {\n  // One more.\n  return a / 2; // half\n};\n";
        assert_eq!(bare(script, "/**"), "import './a.js';\nconst f = a => {\nreturn a / 2; // half\n};\n");
        let sheet = "/* Tokens. */\na { color: red; } /* red */\n  b { }\n";
        assert_eq!(bare(sheet, "/*"), "a { color: red; } \nb { }\n");
    }
}
