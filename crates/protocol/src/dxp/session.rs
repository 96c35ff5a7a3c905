//! Who may say what when: messages of the other program and decisions of this one in, messages to send and events out.

use std::sync::Arc;

use damiera_rules::{Game, Move, Position, RuleSet, Side, fen};

use super::message::{Acceptance, DxpError, GameRequest, MOST, Message, MoveMade, Reason, Start};
use crate::squares::{self, DXP};

/// What a game is played with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The side of this program.
    pub side: Side,
    /// The time of each player for the whole game, in minutes; 0 when none was named.
    pub minutes: u16,
    /// How many moves the game has; 0 for no limit.
    pub moves: u16,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Whether this program ended it; otherwise the other one did.
    pub by_us: bool,
    /// Why, from the point of view of who ended it.
    pub reason: Reason,
    /// Whether the other program wants no other game.
    pub stop: bool,
    /// What was wrong with the other program's move, when the game ended because of it.
    pub fault: Option<String>,
}

/// What came of a message.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// This is to be sent.
    Send(Message),
    /// A game has begun.
    Started(Terms),
    /// The follower does not play.
    Refused(Acceptance),
    /// The other program has moved.
    Moved {
        /// Its move.
        played: Move,
        /// How many seconds it says that it thought.
        seconds: u16,
    },
    /// This program is to move: [`Session::game`] has the position.
    YourTurn,
    /// Moves were taken back; whatever was being thought about no longer counts.
    WentBack,
    /// The other program does not go back.
    StayedThere,
    /// The game is over.
    Ended(Ending),
    /// The other program leaves.
    Left,
    /// Text for people.
    Chat(String),
}

#[derive(Clone, Debug)]
enum State {
    /// No game is played.
    Idle,
    /// A game was asked for.
    Asked(Terms, Position),
    /// A game is played.
    Playing(Terms),
    /// This program has said that the game is over, and waits for the other to say so too.
    Ending(Ending),
}

/// The state of a connection.
pub struct Session {
    rules: Arc<RuleSet>,
    name: String,
    /// Whether the other program asks for the games.
    follows: bool,
    opponent: String,
    state: State,
    game: Game,
    /// How many plies were played before `game`: more than none after a draw by our rules that the other program did not heed.
    played: usize,
    /// The ply to which this program has asked to go back.
    back_to: Option<usize>,
}

impl Session {
    /// Returns a session in which this program, under this name, asks for games.
    pub fn initiator(rules: Arc<RuleSet>, name: &str) -> Session {
        Session::new(rules, name, false)
    }
    /// Returns a session in which this program, under this name, is asked for games.
    pub fn follower(rules: Arc<RuleSet>, name: &str) -> Session {
        Session::new(rules, name, true)
    }
    fn new(rules: Arc<RuleSet>, name: &str, follows: bool) -> Session {
        let game = Game::new(Arc::clone(&rules), rules.initial());
        Session {
            rules,
            name: name.to_owned(),
            follows,
            opponent: String::new(),
            state: State::Idle,
            game,
            played: 0,
            back_to: None,
        }
    }
    /// Returns the game that is played, or the last one.
    pub fn game(&self) -> &Game {
        &self.game
    }
    /// Returns the other program's name, as far as it has told it.
    pub fn opponent(&self) -> &str {
        &self.opponent
    }
    /// Returns whether a game is played.
    pub fn is_playing(&self) -> bool {
        matches!(self.state, State::Playing(_))
    }
    /// Returns how many plies the game has had.
    pub fn ply(&self) -> usize {
        self.played + self.game.ply()
    }
    /// Returns whether this program is to move in a game, and does not wait for leave to go back.
    pub fn is_our_turn(&self) -> bool {
        self.has_our_side_to_move() && self.back_to.is_none()
    }
    /// Returns whether this program's side is to move in a game: its clock runs, also while it waits for leave to go back.
    pub fn has_our_side_to_move(&self) -> bool {
        matches!(&self.state, State::Playing(terms) if self.game.position().side() == terms.side)
    }
    /// Returns whether the other program owes an answer or a move.
    pub fn is_waiting(&self) -> bool {
        !matches!(self.state, State::Idle) && !self.is_our_turn()
    }

    /// Asks for a game that begins with a position.
    pub fn ask(&mut self, terms: Terms, start: Position) -> Result<Message, DxpError> {
        if self.follows || !matches!(self.state, State::Idle) {
            return Err(DxpError::new("only the initiator asks for a game, and only between two games"));
        }
        let position = squares::write_position(&self.rules, &start, &DXP);
        let usual = start == self.rules.initial() && start.side() == Side::White;
        let start_field = if usual { Start::Usual } else { Start::Position(position) };
        self.state = State::Asked(terms, start);
        Ok(Message::Request(GameRequest {
            version: 1,
            name: self.name.clone(),
            follower: terms.side.other(),
            minutes: terms.minutes,
            moves: terms.moves,
            start: start_field,
        }))
    }

