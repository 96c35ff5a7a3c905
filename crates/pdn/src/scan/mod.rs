//! The streaming reader: bytes in, events out. It knows no rules, keeps one window of the file in memory whatever the file holds, and does not recurse.
//!
//! ```
//! use damiera_pdn::scan::{Event, Flow, Place, scan};
//!
//! let mut moves = 0;
//! let text = b"[Event \"Prova\"] 1. 22-18 10-14 {forzata} 2. 27-22 * [Event \"Altra\"] 1-0";
//! let end = scan(&text[..], &mut |_: Place, event: Event<'_>| {
//!     moves += usize::from(matches!(event, Event::Move(_)));
//!     Flow::Continue
//! })?;
//! assert_eq!((moves, end.games), (3, 2));
//! # Ok::<(), std::io::Error>(())
//! ```

mod lex;

use std::io::{self, Read};

use memchr::{memchr2, memchr2_iter};

use crate::tags::standard_name;
pub(crate) use lex::is_result;
use lex::{Context, Kind, More, Piece, TagFlaw};

/// How many bytes are read at a time.
const WINDOW: usize = 256 * 1024;

/// The longest piece (a tag, a word) that is delivered whole, in bytes; the rest of a longer one is passed over and said.
const LONGEST: usize = 1024 * 1024;

/// How many tags of a game are told apart.
const TAGS: usize = 64;

/// Where something stands in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
    /// The byte, from 0.
    pub offset: u64,
}

