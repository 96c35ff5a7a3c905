// What the page asks of the shelf of files (docs/games.md).
import { lang, t } from './words.js';

/** @import { Rules, Side } from './link.js' */
/** @typedef {{id: string, name: string, added: number, bytes: number, encoding: string, packing: string | null, rules: string | null, games: number, moves: number, plies: number,
 *   repair_count: number, fault_count: number}} File */
/** @typedef {{number: number, line: number, white: string, black: string, event: string, date: string, result: string, rules: string, plies: number, repairs: number, faults: number, ply?: number}} Row `ply`: after how many plies the position is there that was asked for */
/** @typedef {{position: string, rules: string}} Placed a position, as FEN, and the rules by which it is written */
/** @typedef {{name: string, bytes: number, of: number, games: number, code: string | null}} Reading a file outside that is being read, or could not be for the reason of the `code` */
/** @typedef {{file: File, total: number, from: number, games: Row[]}} Rows */
/** @typedef {{line: number, column: number}} Place a line of the game's text, from 0, and how many characters stand before */
/** @typedef {{text: string, path: string[], captured?: string[], promotes: boolean}} Played */
/** @typedef {{id: number, parent?: number, number: number, side: Side, move?: Played, board: string, fen: string, strength?: string, nags?: number[], clock?: number, eval?: number, wins?: number,
 *   comments?: string[], is_variation: boolean, place: Place}} Node */
/** @typedef {{grade: 'repair' | 'fault', code: string, place: Place, length: number, text: string, reading: string, lost: number, message: string, node: number}} Finding */
/** @typedef {{number: number, games: number, file: string, rules: Rules, basis: string, tags: [string, string][], result: string, nodes: Node[], node_count: number,
 *   findings: Finding[], finding_count: number, text: {line: number, lines: string[], is_cut: boolean}}} Game */

/** The largest file that is taken, in bytes. */
const MOST = 64 << 20;

/** Something that the shelf refuses, in words for the reader. */
export class Refusal extends Error {
  /** @param {string} code */
  constructor(code) {
    super(t(`page.games.error.${KNOWN.includes(code) ? code : 'offline'}`, { n: MOST >> 20 }));
    this.code = code;
  }
}

const KNOWN = ['too-large', 'no-games', 'unreadable', 'unknown', 'changed', 'position', 'query', 'busy', 'disk'];

/** @param {string} path @param {RequestInit} [init] @returns {Promise<Response>} */
async function ask(path, init) {
  const answer = await fetch(path, init).catch(() => { throw new Refusal('offline'); });
  if (answer.ok) return answer;
  const { code } = await answer.json().catch(() => ({ code: 'offline' }));
  throw new Refusal(code);
}

/** @param {string} path */
const json = async path => (await ask(path)).json();

/** All files, the newest first. @returns {Promise<File[]>} */
export const files = () => json('/api/files');

/** What is known of a file. @param {string} id @returns {Promise<File>} */
export const file = id => json(`/api/files/${id}`);

/** Files outside that are being read. @returns {Promise<Reading[]>} */
export const reading = () => json('/api/reading');

/** Puts a file on the shelf. @param {string} name @param {Blob} bytes @returns {Promise<File>} */
export async function put(name, bytes) {
  if (bytes.size > MOST) throw new Refusal('too-large');
  return (await ask(`/api/files?name=${encodeURIComponent(name)}`, { method: 'POST', body: bytes })).json();
}

/** Takes a file from the shelf. @param {string} id */
export const remove = id => ask(`/api/files/${id}`, { method: 'DELETE' });

/** Some of the games that fit a search. @param {string} id @param {{from?: number, count?: number, q?: string, found?: boolean} & Partial<Placed>} query @returns {Promise<Rows>} */
export const games = (id, query) => json(`/api/files/${id}/games?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`);

/** A game, with what was found in it in the reader's language. @param {string} id @param {string} number @returns {Promise<Game>} */
export const game = (id, number) => json(`/api/files/${id}/games/${number}?lang=${lang}`);

/** Where a game is saved from, or the whole file. @param {string} id @param {number} [number] */
export const pdnPath = (id, number) => number ? `/api/files/${id}/games/${number}/pdn` : `/api/files/${id}/pdn`;

/** A game as clean PDN. @param {string} id @param {number} number */
export const pdn = async (id, number) => (await ask(pdnPath(id, number))).text();
