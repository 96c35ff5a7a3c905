//! What the two ends say: commands to the engine, replies from it, each read and written.

use std::fmt;
use std::time::Duration;

use super::line::{HubError, Line, Writer};

/// What is said to an engine.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Who are you?
    Hub,
    /// A parameter's value.
    SetParam {
        /// Which parameter.
        name: String,
        /// Its value.
        value: String,
    },
    /// The parameters are set; get ready.
    Init,
    /// The position, and moves played from it.
    Pos {
        /// The side to move and every square; `None` for the start.
        position: Option<String>,
        /// The moves.
        moves: Vec<String>,
    },
    /// When the next search is to end.
    Level(Budget),
    /// Search.
    Go(Mode),
    /// End the search and give its move.
    Stop,
    /// The opponent has played the expected move.
    PonderHit,
    /// Are you there?
    Ping,
    /// What comes has nothing to do with what was.
    NewGame,
    /// Leave.
    Quit,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A move to play.
    Think,
    /// The expected move of the opponent is on the board; time does not count yet.
    Ponder,
    /// What is to be said about a position.
    Analyze,
}

impl Mode {
    /// Returns the word.
    pub const fn word(self) -> &'static str {
        match self {
            Mode::Think => "think",
            Mode::Ponder => "ponder",
            Mode::Analyze => "analyze",
        }
    }
}

/// When a search is to end. Without any limit it goes on until it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// The most time.
    pub move_time: Option<Duration>,
    /// What the clock shows.
    pub clock: Option<Clock>,
}

/// A player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The time left.
    pub time: Duration,
    /// What is added for every move.
    pub increment: Duration,
    /// How many moves the time is for; `None` for the rest of the game.
    pub moves: Option<u32>,
}

/// Three years. What is longer is taken as this, so that a sum of times stays a time.
const LONGEST: f64 = 1e8;

fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.parse().ok().filter(|number: &f64| !number.is_nan())?;
    // A clock that shows less than nothing has nothing left.
    Duration::try_from_secs_f64(number.clamp(0.0, LONGEST)).ok()
}

fn whole<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

const SECONDS: &str = "a time in seconds such as 0.5";

impl Budget {
    /// Returns the budget of so much time for the move.
    pub fn time(time: Duration) -> Budget {
        Budget { move_time: Some(time), ..Budget::default() }
    }
    /// Returns the budget of so many nodes for the move.
    pub fn nodes(nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..Budget::default() }
    }
    fn read(line: &Line<'_>) -> Result<Budget, HubError> {
        let time = line.read("time", SECONDS, seconds)?;
        let increment = line.read("inc", SECONDS, seconds)?.unwrap_or_default();
        let moves = line.read("moves", "a number of moves", whole::<u32>)?.filter(|moves| *moves > 0);
        let clock = time.map(|time| Clock { time, increment, moves });
        if clock.is_none() && (line.has("inc") || line.has("moves")) {
            return Err(HubError::new("level: moves and inc need time=…"));
        }
        Ok(Budget {
            depth: line.read("depth", "a number of plies", whole)?,
            nodes: line.read("nodes", "a number of nodes", whole)?,
            move_time: line.read("move-time", SECONDS, seconds)?,
            clock,
        })
    }
    fn write(&self, out: &mut Writer<'_, '_>) -> fmt::Result {
        out.maybe("depth", self.depth)?;
        out.maybe("nodes", self.nodes)?;
        out.maybe("move-time", self.move_time.map(|time| time.as_secs_f64()))?;
        if let Some(clock) = &self.clock {
            out.maybe("moves", clock.moves)?;
            out.pair("time", clock.time.as_secs_f64())?;
            if !clock.increment.is_zero() {
                out.pair("inc", clock.increment.as_secs_f64())?;
            }
        }
        if *self == Budget::default() { out.0.write_str(" infinite") } else { Ok(()) }
    }
}

impl Command {
    /// Reads a line; `None` for an empty line and for a command that this protocol does not have.
    pub fn parse(text: &str) -> Result<Option<Command>, HubError> {
        let Some(line) = Line::parse(text)? else { return Ok(None) };
        Ok(Some(match line.command {
            "hub" => Command::Hub,
            "set-param" => {
                let (name, value) = (line.needed("name")?, line.needed("value")?);
                Command::SetParam { name: name.to_owned(), value: value.to_owned() }
            }
            "init" => Command::Init,
            "pos" => {
                let words = line.value("moves").unwrap_or_default().split_whitespace();
                let moves = words.map(str::to_owned).collect();
                Command::Pos { position: line.value("pos").map(str::to_owned), moves }
            }
            "level" => Command::Level(Budget::read(&line)?),
            "go" => {
                let modes = [Mode::Analyze, Mode::Ponder];
                Command::Go(modes.into_iter().find(|mode| line.has(mode.word())).unwrap_or(Mode::Think))
            }
            "stop" => Command::Stop,
            "ponder-hit" => Command::PonderHit,
            "ping" => Command::Ping,
            "new-game" => Command::NewGame,
            "quit" => Command::Quit,
            _ => return Ok(None),
        }))
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Command::Hub => "hub",
            Command::SetParam { .. } => "set-param",
            Command::Init => "init",
            Command::Pos { .. } => "pos",
            Command::Level(_) => "level",
            Command::Go(_) => "go",
            Command::Stop => "stop",
            Command::PonderHit => "ponder-hit",
            Command::Ping => "ping",
            Command::NewGame => "new-game",
            Command::Quit => "quit",
        };
        f.write_str(word)?;
        let mut out = Writer(f);
        match self {
            Command::SetParam { name, value } => {
                out.pair("name", name)?;
                out.pair("value", value)
            }
            Command::Pos { position, moves } => {
                out.maybe("pos", position.as_ref())?;
                let moves = (!moves.is_empty()).then(|| moves.join(" "));
                out.maybe("moves", moves)
            }
            Command::Level(budget) => budget.write(&mut out),
            Command::Go(mode) => write!(f, " {}", mode.word()),
            _ => Ok(()),
        }
    }
}

