//! One test per article of each rule set, named after it. The articles are data (`*.toml` beside this file): a position with its complete list
//! of legal moves, refused moves with their reason, or a scripted game with its end.
//!
//! With `DAMIERA_MUTATE=1` (`scripts/mutate-rules`) the program instead flips every field of every rule set in turn and demands that an article named
//! for that field fails. With `DAMIERA_WRITE_DRAWS=FILE` it writes the scripted games of the draw clauses move by move: `tests/data/draws.jsonl`, which the
//! tests of the program replay.

mod check;
mod mutate;

use std::process::ExitCode;

use check::{Article, articles};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let articles = articles();
    if std::env::var_os("DAMIERA_MUTATE").is_some() {
        return mutate::run(&articles);
    }
    if let Some(file) = std::env::var_os("DAMIERA_WRITE_DRAWS") {
        let lines: Vec<String> = articles.iter().filter_map(Article::as_game).collect();
        std::fs::write(file, lines.join("\n") + "\n").expect("the file of games");
        return ExitCode::SUCCESS;
    }
    let arguments = Arguments::from_args();
    let trials = articles.into_iter().map(|article| {
        let name = article.name();
        Trial::test(name, move || article.check(&article.rules).map_err(Failed::from))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

impl Article {
    fn name(&self) -> String {
        format!("{}::{} ({})", self.key(), self.article, self.fields.join(", "))
    }
}
