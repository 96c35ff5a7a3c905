//! `damiera play`: a game in the terminal, against the computer or between two.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use anyhow::anyhow;
use clap::ValueEnum;
use damiera_rules::{RuleSet, Side, fen};
use damiera_table::{Computer, New, Seat, Seats};

use crate::input::{FenArg, LangArg, read_rules};
use crate::output::{Answer, Out};
use crate::say;
use crate::terminal::{Session, Style, play_lines, play_on_screen};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule set: a key (italian), a canonical name (brazilian,capture=optional) or a rule file (FILE.toml)
    #[arg(long, value_name = "RULES", value_parser = read_rules, default_value = "italian")]
    rules: Arc<RuleSet>,
    #[command(flatten)]
    fen: FenArg,
    /// How strong the computer is
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    level: u8,
    /// Your side
    #[arg(long, value_enum, default_value_t = SideArg::White)]
    side: SideArg,
    /// Two persons at this terminal
    #[arg(long, conflicts_with_all = ["level", "side"])]
    two: bool,
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

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let position = args.fen.position(&args.rules)?;
    let (person, computer) = (Seat::Person, Seat::Level(args.level));
    let seats = match (args.two, args.side) {
        (true, _) => Seats { white: person, black: person },
        (false, SideArg::White) => Seats { white: person, black: computer },
        (false, SideArg::Black) => Seats { white: computer, black: person },
    };
    let new = New {
        rules: args.rules.canonical().to_owned(),
        seats,
        fen: Some(fen::format(&args.rules, &position)),
    };
    let session =
        Session::new(new, Arc::new(Computer::default())).map_err(|refusal| anyhow!("{}", refusal.text))?;
    let style = Style {
        lang: args.lang.lang(),
        ascii: args.ascii || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
        flipped: seats.only_person() == Some(Side::Black),
    };
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    if io::stdin().is_terminal() && io::stdout().is_terminal() && !dumb {
        play_on_screen(session, style, say::rules_name(style.lang, &args.rules))
    } else {
        play_lines(session, style, out)
    }
}
