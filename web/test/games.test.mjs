// Files of games in the page: opened or pasted, listed, searched, replayed, doctored and saved, as a person does it.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { cell, overflow, rawKeys, startProgram, visit } from './page-kit.mjs';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */
/** @import { Program } from './page-kit.mjs' */

/** @type {Browser} */ let browser;
/** @type {Program} */ let program;

before(async () => {
  program = await startProgram();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});
after(async () => {
  await browser?.close();
  await program?.stop();
});

/** @param {string} [path] @param {BrowserContextOptions} [options] */
const open = (path = '/games', options = {}) => visit(browser, program.address + path, options);

/** An Italian game as somebody typed it years ago, with what he did not know: the English names of the tags, the signs, how far one may go. */
const ITALIAN = `[Evento "Torneo della città di Lecce"]
[Bianco "Nicolò Ferò"]
[Nero "Rossi"]
[Risultato "1-0"]

1. 22x18 {così si apre} 12-16
2. 21-17 (2. 18-14 11x18 {è peggio}) 10-14! 3. 27-1 9-13 1-0
`;

/** Puts a file on the shelf as another tab would, and returns its address. @param {Page} page @param {string} name @param {string} text */
async function shelve(page, name, text) {
  const { id } = await page.evaluate(async ([name, text]) => (await fetch(`/api/files?name=${encodeURIComponent(name)}`, { method: 'POST', body: text })).json(), [name, text]);
  return `/games/${id}`;
}

/** @param {Page} page @param {string} name @param {Buffer} buffer */
const choose = (page, name, buffer) => page.getByLabel('Apri un file').setInputFiles({ name, mimeType: 'text/plain', buffer });
/** What the table says of the position. @param {Page} page */
const now = page => page.locator('.say h2');
/** @param {Page} page @param {string} text */
const shows = (page, text) => now(page).getByText(text, { exact: true }).waitFor();
/** @param {Page} page @param {string} name */
const press = (page, name) => page.getByRole('button', { name, exact: true }).first().click();
/** What was found, as the list has it. @param {Page} page */
const findings = page => page.getByRole('region', { name: 'Problemi trovati' }).getByRole('listitem');
/** @param {Page} page @param {() => Promise<void>} act */
async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

test('a person’s round trip: an old Italian file in CP1252, what was mended, replayed, saved, and nothing to find in it any more', async () => {
  const { page, close } = await open();
  await choose(page, 'circolo.pdn', Buffer.from(ITALIAN, 'latin1'));
  await page.waitForURL(/\/games\/[0-9a-f]{32}\/1$/);
  await shows(page, 'L’inizio della partita');
  assert.match(await page.title(), /Nicolò Ferò.*Rossi/);
  // Names, and the board of the Italian game: mirrored, a dark square at each player's right.
  await page.locator('.game .seat.near').getByText('Nicolò Ferò').waitFor();
  assert.match(await page.locator('.info').innerText(), /Torneo della città di Lecce[^]*Dama italiana[^]*riconosciute dalle mosse/);
  const [first, second] = [await cell(page, '1').boundingBox(), await cell(page, '5').boundingBox()];
  assert.ok(first && second && first.x < second.x, 'square 1 is in the corner');

  const found = await findings(page).allInnerTexts();
  assert.equal(found.length, 6);
  // What is lost comes first, told by a word and a sign; then what was mended.
  assert.match(found[0], /^non letto · riga 7\s+27-1/);
  assert.match(found[1], /^corretto · riga 1\s+.*Evento.*Event/);
  assert.match(found[5], /^corretto · riga 6\s+22x18.*22-18/);
  assert.equal(await page.locator('.finding.fault svg').count(), 1);

  for (const [button, text] of /** @type {const} */ ([['Avanti', '1. 22-18'], ['Avanti', '1… 12-16'], ['Avanti', '2. 21-17'], ['Avanti', '2… 10-14!'], ['Indietro', '2. 21-17'], ['Fine', '2… 10-14!'], ['Inizio', 'L’inizio della partita']])) {
    await press(page, button);
    await shows(page, text);
  }
  await press(page, 'Avanti');
  await page.locator('.say').getByText('così si apre').waitFor();
  assert.match(await cell(page, '18').getAttribute('aria-label') ?? '', /pedina bianca/);

  const file = await saved(page, () => page.getByRole('link', { name: 'Salva come PDN' }).click());
  assert.equal(file.name, 'circolo-1.pdn');
  assert.match(file.text, /^\[Event "Torneo della città di Lecce"\]\n\[White "Nicolò Ferò"\]/);
  await page.getByRole('link', { name: 'circolo.pdn' }).click();
  await page.getByRole('link', { name: 'Nicolò Ferò – Rossi' }).waitFor();
  await choose(page, file.name, Buffer.from(file.text));
  await page.waitForURL(/\/games\/[0-9a-f]{32}\/1$/);
  await page.getByText('Tutto in ordine').waitFor();
  assert.equal(await findings(page).count(), 0);
  await press(page, 'Fine');
  await shows(page, '2… 10-14!');
  await close();
});

