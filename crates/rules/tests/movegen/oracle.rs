//! A second generator, written to be obviously right and nothing else: a board of rows and columns, every path of every capture
//! written out, and the ladder applied to the finished list. It shares no code with the crate but the names of the rules.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BTreeSet;

use damiera_rules::movement::{
    CaptureLines, Criterion, KingRange, Landing, MenCapture, Obligation, Promotion, Removal,
};
use damiera_rules::{Movement, Position, Shape};

/// From, to, captured pieces, whether a man is crowned; squares as the crate's bits.
pub(crate) type Told = (u8, u8, u128, bool);

type Square = (i32, i32);
type Direction = (i32, i32);

/// A piece seen from the side to move.
#[derive(Clone, Copy, PartialEq)]
struct Piece {
    mine: bool,
    king: bool,
}

#[derive(Clone)]
struct Board {
    shape: Shape,
    squares: Vec<Vec<Option<Piece>>>,
}

impl Board {
    fn holds(&self, (row, col): Square) -> bool {
        let size = i32::from(self.shape.size());
        let inside = (0..size).contains(&row) && (0..size).contains(&col);
        inside && (self.shape.is_orthogonal() || (row + col) % 2 == 1)
    }
    fn piece(&self, (row, col): Square) -> Option<Piece> {
        self.squares[row as usize][col as usize]
    }
    fn set(&mut self, (row, col): Square, piece: Option<Piece>) {
        self.squares[row as usize][col as usize] = piece;
    }
    fn is_empty(&self, square: Square) -> bool {
        self.holds(square) && self.piece(square).is_none()
    }
    fn bit(&self, (row, col): Square) -> u8 {
        self.shape.at(row as u8, col as u8).expect("a playing square")
    }
}

/// A capture on its way.
#[derive(Clone)]
struct Path {
    board: Board,
    from: Square,
    man_at_start: bool,
    king: bool,
    came: Option<Direction>,
    /// The captured squares in order, each with whether a king stood there.
    captured: Vec<(Square, bool)>,
}

/// A finished capture.
#[derive(Clone)]
struct Capture {
    told: Told,
    order: Vec<Square>,
    kings: Vec<bool>,
    with_king: bool,
}

/// How many jumps a position may take to write out. Some random positions with flying kings would take years.
const PATIENCE: u32 = 1_500;

pub(crate) struct Oracle {
    movement: Movement,
    white: bool,
    board: Board,
    jumps: Cell<u32>,
}

fn step((row, col): Square, (down, right): Direction) -> Square {
    (row + down, col + right)
}

impl Oracle {
    pub(crate) fn new(shape: Shape, movement: Movement, p: &Position) -> Oracle {
        let size = usize::from(shape.size());
        let mut board = Board { shape, squares: vec![vec![None; size]; size] };
        for row in 0..shape.size() {
            for col in 0..shape.size() {
                let piece = shape.at(row, col).and_then(|bit| p.piece_at(bit));
                let piece = piece.map(|piece| Piece { mine: piece.side == p.side(), king: piece.king });
                board.set((row.into(), col.into()), piece);
            }
        }
        Oracle { movement, white: p.side().is_white(), board, jumps: Cell::new(0) }
    }

    /// Returns all legal moves.
    pub(crate) fn moves(&self) -> BTreeSet<Told> {
        let mut moves = self.captures();
        if moves.is_empty() || self.movement.capture == Obligation::Optional {
            moves.extend(self.quiet_moves());
        }
        moves
    }

    /// Returns the captures that the ladder allows.
    pub(crate) fn captures(&self) -> BTreeSet<Told> {
        self.best_captures().into_iter().map(|capture| capture.told).collect()
    }

    /// Returns how many moves there are when captures in another order count apart.
    pub(crate) fn count_by_order(&self) -> usize {
        let captures: BTreeSet<_> = self.best_captures().into_iter().map(|c| (c.told, c.order)).collect();
        let quiet = captures.is_empty() || self.movement.capture == Obligation::Optional;
        captures.len() + if quiet { self.quiet_moves().len() } else { 0 }
    }

    /// Returns true when the position has too many captures; then the last answer is worthless.
    pub(crate) fn gave_up(&self) -> bool {
        self.jumps.get() > PATIENCE
    }

    fn forward(&self) -> i32 {
        if self.white { -1 } else { 1 }
    }

    fn straight(&self) -> Vec<Direction> {
        let far = if self.board.shape.is_orthogonal() { 1 } else { 2 };
        vec![(far, 0), (-far, 0), (0, far), (0, -far)]
    }

    fn diagonal(&self) -> Vec<Direction> {
        vec![(1, 1), (1, -1), (-1, 1), (-1, -1)]
    }

    fn lines(&self) -> Vec<Direction> {
        if self.board.shape.is_orthogonal() { self.straight() } else { self.diagonal() }
    }

    fn capture_directions(&self, king: bool) -> Vec<Direction> {
        let mut directions = match self.movement.lines {
            CaptureLines::AsMoving => self.lines(),
            CaptureLines::Eight => [self.straight(), self.diagonal()].concat(),
        };
        if !king && self.movement.men_capture == MenCapture::Forward {
            let sideways_too = self.board.shape.is_orthogonal();
            directions.retain(|(down, _)| down * self.forward() > 0 || (sideways_too && *down == 0));
        }
        directions
    }

    fn is_last_row(&self, (row, _): Square) -> bool {
        row == if self.white { 0 } else { i32::from(self.board.shape.size()) - 1 }
    }

    fn my_pieces(&self) -> Vec<(Square, bool)> {
        let size = i32::from(self.board.shape.size());
        let all = (0..size).flat_map(|row| (0..size).map(move |col| (row, col)));
        all.filter_map(|square| self.board.piece(square).filter(|p| p.mine).map(|p| (square, p.king)))
            .collect()
    }

