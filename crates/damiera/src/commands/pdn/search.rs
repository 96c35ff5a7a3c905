//! `damiera pdn search`: games of many files, by names, dates, results and by what was on the board.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use damiera_collection::{Added, Collection, Dates, Entry, Hit, Material, Pattern, Placed, Query, Won};
use damiera_pdn::{Options, Style};
use damiera_rules::{RuleSet, fen, notation};
use damiera_words::{Lang, t};
use serde::Serialize;

use crate::input::{LangArg, read_rules, without_number};
use crate::output::{Answer, Out, json_line};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The files to look into: PDN, also packed as .gz or .bz2. With --index they need not be named again
    #[arg(value_name = "FILE", required_unless_present = "index")]
    files: Vec<PathBuf>,
    /// Keep what was read of the files in this index, so that they are read only once
    #[arg(long, value_name = "INDEX")]
    index: Option<PathBuf>,
    #[command(flatten)]
    asked: Asked,
    /// How many games are listed
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Write the games as PDN instead of a list
    #[arg(long, conflicts_with = "json")]
    pdn: bool,
    #[command(flatten)]
    lang: LangArg,
    /// Print a JSON object a game
    #[arg(long)]
    json: bool,
}

/// What a game must have.
#[derive(clap::Args)]
struct Asked {
    /// Only games by these rules; squares are named as there
    #[arg(long, value_name = "RULES", value_parser = read_rules)]
    rules: Option<Arc<RuleSet>>,
    /// Words in any tag, in any order, with or without accents
    #[arg(long, value_name = "WORDS")]
    words: Option<String>,
    /// Words in the name of one of the players
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Words in White's name
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// Words in Black's name
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Words in the name of the event or of its site
    #[arg(long, value_name = "WORDS")]
    event: Option<String>,
    /// A year, month or day, or two of them: 1990, 1990.05, 1990..1995
    #[arg(long, value_name = "DATE")]
    date: Option<Dates>,
    /// Who won
    #[arg(long, value_enum)]
    result: Option<Winner>,
    /// A position, as FEN
    #[arg(long, value_name = "FEN", group = "board")]
    position: Option<String>,
    /// Some squares: ?:W27,K46:B18,*24:E22 has a white man on 27, a white king on 46, a black man on 18, a black man or king on 24 and nothing on 22
    #[arg(long, value_name = "PATTERN", group = "board")]
    pattern: Option<String>,
    /// Men and kings of White and of Black: "4+1k v 3"
    #[arg(long, value_name = "PIECES", group = "board")]
    material: Option<String>,
    /// Also with the colours exchanged, seen from the other side
    #[arg(long, requires = "board")]
    reversed: bool,
    /// Moves that follow each other at some moment: "32-28 19-23 28x19"; of a capture its ends count
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Winner {
    White,
    Black,
    Draw,
    Other,
}

impl Asked {
    /// Returns the query. Squares without --rules are those of the games themselves, where they all have the same board.
    fn query(&self, collection: &Collection) -> anyhow::Result<Query> {
        let won = self.result.map(|result| match result {
            Winner::White => Won::White,
            Winner::Black => Won::Black,
            Winner::Draw => Won::Nobody,
            Winner::Other => Won::Unknown,
        });
        let mut query = Query {
            rules: self.rules.as_ref().map(|rules| rules.canonical().to_owned()),
            words: self.words.clone(),
            player: self.player.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            event: self.event.clone(),
            dates: self.date,
            won,
            or_reversed: self.reversed,
            ..Query::default()
        };
        if self.position.is_none()
            && self.pattern.is_none()
            && self.material.is_none()
            && self.moves.is_none()
        {
            return Ok(query);
        }
        if let Some(text) = &self.material {
            let material = Material::parse(text).context("--material")?;
            query.placed = Some((self.rules.as_ref().map(|rules| rules.shape()), Placed::Material(material)));
            if self.moves.is_none() {
                return Ok(query);
            }
        }
        let Some(rules) = self.board(collection)? else { return Ok(query) };
        if let Some(placed) = self.placed(&rules)? {
            query.placed = Some((Some(rules.shape()), placed));
        }
        query.moves = self.moves.as_deref().map_or(Ok(Vec::new()), |text| moves(&rules, text))?;
        Ok(query)
    }

    /// Returns rules that name the squares as the games do; none where there are no games.
    fn board(&self, collection: &Collection) -> anyhow::Result<Option<Arc<RuleSet>>> {
        if let Some(rules) = &self.rules {
            return Ok(Some(Arc::clone(rules)));
        }
        let names = collection.rules(None)?;
        let mut all = names.iter().filter_map(|(name, _)| RuleSet::parse(name).ok());
        let Some(first) = all.next() else { return Ok(None) };
        if let Some(other) = all.find(|other| other.board() != first.board()) {
            bail!(
                "the games have boards of more than one kind ({}, {} …): say with --rules which one is meant",
                first.canonical(),
                other.canonical()
            );
        }
        Ok(Some(Arc::new(first)))
    }

