//! The replaying reader: on top of the scanner it knows the rules, finds out which of them a game was played by, and yields trees of legal moves.
//!
//! ```
//! use std::ops::ControlFlow;
//! use damiera_pdn::{Options, read};
//!
//! let file = b"[White \"Fero\"] 1. 23-19 11x15 2. 21-17 10-14 3. 19x10 5x14 *";
//! let summary = read(&file[..], &Options::default(), &mut |game| {
//!     // Black's first move is quiet, though it is written as a capture.
//!     assert_eq!(game.findings[0].code.text(), "sign");
//!     assert_eq!(game.tree.rules().key(), "italian");
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!((summary.games, summary.plies), (1, 6));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::borrow::Cow;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::sync::Arc;

use damiera_rules::{
    Geometry, Job, Move, Naming, Position, RuleSet, RuleSource, Side, dispatch, fen, movegen,
};

use crate::fault::{Code, Finding, Grade, shortened};
use crate::guess::{Basis, Library, Stance, Turn, View, candidates, key_of_game_type, key_of_variant};
use crate::mend::{Meaning, RESULTS, hops, meaning};
use crate::movetext::Written;
use crate::raw::{Kind, RawGame, Tag, Token};
use crate::scan::{Event, Flow, Place, Trouble, scan};
use crate::source::Source;
use crate::tags::{standard_name, written_name, written_value};
use crate::text::Decoder;
use crate::tree::{GameTree, NodeId, Step, Verdict};
use crate::write::{game_type_named, names_of_game_type};

/// How a file is to be read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The rules of every game, whatever its tags say.
    pub rules: Option<Arc<RuleSet>>,
}

/// One game of a file.
#[derive(Debug)]
pub struct GameRead<'a> {
    /// Which game of the file it is, from 1.
    pub number: u64,
    /// Where it begins.
    pub place: Place,
    /// Its tags and the moves that are legal.
    pub tree: &'a GameTree,
    /// What its rules are known from.
    pub basis: Basis,
    /// How its squares lie on the board.
    pub turn: Turn,
    /// What was mended and what was lost.
    pub findings: &'a [Finding],
    /// At which byte each node of the tree is written, by its number; the first node stands where the game begins.
    pub places: &'a [u64],
    /// How many moves are written in it, variations and all. Those that are not in the tree are counted in the findings' `lost`.
    pub written: u64,
    /// How many of them are in the tree.
    pub plies: u64,
}

/// What a file was found to be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Its encoding ([`Decoder::name`]).
    pub encoding: String,
    /// How it is packed.
    pub packing: Option<&'static str>,
    /// How many games it has.
    pub games: u64,
    /// How many moves are written in them.
    pub written: u64,
    /// How many of those were replayed.
    pub plies: u64,
    /// How much was mended.
    pub repairs: u64,
    /// How much could not be read.
    pub faults: u64,
    /// How many bytes of text it has, unpacked.
    pub bytes: u64,
}