/// What a reader is told, in the order of the file. Texts are bytes as they stand there ([`crate::text`] decodes them).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'a> {
    /// A game begins: before its first tag, comment or move.
    GameBegin,
    /// A tag. `\"` and `\\` are still escaped.
    Tag {
        /// Its name.
        name: &'a [u8],
        /// Its value.
        value: &'a [u8],
    },
    /// A move number. One that no `u64` holds is the greatest.
    Number {
        /// The number.
        number: u64,
        /// How many dots follow; 0 for a number that stands alone.
        dots: u8,
    },
    /// A move, as it is written, with the spaces inside it.
    Move(&'a [u8]),
    /// A move that is left out: `...` or `- -`.
    Blank,
    /// `!`, `?!`, `(?)`, or `*` for a forced move.
    Strength(&'a [u8]),
    /// `$n`.
    Nag(u32),
    /// A part of a comment; a long one comes in several.
    Comment {
        /// The text without its braces.
        text: &'a [u8],
        /// The comment ends here.
        last: bool,
    },
    /// `(`.
    VariationBegin,
    /// `)`.
    VariationEnd,
    /// The FEN of `/FEN "…"/`.
    Setup(&'a [u8]),
    /// A result where it ends the game, or stands in a variation.
    Result(&'a [u8]),
    /// Something that had to be mended or passed over.
    Trouble(Trouble, &'a [u8]),
    /// The game is over. It comes for every [`Event::GameBegin`], even if the visitor has skipped the game.
    GameEnd,
}

/// What the reader had to mend or to pass over; the text beside it says where.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Trouble {
    /// A word that is no part of a game.
    Word,
    /// A tag's value without quotation marks.
    TagUnquoted,
    /// A quotation mark inside a tag's value.
    TagQuote,
    /// A tag without its end.
    TagUnclosed,
    /// A piece that is too long: this is its beginning, the rest was left out.
    TooLong,
    /// A comment without its end.
    CommentUnclosed,
    /// A brace that closes nothing.
    BraceStray,
    /// A bracket that closes nothing.
    BracketStray,
    /// A variation without its end.
    VariationUnclosed,
    /// A second result at the end of a game.
    ResultTwice,
    /// `\n` as two characters, where a line should end.
    NewlineEscaped,
}

/// What a visitor wants next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// The next event.
    Continue,
    /// Nothing more of this game, but its end.
    SkipGame,
    /// Nothing more at all.
    Stop,
}

/// Who is told of the events; a closure will do.
pub trait Visitor {
    /// Takes an event and says how to go on.
    fn event(&mut self, place: Place, event: Event<'_>) -> Flow;
}

impl<F: FnMut(Place, Event<'_>) -> Flow> Visitor for F {
    #[inline]
    fn event(&mut self, place: Place, event: Event<'_>) -> Flow {
        self(place, event)
    }
}

/// How a reading ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// The games begun.
    pub games: u64,
    /// The bytes read.
    pub bytes: u64,
    /// The visitor has stopped the reading.
    pub stopped: bool,
}

/// Reads a file to its end, or until the visitor stops.
pub fn scan<R: Read, V: Visitor>(input: R, visitor: &mut V) -> io::Result<Summary> {
    scan_in_windows(input, visitor, WINDOW)
}

/// Reads a file in windows of another size, which makes no difference but for the longest pieces and the parts of comments.
fn scan_in_windows<R: Read, V: Visitor>(input: R, visitor: &mut V, window: usize) -> io::Result<Summary> {
    let mut scanner = Scanner::new(input, visitor, window);
    scanner.run()?;
    Ok(Summary { games: scanner.games, bytes: scanner.base + scanner.at as u64, stopped: scanner.stopped })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// No game is open.
    Between,
    /// A game's tags, before its first move.
    Tags,
    /// Its moves.
    Moves,
    /// It has its result. What stands behind that on the same line, and stray words on the next ones, still belong to it.
    Ended,
}

struct Scanner<'v, R, V> {
    input: R,
    visitor: &'v mut V,
    /// The window on the file: `buffer[at..end]` is still to be read.
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    /// The offset of the window in the file.
    base: u64,
    /// The file has no more bytes.
    is_last: bool,
    line: u64,
    /// The offset of the line, moved on by the bytes that continue a character of UTF-8.
    line_start: u64,
    state: State,
    games: u64,
    depth: u64,
    is_skipping: bool,
    stopped: bool,
    /// The Result tag's value, where it is none of the usual ones.
    result: Vec<u8>,
    /// Hashes of the names of this game's tags.
    names: Vec<u64>,
    /// Where the last move ended, or its strength.
    move_end: u64,
    /// An empty line stands before the piece.
    after_empty_line: bool,
    /// The line of the game's result.
    result_line: u64,
}

impl<'v, R: Read, V: Visitor> Scanner<'v, R, V> {
    fn new(input: R, visitor: &'v mut V, window: usize) -> Self {
        Scanner {
            input,
            visitor,
            buffer: vec![0; window],
            at: 0,
            end: 0,
            base: 0,
            is_last: false,
            line: 1,
            line_start: 0,
            state: State::Between,
            games: 0,
            depth: 0,
            is_skipping: false,
            stopped: false,
            result: Vec::new(),
            names: Vec::new(),
            move_end: u64::MAX,
            after_empty_line: false,
            result_line: 0,
        }
    }

    fn run(&mut self) -> io::Result<()> {
        while !self.stopped {
            self.plain_moves();
            if !self.skip_space()? {
                break;
            }
            let context = Context {
                result: &self.result,
                glued: self.move_end == self.base + self.at as u64,
                in_moves: matches!(self.state, State::Moves | State::Ended),
                last: self.is_last,
            };
            match lex::piece(&self.buffer[..self.end], self.at, context) {
                Ok(piece) if self.state == State::Ended && self.depth == 0 => {
                    self.take_behind_result(piece)?
                }
                Ok(piece) => self.take(piece)?,
                Err(More) if self.end - self.at < LONGEST => self.fill()?,
                Err(More) => self.pass_over_long_piece()?,
            }
        }
        if !self.stopped && self.state != State::Between {
            self.end_game();
        }
        Ok(())
    }

    /// Reads on while nothing comes but move numbers and moves of two squares with numbers, which is most of most files. It stops before the first
    /// piece that is anything else, and leaves it to [`lex::piece`]; it must not find anything that [`lex::piece`] would not.
    #[inline]
    fn plain_moves(&mut self) {
        if self.state != State::Moves || !self.result.is_empty() {
            return;
        }
        while !self.is_skipping && !self.stopped {
            while let Some(space @ (b' ' | b'\n')) = self.buffer[..self.end].get(self.at).copied() {
                self.at += 1;
                if space == b'\n' {
                    self.line += 1;
                    self.line_start = self.base + self.at as u64;
                }
            }
            let Some(Plain { number, length }) = plain(&self.buffer[self.at..self.end]) else { return };
            let place = self.place();
            let flow = match number {
                Some(number) => self.visitor.event(place, Event::Number { number, dots: 1 }),
                None => {
                    let text = &self.buffer[self.at..self.at + length];
                    self.move_end = self.base + (self.at + length) as u64;
                    self.visitor.event(place, Event::Move(text))
                }
            };
            answer(flow, &mut self.is_skipping, &mut self.stopped);
            self.at += length;
        }
    }

    /// Reads more bytes behind those that are still to be read; at the end of the file there are none.
    fn fill(&mut self) -> io::Result<()> {
        if self.at > 0 {
            self.buffer.copy_within(self.at..self.end, 0);
            self.base += self.at as u64;
            self.end -= self.at;
            self.at = 0;
        }
        if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.is_last = true,
                Ok(n) => self.end += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            return Ok(());
        }
    }

    /// Goes to the next byte that is no space. Returns false at the end of the file.
    #[inline]
    fn skip_space(&mut self) -> io::Result<bool> {
        let (mut lines, begin) = (0, self.base + self.at as u64);
        loop {
            while self.at < self.end {
                match self.buffer[self.at] {
                    b'\n' => {
                        lines += 1;
                        self.new_line();
                    }
                    // The other half of the newline may not have been read yet.
                    b'\r' if self.at + 1 == self.end && !self.is_last => break,
                    b'\r' if self.buffer[self.at + 1..self.end].first() != Some(&b'\n') => {
                        lines += 1;
                        self.new_line();
                    }
                    byte if lex::is_space(byte) => self.at += 1,
                    0x80.. => match lex::wide_space(&self.buffer[..self.end], self.at) {
                        0 if self.end - self.at < 3 && !self.is_last => break,
                        0 => return Ok(self.found(begin, lines)),
                        wide => {
                            self.line_start += wide as u64 - 1;
                            self.at += wide;
                        }
                    },
                    _ => return Ok(self.found(begin, lines)),
                }
            }
            if self.is_last && self.at >= self.end {
                return Ok(false);
            }
            self.fill()?;
        }
    }

    /// Notes how many lines ended between `begin` and here. A piece that is looked at again, with more bytes behind it, has no space before it.
    fn found(&mut self, begin: u64, lines: u32) -> bool {
        if begin != self.base + self.at as u64 {
            self.after_empty_line = lines > 1;
        }
        true
    }

    fn new_line(&mut self) {
        self.at += 1;
        self.line += 1;
        self.line_start = self.base + self.at as u64;
    }

    fn place(&self) -> Place {
        let offset = self.base + self.at as u64;
        Place { line: self.line, column: offset - self.line_start + 1, offset }
    }

    /// Goes over bytes that may hold newlines and characters of several bytes.
    fn pass(&mut self, to: usize) {
        let bytes = &self.buffer[self.at..to];
        for n in memchr2_iter(b'\n', b'\r', bytes) {
            // A newline of two bytes ends with the second.
            if bytes[n] == b'\n' || bytes.get(n + 1).is_some_and(|next| *next != b'\n') {
                self.line += 1;
                self.line_start = self.base + (self.at + n) as u64 + 1;
            }
        }
        if !bytes.is_ascii() {
            let offset = self.base + self.at as u64;
            let from = self.line_start.saturating_sub(offset) as usize;
            let continuing =
                bytes[from.min(bytes.len())..].iter().filter(|b| (0x80..0xc0).contains(*b)).count();
            self.line_start += continuing as u64;
        }
        self.at = to;
    }

    #[inline]
    fn tell(&mut self, place: Place, event: Event<'_>) {
        if !self.is_skipping && !self.stopped {
            answer(self.visitor.event(place, event), &mut self.is_skipping, &mut self.stopped);
        }
    }

    /// Tells of a piece whose bytes are in the window.
    #[inline]
    fn tell_bytes(&mut self, place: Place, from: usize, to: usize, event: impl FnOnce(&[u8]) -> Event<'_>) {
        if !self.is_skipping && !self.stopped {
            let flow = self.visitor.event(place, event(&self.buffer[from..to]));
            answer(flow, &mut self.is_skipping, &mut self.stopped);
        }
    }

    fn begin_game(&mut self) {
        if self.state == State::Between {
            self.state = State::Tags;
            self.games += 1;
            self.is_skipping = false;
            self.depth = 0;
            self.result.clear();
            self.names.clear();
            let place = self.place();
            self.tell(place, Event::GameBegin);
        }
    }

    fn begin_moves(&mut self) {
        self.begin_game();
        if self.state == State::Tags {
            self.state = State::Moves;
        }
    }

    fn end_game(&mut self) {
        let place = self.place();
        if self.depth > 0 {
            self.tell(place, Event::Trouble(Trouble::VariationUnclosed, b""));
        }
        self.state = State::Between;
        self.is_skipping = false;
        self.tell(place, Event::GameEnd);
    }

    #[inline]
    fn take(&mut self, piece: Piece) -> io::Result<()> {
        let (from, end, place) = (self.at, piece.end, self.place());
        match piece.kind {
            Kind::Move => {
                self.begin_moves();
                self.tell_bytes(place, from, end, |text| Event::Move(text));
                self.pass(end);
                self.move_end = self.base + end as u64;
            }
            Kind::Number { number, dots } => {
                self.begin_moves();
                self.tell(place, Event::Number { number, dots });
                self.at = end;
            }
            Kind::Tag { name, value, flaw } => self.take_tag(place, name, value, flaw, end),
            Kind::CommentBegin => {
                self.begin_game();
                self.at = end;
                self.take_comment(place)?;
            }
            Kind::LineComment(text) => {
                self.begin_game();
                self.tell_bytes(place, text.start, text.end, |text| Event::Comment { text, last: true });
                self.pass(end);
            }
            Kind::Command | Kind::Symbol => {
                self.begin_game();
                self.tell_bytes(place, from, end, |text| Event::Comment { text, last: true });
                self.pass(end);
            }
            Kind::Open => {
                self.begin_moves();
                self.depth += 1;
                self.tell(place, Event::VariationBegin);
                self.at = end;
            }
            Kind::Close => self.close(place, end),
            Kind::Strength => {
                self.begin_moves();
                self.tell_bytes(place, from, end, |text| Event::Strength(text));
                self.at = end;
                self.move_end = self.base + end as u64;
            }
            Kind::Nag(number) => {
                self.begin_moves();
                self.tell(place, Event::Nag(number));
                self.at = end;
            }
            Kind::Blank => {
                self.begin_moves();
                self.tell(place, Event::Blank);
                self.pass(end);
            }
            Kind::Setup(text) => {
                self.begin_moves();
                self.tell_bytes(place, text.start, text.end, |text| Event::Setup(text));
                self.pass(end);
            }
            Kind::Result | Kind::Star => {
                self.begin_moves();
                self.tell_bytes(place, from, end, |text| Event::Result(text));
                self.pass(end);
                if self.depth == 0 {
                    (self.state, self.result_line) = (State::Ended, self.line);
                }
            }
            Kind::Junk => {
                self.begin_game();
                let trouble = match self.buffer[from] {
                    b'}' => Trouble::BraceStray,
                    b'\\' if end == from + 2 => Trouble::NewlineEscaped,
                    _ => Trouble::Word,
                };
                self.tell_bytes(place, from, end, |text| Event::Trouble(trouble, text));
                self.pass(end);
            }
        }
        Ok(())
    }

    fn take_tag(
        &mut self,
        place: Place,
        name: core::ops::Range<usize>,
        value: core::ops::Range<usize>,
        flaw: Option<TagFlaw>,
        end: usize,
    ) {
        let hash = hash(&self.buffer[name.clone()]);
        // After an empty line, a tag that the game has already begins another one: this one has no moves and no result.
        // No game begins with two positions.
        let name_is = |other: &str| self.buffer[name.clone()].eq_ignore_ascii_case(other.as_bytes());
        let is_next = self.state == State::Tags
            && (self.after_empty_line || name_is("FEN"))
            && self.names.contains(&hash);
        if matches!(self.state, State::Moves | State::Ended) || is_next {
            self.end_game();
        }
        self.begin_game();
        if self.names.len() < TAGS {
            self.names.push(hash);
        }
        let is_result_tag = std::str::from_utf8(&self.buffer[name.clone()])
            .is_ok_and(|name| name.eq_ignore_ascii_case("Result") || standard_name(name) == Some("Result"));
        if is_result_tag {
            let text = self.buffer[value.clone()].trim_ascii();
            let is_usual = is_result(text) || text.len() < 3 || text.len() > 32;
            self.result = if is_usual { Vec::new() } else { text.to_vec() };
        }
        if !self.is_skipping && !self.stopped {
            let tag = Event::Tag { name: &self.buffer[name], value: &self.buffer[value.clone()] };
            let flow = self.visitor.event(place, tag);
            answer(flow, &mut self.is_skipping, &mut self.stopped);
        }
        if let Some(flaw) = flaw {
            let trouble = match flaw {
                TagFlaw::Unquoted => Trouble::TagUnquoted,
                TagFlaw::InnerQuote => Trouble::TagQuote,
                TagFlaw::Unclosed => Trouble::TagUnclosed,
            };
            self.tell_bytes(place, value.start, value.end, |text| Event::Trouble(trouble, text));
        }
        self.pass(end);
    }

    fn close(&mut self, place: Place, end: usize) {
        self.begin_moves();
        if self.depth == 0 {
            self.tell(place, Event::Trouble(Trouble::BracketStray, b")"));
        } else {
            self.depth -= 1;
            self.tell(place, Event::VariationEnd);
        }
        self.at = end;
    }

    /// Takes what stands behind a game's result: comments and variations on its line still belong to it, and so do words that are no part of any
    /// game; a tag, a number or a move begins the next one.
    fn take_behind_result(&mut self, piece: Piece) -> io::Result<()> {
        let (from, end, place) = (self.at, piece.end, self.place());
        let is_same_line = self.line == self.result_line;
        match piece.kind {
            // "1-0 *": the star ends the game that the result has ended already. A dot or a mark ends a sentence.
            Kind::Star => self.pass(end),
            Kind::Blank | Kind::Strength if is_same_line => self.pass(end),
            Kind::Result => {
                self.tell_bytes(place, from, end, |text| Event::Trouble(Trouble::ResultTwice, text));
                self.pass(end);
            }
            Kind::CommentBegin | Kind::LineComment(_) | Kind::Command | Kind::Symbol | Kind::Open
                if is_same_line =>
            {
                self.take(piece)?;
            }
            Kind::Junk => self.take(piece)?,
            _ => {
                self.end_game();
                self.take(piece)?;
            }
        }
        Ok(())
    }

    /// Takes the text of a comment up to its closing brace, in parts if it is long. Braces do not nest by the grammar, but they do in files: a brace
    /// inside is closed first where the text shows that it was meant. A comment in which a line begins with a tag, and a brace opens before one closes,
    /// was never closed.
    fn take_comment(&mut self, begin: Place) -> io::Result<()> {
        let mut nested = 0u32;
        // No brace before `seen`, no tag before `checked`.
        let (mut seen, mut checked) = (0, 0);
        loop {
            let window = &self.buffer[self.at..self.end];
            let Some(n) = memchr2(b'{', b'}', &window[seen..]).map(|n| n + seen) else {
                if !self.is_last && window.len() < WINDOW / 2 {
                    seen = window.len();
                    self.fill()?;
                    continue;
                }
                if let Some(tag) = lex::tag_line(window, 0) {
                    return self.comment_unclosed(begin, self.at + tag);
                }
                if self.is_last {
                    return self.comment_unclosed(begin, self.end);
                }
                let to = self.at + whole_characters(window);
                self.tell_bytes(begin, self.at, to, |text| Event::Comment { text, last: false });
                self.pass(to);
                (seen, checked) = (0, 0);
                continue;
            };
            let at = self.at + n;
            if self.buffer[at] == b'{' {
                if let Some(tag) = lex::tag_line(&window[..n], checked) {
                    return self.comment_unclosed(begin, self.at + tag);
                }
                nested += 1;
                (seen, checked) = (n + 1, n + 1);
                continue;
            }
            if nested > 0 && self.is_closed_again(at + 1)? {
                // The window may have moved.
                nested -= 1;
                seen = n + 1;
                continue;
            }
            let at = self.at + n;
            self.tell_bytes(begin, self.at, at, |text| Event::Comment { text, last: true });
            self.pass(at + 1);
            return Ok(());
        }
    }

    /// Returns whether a closing brace follows before an opening one and before the next game: then the one before `from` was not the last.
    fn is_closed_again(&mut self, from: usize) -> io::Result<bool> {
        let ahead = from - self.at;
        while self.end - self.at < ahead + lex::FAR && !self.is_last && self.end - self.at < LONGEST {
            self.fill()?;
        }
        let rest = &self.buffer[self.at + ahead..self.end];
        let rest = &rest[..rest.len().min(lex::FAR)];
        Ok(memchr2(b'{', b'}', rest)
            .is_some_and(|n| rest[n] == b'}' && lex::tag_line(&rest[..n], 0).is_none()))
    }

    fn comment_unclosed(&mut self, begin: Place, to: usize) -> io::Result<()> {
        self.tell_bytes(begin, self.at, to, |text| Event::Comment { text, last: true });
        self.tell(begin, Event::Trouble(Trouble::CommentUnclosed, b"{"));
        self.pass(to);
        Ok(())
    }

    /// A piece that is longer than any that makes sense: its beginning is told of, and what follows is passed over up to the end of its line or tag.
    fn pass_over_long_piece(&mut self) -> io::Result<()> {
        self.begin_game();
        let place = self.place();
        let is_tag = self.buffer[self.at] == b'[';
        self.tell_bytes(place, self.at, self.at + 256, |text| Event::Trouble(Trouble::TooLong, text));
        loop {
            let window = &self.buffer[self.at..self.end];
            let found = if is_tag {
                memchr2(b'\n', b']', window)
            } else {
                window.iter().position(|b| lex::is_space(*b))
            };
            self.pass(found.map_or(self.end, |n| self.at + n + usize::from(is_tag)));
            if found.is_some() || self.is_last {
                return Ok(());
            }
            self.fill()?;
        }
    }
}

