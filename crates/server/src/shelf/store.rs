//! The shelf on disk: a folder a file, with its text and what is known of it as a whole; and one index of all their games.

use std::collections::{HashSet, VecDeque};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use damiera_collection::{Added, Collection, Entry, Hit, Progress, Query, VERSION};
use damiera_pdn::source::Source;
use damiera_pdn::{GameRead, Options, Reader, Summary};
use damiera_rules::RuleSet;
use serde::{Deserialize, Serialize};

use super::Refused;

/// The largest file that is taken, in bytes.
pub(super) const MOST_BYTES: u64 = 64 << 20;

/// The longest text that a packed file may hold, in bytes.
const MOST_TEXT: u64 = 256 << 20;

/// The longest name of a file, in characters.
const NAME: usize = 120;

/// What begins the name of a folder whose file is still coming in.
const INCOMING: &str = ".incoming-";

/// A folder of a file that never came in whole is left alone for so long: another program may be filling it.
const ABANDONED: Duration = Duration::from_secs(3600);

/// How many searches are remembered with what they found: the page asks for a hundred games at a time.
const SEARCHES: usize = 8;

/// Who puts the same file here twice at once waits for the first, looking so often.
const LOOKING: Duration = Duration::from_millis(50);

/// The files.
#[derive(Debug)]
pub(crate) struct Shelf {
    folder: PathBuf,
    incoming: AtomicU64,
    /// The files outside that are being read, or could not be.
    reading: Mutex<Vec<Reading>>,
    /// The texts that are on their way into the index.
    held: Mutex<HashSet<PathBuf>>,
    /// How often the index had to be made anew: its name tells, so that nobody who still has the old one open writes into the new one.
    generation: Mutex<u64>,
    searches: Mutex<VecDeque<Search>>,
}

/// A search, and what it found.
#[derive(Debug)]
struct Search {
    generation: u64,
    wish: String,
    hits: Arc<Vec<Hit>>,
}

/// A text that is on its way into the index, and no other way.
struct Held<'a> {
    shelf: &'a Shelf,
    text: PathBuf,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        lock(&self.shelf.held).remove(&self.text);
    }
}

/// Locks what no panic can leave half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the name of the index of all games. Two versions of the program may run side by side.
fn index_name(generation: u64) -> String {
    format!("games-{VERSION}-{generation}.index")
}

/// Returns how often an index had to be made anew, by its name.
fn generation_of(name: &str) -> Option<u64> {
    name.strip_prefix(&format!("games-{VERSION}-"))?.strip_suffix(".index")?.parse().ok()
}

/// A file outside the shelf that is being read.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Reading {
    path: PathBuf,
    name: String,
    /// How many of its bytes have been read, and how many it has.
    bytes: u64,
    of: u64,
    games: u64,
    /// Why it cannot be shown.
    code: Option<&'static str>,
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
    pub(super) rules: Option<String>,
    games: u64,
    /// The moves that are written, and those of them that could be played.
    moves: u64,
    plies: u64,
    repair_count: u64,
    fault_count: u64,
    /// Where it lies, if that is not here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outside: Option<PathBuf>,
}

