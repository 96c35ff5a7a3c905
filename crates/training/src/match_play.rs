//! Matches between two players: paired openings, both sides, several games at once; whoever breaks the rules, dies or thinks too long loses that game.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use damiera_engine::bench::signature_of;
use damiera_engine::{Clock, Random};
use damiera_rules::{Game, Outcome, RuleSet, Side};

use crate::hub_engine::HubEngineError;
use crate::openings::{Opening, Openings};
use crate::player::{Budget, Fault, Means, Player, Seat};
use crate::stats::{Pairs, Sprt, Tally};

/// A game longer than this counts as drawn unless another limit is given: some rule sets know no draw.
pub const LONGEST_GAME: usize = 400;
/// So much more than its time a player may use before it loses, for the computer may be busy with something else: the time once more, and this.
const MARGIN: Duration = Duration::from_secs(1);
/// So much later than its clock a player may move.
const CLOCK_MARGIN: Duration = Duration::from_millis(500);

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Match {
    /// The rules.
    pub rules: Arc<RuleSet>,
    /// The players; results are the first one's.
    pub players: [Player; 2],
    /// How many games; each opening serves for two.
    pub games: u32,
    /// What everything that looks like chance comes from, besides the openings.
    pub seed: u64,
    /// The openings.
    pub openings: Openings,
    /// How many games are played at once.
    pub threads: usize,
    /// The limits of players who bring none.
    pub budget: Budget,
    /// What each engine of our own may use.
    pub means: Means,
    /// A game of so many plies counts as drawn.
    pub longest: usize,
    /// When a game counts as won before it is over; `None` for the rules only.
    pub adjudication: Option<Adjudication>,
    /// Ends the match as soon as it has an answer.
    pub sprt: Option<Sprt>,
}

/// A game counts as won when both players have agreed for so long that one side stands so much better.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adjudication {
    /// By how many men.
    pub men: f64,
    /// For how many plies in a row.
    pub plies: usize,
}

impl FromStr for Adjudication {
    type Err = String;

    fn from_str(text: &str) -> Result<Adjudication, String> {
        let read = || {
            let (men, plies) = text.split_once(',')?;
            let (men, plies) = (men.trim().parse().ok()?, plies.trim().parse().ok()?);
            (men > 0.0 && plies > 0).then_some(Adjudication { men, plies })
        };
        read().ok_or_else(|| "write MEN,PLIES, for example 5,8".to_owned())
    }
}

/// How a game of a match ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// By the rules.
    Rules(Outcome),
    /// It was stopped at the longest allowed length and counts as drawn.
    TooLong,
    /// A player broke the rules, died or thought too long.
    Fault {
        /// Which player: 0 or 1.
        player: usize,
        /// What it did.
        fault: Fault,
    },
    /// Both players agreed that this side wins.
    Adjudged(Side),
}

/// One game of a match, when it is over.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its number, from 0; games 2n and 2n + 1 have the same opening.
    pub number: u32,
    /// The side of the first player.
    pub side: Side,
    /// The players' names.
    pub names: [String; 2],
    /// What the opening is called.
    pub opening: String,
    /// The game, from the first move of the opening on.
    pub game: Game,
    /// How it ended.
    pub ending: Ending,
    /// The most that each player used beyond its time for a move, or beyond its clock, in seconds; 0 for never.
    pub overrun: [f64; 2],
}

impl Played {
    /// Returns who won; `None` for a draw.
    pub fn winner(&self) -> Option<Side> {
        match &self.ending {
            Ending::Rules(outcome) => outcome.winner,
            Ending::TooLong => None,
            Ending::Fault { player, .. } => Some(if *player == 0 { self.side.other() } else { self.side }),
            Ending::Adjudged(side) => Some(*side),
        }
    }
    /// Returns the first player's half points: 2 for a win, 1 for a draw.
    pub fn half_points(&self) -> u8 {
        self.winner().map_or(1, |winner| if winner == self.side { 2 } else { 0 })
    }
    /// Returns the word for the end: a clause of the rules, `too-long`, `adjudged`, or a fault's word.
    pub fn clause(&self) -> &str {
        match &self.ending {
            Ending::Rules(outcome) => outcome.clause(self.game.rules()),
            Ending::TooLong => "too-long",
            Ending::Fault { fault, .. } => fault.word(),
            Ending::Adjudged(_) => "adjudged",
        }
    }
    /// Returns which player was at fault.
    pub fn at_fault(&self) -> Option<usize> {
        if let Ending::Fault { player, .. } = &self.ending { Some(*player) } else { None }
    }
}

