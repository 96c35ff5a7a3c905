//! An index on disk of games in PDN files, which stay where they are.
//!
//! [`Collection::add`] reads a file and keeps of each game who played it, its moves and the keys of its positions; [`Collection::search`] finds games by all of
//! these; [`Collection::read_game`] reads one again from its file, with everything that is written in it. The index is an SQLite database: it is open at
//! once, however large it is, and survives a power cut.
//!
//! Positions are keys of 64 bits (Zobrist hashes of the board, its pieces and the side to move), sorted a segment at a time: a segment is what was gathered in memory before
//! it was written. So the keys of a million games are written at the speed of the disk, and one position costs a glance into each segment.
#![forbid(unsafe_code)]

mod add;
mod date;
mod pack;
mod pattern;
mod search;

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use damiera_pdn::{GameRead, Options, Reader};
use damiera_rules::{Position, RuleSet, Shape};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior};

pub use add::{Added, Progress};
pub use date::Dates;
pub use pattern::{Material, Pattern, PatternError};
pub use search::{Hit, Placed, Query, Won};

/// What SQLite is told to write into the head of the file, so that no other database is taken for an index: "Dami".
const APPLICATION: i32 = 0x44_61_6d_69;

/// The version of the tables; an index of another one is refused. Part of the name of an index that a program keeps for itself, so that two versions may run side by side.
pub const VERSION: i32 = 1;

const TABLES: &str = "
    CREATE TABLE file (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        path TEXT NOT NULL UNIQUE,
        bytes INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        told TEXT,
        encoding TEXT NOT NULL,
        is_whole INTEGER NOT NULL,
        games INTEGER NOT NULL,
        faults INTEGER NOT NULL
    );
    CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, plain TEXT NOT NULL);
    CREATE TABLE rules (id INTEGER PRIMARY KEY, canonical TEXT NOT NULL UNIQUE);
    CREATE TABLE game (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        file INTEGER NOT NULL,
        number INTEGER NOT NULL,
        line INTEGER NOT NULL,
        at INTEGER NOT NULL,
        rules INTEGER NOT NULL,
        white INTEGER,
        black INTEGER,
        event INTEGER,
        site INTEGER,
        round TEXT,
        date TEXT,
        day INTEGER,
        more TEXT,
        result TEXT NOT NULL,
        won INTEGER NOT NULL,
        plies INTEGER NOT NULL,
        repairs INTEGER NOT NULL,
        faults INTEGER NOT NULL,
        start TEXT,
        moves BLOB NOT NULL
    );
    CREATE INDEX game_of_file ON game (file, number);
    CREATE INDEX game_of_rules ON game (rules, file);
    CREATE TABLE segment (id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER, positions INTEGER NOT NULL);
    CREATE INDEX segment_of_file ON segment (file);
    CREATE TABLE position (segment INTEGER, key INTEGER, game INTEGER, ply INTEGER NOT NULL, PRIMARY KEY (segment, key, game)) WITHOUT ROWID;
";

/// How many words are looked for at once; a sentence from a comment is no name.
const WORDS: usize = 16;

/// Why something could not be done.
#[derive(Debug)]
pub enum Error {
    /// The file of games or of the index cannot be read or written.
    Io(PathBuf, io::Error),
    /// The database refuses.
    Index(rusqlite::Error),
    /// The file is no index of games, or one of another version.
    NotAnIndex(PathBuf),
    /// The path has bytes that are no text.
    Path(PathBuf),
    /// The file of games is not what it was when it was read.
    Changed(PathBuf),
    /// Somebody else has begun to read the same file into the same index, or has taken it out.
    Overtaken(PathBuf),
    /// There are more words in a query than are looked for.
    TooManyWords,
    /// There are only signs where words are looked for.
    NoWord(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Error::Index(error) => write!(f, "the index of games: {error}"),
            Error::NotAnIndex(path) => write!(
                f,
                "{}: no index of games, or one of another version of this program; name another file, or delete this one: an index can be made again from the games",
                path.display()
            ),
            Error::Path(path) => write!(f, "{}: the name of the file is not UTF-8", path.display()),
            Error::Changed(path) => {
                write!(f, "{}: the file has changed since it was indexed; index it again", path.display())
            }
            Error::Overtaken(path) => write!(
                f,
                "{}: another process is reading this file into the same index, or has taken it out",
                path.display()
            ),
            Error::TooManyWords => write!(f, "at most {WORDS} words are looked for at once"),
            Error::NoWord(text) => write!(f, "{text:?} has no letter and no digit to look for"),
        }
    }
}

