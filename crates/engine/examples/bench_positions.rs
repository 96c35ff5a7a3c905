//! Chooses the positions of the benchmark from games of the engine against itself and prints `crates/engine/bench/positions.txt`.
#![expect(clippy::print_stdout, reason = "printing is what it does")]

use std::sync::Arc;

use damiera_engine::{Engine, Level, Limits, Root};
use damiera_rules::presets::KEYS;
use damiera_rules::{Bits, Game, Position, RuleSet, fen};

/// How many nodes a position may take: its depth is the last one that ends before.
const NODES: u64 = 60_000;
/// Games are left after so many plies.
const LONGEST: usize = 160;
/// How many games are looked through for a rule set.
const GAMES: u64 = 12;

fn main() {
    for key in KEYS {
        let Some(rules) = RuleSet::known(key).map(Arc::new) else { continue };
        let mut engine = Engine::new(16);
        for position in choose(&rules, &mut engine) {
            let depth = depth_within(&rules, &mut engine, &position);
            println!("{key} {depth} {}", fen::format(&rules, &position));
        }
    }
}

/// Returns the start, two positions with most pieces on the board and up to two with kings and few pieces.
fn choose(rules: &Arc<RuleSet>, engine: &mut Engine) -> Vec<Position> {
    let games: Vec<Vec<Position>> = (1..=GAMES).map(|seed| play(rules, engine, seed)).collect();
    let quiet = |p: &&Position| rules.captures(p).is_empty() && rules.moves(p).len() > 2;
    let mut chosen = vec![rules.initial()];
    for (game, ply) in games.iter().zip([12, 26]) {
        chosen.extend(game.iter().skip(ply).find(quiet));
    }
    let endings = games.iter().skip(2).filter_map(|game| {
        let mut late =
            game.iter().filter(quiet).filter(|p| p.kings().any() && pieces(p) <= most_at_end(rules));
        late.nth(2)
    });
    // Where a king ends the game, the last positions before.
    let last = games.iter().filter_map(|game| game.iter().rev().find(quiet));
    chosen.extend(endings.chain(last).take(2));
    chosen
}

fn pieces(p: &Position) -> u32 {
    (p.white() | p.black()).count_ones()
}

/// Returns how many pieces an ending has at most: a third of those at the start, and never fewer than six.
fn most_at_end(rules: &RuleSet) -> u32 {
    (pieces(&rules.initial()) / 3).max(6)
}

/// Plays a game between two players that do not always choose the best move, and returns its positions.
fn play(rules: &Arc<RuleSet>, engine: &mut Engine, seed: u64) -> Vec<Position> {
    let Some(level) = Level::new(5) else { return Vec::new() };
    let mut game = Game::new(Arc::clone(rules), rules.initial());
    while game.outcome().is_none() && game.ply() < LONGEST {
        let ply = game.ply() as u64;
        let found = level.choose(engine, rules, &Root::of(&game), seed << 32 | ply, &Limits::default());
        if found.best.is_none_or(|m| game.play(&m).is_err()) {
            break;
        }
    }
    game.positions().to_vec()
}

/// Returns the deepest search that stays within the nodes.
fn depth_within(rules: &RuleSet, engine: &mut Engine, position: &Position) -> u8 {
    engine.forget();
    engine.search(rules, &Root::new(rules, *position), &Limits::nodes(NODES)).depth.max(1)
}
