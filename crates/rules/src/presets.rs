//! The twenty known rule sets. Each line has its source: seed texts are named by what they are (the Brazilian Portuguese ladder text,
//! the text of "Damas Brasileñas", …), regulations by body and article. Where two texts disagree there are two rule sets.

use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::board::{Board, Naming};
use crate::draws::{Clause, Counts, Diagonal, FREE, Force, Material, Mode, Of};
use crate::families as f;
use crate::geometry::Shape;
use crate::movement::Movement;
use crate::position::Side;
use crate::ruleset::{Draws, Goal, RuleSet, Start};
use crate::source::{Source, Status};
use Status::{Contested, OurReading, Seen, Unverified};

/// The keys of all known rule sets, the seven main ones first.
pub const KEYS: [&str; 20] = [
    "italian",
    "brazilian",
    "spanish",
    "russian",
    "american",
    "czech",
    "international",
    "brazilian-classic",
    "brazilian-quality",
    "brazilian-64",
    "portuguese",
    "pool",
    "poddavki",
    "canadian",
    "frisian",
    "killer",
    "breakthrough",
    "antidraughts",
    "turkish",
    "thai",
];

/// Names of draw clauses that belong to no key of their own.
pub const EXTRA_DRAWS: [&str; 4] = ["casual", "spanish-12", "russian-few", "none"];

// Source texts, named once.
const DAMA2010: &str = "\"Le regole di gioco della dama italiana\" (Dama 2010)";
const LADDER_TEXT: &str = "\"Regole del gioco Dama Brasiliana\" (Italian text)";
const SITE: &str = "\"Regole della dama brasiliana\" (site with eight rule sets)";
const CLASSIC_TEXT: &str = "\"Reglas del Juego Damas Brasileñas\" (Spanish text)";
const SPANISH_TEXT: &str = "\"Regole di Dama Spagnola\" (Italian text)";
const CBD: &str = "CBD, Regras do jogo de damas (2013)";
const FMJD: &str = "FMJD Annex 1 (2015)";
const FMJD64: &str = "FMJD-64, rules of the game";
const FPD: &str = "FPD, regras oficiais (in force 2026)";
const WCDF: &str = "WCDF, rules of draughts";
const APCA: &str = "American Pool Checkers, as described by players' texts";
const CZECH: &str = "fmjd.org, variant Czech draughts";
const TUDAF: &str = "TUDAF, Turkish draughts, as cited";

