//! One piece of PDN text at a time: where it ends and what it is. Pure functions on bytes, without state and without recursion.
//!
//! All encodings that PDN comes in agree on ASCII, and everything that has a meaning here is ASCII but for a few signs, which are known in UTF-8 and in
//! Windows-1252: `½`, `×`, the dash, curly quotation marks and the space that does not break.

use core::ops::Range;

use memchr::{memchr, memchr2, memchr3};

/// The bytes that were read end before the piece does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct More;

/// What stands before the piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    /// The Result tag's value, where it is none of the usual ones: then it is known as the end of the moves too.
    pub(crate) result: &'a [u8],
    /// The piece stands right behind a move, without a space.
    pub(crate) glued: bool,
    /// The moves have begun.
    pub(crate) in_moves: bool,
    /// No more bytes will come.
    pub(crate) last: bool,
}

/// What a piece is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Tag {
        name: Range<usize>,
        value: Range<usize>,
        flaw: Option<TagFlaw>,
    },
    Number {
        number: u64,
        dots: u8,
    },
    Move,
    /// A move that is left out: `...`, `- -`.
    Blank,
    Strength,
    Nag(u32),
    CommentBegin,
    /// A comment to the end of the line, without its sign.
    LineComment(Range<usize>),
    /// A command that stands outside a comment.
    Command,
    /// What a move is worth to an annotator: `+`, `=`, `+-`.
    Symbol,
    Open,
    Close,
    Setup(Range<usize>),
    Result,
    Star,
    Junk,
}

/// What is wrong with a tag that can be read all the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TagFlaw {
    Unquoted,
    InnerQuote,
    Unclosed,
}

/// A piece: what it is and where it ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) kind: Kind,
    pub(crate) end: usize,
}

/// How far a spaced move, a strength in brackets or a set-up may reach at most.
pub(crate) const FAR: usize = 4096;

/// Bytes that words are made of: digits, letters, the signs of moves and results, and everything beyond ASCII.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b':' | b'/' | b'+' | b'=' | b'_' | b'\'' | b'&')
        || byte >= 0x80
}

const WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = is_word(i as u8);
        i += 1;
    }
    table
};

/// Spaces, and the NUL and the end-of-file mark that old programs leave in files.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c | 0x1a | 0)
}

