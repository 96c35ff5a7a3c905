//! The engine's end: commands in, replies and things to do out. It keeps the position, the parameters and the budget; it searches nothing itself.

use std::sync::Arc;

use damiera_rules::presets::KEYS;
use damiera_rules::{Game, RuleSet, fen};

use super::line::HubError;
use super::message::{Budget, Command, Id, Mode, Param, Reply};
use crate::squares::{self, HUB, shown};

/// The variants of the specification and the rule sets that they are.
const VARIANTS: [(&str, &str); 5] = [
    ("normal", "international"),
    ("killer", "killer"),
    ("bt", "breakthrough"),
    ("frisian", "frisian"),
    ("losing", "antidraughts"),
];

/// The most megabytes that a transposition table may be given.
const MOST_MEGABYTES: usize = 64 * 1024;
/// The most threads.
const MOST_THREADS: usize = 256;
/// How many lines an analysis may show.
const MOST_LINES: usize = 64;

/// Returns what the parameter `variant` is for these rules: a word of the specification, or the canonical name.
pub fn variant_name(canonical: &str) -> &str {
    VARIANTS.iter().find(|(_, rules)| *rules == canonical).map_or(canonical, |(word, _)| word)
}

/// Returns the rules that a value of `variant` stands for: a word of the specification, a key, or a canonical name.
pub fn variant_rules(value: &str) -> Result<RuleSet, HubError> {
    let name = VARIANTS.iter().find(|(word, _)| *word == value).map_or(value, |(_, rules)| rules);
    RuleSet::parse(name).map_err(|error| {
        let words: Vec<&str> = VARIANTS.iter().map(|(word, _)| *word).collect();
        HubError::new(format!("variant: {error}; Hub's own names are {}", words.join(", ")))
    })
}

/// The parameters of the engine.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The rules.
    pub rules: Arc<RuleSet>,
    /// The size of the transposition table, in megabytes.
    pub megabytes: usize,
    /// How many threads search.
    pub threads: usize,
    /// The level to play at, from 1; `None` for the best.
    pub level: Option<u8>,
    /// What everything that looks like chance in a level's play comes from; 0 for something new each time.
    pub seed: u64,
    /// How many lines an analysis shows.
    pub lines: usize,
}

/// A search to be made.
#[derive(Clone, Debug)]
pub struct Task {
    /// The game so far.
    pub game: Game,
    /// When it is to end.
    pub budget: Budget,
    /// What it is for.
    pub mode: Mode,
    /// The parameters.
    pub settings: Settings,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub enum Action {
    /// Say this.
    Say(Reply),
    /// Get ready for searches with these parameters, and then say [`Reply::Ready`].
    Prepare(Settings),
    /// Begin a search; one that still runs is ended first, with its move.
    Search(Box<Task>),
    /// End the search that runs, with its move; nothing without one.
    Stop,
    /// The time of the search that runs counts from now on.
    PonderHit,
    /// Forget what earlier searches found.
    Forget,
    /// Leave.
    Quit,
}

/// The state of a conversation with a program that uses this engine.
pub struct Session {
    version: String,
    levels: u8,
    settings: Settings,
    /// The game on the board; `None` after a position that could not be read, and after a change of rules.
    game: Option<Game>,
    /// For the next search; `None` after a level that could not be read.
    budget: Option<Budget>,
}

impl Session {
    /// Returns a session of an engine of this version, with so many levels, that begins with these parameters.
    pub fn new(version: &str, levels: u8, settings: Settings) -> Session {
        let game = Some(Game::new(Arc::clone(&settings.rules), settings.rules.initial()));
        Session { version: version.to_owned(), levels, settings, game, budget: Some(Budget::default()) }
    }

    /// Takes in a line. What cannot be understood is answered with an error; what is not known is ignored.
    pub fn receive(&mut self, line: &str) -> Vec<Action> {
        let command = Command::parse(line);
        if command.is_err() && line.split_whitespace().next() == Some("level") {
            // A search without the limit that was meant might never end.
            self.budget = None;
        }
        let answer = command.and_then(|command| match command {
            Some(command) => self.obey(command),
            None => Ok(Vec::new()),
        });
        answer.unwrap_or_else(|error| vec![Action::Say(Reply::Error(error.message))])
    }

    fn obey(&mut self, command: Command) -> Result<Vec<Action>, HubError> {
        Ok(match command {
            Command::Hub => self.introduce().into_iter().map(Action::Say).collect(),
            Command::SetParam { name, value } => {
                self.set(&name, &value)?;
                Vec::new()
            }
            Command::Init => vec![Action::Prepare(self.settings.clone())],
            Command::Pos { position, moves } => {
                // After an error no older position may be searched.
                self.game = None;
                self.game = Some(self.set_up(position.as_deref(), &moves)?);
                Vec::new()
            }
            Command::Level(budget) => {
                self.budget = Some(budget);
                Vec::new()
            }
            Command::Go(mode) => vec![Action::Search(Box::new(self.task(mode)?))],
            Command::Stop => vec![Action::Stop],
            Command::PonderHit => vec![Action::PonderHit],
            Command::Ping => vec![Action::Say(Reply::Pong)],
            Command::NewGame => vec![Action::Forget],
            Command::Quit => vec![Action::Quit],
        })
    }

