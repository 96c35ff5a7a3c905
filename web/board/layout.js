// Where each square lies on the screen.

/** `rules.board` of docs/table.md.
 * @typedef {{size: number, kind?: string, mirrored?: boolean, light?: boolean, coords?: string, squares: {n: string, r: number, c: number}[]}} Geometry */
/** A playing square: its name, its place in board strings, its row and column as seen, its centre in units of a hundredth of a square, and its row on the
 * board itself (0 is farthest from White).
 * @typedef {{name: string, index: number, row: number, col: number, x: number, y: number, rank: number}} Square */

export const UNIT = 100;

export class Layout {
  /** @param {Geometry} geometry @param {boolean} flip */
  constructor(geometry, flip) {
    this.size = geometry.size;
    this.allPlaying = geometry.squares.length === geometry.size ** 2;
    this.light = Boolean(geometry.light);
    /** @type {Map<string, Square>} */
    this.squares = new Map();
    geometry.squares.forEach(({ n, r, c }, index) => {
      const [row, col] = flip ? [this.size - 1 - r, this.size - 1 - c] : [r, c];
      this.squares.set(n, { name: n, index, row, col, x: (col + .5) * UNIT, y: (row + .5) * UNIT, rank: r });
    });
    /** The playing squares row by row, from left to right, as seen.
     * @type {Square[][]} */
    this.rows = Array.from({ length: this.size }, () => []);
    for (const square of this.squares.values()) this.rows[square.row]?.push(square);
    for (const row of this.rows) row.sort((a, b) => a.col - b.col);
    /** @type {Map<number, Square>} */
    this.places = new Map([...this.squares.values()].map(s => [s.row * this.size + s.col, s]));
  }

  /** The squares of a path that are on this board. @param {readonly string[]} names @returns {Square[]} */
  on(names) {
    return names.flatMap(name => this.squares.get(name) ?? []);
  }

  /** The square of a row and column as seen. @param {number} row @param {number} col */
  at(row, col) {
    return col < 0 || col >= this.size ? undefined : this.places.get(row * this.size + col);
  }

  /** Where a key leads: left and right along the row, up and down in a strip two columns wide on a diagonal board, so that every square is reached and the
   * way back is the same. @param {string} name @param {string} key @param {boolean} whole to the end of the board, not of the row */
  step(name, key, whole) {
    const from = this.squares.get(name);
    if (!from) return undefined;
    const row = this.rows[from.row];
    const i = row.indexOf(from);
    switch (key) {
      case 'ArrowLeft': return row[i - 1] ?? from;
      case 'ArrowRight': return row[i + 1] ?? from;
      case 'ArrowUp': return this.rows[from.row - 1]?.[i] ?? from;
      case 'ArrowDown': return this.rows[from.row + 1]?.[i] ?? from;
      case 'Home': return (whole ? this.rows[0] : row)[0];
      case 'End': return (whole ? this.rows[this.size - 1] : row).at(-1);
      default: return undefined;
    }
  }

  /** The first landing of a path on the piece's far row, or Infinity. @param {readonly string[]} path @param {boolean} white */
  crowning(path, white) {
    const far = white ? 0 : this.size - 1;
    const first = path.findIndex((name, i) => i > 0 && this.squares.get(name)?.rank === far);
    return first < 0 ? Infinity : first;
  }
}
