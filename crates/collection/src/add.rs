//! Files into the index.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use damiera_pdn::{GameRead, GameTree, Grade, Options, Reader, Summary, Verdict};
use damiera_rules::{RuleSet, Side, fen};
use rusqlite::{Connection, params};

use crate::date::day_of;
use crate::pack::pack;
use crate::{Collection, Error, Stamp, key, plain, text_of};

/// How many positions are gathered in memory before they are sorted and written: 64 MB.
const SEGMENT: usize = 4 << 20;

/// How many segments there may be before the small ones are made one.
const SEGMENTS: i64 = 64;

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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Added {
    /// It was in the index already and has not changed.
    Known,
    /// It was read.
    Read {
        /// How many games it has.
        games: u64,
        /// How many faults were found in them.
        faults: u64,
    },
    /// The caller did not want to go on: nothing of it is in the index.
    Stopped,
}

/// A position of a game: its key, the game, the ply.
type Posting = (i64, i64, u32);

impl Collection {
    /// Reads a file into the index, unless it is there already and has not changed. What is told of its progress, every few thousand games, may stop it.
    pub fn add(
        &mut self,
        path: &Path,
        options: &Options,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Added, Error> {
        let failed = |error| Error::Io(path.to_owned(), error);
        let path = path.canonicalize().map_err(failed)?;
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
        self.remove(&path)?;
        let mut filing = Filing::begin(&self.db, text, stamp, told.as_deref())?;
        let read = AtomicU64::new(0);
        let input = CountedRead { file, read: &read };
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
            (Ok(_), _) if stopped => Ok(None),
            (Ok(summary), _) => filing.write_last(&summary).map(|()| Some(summary)),
        };
        drop(filing);
        match outcome {
            Ok(Some(summary)) => {
                self.merge()?;
                Ok(Added::Read { games: summary.games, faults: summary.faults })
            }
            Ok(None) => {
                self.remove(&path)?;
                Ok(Added::Stopped)
            }
            Err(error) => {
                // The first error is the one that says what is wrong.
                let _ = self.remove(&path);
                Err(error)
            }
        }
    }

    /// Takes a file out of the index, and whatever an interrupted reading has left of it.
    pub fn remove(&mut self, path: &Path) -> Result<bool, Error> {
        let text = text_of(path)?;
        let change = self.db.unchecked_transaction()?;
        let id: Option<i64> =
            change.query_row("SELECT max(id) FROM file WHERE path = ?", [text], |row| row.get(0))?;
        let Some(id) = id else { return Ok(false) };
        let (first, last): (Option<i64>, Option<i64>) = change.query_row(
            "SELECT (SELECT id FROM game WHERE file = ?1 ORDER BY number LIMIT 1), (SELECT id FROM game WHERE file = ?1 ORDER BY number DESC LIMIT 1)",
            [id],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        if let (Some(first), Some(last)) = (first, last) {
            // The games of a file have numbers in a row. Their positions are looked for in all segments: files change seldom.
            change.execute("DELETE FROM position WHERE game BETWEEN ? AND ?", [first, last])?;
            change.execute("DELETE FROM game WHERE id BETWEEN ? AND ?", [first, last])?;
        }
        change.execute("DELETE FROM file WHERE id = ?", [id])?;
        change.commit()?;
        Ok(true)
    }

    /// Makes small segments one, where many files of a few games have left many.
    fn merge(&mut self) -> Result<(), Error> {
        let segments = self.segments()?;
        if (segments.len() as i64) < SEGMENTS {
            return Ok(());
        }
        let next = segments.last().map_or(1, |last| last + 1);
        let change = self.db.unchecked_transaction()?;
        change.execute(
            "INSERT INTO position SELECT ?, key, game, ply FROM position ORDER BY key, game",
            [next],
        )?;
        change.execute("DELETE FROM position WHERE segment < ?", [next])?;
        change.commit()?;
        Ok(())
    }

    /// Returns the numbers of all segments, each by one step from the one before.
    pub(crate) fn segments(&self) -> Result<Vec<i64>, Error> {
        let mut next = self
            .db
            .prepare_cached("SELECT segment FROM position WHERE segment > ? ORDER BY segment LIMIT 1")?;
        let mut segments = Vec::new();
        let mut last = i64::MIN;
        while let Some(segment) = {
            let mut rows = next.query([last])?;
            rows.next()?.map(|row| row.get(0)).transpose()?
        } {
            segments.push(segment);
            last = segment;
        }
        Ok(segments)
    }
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

/// One file on its way into the index.
struct Filing<'a> {
    db: &'a Connection,
    file: i64,
    next_game: i64,
    next_segment: i64,
    names: HashMap<String, i64>,
    rules: HashMap<String, i64>,
    postings: Vec<Posting>,
}

impl<'a> Filing<'a> {
    fn begin(db: &'a Connection, path: &str, stamp: Stamp, told: Option<&str>) -> Result<Self, Error> {
        let next = |query: &str| db.query_row(query, [], |row| row.get::<_, i64>(0));
        let next_game = next("SELECT coalesce(max(id), 0) + 1 FROM game")?;
        let next_segment = next("SELECT coalesce(max(segment), 0) + 1 FROM position")?;
        db.execute_batch("BEGIN IMMEDIATE")?;
        db.execute(
            "INSERT INTO file (path, bytes, changed, told, is_whole, games, faults) VALUES (?, ?, ?, ?, 0, 0, 0)",
            params![path, stamp.bytes, stamp.changed, told],
        )?;
        let file = db.last_insert_rowid();
        Ok(Filing {
            db,
            file,
            next_game,
            next_segment,
            names: HashMap::new(),
            rules: HashMap::new(),
            postings: Vec::new(),
        })
    }

