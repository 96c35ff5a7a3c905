//! Counts one tree and prints the nodes and the CPU seconds: what `scripts/measure-movegen` measures.
//!
//! `perft_speed POSITION DEPTH count|make static|data`
#![allow(clippy::print_stdout, reason = "a command's answer goes to stdout")]

use damiera_rules::families::*;
use damiera_rules::geometry::{Diagonal8, Diagonal10};
use damiera_rules::perft::{Count, Leaf, Options, perft};
use damiera_rules::{Geometry, Movement, Position, RuleSource, Side};

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [position, depth, leaf, source] = &args[..] else {
        return Err("perft_speed POSITION DEPTH count|make static|data".to_string());
    };
    let depth = depth.parse().map_err(|e| format!("depth: {e}"))?;
    let leaf = if leaf == "make" { Leaf::Make } else { Leaf::Count };
    let job = Job { depth, options: Options { count: Count::Unique, leaf } };
    match (position.as_str(), source.as_str()) {
        ("brazilian", "static") => job.run::<Diagonal8, _>(International, false),
        ("russian", "static") => job.run::<Diagonal8, _>(Russian, false),
        ("italian", "static") => job.run::<Diagonal8, _>(Italian, false),
        ("spanish", "static") => job.run::<Diagonal8, _>(Spanish, false),
        ("american", "static") => job.run::<Diagonal8, _>(American, false),
        ("international", "static") => job.run::<Diagonal10, _>(International, false),
        ("kings", "static") => job.run::<Diagonal10, _>(International, true),
        (name, "data") => {
            let movement = match name {
                "russian" => &RUSSIAN,
                "italian" => &ITALIAN,
                "spanish" => &SPANISH,
                "american" => &AMERICAN,
                _ => &INTERNATIONAL,
            };
            // The compiler must not know which rules these are.
            let movement: &Movement = std::hint::black_box(movement);
            if name == "international" || name == "kings" {
                job.run::<Diagonal10, _>(movement, name == "kings");
            } else {
                job.run::<Diagonal8, _>(movement, false);
            }
        }
        _ => return Err(format!("unknown: {position} {source}")),
    }
    Ok(())
}

struct Job {
    depth: u32,
    options: Options,
}

impl Job {
    /// Counts from the start, or from four rows of kings on each side.
    fn run<G: Geometry, R: RuleSource>(self, rules: R, kings: bool) {
        let size = G::SHAPE.size();
        let rows = size / 2 - 1;
        let (black, white) = (G::SHAPE.rows(0, rows), G::SHAPE.rows(size - rows, size));
        let wide = Position::from_sets(white, black, if kings { white | black } else { 0 }, Side::White);
        let p = Position::<G::Set>::narrow(&wide);
        let before = cpu_seconds();
        let outcome = perft::<G, R>(rules, &p, self.depth, &self.options);
        println!("{} {:016x} {:.6}", outcome.nodes, outcome.checksum, cpu_seconds() - before);
    }
}

/// Returns the CPU time of this process, where the system tells it.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}
