// The turned draughtsmen, bone and ebony, and a flat set of high contrast. One light, from the upper left. A square is 100 units.

const NS = 'http://www.w3.org/2000/svg';

/** @typedef {Record<string, string | number>} Attrs */

/** Makes an SVG element. A class name written after the tag ("path.dm-x") saves an attribute.
 * @param {string} kind @param {Attrs} [attrs] @param {(Node | string)[]} children @returns {SVGElement} */
export function el(kind, attrs = {}, ...children) {
  const [tag, ...names] = kind.split('.');
  const node = /** @type {SVGElement} */ (document.createElementNS(NS, tag));
  if (names.length) node.setAttribute('class', names.join(' '));
  for (const name in attrs) node.setAttribute(name, String(attrs[name]));
  node.append(...children);
  return node;
}

/** Rounds to a tenth of a unit. @param {number} x */
export const tenth = x => Math.round(x * 10) / 10;

/** @typedef {'w' | 'b'} Side */

/** @param {number} r @param {number} cy @param {string} stroke @param {number} width @param {number} [opacity] */
const ring = (r, cy, stroke, width, opacity = 1) => el('circle', { cy, r, fill: 'none', stroke, 'stroke-width': width, opacity });

/** @param {Side} k @param {string} tone */
const tone = (k, tone) => `var(--${k}-${tone})`;

/** The notches of Black's rim. @param {number} cy */
function milling(cy) {
  let d = '';
  for (let a = 0; a < 36; a++) {
    const [x, y] = [Math.cos(a * Math.PI / 18), Math.sin(a * Math.PI / 18)];
    d += `M${tenth(31 * x)} ${tenth(cy + 31 * y)}L${tenth(35.4 * x)} ${tenth(cy + 35.4 * y)}`;
  }
  return el('path', { d, stroke: 'var(--b-cut)', 'stroke-width': 1.5 });
}

/** A disc of the given height, lit from above. @param {Side} k @param {number} cy @param {number} height */
const disc = (k, cy, height) => [
  el('circle', { cy: cy + height, r: 38, fill: `url(#dm-${k}-side)` }),
  el('circle.dm-edge', { cy, r: 38, fill: `url(#dm-${k}-top)`, stroke: tone(k, 'edge') }),
];

/** What the lathe left: White has grooves, Black a milled rim, so that the sides differ without colour. @param {Side} k @param {number} cy */
const turning = (k, cy) => k === 'w'
  ? [ring(36.2, cy, tone(k, 'hi'), 1.4, .9), ring(30, cy, tone(k, 'cut'), 2, .75), ring(28.6, cy, tone(k, 'hi'), 1, .9), ring(24, cy, tone(k, 'cut'), 1.1, .5)]
  : [ring(36.6, cy, tone(k, 'hi'), 1.3, .85), milling(cy), ring(29.4, cy, tone(k, 'hi'), 1.1, .8), ring(28, cy, tone(k, 'cut'), 1.6, .9)];

/** @param {Side} k @param {number} cy */
const dish = (k, cy) => [el('circle', { cy, r: 17, fill: `url(#dm-${k}-dish)` }), ring(17, cy, tone(k, 'cut'), 1.4, .7), ring(18.3, cy, tone(k, 'hi'), .9, .7)];

const CROWN = 'M-16.5 9.5L-20.5-8.5L-9.6-.6L0-15.5L9.6-.6L20.5-8.5L16.5 9.5Z';
const BAND = { x: -16.5, y: 11.6, width: 33, height: 4.6, rx: 1.4 };

/** @param {Side} k @param {number} cy @param {boolean} far turned towards the player on the far side */
const crown = (k, cy, far) => el('g.dm-crown', {
  transform: `translate(0 ${cy + (far ? -1 : 1)}) ${far ? 'rotate(180) ' : ''}scale(1.04)`,
  fill: tone(k, 'crown'), stroke: tone(k, 'crownline'), 'stroke-width': 1.3, 'stroke-linejoin': 'round',
}, el('path', { d: CROWN }), el('rect', BAND), ...[[-20.5, -10.6, 3], [20.5, -10.6, 3], [0, -17.8, 3.2]].map(([cx, cy, r]) => el('circle', { cx, cy, r })));

/** @param {number} cx @param {number} cy @param {number} rx */
const shadow = (cx, cy, rx) => el('ellipse.dm-shadow', { cx, cy, rx, ry: 41, fill: 'url(#dm-shadow)' });

/** @param {Side} k */
const man = k => [shadow(3.5, 9, 43), ...disc(k, -2, 6), ...turning(k, -2), ...dish(k, -2)];

/** Two discs and a crown. @param {Side} k @param {boolean} far */
const king = (k, far) => [shadow(6, 11, 45), ...disc(k, 2, 6), ...disc(k, -9, 7), ...turning(k, -9), crown(k, -9, far)];

