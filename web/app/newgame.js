// A new game: rules, opponent, colour. The board answers at once to the rules that are chosen.
import { pieceTile } from '../board.js';
import { coin } from './coins.js';
import { $, fill, h } from './dom.js';
import { factList, nameOf, sizeOf, tagList } from './facts.js';
import { GRADES, keep, prefs } from './prefs.js';
import { has, t } from './words.js';

/** @import { Rules, Side } from './link.js' */
/** @import { DamieraBoard } from '../board.js' */
/** @import { Ladder } from './ladder.js' */
/** @import { Openings } from './openings.js' */
/** @import { App } from './table.js' */

/** The rule sets in the order of the list: the best known first, then what is near to them. */
const MAIN = ['italian', 'brazilian', 'spanish', 'russian', 'american', 'czech', 'international'];
const MORE = ['brazilian-classic', 'brazilian-quality', 'brazilian-64', 'portuguese', 'pool', 'frisian', 'canadian', 'turkish', 'thai', 'killer', 'breakthrough', 'antidraughts', 'poddavki'];

/** What may be changed at home, in the order of the canonical name. @type {['capture' | 'draws' | 'first', string][]} */
const HOUSE = [['capture', 'optional'], ['draws', 'casual'], ['first', 'black']];

export class NewGame {
  /** @param {Rules[]} rules @param {App} app */
  constructor(rules, app) {
    this.app = app;
    const known = new Map(rules.map(r => [r.key, r]));
    const listed = [...MAIN, ...MORE];
    this.main = MAIN.flatMap(key => known.get(key) ?? []);
    this.more = [...MORE.flatMap(key => known.get(key) ?? []), ...rules.filter(r => !listed.includes(r.key))];
    // The rules pages lead here with the set that was read about.
    const wanted = new URLSearchParams(location.search).get('rules');
    this.choice = { ...prefs.choice, ...wanted && known.has(wanted) ? { rules: wanted } : {} };
    if (!known.has(this.choice.rules)) this.choice.rules = rules[0].key;
    this.known = known;
    /** @type {Ladder | undefined} */ this.ladder = undefined;
    /** @type {Openings | undefined} */ this.openings = undefined;
    this.board = /** @type {DamieraBoard} */ (document.createElement('damiera-board'));
    this.board.readonly = true;
    this.all = !this.main.some(r => r.key === this.choice.rules);
  }

  /** The chosen set. @returns {Rules} */
  get rules() {
    return /** @type {Rules} */ (this.known.get(this.choice.rules));
  }

  /** The house rules that change something here. */
  overrides() {
    return HOUSE.filter(([name]) => this.choice[name] && !this.barred(name)).map(([name, value]) => `${name}=${value}`);
  }

  /** Why a house rule cannot be chosen here, or nothing. @param {'capture' | 'draws' | 'first' | 'site'} name */
  barred(name) {
    if (name === 'first' && this.rules.first === 'black') return t('page.house.first.already');
    if ((name === 'draws' || name === 'site') && this.rules.board.size !== 8) return t('page.house.only8');
    return '';
  }

  /** The chosen opening, where the rules have it; nothing for a free one. */
  opening() {
    const { opening } = this.choice;
    return this.played().openings.includes(opening.split(':')[0]) ? opening : '';
  }

  /** The rules as they will be played: with another capture or another side to begin the openings of tournaments do not fit. @returns {Rules} */
  played() {
    const { rules } = this;
    const overrides = this.overrides();
    const free = overrides.includes('capture=optional');
    return {
      ...rules, canonical: [rules.key, ...overrides].join(), overrides, openings: overrides.some(o => !o.startsWith('draws')) ? [] : rules.openings, first: overrides.includes('first=black') ? 'black' : rules.first,
      facts: free ? { ...rules.facts, capture: 'optional' } : rules.facts,
    };
  }

