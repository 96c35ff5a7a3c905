// The connection to the table (docs/table.md). It comes back by itself, and every question gets an answer.

/** @import { Move } from '../board/moves.js' */
/** @import { Geometry } from '../board/layout.js' */
/** @typedef {'white' | 'black'} Side */
/** @typedef {{capture: string, men_capture: string, men_take_kings: boolean, king: string, landing: string, ladder: string[], promotion: string, removal: string, goal: string}} Facts */
/** @typedef {{key: string, canonical: string, name: string | null, board: Geometry, start: {board: string, men: number}, first: Side, facts: Facts, draws: {clause: string, limit: number}[], overrides: string[], openings: string[]}} Rules */
/** @typedef {{kind: 'person' | 'level' | 'best', level?: number}} Seat */
/** @typedef {{ply: number, side: Side, text: string, from: string, to: string, path: string[], captured: string[], promotes: boolean, board: string}} Entry */
/** @typedef {{clause: string, kind: string, count: number, limit: number, mode: string, status: string}} Counter */
/** @typedef {{game: string, seq: number, rules: Rules, seats: Record<Side, Seat>, start?: {board: string}, opening?: {list: string, number: number, plies: number} | null, ply: number, side: Side, board: string, moves: Move[],
 *   history: Entry[], counters: Counter[], claimable: string[], offer: Side | null, thinking: boolean, saved?: boolean, result: {winner: Side | null, clause: string} | null}} State */
/** @typedef {{reason: string, ply: number, legal: boolean, n?: number | null, m?: number | null, square?: string | null, yours: Move | null, better: Move[]}} Why */
/** @typedef {{e: string, id: string | null, [field: string]: any}} Answer */

const OFFLINE = { e: 'error', id: null, code: 'offline' };
const SLOWEST = 4000;

export class Link {
  /** @param {(message: Answer) => void} onMessage every message @param {(online: boolean) => void} onStatus */
  constructor(onMessage, onStatus) {
    this.onMessage = onMessage;
    this.onStatus = onStatus;
    /** @type {Map<string, (answer: Answer) => void>} */
    this.waiting = new Map();
    /** @type {string[]} */
    this.unsent = [];
    this.count = 0;
    this.delay = 250;
    this.open();
  }

  open() {
    this.socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`);
    this.socket.addEventListener('open', () => {
      this.delay = 250;
      this.onStatus(true);
      for (const text of this.unsent.splice(0)) this.socket?.send(text);
    });
    this.socket.addEventListener('message', event => this.hear(event.data));
    this.socket.addEventListener('close', () => this.lost());
  }

  lost() {
    this.onStatus(false);
    this.unsent = [];
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const answer of waiting) answer(OFFLINE);
    setTimeout(() => this.open(), this.delay);
    this.delay = Math.min(SLOWEST, this.delay * 2);
  }

  /** @param {string} data */
  hear(data) {
    /** @type {Answer} */
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return; // Not ours: the table speaks JSON only.
    }
    const answer = this.waiting.get(message.id ?? '');
    this.waiting.delete(message.id ?? '');
    this.onMessage(message);
    answer?.(message);
  }

  /** Sends a message and returns the answer; an error of code `offline` when the connection is lost meanwhile.
   * @param {string} kind @param {object} [fields] @returns {Promise<Answer>} */
  ask(kind, fields = {}) {
    const id = `${++this.count}`;
    const text = JSON.stringify({ t: kind, id, ...fields });
    return new Promise(resolve => {
      this.waiting.set(id, resolve);
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
      else if (this.socket?.readyState === WebSocket.CONNECTING) this.unsent.push(text);
      else {
        this.waiting.delete(id);
        resolve(OFFLINE);
      }
    });
  }
}