/// Returns the rule set with this key.
pub fn preset(key: &str) -> Option<RuleSet> {
    let letters8 = diagonal(Shape::Diagonal8, false, Naming::Letters);
    let numbers = |shape| diagonal(shape, false, Naming::NumbersFromTop);
    let rows3 = Start { rows: 3, behind: 0 };
    let rows4 = Start { rows: 4, behind: 0 };
    Some(match key {
        "italian" => set(
            "italian",
            diagonal(Shape::Diagonal8, true, Naming::NumbersFromTop),
            rows3,
            f::ITALIAN,
            Some("22,W,8,8,N2,1"),
            vec![
                s("board", "FID, regolamento tecnico, art. 2.3: dark corner at each player's right", Seen),
                s(
                    "names",
                    "FID, regolamento tecnico, art. 2.4: 1 at the top left, 32 at the bottom right",
                    Seen,
                ),
                s("rows", "FID, regolamento tecnico, art. 2: Black on 1-12, White on 21-32", Seen),
                s("first", DAMA2010, Seen),
                s("capture", DAMA2010, Seen),
                s("men_capture", DAMA2010, Seen),
                s("men_take_kings", DAMA2010, Seen),
                s("king", DAMA2010, Seen),
                s("landing", "follows from the short king", Seen),
                s(
                    "ladder",
                    "Dama 2010 and FID rules 5 to 8 (art. 6.6-6.9); that the sequences are compared to the end is our reading",
                    OurReading,
                ),
                s("promotion", "FID, regole in breve: a newly crowned man stops", Seen),
                s("removal", "FID art. 3.5: lifted at the end; no difference here", Seen),
                s("goal", DAMA2010, Seen),
            ],
        ),
        "brazilian" => set(
            "brazilian",
            letters8,
            rows3,
            f::INTERNATIONAL,
            Some("26,W,8,8,A0,0"),
            brazilian_sources(CBD, "CBD item 16: the most pieces; a king counts as a man"),
        ),
        "brazilian-classic" => set(
            "brazilian-classic",
            letters8,
            rows3,
            f::INTERNATIONAL,
            None,
            brazilian_sources(CLASSIC_TEXT, "\"Damas Brasileñas\": the most pieces, otherwise free"),
        ),
        "brazilian-quality" => set(
            "brazilian-quality",
            letters8,
            rows3,
            f::BRAZILIAN_QUALITY,
            None,
            vec![
                s("board", LADDER_TEXT, Seen),
                s("names", "PDN GameType 26", Seen),
                s("rows", LADDER_TEXT, Seen),
                s("first", LADDER_TEXT, Seen),
                s("capture", LADDER_TEXT, Seen),
                s(
                    "men_capture",
                    "this text is silent; the two other Brazilian texts: forward and back",
                    OurReading,
                ),
                s("men_take_kings", "this text is silent; the two other Brazilian texts", OurReading),
                s(
                    "king",
                    "flying; that it also captures at a distance is taken from the other Brazilian texts",
                    OurReading,
                ),
                s(
                    "landing",
                    "this text is silent; the two other Brazilian texts: any empty square beyond",
                    OurReading,
                ),
                s("ladder", "this text: number, with a king, most kings, kings met first", Seen),
                s("promotion", "this text is silent; as the site's text", OurReading),
                s("removal", "this text: no piece is passed over twice", Seen),
                s("goal", LADDER_TEXT, Seen),
            ],
        ),
        "brazilian-64" => set(
            "brazilian-64",
            letters8,
            rows3,
            f::INTERNATIONAL,
            None,
            brazilian_sources(FMJD64, "FMJD-64: the most pieces"),
        ),
        "spanish" => {
            let mut board = diagonal(Shape::Diagonal8, true, Naming::NumbersFromBottom);
            board.light = true;
            set(
                "spanish",
                board,
                rows3,
                f::SPANISH,
                Some("24,W,8,8,N1,1"),
                vec![
                    s(
                        "board",
                        "playing corner at each player's right (several texts agree); this text plays on the light squares",
                        Seen,
                    ),
                    s("names", "PDN GameType 24: 1 at White's bottom right", Seen),
                    s("rows", SPANISH_TEXT, Seen),
                    s("first", SPANISH_TEXT, Seen),
                    s("capture", SPANISH_TEXT, Seen),
                    s("men_capture", "Spanish and Portuguese texts agree: forward only", Seen),
                    s("men_take_kings", "Spanish and Portuguese texts agree", Seen),
                    s("king", SPANISH_TEXT, Seen),
                    s("landing", SPANISH_TEXT, Seen),
                    s(
                        "ladder",
                        "quantity, then quality: this text and the rule texts of Galicia and Costa Rica",
                        Seen,
                    ),
                    s("promotion", "follows from men that capture forward only", Seen),
                    s("removal", "Portuguese and Spanish practice: at the end", OurReading),
                    s("goal", SPANISH_TEXT, Seen),
                ],
            )
        }
        "portuguese" => set(
            "portuguese",
            diagonal(Shape::Diagonal8, true, Naming::NumbersFromBottom),
            rows3,
            f::SPANISH,
            Some("28,W,8,8,N1,1"),
            vec![
                s(
                    "board",
                    "FPD rule 10 and art. 2.2: the long diagonal (rio) 1-32, playing corner at the right",
                    Seen,
                ),
                s("names", "PDN GameType 28", Seen),
                s("rows", FPD, Seen),
                s("first", FPD, Seen),
                s("capture", FPD, Seen),
                s("men_capture", "FPD 3.4.a: forward", Seen),
                s("men_take_kings", FPD, Seen),
                s("king", "FPD 3.2.a: flying", Seen),
                s("landing", FPD, Seen),
                s(
                    "ladder",
                    "FPD 3.7.a number, 3.7.b quality; 3.7.e: what is captured counts, not who captures",
                    Seen,
                ),
                s("promotion", "FPD 3.1.e: the move ends on the last row", Seen),
                s("removal", FPD, OurReading),
                s("goal", FPD, Seen),
            ],
        ),
        "russian" => set("russian", letters8, rows3, f::RUSSIAN, Some("25,W,8,8,A0,0"), russian_sources()),
        "poddavki" => {
            let mut rules = set("poddavki", letters8, rows3, f::RUSSIAN, None, russian_sources());
            rules.goal = Goal::Losing;
            mend(&mut rules.sources, "goal", "the losing game: who cannot move wins", Seen);
            rules
        }
        "american" => {
            let mut rules = set(
                "american",
                numbers(Shape::Diagonal8),
                rows3,
                f::AMERICAN,
                Some("21,B,8,8,N1,0"),
                common_sources(WCDF),
            );
            rules.first = Side::Black;
            rules
        }
        "pool" => {
            let mut rules = set(
                "pool",
                numbers(Shape::Diagonal8),
                rows3,
                f::POOL,
                Some("23,B,8,8,N1,0"),
                common_sources(APCA),
            );
            rules.first = Side::Black;
            rules
        }
        "czech" => set("czech", letters8, rows3, f::CZECH, Some("29,W,8,8,A0,0"), common_sources(CZECH)),
        "international" => set(
            "international",
            numbers(Shape::Diagonal10),
            rows4,
            f::INTERNATIONAL,
            Some("20,W,10,10,N2,0"),
            fmjd_sources(),
        ),
        "killer" => {
            let mut rules = set("killer", numbers(Shape::Diagonal10), rows4, f::KILLER, None, fmjd_sources());
            mend(
                &mut rules.sources,
                "landing",
                "killer rule: a king stops right behind a king captured last",
                Seen,
            );
            rules
        }
        "breakthrough" => {
            let mut rules = set(
                "breakthrough",
                numbers(Shape::Diagonal10),
                rows4,
                f::INTERNATIONAL,
                None,
                fmjd_sources(),
            );
            rules.goal = Goal::FirstKing;
            mend(&mut rules.sources, "goal", "breakthrough: the first king wins", Seen);
            rules
        }
        "antidraughts" => {
            let mut rules = set(
                "antidraughts",
                numbers(Shape::Diagonal10),
                rows4,
                f::INTERNATIONAL,
                None,
                fmjd_sources(),
            );
            rules.goal = Goal::Losing;
            mend(&mut rules.sources, "goal", "the losing game: who cannot move wins", Seen);
            rules
        }
        "canadian" => set(
            "canadian",
            numbers(Shape::Diagonal12),
            Start { rows: 5, behind: 0 },
            f::INTERNATIONAL,
            Some("27,W,12,12,N2,0"),
            common_sources("international rules on 12x12 (PDN GameType 27)"),
        ),
        "frisian" => {
            let mut rules = set(
                "frisian",
                numbers(Shape::Diagonal10),
                rows4,
                f::FRISIAN,
                Some("40,W,10,10,N2,0"),
                common_sources("Frisian draughts as implemented by lidraughts (federation text not seen)"),
            );
            rules.sources.iter_mut().for_each(|source| source.status = Unverified);
            mend(
                &mut rules.sources,
                "ladder",
                "value: n kings beat 2n-1 men and lose to 2n; then with a king",
                Unverified,
            );
            for (field, text) in [
                ("lines", "captures along rows and columns too"),
                ("king_run", "the same king: three quiet moves in a row while its side has a man"),
            ] {
                rules.sources.push(s(field, text, Unverified));
            }
            rules
        }
        "turkish" => {
            let mut rules = set(
                "turkish",
                diagonal(Shape::Orthogonal8, false, Naming::Letters),
                Start { rows: 2, behind: 1 },
                f::TURKISH,
                Some("30,W,8,8,A0,0"),
                common_sources(TUDAF),
            );
            mend(
                &mut rules.sources,
                "promotion",
                "three readings exist (at_end, at_once, stops); older texts: at the end",
                Contested,
            );
            rules.sources.push(s("turn_back", "no turn of 180 degrees between two jumps", Seen));
            rules
        }
        "thai" => {
            let mut rules = set(
                "thai",
                numbers(Shape::Diagonal8),
                Start { rows: 2, behind: 0 },
                f::THAI,
                Some("31,B,8,8,N2,0"),
                common_sources("Thai draughts (makhos), several descriptions"),
            );
            rules.first = Side::Black;
            mend(
                &mut rules.sources,
                "first",
                "no fixed rule: some texts say White, some the darker side",
                Contested,
            );
            rules
        }
        _ => return None,
    })
}

