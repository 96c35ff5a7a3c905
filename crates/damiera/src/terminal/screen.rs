//! The full screen: keys in, a picture out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{io, process, thread};

use damiera_rules::{Bits, Move, Side};
use damiera_table::Refusal;
use damiera_words::t;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::iterator::Signals;

use super::command::Command;
use super::entry::{self, Candidate, Entered};
use super::session::{Happening, Session};
use super::{Style, board, talk, view};
use crate::output::Answer;

/// How long the screen waits for a key before it looks whether the computer has answered.
const PATIENCE: Duration = Duration::from_millis(40);
/// How many keys are taken in at most before the screen is drawn again.
const MOST_EVENTS: usize = 4096;
/// How long the screen may take to leave when a signal says so.
const GRACE: Duration = Duration::from_secs(1);
/// The longest text that is typed.
const LONGEST_ENTRY: usize = 60;

/// Plays on the whole screen until the player leaves. Whatever happens, the terminal is given back as it was.
pub(crate) fn play(session: Session, style: Style, title: String) -> anyhow::Result<Answer> {
    let leave = Arc::new(AtomicBool::new(false));
    leave_at_signals(Arc::clone(&leave))?;
    let mut screen = Screen::new(session, style, title);
    // `init` also hooks panics, so that their message finds a terminal in order.
    let mut terminal = ratatui::init();
    let result = screen.run(&mut terminal, &leave);
    ratatui::restore();
    result?;
    Ok(Answer::Done)
}

/// Asks the screen to leave when a signal says so. Once the terminal has gone away the next key is waited for in vain and for ever, so after a moment the
/// program is ended from here.
fn leave_at_signals(leave: Arc<AtomicBool>) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP])?;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            leave.store(true, Ordering::Relaxed);
            thread::sleep(GRACE);
            // There may be no terminal left to restore.
            let _ = ratatui::try_restore();
            process::exit(128 + signal);
        }
    });
    Ok(())
}

/// Everything that the picture shows beside the game.
pub(super) struct Screen {
    pub(super) session: Session,
    pub(super) style: Style,
    /// The name of the rules: that of the rule file, of which the table knows only what it says.
    pub(super) title: String,
    /// What is being typed.
    pub(super) entry: String,
    /// The text from which Tab goes round, and the candidate that it has reached.
    round: Option<(String, usize)>,
    /// The square of the cursor: row and column as drawn. It is shown once an arrow key has been pressed.
    cursor: (u8, u8),
    pub(super) shows_cursor: bool,
    /// What was said last.
    pub(super) message: Option<String>,
    /// The squares of moves that are pointed out.
    pub(super) pointed: u128,
    pub(super) shows_help: bool,
    /// How many lines the list of moves is turned back.
    pub(super) turned_back: usize,
    /// A question that the next yes or no answers.
    asks_to_resign: bool,
    leaves: bool,
}

impl Screen {
    fn new(session: Session, style: Style, title: String) -> Screen {
        let size = session.rules().shape().size();
        Screen {
            session,
            style,
            title,
            entry: String::new(),
            round: None,
            cursor: (size / 2, size / 2),
            shows_cursor: false,
            message: None,
            pointed: 0,
            shows_help: false,
            turned_back: 0,
            asks_to_resign: false,
            leaves: false,
        }
    }

    fn run(&mut self, terminal: &mut DefaultTerminal, leave: &AtomicBool) -> io::Result<()> {
        let mut changed = true;
        while !self.leaves && !leave.load(Ordering::Relaxed) {
            if changed {
                terminal.draw(|frame| view::draw(self, frame))?;
            }
            changed = self.take_in()?;
            if let Some(happening) = self.session.poll(Duration::ZERO) {
                self.happened(&happening);
                changed = true;
            }
        }
        Ok(())
    }

