// A game in progress: the board in the middle, the talk, the seats, the moves and what can be done. Two at one screen have a strip each instead.
import { candidates, pieceTile } from '../board.js';
import { $, fill, h, icon } from './dom.js';
import { factList, levelName, nameOf, openingName, tagList } from './facts.js';
import { keep, prefs } from './prefs.js';
import { clauseWords, gone, other, running, speak, toMove } from './talk.js';
import { lang, pretty, t } from './words.js';

/** @import { Answer, Counter, Entry, Link, Side, State } from './link.js' */
/** @import { Move } from '../board/moves.js' */
/** @import { Open, Speech } from './talk.js' */
/** @import { DamieraBoard } from '../board.js' */
/** Where the table hands over to the page.
 * @typedef {{link: Link, goTo: (path: string) => void}} App */

/** A sole move that plays itself is seen first. */
const SOLE_DELAY = 500;
/** Counts with more steps than this are drawn without gaps. */
const COARSE = 45;

/** Whether the screen lies between two players; before an upright one they sit side by side. */
const between = matchMedia('(pointer: coarse)');

/** @param {number} ms */
const pause = ms => new Promise(done => setTimeout(done, ms));

export class Table {
  /** @type {State | null} */ state = null;
  /** @type {Open} */
  open = { online: true, gone: false, shown: null, me: null, why: null, hint: null, resigning: null, declined: false, progress: null, sole: prefs.sole, failed: '' };
  /** @type {Promise<unknown>} */ showing = Promise.resolve();
  /** The newest state that has arrived, shown or not. @type {State | null} */ newest = null;
  /** @type {HTMLElement | null} */ main = null;
  // What was drawn last, so that only what is new is drawn.
  built = '';
  spoken = '';
  listed = '';
  geometry = '';
  tongue = '';
  given = '';

  /** @param {string} game @param {App} app */
  constructor(game, app) {
    this.game = game;
    this.app = app;
    this.board = /** @type {DamieraBoard} */ (document.createElement('damiera-board'));
    this.listen();
    this.subscribe();
  }

  // ---- Talking with the table

  /** Asks for the game as it is, now and after every loss of the connection. */
  async subscribe() {
    this.pace = prefs.pace;
    const answer = await this.app.link.ask('open', { game: this.game, paced: this.pace === 'person' });
    if (answer.e === 'error' && answer.code !== 'offline') {
      this.open.gone = true;
      if (prefs.game === this.game) keep({ game: '' });
      this.update();
    }
  }

  /** @param {boolean} online */
  setOnline(online) {
    if (online && !this.open.online) this.subscribe();
    this.open.online = online;
    this.update();
  }

  /** @param {string} kind @param {object} [fields] */
  ask(kind, fields = {}) {
    return this.app.link.ask(kind, { game: this.game, ply: this.newest?.ply ?? 0, ...fields });
  }

  /** Asks for something that changes the game, and says so when it cannot be done. @param {string} kind @param {object} [fields] @returns {Promise<Answer>} */
  async command(kind, fields = {}) {
    const answer = await this.ask(kind, fields);
    if (answer.e === 'error' && answer.code !== 'stale' && answer.code !== 'offline') this.set({ failed: answer.reason ? t(`why.${answer.reason}`) : t('page.error.about') });
    return answer;
  }

  /** @param {Answer} message */
  receive(message) {
    if (message.game !== this.game) return;
    if (message.e === 'draw_declined') this.set({ declined: true });
    if (message.e !== 'state') return;
    const state = /** @type {State} */ (/** @type {unknown} */ (message));
    if (this.newest && state.seq < this.newest.seq) return;
    this.newest = state;
    this.showing = this.showing.then(() => this.advance(state));
  }

  /** Shows what has happened since the position that is shown. @param {State} state */
  async advance(state) {
    if (state !== this.newest) return; // A newer one shows this one's move as well.
    const before = this.state;
    const fresh = before && this.open.shown === null ? continuation(before.history, state.history) : [];
    if (before && fresh.length) {
      let position = before.board;
      for (const entry of fresh) {
        if (this.main) await this.board.play(entry, position, entry.board);
        this.announce(entry, state);
        position = entry.board;
      }
    }
    const moved = !before || before.ply !== state.ply;
    const past = moved || state.result;
    const { online, shown, sole } = this.open;
    this.state = state;
    this.open = {
      online, sole, shown: shown !== null && shown <= state.ply ? shown : null, gone: false, me: solePerson(state), failed: '', progress: null,
      why: past ? null : this.open.why, hint: past ? null : this.open.hint, resigning: past ? null : this.open.resigning,
      declined: !moved && this.open.declined,
    };
    if (state.result) keep({ game: '' });
    else keep({ game: this.game });
    this.update();
    this.playSole();
  }

