//! The weights that were fitted (`damiera train fit`), and which of them serve a rule set.

use std::sync::OnceLock;

use damiera_rules::RuleSet;

use super::weights::Weights;

/// The files, by the rule set whose games they were fitted to.
macro_rules! files {
    ($($key:literal,)*) => {
        [$(($key, include_str!(concat!("../../weights/", $key, ".txt")))),*]
    };
}
const FILES: &[(&str, &str)] = &files![
    "american",
    "antidraughts",
    "brazilian",
    "breakthrough",
    "canadian",
    "frisian",
    "international",
    "italian",
    "killer",
    "poddavki",
    "russian",
    "spanish",
    "thai",
];

struct Fitted {
    rules: RuleSet,
    weights: Weights,
}

fn all() -> &'static [Fitted] {
    static ALL: OnceLock<Vec<Fitted>> = OnceLock::new();
    ALL.get_or_init(|| {
        let read = |&(key, text): &(&str, &str)| {
            let rules = RuleSet::known(key)?;
            let weights = Weights::parse(rules.shape(), text).ok()?;
            Some(Fitted { rules, weights })
        };
        FILES.iter().filter_map(read).collect()
    })
}

/// Returns the weights fitted for the rule set that is most like this one; `None` when none has its board and its goal.
pub(super) fn nearest(rules: &RuleSet) -> Option<Weights> {
    let same_game =
        |fitted: &&Fitted| fitted.rules.shape() == rules.shape() && fitted.rules.goal() == rules.goal();
    let nearest = all().iter().filter(same_game).min_by_key(|fitted| distance(&fitted.rules, rules))?;
    Some(nearest.weights.clone())
}

/// Returns how differently two rule sets play, on one board and for one goal: what changes the worth of pieces most counts most.
fn distance(a: &RuleSet, b: &RuleSet) -> u32 {
    let (m, n) = (a.movement(), b.movement());
    let differences = [
        (m.king != n.king, 64),
        (m.lines != n.lines, 32),
        (m.men_capture != n.men_capture, 16),
        (m.capture != n.capture, 16),
        (m.landing != n.landing, 8),
        (a.start() != b.start(), 8),
        (m.men_take_kings != n.men_take_kings, 4),
        (m.ladder != n.ladder, 3),
        (m.promotion != n.promotion, 2),
        (m.removal != n.removal, 1),
        (m.king_run != n.king_run, 1),
    ];
    differences.iter().map(|&(differs, weight)| if differs { weight } else { 0 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read_and_serves_its_own_rule_set() {
        for &(key, text) in FILES {
            let rules = RuleSet::known(key).expect(key);
            let weights =
                Weights::parse(rules.shape(), text).unwrap_or_else(|error| panic!("{key}: {error}"));
            assert_eq!(nearest(&rules), Some(weights), "{key}");
        }
    }

    #[test]
    fn others_are_served_by_the_most_similar() {
        let of = |name: &str| RuleSet::parse(name).ok().and_then(|rules| nearest(&rules));
        for (name, like) in [
            ("brazilian-quality", "brazilian"),
            ("czech", "spanish"),
            ("pool", "russian"),
            ("italian,goal=losing", "poddavki"),
            ("american,capture=optional", "american"),
        ] {
            assert_eq!(of(name), of(like), "{name}");
            assert!(of(name).is_some(), "{name}");
        }
        assert_eq!(of("turkish,goal=losing"), None);
    }
}