/// Returns how many bytes a space at `at` has that is not ASCII: U+00A0 in UTF-8 or in one byte, and the byte order mark.
pub(crate) fn wide_space(bytes: &[u8], at: usize) -> usize {
    match bytes[at..] {
        [0xc2, 0xa0, ..] => 2,
        [0xa0, ..] => 1,
        [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}

/// Takes one piece of `bytes`, which begins at `at` with something that is no space.
#[inline]
pub(crate) fn piece(bytes: &[u8], at: usize, context: Context<'_>) -> Result<Piece, More> {
    let piece = match bytes[at] {
        b'0'..=b'9' => match move_of_numbers(bytes, at, context) {
            Some(piece) => piece,
            None => word(bytes, at, context)?,
        },
        b'[' => bracket(bytes, at, context)?,
        b'{' => Piece { kind: Kind::CommentBegin, end: at + 1 },
        b'(' => open(bytes, at, context)?,
        b')' => Piece { kind: Kind::Close, end: at + 1 },
        b'!' | b'?' => Piece { kind: Kind::Strength, end: run(bytes, at, |b| matches!(b, b'!' | b'?')) },
        b'*' => star(bytes, at, context)?,
        b'$' => nag(bytes, at),
        b'/' => setup(bytes, at, context)?,
        b'.' => Piece { kind: Kind::Blank, end: run(bytes, at, |b| b == b'.') },
        b'%' | b';' => line_comment(bytes, at),
        b'\\' if matches!(byte(bytes, at + 1), b'n' | b'r' | b't') => Piece { kind: Kind::Junk, end: at + 2 },
        byte if WORD[byte as usize] => word(bytes, at, context)?,
        _ => Piece { kind: Kind::Junk, end: at + 1 },
    };
    if piece.end >= bytes.len() && !context.last { Err(More) } else { Ok(piece) }
}

fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

#[inline]
fn run(bytes: &[u8], from: usize, is_in: impl Fn(u8) -> bool) -> usize {
    bytes[from.min(bytes.len())..].iter().position(|b| !is_in(*b)).map_or(bytes.len(), |n| from + n)
}

fn is_sign(byte: u8) -> bool {
    matches!(byte, b'-' | b'x' | b':' | b'X')
}

/// Numbers with signs between them, the common case: `32-28`, `18x9x4`; also a number with dots. `None` leaves it to [`word`].
#[inline]
fn move_of_numbers(bytes: &[u8], at: usize, context: Context<'_>) -> Option<Piece> {
    let mut end = at;
    let mut number = 0u64;
    while let digit @ b'0'..=b'9' = byte(bytes, end) {
        number = number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
        end += 1;
    }
    if byte(bytes, end) == b'.' {
        let after = run(bytes, end, |b| b == b'.');
        let dots = (after - end).min(255) as u8;
        // "1.01-0.99" is a result of its own kind.
        return context
            .result
            .is_empty()
            .then_some(Piece { kind: Kind::Number { number, dots }, end: after });
    }
    let first = number;
    let takes = matches!(byte(bytes, end), b'x' | b'X');
    let mut squares = 1;
    let mut last = first;
    while is_sign(byte(bytes, end)) && byte(bytes, end + 1).is_ascii_digit() {
        let start = end + 1;
        end = start;
        last = 0;
        while let digit @ b'0'..=b'9' = byte(bytes, end) {
            last = last * 10 + u64::from(digit - b'0');
            end += 1;
            if end - start > 2 {
                return None;
            }
        }
        squares += 1;
    }
    if squares == 1 || WORD[byte(bytes, end) as usize] || first > 99 || !context.result.is_empty() {
        return None;
    }
    let is_result = squares == 2 && !takes && (first == 0 || last == 0 || (first == 1 && last == 1));
    Some(Piece { kind: if is_result { Kind::Result } else { Kind::Move }, end })
}

/// A word: a move, a result, a number without a dot, or nothing that belongs here.
fn word(bytes: &[u8], at: usize, context: Context<'_>) -> Result<Piece, More> {
    if let Some(end) = unusual_result(bytes, at, context)? {
        return Ok(Piece { kind: Kind::Result, end });
    }
    let mut end = word_end(bytes, at);
    if byte(bytes, end) == b'.' && bytes[at..end].iter().all(u8::is_ascii_digit) {
        let number =
            bytes[at..end].iter().fold(0u64, |n, d| n.saturating_mul(10).saturating_add(u64::from(d - b'0')));
        let after = run(bytes, end, |b| b == b'.');
        return Ok(Piece { kind: Kind::Number { number, dots: (after - end).min(255) as u8 }, end: after });
    }
    while let Some(further) = spaced(bytes, at, end, context)? {
        end = further;
    }
    if end >= bytes.len() && !context.last {
        return Err(More);
    }
    let text = &bytes[at..end];
    let kind = if text.iter().all(|b| matches!(b, b'-' | b' ')) {
        Kind::Blank
    } else if is_result(text) {
        Kind::Result
    } else if is_like_a_move(text) && (context.in_moves || !text.iter().all(u8::is_ascii_digit)) {
        // Before the moves, four digits are a year.
        Kind::Move
    } else if text.iter().all(|b| matches!(b, b'+' | b'=' | b'-' | b'/')) {
        Kind::Symbol
    } else if text.iter().all(u8::is_ascii_digit) && context.in_moves {
        let number = text.iter().fold(0u64, |n, d| n.saturating_mul(10).saturating_add(u64::from(d - b'0')));
        Kind::Number { number, dots: 0 }
    } else if let Some(length) = move_before_words(text) {
        return Ok(Piece { kind: Kind::Move, end: at + length });
    } else {
        Kind::Junk
    };
    Ok(Piece { kind, end })
}

/// Returns how long the move is on which words hang: `8-11Red resigned`.
fn move_before_words(text: &[u8]) -> Option<usize> {
    let mut end = run(text, 0, |b| b.is_ascii_digit());
    let first = end;
    while is_sign(byte(text, end)) && byte(text, end + 1).is_ascii_digit() {
        end = run(text, end + 1, |b| b.is_ascii_digit());
    }
    (first > 0
        && end > first
        && (byte(text, end).is_ascii_alphabetic() || matches!(byte(text, end), b'+' | b'='))
        && is_like_a_move(&text[..end]))
    .then_some(end)
}

fn word_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < bytes.len() && WORD[bytes[end] as usize] {
        // In UTF-8 a byte 0xa0 may be the middle of a letter; it is a space of its own only behind ASCII.
        let is_inside = end > at && bytes[end] == 0xa0 && bytes[end - 1] >= 0x80;
        if end > at && !is_inside && wide_space(bytes, end) > 0 {
            break;
        }
        end += 1;
    }
    end
}

/// Returns where the Result tag's own value ends, if it stands here and ends the game.
fn unusual_result(bytes: &[u8], at: usize, context: Context<'_>) -> Result<Option<usize>, More> {
    if context.result.is_empty() {
        return Ok(None);
    }
    let end = at + context.result.len();
    if end >= bytes.len() && !context.last && context.result.starts_with(&bytes[at..]) {
        return Err(More);
    }
    if !bytes[at..].starts_with(context.result) || WORD[byte(bytes, end) as usize] {
        return Ok(None);
    }
    Ok(ends_the_game(bytes, end, context)?.then_some(end))
}

/// Returns whether only a tag, a star or nothing follows.
fn ends_the_game(bytes: &[u8], from: usize, context: Context<'_>) -> Result<bool, More> {
    let bytes = &bytes[..bytes.len().min(from + FAR)];
    let next = run(bytes, from, is_space);
    match bytes.get(next) {
        None if context.last || next == from + FAR => Ok(true),
        None => Err(More),
        Some(byte) => Ok(matches!(byte, b'[' | b'*')),
    }
}

/// Returns where a move goes on behind spaces: `4- 9`, `32 - 28`, `c3 :e5`.
fn spaced(bytes: &[u8], at: usize, end: usize, context: Context<'_>) -> Result<Option<usize>, More> {
    let text = &bytes[at..end];
    if text.len() > FAR {
        return Ok(None);
    }
    let next = run(bytes, end, |b| matches!(b, b' ' | b'\t'));
    if next == end {
        return Ok(None);
    }
    if next + 1 >= bytes.len() && !context.last {
        return Err(More);
    }
    let begins_square = |b: u8| b.is_ascii_alphanumeric();
    // "32-" goes on, "Result:" does not.
    let ends_in_sign = match text {
        [head @ .., sign] if is_sign(*sign) => {
            let last = head.rsplit(|b| is_sign(*b)).next().unwrap_or_default().trim_ascii();
            is_square(last) || last == b"1/2"
        }
        _ => false,
    };
    let joins = if text == b"-" {
        byte(bytes, next) == b'-' && word_end(bytes, next) == next + 1
    } else if ends_in_sign {
        begins_square(byte(bytes, next))
    } else {
        let sign = byte(bytes, next);
        let square = run(bytes, next + 1, |b| matches!(b, b' ' | b'\t'));
        if square >= bytes.len() && !context.last {
            return Err(More);
        }
        (is_square(text) || text == b"1/2")
            && is_sign(sign)
            && byte(bytes, square).is_ascii_digit() == text[0].is_ascii_digit()
            && begins_square(byte(bytes, square))
    };
    Ok(joins.then(|| word_end(bytes, next)))
}

/// One or two digits, or a column and a row.
fn is_square(text: &[u8]) -> bool {
    match text {
        [d] | [d, b'0'..=b'9'] if d.is_ascii_digit() => true,
        [c, b'0'..=b'9'] | [c, b'1', b'0'..=b'2'] => (b'a'..=b'l').contains(&c.to_ascii_lowercase()),
        _ => false,
    }
}

/// Removes what differs between encodings and habits: `½`, the dash, the cross, spaces.
fn plain(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, tail)) = rest.split_first() {
        let (word, used): (&[u8], usize) = match rest {
            [0xc2, 0xbd, ..] => (b"1/2", 2),
            [0xe2, 0x80, 0x93 | 0x94, ..] => (b"-", 3),
            [0xc3, 0x97, ..] => (b"x", 2),
            [0xbd, ..] => (b"1/2", 1),
            [0x96 | 0x97, ..] => (b"-", 1),
            [0xd7, ..] => (b"x", 1),
            [b' ' | b'\t', ..] => (b"", 1),
            _ => (core::slice::from_ref(first), 1),
        };
        out.extend_from_slice(word);
        rest = &tail[used - 1..];
    }
    out
}

