// The words of the page, one language at a time.

/** @typedef {string | Record<string, string>} Text a text, or one for each plural category */

/** Languages by their own names. @type {Record<string, string>} */
export const LANGS = { it: 'Italiano', es: 'Español', 'pt-BR': 'Português', en: 'English' };

/** @type {Record<string, Text>} */
let words = {};
/** The parts of the page whose words have been added. @type {Set<string>} */
let parts = new Set();
let plurals = new Intl.PluralRules('en');
let numbers = new Intl.NumberFormat('en');
/** The language in use. */
export let lang = 'en';

/** The first of the wanted languages that we speak. @param {readonly string[]} wanted */
export function choose(wanted) {
  for (const tag of wanted) {
    if (LANGS[tag]) return tag;
    const base = tag.toLowerCase().split('-')[0];
    if (base === 'pt') return 'pt-BR';
    if (LANGS[base]) return base;
  }
  return 'en';
}

/** Fetches a language and makes it the one in use. @param {string} tag */
export async function use(tag) {
  const answer = await fetch(`/lang/${tag}.json`);
  if (!answer.ok) throw new Error(`lang/${tag}.json: ${answer.status}`);
  words = await answer.json();
  parts = new Set();
  lang = tag;
  plurals = new Intl.PluralRules(tag);
  numbers = new Intl.NumberFormat(tag);
  document.documentElement.lang = tag;
}

/** Adds the words of a part of the page, which not everybody needs. @param {string} part */
export async function add(part) {
  const tag = lang;
  if (parts.has(part)) return;
  const answer = await fetch(`/lang/${part}/${tag}.json`);
  const more = answer.ok ? await answer.json() : {};
  // Another language may have been chosen meanwhile.
  if (tag !== lang) return add(part);
  Object.assign(words, more);
  parts.add(part);
}

/** @param {string} key */
export const has = key => key in words;

/** The text of a key. `{name}` stands for a parameter; a plural text is chosen by `n`.
 * @param {string} key @param {Record<string, unknown>} [params] */
export function t(key, params = {}) {
  const text = words[key] ?? key;
  const one = typeof text === 'string' ? text : text[plurals.select(Number(params.n))] ?? text.other;
  return one.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = params[name];
    return typeof value === 'number' ? numbers.format(value) : String(value ?? whole);
  });
}

/** A move as it is printed: a true multiplication sign between the squares. @param {string} text */
export const pretty = text => text.replaceAll('x', '×');
