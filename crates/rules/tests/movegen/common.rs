//! What the tests of moves share: the rule sets by key, and reading the data files' squares and positions.
//!
//! Deliberately simple and independent of the crate's own notation code, which has tests of its own.

use damiera_rules::families::*;
use damiera_rules::geometry::{Diagonal8, Diagonal10, Diagonal12, Orthogonal8};
use damiera_rules::{Geometry, Movement, Position, RuleSource, Shape, Side};

/// What is to be done for a board and its rules.
pub(crate) trait Job {
    type Output;
    fn run<G: Geometry, R: RuleSource>(self, rules: R) -> Self::Output;
}

/// How the squares of a game are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Names {
    /// 1 at White's top left, row by row.
    Rows,
    /// 1 at White's top right (the mirrored board).
    Mirrored,
    /// 1 at White's bottom right (the mirrored board).
    MirroredFromBelow,
    /// a1 at White's bottom left.
    Letters,
}

/// A rule set as the tests need it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Game {
    pub(crate) key: &'static str,
    pub(crate) shape: Shape,
    pub(crate) movement: Movement,
    names: Names,
}

/// Every rule set that moves differently, with its board.
pub(crate) static GAMES: [Game; 15] = {
    use Names::*;
    use Shape::*;
    const fn game(key: &'static str, shape: Shape, movement: Movement, names: Names) -> Game {
        Game { key, shape, movement, names }
    }
    [
        game("american", Diagonal8, AMERICAN, Rows),
        game("brazilian", Diagonal8, INTERNATIONAL, Letters),
        game("brazilian-quality", Diagonal8, BRAZILIAN_QUALITY, Letters),
        game("canadian", Diagonal12, INTERNATIONAL, Rows),
        game("czech", Diagonal8, CZECH, Letters),
        game("frisian", Diagonal10, FRISIAN, Rows),
        game("international", Diagonal10, INTERNATIONAL, Rows),
        game("italian", Diagonal8, ITALIAN, Mirrored),
        game("killer", Diagonal10, KILLER, Rows),
        game("pool", Diagonal8, POOL, Rows),
        game("portuguese", Diagonal8, SPANISH, MirroredFromBelow),
        game("russian", Diagonal8, RUSSIAN, Letters),
        game("spanish", Diagonal8, SPANISH, MirroredFromBelow),
        game("thai", Diagonal8, THAI, Rows),
        game("turkish", Orthogonal8, TURKISH, Letters),
    ]
};

/// Runs a job with a board known only at run time.
pub(crate) fn on_board<R: RuleSource, J: Job>(shape: Shape, rules: R, job: J) -> J::Output {
    match shape {
        Shape::Diagonal8 => job.run::<Diagonal8, R>(rules),
        Shape::Diagonal10 => job.run::<Diagonal10, R>(rules),
        Shape::Diagonal12 => job.run::<Diagonal12, R>(rules),
        Shape::Orthogonal8 => job.run::<Orthogonal8, R>(rules),
    }
}

impl Game {
    pub(crate) fn find(key: &str) -> &'static Game {
        GAMES.iter().find(|game| game.key == key).unwrap_or_else(|| panic!("no rule set {key}"))
    }

    /// Runs a job with the generator that was compiled for these rules.
    pub(crate) fn run_static<J: Job>(&self, job: J) -> J::Output {
        match self.key {
            "american" => job.run::<Diagonal8, _>(American),
            "brazilian" => job.run::<Diagonal8, _>(International),
            "brazilian-quality" => job.run::<Diagonal8, _>(BrazilianQuality),
            "canadian" => job.run::<Diagonal12, _>(International),
            "czech" => job.run::<Diagonal8, _>(Czech),
            "frisian" => job.run::<Diagonal10, _>(Frisian),
            "international" => job.run::<Diagonal10, _>(International),
            "italian" => job.run::<Diagonal8, _>(Italian),
            "killer" => job.run::<Diagonal10, _>(Killer),
            "pool" => job.run::<Diagonal8, _>(Pool),
            "russian" => job.run::<Diagonal8, _>(Russian),
            "spanish" | "portuguese" => job.run::<Diagonal8, _>(Spanish),
            "thai" => job.run::<Diagonal8, _>(Thai),
            "turkish" => job.run::<Orthogonal8, _>(Turkish),
            other => panic!("no static rules for {other}"),
        }
    }

    /// Runs a job with the generator that reads the rules at run time.
    pub(crate) fn run_as_data<J: Job>(&self, job: J) -> J::Output {
        on_board(self.shape, &self.movement, job)
    }

    /// Returns the bit of a square.
    pub(crate) fn square(&self, name: &str) -> u8 {
        if self.names == Names::Letters {
            let name = name.as_bytes();
            return self.shape.at(b'8' - name[1], name[0] - b'a').expect("a playing square");
        }
        let index = name.parse::<u8>().expect("a number") - 1;
        let row_len = self.shape.row_len();
        let (row, place) = (index / row_len, index % row_len);
        let from_right = row_len - 1 - place;
        self.shape.bit_of(match self.names {
            Names::Mirrored => row * row_len + from_right,
            Names::MirroredFromBelow => (self.shape.size() - 1 - row) * row_len + place,
            _ => index,
        })
    }

    /// Reads a FEN; `-` is the start, with White to move (no number depends on which side starts).
    pub(crate) fn position(&self, fen: &str) -> Position {
        if fen == "-" {
            return self.start();
        }
        let mut parts = fen.split(':');
        let side = if parts.next() == Some("W") { Side::White } else { Side::Black };
        let (mut white, mut black, mut kings) = (0, 0, 0);
        for part in parts {
            let (colour, pieces) = part.split_at(1);
            for piece in pieces.split(',').filter(|piece| !piece.is_empty()) {
                let name = piece.strip_prefix('K').unwrap_or(piece);
                let squares = self.squares(name);
                *(if colour == "W" { &mut white } else { &mut black }) |= squares;
                if name != piece {
                    kings |= squares;
                }
            }
        }
        Position::from_sets(white, black, kings, side)
    }

    fn squares(&self, name: &str) -> u128 {
        let Some((first, last)) = name.split_once('-') else { return 1 << self.square(name) };
        let number = |text: &str| text.parse::<u8>().expect("a number");
        (number(first)..=number(last)).map(|n| 1u128 << self.square(&n.to_string())).fold(0, |a, b| a | b)
    }

    fn start(&self) -> Position {
        let size = self.shape.size();
        let (gap, rows) = match self.key {
            "thai" => (0, 2),
            "turkish" => (1, 2),
            _ => (0, size / 2 - 1),
        };
        let black = self.shape.rows(gap, gap + rows);
        let white = self.shape.rows(size - gap - rows, size - gap);
        Position::from_sets(white, black, 0, Side::White)
    }
}

/// Returns the position with a board's own set type.
pub(crate) fn narrow<G: Geometry>(p: &Position) -> Position<G::Set> {
    Position::<G::Set>::narrow(p)
}

/// Reads a text file of the repository's `tests/data`.
pub(crate) fn data(path: &str) -> String {
    let path = format!("{}/../../tests/data/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}
