// The drawing of the board and of every mark on it. Each mark has two tones, a dark core in a light casing, so that it reads on every square and every
// piece; its shape carries the meaning, colour only helps.
import { el, tenth } from './pieces.js';
import { UNIT } from './layout.js';

/** @import { Layout, Square } from './layout.js' */
/** @typedef {{path: string[], captured?: string[]}} Line */

/** @param {Point[]} points */
const pointList = points => points.map(p => `${tenth(p.x)},${tenth(p.y)}`).join(' ');

/** @param {Square} s @param {number} inset */
const box = (s, inset) => ({ x: s.x - 50 + inset, y: s.y - 50 + inset, width: UNIT - 2 * inset, height: UNIT - 2 * inset });

/** Draws one shape twice: the casing, then the core. @param {string} kind @param {string} name @param {import('./pieces.js').Attrs} attrs */
const cased = (kind, name, attrs) => [el(`${kind}.dm-case.${name}-case`, attrs), el(`${kind}.dm-core.${name}`, attrs)];

/** @typedef {{x: number, y: number}} Point */

/** @param {Point} s @param {string} name @param {number} r */
const circle = (s, name, r) => cased('circle', name, { cx: s.x, cy: s.y, r });

/** @param {Square} s @param {string} name @param {number} arm */
const cross = (s, name, arm) => cased('path', name, { d: `M${s.x - arm} ${s.y - arm}l${2 * arm} ${2 * arm}m0-${2 * arm}l-${2 * arm} ${2 * arm}` });

/** @param {Square[]} points @param {string} name */
const line = (points, name) => cased('polyline', name, { points: pointList(points) });

/** @template {SVGElement} T @param {Point} s @param {T} node @param {string} [extra] class names */
export function place(s, node, extra) {
  node.setAttribute('transform', `translate(${tenth(s.x)} ${tenth(s.y)})`);
  if (extra) node.setAttribute('class', extra);
  return node;
}

/** Squares, grain, lamp and coordinates: all that stays while a game is played.
 * @param {Layout} layout @param {string} coords none, edge or all @param {readonly string[] | null} only the squares that are named */
export function drawBoard(layout, coords, only) {
  const side = layout.size * UNIT;
  const all = { width: side, height: side };
  // On a board where men stand on the light squares, these are the maple ones.
  const [playing, resting] = layout.light ? ['l', 'd'] : ['d', 'l'];
  const squares = [...layout.squares.values()];
  const shade = (/** @type {Square} */ s) => ((s.index + 1) * 7919 % 97) / 97 - .5;
  return [
    el(`rect.dm-sq-${resting}`, all),
    el('rect.dm-grain', { ...all, fill: 'url(#dm-grain-h)' }),
    ...squares.map(s => el(`rect.dm-sq-${playing}`, box(s, layout.allPlaying ? 1.2 : 0))),
    // Each square is a shade off its neighbour, as in a board that was inlaid piece by piece.
    ...squares.map(s => el('rect.dm-grain', { ...box(s, 0), fill: shade(s) > 0 ? '#fff' : '#000', opacity: (Math.abs(shade(s)) * .07).toFixed(3) })),
    ...squares.map(s => el('rect.dm-grain', { ...box(s, 0), fill: 'url(#dm-grain-v)' })),
    el('rect.dm-grain', { ...all, fill: 'url(#dm-lamp)' }),
    ...numbers(layout, coords, only),
  ];
}

/** @param {number} x @param {number} y @param {string} text @param {string} [anchor] */
const label = (x, y, text, anchor = 'start') => el('text.dm-num', { x, y, 'text-anchor': anchor }, text);

/** @param {Layout} layout @param {string} coords @param {readonly string[] | null} only */
function numbers(layout, coords, only) {
  const squares = [...layout.squares.values()];
  const lettered = squares.every(s => /^[a-z]\d+$/.test(s.name));
  /** @param {Square} s */
  const corner = s => label(s.x - 46, s.y - 46, s.name);
  if (only) return layout.on(only).map(corner);
  if (coords === 'all') return squares.map(corner);
  if (coords !== 'edge') return [];
  const last = layout.size - 1;
  if (!lettered) return squares.filter(s => s.row === 0 || s.row === last || s.col === 0 || s.col === last).map(corner);
  const files = new Map(squares.map(s => [s.col, s.name[0]]));
  const ranks = new Map(squares.map(s => [s.row, s.name.slice(1)]));
  return [
    ...[...ranks].map(([row, name]) => label(4, row * UNIT + 4, name)),
    ...[...files].map(([col, name]) => el('text.dm-num.dm-file', { x: (col + 1) * UNIT - 5, y: layout.size * UNIT - 6, 'text-anchor': 'end' }, name)),
  ];
}

