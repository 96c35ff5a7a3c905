//! The replaying reader and the writer: every move is in a tree or in a finding, and a tree that is written is read as the same one with nothing to mend.
#![no_main]

use std::cell::RefCell;
use std::ops::ControlFlow;

use damiera_pdn::{Code, GameTree, Options, Reader, Style};
use libfuzzer_sys::fuzz_target;

thread_local! {
    /// The rule sets are made once, not for every input.
    static READER: RefCell<Reader> = RefCell::new(Reader::new(Options::default()));
}

fn games(bytes: &[u8]) -> Option<Vec<(GameTree, Vec<Code>)>> {
    let mut games = Vec::new();
    let read = READER.with_borrow_mut(|reader| reader.read(bytes, &mut |game| {
        let lost: u64 = game.findings.iter().map(|f| u64::from(f.lost)).sum();
        assert_eq!(game.plies + lost, game.written);
        games.push((game.tree.clone(), game.findings.iter().map(|f| f.code).collect()));
        ControlFlow::Continue(())
    }));
    // A packed file may be broken.
    read.ok().map(|_| games)
}

fuzz_target!(|data: &[u8]| {
    for (tree, _) in games(data).unwrap_or_default() {
        let text = tree.pdn(Style::default()).to_string();
        let again = games(text.as_bytes()).expect("plain text");
        assert_eq!(again.len(), 1, "{text}");
        assert!(again[0].0 == tree, "{text}");
        assert!(again[0].1.iter().all(|code| *code == Code::TagTwice), "{text}");
    }
});