  /** Speaks the other side's whole path, once. @param {Entry} entry @param {State} state */
  announce({ side, path, captured }, { seats }) {
    if (side !== this.open.me || seats[side].kind !== 'person') this.board.announce(`${t(`page.${side}`)}: ${path.join(captured.length ? '×' : '-')}`);
  }

  async playSole() {
    const state = this.state;
    if (!state || prefs.sole !== 'auto' || state.moves.length !== 1 || !toMove(state) || this.open.shown !== null) return;
    await pause(SOLE_DELAY);
    if (this.state === state && prefs.sole === 'auto') this.move(state.moves[0]);
  }

  /** @param {Partial<Open>} some */
  set(some) {
    this.open = { ...this.open, ...some };
    this.update();
  }

  // ---- The board

  listen() {
    /** @param {string} name @param {(detail: any) => void} act */
    const on = (name, act) => this.board.addEventListener(`damiera-${name}`, event => act(/** @type {CustomEvent} */ (event).detail));
    on('move', move => this.move(move));
    on('attempt', ({ squares }) => this.explain(squares));
    on('progress', ({ squares }) => this.set({ progress: squares.length > 1 ? squares : null, why: null, hint: null, declined: false, failed: '' }));
    on('cancel', () => this.set({ progress: null, why: null, hint: null }));
    // The board lets go of an explanation by itself when it is touched.
    this.board.addEventListener('click', () => {
      if (this.open.why && !this.board.why || this.open.hint && !this.board.hint) this.set({ why: null, hint: null });
    });
  }

  /** @param {Move} move */
  async move({ from, to, captured, promotes }) {
    const answer = await this.command('move', { from, to, captured, promotes });
    // Whatever was refused: the board shows the game as it is.
    if (answer.e === 'error') {
      this.given = '';
      this.update();
    }
  }

  /** @param {string[]} squares */
  async explain(squares) {
    const answer = await this.ask('explain', { squares });
    if (answer.e !== 'why' || answer.legal || answer.ply !== this.state?.ply) return;
    this.set({ why: { answer: /** @type {any} */ (answer), path: squares }, hint: null, progress: null, failed: '' });
  }

  /** @param {number | null} ply */
  look(ply) {
    this.set({ shown: ply === null || !this.state || ply >= this.state.ply ? null : Math.max(0, ply), why: null, hint: null, progress: null });
  }

  /** What every button does. @param {string} act @param {string} [arg] */
  act(act, arg) {
    const { state } = this;
    if (act === 'leave') return this.app.goTo('/');
    if (act === 'live') return this.look(null);
    if (act === 'dismiss') return this.set({ why: null, hint: null, resigning: null, failed: '', declined: false });
    if (!state) return;
    if (act === 'rematch') this.rematch();
    else if (act === 'takeback') this.command('takeback');
    else if (act === 'hint') this.hint();
    else if (act === 'draw') this.offerDraw();
    else if (act === 'accept' || act === 'decline') this.command('answer_draw', { accept: act === 'accept' });
    else if (act === 'claim') this.command('claim', { clause: arg });
    else if (act === 'resign') this.set({ resigning: /** @type {Side} */ (arg), shown: null, why: null });
    else if (act === 'resign-yes') this.command('resign', this.open.me ? {} : { side: arg });
    else if (act === 'sole') this.move(state.moves[0]);
  }

  /** What lay open makes room for the answer. */
  offerDraw() {
    this.set({ why: null, hint: null });
    this.command('offer_draw');
  }

  async hint() {
    const answer = await this.command('hint');
    if (answer.e === 'hint' && answer.ply === this.state?.ply) this.set({ hint: answer.move, why: null, progress: null });
  }

  async rematch() {
    const answer = await this.command('rematch', { paced: this.pace === 'person' });
    if (answer.e === 'state') this.app.goTo(`/g/${answer.game}`);
  }