/** The last move: two framed squares, a dotted line through every landing and a cross on every captured square. @param {Layout} layout @param {Line} last */
export function drawLast(layout, { path, captured = [] }) {
  const points = layout.on(path);
  const ends = new Set([points[0], points[points.length - 1]].filter(Boolean));
  return [
    ...[...ends].flatMap(s => cased('rect', 'dm-last-frame', { ...box(s, 3), rx: 6 })),
    ...line(points, 'dm-last'),
    ...layout.on(captured).flatMap(s => cross(s, 'dm-last-x', 13)),
  ];
}

/** @param {Square} s */
export const dutyMark = s => circle(s, 'dm-duty', 43);
/** A move ends here. @param {Point} s */
export const endMark = s => circle(s, 'dm-end', 15);
/** A further leg follows. @param {Square} s */
export const legMark = s => circle(s, 'dm-leg', 17);
/** @param {Square} s */
export const pickedMark = s => cased('rect', 'dm-picked', { ...box(s, 5), rx: 8 });
/** The legs that the player has already given. @param {Square[]} points */
export const entryLine = points => line(points, 'dm-entry');

/** An arrow through all landings. @param {Square[]} points @param {number} trim how far before the last centre it ends @param {string} extra class names */
function arrow(points, trim, extra) {
  const [from, end] = points.slice(-2);
  if (!end) return [];
  const a = Math.atan2(end.y - from.y, end.x - from.x);
  /** @param {number} along @param {number} aside */
  const at = (along, aside) => ({ x: end.x - Math.cos(a) * along + Math.sin(a) * aside, y: end.y - Math.sin(a) * along - Math.cos(a) * aside });
  const head = { points: pointList([at(trim, 0), at(trim + 34, 21), at(trim + 34, -21)]) };
  const shaft = { points: pointList([...points.slice(0, -1), at(trim + 34, 0)]) };
  return [el(`g.dm-arrow${extra}`, {},
    el('polyline.dm-arrow-case', shaft), el('polygon.dm-arrow-case', head), el('polyline.dm-arrow-line', shaft), el('polygon.dm-arrow-head', head))];
}

/** A captured piece, crossed out and numbered. @param {Square} s @param {number} i */
const counted = (s, i) => [
  ...cross(s, 'dm-x', 25),
  el('circle.dm-count', { cx: s.x + 29, cy: s.y - 29, r: 17 }),
  el('text.dm-count-text', { x: s.x + 29, y: s.y - 22 }, String(i + 1)),
];

/** A move proposed: an arrow with a ring on every landing. @param {Layout} layout @param {Line} move */
export function drawHint(layout, { path, captured = [] }) {
  const points = layout.on(path);
  return [
    ...arrow(points, 14, ''), ...points.slice(1, -1).flatMap(s => circle(s, 'dm-landing', 15)),
    ...layout.on(captured).flatMap(s => cross(s, 'dm-last-x', 13)),
  ];
}

/** The refused attempt in red dashes. @param {Layout} layout @param {Line} yours */
function drawRefused(layout, { path }) {
  const points = layout.on(path);
  return points.length ? [...line(points, 'dm-bad'), ...circle(points[0], 'dm-bad', 43)] : [];
}

/** Why a move was refused: the attempt, and the better captures under a veil with only the pieces that matter above it.
 * @param {Layout} layout @param {{yours: Line | null, better: Line[]}} why @param {(name: string, extra?: string, letterFrom?: string) => SVGElement[]} pieceOn
 *   draws the piece of a square, on that square or as it came from another one */
export function drawWhy(layout, { yours, better }, pieceOn) {
  const refused = yours ? drawRefused(layout, yours) : [];
  const [best, ...others] = better;
  if (!best) return refused;
  const points = layout.on(best.path);
  const captured = best.captured ?? [];
  const side = layout.size * UNIT;
  return [
    el('rect.dm-veil', { width: side, height: side }),
    ...yours ? pieceOn(yours.path[0]) : [], ...yours?.path[0] === best.path[0] ? [] : pieceOn(best.path[0]),
    ...captured.flatMap(name => pieceOn(name, 'dm-taken')),
    ...refused,
    ...others.slice(0, 2).flatMap(m => arrow(layout.on(m.path), 14, '.dm-second')),
    ...best.path.at(-1) === best.path[0] ? [] : pieceOn(best.path[best.path.length - 1], 'dm-arriving', best.path[0]),
    ...arrow(points, 46, ''), ...points.slice(1, -1).flatMap(s => circle(s, 'dm-landing', 15)),
    ...layout.on(captured).flatMap(counted),
  ];
}

