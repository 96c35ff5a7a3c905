//! Rules, positions and moves as JSON, the same for the page, the terminal and the command line (see `docs/table.md`).

use damiera_rules::draws::Clause;
use damiera_rules::game::CounterState;
use damiera_rules::geometry::Shape;
use damiera_rules::movement::{
    CaptureLines, Criterion, KingRange, Landing, MenCapture, Movement, Obligation, Promotion, Removal,
};
use damiera_rules::ruleset::{Goal, words};
use damiera_rules::walk::{Path, paths};
use damiera_rules::{Bits, Game, Move, Position, RuleSet, Side, fen, notation};
use serde::Serialize;

use crate::opening;

/// How many ways to make one move are listed at most. A king among many pieces can have thousands.
const MOST_WAYS: usize = 256;
/// How many ways the moves of one position share.
const ALL_WAYS: usize = 2048;
/// Every move has room for so many ways, however many moves there are.
const FEWEST_WAYS: usize = 4;

/// One way to make a move: the squares touched, first to last, and the piece captured on each leg.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WayJson {
    /// The squares, first to last.
    pub path: Vec<String>,
    /// The captured pieces in the order of the legs.
    pub captured: Vec<String>,
}

/// One move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveJson {
    /// The move in the rule set's notation.
    pub text: String,
    /// Where it starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// The captured pieces in the order of the first way.
    pub captured: Vec<String>,
    /// The squares of the first way.
    pub path: Vec<String>,
    /// Whether a man is crowned.
    pub promotes: bool,
    /// Every way to make it; left out where nobody walks the move by hand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<WayJson>,
}

fn name(rules: &RuleSet, bit: u8) -> String {
    rules.board().name(bit)
}

fn way(rules: &RuleSet, path: &Path) -> WayJson {
    WayJson {
        path: path.squares().into_iter().map(|bit| name(rules, bit)).collect(),
        captured: path.legs.iter().map(|leg| name(rules, leg.over)).collect(),
    }
}

/// Returns a move without the list of its ways. `legal` are the moves of the position: they decide how long the text must be.
pub fn short_move_json(rules: &RuleSet, position: &Position, legal: &[Move], m: &Move) -> MoveJson {
    let shown = way(rules, &notation::path(rules, position, m));
    // A walk that ran out of its budget knows no order: then the captured pieces come in the order of the board.
    let captured = if shown.captured.is_empty() {
        m.captured.iter().map(|bit| name(rules, bit)).collect()
    } else {
        shown.captured
    };
    MoveJson {
        text: notation::format(rules, position, legal, m),
        from: name(rules, m.from),
        to: name(rules, m.to),
        captured,
        path: shown.path,
        promotes: m.promotes,
        paths: Vec::new(),
    }
}

/// Returns a move with every way to make it, at most 256 of them.
pub fn move_json(rules: &RuleSet, position: &Position, legal: &[Move], m: &Move) -> MoveJson {
    with_ways(rules, position, legal, m, MOST_WAYS)
}

/// Returns all legal moves with their ways.
pub fn moves_json(rules: &RuleSet, position: &Position, legal: &[Move]) -> Vec<MoveJson> {
    let most = (ALL_WAYS / legal.len().max(1)).clamp(FEWEST_WAYS, MOST_WAYS);
    legal.iter().map(|m| with_ways(rules, position, legal, m, most)).collect()
}

fn with_ways(rules: &RuleSet, position: &Position, legal: &[Move], m: &Move, most: usize) -> MoveJson {
    let mut json = short_move_json(rules, position, legal, m);
    let found = paths(rules.shape(), rules.movement(), position, m, most);
    json.paths = found.iter().map(|path| way(rules, path)).collect();
    if json.paths.is_empty() {
        json.paths.push(WayJson { path: json.path.clone(), captured: json.captured.clone() });
    }
    json
}

/// Returns an attempt that the board allows and the ladder forbids, along the path that was tried.
pub fn attempt_json(rules: &RuleSet, m: &Move, path: &Path) -> MoveJson {
    let way = way(rules, path);
    MoveJson {
        text: notation::path_text(rules, &path.squares(), m.is_capture()),
        from: name(rules, path.from),
        to: name(rules, path.to),
        captured: way.captured.clone(),
        path: way.path.clone(),
        promotes: m.promotes,
        paths: vec![way],
    }
}

