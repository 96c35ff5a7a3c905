//! The computer's levels, its pace and its analyses, and openings of tournaments, as a client of the table meets them.

use crate::client::{Client, serve};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn every_level_answers_and_no_other_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    for (seat, shown) in [
        ("level:1", json!({"kind": "level", "level": 1})),
        ("level:10", json!({"kind": "level", "level": 10})),
        ("best", json!({"kind": "best"})),
    ] {
        let mut client = Client::playing(address, "russian", "person", seat, None).await;
        assert_eq!(client.state["seats"]["black"], shown);
        client.play_text("c3-d4").await;
        client.until(|state| state["ply"] == 2).await;
    }
    let mut client = Client::new(address).await;
    for seat in ["level:0", "level:11", "level:", "level:best", "Best", ""] {
        let new = json!({"rules": "russian", "seats": {"white": "person", "black": seat}});
        assert_eq!(client.ask("new", new).await["code"], "bad-message", "{seat}");
    }
}

/// Writes the log of a game as an earlier version did, or as a later one might, and opens it.
async fn open_log(client: &mut Client, games: &std::path::Path, version: Option<u32>, seat: &str) -> Value {
    let italian = damiera_rules::RuleSet::known("italian").expect("a known rule set");
    let mut created = json!({
        "type": "created", "rules": "italian", "fingerprint": damiera_table::json::fingerprint(&italian),
        "fen": damiera_rules::fen::format(&italian, &italian.initial()), "seats": {"white": "person", "black": seat}, "seed": 7,
    });
    if let Some(version) = version {
        created["version"] = version.into();
    }
    let record = json!({"seq": 0, "event": created, "at": 1});
    std::fs::write(games.join("abcdefghijkmnpqr.jsonl"), format!("{record}\n"))
        .expect("a folder that can be written");
    client.ask("open", json!({"game": "abcdefghijkmnpqr"})).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_the_three_old_levels_goes_on_at_their_like() {
    for (old, today) in [("level:1", 3), ("level:2", 7), ("level:3", 10)] {
        let folder = tempfile::tempdir().unwrap();
        let mut client = Client::new(serve(folder.path()).await).await;
        let state = open_log(&mut client, &folder.path().join("games"), None, old).await;
        assert_eq!(state["seats"]["black"]["level"], today, "{state}");
        client.game = state["game"].as_str().unwrap().to_string();
        client.state = state;
        client.play_text("22-18").await;
        client.until(|state| state["ply"] == 2).await;
        // The sides change, and the level stays what it has become.
        assert_eq!(client.ask("rematch", json!({})).await["seats"]["white"]["level"], today);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_level_of_today_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::new(serve(folder.path()).await).await;
    let games = folder.path().join("games");
    assert_eq!(open_log(&mut client, &games, Some(2), "level:3").await["seats"]["black"]["level"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_a_later_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::new(serve(folder.path()).await).await;
    let answer = open_log(&mut client, &folder.path().join("games"), Some(99), "level:3").await;
    assert_eq!(answer["code"], "unknown-game");
    assert!(answer["text"].as_str().unwrap().contains("version 99"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn at_a_persons_pace_no_answer_comes_within_the_blink_of_an_eye() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::playing(serve(folder.path()).await, "italian", "person", "level:1", None).await;
    client.ask("open", json!({"paced": true})).await;
    client.play_text("22-18").await;
    client.until(|state| state["ply"] == 2).await;
    let log =
        std::fs::read_to_string(folder.path().join("games").join(format!("{}.jsonl", client.game))).unwrap();
    let at = |line: &str| serde_json::from_str::<Value>(line).unwrap()["at"].as_u64().unwrap();
    let times: Vec<u64> = log.lines().map(at).collect();
    // How long it takes beyond that is up to the machine.
    assert!(times[2] - times[1] >= 400, "{times:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_computer_that_begins_takes_its_time_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::new(serve(folder.path()).await).await;
    let seats = json!({"white": "level:1", "black": "person"});
    let new = json!({"rules": "italian", "seats": seats, "paced": true});
    let first = client.ask("new", new).await["game"].clone();
    client.game = first.as_str().unwrap().to_string();
    client.until(|state| state["ply"] == 1).await;
    let again = client.ask("rematch", json!({"paced": true})).await;
    assert_eq!(again["seats"]["black"]["level"], 1, "{again}");
    let log =
        std::fs::read_to_string(folder.path().join("games").join(format!("{}.jsonl", client.game))).unwrap();
    let at = |line: &str| serde_json::from_str::<Value>(line).unwrap()["at"].as_u64().unwrap();
    let times: Vec<u64> = log.lines().map(at).collect();
    assert!(times[1] - times[0] >= 400, "{times:?}");
}

/// Returns the next word of the analysis that this message asked for.
async fn hear_analysis(client: &mut Client, id: &str) -> Value {
    loop {
        let message = client.hear().await;
        if message["e"] == "analysis" && message["id"] == id {
            return message;
        }
    }
}

/// Returns the last word of the analysis.
async fn last_word(client: &mut Client, id: &str) -> Value {
    loop {
        let message = hear_analysis(client, id).await;
        if message["done"] == true {
            return message;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_tells_its_lines_is_stopped_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::playing(serve(folder.path()).await, "italian", "person", "level:1", None).await;
    for _ in 0..2 {
        let id = client.tell("analyze", json!({"lines": 3})).await;
        let word = hear_analysis(&mut client, &id).await;
        assert_eq!((&word["game"], &word["ply"]), (&client.state["game"], &json!(0)));
        assert!(word["depth"].as_u64().unwrap() > 0 && word["nodes"].as_u64().unwrap() > 0, "{word}");
        assert!(word["nodes_per_second"].is_u64() && word["seconds"].is_f64(), "{word}");
        let lines = word["lines"].as_array().unwrap();
        assert_eq!(lines.len(), 3, "{word}");
        for line in lines {
            assert!(line["score"]["men"].is_f64(), "{line}");
            let first = &line["pv"][0]["text"];
            assert!(client.state["moves"].as_array().unwrap().iter().any(|m| m["text"] == *first), "{line}");
        }
        let stopped = client.tell("stop_analysis", json!({})).await;
        last_word(&mut client, &id).await;
        // The message itself is answered as well, before or after that.
        assert_ne!(stopped, id);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_ends_when_the_game_goes_on_and_when_another_begins() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::playing(serve(folder.path()).await, "russian", "person", "person", None).await;
    let first = client.tell("analyze", json!({})).await;
    hear_analysis(&mut client, &first).await;
    let second = client.tell("analyze", json!({"lines": 2})).await;
    assert_eq!(last_word(&mut client, &first).await["ply"], 0);
    hear_analysis(&mut client, &second).await;
    client.tell("move", json!({"from": "c3", "to": "d4"})).await;
    assert_eq!(last_word(&mut client, &second).await["ply"], 0);
    client.until(|state| state["ply"] == 1).await;
    assert_eq!(client.ask("analyze", json!({"lines": 6})).await["code"], "bad-message");
    assert_eq!(client.ask("analyze", json!({"lines": 0})).await["code"], "bad-message");
    assert_eq!(client.ask("analyze", json!({"ply": 0})).await["code"], "stale");
    client.ask("resign", json!({})).await;
    assert_eq!(client.ask("analyze", json!({})).await["code"], "over");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_that_waits_for_others_is_stopped_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let cores = std::thread::available_parallelism().unwrap().get();
    // As many as there may be are under way.
    let mut others = Vec::new();
    for _ in 0..cores {
        let mut other = Client::playing(address, "international", "person", "person", None).await;
        let id = other.tell("analyze", json!({})).await;
        hear_analysis(&mut other, &id).await;
        others.push((other, id));
    }
    let mut client = Client::playing(address, "international", "person", "person", None).await;
    let id = client.tell("analyze", json!({})).await;
    client.tell("stop_analysis", json!({})).await;
    last_word(&mut client, &id).await;
    // They have gone on meanwhile.
    for (other, id) in &mut others {
        other.tell("stop_analysis", json!({})).await;
        last_word(other, id).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_gone_before_the_answer_leaves_no_game_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let mut client = Client::playing(address, "canadian", "person", "person", None).await;
    for _ in 0..100 {
        let mut other = Client::new(address).await;
        (other.game, other.state) = (client.game.clone(), client.state.clone());
        other.tell("open", json!({})).await;
        other.tell("analyze", json!({})).await;
    }
    client.ask("open", json!({})).await;
    let game = client.game.clone();
    drop(client);
    // A game in memory keeps its file locked; another program cannot open it before it is let go.
    let mut elsewhere = Client::new(serve(folder.path()).await).await;
    for _ in 0..400 {
        if elsewhere.ask("open", json!({"game": game})).await["e"] == "state" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the game is still in memory");
}

#[tokio::test(flavor = "multi_thread")]
async fn wins_are_counted_and_draws_are_named_by_their_clause() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let won = Client::playing(address, "italian", "person", "person", Some("W:W21,K22,K31:B11,18")).await;
    let drawn = Client::playing(address, "brazilian", "person", "person", Some("W:WKa1:BKb8")).await;
    for (mut client, wanted) in [(won, json!({"win_in": 1})), (drawn, json!({"draw": "few-pieces"}))] {
        let id = client.tell("analyze", json!({})).await;
        let mut word = hear_analysis(&mut client, &id).await;
        while word["lines"][0]["score"] != wanted && word["done"] == false {
            word = hear_analysis(&mut client, &id).await;
        }
        assert_eq!(word["lines"][0]["score"], wanted, "{word}");
    }
}

/// Begins a game of American checkers between two persons with an opening.
async fn opened(client: &mut Client, opening: &str) -> Value {
    let seats = json!({"white": "person", "black": "person"});
    client.ask("new", json!({"rules": "american", "seats": seats, "opening": opening})).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_opening_is_played_first_stays_and_comes_back_with_the_sides_changed() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(folder.path()).await;
    let mut client = Client::new(address).await;
    let state = opened(&mut client, "3-move:1").await;
    assert_eq!(state["opening"], json!({"list": "3-move", "number": 1, "plies": 3}));
    let texts: Vec<&Value> =
        state["history"].as_array().unwrap().iter().map(|entry| &entry["text"]).collect();
    assert_eq!(texts, ["9-13", "21-17", "5-9"]);
    client.game = state["game"].as_str().unwrap().to_string();
    client.state = state;
    assert_eq!(client.ask("takeback", json!({})).await["code"], "nothing-to-take-back");
    let first = client.state["moves"][0].clone();
    client.play(&first).await;
    assert_eq!(client.ask("takeback", json!({})).await["ply"], 3);
    assert_eq!(client.ask("takeback", json!({})).await["code"], "nothing-to-take-back");
    // Another connection finds it as it is in the log.
    let mut other = Client::new(address).await;
    other.ask("open", json!({"game": client.game})).await;
    assert_eq!(other.state["opening"]["number"], 1);
    let again = client.ask("rematch", json!({})).await;
    assert_eq!((&again["opening"]["number"], &again["ply"]), (&json!(1), &json!(3)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_opening_by_lot_is_one_of_the_list_and_what_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::new(serve(folder.path()).await).await;
    let mut drawn = std::collections::BTreeSet::new();
    for _ in 0..12 {
        let state = opened(&mut client, "11-man").await;
        assert_eq!(state["opening"]["list"], "11-man", "{state}");
        assert_eq!((&state["ply"], &state["start"]["men"]), (&json!(2), &json!(11)));
        drawn.insert(state["opening"]["number"].as_u64().unwrap());
    }
    assert!(drawn.len() > 1, "{drawn:?}");
    for none in ["", "lot", "4-move", "3-move:0", "3-move:9999", "3-move:x", "3-move:"] {
        assert_eq!(opened(&mut client, none).await["code"], "bad-message", "{none}");
    }
    let seats = json!({"white": "person", "black": "person"});
    let russian = json!({"rules": "russian", "seats": seats, "opening": "3-move"});
    assert_eq!(client.ask("new", russian).await["code"], "bad-message");
    let both = json!({"rules": "american", "seats": seats, "opening": "3-move", "fen": "W:WK32:BK1"});
    assert_eq!(client.ask("new", both).await["code"], "bad-message");
}