/// What a match counts of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// The game's number.
    pub number: u32,
    /// The first player's half points.
    pub half_points: u8,
    /// Whether the game was too long.
    pub too_long: bool,
    /// Which player was at fault.
    pub at_fault: Option<usize>,
}

impl From<&Played> for Point {
    fn from(played: &Played) -> Point {
        Point {
            number: played.number,
            half_points: played.half_points(),
            too_long: played.ending == Ending::TooLong,
            at_fault: played.at_fault(),
        }
    }
}

/// How a match stands.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Standing {
    /// Won, drawn and lost games.
    pub tally: Tally,
    /// The pairs of which both games are over.
    pub pairs: Pairs,
    /// Games that were too long.
    pub too_long: u32,
    /// Games that each player lost by a fault.
    pub faults: [u32; 2],
    /// The most that each player used beyond its time, in seconds.
    pub overrun: [f64; 2],
    /// The games that are over.
    done: HashSet<u32>,
    /// The half points of games whose twin is not over.
    halves: BTreeMap<u32, u8>,
}

impl Standing {
    /// Counts a game. One that was counted before changes nothing.
    pub fn count(&mut self, point: Point) {
        if !self.done.insert(point.number) {
            return;
        }
        self.tally.count(point.half_points);
        self.too_long += u32::from(point.too_long);
        if let Some(player) = point.at_fault {
            self.faults[player] += 1;
        }
        let pair = point.number / 2;
        match self.halves.remove(&pair) {
            Some(twin) => self.pairs.count(twin + point.half_points),
            None => drop(self.halves.insert(pair, point.half_points)),
        }
    }
    /// Returns true when this game is over.
    pub fn has(&self, number: u32) -> bool {
        self.done.contains(&number)
    }
    fn add(&mut self, played: &Played) {
        self.count(played.into());
        for (most, overrun) in self.overrun.iter_mut().zip(played.overrun) {
            *most = most.max(overrun);
        }
    }
}

/// Why a match could not go on.
#[derive(Debug)]
pub enum MatchError {
    /// A player thinks without end.
    NoLimit(Player),
    /// An engine could not be started, or not again.
    Engine(Box<HubEngineError>),
    /// A game could not be noted.
    Note(io::Error),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::NoLimit(player) => {
                write!(f, "nothing ends the thinking of {player}: give it a time (@0.1s), or all players one")
            }
            MatchError::Engine(error) => error.fmt(f),
            MatchError::Note(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            MatchError::NoLimit(_) => None,
            // What these say is said above; only what is behind them is another cause.
            MatchError::Engine(error) => error.source(),
            MatchError::Note(error) => error.source(),
        }
    }
}

/// Is told of every game as it ends, one after the other, and of the standing then.
pub type Watch<'a> = dyn FnMut(&Played, &Standing) -> io::Result<()> + Send + 'a;

/// What the playing threads share.
struct Desk<'a, 'w> {
    next: AtomicU32,
    over: AtomicBool,
    /// Set from elsewhere to end the match.
    stop: &'a Arc<AtomicBool>,
    state: Mutex<State<'a, 'w>>,
}

struct State<'a, 'w> {
    standing: Standing,
    watch: &'a mut Watch<'w>,
    error: Option<MatchError>,
}

impl Match {
    /// Returns what decides the games of this match, in words; a match that was stopped can go on when they are the same.
    pub fn describe(&self) -> String {
        let [a, b] = &self.players;
        let mut text = format!(
            "{a} v {b}, {}, {} openings, seed {}",
            self.rules.canonical(),
            self.openings.name(),
            self.seed
        );
        let Budget { time, nodes, clock } = self.budget;
        let extras = [
            time.map(|time| format!("{} s a move", time.as_secs_f64())),
            nodes.map(|nodes| format!("{nodes} nodes a move")),
            clock.map(|c| format!("clock {} s + {} s", c.base.as_secs_f64(), c.increment.as_secs_f64())),
            (self.means != Means::default())
                .then(|| format!("{} MB, {} threads", self.means.megabytes, self.means.threads)),
            (self.longest != LONGEST_GAME).then(|| format!("at most {} plies", self.longest)),
            self.adjudication.map(|rule| format!("adjudged at {} men for {} plies", rule.men, rule.plies)),
        ];
        // Another engine would play other games, and from other openings.
        let engine = format!("engine {}", signature_of(&self.rules));
        for extra in extras.into_iter().flatten().chain([engine]) {
            text.push_str(", ");
            text.push_str(&extra);
        }
        text
    }