  /** Whether an action makes sense now. @param {string} act @param {Side} side whose button it is */
  can(act, side) {
    const { state, open } = this;
    if (!state || !open.online || open.gone) return false;
    if (act === 'leave') return true;
    if (act === 'takeback') return state.history.slice(state.opening?.plies).some(entry => state.seats[entry.side].kind === 'person');
    if (state.result) return false;
    if (act === 'hint') return toMove(state);
    if (act === 'draw') return toMove(state) && !state.offer && state.side === side;
    return true;
  }

  // ---- Drawing

  /** @param {HTMLElement} main */
  mount(main) {
    this.main = main;
    this.built = '';
    this.update();
    // Whoever comes back from the settings may like another pace.
    if (this.pace !== prefs.pace) this.subscribe();
  }

  unmount() {
    this.main = null;
  }

  /** The side that sits below. */
  near() {
    return this.open.me ?? 'white';
  }

  update() {
    const { main, state, open } = this;
    if (!main) return;
    open.sole = prefs.sole;
    if (!state) {
      this.waitScreen(main);
      return;
    }
    const duo = !open.me;
    const shape = [lang, duo, this.near(), state.rules.canonical, prefs.pieces].join();
    if (shape !== this.built) {
      this.built = shape;
      this.spoken = this.listed = '';
      document.title = `${nameOf(state.rules)} · Damiera`;
      document.body.className = duo ? 'induo' : 'ingame';
      main.className = duo ? 'duo' : 'play';
      if (duo) this.buildDuo(main, state);
      else this.buildPlay(main, state);
    }
    this.drawBoard(state);
    this.drawSeats(state);
    this.drawTalk(state);
    if (!duo) this.drawGame(state);
    for (const button of main.querySelectorAll('[data-do]')) {
      const { do: act, side } = /** @type {HTMLElement} */ (button).dataset;
      button.setAttribute('aria-disabled', String(!this.can(act ?? '', /** @type {Side} */ (side))));
    }
  }

  /** @param {HTMLElement} main */
  waitScreen(main) {
    const speech = this.open.gone ? gone() : { title: t('page.fetching') };
    main.className = 'alone';
    document.body.className = '';
    fill(main, h('h1.vh', {}, 'Damiera'), h('section.card.say', { 'aria-live': 'polite' }, ...this.sayParts(speech)));
  }

  /** @param {State} state */
  drawBoard(state) {
    const { open, board } = this;
    const { rules, history } = state;
    const ply = open.shown ?? state.ply;
    const live = open.shown === null;
    const last = history[ply - 1] ?? null;
    const start = state.start?.board ?? (state.ply ? rules.start.board : state.board);
    if (this.geometry !== rules.canonical) {
      this.geometry = rules.canonical;
      board.geometry = rules.board;
    }
    const flip = this.near() === 'black';
    if (board.flip !== flip) board.flip = flip;
    if (board.coords !== prefs.coords) board.coords = /** @type {any} */ (prefs.coords);
    if (this.tongue !== lang) {
      this.tongue = lang;
      board.t = t;
    }
    const playing = live && toMove(state) && open.online && !open.resigning && !(state.offer && state.offer === state.side);
    const position = live ? state.board : last?.board ?? start;
    // Giving the board a position or moves makes it forget a move half entered; so only what is new.
    const key = [state.seq, ply, playing].join();
    if (key !== this.given || !board.position) {
      this.given = key;
      board.configure({ position, last, moves: playing ? state.moves : [] });
    }
    const why = live && open.why ? { yours: open.why.answer.yours ?? { path: open.why.path }, better: open.why.answer.better.slice(0, 1) } : null;
    board.configure({
      why, hint: live ? open.hint : null, face: !open.me && between.matches, duty: /** @type {any} */ (prefs.duty), pieces: /** @type {any} */ (prefs.pieces), confirm: prefs.touch === 'twice',
      removal: /** @type {any} */ (rules.facts.removal), promotion: /** @type {any} */ (rules.facts.promotion),
    });
  }