test('a game is pasted, and its own text lies beside what was found in it', async () => {
  const { page, close } = await open();
  await page.getByLabel('Oppure incolla una partita').fill(ITALIAN);
  await press(page, 'Leggila');
  await page.waitForURL(/\/1$/);
  await page.locator('.game .seat.near').getByText('Nicolò Ferò').waitFor();
  await findings(page).filter({ hasText: '22x18' }).getByRole('button').click();
  await shows(page, '1. 22-18');
  const text = page.getByRole('region', { name: 'Testo del file' });
  const asked = text.locator('mark.asked');
  assert.equal(await asked.innerText(), '22x18');
  assert.equal(await text.locator('li.asked i').innerText(), '6');
  // Mended or lost is told by a sign too, not by the colour alone.
  const sign = (/** @type {string} */ kind) => text.locator(`mark.${kind}`).first().evaluate(mark => getComputedStyle(mark, '::before').content);
  assert.deepEqual([await sign('repair'), await sign('fault')], ['"✓"', '"✕"']);
  await findings(page).filter({ hasText: '27-1' }).getByRole('button').click();
  await shows(page, '2… 10-14!');
  assert.equal(await asked.innerText(), '27-1');
  // A line of the text leads to its first move, and the move on the board is marked in the text.
  await text.getByText('12-16').click();
  await shows(page, '1. 22-18');
  await press(page, 'Avanti');
  assert.equal(await text.locator('mark.here').innerText(), '12-16');
  await close();
});

test('the position is in the address', async () => {
  const { page, close } = await open('/games', { permissions: ['clipboard-read', 'clipboard-write'] });
  const path = await shelve(page, 'a.pdn', ITALIAN);
  await page.goto(`${program.address}${path}/1`);
  await shows(page, 'L’inizio della partita');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  await shows(page, '2. 21-17');
  assert.equal(new URL(page.url()).hash, '#3');
  await press(page, 'Copia il collegamento');
  await page.getByText('Copiato.').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(link, `${program.address}${path}/1#3`);
  await press(page, 'Copia la posizione (FEN)');
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('B:W17,18,'));
  await press(page, 'Copia PDN');
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('[Event "Torneo della città'));
  // Somebody else opens the link, and it survives a look at the settings.
  const other = await open(link.replace(program.address, ''));
  await shows(other.page, '2. 21-17');
  assert.match(await cell(other.page, '17').getAttribute('aria-label') ?? '', /pedina bianca/);
  await other.page.getByRole('link', { name: 'Impostazioni' }).click();
  await other.page.getByRole('button', { name: 'Fatto' }).click();
  await shows(other.page, '2. 21-17');
  await other.close();
  // A link to a place that is not there shows the game.
  await page.goto(`${program.address}${path}/1#999`);
  await shows(page, 'L’inizio della partita');
  await close();
});

test('a game by keyboard alone: moves, variations, and the game that plays itself', async () => {
  const { page, close } = await open();
  await page.goto(program.address + await shelve(page, 'a.pdn', ITALIAN) + '/1');
  await page.locator('.moves [tabindex="0"]').focus();
  await page.keyboard.press('End');
  await shows(page, '2… 10-14!');
  for (const [key, text] of /** @type {const} */ ([['ArrowLeft', '2. 21-17'], ['ArrowDown', '2. 18-14'], ['ArrowRight', '2… 11×18'], ['ArrowLeft', '2. 18-14'], ['ArrowUp', '2. 21-17'], ['ArrowUp', '2. 21-17'], ['Home', 'L’inizio della partita']])) {
    await page.keyboard.press(key);
    await shows(page, text);
  }
  // The focus goes with the move, so that the next key is heard.
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), '1. 22-18');
  const live = page.locator('damiera-board [role=status]');
  await live.getByText('Bianco: 22-18. così si apre').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await page.locator('.say').getByText('variante').waitFor();
  await page.getByRole('button', { name: 'Riproduci' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Ferma' }).waitFor();
  await shows(page, '1… 12-16');
  await page.keyboard.press('Enter');
  const stopped = await now(page).innerText();
  await page.waitForTimeout(1500);
  assert.equal(await now(page).innerText(), stopped);
  // Arrow keys on the board walk over its squares.
  await page.locator('[role=gridcell][tabindex="0"]').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await now(page).innerText(), stopped);
  await close();
});

