//! The table: what may be done at which moment, and what follows from it.

use std::sync::Arc;

use damiera_rules::explain::explain;
use damiera_rules::{Bits, Game, Move, RuleSet, Side, fen, notation};

use crate::analysis::{Analysis, MOST_LINES};
use crate::json::{self, MoveJson, RulesJson};
use crate::log::{Created, Event, Opening, Record, VERSION};
use crate::message::{Message, New, Played, Request};
use crate::opening;
use crate::opponent::{Answer, Choice, Estimate, Question, Said, Task};
use crate::reply::{Code, Entry, OpeningJson, Refusal, Reply, ResultJson, State, Why};
use crate::seat::Seats;

/// The longest game: far more than people play, so that two computers without a draw rule come to an end.
const MOST_PLIES: usize = 4000;
/// The most squares that an attempt may name.
const MOST_SQUARES: usize = 64;
/// The plies back to which the computer's judgements count when a draw is offered.
const JUDGED_PLIES: usize = 10;

/// What follows from a message or from the computer's answer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Effects {
    /// New lines of the log. If there are any, every subscriber is to see the new state.
    pub records: Vec<Record>,
    /// An answer for the sender alone.
    pub reply: Option<Reply>,
    /// A message to every subscriber, before the new state.
    pub notice: Option<Reply>,
    /// Whether the computer is asked for a hint for the sender (its move and its answer to an offer are asked by [`Table::pending`]).
    pub hint: bool,
    /// The analysis that the sender asked for.
    pub analysis: Option<Analysis>,
}

/// Why a log cannot be restored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The number of the record that does not fit, counted from 0.
    pub record: usize,
    /// What is wrong with it.
    pub text: String,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "event {}: {}", self.record, self.text)
    }
}

impl std::error::Error for Damage {}

/// One game between two seats.
#[derive(Clone, Debug)]
pub struct Table {
    id: String,
    created: Created,
    seats: Seats,
    game: Game,
    /// The legal moves, kept because every question needs them.
    legal: Vec<Move>,
    rules_json: RulesJson,
    history: Vec<Entry>,
    /// What the computer thought at its moves: the ply that it played, and the score.
    scores: Vec<(usize, Estimate)>,
    offer: Option<Side>,
    seq: u64,
}

impl Table {
    /// Begins a game. `seed` decides the computer's choices; `at` is the clock reading in milliseconds since 1970.
    pub fn create(id: &str, new: New, seed: u64, at: u64) -> Result<(Table, Record), Refusal> {
        let unreadable = |error| Refusal::new(Code::UnknownRules, format!("rules: {error}"));
        let rules = RuleSet::parse(&new.rules).map_err(unreadable)?;
        let opened = new.opening.as_deref().map(|wanted| opening::open(&rules, wanted, seed)).transpose()?;
        let start = match (&opened, &new.fen) {
            (Some(_), Some(_)) => {
                let text = "an opening begins where the rules begin, not in another position";
                return Err(Refusal::new(Code::BadMessage, text));
            }
            (Some((start, _)), None) => *start,
            (None, None) => rules.initial(),
            (None, Some(text)) => {
                fen::parse(&rules, text).map_err(|error| Refusal::new(Code::BadFen, error.to_string()))?
            }
        };
        let created = Created {
            version: VERSION,
            rules: rules.canonical().to_string(),
            fingerprint: json::fingerprint(&rules),
            fen: fen::format(&rules, &start),
            opening: opened.map(|(_, opening)| opening),
            seats: new.seats,
            seed,
        };
        let record = Record { seq: 0, event: Event::Created(created.clone()), at };
        let table = Table::open(id, created).map_err(|text| Refusal::new(Code::BadFen, text))?;
        Ok((table, record))
    }

