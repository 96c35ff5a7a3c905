//! Files of games: put on the shelf, listed, searched, replayed, given back clean.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Method, Request, Response, StatusCode};
use damiera_table::Computer;
use futures_util::stream;
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

const HOST: &str = "127.0.0.1:7531";
const ORIGIN: &str = "http://127.0.0.1:7531";

fn app(folder: &TempDir) -> Router {
    damiera_server::app(folder.path(), Arc::new(Computer::new(crate::client::BEST)), Vec::new())
}

async fn ask(app: &Router, method: Method, path: &str, origin: Option<&str>, body: Body) -> Response<Body> {
    let mut request = Request::builder().method(method).uri(path).header("host", HOST);
    if let Some(origin) = origin {
        request = request.header("origin", origin);
    }
    app.clone().oneshot(request.body(body).expect("a request")).await.expect("an answer")
}

async fn bytes(response: Response<Body>) -> Vec<u8> {
    to_bytes(response.into_body(), 1 << 28).await.expect("a body").to_vec()
}

async fn value(response: Response<Body>) -> Value {
    serde_json::from_slice(&bytes(response).await).expect("JSON")
}

async fn get(app: &Router, path: &str) -> Value {
    let response = ask(app, Method::GET, path, None, Body::empty()).await;
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    value(response).await
}

async fn post(app: &Router, name: &str, body: impl Into<Body>) -> Response<Body> {
    ask(app, Method::POST, &format!("/api/files?name={name}"), Some(ORIGIN), body.into()).await
}

/// Puts a file on the shelf and returns what is known of it.
async fn put(app: &Router, name: &str, file: impl Into<Body>) -> Value {
    let response = post(app, name, file).await;
    let status = response.status();
    let about = value(response).await;
    assert_eq!(status, StatusCode::OK, "{about}");
    about
}

fn id(about: &Value) -> &str {
    about["id"].as_str().expect("an id")
}

/// What a search finds, as the numbers of the games.
async fn found(app: &Router, id: &str, query: &str) -> Vec<u64> {
    let list = get(app, &format!("/api/files/{id}/games?{query}")).await;
    let games = list["games"].as_array().expect("a list");
    games.iter().map(|game| game["number"].as_u64().expect("a number")).collect()
}

/// An Italian game as a club member types it, in the encoding of his computer.
const ITALIAN: &[u8] = b"[Evento \"Torneo della citt\xe0\"]\n[Bianco \"Nicol\xf2 Fer\xf2\"]\n[Nero \"Rossi\"]\n[Risultato \"1-0\"]\n\n\
    1. 22x18 {cos\xec si apre} 12-16\n2. 21-17 (2. 18-14 11x18 {\xe8 peggio}) 10-14 3. 27-1 1-0\n";

#[tokio::test]
async fn a_file_keeps_its_address() {
    let folder = tempfile::tempdir().unwrap();
    let first = app(&folder);
    let about = put(&first, "circolo.pdn", ITALIAN).await;
    assert_eq!(about["name"], "circolo.pdn");
    assert_eq!(about["encoding"], "windows-1252");
    assert_eq!([&about["games"], &about["moves"], &about["plies"]], [1, 7, 6]);
    assert_eq!([&about["repair_count"], &about["fault_count"]], [5, 1], "{about}");
    let other = put(&first, "altro.pdn", "1. 22-18 *").await;
    assert_ne!(id(&about), id(&other));
    let names = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&get(&first, "/api/files").await), ["altro.pdn", "circolo.pdn"]);

    // The same bytes again, under another name and after a restart.
    let second = app(&folder);
    let game = get(&second, &format!("/api/files/{}/games/1", id(&about))).await;
    assert_eq!(game["file"], "circolo.pdn");
    let again = put(&second, "nuovo.pdn", ITALIAN).await;
    assert_eq!(id(&again), id(&about));
    assert_eq!(names(&get(&second, "/api/files").await), ["nuovo.pdn", "altro.pdn"]);

    let path = format!("/api/files/{}", id(&about));
    let removed = ask(&second, Method::DELETE, &path, Some(ORIGIN), Body::empty()).await;
    assert_eq!(removed.status(), StatusCode::NO_CONTENT);
    for (method, rest) in
        [(Method::DELETE, ""), (Method::GET, "/games"), (Method::GET, "/games/1"), (Method::GET, "/pdn")]
    {
        let gone = ask(&second, method, &format!("{path}{rest}"), Some(ORIGIN), Body::empty()).await;
        assert_eq!(gone.status(), StatusCode::NOT_FOUND, "{rest}");
    }
    assert_eq!(names(&get(&second, "/api/files").await), ["altro.pdn"]);
}

