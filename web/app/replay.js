// One game of a file: the board, the moves with their variations and comments, what was found in it, and its own text.
import { pieceTile } from '../board.js';
import { Source, findingList } from './doctor.js';
import { $, fill, h, icon, svg } from './dom.js';
import { nameOf } from './facts.js';
import { childrenOf, clockText, evalText, label, moveText, nagWords, played, resultText } from './movetext.js';
import { prefs } from './prefs.js';
import * as shelf from './shelf.js';
import { has, lang, t } from './words.js';

/** @import { DamieraBoard } from '../board.js' */
/** @import { Side } from './link.js' */
/** @import { Finding, Game, Node } from './shelf.js' */
/** @import { App } from './table.js' */

/** When the game plays itself, a position is looked at for so long. */
const PACE = 1000;
/** A finger that went so far sideways, in pixels, and not as far up or down, has turned the page. */
const SWIPE = 40;
/** So much of what is said about a move is read out with it, in characters; all of it stands beside the board. */
const SPOKEN = 400;
/** How many tags beside the players' names are shown. */
const TAGS = 24;

const DRAWINGS = {
  first: 'M6 5v14M19 5l-9 7 9 7z',
  back: 'M17 5l-9 7 9 7z',
  play: 'M8 5l10 7-10 7z',
  pause: 'M8 5v14M16 5v14',
  forward: 'M7 5l9 7-9 7z',
  last: 'M18 5v14M5 5l9 7-9 7z',
  flip: 'M7 4v16M3.5 7.5L7 4l3.5 3.5M17 20V4M13.5 16.5L17 20l3.5-3.5',
};

/** @param {keyof typeof DRAWINGS} name */
const drawing = name => svg('0 0 24 24', `<path d="${DRAWINGS[name]}"/>`, 'i');

/** A name in a place that holds nothing but text, such as the title of the window: it runs in its own direction and does not turn round what follows. @param {string} text */
const isolated = text => `\u2068${text}\u2069`;

export class Replay {
  /** The node on the board. */
  at = 0;
  flip = false;
  /** Moves, or the text of the file. @type {'moves' | 'text'} */ shown = 'moves';
  /** The game playing itself, from its start to its stop, and the timer of the next move. @type {{timer: ReturnType<typeof setTimeout>} | undefined} */ playing = undefined;
  /** @type {HTMLElement | null} */ main = null;

  /** @param {string} id of the file @param {Game} game @param {App} app */
  constructor(id, game, app) {
    this.id = id;
    this.game = game;
    this.app = app;
    this.children = childrenOf(game.nodes);
    this.board = /** @type {DamieraBoard} */ (document.createElement('damiera-board'));
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    // Where no move could be read, the text says more.
    if (game.nodes.length < 2 && game.findings.some(finding => finding.grade === 'fault')) this.shown = 'text';
  }

  /** @param {string} name */
  tag(name) {
    return this.game.tags.find(([other]) => other === name)?.[1] ?? '';
  }

  get node() {
    return this.game.nodes[this.at];
  }

  // ---- Coming and going

  /** @param {HTMLElement} main */
  mount(main) {
    this.main = main;
    const asked = this.asked(location.hash.slice(1));
    // An address without a position is that of the game, wherever in it one was; a position that is not there is none.
    if (location.hash) this.at = this.game.nodes[asked] ? asked : 0;
    document.body.className = 'ingame';
    document.title = `${isolated(this.tag('White') || '?')} – ${isolated(this.tag('Black') || '?')} · Damiera`;
    main.className = 'replay';
    this.build(main);
    addEventListener('keydown', this.onKey);
  }

  /** The node that an address asks for: by its number, or after so many plies of the game as it was played. @param {string} hash */
  asked(hash) {
    if (!hash.startsWith('ply')) return Number(hash);
    let node = 0;
    for (let left = Number(hash.slice(3)); left > 0; left--) {
      const next = played(this.game.nodes, this.children, node);
      if (next === undefined) break;
      node = next;
    }
    return node;
  }

