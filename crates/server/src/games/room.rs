//! One game and those who look on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::ws::Utf8Bytes;
use damiera_table::{
    Analysis, Answer, Code, Effects, Message, Refusal, Reply, Request, Said, State, Table, Task,
};
use tokio::sync::mpsc;

use super::store::GameFile;

/// The number of a connection.
pub(crate) type Connection = u64;

/// A connection that is told what happens. It has a small letter box; who lets it overflow is cut off and may come back.
#[derive(Clone, Debug)]
pub(crate) struct Listener {
    pub(crate) connection: Connection,
    pub(crate) letters: mpsc::Sender<Utf8Bytes>,
    /// Set when a letter was lost: the connection is then closed.
    pub(crate) cut_off: Arc<tokio::sync::Notify>,
    /// The analysis that goes on for it.
    pub(crate) analysing: Arc<Analysing>,
}

/// The analysis that goes on for a connection: at most one, of the position of one game.
#[derive(Debug, Default)]
pub(crate) struct Analysing(Mutex<Option<(String, Arc<AtomicBool>)>>);

impl Analysing {
    /// Notes an analysis in the place of the one before it, which is stopped.
    fn begin(&self, game: &str, analysis: &Analysis) {
        self.replace(Some((game.to_string(), analysis.stop().clone())), |_| true);
    }

    /// Stops the analysis of this game, if there is one.
    fn stop(&self, game: &str) {
        self.replace(None, |analysed| analysed == game);
    }

