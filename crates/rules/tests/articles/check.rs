//! Reading articles and checking them against a rule set.

use std::collections::BTreeSet;
use std::sync::Arc;

use damiera_rules::explain::explain;
use damiera_rules::{Game, Move, RuleSet, fen, notation};
use serde::Deserialize;

/// An article of a rule book, as a test.
#[derive(Clone, Debug)]
pub(crate) struct Article {
    /// The rule set, by canonical name.
    pub(crate) rules: String,
    /// The fields of the rule table that the article fixes (`draws.ID` for one draw clause).
    pub(crate) fields: Vec<String>,
    /// The article, or what it says.
    pub(crate) article: String,
    body: Body,
}

#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
struct File {
    article: Vec<Body>,
}

#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
struct Body {
    /// The rule sets for which the article is tested.
    rules: Vec<String>,
    fields: Vec<String>,
    article: String,
    /// The initial position.
    start: Option<String>,
    /// Names of squares with row and column as drawn.
    #[serde(default)]
    squares: Vec<(String, u8, u8)>,
    light: Option<bool>,
    fen: Option<String>,
    /// What is played from `fen`: moves, `(…)*N` for repetition, `wander N` for N quiet king moves found by the test, `wander` to the end.
    script: Option<String>,
    /// A clause whose counter must run during every wandering ply; the clause under test by default.
    keep: Option<String>,
    /// The complete list of legal moves after `script`: `21x7 (11 18)`, with ` K` where a man is crowned.
    legal: Option<Vec<String>>,
    /// Refused moves with the reason's code.
    #[serde(default)]
    refused: Vec<(String, String)>,
    /// The end: a clause or another end, with the ply at which the game must end, not sooner and not later.
    end: Option<String>,
    winner: Option<String>,
    ply: Option<usize>,
    /// A clause that may be claimed at `ply` and not a ply earlier.
    claim: Option<String>,
    /// The game must still go on after `script`.
    #[serde(default)]
    ongoing: bool,
}

pub(crate) fn articles() -> Vec<Article> {
    let folder = format!("{}/tests/articles", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of articles")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    let mut all = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("an article file");
        let file: File = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for body in file.article {
            for rules in body.rules.clone() {
                let (fields, article) = (body.fields.clone(), body.article.clone());
                all.push(Article { rules, fields, article, body: body.clone() });
            }
        }
    }
    all
}

impl Article {
    /// Returns the key of the article's rule set.
    pub(crate) fn key(&self) -> &str {
        self.rules.split(',').next().unwrap_or_default()
    }

    /// Checks the article under a rule set, which is its own or a mutation of it.
    pub(crate) fn check(&self, rules: &str) -> Result<(), String> {
        self.check_rules(RuleSet::parse(rules).map_err(|e| format!("{rules}: {e}"))?)
    }

    /// Checks the article under a rule set that is given as a value.
    pub(crate) fn check_rules(&self, rules: RuleSet) -> Result<(), String> {
        let body = &self.body;
        if let Some(start) = &body.start {
            let wanted = fen::parse(&rules, start).map_err(|e| e.to_string())?;
            same(
                "the initial position",
                &fen::format(&rules, &rules.initial()),
                &fen::format(&rules, &wanted),
            )?;
        }
        for (name, row, col) in &body.squares {
            let bit = rules.board().square(name).ok_or_else(|| format!("there is no square {name}"))?;
            same(name, &rules.board().row_col(bit), &(*row, *col))?;
            same("the name", &rules.board().name(bit), name)?;
        }
        if let Some(light) = body.light {
            same("light squares", &rules.board().light, &light)?;
        }
        let Some(text) = &body.fen else { return Ok(()) };
        let rules = Arc::new(rules);
        let start = if text == "start" {
            rules.initial()
        } else {
            fen::parse(&rules, text).map_err(|e| e.to_string())?
        };
        let mut game = Game::new(rules, start);
        self.play(&mut game)?;
        self.check_moves(&game)
    }