  unmount() {
    this.stop();
    removeEventListener('keydown', this.onKey);
    this.main = null;
  }

  /** @param {HTMLElement} main */
  build(main) {
    const { rules } = this.game;
    const near = /** @type {Side} */ (this.flip ? 'black' : 'white');
    const far = this.flip ? 'white' : 'black';
    this.source = new Source(this.game, line => this.lookAtLine(line));
    this.moves = h('div.moves', { role: 'group', 'aria-label': t('page.moves') }, ...moveText(this.game, this.children, id => this.look(id)),
      this.game.node_count > this.game.nodes.length && h('p', {}, t('page.games.longer', { n: this.game.nodes.length })));
    this.now = h('div.card.say');
    this.told = h('p.copied', { role: 'status' });
    const wrap = h('div.bwrap', {}, this.board);
    this.swipe(wrap);
    fill(main, h('h1.vh', {}, this.tag('White') || '?', ' – ', this.tag('Black') || '?'), h('div.play', {},
      this.seat(far, 'only-s.far'), wrap, this.seat(near, 'only-s.near'),
      h('section.talk', { 'aria-label': t('page.games.about-game') }, this.crumbs(), this.now, this.findings(), this.card()),
      h('section.game', { 'aria-label': t('page.moves') }, this.seat(far, 'far'), this.switch(), this.moves, this.source.node, this.controls(), this.seat(near, 'near'))));
    this.board.configure({
      geometry: rules.board, readonly: true, flip: this.flip, t, coords: /** @type {any} */ (prefs.coords), pieces: /** @type {any} */ (prefs.pieces),
      removal: /** @type {any} */ (rules.facts.removal), promotion: /** @type {any} */ (rules.facts.promotion),
    });
    this.turnTo(this.shown);
    this.show();
  }

  /** Back to the file, and on to its other games. */
  crumbs() {
    const { number, games, file } = this.game;
    /** @param {number} n @param {string} key @param {string} sign */
    const to = (n, key, sign) => n >= 1 && n <= games && h('a.icon', { href: `/games/${this.id}/${n}`, 'aria-label': t(key) }, sign);
    return h('nav.crumbs', { 'aria-label': t('page.games') }, h('a.back', { href: `/games/${this.id}` }, icon('back'), h('bdi', {}, file)),
      games > 1 && h('span', {}, to(number - 1, 'page.games.previous', '‹'), h('span.num', {}, t('page.of', { n: number, m: games })), to(number + 1, 'page.games.next', '›')));
  }

  /** @param {Side} side @param {string} names class names */
  seat(side, names) {
    const tile = pieceTile(side === 'white' ? 'w' : 'b', prefs.pieces === 'flat');
    return h(`div.seat.${names}`, { 'data-seat': side }, tile, h('div.who', {}, h('b', {}, h('bdi', {}, this.tag(side === 'white' ? 'White' : 'Black') || t(`page.${side}`))), h('span.num')));
  }

  findings() {
    const { findings, finding_count: count } = this.game;
    const faults = findings.filter(finding => finding.grade === 'fault').length;
    return h('section.card.doctor', { 'aria-label': t('page.games.doctor') }, h('h2', {}, t('page.games.doctor')),
      count > 0 && h('p.marks', {}, [count - faults > 0 && t('page.games.repairs', { n: count - faults }), faults > 0 && t('page.games.faults', { n: faults })].filter(Boolean).join(' · ')),
      findingList(this.game, finding => this.goTo(finding)));
  }

