//! Commands that are typed, in the player's language or in English, with or without a slash.

use damiera_words::{Lang, t};

/// What a player can ask for besides a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// A hint.
    Hint,
    /// The last move back.
    TakeBack,
    /// A draw.
    Draw,
    /// The draw that the rules grant.
    Claim,
    /// To accept an offered draw.
    Yes,
    /// To decline it.
    No,
    /// The end: the other side wins.
    Resign,
    /// The board turned round.
    Flip,
    /// The list of moves played.
    Moves,
    /// Another game with the sides changed.
    Rematch,
    /// Help.
    Help,
    /// To leave.
    Quit,
}

impl Command {
    /// Every command, in the order in which help lists them.
    pub(super) const ALL: [Command; 12] = [
        Command::Hint,
        Command::TakeBack,
        Command::Draw,
        Command::Claim,
        Command::Yes,
        Command::No,
        Command::Resign,
        Command::Flip,
        Command::Moves,
        Command::Rematch,
        Command::Help,
        Command::Quit,
    ];

    /// Returns the command's name in the keys of the language files.
    fn name(self) -> &'static str {
        match self {
            Command::Hint => "hint",
            Command::TakeBack => "back",
            Command::Draw => "draw",
            Command::Claim => "claim",
            Command::Yes => "yes",
            Command::No => "no",
            Command::Resign => "resign",
            Command::Flip => "flip",
            Command::Moves => "moves",
            Command::Rematch => "rematch",
            Command::Help => "help",
            Command::Quit => "quit",
        }
    }

    /// Returns the word that is typed.
    pub(super) fn word(self, lang: Lang) -> String {
        t(lang, &format!("tui.command.{}", self.name()), &[])
    }

    /// Says what the command does.
    pub(super) fn about(self, lang: Lang) -> String {
        t(lang, &format!("tui.command.{}.about", self.name()), &[])
    }

    /// Reads a command.
    pub(super) fn parse(lang: Lang, text: &str) -> Option<Command> {
        let typed = text.trim().trim_start_matches('/').to_lowercase();
        if typed == "?" {
            return Some(Command::Help);
        }
        Command::ALL
            .into_iter()
            .find(|command| command.word(lang) == typed || command.word(Lang::En) == typed)
    }

    /// Returns the commands that a text with a slash may become.
    pub(super) fn beginning_with(lang: Lang, text: &str) -> Vec<String> {
        let Some(typed) = text.trim().strip_prefix('/') else { return Vec::new() };
        let words = Command::ALL.into_iter().map(|command| command.word(lang));
        words.filter(|word| word.starts_with(&typed.to_lowercase())).map(|word| format!("/{word}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_in_every_language() {
        for lang in Lang::ALL {
            for command in Command::ALL {
                assert_eq!(Command::parse(lang, &command.word(lang)), Some(command));
                assert_eq!(Command::parse(lang, &format!("/{}", command.word(Lang::En))), Some(command));
                assert_ne!(command.about(lang), format!("tui.command.{}.about", command.name()));
            }
        }
        assert_eq!(Command::parse(Lang::It, "24-20"), None);
        assert_eq!(Command::beginning_with(Lang::En, "/q"), ["/quit"]);
    }
}
