// Files of games: what lies on the shelf, how something is put there, and the list of a file's games.
import { $, fill, h, icon } from './dom.js';
import { rulesName } from './facts.js';
import { GameList, marks } from './gamelist.js';
import * as shelf from './shelf.js';
import { add, lang, t } from './words.js';

/** @import { File, Placed, Reading } from './shelf.js' */
/** @import { App } from './table.js' */
/** @import { Replay } from './replay.js' */
/** @typedef {{mount: (main: HTMLElement) => void, unmount: () => void}} View */

/** While somebody types, a search waits for so long. */
const TYPING = 120;
/** A search has at most so many characters. */
const LONGEST = 200;
/** Whether a file outside is read by now is asked every so many milliseconds. */
const ASKING = 1000;

/** The style sheet of these views, once it is there. @type {Promise<unknown> | undefined} */
let dressed;

/** The game that was replayed last, and its address; whoever comes back from elsewhere finds it as it was. @type {{path: string, lang: string, view: Replay} | undefined} */
let replayed;

/** The list that was looked at last. @type {{id: string, q: string, found: boolean, top: number} | undefined} */
let listed;

/** The view of an address: `/games`, `/games/<file>` or `/games/<file>/<game>`. @param {string} path @param {App} app @returns {Promise<View>} */
export async function viewAt(path, app) {
  dressed ??= new Promise(done => document.head.append(h('link', { rel: 'stylesheet', href: '/games.css', load: done, error: done })));
  await Promise.all([add('games'), dressed]);
  const [, , id, number] = path.split('/');
  if (number) return replay(path, id, number, app);
  try {
    const [files, reading, file] = await Promise.all([shelf.files(), shelf.reading(), id ? shelf.file(id) : null]);
    return new Games(files, reading, file, app);
  } catch (error) {
    return new Gone(error);
  }
}

/** @param {string} path @param {string} id @param {string} number @param {App} app @returns {Promise<View>} */
async function replay(path, id, number, app) {
  if (replayed?.path === path && replayed.lang === lang) return replayed.view;
  try {
    const [{ Replay }, game] = await Promise.all([import('./replay.js'), shelf.game(id, number)]);
    const view = new Replay(id, game, app);
    replayed = { path, lang, view };
    return view;
  } catch (error) {
    return new Gone(error);
  }
}

/** What is not there, or cannot be asked for. @implements {View} */
class Gone {
  /** @param {unknown} error */
  constructor(error) {
    this.error = error;
  }

  /** @param {HTMLElement} main */
  mount(main) {
    main.className = 'alone';
    document.body.className = '';
    document.title = 'Damiera';
    const { error } = this;
    const isUnknown = error instanceof shelf.Refusal && error.code === 'unknown';
    fill(main, h('h1.vh', {}, 'Damiera'), h('section.card.say.no', {},
      h('h2', {}, t(isUnknown ? 'page.games.gone' : 'page.error')), h('p', {}, isUnknown ? t('page.games.gone.about') : error instanceof shelf.Refusal ? error.message : t('page.games.error.offline')),
      h('div.row', {}, h('a.btn.main', { href: '/games' }, t('page.games')))));
  }

  unmount() {}
}

/** A name from a file, which may hold anything: it is text, and runs in its own direction. @param {string} text @param {string} [names] class names */
const named = (text, names = '') => h(`bdi${names}`, {}, text);

/** @implements {View} */
class Games {
  /** @param {File[]} files @param {Reading[]} reading @param {File | null} file the one whose games are listed @param {App} app */
  constructor(files, reading, file, app) {
    this.files = files;
    this.reading = reading;
    this.file = file;
    this.app = app;
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.typing = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.asking = undefined;
    /** A position that the games must have. @type {Placed | null} */ this.placed = null;
    /** Drags pass over many elements: only the last to be left counts. */
    this.dragged = 0;
    this.q = '';
    this.found = false;
    this.drag = (/** @type {DragEvent} */ event) => this.onDrag(event);
  }

  /** @param {HTMLElement} main */
  mount(main) {
    const { file } = this;
    main.className = file ? 'games with-list' : 'games';
    document.body.className = '';
    document.title = `${file?.name ?? t('page.games')} · Damiera`;
    this.said = h('p.told', { role: 'status' });
    this.shelf = h('ul.files');
    fill(main,
      h('h1', {}, t('page.games')),
      h('div.side', {}, this.entrance(), h('section', { 'aria-label': t('page.games.shelf') }, h('h2', {}, t('page.games.shelf')), this.shelf)),
      file && this.games(file));
    this.drawShelf();
    this.waitForOthers();
    for (const kind of DRAGS) addEventListener(kind, this.drag);
  }

