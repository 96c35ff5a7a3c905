//! The WebSocket: frames in, answers out. Whatever a client sends or does not read, no game waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::get;
use damiera_table::{Code, Message, Refusal};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;

use crate::games::{Hub, Listener};

/// The largest frame that is answered, in bytes.
const MAX_FRAME: usize = 16 * 1024;
/// The largest frame that is read at all: a longer one ends the connection.
const MAX_READ: usize = 64 * 1024;
/// So many unread messages may wait for one client.
const LETTER_BOX: usize = 256;
/// So many games a connection looks at; the one opened first is given up for another.
const MAX_GAMES: usize = 8;
/// A client that takes nothing for so long is gone.
const SEND_TIMEOUT: Duration = Duration::from_secs(20);
/// So often a quiet client is asked whether it is still there; one that is silent for three such times is gone.
const PING: Duration = Duration::from_secs(20);
/// So many messages at once, and then so many a second, are answered without delay.
const BURST: f64 = 400.0;
const PER_SECOND: f64 = 200.0;

pub(crate) fn routes(hub: Arc<Hub>) -> Router {
    Router::new().route("/ws", get(upgrade)).with_state(hub)
}

async fn upgrade(State(hub): State<Arc<Hub>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.max_message_size(MAX_READ).max_frame_size(MAX_READ).on_upgrade(|socket| serve(socket, hub))
}

async fn serve(socket: WebSocket, hub: Arc<Hub>) {
    static CONNECTIONS: AtomicU64 = AtomicU64::new(0);
    let (letters, letter_box) = mpsc::channel(LETTER_BOX);
    let listener = Listener {
        connection: CONNECTIONS.fetch_add(1, Ordering::Relaxed),
        letters,
        cut_off: Arc::new(Notify::new()),
        analysing: Arc::default(),
    };
    let (sink, stream) = socket.split();
    let mut client = Client { hub, listener: listener.clone(), games: Vec::new(), pace: Pace::new() };
    tokio::select! {
        () = client.read(stream) => {}
        () = write(sink, letter_box) => {}
        () = listener.cut_off.notified() => {}
    }
    client.leave_all();
}

/// Sends what lies in the letter box.
async fn write(mut sink: SplitSink<WebSocket, Frame>, mut letter_box: mpsc::Receiver<Utf8Bytes>) {
    loop {
        let frame = match timeout(PING, letter_box.recv()).await {
            Ok(Some(text)) => Frame::Text(text),
            Ok(None) => return,
            Err(_) => Frame::Ping(axum::body::Bytes::new()),
        };
        if !matches!(timeout(SEND_TIMEOUT, sink.send(frame)).await, Ok(Ok(()))) {
            return;
        }
    }
}

/// One connection and the games that it looks at.
struct Client {
    hub: Arc<Hub>,
    listener: Listener,
    games: Vec<String>,
    pace: Pace,
}

impl Client {
    /// Reads frames until the client goes.
    async fn read(&mut self, mut stream: SplitStream<WebSocket>) {
        while let Ok(Some(Ok(frame))) = timeout(3 * PING, stream.next()).await {
            self.wait_for_the_reader().await;
            match frame {
                Frame::Text(text) => self.answer(text).await,
                Frame::Binary(_) => self.refuse(None, Code::BadMessage, "messages are text frames of JSON"),
                Frame::Close(_) => return,
                Frame::Ping(_) | Frame::Pong(_) => {}
            }
        }
    }

    /// A client that asks faster than it reads is not listened to until it has read.
    async fn wait_for_the_reader(&self) {
        // The room is given back at once; only the waiting counts. It ends with an error when the connection is over, and then so does the reading.
        let _ = self.listener.letters.reserve_many(LETTER_BOX / 2).await;
    }

    async fn answer(&mut self, text: Utf8Bytes) {
        self.pace.keep().await;
        if text.len() > MAX_FRAME {
            self.refuse(None, Code::TooLong, &format!("a message has at most {MAX_FRAME} bytes"));
            return;
        }
        match Message::read(&text) {
            Err((id, error)) => self.refuse(id, Code::BadMessage, &error),
            Ok(message) => self.pass_on(message).await,
        }
    }

    fn refuse(&self, id: Option<String>, code: Code, text: &str) {
        self.listener.tell(&Refusal::new(code, text).reply(id));
    }

    /// Passes a message to the games. A move may take a while to list in a wild position and a disk may be slow: other connections do not wait for that.
    async fn pass_on(&mut self, message: Message) {
        if let Some(game) = message.request.game() {
            self.look_at(game.to_string());
        }
        let (hub, listener) = (self.hub.clone(), self.listener.clone());
        let handled = tokio::task::spawn_blocking(move || hub.handle(&listener, &message)).await;
        if let Ok(Some(game)) = handled {
            self.look_at(game);
        }
    }

    fn look_at(&mut self, game: String) {
        if let Some(at) = self.games.iter().position(|other| *other == game) {
            self.games.remove(at);
        } else if self.games.len() == MAX_GAMES {
            let given_up = self.games.remove(0);
            self.hub.leave(self.listener.connection, &given_up);
        }
        self.games.push(game);
    }

    fn leave_all(&mut self) {
        for game in self.games.drain(..) {
            self.hub.leave(self.listener.connection, &game);
        }
    }
}

/// How fast a client may talk: a bucket of messages that fills again with time. Who empties it waits.
struct Pace {
    left: f64,
    since: Instant,
}

impl Pace {
    fn new() -> Pace {
        Pace { left: BURST, since: Instant::now() }
    }

    async fn keep(&mut self) {
        let now = Instant::now();
        self.left = (self.left + (now - self.since).as_secs_f64() * PER_SECOND).min(BURST) - 1.0;
        self.since = now;
        if self.left < 0.0 {
            tokio::time::sleep(Duration::from_secs_f64(-self.left / PER_SECOND)).await;
        }
    }
}