    /// Returns the scripted game of a draw clause as a line of JSON: what is played and what comes of it.
    pub(crate) fn as_game(&self) -> Option<String> {
        self.fields.iter().find(|field| field.starts_with("draws."))?;
        let rules = Arc::new(RuleSet::parse(&self.rules).ok()?);
        let text = self.body.fen.as_ref()?;
        let start = fen::parse(&rules, text).ok()?;
        let mut game = Game::new(rules.clone(), start);
        self.play(&mut game).ok()?;
        let moves: Vec<String> = game
            .moves()
            .iter()
            .zip(game.positions())
            .map(|(m, position)| notation::format(&rules, position, &rules.moves(position), m))
            .collect();
        let line = serde_json::json!({
            "article": self.article, "rules": self.rules, "clause": self.fields[0].trim_start_matches("draws."), "fen": text,
            "moves": moves, "end": self.body.end, "claim": self.body.claim,
        });
        Some(line.to_string())
    }

    fn check_moves(&self, game: &Game) -> Result<(), String> {
        let (rules, position) = (game.rules(), game.position());
        if let Some(wanted) = &self.body.legal {
            let mut moves = BTreeSet::new();
            for text in wanted {
                moves.insert(order(&self.listed_move(game, text)?));
            }
            let legal: BTreeSet<_> = rules.moves(position).iter().map(order).collect();
            if moves != legal {
                let all = rules.moves(position);
                let texts: Vec<_> = all.iter().map(|m| notation::format(rules, position, &all, m)).collect();
                return Err(format!("legal are {}, not {}", texts.join(" "), wanted.join(" ")));
            }
        }
        for (text, code) in &self.body.refused {
            let squares = notation::parse_squares(rules, text).map_err(|e| format!("{text}: {e}"))?;
            same(text, &explain(rules, position, &squares).reason.code(), &code.as_str())?;
        }
        Ok(())
    }

    /// Reads a move of a list: its text, the captured pieces in brackets, `K` when a man is crowned.
    fn listed_move(&self, game: &Game, text: &str) -> Result<Move, String> {
        let (rules, position) = (game.rules(), game.position());
        let (text, crowned) = text.strip_suffix(" K").map_or((text, false), |text| (text, true));
        let (squares, captured) = text.split_once(" (").unwrap_or((text, ")"));
        let mut m = notation::parse(rules, position, squares).map_err(|e| format!("{text}: {e}"))?;
        m.promotes = crowned;
        m.captured = 0;
        for name in captured.trim_end_matches(')').split_whitespace() {
            m.captured |=
                1 << rules.board().square(name).ok_or_else(|| format!("there is no square {name}"))?;
        }
        Ok(m)
    }

    /// Returns true when the game stands as the article says at the end of its script; a search goes on looking where it does not.
    fn ends_as_wanted(&self, game: &Game) -> bool {
        self.check_end(game).is_ok()
    }

    fn check_end(&self, game: &Game) -> Result<(), String> {
        let body = &self.body;
        let end = game.outcome().map(|outcome| outcome.clause(game.rules()).to_string());
        if body.ongoing && end.is_some() {
            return Err(format!("the game ended at ply {} by {end:?}", game.ply()));
        }
        if let Some(wanted) = &body.end {
            same("the end", &end.as_deref(), &Some(wanted.as_str()))?;
            same("the ply", &Some(game.ply()), &Some(body.ply.unwrap_or(game.ply())))?;
        }
        if let Some(winner) = &body.winner {
            same("the winner", &game.outcome().map(|o| o.word()), &Some(winner.as_str()))?;
        }
        if let Some(id) = &body.claim {
            same("the ply", &Some(game.ply()), &body.ply)?;
            let mut game = game.clone();
            if !may_claim(&game, id) {
                return Err(format!("{id} cannot be claimed at ply {}", game.ply()));
            }
            game.take_back();
            if may_claim(&game, id) {
                return Err(format!("{id} can be claimed a ply too early"));
            }
        }
        Ok(())
    }

