// The games of a file, of which there may be a million: only those that are seen are fetched and drawn.
import { h, icon } from './dom.js';
import * as shelf from './shelf.js';
import { resultText } from './movetext.js';
import { lang, t } from './words.js';

/** @import { File, Placed, Row } from './shelf.js' */

/** How high a row is, in pixels; games.css says the same. */
const ROW = 64;
/** A list is made no higher than this, in pixels: somewhere above it, each browser elsewhere, all that is further down is lost. */
const HIGHEST = 10_000_000;
/** How far a wheel that counts lines goes for one, in pixels. */
const LINE = 20;
/** How many rows are fetched together. */
const PAGE = 100;
/** How many rows are drawn beyond those that are seen, on either side. */
const BEYOND = 6;

/** How much was mended and how much is lost: a number with its sign, in words for whoever listens.
 * @param {number} repairs @param {number} faults @param {boolean} [inWords] in words for everybody */
export function marks(repairs, faults, inWords = false) {
  /** @param {string} kind @param {number} n @param {'yes' | 'no'} sign @param {string} words */
  const mark = (kind, n, sign, words) => h(`span.mark.${kind}`, {}, icon(sign), ...inWords ? [words] : [h('span.num', { 'aria-hidden': 'true' }, n.toLocaleString(lang)), h('span.vh', {}, words)]);
  return h('span.marks', {},
    ...repairs ? [mark('repair', repairs, 'yes', t('page.games.repairs', { n: repairs }))] : [],
    ...faults ? [mark('fault', faults, 'no', t('page.games.faults', { n: faults }))] : [],
    inWords && !repairs && !faults && t('page.games.clean'));
}

/** @typedef {{q: string, found: boolean} & Partial<Placed>} Query */

/** @param {string} name */
const player = name => h('bdi', {}, name || '?');

export class GameList {
  /** @type {Map<number, Row[] | null>} a page that is on its way is null */ pages = new Map();
  /** @type {Map<number, HTMLElement>} */ rows = new Map();
  total = 0;
  /** What the games that are listed were searched by. @type {Query} */ query = { q: '', found: false };
  /** What was searched for last; its games may be on their way. */ asked = this.query;
  /** Where the view begins, in pixels of all the rows. */
  top = 0;
  /** The row that is the one tab stop. */
  stop = 0;

