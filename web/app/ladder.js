// Every level of the computer, one bar each, with its strength as it was measured in the chosen rules. The bars say the order alone.
import { fill, h } from './dom.js';
import { levelName, nameOf } from './facts.js';
import { t } from './words.js';

/** @import { Rules } from './link.js' */
/** @import { Strength } from './prefs.js' */
/** How much stronger a level is than the one before it; no number where one of them won everything. @typedef {{level: string, elo: number | null, error: number | null, games: number}} Step */
/** @typedef {{rules: Record<string, {steps: Step[]}>}} Measured */

/** @type {Strength[]} */
const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 'best'];

/** The measured strengths; none where nobody has measured. @type {Promise<Measured>} */
const measured = fetch('/levels.json').then(answer => answer.ok ? answer.json() : { rules: {} }).catch(() => ({ rules: {} }));

const signed = new Intl.NumberFormat('en', { signDisplay: 'exceptZero', maximumFractionDigits: 0 });

/** Of a hundred points, a draw being half a point, who is so much stronger takes so many. @param {number} elo */
const share = elo => Math.round(100 / (1 + 10 ** (-elo / 400)));

export class Ladder {
  /** @param {(level: Strength) => void} choose */
  constructor(choose) {
    this.about = h('p', { 'aria-live': 'polite' });
    this.bars = h('div.ladder', { role: 'radiogroup', 'aria-label': t('page.level.exact') }, ...LEVELS.map(level => h('label', {},
      h('input', { type: 'radio', name: 'exact', value: level, 'aria-label': levelName(level), change: () => choose(level) }),
      h('i', { 'aria-hidden': 'true' }), h('span.num', { 'aria-hidden': 'true' }, level === 'best' ? '★' : level))));
    LEVELS.forEach((_, i) => /** @type {HTMLElement} */ (this.bars.children[i]).style.setProperty('--h', String(i / (LEVELS.length - 1))));
    this.node = h('div', {}, this.bars, this.about);
  }

  /** @param {Rules} rules @param {Strength} level */
  async show(rules, level) {
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (this.bars.querySelectorAll('input'))) input.checked = input.value === String(level);
    const shown = this.shown = `${rules.key} ${level}`;
    const { rules: of } = await measured;
    if (this.shown !== shown) return; // Another one was chosen meanwhile.
    const found = above(of[rules.key]?.steps ?? [], level);
    fill(this.about, h('b', {}, levelName(level)),
      level === 'best' && h('span', {}, t('page.level.best.about')),
      level === 1 && h('span', {}, t('page.level.first')),
      found && h('span', {}, t('page.level.elo', {
        rules: nameOf(rules), sum: Math.round(found.sum), elo: signed.format(found.elo), error: Math.round(found.error), n: found.games, m: share(found.elo),
      })));
  }
}

/** How far a level stands above the first, and its own step; nothing where a step on the way has no number. @param {Step[]} steps @param {Strength} level */
function above(steps, level) {
  if (level === 'best') return null;
  let found = null;
  for (let n = 2, sum = 0; n <= level; n++) {
    const step = steps.find(s => s.level === `level:${n}`);
    if (step?.elo == null || step.error == null) return null;
    sum += step.elo;
    found = { sum, elo: step.elo, error: step.error, games: step.games };
  }
  return found;
}
