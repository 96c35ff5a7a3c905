//! `damiera pdn annotate`: the real program over real games, stopped, resumed and run again.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

/// White's king walks into a capture; Black does not see how it wins. Somebody has said something already, and given the second move a
/// sign.
const LOST: &str = "[Bianco \"Rossi\"]\n[Nero \"Verdi\"]\n[Result \"0-1\"]\n[GameType \"22\"]\n[FEN \"W:WK2,K12:BK11,K22\"]\n\n\
    1. 12-7 {too near} (1. 2-6 {also bad}) 1... 11x4! 2. 2-6 22-27 3. 6-11 27-23! 0-1\n\n";

/// A position comes back again and again. The fourth time it is a draw; White walks into a capture instead.
const DRAWN: &str = "[White \"Rossi\"]\n[Black \"Bruni\"]\n[Result \"0-1\"]\n[GameType \"22\"]\n[FEN \"B:WK5,K12:BK11,K22\"]\n\n\
    1... 11-14 2. 5-2 14-11 3. 2-5 11-14 4. 5-2 14-11 5. 2-5 11-14 6. 5-2 14-11 7. 12-7 11x4 0-1\n\n";

/// What the tag says of us.
const US: &str = concat!("Damiera ", env!("CARGO_PKG_VERSION"), ", 20000 nodes a move");

fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("annotate-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// A path where nothing is.
fn nothing(name: &str) -> PathBuf {
    let path = file(name, "");
    fs::remove_file(&path).unwrap();
    path
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damiera"));
    command.arg("pdn").args(args).env("LANG", "C").env_remove("LC_ALL").env_remove("LC_MESSAGES");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn program(args: &[&str], input: &str) -> Output {
    let mut child = command(args).spawn().unwrap();
    // Who has read enough closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!error.contains("panicked"), "{error}");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Annotates what stands on standard input. The lines are joined: where they break tells nothing.
fn annotated(input: &str, more: &[&str]) -> String {
    let args = [&["annotate", "-", "--nodes", "20000"], more].concat();
    let output = program(&args, input);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Looks whether every move of a text is legal, variations and all, and nothing has to be mended.
fn assert_clean(text_of_games: &str) {
    let output = program(&["check", "-", "--json"], text_of_games);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((json["repair_count"].as_u64(), json["fault_count"].as_u64()), (Some(0), Some(0)), "{json}");
    assert_eq!(json["moves"], json["plies"]);
}

#[test]
fn mistakes_are_named_with_the_better_line() {
    let written = annotated(LOST, &["--lang", "en"]);
    assert!(written.contains(&format!("[Annotator \"{US}\"]\n")), "{written}");
    let said = joined(&written);
    // What others have said stays as it is, where it is.
    assert!(
        said.contains("1. 12-7?? {too near} {Damiera: A losing move; better 2-5 (level). Now: Black wins in 6 moves. The decisive mistake.} (1. 2-6 {also bad}) (1. 2-5 "),
        "{said}"
    );
    assert!(said.contains("1... 11x4! 2. 2-6 22-27 "), "{said}");
    // So does a sign; ours stands in the comment then.
    let overlooked = "6-11 27-23! {Damiera (?): Overlooks a proven win: ";
    assert!(
        said.contains(overlooked) && said.contains(" (Black wins in 6 moves). Now: Black +2.0.} (3... "),
        "{said}"
    );
    assert_eq!(said.matches("{Damiera} )").count() + said.matches("{Damiera})").count(), 2, "{said}");
    assert_clean(&written);
}

#[test]
fn the_reader_is_spoken_to_in_his_language() {
    for (lang, wanted) in [
        (
            "it",
            "{Damiera: Mossa perdente; meglio 2-5 (pari). Ora: il Nero vince in 6 mosse. È l’errore decisivo.}",
        ),
        (
            "es",
            "{Damiera: Jugada perdedora; mejor 2-5 (igualdad). Ahora: las negras ganan en 6 jugadas. Es el error decisivo.}",
        ),
        (
            "pt-BR",
            "{Damiera: Lance perdedor; melhor 2-5 (igualdade). Agora: as pretas vencem em 6 lances. É o erro decisivo.}",
        ),
    ] {
        let said = joined(&annotated(LOST, &["--lang", lang]));
        assert!(said.contains(wanted), "{said}");
    }
    assert!(joined(&annotated(LOST, &["--lang", "it"])).contains("Ora: Nero +2,0.}"));
}

#[test]
fn a_draw_that_nobody_could_prevent_is_overlooked() {
    let written = annotated(DRAWN, &["--lang", "it"]);
    let said = joined(&written);
    assert!(
        said.contains("7. 12-7?? {Damiera: Non vede una patta sicura: 2-5 (patta). Ora: il Nero vince in 6 mosse. È l’errore decisivo.} (7. 2-5 {Damiera}"),
        "{said}"
    );
    assert_clean(&written);
}

#[test]
fn a_better_line_does_not_end_in_the_middle_of_a_capture() {
    // White gives two men for nothing.
    let game = "[GameType \"22\"] 1. 24-20 11-14 2. 21-17 14-19 3. 22x15 12x19 4. 23x14 10x19 5. 27-23 6-11 6. 23x14 11x18 7. 17-13 18-21 \
        8. 26x17 9x18 9. 29-26 5-10 10. 17-13 10x17 11. 28-23 7-12 12. 25-21 18x25 *";
    let written = annotated(game, &["--lang", "en"]);
    assert!(joined(&written).contains("12. 25-21?? {Damiera: Better 26-21 ("), "{written}");
    assert_clean(&written);
    let tree = text(&program(&["convert", "-", "--to", "json"], &written).stdout);
    let json: Value = serde_json::from_str(&tree).unwrap();
    let nodes = json["nodes"].as_array().unwrap();
    let ends: Vec<&Value> = nodes.iter().filter(|node| node["comments"][0] == "Damiera").collect();
    assert!(!ends.is_empty());
    for end in ends {
        let mut line = Vec::new();
        let mut at = end;
        while let Some(parent) = at["parent"].as_u64() {
            line.push(at["move"].as_str().unwrap());
            at = &nodes[usize::try_from(parent).unwrap()];
        }
        line.reverse();
        let game = format!("[GameType \"22\"] {} *", line.join(" "));
        let replayed = text(&program(&["replay", "-", "--json"], &game).stdout);
        let end: Value = serde_json::from_str(&replayed).unwrap();
        let args = ["moves", "--rules", "italian", "--fen", end["fen"].as_str().unwrap()];
        let moves = Command::new(env!("CARGO_BIN_EXE_damiera")).args(args).output().unwrap();
        assert!(moves.status.success() && !moves.stdout.is_empty(), "{line:?}");
        assert!(!text(&moves.stdout).contains('x'), "{line:?} leaves captures open");
    }
}

#[test]
fn who_annotates_again_says_nothing_twice() {
    let both = format!("{LOST}{DRAWN}");
    let once = annotated(&both, &["--lang", "it", "--evals"]);
    assert_eq!(annotated(&once, &["--lang", "it", "--evals"]), once);
    // In another language, without evaluations: as if nobody had been there.
    assert_eq!(annotated(&once, &["--lang", "en"]), annotated(&both, &["--lang", "en"]));
    // Others have annotated it too; they stay.
    let by_others = LOST.replace("[GameType", "[Annotator \"Maestro Bianchi\"]\n[GameType");
    let once = annotated(&by_others, &[]);
    assert!(once.contains(&format!("[Annotator \"Maestro Bianchi; {US}\"]")), "{once}");
    assert_eq!(annotated(&once, &[]), once);
}

#[test]
fn a_comment_that_stands_in_our_line_keeps_it() {
    let once = annotated(LOST, &["--lang", "it"]);
    let line = joined(&once);
    let (_, line) = line.split_once("(1. 2-5 ").unwrap();
    let first = line.split_whitespace().next().unwrap();
    let discussed =
        joined(&once).replacen(&format!("(1. 2-5 {first}"), &format!("(1. 2-5 {{prova}} 1... {first}"), 1);
    let again = joined(&annotated(&discussed.replace("] [", "]\n["), &["--lang", "it"]));
    assert!(again.contains("(1. 2-5 {prova} 1... "), "{again}");
    assert_eq!(again.matches("Mossa perdente").count(), 1, "{again}");
}

#[test]
fn a_game_in_which_ours_cannot_be_told_from_theirs_stays_as_it_is() {
    let once = annotated(&LOST.replace("27-23! 0-1", "27-23! (4. 11-6 {adjourned}) 0-1"), &["--lang", "it"]);
    assert!(once.contains("{adjourned}") && once.contains("Mossa perdente"), "{once}");
    let again = program(&["annotate", "-", "--nodes", "20000", "--lang", "en"], &once);
    assert_eq!(text(&again.stdout), once);
    assert!(text(&again.stderr).contains("1 game that Damiera had annotated stays as it is"));
}

#[test]
fn evaluations_are_for_white_and_leave_those_of_others_alone() {
    let said = joined(&annotated(LOST, &["--evals"]));
    assert!(said.contains("1. 12-7?? {[%eval #-6]} {too near}"), "{said}");
    assert!(said.contains("27-23! {[%eval -2.0"), "{said}");
    let theirs = LOST.replace("{too near}", "{[%eval -1.5] too near}");
    let said = joined(&annotated(&theirs, &["--evals"]));
    assert_eq!(said.matches("[%eval").count(), 1, "{said}");
    assert!(said.contains("[%eval -1.5]"), "{said}");
}

#[test]
fn the_same_file_gets_the_same_comments_however_many_work() {
    let games = many(6);
    let alone = annotated(&games, &["--threads", "1"]);
    assert_eq!(annotated(&games, &["--threads", "3"]), alone);
    assert_eq!(alone.matches("[White ").count(), 12);
}

/// So many times both games, each under another name.
fn many(n: usize) -> String {
    (1..=n).map(|i| format!("{LOST}{DRAWN}").replace("Rossi", &format!("Rossi {i}"))).collect()
}

fn annotate(input: &Path, out: &Path, more: &[&str]) -> Output {
    let args = ["annotate", input.to_str().unwrap(), "--out", out.to_str().unwrap(), "--nodes", "20000"];
    program(&[&args[..], more].concat(), "")
}

#[test]
fn a_run_that_was_cut_off_goes_on() {
    let games = file("many.pdn", &many(3));
    let (whole, cut) = (nothing("whole.pdn"), nothing("cut.pdn"));
    let ran = annotate(&games, &whole, &["--json"]);
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    let json: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((json["games"].as_u64(), json["games_before"].as_u64()), (Some(6), Some(0)));
    assert_eq!((json["wins_overlooked"].as_u64(), json["draws_overlooked"].as_u64()), (Some(3), Some(3)));
    let bytes = fs::read(&whole).unwrap();
    // Cut off in the tags, in the moves, between the signs of an end, behind a game, behind the last; and nothing there yet.
    let second = text(&bytes).match_indices("*\n\n").nth(1).unwrap().0;
    for at in [0, 1, 40, 200, second, second + 1, second + 2, second + 3, second + 30, bytes.len()] {
        fs::write(&cut, &bytes[..at]).unwrap();
        let ran = annotate(&games, &cut, &["--resume"]);
        assert_eq!(ran.status.code(), Some(0), "{at}: {}", text(&ran.stderr));
        assert_eq!(text(&fs::read(&cut).unwrap()), text(&bytes), "cut at {at}");
    }
    assert!(text(&annotate(&games, &whole, &["--resume"]).stderr).contains("6 games were there already"));
}

#[test]
fn what_is_not_of_this_run_is_not_touched() {
    let games = file("own.pdn", &many(2));
    let out = nothing("mine.pdn");
    assert_eq!(annotate(&games, &out, &["--resume"]).status.code(), Some(0));
    let written = fs::read(&out).unwrap();
    let other = file("other.pdn", &many(1).replace("Bruni", "Neri"));
    let fewer = file("fewer.pdn", &many(1));
    for (what, ran) in [
        ("no resume", annotate(&games, &out, &[])),
        (
            "other limits",
            program(
                &[
                    "annotate",
                    games.to_str().unwrap(),
                    "--out",
                    out.to_str().unwrap(),
                    "--resume",
                    "--nodes",
                    "30000",
                ],
                "",
            ),
        ),
        ("other games", annotate(&other, &out, &["--resume"])),
        ("fewer games", annotate(&fewer, &out, &["--resume"])),
    ] {
        assert_eq!(ran.status.code(), Some(2), "{what}: {}", text(&ran.stderr));
        assert!(text(&ran.stderr).contains("mine.pdn") || what == "fewer games", "{what}");
        assert_eq!(fs::read(&out).unwrap(), written, "{what}");
    }
    // A file of somebody's games, its last one without an end: as such it must not be cut off.
    let precious = many(1).replace("Bianco", "White").replace("0-1\n\n", "0-1\n");
    let mine = file("precious.pdn", &precious);
    let theirs = file("precious-too.pdn", &precious);
    assert_eq!(annotate(&mine, &theirs, &["--resume"]).status.code(), Some(2));
    assert_eq!(fs::read(&theirs).unwrap(), precious.as_bytes());
    let nowhere = nothing("nowhere.pdn");
    assert_eq!(annotate(&nowhere, &nothing("empty.pdn"), &[]).status.code(), Some(2));
    assert!(!nowhere.with_file_name("empty.pdn").exists(), "a file that is not there leaves none behind");
}

#[test]
fn the_files_that_are_read_are_not_written_to() {
    // Annotated before, and its last game not written to its end: a run that goes on would cut that off.
    let once = annotated(&many(1), &["--lang", "en"]);
    let games = file("in-place.pdn", once.strip_suffix("*\n\n").unwrap());
    let other = file("beside.pdn", LOST);
    let before = fs::read(&games).unwrap();
    let folder = games.parent().unwrap();
    let mut names =
        vec![games.clone(), folder.join("..").join(folder.file_name().unwrap()).join("in-place.pdn")];
    #[cfg(unix)]
    {
        let link = nothing("link.pdn");
        std::os::unix::fs::symlink(&games, &link).unwrap();
        names.push(link);
    }
    let hard = nothing("hard-link.pdn");
    fs::hard_link(&games, &hard).unwrap();
    names.push(hard);
    for name in names {
        for more in
            [&[][..], &["--resume"], &["--resume", "--game", "1"], &[other.to_str().unwrap(), "--resume"]]
        {
            let ran = annotate(&games, &name, more);
            assert_eq!(ran.status.code(), Some(2), "{name:?} {more:?}");
            let why = "--out must be another file than those that are read";
            assert!(text(&ran.stderr).contains(why), "{name:?} {more:?}: {}", text(&ran.stderr));
            assert_eq!(fs::read(&games).unwrap(), before, "{name:?} {more:?}");
        }
    }
    assert_eq!(fs::read_to_string(&other).unwrap(), LOST);
}

#[cfg(unix)]
#[test]
fn ctrl_c_loses_only_the_games_in_work() {
    let games = file("long.pdn", &many(20));
    let (whole, stopped) = (nothing("long-whole.pdn"), nothing("long-stopped.pdn"));
    assert_eq!(annotate(&games, &whole, &[]).status.code(), Some(0));
    let args = ["annotate", games.to_str().unwrap(), "--out", stopped.to_str().unwrap(), "--nodes", "20000"];
    let child = command(&args).args(["--threads", "1"]).spawn().unwrap();
    let began = Instant::now();
    while fs::read_to_string(&stopped).unwrap_or_default().matches("*\n\n").count() < 2 {
        assert!(began.elapsed() < Duration::from_secs(120), "no game was written");
        sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--resume goes on"), "{}", text(&output.stderr));
    let written = fs::read(&stopped).unwrap();
    let all = fs::read(&whole).unwrap();
    assert!(written.len() < all.len() && all.starts_with(&written) && written.ends_with(b"*\n\n"));
    assert_eq!(annotate(&games, &stopped, &["--resume"]).status.code(), Some(0));
    assert_eq!(fs::read(&stopped).unwrap(), all);
}

#[test]
fn what_cannot_be_read_is_said_and_the_rest_is_annotated() {
    let game = LOST.replace("27-23!", "27-9");
    let output = program(&["annotate", "-", "--nodes", "20000", "--lang", "it"], &game);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("1 errore; ciò che non si è potuto leggere"),
        "{}",
        text(&output.stderr)
    );
    let written = joined(&text(&output.stdout));
    assert!(written.contains("3. 6-11 {[%unread 27-9]} *"), "{written}");
    // Without moves, and with a position that is set up on the way.
    let odd = "[White \"Nobody\"] *\n\n[GameType \"22\"] 1. 23-19 11-15 {[%setup] } (1... 12-16) *\n\n";
    let output = program(&["annotate", "-", "--nodes", "20000"], odd);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).matches("[Annotator").count(), 1);
    let set_up = "[GameType \"22\"] 1. 23-19 11-15 /FEN \"W:WK2,K12:BK11,K22\"/ 2. 12-7 11x4 *";
    let said = joined(&annotated(set_up, &["--lang", "en"]));
    assert!(said.contains("12-7?? {Damiera: A losing move; better 2-5"), "{said}");
}

#[test]
fn people_play_on_behind_a_draw() {
    // The position is a draw by repetition before the last moves.
    let game = DRAWN.replace("7. 12-7 11x4", "7. 2-5 11-14 8. 5-2 14-11 9. 12-7 11x4");
    let said = joined(&annotated(&game, &["--lang", "en"]));
    assert!(said.contains("9. 12-7?? {Damiera: A losing move; better "), "{said}");
}

#[test]
fn behind_a_win_the_next_position_that_is_set_up_is_gone_over() {
    // The first king has won; people play on, and then look at another position.
    let game = "[Rules \"breakthrough\"] [FEN \"W:W7,30:B45,15\"] 1. 7-1 15-20 2. 30-24 20x29 /FEN \"W:W7,30:B45,16\"/ 3. 30-25 16-21 *";
    let written = annotated(game, &["--evals", "--lang", "en"]);
    let said = joined(&written);
    assert!(said.contains("1. 7-1 {[%eval #0]} 1... 15-20 2. 30-24 20x29 /FEN"), "{said}");
    // Either side could have won at once.
    assert!(said.contains("3. 30-25?? {[%eval #-1]} {Damiera: Overlooks a proven win: 7-"), "{said}");
    assert_clean(&written);
}

#[test]
fn every_rule_set_can_be_annotated() {
    let rules =
        Command::new(env!("CARGO_BIN_EXE_damiera")).args(["rules", "list", "--json"]).output().unwrap();
    let list: Value = serde_json::from_slice(&rules.stdout).unwrap();
    let keys: Vec<&str> =
        list["rules"].as_array().unwrap().iter().map(|set| set["key"].as_str().unwrap()).collect();
    assert!(keys.len() >= 20);
    for key in keys {
        let record = nothing(&format!("{key}.pdn"));
        let args = ["match", "random", "level:1", "--rules", key, "--games", "1", "--quiet", "--pdn"];
        let played = Command::new(env!("CARGO_BIN_EXE_damiera")).args(args).arg(&record).output().unwrap();
        assert!(played.status.success(), "{key}");
        let out = nothing(&format!("{key}-annotated.pdn"));
        let args = ["annotate", record.to_str().unwrap(), "--out", out.to_str().unwrap(), "--nodes", "300"];
        let ran = program(&[&args[..], &["--evals", "--json"]].concat(), "");
        assert_eq!(ran.status.code(), Some(0), "{key}: {}", text(&ran.stderr));
        let json: Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert!(json["plies"].as_u64().unwrap() > 10, "{key}");
        assert_clean(&fs::read_to_string(&out).unwrap());
    }
}

#[test]
fn bad_usage_is_refused() {
    for (args, why) in [
        (&["annotate", "-", "--resume"][..], "--out"),
        (&["annotate", "-", "--json"], "--out"),
        (&["annotate", "-", "--nodes", "0"], "--nodes"),
        (&["annotate", "-", "--game", "3"], "--game"),
    ] {
        let ran = program(args, LOST);
        assert_eq!(ran.status.code(), Some(2), "{args:?}");
        assert!(text(&ran.stderr).contains(why), "{args:?}: {}", text(&ran.stderr));
    }
}

#[test]
fn progress_is_told_where_it_was_asked_for() {
    let games = file("progress.pdn", LOST);
    let quiet = annotate(&games, &nothing("quiet.pdn"), &[]);
    assert_eq!(text(&quiet.stderr), "");
    let told = annotate(&games, &nothing("told.pdn"), &["--progress"]);
    assert!(text(&told.stderr).contains("of 1, plies: "), "{}", text(&told.stderr));
}