    /// Restores a game from its log.
    pub fn restore(id: &str, records: &[Record]) -> Result<Table, Damage> {
        let damage = |record, text: String| Damage { record, text };
        let Some((Record { event: Event::Created(created), .. }, rest)) = records.split_first() else {
            return Err(damage(0, "the log does not begin with the game's creation".to_string()));
        };
        let mut table = Table::open(id, created.clone()).map_err(|text| damage(0, text))?;
        for (i, record) in rest.iter().enumerate() {
            if record.seq != table.seq + 1 {
                return Err(damage(
                    i + 1,
                    format!("its number is {} and should be {}", record.seq, table.seq + 1),
                ));
            }
            table.apply(&record.event).map_err(|text| damage(i + 1, text))?;
        }
        Ok(table)
    }

    fn open(id: &str, created: Created) -> Result<Table, String> {
        if created.version > VERSION {
            return Err(format!("a later Damiera wrote it (version {})", created.version));
        }
        let rules = RuleSet::parse(&created.rules).map_err(|error| format!("rules: {error}"))?;
        if json::fingerprint(&rules) != created.fingerprint {
            return Err(format!("the rules \"{}\" have changed since the game began", created.rules));
        }
        let start = fen::parse(&rules, &created.fen).map_err(|error| error.to_string())?;
        let rules_json = json::rules_json(&rules);
        let game = Game::new(Arc::new(rules), start);
        let legal = game.legal_moves();
        let opening = created.opening.as_ref().map_or(Vec::new(), |opening| opening.moves.clone());
        let mut table = Table {
            id: id.to_string(),
            seats: created.seats_today(),
            created,
            game,
            legal,
            rules_json,
            history: Vec::new(),
            scores: Vec::new(),
            offer: None,
            seq: 0,
        };
        for played in &opening {
            table.apply_move(played, None).map_err(|text| format!("the opening: {text}"))?;
            table.legal = table.game.legal_moves();
        }
        Ok(table)
    }

