//! Files into the index.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use damiera_pdn::{GameRead, GameTree, Grade, Options, Reader, Step, Summary, Verdict};
use damiera_rules::{RuleSet, Side, fen};
use rusqlite::{Connection, OptionalExtension, ToSql, Transaction, TransactionBehavior, params};

use crate::date::day_of;
use crate::pack::pack;
use crate::{Collection, Error, Stamp, key, plain, text_of};

/// How many positions are gathered in memory before they are sorted and written: some 64 MB, and a second or two in which nobody else can write.
const SEGMENT: usize = 4 << 20;

/// A segment with fewer positions is small: many files of a few games each make many of them.
const SMALL: i64 = 1 << 20;

/// How many small segments there may be before some of them are made one.
const SMALL_SEGMENTS: usize = 32;

/// How many games, and how many bytes of them, are gathered at most: a game may have no moves, and still names.
const GAMES: usize = 100_000;
const BYTES: usize = 64 << 20;

/// How much is kept of a name, in characters.
const NAME: usize = 300;

/// How much is kept of the tags that are not asked for by their names, in bytes.
const MORE: usize = 1000;

/// How far the reading of a file has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Bytes of the file that were read.
    pub bytes: u64,
    /// All its bytes.
    pub of: u64,
    /// Games that were read.
    pub games: u64,
}

/// What became of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Added {
    /// It was in the index already and has not changed.
    Known,
    /// It was read.
    Read(Summary),
    /// The caller did not want to go on: nothing of it is in the index.
    Stopped,
}