/// A move number with its dot, or a move.
struct Plain {
    number: Option<u64>,
    length: usize,
}

/// How many bytes the longest plain piece has, and what must be known behind it.
const PLAIN: usize = 8;

/// Takes `12.`, `32-28` or `8x19` from the front of a text.
#[inline]
fn plain(bytes: &[u8]) -> Option<Plain> {
    let window: &[u8; PLAIN] = bytes.first_chunk()?;
    let digit = |at: usize| Some(window[at].wrapping_sub(b'0')).filter(|d| *d < 10);
    let square = |at: usize| {
        let first = digit(at)?;
        Some(digit(at + 1).map_or((first, at + 1), |second| (first * 10 + second, at + 2)))
    };
    let (first, sign) = square(0)?;
    match window[sign] {
        b'.' if window[sign + 1] != b'.' => Some(Plain { number: Some(u64::from(first)), length: sign + 1 }),
        b'-' | b'x' => {
            let (second, length) = square(sign + 1)?;
            // Results look like moves, but for these.
            let is_move = first != second
                && first != 0
                && second != 0
                && matches!(window[length], b' ' | b'\n' | b'\r');
            is_move.then_some(Plain { number: None, length })
        }
        _ => None,
    }
}

fn answer(flow: Flow, is_skipping: &mut bool, stopped: &mut bool) {
    match flow {
        Flow::Continue => {}
        Flow::SkipGame => *is_skipping = true,
        Flow::Stop => *stopped = true,
    }
}