  /** @param {string} label @param {string} act @param {Side} side @param {Parameters<typeof icon>[0] | ''} [drawing] */
  button(label, act, side, drawing = '') {
    const press = (/** @type {Event} */ event) => {
      if (/** @type {HTMLElement} */ (event.currentTarget).getAttribute('aria-disabled') !== 'true') this.act(act, side);
    };
    return h(drawing ? 'button.act' : 'button.btn', { type: 'button', 'data-do': act, 'data-side': side, click: press }, drawing && icon(drawing), drawing ? h('span', {}, label) : label);
  }

  /** @param {Side} side @param {string} names class names */
  seat(side, names) {
    const letter = side === 'white' ? 'w' : 'b';
    return h(`div.seat.${names}`, { 'data-seat': side }, tile(letter), h('div.who', {}, h('b', {}, this.seatName(side)), h('span')), h(`span.tray.${letter === 'w' ? 'b' : 'w'}`));
  }

  /** @param {Side} side */
  seatName(side) {
    const { me, state } = { me: this.open.me, state: this.state };
    if (!me) return t(`page.${side}`);
    return state?.seats[side].kind === 'person' ? t('page.you') : t('page.computer');
  }

  /** @param {HTMLElement} main @param {State} state */
  buildPlay(main, state) {
    const near = this.near();
    const far = other(near);
    const rules = nameOf(state.rules);
    fill(main,
      h('h1.vh', {}, t('page.gameof', { rules })),
      this.seat(far, 'only-s.far'),
      h('div.bwrap', {}, this.board),
      this.seat(near, 'only-s.near'),
      h('section.talk', { 'aria-label': t('page.talk') },
        h('div.card.say', { 'aria-live': 'polite' }),
        h('div.card.rulecard', {}, h('h2', {}, rules), factList(state.rules, true), tagList(state.rules, openingName(state)), rulesLink(state, 'page.rulecard.read'))),
      h('section.game', { 'aria-label': rules },
        this.seat(far, 'far'),
        h('div.moves', { role: 'group', 'aria-label': t('page.moves') }),
        this.typedForm(),
        h('div.meter', { hidden: true }),
        h('div.acts', {},
          this.button(t('page.takeback'), 'takeback', near, 'back'), this.button(t('page.hint'), 'hint', near, 'hint'),
          this.button(t('page.draw'), 'draw', near, 'draw'), this.button(t('page.resign'), 'resign', near, 'resign'), this.button(t('page.leave'), 'leave', near, 'leave')),
        this.seat(near, 'near')));
    $('.moves', main)?.addEventListener('keydown', event => this.browse(event));
  }

  /** @param {HTMLElement} main @param {State} state */
  buildDuo(main, state) {
    /** @param {Side} side @param {string} where */
    const strip = (side, where) => h(`section.strip.${where}`, { 'data-seat': side, 'aria-label': t(`page.${side}`) },
      tile(side === 'white' ? 'w' : 'b'), h('div.who', {}, h('h2', {}, t(`page.${side}`)), h('span')), h(`span.tray.${side === 'white' ? 'b' : 'w'}`),
      h('div.say', { 'aria-live': 'polite', 'data-to': side }),
      h('div.row.ways', {}, this.button(t('page.takeback'), 'takeback', side), this.button(t('page.draw'), 'draw', side),
        this.button(t('page.resign'), 'resign', side), this.button(t('page.leave'), 'leave', side)));
    fill(main, h('h1.vh', {}, t('page.gameof', { rules: nameOf(state.rules) })), strip('black', 'far'), h('div.bwrap', {}, this.board), strip('white', 'near'));
  }

  /** @param {State} state */
  drawSeats(state) {
    for (const seat of /** @type {NodeListOf<HTMLElement>} */ (this.main?.querySelectorAll('[data-seat]') ?? [])) {
      const side = /** @type {Side} */ (seat.dataset.seat);
      const turn = !state.result && state.side === side;
      seat.classList.toggle('turn', turn && seat.classList.contains('seat'));
      seat.classList.toggle('on', turn);
      const status = $('.who span', seat);
      if (status) status.textContent = this.seatStatus(state, side, turn);
      const taken = state.history.filter(e => e.side === side).reduce((sum, e) => sum + e.captured.length, 0);
      const tray = $('.tray', seat);
      if (tray && tray.childElementCount !== taken) {
        fill(tray, ...Array.from({ length: taken }, () => h('i')));
        tray.classList.toggle('long', taken > 14);
      }
      if (tray && taken) {
        tray.setAttribute('role', 'img');
        tray.setAttribute('aria-label', t('page.taken', { n: taken }));
      }
    }
  }

