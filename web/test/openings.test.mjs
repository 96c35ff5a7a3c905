// The openings of tournaments: drawn by lot or chosen, they are on the board before the first move, and have a name.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { cell, startProgram, visit } from './page-kit.mjs';

/** @import { Browser, Page } from 'playwright-core' */
/** @import { Program } from './page-kit.mjs' */

/** @type {Program} */ let program;
/** @type {Browser} */ let browser;

before(async () => {
  program = await startProgram();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});
after(async () => {
  await browser?.close();
  await program?.stop();
});

/** @param {Page} page @param {string} text */
const choose = (page, text) => page.locator('label').filter({ hasText: text }).first().click();
/** @param {Page} page */
const start = async page => {
  await page.getByRole('button', { name: 'Comincia la partita' }).click();
  await page.waitForURL(/\/g\//);
};
/** @param {Page} page */
const plies = page => page.getByRole('group', { name: 'Mosse' }).getByRole('button');
/** @param {Page} page */
const summary = page => page.getByText('Da torneo: sorteggiata o scelta');

test('an opening by lot is played, named, and stays when moves are taken back', async () => {
  const { page, close } = await visit(browser, program.address);
  await choose(page, 'Dama italiana');
  await summary(page).click();
  await choose(page, 'Sorteggiata');
  await choose(page, 'tre mosse');
  await start(page);
  await page.locator('.rulecard').getByText(/^Apertura n\. \d+ \(tre mosse\)$/).waitFor();
  await plies(page).nth(2).waitFor();
  const drawn = await plies(page).allInnerTexts();
  // Black is to move after three, and that is the computer.
  await plies(page).nth(3).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Ritira mossa' }).getAttribute('aria-disabled'), 'true');
  await page.reload();
  await plies(page).nth(3).waitFor();
  assert.deepEqual((await plies(page).allInnerTexts()).slice(0, 3), drawn.slice(0, 3));
  await close();
});

test('a chosen ballot takes its men off and plays its moves; it is kept for the next game', async () => {
  const { page, close } = await visit(browser, program.address);
  await choose(page, 'Dama americana');
  await summary(page).click();
  await choose(page, 'Scelgo io');
  await choose(page, 'undici pedine');
  await page.getByLabel('Numero').fill('');
  await page.getByLabel('Numero').pressSequentially('12');
  const told = await page.locator('.ballot output').innerText();
  const [, , ...moves] = told.split(/\s+/);
  await choose(page, 'In due su questo schermo');
  await start(page);
  await page.getByText(/Apertura n\. 12 \(undici pedine\)/).first().waitFor();
  for (const move of moves) {
    const to = move.split(/[-×]/)[1];
    assert.doesNotMatch(await cell(page, to).getAttribute('aria-label') ?? '', /vuota/, told);
  }
  assert.equal(await page.getByRole('gridcell', { name: /bianca|nera/ }).count(), 22);
  await page.goto(program.address);
  assert.equal(await page.getByLabel('Numero').inputValue(), '12');
  await close();
});

test('a chosen ballot is on the board before the game begins; what is no ballot begins none', async () => {
  const { page, close } = await visit(browser, program.address, { kept: { pace: 'off', choice: { rules: 'american', opening: '3-move:3' } } });
  const told = page.locator('.ballot output');
  await told.getByText('9-13 21-17 10-14').waitFor();
  await told.getByText('Esclusa dal sorteggio').waitFor();
  const preview = page.getByRole('grid');
  /** @param {string} square @param {RegExp} piece */
  const has = (square, piece) => preview.getByRole('gridcell', { name: new RegExp(`^${square}, ${piece.source}`) }).waitFor();
  await has('13', /pedina nera/);
  await has('17', /pedina bianca/);
  await has('9', /vuota/);
  const number = page.getByLabel('Numero');
  for (const none of ['175', '0', '']) {
    await number.fill(none);
    assert.equal(await number.getAttribute('aria-invalid'), 'true');
    assert.equal(await told.innerText(), '');
    await page.getByRole('button', { name: 'Comincia la partita' }).click();
  }
  assert.equal(new URL(page.url()).pathname, '/');
  await number.fill('4');
  await told.getByText('9-13 22-17 13×22').waitFor();
  assert.equal(await number.getAttribute('aria-invalid'), 'false');
  await has('22', /pedina nera/);
  await choose(page, 'Libera');
  await has('9', /pedina nera/);
  await close();
});

test('openings that cannot be fetched are asked for again', async () => {
  const { page, close } = await visit(browser, program.address);
  await page.route('**/api/openings*', route => route.abort());
  const refused = page.waitForEvent('requestfailed');
  await summary(page).click();
  await refused;
  await page.unroute('**/api/openings*');
  await choose(page, 'Dama americana');
  await choose(page, 'Sorteggiata');
  await choose(page, 'undici pedine');
  await start(page);
  await page.getByText(/\(undici pedine\)/).first().waitFor();
  await close();
});

test('where the openings do not fit the rules there are none', async () => {
  const { page, close } = await visit(browser, program.address, { kept: { pace: 'off', choice: { rules: 'russian', opening: '3-move' } } });
  assert.equal(await summary(page).isVisible(), false);
  await choose(page, 'Dama italiana');
  await summary(page).waitFor();
  await page.getByText('Presa libera').click();
  await page.getByRole('checkbox', { name: /non è obbligatoria/ }).check();
  await summary(page).waitFor({ state: 'hidden' });
  await start(page);
  await page.getByText('Nessuna mossa ancora.').waitFor();
  await close();
});
