//! `damiera play`: a game in the terminal, against the computer or between two.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use clap::ValueEnum;
use damiera_rules::{RuleSet, Side, fen};
use damiera_table::{Computer, Level, New, Seat, Seats, opening};

use crate::input::{FenArg, LangArg, read_level, read_rules};
use crate::output::{Answer, Out};
use crate::say;
use crate::terminal::{Session, Style, play_lines, play_on_screen};

/// How long the computer thinks about a move when it plays its best, here and on the page.
pub(super) const BEST: Duration = Duration::from_secs(2);

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule set: a key (italian), a canonical name (brazilian,capture=optional) or a rule file (FILE.toml)
    #[arg(long, value_name = "RULES", value_parser = read_rules, default_value = "italian")]
    rules: Arc<RuleSet>,
    #[command(flatten)]
    fen: FenArg,
    /// How strong the computer is: 1 to 10, or best (two seconds a move)
    #[arg(long, value_name = "N", default_value = "7", value_parser = read_level)]
    level: Level,
    /// A tournament opening: lot (drawn from the usual list), a list to draw from (3-move) or a ballot of it (3-move:17)
    #[arg(long, value_name = "NAME", conflicts_with = "fen")]
    opening: Option<String>,
    /// Your side
    #[arg(long, value_enum, default_value_t = SideArg::White)]
    side: SideArg,
    /// Two persons at this terminal
    #[arg(long, conflicts_with_all = ["level", "side"])]
    two: bool,
    /// The computer answers at once, not after the time that a person would take
    #[arg(long, conflicts_with = "two")]
    no_pace: bool,
    /// Letters only, without colours or drawing characters
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    lang: LangArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SideArg {
    White,
    Black,
}

/// Returns the name of the list that "lot" stands for; any other name stands for itself.
fn opening_name(rules: &RuleSet, name: String) -> String {
    let usual = opening::lists(rules).first().copied();
    if name == "lot" { usual.map_or(name, str::to_owned) } else { name }
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let position = args.fen.position(&args.rules)?;
    let (person, computer) = (Seat::Person, Seat::Computer(args.level));
    let seats = match (args.two, args.side) {
        (true, _) => Seats { white: person, black: person },
        (false, SideArg::White) => Seats { white: person, black: computer },
        (false, SideArg::Black) => Seats { white: computer, black: person },
    };
    let opening = args.opening.map(|name| opening_name(&args.rules, name));
    let new = New {
        rules: args.rules.canonical().to_owned(),
        seats,
        fen: opening.is_none().then(|| fen::format(&args.rules, &position)),
        opening,
    };
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    let on_screen = io::stdin().is_terminal() && io::stdout().is_terminal() && !dumb;
    // A pipe is no person who would like to look on.
    let paced = on_screen && !args.no_pace;
    let session = Session::new(new, Arc::new(Computer::new(BEST)), paced)
        .map_err(|refusal| anyhow!("{}", refusal.text))?;
    let style = Style {
        lang: args.lang.lang(),
        ascii: args.ascii || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
        flipped: seats.only_person() == Some(Side::Black),
    };
    if on_screen {
        play_on_screen(session, style, say::rules_name(style.lang, &args.rules))
    } else {
        play_lines(session, style, out)
    }
}
