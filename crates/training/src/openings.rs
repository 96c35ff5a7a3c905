//! Openings for matches: made from a seed for any rule set, drawn from the ballots of tournaments, or read from a file.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use damiera_engine::{Ballots, Engine, Limits, Random, Root, Score};
use damiera_rules::{Game, RuleSet, fen, notation};

/// How good made openings are judged to be: nodes of a search.
const JUDGING_NODES: u64 = 10_000;
const JUDGING_MEGABYTES: usize = 4;
/// After so many openings of another kind in a row the nearest one is taken.
const ATTEMPTS: u32 = 200;

/// Where openings come from.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// Moves at random that leave the better side so much better, in men.
    Made {
        /// At least.
        least: f64,
        /// At most.
        most: f64,
    },
    /// The ballots of this name.
    Ballots(String),
    /// A file.
    File(String),
}

impl Source {
    /// Neither side is better.
    pub const BALANCED: Source = Source::Made { least: 0.0, most: 0.3 };
    /// One side is worse, but not lost.
    pub const UNBALANCED: Source = Source::Made { least: 0.6, most: 1.5 };
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Source, String> {
        Ok(match text {
            "balanced" => Source::BALANCED,
            "unbalanced" => Source::UNBALANCED,
            "2-move" | "3-move" | "11-man" => Source::Ballots(text.to_owned()),
            _ => match text.strip_prefix("unbalanced:") {
                Some(range) => read_range(range)?,
                None => Source::File(text.to_owned()),
            },
        })
    }
}

fn read_range(text: &str) -> Result<Source, String> {
    let range =
        text.split_once(',').and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    match range {
        Some((least, most)) if (0.0..most).contains(&least) && most < 100.0 => {
            Ok(Source::Made { least, most })
        }
        _ => Err("write unbalanced:LEAST,MOST in men, for example unbalanced:0.3,0.8".to_owned()),
    }
}

/// An opening.
#[derive(Clone, Debug)]
pub struct Opening {
    /// What it is called: its moves, or its number among the ballots.
    pub name: String,
    /// The game after its moves.
    pub game: Game,
}

/// The openings of a match.
#[derive(Clone, Debug)]
pub struct Openings {
    rules: Arc<RuleSet>,
    seed: u64,
    name: String,
    kind: OpeningsKind,
}

#[derive(Clone, Debug)]
enum OpeningsKind {
    /// Made as they are needed; the better side stands so much better, in men.
    Made { least: f64, most: f64 },
    /// Taken in turn.
    Listed(Vec<Opening>),
}

/// Why openings cannot be had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningsError {
    /// There are no such ballots for these rules.
    NoBallots {
        /// The name that was asked for.
        name: String,
        /// Those that there are.
        known: Vec<&'static str>,
    },
    /// A line of a file is no opening.
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// The file has no opening.
    Empty,
}

impl fmt::Display for OpeningsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningsError::NoBallots { name, known } if known.is_empty() => {
                write!(
                    f,
                    "there are no ballots for these rules, so no \"{name}\"; accepted: balanced, unbalanced, a file"
                )
            }
            OpeningsError::NoBallots { name, known } => {
                write!(
                    f,
                    "these rules have no ballots \"{name}\"; accepted: {}, balanced, unbalanced, a file",
                    known.join(", ")
                )
            }
            OpeningsError::Line { line, why } => write!(f, "line {line}: {why}"),
            OpeningsError::Empty => f.write_str(
                "no opening in the file; accepted are lines of moves, FENs, or PDN tags [FEN \"…\"]",
            ),
        }
    }
}

impl std::error::Error for OpeningsError {}

impl Openings {
    /// Returns openings that are made from a seed, with neither side better.
    pub fn balanced(rules: &Arc<RuleSet>, seed: u64) -> Openings {
        Openings::made(rules, seed, "balanced", 0.0, 0.3)
    }

    /// Returns openings that are made from a seed and have a name, with one side better by `least` to `most` men.
    pub fn made(rules: &Arc<RuleSet>, seed: u64, name: &str, least: f64, most: f64) -> Openings {
        let kind = OpeningsKind::Made { least, most };
        Openings { rules: Arc::clone(rules), seed, name: name.to_owned(), kind }
    }

    /// Returns the ballots of this name that may be drawn, in an order that the seed decides.
    pub fn ballots(rules: &Arc<RuleSet>, seed: u64, name: &str) -> Result<Openings, OpeningsError> {
        let Some(ballots) = Ballots::named(rules, name) else {
            let known = Ballots::of(rules).iter().map(|ballots| ballots.name).collect();
            return Err(OpeningsError::NoBallots { name: name.to_owned(), known });
        };
        let opening = |ballot: &damiera_engine::Ballot| {
            let off: String = ballot.removed.iter().map(|square| format!("without {square} ")).collect();
            let name = format!("{} {}: {off}{}", ballots.name, ballot.number, ballot.moves.join(" "));
            Some(Opening { name, game: ballot.game(rules)? })
        };
        let listed = ballots.admitted().filter_map(opening).collect();
        Ok(Openings::listed(rules, seed, name, listed))
    }

