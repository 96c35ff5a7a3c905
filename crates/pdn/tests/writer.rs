//! The writer of PDN, and that what it writes is read back as the same tree.

use std::ops::ControlFlow;
use std::sync::Arc;

use damiera_pdn::{GameTree, NodeId, Options, Step, Style, Verdict, read};
use damiera_rules::presets::KEYS;
use damiera_rules::{Game, Naming, RuleSet, Side, fen, notation};
use proptest::prelude::*;

fn tree(rules: &str, start: Option<&str>, moves: &str) -> GameTree {
    let rules = Arc::new(RuleSet::parse(rules).expect("rules"));
    let start = start.map_or(rules.initial(), |text| fen::parse(&rules, text).expect("a FEN"));
    let mut game = Game::new(Arc::clone(&rules), start);
    for text in moves.split_whitespace() {
        let m = notation::parse(&rules, game.position(), text).expect(text);
        game.play(&m).expect(text);
    }
    GameTree::of(&game)
}

fn write(tree: &GameTree) -> String {
    tree.pdn(Style::default()).to_string()
}

/// Reads the only game of a text, with what the reader says about it.
fn read_back(text: &str) -> (GameTree, Vec<String>) {
    let mut games = Vec::new();
    read(text.as_bytes(), &Options::default(), &mut |game| {
        let findings = game.findings.iter().map(|f| format!("{} {:?}", f.code.text(), f.text)).collect();
        games.push((game.tree.clone(), findings));
        ControlFlow::Continue(())
    })
    .expect("a text");
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

#[test]
fn a_game_type_that_is_not_exact_has_its_rules_beside_it() {
    let rules_tag = |rules| {
        let text = write(&tree(rules, None, ""));
        text.lines().find(|line| line.starts_with("[Rules")).map(str::to_owned)
    };
    assert_eq!(rules_tag("international"), None);
    assert_eq!(rules_tag("brazilian"), None);
    assert_eq!(rules_tag("brazilian-classic").as_deref(), Some("[Rules \"brazilian-classic\"]"));
    assert_eq!(
        rules_tag("italian,capture=optional").as_deref(),
        Some("[Rules \"italian,capture=optional\"]")
    );
    assert_eq!(rules_tag("killer").as_deref(), Some("[Rules \"killer\"]"));
}

#[test]
fn numbers_begin_with_the_side_that_begins() {
    assert!(write(&tree("american", None, "11-15 23-19 8-11")).ends_with("\n\n1. 11-15 23-19 2. 8-11 *\n\n"));
    let text = write(&tree("american", Some("W:W19,21-32:B1-8,10,12,15"), "22-18 15x22 25x18"));
    assert!(text.contains("\n[FEN \"W:W19,21,22,"), "{text}");
    assert!(text.ends_with("\n\n1. ... 22-18 2. 15x22 25x18 *\n\n"), "{text}");
}

#[test]
fn results_are_the_points_of_white_and_black() {
    for (verdict, small, large) in [
        (Verdict::Won(Side::White), "1-0", "2-0"),
        (Verdict::Won(Side::Black), "0-1", "0-2"),
        (Verdict::Drawn, "1/2-1/2", "1-1"),
        (Verdict::BothLost, "0-0", "0-0"),
        (Verdict::Points("4-6".to_owned()), "4-6", "4-6"),
        (Verdict::Open, "*", "*"),
    ] {
        for (rules, expected) in [("italian", small), ("international", large)] {
            let mut tree = tree(rules, None, "");
            tree.verdict = verdict.clone();
            assert!(write(&tree).starts_with(&format!("[Result \"{expected}\"]\n")));
            assert_eq!(Verdict::parse(expected), verdict);
        }
    }
}

#[test]
fn what_would_break_the_text_is_kept_from_it() {
    let mut tree = tree("italian", None, "22-18");
    tree.tags = vec![("Event".into(), "a \"b\" \\ c\nd".into()), ("Opening".into(), "22-18".into())];
    tree.remarks_mut(1).comments.push("no {braces}\nhere".into());
    let text = write(&tree);
    assert!(text.starts_with("[Event \"a \\\"b\\\" \\\\ c d\"]\n"), "{text}");
    assert!(text.contains("[GameType \"22,W,8,8,N2,1\"]\n[Opening \"22-18\"]\n\n"), "{text}");
    assert!(text.ends_with("1. 22-18 {no (braces) here} *\n\n"), "{text}");
}

/// The specification's table: a colon in Russian draughts, a stroke in Thai, an x elsewhere.
#[test]
fn captures_have_the_sign_of_their_game() {
    let line = |rules, moves| write(&tree(rules, None, moves)).lines().last().map(str::to_owned);
    let text = |rules, moves| write(&tree(rules, None, moves));
    assert!(text("russian", "c3-b4 b6-a5 b4-c5 d6:b4").contains("2. b4-c5 d6:b4 *"));
    assert!(text("brazilian", "c3-b4 b6-a5 b4-c5 d6:b4").contains("2. b4-c5 d6xb4 *"));
    assert!(text("international", "32-28 19-23 28x19").contains("2. 28x19 *"));
    assert_eq!(line("international", "").as_deref(), Some(""));
}

/// Two captures with the same ends are told apart by all their landings; elsewhere the ends suffice.
#[test]
fn only_ambiguous_captures_are_written_in_full() {
    let rules = RuleSet::known("international").expect("a key");
    let position = fen::parse(&rules, "W:WK47:B42,33,29,19,9,20,14,18").expect("a FEN");
    for m in rules.moves(&position) {
        let mut tree = GameTree::new(Arc::new(rules.clone()), position);
        tree.play(0, &m).expect("legal");
        let (again, findings) = read_back(&write(&tree));
        assert_eq!((again, findings), (tree, Vec::new()));
    }
}

#[test]
fn lines_are_short_and_the_moves_are_all_there() {
    let rules = Arc::new(RuleSet::known("international").expect("a key"));
    let mut game = Game::new(Arc::clone(&rules), rules.initial());
    for _ in 0..60 {
        let Some(m) = game.legal_moves().first().copied() else { break };
        game.play(&m).expect("legal");
    }
    let tree = GameTree::of(&game);
    let text = write(&tree);
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    assert_eq!(read_back(&text), (tree, Vec::new()));
}

#[test]
fn the_names_can_be_changed_and_the_game_type_says_so() {
    let tree = tree("brazilian", Some("W:Wc3,e3:Bd4,f6"), "c3:g7");
    let style = Style { names: Some(Naming::NumbersFromTop), full: true };
    let text = tree.pdn(style).to_string();
    assert!(text.contains("[GameType \"26,W,8,8,N2,0\"]"), "{text}");
    assert!(text.contains("[FEN \"W:W22,23:B11,18\"]"), "{text}");
    let (again, _) = read_back(&text);
    assert_eq!(again, tree);
}

/// What a random tree is made of: for each step where it is added and which move, by chance; whether and what is said about it.
type Plan = Vec<(u16, u16, u8, String)>;

/// Makes a tree by chance: long lines with branches, remarks, set-ups.
fn planned(key: &str, plan: &Plan, verdict: Verdict) -> GameTree {
    let rules = Arc::new(RuleSet::known(key).expect("a key"));
    let mut tree = GameTree::new(Arc::clone(&rules), rules.initial());
    let mut last: NodeId = 0;
    for (place, choice, remark, text) in plan {
        // Three of four steps go on, the fourth is added anywhere.
        let parent = if place % 4 == 0 { NodeId::from(*place) % tree.nodes().len() as NodeId } else { last };
        let position = *tree.node(parent).position();
        let moves = rules.moves(&position);
        let fresh = moves.iter().filter(|m| {
            let is_played = |id: NodeId| tree.node(id).step() == Step::Move(**m);
            !tree.children(parent).any(is_played)
        });
        let fresh: Vec<_> = fresh.copied().collect();
        last = match fresh.get(usize::from(*choice) % fresh.len().max(1)) {
            Some(m) => tree.play(parent, m).expect("legal"),
            None => parent,
        };
        // What is said at the beginning stands before the first move, and a move strength makes no sense there.
        let remarks = tree.remarks_mut(last);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match remark % 9 {
            0 if last > 0 => remarks.strength = "!?".into(),
            1 => remarks.nags = vec![u32::from(*choice), 7],
            2 if !words.is_empty() => remarks.comments.push(words),
            3 => remarks.commands.push(("clk".into(), "1:02:03".into())),
            4 if !words.is_empty() => {
                remarks.comments.push(format!("{words} 1-0 * (32-28)"));
                remarks.commands.push(("eval".into(), "0.35".into()));
            }
            _ => {}
        }
    }
    tree.verdict = verdict;
    tree
}

fn verdicts() -> impl Strategy<Value = Verdict> {
    prop_oneof![
        Just(Verdict::Won(Side::White)),
        Just(Verdict::Won(Side::Black)),
        Just(Verdict::Drawn),
        Just(Verdict::BothLost),
        Just(Verdict::Open),
        Just(Verdict::Points("4-6".to_owned())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Reading undoes writing, for every rule set, and there is nothing to mend.
    #[test]
    fn what_is_written_is_read_back_as_the_same_tree(
        key in prop::sample::select(KEYS.to_vec()),
        plan in prop::collection::vec((any::<u16>(), any::<u16>(), any::<u8>(), "[^{}\\[\\p{C}]{0,40}"), 0..120),
        verdict in verdicts(),
        names in prop::option::of(prop::sample::select(vec![Naming::Letters, Naming::NumbersFromTop, Naming::NumbersFromBottom])),
        full in any::<bool>(),
        value in "[^\\p{C}]{1,30}",
    ) {
        let mut tree = planned(key, &plan, verdict);
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        if !value.is_empty() {
            tree.tags.push(("White".into(), value));
        }
        let text = write(&tree);
        let (again, findings) = read_back(&text);
        prop_assert_eq!(&findings, &Vec::<String>::new(), "{}", text);
        prop_assert_eq!(&write(&again), &text);
        prop_assert!(again == tree, "{}\n{:?}\n{:?}", text, again, tree);
        // In another style it is the same game.
        let text = tree.pdn(Style { names, full }).to_string();
        let (again, findings) = read_back(&text);
        prop_assert_eq!(&findings, &Vec::<String>::new(), "{}", text);
        prop_assert!(again == tree, "{}", text);
        // A word that begins with "%" stays where it is: at the beginning of a line it would make a comment of it.
        let is_short = |line: &str| line.chars().count() <= 80 || line.starts_with('[') || line.contains(" %");
        prop_assert!(text.lines().all(is_short), "{}", text);
    }
}
