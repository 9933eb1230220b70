// Search by headers, by a position, by part of a board, by material, pawns and manoeuvres.

import { h } from './dom.js';
import { Editor } from './editor.js';
import { filledIn, filterFields } from './filters.js';
import { GamesPanel } from './games.js';
import { CONDITIONS, FILTERS, FRESH, go, route } from './router.js';

/** @type {Record<string, [label: string, hint: string, help: string]>} */
const FIELDS = {
  pattern: [
    'Pattern',
    'Bh7 kg8',
    'Part of a board: a list as "Nd5 2R7 0pd", or a board as a FEN has it. A any white piece, a any black, * any, _ empty.',
  ],
  material: ['Material', 'KRPKR', 'Exactly "KRPKR", or terms as "Q=0 q=0 P-p=1 opposite-bishops".'],
  pawns: [
    'Pawns',
    'iqp:white',
    'isolated, doubled, passed, backward, iqp, hanging, each with :white or :black.',
  ],
  manoeuvre: ['Manoeuvre', 'Nf3-d2-f1-g3', 'The way of one piece, whatever happens in between.'],
};

export class Search {
  #editor = new Editor();
  /** Whether somebody waits for the answer, who should see it. */
  #sought = false;
  #headers = h('fieldset', { class: 'headers' });
  #conditions = h('fieldset', { class: 'conditions' });
  #problem = h('p', { class: 'problem', role: 'alert' });
  #games = new GamesPanel({ title: 'Found', sort: (sort) => go({ sort, offset: 0 }) });
  #form = h(
    'form',
    { class: 'search-form panel', 'aria-labelledby': 'search-title' },
    h('h1', { id: 'search-title' }, 'Search'),
    this.#headers,
    this.#conditions,
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'submit', class: 'primary' }, 'Search'),
      h(
        'button',
        { type: 'button', click: () => go({ ...FRESH, view: 'search', filters: {} }) },
        'Clear all',
      ),
    ),
  );
  #board = h(
    'section',
    { class: 'panel setup', 'aria-labelledby': 'setup-title' },
    h('h2', { id: 'setup-title' }, 'Set up a board'),
    this.#editor.element,
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', click: () => this.#exact() }, 'Find exactly this'),
      h('button', { type: 'button', click: () => this.#pattern() }, 'Find as a pattern'),
      h('button', { type: 'button', click: () => this.#explore() }, 'Explore it'),
    ),
    this.#problem,
  );
  element = h('div', { class: 'search' }, this.#form, this.#board, this.#games.element);

  /** @param {() => import('./api.js').Info | null} info */
  constructor(info) {
    this.info = info;
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#seek({ filters: this.#filters(), conditions: filledIn(this.#form, CONDITIONS), fen: '' });
    });
  }

  /** @param {import('./router.js').Route} route */
  show(route) {
    this.#problem.textContent = '';
    this.#headers.replaceChildren(h('legend', {}, 'Headers'), filterFields(route.filters));
    this.#conditions.replaceChildren(
      h('legend', {}, 'Position'),
      ...Object.keys(FIELDS).map((name) => conditionField(name, route.conditions[name])),
    );
    if (route.fen) this.#editor.set(route.fen);
    this.#games.element.hidden = !route.search;
    if (!route.search) return void this.#games.clear();
    const answered = this.#ask(route);
    if (this.#sought) answered.then(() => this.#games.element.scrollIntoView({ block: 'nearest' }));
    this.#sought = false;
  }

  /** @param {Partial<import('./router.js').Route>} what */
  #seek(what) {
    this.#sought = true;
    go({ play: [], at: 0, offset: 0, search: true, ...what });
  }

  /** Asks again: the formats are known now, or the database has grown. */
  informed() {
    const { view, search } = route();
    if (view === 'search' && search) this.#ask(route());
  }

  /** @param {import('./router.js').Route} route */
  #ask({ filters, conditions, fen }) {
    return this.#games.show({ ...filters, ...conditions, ...(fen ? { fen } : { any: 1 }) }, this.info());
  }

  #filters() {
    return filledIn(this.#form, FILTERS);
  }

  #exact() {
    if (this.#usable()) this.#seek({ filters: this.#filters(), conditions: {}, fen: this.#editor.fen });
  }

  #pattern() {
    this.#problem.textContent = this.#editor.empty ? 'Put a piece on the board first.' : '';
    if (this.#editor.empty) return;
    const rest = filledIn(this.#form, CONDITIONS);
    this.#seek({ filters: this.#filters(), conditions: { ...rest, pattern: this.#editor.pattern }, fen: '' });
  }

  #explore() {
    if (this.#usable()) go({ ...FRESH, view: 'explore', filters: this.#filters(), fen: this.#editor.fen });
  }

  /** A position has a king on each side; whether it is legal is the server's to say. */
  #usable() {
    const kings = ['K', 'k'].every((king) => this.#editor.pattern.includes(king));
    this.#problem.textContent = !this.#editor.exact
      ? 'A position has no wildcards: find it as a pattern.'
      : kings
        ? ''
        : 'A position needs both kings.';
    return !this.#problem.textContent;
  }
}

/**
 * @param {string} name
 * @param {string} [value]
 */
function conditionField(name, value) {
  const [label, hint, help] = FIELDS[name];
  const id = `condition-${name}`;
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    h('input', {
      id,
      name,
      value,
      placeholder: hint,
      'aria-describedby': `${id}-help`,
      spellcheck: 'false',
      autocomplete: 'off',
    }),
    h('small', { id: `${id}-help` }, help),
  );
}