#[tokio::test]
async fn games_are_found_by_a_position() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    let file =
        "[White \"A\"] 1. 22-18 12-16 *\n[White \"B\"] 1. 21-17 12-16 2. 22-18 *\n[White \"C\"] 1. 22-18 *\n";
    let about = put(&app, "a.pdn", file).await;
    let after = "W%3AW18%2C21%2C23-32%3AB1-11%2C16";
    assert_eq!(found(&app, id(&about), &format!("position={after}")).await, [1]);
    let list = get(&app, &format!("/api/files/{}/games?position={after}&rules=italian", id(&about))).await;
    assert_eq!(list["games"][0]["ply"], 2);
    let start = "position=W%3AW21-32%3AB1-12&count=2";
    assert_eq!(found(&app, id(&about), start).await, [1, 2]);
    for wrong in ["position=W%3AW99", "position=W%3AW21&rules=chess"] {
        let path = format!("/api/files/{}/games?{wrong}", id(&about));
        let response = ask(&app, Method::GET, &path, None, Body::empty()).await;
        assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
        assert_eq!(value(response).await["code"], "position");
    }
}

#[tokio::test]
async fn games_are_found_by_words_in_any_tag() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    let file = "[White \"Nicolò Ferò\"][Black \"Фадеев\"][Event \"Città di Lecce\"] 1. 22-18 *\n\
                [White \"Rossi\"][Black \"Bianchi\"][Annotator \"Ferò\"] 1. 22x18 *\n\
                [White \"Verdi\"][Black \"Neri\"] 1. 22-18 *\n";
    let about = put(&app, "a.pdn", file).await;
    for (query, numbers) in [
        ("", &[1, 2, 3][..]),
        ("q=FERO", &[1, 2]),
        ("q=lecce+nicolo", &[1]),
        ("q=fadeev", &[1]),
        ("q=%D0%A4%D0%B0%D0%B4", &[1]),
        ("q=nessuno", &[]),
        ("from=1&count=1", &[2]),
        ("from=7", &[]),
        ("found=true", &[2]),
        ("found=true&q=verdi", &[]),
    ] {
        assert_eq!(found(&app, id(&about), query).await, numbers, "{query}");
    }
    let list = get(&app, &format!("/api/files/{}/games?q=fero&count=1", id(&about))).await;
    assert_eq!([&list["total"], &list["from"]], [2, 0]);
    assert_eq!(
        list["games"][0],
        json!({"number": 1, "line": 1, "white": "Nicolò Ferò", "black": "Фадеев", "event": "Città di Lecce", "date": "", "result": "*",
               "rules": "italian", "plies": 1, "repairs": 0, "faults": 0})
    );
}

/// Returns the piece of the game's text that a finding or a node stands for.
fn piece(game: &Value, place: &Value, length: usize) -> String {
    let number = |name: &str| place[name].as_u64().expect("a number") as usize;
    let line = game["text"]["lines"][number("line")].as_str().expect("a line");
    line.chars().skip(number("column")).take(length).collect()
}

