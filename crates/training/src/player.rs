//! Who plays in a match: levels, limits of the own search, two players without any skill, and engines in other processes.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use damiera_engine::{Clock, Engine, Level, Limits, Random, Report, Root, Step, Steps};
use damiera_protocol::hub;
use damiera_rules::{Game, Move, RuleSet, Side};

use crate::hub_engine::{Cause, HubEngine, HubEngineError, HubOptions};

/// Who plays, and with how much time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// What chooses the moves.
    pub kind: Kind,
    /// The most time for a move, from behind `@`.
    pub time: Option<Duration>,
    /// The steps of the search that it takes: all but those behind `without=`.
    pub steps: Steps,
    text: String,
}

/// What chooses the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A level, as a person meets it; the best has no limit of its own.
    Level(Level),
    /// The search with so many nodes a move.
    Nodes(u64),
    /// The search to so many plies.
    Depth(u8),
    /// The search with so much time a move.
    Time(Duration),
    /// Any legal move.
    Random,
    /// Somebody who captures when obliged and otherwise advances a man; a king moves when nothing else can.
    Naive,
    /// An engine in another process that speaks Hub.
    Hub(String),
}

/// Why a player was not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerError(String);

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\" is no player; accepted: level:1 to level:{}, best, level:3@0.1s, best@0.1s, nodes:10000, depth:8, time:0.1s, random, naive, \
             hub:COMMAND, hub@0.1s:COMMAND; behind those that search ,without=STEP leaves out a step of the search:",
            self.0,
            Level::COUNT
        )?;
        Step::all().try_for_each(|step| write!(f, " {step}"))
    }
}

impl std::error::Error for PlayerError {}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Player {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Player, PlayerError> {
        let read = || {
            let (name, steps) = if text.starts_with("hub") { (text, Steps::ALL) } else { read_steps(text)? };
            let (kind, time) = read(name)?;
            let searches = !matches!(kind, Kind::Random | Kind::Naive | Kind::Hub(_));
            (searches || steps == Steps::ALL).then(|| Player { kind, time, steps, text: text.to_owned() })
        };
        read().ok_or_else(|| PlayerError(text.to_owned()))
    }
}

/// Takes `,without=STEP` off the end, as often as it is there.
fn read_steps(text: &str) -> Option<(&str, Steps)> {
    let mut parts = text.split(',');
    let name = parts.next()?;
    let mut steps = Steps::ALL;
    for part in parts {
        steps = steps.without(part.strip_prefix("without=")?.parse::<Step>().ok()?);
    }
    Some((name, steps))
}

fn read(text: &str) -> Option<(Kind, Option<Duration>)> {
    if let Some(command) = text.strip_prefix("hub:") {
        return hub_command(command, None);
    }
    if let Some(rest) = text.strip_prefix("hub@") {
        let (time, command) = rest.split_once(':')?;
        return hub_command(command, Some(seconds(time)?));
    }
    let (name, time) = match text.split_once('@') {
        Some((name, time)) => (name, Some(seconds(time)?)),
        None => (text, None),
    };
    if let Ok(level) = name.parse() {
        return Some((Kind::Level(level), time));
    }
    let kind = match (name, name.split_once(':')) {
        ("random", _) => Kind::Random,
        ("naive", _) => Kind::Naive,
        (_, Some(("nodes", nodes))) => Kind::Nodes(nodes.parse().ok().filter(|n| *n > 0)?),
        (_, Some(("depth", depth))) => Kind::Depth(depth.parse().ok().filter(|n| *n > 0)?),
        (_, Some(("time", time))) => Kind::Time(seconds(time)?),
        _ => return None,
    };
    time.is_none().then_some((kind, None))
}

fn hub_command(command: &str, time: Option<Duration>) -> Option<(Kind, Option<Duration>)> {
    (!command.trim().is_empty()).then(|| (Kind::Hub(command.to_owned()), time))
}

/// The longest duration that is read: three years. What is added to it, or multiplied, stays a time.
const LONGEST: Duration = Duration::from_secs(100_000_000);

/// Reads a duration in seconds, such as `0.1s`; it is longer than none and at most three years.
pub fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(number).ok().filter(|time| !time.is_zero() && *time <= LONGEST)
}

/// The limits of a match, for players who bring none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    /// The most time for a move.
    pub time: Option<Duration>,
    /// The most nodes for a move.
    pub nodes: Option<u64>,
    /// Both players' clock for the whole game.
    pub clock: Option<GameClock>,
}

