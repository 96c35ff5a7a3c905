//! The games on disk: one file of JSON lines each, written after every event and before anybody is told of it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use damiera_table::{Record, Table};

/// The longest log that is read, in bytes. The longest game has a hundredth of it.
const MAX_LOG: u64 = 64 * 1024 * 1024;

/// The folder of the games.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    folder: PathBuf,
}

/// Why a game could not be read.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// There is no such game.
    Unknown,
    /// The file is there; this is wrong with it.
    Broken(String),
}

/// The open file of one game. It is locked against other programs as long as it is open.
#[derive(Debug)]
pub(crate) struct GameFile {
    file: File,
    /// How many bytes are sound; what follows is the rest of a line that was never finished.
    sound: u64,
}

impl Store {
    /// Opens the folder `games` below the data folder, and makes it if need be.
    pub(crate) fn open(data_dir: &Path) -> Store {
        let folder = data_dir.join("games");
        if let Err(error) = std::fs::create_dir_all(&folder) {
            eprintln!("damiera: games cannot be kept in {}: {error}", folder.display());
        }
        Store { folder }
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.jsonl"))
    }

    /// Begins the file of a new game.
    pub(crate) fn create(&self, id: &str) -> io::Result<GameFile> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(self.path(id))?;
        lock(&file)?;
        Ok(GameFile { file, sound: 0 })
    }

    /// Reads a game. A last line that was never finished is dropped: nobody was told of it.
    pub(crate) fn load(&self, id: &str) -> Result<(Table, GameFile), Unreadable> {
        let path = self.path(id);
        let file = match OpenOptions::new().read(true).write(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Unreadable::Unknown),
            Err(error) => return Err(broken(&path, &error.to_string())),
        };
        lock(&file).map_err(|error| broken(&path, &error.to_string()))?;
        must_be_a_log(&file).map_err(|text| broken(&path, &text))?;
        let mut bytes = Vec::new();
        (&file).read_to_end(&mut bytes).map_err(|error| broken(&path, &error.to_string()))?;
        let (records, sound) = read_records(&bytes).map_err(|text| broken(&path, &text))?;
        if records.is_empty() {
            return Err(broken(&path, "it is empty"));
        }
        let table = Table::restore(id, &records).map_err(|damage| broken(&path, &damage.to_string()))?;
        let mut file = GameFile { file, sound };
        if sound < bytes.len() as u64 {
            file.drop_rest().map_err(|error| broken(&path, &error.to_string()))?;
        }
        Ok((table, file))
    }
}

fn broken(path: &Path, text: &str) -> Unreadable {
    Unreadable::Broken(format!("the file {} cannot be read: {text}", path.display()))
}

/// Refuses what would be read without end: a pipe, a device, a file larger than any game.
fn must_be_a_log(file: &File) -> Result<(), String> {
    let about = file.metadata().map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is no file".to_string());
    }
    if about.len() > MAX_LOG {
        return Err(format!("{} bytes are more than a game has (at most {MAX_LOG})", about.len()));
    }
    Ok(())
}

/// Locks a game against another program on the same folder. Where the file system knows no locks, there are none.
fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another program is playing this game")),
        Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => Err(error),
        _ => Ok(()),
    }
}

/// Reads the lines of a log, and says how many bytes are sound.
fn read_records(bytes: &[u8]) -> Result<(Vec<Record>, u64), String> {
    let mut records = Vec::new();
    let mut sound = 0;
    for (i, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        if line.last() != Some(&b'\n') {
            break;
        }
        let record = serde_json::from_slice(line).map_err(|error| format!("line {}: {error}", i + 1))?;
        records.push(record);
        sound += line.len() as u64;
    }
    Ok((records, sound))
}

