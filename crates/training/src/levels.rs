//! How strong the levels are: each against the next lower one, the lowest against somebody who only advances, in every rule set.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use damiera_engine::Level;
use damiera_engine::bench::signature_of;
use damiera_rules::RuleSet;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::match_play::{LONGEST_GAME, Match, MatchError, Standing, Watch};
use crate::openings::Openings;
use crate::player::{Budget, Means, Player};

/// The rule sets that most people play.
pub const MAIN: [&str; 7] =
    ["italian", "brazilian", "spanish", "russian", "american", "czech", "international"];
/// Enough for the nodes of every level; it is emptied before every move.
const MEGABYTES: usize = 2;

/// What was measured, as it is kept in a file.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Ratings {
    /// The day of the last match, such as `2026-11-30`.
    pub date: String,
    /// The version of the program.
    pub version: String,
    /// What makes each level, lowest first: what was measured with others is another level.
    pub levels: Vec<Makeup>,
    /// The rule sets by their keys.
    pub rules: BTreeMap<String, SetRatings>,
}

/// What makes a level.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Makeup {
    /// The most nodes for a move.
    pub nodes: u64,
    /// The most plies ahead.
    pub depth: u8,
    /// How freely it chooses: [`Level::temperature`].
    pub temperature: f64,
}

/// What was measured in one rule set.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct SetRatings {
    /// The engine's signature in this rule set ([`signature_of`]): what was measured with another engine is measured again.
    #[serde(default)]
    pub engine: u64,
    /// Each level against the one below it, lowest first.
    pub steps: Vec<Step>,
    /// The lowest level against the naive player.
    pub naive: Option<Step>,
}

/// A match between two players, results for the first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The first player.
    pub level: String,
    /// The second player.
    pub against: String,
    /// The difference in Elo; absent when one player won everything.
    pub elo: Option<f64>,
    /// Its error, 95 %.
    pub error: Option<f64>,
    /// Games played.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Step {
    fn new(level: &str, against: &str, standing: &Standing) -> Step {
        let (tally, elo) = (standing.tally, standing.pairs.elo());
        Step {
            level: level.to_owned(),
            against: against.to_owned(),
            elo: elo.map(|elo| elo.value.round()),
            error: elo.map(|elo| elo.error.round()),
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
        }
    }
    /// Returns the share of the points, in percent.
    pub fn percent(&self) -> f64 {
        100.0 * (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games.max(1))
    }
}

impl Ratings {
    /// Returns ratings without any match, of the levels as they are.
    pub fn new(version: &str) -> Ratings {
        Ratings { version: version.to_owned(), levels: makeups(), ..Ratings::default() }
    }

    /// Reads a file; a file that is not there has no match yet. One with other levels is an error.
    pub fn read(path: &Path, version: &str) -> io::Result<Ratings> {
        let text = match fs::metadata(path) {
            // Writing puts another file in its place.
            Ok(found) if !found.is_file() => return Err(io::Error::other("this is no ordinary file")),
            Ok(_) => fs::read_to_string(path)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Ratings::new(version)),
            Err(error) => return Err(error),
        };
        let ratings: Ratings = serde_json::from_str(&text)?;
        if ratings.levels != makeups() {
            return Err(io::Error::other(
                "it has measured other levels (their nodes, depths or temperatures differ); begin another file",
            ));
        }
        Ok(Ratings { version: version.to_owned(), ..ratings })
    }

    /// Writes the file anew, whole or not at all.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let unfinished = path.with_extension("unfinished");
        fs::write(&unfinished, self.to_json()?)?;
        fs::rename(&unfinished, path)
    }

    /// Returns the ratings as JSON, one line a rule set.
    fn to_json(&self) -> serde_json::Result<String> {
        let mut lines = Vec::new();
        for (key, set) in &self.rules {
            lines.push(format!("{}:{}", serde_json::to_string(key)?, serde_json::to_string(set)?));
        }
        let head = format!(
            "{{\"date\":{},\"version\":{},\"levels\":{},\"rules\":{{\n",
            serde_json::to_string(&self.date)?,
            serde_json::to_string(&self.version)?,
            serde_json::to_string(&self.levels)?
        );
        Ok(format!("{head}{}\n}}}}\n", lines.join(",\n")))
    }

    /// Returns a table of the ratings in Markdown, with a row a rule set.
    pub fn table(&self) -> String {
        let mut text = String::from("| rule set | games |");
        for number in 2..=Level::COUNT {
            let _ = write!(text, " {number} v {} |", number - 1);
        }
        text.push_str(" 1 v naive |\n|");
        text.push_str(&"---|".repeat(usize::from(Level::COUNT) + 2));
        let key_order = MAIN.iter().copied().chain(self.rules.keys().map(String::as_str));
        let mut shown = Vec::new();
        for key in key_order {
            let Some(set) = self.rules.get(key).filter(|_| !shown.contains(&key)) else { continue };
            shown.push(key);
            let games = set.steps.iter().chain(&set.naive).map(|step| step.games).max().unwrap_or(0);
            let _ = write!(text, "\n| {key} | {games} |");
            for number in 2..=Level::COUNT {
                let name = format!("level:{number}");
                let step = set.steps.iter().find(|step| step.level == name);
                let _ = write!(text, " {} |", step.map_or("–".to_owned(), cell));
            }
            let _ = write!(text, " {} |", set.naive.as_ref().map_or("–".to_owned(), cell));
        }
        text.push('\n');
        text
    }
}

