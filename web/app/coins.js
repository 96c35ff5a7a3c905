// A coin for every rule set: pieces of the same game, never shown without the name.
import { svg } from './dom.js';

/** @param {string[]} colours */
const pales = colours => colours.map((c, i) => `<path fill="${c}" d="M${-20 + i * 40 / colours.length}-20h${40 / colours.length + .4}v40h-${40 / colours.length + .4}z"/>`).join('');
/** @param {string[]} colours */
const bars = colours => colours.map((c, i) => `<path fill="${c}" d="M-20 ${-20 + i * 40 / colours.length}h40v${40 / colours.length + .4}h-40z"/>`).join('');
/** @param {string} colour */
const ground = colour => bars([colour]);
const STAR = 'M0-5L1.2-1.6 4.8-1.5 1.9.6 2.9 4 0 2-2.9 4-1.9.6-4.8-1.5-1.2-1.6z';
const CROWN = 'M-11 5l-3-12 7 5 7-10 7 10 7-5-3 12zM-11 7h22v3h-22z';
const GLOBE = ground('#2c6f8f') + '<g fill="none" stroke="#e9f3f6" stroke-width="1.6"><ellipse rx="8" ry="17"/><circle r="17"/><path d="M-17 0H17M-14.5-9H14.5M-14.5 9H14.5"/></g>';
const DOWN = '<path d="M0 13L-9 1h5v-13h8V1h5z" fill="#fff"/>';

const BRAZIL = ground('#1f8a4c') + '<path d="M0-14L18 0 0 14-18 0Z" fill="#f2cb3a"/><circle r="7.5" fill="#23418c"/>';
/** @param {string} sign */
const brazil = sign => BRAZIL + `<path d="${sign}" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/>`;

/** @type {Record<string, string>} */
const FACES = {
  italian: pales(['#1e7b45', '#fff', '#c22f38']),
  brazilian: BRAZIL,
  'brazilian-classic': brazil('M0-3v6'),
  'brazilian-quality': brazil('M-2-3v6M2-3v6'),
  'brazilian-64': brazil('M-3.5-3v6M0-3v6M3.5-3v6'),
  spanish: bars(['#b3262e', '#f0b429', '#f0b429', '#b3262e']),
  portuguese: ground('#b8262e') + '<path d="M-20-20h16v40h-16z" fill="#1c6b3c"/><circle cx="-4" r="6.5" fill="#f0c93a"/>',
  russian: bars(['#fff', '#2b57a5', '#c8322f']),
  poddavki: bars(['#fff', '#2b57a5', '#c8322f']) + '<path d="M0 13L-9 1h5v-13h8V1h5z" fill="#fff" stroke="#222" stroke-width="1.5"/>',
  american: bars(['#b8313b', '#fff', '#b8313b', '#fff', '#b8313b', '#fff', '#b8313b', '#fff']) + `<path d="M-20-20h20v20h-20z" fill="#2c3f77"/><g fill="#fff"><path transform="translate(-5-12)scale(.5)" d="${STAR}"/><path transform="translate(-12-7)scale(.5)" d="${STAR}"/><path transform="translate(-5-4)scale(.5)" d="${STAR}"/></g>`,
  pool: ground('#20242b') + `<circle r="11" fill="#fff"/><path transform="scale(2)" d="${STAR}" fill="#20242b"/>`,
  czech: bars(['#fff', '#c8322f']) + '<path d="M-20-20L0 0-20 20Z" fill="#2b4d86"/>',
  international: GLOBE,
  canadian: pales(['#c22f38', '#fff', '#fff', '#c22f38']) + '<path d="M0-11l2 4 3-1-1 6 4-3 1 3 2 0-5 6 1 2-6-1v5h-2v-5l-6 1 1-2-5-6 2 0 1-3 4 3-1-6 3 1z" fill="#c22f38"/>',
  frisian: ground('#fff') + '<g stroke="#2b57a5" stroke-width="6"><path d="M-22-6L6-26M-22 14L22-18M-6 24L24 2"/></g><g fill="#c22f38"><circle cx="-7" cy="-6" r="3"/><circle cx="5" cy="4" r="3"/></g>',
  turkish: ground('#c22f38') + `<circle cx="-4" r="9" fill="#fff"/><circle cx="-1.8" r="7.2" fill="#c22f38"/><path transform="translate(8 0)scale(.8)rotate(-18)" d="${STAR}" fill="#fff"/>`,
  thai: bars(['#b8262e', '#fff', '#2d2a4a', '#2d2a4a', '#fff', '#b8262e']),
  killer: ground('#6b1f3a') + `<path d="${CROWN}" fill="#f0c93a"/><path d="M-13-13L13 13" stroke="#fff" stroke-width="3"/>`,
  breakthrough: ground('#1b5c45') + `<path d="${CROWN}" fill="#f0c93a"/>`,
  antidraughts: ground('#2c6f8f') + DOWN,
};

const HOME = ground('#a37145') + '<circle r="12" fill="#f6ead1" stroke="#7a5c34"/>';
let count = 0;

/** The coin of a rule set. @param {string} key */
export function coin(key) {
  const clip = `coin${++count}`;
  return svg('-22 -22 44 44', `<clipPath id="${clip}"><circle r="18"/></clipPath><circle class="rim" r="20"/><g clip-path="url(#${clip})">${FACES[key] ?? HOME}</g><circle class="line" r="18"/>`, 'coin');
}
