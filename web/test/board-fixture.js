// A page with one board and what the board says, for board.test.mjs.
import '/board.js';

/** @typedef {{type: string, detail: any}} Said */
const board = /** @type {import('../board.js').DamieraBoard} */ (document.querySelector('damiera-board'));
/** @type {Said[]} */ const said = [];
for (const type of ['move', 'attempt', 'progress', 'cancel']) {
  board.addEventListener(`damiera-${type}`, event => said.push({ type, detail: /** @type {CustomEvent} */ (event).detail }));
}
Object.assign(window, { board, said });
