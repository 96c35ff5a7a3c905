//! `damiera rules`: the rule sets, what one says and where each line comes from, and a check of rule files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;
use damiera_rules::presets::KEYS;
use damiera_rules::source::Status;
use damiera_rules::{RuleSet, ruleset};
use damiera_table::json::{RulesJson, fingerprint, rules_json};
use damiera_words::{Lang, t};
use serde::Serialize;
use serde_json::json;

use crate::input::{LangArg, read_rules, read_text};
use crate::output::{Answer, Out, json_line};
use crate::say;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: RulesCommand,
}

#[derive(Subcommand)]
enum RulesCommand {
    /// List the known rule sets
    List {
        #[command(flatten)]
        lang: LangArg,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show every line of a rule set with its source
    Show {
        /// A key (italian), a canonical name (brazilian,capture=optional) or a rule file (FILE.toml)
        #[arg(value_name = "RULES", value_parser = read_rules)]
        rules: Arc<RuleSet>,
        #[command(flatten)]
        lang: LangArg,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check a rule file
    Check {
        /// The rule file
        file: PathBuf,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(args: Args, out: &mut Out) -> anyhow::Result<Answer> {
    match args.command {
        RulesCommand::List { lang, json } => list(lang.lang(), json, out),
        RulesCommand::Show { rules, lang, json } => show(&rules, lang.lang(), json, out),
        RulesCommand::Check { file, json } => check(&file, json, out),
    }
}

fn list(lang: Lang, json: bool, out: &mut Out) -> anyhow::Result<Answer> {
    let known = KEYS.iter().filter_map(|key| RuleSet::known(key));
    if json {
        let all: Vec<RulesJson> = known.map(|rules| rules_json(&rules)).collect();
        json_line(out, &json!({ "rules": all }))?;
        return Ok(Answer::Done);
    }
    for rules in known {
        let key = rules.key();
        writeln!(out, "{key:<18} {}", t(lang, &format!("rules.{key}.name"), &[]))?;
        writeln!(out, "{:<18} {}", "", t(lang, &format!("rules.{key}.line"), &[]))?;
    }
    Ok(Answer::Done)
}

fn show(rules: &RuleSet, lang: Lang, json: bool, out: &mut Out) -> anyhow::Result<Answer> {
    if json {
        json_line(out, &shown(rules))?;
        return Ok(Answer::Done);
    }
    writeln!(out, "{}", say::rules_name(lang, rules))?;
    writeln!(out, "canonical name  {}", rules.canonical())?;
    writeln!(out, "fingerprint     {}", fingerprint(rules))?;
    writeln!(out, "PDN GameType    {}", rules.game_type().unwrap_or("-"))?;
    writeln!(out)?;
    for (field, value) in rules.fields().iter().filter(|(field, _)| *field != "draws") {
        writeln!(out, "{:<34} {}", format!("{field} = {value}"), source_text(rules, field))?;
    }
    writeln!(out)?;
    if rules.draws().clauses.is_empty() {
        writeln!(out, "draws: none but by agreement")?;
    }
    for clause in &rules.draws().clauses {
        writeln!(out, "draw {}", ruleset::clause_text(clause))?;
        writeln!(out, "     {}", sourced(&clause.source, clause.status))?;
    }
    Ok(Answer::Done)
}

fn source_text(rules: &RuleSet, field: &str) -> String {
    let source = rules.sources().iter().find(|source| source.field == field);
    source.map_or_else(String::new, |source| sourced(&source.text, source.status))
}

/// Returns a source with a warning where it cannot be trusted fully.
fn sourced(text: &str, status: Status) -> String {
    match status {
        Status::Seen => text.to_owned(),
        status => format!("[{}] {text}", status.word()),
    }
}

/// A rule set with everything that it says, and where from.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    rules: RulesJson,
    game_type: Option<&'a str>,
    fields: Vec<Field<'a>>,
}

/// One line of the rule table; the value is written as in a rule file.
#[derive(Serialize)]
struct Field<'a> {
    field: &'static str,
    value: String,
    source: Option<&'a str>,
    status: Option<&'static str>,
}

fn shown(rules: &RuleSet) -> Shown<'_> {
    let field = |(field, value)| {
        let source = rules.sources().iter().find(|source| source.field == field);
        Field {
            field,
            value,
            source: source.map(|source| source.text.as_ref()),
            status: source.map(|source| source.status.word()),
        }
    };
    Shown {
        rules: rules_json(rules),
        game_type: rules.game_type(),
        fields: rules.fields().into_iter().map(field).collect(),
    }
}

fn check(file: &Path, json: bool, out: &mut Out) -> anyhow::Result<Answer> {
    // A file that cannot be read at all is bad usage; one with faults is a no.
    let text = read_text(file)?;
    let name = file.display();
    match RuleSet::from_toml(&text) {
        Ok(rules) => {
            if json {
                json_line(out, &json!({"file": name.to_string(), "rules": rules.canonical(), "faults": []}))?;
            } else {
                writeln!(out, "{name}: good: {}", rules.canonical())?;
            }
            Ok(Answer::Done)
        }
        Err(error) => {
            if json {
                let (line, column) = error.place.unzip();
                let fault = json!({"line": line, "column": column, "text": error.message});
                json_line(out, &json!({"file": name.to_string(), "rules": null, "faults": [fault]}))?;
            } else {
                writeln!(out, "{name}: {error}")?;
            }
            Ok(Answer::No)
        }
    }
}
