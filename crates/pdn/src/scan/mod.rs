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

use memchr::{memchr_iter, memchr2};

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
    let mut scanner = Scanner::new(input, visitor);
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
}

impl<'v, R: Read, V: Visitor> Scanner<'v, R, V> {
    fn new(input: R, visitor: &'v mut V) -> Self {
        Scanner {
            input,
            visitor,
            buffer: vec![0; WINDOW],
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
                in_moves: self.state == State::Moves,
                last: self.is_last,
            };
            match lex::piece(&self.buffer[..self.end], self.at, context) {
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
        let mut lines = 0;
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
                        0 => {
                            self.after_empty_line = lines > 1;
                            return Ok(true);
                        }
                        wide => {
                            self.line_start += wide as u64 - 1;
                            self.at += wide;
                        }
                    },
                    _ => {
                        self.after_empty_line = lines > 1;
                        return Ok(true);
                    }
                }
            }
            if self.is_last && self.at >= self.end {
                return Ok(false);
            }
            self.fill()?;
        }
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
        for n in memchr_iter(b'\n', bytes) {
            self.line += 1;
            self.line_start = self.base + (self.at + n) as u64 + 1;
        }
        if !bytes.is_ascii() {
            let offset = self.base + self.at as u64;
            let from = self.line_start.saturating_sub(offset) as usize;
            let continuing = bytes[from.min(bytes.len())..].iter().filter(|b| (0x80..0xc0).contains(*b)).count();
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
        self.state = State::Moves;
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
                self.at = end;
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
                let (from, to) = (text.start, text.end);
                // Before the first tag it speaks of the file.
                if self.state != State::Between {
                    self.tell_bytes(place, from, to, |text| Event::Comment { text, last: true });
                }
                self.pass(end);
            }
            Kind::Command => {
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
            Kind::Result | Kind::Star => self.take_result(place, piece.kind == Kind::Star, end)?,
            Kind::Junk => {
                self.begin_game();
                let trouble = if self.buffer[from] == b'}' { Trouble::BraceStray } else { Trouble::Word };
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
        let is_next = self.state == State::Tags && self.after_empty_line && self.names.contains(&hash);
        if self.state == State::Moves || is_next {
            self.end_game();
        }
        self.begin_game();
        if self.names.len() < TAGS {
            self.names.push(hash);
        }
        if self.buffer[name.clone()].eq_ignore_ascii_case(b"Result") {
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

    fn take_result(&mut self, place: Place, is_star: bool, end: usize) -> io::Result<()> {
        let from = self.at;
        if self.state == State::Between && self.games > 0 {
            // "1-0 *": the star ends the game that the result has ended already.
            if !is_star {
                self.tell_bytes(place, from, end, |text| Event::Trouble(Trouble::ResultTwice, text));
            }
            self.pass(end);
            return Ok(());
        }
        self.begin_moves();
        self.tell_bytes(place, from, end, |text| Event::Result(text));
        self.pass(end);
        if self.depth == 0 {
            self.take_last_comments()?;
            self.end_game();
        }
        Ok(())
    }

    /// Takes the comments that stand behind the result on its line; others belong to the next game.
    fn take_last_comments(&mut self) -> io::Result<()> {
        loop {
            while self.at < self.end && matches!(self.buffer[self.at], b' ' | b'\t') {
                self.at += 1;
            }
            if self.at == self.end && !self.is_last {
                self.fill()?;
                continue;
            }
            if self.at == self.end || self.buffer[self.at] != b'{' || self.stopped {
                return Ok(());
            }
            let place = self.place();
            self.at += 1;
            self.take_comment(place)?;
        }
    }

    /// Takes the text of a comment up to its closing brace, in parts if it is long. Braces do not nest by the grammar, but they do in files: a brace
    /// inside is closed first where the text shows that it was meant. A comment in which a line begins with a tag, and a brace opens before one closes,
    /// was never closed.
    fn take_comment(&mut self, begin: Place) -> io::Result<()> {
        let mut nested = 0u32;
        let mut seen = 0;
        loop {
            let window = &self.buffer[self.at..self.end];
            let Some(n) = memchr2(b'{', b'}', &window[seen..]).map(|n| n + seen) else {
                if !self.is_last && window.len() < WINDOW / 2 {
                    seen = window.len();
                    self.fill()?;
                    continue;
                }
                if let Some(tag) = lex::tag_line(window) {
                    return self.comment_unclosed(begin, self.at + tag);
                }
                if self.is_last {
                    return self.comment_unclosed(begin, self.end);
                }
                let to = self.at + whole_characters(window);
                self.tell_bytes(begin, self.at, to, |text| Event::Comment { text, last: false });
                self.pass(to);
                seen = 0;
                continue;
            };
            let at = self.at + n;
            if self.buffer[at] == b'{' {
                if let Some(tag) = lex::tag_line(&window[..n]) {
                    return self.comment_unclosed(begin, self.at + tag);
                }
                nested += 1;
                seen = n + 1;
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
        Ok(memchr2(b'{', b'}', rest).is_some_and(|n| rest[n] == b'}' && lex::tag_line(&rest[..n]).is_none()))
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
            let found = if is_tag { memchr2(b'\n', b']', window) } else { window.iter().position(|b| lex::is_space(*b)) };
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
            let is_move = first != second && first != 0 && second != 0 && matches!(window[length], b' ' | b'\n' | b'\r');
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
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Returns how many bytes of a text are whole characters, should it be UTF-8: a character of which the end is missing is left out.
fn whole_characters(text: &[u8]) -> usize {
    let tail = text.len().saturating_sub(3);
    match text[tail..].iter().rposition(|b| *b >= 0xc0) {
        Some(n) => {
            let (start, first) = (tail + n, text[tail + n]);
            let length = if first >= 0xf0 { 4 } else if first >= 0xe0 { 3 } else { 2 };
            if start + length > text.len() && start > 0 { start } else { text.len() }
        }
        None => text.len(),
    }
}
