//! The end that uses an engine: lines in, lines to send and events out. It finds out by itself which version the engine speaks.

use std::fmt;
use std::sync::Arc;

use damiera_rules::{Game, Move, Position, RuleSet, fen};

use super::message::{Budget, Command, Info, Mode, Param, Reply};
use super::session::variant_name;
use crate::squares::{self, HUB, HUB_1, shown};

/// Which Hub an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// Words in a fixed order (Scan 2.0). It plays international draughts and knows no limit of nodes.
    One,
    /// Arguments with names (Scan 3.1).
    Two,
}

/// What came of a line.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// These lines are to be sent.
    Send(Vec<String>),
    /// The engine is ready for its first search.
    Ready,
    /// How the search goes.
    Info(Info),
    /// The search is over.
    Done {
        /// The move to play.
        best: Move,
        /// The answer that the engine expects, where it says one that is legal.
        ponder: Option<Move>,
    },
    /// The engine complains.
    Complaint(String),
}

/// Why an engine cannot be used, or no longer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientError {
    /// It does not play by these rules.
    Variant {
        /// The rules' canonical name.
        rules: String,
        /// What the engine says it plays.
        known: String,
    },
    /// It has no such limit, or none at all was given.
    Limit(&'static str),
    /// It was asked for something at the wrong time.
    NotNow(&'static str),
    /// It answered with a move that is not legal.
    Illegal {
        /// The move, as sent.
        text: String,
        /// Why it is none.
        why: String,
        /// The position.
        fen: String,
    },
    /// It answered without a move.
    NoMove {
        /// The position.
        fen: String,
    },
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Variant { rules, known } => write!(f, "it does not play {rules} (it plays {known})"),
            ClientError::Limit(what) | ClientError::NotNow(what) => f.write_str(what),
            ClientError::Illegal { text, why, fen } => {
                write!(f, "it played {}, which is not legal in {fen}: {why}", shown(text))
            }
            ClientError::NoMove { fen } => write!(f, "it gave no move in {fen}"),
        }
    }
}

impl std::error::Error for ClientError {}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// The engine was asked who it is.
    Asking,
    /// It was told its parameters.
    Starting,
    Idle,
    Searching(Position),
}

/// The state of a conversation with an engine.
pub struct Client {
    rules: Arc<RuleSet>,
    parameters: Vec<(String, String)>,
    state: State,
    version: Option<Version>,
    name: String,
    known: Vec<Param>,
}

