//! Games over the WebSocket, as the page plays them.

use crate::client::{Client, connect, serve};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

/// Numbers that look random and are the same every time (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n as u64).expect("less than n")
    }
}

async fn play_to_the_end(client: &mut Client, person: &str, dice: &mut Dice) {
    loop {
        let person = person.to_string();
        let state = client
            .until(|s| !s["result"].is_null() || (s["side"] == person.as_str() && s["thinking"] == false))
            .await;
        if !state["result"].is_null() {
            return;
        }
        let moves = state["moves"].as_array().expect("moves");
        let m = moves[dice.below(moves.len())].clone();
        let answer = client.play(&m).await;
        assert_eq!(answer["e"], "state", "{m}: {answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_games_of_a_random_person_against_level_1() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let mut dice = Dice(1);
    for rules in ["italian", "american", "turkish", "brazilian,capture=optional,draws=casual,first=black"] {
        let mut client = Client::playing(address, rules, "person", "level:1", None).await;
        play_to_the_end(&mut client, "white", &mut dice).await;
        let state = &client.state;
        assert_eq!(state["history"].as_array().unwrap().len(), state["ply"].as_u64().unwrap() as usize);
        assert!(state["moves"].as_array().unwrap().is_empty());
        assert_eq!(client.ask("hint", json!({})).await["code"], "over");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_computer_begins_where_it_has_the_side_that_begins() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let mut client = Client::playing(address, "italian", "level:1", "person", None).await;
    assert_eq!(client.state["ply"], 0);
    assert_eq!(client.state["thinking"], true);
    assert_eq!(client.ask("resign", json!({"side": "white"})).await["code"], "not-your-turn");
    let state = client.until(|s| s["ply"] == 1).await;
    assert_eq!(state["side"], "black");
    assert_eq!(client.ask("takeback", json!({})).await["code"], "nothing-to-take-back");
}

#[tokio::test(flavor = "multi_thread")]
async fn illegal_moves_and_garbage_leave_the_game_unharmed() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let mut client = Client::playing(address, "italian", "person", "person", None).await;
    client.play_text("23-20").await;
    let before = client.state.clone();

    let answer = client.ask("move", json!({"from": "12", "to": "20", "captured": []})).await;
    assert_eq!((&answer["code"], &answer["reason"]), (&json!("illegal-move"), &json!("not-on-a-line")));
    let answer = client.ask("move", json!({"from": "12", "to": "777", "captured": []})).await;
    assert_eq!(answer["code"], "bad-message");
    for garbage in [
        "",
        "{",
        "[]",
        "null",
        "{\"id\":\"x\"}",
        "{\"t\":\"move\",\"id\":\"x\"}",
        "\u{0}",
        "{\"t\":\"fly\",\"id\":\"x\"}",
    ] {
        client.send(Message::text(garbage)).await;
        let answer = client.hear().await;
        assert_eq!(
            (&answer["e"], &answer["code"]),
            (&json!("error"), &json!("bad-message")),
            "{garbage}: {answer}"
        );
    }
    client.send(Message::binary(vec![0xff; 100])).await;
    assert_eq!(client.hear().await["code"], "bad-message");
    client.send(Message::text("x".repeat(16 * 1024 + 1))).await;
    assert_eq!(client.hear().await["code"], "too-long");
    client.send(Message::text("[".repeat(16 * 1024))).await;
    assert_eq!(client.hear().await["code"], "bad-message");
    let deep = json!({"t": "explain", "squares": vec!["1"; 1000]});
    assert_eq!(client.ask("explain", deep).await["code"], "bad-message");

    let after = client.ask("open", json!({})).await;
    assert_eq!(without_id(&after), without_id(&before));
    client.play_text("12-16").await;
    assert_eq!(client.state["ply"], 2);
}

fn without_id(state: &Value) -> Value {
    let mut state = state.clone();
    state["id"] = Value::Null;
    state
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_games_rules_and_positions_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::new(serve(folder.path()).await).await;
    let seats = json!({"white": "person", "black": "person"});
    let new = |rules: &str, fen: Value| json!({"rules": rules, "seats": seats, "fen": fen});
    assert_eq!(client.ask("new", new("klingon", Value::Null)).await["code"], "unknown-rules");
    assert_eq!(client.ask("new", new("italian,king=huge", Value::Null)).await["code"], "unknown-rules");
    for fen in ["", "W:W99:B1", "nonsense", "W:W21-32:B1-12:X"] {
        let answer = client.ask("new", new("italian", fen.into())).await;
        assert_eq!(answer["code"], "bad-fen", "{fen}: {answer}");
        assert!(answer["text"].as_str().unwrap().contains("column"), "{answer}");
    }
    let odd = json!({"rules": "italian", "seats": {"white": "level:11", "black": "person"}});
    assert_eq!(client.ask("new", odd).await["code"], "bad-message");
    for game in ["", "aaaaaaaaaaaaaaaa", "../../../etc/passwd", "aaaa/../aaaaaaaaa"] {
        assert_eq!(client.ask("open", json!({"game": game})).await["code"], "unknown-game", "{game}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_tabs_see_every_state_and_only_the_sender_its_own_id() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let mut one = Client::playing(address, "italian", "person", "person", None).await;
    let mut two = Client::new(address).await;
    two.game = one.game.clone();
    assert_eq!(two.ask("open", json!({})).await["ply"], 0);
    one.play_text("23-20").await;
    let seen = two.hear().await;
    assert_eq!((&seen["ply"], &seen["id"]), (&json!(1), &Value::Null));
    // A message for a ply that is past changes nothing.
    let late = one.ask("move", json!({"from": "21", "to": "18", "captured": [], "ply": 0})).await;
    assert_eq!(late["code"], "stale");
    two.play_text("12-16").await;
    assert_eq!(one.until(|s| s["ply"] == 2).await["history"][1]["text"], "12-16");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_tab_that_never_reads_does_not_hold_up_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let mut player = Client::playing(address, "italian", "person", "person", None).await;
    let mut sleeper = Client::new(address).await;
    sleeper.game = player.game.clone();
    sleeper.ask("open", json!({})).await;
    for _ in 0..60 {
        for text in ["23-20", "12-16"] {
            player.play_text(text).await;
        }
        player.ask("takeback", json!({})).await;
        player.ask("takeback", json!({})).await;
    }
    assert_eq!(player.state["ply"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn takebacks() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let mut two = Client::playing(address, "italian", "person", "person", None).await;
    assert_eq!(two.ask("takeback", json!({})).await["code"], "nothing-to-take-back");
    two.play_text("23-20").await;
    two.play_text("12-16").await;
    assert_eq!(two.ask("takeback", json!({})).await["ply"], 1);
    two.ask("resign", json!({"side": "black"})).await;
    assert_eq!(two.state["result"], json!({"winner": "white", "clause": "resigned"}));

    let mut one = Client::playing(address, "italian", "person", "level:1", None).await;
    one.play_text("23-20").await;
    one.until(|s| s["ply"] == 2).await;
    let back = one.ask("takeback", json!({})).await;
    assert_eq!((&back["ply"], &back["side"], &back["thinking"]), (&json!(0), &json!("white"), &json!(false)));
    // While the computer thinks only the person's own ply goes back, and its late answer changes nothing.
    one.play_text("23-20").await;
    if one.state["ply"] == 1 {
        let back = one.ask("takeback", json!({})).await;
        assert!(back["ply"] == 0 || back["code"] == "stale", "{back}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn draws_between_persons() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let mut client = Client::playing(address, "italian", "person", "person", None).await;
    assert_eq!(client.ask("answer_draw", json!({"accept": true})).await["code"], "no-offer");
    assert_eq!(client.ask("offer_draw", json!({})).await["offer"], "white");
    let declined = client.ask("answer_draw", json!({"accept": false})).await;
    assert_eq!((&declined["offer"], &declined["result"]), (&Value::Null, &Value::Null));
    // An offer stands until the other side moves.
    client.ask("offer_draw", json!({})).await;
    client.play_text("23-20").await;
    assert_eq!(client.state["offer"], "white");
    client.play_text("12-16").await;
    assert_eq!(client.state["offer"], Value::Null);
    client.ask("offer_draw", json!({})).await;
    let agreed = client.ask("answer_draw", json!({"accept": true})).await;
    assert_eq!(agreed["result"], json!({"winner": null, "clause": "agreement"}));
    let rematch = client.ask("rematch", json!({})).await;
    assert_ne!(rematch["game"], client.game.as_str());
    assert_eq!(rematch["ply"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draw_is_accepted_by_the_computer_unless_it_stands_to_win() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    // The person has White and is to move: lost, even, won for the person.
    for (rules, fen, agrees) in [
        ("italian", "W:W32:BK1,K2,K3,K9", false),
        ("italian", "W:WK32:BK1", true),
        ("italian", "W:WK30,K31,K32,K26:B1", true),
        ("international", "W:W50:BK1,K2,K3,K4", false),
        ("international", "W:WK46,K47,K48,K49:B1", true),
    ] {
        let mut client = Client::playing(address, rules, "person", "level:1", Some(fen)).await;
        client.tell("offer_draw", json!({})).await;
        let mut declined = false;
        while client.state["seq"] != 2 {
            declined |= client.hear().await["e"] == "draw_declined";
        }
        assert_eq!(!client.state["result"].is_null(), agrees, "{rules} {fen}");
        assert_eq!(declined, !agrees, "{rules} {fen}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_are_legal_moves() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let mut client =
        Client::playing(address, "italian", "person", "level:1", Some("W:W21,K22,K31:B11,18")).await;
    let hint = client.ask("hint", json!({})).await;
    assert_eq!((&hint["e"], &hint["move"]["text"]), (&json!("hint"), &json!("21x7")), "{hint}");
}

#[tokio::test(flavor = "multi_thread")]
async fn why_not() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let mut client =
        Client::playing(address, "italian", "person", "person", Some("W:W21,K22,K31:B11,18")).await;
    let why = client.ask("explain", json!({"squares": ["22", "13"]})).await;
    assert_eq!(why["e"], "why");
    assert_eq!(
        (&why["legal"], &why["reason"], &why["n"], &why["m"]),
        (&json!(false), &json!("too-few"), &json!(1), &json!(2)),
        "{why}"
    );
    assert_eq!(why["better"][0]["paths"][0], json!({"path": ["21", "14", "7"], "captured": ["18", "11"]}));
}

#[tokio::test(flavor = "multi_thread")]
async fn american_draws_are_claimed_by_persons_and_by_the_computer() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let fen = "B:WK32:BK1";
    let shuffle = ["1-6", "32-28", "6-1", "28-32"];
    let mut client = Client::playing(address, "american", "person", "person", Some(fen)).await;
    assert_eq!(client.ask("claim", json!({"clause": "repetition"})).await["code"], "cannot-claim");
    for text in shuffle.iter().chain(&shuffle[..3]) {
        assert!(client.state["claimable"].as_array().unwrap().is_empty(), "{}", client.state["history"]);
        client.play_text(text).await;
    }
    // White's move to 32 would make the third occurrence: he may claim before he plays it.
    assert_eq!(client.state["claimable"], json!(["repetition"]));
    let drawn = client.ask("claim", json!({"clause": "repetition"})).await;
    assert_eq!(drawn["result"], json!({"winner": null, "clause": "repetition"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn casual_games_are_drawn_after_forty_moves_of_each() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let mut client =
        Client::playing(address, "italian,draws=casual", "person", "person", Some("W:WK32:BK1")).await;
    for i in 0..80 {
        assert_eq!(client.state["result"], Value::Null, "after {i} plies");
        client.play_text(["32-28", "1-5", "28-32", "5-1"][i % 4]).await;
    }
    assert_eq!(client.state["result"], json!({"winner": null, "clause": "no-progress"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn home_made_rules_are_played_by_their_canonical_name() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let spec =
        "italian,king=flying,ladder=number,men_capture=everywhere,men_take_kings=true,promotion=at_end";
    let mut client = Client::playing(address, spec, "level:1", "person", None).await;
    play_to_the_end(&mut client, "black", &mut Dice(5)).await;
    assert_eq!(client.state["rules"]["key"], "italian");
    assert_eq!(client.state["rules"]["overrides"].as_array().unwrap().len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_our_own_page_may_open_the_socket() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    for origin in [
        None,
        Some(""),
        Some("null"),
        Some("http://evil.example"),
        Some("https://127.0.0.1"),
        Some("http://localhost:1"),
    ] {
        assert!(connect(address, origin).await.is_err(), "{origin:?}");
    }
    assert!(connect(address, Some(&format!("http://{address}"))).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_messages_is_slowed_down_and_hurts_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let mut flooder = Client::new(address).await;
    let mut player = Client::playing(address, "italian", "person", "person", None).await;
    for _ in 0..390 {
        flooder.send(Message::text("{}")).await;
    }
    player.play_text("23-20").await;
    for _ in 0..390 {
        assert_eq!(flooder.hear().await["code"], "bad-message");
    }
}
