//! Matches between two players of the engine: paired openings from a seed, each played with both sides, on as many threads as asked for.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use damiera_rules::{Game, Move, Outcome, RuleSet, Side};

use damiera_engine::{Engine, Level, Limits, Random, Root, Score};

/// A game longer than this counts as drawn: some rule sets know no draw.
pub const LONGEST_GAME: usize = 400;
/// An opening is fair when a short search sees no more than this between the sides, in men.
const FAIR: f32 = 0.6;
const FAIRNESS_NODES: u64 = 3_000;
/// After so many unfair openings in a row the last one is taken as it is.
const OPENING_ATTEMPTS: u32 = 200;
const MEGABYTES: usize = 16;

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// A level, as a person meets it; with a time a move it may have to stop earlier.
    Level(Level, Option<Duration>),
    /// Any legal move.
    Random,
    /// The search with so many nodes a move.
    Nodes(u64),
    /// The search with so much time a move.
    Time(Duration),
}

/// Why a player was not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerError(String);

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\" is no player; accepted: level:1 to level:10, best@0.1s, level:3@0.1s, random, nodes:10000, time:0.1s",
            self.0
        )
    }
}

impl std::error::Error for PlayerError {}

impl FromStr for Player {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Player, PlayerError> {
        let parse = || {
            if let Some(time) = text.strip_prefix("best@") {
                return Some(Player::Level(Level::BEST, Some(seconds(time)?)));
            }
            if text == "random" {
                return Some(Player::Random);
            }
            let (kind, value) = text.split_once(':')?;
            match kind {
                "level" => {
                    let (number, time) = match value.split_once('@') {
                        Some((number, time)) => (number, Some(seconds(time)?)),
                        None => (value, None),
                    };
                    Some(Player::Level(format!("level:{number}").parse().ok()?, time))
                }
                "nodes" => value.parse().ok().map(Player::Nodes),
                "time" => seconds(value).map(Player::Time),
                _ => None,
            }
        };
        parse().ok_or_else(|| PlayerError(text.to_string()))
    }
}

/// Reads a duration in seconds, such as `0.1s`.
pub fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(number).ok()
}

impl Player {
    /// Chooses a move; `None` when there is none.
    pub fn choose(self, engine: &mut Engine, game: &Game, seed: u64) -> Option<Move> {
        let rules = game.rules();
        match self {
            Player::Random => {
                let moves = game.legal_moves();
                moves.get(Random::new(seed).below(moves.len())).copied()
            }
            Player::Level(level, time) => {
                let within = Limits { time, ..Limits::default() };
                level.choose(engine, rules, &Root::of(game), seed, &within).best
            }
            Player::Nodes(nodes) => engine.search(rules, &Root::of(game), &Limits::nodes(nodes)).best,
            Player::Time(time) => {
                let limits = Limits { time: Some(time), ..Limits::default() };
                engine.search(rules, &Root::of(game), &limits).best
            }
        }
    }
}

/// The games that a player won, drew and lost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// Returns how many games were played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }
    /// Returns how many games were decided.
    pub fn decided(&self) -> u32 {
        self.wins + self.losses
    }
    /// Returns the share of the points, from 0 to 1, a draw being half a point.
    pub fn score(&self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games().max(1))
    }
    /// Returns the share of the decided games that were won, from 0 to 1.
    pub fn won_of_decided(&self) -> f64 {
        f64::from(self.wins) / f64::from(self.decided().max(1))
    }
    fn count(&mut self, winner: Option<bool>) {
        match winner {
            Some(true) => self.wins += 1,
            None => self.draws += 1,
            Some(false) => self.losses += 1,
        }
    }
    fn add(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Match {
    /// The rules.
    pub rules: Arc<RuleSet>,
    /// The players; results are the first one's.
    pub players: [Player; 2],
    /// How many games; each opening serves for two.
    pub games: u32,
    /// What the openings and everything else that looks like chance come from.
    pub seed: u64,
    /// How many games are played at once.
    pub threads: usize,
}

/// One game of a match, when it is over.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its number, from 0; games 2n and 2n + 1 have the same opening.
    pub number: u32,
    /// The side of the first player.
    pub side: Side,
    /// The game, from its first move on.
    pub game: Game,
    /// The result; `None` when the game was stopped at [`LONGEST_GAME`] plies and counts as drawn.
    pub outcome: Option<Outcome>,
}

impl Match {
    /// Plays the match. `watch` is told of every game as it ends, in no certain order, from the playing threads.
    pub fn play(&self, watch: &(dyn Fn(&Played) + Sync)) -> Tally {
        let next = AtomicU32::new(0);
        let threads = self.threads.clamp(1, 64);
        let mut total = Tally::default();
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| self.work(&next, watch))).collect();
            for worker in workers {
                // The score of a match without the games of a thread that panicked would be a wrong one.
                total.add(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
        });
        total
    }

    fn work(&self, next: &AtomicU32, watch: &(dyn Fn(&Played) + Sync)) -> Tally {
        let mut engines = [Engine::new(MEGABYTES), Engine::new(MEGABYTES)];
        let mut tally = Tally::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games {
                return tally;
            }
            let played = self.play_one(number, &mut engines);
            let winner = played.outcome.and_then(|outcome| outcome.winner);
            tally.count(winner.map(|winner| winner == played.side));
            watch(&played);
        }
    }

    fn play_one(&self, number: u32, engines: &mut [Engine; 2]) -> Played {
        let mut random = Random::new(self.seed ^ u64::from(number / 2).wrapping_mul(0x2545_f491_4f6c_dd1d));
        let mut game = opening(&self.rules, &mut engines[0], &mut random);
        let side = if number.is_multiple_of(2) { Side::White } else { Side::Black };
        let mut random = Random::new(random.next_u64() ^ u64::from(number));
        while game.outcome().is_none() && game.ply() < LONGEST_GAME && !claim_draw(&mut game) {
            let who = usize::from(game.position().side() != side);
            let seed = random.next_u64();
            let Some(m) = self.players[who].choose(&mut engines[who], &game, seed) else { break };
            if game.play(&m).is_err() {
                break;
            }
        }
        Played { number, side, outcome: game.outcome(), game }
    }
}

/// Claims a draw when the rules let the player to move claim one; a match has no use for a game that goes on after that.
fn claim_draw(game: &mut Game) -> bool {
    let Some(i) = game.claimable().first().copied() else { return false };
    let id = game.rules().draws().clauses[i].id.clone();
    game.claim(&id)
}

/// Returns a game after a few moves at random that leave neither side better.
fn opening(rules: &Arc<RuleSet>, engine: &mut Engine, random: &mut Random) -> Game {
    let plies = if rules.shape().size() > 8 { 8 } else { 6 };
    let mut attempt = 0;
    loop {
        attempt += 1;
        let mut game = Game::new(Arc::clone(rules), rules.initial());
        for _ in 0..plies {
            let moves = game.legal_moves();
            let Some(m) = moves.get(random.below(moves.len())) else { break };
            if game.play(m).is_err() {
                break;
            }
        }
        if attempt >= OPENING_ATTEMPTS || is_fair(&game, engine) {
            return game;
        }
    }
}

fn is_fair(game: &Game, engine: &mut Engine) -> bool {
    if game.outcome().is_some() || !game.claimable().is_empty() {
        return false;
    }
    let report = engine.search(game.rules(), &Root::of(game), &Limits::nodes(FAIRNESS_NODES));
    matches!(report.score, Score::Value(_) | Score::Draw) && report.score.men().abs() <= FAIR
}
