//! All games, by their ids.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use damiera_table::{Analysis, Code, Message, New, Opponent, Refusal, Reply, Request, Table, Task};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::room::{Connection, Listener, Room};
use super::store::{Store, Unreadable};

/// The letters and digits of game ids: none that are easily taken for another.
const ID_LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// The length of game ids: 80 bits, so that nobody guesses one.
const ID_LEN: usize = 16;
/// So often a computer that has its move ready, or waits for its turn, looks whether it is still wanted.
const PATIENCE: Duration = Duration::from_millis(20);

type SharedRoom = Arc<Mutex<Room>>;

/// All games that somebody looks at; the others rest on disk.
pub(crate) struct Hub {
    rooms: Mutex<HashMap<String, SharedRoom>>,
    store: Store,
    opponent: Arc<dyn Opponent>,
    /// So many computers think at the same time; the others wait their turn.
    thinkers: Semaphore,
    /// So many positions are analysed at the same time.
    analysts: Semaphore,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic while a game was locked leaves it as its last event left it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads the clock, in milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn unknown(text: impl Into<String>) -> Refusal {
    Refusal::new(Code::UnknownGame, text)
}

impl Hub {
    pub(crate) fn new(store: Store, opponent: Arc<dyn Opponent>) -> Arc<Hub> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let (thinkers, analysts) = (Semaphore::new(cores), Semaphore::new(cores));
        Arc::new(Hub { rooms: Mutex::default(), store, opponent, thinkers, analysts })
    }

    /// Answers a message; the answers go into the letter box. Returns the game that the connection looks at from now on.
    pub(crate) fn handle(self: &Arc<Self>, from: &Listener, message: &Message) -> Option<String> {
        let done = match &message.request {
            Request::New { new, paced } => self.begin(from, &message.id, new.clone(), *paced),
            Request::Rematch { game, paced } => self.join(from, game).and_then(|room| {
                let new = lock(&room).table().rematch();
                self.begin(from, &message.id, new, *paced)
            }),
            request => {
                let game = request.game().unwrap_or_default();
                self.join(from, game).map(|room| {
                    let analysis = lock(&room).handle(from, message, now());
                    self.ask_the_computer(&room);
                    if let Some(analysis) = analysis {
                        self.analyze(from.clone(), analysis);
                    }
                    game.to_string()
                })
            }
        };
        let game = done.map_err(|refusal| from.tell(&refusal.reply(Some(message.id.clone())))).ok()?;
        // A connection that was lost meanwhile has left all games but this one.
        if from.is_gone() {
            self.leave(from.connection, &game);
        }
        Some(game)
    }

    /// Forgets that a connection looks at a game. A game that nobody looks at leaves the memory.
    pub(crate) fn leave(&self, connection: Connection, game: &str) {
        let mut rooms = lock(&self.rooms);
        let Some(room) = rooms.get(game) else { return };
        let mut room = lock(room);
        room.leave(connection);
        let idle = room.is_idle();
        drop(room);
        if idle {
            rooms.remove(game);
        }
    }

    /// Lets a connection look at a game, which is fetched from disk if need be. A connection that looks on keeps the game in memory, so nobody else can
    /// fetch a second copy.
    fn join(&self, from: &Listener, game: &str) -> Result<SharedRoom, Refusal> {
        let mut rooms = lock(&self.rooms);
        let room = match rooms.get(game) {
            Some(room) => room.clone(),
            None => {
                let room = self.fetch(game)?;
                rooms.insert(game.to_string(), room.clone());
                room
            }
        };
        lock(&room).join(from);
        Ok(room)
    }

    fn fetch(&self, game: &str) -> Result<SharedRoom, Refusal> {
        if game.len() != ID_LEN || !game.bytes().all(|b| ID_LETTERS.contains(&b)) {
            return Err(unknown("there is no such game"));
        }
        match self.store.load(game) {
            Ok((table, file)) => Ok(Arc::new(Mutex::new(Room::new(table, Some(file), true)))),
            Err(Unreadable::Unknown) => Err(unknown("there is no such game")),
            Err(Unreadable::Broken(text)) => {
                eprintln!("damiera: {text}");
                Err(unknown(text))
            }
        }
    }