impl Error {
    /// Returns whether the index itself is of no use any more. A disk that is full or somebody who writes for long is none of its faults.
    pub fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        match self {
            Error::NotAnIndex(_) => true,
            Error::Index(rusqlite::Error::SqliteFailure(error, _)) => {
                matches!(error.code, DatabaseCorrupt | NotADatabase)
            }
            _ => false,
        }
    }
}

// What is underneath is in the text already: as a source it would be told twice.
impl std::error::Error for Error {}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        Error::Index(error)
    }
}

/// A game that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its number in the index.
    pub id: i64,
    /// The file in which it is.
    pub path: PathBuf,
    /// Which game of the file it is, from 1.
    pub number: u64,
    /// The line where it begins, from 1.
    pub line: u64,
    /// The byte of the text where it begins, from 0.
    pub offset: u64,
    /// The canonical name of its rules.
    pub rules: String,
    /// Who played White; empty where nobody is named.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// The Event tag.
    pub event: String,
    /// The Site tag.
    pub site: String,
    /// The Round tag.
    pub round: String,
    /// The Date tag, as it is written.
    pub date: String,
    /// The result, as the Result tag has it.
    pub result: String,
    /// How many plies were played, those of variations not counted.
    pub plies: u32,
    /// How much was mended in it.
    pub repairs: u32,
    /// How much of it could not be read.
    pub faults: u32,
}

/// A file of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileEntry {
    /// Its number in the index.
    pub id: i64,
    /// Where it lies.
    pub path: PathBuf,
    /// How many games it has.
    pub games: u64,
    /// How many faults were found in them.
    pub faults: u64,
    /// Whether it was read to its end.
    pub is_whole: bool,
}

/// An index of games. It is not shared between threads: each opens its own.
#[derive(Debug)]
pub struct Collection {
    db: Connection,
    rules: HashMap<i64, Arc<RuleSet>>,
}