fn cell(step: &Step) -> String {
    match (step.elo, step.error) {
        (Some(elo), Some(error)) => format!("{elo:+} ± {error}"),
        _ => format!("{:.0} %", step.percent()),
    }
}

fn makeups() -> Vec<Makeup> {
    let makeup = |level: Level| {
        Some(Makeup { nodes: level.nodes()?, depth: level.depth()?, temperature: level.temperature()? })
    };
    (1..=Level::COUNT).filter_map(Level::new).filter_map(makeup).collect()
}

/// The matches that rate the levels of one rule set.
#[derive(Clone, Debug)]
pub struct Rating {
    /// The rules.
    pub rules: Arc<RuleSet>,
    /// How many games a match has.
    pub games: u32,
    /// How many games are played at once.
    pub threads: usize,
    engine: u64,
}

impl Rating {
    /// Returns the matches of so many games for a rule set.
    pub fn new(rules: Arc<RuleSet>, games: u32, threads: usize) -> Rating {
        let engine = signature_of(&rules);
        Rating { rules, games, threads, engine }
    }

    /// Returns how many games a match has by default in this rule set.
    pub fn usual_games(rules: &RuleSet) -> u32 {
        if MAIN.contains(&rules.canonical()) { 200 } else { 60 }
    }

    /// Returns the matches that `ratings` does not have yet, as players.
    pub fn missing(&self, ratings: &Ratings) -> Vec<[String; 2]> {
        let known = ratings.rules.get(self.rules.canonical()).filter(|set| set.engine == self.engine);
        let lowest = ["level:1".to_owned(), "naive".to_owned()];
        let steps =
            (2..=Level::COUNT).map(|number| [format!("level:{number}"), format!("level:{}", number - 1)]);
        let is_known = |[level, against]: &[String; 2]| {
            let mut steps = known.into_iter().flat_map(|set| set.steps.iter().chain(&set.naive));
            steps.any(|step| step.level == *level && step.against == *against && step.games >= self.games)
        };
        std::iter::once(lowest).chain(steps).filter(|players| !is_known(players)).collect()
    }

    /// Plays one of the matches and notes it.
    pub fn play(
        &self,
        players: &[String; 2],
        ratings: &mut Ratings,
        watch: &mut Watch,
    ) -> Result<(), MatchError> {
        let plan = self.plan(players)?;
        let standing = plan.play(Standing::default(), watch)?;
        let step = Step::new(&players[0], &players[1], &standing);
        let set = ratings.rules.entry(self.rules.canonical().to_owned()).or_default();
        if set.engine != self.engine {
            *set = SetRatings { engine: self.engine, ..SetRatings::default() };
        }
        if step.against == "naive" {
            set.naive = Some(step);
        } else {
            set.steps.retain(|other| other.level != step.level);
            set.steps.push(step);
            set.steps.sort_by_key(|step| step.level.parse::<Level>().ok());
        }
        ratings.date = OffsetDateTime::now_utc().date().to_string();
        Ok(())
    }

    /// Returns a match as it is played for the ratings.
    pub fn plan(&self, [first, second]: &[String; 2]) -> Result<Match, MatchError> {
        let player =
            |text: &str| text.parse::<Player>().map_err(|error| MatchError::Note(io::Error::other(error)));
        Ok(Match {
            rules: Arc::clone(&self.rules),
            players: [player(first)?, player(second)?],
            games: self.games,
            seed: 1,
            openings: Openings::balanced(&self.rules, 1),
            threads: self.threads,
            budget: Budget::default(),
            means: Means { megabytes: MEGABYTES, threads: 1 },
            longest: LONGEST_GAME,
            adjudication: None,
            sprt: None,
        })
    }
}
