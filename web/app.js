// The page: what is shown under which address, the header, the language. It knows no rules; the table does.
import './board.js';
import { $, fill, h, icon } from './app/dom.js';
import { Link } from './app/link.js';
import { applyLook, keep, prefs } from './app/prefs.js';
import { LANGS, choose, lang, t, use } from './app/words.js';

/** @import { Rules } from './app/link.js' */
/** @import { Table } from './app/table.js' */
/** @typedef {{mount: (main: HTMLElement) => void, unmount: () => void}} View */

const main = /** @type {HTMLElement} */ ($('main'));

/** @type {Table | null} */ let table = null;
/** @type {View | null} */ let view = null;
/** @type {Rules[]} */ let rules = [];

const link = new Link(message => table?.receive(message), online => table?.setOnline(online));
const app = { link, goTo };

/** @param {string} path */
function goTo(path) {
  history.pushState(null, '', path);
  route();
  scrollTo(0, 0);
}

/** The view of the address: `/g/<game>` is a game, `/games` are files of games, `#settings` stands on top of whatever was there. */
async function route() {
  const address = location.href;
  const next = await viewOf(location.pathname);
  if (location.href !== address) return; // Another address was asked for meanwhile.
  view?.unmount();
  view = next;
  const lost = main.contains(document.activeElement);
  view.mount(main);
  drawHeader();
  // Whoever came here by the keyboard goes on from the top of the new view.
  if (lost) main.focus({ preventScroll: true });
}

/** @param {string} path */
const gameOf = path => path.match(/^\/g\/([^/]+)$/)?.[1];

/** @param {string} path */
const isOfFiles = path => /^\/games(\/|$)/.test(path);

/** Each view is fetched when it is asked for. @param {string} path @returns {Promise<View>} */
async function viewOf(path) {
  const game = gameOf(path);
  if (!game) table = null;
  else if (table?.game !== game) {
    const { Table } = await import('./app/table.js');
    // Who asked twice gets one table, and who has gone on meanwhile none.
    if (gameOf(location.pathname) === game && table?.game !== game) table = new Table(game, app);
  }
  if (location.hash === '#settings') {
    const { Settings } = await import('./app/settings.js');
    return new Settings(rules[0], () => goTo(location.pathname + location.search));
  }
  if (table) return table;
  if (isOfFiles(path)) return (await import('./app/games.js')).viewAt(path, app);
  const { NewGame } = await import('./app/newgame.js');
  return new NewGame(rules, app);
}

/** @param {string} href @param {string} label @param {boolean} here */
const section = (href, label, here) => h('a', { href, 'aria-current': here ? 'page' : null }, label);

/** The sections, in the header and in the menu. */
function sections() {
  const adjusting = location.hash === '#settings';
  const game = table?.game ?? prefs.game;
  const reading = isOfFiles(location.pathname);
  return [
    section('/', t('page.newgame'), !table && !reading && !adjusting),
    game && section(`/g/${game}`, t('page.game'), Boolean(table) && !adjusting),
    section('/games', t('page.games'), reading && !adjusting),
    h('a', { href: `/${lang}/rules/` }, t('page.rules')),
    section('#settings', t('page.settings'), adjusting),
  ];
}

function drawHeader() {
  const nav = $('.top nav');
  const menu = $('#sheet');
  if (!nav || !menu) return;
  nav.setAttribute('aria-label', t('page.nav'));
  fill(nav, ...sections());
  fill(menu, ...sections(), h('hr'), ...Object.entries(LANGS).map(([tag, name]) => h('button', { type: 'button', lang: tag, 'aria-current': tag === lang ? 'true' : null, click: () => speakIn(tag) }, name)));
  const select = /** @type {HTMLSelectElement | null} */ ($('#lang'));
  if (select) {
    if (!select.options.length) fill(select, ...Object.entries(LANGS).map(([tag, name]) => h('option', { value: tag, lang: tag }, name)));
    select.value = lang;
    select.setAttribute('aria-label', t('page.lang'));
  }
  $('#menu')?.setAttribute('aria-label', t('page.menu'));
  $('meta[name=description]')?.setAttribute('content', t('page.about'));
}

/** @param {string} tag */
async function speakIn(tag) {
  keep({ lang: tag });
  await use(tag);
  route();
}

/** Links to other views of this page do not load it anew. @param {MouseEvent} event */
function onClick(event) {
  const anchor = event.target instanceof Element ? event.target.closest('a') : null;
  if (!anchor || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { pathname, search, hash, origin } = anchor;
  if (origin !== location.origin || !(pathname === '/' || pathname.startsWith('/g/') || isOfFiles(pathname) || hash === '#settings')) return;
  event.preventDefault();
  const sheet = $('#sheet');
  if (sheet?.matches(':popover-open')) sheet.hidePopover();
  if (anchor.href !== location.href) goTo(pathname + search + hash);
}

async function start() {
  applyLook();
  const answer = fetch('/api/rules');
  // The view is on its way while words and rules are.
  if (gameOf(location.pathname)) import('./app/table.js');
  else if (isOfFiles(location.pathname)) import('./app/games.js');
  else import('./app/newgame.js');
  await use(choose([prefs.lang, ...navigator.languages]));
  rules = await (await answer).json();
  $('#menu')?.append(icon('menu'));
  $('#lang')?.addEventListener('change', event => speakIn(/** @type {HTMLSelectElement} */ (event.target).value));
  addEventListener('click', onClick);
  addEventListener('popstate', route);
  route();
}

start();