/// Reads the games of a file one by one. The visitor may stop; it sees a game only during its call and clones what it wants to keep.
pub fn read<R: Read>(
    input: R,
    options: &Options,
    visitor: &mut dyn FnMut(GameRead<'_>) -> ControlFlow<()>,
) -> io::Result<Summary> {
    Reader::new(options.clone()).read(input, visitor)
}

/// Reads files one after the other; what it had to make for one (rule sets, memory) serves the next.
#[derive(Debug)]
pub struct Reader {
    options: Options,
    library: Library,
    decoder: Decoder,
    /// How the last game of the file was read that was legal to its end.
    last: Option<Stance>,
    view: Option<(Stance, View)>,
    raw: RawGame,
    tree: GameTree,
    findings: Vec<Finding>,
    places: Vec<u64>,
    lines: Vec<Line>,
    /// What is known of the games before the first one that will be read.
    expected: Option<(Arc<RuleSet>, String)>,
    /// How many moves of the game are jumps of captures that are written as moves of their own.
    joined: u64,
    /// The result that hangs on the last move.
    glued: Option<String>,
}

/// What a game's tags say.
#[derive(Default)]
struct Tags {
    kept: Vec<(String, String)>,
    result: Option<(String, Place)>,
    fen: Option<(String, Place)>,
    game_type: Option<(String, Place)>,
    rules: Option<String>,
    variant: Option<String>,
    findings: Vec<Finding>,
}

impl Tags {
    /// Returns what a tag of which a game has one only has said so far.
    fn told(&self, name: &str) -> Option<&str> {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        let placed = if is("Result") {
            self.result.as_ref()
        } else if is("FEN") {
            self.fen.as_ref()
        } else if is("GameType") {
            self.game_type.as_ref()
        } else {
            return self.rules.as_deref().filter(|text| is("Rules") && !text.is_empty());
        };
        placed.map(|(text, _)| text.as_str()).filter(|text| !text.is_empty())
    }
}

fn has_moves(raw: &RawGame) -> bool {
    raw.tokens.iter().any(|t| matches!(t.kind, Kind::Move(_)))
}

fn finding(code: Code, place: Place, text: &str, reading: impl Into<String>) -> Finding {
    Finding { code, place, text: shortened(text), reading: reading.into(), why: None, lost: 0 }
}

impl Reader {
    /// Returns a reader.
    pub fn new(options: Options) -> Reader {
        let mut library = Library::default();
        // The tree before the first game.
        let rules = library.any();
        let start = rules.initial();
        Reader {
            options,
            library,
            decoder: Decoder::default(),
            last: None,
            view: None,
            raw: RawGame::default(),
            tree: GameTree::new(rules, start),
            findings: Vec::new(),
            places: Vec::new(),
            lines: Vec::new(),
            expected: None,
            joined: 0,
            glued: None,
        }
    }

    /// Reads the games of a file, as [`read`] does.
    pub fn read<R: Read>(
        &mut self,
        input: R,
        visitor: &mut dyn FnMut(GameRead<'_>) -> ControlFlow<()>,
    ) -> io::Result<Summary> {
        let source = Source::new(input)?;
        let mut summary = Summary { packing: source.packing(), ..Summary::default() };
        let is_utf16 = source.is_utf16();
        self.decoder = Decoder::new(source.sample());
        self.scan(source, &mut summary, visitor)?;
        summary.encoding = if is_utf16 { "utf-16".to_owned() } else { self.decoder.name() };
        Ok(summary)
    }

    /// Reads on from a byte of the text ([`Place::offset`] of a game), in the encoding that the file's beginning shows. Places and numbers of games are counted
    /// from there.
    pub fn read_from<R: Read + Seek>(
        &mut self,
        mut input: R,
        offset: u64,
        visitor: &mut dyn FnMut(GameRead<'_>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let mut source = Source::new(&mut input)?;
        self.decoder = Decoder::new(source.sample());
        let summary = &mut Summary::default();
        if source.packing().is_some() || source.is_utf16() {
            // The bytes of the text are not those of the file: whoever wants the hundredth has to pass the ninety-nine.
            io::copy(&mut source.by_ref().take(offset), &mut io::sink())?;
            return self.scan(source, summary, visitor);
        }
        drop(source);
        input.seek(SeekFrom::Start(offset))?;
        self.scan(input, summary, visitor)
    }

    /// Says by which rules the next game is likely played, and in which encoding it is ([`Summary::encoding`]), as the games before it have shown: for
    /// [`Reader::read_from`], which has not seen them.
    pub fn expect(&mut self, rules: Arc<RuleSet>, encoding: &str) {
        self.expected = Some((rules, encoding.to_owned()));
    }

    fn scan(
        &mut self,
        text: impl Read,
        summary: &mut Summary,
        visitor: &mut dyn FnMut(GameRead<'_>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        self.last = None;
        if let Some((rules, encoding)) = self.expected.take() {
            self.last = Some(Stance::plain(rules));
            self.decoder.expect(&encoding);
        }
        let mut raw = std::mem::take(&mut self.raw);
        let scanned = scan(text, &mut |place: Place, event: Event<'_>| {
            match event {
                Event::GameBegin => raw.clear(place),
                Event::GameEnd => {
                    summary.games += 1;
                    let game = self.replay(&raw, summary.games);
                    summary.written += game.written;
                    summary.plies += game.plies;
                    let faults = game.findings.iter().filter(|f| f.grade() == Grade::Fault).count() as u64;
                    summary.faults += faults;
                    summary.repairs += game.findings.len() as u64 - faults;
                    if visitor(game).is_break() {
                        return Flow::Stop;
                    }
                }
                event => raw.add(place, event),
            }
            Flow::Continue
        });
        self.raw = raw;
        summary.bytes = scanned?.bytes;
        Ok(())
    }

    fn replay(&mut self, raw: &RawGame, number: u64) -> GameRead<'_> {
        let mut tags = self.tags(raw);
        let (mut stance, basis) = match self.known(&mut tags) {
            Some((rules, basis)) => (self.stance_of(rules, &tags), basis),
            None => (self.likely(raw, &tags), Basis::Moves),
        };
        // Most games are what they seem: this one is built before anything else is tried.
        let mut trial = self.build(raw, &stance, &tags);
        let better = match (trial, basis) {
            (Trial::Whole, _) => None,
            (_, Basis::Moves) => Some(self.stance_by_moves(raw, &tags)),
            (Trial::Part(plies), _) if plies >= SURE => None,
            _ => Some(self.turned(raw, stance.clone(), trial, &tags)),
        };
        // An event may have "Russian" in its name and be no Russian game.
        let better = match better {
            Some(turned) if basis == Basis::Variant && self.try_out(raw, &turned, &tags).plies() < SURE => {
                Some(self.stance_by_moves(raw, &tags))
            }
            better => better,
        };
        if let Some(better) = better.filter(|better| *better != stance) {
            stance = better;
            trial = self.build(raw, &stance, &tags);
        }
        let shows_rules = trial == Trial::Whole && has_moves(raw);
        if shows_rules || self.last.is_none() {
            self.last = Some(stance.clone());
        }
        let turn = stance.turn;
        self.findings.append(&mut tags.findings);
        self.say_what_was_assumed(raw, &stance, basis, &tags);
        self.take_verdict(raw, &tags);
        self.tree.tags = tags.kept;
        if let Some(place) = raw.cut {
            let mut finding = finding(Code::TooLong, place, "", "");
            finding.lost = raw.cut_moves;
            self.findings.push(finding);
        }
        self.findings.sort_by_key(|f| f.place.offset);
        let written = raw.tokens.iter().filter(|t| matches!(t.kind, Kind::Move(_))).count() as u64
            - self.joined
            + u64::from(raw.cut_moves);
        let plies = self.tree.moves() as u64;
        GameRead {
            number,
            place: raw.place,
            tree: &self.tree,
            basis,
            turn,
            findings: &self.findings,
            places: &self.places,
            written,
            plies,
        }
    }

    fn tags(&mut self, raw: &RawGame) -> Tags {
        let mut tags = Tags::default();
        for tag in &raw.tags {
            self.take_tag(raw, tag, &mut tags);
        }
        crate::tags::sort(&mut tags.kept);
        tags
    }

    fn take_tag(&mut self, raw: &RawGame, tag: &Tag, tags: &mut Tags) {
        let written = self.decoder.decode(raw.name(tag));
        let value = self.decoder.decode(raw.value(tag));
        let value = written_value(&value);
        let name = standard_name(&written).map_or_else(|| written_name(&written), Cow::Borrowed);
        if *name != *written && !name.eq_ignore_ascii_case(&written) {
            tags.findings.push(finding(Code::TagName, tag.place, &written, &*name));
        }
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if let Some(before) = tags.told(&name) {
            if value.is_empty() {
                return;
            }
            let before = format!("{name} \"{before}\"");
            tags.findings.push(finding(Code::TagReplaced, tag.place, &before, format!("{name} \"{value}\"")));
        } else if !value.is_empty() && tags.kept.iter().any(|(other, _)| *other == name) {
            tags.findings.push(finding(Code::TagTwice, tag.place, &name, ""));
        }
        if is("Result") {
            tags.result = Some((value.into_owned(), tag.place));
        } else if is("FEN") || is("GameType") {
            if !value.is_empty() {
                let place = if is("FEN") { &mut tags.fen } else { &mut tags.game_type };
                *place = Some((value.into_owned(), tag.place));
            }
        } else if is("Rules") {
            if self.library.get(&value).is_none() {
                tags.findings.push(finding(Code::GameType, tag.place, &value, ""));
            }
            tags.rules = Some(value.into_owned());
        } else if !value.is_empty() && !is("SetUp") {
            // "Rated Brazilian game": so game servers name their events. A "Canadian Open" is no such thing.
            let is_server =
                value.starts_with("Rated ") || value.starts_with("Casual ") || value.ends_with(" Arena");
            if is("Variant") || (is("Event") && is_server && tags.variant.is_none()) {
                tags.variant = Some(value.clone().into_owned());
            }
            tags.kept.push((name.into_owned(), value.into_owned()));
        }
    }

    /// Returns the rules that the tags name, and the tag.
    fn known(&mut self, tags: &mut Tags) -> Option<(Arc<RuleSet>, Basis)> {
        if let Some(rules) = &self.options.rules {
            return Some((Arc::clone(rules), Basis::Told));
        }
        if let Some(rules) = tags.rules.as_deref().and_then(|name| self.library.get(name)) {
            return Some((rules, Basis::Rules));
        }
        if let Some((text, place)) = &tags.game_type {
            let digits: String = text.trim().chars().take_while(char::is_ascii_digit).collect();
            let key = digits.parse().ok().and_then(key_of_game_type);
            match key.or_else(|| key_of_variant(text).filter(|_| digits.is_empty())) {
                Some(key) => return Some((self.library.get(key)?, Basis::GameType)),
                None => tags.findings.push(finding(Code::GameType, *place, text, "")),
            }
        }
        let key = tags.variant.as_deref().and_then(key_of_variant)?;
        Some((self.library.get(key)?, Basis::Variant))
    }

    /// Returns how a game is likely to be read of which nothing says the rules: as the one before it, or as its squares allow.
    fn likely(&mut self, raw: &RawGame, tags: &Tags) -> Stance {
        if let Some(last) = &self.last {
            return last.clone();
        }
        let fen = tags.fen.as_ref().map(|(text, _)| text.as_str());
        let mut stances =
            candidates(raw, fen).into_iter().filter_map(|key| self.library.get(key).map(Stance::plain));
        match stances.next() {
            Some(stance) => stance,
            None => Stance::plain(Arc::clone(self.tree.rules())),
        }
    }

    /// Reads a game of which nothing says the rules so that most of its moves are legal.
    fn stance_by_moves(&mut self, raw: &RawGame, tags: &Tags) -> Stance {
        let fen = tags.fen.as_ref().map(|(text, _)| text.as_str());
        let likely = self.likely(raw, tags);
        let keys = candidates(raw, fen);
        // A position alone shows only how large its board is.
        if !has_moves(raw) && keys.contains(&likely.rules.key()) {
            return likely;
        }
        let mut best = (self.try_out(raw, &likely, tags), likely);
        for key in keys {
            let Some(rules) = self.library.get(key) else { continue };
            let stance = Stance::plain(rules);
            let trial = self.try_out(raw, &stance, tags);
            // One move more is no reason to leave the rules of the game before.
            if trial.is_much_better_than(best.0) || (trial > best.0 && self.last.is_none()) {
                best = (trial, stance);
            }
            if best.0 == Trial::Whole {
                return best.1;
            }
        }
        let (trial, stance) = best;
        if trial.plies() < SURE { self.turned(raw, stance, trial, tags) } else { stance }
    }

    /// Looks whether a game that stops being legal after a few moves is legal on a turned board, or with the other side to begin.
    fn turned(&mut self, raw: &RawGame, stance: Stance, trial: Trial, tags: &Tags) -> Stance {
        if tags.fen.is_some() {
            return stance;
        }
        let mut best = (trial, stance.clone());
        let other = self.library.other_first(&stance.rules);
        // The start is the same board turned round with the colours exchanged. That the other side began keeps squares and results as they are written.
        for turn in [Turn::AsIs, Turn::Around, Turn::Sideways, Turn::Both] {
            for rules in [Some(&stance.rules), other.as_ref()].into_iter().flatten() {
                let tried = Stance { rules: Arc::clone(rules), turn, names: rules.board().naming };
                let trial = self.try_out(raw, &tried, tags);
                if trial.is_much_better_than(best.0) {
                    best = (trial, tried);
                }
            }
        }
        best.1
    }

    /// Returns how a game of known rules is read: with the names of squares that its GameType says.
    fn stance_of(&mut self, rules: Arc<RuleSet>, tags: &Tags) -> Stance {
        let names = tags.game_type.as_ref().and_then(|(text, _)| names_of_game_type(text, &rules));
        let plain = Stance::plain(rules);
        Stance { names: names.unwrap_or(plain.names), ..plain }
    }

    fn try_out(&mut self, raw: &RawGame, stance: &Stance, tags: &Tags) -> Trial {
        let Ok((start, _)) = self.start(stance, tags.fen.as_ref()) else { return Trial::Part(0) };
        let view = self.view(stance);
        let rules = Arc::clone(&stance.rules);
        let job = TryOut { raw, rules: &rules, view: &view, start, decoder: &mut self.decoder };
        dispatch(rules.shape(), rules.movement(), job)
    }

    fn view(&mut self, stance: &Stance) -> View {
        match &self.view {
            Some((of, view)) if of.turn == stance.turn && of.board() == stance.board() => view.clone(),
            _ => {
                let view = View::new(&stance.board(), stance.turn);
                self.view = Some((stance.clone(), view.clone()));
                view
            }
        }
    }

    /// Returns the position at the beginning, and which men of it were read as kings; or what is wrong with the FEN.
    fn start(
        &mut self,
        stance: &Stance,
        fen: Option<&(String, Place)>,
    ) -> Result<(Position, String), Finding> {
        let Some((text, place)) = fen else { return Ok((stance.rules.initial(), String::new())) };
        position(&mut self.library, &stance.rules, stance.names, text)
            .map_err(|message| finding(Code::Position, *place, text, message))
    }

    fn build(&mut self, raw: &RawGame, stance: &Stance, tags: &Tags) -> Trial {
        self.findings.clear();
        self.joined = 0;
        self.glued = None;
        let mut is_lost = false;
        let start = match self.start(stance, tags.fen.as_ref()) {
            Ok((start, crowned)) => {
                if let Some((text, place)) = tags.fen.as_ref().filter(|_| !crowned.is_empty()) {
                    self.findings.push(finding(Code::Crowned, *place, text, crowned));
                }
                start
            }
            Err(finding) => {
                // Without its position no move of it is read; what is said in the game is.
                is_lost = true;
                self.findings.push(finding);
                stance.rules.initial()
            }
        };
        let view = self.view(stance);
        self.tree.clear(&stance.rules, start);
        self.places.clear();
        self.places.push(raw.place.offset);
        self.lines.clear();
        let build = Build {
            raw,
            rules: &stance.rules,
            view: &view,
            library: &mut self.library,
            decoder: &mut self.decoder,
            tree: &mut self.tree,
            findings: &mut self.findings,
            places: &mut self.places,
            here: 0,
            lines: &mut self.lines,
            names: stance.names,
            first_offset: 0,
            joined: &mut self.joined,
            glued: &mut self.glued,
            is_lost,
            has_played: false,
            has_escaped_newline: false,
            pending: Vec::new(),
        };
        dispatch(stance.rules.shape(), stance.rules.movement(), build)
    }

    fn say_what_was_assumed(&mut self, raw: &RawGame, stance: &Stance, basis: Basis, tags: &Tags) {
        let place = raw.place;
        if stance.turn != Turn::AsIs {
            let how = match stance.turn {
                Turn::AsIs | Turn::Around => "around",
                Turn::Sideways => "sideways",
                Turn::Both => "both",
            };
            self.findings.push(finding(Code::BoardTurned, place, "", how));
        }
        let usual = self.library.get(stance.rules.key());
        let is_usual = usual.is_some_and(|usual| usual.first() == stance.rules.first());
        if !is_usual && !matches!(basis, Basis::Told | Basis::Rules) {
            let first = if stance.rules.first().is_white() { "white" } else { "black" };
            self.findings.push(finding(Code::FirstMover, place, "", first));
        }
        if let (Some((text, place)), Basis::GameType, Some(own)) =
            (&tags.game_type, basis, stance.rules.game_type())
        {
            let has_details = text.contains(',');
            let right = game_type_named(own, &stance.rules, stance.names);
            let is_same = text.chars().filter(|c| !c.is_whitespace()).eq(right.chars());
            if has_details && !is_same {
                self.findings.push(finding(Code::GameTypeDetails, *place, text, right));
            }
        }
    }

    fn take_verdict(&mut self, raw: &RawGame, tags: &Tags) {
        let said = tags.result.as_ref().map_or(Verdict::Open, |(text, _)| Verdict::parse(text));
        if let Some((text, place)) = &tags.result
            && Verdict::in_words(text).is_some()
        {
            let reading = said.text(self.tree.rules());
            self.findings.push(finding(Code::ResultWords, *place, text, reading));
        }
        // A result in a variation is that of the variation.
        let mut depth = 0u32;
        let mut end = None;
        for token in &raw.tokens {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                Kind::Result if depth == 0 => end = Some(token),
                _ => {}
            }
        }
        let text = end.map(|token| self.decoder.decode(raw.text(token)).into_owned());
        let text = text.or_else(|| self.glued.take());
        let verdict = text.as_deref().map_or(Verdict::Open, Verdict::parse);
        let has_said = tags.result.as_ref().is_some_and(|(text, _)| !matches!(text.as_str(), "" | "?"));
        self.tree.verdict = match (verdict, end) {
            (verdict, Some(token)) if has_said && verdict != Verdict::Open && verdict != said => {
                let holds = if said == Verdict::Open { verdict } else { said };
                let reading = holds.text(self.tree.rules()).to_owned();
                self.findings.push(finding(
                    Code::ResultDiffers,
                    token.place,
                    &text.unwrap_or_default(),
                    reading,
                ));
                holds
            }
            (verdict, _) if said == Verdict::Open => verdict,
            _ => said,
        };
    }
}

/// Reads a position as FEN, also one that has letters where the rules have numbers, or men where they must be kings; these are returned by name.
fn position(
    library: &mut Library,
    rules: &RuleSet,
    names: Naming,
    text: &str,
) -> Result<(Position, String), String> {
    let squares = |squares: Vec<u8>| {
        squares.iter().map(|bit| format!("K{}", rules.board().name(*bit))).collect::<Vec<_>>().join(" ")
    };
    let own = if names == rules.board().naming { None } else { library.named(rules, names) };
    let error = match fen::parse_crowning(own.as_deref().unwrap_or(rules), text) {
        Ok((position, crowned)) => return Ok((position, squares(crowned))),
        Err(error) => error,
    };
    if names != Naming::Letters
        && let Some(lettered) = library.named(rules, Naming::Letters)
        && let Ok((position, crowned)) = fen::parse_crowning(&lettered, text)
    {
        return Ok((position, squares(crowned)));
    }
    Err(error.to_string())
}

/// How many steps back a variation's place is looked for.
const BACK: usize = 256;

/// The command in a comment that keeps what could not be read.
const UNREAD: &str = "unread";

/// After so many legal plies the rules and the board are no longer in doubt: what is illegal then is a bad move.
const SURE: u32 = 6;

/// How far a game is legal under some rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Trial {
    /// So many plies.
    Part(u32),
    /// To its end.
    Whole,
}