test('the board is turned round, and a finger turns the pages', async () => {
  const { page, close } = await open('/games', { hasTouch: true });
  await page.goto(program.address + await shelve(page, 'a.pdn', ITALIAN) + '/1');
  await shows(page, 'L’inizio della partita');
  const height = async (/** @type {string} */ name) => (await cell(page, name).boundingBox())?.y ?? 0;
  assert.ok(await height('1') < await height('32'));
  await press(page, 'Ruota');
  assert.ok(await height('1') > await height('32'));
  await page.locator('.game .seat.near').getByText('Rossi').waitFor();
  /** @param {number} way */
  const swipe = way => page.locator('.bwrap').evaluate((wrap, way) => {
    const touch = (/** @type {number} */ x) => new Touch({ identifier: 1, target: wrap, clientX: x, clientY: 300 });
    wrap.dispatchEvent(new TouchEvent('touchstart', { touches: [touch(300)], changedTouches: [touch(300)] }));
    wrap.dispatchEvent(new TouchEvent('touchend', { touches: [], changedTouches: [touch(300 + 80 * way)] }));
  }, way);
  await swipe(-1);
  await shows(page, '1. 22-18');
  await swipe(1);
  await shows(page, 'L’inizio della partita');
  await close();
});

test('one goes on playing from any position', async () => {
  const { page, close } = await open();
  await page.goto(program.address + await shelve(page, 'a.pdn', ITALIAN) + '/1#2');
  await press(page, 'Gioca da qui');
  await page.waitForURL(/\/g\//);
  await cell(page, '16').and(page.getByRole('gridcell', { name: /pedina nera/ })).waitFor();
  await page.getByRole('heading', { name: /Tocca a te|Qui devi prendere/ }).first().waitFor();
  await close();
});

test('twenty thousand games: drawn as they are seen, searched as one types, found again on the way back', { timeout: 120_000 }, async () => {
  const { page, close } = await open();
  const text = Array.from({ length: 20_000 }, (_, i) => `[Event "Torneo ${i + 1}"]\n[White "Ferò ${i % 7}"]\n[Black "Rossi"]\n\n1. 22${i % 100 ? '-' : 'x'}18 12-16 1-0\n\n`).join('');
  const path = await shelve(page, 'grande.pdn', text);
  await page.goto(program.address + path);
  const rows = page.getByRole('region', { name: 'Partite di grande.pdn' }).getByRole('listitem');
  await rows.first().getByText('Torneo 1', { exact: true }).waitFor();
  assert.ok(await rows.count() < 60, `${await rows.count()} rows are drawn`);
  await page.locator('.count').getByText('20.000 partite').waitFor();
  const search = page.getByLabel('Cerca tra le partite');
  await search.fill('FERO 3 torneo 1999');
  await page.locator('.count').getByText(/partite trovate/).waitFor();
  // All words, in any tag, whatever their accents: 1999, and 19990 to 19999, where Ferò 3 plays or a 3 is in the number.
  assert.ok(await rows.count() < 20);
  await search.fill('nessuno');
  await page.getByText('Nessuna partita corrisponde.').waitFor();
  assert.equal(new URL(page.url()).search, '?q=nessuno');
  await search.fill('');
  await page.getByLabel('Solo con correzioni').check();
  await page.locator('.count').getByText('200 partite trovate').waitFor();
  await page.getByLabel('Solo con correzioni').uncheck();
  await rows.first().getByText('Torneo 1', { exact: true }).waitFor();
  await rows.first().getByRole('link').focus();
  await page.keyboard.press('End');
  await page.getByRole('link', { name: /Torneo 20000/ }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.getByRole('link', { name: /Torneo 19999/ }).and(page.locator(':focus')).waitFor();
  assert.ok(await rows.count() < 60);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/19999$/);
  await page.getByRole('link', { name: 'Partita seguente' }).click();
  await page.waitForURL(/\/20000$/);
  await page.getByRole('link', { name: 'grande.pdn' }).click();
  await page.getByRole('link', { name: /Torneo 19999/ }).waitFor();
  await close();
});

test('the games that have a position, from the board and back to the board', async () => {
  const { page, close } = await open();
  const text = ['[White "Uno"] 1. 22-18 12-16 *', '[White "Due"] 1. 21-17 12-16 2. 22-18 *', '[White "Tre"] 1. 21-17 12-16 2. 22-18 10-14 *', '[White "Quattro"] 1. 22-18 12-16 2. 21-17 *'].map(game => game.replace(' 1.', ' [Black "Altri"] [GameType "22"] 1.')).join('\n\n');
  await page.goto(program.address + await shelve(page, 'posizioni.pdn', text) + '/2#3');
  await shows(page, '2. 22-18');
  await page.getByRole('button', { name: 'Cerca questa posizione' }).click();
  await page.locator('.placed code').getByText('B:W17,18,').waitFor();
  await page.locator('.count').getByText('3').waitFor();
  const names = await page.locator('.roll .who b').allInnerTexts();
  assert.deepEqual(names.map(name => name.split(' ')[0]), ['Due', 'Tre', 'Quattro']);
  // The words narrow it down, and the address keeps both.
  await page.locator('#search').fill('quattro');
  await page.waitForFunction(() => document.querySelectorAll('.roll li').length === 1);
  assert.match(page.url(), /q=quattro&position=/);
  await page.reload();
  await page.getByRole('link', { name: 'Quattro – Altri' }).click();
  await page.waitForURL(/\/4#ply3$/);
  await shows(page, '2. 21-17');
  await page.goBack();
  await page.getByRole('link', { name: 'Tutte le partite' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.roll li').length === 4);
  await close();
});

test('a file that is too large for the page is shown from where it lies', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'damiera-test-'));
  const [large, missing] = [join(folder, 'grande.pdn'), join(folder, 'manca.pdn')];
  await writeFile(large, '[White "Rossi"] [Black "Neri"] [GameType "22"] 1. 22-18 12-16 2. 21-17 *\n'.repeat(60_000));
  const other = await startProgram({ folder: join(folder, 'data'), args: ['--games', large, '--games', missing] });
  const { page, close } = await visit(browser, `${other.address}/games`, {});
  await page.getByRole('link', { name: 'grande.pdn' }).click({ timeout: 60_000 });
  await page.locator('.count').getByText('60.000').waitFor();
  assert.match(await page.locator('.reading').innerText(), /manca\.pdn/);
  await close();
  await other.stop();
  assert.ok((await readFile(large)).length > 3_000_000, 'it stays where it is');
  await rm(folder, { recursive: true });
});

test('whatever a file says is text', { timeout: 120_000 }, async () => {
  const { page, close } = await open();
  const attack = '<img src=x onerror=document.title=1><script>document.title=1</script>';
  const turned = 'a\u202eb';
  const hostile = `[White "${attack}"]\n[Black "${turned}"]\n[Event "${attack}"]\n[${'X'.repeat(300)} "y"]\n[Evento "${attack}"]\n\n{${attack}} 1. 22-18 {${attack} ${turned}} <b>12-16</b> 12-16 {&lt;i&gt;} 1-0\n`;
  // A name of a file has no folders in it.
  const image = '<img src=x onerror=document.title=1>';
  const path = await shelve(page, `${image}\u202e.pdn`, hostile + hostile);
  for (const address of ['/games', path, `${path}/1`]) {
    await page.goto(program.address + address);
    await page.locator('main h1').waitFor({ state: 'attached' });
    if (address.endsWith('/1')) {
      await press(page, 'Avanti');
      await page.getByText('Testo del file').click();
      await page.locator('.source').getByText(attack).first().waitFor();
      // What would turn the text round is shown as something that is not there.
      assert.ok(!(await page.locator('.source').innerText()).includes('\u202e'));
    } else await page.getByText(address === '/games' ? image : attack).first().waitFor();
    assert.equal(await page.locator('main :is(img, script, b:has(+ i))').count(), 0, address);
    assert.notEqual(await page.title(), '1');
    assert.ok(await overflow(page) <= 0, address);
  }
  // A name that turns the text round does so in its own place only.
  const [name, after] = await page.locator('.info dt').last().evaluate(dt => [getComputedStyle(dt).direction, dt.textContent]);
  assert.deepEqual([name, after], ['ltr', 'Regole']);
  assert.equal(await page.locator('.seat.far bdi').first().innerText(), turned);

  const deep = `1. 22-18 ${'(21-17 {x} '.repeat(10_000)}${')'.repeat(10_000)} *`;
  await page.goto(program.address + await shelve(page, 'deep.pdn', deep) + '/1');
  await shows(page, 'L’inizio della partita');
  assert.equal(await page.locator('.moves [data-node]').count(), 10_001);
  await page.locator('[data-do=forward]').click();
  await shows(page, '1. 22-18');
  await page.locator('.moves [data-node="10001"]').click();
  await shows(page, '1. 21-17');
  await close();
});

test('files are dropped, named, and taken away', async () => {
  const { page, close } = await open();
  await shelve(page, 'uno.pdn', '1. 22-18 *');
  await shelve(page, 'due.pdn', '1. 21-17 *\n[White "B"] 1. 22-18 *');
  await page.goto(`${program.address}/games`);
  const shelf = page.getByRole('region', { name: 'I tuoi file' }).getByRole('listitem');
  assert.match(await shelf.first().innerText(), /^due\.pdn\s+2 partite/);
  await page.getByRole('button', { name: 'Togli due.pdn' }).click();
  await press(page, 'No, lascialo');
  await page.getByRole('button', { name: 'Togli due.pdn' }).click();
  await press(page, 'Sì, toglilo');
  await shelf.filter({ hasText: 'due.pdn' }).waitFor({ state: 'detached' });
  await page.reload();
  assert.match(await shelf.first().innerText(), /^uno\.pdn/);
  // A file without a game is not put there.
  await choose(page, 'niente.pdn', Buffer.from('\n\n'));
  await page.getByText('Qui dentro non c’è nessuna partita.').waitFor();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['1. 23-19 11-15 *'], 'caduto.pdn'));
    for (const kind of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
  });
  await page.waitForURL(/\/1$/);
  await page.getByRole('link', { name: 'caduto.pdn' }).waitFor();
  await close();
});

