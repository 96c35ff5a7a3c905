//! Games of the engine against itself, and the quiet positions of them with the results: what evaluations are fitted to.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, mpsc};

use damiera_engine::{Engine, Limits, Random, Root, Score};
use damiera_rules::{Bits, Game, Position, RuleSet, Side, fen};

use crate::openings::play_at_random;

/// The fewest and the most random moves with which a game begins. Some of these games are lost from the
/// start; from those it is learned what a man is worth.
const RANDOM_PLIES: (usize, usize) = (2, 12);
/// A longer game is a draw, and so is one in which nobody captured or moved a man for so many plies: what kings do then teaches little.
const LONGEST_GAME: usize = 300;
const IDLE: usize = 24;
const MEGABYTES: usize = 4;

/// Games to be played.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The rules.
    pub rules: Arc<RuleSet>,
    /// How many games.
    pub games: u32,
    /// How many nodes the engine may look at for a move.
    pub nodes: u64,
    /// What the openings come from. Equal seeds give equal games, on any number of threads.
    pub seed: u64,
    /// How many games are played at once.
    pub threads: usize,
}

/// A quiet position of a game: nobody can capture, and the search has not seen the end.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The game's number.
    pub game: u32,
    /// White's points in that game: 0, 0.5 or 1.
    pub result: f32,
    /// What the search thought of the position, in hundredths of a man, as White sees it.
    pub score: i32,
    /// The position.
    pub position: Position,
}

/// Samples of one rule set, as a file holds them.
#[derive(Clone, Debug)]
pub struct Samples {
    /// The rules.
    pub rules: Arc<RuleSet>,
    /// How many games the file says it has.
    pub games: u32,
    /// How many nodes there were for a move.
    pub nodes: u64,
    /// The positions.
    pub list: Vec<Sample>,
}

/// Why a file of samples was not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for SampleError {}

impl SelfPlay {
    /// Plays the games and writes their samples in the order of the games; `watch` hears of each game that was written. Returns how many
    /// samples there are.
    pub fn write(&self, out: &mut dyn Write, watch: &mut dyn FnMut(u32)) -> io::Result<u64> {
        let rules = self.rules.canonical();
        writeln!(out, "rules {rules} games {} nodes {} seed {}", self.games, self.nodes, self.seed)?;
        let (next, stopped) = (AtomicU32::new(0), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let (send, receive) = mpsc::channel();
            for _ in 0..self.threads.clamp(1, 64) {
                let send = send.clone();
                let (next, stopped) = (&next, &stopped);
                scope.spawn(move || self.work(next, stopped, &send));
            }
            drop(send);
            let written = self.write_in_order(&receive, out, watch);
            stopped.store(true, Ordering::Relaxed);
            written
        })
    }

    fn work(&self, next: &AtomicU32, stopped: &AtomicBool, send: &mpsc::Sender<(u32, Vec<Sample>)>) {
        let mut engine = Engine::new(MEGABYTES);
        while !stopped.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games || send.send((number, self.play_one(number, &mut engine))).is_err() {
                return;
            }
        }
    }

    fn write_in_order(
        &self,
        receive: &mpsc::Receiver<(u32, Vec<Sample>)>,
        out: &mut dyn Write,
        watch: &mut dyn FnMut(u32),
    ) -> io::Result<u64> {
        let (mut waiting, mut due, mut count) = (BTreeMap::new(), 0, 0);
        for (number, samples) in receive {
            waiting.insert(number, samples);
            while let Some(samples) = waiting.remove(&due) {
                for sample in &samples {
                    writeln!(out, "{}", sample.line(&self.rules))?;
                }
                count += samples.len() as u64;
                due += 1;
                watch(due);
            }
        }
        out.flush()?;
        Ok(count)
    }

    fn play_one(&self, number: u32, engine: &mut Engine) -> Vec<Sample> {
        engine.forget();
        let mut random = Random::for_item(self.seed, number);
        let mut game = self.opening(&mut random);
        let mut samples = Vec::new();
        let mut proven = None;
        while game.outcome().is_none() && game.claimable().is_empty() && !is_tedious(&game) {
            let report = engine.search(&self.rules, &Root::of(&game), &Limits::nodes(self.nodes));
            let white = game.position().side().is_white();
            let score = if white { report.score } else { report.score.reversed() };
            proven = match score {
                Score::Win(_) => Some(1.0),
                Score::Loss(_) => Some(0.0),
                Score::Value(_) | Score::Draw => None,
            };
            if proven.is_some() {
                break;
            }
            if let Score::Value(score) = score
                && is_quiet(&self.rules, game.position())
            {
                samples.push(Sample { game: number, result: 0.5, score, position: *game.position() });
            }
            let Some(best) = report.best else { break };
            if game.play(&best).is_err() {
                break;
            }
        }
        let result = proven.unwrap_or_else(|| points_of_white(&game));
        samples.iter_mut().for_each(|sample| sample.result = result);
        samples
    }

    /// Returns a game after some random moves.
    fn opening(&self, random: &mut Random) -> Game {
        let plies = RANDOM_PLIES.0 + random.below(RANDOM_PLIES.1 + 1 - RANDOM_PLIES.0);
        play_at_random(&self.rules, plies, random)
    }
}

