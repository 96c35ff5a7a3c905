// A short way to make SVG elements.

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
