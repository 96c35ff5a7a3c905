//! What is asked for, and how it is found: names, dates and results by the database; a position by its key; everything else by playing the games again.

use std::collections::HashMap;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

use damiera_rules::{Move, Position, RuleSet, Shape, fen};
use rusqlite::types::Value;
use rusqlite::{Row, params_from_iter};

use crate::pack::Unpacked;
use crate::{Collection, Dates, Error, Material, Pattern, WORDS, key, plain};

/// How many games are handed to a thread at a time.
const BATCH: usize = 2048;

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Won {
    /// White.
    White,
    /// Black.
    Black,
    /// Nobody: a draw.
    Nobody,
    /// It is not known, or neither of these.
    Unknown,
}

/// What is on the board at some moment of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placed {
    /// This position.
    Position(Position),
    /// A position with this pattern.
    Pattern(Pattern),
    /// These men and kings.
    Material(Material),
}

/// What is asked for; a game must have all of it.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The canonical name of the rules.
    pub rules: Option<String>,
    /// Words in any tag.
    pub words: Option<String>,
    /// Words in the name of one of the players.
    pub player: Option<String>,
    /// Words in White's name.
    pub white: Option<String>,
    /// Words in Black's name.
    pub black: Option<String>,
    /// Words in the name of the event or of its site.
    pub event: Option<String>,
    /// When it was played.
    pub dates: Option<Dates>,
    /// Who won.
    pub won: Option<Won>,
    /// The file, by its number in the index.
    pub file: Option<i64>,
    /// Whether something was mended or lost in it.
    pub has_findings: bool,
    /// What is on the board at some moment, and on which board; material may be on any.
    pub placed: Option<(Option<Shape>, Placed)>,
    /// Whether what is on the board may be there with colours exchanged, seen from the other side.
    pub or_reversed: bool,
    /// Moves that follow each other at some moment: from where to where.
    pub moves: Vec<(u8, u8)>,
}

/// Where in which game it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hit {
    /// The game ([`crate::Entry::id`]).
    pub game: i64,
    /// Where in the game it is there for the first time: after how many plies, set-ups counted with them; 0 where nothing on the board was asked for.
    pub ply: u32,
}

/// Conditions of a query as SQL.
#[derive(Clone, Default)]
struct Filter {
    text: String,
    values: Vec<Value>,
}

