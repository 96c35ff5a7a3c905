// Prints what the page weighs as it is served, and how soon it is there. `scripts/measure-page` runs it.
import { get } from 'node:http';
import { chromium } from 'playwright-core';
import { startProgram } from './page-kit.mjs';

/** @import { Browser } from 'playwright-core' */

const RUNS = 5;
const LANGUAGE = 'it';

/** The length of a body as it comes over the wire. @param {string} url @returns {Promise<number>} */
const weight = url => new Promise((resolve, reject) => {
  get(url, { headers: { 'accept-encoding': 'gzip' } }, response => {
    let bytes = 0;
    response.on('data', chunk => { bytes += chunk.length; });
    response.on('end', () => response.headers['content-encoding'] === 'gzip' ? resolve(bytes) : reject(new Error(`${url} is not compressed`)));
  }).on('error', reject);
});

/** @param {string[]} urls */
const weights = async urls => (await Promise.all(urls.map(weight))).reduce((a, b) => a + b, 0);

/** Opens the page as somebody who has never been there; the first and the largest paint in milliseconds, and what was fetched.
 * @param {Browser} browser @param {string} address */
async function visit(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: LANGUAGE });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('grid').waitFor();
  const times = await page.evaluate(() => new Promise(resolve => {
    new PerformanceObserver(list => {
      const first = performance.getEntriesByName('first-contentful-paint')[0];
      resolve({ first: first?.startTime, largest: list.getEntries().at(-1)?.startTime });
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  }));
  const fetched = await page.evaluate(() => performance.getEntriesByType('resource').map(entry => entry.name));
  await context.close();
  return { .../** @type {{first: number, largest: number}} */ (times), fetched: [...new Set(fetched)] };
}

/** @param {number[]} values */
const median = values => Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]);

const program = await startProgram();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  await visit(browser, program.address); // The first visit also warms the browser up.
  const visits = [];
  for (let run = 0; run < RUNS; run++) visits.push(await visit(browser, program.address));
  const [{ fetched }] = visits;
  const scripts = fetched.filter(url => url.endsWith('.js'));
  const board = scripts.filter(url => /\/board(\.js|\/)/.test(url));
  const words = fetched.filter(url => url.includes('/lang/'));
  const [all, ofBoard, ofWords] = await Promise.all([scripts, board, words].map(weights));
  console.log(`scripts of the page ${all} bytes gzip (${scripts.length} files), of which the board ${ofBoard} (${board.length} files)`);
  console.log(`words (${LANGUAGE}) ${ofWords} bytes gzip; scripts and words ${all + ofWords}`);
  console.log(`first paint ${median(visits.map(v => v.first))} ms, largest ${median(visits.map(v => v.largest))} ms (median of ${RUNS})`);
} finally {
  await browser.close();
  await program.stop();
}
