// Every draw clause as two persons at one screen meet it: how far it has counted, the ply at which it draws, and why. The games are those of
// tests/data/draws.jsonl; the command line replays all of them, here the shortest one for each clause is finished by clicks.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { gameFrom, playFrom, playMoves, startProgram, visit } from './page-kit.mjs';

/** @import { Browser, Page } from 'playwright-core' */
/** @import { Program } from './page-kit.mjs' */

/** A scripted game: `end` is the clause that draws it with the last move, `claim` the one that may then be claimed.
 * @typedef {{article: string, rules: string, clause: string, fen: string, moves: string[], end: string | null, claim: string | null}} Scripted */
/** What the article of a clause says. `seen` is the count before the last move, null where there is none to be seen; `doubt` what is said of the source.
 * @typedef {{rules: string, clause: string, seen: number | null, limit: number, claimed?: boolean, doubt?: string}} Expected */

/** @param {string} name @returns {Promise<string>} */
const read = name => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');
/** @type {Scripted[]} */
const scripted = (await read('tests/data/draws.jsonl')).trim().split('\n').map(line => JSON.parse(line));
/** @type {Record<string, string | {other: string}>} */
const words = JSON.parse(await read('lang/it.json'));

/** The figures are written out here, so that the program cannot be wrong in the count and in the test alike. @type {Expected[]} */
const CLAUSES = [
  { rules: 'brazilian', clause: 'repetition', seen: 2, limit: 3 },
  { rules: 'antidraughts', clause: 'repetition', seen: 2, limit: 3, doubt: 'non verificata' },
  { rules: 'american', clause: 'repetition', seen: 2, limit: 3, claimed: true },
  { rules: 'czech', clause: 'repetition', seen: 2, limit: 3, claimed: true },
  { rules: 'brazilian', clause: 'king-moves', seen: 19, limit: 20 },
  { rules: 'russian', clause: 'king-moves', seen: 14, limit: 15, doubt: 'controversa' },
  { rules: 'italian', clause: 'king-moves', seen: 39, limit: 40, doubt: 'non verificata' },
  { rules: 'american', clause: 'king-moves', seen: 39, limit: 40, claimed: true },
  { rules: 'portuguese', clause: 'king-moves-few', seen: 19, limit: 20 },
  { rules: 'italian,draws=casual', clause: 'no-progress', seen: 39, limit: 40 },
  { rules: 'brazilian', clause: 'few-pieces', seen: 4, limit: 5 },
  { rules: 'russian', clause: 'long-diagonal', seen: 4, limit: 5 },
  { rules: 'pool', clause: 'three-kings', seen: 12, limit: 13 },
  { rules: 'portuguese', clause: 'three-kings-diagonal', seen: 11, limit: 12 },
  { rules: 'international', clause: 'three-pieces', seen: 15, limit: 16 },
  { rules: 'frisian', clause: 'two-kings', seen: 6, limit: 7 },
  { rules: 'frisian', clause: 'one-each', seen: null, limit: 0 },
  { rules: 'russian', clause: 'balance-4-5', seen: 29, limit: 30 },
  { rules: 'russian', clause: 'balance-6-7', seen: 59, limit: 60 },
];

/** Moves of a man, by which a count begins anew. */
const RESTARTS = [
  { rules: 'brazilian', clause: 'king-moves', ply: 21, seen: 10, limit: 20, doubt: '' },
  { rules: 'italian', clause: 'king-moves', ply: 21, seen: 10, limit: 40, doubt: 'non verificata' },
  { rules: 'portuguese', clause: 'king-moves-few', ply: 21, seen: 10, limit: 20, doubt: '' },
];

/** @type {Browser} */ let browser;
/** @type {Program} */ let program;
/** @type {Awaited<ReturnType<typeof visit>>} */ let visitor;

before(async () => {
  program = await startProgram();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  visitor = await visit(browser, program.address);
});

after(async () => {
  await visitor?.close();
  await browser?.close();
  await program?.stop();
});

/** @param {(game: Scripted) => boolean} fits */
function shortest(fits) {
  const [game] = scripted.filter(fits).sort((a, b) => a.moves.length - b.moves.length);
  assert.ok(game, `no such game: ${fits}`);
  return game;
}

/** The game that reaches a clause. @param {Expected} expected @returns {Scripted} */
function gameOf({ rules, clause, claimed }) {
  // No rule set has this clause by itself. Forty king moves each are forty moves without progress as well.
  if (clause === 'no-progress') return { ...shortest(game => game.rules === 'italian' && game.end === 'king-moves'), rules, clause };
  return shortest(game => game.rules === rules && (claimed ? game.claim : game.end) === clause);
}

/** Begins a scripted game for two persons, plays its first plies elsewhere and opens it. Its clause cannot be claimed up to there.
 * @param {Scripted} game @param {number} plies @returns {Promise<Page>} */
async function arrive({ rules, clause, fen, moves }, plies) {
  const { page } = visitor;
  const path = await gameFrom(page, { rules, fen, seats: { white: 'person', black: 'person' } });
  const claimable = await playFrom(page, path, moves.slice(0, plies));
  assert.ok(!claimable.includes(clause));
  await page.goto(program.address + path);
  await strip(page, 'Bianco').getByRole('heading', { name: 'Bianco' }).waitFor();
  return page;
}

