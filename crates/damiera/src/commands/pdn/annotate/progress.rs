//! The line on standard error that says how far the games have been gone over.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use damiera_words::{Lang, t};

/// How often the line is written anew on a terminal, and elsewhere.
const ON_TERMINAL: Duration = Duration::from_millis(500);
const ELSEWHERE: Duration = Duration::from_secs(10);

/// What there is to do in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Total {
    pub(super) games: u64,
    pub(super) plies: u64,
}

/// How far it is.
pub(super) struct Progress {
    lang: Lang,
    is_terminal: bool,
    /// What there is to do, where that is known.
    total: Option<Total>,
    /// What was done before this run.
    before: Total,
    began: Instant,
    shown: Option<Instant>,
}

impl Progress {
    /// Returns whether anybody is to be told: on a terminal, or where it was asked for.
    pub(super) fn is_wanted(asked: bool) -> bool {
        asked || io::stderr().is_terminal()
    }

    pub(super) fn new(lang: Lang, total: Option<Total>) -> Progress {
        let is_terminal = io::stderr().is_terminal();
        Progress { lang, is_terminal, total, before: Total::default(), began: Instant::now(), shown: None }
    }

    /// Passes over a game that had been done before.
    pub(super) fn pass_over(&mut self, plies: u64) {
        self.before.games += 1;
        self.before.plies += plies;
        self.began = Instant::now();
    }

    /// Says how far it is, when that was not said just now. Nobody need be listening.
    pub(super) fn show(&mut self, done: Total) {
        let pause = if self.is_terminal { ON_TERMINAL } else { ELSEWHERE };
        if self.shown.is_some_and(|shown| shown.elapsed() < pause) {
            return;
        }
        self.shown = Some(Instant::now());
        let (start, end) = if self.is_terminal { ("\r", "\x1b[K") } else { ("", "\n") };
        let mut error = io::stderr().lock();
        let _ = write!(error, "{start}{}{end}", self.line(done)).and_then(|()| error.flush());
    }

    fn line(&self, done: Total) -> String {
        let (games, plies) = (self.before.games + done.games, self.before.plies + done.plies);
        let Some(total) = self.total else {
            return t(self.lang, "pdn.annotate.progress", &[("games", &games), ("plies", &plies)]);
        };
        let left = left(self.began.elapsed(), done.plies, total.plies.saturating_sub(plies));
        let left = left.map_or_else(|| "?".to_owned(), duration_text);
        let params: [damiera_words::Param<'_>; 5] = [
            ("games", &games),
            ("all_games", &total.games),
            ("plies", &plies),
            ("all_plies", &total.plies),
            ("left", &left),
        ];
        t(self.lang, "pdn.annotate.progress-of", &params)
    }

    /// Takes the line off a terminal, so that something else can be printed.
    pub(super) fn clear(&self) {
        if self.is_terminal && self.shown.is_some() {
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

/// Returns how long it takes still, once something was done.
fn left(elapsed: Duration, done: u64, still: u64) -> Option<Duration> {
    (done > 0).then(|| Duration::from_secs_f64((elapsed.as_secs_f64() * still as f64 / done as f64).min(1e9)))
}

fn duration_text(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds:02} s"),
        (hours, minutes, _) => format!("{hours} h {minutes:02} min"),
    }
}