impl Trial {
    /// A sign that is wrong now and then is a slip; signs that are wrong from the start are another game.
    fn of(plies: u32, wrong: u32) -> Trial {
        if wrong > 2 && wrong > plies / 4 { Trial::Part(plies.saturating_sub(wrong)) } else { Trial::Whole }
    }
    /// Returns whether this is more than chance: one move more may be legal by accident.
    fn is_much_better_than(self, other: Trial) -> bool {
        self > other && (self == Trial::Whole || self.plies() >= other.plies() + SURE)
    }
    fn plies(self) -> u32 {
        match self {
            Trial::Part(plies) => plies,
            Trial::Whole => u32::MAX,
        }
    }
}

/// Plays the main line only, to see how far it goes.
struct TryOut<'a> {
    raw: &'a RawGame,
    rules: &'a RuleSet,
    view: &'a View,
    start: Position,
    decoder: &'a mut Decoder,
}

impl Job for TryOut<'_> {
    type Output = Trial;
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> Trial {
        let mut position = Position::<G::Set>::narrow(&self.start);
        let mut moves = Vec::new();
        let (mut depth, mut plies, mut wrong) = (0u32, 0, 0);
        let mut rest = &self.raw.tokens[..];
        while let [token, after @ ..] = rest {
            let tokens = std::mem::replace(&mut rest, after);
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                // What is set up there is not asked here.
                Kind::Setup if depth == 0 => return Trial::Part(plies),
                Kind::Move(ends) if depth == 0 => {
                    movegen::moves::<G, R>(rules, &position, &mut moves);
                    let m = match only(&moves, self.view.square(ends.from), self.view.square(ends.to)) {
                        Some(m) => {
                            wrong += u32::from(m.is_capture() != ends.takes);
                            m
                        }
                        None => {
                            let text = self.decoder.decode(self.raw.text(token));
                            let wide = position.widen();
                            match meaning_or_hops(self.rules, self.view, &wide, &text, tokens) {
                                (Meaning::Move(m, _), used) => {
                                    rest = &tokens[used..];
                                    Move::narrow(&m)
                                }
                                _ => return Trial::Part(plies),
                            }
                        }
                    };
                    position.play(rules, &m);
                    plies += 1;
                }
                _ => {}
            }
        }
        Trial::of(plies, wrong)
    }
}

