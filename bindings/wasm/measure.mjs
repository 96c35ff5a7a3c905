// Checks that the module answers as a page would ask it, and prints its size: measure.mjs MODULE.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const module = await readFile(process.argv[2]);
const { instance } = await WebAssembly.instantiate(module);
const { memory, damiera_room: room, damiera_moves: moves, damiera_answer: answer } =
  /** @type {{memory: WebAssembly.Memory, damiera_room: (bytes: number) => number, damiera_moves: () => number, damiera_answer: () => number}} */ (
    /** @type {unknown} */ (instance.exports));

/** The legal moves, a line each. @param {string} rules @param {string} [fen] */
function ask(rules, fen = '') {
  const question = new TextEncoder().encode(`${rules}\n${fen}`);
  const address = room(question.length);
  new Uint8Array(memory.buffer, address, question.length).set(question);
  const length = moves();
  return new TextDecoder().decode(new Uint8Array(memory.buffer, answer(), length)).trimEnd().split('\n');
}

assert.equal(ask('italian').length, 7);
assert.deepEqual(ask('italian', 'W:W21,K22,K31:B11,18'), ['21x7\t21x14x7']);
assert.equal(ask('international').length, 9);
assert.equal(ask('canadian').length, 11);
assert.match(ask('italian', 'nonsense')[0], /^error: /);

const brotli = brotliCompressSync(module, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
console.log(`rules as WebAssembly: ${module.length} bytes, gzip ${gzipSync(module, { level: 9 }).length}, brotli ${brotli.length}`);
