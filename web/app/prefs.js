// What this browser remembers. Storage may be forbidden; then choices last as long as the page.

const KEY = 'damiera';

/** How strong the computer is: a level, or its best. @typedef {number | 'best'} Strength */
/** @typedef {{rules: string, against: 'level' | 'person', strength: Strength, colour: 'white' | 'black' | 'lot', capture: boolean, draws: boolean, first: boolean, opening: string}} Choice */

/** Every strength, the weakest first. @type {Strength[]} */
export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 'best'];

/** The levels that have a name. */
export const GRADES = [3, 7, 10];

const defaults = {
  lang: '',
  theme: 'auto',
  board: 'noce',
  pieces: 'turned',
  coords: 'all',
  duty: 'touched',
  sole: 'off',
  touch: 'once',
  pace: 'person',
  game: '',
  /** @type {Choice} */
  choice: { rules: 'italian', against: 'level', strength: GRADES[1], colour: 'white', capture: false, draws: false, first: false, opening: '' },
};

/** @returns {typeof defaults} */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const { level, ...choice } = kept.choice ?? {};
    // There were three levels once; they have become those that have a name.
    if (level) choice.strength ??= GRADES[level - 1];
    return { ...defaults, ...kept, choice: { ...defaults.choice, ...sound(choice) } };
  } catch {
    return { ...defaults };
  }
}

/** Without what no version of this page has written. @param {Record<string, any>} choice @returns {Partial<Choice>} */
function sound(choice) {
  /** @type {Record<string, any[]>} */
  const known = { against: ['level', 'person'], strength: LEVELS, colour: ['white', 'black', 'lot'] };
  return Object.fromEntries(Object.entries(choice).filter(([name, value]) => name in known ? known[name].includes(value) : typeof value === typeof Reflect.get(defaults.choice, name)));
}

export const prefs = read();

/** Changes some and keeps them. @param {Partial<typeof defaults>} some */
export function keep(some) {
  Object.assign(prefs, some);
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Puts light and board onto the document. */
export function applyLook() {
  const root = document.documentElement;
  root.dataset.theme = prefs.theme === 'auto' ? (dark.matches ? 'dark' : 'light') : prefs.theme;
  root.dataset.board = prefs.board;
}

dark.addEventListener('change', applyLook);