impl Collection {
    /// Reads a file into the index, unless it is there already and has not changed. What is told of its progress, every few thousand games, may stop it. Others
    /// may read and write the index meanwhile.
    pub fn add(
        &mut self,
        path: &Path,
        options: &Options,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Added, Error> {
        let path = path.canonicalize().map_err(|error| Error::Io(path.to_owned(), error))?;
        let failed = |error| Error::Io(path.clone(), error);
        let text = text_of(&path)?;
        let file = File::open(&path).map_err(failed)?;
        let stamp = Stamp::of(&file).map_err(failed)?;
        let told = options.rules.as_ref().map(|rules| rules.canonical().to_owned());
        let known: i64 = self.db.query_row(
            "SELECT count(*) FROM file WHERE path = ? AND bytes = ? AND changed = ? AND told IS ? AND is_whole",
            params![text, stamp.bytes, stamp.changed, told],
            |row| row.get(0),
        )?;
        if known > 0 {
            return Ok(Added::Known);
        }
        let claimed = self.claim(text, stamp, told.as_deref())?;
        let read = AtomicU64::new(0);
        let input = CountedRead { file, read: &read };
        let mut filing = Filing::new(&self.db, &path, claimed);
        let mut stopped = false;
        let mut refused = None;
        let summary = Reader::new(options.clone()).read(input, &mut |game| {
            if let Err(error) = filing.take(&game) {
                refused = Some(error);
                return ControlFlow::Break(());
            }
            if game.number.is_multiple_of(4096) {
                let bytes = read.load(Ordering::Relaxed);
                stopped = progress(Progress { bytes, of: stamp.bytes as u64, games: game.number }).is_break();
            }
            if stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let outcome = match (summary, refused) {
            (_, Some(error)) => Err(error),
            (Err(error), _) => Err(failed(error)),
            (Ok(_), _) if stopped => Ok(Added::Stopped),
            (Ok(summary), _) => filing.write(Some(&summary)).map(|()| Added::Read(summary)),
        };
        // The first error is the one that says what is wrong; and many small segments are no fault of this file.
        let _ = match &outcome {
            Ok(Added::Read(_)) => self.merge(),
            _ => self.remove_where("id = ?", claimed).map(|_| ()),
        };
        outcome
    }

    /// Makes a row for a file that is about to be read, in the place of the one that was there. Returns its number, which no other file has had.
    fn claim(&mut self, path: &str, stamp: Stamp, told: Option<&str>) -> Result<i64, Error> {
        let change = writing(&self.db)?;
        take_out(&change, "path = ?", path)?;
        change.execute(
            "INSERT INTO file (path, bytes, changed, told, encoding, is_whole, games, faults) VALUES (?, ?, ?, ?, '', 0, 0, 0)",
            params![path, stamp.bytes, stamp.changed, told],
        )?;
        let file = change.last_insert_rowid();
        change.commit()?;
        Ok(file)
    }

    /// Takes a file out of the index, and whatever an interrupted reading has left of it. Returns whether there was anything.
    pub fn remove(&mut self, path: &Path) -> Result<bool, Error> {
        self.remove_where("path = ?", text_of(path)?)
    }

    fn remove_where(&mut self, condition: &str, value: impl ToSql) -> Result<bool, Error> {
        let change = writing(&self.db)?;
        let was_there = take_out(&change, condition, value)?;
        change.commit()?;
        Ok(was_there)
    }

    /// Says that a file lies somewhere else now, and is otherwise the same.
    pub fn rename(&mut self, from: &Path, to: &Path) -> Result<(), Error> {
        let change = writing(&self.db)?;
        take_out(&change, "path = ?", text_of(to)?)?;
        change.execute("UPDATE file SET path = ? WHERE path = ?", [text_of(to)?, text_of(from)?])?;
        change.commit()?;
        Ok(())
    }

    /// Makes small segments one, as many as make no more than one large one.
    fn merge(&mut self) -> Result<(), Error> {
        let change = writing(&self.db)?;
        let small: Vec<(i64, i64)> = change
            .prepare("SELECT id, positions FROM segment WHERE positions < ? ORDER BY positions")?
            .query_map([SMALL], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        if small.len() < SMALL_SEGMENTS {
            return Ok(());
        }
        let mut positions = 0;
        let merged = small.iter().take_while(|(_, n)| {
            positions += n;
            positions <= SEGMENT as i64
        });
        let list = merged.map(|(id, _)| id.to_string()).collect::<Vec<_>>().join(",");
        change.execute("INSERT INTO segment (positions) VALUES (0)", [])?;
        let id = change.last_insert_rowid();
        change.execute(
            &format!("INSERT INTO position SELECT {id}, key, game, ply FROM position WHERE segment IN ({list}) ORDER BY key, game"),
            [],
        )?;
        change.execute("UPDATE segment SET positions = ? WHERE id = ?", [change.changes() as i64, id])?;
        change.execute(&format!("DELETE FROM position WHERE segment IN ({list})"), [])?;
        change.execute(&format!("DELETE FROM segment WHERE id IN ({list})"), [])?;
        change.commit()?;
        Ok(())
    }

    /// Returns all segments of files that were read to their end, each with its file; one that was made of several has none.
    pub(crate) fn segments(&self) -> Result<Vec<(i64, Option<i64>)>, Error> {
        let mut query = self.db.prepare_cached(
            "SELECT s.id, s.file FROM segment s LEFT JOIN file f ON f.id = s.file WHERE s.file IS NULL OR f.is_whole ORDER BY s.id",
        )?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Takes the file of this condition out of the index. Returns whether there was one.
fn take_out(change: &Transaction<'_>, condition: &str, value: impl ToSql) -> Result<bool, Error> {
    let sql = format!("SELECT id FROM file WHERE {condition}");
    let id: Option<i64> = change.query_row(&sql, [value], |row| row.get(0)).optional()?;
    let Some(id) = id else { return Ok(false) };
    change.execute("DELETE FROM position WHERE segment IN (SELECT id FROM segment WHERE file = ?)", [id])?;
    change.execute("DELETE FROM segment WHERE file = ?", [id])?;
    // Positions are not found by their games: in the segments that were made of several files all are looked through.
    change.execute(
        "DELETE FROM position WHERE segment IN (SELECT id FROM segment WHERE file IS NULL) AND game IN (SELECT id FROM game WHERE file = ?)",
        [id],
    )?;
    change.execute("DELETE FROM game WHERE file = ?", [id])?;
    change.execute("DELETE FROM file WHERE id = ?", [id])?;
    Ok(true)
}

/// Begins to write. Others wait, so everything is at hand by then.
fn writing(db: &Connection) -> Result<Transaction<'_>, Error> {
    Ok(Transaction::new_unchecked(db, TransactionBehavior::Immediate)?)
}

/// Counts the bytes of a file as they are read.
struct CountedRead<'a> {
    file: File,
    read: &'a AtomicU64,
}

impl Read for CountedRead<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read(buffer)?;
        self.read.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// A game that waits to be written.
struct Waiting {
    number: i64,
    line: i64,
    at: i64,
    rules: Arc<RuleSet>,
    /// Of players, event and site.
    names: [Option<String>; 4],
    round: Option<String>,
    date: Option<String>,
    /// The words of all other tags.
    more: Option<String>,
    result: String,
    won: i64,
    plies: u32,
    repairs: i64,
    faults: i64,
    start: Option<String>,
    moves: Vec<u8>,
}

impl Waiting {
    /// Returns how much memory it takes, more or less.
    fn bytes(&self) -> usize {
        let texts = self.names.iter().chain([&self.round, &self.date, &self.more, &self.start]);
        let texts: usize = texts.flatten().map(String::len).sum();
        size_of::<Waiting>() + texts + self.result.len() + self.moves.len()
    }
}

/// A position: its key, which of the waiting games has it, after how many plies.
type Posting = (i64, u32, u32);

/// One file on its way into the index.
struct Filing<'a> {
    db: &'a Connection,
    path: &'a Path,
    /// Its number.
    file: i64,
    names: HashMap<String, i64>,
    rules: HashMap<String, i64>,
    games: Vec<Waiting>,
    /// How much memory the games take, more or less.
    bytes: usize,
    postings: Vec<Posting>,
}

impl<'a> Filing<'a> {
    fn new(db: &'a Connection, path: &'a Path, file: i64) -> Self {
        let (names, rules) = (HashMap::new(), HashMap::new());
        Filing { db, path, file, names, rules, games: Vec::new(), bytes: 0, postings: Vec::new() }
    }

    fn take(&mut self, read: &GameRead<'_>) -> Result<(), Error> {
        let tree = read.tree;
        let rules = tree.rules();
        let start = (*tree.start() != rules.initial()).then(|| fen::format(rules, tree.start()));
        self.post(tree, start.is_some());
        let moves = tree.main_line().filter(|id| matches!(tree.node(*id).step(), Step::Move(_)));
        let plies = moves.count() as u32;
        let tag = |name| {
            let text = tree.tag(name).filter(|text| !text.is_empty() && *text != "?")?;
            Some(text.chars().take(NAME).collect::<String>())
        };
        let day = |name| tag(name).filter(|text| text.contains(|c: char| c.is_ascii_digit()));
        let faults = read.findings.iter().filter(|f| f.grade() == Grade::Fault).count();
        self.games.push(Waiting {
            number: read.number as i64,
            line: read.place.line as i64,
            at: read.place.offset as i64,
            rules: Arc::clone(rules),
            names: ["White", "Black", "Event", "Site"].map(tag),
            round: tag("Round"),
            date: day("Date").or_else(|| day("EventDate")),
            more: more(&tree.tags),
            result: tree.verdict.text(rules).to_owned(),
            won: won(&tree.verdict),
            plies,
            repairs: (read.findings.len() - faults) as i64,
            faults: faults as i64,
            start,
            moves: pack(tree),
        });
        self.bytes += self.games.last().map_or(0, Waiting::bytes);
        let is_much = self.postings.len() >= SEGMENT || self.games.len() >= GAMES || self.bytes >= BYTES;
        if is_much { self.write(None) } else { Ok(()) }
    }

    /// Gathers the positions of a game; the one that every game begins with is left out, for it tells no game from another.
    fn post(&mut self, tree: &GameTree, has_start: bool) {
        let shape = tree.rules().shape();
        let game = self.games.len() as u32;
        if has_start {
            self.postings.push((key(shape, tree.start()), game, 0));
        }
        let mut ply = 0;
        for id in tree.main_line() {
            ply += 1;
            self.postings.push((key(shape, tree.node(id).position()), game, ply));
        }
    }

    /// Writes what waits; with a summary the file is whole.
    fn write(&mut self, summary: Option<&Summary>) -> Result<(), Error> {
        // A position that comes again in a game is found where it came first.
        self.postings.sort_unstable();
        self.postings.dedup_by_key(|(key, game, _)| (*key, *game));
        let change = writing(self.db)?;
        let is_ours: bool =
            change.query_row("SELECT EXISTS (SELECT 1 FROM file WHERE id = ?)", [self.file], |row| {
                row.get(0)
            })?;
        if !is_ours {
            return Err(Error::Overtaken(self.path.to_owned()));
        }
        let mut ids = Vec::with_capacity(self.games.len());
        for game in std::mem::take(&mut self.games) {
            self.write_game(&game)?;
            ids.push(change.last_insert_rowid());
        }
        if !self.postings.is_empty() {
            change.execute(
                "INSERT INTO segment (file, positions) VALUES (?, ?)",
                [self.file, self.postings.len() as i64],
            )?;
            let segment = change.last_insert_rowid();
            let mut insert = change.prepare_cached("INSERT INTO position VALUES (?, ?, ?, ?)")?;
            for (key, game, ply) in self.postings.drain(..) {
                insert.execute(params![segment, key, ids[game as usize], ply])?;
            }
        }
        if let Some(summary) = summary {
            change.execute(
                "UPDATE file SET is_whole = 1, games = ?, faults = ?, encoding = ? WHERE id = ?",
                params![summary.games as i64, summary.faults as i64, summary.encoding, self.file],
            )?;
        }
        change.commit()?;
        // Names come again in one tournament, seldom in the next.
        self.names.clear();
        self.bytes = 0;
        Ok(())
    }

    fn write_game(&mut self, game: &Waiting) -> Result<(), Error> {
        let rules = self.rules_id(game.rules.canonical())?;
        let mut names = [None; 4];
        for (id, name) in names.iter_mut().zip(&game.names) {
            *id = name.as_deref().map(|name| self.name_id(name)).transpose()?;
        }
        let [white, black, event, site] = names;
        let mut insert = self.db.prepare_cached(
            "INSERT INTO game VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        insert.execute(params![
            self.file,
            game.number,
            game.line,
            game.at,
            rules,
            white,
            black,
            event,
            site,
            game.round,
            game.date,
            game.date.as_deref().and_then(day_of),
            game.more,
            game.result,
            game.won,
            game.plies,
            game.repairs,
            game.faults,
            game.start,
            game.moves,
        ])?;
        Ok(())
    }

    fn rules_id(&mut self, canonical: &str) -> Result<i64, Error> {
        if let Some(id) = self.rules.get(canonical) {
            return Ok(*id);
        }
        self.db.execute("INSERT OR IGNORE INTO rules (canonical) VALUES (?)", [canonical])?;
        let id =
            self.db.query_row("SELECT id FROM rules WHERE canonical = ?", [canonical], |row| row.get(0))?;
        self.rules.insert(canonical.to_owned(), id);
        Ok(id)
    }

    fn name_id(&mut self, text: &str) -> Result<i64, Error> {
        if let Some(id) = self.names.get(text) {
            return Ok(*id);
        }
        let mut insert = self.db.prepare_cached("INSERT OR IGNORE INTO name (text, plain) VALUES (?, ?)")?;
        insert.execute([text, &plain(text)])?;
        let mut find = self.db.prepare_cached("SELECT id FROM name WHERE text = ?")?;
        let id = find.query_row([text], |row| row.get(0))?;
        self.names.insert(text.to_owned(), id);
        Ok(id)
    }
}

/// Returns the words of the tags that have no column of their own, as they are compared.
fn more(tags: &[(String, String)]) -> Option<String> {
    const OWN: [&str; 6] = ["White", "Black", "Event", "Site", "Date", "Round"];
    let mut more = String::new();
    for (_, value) in tags.iter().filter(|(name, _)| !OWN.contains(&name.as_str())) {
        let shown: String = value.chars().take(MORE).collect();
        more.push_str(&plain(&shown));
        more.push(' ');
        if more.len() > MORE {
            break;
        }
    }
    (!more.is_empty()).then_some(more)
}

/// Returns a result as the index keeps it.
fn won(verdict: &Verdict) -> i64 {
    match verdict {
        Verdict::Won(Side::White) => 1,
        Verdict::Won(Side::Black) => 2,
        Verdict::Drawn => 3,
        Verdict::BothLost => 4,
        Verdict::Points(_) => 5,
        Verdict::Open => 0,
    }
}