  /** @param {HTMLElement} main */
  mount(main) {
    main.className = 'new';
    document.title = 'Damiera';
    document.body.className = '';
    this.caption = h('div.cap');
    this.form = h('form.pick', { submit: (/** @type {Event} */ event) => { event.preventDefault(); this.start(); } });
    fill(main, h('section.show', { 'aria-label': t('page.preview') }, h('div.bwrap', {}, this.board), this.caption), this.form);
    this.board.t = t;
    this.board.pieces = /** @type {any} */ (prefs.pieces);
    this.build();
    this.preview();
  }

  unmount() {
    this.form = this.caption = undefined;
  }

  /** @param {Partial<typeof this.choice>} some */
  choose(some) {
    this.choice = { ...this.choice, ...some };
    keep({ choice: this.choice });
    this.preview();
    this.refresh();
  }

  build() {
    if (!this.form) return;
    this.ladder = this.openings = undefined;
    this.parts = h('div.parts');
    this.house = h('div.house', {});
    this.failed = h('p', { role: 'alert', hidden: true });
    fill(this.form,
      h('fieldset', {}, h('legend', {}, t('page.which')), this.ruleList()),
      h('fieldset', {}, h('legend', {}, t('page.against')), this.choices('against', ['level', 'person'], value => t(`page.against.${value}`))),
      this.parts,
      h('div.gobar', {}, this.failed, h('button.go', { type: 'submit' }, t('page.start'))));
    this.strength = h('fieldset.strength', {}, h('legend', {}, t('page.strength')), this.grades(), this.fetched(t('page.level.exact'), !GRADES.some(level => level === this.choice.strength), async () => {
      const { Ladder } = await import('./ladder.js');
      return this.ladder = new Ladder(strength => this.choose({ strength }));
    }));
    this.ballots = h('fieldset.wide', {}, h('legend', {}, t('page.opening')), this.fetched(t('page.opening.about'), Boolean(this.opening()), async () => {
      const { Openings } = await import('./openings.js');
      return this.openings = new Openings(opening => this.choose({ opening }));
    }));
    this.colour = h('fieldset', {}, h('legend', {}, t('page.colour')), this.colours());
    fill(this.parts, this.strength, h('div.two-col', {}, this.colour,
      h('fieldset', {}, h('legend', {}, t('page.house')), h('details', { open: HOUSE.some(([name]) => this.choice[name]) }, h('summary', {}, t('page.house.about')), this.house)), this.ballots));
    this.refresh();
  }

  /** What depends on other choices. */
  refresh() {
    const alone = this.choice.against === 'level';
    if (this.strength) this.strength.hidden = !alone;
    for (const grade of /** @type {NodeListOf<HTMLInputElement>} */ (this.strength?.querySelectorAll('[name=strength]') ?? [])) grade.checked = grade.value === String(this.choice.strength);
    this.ladder?.show(this.played(), this.choice.strength);
    if (this.colour) this.colour.hidden = !alone;
    if (this.house) fill(this.house, this.check('site'), ...HOUSE.map(([name]) => this.check(name)));
    if (this.ballots) this.ballots.hidden = !this.played().openings.length;
    if (!this.ballots?.hidden) this.openings?.show(this.played(), this.opening()).then(() => this.preview());
  }

  ruleList() {
    /** @param {Rules} rules */
    const row = rules => h('label', {},
      this.radio('rules', rules.key), coin(rules.key), h('b', {}, nameOf(rules)), h('small.num', {}, sizeOf(rules)), h('em', {}, has(`rules.${rules.key}.line`) ? t(`rules.${rules.key}.line`) : ''));
    const list = h('div.rules', {}, ...this.main.map(row));
    const rest = () => this.more.map(row);
    if (this.all) list.append(...rest());
    else if (this.more.length) {
      const more = h('button.more', { type: 'button', 'aria-expanded': 'false', click: () => {
        this.all = true;
        const added = rest();
        more.replaceWith(...added);
        added[0].querySelector('input')?.focus();
      } }, t('page.more', { n: this.more.length }));
      list.append(more);
    }
    return list;
  }