/// Finds out what a move text means, and how many tokens it takes: more than one where the jumps of a capture are written as moves of their own.
fn meaning_or_hops(
    rules: &RuleSet,
    view: &View,
    position: &Position,
    text: &str,
    tokens: &[Token],
) -> (Meaning, usize) {
    let found = meaning(rules, view, position, text);
    if matches!(found, Meaning::Move(_, code) if code != Some(Code::Unfinished)) {
        return (found, 1);
    }
    match hops(rules, view, position, tokens) {
        Some((m, used)) => (Meaning::Move(m, Some(Code::Hops)), used),
        None => (found, 1),
    }
}

/// Returns the only move with these ends.
#[inline]
fn only<S: Copy>(moves: &[Move<S>], from: u8, to: u8) -> Option<Move<S>> {
    let mut fitting = moves.iter().filter(|m| m.from == from && m.to == to);
    match (fitting.next(), fitting.next()) {
        (Some(m), None) => Some(*m),
        _ => None,
    }
}

/// A line of play that is being read: the game itself, or a variation.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The node that it has come to; in a variation without moves, the one behind which its first move is looked for.
    at: NodeId,
    /// How many plies lead there.
    ply: u32,
    /// In a variation without moves, the last node of the line around it.
    around: Option<(NodeId, u32)>,
    /// The finding that stopped it.
    stopped: Option<usize>,
    /// What is to be added to a written number to make it the expected one.
    offset: i64,
}

