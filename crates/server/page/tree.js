// The opening tree: what was played here, how often, and how it ended.

import { count, h, percent, refill, words } from './dom.js';
import { Latest, get } from './api.js';
import { resultBar } from './bars.js';

/** @typedef {import('./api.js').Tree} Tree */

/** The two counts differ by transpositions, and look wrong to whoever sees only one of them. */
const COUNTS =
  'Games that played this move here; games that reached the position after it, whatever the order of moves';

export class TreePanel {
  #latest = new Latest();
  #name = h('span', { class: 'opening' });
  #body = h('div', { class: 'tree-body' });
  element = h(
    'section',
    { class: 'panel tree', 'aria-labelledby': 'tree-title' },
    h('header', {}, h('h2', { id: 'tree-title' }, 'Opening tree'), this.#name),
    this.#body,
  );

  /** @param {{link: (move: import('./api.js').TreeMove) => string, play: (uci: string) => void, opening: (eco: string) => string}} options */
  constructor(options) {
    this.options = options;
  }

  /**
   * @param {import('./api.js').Parameters} question
   * @param {(tree: Tree) => void} [ready] hears the answer before it is drawn
   */
  async show(question, ready) {
    this.leave();
    try {
      const tree = await this.#latest.ask(
        (signal) => /** @type {Promise<Tree>} */ (get('/api/tree', question, signal)),
      );
      if (!tree) return;
      ready?.(tree);
      this.#draw(tree);
    } catch (error) {
      this.#body.replaceChildren(h('p', { class: 'problem', role: 'alert' }, words(error)));
    }
    this.#body.classList.remove('waiting');
  }

  /** The board has moved on: what is listed can no longer be played. */
  leave() {
    // An answer that still comes is about the position before.
    this.#latest.stop();
    this.#body.classList.add('waiting');
  }

  /** @param {Tree} tree */
  #draw(tree) {
    const { opening } = tree;
    this.#name.replaceChildren(
      ...(opening
        ? [h('a', { href: this.options.opening(opening.eco) }, `${opening.eco} ${opening.name}`)]
        : []),
    );
    if (!tree.games)
      return this.#body.replaceChildren(
        h('p', { class: 'hint' }, 'No game of the database reaches this position.'),
      );
    const head = h(
      'tr',
      {},
      ...['Move', 'Played', 'Reached', 'Results', 'Elo', 'Perf.', 'Last'].map((name, column) =>
        h(
          'th',
          { scope: 'col', class: COLUMNS[column], title: column === 1 || column === 2 ? COUNTS : null },
          name,
        ),
      ),
    );
    const rows = tree.moves.map((move) => this.#row(move, tree));
    const rated = tree.moves.some(({ averageRating, performance }) => averageRating ?? performance);
    refill(
      this.#body,
      h(
        'table',
        { class: rated ? null : 'unrated' },
        h('caption', { class: 'unseen' }, 'Moves played here'),
        h('thead', {}, head),
        h('tbody', {}, ...rows),
        h('tfoot', {}, total(tree)),
      ),
    );
  }

  /**
   * @param {import('./api.js').TreeMove} move
   * @param {Tree} tree
   */
  #row(move, tree) {
    const play = (/** @type {Event} */ event) => {
      if (event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
      event.preventDefault();
      if (!this.#body.classList.contains('waiting')) this.options.play(move.uci);
    };
    const cells = [
      h(
        'th',
        { scope: 'row', class: 'name' },
        h('a', { href: this.options.link(move) }, h('b', {}, move.san)),
        move.opening &&
          h(
            'small',
            { title: move.opening.name },
            newName(move.opening.name, tree.opening?.name ?? '', move.san),
          ),
      ),
      h('td', { class: 'played' }, count(move.games), h('small', {}, percent(move.games, tree.games))),
      h('td', { class: 'reached' }, count(move.reached)),
      h('td', { class: 'results' }, resultBar(move)),
      h('td', { class: 'elo' }, move.averageRating ?? ''),
      h('td', { class: 'perf' }, move.performance ?? ''),
      h('td', { class: 'year' }, move.lastYear ?? ''),
    ];
    return h('tr', { 'data-uci': move.uci, click: play }, ...cells);
  }
}

const COLUMNS = ['name', 'played', 'reached', 'results', 'elo', 'perf', 'year'];

/**
 * What the name of an opening adds to that of the position before.
 * @param {string} name
 * @param {string} before
 * @param {string} san the move between them, which some names end with
 */
function newName(name, before, san) {
  const family = `${before.split(':')[0]}: `;
  const added = before && name.startsWith(family) ? name.slice(family.length) : name;
  return added.endsWith(` ${san}`) ? added.slice(0, -san.length).replace(/(: |^|, )\d+\.+ $/, '') : added;
}

/** @param {Tree} tree */
const total = (tree) =>
  h(
    'tr',
    {},
    h('th', { scope: 'row', class: 'name' }, 'All'),
    h('td', { class: 'played' }),
    h('td', { class: 'reached' }, count(tree.games)),
    h('td', { class: 'results' }, resultBar(tree)),
    ...['elo', 'perf', 'year'].map((name) => h('td', { class: name })),
  );