/// The time for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    /// What the clock shows before the first move.
    pub base: Duration,
    /// What a move adds to it.
    pub increment: Duration,
}

impl FromStr for GameClock {
    type Err = String;

    fn from_str(text: &str) -> Result<GameClock, String> {
        let (base, increment) = match text.split_once('+') {
            Some((base, increment)) => (seconds(base), seconds(increment)),
            None => (seconds(text), Some(Duration::ZERO)),
        };
        let (Some(base), Some(increment)) = (base, increment) else {
            return Err(
                "a clock is written BASE or BASE+INCREMENT in seconds, for example 10s+0.1s".to_owned()
            );
        };
        Ok(GameClock { base, increment })
    }
}

impl Player {
    /// Returns the most time for a move of this player; `None` where time is no limit, or the clock is.
    pub fn time_for_move(&self, budget: &Budget) -> Option<Duration> {
        match &self.kind {
            Kind::Time(time) => Some(*time),
            Kind::Level(_) | Kind::Hub(_) => self.time.or(budget.time),
            _ => None,
        }
    }
    /// Returns whether something ends this player's thinking.
    pub fn has_limit(&self, budget: &Budget) -> bool {
        match &self.kind {
            Kind::Level(Level::BEST) | Kind::Hub(_) => {
                self.time_for_move(budget).is_some() || budget.nodes.is_some() || budget.clock.is_some()
            }
            _ => true,
        }
    }
}

/// What an engine of our own may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Means {
    /// The size of its table, in megabytes.
    pub megabytes: usize,
    /// How many threads search for one move.
    pub threads: usize,
}

impl Default for Means {
    fn default() -> Means {
        Means { megabytes: 16, threads: 1 }
    }
}

/// A move with what its player thinks of the position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) m: Move,
    /// The score for the player to move, in men.
    pub(crate) score: Option<f64>,
}

/// What a player did wrong.
#[derive(Clone, PartialEq, Debug)]
pub enum Fault {
    /// It played a move that is not legal, or none.
    Illegal(String),
    /// Its process ended, or said nothing for too long.
    Died(String),
    /// It used more time than it had, and more than the margin besides; both in seconds.
    Time {
        /// What it used.
        used: f64,
        /// What it had.
        allowed: f64,
    },
}

impl Fault {
    /// Returns the word for it: `illegal-move`, `died` or `time`.
    pub fn word(&self) -> &'static str {
        match self {
            Fault::Illegal(_) => "illegal-move",
            Fault::Died(_) => "died",
            Fault::Time { .. } => "time",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Illegal(why) | Fault::Died(why) => f.write_str(why),
            Fault::Time { used, allowed } => write!(f, "{used:.2} s used of {allowed:.2} s"),
        }
    }
}

/// A player at a board: with its engine or its process, which serves for many games.
pub(crate) struct Seat<'a> {
    player: &'a Player,
    rules: &'a Arc<RuleSet>,
    budget: Budget,
    stop: Arc<AtomicBool>,
    mind: Mind,
}

enum Mind {
    Own(Engine),
    /// `None` after the process ended, until the next game.
    Other(Option<Box<HubEngine>>),
    Dice,
}