/** White has a ring, Black a dot, a king the crown alone. @param {Side} k @param {boolean} isKing @param {boolean} far */
function flat(k, isKing, far) {
  const [fill, ink] = k === 'w' ? ['#fff', '#000'] : ['#000', '#fff'];
  const sign = isKing
    ? el('g', { transform: `translate(0 ${far ? -1.5 : 1.5}) ${far ? 'rotate(180) ' : ''}scale(1.12)`, fill: ink }, el('path', { d: CROWN }), el('rect', BAND))
    : k === 'w' ? ring(24, 0, ink, 4) : el('circle', { r: 9, fill: ink });
  return [el('circle', { r: 40, fill, stroke: ink, 'stroke-width': 4.5 }), ...k === 'b' ? [ring(33, 0, ink, 2)] : [], sign];
}

/** @param {string} kind @param {string} id @param {Record<string, number>} shape @param {[number, string, number?][]} stops */
const gradient = (kind, id, shape, stops) => el(kind, { id, ...shape },
  ...stops.map(([offset, color, opacity]) => el('stop', { offset, 'stop-color': color, 'stop-opacity': opacity ?? 1 })));

/** @param {Side} k */
const tones = k => [
  gradient('radialGradient', `dm-${k}-top`, { cx: .36, cy: .28, r: .85 }, [[0, tone(k, '1')], [.55, tone(k, '2')], [1, tone(k, '3')]]),
  gradient('linearGradient', `dm-${k}-side`, { x1: 0, x2: 1 }, [[0, tone(k, '3')], [1, tone(k, '4')]]),
  gradient('linearGradient', `dm-${k}-dish`, { x1: .2, y1: .1, x2: .8, y2: .9 }, [[0, tone(k, '3')], [1, tone(k, '1')]]),
];

/** @param {Side} k */
const set = k => {
  const K = k.toUpperCase();
  /** @param {string} id @param {SVGElement[]} parts */
  const symbol = (id, parts) => el('g', { id: `dm-${id}` }, ...parts);
  return [
    symbol(k, man(k)), symbol(K, king(k, false)), symbol(`${K}-far`, king(k, true)),
    symbol(`flat-${k}`, flat(k, false, false)), symbol(`flat-${K}`, flat(k, true, false)), symbol(`flat-${K}-far`, flat(k, true, true)),
  ];
};

/** Fibres of wood. The seed is fixed: the board looks the same every day. @param {string} id @param {number} turn */
function grain(id, turn) {
  let seed = 7 + turn;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const fibres = Array.from({ length: 26 }, (_, i) => {
    const y = i * 15.4 + random() * 9;
    const d = `M0 ${tenth(y)}C130 ${tenth(y + random() * 14 - 7)} 260 ${tenth(y + random() * 14 - 7)} 400 ${tenth(y)}`;
    return el('path', { d, fill: 'none', stroke: 'var(--grain)', 'stroke-width': tenth(1 + random() * 3), opacity: tenth(.25 + random() * .75) });
  });
  return el('pattern', { id, width: 400, height: 400, patternUnits: 'userSpaceOnUse', patternTransform: `rotate(${turn})` }, el('g.dm-fibres', {}, ...fibres));
}

/** @type {SVGElement | undefined} */
let defs;

/** Puts the drawings that every board refers to into the document, once. */
export function provideDefs() {
  defs ??= el('svg.dm-defs', { width: 0, height: 0, 'aria-hidden': 'true' }, el('defs', {},
    gradient('radialGradient', 'dm-shadow', {}, [[.72, '#1a0d04', .5], [1, '#1a0d04', 0]]),
    gradient('linearGradient', 'dm-lamp', { x1: 0, y1: 0, x2: 1, y2: 1 }, [[0, '#fff', .14], [.5, '#fff', 0], [1, '#1a0d04', .1]]),
    grain('dm-grain-h', 0), grain('dm-grain-v', 90), ...tones('w'), ...tones('b'), ...set('w'), ...set('b')));
  if (!defs.isConnected) document.body.prepend(defs);
}

/** A reference to the drawing of a piece, centred on the origin. @param {string} letter w, b, W or B @param {boolean} isFlat @param {boolean} [far] */
export const piece = (letter, isFlat, far = false) => {
  const turned = far && letter < 'a';
  return el('use', { href: `#dm-${isFlat ? 'flat-' : ''}${letter}${turned ? '-far' : ''}` });
};

/** A piece outside the board, on its own bit of square (class `tile`, styled by the page).
 * @param {string} letter w, b, W or B @param {boolean} [isFlat] */
export function pieceTile(letter, isFlat = false) {
  provideDefs();
  return el('svg.tile', { viewBox: '-48 -48 96 96', 'aria-hidden': 'true' }, piece(letter, isFlat));
}