    /// Takes in what waits to be read, so that a long text that is pasted, or a window that is being drawn larger, is not shown letter by letter.
    /// Returns whether there was anything.
    fn take_in(&mut self) -> io::Result<bool> {
        let mut patience = PATIENCE;
        for _ in 0..MOST_EVENTS {
            if self.leaves || !event::poll(patience)? {
                break;
            }
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
                Event::Paste(text) => self.paste(&text),
                _ => {}
            }
            patience = Duration::ZERO;
        }
        Ok(patience.is_zero())
    }

    /// Returns the bit of the square under the cursor.
    pub(super) fn cursor_square(&self) -> Option<u8> {
        let (row, col) = self.cursor;
        let rows = board::rows(self.session.rules(), self.style.flipped);
        rows.get(usize::from(row))?.get(usize::from(col)).copied().flatten()
    }

    /// Returns the row and column of the cursor, while it is shown.
    pub(super) fn cursor(&self) -> Option<(u8, u8)> {
        self.shows_cursor.then_some(self.cursor)
    }

    /// Returns the moves that the typed text may become.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let typed = self.round.as_ref().map_or(self.entry.as_str(), |(typed, _)| typed);
        entry::candidates(self.session.game(), typed)
    }

    fn happened(&mut self, happening: &Happening) {
        let lang = self.style.lang;
        self.turned_back = 0;
        match happening {
            Happening::Moved => self.say(talk::last_move(lang, self.session.game())),
            Happening::Agreed => self.message = None,
            Happening::Declined => self.say(t(lang, "tui.declined", &[])),
            Happening::Hint(m) => {
                self.say(talk::hint(lang, self.session.game(), m));
                self.pointed = u128::bit(m.from) | u128::bit(m.to);
            }
        }
    }

    fn say(&mut self, text: String) {
        self.message = Some(text);
        self.pointed = 0;
    }

    // ---- keys ----

    fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && matches!(key.code, KeyCode::Char('c' | 'd')) {
            self.leaves = true;
            return;
        }
        if self.shows_help {
            // Any key puts the help away; a letter is not typed by that.
            self.shows_help = false;
            return;
        }
        match key.code {
            KeyCode::Char('u') if control => self.set_entry(String::new()),
            KeyCode::Char('l') if control => {}
            KeyCode::Char(_) if control => {}
            KeyCode::Char(c) => self.typed(c),
            KeyCode::Backspace => {
                let mut text = std::mem::take(&mut self.entry);
                text.pop();
                self.set_entry(text);
            }
            KeyCode::Tab => self.complete(1),
            KeyCode::BackTab => self.complete(-1),
            KeyCode::Enter => self.enter(),
            KeyCode::Esc => self.escape(),
            KeyCode::Up => self.walk(-1, 0),
            KeyCode::Down => self.walk(1, 0),
            KeyCode::Left => self.walk(0, -1),
            KeyCode::Right => self.walk(0, 1),
            KeyCode::PageUp => self.turned_back += 4,
            KeyCode::PageDown => self.turned_back = self.turned_back.saturating_sub(4),
            KeyCode::F(number) => self.function_key(number),
            _ => {}
        }
    }

    fn function_key(&mut self, number: u8) {
        match number {
            1 => self.command(Command::Help),
            2 => self.command(Command::Hint),
            3 => self.command(Command::TakeBack),
            4 => self.command(Command::Draw),
            5 => self.command(Command::Flip),
            10 => self.command(Command::Quit),
            _ => {}
        }
    }

    fn typed(&mut self, c: char) {
        if c.is_control() || self.entry.chars().count() >= LONGEST_ENTRY {
            return;
        }
        if c == ' ' && self.entry.is_empty() {
            // On an empty line the space bar touches the square under the cursor.
            self.touch();
            return;
        }
        let mut text = std::mem::take(&mut self.entry);
        text.push(c);
        self.set_entry(text);
    }

    fn paste(&mut self, text: &str) {
        text.chars().filter(|c| !c.is_control()).for_each(|c| self.typed(c));
    }

    fn set_entry(&mut self, text: String) {
        self.entry = text;
        self.round = None;
    }

    fn escape(&mut self) {
        self.asks_to_resign = false;
        self.message = None;
        self.pointed = 0;
        if self.entry.is_empty() {
            self.shows_cursor = false;
        }
        // A path loses its last square; anything else is wiped out.
        let squares = entry::touched(self.session.rules(), &self.entry);
        let shorter = squares.split_last().map(|(_, rest)| rest.to_vec()).unwrap_or_default();
        self.set_entry(self.path_text(&shorter));
    }

    /// Goes round the texts that what was typed may become.
    fn complete(&mut self, step: isize) {
        let lang = self.style.lang;
        let typed = self.round.as_ref().map_or_else(|| self.entry.clone(), |(typed, _)| typed.clone());
        let mut texts = Command::beginning_with(lang, &typed);
        if texts.is_empty() {
            texts = entry::candidates(self.session.game(), &typed).into_iter().map(|c| c.text).collect();
        }
        if texts.is_empty() {
            return;
        }
        let count = texts.len() as isize;
        let next = match &self.round {
            Some((_, at)) => (*at as isize + step).rem_euclid(count),
            None if step > 0 => 0,
            None => count - 1,
        } as usize;
        self.entry = texts.swap_remove(next);
        self.round = Some((typed, next));
    }

    fn walk(&mut self, down: i8, right: i8) {
        if !self.shows_cursor {
            self.shows_cursor = true;
            return;
        }
        let last = self.session.rules().shape().size() - 1;
        let (row, col) = self.cursor;
        let moved = |at: u8, by: i8| at.saturating_add_signed(by).min(last);
        self.cursor = (moved(row, down), moved(col, right));
    }

    fn path_text(&self, squares: &[u8]) -> String {
        let names: Vec<String> = squares.iter().map(|bit| self.session.rules().board().name(*bit)).collect();
        names.join("-")
    }

    /// Adds the square under the cursor to the path, and plays the move when it is complete.
    fn touch(&mut self) {
        if !self.shows_cursor {
            return;
        }
        let Some(square) = self.cursor_square() else { return };
        let mut path = entry::touched(self.session.rules(), &self.entry);
        let own = self.session.game().position().pieces(self.session.side()).has(square);
        // Another piece of one's own begins anew, unless the capture may come back to where it began.
        if own && path.first() != Some(&square) {
            path.clear();
        }
        path.push(square);
        let text = self.path_text(&path);
        if path.len() == 1 {
            let stuck = own && entry::candidates(self.session.game(), &text).is_empty();
            self.set_entry(text);
            if stuck || !own {
                self.enter();
            }
            return;
        }
        match entry::read(self.style.lang, self.session.game(), &text) {
            Entered::Move(m) => self.play(&m),
            _ if !entry::candidates(self.session.game(), &text).is_empty() => self.set_entry(text),
            _ => {
                self.set_entry(text);
                self.enter();
            }
        }
    }

    fn enter(&mut self) {
        if self.entry.is_empty() {
            self.touch();
            return;
        }
        // While the cursor is used, Enter goes on touching: the typed squares are a path.
        let squares = entry::touched(self.session.rules(), &self.entry);
        if self.shows_cursor
            && squares.len() == 1
            && self.cursor_square() != squares.first().copied()
            && self.round.is_none()
        {
            self.touch();
            return;
        }
        match entry::read(self.style.lang, self.session.game(), &self.entry) {
            Entered::Nothing => self.set_entry(String::new()),
            Entered::Command(command) => {
                self.set_entry(String::new());
                self.command(command);
            }
            Entered::Move(m) => self.play(&m),
            Entered::Refused(refused) => {
                self.set_entry(String::new());
                let game = self.session.game();
                if game.outcome().is_some() {
                    return self.refused(&Refusal::new(damiera_table::Code::Over, ""));
                }
                if !self.session.is_persons_turn() {
                    return self.refused(&Refusal::new(damiera_table::Code::NotYourTurn, ""));
                }
                let better = talk::moves(game, &refused.better);
                let mut text = refused.text;
                if !better.is_empty() {
                    text = format!("{text} {}", t(self.style.lang, "cli.better", &[("moves", &better)]));
                }
                self.say(text);
                let path = refused.better.first().map(|m| self.squares_of(m));
                self.pointed = path.unwrap_or_default();
            }
        }
    }

    /// Returns the squares that a move touches, and those of the pieces that it captures.
    fn squares_of(&self, m: &Move) -> u128 {
        let game = self.session.game();
        let path = damiera_rules::notation::path(game.rules(), game.position(), m);
        path.squares().into_iter().fold(m.captured, |set, bit| set | u128::bit(bit))
    }

    // ---- what the player does ----

    fn play(&mut self, m: &Move) {
        self.set_entry(String::new());
        self.turned_back = 0;
        match self.session.play(m) {
            Ok(()) => {
                self.message = None;
                self.pointed = 0;
            }
            Err(refusal) => self.refused(&refusal),
        }
    }

    fn refused(&mut self, refusal: &Refusal) {
        self.say(talk::refusal(self.style.lang, refusal));
    }

    fn command(&mut self, command: Command) {
        let resigning = std::mem::take(&mut self.asks_to_resign);
        let done = match command {
            Command::Quit => {
                self.leaves = true;
                return;
            }
            Command::Help => {
                self.shows_help = true;
                return;
            }
            Command::Moves => {
                self.turned_back = 0;
                self.say(talk::history(self.session.game()).join(" "));
                return;
            }
            Command::Flip => {
                self.style.flipped = !self.style.flipped;
                return;
            }
            Command::Resign if self.session.game().outcome().is_none() => {
                self.asks_to_resign = true;
                let lang = self.style.lang;
                let (yes, no) = (Command::Yes.word(lang), Command::No.word(lang));
                self.say(t(lang, "tui.resign.sure", &[("yes", &yes), ("no", &no)]));
                return;
            }
            Command::Yes if resigning => self.session.resign(),
            Command::No if resigning => Ok(()),
            Command::Hint => self.session.hint(),
            Command::TakeBack => self.session.take_back(),
            Command::Draw => self.session.offer_draw(),
            Command::Claim => self.session.claim(),
            Command::Yes => self.session.answer_draw(true),
            Command::No => self.session.answer_draw(false),
            Command::Resign => self.session.resign(),
            Command::Rematch => self.rematch(),
        };
        match done {
            Ok(()) => {
                self.message = None;
                self.pointed = 0;
                self.turned_back = 0;
            }
            Err(refusal) => self.refused(&refusal),
        }
    }

    fn rematch(&mut self) -> Result<(), Refusal> {
        self.session.rematch()?;
        // The person's side stays below.
        if let Some(side) = self.session.seats().only_person() {
            self.style.flipped = side == Side::Black;
        }
        Ok(())
    }
}