  /** Who, where, when; and what can be done with it. */
  card() {
    const { tags, result, rules, basis, number } = this.game;
    const others = tags.filter(([name, value]) => name !== 'White' && name !== 'Black' && !/^[?.]+$/.test(value)).slice(0, TAGS);
    /** @param {string} name */
    const tagName = name => has(`page.games.tag.${name.toLowerCase()}`) ? t(`page.games.tag.${name.toLowerCase()}`) : name;
    /** @param {string} key @param {() => void} act */
    const button = (key, act) => h('button.btn', { type: 'button', click: act }, t(key));
    return h('div.card.info', {}, h('h2', {}, t('page.games.about-game')), h('dl.facts', {},
      ...others.flatMap(([name, value]) => [h('dt', {}, h('bdi', {}, tagName(name))), h('dd', {}, h('bdi', {}, value))]),
      h('dt', {}, t('page.games.result')), h('dd.num', {}, resultText(result)),
      h('dt', {}, t('page.rules')), h('dd', {}, h('a', { href: `/${lang}/rules/${rules.key}` }, nameOf(rules)), basis === 'moves' && h('small', {}, t('page.games.basis.moves')))),
      h('div.row', {}, h('a.btn.main', { href: shelf.pdnPath(this.id, number), download: '' }, t('page.games.save')),
        button('page.games.copy', () => this.copy(shelf.pdn(this.id, number))), button('page.games.link', () => this.copy(location.href)),
        button('page.games.fen', () => this.copy(this.node.fen)), button('page.games.from', () => this.playFrom()), button('page.games.alike', () => this.searchPosition())),
      this.told);
  }

  /** Moves or text. */
  switch() {
    /** @param {'moves' | 'text'} value @param {string} key */
    const choice = (value, key) => h('label', {}, h('input', { type: 'radio', name: 'shown', value, checked: this.shown === value, change: () => this.turnTo(value) }), h('span', {}, t(key)));
    return h('div.seg', { role: 'radiogroup', 'aria-label': t('page.games.shown') }, choice('moves', 'page.moves'), choice('text', 'page.games.text'));
  }

  /** @param {'moves' | 'text'} value */
  turnTo(value) {
    this.shown = value;
    if (this.moves) this.moves.hidden = value !== 'moves';
    if (this.source) this.source.node.hidden = value !== 'text';
    const radio = /** @type {HTMLInputElement | null} */ ($(`[name=shown][value=${value}]`, this.main ?? undefined));
    if (radio) radio.checked = true;
    // What is hidden cannot be scrolled to its place before.
    this.markMove();
    this.source?.mark(this.at ? this.node.place : null);
  }

  controls() {
    /** @param {keyof typeof DRAWINGS} act */
    const button = act => h('button.act', { type: 'button', 'data-do': act, click: () => this.act(act) }, drawing(act), h('span', {}, t(`page.games.${act}`)));
    return h('div.acts', {}, button('first'), button('back'), button('play'), button('forward'), button('last'), button('flip'));
  }

  // ---- Going through the game

  /** @param {string} act */
  act(act) {
    if (act === 'flip') return this.turnRound();
    if (act === 'play') return this.playing === undefined ? this.play() : this.stop();
    const to = this.to(act);
    if (to !== undefined) this.look(to);
  }

  /** Where a button leads. @param {string} act @returns {number | undefined} */
  to(act) {
    const { nodes } = this.game;
    if (act === 'back') return this.node.parent;
    if (act === 'forward') return this.children[this.at][0];
    if (act === 'first') return this.at ? 0 : undefined;
    let last = this.at;
    for (let next = played(nodes, this.children, last); next !== undefined; next = played(nodes, this.children, last)) last = next;
    return last === this.at ? undefined : last;
  }

  /** Looks at a position; a move from the one before is shown as a move. @param {number} id @param {boolean} [goesOn] the game plays itself */
  async look(id, goesOn = false) {
    if (!goesOn) this.stop();
    const { nodes } = this.game;
    const from = this.at;
    this.at = id;
    const { parent, move } = nodes[id];
    history.replaceState(null, '', location.pathname + (id ? `#${id}` : ''));
    this.announce();
    if (move && parent === from) {
      this.draw();
      await this.board.play({ captured: [], ...move }, nodes[from].board, nodes[id].board);
    } else this.show();
  }

  /** Shows the position as it is. */
  show() {
    const { board, move } = this.node;
    this.board.configure({ position: board, last: move ?? null });
    this.draw();
  }

