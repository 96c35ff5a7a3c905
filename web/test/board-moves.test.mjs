// Touches and typed text against lists of moves, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidates, keep, targets, touch, walked, waysOf } from '../board/moves.js';
import { move } from './board-kit.mjs';

/** @import { Move } from '../board/moves.js' */

/** Touches squares one after the other; an asterisk marks a piece of the side to move, an exclamation mark one of the other side. Returns what each touch came to, and the text of a played move.
 * @param {Move[]} moves @param {string} squares @param {boolean} [confirm] */
function touches(moves, squares, confirm = false) {
  const ways = waysOf(moves);
  /** @type {string[]} */ let touched = [];
  /** @type {string[]} */ const said = [];
  for (const word of squares.split(' ')) {
    const piece = word.endsWith('*') ? 'own' : word.endsWith('!') ? 'other' : null;
    const outcome = touch(ways, touched, word.replace(/[*!]$/, ''), piece, confirm);
    if (outcome.do === 'play') return [...said, `${outcome.way.move.text} by ${outcome.way.path.join(' ')}`].join('; ');
    touched = outcome.touched;
    said.push(outcome.do === 'wrong' ? `wrong ${outcome.squares.join(' ')}` : `${outcome.do} ${touched.join(' ')}`.trim());
  }
  return said.join('; ');
}

const QUIET = [move('24-20', [['24 20']]), move('24-19', [['24 19']]), move('23-19', [['23 19']])];
const FORK = [move('24x6', [['24 15 6', '20 11']]), move('24x8', [['24 15 8', '20 12']])];
/** Two ways round to the same end with the same captures, and a longer move through it. */
const LOOP = [
  move('47x36', [['47 29 18 36', '38 23 27'], ['47 33 18 36', '38 23 27']]),
  move('47x13', [['47 29 13', '38 19']]),
];
const ROUND = [move('30x30', [['30 21 14 23 30', '25 17 18 26'], ['30 23 14 21 30', '26 18 17 25']]), move('30x5', [['30 23 14 5', '26 18 9']])];

test('a simple move takes two touches in either order, or one where it is the only one', () => {
  assert.equal(touches(QUIET, '24* 20'), 'keep 24; 24-20 by 24 20');
  assert.equal(touches(QUIET, '19 23*'), 'keep 19; 23-19 by 23 19');
  assert.equal(touches(QUIET, '20'), '24-20 by 24 20');
  assert.equal(touches(QUIET, '23*'), '23-19 by 23 19');
});

test('with confirmation, touching the piece alone never plays', () => {
  assert.equal(touches(QUIET, '23* 19', true), 'keep 23; 23-19 by 23 19');
  assert.equal(touches(QUIET, '20', true), '24-20 by 24 20');
});

test('a capture is asked about only up to the first difference', () => {
  assert.equal(touches(FORK, '24* 8'), 'keep 24; 24x8 by 24 15 8');
  assert.equal(touches(FORK, '15 6'), 'keep 15; 24x6 by 24 15 6');
  assert.equal(touches(FORK, '6'), '24x6 by 24 15 6');
});

test('ways of the same class are no question', () => {
  assert.equal(touches(LOOP, '47* 36'), 'keep 47; 47x36 by 47 29 18 36');
  assert.equal(touches(LOOP, '47* 33'), 'keep 47; 47x36 by 47 33 18 36');
  assert.equal(touches(LOOP, '29 18'), 'keep 29; 47x36 by 47 29 18 36');
});

test('a capture that returns to its origin needs a second touch there', () => {
  assert.equal(touches(ROUND, '30* 30*'), 'keep 30; 30x30 by 30 21 14 23 30');
  assert.equal(touches([ROUND[0]], '30* 30*'), 'keep 30; 30x30 by 30 21 14 23 30');
  assert.equal(touches(ROUND, '30* 5'), 'keep 30; 30x5 by 30 23 14 5');
  assert.equal(touches(ROUND, '30* 21'), 'keep 30; 30x30 by 30 21 14 23 30');
});

test('order decides between moves through the same squares, and a second touch ends a move that could go on', () => {
  const same = [move('axd', [['a b c d', 'p q r']]), move('axd', [['a c b d', 's q t']])];
  assert.equal(touches(same, 'a* b c d'), 'keep a; keep a b; keep a b c; axd by a b c d');
  assert.equal(touches(same, 'a* c b d'), 'keep a; keep a c; keep a c b; axd by a c b d');
  const open = [move('axb', [['a b', 'p']]), move('axc', [['a b c', 'p q']])];
  assert.equal(touches(open, 'a* b b'), 'keep a; keep a b; axb by a b');
  assert.equal(touches(open, 'a* b c'), 'keep a; keep a b; axc by a b c');
});