impl GameFile {
    /// Writes events, each a line. After a failure nothing of them counts as written.
    pub(crate) fn append(&mut self, records: &[Record]) -> io::Result<()> {
        let mut lines = Vec::new();
        for record in records {
            serde_json::to_writer(&mut lines, record)?;
            lines.push(b'\n');
        }
        self.file.seek(SeekFrom::Start(self.sound))?;
        let written = self.file.write_all(&lines).and_then(|()| self.file.flush());
        if written.is_err() {
            // A half-written line must not stand before the next one. Should this fail too, the next append overwrites it.
            let _ = self.drop_rest();
            return written;
        }
        self.sound += lines.len() as u64;
        Ok(())
    }

    fn drop_rest(&mut self) -> io::Result<()> {
        self.file.set_len(self.sound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damiera_table::{Message, New, Seat, Seats};

    fn two_persons() -> New {
        New {
            rules: "italian".into(),
            seats: Seats { white: Seat::Person, black: Seat::Person },
            fen: None,
            opening: None,
        }
    }

    /// Writes a game of one move to disk and returns its folder, its file and the table.
    fn written() -> (tempfile::TempDir, PathBuf, Table) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path());
        let (mut table, created) = Table::create("g", two_persons(), 1, 0).unwrap();
        let mut file = store.create("g").unwrap();
        file.append(&[created]).unwrap();
        let message = r#"{"t":"move","id":"1","ply":0,"game":"g","from":"23","to":"20"}"#;
        let effects = table.handle(&Message::read(message).unwrap(), 1).unwrap();
        file.append(&effects.records).unwrap();
        let path = store.path("g");
        (folder, path, table)
    }

    #[test]
    fn a_game_comes_back() {
        let (folder, _, table) = written();
        let (back, _) = Store::open(folder.path()).load("g").unwrap();
        assert_eq!(back.state(None), table.state(None));
    }

    #[test]
    fn a_torn_last_line_is_dropped_and_the_game_goes_on() {
        let (folder, path, table) = written();
        OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(b"{\"seq\":2,\"event\":{\"ty")
            .unwrap();
        let store = Store::open(folder.path());
        let (mut back, mut file) = store.load("g").unwrap();
        assert_eq!(back.state(None), table.state(None));
        let message = r#"{"t":"resign","id":"1","ply":1,"game":"g"}"#;
        file.append(&back.handle(&Message::read(message).unwrap(), 1).unwrap().records).unwrap();
        drop(file);
        assert_eq!(store.load("g").unwrap().0.state(None), back.state(None));
    }

    #[test]
    fn a_file_larger_than_any_game_is_not_read() {
        let (folder, path, _) = written();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(MAX_LOG + 1).unwrap();
        let Err(Unreadable::Broken(text)) = Store::open(folder.path()).load("g") else {
            panic!("it should be refused")
        };
        assert!(text.contains("more than a game has"), "{text}");
    }

    #[test]
    fn damage_in_the_middle_is_named() {
        let (folder, path, _) = written();
        let text = std::fs::read_to_string(&path).unwrap().replace("\"23\"", "\"99\"");
        std::fs::write(&path, text).unwrap();
        let store = Store::open(folder.path());
        let Err(Unreadable::Broken(text)) = store.load("g") else { panic!("it should be refused") };
        assert!(text.contains("event 1") && text.contains("99"), "{text}");
        std::fs::write(&path, b"\xff\xfe garbage\n").unwrap();
        assert!(matches!(store.load("g"), Err(Unreadable::Broken(text)) if text.contains("line 1")));
        std::fs::write(&path, b"").unwrap();
        assert!(matches!(store.load("g"), Err(Unreadable::Broken(_))));
        assert!(matches!(store.load("h"), Err(Unreadable::Unknown)));
    }

    #[test]
    fn two_programs_do_not_play_one_game() {
        let (folder, _, _) = written();
        let store = Store::open(folder.path());
        let first = store.load("g").unwrap();
        assert!(matches!(store.load("g"), Err(Unreadable::Broken(text)) if text.contains("another program")));
        drop(first);
        assert!(store.load("g").is_ok());
    }
}