  play() {
    const step = async () => {
      const next = this.to('forward');
      if (next === undefined) return this.stop();
      await this.look(next, true);
      // Whoever stopped it meanwhile has stopped it, even when it plays again by now.
      if (this.playing === run) run.timer = setTimeout(step, PACE);
    };
    const run = this.playing = { timer: setTimeout(step, 0) };
    this.drawControls();
  }

  stop() {
    clearTimeout(this.playing?.timer);
    this.playing = undefined;
    this.drawControls();
  }

  /** The other side below. */
  turnRound() {
    this.stop();
    this.flip = !this.flip;
    if (this.main) this.build(this.main);
    $('[data-do=flip]', this.main ?? undefined)?.focus();
  }

  /** To what a finding is about: the move on the board, its line in the text. @param {Finding} finding */
  goTo(finding) {
    if (this.game.nodes[finding.node]) this.look(finding.node);
    this.turnTo('text');
    this.source?.show(finding);
  }

  /** To the first move of a line of the text, or the last one before it. @param {number} line */
  lookAtLine(line) {
    const { nodes } = this.game;
    const first = nodes.find(node => node.id > 0 && node.place.line === line) ?? nodes.findLast(node => node.id > 0 && node.place.line < line) ?? nodes[0];
    this.look(first.id);
  }