    /// Plays a move of this program.
    pub fn play(&mut self, m: &Move, seconds: u16) -> Result<Message, DxpError> {
        if !self.is_our_turn() {
            return Err(DxpError::new("it is not this program's turn"));
        }
        self.game.play(m).map_err(|error| DxpError::new(error.to_string()))?;
        let number = |bit| squares::number(&self.rules, bit);
        let captured = squares::captured_numbers(&self.rules, m);
        Ok(Message::Move(MoveMade { seconds, from: number(m.from), to: number(m.to), captured }))
    }

    /// Ends the game on this program's turn.
    pub fn end(&mut self, reason: Reason, stop: bool) -> Result<Message, DxpError> {
        if !self.is_our_turn() {
            return Err(DxpError::new("a game is ended on one's own turn only"));
        }
        Ok(self.end_with(reason, stop, None))
    }
    fn end_with(&mut self, reason: Reason, stop: bool, fault: Option<String>) -> Message {
        self.state = State::Ending(Ending { by_us: true, reason, stop: false, fault });
        Message::End { reason, stop }
    }

    /// Returns how the rules or the terms end the game now that this program is to move; `None` when it goes on.
    pub fn verdict(&self) -> Option<Reason> {
        let State::Playing(terms) = &self.state else { return None };
        if let Some(outcome) = self.game.outcome() {
            return Some(match outcome.winner {
                None => Reason::Draw,
                Some(winner) if winner == terms.side => Reason::Won,
                Some(_) => Reason::Lost,
            });
        }
        if !self.game.claimable().is_empty() {
            return Some(Reason::Draw);
        }
        let limit = usize::from(terms.moves) * 2;
        (limit > 0 && self.ply() >= limit).then_some(Reason::Unknown)
    }

    /// Asks the other program to go back to where a side was to move, moves being counted from 1. Until it answers, no move is made.
    pub fn ask_back(&mut self, number: u16, side: Side) -> Result<Message, DxpError> {
        if self.back_to.is_some() {
            return Err(DxpError::new("the other program has not answered the last request to go back"));
        }
        let ply = self.ply_of(number, side).filter(|_| self.is_playing() && number <= MOST);
        self.back_to = Some(ply.ok_or_else(|| DxpError::new("the game has not had this move"))?);
        Ok(Message::BackRequest { number, side })
    }

    /// Returns whether the other program owes an answer to a request to go back.
    pub fn is_asking_back(&self) -> bool {
        self.back_to.is_some()
    }

    /// Waits no longer for the answer to a request to go back: the game goes on from where it is.
    pub fn stay(&mut self) -> Vec<Event> {
        if self.back_to.take().is_none() {
            return Vec::new();
        }
        let mut events = vec![Event::StayedThere];
        events.extend(self.your_turn());
        events
    }

    /// Takes in a message of the other program. An error is a message that has no place here; it changes nothing.
    pub fn receive(&mut self, message: Message) -> Result<Vec<Event>, DxpError> {
        match message {
            Message::Chat(text) => Ok(vec![Event::Chat(text)]),
            Message::Request(request) => self.asked(&request),
            Message::Answer { name, acceptance } => self.answered(name, acceptance),
            Message::Move(made) => self.moved(&made),
            Message::End { reason, stop } => Ok(self.ended(reason, stop)),
            Message::BackRequest { number, side } => self.asked_back(number, side),
            Message::BackAnswer(acceptance) => self.answered_back(acceptance),
        }
    }

    fn asked(&mut self, request: &GameRequest) -> Result<Vec<Event>, DxpError> {
        if !self.follows {
            return Ok(vec![self.answer(Acceptance::NotThis)]);
        }
        if request.version != 1 {
            return Ok(vec![self.answer(Acceptance::Version)]);
        }
        self.opponent = request.name.clone();
        let start = match &request.start {
            // The usual start has White to move, whatever the rules say.
            Start::Usual if self.rules.first() == Side::White => Ok(self.rules.initial()),
            Start::Usual => Err("the usual start with White to move".to_owned()),
            Start::Position(text) => {
                squares::read_position(&self.rules, text, &DXP).map_err(|error| error.to_string())
            }
        };
        let playable = start.and_then(|start| {
            let game = Game::new(Arc::clone(&self.rules), start);
            if game.outcome().is_none() { Ok(game) } else { Err("the game would be over at once".to_owned()) }
        });
        match playable {
            Ok(game) if matches!(self.state, State::Idle) => {
                let mut events = vec![self.answer(Acceptance::Yes)];
                let terms = Terms { side: request.follower, minutes: request.minutes, moves: request.moves };
                events.extend(self.start(terms, game));
                Ok(events)
            }
            Ok(_) => Ok(vec![self.answer(Acceptance::NotThis)]),
            Err(why) => {
                let text = format!("{why} ({} is played here)", self.rules.canonical());
                Ok(vec![self.answer(Acceptance::NotThis), Event::Send(Message::Chat(text))])
            }
        }
    }
    fn answer(&self, acceptance: Acceptance) -> Event {
        Event::Send(Message::Answer { name: self.name.clone(), acceptance })
    }
    fn start(&mut self, terms: Terms, game: Game) -> Vec<Event> {
        self.game = game;
        self.played = 0;
        self.back_to = None;
        self.state = State::Playing(terms);
        let mut events = vec![Event::Started(terms)];
        events.extend(self.your_turn());
        events
    }
    fn your_turn(&self) -> Option<Event> {
        self.is_our_turn().then_some(Event::YourTurn)
    }
    fn answered(&mut self, name: String, acceptance: Acceptance) -> Result<Vec<Event>, DxpError> {
        let State::Asked(terms, start) = self.state else {
            return Err(DxpError::new("an answer to a game that was not asked for"));
        };
        self.opponent = name;
        if acceptance != Acceptance::Yes {
            self.state = State::Idle;
            return Ok(vec![Event::Refused(acceptance)]);
        }
        let game = Game::new(Arc::clone(&self.rules), start);
        Ok(self.start(terms, game))
    }

