//! The program is killed in the middle of a game, and the game comes back.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::client::Client;
use serde_json::json;

const FOLDER: &str = "DAMIERA_TEST_DATA_DIR";

/// Not a test: the server that the tests below start as a process of its own and kill.
#[test]
#[ignore = "it is started by the other tests"]
fn serve_until_killed() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let config = damiera_server::Config {
        port: 0,
        fallback_to_free_port: false,
        data_dir: folder.into(),
        games: Vec::new(),
        best: crate::client::BEST,
    };
    // On standard error, because the test harness writes on standard output.
    damiera_server::run_blocking(config, |address| eprintln!("address {address}")).unwrap();
}

/// A server process; it is killed when it is dropped.
struct Killable(Child);

impl Drop for Killable {
    fn drop(&mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it ends");
    }
}

fn start(folder: &Path) -> (Killable, SocketAddr) {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "restart::serve_until_killed", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let address = lines.find_map(|line| line.strip_prefix("address ")?.parse().ok()).expect("an address");
    // The pipe is emptied as long as the server lives, so that it never waits for a reader.
    std::thread::spawn(move || lines.for_each(drop));
    (Killable(child), address)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_move_is_lost_by_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    let (server, address) = start(folder.path());
    let mut client = Client::playing(address, "italian", "person", "person", None).await;
    for text in ["23-20", "12-16", "21-18"] {
        client.play_text(text).await;
    }
    let mut against = Client::playing(address, "brazilian", "person", "level:3", None).await;
    let first = against.state["moves"][0].clone();
    against.play(&first).await;
    drop(server);

    let (_server, address) = start(folder.path());
    let mut back = Client::new(address).await;
    back.game = client.game.clone();
    let mut state = back.ask("open", json!({})).await;
    state["id"] = client.state["id"].clone();
    assert_eq!(state, client.state);
    back.play_text("16x23").await;

    // The computer was killed while it thought: it thinks again.
    let mut back = Client::new(address).await;
    back.game = against.game.clone();
    back.ask("open", json!({})).await;
    let state = back.until(|s| s["ply"] == 2).await;
    assert_eq!(state["history"][0]["from"], first["from"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_in_memory_when_the_disk_refuses() {
    let folder = tempfile::tempdir().unwrap();
    // Where the folder of the games should be there is a file.
    std::fs::write(folder.path().join("games"), "").unwrap();
    let address = crate::client::serve(folder.path()).await;
    let mut client = Client::playing(address, "italian", "person", "person", None).await;
    assert_eq!(client.state["saved"], false);
    client.play_text("23-20").await;
    let mut again = Client::new(address).await;
    again.game = client.game.clone();
    assert_eq!(again.ask("open", json!({})).await["ply"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_game_is_named_and_hurts_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let address = crate::client::serve(folder.path()).await;
    let game = {
        let mut client = Client::playing(address, "italian", "person", "person", None).await;
        client.play_text("23-20").await;
        client.game.clone()
    };
    let file = folder.path().join("games").join(format!("{game}.jsonl"));
    let damaged = std::fs::read_to_string(&file).unwrap().replacen("italian", "klingon", 1);
    // The game leaves the memory when its last client goes.
    let mut client = Client::new(address).await;
    for _ in 0..100 {
        std::fs::write(&file, &damaged).unwrap();
        let answer = client.ask("open", json!({"game": game})).await;
        if answer["code"] == "unknown-game" {
            assert!(answer["text"].as_str().unwrap().contains("klingon"), "{answer}");
            assert_eq!(Client::playing(address, "italian", "person", "person", None).await.state["ply"], 0);
            return;
        }
        client = Client::new(address).await;
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the damaged game was opened");
}