impl Collection {
    /// Opens the index in this file, and makes it if there is none.
    pub fn open(path: &Path) -> Result<Collection, Error> {
        let opened = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE
                | OpenFlags::SQLITE_OPEN_CREATE
                | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        );
        opened.map_err(Error::from).and_then(Collection::with).map_err(|error| match error {
            error if error.is_damage() => Error::NotAnIndex(path.to_owned()),
            error => error,
        })
    }

    /// Returns an index that is gone afterwards. What memory does not hold is in a temporary file.
    pub fn temporary() -> Result<Collection, Error> {
        Collection::with(Connection::open("")?)
    }

    fn with(db: Connection) -> Result<Collection, Error> {
        db.busy_timeout(Duration::from_secs(60))?;
        // Another one may be about to make it too: who comes first does.
        let change = Transaction::new_unchecked(&db, TransactionBehavior::Immediate)?;
        let number = |name| change.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i32>(0));
        match (number("application_id")?, number("user_version")?) {
            (APPLICATION, VERSION) => drop(change),
            (0, 0) if change.query_row("SELECT count(*) = 0 FROM sqlite_master", [], |row| row.get(0))? => {
                change.execute_batch(&format!(
                    "{TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
                ))?;
                change.commit()?;
            }
            _ => return Err(Error::NotAnIndex(PathBuf::new())),
        }
        // Others may read while games are added, and a power cut costs no more than the last ones.
        db.pragma_update(None, "journal_mode", "wal")?;
        db.pragma_update(None, "synchronous", "normal")?;
        db.pragma_update(None, "cache_size", -65_536)?;
        Ok(Collection { db, rules: HashMap::new() })
    }

    /// Returns the files that are in the index.
    pub fn files(&self) -> Result<Vec<FileEntry>, Error> {
        let mut query = self.db.prepare("SELECT id, path, games, faults, is_whole FROM file ORDER BY id")?;
        let rows = query.query_map([], file_of)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Returns a file of the index, by its path as it is on disk ([`Path::canonicalize`]).
    pub fn file(&self, path: &Path) -> Result<Option<FileEntry>, Error> {
        let mut query =
            self.db.prepare_cached("SELECT id, path, games, faults, is_whole FROM file WHERE path = ?")?;
        Ok(query.query_row([text_of(path)?], file_of).optional()?)
    }

    /// Returns whether there is anything of a game in a file: a move, a position, a name. Words and signs alone may be from a file of any kind.
    pub fn has_games(&self, file: i64) -> Result<bool, Error> {
        Ok(self.db.query_row(
            "SELECT EXISTS (SELECT 1 FROM game WHERE file = ? AND (plies > 0 OR coalesce(start, white, black, event, site, round, date) IS NOT NULL))",
            [file],
            |row| row.get(0),
        )?)
    }

    /// Returns whether a file is not what it was when it was read, or was not read at all.
    pub fn has_changed(&self, path: &Path) -> Result<bool, Error> {
        let file = File::open(path).map_err(|error| Error::Io(path.to_owned(), error))?;
        self.is_other(path, &file)
    }

    /// Returns whether the file that is open is another one than that which was read under this path.
    pub fn is_other(&self, path: &Path, file: &File) -> Result<bool, Error> {
        let stamp = Stamp::of(file).map_err(|error| Error::Io(path.to_owned(), error))?;
        let same: i64 = self.db.query_row(
            "SELECT count(*) FROM file WHERE path = ? AND bytes = ? AND changed = ? AND is_whole",
            rusqlite::params![text_of(path)?, stamp.bytes, stamp.changed],
            |row| row.get(0),
        )?;
        Ok(same == 0)
    }

    /// Returns the canonical names of the rules that the games have, of one file or of all, with how many games each has, the most played first.
    pub fn rules(&self, file: Option<i64>) -> Result<Vec<(String, u64)>, Error> {
        let of_file = if file.is_some() { "AND g.file = ?" } else { "" };
        let mut query = self.db.prepare(&format!(
            "SELECT r.canonical, (SELECT count(*) FROM game g WHERE g.rules = r.id {of_file}) AS games FROM rules r WHERE games > 0 ORDER BY 2 DESC, 1"
        ))?;
        let rows =
            query.query_map(rusqlite::params_from_iter(file), |row| Ok((row.get(0)?, unsigned(row, 1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Returns how many games are in the index.
    pub fn len(&self) -> Result<u64, Error> {
        Ok(self.db.query_row("SELECT coalesce(sum(games), 0) FROM file", [], |row| unsigned(row, 0))?)
    }

    /// Returns whether no game is in the index.
    pub fn is_empty(&self) -> Result<bool, Error> {
        Ok(self.len()? == 0)
    }

    /// Returns what is known of a game.
    pub fn entry(&self, id: i64) -> Result<Option<Entry>, Error> {
        self.entry_where("g.id = ?", &[id])
    }

    /// Returns what is known of a game of a file, by its place there, from 1.
    pub fn entry_of(&self, file: i64, number: u64) -> Result<Option<Entry>, Error> {
        self.entry_where("g.file = ? AND g.number = ?", &[file, i64::try_from(number).unwrap_or(i64::MAX)])
    }

    fn entry_where(&self, condition: &str, values: &[i64]) -> Result<Option<Entry>, Error> {
        let mut query = self.db.prepare_cached(&format!(
            "SELECT g.id, f.path, g.number, g.line, g.at, r.canonical, w.text, b.text, e.text, s.text, g.round, g.date, g.result, g.plies, g.repairs, g.faults
             FROM game g JOIN file f ON f.id = g.file JOIN rules r ON r.id = g.rules
             LEFT JOIN name w ON w.id = g.white LEFT JOIN name b ON b.id = g.black
             LEFT JOIN name e ON e.id = g.event LEFT JOIN name s ON s.id = g.site
             WHERE {condition}",
        ))?;
        let mut rows = query.query(rusqlite::params_from_iter(values))?;
        Ok(rows.next()?.map(entry_of).transpose()?)
    }

    /// Reads a game from its file. Fails when the file is not what it was.
    pub fn read_game<T>(&self, entry: &Entry, visit: impl FnOnce(GameRead<'_>) -> T) -> Result<T, Error> {
        let failed = |error| Error::Io(entry.path.clone(), error);
        let file = File::open(&entry.path).map_err(failed)?;
        if self.is_other(&entry.path, &file)? {
            return Err(Error::Changed(entry.path.clone()));
        }
        let (told, encoding): (Option<String>, String) = self.db.query_row(
            "SELECT told, encoding FROM file WHERE path = ?",
            [text_of(&entry.path)?],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let rules = RuleSet::parse(&entry.rules).ok().map(Arc::new);
        let mut reader = Reader::new(Options { rules: rules.clone().filter(|_| told.is_some()) });
        if let Some(rules) = rules {
            reader.expect(rules, &encoding);
        }
        let mut visit = Some(visit);
        let mut seen = None;
        reader
            .read_from(file, entry.offset, &mut |game| {
                seen = visit.take().map(|visit| visit(game));
                ControlFlow::Break(())
            })
            .map_err(failed)?;
        seen.ok_or_else(|| Error::Changed(entry.path.clone()))
    }
}

fn file_of(row: &Row<'_>) -> rusqlite::Result<FileEntry> {
    Ok(FileEntry {
        id: row.get(0)?,
        path: PathBuf::from(row.get::<_, String>(1)?),
        games: unsigned(row, 2)?,
        faults: unsigned(row, 3)?,
        is_whole: row.get(4)?,
    })
}

/// What tells a file from what it was before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stamp {
    bytes: i64,
    /// In nanoseconds since 1970, as far as the file system knows.
    changed: i64,
}

impl Stamp {
    fn of(file: &File) -> io::Result<Stamp> {
        let data = file.metadata()?;
        let changed = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Ok(Stamp {
            bytes: data.len() as i64,
            changed: changed.map_or(0, |changed| changed.as_nanos() as i64),
        })
    }
}

fn text_of(path: &Path) -> Result<&str, Error> {
    path.to_str().ok_or_else(|| Error::Path(path.to_owned()))
}

fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.max(0) as u64)
}

fn entry_of(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let text = |column| Ok::<_, rusqlite::Error>(row.get::<_, Option<String>>(column)?.unwrap_or_default());
    Ok(Entry {
        id: row.get(0)?,
        path: PathBuf::from(text(1)?),
        number: unsigned(row, 2)?,
        line: unsigned(row, 3)?,
        offset: unsigned(row, 4)?,
        rules: text(5)?,
        white: text(6)?,
        black: text(7)?,
        event: text(8)?,
        site: text(9)?,
        round: text(10)?,
        date: text(11)?,
        result: text(12)?,
        plies: row.get(13)?,
        repairs: row.get(14)?,
        faults: row.get(15)?,
    })
}

/// Returns the key of a position: the same for every game on such a board, whatever the kings have counted.
fn key(shape: Shape, position: &Position) -> i64 {
    let plain = Position::from_sets(position.white(), position.black(), position.kings(), position.side());
    // Boards differ by more than their pieces; the factor spreads their numbers over all bits.
    (plain.hash() ^ (shape as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) as i64
}

/// Returns a name as it is compared: in small Latin letters without accents, words separated by single spaces.
fn plain(text: &str) -> String {
    let latin = deunicode::deunicode(text).to_lowercase();
    let words: String = latin.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
