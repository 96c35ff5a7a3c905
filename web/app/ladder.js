// Every level of the computer, one bar each, with its strength as it was measured in the chosen rules. The bars say the order alone.
import { fill, h } from './dom.js';
import { levelName, nameOf } from './facts.js';
import { LEVELS } from './prefs.js';
import { lang, t } from './words.js';

/** @import { Rules } from './link.js' */
/** @import { Strength } from './prefs.js' */
/** A match of a level against the one below it; no number where one of them won everything. @typedef {{level: string, elo: number | null, error: number | null, games: number, wins: number, draws: number}} Step */
/** @typedef {{steps: Step[]}} Matches */
/** @typedef {{rules: Record<string, Matches>}} Measured */

/** The measured strengths; none where nobody has measured. @type {Promise<Measured>} */
const measured = fetch('/levels.json').then(answer => answer.ok ? answer.json() : { rules: {} }).catch(() => ({ rules: {} }));

/** A difference, with its sign. @param {number} elo */
const signed = elo => new Intl.NumberFormat(lang, { signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(elo).replace('-', '−');

/** Of a hundred points, a draw being half a point. @param {Step} step */
const points = ({ wins, draws, games }) => Math.round(100 * (wins + draws / 2) / games);

export class Ladder {
  /** @param {(level: Strength) => void} choose */
  constructor(choose) {
    this.about = h('div.told', { 'aria-live': 'polite' });
    this.table = h('div');
    this.bars = h('div.ladder', { role: 'radiogroup', 'aria-label': t('page.level.exact') }, ...LEVELS.map(level => h('label', {},
      h('input', { type: 'radio', name: 'exact', value: level, 'aria-label': levelName(level), change: () => choose(level) }),
      h('i', { 'aria-hidden': 'true' }), h('span.num', { 'aria-hidden': 'true' }, level === 'best' ? '★' : level))));
    LEVELS.forEach((_, i) => /** @type {HTMLElement} */ (this.bars.children[i]).style.setProperty('--h', String(i / (LEVELS.length - 1))));
    this.node = h('div', {}, this.bars, this.about, this.table);
    this.told = this.listed = '';
  }

  /** @param {Rules} rules as they will be played @param {Strength} level */
  async show(rules, level) {
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (this.bars.querySelectorAll('input'))) input.checked = input.value === String(level);
    const shown = this.shown = `${rules.canonical} ${level}`;
    const { rules: of } = await measured;
    if (this.shown !== shown) return; // Another one was chosen meanwhile.
    const steps = new Map((of[rules.canonical]?.steps ?? []).map(step => [Number(step.level.replace('level:', '')), step]));
    const words = [levelName(level), ...wordsFor(level, steps)];
    if (this.told !== words.join()) fill(this.about, ...words.map((text, i) => h(i ? 'span' : 'b', {}, text)));
    this.told = words.join();
    if (this.listed === rules.canonical) return;
    this.listed = rules.canonical;
    fill(this.table, steps.size > 0 && h('details', {}, h('summary', {}, t('page.level.table')), table(rules, steps)));
  }
}

/** What is known of a level: its place above the first, and its matches against its neighbours. @param {Strength} level @param {Map<number, Step>} steps */
function wordsFor(level, steps) {
  if (level === 'best') return [t('page.level.best.about'), t('page.level.best.measured')];
  const first = level === 1 ? [t('page.level.first')] : [];
  if (!steps.size) return [...first, t('page.level.unmeasured')];
  const sum = height(level, steps);
  if (level > 1 && sum !== null) first.push(t('page.level.sum', { elo: signed(sum) }));
  const matches = [versus(steps.get(level), level - 1, 1), versus(steps.get(level + 1), level + 1, -1)].filter(text => text);
  return [...first, ...matches.length ? matches : [t('page.level.unmeasured')]];
}

/** How a match went for the level that stands `way` it: 1 above the other one, -1 below. @param {Step | undefined} step @param {number} n the other level @param {1 | -1} way */
function versus(step, n, way) {
  if (!step) return '';
  if (step.elo === null || step.error === null) return t('page.level.points', { n, m: way > 0 ? points(step) : 100 - points(step) });
  return t('page.level.step', { n, elo: signed(way * step.elo), error: step.error });
}

/** How far a level stands above the first; nothing where a step on the way has no number. @param {number} level @param {Map<number, Step>} steps */
function height(level, steps) {
  let sum = 0;
  for (let n = 2; n <= level; n++) {
    const elo = steps.get(n)?.elo ?? null;
    if (elo === null) return null;
    sum += elo;
  }
  return sum;
}

/** Every match, a level a row. @param {Rules} rules @param {Map<number, Step>} steps */
function table(rules, steps) {
  const head = ['page.level.table.level', 'page.level.table.step', 'page.level.table.points', 'page.level.table.games', 'page.level.table.sum'].map(key => h('th', { scope: 'col' }, t(key)));
  const row = (/** @type {number} */ n) => {
    const step = steps.get(n);
    const sum = height(n, steps);
    const cells = step ? [step.elo === null || step.error === null ? '–' : `${signed(step.elo)} ± ${step.error}`, `${points(step)} %`, step.games] : ['–', '–', '–'];
    return h('tr', {}, h('th', { scope: 'row' }, n), ...[...cells, sum === null ? '–' : signed(sum)].map(cell => h('td', {}, cell)));
  };
  return h('table.num', {}, h('caption', {}, t('page.level.table.about', { rules: nameOf(rules) })), h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...Array.from({ length: 9 }, (_, i) => row(i + 2))));
}
