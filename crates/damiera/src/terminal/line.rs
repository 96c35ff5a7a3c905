//! Play line by line, where the program is piped or the terminal has no screen: a move or a command a line in, the board and what happens out.

use std::io::{self, BufReader, Write};
use std::time::Duration;

use damiera_rules::Move;
use damiera_words::t;

use super::board;
use super::command::Command;
use super::entry::{self, Entered, Refused};
use super::session::{Happening, Session};
use super::{Style, talk};
use crate::input::{Line, next_line};
use crate::output::{Answer, Out};

/// Plays until the input ends or the player leaves. The answer is a no when some line could not be played.
pub(crate) fn play(session: Session, style: Style, out: &mut Out) -> anyhow::Result<Answer> {
    let mut game = Lines { session, style, out, answer: Answer::Done };
    let mut input = BufReader::new(io::stdin().lock());
    if let Some(opening) = talk::opening(style.lang, &game.session) {
        game.say(&opening)?;
    }
    game.show()?;
    game.wait()?;
    while let Some(line) = next_line(&mut input)? {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => "?".repeat(30),
        };
        if game.enter(&text)? == Leave::Yes {
            break;
        }
        game.wait()?;
    }
    Ok(game.answer)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Leave {
    Yes,
    No,
}

struct Lines<'a> {
    session: Session,
    style: Style,
    out: &'a mut Out,
    answer: Answer,
}

impl Lines<'_> {
    fn say(&mut self, text: &str) -> anyhow::Result<()> {
        writeln!(self.out, "{text}")?;
        self.out.flush()?;
        Ok(())
    }
    fn word(&mut self, key: &str) -> anyhow::Result<()> {
        let text = t(self.style.lang, key, &[]);
        self.say(&text)
    }

    /// Shows the board and whose turn it is, or the result.
    fn show(&mut self) -> anyhow::Result<()> {
        let game = self.session.game();
        let text = board::text(game.rules(), game.position(), self.style.flipped);
        let status = talk::status(self.style.lang, &self.session);
        self.say(&format!("{text}{status}"))
    }

    /// Waits for the computer as long as it thinks.
    fn wait(&mut self) -> anyhow::Result<()> {
        while self.session.is_waiting() {
            match self.session.poll(Duration::from_secs(1)) {
                Some(Happening::Moved) => {
                    let text = talk::last_move(self.style.lang, self.session.game());
                    self.say(&text)?;
                    self.show()?;
                }
                Some(Happening::Agreed) => self.show()?,
                Some(Happening::Declined) => self.word("tui.declined")?,
                Some(Happening::Hint(m)) => {
                    let text = self.hint_text(&m);
                    self.say(&text)?;
                }
                None => {}
            }
        }
        Ok(())
    }

    fn hint_text(&self, m: &Move) -> String {
        talk::hint(self.style.lang, self.session.game(), m)
    }

    fn enter(&mut self, text: &str) -> anyhow::Result<Leave> {
        match entry::read(self.style.lang, self.session.game(), text) {
            Entered::Nothing => {}
            Entered::Command(command) => return self.command(command),
            Entered::Move(m) => {
                if let Err(refusal) = self.session.play(&m) {
                    self.refuse(&talk::refusal(self.style.lang, &refusal))?;
                } else {
                    self.show()?;
                }
            }
            Entered::Refused(refused) => self.refused(&refused)?,
        }
        Ok(Leave::No)
    }

    fn refuse(&mut self, text: &str) -> anyhow::Result<()> {
        self.answer = Answer::No;
        self.say(text)
    }

    fn refused(&mut self, refused: &Refused) -> anyhow::Result<()> {
        let game = self.session.game();
        if let Some(outcome) = game.outcome() {
            let text = talk::ended(self.style.lang, game.rules(), &outcome);
            return self.refuse(&text);
        }
        let better = talk::moves(game, &refused.better);
        self.refuse(&refused.text)?;
        if !better.is_empty() {
            self.say(&t(self.style.lang, "cli.better", &[("moves", &better)]))?;
        }
        Ok(())
    }

    fn command(&mut self, command: Command) -> anyhow::Result<Leave> {
        let lang = self.style.lang;
        let done = match command {
            Command::Quit => return Ok(Leave::Yes),
            Command::Help => {
                for command in Command::ALL {
                    self.say(&format!("{:<14} {}", command.word(lang), command.about(lang)))?;
                }
                return Ok(Leave::No);
            }
            Command::Moves => {
                let text = talk::numbered(self.session.game()).join("\n");
                self.say(&text)?;
                return Ok(Leave::No);
            }
            Command::Flip => {
                self.style.flipped = !self.style.flipped;
                Ok(())
            }
            Command::Hint => {
                if let Err(refusal) = self.session.hint() {
                    self.refuse(&talk::refusal(lang, &refusal))?;
                }
                return Ok(Leave::No);
            }
            Command::TakeBack => self.session.take_back(),
            Command::Draw => self.session.offer_draw(),
            Command::Claim => self.session.claim(),
            Command::Yes => self.session.answer_draw(true),
            Command::No => self.session.answer_draw(false),
            Command::Resign => self.session.resign(),
            Command::Rematch => self.session.rematch(),
        };
        match done {
            Ok(()) => self.show()?,
            Err(refusal) => self.refuse(&talk::refusal(lang, &refusal))?,
        }
        Ok(Leave::No)
    }
}