impl Client {
    /// Returns a client that will play by these rules and set these parameters of the engine, and the line to begin with.
    pub fn new(rules: Arc<RuleSet>, parameters: Vec<(String, String)>) -> (Client, String) {
        let client = Client {
            rules,
            parameters,
            state: State::Asking,
            version: None,
            name: String::new(),
            known: Vec::new(),
        };
        (client, Command::Hub.to_string())
    }
    /// Returns the engine's name and version, as far as it has told them.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// Returns the rules.
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }
    /// Returns which version the engine speaks, once that is known.
    pub fn version(&self) -> Option<Version> {
        self.version
    }
    /// Returns the parameters that the engine has declared.
    pub fn parameters(&self) -> &[Param] {
        &self.known
    }
    /// Takes in a line from the engine. Lines that mean nothing here are ignored, as the protocol asks.
    pub fn receive(&mut self, line: &str) -> Result<Option<Event>, ClientError> {
        match self.state {
            State::Asking => self.greeting(line),
            State::Starting if line.trim() == "ready" => {
                self.state = State::Idle;
                Ok(Some(Event::Ready))
            }
            State::Starting | State::Idle => Ok(complaint(line)),
            State::Searching(position) => match self.version {
                Some(Version::One) => self.searching_1(line, &position),
                _ => self.searching_2(line, &position),
            },
        }
    }
    /// Returns the lines that begin a new game.
    pub fn new_game(&self) -> Vec<String> {
        vec![match self.version {
            Some(Version::One) => "new".to_owned(),
            _ => Command::NewGame.to_string(),
        }]
    }
    /// Returns the lines that begin a search.
    pub fn go(&mut self, game: &Game, budget: &Budget, mode: Mode) -> Result<Vec<String>, ClientError> {
        if self.state != State::Idle {
            return Err(ClientError::NotNow("it was asked to search before it was ready"));
        }
        let lines = match self.version {
            Some(Version::One) => self.go_1(game, budget, mode)?,
            _ => self.go_2(game, budget, mode),
        };
        self.state = State::Searching(*game.position());
        Ok(lines)
    }
    /// Returns the line that ends a search; the move comes as always.
    pub fn stop(&self) -> String {
        Command::Stop.to_string()
    }
    /// Returns the line that says that the expected move was played.
    pub fn ponder_hit(&self) -> String {
        Command::PonderHit.to_string()
    }
    /// Returns the line that asks the engine to leave.
    pub fn quit(&self) -> String {
        Command::Quit.to_string()
    }

    fn greeting(&mut self, line: &str) -> Result<Option<Event>, ClientError> {
        if line.trim() == "wait" {
            return self.start().map(Some);
        }
        if let Some(name) = line.trim().strip_prefix("name ") {
            self.name = name.trim().to_owned();
            self.version = Some(Version::One);
            return Ok(None);
        }
        match Reply::parse(line) {
            Some(Reply::Id(id)) => {
                self.name = format!("{} {}", id.name, id.version).trim().to_owned();
                self.version = Some(Version::Two);
            }
            Some(Reply::Param(param)) => self.known.push(param),
            _ => return Ok(complaint(line)),
        }
        Ok(None)
    }

    /// Sets the parameters and says that they are set.
    fn start(&mut self) -> Result<Event, ClientError> {
        let version = *self.version.get_or_insert(Version::Two);
        let variant = self.variant(version)?;
        let own = self.parameters.iter().cloned();
        let parameters = variant.map(|variant| ("variant".to_owned(), variant)).into_iter().chain(own);
        let mut lines: Vec<String> = parameters
            .map(|(name, value)| match version {
                Version::One => format!("set {name} {value}"),
                Version::Two => Command::SetParam { name, value }.to_string(),
            })
            .collect();
        lines.push(Command::Init.to_string());
        self.state = State::Starting;
        Ok(Event::Send(lines))
    }

    /// Returns what the parameter `variant` must be; `None` when the engine plays these rules and has no such parameter.
    fn variant(&self, version: Version) -> Result<Option<String>, ClientError> {
        let rules = self.rules.canonical();
        let refused = |known: &str| ClientError::Variant { rules: rules.to_owned(), known: known.to_owned() };
        let name = variant_name(rules);
        let declared = self.known.iter().find(|param| param.name == "variant");
        let declared = declared.filter(|_| version == Version::Two);
        let Some(param) = declared else {
            return if name == "normal" { Ok(None) } else { Err(refused("international draughts only")) };
        };
        let Some(values) = &param.values else { return Ok(Some(name.to_owned())) };
        let knows = |word: &str| values.split_whitespace().any(|value| value == word);
        if knows(name) {
            Ok(Some(name.to_owned()))
        } else if knows(self.rules.key()) {
            // Who knows our key also reads what differs from it.
            Ok(Some(rules.to_owned()))
        } else {
            Err(refused(values))
        }
    }

    fn go_2(&self, game: &Game, budget: &Budget, mode: Mode) -> Vec<String> {
        let position = squares::write_position(&self.rules, first(game), &HUB);
        let moves = game.moves().iter().map(|m| squares::write_move(&self.rules, m)).collect();
        let commands =
            [Command::Pos { position: Some(position), moves }, Command::Level(*budget), Command::Go(mode)];
        commands.iter().map(Command::to_string).collect()
    }

    fn go_1(&self, game: &Game, budget: &Budget, mode: Mode) -> Result<Vec<String>, ClientError> {
        if budget.nodes.is_some() {
            return Err(ClientError::Limit("it speaks Hub 1, which has no limit of nodes; give it a time"));
        }
        let mut lines = vec![format!("pos {}", squares::write_position(&self.rules, first(game), &HUB_1))];
        lines.extend(game.moves().iter().map(|m| format!("move {}", squares::write_move(&self.rules, m))));
        if let Some(depth) = budget.depth {
            lines.push(format!("depth {depth}"));
        }
        if let Some(time) = budget.move_time {
            lines.push(format!("time {}", time.as_millis()));
        } else if let Some(clock) = &budget.clock {
            let (time, increment) = (clock.time.as_millis(), clock.increment.as_millis());
            lines.push(format!("level {} {time} {increment}", clock.moves.unwrap_or(0)));
        }
        let word = match mode {
            Mode::Think => "go",
            Mode::Ponder => "ponder",
            Mode::Analyze => "analyse",
        };
        lines.push(word.to_owned());
        Ok(lines)
    }

    fn searching_2(&mut self, line: &str, position: &Position) -> Result<Option<Event>, ClientError> {
        match Reply::parse(line) {
            Some(Reply::Info(info)) => Ok(Some(Event::Info(info))),
            Some(Reply::Done { best, ponder }) => {
                self.done(position, best.as_deref(), ponder.as_deref()).map(Some)
            }
            _ => Ok(complaint(line)),
        }
    }

    fn searching_1(&mut self, line: &str, position: &Position) -> Result<Option<Event>, ClientError> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("info") => Ok(Some(Event::Info(info_1(words)))),
            Some("move") => self.done(position, words.next(), words.next()).map(Some),
            _ => Ok(complaint(line)),
        }
    }

    fn done(
        &mut self,
        position: &Position,
        best: Option<&str>,
        ponder: Option<&str>,
    ) -> Result<Event, ClientError> {
        self.state = State::Idle;
        let fen = || fen::format(&self.rules, position);
        let text = best.ok_or_else(|| ClientError::NoMove { fen: fen() })?;
        let best = squares::read_move(&self.rules, position, text).map_err(|error| ClientError::Illegal {
            text: text.to_owned(),
            why: error.message,
            fen: fen(),
        })?;
        let after = self.rules.after(position, &best);
        let ponder = ponder.and_then(|text| squares::read_move(&self.rules, &after, text).ok());
        Ok(Event::Done { best, ponder })
    }
}

