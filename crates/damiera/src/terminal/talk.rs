//! What is said at the terminal, beside the sentences of [`crate::say`].

use damiera_rules::{Game, Move, Outcome, RuleSet, Side, notation};
use damiera_table::{Code, Level, Opening, Refusal, Seat};
use damiera_words::{Lang, t};

use super::session::Session;
use crate::say;

/// Says who sits on a side.
pub(super) fn seat(lang: Lang, seat: Seat) -> String {
    match seat.level().map(Level::number) {
        None => t(lang, "tui.person", &[]),
        Some(None) => t(lang, "tui.computer.best", &[]),
        Some(Some(level)) => t(lang, "tui.computer", &[("level", &level)]),
    }
}

/// Returns the name of a side.
pub(super) fn side(lang: Lang, side: Side) -> String {
    t(lang, if side.is_white() { "tui.white" } else { "tui.black" }, &[])
}

/// Names the opening that was played for the players.
pub(super) fn opening(lang: Lang, session: &Session) -> Option<String> {
    let Opening { list, number, .. } = session.opening()?;
    let list = t(lang, &format!("opening.{list}"), &[]);
    Some(t(lang, "opening.named", &[("n", number), ("list", &list)]))
}

/// Says how the game stands: the result, an open offer, what the player to move has to do.
pub(super) fn status(lang: Lang, session: &Session) -> String {
    let game = session.game();
    if let Some(outcome) = game.outcome() {
        return ended(lang, game.rules(), &outcome);
    }
    let mover = session.side();
    if let Some(offerer) = session.offer() {
        let waits = !session.seats().of(offerer.other()).is_person();
        let key = if waits { "tui.offer.waits" } else { "tui.offer.answer" };
        return t(lang, key, &[("side", &side(lang, offerer))]);
    }
    if !session.is_persons_turn() {
        return t(lang, "tui.thinking", &[]);
    }
    let turn = if session.seats().only_person() == Some(mover) {
        t(lang, "tui.turn.you", &[])
    } else {
        t(lang, if mover.is_white() { "tui.turn.white" } else { "tui.turn.black" }, &[])
    };
    let mut lines = vec![turn];
    lines.extend(duty(lang, game));
    lines.extend(claim(lang, game));
    lines.join(" ")
}

/// Says that there is something to capture, and how much.
fn duty(lang: Lang, game: &Game) -> Option<String> {
    let legal = game.legal_moves();
    let most = legal.iter().map(|m| damiera_rules::Bits::len(m.captured)).max().filter(|n| *n > 0)?;
    let free = legal.iter().any(|m| !m.is_capture());
    Some(t(lang, if free { "tui.may-capture" } else { "tui.must-capture" }, &[("n", &most)]))
}

/// Says that a draw can be claimed.
fn claim(lang: Lang, game: &Game) -> Option<String> {
    let id = damiera_table::json::claimable(game).into_iter().next()?;
    let word = super::command::Command::Claim.word(lang);
    Some(t(lang, "tui.claimable", &[("clause", &say::clause(lang, &id)), ("command", &word)]))
}

/// Says how the game ended.
pub(super) fn ended(lang: Lang, rules: &RuleSet, outcome: &Outcome) -> String {
    format!("{} {}", say::result(lang, outcome), say::end(lang, rules, outcome))
}

/// Says which move was played last.
pub(super) fn last_move(lang: Lang, game: &Game) -> String {
    let text = history(game).pop().unwrap_or_default();
    let mover = side(lang, game.position().side().other());
    t(lang, "tui.played", &[("side", &mover), ("move", &text)])
}

/// Says which move the hint is.
pub(super) fn hint(lang: Lang, game: &Game, m: &Move) -> String {
    t(lang, "tui.hint", &[("move", &moves(game, &[*m]))])
}

/// Says why the table refused something.
pub(super) fn refusal(lang: Lang, refusal: &Refusal) -> String {
    let key = match refusal.code {
        Code::Over => "why.game-over",
        Code::NotYourTurn => "tui.error.not-your-turn",
        Code::NothingToTakeBack => "tui.error.nothing-to-take-back",
        Code::NoOffer => "tui.error.no-offer",
        Code::CannotClaim => "tui.error.cannot-claim",
        Code::TooLong => "tui.error.too-long",
        Code::IllegalMove
        | Code::Stale
        | Code::BadMessage
        | Code::UnknownGame
        | Code::UnknownRules
        | Code::BadFen => return refusal.text.clone(),
    };
    t(lang, key, &[])
}

/// Returns moves of the present position as texts, separated by commas.
pub(super) fn moves(game: &Game, moves: &[Move]) -> String {
    let legal = game.legal_moves();
    let text = |m| notation::format(game.rules(), game.position(), &legal, m);
    moves.iter().map(text).collect::<Vec<String>>().join(", ")
}

/// Returns the texts of the moves played.
pub(super) fn history(game: &Game) -> Vec<String> {
    let rules = game.rules();
    let text = |(before, m)| notation::format(rules, before, &rules.moves(before), m);
    game.positions().iter().zip(game.moves()).map(text).collect()
}

/// Returns the moves played, a numbered pair a line. The number belongs to the side that moved first.
pub(super) fn numbered(game: &Game) -> Vec<String> {
    let texts = history(game);
    let pairs = texts.chunks(2).enumerate();
    pairs
        .map(|(i, pair)| format!("{:>3}. {:<9} {}", i + 1, pair[0], pair.get(1).map_or("", String::as_str)))
        .collect()
}