    fn begin(self: &Arc<Self>, from: &Listener, id: &str, new: New, paced: bool) -> Result<String, Refusal> {
        let (game, seed) = random();
        let (table, created) = Table::create(&game, new, seed, now())?;
        let file = self.store.create(&game).and_then(|mut file| {
            file.append(&[created])?;
            Ok(file)
        });
        if let Err(error) = &file {
            eprintln!("damiera: game {game} is not saved: {error}");
        }
        let saved = file.is_ok();
        let mut room = Room::new(table, file.ok(), saved);
        room.join(from);
        room.pace(from.connection, paced);
        from.tell(&Reply::State(room.state(Some(id))));
        let room = Arc::new(Mutex::new(room));
        lock(&self.rooms).insert(game.clone(), room.clone());
        self.ask_the_computer(&room);
        Ok(game)
    }

    /// Asks the computer, if it is to be asked, where waiting hurts nobody; goes on until there is nothing more to ask.
    fn ask_the_computer(self: &Arc<Self>, room: &SharedRoom) {
        let Some(task) = lock(room).next_task() else { return };
        let (hub, room) = (self.clone(), room.clone());
        tokio::spawn(async move {
            let mut next = Some(task);
            while let Some(task) = next {
                let Ok(turn) = hub.thinkers.acquire().await else { return };
                // Where everybody left while the question waited, others are not kept waiting for it; who comes back asks anew.
                if lock(&room).gives_up() {
                    break;
                }
                let ready = Instant::now() + task.pace();
                let Some(answer) = hub.think(task).await else { return };
                drop(turn);
                while Instant::now() < ready && lock(&room).may_wait() {
                    tokio::time::sleep(PATIENCE.min(ready.saturating_duration_since(Instant::now()))).await;
                }
                let mut room = lock(&room);
                room.answered(&answer, now());
                next = room.next_task();
            }
            hub.forget_if_idle(&room);
        });
    }

    /// Analyses a position for a connection, which hears of it as it goes on.
    fn analyze(self: &Arc<Self>, to: Listener, analysis: Analysis) {
        let hub = self.clone();
        tokio::spawn(async move {
            // One that is not wanted any longer needs no turn for its last word.
            let _turn = tokio::select! {
                turn = hub.analysts.acquire() => turn.ok(),
                () = stopped(&analysis) => None,
            };
            let opponent = hub.opponent.clone();
            let run = move || analysis.run(&*opponent, &mut |found| to.tell(&Reply::Analysis(found)));
            // It only fails when the engine has panicked, and then there is nothing more to tell.
            let _ = tokio::task::spawn_blocking(run).await;
        });
    }

    async fn think(&self, task: Task) -> Option<damiera_table::Answer> {
        let opponent = self.opponent.clone();
        tokio::task::spawn_blocking(move || task.answer(&*opponent)).await.ok()
    }

    fn forget_if_idle(&self, room: &SharedRoom) {
        let mut rooms = lock(&self.rooms);
        let room = lock(room);
        if room.is_idle() {
            rooms.remove(room.table().id());
        }
    }
}

/// Waits until an analysis is not wanted any longer.
async fn stopped(analysis: &Analysis) {
    while !analysis.stop().load(Ordering::Relaxed) {
        tokio::time::sleep(PATIENCE).await;
    }
}

/// Returns a new game's id and the seed of its computer.
fn random() -> (String, u64) {
    let mut bytes = [0; ID_LEN + 8];
    if getrandom::fill(&mut bytes).is_err() {
        // Without the system's random numbers the clock must do: a game on one's own computer needs no secret, only an id of its own.
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        bytes[..16].copy_from_slice(&nanos.to_be_bytes());
    }
    let (id, seed) = bytes.split_at(ID_LEN);
    let letters = id.iter().map(|byte| char::from(ID_LETTERS[usize::from(byte % 32)])).collect();
    let seed = seed.iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte));
    (letters, seed)
}