/// Builds the tree.
struct Build<'a> {
    raw: &'a RawGame,
    rules: &'a Arc<RuleSet>,
    view: &'a View,
    library: &'a mut Library,
    decoder: &'a mut Decoder,
    tree: &'a mut GameTree,
    findings: &'a mut Vec<Finding>,
    places: &'a mut Vec<u64>,
    /// Where the token stands that is being read.
    here: u64,
    lines: &'a mut Vec<Line>,
    /// The `offset` of the game's first number.
    first_offset: i64,
    /// How many moves were joined to others.
    joined: &'a mut u64,
    glued: &'a mut Option<String>,
    /// The first finding says why no move of the game can be read.
    is_lost: bool,
    /// The game itself has a move.
    has_played: bool,
    has_escaped_newline: bool,
    /// What is said before the first move of a variation, and how deep that is: it is said about that move.
    pending: Vec<(usize, Token)>,
    /// The names of the squares.
    names: Naming,
}

impl Job for Build<'_> {
    /// How far the main line goes.
    type Output = Trial;
    fn run<G: Geometry, R: RuleSource>(mut self, rules: R) -> Trial {
        let mut moves: Vec<Move<G::Set>> = Vec::new();
        let mut position = Position::<G::Set>::narrow(self.tree.start());
        let stopped = self.is_lost.then(|| self.findings.len() - 1);
        let mut line = Line { at: 0, ply: 0, around: None, stopped, offset: 0 };
        let mut rest = &self.raw.tokens[..];
        while let [token, after @ ..] = rest {
            let tokens = std::mem::replace(&mut rest, after);
            self.here = token.place.offset;
            match token.kind {
                Kind::Move(ends) if line.stopped.is_none() => {
                    movegen::moves::<G, R>(rules, &position, &mut moves);
                    let found = only(&moves, self.view.square(ends.from), self.view.square(ends.to));
                    if let Some(m) = found
                        && m.is_capture() == ends.takes
                        && ends.to != Written::NONE
                    {
                        position.play(rules, &m);
                        self.push(&mut line, Step::Move(m.widen()), position.widen());
                    } else {
                        let used = self.mend(&mut line, tokens);
                        rest = &tokens[used..];
                        position = Position::narrow(self.tree.node(line.at).position());
                    }
                }
                Kind::Move(_) => self.lose(line, token),
                Kind::Number { number, dots } => {
                    let before = line.at;
                    // "1. ... 9-13" is "1... 9-13"; where the side that begins is to move, its move is unknown.
                    let is_second = line.around.is_some() || !self.expected(&line).1;
                    let is_spaced = is_second && matches!(rest, [next, ..] if next.kind == Kind::Blank);
                    self.number(&mut line, token, number, if is_spaced { dots.max(3) } else { dots });
                    if line.at != before {
                        position = Position::narrow(self.tree.node(line.at).position());
                    }
                }
                Kind::Nag(number) if line.stopped.is_none() && line.around.is_none() => {
                    self.tree.remarks_mut(line.at).nags.push(number);
                }
                // Behind a number, three dots say only who is to move; elsewhere that a move is unknown, and then the next one shows it.
                Kind::Nag(_) | Kind::Result | Kind::Blank => {}
                Kind::Strength => self.strength(line, token),
                Kind::Comment => self.comment(line, token),
                Kind::Trouble(trouble) => {
                    if trouble == Trouble::Word {
                        let text = self.text(token);
                        self.keep(line, &text);
                    }
                    self.trouble(token, trouble);
                }
                Kind::Open => {
                    self.lines.push(line);
                    line = self.variation(line);
                    if line.stopped.is_some() {
                        self.keep(line, "(");
                    }
                    position = Position::narrow(self.tree.node(line.at).position());
                }
                Kind::Close => {
                    if let Some(outer) = self.lines.pop() {
                        // It was lost as a whole: its sign belongs to what is kept of it.
                        if line.stopped.is_some() && line.stopped == outer.stopped {
                            self.keep(outer, ")");
                        }
                        line = outer;
                        self.say_pending(line);
                        position = Position::narrow(self.tree.node(line.at).position());
                    }
                }
                Kind::Setup => {
                    self.setup(&mut line, token);
                    position = Position::narrow(self.tree.node(line.at).position());
                }
            }
        }
        while let Some(outer) = self.lines.pop() {
            line = outer;
            self.say_pending(line);
        }
        if !self.has_played {
            // A number without a move is the number of nothing.
            self.tree.first_number = 1;
        }
        let wrong = self.findings.iter().filter(|f| f.code == Code::Sign).count() as u32;
        if line.stopped.is_some() { Trial::Part(line.ply) } else { Trial::of(line.ply, wrong) }
    }
}

