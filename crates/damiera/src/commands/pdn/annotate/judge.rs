//! What is to be said of a move, from what the search found before and after it. Nothing here knows a board.

use damiera_engine::Score;
use damiera_rules::Side;

/// What differences between scores mean, in hundredths of a man.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scale {
    /// What a move has to cost to be called what.
    dubious: i32,
    mistake: i32,
    blunder: i32,
    /// A position that is worse by no more than this is not lost.
    level: i32,
    /// From here on a game is taken to be decided.
    decided: i32,
    /// Whoever stands better by so much has won for all that matters: to win by less is no mistake then.
    won: i32,
}

impl Scale {
    /// Where the pieces are to be kept.
    pub(super) const NORMAL: Scale =
        Scale { dubious: 60, mistake: 80, blunder: 150, level: 50, decided: 150, won: 300 };
    /// Where they are to be given away, the estimates swing by most of a man from one move to the next.
    pub(super) const LOSING: Scale =
        Scale { dubious: 120, mistake: 180, blunder: 300, level: 100, decided: 300, won: 600 };

    /// Returns a score as far as it matters who wins.
    fn standing(self, score: Score) -> i32 {
        match score {
            Score::Value(hundredths) => hundredths.clamp(-self.won, self.won),
            Score::Win(_) => self.won,
            Score::Loss(_) => -self.won,
            Score::Draw => 0,
        }
    }
}

/// How bad a move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Gravity {
    Dubious,
    Mistake,
    Blunder,
}

impl Gravity {
    /// Returns the sign behind the move.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Gravity::Dubious => "?!",
            Gravity::Mistake => "?",
            Gravity::Blunder => "??",
        }
    }
}

/// What was done wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A win was there that the search proves, and now there is none that it proves.
    WinOverlooked,
    /// A draw was there that nothing could prevent, and now the search proves a loss.
    DrawOverlooked,
    /// The search proves a loss where it saw none.
    Losing,
    /// There was something better.
    Worse,
}

/// What is to be said of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Judgement {
    pub(super) gravity: Gravity,
    pub(super) kind: Kind,
}

/// Judges a move by what its player could expect before it and after it. Returns `None` for one that is good enough.
pub(super) fn judge(before: Score, after: Score, is_sure_draw: bool, scale: Scale) -> Option<Judgement> {
    let (had, has) = (scale.standing(before), scale.standing(after));
    // Who is lost already is not told how to be lost more slowly.
    if had <= -scale.decided {
        return None;
    }
    let gravity = match had - has {
        cost if cost >= scale.blunder => Gravity::Blunder,
        cost if cost >= scale.mistake => Gravity::Mistake,
        cost if cost >= scale.dubious => Gravity::Dubious,
        _ => return None,
    };
    let kind = match (before, after) {
        (Score::Win(_), _) => Kind::WinOverlooked,
        (Score::Draw, Score::Loss(_)) if is_sure_draw => Kind::DrawOverlooked,
        (_, Score::Loss(_)) if had >= -scale.level => Kind::Losing,
        _ => Kind::Worse,
    };
    Some(Judgement { gravity, kind })
}

/// What the game came to with one move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// Who made the move.
    pub(super) side: Side,
    /// What this player could expect before it and after it.
    pub(super) before: Score,
    pub(super) after: Score,
    pub(super) judgement: Option<Judgement>,
}

/// Returns which of the moves lost the game: the loser's first mistake that decided it, behind the last time that the winner's advantage
/// was gone. There is none where the advantage grew little by little.
pub(super) fn decisive(turns: &[Turn], winner: Side, scale: Scale) -> Option<usize> {
    let of_winner = |turn: &Turn, score| {
        let standing = scale.standing(score);
        if turn.side == winner { standing } else { -standing }
    };
    turns.last().filter(|last| of_winner(last, last.after) >= scale.decided)?;
    let gone = turns.iter().rposition(|turn| of_winner(turn, turn.before) <= scale.level).unwrap_or(0);
    let decides = |turn: &Turn| {
        let is_mistake = turn.judgement.is_some_and(|judgement| judgement.gravity >= Gravity::Mistake);
        let was_open = of_winner(turn, turn.before) < scale.decided;
        turn.side != winner && is_mistake && was_open && of_winner(turn, turn.after) >= scale.decided
    };
    turns[gone..].iter().position(decides).map(|i| gone + i)
}