/// Returns whether this is a result as it ends games: points with a zero, two equal numbers, or halves.
pub(crate) fn is_result(text: &[u8]) -> bool {
    if text.len() > 16 || !text.iter().any(|b| b.is_ascii_digit() || *b >= 0x80) {
        return false;
    }
    let plain = plain(text);
    let Some(sign) = plain.iter().position(|b| matches!(b, b'-' | b':')) else { return plain == b"1/2" };
    let (left, right) = (&plain[..sign], &plain[sign + 1..]);
    let is_count = |t: &[u8]| !t.is_empty() && t.len() <= 2 && t.iter().all(u8::is_ascii_digit);
    let is_half = |t: &[u8]| matches!(t, b"1/2" | b"11/2");
    let is_zero = |t: &[u8]| t == b"0";
    (is_half(left) && is_half(right))
        || (is_count(left)
            && is_count(right)
            && (is_zero(left) || is_zero(right) || (left == b"1" && right == b"1")))
}

/// Returns whether a word has the form of a move, legal or not: squares by number or by letter, three or four digits in a row, or short letters.
fn is_like_a_move(text: &[u8]) -> bool {
    let text = &plain(text)[..];
    if text.len() > 256 {
        return false;
    }
    if text.iter().all(u8::is_ascii_digit) {
        return matches!(text.len(), 3 | 4);
    }
    let mut digits = 0;
    let mut others = 0;
    for byte in text {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'a'..=b'l' | b'A'..=b'L' | b'-' | b':' | b'x' | b'X' => others += 1,
            _ => return false,
        }
    }
    let begins = text[0].is_ascii_alphanumeric() && !matches!(text[0], b'x' | b'X');
    let letters = text.iter().filter(|b| b.is_ascii_alphabetic() && !matches!(b, b'x' | b'X')).count();
    begins
        && digits > 0
        && others > 0
        && text[text.len() - 1].is_ascii_digit()
        && (letters != 1 || digits > 1)
        && text.len() > 2
}