test('a file or a game that is not there says so', async () => {
  const { page, close } = await open();
  const path = await shelve(page, 'a.pdn', '1. 22-18 *');
  for (const address of [`/games/${'0'.repeat(32)}`, '/games/x', `${path}/2`, `${path}/x`]) {
    await page.goto(program.address + address);
    await page.getByRole('heading', { name: 'Questo file o questa partita non c’è' }).waitFor();
  }
  await page.locator('main').getByRole('link', { name: 'Partite' }).click();
  await page.getByText('I tuoi file').first().waitFor();
  await close();
});

for (const language of ['it', 'es', 'pt-BR', 'en']) {
  test(`the views of files in ${language}: nothing for axe to find, no forgotten word, nothing scrolls sideways`, { timeout: 300_000 }, async () => {
    const { page, close } = await open('/games', { locale: language });
    const path = await shelve(page, 'circolo.pdn', `${ITALIAN}\n[White "${'Lunghissimo '.repeat(12)}"] 1. 22-18 $4 {[%clk 1:02:03] [%eval -0.35]} *`);
    assert.equal(await page.locator('html').getAttribute('lang'), language);
    for (const [name, address] of [['shelf', '/games'], ['list', path], ['game', `${path}/1#4`], ['text', `${path}/1`], ['clocks', `${path}/2#1`], ['gone', '/games/x']]) {
      await page.goto(program.address + address);
      await page.locator('main :is(h1, h2)').first().waitFor({ state: 'attached' });
      if (name === 'list') await page.locator('.roll a').first().waitFor();
      if (name === 'text') await page.locator('.finding').first().click();
      for (const theme of /** @type {const} */ (['light', 'dark'])) {
        await page.emulateMedia({ colorScheme: theme });
        const { violations } = await new AxeBuilder({ page }).analyze();
        assert.deepEqual(violations.map(v => `${name} ${theme}: ${v.id}: ${v.nodes.map(n => n.target).join(' ')}`), []);
      }
      assert.deepEqual(await rawKeys(page), [], name);
      for (const width of [320, 360, 768, 1440]) {
        await page.setViewportSize({ width, height: 740 });
        assert.ok(await overflow(page) <= 0, `${name} at ${width} px scrolls by ${await overflow(page)}`);
      }
      await page.setViewportSize({ width: 1280, height: 860 });
    }
    await close();
  });
}

test('a game of more lines than a call takes arguments is shown', async () => {
  const { page, close } = await open();
  const address = await shelve(page, 'lines.pdn', `[White "a"]\n[GameType "20"]\n\n1. 31-26 {\n${'x\n'.repeat(70_000)}} *`);
  await page.goto(program.address + address + '/1');
  await page.locator('.source li').nth(70_000).waitFor({ state: 'attached', timeout: 60_000 });
  await close();
});
