//! `damiera pdn check`: the doctor. What had to be mended in a file, what could not be read, and where.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use damiera_pdn::{Code, Finding, GameRead, Grade, Summary};
use damiera_rules::{RuleSet, notation};
use damiera_words::{Lang, t};
use serde::Serialize;

use super::FilesArg;
use crate::input::LangArg;
use crate::output::{Answer, Out, json_line};
use crate::say;

/// How many findings of a file are listed; the others are counted.
const LISTED: usize = 10_000;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: FilesArg,
    /// Name every repair; without it, one of each kind and how many there are
    #[arg(long)]
    every: bool,
    #[command(flatten)]
    lang: LangArg,
    /// Print a JSON object a file
    #[arg(long)]
    json: bool,
}

/// What is said of a file, as JSON.
#[derive(Serialize)]
struct Report {
    file: String,
    encoding: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    packing: Option<&'static str>,
    /// The rules of most of its games.
    rules: Option<String>,
    /// How many games are played by which rules, where they are not all the same.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    games_by_rules: BTreeMap<String, u64>,
    /// What the rules are known from.
    basis: Option<&'static str>,
    games: u64,
    /// The moves written in the file, variations and all, and those of them that were replayed.
    moves: u64,
    plies: u64,
    /// How much there is in all; the lists end after ten thousand.
    repair_count: u64,
    fault_count: u64,
    faults: Vec<FindingJson>,
    repairs: Vec<FindingJson>,
}

#[derive(Serialize)]
struct FindingJson {
    game: u64,
    line: u64,
    column: u64,
    code: &'static str,
    text: String,
    /// What was made of it, or what it may be.
    #[serde(skip_serializing_if = "String::is_empty")]
    reading: String,
    /// Why a move is illegal.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// How many moves are not read because of it.
    #[serde(skip_serializing_if = "is_zero")]
    lost: u32,
    message: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    let lang = args.lang.lang();
    let mut answer = Answer::Done;
    let mut unreadable = None;
    for path in &args.files.files {
        let mut findings = Findings::default();
        let read = args.files.read(path, &mut |game| {
            findings.take(&game, lang);
            ControlFlow::Continue(())
        });
        let summary = match read {
            Ok(summary) => summary,
            // The other files are still checked.
            Err(error) => {
                if let Some(before) = unreadable.replace(error) {
                    writeln!(std::io::stderr(), "damiera: {before:#}")?;
                }
                continue;
            }
        };
        if summary.faults > 0 {
            answer = Answer::No;
        }
        if args.json {
            json_line(out, &findings.report(path, summary))?;
        } else {
            findings.print(out, path, &summary, lang, args.every)?;
        }
        out.flush()?;
    }
    if let Some(error) = unreadable {
        return Err(error);
    }
    Ok(answer)
}

#[derive(Default)]
struct Findings {
    faults: Vec<FindingJson>,
    repairs: Vec<FindingJson>,
    rules: BTreeMap<String, u64>,
    basis: BTreeMap<&'static str, u64>,
}

impl Findings {
    fn take(&mut self, game: &GameRead<'_>, lang: Lang) {
        let rules = game.tree.rules();
        match self.rules.get_mut(rules.canonical()) {
            Some(count) => *count += 1,
            None => {
                self.rules.insert(rules.canonical().to_owned(), 1);
            }
        }
        *self.basis.entry(game.basis.text()).or_default() += 1;
        for finding in game.findings {
            let list = if finding.grade() == Grade::Fault { &mut self.faults } else { &mut self.repairs };
            if list.len() < LISTED {
                list.push(FindingJson {
                    game: game.number,
                    line: finding.place.line,
                    column: finding.place.column,
                    code: finding.code.text(),
                    text: finding.text.clone(),
                    reading: finding.reading.clone(),
                    reason: finding.why.map(|why| why.code()),
                    lost: finding.lost,
                    message: message(finding, rules, lang),
                });
            }
        }
    }

    fn most<K: Clone + Ord>(counts: &BTreeMap<K, u64>) -> Option<K> {
        counts.iter().max_by_key(|(_, count)| **count).map(|(name, _)| name.clone())
    }