impl Filter {
    fn and(&mut self, condition: &str, values: impl IntoIterator<Item = Value>) {
        self.text.push_str(" AND ");
        self.text.push_str(condition);
        self.values.extend(values);
    }
    /// Every word must be in one of these names, or in one of these columns: `more` has words as they are compared, the others are as they were written.
    /// A sign between words is passed over, signs alone are refused: without a condition they would find everything.
    fn words(&mut self, words: Option<&str>, names: &[&str], columns: &[&str]) -> Result<(), Error> {
        let words = words.unwrap_or_default().trim();
        let before = self.values.len();
        for (n, word) in words.split_whitespace().enumerate() {
            if n == WORDS {
                return Err(Error::TooManyWords);
            }
            let mut any = Vec::new();
            let compared = Compared::of(word);
            if !compared.text.is_empty() {
                let is_in = compared.condition("plain");
                // The names are looked through once, not once for each game.
                any.extend(
                    names.iter().map(|column| format!("g.{column} IN (SELECT id FROM name WHERE {is_in})")),
                );
                any.extend(columns.iter().filter(|c| **c == "more").map(|_| compared.condition("g.more")));
            }
            let mut values = vec![Value::Text(compared.text); any.len()];
            for column in columns.iter().filter(|column| **column != "more") {
                any.push(format!("instr(g.{column}, ?)"));
                values.push(Value::Text(word.to_owned()));
            }
            if !any.is_empty() {
                self.and(&format!("({})", any.join(" OR ")), values);
            }
        }
        if self.values.len() == before && !words.is_empty() {
            return Err(Error::NoWord(words.to_owned()));
        }
        Ok(())
    }
    /// Returns the conditions of a query, but for the file. What is still being read is not looked at.
    fn of(query: &Query) -> Result<Filter, Error> {
        let mut filter = Filter::default();
        if query.has_findings {
            filter.and("g.repairs + g.faults > 0", []);
        }
        if let Some(rules) = &query.rules {
            filter.and("g.rules = (SELECT id FROM rules WHERE canonical = ?)", [Value::Text(rules.clone())]);
        }
        let names = ["white", "black", "event", "site"];
        filter.words(query.words.as_deref(), &names, &["more", "date", "round", "result"])?;
        filter.words(query.white.as_deref(), &names[..1], &[])?;
        filter.words(query.black.as_deref(), &names[1..2], &[])?;
        filter.words(query.event.as_deref(), &names[2..], &[])?;
        if let Some(name) = query.player.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
            let player = plain(name);
            if player.is_empty() {
                return Err(Error::NoWord(name.to_owned()));
            }
            // All the words in one name: a game of two players is not one of a third.
            let words: Vec<&str> = player.split(' ').collect();
            if words.len() > WORDS {
                return Err(Error::TooManyWords);
            }
            let has = vec!["instr(plain, ?)"; words.len()].join(" AND ");
            let values: Vec<Value> = words.iter().map(|word| Value::Text((*word).to_owned())).collect();
            filter.and(
                &format!("(g.white IN (SELECT id FROM name WHERE {has}) OR g.black IN (SELECT id FROM name WHERE {has}))"),
                [values.clone(), values].concat(),
            );
        }
        if let Some(dates) = &query.dates {
            let (first, last) = dates.days();
            filter.and("g.day BETWEEN ? AND ?", [Value::Integer(first), Value::Integer(last)]);
        }
        match query.won {
            None => {}
            Some(Won::White) => filter.and("g.won = 1", []),
            Some(Won::Black) => filter.and("g.won = 2", []),
            Some(Won::Nobody) => filter.and("g.won = 3", []),
            Some(Won::Unknown) => filter.and("g.won NOT IN (1, 2, 3)", []),
        }
        Ok(filter)
    }

    /// Adds the file: the one that is asked for, or all that were read to their end. The sign keeps the database from going through the games file by file, for they are wanted in their order.
    fn with_file(mut self, file: Option<i64>) -> Filter {
        match file {
            Some(file) => self.and("g.file = ?", [Value::Integer(file)]),
            None => self.and("+g.file IN (SELECT id FROM file WHERE is_whole)", []),
        }
        self
    }
}

/// A word as it is compared. One with signs in it, such as 1-0, is several, which must stand side by side.
struct Compared {
    text: String,
}

impl Compared {
    fn of(word: &str) -> Compared {
        let text = plain(word);
        Compared { text: if text.contains(' ') { format!(" {text} ") } else { text } }
    }
    fn condition(&self, column: &str) -> String {
        match self.text.starts_with(' ') {
            true => format!("instr(' ' || {column} || ' ', ?)"),
            false => format!("instr({column}, ?)"),
        }
    }
}

impl Collection {
    /// Returns the games that have all that is asked for, in the order in which they were added.
    pub fn search(&mut self, query: &Query) -> Result<Vec<Hit>, Error> {
        let filter = Filter::of(query)?;
        let at = match query.placed {
            Some((Some(shape), Placed::Position(position))) => {
                let hits = self.with_position(shape, &position, query, &filter)?;
                if query.moves.is_empty() {
                    return Ok(hits);
                }
                Some(hits)
            }
            None if query.moves.is_empty() => return self.by_filter(&filter.with_file(query.file)),
            _ => None,
        };
        let hits = self.by_playing(query, &filter.with_file(query.file))?;
        let Some(at) = at else { return Ok(hits) };
        // Everything has been seen when the later of the two has.
        let both = hits.into_iter().filter_map(|hit| {
            let place = at.binary_search_by_key(&hit.game, |other| other.game).ok()?;
            Some(Hit { ply: hit.ply.max(at[place].ply), ..hit })
        });
        Ok(both.collect())
    }

