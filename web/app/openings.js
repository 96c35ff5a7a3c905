// The openings of tournaments: free, by lot, or one that is chosen. Fetched when somebody asks for it.
import { $, fill, h } from './dom.js';
import { pretty, t } from './words.js';

/** @import { Rules } from './link.js' */
/** `board` is the position after the moves. @typedef {{number: number, barred: boolean, removed: string[], moves: string[], board: string}} Ballot */
/** @typedef {{list: string, ballots: Ballot[]}} List */

/** @param {string} opening `` (free), a list (`3-move`) or one of its ballots (`3-move:17`) */
const wayOf = opening => opening.includes(':') ? 'choose' : opening ? 'lot' : 'free';

export class Openings {
  /** @param {(opening: string) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.node = h('div.openings');
    /** @type {List[] | undefined} */ this.lists = undefined;
    this.canonical = this.opening = this.shape = '';
  }

  /** The ballot that was chosen, once its list is there. @returns {Ballot | undefined} */
  get ballot() {
    const [name, number] = this.opening.split(':');
    return this.lists?.find(l => l.list === name)?.ballots.find(b => b.number === Number(number));
  }

  /** @param {Rules} rules as they will be played @param {string} opening */
  async show(rules, opening) {
    this.opening = opening;
    const { canonical } = rules;
    if (canonical !== this.canonical) {
      this.canonical = canonical;
      this.shape = '';
      this.lists = undefined;
      /** @type {List[] | null} */
      const lists = await fetch(`/api/openings?spec=${encodeURIComponent(canonical)}`).then(answer => answer.json()).catch(() => null);
      if (this.canonical !== canonical) return; // Other rules were chosen meanwhile.
      if (!lists) {
        this.canonical = ''; // Without a connection there are none; the next choice asks again.
        return;
      }
      // In the order of the rules: the usual list comes first.
      this.lists = rules.openings.flatMap(name => lists.find(l => l.list === name) ?? []);
    }
    if (!this.lists) return; // They are on their way.
    if (opening.includes(':') && !this.ballot) this.choose(''); // There is no such ballot any longer.
    else this.draw();
  }

  draw() {
    const { opening, lists } = this;
    if (!lists) return;
    const [name, number] = opening.split(':');
    const list = lists.find(l => l.list === name) ?? lists[0];
    const way = wayOf(opening);
    const { ballot } = this;
    const output = $('output', this.node);
    if (output && ballot) fill(output, ...movesOf(ballot));
    // While a number is being typed nothing else changes.
    const shape = `${way} ${list.list}`;
    if (shape === this.shape) return;
    this.shape = shape;
    const focused = /** @type {HTMLInputElement | null} */ (this.node.contains(document.activeElement) ? document.activeElement : null);
    const ways = { free: '', lot: list.list, choose: `${list.list}:${number ?? list.ballots[0].number}` };
    fill(this.node,
      this.seg('opening', t('page.opening'), Object.entries(ways).map(([key, value]) => ({ value, words: t(`page.opening.${key}`), on: key === way }))),
      way !== 'free' && this.seg('list', t('page.opening.list'), lists.map(l => ({ value: way === 'lot' ? l.list : `${l.list}:${l.ballots[0].number}`, words: t(`opening.${l.list}`), on: l === list }))),
      way === 'choose' && ballot && this.chooser(list, ballot));
    // Everything has been made anew; the finger stays where it was.
    if (focused) /** @type {HTMLElement | null} */ ($(`[name=${focused.name}]${focused.type === 'radio' ? ':checked' : ''}`, this.node))?.focus();
  }

  /** @param {string} name @param {string} label @param {{value: string, words: string, on: boolean}[]} choices */
  seg(name, label, choices) {
    return h('div.seg', { role: 'radiogroup', 'aria-label': label }, ...choices.map(({ value, words, on }) => h('label', {},
      h('input', { type: 'radio', name, value, checked: on, change: () => this.choose(value) }), h('span', {}, words))));
  }

  /** One of a list, by its number. @param {List} list @param {Ballot} ballot */
  chooser({ list, ballots }, ballot) {
    const output = h('output.num', {}, ...movesOf(ballot));
    const change = (/** @type {Event} */ event) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      const known = ballots.some(b => b.number === Number(input.value));
      input.setAttribute('aria-invalid', String(!known));
      if (known) this.choose(`${list}:${Number(input.value)}`);
      else fill(output);
    };
    return h('p.ballot', {},
      h('label', {}, t('page.opening.number', { n: ballots.length }), h('input', { type: 'number', name: 'number', required: true, min: 1, max: ballots.length, value: ballot.number, inputmode: 'numeric', input: change })),
      output);
  }
}

/** @param {Ballot} ballot */
function movesOf({ removed, moves, barred }) {
  return [h('b', {}, pretty([...removed.map(square => `−${square}`), ...moves].join('  '))), barred && h('small', {}, t('page.opening.barred'))];
}
