//! The record of a match: a PDN file with every game that is over, from which a match that was stopped goes on.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use damiera_pdn::{GameTree, Style, Verdict, tag_line};
use damiera_rules::Side;
use time::OffsetDateTime;

use crate::match_play::{Ending, Played, Point, Standing};

/// The end of a game: the end mark, and the empty line that no game has inside its moves.
const END: &str = "*\n\n";

/// Returns a game of a match as PDN. `event` is what [`crate::match_play::Match::describe`] says.
pub fn to_pdn(event: &str, played: &Played) -> String {
    let [first, second] = &played.names;
    let (white, black) = if played.side.is_white() { (first, second) } else { (second, first) };
    let round = (played.number + 1).to_string();
    let (date, termination) = (today(), termination(played));
    let mut tree = GameTree::of(&played.game);
    tree.verdict = played.winner().map_or(Verdict::Drawn, Verdict::Won);
    let tags = [
        ("Event", event),
        ("Date", &date),
        ("Round", &round),
        ("White", white),
        ("Black", black),
        ("Opening", &played.opening),
        ("Termination", &termination),
    ];
    tree.tags = tags.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let last = tree.last();
    tree.remarks_mut(last).comments.push(comment(played));
    tree.pdn(Style::default()).to_string()
}

/// Returns the date, as PDN writes it.
fn today() -> String {
    let date = OffsetDateTime::now_utc().date();
    format!("{}.{:02}.{:02}", date.year(), u8::from(date.month()), date.day())
}

fn at_fault_side(played: &Played) -> Option<Side> {
    played.at_fault().map(|player| if player == 0 { played.side } else { played.side.other() })
}

fn side_name(side: Side) -> &'static str {
    if side.is_white() { "White" } else { "Black" }
}

fn termination(played: &Played) -> String {
    match at_fault_side(played) {
        Some(side) => format!("{} by {}", played.clause(), side_name(side)),
        None => played.clause().to_owned(),
    }
}

fn comment(played: &Played) -> String {
    match &played.ending {
        Ending::Rules(_) => played.clause().to_owned(),
        Ending::TooLong => format!("too long: stopped after {} plies, counts as drawn", played.game.ply()),
        Ending::Adjudged(side) => format!("adjudged: both players see {} win", side_name(*side)),
        Ending::Fault { fault, .. } => format!("{}: {fault}", termination(played)),
    }
}

/// Why a record cannot be gone on with.
#[derive(Debug)]
pub enum RecordError {
    /// The file cannot be read or written.
    Io(io::Error),
    /// The file has games already, and nobody asked to go on.
    Exists,
    /// The path is that of a device or the like, of which no match can go on.
    NoFile,
    /// Another match is writing to the file.
    InUse,
    /// The file's games belong to another match.
    Other {
        /// What the file says.
        found: String,
        /// What this match says.
        expected: String,
    },
    /// A game in the file has not the tags that this program writes.
    Strange {
        /// Which game of the file, from 1.
        game: usize,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Io(error) => error.fmt(f),
            RecordError::Exists => f.write_str("the file has games already; --resume goes on with its match"),
            RecordError::NoFile => f.write_str("this is no ordinary file"),
            RecordError::InUse => f.write_str("another match is writing to this file"),
            RecordError::Other { found, expected } => {
                write!(f, "the file's games belong to another match: \"{found}\", not \"{expected}\"")
            }
            RecordError::Strange { game } => {
                write!(
                    f,
                    "game {game} of the file is not of a match: it lacks Event, Round, Result or Termination"
                )
            }
        }
    }
}

impl std::error::Error for RecordError {}

impl From<io::Error> for RecordError {
    fn from(error: io::Error) -> RecordError {
        RecordError::Io(error)
    }
}

/// The file of a match.
#[derive(Debug)]
pub struct Log {
    file: File,
    event: String,
}

impl Log {
    /// Opens the file of a match. With `resume` the games that it has count, and one that was not written to its end is cut off; without, it must have none.
    pub fn open(path: &Path, event: &str, resume: bool) -> Result<(Log, Standing), RecordError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if !file.metadata()?.is_file() {
            return Err(RecordError::NoFile);
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RecordError::InUse),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if !resume && !bytes.is_empty() {
            return Err(RecordError::Exists);
        }
        let (standing, whole) = read_games(&bytes, event)?;
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Log { file, event: event.to_owned() }, standing))
    }

    /// Adds a game.
    pub fn add(&mut self, played: &Played) -> io::Result<()> {
        self.file.write_all(to_pdn(&self.event, played).as_bytes())
    }
}

/// Reads the games of a match's file; returns how the match stands and how many bytes its whole games take. What stands behind them must be the beginning
/// of another game of this match, for it is cut off.
fn read_games(bytes: &[u8], event: &str) -> Result<(Standing, usize), RecordError> {
    let mut standing = Standing::default();
    let mut whole = 0;
    for game in 1.. {
        let rest = &bytes[whole..];
        let Some(end) = rest.windows(END.len()).position(|window| window == END.as_bytes()) else {
            let begins = tag_line("Event", event);
            if rest.starts_with(begins.as_bytes()) || begins.as_bytes().starts_with(rest) {
                break;
            }
            return Err(match std::str::from_utf8(rest).ok().and_then(event_of) {
                Some(found) if found != event => RecordError::Other { found, expected: event.to_owned() },
                _ => RecordError::Strange { game },
            });
        };
        let text = &rest[..end + END.len()];
        let read = std::str::from_utf8(text).ok().and_then(read_game);
        let (found, point) = read.ok_or(RecordError::Strange { game })?;
        if found != event {
            return Err(RecordError::Other { found, expected: event.to_owned() });
        }
        standing.count(point);
        whole += text.len();
    }
    Ok((standing, whole))
}

/// Returns the event of the first game in a text.
fn event_of(text: &str) -> Option<String> {
    text.lines().find_map(|line| tag_value(line, "Event"))
}

/// Reads what a match needs of a game that this program has written: the event and how the game counts.
fn read_game(text: &str) -> Option<(String, Point)> {
    let tag = |name: &str| text.lines().find_map(|line| tag_value(line, name));
    let number = tag("Round")?.parse::<u32>().ok()?.checked_sub(1)?;
    let first = if number.is_multiple_of(2) { Side::White } else { Side::Black };
    let termination = tag("Termination")?;
    let half_points = match Verdict::parse(&tag("Result")?) {
        Verdict::Won(side) => 2 * u8::from(side == first),
        Verdict::Drawn => 1,
        Verdict::Open | Verdict::BothLost | Verdict::Points(_) => return None,
    };
    let player = |side: Side| usize::from(side != first);
    let at_fault = [Side::White, Side::Black]
        .into_iter()
        .find(|side| termination.ends_with(&format!(" by {}", side_name(*side))))
        .map(player);
    Some((tag("Event")?, Point { number, half_points, too_long: termination == "too-long", at_fault }))
}

/// Returns the value of a tag when the line is one of this name.
fn tag_value(line: &str, name: &str) -> Option<String> {
    let quoted = line.strip_prefix('[')?.strip_prefix(name)?.strip_prefix(" \"")?.strip_suffix("\"]")?;
    let mut value = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        value.push(if c == '\\' { chars.next()? } else { c });
    }
    Some(value)
}