#[tokio::test]
async fn a_game_comes_with_its_tree_its_findings_and_its_text() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    let about = put(&app, "a.pdn", [b"[White \"Uno\"] 1. 22-18 *\n\n".as_slice(), ITALIAN].concat()).await;
    let game = get(&app, &format!("/api/files/{}/games/2?lang=it", id(&about))).await;
    assert_eq!(game["rules"]["board"]["mirrored"], true);
    assert_eq!(
        game["tags"],
        json!([["Event", "Torneo della città"], ["White", "Nicolò Ferò"], ["Black", "Rossi"]])
    );
    assert_eq!([&game["result"], &game["number"], &game["games"]], [&json!("1-0"), &json!(2), &json!(2)]);

    let nodes = game["nodes"].as_array().unwrap();
    let moves: Vec<String> = nodes[1..]
        .iter()
        .map(|node| {
            let side = if node["side"] == "white" { "." } else { "..." };
            let sign = if node["is_variation"] == true { "(" } else { "" };
            format!("{sign}{}{side}{}", node["number"], node["move"]["text"].as_str().unwrap())
        })
        .collect();
    assert_eq!(moves, ["1.22-18", "1...12-16", "2.21-17", "(2.18-14", "2...11x18", "2...10-14"]);
    assert_eq!(nodes[4]["parent"], 2);
    assert_eq!(nodes[1]["comments"], json!(["così si apre"]));
    assert_eq!(nodes[5]["move"]["captured"], json!(["14"]));
    assert_eq!(nodes[0]["board"], "bbbbbbbbbbbb--------wwwwwwwwwwww");
    assert!(nodes[0].get("move").is_none() && nodes[0]["fen"].as_str().unwrap().starts_with("W:W21"));
    assert_eq!(piece(&game, &nodes[6]["place"], 5), "10-14");

    assert_eq!(game["text"]["line"], 3);
    let findings = game["findings"].as_array().unwrap();
    let shown: Vec<[String; 3]> = findings
        .iter()
        .map(|finding| {
            let length = finding["length"].as_u64().unwrap() as usize;
            let word = |name| finding[name].as_str().unwrap().to_owned();
            [word("grade"), word("code"), piece(&game, &finding["place"], length)]
        })
        .collect();
    assert_eq!(
        shown,
        [
            ["repair", "tag-name", "[Evento \"Torneo della città\"]"],
            ["repair", "tag-name", "[Bianco \"Nicolò Ferò\"]"],
            ["repair", "tag-name", "[Nero \"Rossi\"]"],
            ["repair", "tag-name", "[Risultato \"1-0\"]"],
            ["repair", "sign", "22x18"],
            ["fault", "illegal", "27-1"],
        ]
    );
    assert_eq!([&findings[4]["node"], &findings[5]["node"]], [1, 6]);
    assert_eq!(
        findings[4]["message"],
        "22x18: il segno è quello di una presa dove presa non c’è, o viceversa; letta come 22-18."
    );
    let english = get(&app, &format!("/api/files/{}/games/2?lang=en", id(&about))).await;
    assert!(english["findings"][4]["message"].as_str().unwrap().contains("read as 22-18"));
}

#[tokio::test]
async fn a_game_by_itself_is_read_as_in_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    // The second game says nothing of its rules and fits several sets: in the file it is taken for what the first one is.
    let file =
        "[GameType \"21\"] 1. 11-15 22-18 2. 15x22 25x18 *\n\n1. 9-14 22-18 *\n\n[FEN \"B:W32:B1\"] *\n";
    let about = put(&app, "a.pdn", file).await;
    let list = get(&app, &format!("/api/files/{}/games", id(&about))).await;
    for row in list["games"].as_array().unwrap() {
        let game = get(&app, &format!("/api/files/{}/games/{}", id(&about), row["number"])).await;
        assert_eq!(game["rules"]["canonical"], "american", "{row}");
        assert_eq!(row["rules"], "american");
        let findings = game["findings"].as_array().unwrap().len() as u64;
        assert_eq!(findings, row["repairs"].as_u64().unwrap() + row["faults"].as_u64().unwrap(), "{game}");
    }
}

#[tokio::test]
async fn what_is_saved_is_clean_and_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    let file = [ITALIAN, b"\n[White \"Uno\"] 1. 22x18 *\n"].concat();
    let about = put(&app, "citt%C3%A0.pdn", file).await;
    let saved = async |path: &str| {
        let path = format!("/api/files/{}/{path}", id(&about));
        let request = Request::get(path).header("host", HOST).header("accept-encoding", "gzip");
        let response = app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let name = response.headers()["content-disposition"].to_str().unwrap().to_owned();
        assert!(
            !response.headers().contains_key("content-encoding"),
            "it is saved on the computer it comes from"
        );
        (name, String::from_utf8(bytes(response).await).unwrap())
    };
    let (name, one) = saved("games/1/pdn").await;
    assert_eq!(name, "attachment; filename=\"citt_-1.pdn\"; filename*=UTF-8''citt%C3%A0-1.pdn");
    assert_eq!(
        one,
        "[Event \"Torneo della città\"]\n[White \"Nicolò Ferò\"]\n[Black \"Rossi\"]\n[Result \"1-0\"]\n[GameType \"22,W,8,8,N2,1\"]\n\n\
         1. 22-18 {così si apre} 1... 12-16 2. 21-17 (2. 18-14 11x18 {è peggio}) 2...\n10-14 {[%unread 27-1]} *\n\n"
    );
    let (name, all) = saved("pdn").await;
    assert_eq!(name, "attachment; filename=\"citt_.pdn\"; filename*=UTF-8''citt%C3%A0.pdn");
    assert!(all.starts_with(&one) && all.len() > one.len());
    let again = put(&app, "saved.pdn", all).await;
    assert_eq!([&again["games"], &again["repair_count"], &again["fault_count"]], [2, 0, 0]);
    assert_eq!(again["encoding"], "utf-8");
}