  unmount() {
    clearTimeout(this.typing);
    clearTimeout(this.asking);
    this.asking = undefined;
    if (this.file && this.list && !this.placed) listed = { id: this.file.id, q: this.q, found: this.found, top: this.list.top };
    for (const kind of DRAGS) removeEventListener(kind, this.drag);
  }

  // ---- Putting something there

  entrance() {
    const input = /** @type {HTMLInputElement} */ (h('input.vh', { type: 'file', id: 'file', accept: '.pdn,.txt,.gz,.bz2,text/plain', change: () => this.put(input.files?.[0]) }));
    const text = /** @type {HTMLTextAreaElement} */ (h('textarea', { id: 'paste', rows: 4, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', placeholder: '[White "…"] 1. 23-19 11-15 2. …' }));
    const paste = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (text.value.trim()) this.put(new globalThis.File([text.value], t('page.games.pasted', { date: new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date()) }) + '.pdn'));
      else text.focus();
    };
    return h('div.card.put', {},
      h('p', {}, t('page.games.about')),
      h('div.drop', {}, input, h('label.btn.main', { for: 'file' }, t('page.games.open')), h('span', {}, t('page.games.drop'))),
      h('form', { submit: paste }, h('label', { for: 'paste' }, t('page.games.paste')), text, h('button.btn', { type: 'submit' }, t('page.games.paste.go'))),
      this.said);
  }

  /** @param {globalThis.File | undefined} file */
  async put(file) {
    if (!file) return;
    this.say(t('page.games.reading', { name: file.name }));
    try {
      const { id, games } = await shelf.put(file.name, file);
      this.app.goTo(games === 1 ? `/games/${id}/1` : `/games/${id}`);
    } catch (error) {
      this.say(error instanceof shelf.Refusal ? error.message : t('page.games.error.offline'), true);
    }
  }

  /** @param {string} text @param {boolean} [no] something was refused */
  say(text, no = false) {
    if (!this.said) return;
    fill(this.said, text);
    this.said.classList.toggle('no', no);
  }

  /** A file may be dropped anywhere. @param {DragEvent} event */
  onDrag(event) {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (event.type === 'dragenter') this.dragged++;
    if (event.type === 'dragleave') this.dragged--;
    if (event.type === 'drop') {
      this.dragged = 0;
      this.put(event.dataTransfer.files[0]);
    }
    $('.put')?.classList.toggle('over', this.dragged > 0);
  }

  // ---- The shelf

  drawShelf() {
    const rows = [...this.reading.map(rowOfReading), ...this.files.map(file => this.row(file))];
    if (this.shelf) fill(this.shelf, ...rows.length ? rows : [h('li.none', {}, t('page.games.shelf.none'))]);
  }

  /** As long as files outside are being read, asks how far they are. */
  waitForOthers() {
    if (this.reading.some(isOnItsWay)) this.asking = setTimeout(() => this.askForOthers(), ASKING);
  }

  async askForOthers() {
    const { asking } = this;
    try {
      const before = this.reading.length;
      this.reading = await shelf.reading();
      if (this.reading.length < before) this.files = await shelf.files();
    } catch {
      // The next time says more.
    }
    // Whoever left meanwhile asks for nothing any more.
    if (this.asking !== asking) return;
    // Whoever is about to take a file away is not disturbed.
    if (!this.shelf?.contains(document.activeElement)) this.drawShelf();
    this.waitForOthers();
  }

  /** @param {File} file */
  row(file) {
    const here = file.id === this.file?.id;
    const ask = () => {
      const no = h('button.btn', { type: 'button', click: () => { row.replaceWith(this.row(file)); } }, t('page.games.remove.no'));
      fill(row, h('p', {}, t('page.games.remove.sure', { name: '' }), ' ', named(file.name)), h('div.row', {}, h('button.btn.main', { type: 'button', click: () => this.remove(file) }, t('page.games.remove.yes')), no));
      no.focus();
    };
    const row = h('li', {},
      h('a', { href: `/games/${file.id}`, 'aria-current': here ? 'page' : null }, named(file.name), h('small', {}, [t('page.games.count', { n: file.games }), file.rules && rulesName(file.rules.split(',')[0])].filter(Boolean).join(' · '), ' ', marks(file.repair_count, file.fault_count))),
      h('button.icon', { type: 'button', 'aria-label': t('page.games.remove', { name: file.name }), click: ask }, icon('no')));
    return row;
  }

  /** @param {File} file */
  async remove(file) {
    try {
      await shelf.remove(file.id);
    } catch (error) {
      if (!(error instanceof shelf.Refusal && error.code === 'unknown')) return this.say(String(error instanceof Error ? error.message : error), true);
    }
    this.files = this.files.filter(other => other.id !== file.id);
    if (file.id === this.file?.id) this.app.goTo('/games');
    else {
      this.drawShelf();
      $('a, button', this.shelf)?.focus();
    }
  }

  // ---- The games of a file

  /** @param {File} file */
  games(file) {
    const asked = new URLSearchParams(location.search);
    const position = asked.get('position');
    this.placed = position ? { position, rules: asked.get('rules') ?? file.rules ?? '' } : null;
    const before = listed?.id === file.id && !this.placed ? listed : null;
    this.q = asked.get('q') ?? before?.q ?? '';
    this.found = before?.found ?? false;
    this.count = h('p.count', { role: 'status' });
    const list = this.list = new GameList(file, total => this.tell(total));
    const input = /** @type {HTMLInputElement} */ (h('input', { type: 'search', id: 'search', value: this.q, maxlength: LONGEST, autocomplete: 'off', spellcheck: 'false', placeholder: t('page.games.search.about') }));
    input.addEventListener('input', () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.search(input.value, this.found), TYPING);
    });
    const only = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox', checked: this.found, change: () => this.search(this.q, only.checked) }));
    const isFlawed = file.repair_count + file.fault_count > 0;
    const section = h('section.listed', { 'aria-label': t('page.games.list', { name: file.name }) },
      h('a.back', { href: '/games' }, icon('back'), t('page.games.all')),
      h('div.named', {}, h('h2', {}, named(file.name)), h('a.btn', { href: shelf.pdnPath(file.id), download: '' }, t('page.games.save.all'))),
      h('p.facts-line', {}, factsOf(file), ' ', marks(file.repair_count, file.fault_count, true)),
      h('div.search', {}, h('label.vh', { for: 'search' }, t('page.games.search')), input, isFlawed && h('label.only', {}, only, h('span', {}, t('page.games.only')))),
      this.placed && h('p.placed', {}, h('b', {}, t('page.games.placed')), ' ', h('code', {}, this.placed.position), ' ', h('a', { href: `/games/${file.id}` }, t('page.games.placed.all'))),
      this.count, list.node);
    list.search(this.q, this.found, this.placed).then(() => { if (before) list.goTo(before.top); }, error => this.fail(error));
    return section;
  }

  /** @param {string} q @param {boolean} found */
  search(q, found) {
    this.q = q;
    this.found = found;
    const asked = new URLSearchParams({ ...q && { q }, ...this.placed }).toString();
    history.replaceState(null, '', location.pathname + (asked && `?${asked}`));
    this.list?.search(q, found, this.placed).catch(error => this.fail(error));
  }

  /** @param {number} total */
  tell(total) {
    const isSearch = this.q || this.found || this.placed;
    if (this.count) fill(this.count, total || isSearch ? t(isSearch ? 'page.games.found' : 'page.games.count', { n: total }) : '');
  }

  /** @param {unknown} error */
  fail(error) {
    if (this.count) fill(this.count, error instanceof shelf.Refusal ? error.message : t('page.games.error.offline'));
  }
}

/** Whether a file outside will be there sooner or later. @param {Reading} reading */
const isOnItsWay = ({ code }) => code === null || code === 'busy';

/** A file outside that is being read, or why it could not be. @param {Reading} reading */
function rowOfReading({ name, bytes, of, games, code }) {
  const progress = code === null && h('progress', { max: of || 1, value: bytes, 'aria-label': name });
  return h('li.reading', {}, named(name), h('small', {}, code === null ? t('page.games.count', { n: games }) : new shelf.Refusal(code).message), progress);
}

const DRAGS = /** @type {const} */ (['dragenter', 'dragover', 'dragleave', 'drop']);

/** What is known of a file, in a line. @param {File} file */
const factsOf = ({ games, rules, encoding, packing }) => [
  t('page.games.count', { n: games }), rules && rulesName(rules.split(',')[0]), t('page.games.encoding', { encoding: packing ? `${encoding}, ${packing}` : encoding }),
].filter(Boolean).join(' · ');
