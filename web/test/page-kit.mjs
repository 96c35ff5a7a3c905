// The real program and a real browser, for the tests of the page.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */
/** @typedef {{address: string, folder: string, halt: () => Promise<void>, stop: () => Promise<void>}} Program */

const BINARY = process.env.DAMIERA_BIN ?? new URL('../../target/release/damiera', import.meta.url).pathname;
const START_LIMIT = 20_000;

/** Starts the program and waits for the address that it prints. @param {{port?: number, folder?: string, args?: string[]}} [options] @returns {Promise<Program>} */
export async function startProgram({ port = 0, folder, args = [] } = {}) {
  const data = folder ?? await mkdtemp(join(tmpdir(), 'damiera-test-'));
  const program = spawn(BINARY, ['--no-open', '--port', String(port), '--data-dir', data, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise(resolve => program.once('exit', resolve));
  const address = await new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`no address within ${START_LIMIT} ms; the program said: ${said}`)), START_LIMIT);
    /** @param {Buffer} chunk */
    const hear = chunk => {
      said += chunk;
      const found = said.match(/http:\/\/127\.0\.0\.1:\d+/);
      if (!found) return;
      clearTimeout(timer);
      resolve(found[0]);
    };
    program.stdout.on('data', hear);
    program.stderr.on('data', hear);
    program.once('error', reject);
    program.once('exit', code => reject(new Error(`the program ended with ${code}: ${said}`)));
  });
  // A test that fails before it has ended the program must not keep all the others waiting for it.
  for (const held of [program, program.stdout, program.stderr]) /** @type {{unref(): void}} */ (/** @type {unknown} */ (held)).unref();
  process.once('exit', () => program.kill('SIGKILL'));
  /** Ends the program; what it has written stays. */
  const halt = async () => {
    program.ref();
    program.kill('SIGTERM');
    await exited;
  };
  return { address, folder: data, halt, stop: async () => { await halt(); await rm(data, { recursive: true, force: true }); } };
}

/** Begins a game from a position, as another client of the table would, and returns its address.
 * @param {Page} page any page of the program @param {object} fields `rules`, `seats` and `fen` of the message `new` @returns {Promise<string>} */
export function gameFrom(page, fields) {
  return page.evaluate(message => new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    socket.onopen = () => socket.send(JSON.stringify({ t: 'new', id: 'test', ...message }));
    socket.onmessage = event => {
      const answer = JSON.parse(event.data);
      socket.close();
      if (answer.e === 'state') resolve(`/g/${answer.game}`);
      else reject(new Error(event.data));
    };
    socket.onerror = () => reject(new Error('no connection'));
  }), fields);
}

/** Plays moves as another client of the table would, each by its printed text, and returns the clauses that could be claimed on the way.
 * @param {Page} page any page of the program @param {string} path of the game @param {string[]} moves @returns {Promise<string[]>} */
export function playFrom(page, path, moves) {
  return page.evaluate(([game, texts]) => new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    /** @type {string[]} */ const claimable = [];
    /** @param {object} message */
    const send = message => socket.send(JSON.stringify({ id: 'test', game, ...message }));
    socket.onopen = () => send({ t: 'open' });
    socket.onmessage = event => {
      const state = JSON.parse(event.data);
      const text = texts[state.ply];
      const move = state.moves?.find((/** @type {{text: string}} */ m) => m.text === text);
      claimable.push(...state.claimable ?? []);
      if (move) {
        send({ t: 'move', ply: state.ply, from: move.from, to: move.to, captured: move.captured, promotes: move.promotes });
        return;
      }
      socket.close();
      if (state.ply === texts.length) resolve(claimable);
      else reject(new Error(`${text}: ${event.data}`));
    };
    socket.onerror = () => reject(new Error('no connection'));
  }), /** @type {const} */ ([path.replace('/g/', ''), moves]));
}

/** A new visitor's page, with what went wrong in its scripts. The computer answers at once unless the visitor has other preferences.
 * @param {Browser} browser @param {string} address @param {BrowserContextOptions & {kept?: object}} [options] `kept` is what the browser remembers */
export async function visit(browser, address, { kept = { pace: 'off' }, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'it', reducedMotion: 'reduce', ...options });
  await context.addInitScript(text => { localStorage.damiera ??= text; }, JSON.stringify(kept));
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  /** @type {string[]} */ const errors = [];
  page.on('pageerror', error => errors.push(String(error)));
  await page.goto(address);
  await page.locator('main *').first().waitFor();
  return { page, errors, close: async () => { await context.close(); assert.deepEqual(errors, []); } };
}

/** A square. @param {Page} page @param {string} name */
export const cell = (page, name) => page.getByRole('gridcell', { name: new RegExp(`^${name}, `) });
/** @param {Page} page @param {string[]} names */
export const tap = async (page, ...names) => { for (const name of names) await cell(page, name).click(); };

/** Plays moves by clicks, each for the side to move: the piece, then the square where it ends, unless there is but one. A piece that is picked up just
 * as the other side's move arrives lies on its square again; then one picks it up once more, as a person would.
 * @param {Page} page @param {string[]} moves such as `24-20` or `24x15` */
export async function playMoves(page, moves) {
  for (const move of moves) {
    const [from, to] = move.split(/[-x]/);
    const arrived = cell(page, to).and(page.getByRole('gridcell', { name: /bianca|nera/ }));
    for (let left = 4, done = false; !done; left--) {
      // On a busy machine a move may arrive just after one has ceased to wait for it.
      if (left < 4 && await arrived.count()) break;
      await cell(page, from).and(page.locator('.dm-target')).click();
      if (await cell(page, to).and(page.locator('.dm-target')).count()) await tap(page, to);
      done = await arrived.waitFor({ timeout: left ? 2000 : 10_000 }).then(() => true, error => { if (!left) throw error; return false; });
    }
  }
}

/** Words on the screen that are keys: a text was forgotten. @param {Page} page */
export async function rawKeys(page) {
  const text = await page.locator('body').innerText();
  return text.match(/\b(page|rules|fact|why|clause|end|board)\.[a-z][\w.-]*/g) ?? [];
}

/** How far the page could be scrolled sideways. @param {Page} page */
export const overflow = page => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
