// The moves of a game as they are printed: lines of play with their variations and comments. However deep variations are nested in a file, on the page
// they lie side by side, for a browser cannot nest as deep.
import { h } from './dom.js';
import { has, lang, pretty, t } from './words.js';

/** @import { Game, Node } from './shelf.js' */
/** A piece of a line of play: a move, or what is said. @typedef {{node: Node, label: string} | {comment: string}} Part */
/** A line of play, up to where another one is in its way. @typedef {{depth: number, parts: Part[]}} Run */

/** Lines are set in so far and no further. */
const DEEPEST = 6;

/** Annotations with a sign of their own; the others stand as they are. @type {Record<number, string>} */
const SIGNS = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□', 10: '=', 13: '∞', 14: '⩲', 15: '⩱', 16: '±', 17: '∓', 18: '+−', 19: '−+' };

/** @param {number} nag */
export const nagSign = nag => SIGNS[nag] ?? `$${nag}`;

/** @param {number} nag */
export const nagWords = nag => has(`page.games.nag.${nag}`) ? t(`page.games.nag.${nag}`) : `$${nag}`;

/** A result as it is printed. @param {string} result */
export const resultText = result => result.replaceAll('1/2', '½');

/** @param {number} seconds */
export function clockText(seconds) {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return [hours, String(minutes).padStart(2, '0'), String(rest).padStart(2, '0')].join(':');
}

/** An evaluation in men, or the moves to a win. @param {number | undefined} men @param {number} [wins] */
export function evalText(men, wins) {
  const text = men === undefined ? `#${wins}` : new Intl.NumberFormat(lang, { signDisplay: 'exceptZero', maximumFractionDigits: 2 }).format(men);
  return text.replace('-', '−');
}

/** Which nodes follow on each, the one that was played first. @param {readonly Node[]} nodes @returns {number[][]} */
export function childrenOf(nodes) {
  /** @type {number[][]} */ const children = nodes.map(() => []);
  for (const { id, parent, is_variation } of nodes) {
    if (parent === undefined) continue;
    if (is_variation) children[parent].push(id);
    else children[parent].unshift(id);
  }
  return children;
}

/** What was played after a node, if anything. @param {readonly Node[]} nodes @param {number[][]} children @param {number} id */
export const played = (nodes, children, id) => children[id].find(child => !nodes[child].is_variation);

/** A move with its number, as it is printed in the middle of a line or at the beginning of one. @param {Game} game @param {Node} node @param {boolean} begins */
export function label({ rules }, { number, side, move, strength = '', nags = [] }, begins) {
  const count = side === rules.first ? `${number}.` : begins ? `${number}…` : '';
  return [count, (move ? pretty(move.text) : t('page.games.setup')) + strength + nags.filter(nag => !strength || nag > 6).map(nag => (nag > 6 ? ' ' : '') + nagSign(nag)).join('')].filter(Boolean).join(' ');
}

/** The lines of play of a game, in the order in which they are read. @param {Game} game @param {number[][]} children @returns {Run[]} */
export function runsOf(game, children) {
  const { nodes } = game;
  /** @type {Run[]} */ const runs = [];
  /** @type {Run | null} */ let run = null;
  /** @param {number} depth @param {Part} part */
  const say = (depth, part) => {
    if (run?.depth !== depth) runs.push(run = { depth, parts: [] });
    run.parts.push(part);
  };
  /** @param {number} id @param {number} depth */
  const step = (id, depth) => {
    const node = nodes[id];
    const begins = run?.depth !== depth || !run.parts.some(part => 'node' in part) || 'comment' in run.parts[run.parts.length - 1];
    say(depth, { node, label: label(game, node, begins) });
    for (const comment of node.comments ?? []) say(depth, { comment });
  };
  for (const comment of nodes[0].comments ?? []) say(0, { comment });
  /** What is still to be printed, the next last. @type {{id: number, depth: number, isVariation: boolean}[]} */
  const tasks = [{ id: 0, depth: 0, isVariation: false }];
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    const { id, depth, isVariation } = task;
    if (isVariation) {
      run = null;
      step(id, depth);
    }
    const main = played(nodes, children, id);
    if (main !== undefined) {
      step(main, depth);
      tasks.push({ id: main, depth, isVariation: false });
    }
    for (const other of children[id].filter(child => child !== main).reverse()) tasks.push({ id: other, depth: depth + 1, isVariation: true });
  }
  return runs;
}

/** @param {Game} game @param {number[][]} children @param {(id: number) => void} look */
export function moveText(game, children, look) {
  /** @param {Part} part */
  const part = part => 'comment' in part ? h('bdi.cm', {}, part.comment)
    : h('button.num', { type: 'button', 'data-node': part.node.id, tabindex: -1, title: part.node.nags?.map(nagWords).join(', ') || null, click: () => look(part.node.id) }, part.label);
  const runs = runsOf(game, children).map(({ depth, parts }) => h(`div.run.d${Math.min(depth, DEEPEST)}`, {}, ...parts.flatMap((p, i) => [i ? ' ' : '', part(p)])));
  return [...runs, h('div.run.d0', {}, h('b.num', {}, resultText(game.result)))];
}
