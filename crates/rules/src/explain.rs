//! *Why not?* The reason why a move is refused, as a code with parameters; the words are per language and live elsewhere.
//!
//! An attempt is a list of squares: the piece that was touched, the squares it was to touch, the square where it was to end. One square alone is a
//! touch: the question is then why this piece cannot move.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::bits::Bits;
use crate::geometry::{Dir, Shape};
use crate::movement::{Criterion, KingRange, Landing, Movement, Obligation, Removal};
use crate::notation::{self, MoveError};
use crate::position::{Move, Position};
use crate::ruleset::RuleSet;
use crate::walk::{Jump, Path, Walker, capture_dirs, is_backward, paths, quiet_dirs, step};

/// Why an attempt is refused (or that it is legal). `docs/reasons.md` lists the codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The move is legal.
    Legal,
    /// Several legal moves fit; they capture different pieces.
    Ambiguous,
    /// There is no piece on the first square.
    EmptySquare(u8),
    /// The piece belongs to the other side.
    NotYourPiece(u8),
    /// The piece does not leave its square.
    SameSquare(u8),
    /// The piece has no move at all: all ways are closed.
    Stuck(u8),
    /// The square where the move should end is taken.
    Occupied(u8),
    /// A man does not move backward.
    WrongDirection,
    /// The piece does not go so far.
    TooFar,
    /// The squares are on no line on which this piece goes.
    NotOnALine,
    /// A piece stands in the way.
    Blocked(u8),
    /// There is something to capture, up to this many pieces.
    MustCapture(u32),
    /// This captures fewer pieces than possible: this many, of that many.
    TooFew(u32, u32),
    /// With as many pieces, a king must capture.
    MustUseKing,
    /// This captures fewer kings than possible: this many, of that many.
    FewerKings(u32, u32),
    /// With as many pieces and kings, the way must be taken on which kings are met earlier.
    KingsLater,
    /// This captures less by value than possible.
    LowerValue,
    /// The capture is not finished: this many are taken, the way leads on to that many.
    MustFinish(u32, u32),
    /// A man does not capture a king.
    CannotTakeKing(u8),
    /// A man does not capture backward.
    CannotTakeBackward(u8),
    /// One's own piece is not captured.
    CannotTakeOwn(u8),
    /// There is no free square behind the piece.
    NoLanding(u8),
    /// Two pieces stand one behind the other.
    TwoInARow(u8),
    /// A piece is not jumped twice.
    Twice(u8),
    /// The king must land on this square, right behind the piece.
    MustLandBehind(u8),
    /// A capturing piece does not turn straight back.
    TurnBack,
    /// This step of the capture captures nothing.
    NotACapture,
    /// The same king has made this many quiet moves in a row.
    KingRun(u32),
}

