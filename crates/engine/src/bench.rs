//! The benchmark: fixed positions of every rule set, each searched to a fixed depth by an engine that knows nothing yet. The nodes that this takes are the
//! engine's signature: a change of the code that leaves them alone has, as good as surely, changed nothing that the engine does.

use std::fmt::Write;

use damiera_rules::{Position, RuleSet, fen};

use crate::{Engine, Limits, Report, Root};

/// A line each: key of the rule set, depth, FEN. `examples/bench_positions.rs` has made them.
const POSITIONS: &str = include_str!("../bench/positions.txt");

/// The size of the table of positions in megabytes: the nodes depend on it.
const TABLE_MB: usize = 16;
/// How deep the start of a home-made rule set is searched.
const HOME_MADE_DEPTH: u8 = 8;

/// One position of the benchmark.
pub struct Case {
    /// The rules.
    pub rules: RuleSet,
    /// The position.
    pub position: Position,
    /// How deep it is searched, in plies.
    pub depth: u8,
}

impl Case {
    /// Searches the position to its depth with an engine that knows nothing: see [`engine`] and [`Engine::forget`].
    pub fn search(&self, engine: &mut Engine) -> Report {
        self.search_within(engine, &Limits { depth: Some(self.depth), ..Limits::default() })
    }

    /// Searches the position within other limits.
    pub fn search_within(&self, engine: &mut Engine, limits: &Limits) -> Report {
        engine.search(&self.rules, &Root::new(&self.rules, self.position), limits)
    }
}

/// Returns the engine that the benchmark is run with.
pub fn engine() -> Engine {
    Engine::new(TABLE_MB)
}

/// Returns the positions, those of one rule set after those of another; the first of each set is its start.
pub fn cases() -> Vec<Case> {
    POSITIONS.lines().filter_map(read).collect()
}

/// Returns the signature as `bench/signature.txt` has it: the nodes of each rule set, a line each, and those of all.
pub fn signature() -> String {
    let mut text = String::new();
    let mut total = 0;
    for cases in cases().chunk_by(|one, other| one.rules.key() == other.rules.key()) {
        let nodes = nodes_of(cases);
        total += nodes;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {nodes}", cases[0].rules.key());
    }
    text + &format!("total {total}\n")
}

/// Returns the engine's signature in one rule set, searched for now: while it stays the same, this build plays the set as another did.
pub fn signature_of(rules: &RuleSet) -> u64 {
    let known: Vec<Case> =
        cases().into_iter().filter(|case| case.rules.canonical() == rules.canonical()).collect();
    if !known.is_empty() {
        return nodes_of(&known);
    }
    nodes_of(&[Case { rules: rules.clone(), position: rules.initial(), depth: HOME_MADE_DEPTH }])
}

fn nodes_of(cases: &[Case]) -> u64 {
    let mut engine = engine();
    let nodes = |case: &Case| {
        engine.forget();
        case.search(&mut engine).nodes
    };
    cases.iter().map(nodes).sum()
}

fn read(line: &str) -> Option<Case> {
    let mut words = line.splitn(3, ' ');
    let rules = RuleSet::known(words.next()?)?;
    let depth = words.next()?.parse().ok()?;
    let position = fen::parse(&rules, words.next()?).ok()?;
    Some(Case { rules, position, depth })
}
