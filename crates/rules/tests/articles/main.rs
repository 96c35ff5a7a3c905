//! One test per article of each rule set, named after it. The articles are data (`*.toml` beside this file): a position with its complete list
//! of legal moves, refused moves with their reason, or a scripted game with its end.
//!
//! With `DAMIERA_MUTATE=1` (`scripts/mutate-rules`) the program instead flips every field of every rule set in turn and demands that an article named
//! for that field fails.

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