  /** @param {'rules' | 'against' | 'strength' | 'colour'} name @param {string | number} value */
  radio(name, value) {
    return h('input', {
      type: 'radio', name, value, checked: this.choice[name] === value,
      change: () => this.choose({ [name]: value }),
    });
  }

  /** @param {'against'} name @param {string[]} values @param {(value: string) => string} label */
  choices(name, values, label) {
    return h('div.seg', {}, ...values.map(value => h('label', {}, this.radio(name, value), h('span', {}, label(value)))));
  }

  grades() {
    return h('div.lvl', {}, ...GRADES.map((level, i) => h('label', {}, this.radio('strength', level),
      h('span.stack', { 'aria-hidden': 'true' }, ...Array.from({ length: i + 1 }, () => h('i'))), h('b', {}, t(`page.grade.${level}`)), h('span', {}, t(`page.grade.${level}.about`)))));
  }

  /** What few ask for is fetched when it is opened. @param {string} summary @param {boolean} open @param {() => Promise<{node: Node}>} get */
  fetched(summary, open, get) {
    const details = h('details', { open }, h('summary', {}, summary));
    details.addEventListener('toggle', async () => {
      try {
        const { node } = await get();
        details.append(node);
        this.refresh();
      } catch {
        this.fail(t('page.offline'));
      }
    }, { once: true });
    return details;
  }

  colours() {
    return h('div.seg', {}, ...['white', 'black', 'lot'].map(colour => h('label', {}, this.radio('colour', colour),
      colour === 'lot' ? null : pieceTile(colour === 'white' ? 'w' : 'b', prefs.pieces === 'flat'), h('span', {}, t(`page.${colour}`)))));
  }

  /** A house rule; "as on the site" is two of them at once. @param {'capture' | 'draws' | 'first' | 'site'} name */
  check(name) {
    const reason = this.barred(name);
    const already = name === 'first' && reason;
    const on = name === 'site' ? !reason && this.choice.draws && (this.choice.first || Boolean(this.barred('first'))) : already ? true : !reason && this.choice[name];
    const change = (/** @type {Event} */ event) => {
      const { checked } = /** @type {HTMLInputElement} */ (event.target);
      this.choose(name === 'site' ? { draws: checked, first: checked } : { [name]: checked });
      // The boxes have been made anew; the finger stays where it was.
      $(`[name=${name}]`, this.house)?.focus();
    };
    return h('label', {}, h('input', { type: 'checkbox', name, checked: on, disabled: Boolean(reason), change }), h('span', {}, t(`page.house.${name}`)), reason && h('small', {}, reason));
  }

  preview() {
    const rules = this.played();
    this.board.configure({
      geometry: rules.board, position: this.opening() && this.openings?.ballot?.board || rules.start.board, flip: this.choice.against === 'level' && this.choice.colour === 'black',
      coords: /** @type {any} */ (prefs.coords),
    });
    if (this.caption) fill(this.caption, h('div', {}, h('h1', {}, nameOf(rules)), tagList(rules)), factList(rules));
  }

  async start() {
    const { against, strength, colour } = this.choice;
    const mine = /** @type {Side} */ (colour === 'lot' ? (Math.random() < .5 ? 'white' : 'black') : colour);
    const seats = { white: 'person', black: 'person' };
    if (against === 'level') seats[mine === 'white' ? 'black' : 'white'] = strength === 'best' ? strength : `level:${strength}`;
    const answer = await this.app.link.ask('new', { rules: this.played().canonical, seats, opening: this.opening() || null, paced: prefs.pace === 'person' });
    if (answer.e === 'state') this.app.goTo(`/g/${answer.game}`);
    else this.fail(answer.code === 'offline' ? t('page.offline') : t('page.error'));
  }

  /** @param {string} text */
  fail(text) {
    if (!this.failed) return;
    this.failed.hidden = false;
    fill(this.failed, text);
  }
}
