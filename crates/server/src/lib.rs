//! The page, the rules pages and the games, served on this computer.
//!
//! Architecture invariants: listens on 127.0.0.1 only; knows no rules (the table does); an event is on disk before anybody is told of it; no client, however
//! slow or rude, holds up a game.
#![forbid(unsafe_code)]

mod api;
mod assets;
mod games;
mod guard;
mod pages;
mod shelf;
mod socket;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn;
use damiera_table::{Computer, Opponent};
use tokio::net::TcpListener;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

use games::{Hub, Store};
use shelf::Shelf;

/// What the server is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Whether another port will do when this one is taken.
    pub fallback_to_free_port: bool,
    /// The folder in which games and files of games are kept.
    pub data_dir: PathBuf,
    /// Files of games to show that stay where they are.
    pub games: Vec<PathBuf>,
    /// How long the computer thinks about a move when it plays its best.
    pub best: Duration,
}

/// A server that has its address and is ready to run.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: Router,
}

/// Takes the port. Fails when it is taken and no other will do.
pub async fn bind(config: Config) -> io::Result<Server> {
    let listener = listen(&config).await?;
    let address = listener.local_addr()?;
    let app = app(&config.data_dir, Arc::new(Computer::new(config.best)), config.games);
    Ok(Server { listener, address, app })
}

async fn listen(config: &Config) -> io::Result<TcpListener> {
    let at = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    match at(config.port).await {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && config.fallback_to_free_port => at(0).await,
        result => result,
    }
}

impl Server {
    /// Returns the address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
    /// Serves until the program ends.
    pub async fn run(self) -> io::Result<()> {
        axum::serve(self.listener, self.app).await
    }
}

/// Runs a server without an asynchronous program around it. `ready` is told the address as soon as it listens.
pub fn run_blocking(config: Config, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let server = bind(config).await?;
        ready(server.address());
        server.run().await
    })
}

/// Returns everything that is served. Must be used inside a Tokio runtime, which also runs the computer.
pub fn app(data_dir: &Path, opponent: Arc<dyn Opponent>, outside: Vec<PathBuf>) -> Router {
    let hub = Hub::new(Store::open(data_dir), opponent);
    let shelf = Arc::new(Shelf::open(data_dir));
    shelf.show(outside);
    // A file that is saved on the computer it comes from is not packed on its way.
    let is_packed = DefaultPredicate::new().and(NotForContentType::const_new(shelf::PDN));
    Router::new()
        .merge(api::routes())
        .merge(socket::routes(hub))
        .merge(shelf::routes(shelf))
        .merge(pages::routes())
        .merge(assets::routes())
        .layer(CompressionLayer::new().quality(CompressionLevel::Best).compress_when(is_packed))
        .layer(from_fn(guard::guard))
}
