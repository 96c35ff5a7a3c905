//! Everything that people wrote is checked: the pages for their parts, the figures by playing them.

use std::collections::BTreeSet;
use std::sync::Arc;

use damiera_rules::explain::explain;
use damiera_rules::presets::KEYS;
use damiera_rules::{Game, RuleSet, notation};
use damiera_words::Lang;

use super::content::{self, Figure, figures, page};
use super::{figure, render};

/// The squares that figures print between the two ends of a move do not matter for a complete list.
fn ends(rules: &RuleSet, texts: &[String]) -> Result<BTreeSet<(u8, u8)>, String> {
    let both = |text: &String| {
        let squares = notation::parse_squares(rules, text).map_err(|error| format!("{text}: {error}"))?;
        Ok((squares[0], squares[squares.len() - 1]))
    };
    texts.iter().map(both).collect()
}

/// Plays a figure and returns what is wrong with it.
fn faults(figure: &Figure, page: &RuleSet) -> Result<(), String> {
    let rules = figure::rules_of(figure, page)?;
    let start = figure::position_of(figure, &rules)?;
    if let Some(legal) = &figure.legal {
        let found: BTreeSet<(u8, u8)> = rules.moves(&start).iter().map(|m| (m.from, m.to)).collect();
        if ends(&rules, legal)? != found {
            let moves = rules.moves(&start);
            let all: Vec<String> = moves.iter().map(|m| notation::full(&rules, &start, m)).collect();
            return Err(format!("legal are {}", all.join(" ")));
        }
    }
    for (i, text) in figure.illegal.iter().enumerate() {
        let squares = notation::parse_squares(&rules, text).map_err(|error| format!("{text}: {error}"))?;
        let found = explain(&rules, &start, &squares);
        if found.legal.is_some() || found.reason.code() == "ambiguous" {
            return Err(format!("{text} is not refused: {}", found.reason.code()));
        }
        if i == 0 && figure.reason.as_ref().is_some_and(|reason| reason != found.reason.code()) {
            return Err(format!("{text} is refused because of {}", found.reason.code()));
        }
    }
    play(figure, rules, start)
}

fn play(figure: &Figure, rules: RuleSet, start: damiera_rules::Position) -> Result<(), String> {
    let rules = Arc::new(rules);
    let mut game = Game::new(rules.clone(), start);
    for (i, text) in figure.play.iter().enumerate() {
        if let Some(outcome) = game.outcome() {
            return Err(format!(
                "the game is over before move {} ({text}): {}",
                i + 1,
                outcome.clause(&rules)
            ));
        }
        let m = notation::parse(&rules, game.position(), text).map_err(|error| format!("{text}: {error}"))?;
        game.play(&m).map_err(|error| format!("{text}: {error}"))?;
    }
    let ended = game
        .outcome()
        .filter(|outcome| outcome.winner.is_none())
        .map(|outcome| outcome.clause(&rules).to_string());
    let claimed = game.claimable().first().map(|i| rules.draws().clauses[*i].id.to_string());
    match (&figure.draw, ended.or(claimed)) {
        (Some(wanted), found) if found.as_ref() != Some(wanted) => {
            Err(format!("drawn by {found:?}, not by {wanted}"))
        }
        _ => Ok(()),
    }
}

#[test]
fn every_figure_is_right() {
    let mut wrong = Vec::new();
    for key in KEYS {
        let rules = RuleSet::known(key).unwrap();
        match figures(key) {
            Err(error) => wrong.push(error),
            Ok(figures) => {
                let faulty =
                    figures.iter().filter_map(|figure| faults(figure, &rules).err().map(|e| (figure, e)));
                wrong.extend(faulty.map(|(figure, error)| format!("{key}, figure {}: {error}", figure.id)));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A draw by a claim comes at exactly the last ply, too: one ply earlier nothing could be claimed.
#[test]
fn every_draw_comes_at_the_last_ply_and_not_before() {
    for key in KEYS {
        for figure in figures(key).unwrap().iter().filter(|figure| figure.draw.is_some()) {
            let mut shorter = figure.clone();
            shorter.play.pop();
            let rules = RuleSet::known(key).unwrap();
            assert!(faults(&shorter, &rules).is_err(), "{key}, figure {}", figure.id);
        }
    }
}

fn figure_ids(text: &str) -> Vec<&str> {
    text.split("(fig:").skip(1).filter_map(|rest| rest.split_once(')')).map(|(id, _)| id).collect()
}

#[test]
fn every_page_has_all_its_parts_in_every_language() {
    for key in KEYS {
        let known: Vec<String> = figures(key).unwrap().into_iter().map(|figure| figure.id).collect();
        let mut ids_elsewhere: Option<BTreeSet<String>> = None;
        for lang in Lang::ALL {
            let at = format!("{}/{key}", lang.tag());
            let page = page(lang, key).unwrap_or_else(|| panic!("{at} is missing or has no head"));
            let ids: BTreeSet<String> = figure_ids(&page.text).into_iter().map(str::to_string).collect();
            assert!(ids.len() >= 3 && ids.contains("start"), "{at}: figures {ids:?}");
            for id in &ids {
                assert!(known.contains(id), "{at}: there is no figure {id}");
            }
            assert!(
                ids_elsewhere.get_or_insert_with(|| ids.clone()) == &ids,
                "{at}: other figures than elsewhere"
            );
            for marker in ["{ladder}", "{draws}", "{differences}"] {
                let count = page.text.lines().filter(|line| *line == marker).count();
                assert_eq!(count, 1, "{at}: {marker}");
            }
            assert!((2..=4).contains(&page.neighbours.len()), "{at}: {:?}", page.neighbours);
            for neighbour in &page.neighbours {
                assert!(KEYS.contains(&neighbour.as_str()) && neighbour != key, "{at}: {neighbour}");
            }
            assert!(page.line.chars().count() <= 90, "{at}: the line is too long");
        }
    }
}

#[test]
fn every_page_is_rendered_whole() {
    for lang in Lang::ALL {
        let index = render::index(lang);
        for key in KEYS {
            assert!(index.contains(&format!("/{}/rules/{key}\"", lang.tag())), "{key}");
            let html = render::page(lang, key).unwrap();
            let at = format!("{}/{key}", lang.tag());
            let ids = figure_ids(&content::page(lang, key).unwrap().text).len();
            assert_eq!(html.matches("<damiera-board").count(), ids, "{at}: figures");
            assert!(html.contains("<table class=\"tbl\">") && html.contains("class=\"lines\""), "{at}");
            for lost in [
                "{ladder}",
                "{draws}",
                "{differences}",
                ">rp.",
                ">fact.",
                ">clause.",
                ">page.",
                "style=",
                "onclick",
            ] {
                assert!(!html.contains(lost), "{at}: {lost}");
            }
            assert_eq!(html.matches("<script").count(), 1, "{at}: only the module");
            assert_eq!(html.matches("hreflang=").count(), 9, "{at}");
        }
    }
    assert!(render::page(Lang::It, "klingon").is_none());
    assert!(render::page(Lang::It, "../it/italian").is_none());
}

#[test]
fn markup_in_a_text_is_shown_and_not_obeyed() {
    let text = "<script>alert(1)</script>\n\nA <b onclick=x>word</b>.";
    let events: Vec<_> = pulldown_cmark::Parser::new(text).collect();
    let html = render::without_html(&events);
    assert!(!html.contains("<script") && !html.contains("<b"), "{html}");
}
