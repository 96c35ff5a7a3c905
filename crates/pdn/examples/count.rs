//! Counts what is in a file of games: `count scan FILE` its tokens as they are written, `count replay FILE` its moves as the rules have them. For measuring
//! (`scripts/measure-pdn`): each prints `MOVES GAMES BYTES` and nothing else.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::process::ExitCode;

use damiera_pdn::scan::{Event, Flow, scan};
use damiera_pdn::source::Source;
use damiera_pdn::{Options, read};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let counted = match &args[..] {
        [what, file] if what == "scan" => File::open(file).and_then(tokens),
        [what, file] if what == "replay" => File::open(file).and_then(moves),
        _ => {
            eprintln!("count scan|replay FILE");
            return ExitCode::from(2);
        }
    };
    match counted {
        Ok([moves, games, bytes]) => {
            #[expect(clippy::print_stdout, reason = "this is its answer")]
            {
                println!("{moves} {games} {bytes}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("count: {error}");
            ExitCode::from(2)
        }
    }
}

/// Every token is delivered; the visitor counts the moves among them.
fn tokens(file: File) -> io::Result<[u64; 3]> {
    let (mut moves, mut games) = (0, 0);
    let summary = scan(Source::new(file)?, &mut |_, event: Event<'_>| {
        match event {
            Event::Move(_) => moves += 1,
            Event::GameEnd => games += 1,
            _ => {}
        }
        Flow::Continue
    })?;
    Ok([moves, games, summary.bytes])
}

/// Every game becomes a tree of legal moves.
fn moves(file: File) -> io::Result<[u64; 3]> {
    let summary = read(file, &Options::default(), &mut |_| ControlFlow::Continue(()))?;
    Ok([summary.plies, summary.games, summary.bytes])
}
