//! `damiera pdn stats`: what the games of files come to: results, players, openings, lengths.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;

use damiera_pdn::{GameRead, GameTree, Step, Verdict};
use damiera_rules::{Side, notation};
use damiera_words::{Lang, t};
use serde::Serialize;

use super::FilesArg;
use crate::input::LangArg;
use crate::output::{Answer, Out, json_line};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: FilesArg,
    /// How many players and openings are named, those with the most games first
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// How many plies make an opening
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=40))]
    plies: u8,
    #[command(flatten)]
    lang: LangArg,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// Games by their result, as White has it or as a player has it.
#[derive(Clone, Copy, Default, Serialize)]
struct Tally {
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    /// Without a result, or with one that is none of the three.
    other: u64,
}

impl Tally {
    fn count(&mut self, verdict: &Verdict, side: Side) {
        self.games += 1;
        match verdict {
            Verdict::Won(winner) if *winner == side => self.won += 1,
            Verdict::Won(_) | Verdict::BothLost => self.lost += 1,
            Verdict::Drawn => self.drawn += 1,
            Verdict::Open | Verdict::Points(_) => self.other += 1,
        }
    }
    /// Returns the share of the points in per cent, a draw being half a point; games without a result do not count.
    fn share(&self) -> Option<f64> {
        let decided = self.won + self.drawn + self.lost;
        (decided > 0).then(|| (self.won as f64 + self.drawn as f64 / 2.0) * 100.0 / decided as f64)
    }
}

#[derive(Serialize)]
struct Named {
    name: String,
    #[serde(flatten)]
    tally: Tally,
    share: Option<f64>,
}

#[derive(Serialize)]
struct Lengths {
    shortest: u32,
    median: u32,
    mean: f64,
    longest: u32,
}

#[derive(Serialize)]
struct Report {
    games: u64,
    plies: u64,
    /// Results as White has them.
    results: Tally,
    rules: BTreeMap<String, u64>,
    /// Plies of the games as they were played.
    lengths: Option<Lengths>,
    player_count: usize,
    players: Vec<Named>,
    opening_count: usize,
    /// Results as White has them.
    openings: Vec<Named>,
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let mut counted = Counted::default();
    for path in &args.files.files {
        args.files.read(path, &mut |game| {
            counted.take(&game, usize::from(args.plies));
            ControlFlow::Continue(())
        })?;
    }
    let report = counted.report(args.top);
    if args.json {
        json_line(out, &report)?;
    } else {
        print(out, &report, args.lang.lang())?;
    }
    Ok(Answer::Done)
}

#[derive(Default)]
struct Counted {
    plies: u64,
    results: Tally,
    rules: BTreeMap<String, u64>,
    lengths: Vec<u32>,
    players: BTreeMap<String, Tally>,
    openings: BTreeMap<String, Tally>,
}

impl Counted {
    fn take(&mut self, game: &GameRead<'_>, plies: usize) {
        let tree = game.tree;
        self.plies += game.plies;
        self.results.count(&tree.verdict, Side::White);
        *self.rules.entry(tree.rules().canonical().to_owned()).or_default() += 1;
        self.lengths.push(u32::try_from(tree.main_line().count()).unwrap_or(u32::MAX));
        for (tag, side) in [("White", Side::White), ("Black", Side::Black)] {
            if let Some(name) = tree.tag(tag).filter(|name| *name != "?") {
                self.players.entry(name.to_owned()).or_default().count(&tree.verdict, side);
            }
        }
        if let Some(opening) = opening(tree, plies) {
            self.openings.entry(opening).or_default().count(&tree.verdict, Side::White);
        }
    }

    fn report(mut self, top: usize) -> Report {
        self.lengths.sort_unstable();
        let lengths = self.lengths.first().map(|shortest| Lengths {
            shortest: *shortest,
            median: self.lengths[self.lengths.len() / 2],
            mean: self.lengths.iter().map(|n| f64::from(*n)).sum::<f64>() / self.lengths.len() as f64,
            longest: self.lengths[self.lengths.len() - 1],
        });
        Report {
            games: self.results.games,
            plies: self.plies,
            results: self.results,
            rules: self.rules,
            lengths,
            player_count: self.players.len(),
            players: most(self.players, top),
            opening_count: self.openings.len(),
            openings: most(self.openings, top),
        }
    }
}

/// Returns the names with the most games; of equals the first in the alphabet.
fn most(tallies: BTreeMap<String, Tally>, top: usize) -> Vec<Named> {
    let mut named: Vec<(String, Tally)> = tallies.into_iter().collect();
    named.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.games));
    named.truncate(top);
    named.into_iter().map(|(name, tally)| Named { name, share: tally.share(), tally }).collect()
}

/// Returns the first moves of a game that begins at the beginning, when it has so many.
fn opening(tree: &GameTree, plies: usize) -> Option<String> {
    let rules = tree.rules();
    if *tree.start() != rules.initial() {
        return None;
    }
    let moves = tree.main_line().map_while(|id| match tree.node(id).step() {
        Step::Move(m) => Some(notation::short(rules, &m)),
        _ => None,
    });
    let moves: Vec<String> = moves.take(plies).collect();
    (moves.len() == plies).then(|| moves.join(" "))
}

fn print(out: &mut Out, report: &Report, lang: Lang) -> anyhow::Result<()> {
    writeln!(out, "{}", t(lang, "pdn.stats.games", &[("games", &report.games), ("plies", &report.plies)]))?;
    let rules: Vec<String> = report.rules.iter().map(|(name, n)| format!("{name} ({n})")).collect();
    writeln!(out, "{}", t(lang, "pdn.stats.rules", &[("rules", &rules.join(", "))]))?;
    let r = &report.results;
    let results: [(&str, &dyn std::fmt::Display); 4] =
        [("white", &r.won), ("drawn", &r.drawn), ("black", &r.lost), ("other", &r.other)];
    writeln!(out, "{}", t(lang, "pdn.stats.results", &results))?;
    if let Some(lengths) = &report.lengths {
        let mean = format!("{:.0}", lengths.mean);
        let lengths: [(&str, &dyn std::fmt::Display); 4] = [
            ("shortest", &lengths.shortest),
            ("median", &lengths.median),
            ("mean", &mean),
            ("longest", &lengths.longest),
        ];
        writeln!(out, "{}", t(lang, "pdn.stats.lengths", &lengths))?;
    }
    for (key, count, list) in [
        ("pdn.stats.players", report.player_count, &report.players),
        ("pdn.stats.openings", report.opening_count, &report.openings),
    ] {
        if list.is_empty() {
            continue;
        }
        writeln!(out, "\n{}", t(lang, key, &[("n", &count)]))?;
        let width = list.iter().map(|named| named.name.chars().count()).max().unwrap_or(0);
        for Named { name, tally, share } in list {
            let share = share.map_or(String::new(), |share| format!("{share:5.1} %"));
            let score = format!("+{} ={} −{}", tally.won, tally.drawn, tally.lost);
            writeln!(out, "  {name:width$}  {:6}  {score:18}  {share}", tally.games)?;
        }
    }
    Ok(())
}
