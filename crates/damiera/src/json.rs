//! Moves as the command line prints them.

use damiera_rules::{Move, Position, RuleSet};
use damiera_table::json::{MoveJson, short_move_json};

/// Returns moves as JSON, with the captured pieces from White's top left on, row by row. A move is one class whatever the order of its jumps, so scripts
/// get an order that does not depend on the way that `path` shows.
pub(crate) fn moves<'a>(
    rules: &RuleSet,
    position: &Position,
    legal: &[Move],
    shown: impl IntoIterator<Item = &'a Move>,
) -> Vec<MoveJson> {
    let place = |name: &String| rules.board().square(name).map(|bit| rules.board().number_from_top(bit));
    let json = |m| {
        let mut json = short_move_json(rules, position, legal, m);
        json.captured.sort_by_key(place);
        json
    };
    shown.into_iter().map(json).collect()
}