    fn by_filter(&self, filter: &Filter) -> Result<Vec<Hit>, Error> {
        let sql = format!("SELECT g.id FROM game g WHERE 1 {} ORDER BY g.id", filter.text);
        let mut query = self.db.prepare(&sql)?;
        let rows =
            query.query_map(params_from_iter(&filter.values), |row| Ok(Hit { game: row.get(0)?, ply: 0 }))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn with_position(
        &mut self,
        shape: Shape,
        position: &Position,
        query: &Query,
        filter: &Filter,
    ) -> Result<Vec<Hit>, Error> {
        let mut positions = vec![*position];
        if query.or_reversed {
            positions.push(position.reversed(shape));
        }
        let mut hits = Vec::new();
        for position in &positions {
            let key = key(shape, position);
            self.by_key(key, query.file, filter, &mut hits)?;
            self.by_beginning(shape, key, query.file, filter, &mut hits)?;
        }
        hits.sort_unstable();
        hits.dedup_by_key(|hit| hit.game);
        Ok(hits)
    }

    fn by_key(&self, key: i64, file: Option<i64>, filter: &Filter, hits: &mut Vec<Hit>) -> Result<(), Error> {
        for (segment, of) in self.segments()? {
            if file.is_some() && of.is_some() && file != of {
                continue;
            }
            let mut filter = filter.clone();
            // A segment of one file needs no look at each game for its file.
            if of.is_none() {
                filter = filter.with_file(file);
            }
            let condition = match filter.text.is_empty() {
                true => String::new(),
                false => format!("AND EXISTS (SELECT 1 FROM game g WHERE g.id = p.game {})", filter.text),
            };
            let mut query = self.db.prepare_cached(&format!(
                "SELECT p.game, p.ply FROM position p WHERE p.segment = ? AND p.key = ? {condition}"
            ))?;
            let values = [Value::Integer(segment), Value::Integer(key)];
            let rows = query.query_map(params_from_iter(values.iter().chain(&filter.values)), |row| {
                Ok(Hit { game: row.get(0)?, ply: row.get(1)? })
            })?;
            for hit in rows {
                hits.push(hit?);
            }
        }
        Ok(())
    }

    /// Adds the games that begin with the position: it is not among the keys.
    fn by_beginning(
        &mut self,
        shape: Shape,
        of: i64,
        file: Option<i64>,
        filter: &Filter,
        hits: &mut Vec<Hit>,
    ) -> Result<(), Error> {
        self.learn_rules()?;
        let filter = filter.clone().with_file(file);
        for (id, rules) in &self.rules {
            if rules.shape() != shape || key(shape, &rules.initial()) != of {
                continue;
            }
            let sql =
                format!("SELECT g.id FROM game g WHERE g.start IS NULL AND g.rules = ? {}", filter.text);
            let mut query = self.db.prepare(&sql)?;
            let id = Value::Integer(*id);
            let rows = query.query_map(params_from_iter([&id].into_iter().chain(&filter.values)), |row| {
                Ok(Hit { game: row.get(0)?, ply: 0 })
            })?;
            for hit in rows {
                hits.push(hit?);
            }
        }
        Ok(())
    }

    /// Plays all games that the filter leaves, on all cores.
    fn by_playing(&mut self, query: &Query, filter: &Filter) -> Result<Vec<Hit>, Error> {
        self.learn_rules()?;
        let sql = format!(
            "SELECT g.id, g.rules, g.start, g.moves FROM game g WHERE 1 {} ORDER BY g.id",
            filter.text
        );
        let mut select = self.db.prepare(&sql)?;
        let mut rows = select.query(params_from_iter(&filter.values))?;
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let (rules, seeker) = (&self.rules, &Seeker::of(query));
        let (send, receive) = sync_channel::<Vec<Stored>>(threads);
        let receive = &std::sync::Mutex::new(receive);
        let mut hits = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|_| {
                    scope.spawn(move || {
                        let mut hits = Vec::new();
                        loop {
                            let batch = receive.lock().map_or(None, |receive| receive.recv().ok());
                            let Some(batch) = batch else { return hits };
                            hits.extend(batch.iter().filter_map(|game| game.seek(rules, seeker)));
                        }
                    })
                })
                .collect();
            let mut batch = Vec::with_capacity(BATCH);
            let fed = loop {
                match rows.next().map_err(Error::from).and_then(|row| row.map(Stored::of).transpose()) {
                    Err(error) => break Err(error),
                    Ok(None) => break Ok(()),
                    Ok(Some(game)) => batch.push(game),
                }
                if batch.len() == BATCH
                    && send.send(std::mem::replace(&mut batch, Vec::with_capacity(BATCH))).is_err()
                {
                    break Ok(());
                }
            };
            let _ = send.send(batch);
            drop(send);
            let found = workers.into_iter().flat_map(|worker| match worker.join() {
                Ok(hits) => hits,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            let found: Vec<Hit> = found.collect();
            fed.map(|()| found)
        })?;
        hits.sort_unstable();
        Ok(hits)
    }

