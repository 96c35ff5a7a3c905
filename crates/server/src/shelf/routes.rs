//! What is asked of the shelf (`docs/games.md`). Nothing here reads a file where others wait for it.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Response as Answer, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use damiera_collection::{Entry, Placed, Query as Wish};
use damiera_pdn::Style;
use damiera_rules::{RuleSet, fen};
use damiera_words::Lang;
use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::Refused;
use super::replay::GameJson;
use super::store::{About, Incoming, MOST_BYTES, Reading, Shelf, Shelved};

/// What a saved file is.
pub(crate) const PDN: &str = "application/vnd.draughts-pdn; charset=utf-8";

/// How many games are listed at once, unless another number is asked for, and at most.
const PAGE: usize = 100;
const LARGEST_PAGE: usize = 500;

/// How many pieces of a file may wait between the network and the disk.
const WAITING: usize = 8;

/// How much of a file that is too large is still taken, so that its sender hears the answer.
const PASSED_OVER: u64 = 8 * MOST_BYTES;

pub(crate) fn routes(shelf: Arc<Shelf>) -> Router {
    Router::new()
        .route("/api/files", get(list).post(take))
        .route("/api/reading", get(reading))
        .route("/api/files/{id}", get(one).delete(remove))
        .route("/api/files/{id}/games", get(games))
        .route("/api/files/{id}/games/{number}", get(game))
        .route("/api/files/{id}/games/{number}/pdn", get(game_as_pdn))
        .route("/api/files/{id}/pdn", get(file_as_pdn))
        .with_state(shelf)
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = match &self {
            Refused::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Refused::NoGames
            | Refused::Unreadable(_)
            | Refused::Packed
            | Refused::Position(_)
            | Refused::Query(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Refused::Unknown => StatusCode::NOT_FOUND,
            Refused::Changed | Refused::Busy => StatusCode::CONFLICT,
            Refused::Damaged(_) | Refused::Disk(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let code = self.code();
        let text = self.to_string();
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            eprintln!("damiera: the shelf: {text}");
        }
        (status, Json(serde_json::json!({ "code": code, "error": text }))).into_response()
    }
}

/// Does what waits for the disk or takes its time.
async fn away<T: Send + 'static>(
    job: impl FnOnce() -> Result<T, Refused> + Send + 'static,
) -> Result<T, Refused> {
    let done = spawn_blocking(job).await;
    done.unwrap_or_else(|error| Err(Refused::Disk(io::Error::other(error))))
}

/// Opens a file and does something with it.
async fn with<T: Send + 'static>(
    shelf: Arc<Shelf>,
    id: String,
    job: impl FnOnce(Shelved) -> Result<T, Refused> + Send + 'static,
) -> Result<T, Refused> {
    away(move || shelf.guard(|shelf| job(shelf.get(&id)?))).await
}

/// Reads the number of a game. What is no number is no game.
fn number(text: &str) -> Result<usize, Refused> {
    text.parse().map_err(|_| Refused::Unknown)
}

// ---- The shelf

async fn list(State(shelf): State<Arc<Shelf>>) -> Result<Json<Vec<About>>, Refused> {
    away(move || shelf.list()).await.map(Json)
}

/// The files outside that are being read, with how far they are.
async fn reading(State(shelf): State<Arc<Shelf>>) -> Json<Vec<Reading>> {
    Json(shelf.being_read())
}

#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    name: String,
}

/// Takes a file: its bytes go to the disk as they come.
async fn take(
    State(shelf): State<Arc<Shelf>>,
    Query(asked): Query<Named>,
    body: Body,
) -> Result<Json<About>, Refused> {
    let (pieces, waiting) = mpsc::channel(WAITING);
    let taken = away(move || {
        let incoming = take_in(shelf.begin()?, waiting)?;
        shelf.guard(|shelf| shelf.put(incoming, &asked.name))
    });
    let (taken, ()) = tokio::join!(taken, send(body, pieces));
    taken.map(Json)
}

