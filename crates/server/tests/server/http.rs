//! What is served, and to whom.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, StatusCode};
use damiera_table::Computer;
use serde_json::Value;
use tower::ServiceExt;

fn app(folder: &tempfile::TempDir) -> Router {
    damiera_server::app(folder.path(), Arc::new(Computer::new(crate::client::BEST)), Vec::new())
}

async fn get(app: &Router, path: &str, headers: &[(&str, &str)]) -> Response<Body> {
    let mut request = Request::get(path).header("host", "127.0.0.1:7531");
    for (name, value) in headers {
        request = if *name == "host" {
            Request::get(path).header("host", *value)
        } else {
            request.header(*name, *value)
        };
    }
    let request = request.body(Body::empty()).expect("a request");
    app.clone().oneshot(request).await.expect("an answer")
}

async fn text(response: Response<Body>) -> String {
    let bytes = to_bytes(response.into_body(), 1 << 24).await.expect("a body");
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[tokio::test]
async fn every_page_forbids_what_it_does_not_need() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    for path in ["/", "/g/abc", "/games", "/games/abc/1", "/it/rules/", "/pt-BR/rules/brazilian"] {
        let response = get(&app, path, &[]).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let csp = response.headers()["content-security-policy"].to_str().unwrap();
        assert!(
            csp.starts_with("default-src 'none'; script-src 'self'; style-src 'self'")
                && !csp.contains("unsafe"),
            "{csp}"
        );
        assert_eq!(response.headers()["x-content-type-options"], "nosniff");
        assert!(response.headers().contains_key("referrer-policy"));
        let html = text(response).await;
        assert!(
            !html.contains("<style") && !html.contains(" style=") && !html.contains("<script>"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn files_that_the_pages_name_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    for page in ["/", "/en/rules/italian"] {
        let html = text(get(&app, page, &[]).await).await;
        let named: Vec<&str> = ["href=\"/", "src=\"/"]
            .iter()
            .flat_map(|start| html.split(start).skip(1))
            .filter_map(|rest| rest.split_once('"'))
            .map(|(path, _)| path)
            .filter(|path| [".js", ".css", ".svg"].iter().any(|end| path.ends_with(end)))
            .collect();
        assert!(named.len() > 8, "{page}: {named:?}");
        for path in named {
            let response = get(&app, &format!("/{path}"), &[]).await;
            assert_eq!(response.status(), StatusCode::OK, "{page} names /{path}");
            let kind = response.headers()["content-type"].to_str().unwrap();
            assert!(
                kind.contains("javascript") || kind.contains("css") || kind.contains("svg"),
                "{path}: {kind}"
            );
        }
    }
}

#[tokio::test]
async fn a_new_build_is_never_stale_and_an_old_one_is_not_sent_twice() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    for path in ["/app.js", "/lang/it.json", "/lang/games/it.json", "/api/rules", "/it/rules/italian"] {
        let first = get(&app, path, &[]).await;
        assert_eq!(first.headers()["cache-control"], "no-cache", "{path}");
        let tag = first.headers()["etag"].to_str().unwrap().to_string();
        let again = get(&app, path, &[("if-none-match", &tag)]).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{path}");
        let other = get(&app, path, &[("if-none-match", "\"other\"")]).await;
        assert_eq!(other.status(), StatusCode::OK, "{path}");
    }
    let packed = get(&app, "/app.js", &[("accept-encoding", "gzip")]).await;
    assert_eq!(packed.headers()["content-encoding"], "gzip");
}

#[tokio::test]
async fn only_this_computer_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    for host in ["evil.example", "evil.example:7531", "127.0.0.1.evil.example", "", "[::2]:7531"] {
        let response = get(&app, "/", &[("host", host)]).await;
        assert_eq!(response.status(), StatusCode::MISDIRECTED_REQUEST, "{host}");
    }
    for host in ["localhost:7531", "LOCALHOST", "127.0.0.1:1"] {
        assert_eq!(get(&app, "/", &[("host", host)]).await.status(), StatusCode::OK, "{host}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    for path in [
        "/nothing",
        "/lang/xx.json",
        "/lang/../app.js",
        "/lang/games/xx.json",
        "/lang/rules/it.json",
        "/games/a/b/c",
        "/xx/rules/",
        "/it/rules/klingon",
        "/rules/it/italian.md",
        "/test/tsconfig.json",
        "/..%2f..%2fCargo.toml",
    ] {
        assert_eq!(get(&app, path, &[]).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    // A browser is shown a page that leads on, in the reader's language.
    let browser = [("accept", "text/html,*/*"), ("accept-language", "it-IT,it;q=0.9")];
    for path in ["/nothing", "/xx/rules/", "/it/rules/klingon"] {
        let response = get(&app, path, &browser).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        let html = text(response).await;
        assert!(html.contains("<html lang=\"it\"") && html.contains("Nuova partita"), "{html}");
    }
    assert_eq!(text(get(&app, "/nothing", &[]).await).await, "Not found.\n");
    let response = get(&app, "/api/rules?spec=italian,king=huge", &[]).await;
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
    let error: Value = serde_json::from_str(&text(response).await).unwrap();
    assert!(error["error"].as_str().unwrap().contains("huge"), "{error}");
}

#[tokio::test]
async fn the_readers_language_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    let response = get(&app, "/rules/", &[("accept-language", "pt-PT,pt;q=0.9")]).await;
    assert_eq!(response.headers()["location"], "/pt-BR/rules/");
    let html = text(get(&app, "/es/rules/spanish", &[]).await).await;
    assert!(
        html.contains("<html lang=\"es\"")
            && html.contains("hreflang=\"pt-BR\" href=\"/pt-BR/rules/spanish\"")
    );
}

#[tokio::test]
async fn rules_are_told_as_the_protocol_says() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    let all: Value = serde_json::from_str(&text(get(&app, "/api/rules", &[]).await).await).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 20);
    let italian = &all[0];
    assert_eq!(italian["start"]["fen"], "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
    assert_eq!(italian["board"]["squares"][0], serde_json::json!({"n": "1", "r": 0, "c": 0}));
    assert_eq!(
        italian["facts"]["ladder"],
        serde_json::json!(["number", "with-king", "most-kings", "kings-first"])
    );
    assert_eq!(italian["fingerprint"].as_str().unwrap().len(), 32);
    let spec = "/api/rules?spec=brazilian,first=black,draws=casual,capture=optional";
    let one: Value = serde_json::from_str(&text(get(&app, spec, &[]).await).await).unwrap();
    assert_eq!(one["canonical"], "brazilian,capture=optional,draws=casual,first=black");
    assert_eq!(one["first"], "black");
    // The words that only the terminal and the rules pages show are left out.
    let words = text(get(&app, "/lang/it.json", &[]).await).await;
    assert!(!words.contains("\"cli.") && !words.contains("\"rp.") && words.contains("\"page.play\""));
    // Those of files of games are fetched by who looks at some.
    let of_games = text(get(&app, "/lang/games/it.json", &[]).await).await;
    assert!(
        !words.contains("\"pdn.") && !words.contains("\"page.games.") && words.contains("\"page.games\"")
    );
    assert!(of_games.contains("\"page.games.open\"") && !of_games.contains("\"page.play\""));
}

#[tokio::test]
async fn openings_are_listed_where_the_rules_have_them() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    let lists: Value =
        serde_json::from_str(&text(get(&app, "/api/openings?spec=american", &[]).await).await).unwrap();
    let names: Vec<&str> =
        lists.as_array().unwrap().iter().filter_map(|list| list["list"].as_str()).collect();
    assert_eq!(names, ["2-move", "3-move", "11-man"]);
    assert_eq!(lists[1]["ballots"][0]["moves"], serde_json::json!(["9-13", "21-17", "5-9"]));
    // The page shows the position before the game begins: three moves on, or two men fewer.
    let board = |list: usize| lists[list]["ballots"][0]["board"].as_str().unwrap_or_default();
    assert_eq!(board(1), "bbbb-bbbbbbbb---w----wwwwwwwwwww");
    let men = board(2).chars().filter(|square| *square != '-').count();
    assert_eq!(men, 22);
    for none in ["russian", "italian,capture=optional"] {
        let spec = format!("/api/openings?spec={none}");
        assert_eq!(text(get(&app, &spec, &[]).await).await, "[]", "{none}");
    }
    for unknown in ["/api/openings", "/api/openings?spec=klingon"] {
        assert_eq!(get(&app, unknown, &[]).await.status(), StatusCode::NOT_FOUND, "{unknown}");
    }
}
