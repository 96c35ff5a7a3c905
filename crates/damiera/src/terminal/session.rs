//! One game at the terminal: the table, the computer that thinks beside it, and what happens.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use damiera_rules::{Game, Move, RuleSet, Side};
use damiera_table::{
    Answer, Effects, Message, New, Opening, Opponent, Played, Refusal, Reply, Request, Said, Seats, Table,
    Task,
};

/// The game's name at its table; there is only one.
const GAME: &str = "terminal";

/// So often a computer that has its move ready looks whether it is still wanted.
const PATIENCE: Duration = Duration::from_millis(20);

/// Something that the computer did.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Happening {
    /// It moved.
    Moved,
    /// It accepted the offered draw.
    Agreed,
    /// It declined the offered draw.
    Declined,
    /// It suggests this move.
    Hint(Move),
}

/// What the computer is being asked.
struct Asked {
    seq: u64,
    hint: bool,
    stop: Arc<AtomicBool>,
}

/// A game between two seats, one of them or both at this terminal.
pub(crate) struct Session {
    table: Table,
    computer: Arc<dyn Opponent>,
    /// Whether the computer takes its time over its moves as a person does.
    paced: bool,
    asked: Option<Asked>,
    answers: (Sender<Answer>, Receiver<Answer>),
}

impl Session {
    /// Begins a game.
    pub(crate) fn new(new: New, computer: Arc<dyn Opponent>, paced: bool) -> Result<Session, Refusal> {
        let at = now();
        let (table, _) = Table::create(GAME, new, at, at)?;
        let mut session = Session { table, computer, paced, asked: None, answers: channel() };
        session.go_on();
        Ok(session)
    }

    /// Returns the game.
    pub(crate) fn game(&self) -> &Game {
        self.table.game()
    }
    /// Returns the rules.
    pub(crate) fn rules(&self) -> &RuleSet {
        self.table.game().rules()
    }
    /// Returns the players.
    pub(crate) fn seats(&self) -> &Seats {
        self.table.seats()
    }
    /// Returns the opening that was played for the players.
    pub(crate) fn opening(&self) -> Option<&Opening> {
        self.table.opening()
    }
    /// Returns whose turn it is.
    pub(crate) fn side(&self) -> Side {
        self.game().position().side()
    }
    /// Returns who offers a draw.
    pub(crate) fn offer(&self) -> Option<Side> {
        self.table.offer()
    }
    /// Returns true when a person is to move.
    pub(crate) fn is_persons_turn(&self) -> bool {
        self.game().outcome().is_none() && self.seats().of(self.side()).is_person()
    }
    /// Returns true while the computer is being waited for.
    pub(crate) fn is_waiting(&self) -> bool {
        self.asked.is_some()
    }

    /// Plays a move.
    pub(crate) fn play(&mut self, m: &Move) -> Result<(), Refusal> {
        let played = Played::of(self.rules(), m);
        self.send(|game, ply| Request::Move { game, ply, played })
    }
    /// Takes back the person's last move.
    pub(crate) fn take_back(&mut self) -> Result<(), Refusal> {
        self.send(|game, ply| Request::Takeback { game, ply })
    }
    /// Asks for a hint; it comes as a [`Happening`].
    pub(crate) fn hint(&mut self) -> Result<(), Refusal> {
        self.send(|game, ply| Request::Hint { game, ply })
    }
    /// Gives up.
    pub(crate) fn resign(&mut self) -> Result<(), Refusal> {
        self.send(|game, ply| Request::Resign { game, ply, side: None })
    }
    /// Offers a draw.
    pub(crate) fn offer_draw(&mut self) -> Result<(), Refusal> {
        self.send(|game, ply| Request::OfferDraw { game, ply })
    }
    /// Answers the other person's offer.
    pub(crate) fn answer_draw(&mut self, accept: bool) -> Result<(), Refusal> {
        self.send(|game, ply| Request::AnswerDraw { game, ply, accept })
    }
    /// Claims a draw by the first clause that allows it.
    pub(crate) fn claim(&mut self) -> Result<(), Refusal> {
        let clause = damiera_table::json::claimable(self.game()).into_iter().next().unwrap_or_default();
        self.send(|game, ply| Request::Claim { game, ply, clause })
    }
    /// Begins another game with the sides changed.
    pub(crate) fn rematch(&mut self) -> Result<(), Refusal> {
        self.stop_asking();
        let at = now();
        (self.table, _) = Table::create(GAME, self.table.rematch(), at, at)?;
        self.go_on();
        Ok(())
    }

    fn send(&mut self, request: impl FnOnce(String, usize) -> Request) -> Result<(), Refusal> {
        let request = request(GAME.to_owned(), self.game().ply());
        let message = Message { id: String::new(), request };
        let effects: Effects = self.table.handle(&message, now())?;
        if effects.hint {
            self.ask(self.table.hint_task(), true);
        } else {
            self.go_on();
        }
        Ok(())
    }

    /// Asks the computer for whatever the table waits for, unless that is being asked already.
    fn go_on(&mut self) {
        match self.table.pending() {
            Some(task) if self.asked.as_ref().is_none_or(|asked| asked.hint || asked.seq != task.seq) => {
                self.ask(task, false);
            }
            Some(_) => {}
            None => self.stop_asking(),
        }
    }

    fn ask(&mut self, task: Task, hint: bool) {
        self.stop_asking();
        self.asked = Some(Asked { seq: task.seq, hint, stop: Arc::clone(&task.stop) });
        let (computer, sender) = (Arc::clone(&self.computer), self.answers.0.clone());
        let pace = if self.paced { task.pace() } else { Duration::ZERO };
        thread::spawn(move || {
            let ready = Instant::now() + pace;
            let answer = task.answer(&*computer);
            while Instant::now() < ready && !task.stop.load(Ordering::Relaxed) {
                thread::sleep(PATIENCE.min(ready.saturating_duration_since(Instant::now())));
            }
            // Nobody waits for the answer once the game has been left.
            let _ = sender.send(answer);
        });
    }

    fn stop_asking(&mut self) {
        if let Some(asked) = self.asked.take() {
            asked.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Waits at most so long for the computer, and returns what it did.
    pub(crate) fn poll(&mut self, longest: Duration) -> Option<Happening> {
        let answer = self.answers.1.recv_timeout(longest).ok()?;
        let asked = self
            .asked
            .take_if(|asked| asked.seq == answer.seq && asked.hint == matches!(answer.said, Said::Hint(_)))?;
        let happening = if asked.hint { self.hinted(&answer) } else { self.answered(&answer) };
        self.go_on();
        happening
    }

    fn hinted(&self, answer: &Answer) -> Option<Happening> {
        match answer.said {
            Said::Hint(Some(m)) if answer.seq == self.table.seq() => Some(Happening::Hint(m)),
            _ => None,
        }
    }

    fn answered(&mut self, answer: &Answer) -> Option<Happening> {
        let effects = self.table.answer(answer, now());
        if matches!(effects.notice, Some(Reply::DrawDeclined { .. })) {
            return Some(Happening::Declined);
        }
        match answer.said {
            Said::Draw(true) => Some(Happening::Agreed),
            Said::Move(_) if !effects.records.is_empty() => Some(Happening::Moved),
            _ => None,
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.stop_asking();
    }
}

/// Returns the clock reading in milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
