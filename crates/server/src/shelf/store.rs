//! The shelf on disk: a folder a file, with its text, its index and what is known of it as a whole.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use damiera_pdn::source::Source;
use damiera_pdn::{GameRead, Options, Reader};
use damiera_rules::RuleSet;
use serde::{Deserialize, Serialize};

use super::Refused;
use super::index::{self, Entry};

/// The largest file that is taken, in bytes.
pub(super) const MOST_BYTES: u64 = 64 << 20;

/// The longest text that a packed file may hold, in bytes.
const MOST_TEXT: u64 = 256 << 20;

/// How many files are remembered with their games, and how many games they may have together; the one that was looked at last is always.
const REMEMBERED: usize = 4;
const REMEMBERED_GAMES: usize = 250_000;

/// The longest name of a file, in characters.
const NAME: usize = 120;

/// What begins the name of a folder whose file is still coming in.
const INCOMING: &str = ".incoming-";

/// A folder of a file that never came in whole is left alone for so long: another program may be filling it.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The files.
#[derive(Debug)]
pub(crate) struct Shelf {
    folder: PathBuf,
    /// The files that were looked at last, the newest at the end.
    remembered: Mutex<Vec<Arc<Shelved>>>,
    incoming: AtomicU64,
}

/// What is known of a file as a whole.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct About {
    pub(super) id: String,
    pub(super) name: String,
    /// When it was put here, in milliseconds since 1970.
    added: u64,
    /// How large it was.
    bytes: u64,
    pub(super) encoding: String,
    packing: Option<String>,
    /// The rules of most games.
    rules: Option<String>,
    games: u64,
    /// The moves that are written, and those of them that could be played.
    moves: u64,
    plies: u64,
    repair_count: u64,
    fault_count: u64,
}

/// A file with its games.
#[derive(Debug)]
pub(super) struct Shelved {
    pub(super) about: About,
    text: PathBuf,
    pub(super) entries: Vec<Entry>,
}

/// A file on its way to the shelf. One that does not arrive leaves nothing behind.
#[derive(Debug)]
pub(super) struct Incoming {
    folder: PathBuf,
    file: File,
    hash: u128,
    bytes: u64,
}

impl Drop for Incoming {
    fn drop(&mut self) {
        // What has arrived is no longer there.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Incoming {
    /// Takes the next bytes.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        self.bytes += bytes.len() as u64;
        if self.bytes > MOST_BYTES {
            return Err(Refused::TooLarge(MOST_BYTES));
        }
        // FNV-1a, 128 bits: http://www.isthe.com/chongo/tech/comp/fnv/
        self.hash = bytes.iter().fold(self.hash, |hash, byte| {
            (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        });
        Ok(self.file.write_all(bytes)?)
    }

    /// Returns how the file is packed and in which encoding it is, where these are not told by its text, which lies in `text` afterwards.
    fn unpack(&mut self, text: &Path) -> Result<(Option<&'static str>, Option<&'static str>), Refused> {
        self.file.seek(SeekFrom::Start(0))?;
        let source = Source::new(&self.file).map_err(Refused::Unreadable)?;
        let (packing, encoding) = (source.packing(), source.is_utf16().then_some("utf-16"));
        if packing.is_none() && encoding.is_none() {
            drop(source);
            fs::rename(self.folder.join("bytes"), text)?;
        } else {
            copy(source, &mut File::create(text)?)?;
            fs::remove_file(self.folder.join("bytes"))?;
        }
        Ok((packing, encoding))
    }
}

/// Copies a text that must not become too long. What cannot be read is the file's fault, what cannot be written the disk's.
fn copy(mut source: impl Read, out: &mut impl Write) -> Result<(), Refused> {
    let mut buffer = vec![0; 1 << 16];
    let mut length = 0;
    loop {
        let n = source.read(&mut buffer).map_err(Refused::Unreadable)?;
        if n == 0 {
            return Ok(());
        }
        length += n as u64;
        if length > MOST_TEXT {
            return Err(Refused::TooLarge(MOST_TEXT));
        }
        out.write_all(&buffer[..n])?;
    }
}

/// Reads the clock, in milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl Shelf {
    /// Opens the folder `files` below the data folder, and makes it if need be.
    pub(crate) fn open(data_dir: &Path) -> Shelf {
        let folder = data_dir.join("files");
        if let Err(error) = fs::create_dir_all(&folder) {
            eprintln!("damiera: files cannot be kept in {}: {error}", folder.display());
        }
        remove_abandoned(&folder);
        Shelf { folder, remembered: Mutex::default(), incoming: AtomicU64::new(0) }
    }