impl<'a> Seat<'a> {
    /// Seats a player, and starts its process where it has one. `stop` ends its thinking, and the waiting for it.
    pub(crate) fn open(
        player: &'a Player,
        rules: &'a Arc<RuleSet>,
        budget: Budget,
        means: Means,
        stop: &Arc<AtomicBool>,
    ) -> Result<Seat<'a>, HubEngineError> {
        let mind = match &player.kind {
            Kind::Random | Kind::Naive => Mind::Dice,
            Kind::Hub(_) => Mind::Other(None),
            _ => {
                let mut engine = Engine::with_threads(means.megabytes, means.threads);
                engine.set_steps(player.steps);
                Mind::Own(engine)
            }
        };
        let mut seat = Seat { player, rules, budget, stop: Arc::clone(stop), mind };
        seat.wake()?;
        Ok(seat)
    }

    /// Starts the process of another engine that does not run.
    fn wake(&mut self) -> Result<(), HubEngineError> {
        if let (Kind::Hub(command), Mind::Other(process @ None)) = (&self.player.kind, &mut self.mind) {
            let options = HubOptions { stop: Arc::clone(&self.stop), ..HubOptions::default() };
            *process = Some(Box::new(HubEngine::start(command, self.rules, options)?));
        }
        Ok(())
    }

    /// Returns the player's name: what another engine calls itself.
    pub(crate) fn name(&self) -> String {
        match &self.mind {
            Mind::Other(Some(process)) => process.name().to_owned(),
            _ => self.player.to_string(),
        }
    }

    /// Begins a game: nothing of an earlier one is remembered. A process that has ended is started again.
    pub(crate) fn begin(&mut self) -> Result<(), HubEngineError> {
        self.wake()?;
        match &mut self.mind {
            Mind::Own(engine) => engine.forget(),
            Mind::Other(process) => {
                let answer = process.as_mut().map_or(Ok(()), |process| process.new_game());
                if answer.is_err() {
                    // It has ended since its last game.
                    *process = None;
                    self.wake()?;
                }
            }
            Mind::Dice => {}
        }
        Ok(())
    }

    /// Chooses a move. After a fault of another engine its process is ended.
    pub(crate) fn choose(&mut self, game: &Game, seed: u64, clock: Option<Clock>) -> Result<Choice, Fault> {
        let time = if clock.is_some() { None } else { self.player.time_for_move(&self.budget) };
        match &mut self.mind {
            Mind::Dice => throw_dice(&self.player.kind, game, seed),
            Mind::Own(engine) => {
                let limits = Limits { time, clock, stop: Some(&self.stop), ..Limits::default() };
                let report = think(&self.player.kind, engine, game, seed, &limits, self.budget.nodes);
                let score = Some(f64::from(report.score.men()));
                report.best.map(|m| Choice { m, score }).ok_or_else(no_move)
            }
            Mind::Other(process) => {
                let clock =
                    clock.map(|c| hub::Clock { time: c.left, increment: c.increment, moves: c.moves_to_go });
                let budget = hub::Budget { move_time: time, nodes: self.budget.nodes, clock, depth: None };
                let Some(engine) = process else { return Err(no_move()) };
                let answer = engine.choose_within(game, &budget).map_err(|error| fault_of(&error));
                let score = engine.last_info().and_then(|info| info.score);
                if answer.is_err() {
                    *process = None;
                }
                answer.map(|m| Choice { m, score })
            }
        }
    }
}

fn no_move() -> Fault {
    Fault::Illegal("no move was given".to_owned())
}

fn fault_of(error: &HubEngineError) -> Fault {
    match error.cause {
        Cause::Said(_) => Fault::Illegal(error.to_string()),
        _ => Fault::Died(error.to_string()),
    }
}

/// Lets an engine of our own think.
fn think(
    kind: &Kind,
    engine: &mut Engine,
    game: &Game,
    seed: u64,
    limits: &Limits,
    nodes: Option<u64>,
) -> Report {
    let (rules, root) = (game.rules(), Root::of(game));
    match kind {
        Kind::Level(Level::BEST) => {
            Level::BEST.choose(engine, rules, &root, seed, &Limits { nodes, ..*limits })
        }
        Kind::Level(level) => level.choose(engine, rules, &root, seed, limits),
        Kind::Nodes(nodes) => engine.search(rules, &root, &Limits { nodes: Some(*nodes), ..*limits }),
        Kind::Depth(depth) => engine.search(rules, &root, &Limits { depth: Some(*depth), ..*limits }),
        _ => engine.search(rules, &root, limits),
    }
}

fn throw_dice(kind: &Kind, game: &Game, seed: u64) -> Result<Choice, Fault> {
    let legal = game.legal_moves();
    let natural = if *kind == Kind::Naive { naive_moves(game, &legal) } else { Vec::new() };
    let among = if natural.is_empty() { &legal } else { &natural };
    let m = among.get(Random::new(seed).below(among.len())).copied();
    m.map(|m| Choice { m, score: None }).ok_or_else(no_move)
}

/// Returns the moves that the naive player chooses from: men's steps ahead, otherwise men's steps, otherwise kings' moves, otherwise captures.
fn naive_moves(game: &Game, legal: &[Move]) -> Vec<Move> {
    let (shape, position) = (game.rules().shape(), game.position());
    let is_white = position.side() == Side::White;
    let advances = |m: &Move| {
        let (from, to) = (shape.row_col(m.from).0, shape.row_col(m.to).0);
        if is_white { to < from } else { to > from }
    };
    let is_man = |m: &Move| position.piece_at(m.from).is_some_and(|piece| !piece.king);
    let wish = |m: &Move| match (m.is_capture(), is_man(m)) {
        (false, true) => 2 + u8::from(advances(m)),
        (false, false) => 1,
        (true, _) => 0,
    };
    let highest = legal.iter().map(wish).max();
    legal.iter().filter(|m| Some(wish(m)) == highest).copied().collect()
}