/// A file with its games.
#[derive(Debug)]
pub(super) struct Shelved {
    pub(super) about: About,
    text: PathBuf,
    pub(super) collection: Collection,
    /// Its number in the collection.
    pub(super) file: i64,
    pub(super) games: usize,
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
        self.hash = hash(self.hash, bytes);
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
            // Places are counted in the text as it lies there: what would be unpacked a second time has none.
            if Source::new(File::open(text)?).map_or(true, |source| source.packing().is_some()) {
                return Err(Refused::Unreadable(io::Error::other("it is packed twice")));
            }
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
        // The index knows files by their paths as they are on disk.
        let folder = folder.canonicalize().unwrap_or(folder);
        let names = fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let generation = names.filter_map(|name| generation_of(&name)).max().unwrap_or(0);
        let shelf = Shelf {
            folder,
            incoming: AtomicU64::new(0),
            reading: Mutex::default(),
            held: Mutex::default(),
            generation: Mutex::new(generation),
            searches: Mutex::default(),
        };
        if generation > 0 || shelf.folder.join(index_name(0)).exists() {
            shelf.tidy();
        }
        shelf
    }

    /// Takes out of the index what is no longer there. Another start does what this one cannot.
    fn tidy(&self) {
        let Ok(mut collection) = self.collection() else { return };
        for file in collection.files().unwrap_or_default() {
            if !file.path.exists() {
                let _ = collection.remove(&file.path);
            }
        }
    }

    /// Opens the index of all games. One that cannot be read is made anew: it says nothing that the files do not say.
    fn collection(&self) -> Result<Collection, Refused> {
        let generation = *lock(&self.generation);
        match Collection::open(&self.folder.join(index_name(generation))) {
            Err(error) if error.is_damage() => {
                self.forget_index(generation);
                let generation = *lock(&self.generation);
                Ok(Collection::open(&self.folder.join(index_name(generation)))?)
            }
            opened => Ok(opened?),
        }
    }

    /// Does something with the index; when it turns out to be damaged, the next one who asks has a new one.
    pub(super) fn guard<T>(&self, job: impl FnOnce(&Shelf) -> Result<T, Refused>) -> Result<T, Refused> {
        let generation = *lock(&self.generation);
        let done = job(self);
        if matches!(done, Err(Refused::Damaged(_))) {
            self.forget_index(generation);
        }
        done
    }

    /// Begins a new index, unless somebody has done so meanwhile.
    fn forget_index(&self, seen: u64) {
        let mut generation = lock(&self.generation);
        if *generation != seen {
            return;
        }
        *generation += 1;
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(self.folder.join(index_name(seen) + end));
        }
    }

    /// Keeps everybody else from reading a text into the index.
    fn hold(&self, text: &Path) -> Result<Held<'_>, Refused> {
        if lock(&self.held).insert(text.to_owned()) {
            Ok(Held { shelf: self, text: text.to_owned() })
        } else {
            Err(Refused::Busy)
        }
    }

    /// Does the same, once nobody else does it any more.
    fn hold_in_turn(&self, text: &Path) -> Held<'_> {
        loop {
            match self.hold(text) {
                Ok(held) => return held,
                Err(_) => thread::sleep(LOOKING),
            }
        }
    }

    /// Returns the games of a file that have what is asked for.
    pub(super) fn search(&self, file: &mut Shelved, wish: &Query) -> Result<Arc<Vec<Hit>>, Refused> {
        // A file that is read anew has another number, and an index that is made anew another generation.
        let (generation, wish_text) = (*lock(&self.generation), format!("{wish:?}"));
        let same = |other: &&Search| other.generation == generation && other.wish == wish_text;
        let known = lock(&self.searches).iter().find(same).map(|search| Arc::clone(&search.hits));
        if let Some(hits) = known {
            return Ok(hits);
        }
        let hits = Arc::new(file.collection.search(wish)?);
        let mut searches = lock(&self.searches);
        searches.push_front(Search { generation, wish: wish_text, hits: Arc::clone(&hits) });
        searches.truncate(SEARCHES);
        Ok(hits)
    }

    /// Returns the files outside that are being read.
    pub(super) fn being_read(&self) -> Vec<Reading> {
        lock(&self.reading).clone()
    }

    /// Makes room for a file.
    pub(super) fn begin(&self) -> Result<Incoming, Refused> {
        let number = self.incoming.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.join(format!("{INCOMING}{}-{number}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let file =
            File::options().read(true).write(true).create(true).truncate(true).open(folder.join("bytes"))?;
        Ok(Incoming { folder, file, hash: HASH_OF_NOTHING, bytes: 0 })
    }

    /// Puts a file on the shelf that has arrived, and reads it. One that lies there already comes to the front.
    pub(super) fn put(&self, mut incoming: Incoming, name: &str) -> Result<About, Refused> {
        let id = format!("{:032x}", incoming.hash);
        let target = self.folder.join(&id);
        let _held = self.hold_in_turn(&target.join("text"));
        if let Ok(known) = read_about(&target) {
            return self.rename(known, name);
        }
        let text = incoming.folder.join("text");
        let (packing, encoding) = incoming.unpack(&text)?;
        let mut collection = self.collection()?;
        let settled = settle(&mut collection, incoming, &text, &target, |read| About {
            name: safe_name(name),
            encoding: encoding.map_or(read.encoding.clone(), str::to_owned),
            packing: packing.map(str::to_owned),
            ..About::of(id, read)
        });
        if settled.is_err() {
            // The first error is the one that says what is wrong.
            let _ = collection.remove(&text);
        }
        settled
    }

    /// Shows files that lie outside, however large they are, and stay there. They are read one after the other while the page is served already.
    pub(crate) fn show(self: &Arc<Self>, paths: Vec<PathBuf>) {
        if paths.is_empty() {
            return;
        }
        let reading = |path: &PathBuf| Reading {
            path: path.clone(),
            name: safe_name(&path.to_string_lossy()),
            bytes: 0,
            of: 0,
            games: 0,
            code: None,
        };
        lock(&self.reading).extend(paths.iter().map(reading));
        let shelf = Arc::clone(self);
        thread::spawn(move || {
            for path in paths {
                let shown = shelf.show_one(&path);
                let mut reading = lock(&shelf.reading);
                match shown {
                    Ok(()) => reading.retain(|other| other.path != path),
                    Err(error) => {
                        eprintln!("damiera: {}: {error}", path.display());
                        if let Some(other) = reading.iter_mut().find(|other| other.path == path) {
                            other.code = Some(error.code());
                        }
                    }
                }
            }
        });
    }

    fn show_one(&self, path: &Path) -> Result<(), Refused> {
        let text = path.canonicalize()?;
        let source = Source::new(File::open(&text)?)?;
        if source.packing().is_some() || source.is_utf16() {
            return Err(Refused::Packed);
        }
        drop(source);
        let id = format!("{:032x}", hash(HASH_OF_NOTHING, text.to_string_lossy().as_bytes()));
        let folder = self.folder.join(&id);
        let mut collection = self.collection()?;
        if !collection.has_changed(&text)? && read_about(&folder).is_ok() {
            return Ok(());
        }
        let _held = self.hold_in_turn(&text);
        let (summary, rules) = read_in(&mut collection, &text, &mut |progress| {
            let mut reading = lock(&self.reading);
            if let Some(other) = reading.iter_mut().find(|other| other.path == path) {
                (other.bytes, other.of, other.games) = (progress.bytes, progress.of, progress.games);
            }
        })?;
        fs::create_dir_all(&folder)?;
        let about = About {
            name: safe_name(&text.to_string_lossy()),
            bytes: fs::metadata(&text)?.len(),
            rules,
            outside: Some(text),
            ..About::of(id, &summary)
        };
        Ok(write_about(&folder, &about)?)
    }

    fn rename(&self, known: About, name: &str) -> Result<About, Refused> {
        let about = About { name: safe_name(name), added: now(), ..known };
        write_about(&self.folder.join(&about.id), &about)?;
        Ok(about)
    }

    /// Returns all files, the newest first.
    pub(super) fn list(&self) -> Result<Vec<About>, Refused> {
        let entries = fs::read_dir(&self.folder)?;
        // One that is still being taken in, or that a killed program left half taken in, is not there yet.
        let settled = entries.filter_map(|entry| self.folder_of(entry.ok()?.file_name().to_str()?).ok());
        let mut files: Vec<About> = settled.filter_map(|folder| read_about(&folder).ok()).collect();
        files.sort_by(|a, b| b.added.cmp(&a.added).then_with(|| a.id.cmp(&b.id)));
        Ok(files)
    }

    /// Returns what is known of a file.
    pub(super) fn about(&self, id: &str) -> Result<About, Refused> {
        read_about(&self.folder_of(id)?).map_err(|_| Refused::Unknown)
    }

    /// Returns a file with its games. Those that are not in the index, because it was damaged, are read again.
    pub(super) fn get(&self, id: &str) -> Result<Shelved, Refused> {
        let folder = self.folder_of(id)?;
        let about = read_about(&folder).map_err(|_| Refused::Unknown)?;
        let text = about.outside.clone().unwrap_or_else(|| folder.join("text"));
        let mut collection = self.collection()?;
        let file = match collection.file(&text)?.filter(|file| file.is_whole) {
            Some(file) => file,
            None => {
                let _held = self.hold(&text)?;
                read_in(&mut collection, &text, &mut |_| {})?;
                collection.file(&text)?.ok_or(Refused::Unknown)?
            }
        };
        let games = usize::try_from(file.games).unwrap_or(usize::MAX);
        Ok(Shelved { about, text, collection, file: file.id, games })
    }

    /// Takes a file away; one that lies outside stays there.
    pub(super) fn remove(&self, id: &str) -> Result<(), Refused> {
        let folder = self.folder_of(id)?;
        let about = self.about(id)?;
        let text = about.outside.unwrap_or_else(|| folder.join("text"));
        let _held = self.hold(&text)?;
        // Without this it is no file any longer, whatever becomes of the rest.
        match fs::remove_file(folder.join("about.json")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Refused::Unknown),
            removed => removed?,
        }
        let forgotten = self.collection().and_then(|mut collection| Ok(collection.remove(&text)?));
        fs::remove_dir_all(folder)?;
        forgotten.map(|_| ())
    }

    /// Returns the folder of a file. What is no id is no part of a path.
    fn folder_of(&self, id: &str) -> Result<PathBuf, Refused> {
        let is_id = id.len() == 32 && id.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if is_id { Ok(self.folder.join(id)) } else { Err(Refused::Unknown) }
    }
}

