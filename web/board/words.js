// The board's own words in English, for a page that gives it no others.

/** @typedef {(key: string, params?: Record<string, string | number>) => string} Translate */

/** @type {Record<string, string>} */
const ENGLISH = {
  'board.label': 'Draughts board',
  'board.help': 'Arrow keys walk the squares, Enter touches one, Escape takes the last touch back.',
  'board.empty': 'empty',
  'board.w': 'white man',
  'board.b': 'black man',
  'board.W': 'white king',
  'board.B': 'black king',
  'board.must': 'must capture {n}',
  'board.must-any': 'must capture',
  'board.end': 'the move ends here',
  'board.leg': 'the move goes on here',
  'board.picked': 'picked up',
};

/** @type {Translate} */
export const english = (key, params = {}) => (ENGLISH[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(params[name] ?? ''));
