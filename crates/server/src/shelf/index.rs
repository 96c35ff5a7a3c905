//! What is known of each game of a file: who played it, where it stands, and the words by which it is found.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

use damiera_pdn::{Code, GameRead, Grade, Options, Summary, read};
use serde::{Deserialize, Serialize};

use super::Refused;

/// How many games of a file are listed. For more there are collections (`damiera pdn`).
pub(super) const MOST_GAMES: usize = 200_000;

/// How much is kept of a tag's value, in characters.
const FIELD: usize = 200;

/// How much is kept of all words of a game together, in bytes.
const WORDS: usize = 2000;

/// One game. It is a line of the index file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The byte of the text where it begins.
    pub(super) at: u64,
    /// The line of the file where it begins, from 1.
    pub(super) line: u64,
    pub(super) white: String,
    pub(super) black: String,
    pub(super) event: String,
    pub(super) date: String,
    pub(super) result: String,
    /// The canonical name of its rules.
    pub(super) rules: String,
    /// How many plies were played, variations left out.
    pub(super) plies: usize,
    pub(super) repairs: usize,
    pub(super) faults: usize,
    /// All tags' values as they are compared.
    words: String,
}

/// What a file's games come to.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) summary: Summary,
    /// The rules of most games.
    pub(super) rules: Option<String>,
}

impl Entry {
    fn of(game: &GameRead<'_>) -> Entry {
        let tree = game.tree;
        let tag = |name| tree.tag(name).unwrap_or_default().chars().take(FIELD).collect();
        let faults = game.findings.iter().filter(|f| f.grade() == Grade::Fault).count();
        Entry {
            at: game.place.offset,
            line: game.place.line,
            white: tag("White"),
            black: tag("Black"),
            event: tag("Event"),
            date: tag("Date"),
            result: tree.verdict.text(tree.rules()).to_owned(),
            rules: tree.rules().canonical().to_owned(),
            plies: tree.main_line().count(),
            repairs: game.findings.len() - faults,
            faults,
            words: words(&tree.tags),
        }
    }

    /// Returns whether all of these words occur in the game's tags. They must be [`plain`].
    pub(super) fn has(&self, wanted: &[&str]) -> bool {
        wanted.iter().all(|word| self.words.contains(word))
    }
}

/// Returns whether there is anything of a game in it: a move, a position, a name. Words and signs alone may be from a file of any kind.
fn is_game(game: &GameRead<'_>) -> bool {
    let tree = game.tree;
    game.plies > 0
        || *tree.start() != tree.rules().initial()
        || game.findings.iter().any(|finding| finding.code == Code::Position)
        || ["Event", "Site", "Date", "Round", "White", "Black"].iter().any(|name| tree.tag(name).is_some())
}

fn words(tags: &[(String, String)]) -> String {
    let mut words = String::new();
    for (_, value) in tags {
        if words.len() > WORDS {
            break;
        }
        let shown: String = value.chars().take(FIELD).collect();
        words.push_str(&plain(&shown));
        words.push(' ');
    }
    words
}

/// Returns a text as it is compared: in small Latin letters without accents, whatever script it is written in.
pub(super) fn plain(text: &str) -> String {
    deunicode::deunicode(text).to_lowercase()
}

/// Reads a text and writes its index.
pub(super) fn make(text: &Path, index: &Path) -> Result<Made, Refused> {
    let mut out = BufWriter::new(File::create(index)?);
    let mut written = Ok(());
    let mut rules: BTreeMap<String, u64> = BTreeMap::new();
    let (mut games, mut has_game) = (0, false);
    let summary = read(File::open(text)?, &Options::default(), &mut |game| {
        games += 1;
        has_game |= is_game(&game);
        let entry = Entry::of(&game);
        match rules.get_mut(&entry.rules) {
            Some(count) => *count += 1,
            None => _ = rules.insert(entry.rules.clone(), 1),
        }
        written = write_line(&mut out, &entry);
        if written.is_err() || games > MOST_GAMES {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    written?;
    out.flush()?;
    if games > MOST_GAMES {
        return Err(Refused::TooManyGames(MOST_GAMES));
    }
    if !has_game {
        return Err(Refused::NoGames);
    }
    let rules = rules.into_iter().max_by_key(|(_, count)| *count).map(|(name, _)| name);
    Ok(Made { summary, rules })
}

fn write_line(out: &mut impl Write, entry: &Entry) -> io::Result<()> {
    serde_json::to_writer(&mut *out, entry)?;
    out.write_all(b"\n")
}

/// Reads an index. Fails when it is not whole.
pub(super) fn load(index: &Path, games: u64) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for line in BufReader::new(File::open(index)?).lines() {
        entries.push(serde_json::from_str(&line?)?);
    }
    if entries.len() as u64 == games { Ok(entries) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