/** The edge of the board where a player sits. @param {Page} page @param {string} name */
const strip = (page, name) => page.getByRole('region', { name, exact: true });
/** @param {Page} page @param {string} name */
const button = (page, name) => page.getByRole('button', { name, exact: true });
/** @param {Page} page */
const drawn = page => page.getByRole('heading', { name: 'Patta', exact: true });
/** A count as the player to move reads it. @param {Page} page @param {string} clause */
const counted = (page, clause) => page.getByText(new RegExp(`^${words[`clause.${clause}`]}: \\d+ su \\d+`));

/** @param {string} clause @param {number} count @param {number} limit @param {string} [doubt] */
const countText = (clause, count, limit, doubt) => `${words[`clause.${clause}`]}: ${count} su ${limit}${doubt ? ` (${doubt})` : ''}`;

/** Why the game is drawn. @param {string} clause @param {number} limit */
function endText(clause, limit) {
  const text = words[`end.${clause}`];
  return (typeof text === 'string' ? text : text.other).replace('{n}', String(limit));
}

/** Both players read that the game is drawn, and why; no count is shown any more. @param {Page} page @param {Expected} expected */
async function assertDrawn(page, { clause, limit }) {
  for (const name of ['Bianco', 'Nero']) {
    await strip(page, name).getByRole('heading', { name: 'Patta', exact: true }).waitFor();
    await strip(page, name).getByText(endText(clause, limit), { exact: true }).waitFor();
  }
  assert.equal(await button(page, 'Chiedi patta').count(), 0);
  assert.equal(await counted(page, clause).count(), 0);
  assert.equal(await page.locator('.dm-target').count(), 0, 'nothing can be moved any more');
}

/** The game goes on. @param {Page} page */
async function assertGoesOn(page) {
  await page.locator('.dm-own.dm-target').first().waitFor();
  assert.equal(await drawn(page).count(), 0);
}

for (const expected of CLAUSES) {
  const { rules, clause, seen, limit, claimed, doubt } = expected;
  test(`${rules}: ${clause} ${claimed ? 'is claimed' : 'draws'} at its ply`, async () => {
    const game = gameOf(expected);
    const last = game.moves.length - 1;
    const page = await arrive(game, Math.max(0, last - 1));
    await playMoves(page, game.moves.slice(Math.max(0, last - 1), last));
    if (seen === null) assert.equal(await counted(page, clause).count(), 0);
    else await page.getByText(countText(clause, seen, limit, doubt), { exact: true }).waitFor();
    await assertGoesOn(page);
    assert.equal(await button(page, 'Chiedi patta').count(), 0, 'nothing to claim before the last move');
    await playMoves(page, game.moves.slice(last));
    if (claimed) {
      await button(page, 'Chiedi patta').waitFor();
      await assertGoesOn(page);
      await button(page, 'Chiedi patta').click();
    }
    await assertDrawn(page, expected);
  });
}

test('every clause that a scripted game reaches is among them', () => {
  const reached = new Set(scripted.map(game => game.claim ?? game.end).filter(clause => clause !== null));
  for (const clause of reached) assert.ok(CLAUSES.some(expected => expected.clause === clause), clause);
});

for (const clause of new Set(CLAUSES.map(expected => expected.clause).filter(clause => clause !== 'no-progress'))) {
  test(`${clause} does not draw too soon`, async () => {
    const game = shortest(other => other.clause === clause && !other.end && !other.claim);
    const page = await arrive(game, game.moves.length - 1);
    await playMoves(page, game.moves.slice(-1));
    // Whoever has moved waits for the other one, as nobody does when a game is over.
    const whiteMoved = game.fen.startsWith('W') === (game.moves.length % 2 === 1);
    await strip(page, whiteMoved ? 'Bianco' : 'Nero').getByText('aspetta', { exact: true }).waitFor();
    await assertGoesOn(page);
  });
}

for (const { rules, clause, ply, seen, limit, doubt } of RESTARTS) {
  test(`${rules}: a man's move sets the count of ${clause} back`, async () => {
    const game = shortest(other => other.rules === rules && other.clause === clause && other.article.includes('restarts'));
    const page = await arrive(game, ply - 2);
    await playMoves(page, game.moves.slice(ply - 2, ply - 1));
    await page.getByText(countText(clause, seen, limit, doubt), { exact: true }).waitFor();
    await playMoves(page, game.moves.slice(ply - 1, ply));
    await counted(page, clause).waitFor({ state: 'detached' });
    await playMoves(page, game.moves.slice(ply, ply + 2));
    await page.getByText(countText(clause, 1, limit, doubt), { exact: true }).waitFor();
  });
}

test('alone against the computer, the meter counts, says what is not verified, and is empty again after a man’s move', async () => {
  const { page } = visitor;
  // The computer has a lone king, so it adds to the count whatever it plays.
  await page.goto(program.address + await gameFrom(page, { rules: 'italian', seats: { white: 'person', black: 'level:1' }, fen: 'W:WK32,22,31:BK1' }));
  const meter = page.locator('.meter');
  await playMoves(page, ['32-28']);
  const line = page.getByRole('listitem').filter({ hasText: `${words['clause.king-moves']} (non verificata)` });
  await line.getByText('1 su 40', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Verso la patta' }).waitFor();
  await playMoves(page, ['28-32']);
  await line.getByText('2 su 40', { exact: true }).waitFor();
  await playMoves(page, ['31-27']);
  await line.waitFor({ state: 'detached' });
  assert.ok(await meter.isHidden());
});
