// <damiera-board>: draws a position and turns touches into one complete move. It knows no rules: it is told the legal moves and reports the player's wish.
import { el } from './board/svg.js';
import { piece, pieceTile, provideDefs } from './board/pieces.js';
import { Layout } from './board/layout.js';
import { candidates, keep, targets, touch, walked, waysOf } from './board/moves.js';
import * as draw from './board/draw.js';
import { english } from './board/words.js';

export { candidates, pieceTile };

/** @import { Move, Way } from './board/moves.js' */
/** @import { Geometry, Square } from './board/layout.js' */
/** @import { Line } from './board/draw.js' */
/** @import { Translate } from './board/words.js' */

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

/** @type {BoardOptions} */
const DEFAULTS = {
  geometry: null, position: '', moves: [], last: null, flip: false, face: false, coords: 'all', duty: 'touched', pieces: 'turned', removal: 'at-end',
  promotion: 'at-end', pace: 180, confirm: false, why: null, hint: null, numbers: null, readonly: false, t: english,
};

/** The whole of a move takes no longer, however many legs it has. */
const LONGEST_MOVE = 1200;
/** A pointer that moved less has tapped, not dragged. */
const DRAG_START = 5;
const FADE = 120;

/** @param {string} tag @param {Record<string, string | number>} attrs @param {Node[]} children @returns {HTMLElement} */
function html(tag, attrs, ...children) {
  const node = document.createElement(tag);
  for (const name in attrs) node.setAttribute(name, String(attrs[name]));
  node.append(...children);
  return node;
}

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

export class DamieraBoard extends HTMLElement {
  static observedAttributes = ['data-figure'];

  #options = { ...DEFAULTS };
  #stale = { board: true, queued: false };
  /** @type {Layout | null} */ #layout = null;
  /** @type {Way[]} */ #ways = [];
  /** @type {string[]} */ #touched = [];
  /** The way that was sent and is not answered yet; `at` counts its landings that the piece has visibly reached.
   * @type {{way: Way, at: number} | null} */
  #sent = null;
  #wrongTouch = false;
  /** @type {{from: string, x: number, y: number, node: SVGElement | null, fresh: boolean, pointer: number} | null} */ #drag = null;
  #swallowClick = false;
  /** The move that is being shown; `at` counts its landings that the piece has reached.
   * @type {Entry & {at: number, leaving: boolean} | null} */
  #flight = null;
  /** Ends that move at once. @type {(() => void) | null} */ #finish = null;
  #focus = '';

  /** @type {Map<string, HTMLElement>} */ #cells = new Map();
  /** @type {Map<string, {node: SVGElement, look: string}>} */ #pieces = new Map();
  #board = el('g');
  #under = el('g');
  #men = el('g');
  #marks = el('g');
  #over = el('g');
  #flying = el('g');
  #ground = el('svg.dm-ground', { 'aria-hidden': 'true' }, this.#board);
  #stage = el('svg.dm-stage', { 'aria-hidden': 'true' }, this.#under, this.#men, this.#marks, this.#over, this.#flying);
  #grid = html('div', { role: 'grid', class: 'dm-grid' });
  #help = html('p', { class: 'dm-hidden', hidden: '' });
  #live = html('div', { role: 'status', 'aria-live': 'polite', class: 'dm-hidden' });

