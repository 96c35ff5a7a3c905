// What this browser remembers. Storage may be forbidden; then choices last as long as the page.

const KEY = 'damiera';

/** @typedef {{rules: string, against: 'level' | 'person', level: number, colour: 'white' | 'black' | 'lot', capture: boolean, draws: boolean, first: boolean}} Choice */

const defaults = {
  lang: '',
  theme: 'auto',
  board: 'noce',
  pieces: 'turned',
  coords: 'all',
  duty: 'touched',
  sole: 'off',
  touch: 'once',
  game: '',
  /** @type {Choice} */
  choice: { rules: 'italian', against: 'level', level: 2, colour: 'white', capture: false, draws: false, first: false },
};

/** @returns {typeof defaults} */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return { ...defaults, ...kept, choice: { ...defaults.choice, ...kept.choice } };
  } catch {
    return { ...defaults };
  }
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