/// FNV-1a: <http://www.isthe.com/chongo/tech/comp/fnv/>.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Returns how many bytes of a text are whole characters, should it be UTF-8: a character of which the end is missing is left out.
fn whole_characters(text: &[u8]) -> usize {
    let tail = text.len().saturating_sub(3);
    match text[tail..].iter().rposition(|b| *b >= 0xc0) {
        Some(n) => {
            let (start, first) = (tail + n, text[tail + n]);
            let length = if first >= 0xf0 {
                4
            } else if first >= 0xe0 {
                3
            } else {
                2
            };
            if start + length > text.len() && start > 0 { start } else { text.len() }
        }
        None => text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the events of a text, a line each; the parts of a comment in one.
    fn events(text: &[u8], window: usize) -> String {
        let mut out = String::new();
        let mut comment = Vec::new();
        let shown = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        scan_in_windows(
            text,
            &mut |place: Place, event: Event<'_>| {
                let at = format!("{}:{} ", place.line, place.column);
                let line = match event {
                    Event::Comment { text, last } => {
                        comment.extend_from_slice(text);
                        if !last {
                            return Flow::Continue;
                        }
                        format!("{at}{{{}}}", shown(&std::mem::take(&mut comment)))
                    }
                    Event::GameBegin => format!("{at}begin"),
                    Event::GameEnd => "end".to_owned(),
                    Event::Tag { name, value } => format!("{at}{} = {}", shown(name), shown(value)),
                    Event::Number { number, dots } => format!("{at}{number}, {dots} dots"),
                    Event::Move(text) => format!("{at}move {}", shown(text)),
                    Event::Blank => format!("{at}blank"),
                    Event::Strength(text) => format!("{at}strength {}", shown(text)),
                    Event::Nag(n) => format!("{at}nag {n}"),
                    Event::VariationBegin => format!("{at}("),
                    Event::VariationEnd => format!("{at})"),
                    Event::Setup(text) => format!("{at}setup {}", shown(text)),
                    Event::Result(text) => format!("{at}result {}", shown(text)),
                    Event::Trouble(trouble, text) => format!("{at}{trouble:?} {}", shown(text)),
                };
                out.push_str(&line);
                out.push('\n');
                Flow::Continue
            },
            window,
        )
        .expect("bytes in memory");
        out
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        check_bytes(text.as_bytes(), expected);
    }

    /// Compares events; those of all sizes of windows are the same.
    #[track_caller]
    fn check_bytes(text: &[u8], expected: &str) {
        let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        for window in [WINDOW, 1, 2, 3, 5, 7, 16, 33] {
            let found = events(text, window);
            let found = found.lines().map(str::trim).filter(|line| !line.is_empty());
            assert_eq!(found.collect::<Vec<_>>(), expected, "in windows of {window} bytes");
        }
    }

    #[test]
    fn a_game_is_told_in_its_order() {
        check(
            "[White \"Fero\"]\n1. 22-18 10-14 {forzata} 2. 27-22! $6 (2. 26-22) 1-0",
            "1:1 begin
             1:1 White = Fero
             2:1 1, 1 dots
             2:4 move 22-18
             2:10 move 10-14
             2:16 {forzata}
             2:26 2, 1 dots
             2:29 move 27-22
             2:34 strength !
             2:36 nag 6
             2:39 (
             2:40 2, 1 dots
             2:43 move 26-22
             2:48 )
             2:50 result 1-0
             end",
        );
    }

    #[test]
    fn moves_may_be_written_in_every_way_that_files_have() {
        check(
            "1.a3b4 cb4 C3:E5 18x9x4 4-  9 01-07 3228 c3 - d4 32-28(?!) 11×22",
            "1:1 begin
             1:1 1, 1 dots
             1:3 move a3b4
             1:8 move cb4
             1:12 move C3:E5
             1:18 move 18x9x4
             1:25 move 4-  9
             1:31 move 01-07
             1:37 move 3228
             1:42 move c3 - d4
             1:50 move 32-28
             1:55 strength (?!)
             1:60 move 11×22
             end",
        );
        // In one byte, as old programs wrote it.
        check_bytes(b"11\xd722 1\x962", "1:1 begin\n1:1 move 11\u{fffd}22\n1:7 move 1\u{fffd}2\nend");
    }

    #[test]
    fn results_are_told_from_moves() {
        check(
            "1-18 1-1\n2-1 2-0\n0-1[Event \"b\"]½-½ *\n1/2:1/2\n1/2 - 1/2\n1:0",
            "1:1 begin
             1:1 move 1-18
             1:6 result 1-1
             end
             2:1 begin
             2:1 move 2-1
             2:5 result 2-0
             3:1 ResultTwice 0-1
             end
             3:4 begin
             3:4 Event = b
             3:15 result ½-½
             4:1 ResultTwice 1/2:1/2
             5:1 ResultTwice 1/2 - 1/2
             6:1 ResultTwice 1:0
             end",
        );
    }

    #[test]
    fn what_stands_behind_a_result_belongs_to_its_game() {
        check(
            "1. 1-6 2-0. {good} (2. 2-7 0-1) ; and more\nWhite resigned\n{next} 3-8 *\r\n\u{1a}",
            "1:1 begin
             1:1 1, 1 dots
             1:4 move 1-6
             1:8 result 2-0
             1:13 {good}
             1:20 (
             1:21 2, 1 dots
             1:24 move 2-7
             1:28 result 0-1
             1:31 )
             1:33 { and more}
             2:1 Word White
             2:7 Word resigned
             end
             3:1 begin
             3:1 {next}
             3:8 move 3-8
             3:12 result *
             end",
        );
    }

    /// A heading, a year and a page number are no moves.
    #[test]
    fn what_stands_before_the_first_tag_is_no_game_of_its_own() {
        check(
            "Championship 1996 3\n[Event \"a\"]\n1. 1-6+ 2-7= +- *",
            "1:1 begin
             1:1 Word Championship
             1:14 Word 1996
             1:19 Word 3
             2:1 Event = a
             3:1 1, 1 dots
             3:4 move 1-6
             3:7 {+}
             3:9 move 2-7
             3:12 {=}
             3:14 {+-}
             3:17 result *
             end",
        );
    }

    #[test]
    fn a_tag_that_is_not_closed_swallows_no_other() {
        check(
            "[White \"A\" [Black \"B\"]\n[Site \"C:\\PDN\\\"]\n[Event \"x\\\n[Round \"1\"]",
            "1:1 begin
             1:1 White = A
             1:1 TagUnclosed A
             1:12 Black = B
             2:1 Site = C:\\PDN\\
             2:1 TagQuote C:\\PDN\\
             3:1 Event = x\\
             3:1 TagUnclosed x\\
             4:1 Round = 1
             end",
        );
    }

    /// The byte 0xa0 is a space of its own in old files and the middle of a letter in UTF-8.
    #[test]
    fn letters_are_not_cut_by_the_space_that_does_not_break() {
        check("1-6 già Роща 2-7", "1:1 begin\n1:1 move 1-6\n1:5 Word già\n1:9 Word Роща\n1:14 move 2-7\nend");
        check_bytes(b"1-6\xa02-7", "1:1 begin\n1:1 move 1-6\n1:5 move 2-7\nend");
    }

    /// `4-6` is a move, but not where the Result tag says so and the game ends.
    #[test]
    fn a_result_of_its_own_kind_is_known_by_the_tag() {
        check(
            "[Result \"4-6\"] 1. 4-6 13-19 4-6\n\n[Event \"b\"] 1. 4-6",
            "1:1 begin
             1:1 Result = 4-6
             1:16 1, 1 dots
             1:19 move 4-6
             1:23 move 13-19
             1:29 result 4-6
             end
             3:1 begin
             3:1 Event = b
             3:13 1, 1 dots
             3:16 move 4-6
             end",
        );
    }

    #[test]
    fn a_star_ends_the_game_or_says_that_a_move_is_forced() {
        check(
            "1. 27-20* 19-15* 22-18*[Event \"b\"] 1-6 *",
            "1:1 begin
             1:1 1, 1 dots
             1:4 move 27-20
             1:9 strength *
             1:11 move 19-15
             1:16 strength *
             1:18 move 22-18
             1:23 result *
             end
             1:24 begin
             1:24 Event = b
             1:36 move 1-6
             1:40 result *
             end",
        );
    }

    #[test]
    fn games_without_moves_are_games() {
        check(
            "[Event \"a\"]\n[FEN \"W:W1:B2\"]\n\n[Event \"b\"]\n[Event \"c\"]\n\n*\n",
            "1:1 begin
             1:1 Event = a
             2:1 FEN = W:W1:B2
             end
             4:1 begin
             4:1 Event = b
             5:1 Event = c
             7:1 result *
             end",
        );
    }

    #[test]
    fn tags_are_read_however_they_are_written() {
        check(
            "[ Event  \"a \\\" b\" ]\r\n[Round 17]\r[Site \"the \"big\" hall\"]\n[White \"no end\n[Black “Nero”]\n[Date \"on two\nlines\"]",
            "1:1 begin
             1:1 Event = a \\\" b
             2:1 Round = 17
             2:1 TagUnquoted 17
             3:1 Site = the \"big\" hall
             3:1 TagQuote the \"big\" hall
             4:1 White = no end
             4:1 TagUnclosed no end
             5:1 Black = Nero
             6:1 Date = on two"
                .to_owned()
                .as_str()
                .lines()
                .chain(["lines", "end"])
                .collect::<Vec<_>>()
                .join("\n")
                .as_str(),
        );
    }

    #[test]
    fn comments_nest_where_they_are_meant_to_and_end_where_they_must() {
        check("{ a { b } c } 1-6", "1:1 begin\n1:1 { a { b } c }\n1:15 move 1-6\nend");
        check("{ a { b } 1-6", "1:1 begin\n1:1 { a { b }\n1:11 move 1-6\nend");
        check(
            "1-6 { never closed\n\n[Event \"b\"]\n2-7 {closed}",
            "1:1 begin
             1:1 move 1-6
             1:5 { never closed"
                .lines()
                .chain([
                    "}",
                    "1:5 CommentUnclosed {",
                    "end",
                    "3:1 begin",
                    "3:1 Event = b",
                    "4:1 move 2-7",
                    "4:5 {closed}",
                    "end",
                ])
                .collect::<Vec<_>>()
                .join("\n")
                .as_str(),
        );
        check(
            "1-6 % not a move 2-7\n3-8 } 4-9",
            "1:1 begin\n1:1 move 1-6\n1:5 { not a move 2-7}\n2:1 move 3-8\n2:5 BraceStray }\n2:7 move 4-9\nend",
        );
    }

    #[test]
    fn commands_setups_and_blanks_are_pieces_of_their_own() {
        check(
            "1. ... 7-12 [%clk 1:02] 2. - - /FEN \"B:W1:B2\"/ 3... 4-8",
            "1:1 begin
             1:1 1, 1 dots
             1:4 blank
             1:8 move 7-12
             1:13 {[%clk 1:02]}
             1:25 2, 1 dots
             1:28 blank
             1:32 setup B:W1:B2
             1:48 3, 3 dots
             1:53 move 4-8
             end",
        );
    }

    #[test]
    fn words_that_are_no_part_of_a_game_are_told() {
        check(
            "1-6 enz. 8-11Red resigned ) (2-7",
            "1:1 begin
             1:1 move 1-6
             1:5 Word enz
             1:8 blank
             1:10 move 8-11
             1:14 Word Red
             1:18 Word resigned
             1:27 BracketStray )
             1:29 (
             1:30 move 2-7
             1:33 VariationUnclosed
             end",
        );
    }

    #[test]
    fn places_count_characters_and_all_kinds_of_lines() {
        check(
            "[White \"Сергей\"] 1-6\r2-7\r\n\u{a0}3-8\n{é\ré} 4×9 5-10",
            "1:1 begin
             1:1 White = Сергей
             1:18 move 1-6
             2:1 move 2-7
             3:2 move 3-8
             4:1 {é\ré}"
                .lines()
                .chain(["5:4 move 4×9", "5:8 move 5-10", "end"])
                .collect::<Vec<_>>()
                .join("\n")
                .as_str(),
        );
    }

    #[test]
    fn numbers_that_are_too_large_are_the_greatest() {
        check(
            "18446744073709551616. 1-6 $99999999999",
            "1:1 begin\n1:1 18446744073709551615, 1 dots\n1:23 move 1-6\n1:27 nag 4294967295\nend",
        );
    }
}