  constructor() {
    super();
    // Properties that were set before the element was defined.
    for (const name of Object.keys(DEFAULTS)) if (Object.hasOwn(this, name)) {
      const value = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    this.#grid.addEventListener('click', event => this.#onClick(event));
    this.#grid.addEventListener('keydown', event => this.#onKey(event));
    this.#grid.addEventListener('contextmenu', event => this.#onMenu(event));
    this.#grid.addEventListener('focusin', event => this.#roam(event.target));
    this.#grid.addEventListener('pointerdown', event => this.#onDown(event));
    this.#grid.addEventListener('pointermove', event => this.#onMove(event));
    this.#grid.addEventListener('pointerup', event => this.#onUp(event));
    this.#grid.addEventListener('pointercancel', () => this.#drop(null));
  }

  connectedCallback() {
    provideDefs();
    if (!this.firstChild) {
      const frame = html('div', { class: 'dm-frame' }, html('div', { class: 'dm-field' }, this.#ground, this.#stage));
      if (this.hasAttribute('data-figure')) this.setAttribute('role', 'img');
      else {
        frame.firstElementChild?.append(this.#grid);
        this.#help.id = `dm-help-${Math.random().toString(36).slice(2)}`;
        this.#grid.setAttribute('aria-describedby', this.#help.id);
        this.append(this.#help, this.#live);
      }
      this.prepend(frame);
    }
    this.#renderSoon(true);
  }

  disconnectedCallback() {
    this.#finish?.();
  }

  /** @param {string} _name @param {string | null} _old @param {string | null} value */
  attributeChangedCallback(_name, _old, value) {
    if (value) this.configure({ readonly: true, ...JSON.parse(value) });
  }

  get geometry() { return this.#options.geometry; }
  set geometry(value) { this.configure({ geometry: value }); }
  get position() { return this.#options.position; }
  set position(value) { this.configure({ position: value }); }
  get moves() { return this.#options.moves; }
  set moves(value) { this.configure({ moves: value }); }
  get last() { return this.#options.last; }
  set last(value) { this.configure({ last: value }); }
  get flip() { return this.#options.flip; }
  set flip(value) { this.configure({ flip: value }); }
  get face() { return this.#options.face; }
  set face(value) { this.configure({ face: value }); }
  get coords() { return this.#options.coords; }
  set coords(value) { this.configure({ coords: value }); }
  get duty() { return this.#options.duty; }
  set duty(value) { this.configure({ duty: value }); }
  get pieces() { return this.#options.pieces; }
  set pieces(value) { this.configure({ pieces: value }); }
  get removal() { return this.#options.removal; }
  set removal(value) { this.configure({ removal: value }); }
  get promotion() { return this.#options.promotion; }
  set promotion(value) { this.configure({ promotion: value }); }
  get pace() { return this.#options.pace; }
  set pace(value) { this.configure({ pace: value }); }
  get confirm() { return this.#options.confirm; }
  set confirm(value) { this.configure({ confirm: value }); }
  get why() { return this.#options.why; }
  set why(value) { this.configure({ why: value }); }
  get hint() { return this.#options.hint; }
  set hint(value) { this.configure({ hint: value }); }
  get numbers() { return this.#options.numbers; }
  set numbers(value) { this.configure({ numbers: value }); }
  get readonly() { return this.#options.readonly; }
  set readonly(value) { this.configure({ readonly: value }); }
  get t() { return this.#options.t; }
  set t(value) { this.configure({ t: value }); }

  /** Sets several properties; the board is drawn once, in a microtask. @param {Partial<BoardOptions>} options */
  configure(options) {
    this.#options = { ...this.#options, ...options };
    if ('position' in options || 'geometry' in options) this.#finish?.();
    if ('position' in options || 'moves' in options || 'geometry' in options) this.#forget();
    this.#renderSoon('geometry' in options || 'flip' in options || 'coords' in options || 'numbers' in options);
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
    const sent = this.#sent;
    // What the player has shown with his own hand is not shown to him again.
    const seen = sent && sent.way.move.from === entry.path[0] && sent.way.move.to === entry.path.at(-1) && sent.way.captured.length === entry.captured.length;
    const { path, captured } = seen ? sent.way : entry;
    this.#options = { ...this.#options, position: before, moves: [], why: null, hint: null, last: null };
    this.#forget();
    this.#flight = { path, captured, promotes: Boolean(entry.promotes), at: seen ? sent.at : 1, leaving: false };
    this.#render();
    return new Promise(resolve => {
      const finish = () => {
        if (this.#finish !== finish) return;
        this.#finish = null;
        this.#flight = null;
        this.#options = { ...this.#options, position: after, last: { path, captured } };
        this.#forget();
        this.#render();
        resolve();
      };
      this.#finish = finish;
      this.#fly(() => this.#finish === finish).then(finish);
    });
  }

  /** Flies the legs of the move one by one, as long as nothing ends it. @param {() => boolean} goesOn */
  async #fly(goesOn) {
    const flight = this.#flight;
    const points = flight ? this.#layout?.on(flight.path) ?? [] : [];
    const legs = points.length - 1;
    const duration = stillness.matches ? 0 : Math.min(this.#options.pace, LONGEST_MOVE / Math.max(1, legs));
    if (!flight || !duration || legs < 1) return;
    for (; flight.at <= legs; flight.at++) {
      await this.#flyLeg(this.#letterOn(flight), points[flight.at - 1], points[flight.at], duration);
      if (!goesOn()) return;
      this.#renderSoon(false);
    }
    if (!flight.captured.length) return;
    flight.leaving = true;
    this.#render();
    await new Promise(done => setTimeout(done, FADE));
  }

  /** @param {string} letter @param {Square} from @param {Square} to @param {number} duration */
  #flyLeg(letter, from, to, duration) {
    const node = el('g', {}, this.#inHand(letter, true));
    this.#flying.replaceChildren(node);
    const steps = [from, to].map(s => ({ transform: `translate(${s.x}px, ${s.y}px)` }));
    return node.animate(steps, { duration, easing: 'cubic-bezier(.3, .7, .2, 1)', fill: 'forwards' }).finished;
  }

  // ---- Drawing

  /** @param {boolean} board whether the board itself has changed */
  #renderSoon(board) {
    this.#stale.board ||= board;
    if (this.#stale.queued) return;
    this.#stale.queued = true;
    queueMicrotask(() => this.#render());
  }

  #render() {
    this.#stale.queued = false;
    const { geometry, flip, coords, numbers } = this.#options;
    if (!this.isConnected || !geometry) return;
    if (this.#stale.board || !this.#layout) {
      this.#layout = new Layout(geometry, flip);
      const side = this.#layout.size * 100;
      for (const svg of [this.#ground, this.#stage]) svg.setAttribute('viewBox', `0 0 ${side} ${side}`);
      this.dataset.size = String(this.#layout.size);
      this.toggleAttribute('data-light', this.#layout.light);
      this.#board.replaceChildren(...draw.drawBoard(this.#layout, coords, numbers));
      this.#pieces.clear();
      this.#men.replaceChildren();
      this.#buildGrid(this.#layout);
      this.#stale.board = false;
    }
    this.#ways = this.#options.readonly ? [] : waysOf(this.#options.moves);
    this.#drawPieces(this.#layout);
    this.#drawMarks(this.#layout);
    this.#labelCells(this.#layout);
  }

  /** @param {Layout} layout */
  #buildGrid(layout) {
    this.#cells.clear();
    this.#grid.setAttribute('aria-rowcount', String(layout.size));
    this.#grid.setAttribute('aria-colcount', String(layout.size));
    this.#grid.replaceChildren(...layout.rows.map((squares, row) => html('div', { role: 'row', 'aria-rowindex': row + 1 }, ...squares.map(s => {
      const cell = html('div', { role: 'gridcell', 'aria-colindex': s.col + 1, tabindex: -1, 'data-square': s.name });
      cell.style.gridColumn = String(s.col + 1);
      this.#cells.set(s.name, cell);
      return cell;
    }))));
    // The one tab stop is at first on the row that is nearest to the player.
    if (!this.#cells.has(this.#focus)) this.#focus = layout.rows.at(-1)?.[0]?.name ?? '';
    this.#cells.get(this.#focus)?.setAttribute('tabindex', '0');
  }

  /** @param {string} letter */
  #piece(letter) {
    const { pieces, face, flip } = this.#options;
    return piece(letter, pieces === 'flat', face && letter === (flip ? 'W' : 'B'));
  }

  /** @param {string} name */
  #letter(name) {
    const square = this.#layout?.squares.get(name);
    return square ? this.#options.position[square.index] ?? '-' : '-';
  }

  /** Rows nearer to the player lie over the rows behind them, so the order of drawing is the order of `rows`. @param {Layout} layout */
  #drawPieces(layout) {
    const { pieces, face, flip } = this.#options;
    const wanted = layout.rows.flat().filter(s => this.#letter(s.name) !== '-');
    const names = new Set(wanted.map(s => s.name));
    for (const [name, { node }] of this.#pieces) if (!names.has(name)) {
      node.remove();
      this.#pieces.delete(name);
    }
    const states = this.#pieceStates();
    wanted.forEach((s, i) => {
      const letter = this.#letter(s.name);
      const look = `${letter}${pieces}${face}${flip}`;
      let known = this.#pieces.get(s.name);
      if (known?.look !== look) {
        known?.node.remove();
        known = { node: draw.place(s, this.#piece(letter)), look };
        this.#pieces.set(s.name, known);
      }
      known.node.setAttribute('class', `dm-piece ${states.get(s.name) ?? ''}`);
      if (this.#men.children[i] !== known.node) this.#men.insertBefore(known.node, this.#men.children[i] ?? null);
    });
  }

  /** Pieces that are not simply there: the one in hand, captured ones, and those that an explanation draws itself. @returns {Map<string, string>} */
  #pieceStates() {
    const { why, removal } = this.#options;
    /** @type {Map<string, string>} */ const states = new Map();
    for (const name of why?.better[0]?.captured ?? []) states.set(name, 'dm-gone');
    const { path, captured } = this.#carried();
    if (path.length) states.set(path[0], 'dm-gone');
    const captureState = removal === 'at-once' || this.#flight?.leaving ? 'dm-leaving' : 'dm-taken';
    for (const name of captured) states.set(name, captureState);
    return states;
  }

  /** The part of a move that the piece in hand, or in flight, has visibly made. @returns {{path: string[], captured: string[], promotes: boolean, done: boolean}} */
  #carried() {
    /** @param {Entry} entry @param {number} at */
    const part = ({ path, captured, promotes }, at) =>
      ({ path: path.slice(0, at), captured: captured.slice(0, Math.max(0, at - 1)), promotes: Boolean(promotes), done: at >= path.length });
    if (this.#flight) return part(this.#flight, this.#flight.at);
    if (this.#sent) return part({ ...this.#sent.way, promotes: this.#sent.way.move.promotes }, this.#sent.at);
    const left = keep(this.#ways, this.#touched);
    const path = walked(left, this.#touched);
    if (!path.length) return { path, captured: [], promotes: false, done: false };
    return { ...part({ ...left[0], promotes: left.every(w => w.move.promotes) }, path.length), done: false };
  }

  /** The letter of the piece on its way: crowned as soon as the rules say. @param {{path: string[], promotes?: boolean, at?: number, done?: boolean}} way */
  #letterOn({ path, promotes, at = path.length, done = false }) {
    const letter = this.#letter(path[0]);
    const atOnce = this.#options.promotion === 'at-once' && at > (this.#layout?.crowning(path, letter === 'w') ?? Infinity);
    return promotes && (done || atOnce) ? letter.toUpperCase() : letter;
  }

  /** @param {Layout} layout */
  #drawMarks(layout) {
    const { last, why, hint } = this.#options;
    const carried = this.#carried();
    const path = layout.on(carried.path);
    const entering = !this.#flight && !this.#sent;
    const left = entering ? keep(this.#ways, this.#touched) : [];
    const { ends, legs } = targets(left, this.#touched);
    this.#under.replaceChildren(...last && !why ? draw.drawLast(layout, last) : [], ...path.slice(0, 1).flatMap(draw.pickedMark));
    this.#marks.replaceChildren(
      ...path.length > 1 ? draw.entryLine(path) : [],
      ...layout.on(this.#duties()).flatMap(draw.dutyMark),
      ...layout.on([...legs]).flatMap(draw.legMark),
      ...layout.on([...ends]).flatMap(draw.endMark),
    );
    this.#over.replaceChildren(
      ...hint ? draw.drawHint(layout, hint) : [],
      ...why ? draw.drawWhy(layout, why, (name, extra, from = name) => layout.on(this.#letter(from) === '-' ? [] : [name])
        .map(s => draw.place(s, this.#piece(this.#letter(from)), extra))) : [],
    );
    // A leg that is being flown moves by itself.
    if (this.#flight && !carried.done) return;
    const end = path.at(-1);
    if (end) this.#flying.replaceChildren(el('g', { transform: `translate(${end.x} ${end.y})` }, this.#inHand(this.#letterOn(carried), entering)));
    else this.#flying.replaceChildren();
  }

  /** @param {string} letter @param {boolean} lifted */
  #inHand(letter, lifted) {
    const node = this.#piece(letter);
    node.setAttribute('class', lifted ? 'dm-piece dm-lifted' : 'dm-piece');
    return node;
  }

  /** Whether every legal move is a capture. */
  #mustCapture() {
    return this.#ways.length > 0 && this.#ways.every(w => w.captured.length > 0);
  }

  /** The pieces to be marked because they must capture. @returns {string[]} */
  #duties() {
    const { duty, why } = this.#options;
    const asked = duty === 'always' || duty === 'touched' && this.#wrongTouch;
    return asked && !why && !this.#touched.length && this.#mustCapture() ? [...new Set(this.#ways.map(w => w.path[0]))] : [];
  }

  /** @param {Layout} layout */
  #labelCells(layout) {
    const { t } = this.#options;
    if (this.hasAttribute('data-figure')) {
      if (!this.hasAttribute('aria-label')) this.setAttribute('aria-label', t('board.label'));
      return;
    }
    this.#grid.setAttribute('aria-label', t('board.label'));
    this.#help.textContent = t('board.help');
    const { ends, legs } = targets(this.#sent ? [] : keep(this.#ways, this.#touched), this.#touched);
    const held = this.#carried().path.at(-1);
    const forced = this.#mustCapture();
    for (const { name } of layout.squares.values()) {
      const cell = this.#cells.get(name);
      const letter = this.#letter(name);
      const counts = new Set(this.#ways.filter(w => w.path[0] === name).map(w => w.captured.length));
      const words = [name, t(letter === '-' ? 'board.empty' : `board.${letter}`)];
      if (held === name) words.push(t('board.picked'));
      else if (forced && counts.size) words.push(counts.size === 1 ? t('board.must', { n: [...counts][0] }) : t('board.must-any'));
      if (ends.has(name)) words.push(t('board.end'));
      else if (legs.has(name)) words.push(t('board.leg'));
      cell?.setAttribute('aria-label', words.join(', '));
      cell?.setAttribute('aria-selected', String(held === name));
      cell?.classList.toggle('dm-own', this.#isOwn(name));
      cell?.classList.toggle('dm-target', counts.size > 0 || ends.has(name) || legs.has(name));
    }
  }

  // ---- Input

  /** Whether a piece of the side to move stands there. @param {string} name */
  #isOwn(name) {
    const mover = this.#ways.length ? this.#letter(this.#ways[0].path[0]).toLowerCase() : '';
    return this.#letter(name).toLowerCase() === mover && mover !== '-';
  }

  #forget() {
    this.#touched = [];
    this.#sent = null;
    this.#wrongTouch = false;
    this.#dropNode();
  }

  /** @param {string} type @param {unknown} [detail] */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(`damiera-${type}`, { bubbles: true, detail }));
  }

  /** @param {string} square @param {boolean} dragged */
  #touch(square, dragged = false) {
    this.#finish?.();
    if (!this.#ways.length || this.#sent) return;
    if (this.#options.why || this.#options.hint) this.#options = { ...this.#options, why: null, hint: null };
    const outcome = touch(this.#ways, this.#touched, square, this.#isOwn(square), this.#options.confirm);
    if (outcome.do === 'play') this.#send(outcome.way, dragged ? outcome.way.path.length : Math.max(1, this.#carried().path.length));
    else {
      const before = this.#touched.length;
      this.#touched = outcome.touched;
      this.#wrongTouch = false;
      if (outcome.do === 'wrong') this.#refuse(outcome.squares);
      else this.#tellProgress(before);
    }
    this.#render();
  }

  /** @param {Way} way @param {number} at */
  #send(way, at) {
    this.#touched = [];
    this.#sent = { way, at };
    // The path that was shown is the one to be drawn as the last move.
    this.#emit('move', { ...way.move, path: way.path, captured: way.captured });
  }

  /** @param {number} before how many squares had been touched */
  #tellProgress(before) {
    const squares = this.#carried().path;
    if (this.#touched.length) this.#emit('progress', { squares: squares.length ? squares : this.#touched, text: (squares.length ? squares : this.#touched).join('-') });
    else if (before) this.#emit('cancel');
  }

  /** Takes the last touch back; with nothing touched, lets go of the explanation or the hint. @returns {boolean} whether there was anything to take back */
  #back() {
    const before = this.#touched.length;
    const shown = this.#options.why || this.#options.hint;
    if (!before && !shown || this.#sent) return false;
    if (before) this.#touched = this.#touched.slice(0, -1);
    else this.#options = { ...this.#options, why: null, hint: null };
    if (before) this.#tellProgress(before);
    else this.#emit('cancel');
    this.#render();
    return true;
  }

  /** @param {MouseEvent} event */
  #onMenu(event) {
    if (this.#drag?.node || this.#back()) event.preventDefault();
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    if (this.#swallowClick) {
      this.#swallowClick = false;
      return;
    }
    const square = this.#squareOf(event);
    if (square) this.#touch(square);
  }

  /** @param {MouseEvent} event */
  #squareOf(event) {
    const cell = event.target instanceof Element ? event.target.closest('[data-square]') : null;
    return cell?.getAttribute('data-square') ?? this.#squareAt(event)?.name;
  }

  /** @param {MouseEvent} event @returns {Square | undefined} */
  #squareAt(event) {
    const { left, top, width } = this.#grid.getBoundingClientRect();
    const unit = width / (this.#layout?.size ?? 1);
    return this.#layout?.at(Math.floor((event.clientY - top) / unit), Math.floor((event.clientX - left) / unit));
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
    const square = this.#layout?.squares.get(this.#focus);
    if (!square || !this.#layout || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') this.#touch(square.name);
    else if (event.key === 'Escape' || event.key === 'Backspace') {
      if (!this.#back()) return;
    } else {
      const next = this.#layout.step(square, event.key, event.ctrlKey);
      if (next === square) {
        if (/^(Arrow|Home|End)/.test(event.key)) event.preventDefault();
        return;
      }
      this.#cells.get(next.name)?.focus();
    }
    event.preventDefault();
  }

  // ---- Dragging

  /** @param {PointerEvent} event */
  #onDown(event) {
    this.#swallowClick = false;
    const name = this.#squareOf(event);
    if (!name || event.button || this.#drag || this.#sent || !this.#ways.length) return;
    const held = this.#carried().path.at(-1);
    if (name === held || this.#isOwn(name) && !(held && this.#carried().path[0] === name)) {
      this.#drag = { from: name, x: event.clientX, y: event.clientY, node: null, fresh: false, pointer: event.pointerId };
    }
  }

  /** @param {PointerEvent} event */
  #onMove(event) {
    const drag = this.#drag;
    if (!drag || drag.pointer !== event.pointerId) return;
    if (!drag.node) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_START) return;
      this.#grid.setPointerCapture(event.pointerId);
      this.#lift(drag);
    }
    const { left, top, width } = this.#grid.getBoundingClientRect();
    const unit = width / ((this.#layout?.size ?? 1) * 100);
    drag.node?.setAttribute('transform', `translate(${(event.clientX - left) / unit} ${(event.clientY - top) / unit})`);
  }

  /** Takes the piece up: what was touched stays if it is the piece that is carried already. @param {{from: string, fresh: boolean, node: SVGElement | null}} drag */
  #lift(drag) {
    drag.fresh = this.#carried().path.at(-1) !== drag.from;
    if (drag.fresh) this.#touched = keep(this.#ways, [drag.from]).length ? [drag.from] : [];
    this.#options = { ...this.#options, why: null, hint: null };
    this.#render();
    if (!this.#touched.length) {
      // A piece that may not move is lifted all the same: putting it somewhere asks why.
      this.#pieces.get(drag.from)?.node.classList.add('dm-gone');
      this.#flying.replaceChildren(el('g', {}, this.#inHand(this.#letter(drag.from), true)));
    }
    drag.node = /** @type {SVGElement | null} */ (this.#flying.firstElementChild);
    this.classList.add('dm-dragging');
  }

  /** @param {PointerEvent} event */
  #onUp(event) {
    if (this.#drag?.pointer !== event.pointerId) return;
    this.#swallowClick = Boolean(this.#drag.node);
    this.#drop(this.#squareAt(event)?.name ?? null);
  }

  /** Lets go of the piece: on a square that some move touches, or elsewhere, which puts it back. @param {string | null} name */
  #drop(name) {
    const drag = this.#drag;
    this.#dropNode();
    if (!drag?.node) return;
    const touched = this.#touched;
    const fits = name && keep(this.#ways, [...touched, name]).length > 0;
    if (name && name !== drag.from) {
      if (touched.length && (fits || !this.#isOwn(name))) this.#touch(name, true);
      else if (!touched.length) this.#refuse([drag.from, name]);
    }
    if (drag.fresh && !fits && !this.#sent && name !== drag.from) this.#touched = [];
    this.#render();
  }

  /** @param {string[]} squares */
  #refuse(squares) {
    this.#wrongTouch = true;
    this.#emit('attempt', { squares });
  }

  #dropNode() {
    this.#drag = null;
    this.classList.remove('dm-dragging');
  }
}

customElements.define('damiera-board', DamieraBoard);