    fn take(&mut self, read: &GameRead<'_>) -> Result<(), Error> {
        let tree = read.tree;
        let rules = tree.rules();
        let game = self.next_game;
        self.next_game += 1;
        let start = (*tree.start() != rules.initial()).then(|| fen::format(rules, tree.start()));
        let plies = self.post(game, tree, start.is_some());
        let [white, black, event, site] = ["White", "Black", "Event", "Site"].map(|tag| tree.tag(tag));
        let (white, black) = (self.name(white)?, self.name(black)?);
        let (event, site) = (self.name(event)?, self.name(site)?);
        let date = tree.tag("Date").or_else(|| tree.tag("EventDate"));
        let rules_id = self.rules(rules)?;
        let faults = read.findings.iter().filter(|f| f.grade() == Grade::Fault).count();
        self.db
            .prepare_cached("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?
            .execute(params![
                game,
                self.file,
                read.number as i64,
                read.place.line as i64,
                read.place.offset as i64,
                rules_id,
                white,
                black,
                event,
                site,
                tree.tag("Round"),
                date,
                date.and_then(day_of),
                tree.verdict.text(rules),
                won(&tree.verdict),
                plies,
                (read.findings.len() - faults) as i64,
                faults as i64,
                start,
                pack(tree),
            ])?;
        if self.postings.len() >= SEGMENT {
            self.write_segment()?;
            self.db.execute_batch("COMMIT; BEGIN IMMEDIATE")?;
        }
        Ok(())
    }

    /// Gathers the positions of a game; the one that every game begins with is left out, for it tells no game from another. Returns how many plies it has.
    fn post(&mut self, game: i64, tree: &GameTree, has_start: bool) -> u32 {
        let shape = tree.rules().shape();
        if has_start {
            self.postings.push((key(shape, tree.start()), game, 0));
        }
        let mut ply = 0;
        for id in tree.main_line() {
            ply += 1;
            self.postings.push((key(shape, tree.node(id).position()), game, ply));
        }
        ply
    }

    fn rules(&mut self, rules: &Arc<RuleSet>) -> Result<i64, Error> {
        if let Some(id) = self.rules.get(rules.canonical()) {
            return Ok(*id);
        }
        let canonical = rules.canonical();
        self.db.execute("INSERT OR IGNORE INTO rules (canonical) VALUES (?)", [canonical])?;
        let id =
            self.db.query_row("SELECT id FROM rules WHERE canonical = ?", [canonical], |row| row.get(0))?;
        self.rules.insert(canonical.to_owned(), id);
        Ok(id)
    }

    fn name(&mut self, text: Option<&str>) -> Result<Option<i64>, Error> {
        let Some(text) = text.filter(|text| !text.is_empty() && *text != "?") else { return Ok(None) };
        if let Some(id) = self.names.get(text) {
            return Ok(Some(*id));
        }
        let mut insert = self.db.prepare_cached("INSERT OR IGNORE INTO name (text, plain) VALUES (?, ?)")?;
        insert.execute([text, &plain(text)])?;
        let mut find = self.db.prepare_cached("SELECT id FROM name WHERE text = ?")?;
        let id = find.query_row([text], |row| row.get(0))?;
        self.names.insert(text.to_owned(), id);
        Ok(Some(id))
    }

    fn write_segment(&mut self) -> Result<(), Error> {
        // A position that comes again in a game is found where it came first.
        self.postings.sort_unstable();
        self.postings.dedup_by_key(|(key, game, _)| (*key, *game));
        let mut insert = self.db.prepare_cached("INSERT INTO position VALUES (?, ?, ?, ?)")?;
        for (key, game, ply) in self.postings.drain(..) {
            insert.execute(params![self.next_segment, key, game, ply])?;
        }
        self.next_segment += 1;
        Ok(())
    }

    fn write_last(&mut self, summary: &Summary) -> Result<(), Error> {
        self.write_segment()?;
        self.db.execute(
            "UPDATE file SET is_whole = 1, games = ?, faults = ? WHERE id = ?",
            params![summary.games as i64, summary.faults as i64, self.file],
        )?;
        self.db.execute_batch("COMMIT")?;
        Ok(())
    }
}

impl Drop for Filing<'_> {
    /// Takes back what was not written to its end, as far as it is not on disk.
    fn drop(&mut self) {
        if !self.db.is_autocommit() {
            let _ = self.db.execute_batch("ROLLBACK");
        }
    }
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