impl Reason {
    /// Returns the code, as in JSON and in the keys `why.<code>` of the language files.
    pub const fn code(self) -> &'static str {
        match self {
            Reason::Legal => "legal",
            Reason::Ambiguous => "ambiguous",
            Reason::EmptySquare(_) => "empty-square",
            Reason::NotYourPiece(_) => "not-your-piece",
            Reason::SameSquare(_) => "same-square",
            Reason::Stuck(_) => "stuck",
            Reason::Occupied(_) => "occupied",
            Reason::WrongDirection => "wrong-direction",
            Reason::TooFar => "too-far",
            Reason::NotOnALine => "not-on-a-line",
            Reason::Blocked(_) => "blocked",
            Reason::MustCapture(_) => "must-capture",
            Reason::TooFew(..) => "too-few",
            Reason::MustUseKing => "must-use-king",
            Reason::FewerKings(..) => "fewer-kings",
            Reason::KingsLater => "kings-later",
            Reason::LowerValue => "lower-value",
            Reason::MustFinish(..) => "must-finish",
            Reason::CannotTakeKing(_) => "cannot-take-king",
            Reason::CannotTakeBackward(_) => "cannot-take-backward",
            Reason::CannotTakeOwn(_) => "cannot-take-own",
            Reason::NoLanding(_) => "no-landing",
            Reason::TwoInARow(_) => "two-in-a-row",
            Reason::Twice(_) => "twice",
            Reason::MustLandBehind(_) => "must-land-behind",
            Reason::TurnBack => "turn-back",
            Reason::NotACapture => "not-a-capture",
            Reason::KingRun(_) => "king-run",
        }
    }
    /// Returns the number of the attempt: pieces or kings it captures, moves in the run.
    pub const fn n(self) -> Option<u32> {
        match self {
            Reason::TooFew(n, _)
            | Reason::FewerKings(n, _)
            | Reason::MustFinish(n, _)
            | Reason::KingRun(n) => Some(n),
            _ => None,
        }
    }
    /// Returns the number that was possible.
    pub const fn m(self) -> Option<u32> {
        match self {
            Reason::TooFew(_, m)
            | Reason::FewerKings(_, m)
            | Reason::MustFinish(_, m)
            | Reason::MustCapture(m) => Some(m),
            _ => None,
        }
    }
    /// Returns the square that the reason speaks of.
    pub const fn square(self) -> Option<u8> {
        match self {
            Reason::EmptySquare(s)
            | Reason::NotYourPiece(s)
            | Reason::SameSquare(s)
            | Reason::Stuck(s)
            | Reason::Occupied(s)
            | Reason::Blocked(s)
            | Reason::CannotTakeKing(s)
            | Reason::CannotTakeBackward(s)
            | Reason::CannotTakeOwn(s)
            | Reason::NoLanding(s)
            | Reason::TwoInARow(s)
            | Reason::Twice(s)
            | Reason::MustLandBehind(s) => Some(s),
            _ => None,
        }
    }
}

/// The answer to *why not?*
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The reason.
    pub reason: Reason,
    /// The move, when it is legal.
    pub legal: Option<Move>,
    /// The attempted capture, when it is one that the board allows and the ladder forbids.
    pub yours: Option<(Move, Path)>,
    /// The captures that are legal instead (with an ambiguous attempt: the moves that fit).
    pub better: Vec<Move>,
}

/// Explains an attempt. `squares` holds bits of playing squares; an empty list is treated as a move from nowhere and is refused.
pub fn explain(rules: &RuleSet, position: &Position, squares: &[u8]) -> Explanation {
    let better = rules.captures(position);
    let answer = |reason| Explanation { reason, legal: None, yours: None, better: better.clone() };
    let Some(&from) = squares.first() else { return answer(Reason::NotOnALine) };
    match position.piece_at(from) {
        None => return answer(Reason::EmptySquare(from)),
        Some(piece) if piece.side != position.side() => return answer(Reason::NotYourPiece(from)),
        Some(_) => {}
    }
    if squares.len() == 1 {
        return explain_touch(rules, position, from, better);
    }
    match notation::find(rules, position, squares) {
        Ok(m) => return Explanation { legal: Some(m), ..answer(Reason::Legal) },
        Err(MoveError::Ambiguous { readings }) => {
            return Explanation {
                reason: Reason::Ambiguous,
                legal: None,
                yours: None,
                better: readings.into_iter().map(|(m, _)| m).collect(),
            };
        }
        Err(_) => {}
    }
    let attempt = Attempt { rules, position, better: &better };
    if let Some((reason, m, path)) = attempt.forbidden_capture(squares) {
        return Explanation { yours: Some((m, path)), ..answer(reason) };
    }
    answer(attempt.unfinished_capture(squares).unwrap_or_else(|| attempt.wrong_leg(squares)))
}

/// Explains why a piece that was touched cannot move, or says that it can.
fn explain_touch(rules: &RuleSet, position: &Position, from: u8, better: Vec<Move>) -> Explanation {
    let legal = rules.moves(position);
    let own = legal.iter().find(|m| m.from == from).copied();
    if own.is_some() {
        return Explanation { reason: Reason::Legal, legal: own, yours: None, better };
    }
    let attempt = Attempt { rules, position, better: &better };
    if let Some((reason, m, path)) = attempt.best_forbidden_capture_of(from) {
        return Explanation { reason, legal: None, yours: Some((m, path)), better };
    }
    let free = free_quiet_squares(rules, position, from);
    let reason = if !better.is_empty() && rules.movement().capture == Obligation::Obligatory {
        Reason::MustCapture(most(&better))
    } else if free && position.tired_king(rules.movement()).has(from) {
        Reason::KingRun(u32::from(rules.movement().king_run))
    } else {
        Reason::Stuck(from)
    };
    Explanation { reason, legal: None, yours: None, better }
}