const fn diagonal(shape: Shape, mirrored: bool, naming: Naming) -> Board {
    Board { shape, mirrored, naming, light: false }
}

fn s(field: &'static str, text: &'static str, status: Status) -> Source {
    Source { field, text: Cow::Borrowed(text), status }
}

fn mend(sources: &mut [Source], field: &str, text: &'static str, status: Status) {
    if let Some(source) = sources.iter_mut().find(|source| source.field == field) {
        source.text = Cow::Borrowed(text);
        source.status = status;
    }
}

fn set(
    key: &'static str,
    board: Board,
    start: Start,
    movement: Movement,
    game_type: Option<&'static str>,
    sources: Vec<Source>,
) -> RuleSet {
    RuleSet {
        key: Cow::Borrowed(key),
        name: None,
        canonical: key.to_string(),
        overrides: Vec::new(),
        board,
        start,
        first: Side::White,
        movement,
        goal: Goal::Normal,
        draws: Draws { name: Cow::Borrowed(key), clauses: draws(key).unwrap_or_default() },
        game_type,
        sources,
    }
}

const FIELDS: [&str; 12] = [
    "board",
    "names",
    "rows",
    "first",
    "capture",
    "men_capture",
    "men_take_kings",
    "king",
    "landing",
    "ladder",
    "promotion",
    "removal",
];