    /// Plays the games that `before` does not have yet; returns how the match stands in the end.
    pub fn play(&self, before: Standing, watch: &mut Watch) -> Result<Standing, MatchError> {
        self.play_until(&Arc::default(), before, watch)
    }

    /// Plays like [`Match::play`] until `stop` is set; the games that are not over then do not count.
    pub fn play_until(
        &self,
        stop: &Arc<AtomicBool>,
        before: Standing,
        watch: &mut Watch,
    ) -> Result<Standing, MatchError> {
        if let Some(player) = self.players.iter().find(|player| !player.has_limit(&self.budget)) {
            return Err(MatchError::NoLimit(player.clone()));
        }
        let over = AtomicBool::new(self.is_decided(&before));
        let known = before.clone();
        let state = Mutex::new(State { standing: before, watch, error: None });
        let desk = Desk { next: AtomicU32::new(0), over, stop, state };
        std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, 256) {
                scope.spawn(|| {
                    if let Err(error) = self.work(&desk, &known)
                        && !desk.is_stopped()
                    {
                        desk.give_up(MatchError::Engine(Box::new(error)));
                    }
                });
            }
        });
        let state = desk.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.error.map_or(Ok(state.standing), Err)
    }

    fn is_decided(&self, standing: &Standing) -> bool {
        self.sprt.is_some_and(|sprt| sprt.found(&standing.pairs).is_some())
    }

    fn work(&self, desk: &Desk, known: &Standing) -> Result<(), HubEngineError> {
        let open = |player| Seat::open(player, &self.rules, self.budget, self.means, desk.stop);
        let mut seats: Option<[Seat; 2]> = None;
        while let Some(number) = desk.next_game(self.games, known) {
            let seats = match &mut seats {
                Some(seats) => seats,
                None => seats.insert([open(&self.players[0])?, open(&self.players[1])?]),
            };
            let played = self.play_one(number, seats)?;
            if desk.is_stopped() {
                return Ok(());
            }
            desk.hand_in(&played, |standing| self.is_decided(standing));
        }
        Ok(())
    }

    fn play_one(&self, number: u32, seats: &mut [Seat; 2]) -> Result<Played, HubEngineError> {
        for seat in seats.iter_mut() {
            seat.begin()?;
        }
        let names = [seats[0].name(), seats[1].name()];
        let Opening { name: opening, game } = self.openings.opening(number / 2);
        let side = if number.is_multiple_of(2) { Side::White } else { Side::Black };
        let clocks = [self.budget.clock.map_or(Duration::ZERO, |clock| clock.base); 2];
        let random = Random::for_item(self.seed, number);
        let mut board =
            Board { plan: self, game, side, clocks, overrun: [0.0; 2], random, scores: Vec::new() };
        let ending = board.play(seats);
        Ok(Played { number, side, names, opening, game: board.game, ending, overrun: board.overrun })
    }
}

impl Desk<'_, '_> {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
    fn next_game(&self, games: u32, known: &Standing) -> Option<u32> {
        while !self.over.load(Ordering::Relaxed) && !self.is_stopped() {
            match self.next.fetch_add(1, Ordering::Relaxed) {
                number if number >= games => return None,
                number if known.has(number) => {}
                number => return Some(number),
            }
        }
        None
    }
    fn hand_in(&self, played: &Played, is_decided: impl FnOnce(&Standing) -> bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { standing, watch, error } = &mut *state;
        if error.is_some() {
            return;
        }
        standing.add(played);
        if let Err(failed) = watch(played, standing) {
            *error = Some(MatchError::Note(failed));
        }
        if error.is_some() || is_decided(standing) {
            self.over.store(true, Ordering::Relaxed);
        }
    }
    fn give_up(&self, error: MatchError) {
        self.over.store(true, Ordering::Relaxed);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.error.get_or_insert(error);
    }
}

/// A game being played.
struct Board<'a> {
    plan: &'a Match,
    game: Game,
    /// The side of the first player.
    side: Side,
    clocks: [Duration; 2],
    overrun: [f64; 2],
    random: Random,
    /// White's score in men after each choice, as its player saw it.
    scores: Vec<Option<f64>>,
}