/// Returns who has won a game for all that matters, by what the player to move may expect at its end.
pub(super) fn leader(to_move: Side, score: Score, scale: Scale) -> Option<Side> {
    match scale.standing(score) {
        standing if standing >= scale.decided => Some(to_move),
        standing if standing <= -scale.decided => Some(to_move.other()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use Score::{Draw, Loss, Value, Win};

    use super::*;

    fn judged(before: Score, after: Score) -> Option<(&'static str, Kind)> {
        judge(before, after, false, Scale::NORMAL).map(|j| (j.gravity.sign(), j.kind))
    }

    #[test]
    fn a_move_is_judged_by_what_it_costs() {
        assert_eq!(judged(Value(20), Value(-20)), None);
        assert_eq!(judged(Value(20), Value(-40)), Some(("?!", Kind::Worse)));
        assert_eq!(judged(Value(20), Value(-60)), Some(("?", Kind::Worse)));
        assert_eq!(judged(Value(20), Value(-130)), Some(("??", Kind::Worse)));
        assert_eq!(judge(Value(20), Value(-60), false, Scale::LOSING), None);
    }

    #[test]
    fn who_wins_or_loses_anyway_makes_no_mistake() {
        assert_eq!(judged(Win(5), Win(35)), None);
        assert_eq!(judged(Win(5), Value(350)), None);
        assert_eq!(judged(Value(900), Value(300)), None);
        assert_eq!(judged(Value(-200), Loss(8)), None);
        assert_eq!(judged(Loss(20), Loss(2)), None);
    }

    #[test]
    fn only_what_is_proven_is_overlooked() {
        assert_eq!(judged(Win(9), Value(40)), Some(("??", Kind::WinOverlooked)));
        assert_eq!(judged(Win(9), Loss(4)), Some(("??", Kind::WinOverlooked)));
        assert_eq!(judged(Value(250), Draw), Some(("??", Kind::Worse)));
        let sure = judge(Draw, Loss(6), true, Scale::NORMAL);
        assert_eq!(sure.map(|j| j.kind), Some(Kind::DrawOverlooked));
        assert_eq!(judged(Draw, Loss(6)), Some(("??", Kind::Losing)));
        assert_eq!(judged(Value(-100), Loss(6)), Some(("??", Kind::Worse)));
    }

    #[test]
    fn one_mistake_decides() {
        let turn = |side, before, after| Turn {
            side,
            before,
            after,
            judgement: judge(before, after, false, Scale::NORMAL),
        };
        let (white, black) = (Side::White, Side::Black);
        // White gives a man, Black gives it back, White loses two; what follows makes no difference any more.
        let turns = [
            turn(white, Value(0), Value(-160)),
            turn(black, Value(160), Value(10)),
            turn(white, Value(-10), Value(-220)),
            turn(black, Value(220), Value(220)),
            turn(white, Value(-220), Loss(9)),
        ];
        assert_eq!(decisive(&turns, black, Scale::NORMAL), Some(2));
        // It is not White who won it; and with Black's answer nothing was decided yet.
        assert_eq!(decisive(&turns, white, Scale::NORMAL), None);
        assert_eq!(decisive(&turns[..1], black, Scale::NORMAL), Some(0));
        assert_eq!(decisive(&turns[..2], black, Scale::NORMAL), None);
        assert_eq!(decisive(&turns[..2], black, Scale::NORMAL), None);
        // An advantage that shrinks for a while has not gone away.
        let swaying = [
            turn(white, Value(0), Value(-200)),
            turn(black, Value(200), Value(120)),
            turn(white, Value(-120), Value(-240)),
        ];
        assert_eq!(decisive(&swaying, black, Scale::NORMAL), Some(0));
        // Little by little.
        let slow = [turn(white, Value(-110), Value(-140)), turn(black, Value(160), Value(160))];
        assert_eq!(decisive(&slow, black, Scale::NORMAL), None);
        assert_eq!(leader(white, Loss(3), Scale::NORMAL), Some(black));
        assert_eq!(leader(white, Value(40), Scale::NORMAL), None);
    }
}