fn common_sources(text: &'static str) -> Vec<Source> {
    FIELDS.iter().chain(["goal"].iter()).map(|field| s(field, text, Seen)).collect()
}

fn brazilian_sources(text: &'static str, ladder: &'static str) -> Vec<Source> {
    let mut sources = common_sources(text);
    mend(&mut sources, "names", "PDN GameType 26", Seen);
    mend(&mut sources, "ladder", ladder, Seen);
    mend(&mut sources, "promotion", SITE, Seen);
    mend(&mut sources, "removal", SITE, Seen);
    sources
}

fn russian_sources() -> Vec<Source> {
    let mut sources = common_sources(FMJD64);
    mend(&mut sources, "names", "PDN GameType 25", Seen);
    sources
}

fn fmjd_sources() -> Vec<Source> {
    let mut sources = common_sources(FMJD);
    mend(&mut sources, "names", "PDN GameType 20", Seen);
    mend(
        &mut sources,
        "ladder",
        "FMJD Annex 1, art. 4.13 and 4.14: the most pieces; a king counts as a man",
        Seen,
    );
    mend(&mut sources, "promotion", "FMJD Annex 1, art. 4.15", Seen);
    mend(&mut sources, "removal", "FMJD Annex 1, art. 4.8", Seen);
    sources
}

// ---- draws ----

const ONE_KING: Force = Force::exactly(1, 0);
const THREE_KINGS: Material = Material::new(Force::exactly(3, 0), ONE_KING);

fn clause(id: &'static str, counts: Counts, limit: u16, source: &'static str, status: Status) -> Clause {
    Clause {
        id: Cow::Borrowed(id),
        counts,
        within: Cow::Borrowed(&[]),
        except: None,
        unless_won: false,
        limit,
        of: Of::Each,
        mode: Mode::Automatic,
        status,
        source: Cow::Borrowed(source),
    }
}

fn repetition(limit: u16, source: &'static str, status: Status) -> Clause {
    clause("repetition", Counts::Repetition { ahead: false }, limit, source, status)
}

fn king_moves(limit: u16, source: &'static str, status: Status) -> Clause {
    clause("king-moves", Counts::KingMoves, limit, source, status)
}

fn material(
    id: &'static str,
    within: &[Material],
    limit: u16,
    of: Of,
    source: &'static str,
    status: Status,
) -> Clause {
    Clause { within: Cow::Owned(within.to_vec()), of, ..clause(id, Counts::Material, limit, source, status) }
}