impl About {
    /// Returns what is known of a file that was read just now.
    fn of(id: String, read: &Summary) -> About {
        About {
            id,
            name: String::new(),
            added: now(),
            bytes: read.bytes,
            encoding: read.encoding.clone(),
            packing: None,
            rules: None,
            games: read.games,
            moves: read.written,
            plies: read.plies,
            repair_count: read.repairs,
            fault_count: read.faults,
            outside: None,
        }
    }
}

impl Shelved {
    /// Returns what is known of a game, counted from 1.
    pub(super) fn entry(&self, number: usize) -> Result<Entry, Refused> {
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        self.collection.entry_of(self.file, number)?.ok_or(Refused::Unknown)
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
        reader.read_from(self.file()?, entry.offset, &mut |game| {
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
        let from = self.entry(number)?.offset;
        let length = match self.entry(number + 1) {
            Ok(next) => next.offset.saturating_sub(from),
            Err(Refused::Unknown) => u64::MAX,
            Err(error) => return Err(error),
        };
        let mut file = self.file()?;
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(length.min(most as u64 + 1)).read_to_end(&mut bytes)?;
        let is_cut = bytes.len() > most;
        bytes.truncate(most);
        Ok((bytes, is_cut))
    }

    pub(super) fn file(&self) -> Result<File, Refused> {
        let file = File::open(&self.text).map_err(|error| match error.kind() {
            // It was taken away meanwhile.
            io::ErrorKind::NotFound => Refused::Unknown,
            _ => Refused::Disk(error),
        })?;
        if self.collection.is_other(&self.text, &file)? { Err(Refused::Changed) } else { Ok(file) }
    }
}

/// Reads a file that has arrived, and moves it to its place.
fn settle(
    collection: &mut Collection,
    incoming: Incoming,
    text: &Path,
    target: &Path,
    about: impl FnOnce(&Summary) -> About,
) -> Result<About, Refused> {
    let (summary, rules) = read_in(collection, text, &mut |_| {})?;
    let about = About { bytes: incoming.bytes, rules, ..about(&summary) };
    write_about(&incoming.folder, &about)?;
    if read_about(target).is_err() {
        // A folder that nothing is known of is the rest of one that was being removed.
        let _ = fs::remove_dir_all(target);
    }
    // Whoever asks for the file in its place finds it in the index already.
    let place = target.join("text");
    collection.rename(text, &place)?;
    if let Err(error) = fs::rename(&incoming.folder, target) {
        collection.remove(&place)?;
        return Err(error.into());
    }
    Ok(about)
}

/// Reads a file into the index. Returns what it comes to, and the rules of most of its games. One without games is not kept.
fn read_in(
    collection: &mut Collection,
    text: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Summary, Option<String>), Refused> {
    // What is there from before does not say what the file comes to.
    collection.remove(text)?;
    let added = collection.add(text, &Options::default(), &mut |at| {
        progress(at);
        ControlFlow::Continue(())
    })?;
    let Added::Read(summary) = added else { return Err(Refused::Unknown) };
    let file = collection.file(text)?.map(|file| file.id);
    if !file.map_or(Ok(false), |file| collection.has_games(file))? {
        collection.remove(text)?;
        return Err(Refused::NoGames);
    }
    let rules = collection.rules(file)?.into_iter().next().map(|(name, _)| name);
    Ok((summary, rules))
}

/// The hash of nothing, which begins every other. FNV-1a, 128 bits: http://www.isthe.com/chongo/tech/comp/fnv/
const HASH_OF_NOTHING: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;

fn hash(before: u128, bytes: &[u8]) -> u128 {
    bytes.iter().fold(before, |hash, byte| {
        (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    })
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

    fn shelved(shelf: &Shelf, text: &str) -> About {
        let mut incoming = shelf.begin().unwrap();
        incoming.write(text.as_bytes()).unwrap();
        shelf.put(incoming, "a.pdn").unwrap()
    }

    #[test]
    fn what_is_still_coming_in_is_not_listed() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::open(folder.path());
        let about = shelved(&shelf, "[White \"Fero\"] 1. 23-19 *\n");
        // As a program leaves it that is killed before it gives the folder its name.
        let files = folder.path().join("files");
        let left = files.join(format!("{INCOMING}1-0"));
        fs::create_dir_all(&left).unwrap();
        fs::copy(files.join(&about.id).join("about.json"), left.join("about.json")).unwrap();
        let listed = shelf.list().unwrap();
        assert_eq!(listed.iter().map(|about| &about.id).collect::<Vec<_>>(), [&about.id]);
    }

    #[test]
    fn an_index_that_is_damaged_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::open(folder.path());
        let about = shelved(&shelf, "[White \"Fero\"] 1. 23-19 *\n[White \"Rossi\"] 1. 22-18 *\n");
        let whites = |shelf: &Shelf| {
            let file = shelf.get(&about.id).unwrap();
            (1..=file.games).map(|n| file.entry(n).unwrap().white).collect::<Vec<_>>()
        };
        assert_eq!(whites(&shelf), ["Fero", "Rossi"]);
        for damage in ["", "no database, but long enough to be looked at as if it were one", "{}\n"] {
            let shelf = Shelf::open(folder.path());
            let seen = *lock(&shelf.generation);
            shelf.forget_index(seen);
            fs::write(folder.path().join("files").join(index_name(*lock(&shelf.generation))), damage)
                .unwrap();
            assert_eq!(whites(&shelf), ["Fero", "Rossi"]);
            assert_eq!(whites(&Shelf::open(folder.path())), ["Fero", "Rossi"]);
        }
    }

    #[test]
    fn a_file_outside_stays_there_and_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let outside = folder.path().join("many.pdn");
        fs::write(&outside, "[White \"Fero\"] 1. 23-19 *\n".repeat(5000)).unwrap();
        let empty = folder.path().join("empty.pdn");
        fs::write(&empty, "").unwrap();
        let data = folder.path().join("data");
        let shelf = Arc::new(Shelf::open(&data));
        let show = |shelf: &Arc<Shelf>, paths: Vec<PathBuf>| {
            shelf.show(paths);
            for _ in 0..600 {
                if shelf.being_read().iter().all(|reading| reading.code.is_some()) {
                    return;
                }
                thread::sleep(Duration::from_millis(50));
            }
            panic!("it takes too long: {:?}", shelf.being_read());
        };
        show(&shelf, vec![outside.clone(), empty]);
        let failed = shelf.being_read();
        assert_eq!(
            (failed.len(), failed[0].name.as_str(), failed[0].code),
            (1, "empty.pdn", Some("no-games"))
        );
        let files = shelf.list().unwrap();
        assert_eq!((files.len(), files[0].games, files[0].name.as_str()), (1, 5000, "many.pdn"));
        let id = &files[0].id;
        assert_eq!(shelf.get(id).unwrap().read_game(5000, |game| game.plies).unwrap(), 1);
        // The next start knows it.
        let again = Arc::new(Shelf::open(&data));
        show(&again, vec![outside.clone()]);
        assert_eq!(again.list().unwrap()[0].added, files[0].added);
        fs::write(&outside, "[White \"Rossi\"] 1. 22-18 *\n").unwrap();
        assert!(matches!(shelf.get(id).unwrap().read_game(1, |_| ()), Err(Refused::Changed)));
        show(&again, vec![outside.clone()]);
        assert_eq!(again.list().unwrap()[0].games, 1);
        shelf.remove(id).unwrap();
        assert!(shelf.list().unwrap().is_empty());
        assert!(outside.exists());
    }
}