/// Who an engine is.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Id {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Who made it.
    pub author: String,
    /// Where it comes from; empty when it does not say.
    pub country: String,
}

/// A parameter that an engine has.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its value now.
    pub value: String,
    /// `bool`, `int`, `real`, `string` or `enum`.
    pub kind: String,
    /// The smallest value of a number.
    pub min: Option<String>,
    /// The largest value of a number.
    pub max: Option<String>,
    /// The values of an `enum`, separated by spaces.
    pub values: Option<String>,
}

/// What a search says on the way. An engine may leave out any of it.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Info {
    /// The depth, in plies.
    pub depth: Option<u32>,
    /// The average depth of the leaves, in plies.
    pub mean_depth: Option<f64>,
    /// The score for the player to move, in men.
    pub score: Option<f64>,
    /// How many nodes were searched.
    pub nodes: Option<u64>,
    /// How long it took, in seconds.
    pub time: Option<f64>,
    /// Millions of nodes a second.
    pub nps: Option<f64>,
    /// The line that both sides are expected to play.
    pub pv: Vec<String>,
    /// Which of several lines this is, the best being 1; our own addition to the protocol, for an analysis that shows more than one.
    pub line: Option<u32>,
}

/// What an engine says.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// Who it is.
    Id(Id),
    /// A parameter that it has.
    Param(Param),
    /// It has said everything about itself and waits.
    Wait,
    /// It is ready.
    Ready,
    /// How a search goes.
    Info(Info),
    /// The end of a search.
    Done {
        /// The move to play; `None` when there is none.
        best: Option<String>,
        /// The answer that is expected.
        ponder: Option<String>,
    },
    /// It is there.
    Pong,
    /// What was not understood.
    Error(String),
}

fn real(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

impl Reply {
    /// Reads a line; `None` for a line that is no reply. What an engine says beyond the protocol, or wrongly, is left out: nobody could do anything about it.
    pub fn parse(text: &str) -> Option<Reply> {
        let line = Line::parse(text).ok()??;
        let own = |name| line.value(name).unwrap_or_default().to_owned();
        Some(match line.command {
            "id" => Reply::Id(Id {
                name: own("name"),
                version: own("version"),
                author: own("author"),
                country: own("country"),
            }),
            "param" => Reply::Param(Param {
                name: own("name"),
                value: own("value"),
                kind: own("type"),
                min: line.value("min").map(str::to_owned),
                max: line.value("max").map(str::to_owned),
                values: line.value("values").map(str::to_owned),
            }),
            "wait" => Reply::Wait,
            "ready" => Reply::Ready,
            "info" => Reply::Info(Info {
                depth: line.value("depth").and_then(whole),
                mean_depth: line.value("mean-depth").and_then(real),
                score: line.value("score").and_then(real),
                nodes: line.value("nodes").and_then(whole),
                time: line.value("time").and_then(real),
                nps: line.value("nps").and_then(real),
                pv: line.value("pv").unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
                line: line.value("line").and_then(whole),
            }),
            "done" => Reply::Done {
                best: line.value("move").map(str::to_owned),
                ponder: line.value("ponder").map(str::to_owned),
            },
            "pong" => Reply::Pong,
            "error" => Reply::Error(own("message")),
            _ => return None,
        })
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Wait => return f.write_str("wait"),
            Reply::Ready => return f.write_str("ready"),
            Reply::Pong => return f.write_str("pong"),
            Reply::Id(_) => f.write_str("id")?,
            Reply::Param(_) => f.write_str("param")?,
            Reply::Info(_) => f.write_str("info")?,
            Reply::Done { .. } => f.write_str("done")?,
            Reply::Error(_) => f.write_str("error")?,
        }
        let mut out = Writer(f);
        match self {
            Reply::Wait | Reply::Ready | Reply::Pong => Ok(()),
            Reply::Id(id) => {
                out.pair("name", &id.name)?;
                out.pair("version", &id.version)?;
                out.pair("author", &id.author)?;
                out.maybe("country", Some(&id.country).filter(|country| !country.is_empty()))
            }
            Reply::Param(param) => {
                out.pair("name", &param.name)?;
                out.pair("value", &param.value)?;
                out.pair("type", &param.kind)?;
                out.maybe("min", param.min.as_ref())?;
                out.maybe("max", param.max.as_ref())?;
                out.maybe("values", param.values.as_ref())
            }
            Reply::Info(info) => {
                out.maybe("line", info.line)?;
                out.maybe("depth", info.depth)?;
                out.maybe("mean-depth", info.mean_depth)?;
                out.maybe("score", info.score)?;
                out.maybe("nodes", info.nodes)?;
                out.maybe("time", info.time)?;
                out.maybe("nps", info.nps)?;
                let pv = (!info.pv.is_empty()).then(|| info.pv.join(" "));
                out.maybe("pv", pv)
            }
            Reply::Done { best, ponder } => {
                out.maybe("move", best.as_ref())?;
                out.maybe("ponder", ponder.as_ref())
            }
            Reply::Error(message) => out.pair("message", message),
        }
    }
}