    fn quiet_moves(&self) -> BTreeSet<Told> {
        let mut moves = BTreeSet::new();
        for (from, king) in self.my_pieces() {
            for direction in self.lines() {
                let sideways = direction.0 == 0;
                if !king && !sideways && direction.0 != self.forward() {
                    continue;
                }
                let mut to = step(from, direction);
                while self.board.is_empty(to) {
                    let promotes = !king && self.is_last_row(to);
                    moves.insert((self.board.bit(from), self.board.bit(to), 0, promotes));
                    if !king || self.movement.king == KingRange::Short {
                        break;
                    }
                    to = step(to, direction);
                }
            }
        }
        moves
    }

    fn best_captures(&self) -> Vec<Capture> {
        self.jumps.set(0);
        let mut finished = Vec::new();
        for (from, king) in self.my_pieces() {
            let mut board = self.board.clone();
            board.set(from, None);
            let path = Path { board, from, man_at_start: !king, king, came: None, captured: vec![] };
            for (landings, next) in self.jumps(&path, from) {
                self.land(&landings, &next, &mut finished);
            }
        }
        for i in 0..4 {
            let Some(criterion) = self.movement.ladder.step(i) else { break };
            let better = |a: &Capture, b: &Capture| compare(criterion, a, b) == Ordering::Greater;
            let all = finished.clone();
            finished.retain(|capture| !all.iter().any(|other| better(other, capture)));
        }
        finished
    }

    /// Returns every jump from a square: where it may land, and the path after it.
    fn jumps(&self, path: &Path, at: Square) -> Vec<(Vec<Square>, Path)> {
        let flies = path.king && self.movement.king == KingRange::Flying;
        let mut jumps = Vec::new();
        for direction in self.capture_directions(path.king) {
            let straight_back = path.came == Some((-direction.0, -direction.1));
            if straight_back && !self.movement.turn_back {
                continue;
            }
            let mut over = step(at, direction);
            while flies && path.board.is_empty(over) {
                over = step(over, direction);
            }
            if !self.may_capture(path, over) {
                continue;
            }
            let mut landings = vec![];
            let mut to = step(over, direction);
            while path.board.is_empty(to) {
                landings.push(to);
                if !flies || self.movement.landing == Landing::Behind {
                    break;
                }
                to = step(to, direction);
            }
            if landings.is_empty() {
                continue;
            }
            let mut next = path.clone();
            let took_king = path.board.piece(over).is_some_and(|piece| piece.king);
            next.captured.push((over, took_king));
            next.came = Some(direction);
            if self.movement.removal == Removal::AtOnce {
                next.board.set(over, None);
            }
            jumps.push((landings, next));
        }
        jumps
    }

    fn may_capture(&self, path: &Path, over: Square) -> bool {
        let Some(piece) = Some(over).filter(|o| path.board.holds(*o)).and_then(|o| path.board.piece(o))
        else {
            return false;
        };
        let jumped = path.captured.iter().any(|(square, _)| *square == over);
        let forbidden = piece.king && !path.king && !self.movement.men_take_kings;
        !piece.mine && !jumped && !forbidden
    }

    /// Goes on from the landings of a jump, or ends the capture there when none of them lets it go on.
    fn land(&self, landings: &[Square], path: &Path, finished: &mut Vec<Capture>) {
        self.jumps.set(self.jumps.get() + 1);
        if self.gave_up() {
            return;
        }
        let mut path = path.clone();
        let man_on_last_row = !path.king && self.is_last_row(landings[0]);
        if man_on_last_row && self.movement.promotion == Promotion::Stops {
            finished.push(self.finish(landings[0], &path));
            return;
        }
        if man_on_last_row && self.movement.promotion == Promotion::AtOnce {
            path.king = true;
        }
        let on: Vec<_> = landings.iter().flat_map(|at| self.jumps(&path, *at)).collect();
        for (next_landings, next) in &on {
            self.land(next_landings, next, finished);
        }
        if on.is_empty() {
            let took_king_last = path.captured.last().is_some_and(|(_, king)| *king);
            let behind = self.movement.landing == Landing::BehindLastKing && took_king_last;
            let stops = if behind { &landings[..1] } else { landings };
            finished.extend(stops.iter().map(|to| self.finish(*to, &path)));
        }
    }

    fn finish(&self, to: Square, path: &Path) -> Capture {
        let captured = path.captured.iter().map(|(square, _)| 1u128 << self.board.bit(*square)).sum();
        let promotes = path.man_at_start && (path.king || self.is_last_row(to));
        Capture {
            told: (self.board.bit(path.from), self.board.bit(to), captured, promotes),
            order: path.captured.iter().map(|(square, _)| *square).collect(),
            kings: path.captured.iter().map(|(_, king)| *king).collect(),
            with_king: !path.man_at_start,
        }
    }
}

fn compare(criterion: Criterion, a: &Capture, b: &Capture) -> Ordering {
    let kings = |c: &Capture| c.kings.iter().filter(|king| **king).count();
    // A king is worth a man and nine tenths and something: less than two men however many there are on a board.
    let value = |c: &Capture| (c.kings.len() - kings(c)) * 1000 + kings(c) * 1999;
    match criterion {
        Criterion::Number => a.kings.len().cmp(&b.kings.len()),
        Criterion::WithKing => a.with_king.cmp(&b.with_king),
        Criterion::MostKings => kings(a).cmp(&kings(b)),
        // Vectors compare entry by entry, and a longer one with an equal beginning is greater.
        Criterion::KingsFirst => a.kings.cmp(&b.kings),
        Criterion::Value => value(a).cmp(&value(b)),
    }
}