/// Returns what stands on every playing square, in the order of the rules object's `squares`: `w` `b` `W` `B`, and `-` for nothing.
pub fn board_string(rules: &RuleSet, position: &Position) -> String {
    rules.board().squares().map(|bit| position.piece_at(bit).map_or('-', |piece| piece.letter())).collect()
}

/// A playing square: its name and where it is drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SquareJson {
    /// The name.
    pub n: String,
    /// The row, 0 the farthest from White.
    pub r: u8,
    /// The column, 0 at White's left.
    pub c: u8,
}

/// The board of a rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BoardJson {
    /// Rows and columns.
    pub size: u8,
    /// `diagonal` or `orthogonal`.
    pub kind: &'static str,
    /// Whether a playing square lies in the corner at each player's right.
    pub mirrored: bool,
    /// Whether the playing squares are drawn light by default.
    pub light: bool,
    /// `number` or `letter`.
    pub coords: &'static str,
    /// The playing squares in the order of board strings.
    pub squares: Vec<SquareJson>,
}

/// Returns the board of a rule set.
pub fn board_json(rules: &RuleSet) -> BoardJson {
    let board = rules.board();
    let square = |bit| {
        let (r, c) = board.row_col(bit);
        SquareJson { n: board.name(bit), r, c }
    };
    BoardJson {
        size: board.shape.size(),
        kind: if board.shape.is_orthogonal() { "orthogonal" } else { "diagonal" },
        mirrored: board.mirrored,
        light: board.light,
        coords: if board.naming == damiera_rules::Naming::Letters { "letter" } else { "number" },
        squares: board.squares().map(square).collect(),
    }
}

/// The position before the first move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StartJson {
    /// As FEN.
    pub fen: String,
    /// As a board string.
    pub board: String,
    /// How many pieces each side has (the larger number, should they differ).
    pub men: u32,
}

/// Returns a position as the start of a game.
pub fn start_json(rules: &RuleSet, position: &Position) -> StartJson {
    StartJson {
        fen: fen::format(rules, position),
        board: board_string(rules, position),
        men: position.white().len().max(position.black().len()),
    }
}

/// What is worth saying about the rules, in words of fixed lists.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FactsJson {
    /// `obligatory` or `optional`.
    pub capture: &'static str,
    /// `forward`, `both`, `forward-sideways` or `eight`.
    pub men_capture: &'static str,
    /// Whether men capture kings.
    pub men_take_kings: bool,
    /// `short` or `flying`.
    pub king: &'static str,
    /// `any`, `behind` or `behind-king`.
    pub landing: &'static str,
    /// The steps that decide between captures.
    pub ladder: Vec<&'static str>,
    /// `stops`, `at-end` or `at-once`.
    pub promotion: &'static str,
    /// `at-end` or `at-once`.
    pub removal: &'static str,
    /// `normal`, `losing` or `first-king`.
    pub goal: &'static str,
}

/// Returns the facts of a rule set.
pub fn facts_json(rules: &RuleSet) -> FactsJson {
    let m = rules.movement();
    FactsJson {
        capture: match m.capture {
            Obligation::Obligatory => "obligatory",
            Obligation::Optional => "optional",
        },
        men_capture: men_capture_word(m, rules.shape()),
        men_take_kings: m.men_take_kings,
        king: match m.king {
            KingRange::Short => "short",
            KingRange::Flying => "flying",
        },
        landing: match m.landing {
            Landing::Anywhere => "any",
            Landing::Behind => "behind",
            Landing::BehindLastKing => "behind-king",
        },
        ladder: ladder_words(m),
        promotion: match m.promotion {
            Promotion::Stops => "stops",
            Promotion::AtEnd => "at-end",
            Promotion::AtOnce => "at-once",
        },
        removal: match m.removal {
            Removal::AtEnd => "at-end",
            Removal::AtOnce => "at-once",
        },
        goal: match rules.goal() {
            Goal::Normal => "normal",
            Goal::Losing => "losing",
            Goal::FirstKing => "first-king",
        },
    }
}

fn men_capture_word(m: &Movement, shape: Shape) -> &'static str {
    match (m.men_capture, m.lines) {
        (MenCapture::Everywhere, CaptureLines::Eight) => "eight",
        (MenCapture::Everywhere, CaptureLines::AsMoving) => "both",
        (MenCapture::Forward, _) if shape.is_orthogonal() => "forward-sideways",
        (MenCapture::Forward, _) => "forward",
    }
}