    fn placed(&self, rules: &RuleSet) -> anyhow::Result<Option<Placed>> {
        if let Some(text) = &self.position {
            let position = fen::parse(rules, text).map_err(|error| anyhow!("--position: {error}"))?;
            return Ok(Some(Placed::Position(position)));
        }
        Ok(match &self.pattern {
            Some(text) => Some(Placed::Pattern(Pattern::parse(rules, text).context("--pattern")?)),
            None => None,
        })
    }
}

/// Reads moves such as `1. 32-28 19-23`: where each begins and ends.
fn moves(rules: &RuleSet, text: &str) -> anyhow::Result<Vec<(u8, u8)>> {
    let tokens = text.split_whitespace().map(without_number).filter(|token| !token.is_empty());
    let moves = tokens.map(|token| {
        let squares =
            notation::parse_squares(rules, token).map_err(|error| anyhow!("--moves: {token}: {error}"))?;
        match (squares.first(), squares.last()) {
            (Some(from), Some(to)) if squares.len() > 1 => Ok((*from, *to)),
            _ => bail!("--moves: {token} is no move"),
        }
    });
    let moves: Vec<(u8, u8)> = moves.collect::<anyhow::Result<_>>()?;
    if moves.is_empty() {
        bail!("--moves: there is no move in {text:?}");
    }
    Ok(moves)
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let lang = args.lang.lang();
    let mut collection = match &args.index {
        Some(path) if args.files.is_empty() && !path.exists() => {
            bail!("{}: there is no such index; name the files of games to make it", path.display())
        }
        Some(path) => Collection::open(path)?,
        None => Collection::temporary()?,
    };
    if args.files.iter().any(|path| path == Path::new("-")) {
        bail!("standard input cannot be searched: a game that is found is read again from its file");
    }
    for path in &args.files {
        add(&mut collection, path, lang)?;
    }
    let query = args.asked.query(&collection)?;
    let hits = collection.search(&query)?;
    for hit in hits.iter().take(args.limit) {
        let Some(entry) = collection.entry(hit.game)? else { continue };
        if args.pdn {
            let game = collection.read_game(&entry, |game| game.tree.pdn(Style::default()).to_string())?;
            out.write_all(game.as_bytes())?;
        } else if args.json {
            json_line(out, &HitJson::of(&entry, *hit))?;
        } else {
            print(out, &entry, *hit, query.placed.is_some() || !query.moves.is_empty(), lang)?;
        }
    }
    out.flush()?;
    if !args.json {
        let all = collection.len()?;
        eprintln!("{}", t(lang, "pdn.search.found", &[("n", &hits.len()), ("games", &all)]));
        if hits.len() > args.limit {
            eprintln!("{}", t(lang, "pdn.search.more", &[("n", &args.limit)]));
        }
    }
    Ok(if hits.is_empty() { Answer::No } else { Answer::Done })
}

/// Reads a file into the index, telling on a terminal how far it has come.
fn add(collection: &mut Collection, path: &Path, lang: Lang) -> anyhow::Result<()> {
    let is_watched = std::io::stderr().is_terminal();
    let added = collection.add(path, &Options::default(), &mut |progress| {
        if is_watched {
            let percent = (progress.bytes * 100).checked_div(progress.of).unwrap_or(100);
            let name = path.display().to_string();
            let values: [(&str, &dyn std::fmt::Display); 3] =
                [("file", &name), ("percent", &percent), ("games", &progress.games)];
            eprint!("\r{}", t(lang, "pdn.search.reading", &values));
        }
        ControlFlow::Continue(())
    })?;
    if let (true, Added::Read(summary)) = (is_watched, added) {
        let name = path.display().to_string();
        eprintln!("\r\x1b[K{}", t(lang, "pdn.search.read", &[("file", &name), ("games", &summary.games)]));
    }
    Ok(())
}

#[derive(Serialize)]
struct HitJson<'a> {
    file: String,
    game: u64,
    line: u64,
    white: &'a str,
    black: &'a str,
    event: &'a str,
    site: &'a str,
    round: &'a str,
    date: &'a str,
    result: &'a str,
    rules: &'a str,
    plies: u32,
    /// After how many plies what was asked for is on the board.
    ply: u32,
}

impl<'a> HitJson<'a> {
    fn of(entry: &'a Entry, hit: Hit) -> HitJson<'a> {
        HitJson {
            file: entry.path.display().to_string(),
            game: entry.number,
            line: entry.line,
            white: &entry.white,
            black: &entry.black,
            event: &entry.event,
            site: &entry.site,
            round: &entry.round,
            date: &entry.date,
            result: &entry.result,
            rules: &entry.rules,
            plies: entry.plies,
            ply: hit.ply,
        }
    }
}

fn print(out: &mut Out, entry: &Entry, hit: Hit, has_ply: bool, lang: Lang) -> anyhow::Result<()> {
    let name = |name: &str| if name.is_empty() { "?".to_owned() } else { plain(name) };
    let of = [name(&entry.white), name(&entry.black)].join(" – ");
    let mut line = format!("{}:{}  {of}  {}", entry.path.display(), entry.line, plain(&entry.result));
    for more in [&entry.date, &entry.event, &entry.site, &entry.round] {
        if !more.is_empty() {
            line.push_str("  ");
            line.push_str(&plain(more));
        }
    }
    if has_ply {
        line.push_str("  ");
        line.push_str(&t(lang, "pdn.search.after", &[("n", &hit.ply)]));
    }
    writeln!(out, "{line}")?;
    Ok(())
}

/// Returns a text of a file without signs that steer a terminal.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}