/// Returns the position with which a game began.
fn first(game: &Game) -> &Position {
    game.positions().first().unwrap_or(game.position())
}

/// Reads `error …`, which both versions have.
fn complaint(line: &str) -> Option<Event> {
    if let Some(Reply::Error(message)) =
        Reply::parse(line).filter(|reply| *reply != Reply::Error(String::new()))
    {
        return Some(Event::Complaint(message));
    }
    line.trim().strip_prefix("error ").map(|message| Event::Complaint(message.trim().to_owned()))
}

/// Reads the fields of version 1: depth, average depth, score in hundredths, nodes, seconds, millions of nodes a second, the line.
fn info_1<'a>(mut words: impl Iterator<Item = &'a str>) -> Info {
    let mut real =
        || words.next().and_then(|word| word.parse().ok()).filter(|number: &f64| number.is_finite());
    let (depth, mean_depth, score, nodes, time, nps) = (real(), real(), real(), real(), real(), real());
    // A conversion with `as` stays within the bounds of the type.
    Info {
        depth: depth.map(|depth| depth as u32),
        mean_depth,
        score: score.map(|hundredths| hundredths / 100.0),
        nodes: nodes.map(|nodes| nodes as u64),
        time,
        nps,
        pv: words.map(str::to_owned).collect(),
        line: None,
    }
}
