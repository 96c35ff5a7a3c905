//! Where annotated games go: a file that grows game by game and from which a run that was stopped goes on, or standard output.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use damiera_pdn::{GameTree, Options, Style, read};
use damiera_rules::RuleSet;
use same_file::is_same_file;

use crate::output::Out;

/// The end of a game, behind which an empty line follows.
const END: &[u8] = b"*\n";

/// More text than any game has that was written.
const MOST: u64 = 256 << 20;

/// Where the games go.
pub(super) enum Record<'a> {
    Output(&'a mut Out),
    File { file: File, path: PathBuf },
}

impl Record<'_> {
    /// Writes a game, so that it is there whatever happens next.
    pub(super) fn add(&mut self, text: &str) -> anyhow::Result<()> {
        match self {
            Record::Output(out) => {
                out.write_all(text.as_bytes())?;
                out.flush()?;
            }
            Record::File { file, path } => {
                file.write_all(text.as_bytes()).with_context(|| path.display().to_string())?;
            }
        }
        Ok(())
    }
}

/// Complains where the record would be one of the files that are read, by whatever name: what is cut off a record is gone.
pub(super) fn refuse_input(path: &Path, inputs: &[PathBuf]) -> anyhow::Result<()> {
    // What is not there yet is none of the files; a pipe cannot be compared, for that opens it.
    let is_input = |input: &PathBuf| input.is_file() && is_same_file(path, input).unwrap_or(false);
    if path.is_file() && inputs.iter().any(is_input) {
        bail!("{}: --out must be another file than those that are read", path.display());
    }
    Ok(())
}

/// Begins a new record in a file that must not exist.
pub(super) fn create(path: &Path) -> anyhow::Result<Record<'static>> {
    let file = File::create_new(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            anyhow!("{}: the file exists already; --resume goes on with its games", path.display())
        }
        _ => anyhow!("{}: {error}", path.display()),
    })?;
    lock(&file, path)?;
    Ok(Record::File { file, path: path.to_owned() })
}

fn lock(file: &File, path: &Path) -> anyhow::Result<()> {
    let name = || path.display().to_string();
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => bail!("{}: another run is writing to this file", name()),
        Err(TryLockError::Error(error)) => Err(error).with_context(name),
    }
}

/// The games of a record that was begun before, one after the other.
pub(super) struct Begun {
    path: PathBuf,
    input: BufReader<File>,
    /// The rules that the games were read by, where they were told.
    rules: Option<Arc<RuleSet>>,
    /// How many games were whole, and how many bytes they take.
    games: u64,
    whole: u64,
}

/// What comes next in a record.
enum Next {
    Game(Vec<u8>),
    /// No whole game: what stands behind the last one.
    Rest(Vec<u8>),
}

impl Begun {
    /// Opens a record to go on with. One that is not there yet is begun.
    pub(super) fn open(path: &Path, rules: Option<Arc<RuleSet>>) -> anyhow::Result<Begun> {
        let name = || path.display().to_string();
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = opened.with_context(name)?;
        if !file.metadata().with_context(name)?.is_file() {
            bail!("{}: this is no ordinary file", name());
        }
        lock(&file, path)?;
        Ok(Begun { path: path.to_owned(), input: BufReader::new(file), rules, games: 0, whole: 0 })
    }

    /// Takes the next game of the record, which has to be this one. Returns false at the record's end; what stands there must be the
    /// beginning of this game, for it is cut off.
    pub(super) fn take(&mut self, expected: &GameTree) -> anyhow::Result<bool> {
        let number = self.games + 1;
        match self.next()? {
            Next::Game(text) => {
                let found = self.parse(&text)?;
                if !found.is_some_and(|found| is_same_game(&found, expected)) {
                    bail!(
                        "{}: game {number} is not the one that these files, limits and options give; begin anew with another file",
                        self.path.display()
                    );
                }
                self.games = number;
                self.whole += text.len() as u64;
                Ok(true)
            }
            Next::Rest(rest) => {
                // The tags are known before the game is gone over, and among them the one that names us.
                let text = expected.pdn(Style::default()).to_string();
                let tags = text.split_once("\n\n").map_or(&*text, |(tags, _)| tags).as_bytes();
                if !tags.starts_with(&rest) && !rest.starts_with(tags) {
                    bail!(
                        "{}: what stands behind game {} is not of this record",
                        self.path.display(),
                        self.games
                    );
                }
                Ok(false)
            }
        }
    }

    /// Returns whether the record has nothing more.
    pub(super) fn is_over(&mut self) -> anyhow::Result<bool> {
        Ok(matches!(self.next()?, Next::Rest(rest) if rest.is_empty()))
    }

    /// Goes on behind the whole games.
    pub(super) fn go_on(self) -> anyhow::Result<Record<'static>> {
        let name = || self.path.display().to_string();
        let mut file = self.input.into_inner();
        file.set_len(self.whole).with_context(name)?;
        file.seek(SeekFrom::End(0)).with_context(name)?;
        Ok(Record::File { file, path: self.path })
    }

    fn next(&mut self) -> anyhow::Result<Next> {
        let mut text = Vec::new();
        let mut input = self.input.by_ref().take(MOST);
        let mut ends = false;
        loop {
            let before = text.len();
            let read = input.read_until(b'\n', &mut text);
            if read.with_context(|| self.path.display().to_string())? == 0 {
                return Ok(Next::Rest(text));
            }
            let line = &text[before..];
            if ends && line == b"\n" {
                return Ok(Next::Game(text));
            }
            ends = line.ends_with(END);
        }
    }

    fn parse(&self, text: &[u8]) -> anyhow::Result<Option<GameTree>> {
        let mut found = None;
        read(text, &Options { rules: self.rules.clone() }, &mut |game| {
            found = Some(game.tree.clone());
            ControlFlow::Break(())
        })
        .with_context(|| self.path.display().to_string())?;
        Ok(found)
    }
}

/// Returns whether two games are the same by their tags, results and moves, whatever is said about them.
fn is_same_game(found: &GameTree, expected: &GameTree) -> bool {
    let steps = |tree: &GameTree| -> Vec<_> {
        tree.main_line().map(|id| (tree.node(id).step(), *tree.node(id).position())).collect()
    };
    found.rules() == expected.rules()
        && found.tags == expected.tags
        && found.verdict == expected.verdict
        && found.start() == expected.start()
        && found.first_number == expected.first_number
        && steps(found) == steps(expected)
}
