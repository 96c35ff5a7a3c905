// How touched squares and typed text narrow the legal moves down to one. It knows no rules: what is legal is the list that it is given.

/** One way of making a move: every landing square, and the piece captured on each leg.
 * @typedef {{path: string[], captured: string[]}} Path */
/** One class of moves, as docs/table.md describes it.
 * @typedef {Path & {text: string, from: string, to: string, promotes: boolean, paths: Path[]}} Move */
/** @typedef {Path & {move: Move}} Way */
/** What a touch comes to.
 * @typedef {{do: 'play', way: Way} | {do: 'keep' | 'wrong', touched: string[], squares: string[]} | {do: 'back' | 'nothing', touched: string[]}} Outcome */

/** Every way of every move. @param {readonly Move[]} moves @returns {Way[]} */
export const waysOf = moves => moves.flatMap(move => (move.paths?.length ? move.paths : [move]).map(({ path, captured }) => ({ move, path, captured })));

/** @template T @param {readonly T[]} list @param {T} item */
const count = (list, item) => list.filter(x => x === item).length;

/** The ways that touch every touched square, as often as it was touched.
 * @param {readonly Way[]} ways @param {readonly string[]} touched @returns {Way[]} */
export const keep = (ways, touched) => ways.filter(way => touched.every(s => count(way.path, s) >= count(touched, s)));

/** Whether `part` occurs in `whole` in order, with gaps allowed. @param {readonly string[]} part @param {readonly string[]} whole */
const inOrder = (part, whole) => {
  let i = 0;
  for (const s of whole) if (s === part[i]) i++;
  return i === part.length;
};

/** @param {Way} way @param {readonly string[]} touched */
const isExactly = ({ path }, touched) => path.length === touched.length && inOrder(touched, path);

/** The class that is left when only one is, shown in the way that was touched. @param {readonly Way[]} ways @param {readonly string[]} touched */
const only = (ways, touched) => new Set(ways.map(w => w.move)).size === 1 ? ways.find(w => inOrder(touched, w.path)) ?? ways[0] : null;

/** @param {Way} way */
const isRoundTrip = way => way.path[0] === way.path.at(-1);

/** The way that the touched squares leave no doubt about, or null.
 * @param {readonly Way[]} ways @param {readonly string[]} touched @param {boolean} confirm */
function decided(ways, touched, confirm) {
  const way = only(ways, touched);
  if (way) {
    // A round trip is finished by a second tap on its origin; else touching the piece would already play it.
    const onlyOrigin = touched.length === 1 && touched[0] === way.path[0];
    return onlyOrigin && (confirm || isRoundTrip(way)) ? null : way;
  }
  const exact = ways.filter(w => isExactly(w, touched));
  const goesOn = ways.some(w => w.path.length > touched.length && touched.every((s, i) => w.path[i] === s));
  return exact.length && !goesOn ? only(exact, touched) : null;
}

/** The class that a second touch of a square completes: the one that ends there.
 * @param {readonly Way[]} ways @param {readonly string[]} touched @param {string} square */
function endingAt(ways, touched, square) {
  const ending = keep(ways, touched).filter(w => w.path.at(-1) === square && (!isRoundTrip(w) || count(touched, square) > 1));
  return only(ending, touched) ?? only(ending.filter(w => inOrder(touched, w.path)), touched);
}

/** How far the piece has certainly come: the landings that all ways share, up to the last one that was touched.
 * @param {readonly Way[]} ways @param {readonly string[]} touched @returns {string[]} */
export function walked(ways, touched) {
  if (!ways.length || !touched.length) return [];
  const first = ways[0].path;
  let shared = 0;
  while (shared < first.length && ways.every(w => w.path[shared] === first[shared])) shared++;
  // A round trip has its origin at both ends: one touch stands for the first of them.
  const rest = [...touched];
  let reached = shared ? 1 : 0;
  for (let i = 0; i < shared; i++) {
    const at = rest.indexOf(first[i]);
    if (at >= 0) {
      rest.splice(at, 1);
      reached = i + 1;
    }
  }
  return first.slice(0, reached);
}

/** Squares that may be touched next: where a move ends, and where it goes on.
 * @param {readonly Way[]} ways @param {readonly string[]} touched */
