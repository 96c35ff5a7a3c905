//! The published and checked perft numbers in `tests/data/perft`, each line by the static and by the run-time generator.
//!
//! The default run takes the depths up to two million nodes a line. With `DAMIERA_PERFT_NODES=100000000` in the environment it goes
//! as far as that many nodes; use a release build for it.

use crate::common::data;
use crate::common::{GAMES, Game, Job, narrow};
use damiera_rules::perft::{Count, Leaf, Options, Outcome, divide, perft, split};
use damiera_rules::{Geometry, Position, RuleSource};

/// One line of a data file.
struct Line {
    game: &'static Game,
    name: String,
    count: Count,
    position: Position,
    nodes: Vec<u64>,
}

fn lines(game: &'static Game) -> Vec<Line> {
    let text = data(&format!("perft/{}.txt", game.key));
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split("; ").collect();
            let [name, count, fen, nodes] = fields[..] else { panic!("four fields: {line}") };
            Line {
                game,
                name: name.to_string(),
                count: match count {
                    "unique" => Count::Unique,
                    "keep" => Count::Keep,
                    other => panic!("no way to count {other}"),
                },
                position: game.position(fen),
                nodes: nodes.split(' ').map(|n| n.parse().expect("a number")).collect(),
            }
        })
        .collect()
}

/// Counts to one depth.
struct Perft<'a> {
    position: &'a Position,
    depth: u32,
    options: Options,
}

impl Job for Perft<'_> {
    type Output = Outcome;
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> Outcome {
        perft::<G, R>(rules, &narrow::<G>(self.position), self.depth, &self.options)
    }
}

fn most_nodes() -> u64 {
    std::env::var("DAMIERA_PERFT_NODES").map_or(2_000_000, |n| n.parse().expect("a number of nodes"))
}

/// Checks the lines of one rule set in one way.
fn check(game: &'static Game, leaf: Leaf, run: impl Fn(&Game, Perft) -> Outcome) {
    for line in lines(game) {
        for (depth, &nodes) in (1..).zip(&line.nodes).take_while(|(_, nodes)| **nodes <= most_nodes()) {
            let options = Options { count: line.count, leaf };
            let got = run(line.game, Perft { position: &line.position, depth, options });
            assert_eq!(
                got.nodes, nodes,
                "{} {} {:?} {:?} depth {depth}",
                game.key, line.name, line.count, leaf
            );
        }
    }
}

#[test]
fn static_rules_count_as_published() {
    GAMES.iter().for_each(|game| check(game, Leaf::Count, |game, job| game.run_static(job)));
}

#[test]
fn rules_as_data_count_as_published() {
    GAMES.iter().for_each(|game| check(game, Leaf::Count, |game, job| game.run_as_data(job)));
}

#[test]
fn made_leaves_count_as_published() {
    GAMES.iter().for_each(|game| check(game, Leaf::Make, |game, job| game.run_static(job)));
}

/// Counts one tree in every way that must agree, and returns the outcomes.
struct EveryWay<'a> {
    position: &'a Position,
    depth: u32,
}

impl Job for EveryWay<'_> {
    type Output = Vec<Outcome>;
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> Vec<Outcome> {
        let p = narrow::<G>(self.position);
        let options = Options { count: Count::Unique, leaf: Leaf::Make };
        let sum = |parts: Vec<Outcome>| parts.into_iter().fold(Outcome::default(), Outcome::plus);
        let below = |plies| {
            let positions = split::<G, R>(rules, &p, plies, &options);
            sum(positions.iter().map(|p| perft::<G, R>(rules, p, self.depth - plies, &options)).collect())
        };
        vec![
            perft::<G, R>(rules, &p, self.depth, &options),
            sum(divide::<G, R>(rules, &p, self.depth, &options).into_iter().map(|(_, o)| o).collect()),
            below(2),
            below(self.depth),
        ]
    }
}

#[test]
fn divided_and_split_trees_add_up() {
    for game in &GAMES {
        for line in lines(game).iter().filter(|line| line.count == Count::Unique) {
            let outcomes = game.run_static(EveryWay { position: &line.position, depth: 4 });
            let data = game.run_as_data(EveryWay { position: &line.position, depth: 4 });
            assert_eq!(outcomes, data, "{} {}", game.key, line.name);
            assert!(outcomes.iter().all(|o| *o == outcomes[0]), "{} {}: {outcomes:?}", game.key, line.name);
            assert_eq!(outcomes[0].nodes, line.nodes[3]);
        }
    }
}

#[test]
fn no_ply_is_one_node() {
    let game = Game::find("russian");
    let position = game.position("-");
    let job = Perft { position: &position, depth: 0, options: Options::default() };
    assert_eq!(game.run_static(job), Outcome { nodes: 1, checksum: 0 });
}
