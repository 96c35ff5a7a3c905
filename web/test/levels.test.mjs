// How strong the computer is, and how soon it answers: the grades, the exact levels, the pace.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { gameFrom, startProgram, visit } from './page-kit.mjs';

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

/** @param {{kept?: object}} [options] */
const open = options => visit(browser, program.address, options);
/** @param {Page} page @param {string} name */
const grade = (page, name) => page.getByRole('radio', { name: new RegExp(`^${name}`) });
/** @param {Page} page */
const exact = page => page.getByText('Scegli tu il livello').click();
/** @param {Page} page */
const start = async page => {
  await page.getByRole('button', { name: 'Comincia la partita' }).click();
  await page.waitForURL(/\/g\//);
};
/** Who sits opposite. @param {Page} page */
const opponent = page => page.locator('.game .seat.far .who');

test('one of three grades, or the exact level by pointer and by keyboard', async () => {
  const { page, close } = await open();
  assert.ok(await grade(page, 'Da circolo').isChecked());
  await page.locator('label').filter({ hasText: 'Alla buona' }).click();
  await exact(page);
  const levels = page.getByRole('radiogroup', { name: /livello/ });
  await levels.waitFor();
  assert.equal(await levels.getByRole('radio').count(), 11);
  // The grade that was chosen is one of the levels.
  assert.ok(await levels.getByRole('radio', { name: 'Livello 3' }).isChecked());
  await levels.locator('label').filter({ hasText: /^4$/ }).click();
  assert.equal(await page.locator('[name=strength]:checked').count(), 0);
  await page.keyboard.press('ArrowRight');
  await page.locator('.ladder + p').getByText('Livello 5', { exact: true }).waitFor();
  await start(page);
  await opponent(page).getByText('Livello 5').waitFor();
  // The choice is kept, and shown although it is no grade.
  await page.goto(program.address);
  assert.ok(await page.getByRole('radio', { name: 'Livello 5' }).isChecked());
  await page.locator('label').filter({ hasText: '★' }).click();
  await page.getByText('due secondi a mossa').waitFor();
  await start(page);
  await opponent(page).getByText('Il massimo').waitFor();
  await close();
});

test('who had chosen one of the three old levels finds it again', async () => {
  for (const [level, name] of /** @type {const} */ ([[1, 'Alla buona'], [2, 'Da circolo'], [3, 'Senza sconti']])) {
    const { page, close } = await open({ kept: { choice: { rules: 'russian', level }, pace: 'off' } });
    assert.ok(await grade(page, name).isChecked(), name);
    assert.ok(await grade(page, 'Dama russa').isChecked());
    await close();
  }
});

test('the measured strength is told for the chosen rules, and no number where nobody has measured', async () => {
  const { page, close } = await open();
  // In one match one player has won everything: from there on nobody knows how far it is to the first level.
  const steps = Array.from({ length: 9 }, (_, i) => ({ level: `level:${i + 2}`, elo: i === 7 ? null : 100, error: i === 7 ? null : 20 + i, games: 200 }));
  await page.route('**/levels.json', route => route.fulfill({ json: { rules: { italian: { steps } } } }));
  await exact(page);
  const told = page.locator('.ladder + p');
  await told.getByText('Elo 600 sopra il livello 1 (Dama italiana). Contro il livello precedente +100 ± 25: circa 64 punti su 100, misurati in 200 partite.').waitFor();
  const levels = page.locator('.ladder');
  await levels.locator('label').filter({ hasText: /^8$/ }).click();
  await told.getByText('Elo 700').waitFor();
  for (const beyond of [/^9$/, /^10$/, /★/]) {
    await levels.locator('label').filter({ hasText: beyond }).click();
    await told.getByText('Elo').waitFor({ state: 'detached' });
  }
  await page.locator('label').filter({ hasText: 'Da circolo' }).click();
  await told.getByText('Elo 600').waitFor();
  await page.locator('label').filter({ hasText: 'Dama spagnola' }).click();
  await told.getByText('Elo').waitFor({ state: 'detached' });
  await page.unroute('**/levels.json');
  await page.route('**/levels.json', route => route.fulfill({ status: 404 }));
  await page.reload();
  await exact(page);
  await told.getByText('Livello 7', { exact: true }).waitFor();
  assert.equal(await told.getByText('Elo').count(), 0);
  await close();
});

/** What the page says to the table, and hears, as it comes. @param {Page} page */
function overhear(page) {
  /** @type {{at: number, message: any}[]} */ const said = [];
  page.on('websocket', socket => {
    const note = (/** @type {{payload: string | Buffer}} */ { payload }) => said.push({ at: Date.now(), message: JSON.parse(String(payload)) });
    socket.on('framesent', note);
    socket.on('framereceived', note);
  });
  return said;
}

test('the computer takes its time as a person does, unless it is told not to', async () => {
  const { page, close } = await open({ kept: {} });
  const said = overhear(page);
  await page.goto(program.address + await gameFrom(page, { rules: 'italian', seats: { white: 'person', black: 'level:1' } }));
  await page.getByLabel('Scrivi la mossa').fill('22-19');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Il computer pensa' }).waitFor();
  await page.getByRole('group', { name: 'Mosse' }).getByRole('button').nth(1).waitFor();
  const moved = said.findIndex(({ message }) => message.t === 'move');
  const answered = said.findIndex(({ message }) => message.e === 'state' && message.ply === 2);
  assert.ok(moved >= 0 && said[answered].at - said[moved].at >= 400, 'no person is that quick');

  await page.getByRole('link', { name: 'Impostazioni' }).click();
  await page.getByRole('group', { name: 'Le risposte del computer' }).getByText('Subito').click();
  await page.getByRole('button', { name: 'Fatto' }).click();
  await page.getByRole('grid', { name: 'Damiera' }).waitFor();
  const opened = said.filter(({ message }) => message.t === 'open').map(({ message }) => message.paced);
  assert.deepEqual([opened[0], opened.at(-1)], [true, false]);
  await close();
});
