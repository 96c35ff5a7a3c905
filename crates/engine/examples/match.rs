//! Plays one match and prints the first player's result: `match RULES A B GAMES [SEED]`.
#![allow(clippy::print_stdout, reason = "a command's answer goes to stdout")]

use std::sync::Arc;
use std::time::Instant;

use damiera_engine::match_play::{Match, Player};
use damiera_rules::RuleSet;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [rules, a, b, games, rest @ ..] = &args[..] else {
        return Err("match RULES A B GAMES [SEED]".into());
    };
    let rules = RuleSet::parse(rules).map_err(|error| error.to_string())?;
    let players = [a.parse::<Player>()?, b.parse::<Player>()?];
    let seed = rest.first().map_or(Ok(1), |seed| seed.parse())?;
    let contest = Match { rules: Arc::new(rules), players, games: games.parse()?, seed, threads: 2 };
    let began = Instant::now();
    let tally = contest.play(&|_| {});
    println!(
        "{} {a} {b} +{} ={} -{} score {:.3} decided {} won {:.3} seconds {:.1}",
        contest.rules.canonical(),
        tally.wins,
        tally.draws,
        tally.losses,
        tally.score(),
        tally.decided(),
        tally.won_of_decided(),
        began.elapsed().as_secs_f64(),
    );
    Ok(())
}