    /// Reads openings from a text, which has a name: a line of moves or a FEN each, or FEN tags of PDN; `#` begins a comment.
    pub fn read(rules: &Arc<RuleSet>, seed: u64, name: &str, text: &str) -> Result<Openings, OpeningsError> {
        let mut listed = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let opening = read_line(rules, line).map_err(|why| OpeningsError::Line { line: i + 1, why })?;
            listed.extend(opening);
        }
        if listed.is_empty() {
            Err(OpeningsError::Empty)
        } else {
            Ok(Openings::listed(rules, seed, name, listed))
        }
    }

    fn listed(rules: &Arc<RuleSet>, seed: u64, name: &str, mut listed: Vec<Opening>) -> Openings {
        let mut random = Random::new(seed);
        for i in (1..listed.len()).rev() {
            listed.swap(i, random.below(i + 1));
        }
        let kind = OpeningsKind::Listed(listed);
        Openings { rules: Arc::clone(rules), seed, name: name.to_owned(), kind }
    }

    /// Returns where the openings come from: `balanced`, `unbalanced`, the name of ballots or of a file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns how many there are; `None` where they are made without end.
    pub fn count(&self) -> Option<usize> {
        match &self.kind {
            OpeningsKind::Made { .. } => None,
            OpeningsKind::Listed(listed) => Some(listed.len()),
        }
    }

    /// Returns the opening of the pair of games with this number.
    pub fn opening(&self, pair: u32) -> Opening {
        match &self.kind {
            OpeningsKind::Listed(listed) => listed[pair as usize % listed.len()].clone(),
            OpeningsKind::Made { least, most } => {
                let mut random = Random::for_item(self.seed, pair);
                make(&self.rules, &mut random, *least, *most)
            }
        }
    }
}

/// Makes moves at random until the better side stands better by `least` to `most` men.
fn make(rules: &Arc<RuleSet>, random: &mut Random, least: f64, most: f64) -> Opening {
    let mut engine = Engine::new(JUDGING_MEGABYTES);
    let mut nearest: Option<(f64, Game)> = None;
    for _ in 0..ATTEMPTS {
        let game = wander(rules, random);
        let Some(men) = advantage(&game, &mut engine) else { continue };
        let distance = (least - men).max(men - most).max(0.0);
        if nearest.as_ref().is_none_or(|(other, _)| distance < *other) {
            nearest = Some((distance, game));
        }
        if distance == 0.0 {
            break;
        }
    }
    let game = nearest.map_or_else(|| Game::new(Arc::clone(rules), rules.initial()), |(_, game)| game);
    Opening { name: moves_text(&game), game }
}

/// Plays a few moves at random: more on larger boards.
pub(crate) fn wander(rules: &Arc<RuleSet>, random: &mut Random) -> Game {
    let plies = match rules.shape().size() {
        ..=8 => 6,
        9..=10 => 8,
        _ => 10,
    };
    play_at_random(rules, plies, random)
}

/// Plays so many moves at random, fewer when the game ends before.
pub(crate) fn play_at_random(rules: &Arc<RuleSet>, plies: usize, random: &mut Random) -> Game {
    let mut game = Game::new(Arc::clone(rules), rules.initial());
    for _ in 0..plies {
        let moves = game.legal_moves();
        if moves.get(random.below(moves.len())).is_none_or(|m| game.play(m).is_err()) {
            break;
        }
    }
    game
}

/// Returns by how many men the better side stands better; `None` when the game is over or won.
fn advantage(game: &Game, engine: &mut Engine) -> Option<f64> {
    if game.outcome().is_some() || !game.claimable().is_empty() {
        return None;
    }
    engine.forget();
    let report = engine.search(game.rules(), &Root::of(game), &Limits::nodes(JUDGING_NODES));
    match report.score {
        Score::Value(_) | Score::Draw => Some(f64::from(report.score.men()).abs()),
        _ => None,
    }
}

/// Returns a game's moves in the rule set's own notation.
pub(crate) fn moves_text(game: &Game) -> String {
    let rules = game.rules();
    let played = game.moves().iter().zip(game.positions());
    let texts: Vec<String> =
        played.map(|(m, position)| notation::format(rules, position, &rules.moves(position), m)).collect();
    texts.join(" ")
}

fn read_line(rules: &Arc<RuleSet>, line: &str) -> Result<Option<Opening>, String> {
    let line = line.trim().trim_start_matches('\u{feff}');
    let from_fen = |text: &str| {
        let start = fen::parse(rules, text).map_err(|error| error.to_string())?;
        finish(text.to_owned(), Game::new(Arc::clone(rules), start))
    };
    if let Some((_, rest)) = line.split_once("[FEN \"") {
        return from_fen(rest.split('"').next().unwrap_or_default());
    }
    if line.is_empty() || line.starts_with(['#', '[', '*', '%']) {
        return Ok(None);
    }
    let is_fen = matches!(line.chars().next(), Some('W' | 'B' | '?')) && line.contains(':');
    if is_fen { from_fen(line) } else { from_moves(rules, line) }
}

fn from_moves(rules: &Arc<RuleSet>, line: &str) -> Result<Option<Opening>, String> {
    let mut game = Game::new(Arc::clone(rules), rules.initial());
    for word in line.split_whitespace() {
        // Behind a move number its dot, or nothing, follows.
        let word = word.rsplit('.').next().unwrap_or_default();
        if word.is_empty() || word == "*" {
            continue;
        }
        let m = notation::parse(rules, game.position(), word).map_err(|error| format!("{word}: {error}"))?;
        game.play(&m).map_err(|error| format!("{word}: {error}"))?;
    }
    finish(moves_text(&game), game)
}

fn finish(name: String, game: Game) -> Result<Option<Opening>, String> {
    if game.outcome().is_some() {
        return Err("the game is over after this opening".to_owned());
    }
    Ok(Some(Opening { name, game }))
}