fn is_tedious(game: &Game) -> bool {
    let ply = game.ply();
    let idle = || {
        let last = game.moves().iter().zip(game.positions()).rev().take(IDLE);
        last.into_iter().all(|(m, before)| !m.is_capture() && before.kings().has(m.from))
    };
    ply >= LONGEST_GAME || (ply >= IDLE && idle())
}

fn points_of_white(game: &Game) -> f32 {
    match game.outcome().and_then(|outcome| outcome.winner) {
        Some(Side::White) => 1.0,
        Some(Side::Black) => 0.0,
        None => 0.5,
    }
}

/// Returns true when neither side can capture, whoever's turn it were.
fn is_quiet(rules: &RuleSet, p: &Position) -> bool {
    let passed = Position::from_sets(p.white(), p.black(), p.kings(), p.side().other());
    [p, &passed].iter().all(|p| !rules.moves(p).iter().any(|m| m.is_capture()))
}

impl Sample {
    /// Returns the sample as a line of text: game, result, score and FEN.
    fn line(&self, rules: &RuleSet) -> String {
        format!("{} {} {} {}", self.game, self.result, self.score, fen::format(rules, &self.position))
    }

    fn parse(rules: &RuleSet, line: &str) -> Result<Sample, String> {
        let mut words = line.split_whitespace();
        let mut word = || words.next().unwrap_or_default();
        let game = word().parse().map_err(|_| "the game's number is missing")?;
        let result = match word() {
            "0" => 0.0,
            "0.5" => 0.5,
            "1" => 1.0,
            other => return Err(format!("\"{other}\" is no result (0, 0.5 or 1)")),
        };
        let score = word().parse().map_err(|_| "the score is missing")?;
        let position = fen::parse(rules, word()).map_err(|error| error.to_string())?;
        Ok(Sample { game, result, score, position })
    }
}

impl Samples {
    /// Reads a file of samples.
    pub fn parse(text: &str) -> Result<Samples, SampleError> {
        let mut lines = (1..).zip(text.lines());
        let (_, header) = lines.next().unwrap_or((1, ""));
        let at = |line: usize| move |message: String| SampleError { line, message };
        let mut samples = Samples::parse_header(header).map_err(at(1))?;
        for (line, text) in lines {
            samples.list.push(Sample::parse(&samples.rules, text).map_err(at(line))?);
        }
        Ok(samples)
    }

    fn parse_header(header: &str) -> Result<Samples, String> {
        let words: Vec<&str> = header.split_whitespace().collect();
        let ["rules", rules, "games", games, "nodes", nodes, "seed", _] = words[..] else {
            return Err("a file of samples begins with: rules NAME games N nodes N seed N".to_owned());
        };
        let number = |text: &str| text.parse().map_err(|_| format!("\"{text}\" is no number"));
        Ok(Samples {
            rules: Arc::new(RuleSet::parse(rules).map_err(|error| error.to_string())?),
            games: games.parse().map_err(|_| format!("\"{games}\" is no number"))?,
            nodes: number(nodes)?,
            list: Vec::new(),
        })
    }
}