/// Returns the draw clauses known by this name: a rule set's key or one of [`EXTRA_DRAWS`].
pub fn draws(name: &str) -> Option<Vec<Clause>> {
    Some(match name {
        "brazilian" => vec![
            king_moves(20, "CBD item 18, art. 97b: 20 king moves of each player", Seen),
            repetition(3, "CBD art. 98", Seen),
            material(
                "few-pieces",
                &[
                    Material::new(Force::exactly(2, 0), Force::exactly(2, 0)),
                    Material::new(Force::exactly(2, 0), ONE_KING),
                    Material::new(Force::exactly(2, 0), Force::exactly(1, 1)),
                    Material::new(ONE_KING, ONE_KING),
                    Material::new(Force::exactly(1, 1), ONE_KING),
                ],
                5,
                Of::Each,
                "CBD item 19, art. 99: 5 moves of each",
                Seen,
            ),
            material(
                "long-diagonal",
                &[
                    THREE_KINGS.holding(Diagonal::Weak),
                    Material::new(Force::exactly(2, 1), ONE_KING).holding(Diagonal::Weak),
                    Material::new(Force::exactly(1, 2), ONE_KING).holding(Diagonal::Weak),
                ],
                5,
                Of::Each,
                "CBD art. 100: against a king on the long diagonal; that it must stay there is our reading",
                OurReading,
            ),
        ],
        "brazilian-classic" => old_brazilian(CLASSIC_TEXT),
        "brazilian-quality" => old_brazilian(LADDER_TEXT),
        "brazilian-64" | "russian" => russian_draws(false),
        "russian-few" => russian_draws(true),
        "poddavki" => vec![
            repetition(3, "as Russian draughts", Unverified),
            king_moves(15, "as Russian draughts", Unverified),
        ],
        "spanish" => vec![
            repetition(3, SPANISH_TEXT, Seen),
            king_moves(20, "this text: 40 consecutive king moves (20 each) without capture", Seen),
            material(
                "three-kings-diagonal",
                &[THREE_KINGS.holding(Diagonal::Strong)],
                13,
                Of::Strong,
                "this text: 13 moves, one of the three on the long diagonal; that leaving it ends the count is our reading",
                OurReading,
            ),
        ],
        "spanish-12" => vec![
            repetition(3, "H. P. Guier, Reglas del juego", Seen),
            Clause {
                except: Some(THREE_KINGS),
                ..king_moves(20, "H. P. Guier: 20 each, not in three kings against one", Seen)
            },
            material(
                "three-kings-diagonal",
                &[THREE_KINGS.holding(Diagonal::Strong)],
                12,
                Of::Each,
                "H. P. Guier: within 12 full moves",
                Seen,
            ),
        ],
        "portuguese" => vec![
            material(
                "three-kings-diagonal",
                &[THREE_KINGS.holding(Diagonal::Strong)],
                12,
                Of::Strong,
                "FPD 3.8.a: 12 moves, the occupying move not counted; whose moves is our reading",
                OurReading,
            ),
            Clause {
                within: Cow::Owned(vec![Material::new(
                    Force { kings: (1, 4), men: FREE, total: (1, 4) },
                    Force { kings: (1, 4), men: FREE, total: (1, 4) },
                )]),
                except: Some(THREE_KINGS),
                ..clause(
                    "king-moves-few",
                    Counts::KingMoves,
                    20,
                    "FPD 3.8.b: 20 moves of each while both have a king and at most 4 pieces",
                    Seen,
                )
            },
            Clause { mode: Mode::Claim, ..repetition(3, "FPD 5.3", Seen) },
        ],
        "casual" => vec![clause(
            "no-progress",
            Counts::NoCaptureNoPromotion,
            40,
            "the site's text: 40 moves each without capture or promotion",
            Seen,
        )],
        "none" | "breakthrough" => vec![],
        "italian" => vec![
            repetition(
                4,
                "FID short rules: \"repeated three times\"; cited as art. 9.3 b1; others: third occurrence",
                Unverified,
            ),
            king_moves(40, "cited as FID art. 10.4", Unverified),
        ],
        "international" => fmjd_draws(Seen),
        "canadian" => fmjd_draws(Unverified),
        "killer" => vec![
            repetition(3, "FMJD Annex 1, art. 6.1", Seen),
            king_moves(25, "FMJD Annex 1, art. 6.2", Seen),
            three_pieces(Seen),
            material(
                "few-pieces",
                &[Material::new(Force::exactly(1, 1), ONE_KING), Material::new(ONE_KING, ONE_KING)],
                5,
                Of::Each,
                "FMJD Annex 1, art. 6.4, without two kings against one, which is won here",
                Seen,
            ),
        ],
        "antidraughts" => vec![repetition(3, "lidraughts", Unverified)],
        "american" => vec![
            Clause {
                counts: Counts::Repetition { ahead: true },
                mode: Mode::Claim,
                ..repetition(
                    3,
                    "WCDF 1.27.1 (earlier 1.32.1): the next move makes the third occurrence",
                    Seen,
                )
            },
            Clause {
                mode: Mode::Claim,
                ..king_moves(40, "WCDF 1.27.2 (earlier 1.32.2): 40 own moves of each", Seen)
            },
        ],
        "pool" => vec![
            repetition(3, "APCA 26, as cited", Unverified),
            material("three-kings", &[THREE_KINGS], 13, Of::Weak, "13 moves of the lone king", Seen),
        ],
        "czech" => vec![
            Clause { mode: Mode::Claim, ..repetition(3, CZECH, Seen) },
            king_moves(
                15,
                "Czech rules: 15 moves without capture or man move; that 15 are each side's is our reading",
                Unverified,
            ),
        ],
        "frisian" => vec![
            repetition(3, "lidraughts", Seen),
            material(
                "two-kings",
                &[Material::new(Force::exactly(2, 0), ONE_KING)],
                7,
                Of::Each,
                "lidraughts: 7 moves each",
                Seen,
            ),
            Clause {
                unless_won: true,
                ..material(
                    "one-each",
                    &[Material::new(ONE_KING, ONE_KING)],
                    0,
                    Of::Each,
                    "drawn at once unless a king is taken now or by force next; lidraughts plays 2 more moves each",
                    Contested,
                )
            },
        ],
        "turkish" => vec![
            repetition(3, "as described by several texts", Seen),
            material(
                "one-each",
                &[Material::new(
                    Force { kings: FREE, men: FREE, total: (1, 1) },
                    Force { kings: FREE, men: FREE, total: (1, 1) },
                )],
                0,
                Of::Each,
                "TUDAF p. 9 as cited; newer texts let a king win against a man",
                Contested,
            ),
        ],
        "thai" => vec![repetition(3, "not found", Unverified), king_moves(40, "not found", Unverified)],
        _ => return None,
    })
}

