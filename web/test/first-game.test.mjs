// What somebody does who has never seen the page: touches the wrong piece, offers a draw in the middle of an explanation, goes to read the rules.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { gameFrom, startProgram, tap, visit } from './page-kit.mjs';

/** @import { Browser } from 'playwright-core' */
/** @import { Program } from './page-kit.mjs' */

/** @type {Program} */ let program;
/** @type {Browser} */ let browser;

before(async () => {
  program = await startProgram();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
});
after(async () => {
  await browser?.close();
  await program?.stop();
});

/** A game of Italian draughts between two at one screen, in which White must capture with the man on 18. */
async function duty() {
  const { page, close } = await visit(browser, program.address);
  const path = await gameFrom(page, { rules: 'italian', seats: { white: 'person', black: 'person' }, fen: 'W:W18,29,32:B14,1,2' });
  await page.goto(program.address + path);
  const white = page.getByRole('region', { name: 'Bianco' });
  await white.getByRole('heading', { name: 'Qui devi prendere' }).waitFor();
  return { page, white, black: page.getByRole('region', { name: 'Nero' }), path, close };
}

test('touching a piece of the other side says whose it is', async () => {
  const { page, white, close } = await duty();
  await tap(page, '14');
  await white.getByText('Il pezzo in 14 è dell’avversario.').waitFor();
  await close();
});

test('an explanation left open makes room for an offer of a draw, and its drawing does not stay on the finished game', async () => {
  const { page, white, black, close } = await duty();
  await tap(page, '29');
  await white.getByText('Qui si deve prendere').waitFor();
  assert.notEqual(await page.locator('.dm-veil').count(), 0);
  await white.getByRole('button', { name: 'Offri patta' }).click();
  await black.getByRole('button', { name: 'Accetta' }).click();
  await white.getByRole('heading', { name: 'Patta', exact: true }).waitFor();
  assert.equal(await page.locator('.dm-veil').count(), 0);
  await close();
});

test('from the rules there is a way back to the game', async () => {
  const { page, path, close } = await duty();
  await page.goto(`${program.address}/it/rules/italian`);
  await page.getByRole('navigation', { name: 'Sezioni' }).getByRole('link', { name: 'Partita', exact: true }).click();
  await page.getByRole('grid', { name: 'Damiera' }).waitFor();
  assert.equal(new URL(page.url()).pathname, path);
  await close();
  const stranger = await visit(browser, program.address);
  await stranger.page.goto(`${program.address}/it/rules/italian`);
  await stranger.page.getByRole('link', { name: 'Impostazioni' }).waitFor();
  assert.equal(await stranger.page.getByRole('link', { name: 'Partita', exact: true }).count(), 0);
  await stranger.close();
});