fn star(bytes: &[u8], at: usize, context: Context<'_>) -> Result<Piece, More> {
    // Behind a move a star says "forced", unless the game ends with it.
    let kind =
        if context.glued && !ends_the_game(bytes, at + 1, context)? { Kind::Strength } else { Kind::Star };
    Ok(Piece { kind, end: at + 1 })
}

fn nag(bytes: &[u8], at: usize) -> Piece {
    let end = run(bytes, at + 1, |b| b.is_ascii_digit());
    let number =
        bytes[at + 1..end].iter().fold(0u32, |n, d| n.saturating_mul(10).saturating_add(u32::from(d - b'0')));
    Piece { kind: if end == at + 1 { Kind::Junk } else { Kind::Nag(number) }, end }
}

fn open(bytes: &[u8], at: usize, context: Context<'_>) -> Result<Piece, More> {
    let end = run(bytes, at + 1, |b| matches!(b, b'!' | b'?' | b'*' | b' '));
    if end >= bytes.len() && !context.last {
        return Err(More);
    }
    let is_strength = byte(bytes, end) == b')' && bytes[at + 1..end].iter().any(|b| *b != b' ');
    Ok(if is_strength {
        Piece { kind: Kind::Strength, end: end + 1 }
    } else {
        Piece { kind: Kind::Open, end: at + 1 }
    })
}