#[tokio::test]
async fn packed_files_and_utf_16_are_read_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    let text = "[White \"Ferò\"] 1. 22-18 *\n[White \"Rossi\"] 1. 22x18 *\n";
    let wide: Vec<u8> =
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut packer, text.as_bytes()).unwrap();
    for (file, encoding, packing) in
        [(wide, "utf-16", Value::Null), (packer.finish().unwrap(), "utf-8", json!("gzip"))]
    {
        let about = put(&app, "a", file).await;
        assert_eq!([&about["encoding"], &about["packing"]], [&json!(encoding), &packing]);
        let game = get(&app, &format!("/api/files/{}/games/2", id(&about))).await;
        assert_eq!(
            game["text"],
            json!({"line": 2, "lines": ["[White \"Rossi\"] 1. 22x18 *"], "is_cut": false})
        );
        assert_eq!(game["findings"][0]["place"], json!({"line": 0, "column": 19}));
        assert_eq!(found(&app, id(&about), "q=fero").await, [1]);
    }
}

#[tokio::test]
async fn what_is_too_much_or_no_game_is_refused_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    let refused = async |file: Body, status: StatusCode, code: &str| {
        let response = post(&app, "a.pdn", file).await;
        assert_eq!(response.status(), status, "{code}");
        let error = value(response).await;
        assert_eq!(error["code"], code, "{error}");
        let left = std::fs::read_dir(folder.path().join("files")).unwrap();
        let left = left
            .map(|entry| entry.unwrap().file_name())
            .filter(|name| !name.to_string_lossy().starts_with("games-"));
        assert_eq!(left.count(), 0, "{code}: nothing but the index of all games");
        assert_eq!(get(&app, "/api/files").await, json!([]));
    };
    // 64 MB and a little, in pieces, as a browser sends them.
    let piece = Bytes::from(vec![b' '; 1 << 20]);
    let long = stream::iter((0..65).map(move |_| Ok::<_, std::io::Error>(piece.clone())));
    refused(Body::from_stream(long), StatusCode::PAYLOAD_TOO_LARGE, "too-large").await;
    let bomb = {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        for _ in 0..300 {
            std::io::Write::write_all(&mut packer, &vec![b' '; 1 << 20]).unwrap();
        }
        packer.finish().unwrap()
    };
    refused(Body::from(bomb), StatusCode::PAYLOAD_TOO_LARGE, "too-large").await;
    refused(Body::from(b"\x1f\x8b\x08garbage".to_vec()), StatusCode::UNPROCESSABLE_ENTITY, "unreadable")
        .await;
    let once = |bytes: &[u8]| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut packer, bytes).unwrap();
        packer.finish().unwrap()
    };
    let twice = once(&once(b"1. 22-18 *"));
    refused(Body::from(twice), StatusCode::UNPROCESSABLE_ENTITY, "unreadable").await;
    for nothing in ["", " \n\n", "\u{feff}", "Caro Mario, ci vediamo alle 10 (o alle 11).\n"] {
        refused(Body::from(nothing), StatusCode::UNPROCESSABLE_ENTITY, "no-games").await;
    }
    let broken = stream::iter([Ok(Bytes::from("1. 22-18")), Err(std::io::Error::other("the cable"))]);
    refused(Body::from_stream(broken), StatusCode::UNPROCESSABLE_ENTITY, "unreadable").await;
}

