//! Games that are read by themselves, and where their moves are written.
#![expect(clippy::unwrap_used, reason = "a test that finds something else than it expects has failed")]

use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::Arc;

use damiera_pdn::{GameTree, Options, Reader, Style, read};
use damiera_rules::RuleSet;

/// Reads a file: each game's tree, the byte where it begins, and the bytes of its nodes.
fn games(file: &[u8]) -> Vec<(GameTree, u64, Vec<u64>)> {
    let mut games = Vec::new();
    read(file, &Options::default(), &mut |game| {
        games.push((game.tree.clone(), game.place.offset, game.places.to_vec()));
        ControlFlow::Continue(())
    })
    .unwrap();
    games
}

#[test]
fn every_node_has_the_place_where_it_is_written() {
    // A variation, a sign that is mended, a capture in hops, a position that is set up, and a move that is lost.
    let file = "[GameType \"22\"]\n1. 22x18 12-16 (1... 11-14 {è} 2. 18x11) 2. 21-17 /FEN \"B:W21:B1\"/ 1-5 99-98 21-17 *".as_bytes();
    for (tree, _, places) in games(file) {
        assert_eq!(places.len(), tree.nodes().len());
        let words: Vec<&str> = places
            .iter()
            .map(|at| std::str::from_utf8(&file[*at as usize..]).unwrap().split([' ', ')']).next().unwrap())
            .collect();
        assert_eq!(words, ["[GameType", "22x18", "12-16", "11-14", "18x11", "21-17", "/FEN", "1-5"]);
    }
}

#[test]
fn a_game_by_itself_is_what_it_is_in_its_file() {
    let bytes = b"[GameType \"21\"] 1. 11-15 22-18 2. 15x22 25x18 *\n\n{\xe8 cos\xec} 1. 9-14 22-18 *\n[FEN \"B:W32:B1\"] *\n";
    for (tree, offset, _) in games(bytes) {
        let mut reader = Reader::new(Options::default());
        reader.expect(Arc::clone(tree.rules()), "windows-1252");
        let mut seen = None;
        reader
            .read_from(Cursor::new(bytes), offset, &mut |game| {
                seen = Some(game.tree.clone());
                ControlFlow::Break(())
            })
            .unwrap();
        assert_eq!(seen.unwrap(), tree);
        assert_eq!(tree.rules().key(), "american");
    }
}

#[test]
fn what_is_expected_counts_for_one_reading_only() {
    let file = b"1. 9-14 22-18 *";
    let mut reader = Reader::new(Options::default());
    reader.expect(Arc::new(RuleSet::known("pool").unwrap()), "ascii");
    for key in ["pool", "american"] {
        let mut first = None;
        reader
            .read(&file[..], &mut |game| {
                first =
                    Some((game.tree.rules().key().to_owned(), game.tree.pdn(Style::default()).to_string()));
                ControlFlow::Break(())
            })
            .unwrap();
        assert_eq!(first.unwrap().0, key);
    }
}
