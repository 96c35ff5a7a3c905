// What a rules object says, in words.
import { h } from './dom.js';
import { has, t } from './words.js';

/** @import { Rules, State } from './link.js' */
/** @import { Strength } from './prefs.js' */

/** @param {string} key */
export const rulesName = key => has(`rules.${key}.name`) ? t(`rules.${key}.name`) : key;

/** The name of a rule set, home-made ones too. @param {Rules} rules */
export const nameOf = rules => rules.name ?? rulesName(rules.key);

/** @param {Strength} level */
export const levelName = level => level === 'best' ? t('page.level.best') : t('page.level', { n: level });

/** @param {Rules} rules */
export const sizeOf = ({ board }) => `${board.size}×${board.size}`;

/** @param {Rules} rules */
function boardFact({ board, start }) {
  const shape = board.kind === 'orthogonal' ? 'orthogonal' : board.mirrored ? 'mirrored' : 'diagonal';
  return `${t(`fact.board.${shape}`, { size: board.size })}; ${t('fact.men', { n: start.men })}`;
}

/** @param {Rules} rules */
function manFact({ facts }) {
  return t(`fact.man.${facts.men_capture}`) + (facts.men_take_kings ? '' : `, ${t('fact.man.no-kings')}`);
}

/** @param {Rules} rules */
function kingFact({ facts }) {
  return t(`fact.king.${facts.king}`) + (facts.landing === 'any' ? '' : `; ${t(`fact.landing.${facts.landing}`)}`);
}

/** @param {Rules} rules */
function captureFact({ facts }) {
  const list = facts.ladder.map(step => t(`fact.ladder.${step}`)).reduce((a, b) => a && t('fact.then', { a, b }) || b, '');
  const free = facts.capture === 'optional';
  const rule = list ? t(`fact.capture.${free ? 'optional-ladder' : 'ladder'}`, { list }) : t(`fact.capture.${free ? 'optional' : 'free'}`);
  return rule + (facts.removal === 'at-once' ? `; ${t('fact.removal.at-once')}` : '');
}

/** Label and text of every fact worth a line. @param {Rules} rules @param {boolean} short only how the pieces go @returns {string[][]} */
export function factsOf(rules, short = false) {
  const lines = [['man', manFact(rules)], ['king', kingFact(rules)], ['capture', captureFact(rules)]];
  if (rules.facts.goal !== 'normal') lines.push(['goal', t(`fact.goal.${rules.facts.goal}`)]);
  if (!short) {
    lines.unshift(['board', boardFact(rules)]);
    lines.push(['promotion', t(`fact.promotion.${rules.facts.promotion}`)], ['first', t(`fact.first.${rules.first}`)]);
  }
  return lines.map(([key, text]) => [t(`fact.${key}`), text]);
}

/** @param {Rules} rules @param {boolean} [short] */
export const factList = (rules, short) => h('dl.facts', {}, ...factsOf(rules, short).flatMap(([label, text]) => [h('dt', {}, label), h('dd', {}, text)]));

/** The opening with which a game began. @param {State} state */
export const openingName = ({ opening }) => opening ? t('opening.named', { n: opening.number, list: t(`opening.${opening.list}`) }) : '';

/** The house rules in force, and what else was agreed, as small tags. @param {Rules} rules @param {string[]} more */
export function tagList({ overrides }, ...more) {
  const tags = overrides.map(o => has(`page.tag.${o.split('=')[0]}`) ? t(`page.tag.${o.split('=')[0]}`) : o);
  tags.push(...more.filter(tag => tag));
  return tags.length ? h('ul.tags', {}, ...tags.map(tag => h('li', {}, tag))) : null;
}