/// Returns the words for the ladder's steps. A ladder that begins with the king is no tie-break but a duty of its own.
fn ladder_words(m: &Movement) -> Vec<&'static str> {
    let word = |(i, step)| match step {
        Criterion::Number => "number",
        Criterion::WithKing if i == 0 => "king-obliged",
        Criterion::WithKing => "with-king",
        Criterion::MostKings => "most-kings",
        Criterion::KingsFirst => "kings-first",
        Criterion::Value => "value",
    };
    m.ladder.steps().enumerate().map(word).collect()
}

/// A draw clause.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ClauseJson {
    /// Its name.
    pub clause: String,
    /// What it counts.
    pub kind: &'static str,
    /// How many moves or occurrences.
    pub limit: u16,
    /// Whose moves.
    pub of: &'static str,
    /// `automatic` or `claim`.
    pub mode: &'static str,
    /// How far the source can be trusted.
    pub status: &'static str,
    /// The source.
    pub source: String,
}

fn clause_json(clause: &Clause) -> ClauseJson {
    ClauseJson {
        clause: clause.id.to_string(),
        kind: words::counts(clause.counts),
        limit: clause.limit,
        of: words::of(clause.of),
        mode: words::mode(clause.mode),
        status: clause.status.word(),
        source: clause.source.to_string(),
    }
}

/// A rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RulesJson {
    /// The key of the known rule set it is or comes from.
    pub key: String,
    /// The canonical name.
    pub canonical: String,
    /// The fingerprint of the complete rule table, 32 hex digits.
    pub fingerprint: String,
    /// The name of a home-made rule set.
    pub name: Option<String>,
    /// The board.
    pub board: BoardJson,
    /// The position before the first move.
    pub start: StartJson,
    /// Who moves first.
    pub first: Side,
    /// What is worth saying.
    pub facts: FactsJson,
    /// The draw clauses.
    pub draws: Vec<ClauseJson>,
    /// What differs from the key's rule set.
    pub overrides: Vec<String>,
    /// The lists of tournament openings, the usual one first.
    pub openings: Vec<&'static str>,
}

/// Returns a rule set.
pub fn rules_json(rules: &RuleSet) -> RulesJson {
    RulesJson {
        key: rules.key().to_string(),
        canonical: rules.canonical().to_string(),
        fingerprint: fingerprint(rules),
        name: rules.name().map(str::to_string),
        board: board_json(rules),
        start: start_json(rules, &rules.initial()),
        first: rules.first(),
        facts: facts_json(rules),
        draws: rules.draws().clauses.iter().map(clause_json).collect(),
        overrides: rules.overrides().to_vec(),
        openings: opening::lists(rules),
    }
}

/// Returns the fingerprint as 32 hex digits.
pub fn fingerprint(rules: &RuleSet) -> String {
    format!("{:032x}", rules.fingerprint())
}

/// What a draw clause has counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CounterJson {
    /// The clause.
    pub clause: String,
    /// What it counts.
    pub kind: &'static str,
    /// Occurrences, or moves of each or of the named side.
    pub count: u16,
    /// How many there may be.
    pub limit: u16,
    /// Counted plies.
    pub plies: u16,
    /// The plies at which the clause is full.
    pub plies_limit: u16,
    /// Whose moves.
    pub of: &'static str,
    /// `automatic` or `claim`.
    pub mode: &'static str,
    /// How far the source can be trusted.
    pub status: &'static str,
}

fn counter_json(state: &CounterState<'_>) -> CounterJson {
    CounterJson {
        clause: state.clause.id.to_string(),
        kind: words::counts(state.clause.counts),
        count: state.count,
        limit: state.limit,
        plies: state.plies,
        plies_limit: state.plies_limit,
        of: words::of(state.clause.of),
        mode: words::mode(state.clause.mode),
        status: state.clause.status.word(),
    }
}

/// Returns what the draw clauses of a game have counted; clauses whose material is not on the board are left out.
pub fn counters_json(game: &Game) -> Vec<CounterJson> {
    game.counter_states().iter().map(counter_json).collect()
}

/// Returns the names of the clauses that the player to move may claim.
pub fn claimable(game: &Game) -> Vec<String> {
    let clauses = &game.rules().draws().clauses;
    game.claimable().into_iter().filter_map(|i| clauses.get(i)).map(|clause| clause.id.to_string()).collect()
}