    fn report(self, path: &Path, summary: Summary) -> Report {
        Report {
            file: path.display().to_string(),
            encoding: summary.encoding,
            packing: summary.packing,
            rules: Self::most(&self.rules),
            basis: Self::most(&self.basis),
            games_by_rules: if self.rules.len() > 1 { self.rules } else { BTreeMap::new() },
            games: summary.games,
            moves: summary.written,
            plies: summary.plies,
            repair_count: summary.repairs,
            fault_count: summary.faults,
            faults: self.faults,
            repairs: self.repairs,
        }
    }

    fn print(
        &self,
        out: &mut Out,
        path: &Path,
        summary: &Summary,
        lang: Lang,
        every: bool,
    ) -> anyhow::Result<()> {
        let file = path.display().to_string();
        let params: [(&str, &dyn std::fmt::Display); 6] = [
            ("file", &file),
            ("games", &summary.games),
            ("plies", &summary.plies),
            ("written", &summary.written),
            ("repairs", &summary.repairs),
            ("faults", &summary.faults),
        ];
        writeln!(out, "{}", t(lang, "pdn.summary", &params))?;
        let rules: Vec<String> = match self.rules.len() {
            1 => self.rules.keys().cloned().collect(),
            _ => self.rules.iter().map(|(name, count)| format!("{name} ({count})")).collect(),
        };
        let basis: Vec<String> =
            self.basis.keys().map(|basis| t(lang, &format!("pdn.basis.{basis}"), &[])).collect();
        let (rules, basis) = (rules.join(", "), basis.join(", "));
        if summary.games > 0 {
            let params: [(&str, &dyn std::fmt::Display); 3] =
                [("rules", &rules), ("basis", &basis), ("encoding", &summary.encoding)];
            writeln!(out, "  {}", t(lang, "pdn.rules", &params))?;
        }
        for finding in &self.faults {
            self.print_finding(out, finding, lang)?;
        }
        self.print_more(out, summary.faults, self.faults.len(), lang)?;
        if every {
            for finding in &self.repairs {
                self.print_finding(out, finding, lang)?;
            }
            return self.print_more(out, summary.repairs, self.repairs.len(), lang);
        }
        let mut kinds: BTreeMap<&str, Vec<&FindingJson>> = BTreeMap::new();
        for finding in &self.repairs {
            kinds.entry(finding.code).or_default().push(finding);
        }
        for findings in kinds.values() {
            self.print_finding(out, findings[0], lang)?;
            self.print_more(out, findings.len() as u64, 1, lang)?;
        }
        self.print_more(out, summary.repairs, self.repairs.len(), lang)
    }

    fn print_finding(&self, out: &mut Out, finding: &FindingJson, lang: Lang) -> anyhow::Result<()> {
        let params: [(&str, &dyn std::fmt::Display); 4] = [
            ("game", &finding.game),
            ("line", &finding.line),
            ("column", &finding.column),
            ("message", &finding.message),
        ];
        write!(out, "  {}", t(lang, "pdn.at", &params))?;
        if finding.lost > 0 {
            write!(out, " {}", t(lang, "pdn.lost", &[("n", &finding.lost)]))?;
        }
        writeln!(out)?;
        Ok(())
    }

    fn print_more(&self, out: &mut Out, all: u64, shown: usize, lang: Lang) -> anyhow::Result<()> {
        let more = all.saturating_sub(shown as u64);
        if more > 0 {
            writeln!(out, "    {}", t(lang, "pdn.more", &[("n", &more)]))?;
        }
        Ok(())
    }
}

/// Says what a finding is.
fn message(finding: &Finding, rules: &RuleSet, lang: Lang) -> String {
    let why = match finding.why {
        Some(why) => say::why(lang, rules, &why),
        None => String::new(),
    };
    let example = match finding.code {
        Code::Unreadable => {
            let start = rules.initial();
            rules.moves(&start).first().map_or_else(String::new, |m| notation::short(rules, m))
        }
        _ => String::new(),
    };
    let params: [(&str, &dyn std::fmt::Display); 4] =
        [("text", &finding.text), ("reading", &finding.reading), ("why", &why), ("example", &example)];
    t(lang, &format!("pdn.{}", finding.code.text()), &params)
}
