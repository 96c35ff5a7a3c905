//! A client as the page is one: a WebSocket, messages, answers.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// How long the best level thinks about a move in these tests.
pub(crate) const BEST: Duration = Duration::from_millis(100);

/// Starts a server on a free port and returns its address.
pub(crate) async fn serve(data_dir: &Path) -> SocketAddr {
    let config = damiera_server::Config {
        port: 0,
        fallback_to_free_port: false,
        data_dir: data_dir.to_path_buf(),
        games: Vec::new(),
        best: BEST,
    };
    let server = damiera_server::bind(config).await.expect("a free port");
    let address = server.address();
    tokio::spawn(server.run());
    address
}

/// A connection to a server.
pub(crate) struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    count: u32,
    /// The game that messages are about.
    pub(crate) game: String,
    /// The newest state.
    pub(crate) state: Value,
}

/// Opens a WebSocket with this origin.
pub(crate) async fn connect(
    address: SocketAddr,
    origin: Option<&str>,
) -> Result<WebSocketStream<MaybeTlsStream<TcpStream>>, Error> {
    let mut request = format!("ws://{address}/ws").into_client_request()?;
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().expect("a header value"));
    }
    connect_async(request).await.map(|(socket, _)| socket)
}

impl Client {
    /// Connects as the server's own page does.
    pub(crate) async fn new(address: SocketAddr) -> Client {
        let socket = connect(address, Some(&format!("http://{address}"))).await.expect("a WebSocket");
        Client { socket, count: 0, game: String::new(), state: Value::Null }
    }
    /// Connects and begins a game.
    pub(crate) async fn playing(
        address: SocketAddr,
        rules: &str,
        white: &str,
        black: &str,
        fen: Option<&str>,
    ) -> Client {
        let mut client = Client::new(address).await;
        let mut new = json!({"rules": rules, "seats": {"white": white, "black": black}});
        if let Some(fen) = fen {
            new["fen"] = fen.into();
        }
        let answer = client.ask("new", new).await;
        assert_eq!(answer["e"], "state", "{answer}");
        client.game = answer["game"].as_str().expect("an id").to_string();
        client
    }
    /// Sends a raw frame.
    pub(crate) async fn send(&mut self, frame: Message) {
        self.socket.send(frame).await.expect("the connection stands");
    }
    /// Returns the next message; keeps states.
    pub(crate) async fn hear(&mut self) -> Value {
        loop {
            let next = tokio::time::timeout(Duration::from_secs(60), self.socket.next()).await;
            let frame =
                next.expect("an answer within a minute").expect("the connection stands").expect("a frame");
            let Message::Text(text) = frame else { continue };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message["e"] == "state" && (self.game.is_empty() || message["game"] == self.game.as_str()) {
                self.state = message.clone();
            }
            return message;
        }
    }
    /// Sends a message without waiting and returns its id.
    pub(crate) async fn tell(&mut self, kind: &str, fields: Value) -> String {
        self.count += 1;
        let id = self.count.to_string();
        let mut message = json!({"t": kind, "id": id, "game": self.game, "ply": self.state["ply"]});
        for (key, value) in fields.as_object().expect("an object") {
            message[key] = value.clone();
        }
        self.send(Message::text(message.to_string())).await;
        id
    }
    /// Sends a message and returns its answer.
    pub(crate) async fn ask(&mut self, kind: &str, fields: Value) -> Value {
        let id = self.tell(kind, fields).await;
        loop {
            let message = self.hear().await;
            if message["id"] == id.as_str() {
                return message;
            }
        }
    }
    /// Waits until the state is as wanted.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        while !wanted(&self.state) {
            self.hear().await;
        }
        self.state.clone()
    }
    /// Plays one of the state's moves.
    pub(crate) async fn play(&mut self, m: &Value) -> Value {
        let fields =
            json!({"from": m["from"], "to": m["to"], "captured": m["captured"], "promotes": m["promotes"]});
        self.ask("move", fields).await
    }
    /// Plays the move with this text.
    pub(crate) async fn play_text(&mut self, text: &str) -> Value {
        let moves = self.state["moves"].as_array().expect("moves").clone();
        let found = moves.iter().find(|m| m["text"] == text);
        let m = found.unwrap_or_else(|| panic!("{text} is not among {moves:?}"));
        self.play(m).await
    }
}