impl Board<'_> {
    fn play(&mut self, seats: &mut [Seat; 2]) -> Ending {
        loop {
            claim_draw(&mut self.game);
            if let Some(outcome) = self.game.outcome() {
                return Ending::Rules(outcome);
            }
            if self.game.ply() >= self.plan.longest {
                return Ending::TooLong;
            }
            if let Some(side) = self.plan.adjudication.and_then(|rule| adjudge(&self.scores, rule)) {
                return Ending::Adjudged(side);
            }
            let player = usize::from(self.game.position().side() != self.side);
            if let Err(fault) = self.turn(player, &mut seats[player]) {
                return Ending::Fault { player, fault };
            }
        }
    }

    fn turn(&mut self, player: usize, seat: &mut Seat) -> Result<(), Fault> {
        let seed = self.random.next_u64();
        let clock = self.plan.budget.clock.map(|clock| Clock {
            left: self.clocks[player],
            increment: clock.increment,
            moves_to_go: None,
        });
        let began = Instant::now();
        let choice = seat.choose(&self.game, seed, clock)?;
        self.judge_time(player, began.elapsed())?;
        let sign = if self.game.position().side() == Side::White { 1.0 } else { -1.0 };
        self.scores.push(choice.score.map(|score| sign * score));
        self.game.play(&choice.m).map_err(|error| Fault::Illegal(error.to_string()))
    }

    fn judge_time(&mut self, player: usize, used: Duration) -> Result<(), Fault> {
        let budget = &self.plan.budget;
        let (allowed, margin) = match (budget.clock, self.plan.players[player].time_for_move(budget)) {
            (Some(_), _) => (self.clocks[player], CLOCK_MARGIN),
            (None, Some(time)) => (time, time + MARGIN),
            (None, None) => return Ok(()),
        };
        let over = used.saturating_sub(allowed);
        self.overrun[player] = self.overrun[player].max(over.as_secs_f64());
        if over > margin {
            return Err(Fault::Time { used: used.as_secs_f64(), allowed: allowed.as_secs_f64() });
        }
        if let Some(clock) = budget.clock {
            self.clocks[player] = allowed.saturating_sub(used) + clock.increment;
        }
        Ok(())
    }
}

/// Claims a draw when the rules let the player to move claim one; a match has no use for a game that goes on after that.
pub(crate) fn claim_draw(game: &mut Game) {
    if let Some(i) = game.claimable().first().copied() {
        let id = game.rules().draws().clauses[i].id.clone();
        game.claim(&id);
    }
}

/// Returns the side that both players have seen winning for long enough.
fn adjudge(scores: &[Option<f64>], rule: Adjudication) -> Option<Side> {
    let last = scores.len().checked_sub(rule.plies).map(|first| &scores[first..])?;
    let all = |wins: &dyn Fn(f64) -> bool| last.iter().all(|score| score.is_some_and(wins));
    if all(&|score| score >= rule.men) {
        Some(Side::White)
    } else if all(&|score| score <= -rule.men) {
        Some(Side::Black)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_must_see_a_side_win_for_long_enough() {
        let rule: Adjudication = "5,4".parse().expect("a rule");
        assert_eq!(adjudge(&[Some(6.0); 3], rule), None);
        assert_eq!(adjudge(&[Some(6.0); 4], rule), Some(Side::White));
        assert_eq!(
            adjudge(&[Some(9.0), Some(-6.0), Some(-5.0), Some(-7.0), Some(-6.0)], rule),
            Some(Side::Black)
        );
        assert_eq!(adjudge(&[Some(6.0), Some(6.0), None, Some(6.0)], rule), None);
        assert_eq!(adjudge(&[Some(6.0), Some(-6.0), Some(6.0), Some(6.0)], rule), None);
        for text in ["", "5", "0,4", "5,0", "-1,3", "x,3"] {
            assert!(text.parse::<Adjudication>().is_err(), "{text}");
        }
    }

    #[test]
    fn pairs_are_counted_when_both_games_are_over() {
        let point = |number, half_points| Point { number, half_points, too_long: false, at_fault: None };
        let mut standing = Standing::default();
        for point in [point(0, 2), point(3, 0), point(1, 2), point(5, 1), point(2, 1), point(5, 2)] {
            standing.count(point);
        }
        assert_eq!(standing.tally, Tally { wins: 2, draws: 2, losses: 1 });
        assert_eq!(standing.pairs, Pairs([0, 1, 0, 0, 1]));
        assert!(standing.has(5) && !standing.has(4));
    }
}