fn old_brazilian(text: &'static str) -> Vec<Clause> {
    vec![
        king_moves(20, text, OurReading),
        repetition(3, text, Seen),
        material("three-kings", &[THREE_KINGS], 20, Of::Strong, text, OurReading),
    ]
}

fn three_pieces(status: Status) -> Clause {
    material(
        "three-pieces",
        &[Material::new(Force::with_king(3), ONE_KING)],
        16,
        Of::Each,
        "FMJD Annex 1, art. 6.3",
        status,
    )
}

/// Two pieces with a king, or one king, against a lone king: two materials.
const FEW: [Material; 2] = [Material::new(Force::with_king(2), ONE_KING), Material::new(ONE_KING, ONE_KING)];

fn fmjd_draws(status: Status) -> Vec<Clause> {
    vec![
        repetition(3, "FMJD Annex 1, art. 6.1", status),
        king_moves(25, "FMJD Annex 1, art. 6.2", status),
        three_pieces(status),
        material("few-pieces", &FEW, 5, Of::Each, "FMJD Annex 1, art. 6.4", status),
    ]
}

/// `few_only`: the 15 king moves do not run with 4 to 7 pieces on the board, where the balance clauses give more.
fn russian_draws(few_only: bool) -> Vec<Clause> {
    let both_kings = |low, high| Material {
        strong: Force { kings: (1, u8::MAX), men: FREE, total: FREE },
        weak: Force { kings: (1, u8::MAX), men: FREE, total: FREE },
        all: (low, high),
        diagonal: Diagonal::Free,
    };
    let balance = |id, low, high, limit, source| Clause {
        within: Cow::Owned(vec![both_kings(low, high)]),
        ..clause(id, Counts::Balance, limit, source, Seen)
    };
    let mut kings_only = king_moves(
        15,
        "FMJD-64 7.2.4 (8.4): 15 king moves; that it also holds with 4 to 7 pieces is contested",
        Contested,
    );
    if few_only {
        kings_only.within = Cow::Owned(vec![
            Material { all: (0, 3), ..Material::new(Force::ANY, Force::ANY) },
            Material { all: (8, u8::MAX), ..Material::new(Force::ANY, Force::ANY) },
        ]);
    }
    vec![
        repetition(3, "FMJD-64 7.2.8", Seen),
        material(
            "three-kings",
            &[Material::new(Force { kings: (3, u8::MAX), men: (0, 0), total: FREE }, ONE_KING)],
            15,
            Of::Each,
            "FMJD-64 7.2.3 (8.3): three or more kings against one",
            Seen,
        ),
        kings_only,
        balance("balance-4-5", 4, 5, 30, "FMJD-64 7.2.5 (8.5): 4 or 5 pieces"),
        balance("balance-6-7", 6, 7, 60, "FMJD-64 7.2.5 (8.5): 6 or 7 pieces"),
        material(
            "long-diagonal",
            &[Material::new(Force::with_king(3), ONE_KING).holding(Diagonal::Weak)],
            5,
            Of::Each,
            "FMJD-64 7.2.6: three pieces against a king on the long diagonal",
            Seen,
        ),
        material("few-pieces", &FEW, 5, Of::Each, "FMJD-64 7.2.7", Seen),
    ]
}