/// Passes a body on. Once nobody takes it any longer, the rest is passed over, for a while; a body that breaks off is said to have.
async fn send(body: Body, pieces: mpsc::Sender<io::Result<Bytes>>) {
    let mut body = body.into_data_stream();
    let mut passed_over = 0;
    while let Some(piece) = body.next().await {
        let length = piece.as_ref().map_or(0, Bytes::len);
        if pieces.send(piece.map_err(io::Error::other)).await.is_err() {
            passed_over += length as u64;
            if passed_over > PASSED_OVER {
                return;
            }
        }
    }
}

fn take_in(
    mut incoming: Incoming,
    mut pieces: mpsc::Receiver<io::Result<Bytes>>,
) -> Result<Incoming, Refused> {
    while let Some(piece) = pieces.blocking_recv() {
        incoming.write(&piece.map_err(Refused::Unreadable)?)?;
    }
    Ok(incoming)
}

async fn one(State(shelf): State<Arc<Shelf>>, Path(id): Path<String>) -> Result<Json<About>, Refused> {
    away(move || shelf.about(&id)).await.map(Json)
}

async fn remove(State(shelf): State<Arc<Shelf>>, Path(id): Path<String>) -> Result<StatusCode, Refused> {
    away(move || shelf.guard(|shelf| shelf.remove(&id))).await?;
    Ok(StatusCode::NO_CONTENT)
}

// ---- The games of a file

#[derive(Clone, Deserialize)]
struct Wanted {
    #[serde(default)]
    from: usize,
    count: Option<usize>,
    /// Words, all of which the tags must have.
    #[serde(default)]
    q: String,
    /// Only games in which something was found.
    #[serde(default)]
    found: bool,
    /// Only games in which this was on the board: a FEN.
    position: Option<String>,
    /// The rules by which that is written; without them those of most games.
    rules: Option<String>,
}

impl Wanted {
    fn query(&self, file: &Shelved) -> Result<Wish, Refused> {
        let placed = match &self.position {
            None => None,
            Some(position) => {
                let name = self.rules.as_ref().or(file.about.rules.as_ref());
                let rules = RuleSet::parse(name.map_or("", String::as_str));
                let rules = rules.map_err(|error| Refused::Position(error.to_string()))?;
                let position = fen::parse(&rules, position);
                let position = position.map_err(|error| Refused::Position(error.to_string()))?;
                Some((Some(rules.shape()), Placed::Position(position)))
            }
        };
        Ok(Wish {
            file: Some(file.file),
            words: Some(self.q.clone()),
            has_findings: self.found,
            placed,
            ..Wish::default()
        })
    }
}

#[derive(Serialize)]
struct Games {
    file: About,
    /// How many games fit.
    total: usize,
    from: usize,
    games: Vec<GameRow>,
}

#[derive(Serialize)]
struct GameRow {
    number: u64,
    line: u64,
    white: String,
    black: String,
    event: String,
    date: String,
    result: String,
    rules: String,
    plies: u32,
    repairs: u32,
    faults: u32,
    /// After how many plies the position that was asked for is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
}

impl GameRow {
    fn of(entry: Entry, ply: Option<u32>) -> GameRow {
        let Entry { number, line, white, black, event, date, result, rules, plies, repairs, faults, .. } =
            entry;
        GameRow { number, line, white, black, event, date, result, rules, plies, repairs, faults, ply }
    }
}

