//! What people give the program: rule sets, positions, languages, lines on standard input.

use std::fmt::Display;
use std::fs;
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{anyhow, bail};
use damiera_engine::Level;
use damiera_rules::explain::explain;
use damiera_rules::notation::{self, MoveError};
use damiera_rules::presets::KEYS;
use damiera_rules::{Game, Position, RuleSet, fen};
use damiera_training::player::seconds;
use damiera_words::Lang;

use crate::say;

/// The longest line that is read from standard input, in bytes. The rest of a longer one is skipped.
const MAX_LINE: usize = 64 * 1024;

/// The largest rule file or list of openings that is opened, in bytes.
const MAX_FILE: u64 = 1024 * 1024;

/// More than the positions that any level with a number looks at for a move, in megabytes.
const LEVEL_MEGABYTES: usize = 16;

/// The rules to play by.
#[derive(clap::Args)]
pub(crate) struct RulesArg {
    /// A rule set: a key (italian), a canonical name (brazilian,capture=optional) or a rule file (FILE.toml)
    #[arg(long, value_name = "RULES", value_parser = read_rules)]
    pub(crate) rules: Arc<RuleSet>,
}

/// The position to look at.
#[derive(clap::Args)]
pub(crate) struct FenArg {
    /// The position as FEN, for example W:W21-32:B1-12; without it the start
    #[arg(long, value_name = "FEN")]
    pub(crate) fen: Option<String>,
}

impl FenArg {
    /// Returns the position: what the FEN says, or the start.
    pub(crate) fn position(&self, rules: &RuleSet) -> anyhow::Result<Position> {
        match &self.fen {
            Some(text) => fen::parse(rules, text).map_err(|error| anyhow!("--fen: {error}")),
            None => Ok(rules.initial()),
        }
    }
}

/// The language of the answer.
#[derive(clap::Args)]
pub(crate) struct LangArg {
    /// The language: it, es, pt-BR or en; without it, that of the environment (LC_ALL, LC_MESSAGES, LANG)
    #[arg(long, value_name = "LANG", value_parser = read_lang)]
    lang: Option<Lang>,
}

impl LangArg {
    /// Returns the language to speak.
    pub(crate) fn lang(&self) -> Lang {
        self.lang.unwrap_or_else(|| Lang::from_environment(|name| std::env::var(name).ok()))
    }
}

/// Reads a duration in seconds, such as `0.1s`.
pub(crate) fn read_duration(text: &str) -> Result<Duration, String> {
    seconds(text).ok_or_else(|| {
        "a duration is written in seconds, for example 0.1s; it is more than 0 and at most 1e8s".to_owned()
    })
}

/// Returns a move text without a move number such as `12.` or `12...` in front.
pub(crate) fn without_number(token: &str) -> &str {
    let rest = token.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches('.'),
        None => token,
    }
}

/// Plays moves from a position. The error names the first one that cannot be read or played, and why.
pub(crate) fn play_moves(rules: Arc<RuleSet>, start: Position, texts: &[String]) -> anyhow::Result<Game> {
    let mut game = Game::new(rules, start);
    let tokens = texts.iter().flat_map(|text| text.split_whitespace()).map(without_number);
    for text in tokens.filter(|text| !text.is_empty()) {
        let shown: String = text.chars().take(60).collect();
        let fault = |why: &dyn Display| anyhow!("ply {}, {shown:?}: {why}", game.ply() + 1);
        let m = match notation::parse(game.rules(), game.position(), text) {
            Ok(m) => m,
            Err(MoveError::Illegal { squares }) if game.outcome().is_none() => {
                let reason = explain(game.rules(), game.position(), &squares).reason;
                return Err(fault(&say::why(Lang::En, game.rules(), &reason)));
            }
            Err(error) => return Err(fault(&error)),
        };
        let played = game.play(&m);
        played.map_err(|error| anyhow!("ply {}, {shown:?}: {error}", game.ply() + 1))?;
    }
    Ok(game)
}

fn read_lang(text: &str) -> Result<Lang, String> {
    Lang::parse(text).ok_or_else(|| "known are it, es, pt-BR and en".to_owned())
}

/// Reads a level: its number, as `level:7`, or `best`.
pub(crate) fn read_level(text: &str) -> Result<Level, String> {
    let named = text.parse().or_else(|()| format!("level:{text}").parse());
    named.map_err(|()| format!("\"{text}\" is no level; accepted: 1 to {}, best", Level::COUNT))
}

/// Returns how many of the megabytes of a table a level has use for. Those with a number look at few positions and forget them before every move, which
/// takes the longer the larger the table is.
pub(crate) fn table_of(level: Level, megabytes: usize) -> usize {
    if level.number().is_some() { megabytes.min(LEVEL_MEGABYTES) } else { megabytes }
}

/// Returns every known rule set.
pub(crate) fn all_rules() -> Vec<Arc<RuleSet>> {
    KEYS.iter().filter_map(|key| RuleSet::known(key)).map(Arc::new).collect()
}

/// Returns how many games to play at once: as asked for, or as many as the computer can.
pub(crate) fn games_at_once(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Reads a rule set by name or from a file. A file is meant when the text ends with `.toml`, or names a file and no rule set.
pub(crate) fn read_rules(text: &str) -> anyhow::Result<Arc<RuleSet>> {
    let path = Path::new(text);
    if path.extension().is_some_and(|extension| extension == "toml") {
        return read_rule_file(path).map(Arc::new);
    }
    match RuleSet::parse(text) {
        Ok(rules) => Ok(Arc::new(rules)),
        Err(_) if path.is_file() => read_rule_file(path).map(Arc::new),
        Err(error) => Err(error.into()),
    }
}

/// Reads a rule file.
pub(crate) fn read_rule_file(path: &Path) -> anyhow::Result<RuleSet> {
    let text = read_text(path)?;
    // One message without a cause behind it: the parser of arguments shows no causes.
    RuleSet::from_toml(&text).map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// Reads a text file of moderate size.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    let name = || path.display().to_string();
    let unreadable = |error: io::Error| anyhow!("{}: {error}", path.display());
    let size = fs::metadata(path).map_err(unreadable)?.len();
    if size > MAX_FILE {
        bail!("{}: {size} bytes are too many (at most {MAX_FILE})", name());
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        anyhow!("{}: line {line}: the file is not UTF-8", name())
    })
}

/// A line of standard input.
pub(crate) enum Line {
    /// Its text, without the end of line. Bytes that are not UTF-8 are replaced, so that whoever reads the text finds them wrong.
    Text(String),
    /// It was too long to be read.
    TooLong,
}

/// Reads the next line; `None` at the end of the input.
pub(crate) fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            if bytes.is_empty() && !too_long {
                return Ok(None);
            }
            break;
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        too_long |= bytes.len() + part.len() > MAX_LINE;
        if !too_long {
            bytes.extend_from_slice(part);
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if too_long {
        return Ok(Some(Line::TooLong));
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    Ok(Some(Line::Text(String::from_utf8_lossy(&bytes).into_owned())))
}
