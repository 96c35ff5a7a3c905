// <damiera-board>: draws a position and turns touches into one complete move. It knows no rules: it is told the legal moves and reports the player's wish.
import { el, piece, pieceTile, provideDefs } from './board/pieces.js';
import { Layout, UNIT } from './board/layout.js';
import { candidates, keep, targets, touch, walked, waysOf } from './board/moves.js';
import * as draw from './board/draw.js';

export { candidates, pieceTile };

/** @import { Move, Way } from './board/moves.js' */
/** @import { Geometry } from './board/layout.js' */
/** @import { Line } from './board/draw.js' */

/** @typedef {(key: string, params?: Record<string, string | number>) => string} Translate */
/** A move that was played: a Move or an entry of the history.
 * @typedef {{path: string[], captured: string[], promotes?: boolean}} Entry */

/** What the board is told; every property can be set by itself.
 * @typedef {object} BoardOptions
 * @property {Geometry | null} geometry
 * @property {string} position one letter a playing square, in the order of `geometry.squares`
 * @property {Move[]} moves the legal moves, none when the player is not to move
 * @property {Line | null} last the last move
 * @property {boolean} flip Black below
 * @property {boolean} face the far side's crowns turned, for two players at one screen
 * @property {'none' | 'edge' | 'all'} coords
 * @property {'always' | 'touched' | 'never'} duty when pieces that must capture are marked
 * @property {'turned' | 'flat'} pieces
 * @property {'at-end' | 'at-once'} removal when captured pieces leave the board
 * @property {'stops' | 'at-end' | 'at-once'} promotion when a man is crowned
 * @property {number} pace milliseconds a leg
 * @property {boolean} confirm touching a piece never plays, even if it has one move only
 * @property {{yours: Line | null, better: Line[]} | null} why a refused attempt, and what would be better
 * @property {Line | null} hint
 * @property {string[] | null} numbers the only squares whose numbers are printed
 * @property {boolean} readonly
 * @property {Translate} t
 */

/** The board's own words, for a page that gives it no others.
 * @type {Record<string, string>} */
const ENGLISH = {
  'board.label': 'Draughts board',
  'board.help': 'Arrow keys to move between squares, Enter to choose one, Escape to undo the last choice.',
  'board.empty': 'empty',
  'board.w': 'white man',
  'board.b': 'black man',
  'board.W': 'white king',
  'board.B': 'black king',
  'board.must': 'must capture {n}',
  'board.must-any': 'must capture',
  'board.end': 'the move ends here',
  'board.leg': 'the move goes on here',
  'board.picked': 'picked up',
};