    /// Reads the rule sets that games of the index have; one that this version does not know any more has no games to play.
    fn learn_rules(&mut self) -> Result<(), Error> {
        let mut query = self.db.prepare_cached("SELECT id, canonical FROM rules")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let (id, canonical): (i64, String) = (row.get(0)?, row.get(1)?);
            if let (false, Ok(rules)) = (self.rules.contains_key(&id), RuleSet::parse(&canonical)) {
                self.rules.insert(id, Arc::new(rules));
            }
        }
        Ok(())
    }
}

/// A game as it is in the index.
struct Stored {
    id: i64,
    rules: i64,
    start: Option<String>,
    moves: Vec<u8>,
}

impl Stored {
    fn of(row: &Row<'_>) -> Result<Stored, Error> {
        Ok(Stored { id: row.get(0)?, rules: row.get(1)?, start: row.get(2)?, moves: row.get(3)? })
    }
    fn seek(&self, rules: &HashMap<i64, Arc<RuleSet>>, seeker: &Seeker<'_>) -> Option<Hit> {
        let rules = rules.get(&self.rules)?;
        if seeker.shape.is_some_and(|shape| shape != rules.shape()) {
            return None;
        }
        let start = match &self.start {
            None => rules.initial(),
            Some(text) => fen::parse(rules, text).ok()?,
        };
        let ply = seeker.find(start, Unpacked::new(rules, start, &self.moves))?;
        Some(Hit { game: self.id, ply })
    }
}

/// What is looked for in each game.
struct Seeker<'a> {
    shape: Option<Shape>,
    /// One of these must be on the board, where there are any.
    placed: Vec<Placed>,
    moves: &'a [(u8, u8)],
}

impl<'a> Seeker<'a> {
    fn of(query: &'a Query) -> Seeker<'a> {
        let mut placed = Vec::new();
        if let Some((shape, first)) = query.placed
            // A position was found by its key already.
            && !matches!(first, Placed::Position(_))
        {
            placed.push(first);
            if query.or_reversed {
                placed.extend(match (shape, first) {
                    (_, Placed::Material(material)) => Some(Placed::Material(material.reversed())),
                    (Some(shape), Placed::Pattern(pattern)) => Some(Placed::Pattern(pattern.reversed(shape))),
                    _ => None,
                });
            }
        }
        Seeker { shape: query.placed.and_then(|(shape, _)| shape), placed, moves: &query.moves }
    }

    /// Returns after how many plies everything has been seen.
    fn find(&self, start: Position, steps: Unpacked<'_>) -> Option<u32> {
        let fits = |position: &Position| {
            self.placed.iter().any(|placed| match placed {
                Placed::Position(asked) => asked == position,
                Placed::Pattern(pattern) => pattern.fits(position),
                Placed::Material(material) => material.fits(position),
            })
        };
        let mut is_placed = self.placed.is_empty() || fits(&start);
        let mut is_moved = self.moves.is_empty();
        if is_placed && is_moved {
            return Some(0);
        }
        let mut recent: Vec<(u8, u8)> = Vec::with_capacity(self.moves.len() + 1);
        let mut ply = 0;
        for (m, position) in steps {
            ply += 1;
            is_placed = is_placed || fits(&position);
            if !is_moved {
                is_moved = self.follows(&mut recent, m);
            }
            if is_placed && is_moved {
                return Some(ply);
            }
        }
        None
    }

    /// Takes a move and returns whether the last ones are those that are asked for.
    fn follows(&self, recent: &mut Vec<(u8, u8)>, m: Option<Move>) -> bool {
        match m {
            None => recent.clear(),
            Some(m) => {
                if recent.len() == self.moves.len() {
                    recent.remove(0);
                }
                recent.push((m.from, m.to));
            }
        }
        recent == self.moves
    }
}