  /** Arrow keys go through the game wherever they mean nothing else. @param {KeyboardEvent} event */
  key(event) {
    const { target } = event;
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!(target instanceof Element) || target.closest('input, textarea, select, [role=grid], .source, [popover]')) return;
    const inMoves = this.moves?.contains(target) ?? false;
    const siblings = this.node.parent === undefined ? [] : this.children[this.node.parent];
    const beside = (/** @type {number} */ way) => siblings[siblings.indexOf(this.at) + way];
    /** @type {Record<string, number | undefined>} */
    const to = { ArrowLeft: this.to('back'), ArrowRight: this.to('forward'), Home: this.to('first'), End: this.to('last'), ...inMoves && { ArrowUp: beside(-1), ArrowDown: beside(1) } };
    if (!(event.key in to)) return;
    event.preventDefault();
    const id = to[event.key];
    if (id === undefined) return;
    this.look(id);
    if (inMoves) ($(`[data-node="${id}"]`, this.moves) ?? $('[data-node][tabindex="0"]', this.moves))?.focus({ preventScroll: true });
  }

  /** A finger drawn over the board turns the page. @param {HTMLElement} wrap */
  swipe(wrap) {
    /** @type {{x: number, y: number} | null} */ let from = null;
    wrap.addEventListener('touchstart', event => {
      const [touch] = event.touches;
      from = event.touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null;
    }, { passive: true });
    wrap.addEventListener('touchend', event => {
      const [touch] = event.changedTouches;
      if (!from) return;
      const [across, along] = [touch.clientX - from.x, touch.clientY - from.y];
      from = null;
      if (Math.abs(across) < SWIPE || Math.abs(along) > Math.abs(across) / 2) return;
      this.act(across < 0 ? 'forward' : 'back');
    }, { passive: true });
  }

  // ---- What is drawn anew with every position

  announce() {
    const { move, side, comments = [] } = this.node;
    const words = move ? `${t(`page.${side}`)}: ${move.path.join(move.captured ? '×' : '-')}` : this.at ? t('page.games.setup') : t('page.past.start');
    this.board.announce([words, ...comments].join('. ').slice(0, SPOKEN));
  }

  draw() {
    this.drawNow();
    this.drawControls();
    this.drawSeats();
    this.markMove();
    this.source?.mark(this.at ? this.node.place : null);
  }

  drawNow() {
    const { game, node, now } = this;
    if (!now) return;
    const { comments = [], nags = [] } = node;
    const isAside = this.isAside();
    const score = node.eval === undefined && node.wins === undefined ? '' : t('page.games.eval', { eval: evalText(node.eval, node.wins) });
    const clock = node.clock === undefined ? '' : t('page.games.clock', { time: clockText(node.clock) });
    const fine = [isAside && t('page.games.variation'), ...nags.map(nagWords), score, clock].filter(Boolean).join(' · ');
    fill(now, h('h2.num', {}, this.at ? label(game, node, true) : t('page.past.start')), ...comments.map(text => h('p.cm', {}, h('bdi', {}, text))), fine && h('p.fine', {}, fine));
  }

  /** Whether the position is none of the game as it was played. */
  isAside() {
    for (let node = this.node; node.parent !== undefined; node = this.game.nodes[node.parent]) if (node.is_variation) return true;
    return false;
  }

  drawControls() {
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.main?.querySelectorAll('[data-do]') ?? [])) {
      const act = button.dataset.do ?? '';
      if (act === 'play') {
        const isPlaying = this.playing !== undefined;
        fill(button, drawing(isPlaying ? 'pause' : 'play'), h('span', {}, t(isPlaying ? 'page.games.pause' : 'page.games.play')));
      }
      button.setAttribute('aria-disabled', String(act !== 'flip' && this.to(act === 'play' ? 'forward' : act) === undefined && !(act === 'play' && this.playing !== undefined)));
    }
  }

  /** Whose move it is, and how much time each has left. */
  drawSeats() {
    const { nodes } = this.game;
    /** @type {Partial<Record<Side, number>>} */ const clocks = {};
    for (let node = /** @type {Node | undefined} */ (this.node); node && !(clocks.white !== undefined && clocks.black !== undefined); node = node.parent === undefined ? undefined : nodes[node.parent]) {
      if (node.clock !== undefined) clocks[node.side] ??= node.clock;
    }
    const turn = this.node.fen.startsWith('W') ? 'white' : 'black';
    for (const seat of /** @type {NodeListOf<HTMLElement>} */ (this.main?.querySelectorAll('[data-seat]') ?? [])) {
      const side = /** @type {Side} */ (seat.dataset.seat);
      seat.classList.toggle('turn', side === turn);
      const clock = clocks[side];
      const span = $('.who span', seat);
      if (span) span.textContent = clock === undefined ? this.tag(side === 'white' ? 'White' : 'Black') ? t(`page.${side}`) : '' : clockText(clock);
    }
  }

  markMove() {
    const { moves } = this;
    if (!moves) return;
    for (const button of moves.querySelectorAll('[aria-current]')) {
      button.removeAttribute('aria-current');
      button.setAttribute('tabindex', '-1');
    }
    const here = $(`[data-node="${this.at}"]`, moves);
    here?.setAttribute('aria-current', 'true');
    const first = $('[data-node]', moves);
    first?.setAttribute('tabindex', here ? '-1' : '0');
    here?.setAttribute('tabindex', '0');
    // Only the list itself may scroll, never the page.
    moves.scrollTop += here ? here.getBoundingClientRect().top - moves.getBoundingClientRect().top - moves.clientHeight / 2 : -moves.scrollTop;
  }

  // ---- Taking it elsewhere

  /** @param {string | Promise<string>} text */
  async copy(text) {
    try {
      await navigator.clipboard.writeText(await text);
      this.tell(t('page.games.copied'));
    } catch {
      this.tell(t('page.games.uncopied'));
    }
  }

  /** A game against the computer from this position, for the side that is to move. */
  async playFrom() {
    const { fen } = this.node;
    const computer = prefs.choice.strength === 'best' ? 'best' : `level:${prefs.choice.strength}`;
    const seats = fen.startsWith('W') ? { white: 'person', black: computer } : { white: computer, black: 'person' };
    const answer = await this.app.link.ask('new', { rules: this.game.rules.canonical, seats, fen, paced: prefs.pace === 'person' });
    if (answer.e === 'state') this.app.goTo(`/g/${answer.game}`);
    else this.tell(answer.code === 'offline' ? t('page.offline') : t('page.games.from.not'));
  }

  /** The games of the file that have this position. */
  searchPosition() {
    this.app.goTo(`/games/${this.id}?${new URLSearchParams({ position: this.node.fen, rules: this.game.rules.canonical })}`);
  }

  /** @param {string} text */
  tell(text) {
    if (this.told) this.told.textContent = text;
  }
}