  /** @param {File} file @param {(total: number) => void} tell how many games fit */
  constructor(file, tell) {
    this.file = file;
    this.tell = tell;
    this.list = h('ol', { role: 'list' });
    this.none = h('p', { hidden: true }, t('page.games.none'));
    this.node = h('div.roll', {}, this.list, this.none);
    this.node.addEventListener('scroll', () => this.onScroll(), { passive: true });
    this.node.addEventListener('keydown', event => this.onKey(event));
    this.node.addEventListener('focusin', event => {
      const row = event.target instanceof Element ? event.target.closest('li') : null;
      if (row) this.stop = Number(row.dataset.row);
    });
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  /** @param {string} q @param {boolean} found @param {Placed | null} placed a position that they must have */
  async search(q, found, placed) {
    const query = this.asked = { q, found, ...placed };
    const first = await shelf.games(this.file.id, { from: 0, count: PAGE, ...query });
    if (query !== this.asked) return; // Something else was typed meanwhile.
    this.query = query;
    this.pages = new Map([[0, first.games]]);
    this.total = first.total;
    this.stop = 0;
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.list.style.height = `${Math.min(this.total * ROW, HIGHEST)}px`;
    // A browser scrolls smoothly only where nobody listens to the wheel.
    this.node.onwheel = this.total * ROW > HIGHEST ? event => this.onWheel(event) : null;
    this.list.hidden = !this.total;
    this.none.hidden = this.total > 0;
    this.tell(this.total);
    this.goTo(0);
  }

  /** Fetches a page, unless it is there or on its way. @param {number} page */
  async fetch(page) {
    if (this.pages.has(page)) return;
    const { pages } = this;
    pages.set(page, null);
    try {
      const { games } = await shelf.games(this.file.id, { from: page * PAGE, count: PAGE, ...this.query });
      pages.set(page, games);
    } catch {
      pages.delete(page); // The next scroll asks again.
      return;
    }
    if (pages === this.pages) this.draw();
  }

  /** How many pixels of all the rows a pixel of scrolling goes through: one, unless the list is lower than they are together. */
  get scale() {
    const [all, { offsetHeight }, { clientHeight }] = [this.total * ROW, this.list, this.node];
    return all > offsetHeight && offsetHeight > clientHeight ? (all - clientHeight) / (offsetHeight - clientHeight) : 1;
  }

  /** Begins the view there. @param {number} top in pixels of all the rows */
  goTo(top) {
    this.top = Math.max(0, Math.min(this.total * ROW - this.node.clientHeight, top));
    this.node.scrollTop = this.top / this.scale;
    this.draw();
  }

  onScroll() {
    const { scale, node: { scrollTop } } = this;
    // A list is scrolled by whole pixels, each of which may stand for many: within one of them, where it was sent is more exact.
    if (scale === 1 || Math.abs(scrollTop * scale - this.top) >= scale) this.top = scrollTop * scale;
    this.draw();
  }

  /** In a list that is lower than its rows the wheel would leave some out. @param {WheelEvent} event */
  onWheel(event) {
    if (event.ctrlKey || event.shiftKey) return;
    const before = this.top;
    this.goTo(before + event.deltaY * [1, LINE, this.node.clientHeight][event.deltaMode]);
    // Where there is no further, the wheel is the page's.
    if (this.top !== before) event.preventDefault();
  }

  draw() {
    const { top, node: { scrollTop, clientHeight } } = this;
    const from = Math.max(0, Math.floor(top / ROW) - BEYOND);
    const to = Math.min(this.total, Math.ceil((top + clientHeight) / ROW) + BEYOND);
    const held = [...this.rows.values()].find(row => row.contains(document.activeElement));
    // Who scrolls away from the tab stop finds another where he is.
    if (!held && (this.stop < from || this.stop >= to)) this.stop = Math.min(from + BEYOND, Math.max(0, to - 1));
    for (const [n, row] of this.rows) if ((n < from || n >= to) && row !== held) {
      row.remove();
      this.rows.delete(n);
    }
    for (let n = from; n < to; n++) this.drawRow(n);
    for (const [n, row] of this.rows) {
      row.style.top = `${n * ROW - top + scrollTop}px`;
      row.querySelector('a')?.setAttribute('tabindex', n === this.stop ? '0' : '-1');
    }
    // The focus goes after the keys as soon as there is a row for it.
    if (held && held !== this.rows.get(this.stop)) this.focus();
  }

  /** @param {number} n */
  drawRow(n) {
    if (this.rows.has(n)) return;
    const page = Math.floor(n / PAGE);
    const game = this.pages.get(page)?.[n % PAGE];
    if (!game) return void this.fetch(page);
    const row = h('li', { 'data-row': n, 'aria-posinset': n + 1, 'aria-setsize': this.total }, rowOf(this.file.id, game));
    this.rows.set(n, row);
    // They stand in their order, whichever was drawn first, for whoever goes through them one by one.
    const next = [...this.list.children].find(other => Number(/** @type {HTMLElement} */ (other).dataset.row) > n);
    this.list.insertBefore(row, next ?? null);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const seen = Math.max(1, Math.floor(this.node.clientHeight / ROW) - 1);
    /** @type {Record<string, number>} */
    const to = { ArrowDown: this.stop + 1, ArrowUp: this.stop - 1, PageDown: this.stop + seen, PageUp: this.stop - seen, Home: 0, End: this.total - 1 };
    if (!(event.key in to) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (!this.total) return;
    const n = this.stop = Math.max(0, Math.min(this.total - 1, to[event.key]));
    // No further than it takes to see the row.
    this.goTo(Math.min(n * ROW, Math.max((n + 1) * ROW - this.node.clientHeight, this.top)));
    this.focus();
  }

  focus() {
    this.rows.get(this.stop)?.querySelector('a')?.focus({ preventScroll: true });
  }
}

/** @param {string} id @param {Row} game */
function rowOf(id, { number, white, black, event, date, result, plies, repairs, faults, ply }) {
  const about = [event, date].filter(text => text && text !== '?');
  return h('a', { href: `/games/${id}/${number}${ply === undefined ? '' : `#ply${ply}`}` },
    h('span.num.no', {}, number),
    h('span.who', {}, h('b', {}, player(white), ' – ', player(black)), h('small', {}, ...about.flatMap((text, i) => [i ? ' · ' : '', h('bdi', {}, text)]))),
    h('span.end', {}, h('b.num', {}, resultText(result)), h('small', {}, plies ? t('page.games.moves', { n: Math.ceil(plies / 2) }) : '')),
    marks(repairs, faults));
}