    fn introduce(&self) -> Vec<Reply> {
        let id = Id {
            name: "Damiera".to_owned(),
            version: self.version.clone(),
            author: "the Damiera contributors".to_owned(),
            country: String::new(),
        };
        let settings = &self.settings;
        let words = VARIANTS.iter().map(|(word, _)| *word);
        let keys = KEYS.iter().copied().filter(|key| VARIANTS.iter().all(|(word, _)| word != key));
        let variants: Vec<&str> = words.chain(keys).collect();
        let levels: Vec<String> = (1..=self.levels).map(|level| level.to_string()).collect();
        let level = settings.level.map_or_else(|| "best".to_owned(), |level| level.to_string());
        vec![
            Reply::Id(id),
            choice("variant", variant_name(settings.rules.canonical()), &variants.join(" ")),
            number("hash", settings.megabytes, 0, MOST_MEGABYTES),
            number("threads", settings.threads, 1, MOST_THREADS),
            choice("level", &level, &format!("{} best", levels.join(" "))),
            number("seed", settings.seed, 0, u64::MAX),
            number("lines", settings.lines, 1, MOST_LINES),
            Reply::Wait,
        ]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), HubError> {
        let settings = &mut self.settings;
        let value = value.trim();
        match name {
            "variant" => {
                settings.rules = Arc::new(variant_rules(value)?);
                // The position on the board belongs to other rules.
                self.game = None;
            }
            "hash" => settings.megabytes = read_number(name, value, 0, MOST_MEGABYTES)?,
            "threads" => settings.threads = read_number(name, value, 1, MOST_THREADS)?,
            "level" if value == "best" => settings.level = None,
            "level" => {
                let level = read_number(name, value, 1, self.levels);
                settings.level = Some(level.map_err(|error| HubError::new(format!("{error}, or best")))?);
            }
            "seed" => settings.seed = read_number(name, value, 0, u64::MAX)?,
            "lines" => settings.lines = read_number(name, value, 1, MOST_LINES)?,
            // The protocol grows by parameters that others ignore.
            _ => {}
        }
        Ok(())
    }

    fn set_up(&self, position: Option<&str>, moves: &[String]) -> Result<Game, HubError> {
        let rules = &self.settings.rules;
        let start = match position {
            None | Some("start") => rules.initial(),
            Some(text) => squares::read_position(rules, text, &HUB)
                .map_err(|error| HubError::new(format!("pos: {error} ({})", rules.canonical())))?,
        };
        let mut game = Game::new(Arc::clone(rules), start);
        for (index, text) in moves.iter().enumerate() {
            let m = squares::read_move(rules, game.position(), text).map_err(|error| {
                let fen = fen::format(rules, game.position());
                HubError::new(format!("moves: move {}: {} in {fen}", index + 1, error.message))
            })?;
            game = going_on(game);
            game.play(&m).map_err(|error| HubError::new(format!("moves: {}: {error}", shown(text))))?;
        }
        Ok(going_on(game))
    }

    fn task(&mut self, mode: Mode) -> Result<Task, HubError> {
        let game =
            self.game.clone().ok_or_else(|| HubError::new("go: there is no position; send pos first"))?;
        let budget = self.budget.as_mut();
        let budget =
            budget.ok_or_else(|| HubError::new("go: the level was not understood; send level first"))?;
        if let Some(outcome) = game.outcome() {
            let rules = game.rules();
            return Err(HubError::new(format!(
                "go: the game is over ({}) in {}",
                outcome.clause(rules),
                fen::format(rules, game.position())
            )));
        }
        let budget = std::mem::take(budget);
        Ok(Task { game, budget, mode, settings: self.settings.clone() })
    }
}

/// Returns a game that can go on. The other program decides when a game is drawn; where our rules say that it is and it plays on, the game begins anew from
/// here, without what was counted.
fn going_on(game: Game) -> Game {
    let drawn = game.outcome().is_some_and(|outcome| outcome.winner.is_none());
    if drawn { Game::new(Arc::clone(game.rules()), *game.position()) } else { game }
}

fn choice(name: &str, value: &str, values: &str) -> Reply {
    Reply::Param(Param {
        name: name.to_owned(),
        value: value.to_owned(),
        kind: "enum".to_owned(),
        values: Some(values.to_owned()),
        ..Param::default()
    })
}

fn number<T: ToString>(name: &str, value: T, min: T, max: T) -> Reply {
    Reply::Param(Param {
        name: name.to_owned(),
        value: value.to_string(),
        kind: "int".to_owned(),
        min: Some(min.to_string()),
        max: Some(max.to_string()),
        values: None,
    })
}

fn read_number<T>(name: &str, value: &str, min: T, max: T) -> Result<T, HubError>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let number: Option<T> = value.parse().ok();
    number.filter(|number| (&min..=&max).contains(&number)).ok_or_else(|| {
        HubError::new(format!(
            "set-param: {name}={} is not understood; accepted: {min} to {max}",
            shown(value)
        ))
    })
}