    fn remembered(&self) -> MutexGuard<'_, Vec<Arc<Shelved>>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for a file.
    pub(super) fn begin(&self) -> Result<Incoming, Refused> {
        let number = self.incoming.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.join(format!("{INCOMING}{}-{number}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let file =
            File::options().read(true).write(true).create(true).truncate(true).open(folder.join("bytes"))?;
        Ok(Incoming { folder, file, hash: 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, bytes: 0 })
    }

    /// Puts a file on the shelf that has arrived, and reads it. One that lies there already comes to the front.
    pub(super) fn put(&self, mut incoming: Incoming, name: &str) -> Result<About, Refused> {
        let id = format!("{:032x}", incoming.hash);
        let target = self.folder.join(&id);
        if let Ok(known) = read_about(&target) {
            return self.rename(known, name);
        }
        let text = incoming.folder.join("text");
        let (packing, encoding) = incoming.unpack(&text)?;
        let made = index::make(&text, &incoming.folder.join("index"))?;
        let about = About {
            id,
            name: safe_name(name),
            added: now(),
            bytes: incoming.bytes,
            encoding: encoding.map_or(made.summary.encoding, str::to_owned),
            packing: packing.map(str::to_owned),
            rules: made.rules,
            games: made.summary.games,
            moves: made.summary.written,
            plies: made.summary.plies,
            repair_count: made.summary.repairs,
            fault_count: made.summary.faults,
        };
        write_about(&incoming.folder, &about)?;
        // A folder that nothing is known of is the rest of one that was being removed.
        let _ = fs::remove_dir_all(&target);
        match fs::rename(&incoming.folder, &target) {
            // Somebody has put the same file there meanwhile.
            Err(_) if read_about(&target).is_ok() => {}
            moved => moved?,
        }
        Ok(about)
    }

    fn rename(&self, known: About, name: &str) -> Result<About, Refused> {
        let about = About { name: safe_name(name), added: now(), ..known };
        write_about(&self.folder.join(&about.id), &about)?;
        self.remembered().retain(|file| file.about.id != about.id);
        Ok(about)
    }

    /// Returns all files, the newest first.
    pub(super) fn list(&self) -> Result<Vec<About>, Refused> {
        let entries = fs::read_dir(&self.folder)?;
        let mut files: Vec<About> =
            entries.filter_map(|entry| read_about(&entry.ok()?.path()).ok()).collect();
        files.sort_by(|a, b| b.added.cmp(&a.added).then_with(|| a.id.cmp(&b.id)));
        Ok(files)
    }

    /// Returns a file with its games.
    pub(super) fn get(&self, id: &str) -> Result<Arc<Shelved>, Refused> {
        let folder = self.folder_of(id)?;
        if let Some(file) = self.remember(id) {
            return Ok(file);
        }
        let about = read_about(&folder).map_err(|_| Refused::Unknown)?;
        let (text, index) = (folder.join("text"), folder.join("index"));
        let entries = match index::load(&index, about.games) {
            Ok(entries) => entries,
            // The text is what counts; what is said of it can be said again.
            Err(_) => {
                let made = index::make(&text, &index)?;
                index::load(&index, made.summary.games)?
            }
        };
        let file = Arc::new(Shelved { about, text, entries });
        let mut remembered = self.remembered();
        remembered.retain(|other| other.about.id != id);
        remembered.push(Arc::clone(&file));
        let is_too_much = |files: &[Arc<Shelved>]| {
            let games: usize = files.iter().map(|file| file.entries.len()).sum();
            files.len() > 1 && (files.len() > REMEMBERED || games > REMEMBERED_GAMES)
        };
        while is_too_much(&remembered) {
            remembered.remove(0);
        }
        Ok(file)
    }

    /// Returns a file that is remembered, which is then the one that was looked at last.
    fn remember(&self, id: &str) -> Option<Arc<Shelved>> {
        let mut remembered = self.remembered();
        let place = remembered.iter().position(|file| file.about.id == id)?;
        let file = remembered.remove(place);
        remembered.push(Arc::clone(&file));
        Some(file)
    }

    /// Takes a file away.
    pub(super) fn remove(&self, id: &str) -> Result<(), Refused> {
        let folder = self.folder_of(id)?;
        self.remembered().retain(|file| file.about.id != id);
        // Without this it is no file any longer, whatever becomes of the rest.
        match fs::remove_file(folder.join("about.json")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Refused::Unknown),
            removed => removed?,
        }
        Ok(fs::remove_dir_all(folder)?)
    }

    /// Returns the folder of a file. What is no id is no part of a path.
    fn folder_of(&self, id: &str) -> Result<PathBuf, Refused> {
        let is_id = id.len() == 32 && id.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if is_id { Ok(self.folder.join(id)) } else { Err(Refused::Unknown) }
    }
}

impl Shelved {
    /// Returns what is known of a game, counted from 1.
    pub(super) fn entry(&self, number: usize) -> Result<&Entry, Refused> {
        number.checked_sub(1).and_then(|n| self.entries.get(n)).ok_or(Refused::Unknown)
    }

