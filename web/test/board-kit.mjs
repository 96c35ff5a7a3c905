// Boards, positions and moves for the tests of the board, and a small server for its page.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @import { Geometry } from '../board/layout.js' */
/** @import { Move } from '../board/moves.js' */

const WEB = fileURLToPath(new URL('..', import.meta.url));
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** A page with one board, and a list of what the board says. It is kept here, for the test runner would take a script beside this one for a test. */
const FIXTURE = {
  '/board.html': `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Board</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/board.css">
<link rel="stylesheet" href="/fixture.css">
<script type="module" src="/fixture.js"></script>
</head>
<body><main><h1>Board</h1><damiera-board></damiera-board></main></body>
</html>`,
  '/fixture.css': `
body { margin: 0; background: #e3e9e5; color: #17211c; font: 15px sans-serif; }
[data-theme=dark] body { background: #101714; color: #e8efea; }
main { max-width: min(100vw, calc(100vh - 40px)); margin: 0 auto; }
h1 { font-size: 15px; line-height: 30px; margin: 0 8px; }`,
  '/fixture.js': `
import '/board.js';
const board = document.querySelector('damiera-board');
const said = [];
for (const type of ['move', 'attempt', 'progress', 'cancel']) board.addEventListener('damiera-' + type, event => said.push({ type, detail: event.detail }));
Object.assign(window, { board, said });`,
};

/** A script without its comments and its indentation, as it may be served. It relies on this house's style: `//` begins a line, and only JSDoc blocks are
 * anywhere else. @param {string} source */
export const bare = source => source.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/^[ \t]*\/\/.*$/gm, '').replace(/^\s+/gm, '');

/** Serves web/, with bare scripts, and the fixture under the policy of the real program. @returns {Promise<{address: string, close: () => void}>} */
export async function serve() {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname));
    try {
      const source = FIXTURE[/** @type {keyof typeof FIXTURE} */ (path)] ?? await readFile(join(WEB, path), 'utf8');
      const body = path.endsWith('.js') ? bare(source) : source;
      const type = TYPES[/** @type {keyof typeof TYPES} */ (extname(path))] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, 'content-security-policy': CSP }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise(done => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { address: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

/** Numbers row by row from White's far left, or names such as c3.
 * @param {number} size @param {{mirrored?: boolean, letters?: boolean, orthogonal?: boolean, light?: boolean}} [kind] @returns {Geometry} */
export function geometry(size, { mirrored = false, letters = false, orthogonal = false, light = false } = {}) {
  const squares = [];
  for (let r = 0; r < size; r++) for (let c = 0; c < size; c++) {
    if (!orthogonal && (r + c) % 2 === (mirrored ? 1 : 0)) continue;
    squares.push({ n: letters ? `${'abcdefghijkl'[c]}${size - r}` : String(squares.length + 1), r, c });
  }
  return { size, kind: orthogonal ? 'orthogonal' : 'diagonal', mirrored, light, coords: letters ? 'letter' : 'number', squares };
}

/** A board string: pieces by square. @param {Geometry} board @param {Record<string, string>} pieces */
export const position = (board, pieces) => board.squares.map(s => pieces[s.n] ?? '-').join('');

/** The rows of men of the start. @param {Geometry} board @param {number} men a side */
export const start = (board, men) => board.squares.map((_, i) => i < men ? 'b' : i >= board.squares.length - men ? 'w' : '-').join('');

/** One class of moves from its ways, each a path with its captures. @param {string} text @param {[string, string?][]} ways @param {boolean} [promotes] @returns {Move} */
export function move(text, ways, promotes = false) {
  const paths = ways.map(([path, captured]) => ({ path: path.split(' '), captured: captured ? captured.split(' ') : [] }));
  const [{ path, captured }] = paths;
  return { text, from: path[0], to: path[path.length - 1], captured, path, promotes, paths };
}
