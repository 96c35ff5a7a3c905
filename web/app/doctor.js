// What was found in a game, and the text in which it was found.
import { fill, h, icon } from './dom.js';
import { t } from './words.js';

/** @import { Finding, Game, Place } from './shelf.js' */

/** Characters that would change the order of those around them, or show nothing. @param {string} text */
const shown = text => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

/** How a move is written, up to what does not belong to it. */
const MOVE = /^[^\s!?(){}$*]+/u;

/** The list of what is lost and, behind that, of what was mended. @param {Game} game @param {(finding: Finding) => void} go */
export function findingList({ findings, finding_count: count, text }, go) {
  if (!count) return h('p.clean', {}, icon('yes'), h('span', {}, t('page.games.clean')));
  /** @param {Finding} finding */
  const row = finding => h('li', {}, h(`button.finding.${finding.grade}`, { type: 'button', click: () => go(finding) },
    icon(finding.grade === 'fault' ? 'no' : 'yes'),
    h('span', {}, h('small', {}, `${t(`page.games.${finding.grade}`)} · ${t('page.games.line', { n: text.line + finding.place.line })}`), h('bdi', {}, shown(finding.message)), finding.lost > 0 && h('small', {}, t('page.games.lost', { n: finding.lost })))));
  return h('ol', { role: 'list' }, ...findings.filter(f => f.grade === 'fault').map(row), ...findings.filter(f => f.grade !== 'fault').map(row), count > findings.length && h('li.more', {}, t('page.games.more', { n: count - findings.length })));
}

/** The text of a game, line by line, with what was found in it marked. */
export class Source {
  /** The move that is marked as the one on the board. @type {Place | null} */ here = null;
  /** The finding that was asked for. @type {Finding | null} */ asked = null;

  /** @param {Game} game @param {(line: number) => void} look a line was clicked, or chosen by key */
  constructor(game, look) {
    this.game = game;
    this.look = look;
    const { line, lines, is_cut } = game.text;
    /** @type {Map<number, Finding[]>} */ this.marks = new Map();
    for (const finding of game.findings) this.marks.set(finding.place.line, [...this.marks.get(finding.place.line) ?? [], finding]);
    const found = new Set([...game.nodes.filter(node => node.id > 0), ...game.findings].map(({ place }) => place.line));
    /** The lines that keys go through: those with a move or a finding. @type {number[]} */
    this.stops = [...lines.keys()].filter(i => found.has(i) && lines[i].trim());
    const stops = new Set(this.stops);
    this.lines = lines.map((_, i) => h('span', { click: () => look(i), ...stops.has(i) && { role: 'button', tabindex: -1 } }));
    this.node = h('div.source', { tabindex: 0, role: 'region', 'aria-label': t('page.games.text'), keydown: event => this.onKey(event) },
      this.list(line),
      is_cut && h('p', {}, t('page.games.cut')));
    lines.forEach((_, i) => this.draw(i));
  }

  /** The lines with their numbers. There may be more of them than a call takes arguments. @param {number} first the number of the first line */
  list(first) {
    const list = h('ol');
    this.lines.forEach((code, i) => list.append(h('li', {}, h('i.num', { 'aria-hidden': 'true' }, first + i), code)));
    return list;
  }

  /** Up and down go from one line with a move or a finding to the next, and Enter goes where a click on it would. @param {KeyboardEvent} event */
  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const focused = this.lines.findIndex(line => line === event.target);
    if (focused >= 0 && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      return this.look(focused);
    }
    // Who comes into the text begins at what is marked in it.
    const from = focused >= 0 ? focused : this.asked?.place.line ?? this.here?.line ?? -1;
    const to = event.key === 'ArrowDown' ? this.stops.find(i => i > from) : event.key === 'ArrowUp' ? this.stops.findLast(i => i < from) : undefined;
    if (to === undefined) return;
    event.preventDefault();
    this.lines[to].focus({ preventScroll: true });
    this.reveal(to);
  }

  /** Marks the move on the board. @param {Place | null} place */
  mark(place) {
    const lines = new Set([this.here?.line, this.asked?.place.line, place?.line]);
    this.here = place;
    this.asked = null;
    for (const line of lines) if (line !== undefined) this.draw(line);
    if (place) this.reveal(place.line);
  }

  /** Marks a finding that was asked for. @param {Finding} finding */
  show(finding) {
    this.asked = finding;
    this.draw(finding.place.line);
    this.reveal(finding.place.line);
  }

  /** @param {number} i */
  draw(i) {
    const text = this.game.text.lines[i];
    const line = this.lines[i];
    if (text === undefined || !line) return;
    const characters = [...text];
    /** @param {number} from @param {number} to */
    const piece = (from, to) => shown(characters.slice(from, to).join(''));
    /** @type {{from: number, to: number, names: string}[]} */
    const marks = (this.marks.get(i) ?? []).map(finding => ({
      from: finding.place.column, to: finding.place.column + finding.length, names: `.${finding.grade}${finding === this.asked ? '.asked' : ''}${finding.place.column === this.here?.column && i === this.here.line ? '.here' : ''}`,
    }));
    if (this.here?.line === i && !marks.some(mark => mark.from === this.here?.column)) {
      const from = this.here.column;
      const [move] = characters.slice(from, from + 40).join('').match(MOVE) ?? [''];
      marks.push({ from, to: from + [...move].length, names: '.here' });
    }
    /** @type {(Node | string)[]} */ const parts = [];
    let at = 0;
    for (const { from, to, names } of marks.sort((a, b) => a.from - b.from)) {
      if (from < at || to <= from) continue; // Two at one place: the first says it.
      parts.push(piece(at, from), h(`mark${names}`, {}, piece(from, to)));
      at = to;
    }
    fill(line, ...parts, piece(at, characters.length));
    line.parentElement?.classList.toggle('asked', this.asked?.place.line === i);
  }

  /** Only the text itself scrolls, never the page. @param {number} i */
  reveal(i) {
    const row = this.lines[i]?.parentElement;
    if (row) this.node.scrollTop = Math.max(0, row.offsetTop - this.node.offsetTop - this.node.clientHeight / 3);
  }
}