    /// Reads a game again, with everything in it. Its places are counted from its first byte.
    pub(super) fn read_game<T>(
        &self,
        number: usize,
        visit: impl FnOnce(GameRead<'_>) -> T,
    ) -> Result<T, Refused> {
        let entry = self.entry(number)?;
        let mut reader = Reader::new(Options::default());
        if let Ok(rules) = RuleSet::parse(&entry.rules) {
            reader.expect(Arc::new(rules), &self.about.encoding);
        }
        let mut visit = Some(visit);
        let mut seen = None;
        reader.read_from(self.file()?, entry.at, &mut |game| {
            seen = visit.take().map(|visit| visit(game));
            ControlFlow::Break(())
        })?;
        seen.ok_or(Refused::Unknown)
    }

    /// Reads all games one by one, until there are no more or no more are wanted.
    pub(super) fn read_games(
        &self,
        visit: &mut dyn FnMut(GameRead<'_>) -> ControlFlow<()>,
    ) -> Result<(), Refused> {
        Reader::new(Options::default()).read(self.file()?, visit)?;
        Ok(())
    }

    /// Returns the bytes of a game, up to the next one, and whether there are more than `most` of them.
    pub(super) fn bytes_of(&self, number: usize, most: usize) -> Result<(Vec<u8>, bool), Refused> {
        let from = self.entry(number)?.at;
        let length = self.entries.get(number).map_or(u64::MAX, |next| next.at.saturating_sub(from));
        let mut file = self.file()?;
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(length.min(most as u64 + 1)).read_to_end(&mut bytes)?;
        let is_cut = bytes.len() > most;
        bytes.truncate(most);
        Ok((bytes, is_cut))
    }

    fn file(&self) -> Result<File, Refused> {
        File::open(&self.text).map_err(|error| match error.kind() {
            // It was taken away meanwhile.
            io::ErrorKind::NotFound => Refused::Unknown,
            _ => Refused::Disk(error),
        })
    }
}

fn read_about(folder: &Path) -> io::Result<About> {
    Ok(serde_json::from_slice(&fs::read(folder.join("about.json"))?)?)
}

/// Writes what is known of a file; whoever reads it meanwhile reads all of the old or all of the new.
fn write_about(folder: &Path, about: &About) -> io::Result<()> {
    let new = folder.join("about.new");
    fs::write(&new, serde_json::to_vec(about)?)?;
    fs::rename(new, folder.join("about.json"))
}

/// Removes what is left of files that never came in whole, because a program ended.
fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let is_incoming = entry.file_name().to_string_lossy().starts_with(INCOMING);
        let changed = entry.metadata().and_then(|about| about.modified());
        let age = changed.map(|changed| changed.elapsed().unwrap_or_default());
        if is_incoming && age.is_ok_and(|age| age > ABANDONED) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Returns a file's name as it is kept: without folders and control characters, and not too long.
fn safe_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last.chars().filter(|c| !c.is_control()).take(NAME).collect();
    match kept.trim().trim_start_matches('.') {
        "" => "games.pdn".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names_and_nothing_more() {
        for (given, kept) in [
            ("partita.pdn", "partita.pdn"),
            ("../../etc/passwd", "passwd"),
            ("C:\\partite\\è.pdn", "è.pdn"),
            ("...", "games.pdn"),
            ("", "games.pdn"),
            ("a\r\nb\u{0}.pdn", "ab.pdn"),
        ] {
            assert_eq!(safe_name(given), kept);
        }
        assert_eq!(safe_name(&"x".repeat(1000)).len(), NAME);
    }

    #[test]
    fn what_never_came_in_whole_is_removed_in_time() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join("files").join(format!("{INCOMING}1-0"));
        fs::create_dir_all(&left).unwrap();
        Shelf::open(folder.path());
        assert!(left.exists(), "another program may be filling it");
        let old = SystemTime::now() - ABANDONED - Duration::from_secs(60);
        File::open(&left).unwrap().set_modified(old).unwrap();
        Shelf::open(folder.path());
        assert!(!left.exists());
    }

    #[test]
    fn an_index_that_is_damaged_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::open(folder.path());
        let mut incoming = shelf.begin().unwrap();
        incoming.write(b"[White \"Fero\"] 1. 23-19 *\n[White \"Rossi\"] 1. 22-18 *\n").unwrap();
        let about = shelf.put(incoming, "a.pdn").unwrap();
        let entries = shelf.get(&about.id).unwrap().entries.clone();
        assert_eq!(entries.len(), 2);
        for damage in ["", "{}\n", "no JSON\n"] {
            fs::write(folder.path().join("files").join(&about.id).join("index"), damage).unwrap();
            assert_eq!(Shelf::open(folder.path()).get(&about.id).unwrap().entries, entries);
        }
        assert_eq!(fs::read_dir(folder.path().join("files")).unwrap().count(), 1, "nothing is left behind");
    }
}