  /** @param {State} state @param {Side} side @param {boolean} turn */
  seatStatus(state, side, turn) {
    const { kind, level } = state.seats[side];
    if (kind !== 'person') return turn ? t('page.seat.thinks') : levelName(level ?? 'best');
    if (turn) return this.open.me ? t('page.seat.turn') : stripCount(state);
    return state.result ? '' : t('page.seat.waits');
  }

  /** @param {State} state */
  drawTalk(state) {
    const speech = speak(state, this.open);
    const spoken = JSON.stringify(speech);
    if (spoken === this.spoken) return;
    this.spoken = spoken;
    for (const say of /** @type {NodeListOf<HTMLElement>} */ (this.main?.querySelectorAll('.say') ?? [])) {
      const mine = !say.dataset.to || !speech.to || speech.to === say.dataset.to;
      say.classList.toggle('no', mine && Boolean(speech.no));
      const focused = say.contains(document.activeElement);
      fill(say, ...mine ? this.sayParts(speech, state) : [speech.aside && h('p', {}, speech.aside)]);
      if (focused) (/** @type {HTMLElement | null} */ (say.querySelector('button')) ?? $('[tabindex="0"]', this.board))?.focus();
    }
  }

  /** @param {Speech} speech @param {State} [state] */
  sayParts({ title, body, more, rows = [], fine, read, buttons = [] }, state) {
    return [
      h('h2', {}, title),
      body && h('p', {}, body),
      rows.length > 0 && h('div.cmp.num', {}, ...rows.map(row => h(row.good ? 'div.y' : 'div.n', {}, icon(row.good ? 'yes' : 'no'), h('span', {}, h('b', {}, row.text), row.label),
        row.count === null ? null : h('strong', {}, row.count, h('small', {}, row.unit))))),
      more && h('p', {}, more),
      (fine || read) && h('p.fine', {}, fine, read && state && rulesLink(state, 'page.why.read')),
      buttons.length > 0 && h('div.row', {}, ...buttons.map(({ label, act, arg, main }) => h(`button.btn${main ? '.main' : ''}`, { type: 'button', click: () => this.act(act, arg) }, label))),
    ];
  }

  /** The list of moves and the counts. @param {State} state */
  drawGame(state) {
    const list = $('.moves', this.main ?? undefined);
    const key = [state.history.map(e => e.text).join(' '), state.ply].join();
    if (list && key !== this.listed) {
      const focused = list.contains(document.activeElement);
      this.listed = key;
      fill(list, state.ply ? moveList(state, ply => this.look(ply)) : h('p', {}, t('page.moves.none')));
      this.markShown(list, state);
      if (focused) $('[tabindex="0"]', list)?.focus();
    } else if (list) this.markShown(list, state);
    const meter = $('.meter', this.main ?? undefined);
    const counts = state.result ? [] : running(state);
    if (meter) {
      meter.hidden = !counts.length;
      fill(meter, h('h2', {}, t('page.meter')), h('ul', {}, ...counts.map(countLine)));
    }
  }