/// `/FEN "…"/`.
fn setup(bytes: &[u8], at: usize, context: Context<'_>) -> Result<Piece, More> {
    let limit = bytes.len().min(at + FAR);
    let junk = Piece { kind: Kind::Junk, end: at + 1 };
    let Some(length) = memchr2(b'/', b'\n', &bytes[at + 1..limit]) else {
        return if limit == bytes.len() && !context.last { Err(More) } else { Ok(junk) };
    };
    let close = at + 1 + length;
    let inside = &bytes[at + 1..close];
    let Some(name) = inside.iter().position(|b| !is_space(*b)) else { return Ok(junk) };
    if bytes[close] != b'/' || !inside[name..].get(..3).is_some_and(|n| n.eq_ignore_ascii_case(b"FEN")) {
        return Ok(junk);
    }
    let is_around = |b: &u8| is_space(*b) || *b == b'"';
    let value = at + 1 + name + 3;
    let text = &bytes[value..close];
    let from = text.iter().position(|b| !is_around(b)).map_or(close, |n| value + n);
    let to = text.iter().rposition(|b| !is_around(b)).map_or(from, |n| value + n + 1);
    Ok(Piece { kind: Kind::Setup(from..to), end: close + 1 })
}

fn line_comment(bytes: &[u8], at: usize) -> Piece {
    let end = memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |n| at + n);
    Piece { kind: Kind::LineComment(at + 1..end), end }
}

/// Returns how long the quotation mark here is; 0 for none.
fn quote(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..).unwrap_or_default() {
        [b'"', ..] => 1,
        [0xe2, 0x80, 0x9c..=0x9f, ..] => 3,
        [0x93 | 0x94, ..] => 1,
        _ => 0,
    }
}

/// A tag, or a command outside a comment.
fn bracket(bytes: &[u8], at: usize, context: Context<'_>) -> Result<Piece, More> {
    let is_blank = |b: u8| matches!(b, b' ' | b'\t');
    let start = run(bytes, at + 1, is_blank);
    if byte(bytes, start) == b'%' {
        return Ok(match memchr3(b']', b'\n', b'{', &bytes[start..]) {
            Some(n) if bytes[start + n] == b']' => Piece { kind: Kind::Command, end: start + n + 1 },
            Some(n) => Piece { kind: Kind::Junk, end: start + n },
            None => Piece { kind: Kind::Junk, end: bytes.len() },
        });
    }
    let name = start..run(bytes, start, |b| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80);
    let value = run(bytes, name.end, is_blank);
    if value >= bytes.len() && !context.last {
        return Err(More);
    }
    let junk = Piece { kind: Kind::Junk, end: at + 1 };
    if name.is_empty() {
        return Ok(junk);
    }
    match quote(bytes, value) {
        0 if value + 3 > bytes.len() && !context.last => Err(More),
        0 if context.in_moves => Ok(junk),
        0 => unquoted(bytes, name, value),
        mark => quoted(bytes, name, value..value + mark, context),
    }
}

fn unquoted(bytes: &[u8], name: Range<usize>, from: usize) -> Result<Piece, More> {
    let close = memchr3(b']', b'\n', b'\r', &bytes[from..]).map_or(bytes.len(), |n| from + n);
    let text = &bytes[from..close];
    let length = text.iter().rposition(|b| !is_space(*b)).map_or(0, |n| n + 1);
    let is_closed = byte(bytes, close) == b']';
    let flaw = Some(if is_closed { TagFlaw::Unquoted } else { TagFlaw::Unclosed });
    let kind = Kind::Tag { name, value: from..from + length, flaw };
    Ok(Piece { kind, end: close + usize::from(is_closed) })
}