    fn replace(&self, next: Option<(String, Arc<AtomicBool>)>, which: impl Fn(&str) -> bool) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if now.as_ref().is_some_and(|(game, _)| !which(game)) {
            return;
        }
        if let Some((_, stop)) = std::mem::replace(&mut *now, next) {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Listener {
    /// Sends a message without waiting.
    pub(crate) fn tell(&self, reply: &Reply) {
        self.tell_text(text_of(reply));
    }

    /// Returns true when the connection is over.
    pub(crate) fn is_gone(&self) -> bool {
        self.letters.is_closed()
    }

    fn tell_text(&self, text: Utf8Bytes) {
        if self.letters.try_send(text).is_err() {
            self.cut_off.notify_one();
        }
    }
}

fn text_of(reply: &Reply) -> Utf8Bytes {
    // Replies are plain data with string keys: they can always be written.
    serde_json::to_string(reply).unwrap_or_default().into()
}

/// Somebody who waits for a hint.
#[derive(Debug)]
struct Hinted {
    connection: Connection,
    id: String,
}

/// A game in memory.
#[derive(Debug)]
pub(crate) struct Room {
    table: Table,
    file: Option<GameFile>,
    /// Whether every event is on disk.
    saved: bool,
    listeners: Vec<Listener>,
    /// The connections for which the computer takes its time as a person does.
    paced: Vec<Connection>,
    hinted: Vec<Hinted>,
    /// The question that the computer is answering: the number of its event, and how to stop it.
    asked: Option<(u64, Arc<AtomicBool>)>,
}

impl Room {
    pub(crate) fn new(table: Table, file: Option<GameFile>, saved: bool) -> Room {
        Room { table, file, saved, listeners: Vec::new(), paced: Vec::new(), hinted: Vec::new(), asked: None }
    }

    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Lets a connection look on.
    pub(crate) fn join(&mut self, listener: &Listener) {
        if self.listeners.iter().all(|other| other.connection != listener.connection) {
            self.listeners.push(listener.clone());
        }
    }

    pub(crate) fn leave(&mut self, connection: Connection) {
        let left = self.listeners.iter().find(|listener| listener.connection == connection);
        left.inspect(|listener| listener.analysing.stop(self.table.id()));
        self.listeners.retain(|listener| listener.connection != connection);
        self.paced.retain(|paced| *paced != connection);
        self.hinted.retain(|hinted| hinted.connection != connection);
        if self.listeners.is_empty() && !self.table.is_waiting() {
            self.stop();
        }
    }

    /// Returns true when nobody needs the game in memory.
    pub(crate) fn is_idle(&self) -> bool {
        self.saved && self.listeners.is_empty() && self.asked.is_none()
    }

    /// Answers a message of one of the listeners. An analysis that it asks for is returned, to be run where waiting hurts nobody.
    pub(crate) fn handle(&mut self, from: &Listener, message: &Message, at: u64) -> Option<Analysis> {
        match &message.request {
            Request::Open { paced, .. } => self.pace(from.connection, *paced),
            Request::StopAnalysis { .. } => from.analysing.stop(self.table.id()),
            _ => {}
        }
        match self.table.handle(message, at) {
            Err(refusal) => from.tell(&refusal.reply(Some(message.id.clone()))),
            Ok(Effects { analysis: Some(analysis), .. }) => {
                from.analysing.begin(self.table.id(), &analysis);
                return Some(analysis);
            }
            Ok(effects) if effects.hint => {
                self.hinted.push(Hinted { connection: from.connection, id: message.id.clone() });
            }
            Ok(Effects { reply: Some(Reply::State(mut state)), .. }) => {
                state.saved = self.saved;
                from.tell(&Reply::State(state));
            }
            Ok(effects) => {
                let changed = !effects.records.is_empty();
                if let Some(reply) = &effects.reply {
                    from.tell(reply);
                }
                self.publish(&effects, Some((from.connection, &message.id)));
                if !changed && effects.reply.is_none() {
                    // Nothing was to be done; the sender still hears how the game stands.
                    from.tell(&Reply::State(self.state(Some(&message.id))));
                }
            }
        }
        None
    }

    /// Notes whether the computer takes its time for a connection.
    pub(crate) fn pace(&mut self, connection: Connection, paced: bool) {
        self.paced.retain(|other| *other != connection);
        if paced {
            self.paced.push(connection);
        }
    }

    /// Returns true while the computer's answer may be held back until a person would have given it.
    pub(crate) fn may_wait(&self) -> bool {
        let wanted = self.asked.as_ref().is_some_and(|(_, stop)| !stop.load(Ordering::Relaxed));
        wanted && !self.paced.is_empty()
    }

    /// Writes what has happened and then tells everybody.
    fn publish(&mut self, effects: &Effects, cause: Option<(Connection, &str)>) {
        if effects.records.is_empty() {
            return;
        }
        self.save(effects);
        self.stop_if_stale();
        self.listeners.iter().for_each(|listener| listener.analysing.stop(self.table.id()));
        self.refuse_hints();
        if let Some(notice) = &effects.notice {
            let text = text_of(notice);
            self.listeners.iter().for_each(|listener| listener.tell_text(text.clone()));
        }
        // Listing the moves may take a while, so it is done once; only the id differs for who caused this.
        let mut state = self.state(None);
        let for_all = text_of(&Reply::State(state.clone()));
        let sender = cause.map(|(connection, id)| {
            state.id = Some(id.to_string());
            (connection, text_of(&Reply::State(state)))
        });
        for listener in &self.listeners {
            let own = sender.as_ref().filter(|(connection, _)| *connection == listener.connection);
            listener.tell_text(own.map_or(&for_all, |(_, text)| text).clone());
        }
    }

    fn save(&mut self, effects: &Effects) {
        let Some(file) = &mut self.file else { return };
        if let Err(error) = file.append(&effects.records) {
            // What was lost cannot be made up for by later lines: from here on the game lives in memory only.
            eprintln!("damiera: game {} is no longer saved: {error}", self.table.id());
            self.file = None;
            self.saved = false;
        }
    }

    /// Returns how the game stands. `id` is that of the message to which this is the answer.
    pub(crate) fn state(&self, id: Option<&str>) -> Box<State> {
        let mut state = Box::new(self.table.state(id));
        state.saved = self.saved;
        state
    }

    // ---- the computer ----

    /// Returns what the computer is to be asked now, if it is not being asked already. Without anybody to look on it is not asked: two computers
    /// would play for nobody.
    pub(crate) fn next_task(&mut self) -> Option<Task> {
        if self.asked.is_some() || self.listeners.is_empty() {
            return None;
        }
        let task = match self.table.pending() {
            Some(task) => task,
            None if !self.hinted.is_empty() => self.table.hint_task(),
            None => return None,
        };
        self.asked = Some((task.seq, task.stop.clone()));
        Some(task)
    }

    /// Drops the question that waits for the computer when nobody looks on any longer. Returns whether it was dropped.
    pub(crate) fn gives_up(&mut self) -> bool {
        if self.listeners.is_empty() {
            self.asked = None;
        }
        self.asked.is_none()
    }

    /// Takes the computer's answer.
    pub(crate) fn answered(&mut self, answer: &Answer, at: u64) {
        self.asked = None;
        if matches!(answer.said, Said::Hint(_)) {
            // Of a hint that comes too late its askers have been told already.
            if answer.seq == self.table.seq() {
                self.give_hints(|table, id| table.hinted(id, answer));
            }
            return;
        }
        let effects = self.table.answer(answer, at);
        self.publish(&effects, None);
    }

    fn refuse_hints(&mut self) {
        self.give_hints(|_, _| Err(Refusal::new(Code::Stale, "the game has gone on")));
    }

    fn give_hints(&mut self, reply: impl Fn(&Table, &str) -> Result<Reply, Refusal>) {
        for Hinted { connection, id } in std::mem::take(&mut self.hinted) {
            let reply = reply(&self.table, &id).unwrap_or_else(|refusal| refusal.reply(Some(id)));
            if let Some(listener) = self.listeners.iter().find(|listener| listener.connection == connection) {
                listener.tell(&reply);
            }
        }
    }

    /// Stops the computer when the game has gone on without it.
    fn stop_if_stale(&self) {
        let seq = self.table.seq();
        if self.asked.as_ref().is_some_and(|(asked, _)| *asked != seq) {
            self.stop();
        }
    }

    fn stop(&self) {
        if let Some((_, stop)) = &self.asked {
            stop.store(true, Ordering::Relaxed);
        }
    }
}