fn free_quiet_squares(rules: &RuleSet, position: &Position, from: u8) -> bool {
    let occupied = position.white() | position.black();
    quiet_dirs(rules.shape(), position.kings().has(from), position.side().is_white())
        .iter()
        .filter_map(|dir| step(rules.shape(), from, *dir))
        .any(|to| !occupied.has(to))
}

fn most(captures: &[Move]) -> u32 {
    captures.iter().map(|m| m.captured.len()).max().unwrap_or(0)
}

struct Attempt<'a> {
    rules: &'a RuleSet,
    position: &'a Position,
    better: &'a [Move],
}

impl Attempt<'_> {
    fn shape(&self) -> Shape {
        self.rules.shape()
    }
    fn movement(&self) -> &Movement {
        self.rules.movement()
    }
    fn walker(&self, from: u8) -> Walker<'_> {
        Walker::new(self.shape(), self.movement(), self.position, from)
    }

    /// Looks for the attempt among the captures that only the ladder forbids.
    fn forbidden_capture(&self, squares: &[u8]) -> Option<(Reason, Move, Path)> {
        let (from, to) = (*squares.first()?, *squares.last()?);
        let free = self.rules.captures_under(&self.movement().without_ladder(), self.position);
        let fitting = free.iter().filter(|m| m.from == from && m.to == to).filter_map(|m| {
            let path = self.path_by(m, squares)?;
            Some((self.ladder_reason(m)?, *m, path))
        });
        // Where several captures go by these squares, the one whose every landing was named is meant, otherwise the longest.
        fitting.max_by_key(|(_, m, path)| (path.squares() == squares, m.captured.len()))
    }
    /// Returns the best capture of a piece among those that only the ladder forbids.
    fn best_forbidden_capture_of(&self, from: u8) -> Option<(Reason, Move, Path)> {
        let free = self.rules.captures_under(&self.movement().without_ladder(), self.position);
        let own = free.iter().filter(|m| m.from == from).max_by_key(|m| m.captured.len())?;
        Some((self.ladder_reason(own)?, *own, notation::path(self.rules, self.position, own)))
    }
    fn path_by(&self, m: &Move, squares: &[u8]) -> Option<Path> {
        paths(self.shape(), self.movement(), self.position, m, 512).into_iter().find(|path| {
            let touched = path.squares();
            let mut rest = touched.iter();
            squares.iter().all(|square| rest.any(|t| t == square))
        })
    }
    /// Returns the first step of the ladder on which a capture falls behind the legal ones.
    fn ladder_reason(&self, m: &Move) -> Option<Reason> {
        let best = self.better.first()?;
        self.movement().ladder.steps().find_map(|criterion| {
            let (mine, theirs) = (self.rank(criterion, m), self.rank(criterion, best));
            if mine >= theirs {
                return None;
            }
            Some(match criterion {
                Criterion::Number => Reason::TooFew(m.captured.len(), best.captured.len()),
                Criterion::WithKing => Reason::MustUseKing,
                Criterion::MostKings => Reason::FewerKings(mine.0 as u32, theirs.0 as u32),
                // On a ladder without the number, the longer of two ways that meet kings alike goes first.
                Criterion::KingsFirst if mine.0 == theirs.0 => {
                    Reason::TooFew(m.captured.len(), best.captured.len())
                }
                Criterion::KingsFirst => Reason::KingsLater,
                Criterion::Value => Reason::LowerValue,
            })
        })
    }
    /// Returns what a capture is worth on one step of the ladder; the second number decides between equal first ones.
    fn rank(&self, criterion: Criterion, m: &Move) -> (u64, u64) {
        let number = u64::from(m.captured.len());
        let kings = u64::from((m.captured & self.position.kings()).len());
        match criterion {
            Criterion::Number => (number, 0),
            Criterion::WithKing => (u64::from(self.position.kings().has(m.from)), 0),
            Criterion::MostKings => (kings, 0),
            // A king is worth a hair less than two men.
            Criterion::Value => (128 * (number + kings) - kings, 0),
            Criterion::KingsFirst => {
                (notation::path(self.rules, self.position, m).kings_order(self.position.kings()), number)
            }
        }
    }
    /// Looks for the attempt as the beginning of a capture.
    fn unfinished_capture(&self, squares: &[u8]) -> Option<Reason> {
        let from = *squares.first()?;
        let mut found: Option<(u32, u32)> = None;
        // The walk's end makes no difference: what was found counts.
        let _ = self.walker(from).visit(u128::MAX, &mut |legs, _| {
            if let Some(taken) = beginning(legs, squares) {
                let total = legs.len() as u32;
                found = Some(found.map_or((taken, total), |(t, m)| (t.min(taken), m.max(total))));
            }
            ControlFlow::Continue(())
        });
        found.map(|(taken, total)| Reason::MustFinish(taken, total))
    }

    /// Follows the attempt leg by leg to the one that cannot be made.
    fn wrong_leg(&self, squares: &[u8]) -> Reason {
        let from = squares[0];
        let mut walker = self.walker(from);
        let mut king = self.position.kings().has(from);
        let (mut at, mut came, mut taken) = (from, None, 0);
        for (i, &to) in squares.iter().enumerate().skip(1) {
            let jumps = walker.jumps(at, king, came);
            let Some(jump) = jumps.into_iter().find(|jump| jump.landings.contains(&to)) else {
                return self.wrong_step(&walker, Leg { at, to, king, came, taken });
            };
            if i + 1 == squares.len() {
                return self.wrong_landing(&walker, &jump, king, taken);
            }
            walker.take(jump.over, to);
            (king, _) = walker.arrive(to, king);
            (at, came, taken) = (to, Some(jump.dir), taken + 1);
        }
        Reason::NotACapture
    }
    /// A jump that could be made, but may not end here.
    fn wrong_landing(&self, walker: &Walker<'_>, jump: &Jump, king: bool, taken: u32) -> Reason {
        let takes_king = self.position.kings().has(jump.over);
        if self.movement().landing == Landing::BehindLastKing && takes_king {
            return Reason::MustLandBehind(jump.landings[0]);
        }
        let further = jump.landings.iter().any(|&landing| {
            let mut next = walker.clone();
            next.take(jump.over, landing);
            let (king, stops) = next.arrive(landing, king);
            !stops && !next.jumps(landing, king, Some(jump.dir)).is_empty()
        });
        let taken = taken + 1;
        if further {
            Reason::MustFinish(taken, most(self.better).max(taken + 1))
        } else {
            Reason::NotACapture
        }
    }
    fn wrong_step(&self, walker: &Walker<'_>, leg: Leg) -> Reason {
        if leg.at == leg.to {
            return Reason::SameSquare(leg.at);
        }
        let Some(line) = self.line(leg.at, leg.to) else { return Reason::NotOnALine };
        let start = u128::bit(walker.from());
        let standing = (self.position.white() | self.position.black()) & !start;
        let stands = |bit: u8| standing.has(bit) && !(self.gone_at_once() && walker.captured().has(bit));
        if stands(leg.to) {
            return self.taken_end(&leg, &line);
        }
        let between: Vec<u8> = line.between.iter().copied().filter(|bit| stands(*bit)).collect();
        match between.as_slice() {
            [] => self.quiet_step(&leg, &line),
            [over] => self.single_jump(walker, &leg, &line, *over),
            [first, second, ..] => self.several_in_the_way(&leg, &line, *first, *second),
        }
    }
    fn gone_at_once(&self) -> bool {
        self.movement().removal == Removal::AtOnce
    }
    fn is_mine(&self, bit: u8) -> bool {
        self.position.pieces(self.position.side()).has(bit)
    }
    /// Returns the line between two squares along which this game moves or captures.
    fn line(&self, from: u8, to: u8) -> Option<Line> {
        let shape = self.shape();
        self.movement().king_captures(shape.is_orthogonal()).iter().find_map(|&dir| {
            let mut between = Vec::new();
            let mut at = step(shape, from, dir)?;
            while at != to {
                between.push(at);
                at = step(shape, at, dir)?;
            }
            Some(Line { dir, between })
        })
    }
    fn taken_end(&self, leg: &Leg, line: &Line) -> Reason {
        if self.is_mine(leg.to) {
            return Reason::Occupied(leg.to);
        }
        // The player pointed at the piece to be captured.
        let near = line.between.is_empty() || (leg.king && self.movement().king == KingRange::Flying);
        let behind = step(self.shape(), leg.to, line.dir);
        let occupied = self.position.white() | self.position.black();
        match behind {
            _ if !near => Reason::TooFar,
            Some(bit) if !occupied.has(bit) => {
                self.capture_limits(leg, line, leg.to).unwrap_or(Reason::Occupied(leg.to))
            }
            _ => Reason::NoLanding(leg.to),
        }
    }
    /// What a man is not allowed to capture.
    fn capture_limits(&self, leg: &Leg, line: &Line, over: u8) -> Option<Reason> {
        if leg.king {
            return None;
        }
        let white = self.position.side().is_white();
        if !capture_dirs(self.shape(), self.movement(), false, white).contains(&line.dir) {
            let backward = is_backward(line.dir, white);
            return Some(if backward { Reason::CannotTakeBackward(over) } else { Reason::NotOnALine });
        }
        (self.position.kings().has(over) && !self.movement().men_take_kings)
            .then_some(Reason::CannotTakeKing(over))
    }
    fn quiet_step(&self, leg: &Leg, line: &Line) -> Reason {
        let flying = leg.king && self.movement().king == KingRange::Flying;
        let white = self.position.side().is_white();
        let moves_so = quiet_dirs(self.shape(), true, white).contains(&line.dir);
        if !moves_so {
            Reason::NotOnALine
        } else if !line.between.is_empty() && !flying {
            Reason::TooFar
        } else if leg.taken > 0 {
            Reason::NotACapture
        } else if !leg.king && is_backward(line.dir, white) {
            Reason::WrongDirection
        } else if !self.better.is_empty() && self.movement().capture == Obligation::Obligatory {
            Reason::MustCapture(most(self.better))
        } else if self.position.tired_king(self.movement()).has(leg.at) {
            Reason::KingRun(u32::from(self.movement().king_run))
        } else {
            Reason::NotACapture
        }
    }
    fn single_jump(&self, walker: &Walker<'_>, leg: &Leg, line: &Line, over: u8) -> Reason {
        if self.is_mine(over) {
            return if line.between.len() == 1 { Reason::CannotTakeOwn(over) } else { Reason::Blocked(over) };
        }
        if walker.captured().has(over) {
            return Reason::Twice(over);
        }
        let flying = leg.king && self.movement().king == KingRange::Flying;
        if !flying && line.between.len() != 1 {
            return Reason::TooFar;
        }
        if let Some(reason) = self.capture_limits(leg, line, over) {
            return reason;
        }
        if leg.came == Some(line.dir.back()) && !self.movement().turn_back {
            return Reason::TurnBack;
        }
        match step(self.shape(), over, line.dir) {
            Some(behind) if flying && self.movement().landing == Landing::Behind && behind != leg.to => {
                Reason::MustLandBehind(behind)
            }
            _ => Reason::NoLanding(over),
        }
    }
    fn several_in_the_way(&self, leg: &Leg, line: &Line, first: u8, second: u8) -> Reason {
        let flying = leg.king && self.movement().king == KingRange::Flying;
        if self.is_mine(first) {
            return Reason::Blocked(first);
        }
        if !flying {
            return Reason::TooFar;
        }
        if step(self.shape(), first, line.dir) == Some(second) {
            Reason::TwoInARow(first)
        } else {
            Reason::Blocked(second)
        }
    }
}

/// A step of an attempt that cannot be made.
struct Leg {
    at: u8,
    to: u8,
    king: bool,
    came: Option<Dir>,
    taken: u32,
}

struct Line {
    dir: Dir,
    between: Vec<u8>,
}

/// Returns how many jumps an attempt makes when its squares are touched in order on the way and the last of them is left again.
fn beginning(legs: &[crate::walk::Leg], squares: &[u8]) -> Option<u32> {
    let mut next = 1;
    for (i, leg) in legs.iter().enumerate() {
        if leg.landing == squares[next] {
            next += 1;
            if next == squares.len() {
                return (i + 1 < legs.len()).then_some(i as u32 + 1);
            }
        }
    }
    None
}
