// How this browser likes the board.
import { fill, h } from './dom.js';
import { applyLook, keep, prefs } from './prefs.js';
import { t } from './words.js';

/** @import { Rules } from './link.js' */
/** @import { DamieraBoard } from '../board.js' */

const BOARDS = ['noce', 'panno', 'ardesia', 'contrasto'];

/** The questions: the preference, its values, and the words of each value. @type {['pieces' | 'coords' | 'duty' | 'sole' | 'touch' | 'pace' | 'theme', [string, string][]][]} */
const QUESTIONS = [
  ['pieces', [['turned', 'turned'], ['flat', 'flat']]],
  ['coords', [['none', 'coords.none'], ['edge', 'coords.edge'], ['all', 'coords.all']]],
  ['duty', [['always', 'duty.always'], ['touched', 'duty.touched'], ['never', 'duty.never']]],
  ['touch', [['once', 'touch.once'], ['twice', 'touch.twice']]],
  ['sole', [['off', 'sole.off'], ['ask', 'sole.ask'], ['auto', 'sole.auto']]],
  ['pace', [['person', 'pace.person'], ['off', 'pace.off']]],
  ['theme', [['auto', 'auto'], ['light', 'light'], ['dark', 'dark']]],
];

export class Settings {
  /** @param {Rules} rules what the sample board shows @param {() => void} done */
  constructor(rules, done) {
    this.rules = rules;
    this.done = done;
    this.board = /** @type {DamieraBoard} */ (document.createElement('damiera-board'));
    this.board.configure({ geometry: rules.board, position: rules.start.board, readonly: true });
  }

  /** @param {HTMLElement} main */
  mount(main) {
    main.className = 'set';
    document.title = `${t('page.settings')} · Damiera`;
    document.body.className = '';
    this.form = h('form', { submit: (/** @type {Event} */ event) => { event.preventDefault(); this.done(); } },
      h('fieldset', {}, h('legend', {}, t('page.set.board')), h('div.sws', {}, ...BOARDS.map(board => this.swatch(board)))),
      ...QUESTIONS.map(([name, values]) => h('fieldset', {}, h('legend', {}, t(`page.set.${name}`)),
        h('div.seg', {}, ...values.map(([value, words]) => h('label', {}, this.radio(name, value), h('span', {}, t(`page.set.${words}`))))))),
      h('div.row', {}, h('button.btn.main', { type: 'submit' }, t('page.done')), h('span', {}, t('page.set.kept'))));
    fill(main, h('h1', {}, t('page.settings')), this.form, h('div.bwrap', {}, this.board));
    this.board.t = t;
    this.show();
  }

  unmount() {
    this.form = undefined;
  }

  /** @param {'pieces' | 'coords' | 'duty' | 'sole' | 'touch' | 'pace' | 'theme' | 'board'} name @param {string} value */
  radio(name, value) {
    return h('input', { type: 'radio', name, value, checked: prefs[name] === value, change: () => this.set(name, value) });
  }

  /** @param {string} board */
  swatch(board) {
    return h('label.sw', {}, this.radio('board', board), h('i', { 'data-board': board, 'aria-hidden': 'true' }), h('span', {}, t(`page.set.${board}`)));
  }

  /** @param {string} name @param {string} value */
  set(name, value) {
    const was = prefs.board;
    keep({ [name]: value });
    // The board of high contrast has its own pieces; whoever leaves it leaves them too.
    if (name === 'board' && (value === 'contrasto') !== (was === 'contrasto')) {
      keep({ pieces: value === 'contrasto' ? 'flat' : 'turned' });
      for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (this.form?.querySelectorAll('[name=pieces]') ?? [])) input.checked = input.value === prefs.pieces;
    }
    this.show();
  }

  show() {
    applyLook();
    this.board.configure({ coords: /** @type {any} */ (prefs.coords), pieces: /** @type {any} */ (prefs.pieces) });
  }
}
