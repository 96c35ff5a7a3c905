// The rules pages: the boards of the figures, the light, the language, the way back to a game. The text stands in the page itself.
import './board.js';
import { applyLook, keep, prefs } from './app/prefs.js';

applyLook();

// Whoever reads up on a rule in the middle of a game finds the way back.
for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a.back'))) {
  link.href = `/g/${prefs.game}`;
  link.hidden = !prefs.game;
}

const select = /** @type {HTMLSelectElement | null} */ (document.querySelector('#lang'));

/** @param {string} tag */
const address = tag => document.querySelector(`link[hreflang="${tag}"]`)?.getAttribute('href');

select?.addEventListener('change', () => {
  keep({ lang: select.value });
  const href = address(select.value);
  if (href) location.assign(href);
});

// The same choice in the menu is kept for the rest of the page, too.
for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('#sheet a[hreflang]'))) {
  link.addEventListener('click', () => keep({ lang: link.hreflang }));
}

// On a narrow screen the list of games is one line: the present one is brought into sight.
const here = document.querySelector('.toc [aria-current]');
if (here instanceof HTMLElement && here.parentElement) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - 16;