    /// Returns the game's id.
    pub fn id(&self) -> &str {
        &self.id
    }
    /// Returns the number of the last event.
    pub fn seq(&self) -> u64 {
        self.seq
    }
    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }
    /// Returns the players.
    pub fn seats(&self) -> &Seats {
        &self.seats
    }
    /// Returns the opening that was played for the players.
    pub fn opening(&self) -> Option<&Opening> {
        self.created.opening.as_ref()
    }
    /// Returns who offers a draw.
    pub fn offer(&self) -> Option<Side> {
        self.offer
    }
    /// Returns what a rematch begins with: the same rules and start, the sides changed.
    pub fn rematch(&self) -> New {
        New {
            rules: self.created.rules.clone(),
            seats: self.seats.changed(),
            fen: self.opening().is_none().then(|| self.created.fen.clone()),
            opening: self.opening().map(|opening| format!("{}:{}", opening.list, opening.number)),
        }
    }

    /// Answers a message about this game. A refused message leaves the game as it was.
    pub fn handle(&mut self, message: &Message, at: u64) -> Result<Effects, Refusal> {
        if message.request.ply().is_some_and(|ply| ply != self.game.ply()) {
            let text = format!("the game is at ply {}", self.game.ply());
            return Err(Refusal::new(Code::Stale, text));
        }
        match &message.request {
            Request::New { .. } | Request::Rematch { .. } => {
                Err(Refusal::new(Code::BadMessage, "a new game is begun elsewhere"))
            }
            Request::Open { .. } => Ok(Effects {
                reply: Some(Reply::State(Box::new(self.state(Some(&message.id))))),
                ..Effects::default()
            }),
            Request::Move { played, .. } => self.play(played, at),
            Request::Explain { squares, .. } => self.explain(&message.id, squares),
            Request::Takeback { .. } => self.take_back(at),
            Request::Hint { .. } => self.hint(),
            Request::Analyze { lines, .. } => self.analyze(&message.id, *lines),
            Request::StopAnalysis { .. } => Ok(Effects::default()),
            Request::Resign { side, .. } => self.resign(*side, at),
            Request::OfferDraw { .. } => self.offer_draw(at),
            Request::AnswerDraw { accept, .. } => self.answer_draw(*accept, at),
            Request::Claim { clause, .. } => self.claim(clause, at),
        }
    }

    /// Returns what the computer is being waited for: its move, or its answer to an offer.
    pub fn pending(&self) -> Option<Task> {
        self.question().map(|question| self.task(question))
    }

    /// Returns true while the computer is being waited for.
    pub fn is_waiting(&self) -> bool {
        self.question().is_some()
    }

    fn question(&self) -> Option<Question> {
        if self.game.outcome().is_some() {
            return None;
        }
        let to_move = self.seats().of(self.side());
        match (to_move.level(), self.offer) {
            (Some(level), _) if self.game.ply() < MOST_PLIES => Some(Question::Move(level)),
            (None, Some(offerer)) if !self.seats().of(offerer.other()).is_person() => {
                Some(Question::Draw(self.recent_scores()))
            }
            _ => None,
        }
    }

    /// Returns the question for a hint.
    pub fn hint_task(&self) -> Task {
        self.task(Question::Hint)
    }

    fn task(&self, question: Question) -> Task {
        // Every event stirs the seed: after a takeback the computer may choose otherwise, and a restored game chooses alike.
        let seed = self.created.seed.wrapping_add(self.seq.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Task { seq: self.seq, question, seed, game: self.game.clone(), stop: Arc::default() }
    }

    fn recent_scores(&self) -> Vec<Estimate> {
        let since = self.game.ply().saturating_sub(JUDGED_PLIES);
        self.scores.iter().filter(|(ply, _)| *ply > since).map(|(_, score)| *score).collect()
    }

    /// Takes the computer's answer. One to a question that is past changes nothing. For a hint, see [`Table::hinted`].
    pub fn answer(&mut self, answer: &Answer, at: u64) -> Effects {
        let mut effects = Effects::default();
        let Some(question) = self.question().filter(|_| answer.seq == self.seq) else { return effects };
        match (question, &answer.said) {
            (Question::Move(_), Said::Move(choice)) => {
                // A computer that finds no legal move leaves the first one, so that the game goes on.
                let legal = |choice: &&Choice| self.legal.contains(&choice.m);
                let (m, score) = match choice.as_ref().filter(legal) {
                    Some(choice) => (Some(choice.m), Some(choice.score)),
                    None => (self.legal.first().copied(), None),
                };
                if let Some(m) = m {
                    self.push_move(&m, score, at, &mut effects);
                }
            }
            (Question::Draw(_), Said::Draw(true)) => self.push(Event::Agreed, at, &mut effects),
            (Question::Draw(_), Said::Draw(false)) => self.decline(at, &mut effects),
            _ => {}
        }
        effects
    }

    /// Returns the reply for a hint, or the refusal when the game has gone on meanwhile.
    pub fn hinted(&self, id: &str, answer: &Answer) -> Result<Reply, Refusal> {
        match &answer.said {
            Said::Hint(Some(m)) if answer.seq == self.seq && self.legal.contains(m) => Ok(Reply::Hint {
                id: id.to_string(),
                game: self.id.clone(),
                ply: self.game.ply(),
                m: json::move_json(self.rules(), self.game.position(), &self.legal, m),
            }),
            _ => Err(Refusal::new(Code::Stale, "the game has gone on")),
        }
    }

    /// Returns the game as it stands. `id` is the id of the message that caused it, for who sent it.
    pub fn state(&self, id: Option<&str>) -> State {
        let (rules, position) = (self.rules(), self.game.position());
        let start = self.game.positions().first().unwrap_or(position);
        State {
            id: id.map(str::to_string),
            game: self.id.clone(),
            seq: self.seq,
            rules: self.rules_json.clone(),
            seats: self.seats.into(),
            start: json::start_json(rules, start),
            opening: self.opening().map(|Opening { list, number, moves }| OpeningJson {
                list: list.clone(),
                number: *number,
                plies: moves.len(),
            }),
            ply: self.game.ply(),
            side: self.side(),
            fen: fen::format(rules, position),
            board: json::board_string(rules, position),
            moves: json::moves_json(rules, position, &self.legal),
            history: self.history.clone(),
            counters: json::counters_json(&self.game),
            claimable: json::claimable(&self.game),
            offer: self.offer,
            thinking: self.is_waiting(),
            saved: true,
            result: self.game.outcome().map(|outcome| ResultJson {
                winner: outcome.winner,
                clause: outcome.clause(rules).to_string(),
            }),
        }
    }

    // ---- what the messages do ----

    fn play(&mut self, played: &Played, at: u64) -> Result<Effects, Refusal> {
        self.must_be_on()?;
        self.must_be_a_persons_turn()?;
        if self.game.ply() >= MOST_PLIES {
            return Err(Refusal::new(Code::TooLong, format!("a game has at most {MOST_PLIES} plies")));
        }
        let m = self.find(played)?;
        let mut effects = Effects::default();
        self.push_move(&m, None, at, &mut effects);
        Ok(effects)
    }

    fn explain(&self, id: &str, squares: &[String]) -> Result<Effects, Refusal> {
        self.must_be_on()?;
        if squares.is_empty() || squares.len() > MOST_SQUARES {
            return Err(Refusal::new(
                Code::BadMessage,
                format!("an attempt names 1 to {MOST_SQUARES} squares"),
            ));
        }
        let bits = squares.iter().map(|name| self.square(name)).collect::<Result<Vec<u8>, Refusal>>()?;
        let why = self.why(id, &bits);
        Ok(Effects { reply: Some(Reply::Why(Box::new(why))), ..Effects::default() })
    }

    fn why(&self, id: &str, squares: &[u8]) -> Why {
        let (rules, position) = (self.rules(), self.game.position());
        let found = explain(rules, position, squares);
        let legal = found.legal.map(|m| json::move_json(rules, position, &self.legal, &m));
        let attempted = found.yours.as_ref().map(|(m, path)| json::attempt_json(rules, m, path));
        Why {
            id: id.to_string(),
            game: self.id.clone(),
            ply: self.game.ply(),
            legal: found.legal.is_some(),
            reason: found.reason.code(),
            n: found.reason.n(),
            m: found.reason.m(),
            square: found.reason.square().map(|bit| rules.board().name(bit)),
            yours: legal.or(attempted),
            better: json::moves_json(rules, position, &found.better),
        }
    }

    fn take_back(&mut self, at: u64) -> Result<Effects, Refusal> {
        let nothing = || Refusal::new(Code::NothingToTakeBack, "no move of a person's has been played");
        let plies = self.plies_to_take_back().ok_or_else(nothing)?;
        let mut effects = Effects::default();
        self.push(Event::TookBack { plies }, at, &mut effects);
        Ok(effects)
    }

    /// Returns how many plies go back: against the computer up to the person's last move, for two persons one. An opening stays.
    fn plies_to_take_back(&self) -> Option<usize> {
        let by_person = |entry: &&Entry| self.seats().of(entry.side).is_person();
        let opening = self.opening().map_or(0, |opening| opening.moves.len());
        let last = self.history.iter().skip(opening).rev().position(|entry| by_person(&entry))?;
        Some(last + 1)
    }

    fn hint(&self) -> Result<Effects, Refusal> {
        self.must_be_on()?;
        self.must_be_a_persons_turn()?;
        Ok(Effects { hint: true, ..Effects::default() })
    }

    fn analyze(&self, id: &str, lines: usize) -> Result<Effects, Refusal> {
        self.must_be_on()?;
        if !(1..=MOST_LINES).contains(&lines) {
            return Err(Refusal::new(Code::BadMessage, format!("an analysis has 1 to {MOST_LINES} lines")));
        }
        let analysis = Analysis::new(id, &self.id, self.game.clone(), lines);
        Ok(Effects { analysis: Some(analysis), ..Effects::default() })
    }

    fn resign(&mut self, side: Option<Side>, at: u64) -> Result<Effects, Refusal> {
        self.must_be_on()?;
        let person = |side: &Side| self.seats().of(*side).is_person();
        let side = side.or_else(|| self.seats().only_person()).unwrap_or(self.side());
        if !person(&side) {
            return Err(Refusal::new(Code::NotYourTurn, "the computer has that side"));
        }
        let mut effects = Effects::default();
        self.push(Event::Resigned { side }, at, &mut effects);
        Ok(effects)
    }

    fn offer_draw(&mut self, at: u64) -> Result<Effects, Refusal> {
        self.must_be_on()?;
        self.must_be_a_persons_turn()?;
        let mut effects = Effects::default();
        if self.offer.is_none() {
            self.push(Event::Offered { side: self.side() }, at, &mut effects);
        }
        Ok(effects)
    }

    fn answer_draw(&mut self, accept: bool, at: u64) -> Result<Effects, Refusal> {
        self.must_be_on()?;
        let no_offer = || Refusal::new(Code::NoOffer, "no draw is offered");
        let offerer = self.offer.ok_or_else(no_offer)?;
        if !self.seats().of(offerer.other()).is_person() {
            return Err(Refusal::new(Code::NotYourTurn, "the computer answers this offer"));
        }
        let mut effects = Effects::default();
        if accept {
            self.push(Event::Agreed, at, &mut effects);
        } else {
            self.decline(at, &mut effects);
        }
        Ok(effects)
    }

    fn decline(&mut self, at: u64, effects: &mut Effects) {
        self.push(Event::Declined, at, effects);
        effects.notice = Some(Reply::DrawDeclined { game: self.id.clone(), ply: self.game.ply() });
    }

    fn claim(&mut self, clause: &str, at: u64) -> Result<Effects, Refusal> {
        self.must_be_on()?;
        self.must_be_a_persons_turn()?;
        if !json::claimable(&self.game).iter().any(|id| id == clause) {
            let text = format!("\"{}\" cannot be claimed now", clause.escape_debug());
            return Err(Refusal::new(Code::CannotClaim, text));
        }
        let mut effects = Effects::default();
        self.push(Event::Claimed { clause: clause.to_string() }, at, &mut effects);
        Ok(effects)
    }

    fn must_be_on(&self) -> Result<(), Refusal> {
        match self.game.outcome() {
            None => Ok(()),
            Some(_) => Err(Refusal::new(Code::Over, "the game is over")),
        }
    }

    fn must_be_a_persons_turn(&self) -> Result<(), Refusal> {
        if self.seats().of(self.side()).is_person() {
            return Ok(());
        }
        Err(Refusal::new(Code::NotYourTurn, "the computer is to move"))
    }

    // ---- squares and moves ----

    fn rules(&self) -> &RuleSet {
        self.game.rules()
    }

    fn side(&self) -> Side {
        self.game.position().side()
    }

    fn square(&self, name: &str) -> Result<u8, Refusal> {
        let unknown = || {
            let text = format!("\"{}\" is no square of this board", name.escape_debug());
            Refusal::new(Code::BadMessage, text)
        };
        self.rules().board().square(name).ok_or_else(unknown)
    }

    /// Finds the legal move that a message or a log line means.
    fn find(&self, played: &Played) -> Result<Move, Refusal> {
        let (from, to) = (self.square(&played.from)?, self.square(&played.to)?);
        let mut captured = 0_u128;
        for name in &played.captured {
            captured |= u128::bit(self.square(name)?);
        }
        let same = |m: &&Move| {
            m.from == from
                && m.to == to
                && m.captured == captured
                && played.promotes.is_none_or(|p| p == m.promotes)
        };
        self.legal.iter().find(same).copied().ok_or_else(|| self.illegal(from, to))
    }

    fn illegal(&self, from: u8, to: u8) -> Refusal {
        let reason = explain(self.rules(), self.game.position(), &[from, to]).reason.code();
        // The ends may belong to a legal move that captures other pieces: then nothing else is wrong.
        let reason = if reason == "legal" { "ambiguous" } else { reason };
        let text = format!("{} is not legal here", notation::path_text(self.rules(), &[from, to], false));
        Refusal { code: Code::IllegalMove, text, reason: Some(reason) }
    }

    // ---- events ----

    fn push_move(&mut self, m: &Move, score: Option<Estimate>, at: u64, effects: &mut Effects) {
        let played = Played::of(self.rules(), m);
        self.push(Event::Moved { played, score }, at, effects);
        self.claim_for_the_computer(at, effects);
    }

    /// The computer claims a draw as soon as it may.
    fn claim_for_the_computer(&mut self, at: u64, effects: &mut Effects) {
        if self.seats().of(self.side()).is_person() {
            return;
        }
        if let Some(clause) = json::claimable(&self.game).into_iter().next() {
            self.push(Event::Claimed { clause }, at, effects);
        }
    }

    /// Applies an event that has been judged to be possible, and notes it for the log.
    fn push(&mut self, event: Event, at: u64, effects: &mut Effects) {
        if self.apply(&event).is_ok() {
            effects.records.push(Record { seq: self.seq, event, at });
        }
    }

    /// Applies an event; the same for what happens now and for what is read from a log.
    fn apply(&mut self, event: &Event) -> Result<(), String> {
        let refused = |what: &str| Err(format!("{what} is not possible here"));
        let fits = match event {
            Event::Created(_) => return refused("a second creation"),
            Event::Moved { played, score } => {
                self.apply_move(played, *score)?;
                true
            }
            Event::TookBack { plies } => self.apply_take_back(*plies),
            Event::Offered { side } => {
                self.offer = Some(*side);
                true
            }
            Event::Declined => self.offer.take().is_some(),
            Event::Agreed => self.offer.take().is_some() && self.game.agree_draw(),
            Event::Claimed { clause } => self.game.claim(clause),
            Event::Resigned { side } => self.game.resign(*side),
        };
        if !fits {
            return refused(&format!("{event:?}"));
        }
        if self.game.outcome().is_some() {
            self.offer = None;
        }
        self.legal = self.game.legal_moves();
        self.seq += 1;
        Ok(())
    }

    fn apply_move(&mut self, played: &Played, score: Option<Estimate>) -> Result<(), String> {
        let m = self.find(played).map_err(|refusal| refusal.text)?;
        let before = *self.game.position();
        let text = json::short_move_json(self.rules(), &before, &self.legal, &m);
        self.game.play(&m).map_err(|error| error.to_string())?;
        self.history.push(self.entry(before.side(), text));
        if let Some(score) = score {
            self.scores.push((self.game.ply(), score));
        }
        // An offer stands until the other side answers it by moving on; the computer's answer is not waited for any longer.
        let answered = self
            .offer
            .is_some_and(|offerer| offerer != before.side() || !self.seats().of(offerer.other()).is_person());
        if answered {
            self.offer = None;
        }
        Ok(())
    }

    fn entry(&self, side: Side, m: MoveJson) -> Entry {
        Entry {
            ply: self.game.ply(),
            side,
            text: m.text,
            from: m.from,
            to: m.to,
            path: m.path,
            captured: m.captured,
            promotes: m.promotes,
            board: json::board_string(self.rules(), self.game.position()),
        }
    }

    fn apply_take_back(&mut self, plies: usize) -> bool {
        if plies == 0 || plies > self.game.ply() {
            return false;
        }
        for _ in 0..plies {
            self.game.take_back();
            self.history.pop();
        }
        let ply = self.game.ply();
        self.scores.retain(|(at, _)| *at <= ply);
        self.offer = None;
        true
    }
}
