//! A game as the scanner tells of it, kept until its end: only then can its rules be found.

use crate::movetext::{Ends, ends};
use crate::scan::{Event, Place, Trouble};

/// How many tokens of a game are kept; a longer game is cut there, and that is said.
const TOKENS: usize = 1 << 18;

/// How many bytes of text are kept of a game.
const TEXT: usize = 16 << 20;

/// How many tags of a game are kept.
const TAGS: usize = 1000;

/// How many bytes are kept of one comment; the rest of a longer one is left out, and that is said.
const COMMENT: usize = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Move(Ends),
    Number { number: u64, dots: u8 },
    Blank,
    Strength,
    Nag(u32),
    Comment,
    Open,
    Close,
    Setup,
    Result,
    Trouble(Trouble),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) place: Place,
    from: u32,
    to: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag {
    pub(crate) place: Place,
    name: (u32, u32),
    value: (u32, u32),
}

/// The tokens of one game. It is filled again for the next one.
#[derive(Debug, Default)]
pub(crate) struct RawGame {
    pub(crate) place: Place,
    pub(crate) tags: Vec<Tag>,
    pub(crate) tokens: Vec<Token>,
    /// Where the game became too long to be kept.
    pub(crate) cut: Option<Place>,
    /// How many moves are not kept.
    pub(crate) cut_moves: u32,
    text: Vec<u8>,
    is_in_comment: bool,
}

impl RawGame {
    pub(crate) fn clear(&mut self, place: Place) {
        self.place = place;
        self.tags.clear();
        self.tokens.clear();
        self.cut = None;
        self.cut_moves = 0;
        self.text.clear();
        self.is_in_comment = false;
    }
    pub(crate) fn text(&self, token: &Token) -> &[u8] {
        &self.text[token.from as usize..token.to as usize]
    }
    pub(crate) fn name(&self, tag: &Tag) -> &[u8] {
        &self.text[tag.name.0 as usize..tag.name.1 as usize]
    }
    pub(crate) fn value(&self, tag: &Tag) -> &[u8] {
        &self.text[tag.value.0 as usize..tag.value.1 as usize]
    }
    fn keep(&mut self, bytes: &[u8]) -> (u32, u32) {
        let from = self.text.len() as u32;
        self.text.extend_from_slice(bytes);
        (from, self.text.len() as u32)
    }
    #[inline]
    pub(crate) fn add(&mut self, place: Place, event: Event<'_>) {
        if self.tokens.len() >= TOKENS || self.text.len() >= TEXT {
            self.cut.get_or_insert(place);
            self.cut_moves = self.cut_moves.saturating_add(u32::from(matches!(event, Event::Move(_))));
            return;
        }
        let (kind, bytes): (Kind, &[u8]) = match event {
            Event::Move(text) => (Kind::Move(ends(text)), text),
            Event::Number { number, dots } => (Kind::Number { number, dots }, b""),
            Event::Tag { name, value } => {
                if self.tags.len() >= TAGS {
                    self.cut.get_or_insert(place);
                    return;
                }
                let (name, value) = (self.keep(name), self.keep(value));
                self.tags.push(Tag { place, name, value });
                return;
            }
            Event::Blank => (Kind::Blank, b""),
            Event::Strength(text) => (Kind::Strength, text),
            Event::Nag(n) => (Kind::Nag(n), b""),
            Event::Comment { text, last } => {
                self.add_comment(place, text, last);
                return;
            }
            Event::VariationBegin => (Kind::Open, b""),
            Event::VariationEnd => (Kind::Close, b""),
            Event::Setup(text) => (Kind::Setup, text),
            Event::Result(text) => (Kind::Result, text),
            Event::Trouble(trouble, text) => (Kind::Trouble(trouble), text),
            Event::GameBegin | Event::GameEnd => return,
        };
        let (from, to) = self.keep(bytes);
        self.tokens.push(Token { kind, place, from, to });
    }
    fn add_comment(&mut self, place: Place, text: &[u8], last: bool) {
        let goes_on = std::mem::replace(&mut self.is_in_comment, !last);
        if let Some(token) = self.tokens.last()
            && goes_on
            && token.kind == Kind::Comment
        {
            let room = COMMENT - (token.to - token.from) as usize;
            let text = self.fitting(place, text, room);
            let (_, to) = self.keep(text);
            if let Some(token) = self.tokens.last_mut() {
                token.to = to;
            }
            return;
        }
        let text = self.fitting(place, text, COMMENT);
        let (from, to) = self.keep(text);
        self.tokens.push(Token { kind: Kind::Comment, place, from, to });
    }
    /// Returns as much of a text as there is room for, and notes what is cut.
    fn fitting<'t>(&mut self, place: Place, text: &'t [u8], room: usize) -> &'t [u8] {
        if text.len() <= room {
            return text;
        }
        self.cut.get_or_insert(place);
        let mut end = room;
        // No half characters, should it be UTF-8.
        while end > 0 && (0x80..0xc0).contains(&text[end]) && room - end < 4 {
            end -= 1;
        }
        &text[..end]
    }
}