/** @type {Translate} */
const english = (key, params = {}) => (ENGLISH[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(params[name] ?? ''));

/** @type {BoardOptions} */
const DEFAULTS = {
  geometry: null, position: '', moves: [], last: null, flip: false, face: false, coords: 'all', duty: 'touched', pieces: 'turned', removal: 'at-end',
  promotion: 'at-end', pace: 180, confirm: false, why: null, hint: null, numbers: null, readonly: false, t: english,
};

/** A move takes 1.2 seconds at most, however many legs it has: this, and the time in which captured pieces fade. */
const LONGEST_FLIGHT = 1080;
/** A pointer that moved less has tapped, not dragged. */
const DRAG_START = 5;
const FADE = 120;
const EASE = 'cubic-bezier(.3, .7, .2, 1)';

/** @param {number} ms */
const pause = ms => new Promise(done => setTimeout(done, ms));

/** @param {string} tag @param {Record<string, string | number>} attrs @param {Node[]} children @returns {HTMLElement} */
function html(tag, attrs, ...children) {
  const node = document.createElement(tag);
  for (const name in attrs) node.setAttribute(name, String(attrs[name]));
  node.append(...children);
  return node;
}

/** How many boards there are: each needs names of its own. */
let boards = 0;

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

class Board extends HTMLElement {
  static observedAttributes = ['data-figure'];

  #options = { ...DEFAULTS };
  #stale = { board: true, queued: false };
  /** @type {Layout | null} */ #layout = null;
  /** @type {Way[]} */ #ways = [];
  /** @type {string[]} */ #touched = [];
  /** The move that was sent and is not answered yet, or that is being shown; `at` counts its landings that the piece has visibly reached.
   * @type {Required<Entry> & {at: number, leaving?: boolean} | null} */
  #underway = null;
  /** Ends the showing of a move at once. @type {(() => void) | null} */ #finish = null;
  #wrongTouch = false;
  /** `fresh`: the piece was not in hand before. @type {{from: string, x: number, y: number, pointer: number, fresh: boolean, node: SVGElement | null} | null} */ #drag = null;
  #swallowClick = false;
  /** The square that is the one tab stop. */
  #focus = '';

  /** @type {Map<string, HTMLElement>} */ #cells = new Map();
  /** @type {Map<string, {node: SVGElement, look: string}>} */ #pieces = new Map();
  #under = el('g');
  #men = el('g');
  #marks = el('g');
  #over = el('g');
  #hand = el('g');
  #ground = el('svg.dm-ground', { 'aria-hidden': 'true' });
  #stage = el('svg.dm-stage', { 'aria-hidden': 'true' }, this.#under, this.#men, this.#marks, this.#over, this.#hand);
  #help = html('p', { id: `dm-help-${++boards}`, hidden: '' });
  #grid = html('div', { role: 'grid', class: 'dm-grid', 'aria-describedby': this.#help.id });
  #live = html('div', { role: 'status', 'aria-live': 'polite', class: 'dm-hidden' });

  constructor() {
    super();
    const grid = this.#grid;
    grid.addEventListener('click', event => this.#onClick(event));
    grid.addEventListener('keydown', event => this.#onKey(event));
    grid.addEventListener('contextmenu', event => this.#onMenu(event));
    grid.addEventListener('focusin', event => this.#roam(event.target));
    grid.addEventListener('pointerdown', event => this.#onDown(event));
    grid.addEventListener('pointermove', event => this.#onMove(event));
    grid.addEventListener('pointerup', event => this.#onUp(event));
    grid.addEventListener('pointercancel', () => this.#drop());
  }

  connectedCallback() {
    provideDefs();
    if (!this.firstChild) {
      const figure = this.hasAttribute('data-figure');
      if (figure) this.setAttribute('role', 'img');
      const field = html('div', { class: 'dm-field' }, this.#ground, this.#stage, ...figure ? [] : [this.#grid]);
      this.append(html('div', { class: 'dm-frame' }, field), ...figure ? [] : [this.#help, this.#live]);
    }
    this.#renderSoon();
  }

  disconnectedCallback() {
    this.#finish?.();
  }

  /** @param {string} _name @param {string | null} _old @param {string | null} value */
  attributeChangedCallback(_name, _old, value) {
    if (value) this.configure({ readonly: true, ...JSON.parse(value) });
  }

  /** All properties as they are. */
  get options() { return { ...this.#options }; }

  /** Sets several properties; the board is drawn once, in a microtask. @param {Partial<BoardOptions>} options */
  configure(options) {
    const has = (/** @type {(keyof BoardOptions)[]} */ ...names) => names.some(name => name in options);
    if (has('geometry', 'position')) this.#finish?.();
    Object.assign(this.#options, options);
    if (has('geometry', 'position', 'moves') && !this.#finish) this.#forget();
    this.#stale.board ||= has('geometry', 'flip', 'coords', 'numbers');
    this.#renderSoon();
  }

  /** Says a text to those who listen, even when it is the same as before. @param {string} text */
  announce(text) {
    this.#live.textContent = '';
    requestAnimationFrame(() => { this.#live.textContent = text; });
  }

  /** Plays a move before the player's eyes and ends on the position after it; a new position or a touch ends it sooner.
   * @param {Entry} entry @param {string} before @param {string} after @returns {Promise<void>} */
  play(entry, before, after) {
    this.#finish?.();
    const sent = this.#underway;
    const { path, captured, promotes = false } = entry;
    // What the player has shown with his own hand is not shown to him again.
    const same = sent?.path[0] === path[0] && sent.path.at(-1) === path.at(-1) && sent.captured.length === captured.length;
    Object.assign(this.#options, { position: before, moves: [], why: null, hint: null, last: null });
    this.#forget();
    const move = this.#underway = same ? sent : { path, captured, promotes, at: 1 };
    return new Promise(resolve => {
      const finish = () => {
        if (this.#finish !== finish) return;
        this.#finish = null;
        Object.assign(this.#options, { position: after, last: move });
        this.#forget();
        this.#render();
        resolve();
      };
      this.#finish = finish;
      this.#render();
      this.#fly(move, () => this.#finish === finish).then(finish);
    });
  }

  /** Flies the piece over the landings that are left, as long as nothing ends it. One animation holds all legs, so that a busy machine makes the move no longer.
   * @param {Required<Entry> & {at: number, leaving?: boolean}} move @param {() => boolean} goesOn */
  async #fly(move, goesOn) {
    const points = this.#layout?.on(move.path.slice(move.at - 1)) ?? [];
    const legs = points.length - 1;
    const leg = stillness.matches ? 0 : Math.min(this.#options.pace, LONGEST_FLIGHT / Math.max(1, legs));
    if (!leg) return;
    const begun = performance.now();
    const node = this.#take();
    if (legs) node.animate(points.map(s => ({ transform: `translate(${s.x}px, ${s.y}px)`, easing: EASE })), { duration: legs * leg, fill: 'forwards' });
    for (let i = 1; i <= legs; i++) {
      await pause(begun + i * leg - performance.now());
      if (!goesOn()) return;
      move.at++;
      node.replaceChildren(this.#inHand());
      this.#renderSoon();
    }
    if (!move.captured.length) return;
    move.leaving = true;
    this.#render();
    await pause(FADE);
  }

  // ---- Drawing

  #renderSoon() {
    if (this.#stale.queued) return;
    this.#stale.queued = true;
    queueMicrotask(() => this.#render());
  }

  #render() {
    this.#stale.queued = false;
    const { geometry, flip, moves, readonly } = this.#options;
    if (!this.isConnected || !geometry) return;
    if (this.#stale.board || !this.#layout) this.#build(this.#layout = new Layout(geometry, flip));
    this.#ways = readonly ? [] : waysOf(moves);
    this.#drawPieces(this.#layout);
    this.#drawMarks(this.#layout);
    if (this.hasAttribute('data-figure')) this.ariaLabel ??= this.#options.t('board.label');
    else this.#labelCells(this.#layout);
  }

  /** What stays as long as the board is the same. @param {Layout} layout */
  #build(layout) {
    this.#stale.board = false;
    const side = layout.size * UNIT;
    for (const svg of [this.#ground, this.#stage]) svg.setAttribute('viewBox', `0 0 ${side} ${side}`);
    this.dataset.size = String(layout.size);
    this.#grid.style.setProperty('--dm-size', String(layout.size));
    this.toggleAttribute('data-light', layout.light);
    this.#ground.replaceChildren(...draw.drawBoard(layout, this.#options.coords, this.#options.numbers));
    this.#pieces.clear();
    this.#men.replaceChildren();
    this.#cells.clear();
    const focused = this.#grid.contains(document.activeElement);
    this.#grid.setAttribute('aria-rowcount', String(layout.size));
    this.#grid.setAttribute('aria-colcount', String(layout.size));
    this.#grid.replaceChildren(...layout.rows.map((squares, row) => html('div', { role: 'row', 'aria-rowindex': row + 1 }, ...squares.map(s => {
      const cell = html('div', { role: 'gridcell', 'aria-colindex': s.col + 1, tabindex: -1, 'data-square': s.name });
      cell.style.gridColumn = String(s.col + 1);
      this.#cells.set(s.name, cell);
      return cell;
    }))));
    // The tab stop is at first on the row that is nearest to the player.
    if (!this.#cells.has(this.#focus)) this.#focus = layout.rows.at(-1)?.[0]?.name ?? '';
    const stop = this.#cells.get(this.#focus);
    stop?.setAttribute('tabindex', '0');
    if (focused) stop?.focus();
  }

  /** @param {string} letter */
  #piece(letter) {
    const { pieces, face, flip } = this.#options;
    return piece(letter, pieces === 'flat', face && letter === (flip ? 'W' : 'B'));
  }

  /** @param {string} name */
  #letter(name) {
    return this.#options.position[this.#layout?.squares.get(name)?.index ?? -1] ?? '-';
  }

  /** Rows nearer to the player lie over the rows behind them, so the order of drawing is the order of `rows`. @param {Layout} layout */
  #drawPieces(layout) {
    const { pieces, face } = this.#options;
    const wanted = layout.rows.flat().filter(s => this.#letter(s.name) !== '-');
    const names = new Set(wanted.map(s => s.name));
    for (const [name, { node }] of this.#pieces) if (!names.has(name)) {
      node.remove();
      this.#pieces.delete(name);
    }
    const states = this.#pieceStates();
    wanted.forEach((s, i) => {
      const letter = this.#letter(s.name);
      const look = letter + pieces + face;
      let known = this.#pieces.get(s.name);
      if (known?.look !== look) {
        known?.node.remove();
        known = { node: draw.place(s, this.#piece(letter)), look };
        this.#pieces.set(s.name, known);
      }
      known.node.setAttribute('class', states.get(s.name) ?? '');
      if (this.#men.children[i] !== known.node) this.#men.insertBefore(known.node, this.#men.children[i] ?? null);
    });
  }

  /** Pieces that are not simply there: the one in hand, captured ones, and those that an explanation draws itself. */
  #pieceStates() {
    const { why, removal } = this.#options;
    const { path, captured } = this.#carried();
    /** @type {Map<string, string>} */ const states = new Map();
    for (const name of [...path.slice(0, 1), ...this.#drag?.node ? [this.#drag.from] : [], ...why?.better[0]?.captured ?? []]) states.set(name, 'dm-gone');
    for (const name of captured) states.set(name, removal === 'at-once' || this.#underway?.leaving ? 'dm-leaving' : 'dm-taken');
    return states;
  }

  /** The part of a move that the piece has visibly made: `letter` is the piece as it is by then, crowned as soon as the rules say. */
  #carried() {
    const left = keep(this.#ways, this.#touched);
    const { path, captured, promotes, at } = this.#underway ?? { path: [], captured: [], ...left.at(0), promotes: left.every(w => w.move.promotes), at: walked(left, this.#touched).length };
    const letter = this.#letter(path[0]);
    const arrived = this.#underway && at >= path.length;
    const crowned = promotes && (arrived || this.#options.promotion === 'at-once' && at > (this.#layout?.crowning(path, letter === 'w') ?? at));
    return { path: path.slice(0, at), captured: captured.slice(0, Math.max(0, at - 1)), letter: crowned ? letter.toUpperCase() : letter, arrived };
  }

  /** What may be touched next. */
  #targets() {
    return targets(this.#underway ? [] : keep(this.#ways, this.#touched), this.#touched);
  }

  /** @param {Layout} layout */
  #drawMarks(layout) {
    const { last, why, hint } = this.#options;
    const carried = this.#carried();
    const path = layout.on(carried.path);
    const { ends, legs } = this.#targets();
    const shown = this.#underway ? carried : why ? null : last;
    const entry = this.#underway ? [] : path;
    this.#under.replaceChildren(...shown ? draw.drawLast(layout, shown) : [], ...entry.slice(0, 1).flatMap(draw.pickedMark));
    this.#marks.replaceChildren(
      ...entry.length > 1 ? draw.entryLine(entry) : [],
      ...layout.on(this.#duties()).flatMap(draw.dutyMark),
      ...layout.on([...legs]).flatMap(draw.legMark),
      ...layout.on([...ends]).flatMap(draw.endMark),
    );
    this.#over.replaceChildren(
      ...hint ? draw.drawHint(layout, hint) : [],
      ...why ? draw.drawWhy(layout, why, (name, extra = '', from = name) => layout.on(this.#letter(from) === '-' ? [] : [name])
        .map(s => draw.place(s, this.#piece(this.#letter(from)), extra))) : [],
    );
    // A piece that flies or is dragged moves by itself.
    if (this.#drag?.node || this.#finish && !carried.arrived) return;
    const end = path.at(-1);
    if (!end) return this.#hand.replaceChildren();
    const node = draw.place(end, this.#take());
    // A move that can end where the piece stands: the mark lies on the piece.
    if (ends.has(end.name)) node.append(...draw.endMark({ x: 0, y: 0 }));
  }

  /** The piece in hand, above everything else. */
  #take() {
    const node = el('g', {}, this.#inHand());
    this.#hand.replaceChildren(node);
    return node;
  }

  #inHand() {
    const { letter, arrived } = this.#carried();
    const node = this.#piece(letter === '-' && this.#drag ? this.#letter(this.#drag.from) : letter);
    if (!arrived) node.setAttribute('class', 'dm-lifted');
    return node;
  }

  /** Whether every legal move is a capture. */
  #mustCapture() {
    return this.#ways.length > 0 && this.#ways.every(w => w.captured.length > 0);
  }

  /** The pieces to be marked because they must capture. */
  #duties() {
    const { duty, why } = this.#options;
    const asked = duty === 'always' || duty === 'touched' && this.#wrongTouch;
    return asked && !why && !this.#touched.length && this.#mustCapture() ? [...new Set(this.#ways.map(w => w.path[0]))] : [];
  }

  /** @param {Layout} layout */
  #labelCells(layout) {
    const { t } = this.#options;
    this.#grid.setAttribute('aria-label', t('board.label'));
    this.#help.textContent = t('board.help');
    const { ends, legs } = this.#targets();
    const held = this.#carried().path.at(-1);
    const forced = this.#mustCapture();
    for (const { name } of layout.squares.values()) {
      const letter = this.#letter(name);
      const counts = [...new Set(this.#ways.filter(w => w.path[0] === name).map(w => w.captured.length))];
      const words = [name, t(letter === '-' ? 'board.empty' : `board.${letter}`)];
      if (held === name) words.push(t('board.picked'));
      else if (forced && counts.length) words.push(counts.length === 1 ? t('board.must', { n: counts[0] }) : t('board.must-any'));
      if (ends.has(name)) words.push(t('board.end'));
      else if (legs.has(name)) words.push(t('board.leg'));
      const cell = this.#cells.get(name);
      cell?.setAttribute('aria-label', words.join(', '));
      cell?.setAttribute('aria-selected', String(held === name));
      cell?.classList.toggle('dm-own', this.#isOwn(name));
      cell?.classList.toggle('dm-target', counts.length > 0 || ends.has(name) || legs.has(name));
    }
  }

  // ---- Input

  /** Whether a piece of the side to move stands there. @param {string} name */
  #isOwn(name) {
    return this.#ways.length > 0 && this.#letter(name).toLowerCase() === this.#letter(this.#ways[0].path[0]).toLowerCase();
  }

  /** Whose piece stands there, if any. @param {string} name */
  #whose(name) {
    if (this.#letter(name) === '-') return null;
    return this.#isOwn(name) ? 'own' : 'other';
  }

  #forget() {
    this.#touched = [];
    this.#underway = null;
    this.#wrongTouch = false;
    this.#letGo();
  }

  /** @param {string} type @param {unknown} [detail] */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(`damiera-${type}`, { bubbles: true, detail }));
  }

  /** @param {string} square @param {boolean} [dragged] */
  #touch(square, dragged = false) {
    this.#finish?.();
    if (!this.#ways.length || this.#underway) return;
    this.#unexplain();
    const outcome = touch(this.#ways, this.#touched, square, this.#whose(square), this.#options.confirm);
    this.#wrongTouch = false;
    if (outcome.do === 'play') this.#send(outcome.way, dragged ? outcome.way.path.length : Math.max(1, this.#carried().path.length));
    else {
      this.#touched = outcome.touched;
      if (outcome.do === 'wrong') this.#refuse(outcome.squares);
      else this.#tell();
    }
    this.#render();
  }

  /** @param {Way} way @param {number} at */
  #send({ move, path, captured }, at) {
    this.#touched = [];
    this.#underway = { path, captured, promotes: move.promotes, at };
    // The way that was shown is the one to be drawn as the last move.
    this.#emit('move', { ...move, path, captured });
  }

  /** Says how far the entry has come. */
  #tell() {
    const { path } = this.#carried();
    const squares = path.length ? path : this.#touched;
    if (squares.length) this.#emit('progress', { squares, text: squares.join('-') });
    else this.#emit('cancel');
  }

  /** @param {string[]} squares */
  #refuse(squares) {
    this.#wrongTouch = true;
    this.#emit('attempt', { squares });
  }

  #unexplain() {
    Object.assign(this.#options, { why: null, hint: null });
  }

  /** Takes the last touch back; with nothing touched, lets go of the explanation or the hint. Returns whether there was anything to take back. */
  #back() {
    const { why, hint } = this.#options;
    if (this.#underway || !this.#touched.length && !why && !hint) return false;
    this.#unexplain();
    this.#touched = this.#touched.slice(0, -1);
    this.#tell();
    this.#render();
    return true;
  }

  /** @param {MouseEvent} event */
  #onMenu(event) {
    if (this.#drag || this.#back()) event.preventDefault();
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    const square = this.#squareOf(event);
    if (square && !this.#swallowClick) this.#touch(square);
    this.#swallowClick = false;
  }

  /** @param {MouseEvent} event */
  #squareOf(event) {
    return event.target instanceof HTMLElement ? event.target.dataset.square : undefined;
  }

  /** @param {EventTarget | null} target */
  #roam(target) {
    const name = target instanceof HTMLElement ? target.dataset.square : undefined;
    if (!name) return;
    this.#cells.get(this.#focus)?.setAttribute('tabindex', '-1');
    this.#cells.get(name)?.setAttribute('tabindex', '0');
    this.#focus = name;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') this.#touch(this.#focus);
    else if (event.key === 'Escape' || event.key === 'Backspace') {
      if (!this.#back()) return;
    } else {
      const next = this.#layout?.step(this.#focus, event.key, event.ctrlKey);
      if (!next) return;
      this.#cells.get(next.name)?.focus();
    }
    event.preventDefault();
  }

  // ---- Dragging

  /** The point of the board under the pointer, in units. @param {PointerEvent} event */
  #point(event) {
    const { left, top, width } = this.#grid.getBoundingClientRect();
    const scale = (this.#layout?.size ?? 0) * UNIT / width;
    return { x: (event.clientX - left) * scale, y: (event.clientY - top) * scale };
  }

  /** @param {PointerEvent} event */
  #onDown(event) {
    this.#swallowClick = false;
    const from = this.#squareOf(event);
    if (!from || event.button || this.#drag || this.#underway && !this.#finish) return;
    this.#finish?.();
    const { path } = this.#carried();
    const held = from === path.at(-1);
    if (held || this.#isOwn(from) && from !== path[0]) {
      this.#drag = { from, x: event.clientX, y: event.clientY, pointer: event.pointerId, fresh: !held, node: null };
    }
  }

  /** @param {PointerEvent} event */
  #onMove(event) {
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    if (!drag.node) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_START) return;
      this.#grid.setPointerCapture(event.pointerId);
      this.classList.add('dm-dragging');
      this.#unexplain();
      // A piece that may not move is lifted all the same: putting it somewhere asks why.
      if (drag.fresh) this.#touched = keep(this.#ways, [drag.from]).length ? [drag.from] : [];
      drag.node = this.#take();
      this.#render();
    }
    draw.place(this.#point(event), drag.node);
  }

  /** @param {PointerEvent} event */
  #onUp(event) {
    if (this.#drag?.pointer !== event.pointerId) return;
    this.#swallowClick = Boolean(this.#drag.node);
    const { x, y } = this.#point(event);
    this.#drop(this.#layout?.at(Math.floor(y / UNIT), Math.floor(x / UNIT))?.name);
  }

  /** Lets go of the piece: on a square that some move touches, or elsewhere, which puts it back. @param {string} [name] */
  #drop(name) {
    const drag = this.#drag;
    this.#letGo();
    if (!drag?.node) return;
    const moved = name !== drag.from;
    if (name && moved && this.#touched.length && keep(this.#ways, [...this.#touched, name]).length) return this.#touch(name, true);
    const { path } = this.#carried();
    const refused = name && moved && !this.#isOwn(name) ? [...path.length ? path : [drag.from], name] : null;
    if (drag.fresh && moved) this.#touched = [];
    if (refused) this.#refuse(refused);
    else this.#tell();
    this.#render();
  }

  #letGo() {
    this.#drag = null;
    this.classList.remove('dm-dragging');
  }
}

/** The element with its properties. @typedef {Board & BoardOptions} DamieraBoard */

for (const name of Object.keys(DEFAULTS)) Object.defineProperty(Board.prototype, name, {
  /** @this {Board} */
  get() { return Reflect.get(this.options, name); },
  /** @this {Board} @param {unknown} value */
  set(value) { this.configure({ [name]: value }); },
});

customElements.define('damiera-board', Board);