export function targets(ways, touched) {
  /** @type {Set<string>} */ const ends = new Set();
  /** @type {Set<string>} */ const legs = new Set();
  if (touched.length) for (const { path } of ways) {
    path.slice(0, -1).forEach(s => touched.includes(s) || legs.add(s));
    const end = path[path.length - 1];
    // An end that was touched while more than one class was left waits for a second touch.
    if (count(touched, end) < count(path, end) || ways.length > 1) ends.add(end);
  }
  return { ends, legs };
}

/** What touching one more square comes to.
 * @param {readonly Way[]} ways @param {readonly string[]} touched @param {string} square
 * @param {'own' | 'other' | null} piece whose piece stands there: that of the side to move, or not
 * @param {boolean} confirm whether touching the piece alone never plays
 * @returns {Outcome} */
export function touch(ways, touched, square, piece, confirm) {
  // A path that is all given waits only where a longer one goes on; touching its end again says that it does not.
  const whole = ways.find(w => isExactly(w, touched) && w.path.at(-1) === square);
  if (whole) return { do: 'play', way: whole };
  const next = [...touched, square];
  const left = keep(ways, next);
  if (left.length) {
    const way = decided(left, next, confirm);
    return way ? { do: 'play', way } : { do: 'keep', touched: next, squares: walked(left, next) };
  }
  if (touched.includes(square)) {
    const way = endingAt(ways, touched, square);
    return way ? { do: 'play', way } : { do: 'back', touched: touched.slice(0, -1) };
  }
  const path = walked(keep(ways, touched), touched);
  if (piece !== 'own' && path.length) return { do: 'wrong', touched: [...touched], squares: [...path, square] };
  if (touched.length) return touch(ways, [], square, piece, confirm);
  return piece ? { do: 'wrong', touched: [], squares: [square] } : { do: 'nothing', touched: [] };
}

/** Squares in typed text: `32x23x14`, `c3:e5`, `c3e5`, `32-28`, `32 28`. No board is wider than 12 squares, so an x is never a file. @param {string} text */
const squaresIn = text => text.toLowerCase().match(/[a-l]\d*|\d+/g) ?? [];

/** The move's own text, or its whole path where another move has the same text. @param {Way} way @param {readonly Move[]} moves */
function textOf({ move, path, captured }, moves) {
  if (moves.filter(m => m.text === move.text).length < 2) return move.text;
  return path.join(captured.length ? /:/.test(move.text) ? ':' : 'x' : '-');
}

/** Ways that the typed squares name: origin and end with any landings between, or only the end.
 * @param {readonly Way[]} ways @param {readonly string[]} typed */
function named(ways, typed) {
  const fits = ways.filter(w => w.path[0] === typed[0] && w.path.at(-1) === typed.at(-1) && typed.length > 1 && inOrder(typed, w.path));
  const exact = fits.filter(w => isExactly(w, typed));
  if (typed.length === 1) {
    const from = ways.filter(w => w.path[0] === typed[0]);
    return from.length ? from : ways.filter(w => w.path.at(-1) === typed[0]);
  }
  return only(fits, typed) ? fits : exact.length ? exact : fits;
}

/** Whether a way can still come of what has been typed so far: the last square may be unfinished.
 * @param {Way} way @param {readonly string[]} typed */
function canBecome({ path }, typed) {
  const done = typed.slice(0, -1);
  const open = typed.at(-1) ?? '';
  if (!done.length) return path[0].startsWith(open);
  return path[0] === done[0] && path.some((s, i) => i > 0 && s.startsWith(open) && inOrder(done, path.slice(0, i)));
}

/** Reads a typed move, finished or not. `move` is the one move that the text names, or null; `options` are the moves that it can still become,
 * each with the text to complete it to.
 * @param {readonly Move[]} moves @param {string} text
 * @returns {{move: Move | null, options: {text: string, move: Move}[]}} */
export function candidates(moves, text) {
  const ways = waysOf(moves);
  const typed = squaresIn(text);
  const move = typed.length ? only(named(ways, typed), typed)?.move ?? null : null;
  /** @type {Map<string, Move>} */ const options = new Map();
  for (const way of ways.filter(w => canBecome(w, typed))) options.set(textOf(way, moves), way.move);
  return { move, options: [...options].map(([t, m]) => ({ text: t, move: m })) };
}
