// The page of an opening: its position, results, years and players.

import { count, h, words } from './dom.js';
import { Latest, get } from './api.js';
import { resultBar } from './bars.js';
import { Board } from './board.js';
import { scoreTable, yearChart } from './chart.js';
import { FRESH, go, link } from './router.js';

/** @typedef {import('./api.js').OpeningPage} Opening */

export class OpeningView {
  #latest = new Latest();
  #board = new Board({ label: 'Position of the opening' });
  #field = h('input', {
    name: 'eco',
    id: 'opening-code',
    autocomplete: 'off',
    placeholder: 'B90',
    maxlength: 3,
    pattern: '[A-Ea-e][0-9]{2}',
    title: 'A code from A00 to E99',
  });
  #form = h(
    'form',
    { role: 'search', class: 'player-form' },
    h('label', { for: 'opening-code' }, 'Opening by its ECO code'),
    this.#field,
    h('button', { type: 'submit' }, 'Show'),
  );
  #body = h('div', { class: 'dossier' });
  #heading = h('h1', { class: 'unseen' }, 'Openings');
  element = h(
    'div',
    { class: 'page' },
    this.#heading,
    h('section', { class: 'panel' }, this.#form),
    this.#body,
  );

  constructor() {
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#field.value) go({ ...FRESH, view: 'opening', eco: this.#field.value.toUpperCase() });
    });
  }

  /** @param {import('./router.js').Route} route */
  async show(route) {
    this.#field.value = route.eco;
    this.#heading.hidden = !!route.eco;
    if (!route.eco) return this.#body.replaceChildren();
    try {
      const opening = await this.#latest.ask(
        (signal) => /** @type {Promise<Opening>} */ (get('/api/opening', { eco: route.eco }, signal)),
      );
      if (opening) this.#draw(opening);
    } catch (error) {
      this.#body.replaceChildren(h('p', { class: 'problem panel', role: 'alert' }, words(error)));
    }
  }

  /** @param {Opening} opening */
  #draw(opening) {
    this.#board.show({ fen: opening.fen });
    const explore = link({ ...FRESH, view: 'explore', fen: opening.fen });
    const games = link({ ...FRESH, view: 'search', search: true, filters: { eco: opening.eco } });
    const players = scoreTable({
      title: 'Players',
      head: 'Name',
      rows: opening.players.map(({ name, games, score }) => ({
        text: name,
        href: link({ ...FRESH, view: 'player', name, filters: {} }),
        games,
        score,
      })),
    });
    this.#body.replaceChildren(
      h(
        'section',
        { class: 'panel summary' },
        h('h1', {}, `${opening.eco} ${opening.name}`),
        h('div', { class: 'opening-board' }, this.#board.element),
        resultBar(opening),
        h(
          'p',
          { class: 'links' },
          h('a', { class: 'button', href: explore }, 'Explore'),
          h('a', { class: 'button', href: games }, `All ${count(opening.games)} games`),
        ),
      ),
      h('section', { class: 'panel' }, h('h2', {}, 'Years'), yearChart(opening.years, 'Games by year')),
      players,
    );
  }
}