async fn games(
    State(shelf): State<Arc<Shelf>>,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<Games>, Refused> {
    let known = Arc::clone(&shelf);
    with(shelf, id, move |file| list_games(&known, file, &wanted).map(Json)).await
}

fn list_games(shelf: &Shelf, mut file: Shelved, wanted: &Wanted) -> Result<Games, Refused> {
    let wish = wanted.query(&file)?;
    let hits = shelf.search(&mut file, &wish)?;
    let count = wanted.count.unwrap_or(PAGE).min(LARGEST_PAGE);
    let mut games = Vec::new();
    for hit in hits.iter().skip(wanted.from).take(count) {
        if let Some(entry) = file.collection.entry(hit.game)? {
            games.push(GameRow::of(entry, wish.placed.map(|_| hit.ply)));
        }
    }
    Ok(Games { total: hits.len(), from: wanted.from, games, file: file.about })
}

#[derive(Deserialize)]
struct Tongue {
    #[serde(default)]
    lang: String,
}

async fn game(
    State(shelf): State<Arc<Shelf>>,
    Path((id, number_text)): Path<(String, String)>,
    Query(tongue): Query<Tongue>,
) -> Result<Json<GameJson>, Refused> {
    let number = number(&number_text)?;
    let lang = Lang::parse(&tongue.lang).unwrap_or(Lang::En);
    with(shelf, id, move |file| GameJson::read(&file, number, lang).map(Json)).await
}

// ---- Clean PDN

async fn game_as_pdn(
    State(shelf): State<Arc<Shelf>>,
    Path((id, number_text)): Path<(String, String)>,
) -> Result<Response, Refused> {
    let number = number(&number_text)?;
    with(shelf, id, move |file| {
        let text = file.read_game(number, |game| game.tree.pdn(Style::default()).to_string())?;
        Ok(download(&file.about.name, Some(number), Body::from(text)))
    })
    .await
}

/// Sends the whole file, game by game, as fast as it is taken.
async fn file_as_pdn(State(shelf): State<Arc<Shelf>>, Path(id): Path<String>) -> Result<Response, Refused> {
    // What cannot be opened is said now; what breaks off later breaks the saved file off too, for all to see.
    let name = with(Arc::clone(&shelf), id.clone(), |file| file.file().map(|_| file.about.name)).await?;
    let (games, waiting) = mpsc::channel::<io::Result<String>>(WAITING);
    let failed = games.clone();
    let writing = with(shelf, id, move |file| {
        file.read_games(&mut |game| {
            match games.blocking_send(Ok(game.tree.pdn(Style::default()).to_string())) {
                Ok(()) => ControlFlow::Continue(()),
                // Whoever wanted it has gone.
                Err(_) => ControlFlow::Break(()),
            }
        })
    });
    let writing = async move {
        if let Err(error) = writing.await {
            let _ = failed.send(Err(io::Error::other(error.to_string()))).await;
        }
    };
    tokio::spawn(writing);
    let text =
        stream::unfold(waiting, |mut waiting| async { waiting.recv().await.map(|game| (game, waiting)) });
    Ok(download(&name, None, Body::from_stream(text)))
}

fn download(name: &str, number: Option<usize>, body: Body) -> Response {
    let mut answer = Answer::new(body);
    let headers: &mut HeaderMap = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PDN));
    // A name without anything that a header cannot hold: this is only the last resort.
    let saved = HeaderValue::try_from(disposition(name, number));
    let plain = HeaderValue::from_static("attachment; filename=\"games.pdn\"");
    headers.insert(header::CONTENT_DISPOSITION, saved.unwrap_or(plain));
    answer
}

/// Returns what a browser is told about the name of a saved file: in ASCII, and as it is.
fn disposition(name: &str, number: Option<usize>) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let saved = number.map_or_else(|| format!("{stem}.pdn"), |number| format!("{stem}-{number}.pdn"));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    let ascii: String = saved.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let exact: String = saved.bytes().fold(String::new(), |text, byte| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' => text + &char::from(byte).to_string(),
        _ => text + &format!("%{byte:02X}"),
    });
    format!("attachment; filename=\"{ascii}\"; filename*=UTF-8''{exact}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_file_has_a_name_that_no_header_breaks_on() {
        assert_eq!(
            disposition("partita di \"Fero\".txt", Some(3)),
            "attachment; filename=\"partita di _Fero_-3.pdn\"; filename*=UTF-8''partita%20di%20%22Fero%22-3.pdn"
        );
        assert_eq!(
            disposition("Città\u{202e}.pdn", None),
            "attachment; filename=\"Citt__.pdn\"; filename*=UTF-8''Citt%C3%A0%E2%80%AE.pdn"
        );
    }
}