test('a touch of the piece in hand takes one leg back; another piece is taken instead', () => {
  assert.equal(touches(QUIET, '24* 24*'), 'keep 24; back');
  assert.equal(touches(FORK, '24* 15 15'), 'keep 24; keep 24 15; back 24');
  assert.equal(touches(QUIET, '24* 23*'), 'keep 24; 23-19 by 23 19');
});

test('wrong touches say which squares, and nothing is said about empty ones', () => {
  assert.equal(touches(QUIET, '22*'), 'wrong 22');
  assert.equal(touches(QUIET, '24* 16'), 'keep 24; wrong 24 16');
  assert.equal(touches(FORK, '24* 15 7'), 'keep 24; keep 24 15; wrong 24 15 7');
  assert.equal(touches(QUIET, '24* 22*'), 'keep 24; wrong 22');
  assert.equal(touches(QUIET, '12!'), 'wrong 12');
  assert.equal(touches(QUIET, '24* 12!'), 'keep 24; wrong 24 12');
  assert.equal(touches(QUIET, '5'), 'nothing');
});

test('how far the piece has come, and what may be touched next', () => {
  const ways = waysOf(FORK);
  assert.deepEqual(walked(ways, ['24']), ['24']);
  assert.deepEqual(walked(ways, ['15']), ['24', '15']);
  assert.deepEqual(walked(waysOf(QUIET), ['19']), []);
  assert.deepEqual(walked(waysOf(ROUND), ['30']), ['30']);
  assert.deepEqual(targets(ways, ['24']), { ends: new Set(['6', '8']), legs: new Set(['15']) });
  assert.deepEqual([...targets(keep(waysOf(ROUND), ['30']), ['30']).ends], ['30', '5']);
});

test('typed moves: full, short, unfinished, ambiguous', () => {
  /** @param {Move[]} moves @param {string} text */
  const read = (moves, text) => {
    const { move: found, options } = candidates(moves, text);
    return `${found?.text ?? '?'} of ${options.map(o => o.text).join(' ')}`;
  };
  assert.equal(read(QUIET, '24-20'), '24-20 of 24-20');
  assert.equal(read(QUIET, ' 24 19 '), '24-19 of 24-19');
  assert.equal(read(QUIET, '20'), '24-20 of ');
  assert.equal(read(QUIET, '2'), '? of 24-20 24-19 23-19');
  assert.equal(read(QUIET, '24-1'), '? of 24-19');
  assert.equal(read(QUIET, ''), '? of 24-20 24-19 23-19');
  assert.equal(read(QUIET, '24-31'), '? of ');
  assert.equal(read(FORK, '24x15x8'), '24x8 of 24x8');
  assert.equal(read(FORK, '24x15'), '? of 24x6 24x8');
  assert.equal(read(ROUND, '30x30'), '30x30 of 30x30');
  const short = [move('axd', [['a1 b2 d4', 'p q']]), move('axd', [['a1 c1 d4', 's t']])];
  assert.equal(read(short, 'A1:D4'), '? of a1xb2xd4 a1xc1xd4');
  assert.equal(read(short, 'a1c1d4'), 'axd of a1xc1xd4');
});

test('whatever the moves are, touching the whole path of one, and its end once more, plays that one', () => {
  let seed = 5;
  const random = (/** @type {number} */ n) => (seed = (seed * 16807) % 2147483647) % n;
  for (let round = 0; round < 2000; round++) {
    /** @type {Map<string, Move>} */ const moves = new Map();
    for (let i = random(6) + 2; i > 0; i--) {
      const path = ['a', 'b'][random(2)];
      const legs = Array.from({ length: random(4) + 1 }, () => 'cdefgh'[random(6)]).filter((s, j, all) => s !== all[j - 1]);
      // Now and then a round trip.
      const whole = [path, ...legs, ...legs.length > 1 && random(4) === 0 ? [path] : []].join(' ');
      moves.set(whole, move(whole, [[whole]]));
    }
    const all = [...moves.values()];
    for (const wanted of all) {
      const squares = [...wanted.path, wanted.to].map(s => 'ab'.includes(s) ? `${s}*` : s).join(' ');
      const said = touches(all, squares);
      const played = /(\S.*) by /.exec(said.split('; ').at(-1) ?? '')?.[1];
      // A move may be played as soon as no other is left, but never another one.
      assert.ok(played === wanted.text, `${squares} among ${[...moves.keys()].join(', ')}: ${said}`);
    }
  }
});