fn quoted(bytes: &[u8], name: Range<usize>, mark: Range<usize>, context: Context<'_>) -> Result<Piece, More> {
    // A value between straight marks may hold curly ones.
    let is_straight = bytes[mark.start] == b'"';
    let from = mark.end;
    let mut flaw = None;
    let mut at = from;
    let mut last_quote = None;
    let done = |value: Range<usize>, flaw, end| {
        Ok(Piece { kind: Kind::Tag { name: name.clone(), value, flaw }, end })
    };
    loop {
        match byte(bytes, at) {
            b'\\' if byte(bytes, at + 1) == b'"' => {
                let after = run(bytes, at + 2, |b| matches!(b, b' ' | b'\t'));
                let behind = run(bytes, after + 1, |b| matches!(b, b' ' | b'\t'));
                if behind >= bytes.len() && !context.last {
                    return Err(More);
                }
                // A path such as "C:\PDN\" ends with a stroke that was not meant to escape anything.
                if byte(bytes, after) == b']' && matches!(byte(bytes, behind), b'\n' | b'\r' | b'[' | 0) {
                    return done(from..at + 1, Some(TagFlaw::InnerQuote), after + 1);
                }
                at += 2;
            }
            b'\\' if byte(bytes, at + 1) == b'\\' => at += 2,
            b'\\' => at += 1,
            b'\n' | b'\r' if goes_on(bytes, at, context)? => at += 1,
            b'\n' | b'\r' => {
                let (to, end) = last_quote.unwrap_or((at, at));
                return done(from..to, Some(TagFlaw::Unclosed), end);
            }
            0 if at >= bytes.len() => {
                if !context.last {
                    return Err(More);
                }
                let (to, end) = last_quote.unwrap_or((bytes.len(), bytes.len()));
                return done(from..to, Some(TagFlaw::Unclosed), end);
            }
            _ => match quote(bytes, at) {
                0 => at += 1,
                mark if is_straight && bytes[at] != b'"' => at += mark,
                mark => {
                    let after = run(bytes, at + mark, |b| matches!(b, b' ' | b'\t'));
                    match byte(bytes, after) {
                        b']' => return done(from..at, flaw, after + 1),
                        // Another tag begins: this one was not closed.
                        b'[' if is_straight && byte(bytes, after + 1).is_ascii_alphabetic() => {
                            return done(from..at, Some(TagFlaw::Unclosed), at + mark);
                        }
                        _ if after + 1 >= bytes.len() && !context.last => return Err(More),
                        _ => {
                            flaw = Some(TagFlaw::InnerQuote);
                            // A quotation mark where the line's text goes on; the last one ends the value if no bracket does.
                            last_quote.get_or_insert((at, at + mark));
                            at += mark;
                        }
                    }
                }
            },
        }
    }
}

/// Returns whether a value that has no end on its line goes on in the next one: a line that is not empty, begins with no bracket and ends as a tag.
fn goes_on(bytes: &[u8], newline: usize, context: Context<'_>) -> Result<bool, More> {
    let line = newline + if bytes[newline..].starts_with(b"\r\n") { 2 } else { 1 };
    let rest = bytes.get(line..).unwrap_or_default();
    let rest = &rest[..rest.len().min(FAR)];
    let Some(end) = memchr2(b'\n', b'\r', rest).or((context.last || rest.len() == FAR).then_some(rest.len()))
    else {
        return Err(More);
    };
    let text = rest[..end].trim_ascii();
    Ok(!text.is_empty() && text[0] != b'[' && text.ends_with(b"\"]"))
}

/// Returns where in a comment, from a place on, a line begins that is a tag: a sign that the comment was never closed.
pub(crate) fn tag_line(text: &[u8], from: usize) -> Option<usize> {
    let mut from = from;
    while let Some(n) = memchr(b'[', &text[from..]) {
        let at = from + n;
        let line = text[..at].iter().rposition(|b| !matches!(b, b' ' | b'\t'));
        let begins_line = line.is_some_and(|i| matches!(text[i], b'\n' | b'\r'));
        let name = run(text, at + 1, |b| b.is_ascii_alphanumeric() || b == b'_');
        let value = run(text, name, |b| matches!(b, b' ' | b'\t'));
        if begins_line && name > at + 1 && quote(text, value) > 0 {
            return Some(at);
        }
        from = at + 1;
    }
    None
}