impl Build<'_> {
    fn text(&mut self, token: &Token) -> String {
        self.decoder.decode(self.raw.text(token)).into_owned()
    }

    /// Keeps what cannot be read where it stands, as the command `[%unread …]`: whoever writes the game again does not lose it.
    fn keep(&mut self, line: Line, text: &str) {
        let text = braceless(&text.split_whitespace().collect::<Vec<_>>().join(" ")).replace(']', ")");
        if text.is_empty() {
            return;
        }
        let commands = &mut self.tree.remarks_mut(line.at).commands;
        match commands.last_mut() {
            Some((name, unread)) if name == UNREAD => {
                if !unread.ends_with('(') && text != ")" {
                    unread.push(' ');
                }
                unread.push_str(&text);
            }
            _ => commands.push((UNREAD.to_owned(), text)),
        }
    }

    /// Counts a move of a line that was stopped.
    fn lose(&mut self, line: Line, token: &Token) {
        let text = self.text(token);
        self.keep(line, &text);
        if let Some(finding) = line.stopped.and_then(|n| self.findings.get_mut(n)) {
            finding.lost += 1;
        }
    }

    /// Takes a move that is not plain: mends it, or stops the line there. Returns how many tokens it takes.
    #[cold]
    fn mend(&mut self, line: &mut Line, tokens: &[Token]) -> usize {
        let token = &tokens[0];
        let text = self.text(token);
        let position = *self.tree.node(line.at).position();
        let (mut found, mut used) = meaning_or_hops(self.rules, self.view, &position, &text, tokens);
        if !matches!(found, Meaning::Move(..))
            && let Some((around, ply)) = line.around
        {
            // The variation may go on from the move before it instead of replacing it.
            let position = *self.tree.node(around).position();
            let after = meaning_or_hops(self.rules, self.view, &position, &text, tokens);
            if matches!(after.0, Meaning::Move(..)) && line.at != around {
                self.findings.push(finding(Code::VariationPlace, token.place, &text, ""));
                (line.at, line.ply) = (around, ply);
                (found, used) = after;
            }
        }
        let position = *self.tree.node(line.at).position();
        match found {
            Meaning::Move(m, code) => {
                if let Some(code) = code {
                    let reading = self.reading(&position, &m, code);
                    self.findings.push(finding(code, token.place, &text, reading));
                    if code == Code::ResultGlued {
                        self.glued(line, &text);
                    }
                }
                let moves = tokens[..used].iter().filter(|t| matches!(t.kind, Kind::Move(_))).count();
                *self.joined += moves as u64 - 1;
                let after = self.rules.after(&position, &m);
                self.push(line, Step::Move(m), after);
                return used;
            }
            Meaning::Several(readings) => self.stop(line, Code::Ambiguous, token, &text, readings.join(" ")),
            Meaning::Illegal(why) => {
                self.stop(line, Code::Illegal, token, &text, "");
                if let Some(finding) = self.findings.last_mut() {
                    finding.why = Some(why);
                }
            }
            Meaning::Unreadable => self.stop(line, Code::Unreadable, token, &text, ""),
        }
        1
    }

    /// Adds a step to a line: what was played, or the first of a variation.
    #[inline]
    fn push(&mut self, line: &mut Line, step: Step, position: Position) {
        let is_first = line.around.is_some();
        line.ply += match step {
            Step::Setup => u32::from(position.side() != self.tree.node(line.at).position().side()),
            _ => 1,
        };
        line.at = self.tree.push_as(line.at, step, position, !is_first);
        self.places.push(self.here);
        line.around = None;
        self.has_played |= self.lines.is_empty() && step != Step::Setup;
        if is_first && !self.pending.is_empty() {
            self.say_pending(*line);
        }
    }

    /// Says about the line's last step what was said at this depth before there was one.
    fn say_pending(&mut self, line: Line) {
        // What was kept deeper was kept later.
        let depth = self.lines.len();
        let from = self.pending.partition_point(|(at, _)| *at < depth);
        for (_, token) in self.pending.split_off(from) {
            self.comment(Line { around: None, ..line }, &token);
        }
    }

    /// Keeps the result that hangs on the game's last move.
    fn glued(&mut self, line: &Line, text: &str) {
        if line.around.is_none() && self.lines.is_empty() {
            let result = RESULTS.into_iter().find(|result| text.ends_with(result));
            *self.glued = result.map(str::to_owned);
        }
    }

    fn reading(&self, position: &Position, m: &Move, code: Code) -> String {
        use damiera_rules::notation::{full, short};
        if code == Code::Sign { short(self.rules, m) } else { full(self.rules, position, m) }
    }

    fn stop(&mut self, line: &mut Line, code: Code, token: &Token, text: &str, reading: impl Into<String>) {
        line.stopped = Some(self.findings.len());
        let mut finding = finding(code, token.place, text, reading);
        finding.lost = 1;
        self.findings.push(finding);
        self.keep(*line, text);
    }

    /// Returns the number that a move after `ply` plies has, and whether the side that begins is to move.
    fn expected(&self, line: &Line) -> (i64, bool) {
        let late = u32::from(self.tree.start().side() != self.rules.first());
        (i64::from((line.ply + late) / 2) + 1, (line.ply + late).is_multiple_of(2))
    }

    fn number(&mut self, line: &mut Line, token: &Token, number: u64, dots: u8) {
        // Where jumps are counted as moves, the numbers say nothing.
        if line.stopped.is_some() || *self.joined > 0 {
            return;
        }
        let number = i64::try_from(number).unwrap_or(i64::MAX / 2).min(i64::MAX / 2);
        if line.around.is_some() && dots > 0 {
            self.place_variation(line, token, number, dots);
            return;
        }
        let (expected, is_first) = self.expected(line);
        let is_begin = self.lines.is_empty() && !self.has_played;
        if is_begin {
            // A game may begin with any number, as those cut from longer ones do.
            let first = (number - (expected - 1)).clamp(1, 9999);
            self.tree.first_number = u32::try_from(first).unwrap_or(1);
            line.offset = 1 - first;
            self.first_offset = line.offset;
        } else if dots == 1 && is_first && number + self.first_offset == expected {
            // After a slip the numbers are right again.
            line.offset = self.first_offset;
        } else if dots > 0 && (number + line.offset != expected || (dots > 1 && is_first)) {
            let right = format!("{}{}", expected - line.offset, if is_first { "." } else { "..." });
            self.findings.push(finding(Code::Numbering, token.place, &format!("{number}."), right));
            line.offset = expected - number;
        }
    }

    /// A variation's first number says which move it replaces: the one before it, or the next one, so that it goes on from the line; or one further back.
    fn place_variation(&mut self, line: &mut Line, token: &Token, number: i64, dots: u8) {
        let Some((around, ply)) = line.around else { return };
        let outer = line.offset;
        let fits = |build: &Self, at: NodeId, ply: u32, offset: i64, is_strict: bool| {
            let (expected, is_first) = build.expected(&Line { at, ply, ..*line });
            // "1." may be all that is written of "1...".
            number + offset == expected && (!is_strict || is_first == (dots == 1))
        };
        for (offset, is_strict) in
            [(outer, true), (self.first_offset, true), (outer, false), (self.first_offset, false)]
        {
            for (at, ply) in [(line.at, line.ply), (around, ply)] {
                if fits(self, at, ply, offset, is_strict) {
                    (line.at, line.ply, line.offset) = (at, ply, offset);
                    return;
                }
            }
        }
        let (mut at, mut back) = (line.at, line.ply);
        for _ in 0..BACK {
            let Some(parent) = self.tree.node(at).parent() else { return };
            (at, back) = (parent, back - self.plies(at));
            if fits(self, at, back, self.first_offset, true) {
                (line.at, line.ply, line.offset) = (at, back, self.first_offset);
                self.findings.push(finding(Code::VariationPlace, token.place, &format!("{number}."), ""));
                return;
            }
        }
    }

    /// Returns how many plies the step to a node is: none for a position that is set up with the same side to move.
    fn plies(&self, id: NodeId) -> u32 {
        let node = self.tree.node(id);
        let before = node.parent().map(|parent| self.tree.node(parent).position().side());
        match node.step() {
            Step::Begin => 0,
            Step::Move(_) => 1,
            Step::Setup => u32::from(before != Some(node.position().side())),
        }
    }

    /// Begins a variation: it replaces the move before it, or the one at which the line has stopped.
    fn variation(&mut self, line: Line) -> Line {
        let (at, ply) = match (line.around, line.stopped, self.tree.node(line.at).parent()) {
            (Some(_), ..) | (_, Some(_), _) | (.., None) => (line.at, line.ply),
            (None, None, Some(parent)) => (parent, line.ply - self.plies(line.at)),
        };
        let around = line.around.unwrap_or((line.at, line.ply));
        // Behind moves that are lost nobody knows where it begins.
        let stopped =
            line.stopped.filter(|n| self.is_lost || self.findings.get(*n).is_some_and(|f| f.lost > 1));
        Line { at, ply, around: Some(around), stopped, offset: line.offset }
    }

    fn strength(&mut self, line: Line, token: &Token) {
        let is_move = matches!(self.tree.node(line.at).step(), Step::Move(_));
        if line.stopped.is_some() || line.around.is_some() || !is_move {
            return;
        }
        let remarks = self.tree.remarks_mut(line.at);
        for byte in self.raw.text(token) {
            match byte {
                b'!' | b'?' if remarks.strength.len() < 8 => remarks.strength.push(char::from(*byte)),
                // "Forced": the star is the end of a game in PDN 3.0.
                b'*' => remarks.nags.push(7),
                _ => {}
            }
        }
    }

    fn comment(&mut self, line: Line, token: &Token) {
        if line.around.is_some() {
            self.pending.push((self.lines.len(), *token));
            return;
        }
        let text = self.text(token);
        let remarks = self.tree.remarks_mut(line.at);
        let mut words = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some((before, command)) = rest.split_once("[%") {
            words.push_str(before);
            let Some((command, after)) = command.split_once(']') else {
                words.push_str("[%");
                rest = command;
                continue;
            };
            let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
            let value: String = value.split_whitespace().collect::<Vec<_>>().join(" ");
            remarks.commands.push((braceless(name), braceless(&value)));
            // What stood around it must not become one.
            words.push(' ');
            rest = after;
        }
        words.push_str(rest);
        let comment = braceless(&words.split_whitespace().collect::<Vec<_>>().join(" "));
        if !comment.is_empty() {
            remarks.comments.push(comment);
        }
    }

    fn trouble(&mut self, token: &Token, trouble: Trouble) {
        let text = self.text(token);
        let code = Code::Text(trouble);
        if trouble == Trouble::NewlineEscaped && std::mem::replace(&mut self.has_escaped_newline, true) {
            return;
        }
        // Words that belong together are one trouble.
        if trouble == Trouble::Word
            && let Some(last) = self.findings.last_mut()
            && last.code == code
            && last.place.line == token.place.line
        {
            last.text = shortened(&format!("{} {text}", last.text));
            return;
        }
        self.findings.push(finding(code, token.place, &text, ""));
    }

    fn setup(&mut self, line: &mut Line, token: &Token) {
        let text = self.text(token);
        let here = *self.tree.node(line.at).position();
        let set_up = match text.replace(' ', "").as_str() {
            // A move that is passed over.
            "W::" => Ok((
                Position::from_sets(here.white(), here.black(), here.kings(), Side::White),
                String::new(),
            )),
            "B::" => Ok((
                Position::from_sets(here.white(), here.black(), here.kings(), Side::Black),
                String::new(),
            )),
            _ => position(self.library, self.rules, self.names, &text),
        };
        match set_up {
            Ok((position, crowned)) => {
                if !crowned.is_empty() {
                    self.findings.push(finding(Code::Crowned, token.place, &text, crowned));
                }
                // A position needs no move before it: where a variation begins with one, it hangs on the move that it stands behind.
                if let Some((around, ply)) = line.around {
                    let parent = self.tree.node(around).parent().unwrap_or(around);
                    (line.at, line.ply) = (parent, ply - self.plies(around));
                }
                self.push(line, Step::Setup, position);
                line.stopped = None;
            }
            Err(message) => {
                line.stopped = Some(self.findings.len());
                self.findings.push(finding(Code::Position, token.place, &text, message));
            }
        }
    }
}

fn braceless(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}