    fn play(&self, game: &mut Game) -> Result<(), String> {
        let script = expand(self.body.script.as_deref().unwrap_or_default())?;
        let words: Vec<&str> = script.split_whitespace().collect();
        let mut search =
            Search { article: self, budget: 12_000, stuck: (0, "nothing was tried".to_string()) };
        if search.run(game, &words) {
            Ok(())
        } else {
            Err(format!("at ply {}: {}", search.stuck.0, search.stuck.1))
        }
    }
}

/// Plays a script. Wandering is a search with backtracking over the whole script, because a king that wanders into a bad place may make a later
/// move of the script impossible.
struct Search<'a> {
    article: &'a Article,
    budget: u32,
    /// The latest ply at which the script got stuck, and why.
    stuck: (usize, String),
}

impl Search<'_> {
    fn run(&mut self, game: &mut Game, words: &[&str]) -> bool {
        match words {
            [] => self.article.ends_as_wanted(game),
            ["wander", rest @ ..] => {
                let plies = rest.first().and_then(|word| word.parse::<usize>().ok());
                let rest = if plies.is_some() { &rest[1..] } else { rest };
                let last = plies.map(|plies| game.ply() + plies).or(self.article.body.ply);
                last.is_some_and(|last| self.wander(game, last, rest))
            }
            [word, rest @ ..] => {
                let played = notation::parse(game.rules(), game.position(), word)
                    .map_err(|e| e.to_string())
                    .and_then(|m| game.play(&m).map_err(|e| e.to_string()));
                if let Err(error) = played {
                    return self.fail(game, format!("{word} in {}: {error}", game.describe()));
                }
                if self.run(game, rest) {
                    return true;
                }
                game.take_back();
                false
            }
        }
    }

    fn fail(&mut self, game: &Game, why: String) -> bool {
        if game.ply() >= self.stuck.0 {
            self.stuck = (game.ply(), why);
        }
        false
    }

    /// Plays quiet king moves that leave nothing to capture, repeat no position a third time and keep the counter running, up to ply `last`; then the
    /// rest of the script.
    fn wander(&mut self, game: &mut Game, last: usize, rest: &[&str]) -> bool {
        if game.ply() == last {
            return self.run(game, rest);
        }
        let body = &self.article.body;
        let claimed = body.claim.as_deref();
        if game.outcome().is_some() || self.budget == 0 || claimed.is_some_and(|id| may_claim(game, id)) {
            return self.fail(game, format!("the wandering ends early: {:?}", game.outcome()));
        }
        self.budget -= 1;
        let keep = body.keep.as_deref().or(body.end.as_deref()).or(claimed);
        let mut moves = game.legal_moves();
        // Another order at every ply, so that the kings do not walk to and fro.
        let turn = game.ply() * 7 % moves.len().max(1);
        moves.rotate_left(turn);
        for m in moves {
            if m.is_capture() || game.position().piece_at(m.from).is_none_or(|piece| !piece.king) {
                continue;
            }
            if game.play(&m).is_err() {
                return false;
            }
            let quiet = game.rules().captures(game.position()).is_empty();
            let running = keep.is_none_or(|id| game.counter_states().iter().any(|c| c.clause.id == id));
            let fresh = game.occurrences() < 3 || game.ply() == last;
            if quiet && running && fresh && self.wander(game, last, rest) {
                return true;
            }
            game.take_back();
        }
        self.fail(game, format!("no quiet king move in {}", game.describe()))
    }
}

fn may_claim(game: &Game, id: &str) -> bool {
    game.claimable().iter().any(|i| game.rules().draws().clauses[*i].id == id)
}

/// Returns a move as something to sort by.
fn order(m: &Move) -> (u8, u8, u128, bool) {
    (m.from, m.to, m.captured, m.promotes)
}

/// Writes `(…)*N` out.
fn expand(script: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = script;
    while let Some((before, inside)) = rest.split_once('(') {
        let (group, after) = inside.split_once(")*").ok_or("a group ends with )*N")?;
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let times: usize = after[..digits].parse().map_err(|_| "a group ends with )*N")?;
        out.push_str(before);
        out.push_str(&format!("{group} ").repeat(times));
        rest = &after[digits..];
    }
    out.push_str(rest);
    Ok(out)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, wanted: &T) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: {found:?}, expected {wanted:?}")) }
}
