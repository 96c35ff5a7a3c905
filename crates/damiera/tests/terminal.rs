//! The full screen, in a real terminal: tmux gives it one, sends the keys and tells what stands there.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long something may take to appear; a busy computer needs more than a person would notice.
const PATIENCE: Duration = Duration::from_secs(30);

/// A terminal of its own, with the program in it.
struct Terminal {
    socket: String,
}

impl Terminal {
    /// Starts the program; a shell line after it says that it has been left, and how the terminal was found then.
    fn start(name: &str, args: &str) -> Option<Terminal> {
        if Command::new("tmux").arg("-V").output().is_err() {
            // Where tests must not be left out, this one is a failure.
            assert!(std::env::var("CI").as_deref() != Ok("true"), "tmux is missing");
            return None;
        }
        let terminal = Terminal { socket: format!("damiera-{name}-{}", std::process::id()) };
        let program = env!("CARGO_BIN_EXE_damiera");
        let line = format!(
            "env TERM=xterm-256color LC_ALL=en_US.UTF-8 {program} play {args}; echo LEFT $?; stty -a | grep -o '.icanon'; sleep 600"
        );
        let started = terminal.tmux(&["-u", "new-session", "-d", "-x", "80", "-y", "24", "-s", "t", &line]);
        assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
        Some(terminal)
    }
    fn tmux(&self, args: &[&str]) -> Output {
        Command::new("tmux").args(["-L", &self.socket, "-f", "/dev/null"]).args(args).output().unwrap()
    }
    fn keys(&self, keys: &[&str]) {
        for key in keys {
            self.tmux(&["send-keys", "-t", "t", key]);
        }
    }
    fn screen(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p", "-t", "t"]).stdout).into_owned()
    }
    /// Waits until a text stands on the screen.
    fn wait_for(&self, text: &str) -> String {
        let began = Instant::now();
        loop {
            let screen = self.screen();
            if screen.contains(text) {
                return screen;
            }
            assert!(began.elapsed() < PATIENCE, "no {text:?} on:\n{screen}");
            sleep(Duration::from_millis(50));
        }
    }
    /// Waits until the program has been left, and checks that the terminal reads lines again.
    fn wait_until_left(&self) {
        let screen = self.wait_for("icanon");
        assert!(screen.contains("LEFT 0"), "{screen}");
        assert!(screen.contains(" icanon") && !screen.contains("-icanon"), "{screen}");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn moves_are_typed_completed_refused_and_taken_back() {
    let Some(terminal) = Terminal::start("typed", "--two --lang en") else { return };
    terminal.wait_for("White to move.");
    terminal.keys(&["22-1"]);
    terminal.wait_for("22-19  22-18");
    terminal.keys(&["Tab"]);
    terminal.wait_for("> 22-19");
    terminal.keys(&["Enter"]);
    terminal.wait_for("1. 22-19");
    terminal.keys(&["11-7", "Enter"]);
    terminal.wait_for("Square 7 is taken.");
    terminal.keys(&["F3"]);
    terminal.wait_for("White to move.");
    terminal.keys(&["/help", "Enter"]);
    terminal.wait_for("/rematch");
    terminal.keys(&["Escape", "/resign", "Enter"]);
    terminal.wait_for("Really resign?");
    terminal.keys(&["yes", "Enter"]);
    terminal.wait_for("Black wins.");
    terminal.keys(&["F10"]);
    terminal.wait_until_left();
}

#[test]
fn a_shorter_capture_is_explained_with_the_better_one() {
    let Some(terminal) = Terminal::start("why", "--two --lang it --fen W:W21,K22,K31:B11,18") else { return };
    terminal.wait_for("Tocca al Bianco.");
    terminal.keys(&["22x13", "Enter"]);
    terminal.wait_for("21x7");
    terminal.keys(&["21x14x7", "Enter"]);
    terminal.wait_for("Vince il Bianco.");
    terminal.keys(&["C-c"]);
    terminal.wait_until_left();
}

#[test]
fn a_home_made_game_is_shown_by_its_own_name() {
    let file = std::env::temp_dir().join(format!("damiera-house-{}.toml", std::process::id()));
    std::fs::write(&file, "name = \"Uncle's\"\nextends = \"italian\"\ncapture = \"optional\"\n").unwrap();
    let args = format!("--two --lang en --rules {}", file.display());
    if let Some(terminal) = Terminal::start("house", &args) {
        assert!(terminal.wait_for("White to move.").contains("Uncle's"));
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn squares_are_walked_to_and_touched() {
    let Some(terminal) = Terminal::start("cursor", "--two --ascii --lang en --rules russian") else { return };
    terminal.wait_for("White to move.");
    // The cursor appears on e4; one down it stands on e3, and the squares up to the left is d4.
    terminal.keys(&["Down", "Down", "Enter"]);
    terminal.wait_for("> e3");
    terminal.keys(&["Up", "Left", "Enter"]);
    terminal.wait_for("1. e3-d4");
    terminal.keys(&["C-d"]);
    terminal.wait_until_left();
}

/// More than a terminal gives at one reading: what lies behind it must be read too.
#[test]
fn what_is_typed_behind_a_long_paste_is_read() {
    let Some(terminal) = Terminal::start("paste", "--level 1 --lang en --rules italian") else {
        return;
    };
    terminal.wait_for("Your move.");
    terminal.tmux(&["send-keys", "-t", "t", "-l", &"22-18 ".repeat(1000)]);
    terminal.keys(&["C-c"]);
    terminal.wait_until_left();
}

#[test]
fn the_computer_answers_and_every_size_will_do() {
    let Some(terminal) = Terminal::start("computer", "--level 1 --no-pace --lang en --rules international")
    else {
        return;
    };
    terminal.wait_for("Your move.");
    terminal.keys(&["32-28", "Enter"]);
    terminal.wait_for("Black: ");
    for (width, height) in [("10", "3"), ("1", "1"), ("200", "60"), ("50", "20"), ("80", "24")] {
        terminal.tmux(&["resize-window", "-t", "t", "-x", width, "-y", height]);
        sleep(Duration::from_millis(150));
    }
    terminal.wait_for("Your move.");
    terminal.keys(&["F2"]);
    terminal.wait_for("Try ");
    terminal.keys(&["/quit", "Enter"]);
    terminal.wait_until_left();
}

#[test]
fn a_killed_program_gives_the_terminal_back() {
    let Some(terminal) = Terminal::start("killed", "--two --lang en") else { return };
    terminal.wait_for("White to move.");
    // The shell's child is the program.
    let shell = terminal.tmux(&["display-message", "-p", "-t", "t", "#{pane_pid}"]).stdout;
    let shell = String::from_utf8_lossy(&shell).trim().to_owned();
    let children = Command::new("ps").args(["-o", "pid=", "--ppid", &shell]).output().unwrap().stdout;
    let child = String::from_utf8_lossy(&children).split_whitespace().next().unwrap_or_default().to_owned();
    assert!(Command::new("kill").args(["-TERM", &child]).status().unwrap().success());
    terminal.wait_until_left();
}