    fn moved(&mut self, made: &MoveMade) -> Result<Vec<Event>, DxpError> {
        if !self.is_playing() || self.has_our_side_to_move() {
            return Err(DxpError::new("a move out of turn"));
        }
        self.go_on();
        let found = squares::find_move(&self.rules, self.game.position(), made.from, made.to, &made.captured);
        let played = found.and_then(|m| self.game.play(&m).map(|()| m).map_err(|error| error.to_string()));
        Ok(match played {
            Ok(played) => {
                let mut events = vec![Event::Moved { played, seconds: made.seconds }];
                events.extend(self.your_turn());
                events
            }
            Err(why) => {
                let fen = fen::format(&self.rules, self.game.position());
                let fault =
                    format!("the move {} cannot be played in {fen}: {why}", Message::Move(made.clone()));
                let chat = Message::Chat(fault.clone());
                let end = self.end_with(Reason::Unknown, false, Some(fault));
                vec![Event::Send(chat), Event::Send(end)]
            }
        })
    }
    /// Lets a game go on that is drawn by our rules when the other program plays on: it counts otherwise, or not at all.
    fn go_on(&mut self) {
        let drawn = self.game.outcome().is_some_and(|outcome| outcome.winner.is_none());
        if drawn {
            self.played = self.ply();
            self.game = Game::new(Arc::clone(&self.rules), *self.game.position());
        }
    }

    fn ended(&mut self, reason: Reason, stop: bool) -> Vec<Event> {
        let state = std::mem::replace(&mut self.state, State::Idle);
        self.back_to = None;
        let mut events = match state {
            State::Ending(ending) => vec![Event::Ended(Ending { stop, ..ending })],
            State::Playing(_) => {
                let answer = Message::End { reason: Reason::Unknown, stop };
                let ending = Ending { by_us: false, reason, stop, fault: None };
                vec![Event::Send(answer), Event::Ended(ending)]
            }
            State::Idle | State::Asked(..) => Vec::new(),
        };
        if stop {
            events.push(Event::Left);
        }
        events
    }

    /// Returns the ply at which a side is to move, moves being counted from 1, when the game has come so far and can go back there.
    fn ply_of(&self, number: u16, side: Side) -> Option<usize> {
        let known = self.game.positions().first().unwrap_or(self.game.position()).side();
        let first = if self.played.is_multiple_of(2) { known } else { known.other() };
        let ply = usize::from(number.checked_sub(1)?) * 2 + usize::from(side != first);
        (self.played..=self.ply()).contains(&ply).then_some(ply)
    }
    fn asked_back(&mut self, number: u16, side: Side) -> Result<Vec<Event>, DxpError> {
        let Some(ply) = self.ply_of(number, side).filter(|_| self.is_playing()) else {
            return Ok(vec![Event::Send(Message::BackAnswer(Acceptance::NotThis))]);
        };
        let mut events = vec![Event::Send(Message::BackAnswer(Acceptance::Yes))];
        events.extend(self.go_back(ply));
        Ok(events)
    }
    fn answered_back(&mut self, acceptance: Acceptance) -> Result<Vec<Event>, DxpError> {
        let ply = self.back_to.filter(|_| self.is_playing());
        let ply = ply.ok_or_else(|| DxpError::new("an answer to a take-back that was not asked for"))?;
        if acceptance != Acceptance::Yes {
            return Ok(self.stay());
        }
        self.back_to = None;
        Ok(self.go_back(ply))
    }
    fn go_back(&mut self, ply: usize) -> Vec<Event> {
        while self.ply() > ply && self.game.ply() > 0 {
            self.game.take_back();
        }
        let mut events = vec![Event::WentBack];
        events.extend(self.your_turn());
        events
    }
}