#[tokio::test]
async fn only_the_servers_own_page_changes_anything() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    let about = put(&app, "a.pdn", "1. 22-18 *").await;
    let path = format!("/api/files/{}", id(&about));
    for origin in [
        None,
        Some("http://evil.example"),
        Some("null"),
        Some("http://127.0.0.1:1"),
        Some("https://127.0.0.1:7531"),
    ] {
        let taken = ask(&app, Method::POST, "/api/files?name=b.pdn", origin, Body::from("1. 21-17 *")).await;
        assert_eq!(taken.status(), StatusCode::FORBIDDEN, "{origin:?}");
        let removed = ask(&app, Method::DELETE, &path, origin, Body::empty()).await;
        assert_eq!(removed.status(), StatusCode::FORBIDDEN, "{origin:?}");
    }
    assert_eq!(get(&app, "/api/files").await.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_no_file_or_no_game_is_not_found() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("files")).unwrap();
    std::fs::write(folder.path().join("about.json"), "{}").unwrap();
    let app = app(&folder);
    let about = put(&app, "a.pdn", "1. 22-18 *").await;
    let id = id(&about);
    let upper = id.to_uppercase();
    for path in [
        "..%2f..%2fetc/games".to_owned(),
        "../games".to_owned(),
        "%2e%2e/games".to_owned(),
        "./games".to_owned(),
        ".incoming-1-1/games".to_owned(),
        "0".repeat(32) + "/games",
        upper + "x/games",
        format!("{id}/games/0"),
        format!("{id}/games/2"),
        format!("{id}/games/-1"),
        format!("{id}/games/99999999999999999999999"),
        format!("{id}/games/2/pdn"),
        format!("{id}/games/%00"),
    ] {
        let response = ask(&app, Method::GET, &format!("/api/files/{path}"), None, Body::empty()).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
    }
    for path in ["..%2f", "%2e%2e", ".."] {
        let response =
            ask(&app, Method::DELETE, &format!("/api/files/{path}"), Some(ORIGIN), Body::empty()).await;
        assert!(response.status().is_client_error(), "{path}");
    }
    assert!(folder.path().join("about.json").exists());
}

#[tokio::test]
async fn a_file_that_was_made_to_break_readers_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    let script = "<img src=x onerror=alert(1)>";
    let deep = format!(
        "[White \"{script}\"] 1. 22-18 {{{script}}} {}(21-17{}) *",
        "(21-17 ".repeat(20_000),
        ")".repeat(20_000)
    );
    let about = put(&app, "a.pdn", deep).await;
    let game = get(&app, &format!("/api/files/{}/games/1", id(&about))).await;
    let nodes = game["nodes"].as_array().unwrap();
    assert_eq!([nodes.len() as u64, game["node_count"].as_u64().unwrap()], [20_000, 20_003]);
    assert!(nodes.iter().skip(1).all(|node| node["parent"].as_u64() < node["id"].as_u64()));
    assert_eq!(game["tags"][0][1], script);
    assert_eq!(nodes[1]["comments"][0], script);
    let long = format!("[White \"{0}\"] {{{0}}} 1. 22-18 *", "è".repeat(100_000));
    let about = put(&app, "c.pdn", long).await;
    let game = get(&app, &format!("/api/files/{}/games/1", id(&about))).await;
    let length = |text: &Value| text.as_str().unwrap().chars().count();
    assert_eq!([length(&game["tags"][0][1]), length(&game["nodes"][0]["comments"][0])], [1001, 20_001]);
    // One line without end, and much that is wrong in it.
    let wrong = format!("1. 22-18 {}", "} ".repeat(20_000));
    let about = put(&app, "b.pdn", wrong).await;
    let game = get(&app, &format!("/api/files/{}/games/1", id(&about))).await;
    assert_eq!(game["findings"].as_array().unwrap().len(), 1000);
    assert!(game["finding_count"].as_u64().unwrap() > 1000);
}

#[tokio::test]
async fn twenty_thousand_games_are_listed_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(&folder);
    let file: String = (1..=20_000)
        .map(|n| {
            format!(
                "[Event \"Torneo {n}\"]\n[White \"Uno\"]\n[Black \"Due\"]\n\n1. 22-18 12-16 2. 21-17 1-0\n\n"
            )
        })
        .collect();
    let about = put(&app, "a.pdn", file).await;
    assert_eq!(about["games"], 20_000);
    let again = self::app(&folder);
    let begun = Instant::now();
    let list = get(&again, &format!("/api/files/{}/games?from=19990&count=100", id(&about))).await;
    let after_restart = begun.elapsed();
    assert_eq!(list["games"].as_array().unwrap().len(), 10);
    let begun = Instant::now();
    assert_eq!(found(&again, id(&about), "q=torneo+19999").await, [19_999]);
    let search = begun.elapsed();
    let begun = Instant::now();
    let game = get(&again, &format!("/api/files/{}/games/20000", id(&about))).await;
    let replay = begun.elapsed();
    assert_eq!(game["tags"][0][1], "Torneo 20000");
    eprintln!("listed {after_restart:?} after a restart, searched in {search:?}, one game in {replay:?}");
    // Ten times what they take, for a machine that is busy.
    assert!(after_restart.as_millis() < 2000 && search.as_millis() < 500 && replay.as_millis() < 500);
}
