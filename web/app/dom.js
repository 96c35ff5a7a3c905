// A short way to make elements.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attrs */

/** Makes an element. Class names may follow the tag ("p.fine"); a function is a listener, true a bare attribute, false and null none.
 * @param {string} kind @param {Attrs} [attrs] @param {Child[]} children @returns {HTMLElement} */
export function h(kind, attrs = {}, ...children) {
  const [tag, ...names] = kind.split('.');
  const node = document.createElement(tag || 'div');
  if (names.length) node.className = names.join(' ');
  for (const [name, value] of Object.entries(attrs)) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value != null) node.setAttribute(name, String(value));
  }
  fill(node, ...children);
  return node;
}

/** Replaces what an element holds. @param {Element} node @param {Child[]} children */
export function fill(node, ...children) {
  node.replaceChildren(...children.filter(c => c !== false && c != null && c !== '').map(c => c instanceof Node ? c : String(c)));
}

/** @param {string} selector @param {ParentNode} [root] @returns {HTMLElement | null} */
export const $ = (selector, root = document) => root.querySelector(selector);

const SVG = 'http://www.w3.org/2000/svg';

/** Parses a constant drawing. @param {string} box @param {string} body @param {string} names class names @returns {SVGElement} */
export function svg(box, body, names) {
  const node = document.createElementNS(SVG, 'svg');
  node.setAttribute('viewBox', box);
  node.setAttribute('class', names);
  node.setAttribute('aria-hidden', 'true');
  node.innerHTML = body;
  return node;
}

const LINES = {
  back: 'M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2.1h5c0-.9.4-1.6 1-2.1A6 6 0 0 0 12 3z',
  draw: 'M4 9h16M4 15h16',
  resign: 'M6 21V4h11l-2 4 2 4H6',
  leave: 'M10 5H5v14h5M14 8l4 4-4 4M18 12H9',
  yes: 'M5 13l5 5L20 7',
  no: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
};

/** A line drawing of 24 by 24. @param {keyof typeof LINES} name */
export const icon = name => svg('0 0 24 24', `<path d="${LINES[name]}"/>`, 'i');