  /** @param {HTMLElement} list @param {State} state */
  markShown(list, state) {
    const ply = this.open.shown ?? state.ply;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('[data-ply]'))) {
      const here = Number(button.dataset.ply) === ply;
      if (here) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
      button.tabIndex = here || (!ply && button.dataset.ply === '1') ? 0 : -1;
      // Only the list itself may scroll, never the page.
      if (here) list.scrollTop = Math.max(0, button.offsetTop - list.offsetTop - list.clientHeight / 2);
    }
  }

  /** Arrow keys in the list of moves look at other positions. @param {KeyboardEvent} event */
  browse(event) {
    const now = this.open.shown ?? this.state?.ply ?? 0;
    /** @type {Record<string, number>} */
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, ArrowUp: now - 2, ArrowDown: now + 2, Home: 0, End: Infinity, Escape: Infinity };
    if (!(event.key in to)) return;
    event.preventDefault();
    this.look(to[event.key]);
    const list = $('.moves', this.main ?? undefined);
    if (list) $('[tabindex="0"]', list)?.focus();
  }

  // ---- Typed moves

  typedForm() {
    const input = /** @type {HTMLInputElement} */ (h('input', { id: 'typed', type: 'text', list: 'typed-moves', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'go', placeholder: t('page.type'), 'aria-label': t('page.type') }));
    const options = h('datalist', { id: 'typed-moves' });
    const complete = () => {
      const { state } = this;
      const found = state && toMove(state) && input.value.trim() ? candidates(state.moves, input.value).options.slice(0, 12) : [];
      fill(options, ...found.map(({ text }) => h('option', { value: text })));
    };
    input.addEventListener('input', complete);
    return h('form.typed', { submit: (/** @type {Event} */ event) => { event.preventDefault(); this.type(input); } },
      input, h('button.btn', { type: 'submit' }, t('page.type.go')), options);
  }

  /** Plays what was typed, or says why not. @param {HTMLInputElement} input */
  type(input) {
    const { state } = this;
    const text = input.value.trim();
    if (!state || !text || !toMove(state) || this.open.shown !== null) return;
    const { move, options } = candidates(state.moves, text);
    const chosen = move ?? (options.length === 1 ? options[0].move : null);
    const names = new Set(state.rules.board.squares.map(s => s.n));
    const squares = (text.toLowerCase().match(state.rules.board.coords === 'letter' ? /[a-l]\d+/g : /\d+/g) ?? []).filter(s => names.has(s));
    if (chosen) {
      input.value = '';
      this.move(chosen);
    } else if (squares.length > 1) this.explain(squares);
    else this.set({ failed: t('page.unreadable', { text }), why: null, hint: null });
  }
}

/** The only person at the table, or null when there are two or none. @param {State} state @returns {Side | null} */
function solePerson({ seats }) {
  const people = /** @type {Side[]} */ (['white', 'black']).filter(side => seats[side].kind === 'person');
  return people.length === 1 ? people[0] : null;
}

/** The plies by which one history goes on from another; none when it does not, or by too many to be watched.
 * @param {Entry[]} before @param {Entry[]} after */
function continuation(before, after) {
  const goesOn = before.every((entry, i) => entry.board === after[i]?.board);
  return goesOn && after.length <= before.length + 2 ? after.slice(before.length) : [];
}

/** @param {string} letter */
const tile = letter => {
  const node = pieceTile(letter, prefs.pieces === 'flat');
  node.classList.add(letter);
  return node;
};

/** @param {State} state @param {string} key */
const rulesLink = ({ rules }, key) => h('a', { href: `/${lang}/rules/${rules.key}` }, t(key));

/** @param {State} state @param {(ply: number) => void} look */
function moveList({ history }, look) {
  /** @param {Entry | undefined} entry */
  const cell = entry => entry ? h('button.num', { type: 'button', 'data-ply': entry.ply, click: () => look(entry.ply) }, pretty(entry.text)) : h('span');
  const rows = Array.from({ length: Math.ceil(history.length / 2) }, (_, i) => h('li', {}, h('span.num', {}, i + 1), cell(history[2 * i]), cell(history[2 * i + 1])));
  return h('ol', {}, ...rows);
}

/** The count that is nearest to its end, short enough for a strip. @param {State} state */
function stripCount(state) {
  const [first] = running(state);
  return first ? `${clauseWords(first.clause)}: ${t('page.of', { n: first.count, m: first.limit })}${doubtOf(first)}` : '';
}

/** Says so where the sources of a draw rule are not certain. @param {Counter} counter */
const doubtOf = ({ status }) => status === 'unverified' || status === 'contested' ? ` (${t(`page.${status}`)})` : '';

/** One draw rule: how far it has counted. @param {Counter} counter */
function countLine(counter) {
  const { clause, count, limit } = counter;
  const doubt = doubtOf(counter);
  const soon = limit - count <= Math.max(1, limit / 4);
  return h('li', {}, h('p', {}, h('span', {}, clauseWords(clause), doubt && h('small', {}, doubt)), h('b.num', {}, t('page.of', { n: count, m: limit }))),
    h(`div.tick${limit > COARSE ? '.fine' : ''}${soon ? '.soon' : ''}`, { 'aria-hidden': 'true' }, ...Array.from({ length: limit }, (_, i) => h(i < count ? 'i.on' : 'i'))));
}
