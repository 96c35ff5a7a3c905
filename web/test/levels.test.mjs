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
const exact = page => page.getByText('Tutti i livelli').click();
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
  const levels = page.getByRole('radiogroup', { name: /livelli/ });
  await levels.waitFor();
  assert.equal(await levels.getByRole('radio').count(), 11);
  // The grade that was chosen is one of the levels.
  assert.ok(await levels.getByRole('radio', { name: 'Livello 3' }).isChecked());
  await levels.locator('label').filter({ hasText: /^4$/ }).click();
  assert.equal(await page.locator('[name=strength]:checked').count(), 0);
  await page.keyboard.press('ArrowRight');
  await page.locator('.told').getByText('Livello 5', { exact: true }).waitFor();
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

test('a level that there is not, and whatever else a browser may have kept, does no harm', async () => {
  for (const kept of [{ choice: { level: 9 } }, { choice: { strength: 11 } }, { choice: { strength: 'strong' } }, { choice: { rules: 'none', opening: '3-move:9999', colour: 'red', against: '' } }, { choice: 5 }]) {
    const { page, close } = await open({ kept: { ...kept, pace: 'off' } });
    assert.ok(await grade(page, 'Da circolo').isChecked(), JSON.stringify(kept));
    // An opening that is not in the list is none.
    if ('opening' in Object(kept.choice)) await page.locator('.openings label').filter({ hasText: 'Libera' }).and(page.locator(':has(:checked)')).waitFor();
    await start(page);
    await opponent(page).getByText('Livello 7').waitFor();
    await close();
  }
});

/** A match of a level against the one below it, as `damiera train levels` writes it. @param {number} level @param {object} [other] */
const step = (level, other = {}) => ({ level: `level:${level}`, against: `level:${level - 1}`, elo: 100, error: 20 + level, games: 200, wins: 110, draws: 36, losses: 54, ...other });

test('the measured strength is told for the chosen rules, against both neighbours and in a table', async () => {
  const { page, close } = await open();
  // In one match one player has won everything: from there on nobody knows how far it is to the first level.
  const steps = Array.from({ length: 8 }, (_, i) => step(i + 2, i === 6 ? { elo: null, error: null, wins: 200, draws: 0, losses: 0 } : {}));
  await page.route('**/levels.json', route => route.fulfill({ json: { rules: { italian: { steps, naive: null } } } }));
  await exact(page);
  const told = page.locator('.told');
  /** @param {...string} words */
  const says = async (...words) => {
    await told.getByText(words[0]).waitFor();
    assert.deepEqual(await told.locator('span').allInnerTexts(), words);
  };
  await says('+600 Elo rispetto al livello 1', 'contro il livello 6: +100 ± 27 Elo', 'contro il livello 8: 0 punti su 100');
  const pick = (/** @type {RegExp} */ level) => page.locator('.ladder label').filter({ hasText: level }).click();
  await pick(/^1$/);
  await says('per i primi passi', 'contro il livello 2: −100 ± 22 Elo');
  await pick(/^8$/);
  await says('contro il livello 7: 100 punti su 100', 'contro il livello 9: −100 ± 29 Elo');
  await pick(/^10$/);
  await says('Forza non ancora misurata con queste regole.');
  await pick(/★/);
  await says('tutto quello che sa: pensa due secondi a mossa', 'Non misurato: dipende dalla velocità di questo computer.');

  await page.getByText('Come sono stati misurati').click();
  const rows = page.getByRole('table', { name: /^Dama italiana/ }).getByRole('row');
  const cells = async (/** @type {number} */ row) => (await rows.nth(row).locator('th, td').allInnerTexts()).join(' | ');
  assert.equal(await rows.count(), 10);
  assert.equal(await cells(1), '2 | +100 ± 22 | 64 % | 200 | +100');
  assert.equal(await cells(7), '8 | – | 100 % | 200 | –');
  assert.equal(await cells(9), '10 | – | – | – | –');
  await close();
});

test('where nobody has measured it says so and shows no figure', async () => {
  const { page, close } = await open();
  await page.route('**/levels.json', route => route.fulfill({ json: { rules: { italian: { steps: [2, 3, 4, 5, 6, 7, 8, 9, 10].map(n => step(n)) } } } }));
  await exact(page);
  const told = page.locator('.told');
  await told.getByText('contro il livello 6: +100 ± 27 Elo').waitFor();
  const unmeasured = async () => {
    await told.getByText('non ancora misurata').waitFor();
    assert.equal(await told.getByText('Elo').count() + await page.getByText('Come sono stati misurati').count(), 0);
  };
  await page.locator('label').filter({ hasText: 'Dama spagnola' }).click();
  await unmeasured();
  // A rule of the house makes it another game.
  await page.locator('label').filter({ hasText: 'Dama italiana' }).click();
  await told.getByText('contro il livello 6: +100 ± 27 Elo').waitFor();
  await page.getByText('Presa libera').click();
  await page.getByLabel('La presa non è obbligatoria').check();
  await unmeasured();
  await page.unroute('**/levels.json');
  await page.route('**/levels.json', route => route.fulfill({ status: 404 }));
  await page.goto(`${program.address}/?rules=russian`);
  await exact(page);
  await unmeasured();
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
  // A computer that begins is told with the new game already.
  await page.goto(program.address);
  await page.locator('label').filter({ hasText: /^Nero$/ }).click();
  await start(page);
  assert.equal(said.filter(({ message }) => message.t === 'new').at(-1)?.message.paced, false);
  await close();
});

test('a move that is taken back while the computer thinks is not answered', async () => {
  const { page, close } = await open();
  await page.goto(program.address + await gameFrom(page, { rules: 'italian', seats: { white: 'person', black: 'best' } }));
  const plies = page.getByRole('group', { name: 'Mosse' }).getByRole('button');
  const play = async (/** @type {string} */ move) => {
    await page.getByLabel('Scrivi la mossa').fill(move);
    await page.keyboard.press('Enter');
  };
  await play('22-19');
  await page.getByRole('heading', { name: 'Il computer pensa' }).waitFor();
  await page.getByText('Gioca al massimo: due secondi a mossa.').waitFor();
  await page.getByRole('button', { name: 'Ritira mossa' }).click();
  await page.getByText('Nessuna mossa ancora.').waitFor();
  await play('23-20');
  await plies.nth(1).waitFor();
  assert.equal(await plies.nth(0).innerText(), '23-20');
  assert.equal(await plies.count(), 2);
  await close();
});

test('the computer moves although the program was ended while it thought', async () => {
  const own = await startProgram();
  const { page, close } = await visit(browser, own.address);
  await page.goto(own.address + await gameFrom(page, { rules: 'italian', seats: { white: 'person', black: 'best' } }));
  await page.getByLabel('Scrivi la mossa').fill('22-19');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Il computer pensa' }).waitFor();
  await own.halt();
  await page.getByRole('heading', { name: 'Collegamento perso' }).waitFor();
  const again = await startProgram({ port: Number(new URL(own.address).port), folder: own.folder });
  await page.getByRole('group', { name: 'Mosse' }).getByRole('button').nth(1).waitFor({ timeout: 20_000 });
  await close();
  await again.stop();
});
