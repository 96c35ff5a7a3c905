//! An endurance run: the engine plays against itself with hardly any time, and everything that it says is checked.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use damiera_engine::{Engine, Limits, Random, Report, Root};
use damiera_rules::{Game, Move, RuleSet, Side, fen};

use crate::match_play::{LONGEST_GAME, claim_draw};
use crate::openings::{moves_text, wander};
use crate::player::Means;

/// A run with one rule set.
#[derive(Clone, Debug)]
pub struct Endurance {
    /// The rules.
    pub rules: Arc<RuleSet>,
    /// How many games.
    pub games: u32,
    /// The time for a move.
    pub time: Duration,
    /// How much longer a move may take.
    pub margin: Duration,
    /// What the engine may use.
    pub means: Means,
    /// How many games are played at once.
    pub threads: usize,
    /// What the openings come from.
    pub seed: u64,
}

/// What a run found.
#[derive(Clone, Default, Debug)]
pub struct Findings {
    /// Games played.
    pub games: u32,
    /// Games won by White and by Black.
    pub won: [u32; 2],
    /// Games drawn by the rules.
    pub drawn: u32,
    /// Games stopped because they were too long.
    pub too_long: u32,
    /// Moves chosen.
    pub moves: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// The most that a move took beyond its time.
    pub overrun: Duration,
    /// Everything that was wrong.
    pub faults: Vec<EnduranceFault>,
}

/// Something that was wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnduranceFault {
    /// The game's number.
    pub game: u32,
    /// The position.
    pub fen: String,
    /// The moves that led there.
    pub moves: String,
    /// What was wrong.
    pub what: String,
}

impl fmt::Display for EnduranceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, {} (after {}): {}", self.game, self.fen, self.moves, self.what)
    }
}

impl Findings {
    fn add(&mut self, other: Findings) {
        self.games += other.games;
        self.won = [self.won[0] + other.won[0], self.won[1] + other.won[1]];
        self.drawn += other.drawn;
        self.too_long += other.too_long;
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.overrun = self.overrun.max(other.overrun);
        self.faults.extend(other.faults);
    }
}

impl Endurance {
    /// Plays the games.
    pub fn run(&self) -> Findings {
        let next = AtomicU32::new(0);
        let total = Mutex::new(Findings::default());
        std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, 256) {
                scope.spawn(|| {
                    let findings = self.work(&next);
                    total.lock().unwrap_or_else(PoisonError::into_inner).add(findings);
                });
            }
        });
        total.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, next: &AtomicU32) -> Findings {
        let new_engine = || Engine::with_threads(self.means.megabytes, self.means.threads);
        let mut engine = new_engine();
        let mut findings = Findings::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games {
                return findings;
            }
            let mut game = wander(&self.rules, &mut Random::for_item(self.seed, number));
            findings.games += 1;
            let played = catch_unwind(AssertUnwindSafe(|| self.play(&mut game, &mut engine, &mut findings)));
            let what = match played {
                Ok(Ok(())) => continue,
                Ok(Err(what)) => what,
                Err(panic) => {
                    engine = new_engine();
                    format!("panic: {}", panic_text(&*panic))
                }
            };
            let fen = fen::format(&self.rules, game.position());
            findings.faults.push(EnduranceFault { game: number, fen, moves: moves_text(&game), what });
        }
    }

    /// Plays a game to its end, or says what is wrong.
    fn play(&self, game: &mut Game, engine: &mut Engine, findings: &mut Findings) -> Result<(), String> {
        while game.outcome().is_none() && game.ply() < LONGEST_GAME {
            let limits = Limits { time: Some(self.time), ..Limits::default() };
            let began = Instant::now();
            let report = engine.search(&self.rules, &Root::of(game), &limits);
            let overrun = began.elapsed().saturating_sub(self.time);
            findings.moves += 1;
            findings.nodes += report.nodes;
            findings.overrun = findings.overrun.max(overrun);
            if overrun > self.margin {
                return Err(format!("a move took {overrun:?} more than its {:?}", self.time));
            }
            let m = self.check(game, &report)?;
            game.play(&m).map_err(|error| error.to_string())?;
            claim_draw(game);
        }
        self.check_end(game)?;
        match game.outcome() {
            None => findings.too_long += 1,
            Some(outcome) => match outcome.winner {
                None => findings.drawn += 1,
                Some(side) => findings.won[usize::from(side == Side::Black)] += 1,
            },
        }
        Ok(())
    }

    /// Checks what the engine says about a position; returns its move.
    fn check(&self, game: &Game, report: &Report) -> Result<Move, String> {
        let best = report.best.ok_or("the engine has no move")?;
        if !game.legal_moves().contains(&best) {
            return Err(format!("the engine plays {best:?}, which is not legal"));
        }
        if report.pv.first() != Some(&best) {
            return Err(format!("the best move {best:?} does not begin the line {:?}", report.pv));
        }
        let mut position = *game.position();
        for m in &report.pv {
            if !self.rules.moves(&position).contains(m) {
                return Err(format!("{m:?} in the expected line is not legal"));
            }
            position = self.rules.after(&position, m);
        }
        if !report.score.men().is_finite() {
            return Err(format!("the score is {:?}", report.score));
        }
        Ok(best)
    }

    /// Checks that the last position survives being written, and that replaying the moves gives the same game.
    fn check_end(&self, game: &Game) -> Result<(), String> {
        let text = fen::format(&self.rules, game.position());
        let read = fen::parse(&self.rules, &text).map_err(|error| format!("{text}: {error}"))?;
        // A text does not say which king has made quiet moves in a row, where that counts.
        if fen::format(&self.rules, &read) != text {
            return Err(format!("{text} is read as another position"));
        }
        let mut again = Game::new(Arc::clone(&self.rules), game.positions()[0]);
        for m in game.moves() {
            again.play(m).map_err(|error| format!("replayed: {error}"))?;
        }
        claim_draw(&mut again);
        if (again.outcome(), again.position()) != (game.outcome(), game.position()) {
            return Err("the replayed game is another one".to_owned());
        }
        Ok(())
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "of an unknown kind".to_owned())
}
