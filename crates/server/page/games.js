// A list of games, page by page, and what can be done with it.

import { count, h, refill, words } from './dom.js';
import { Latest, address, get } from './api.js';
import { link, route } from './router.js';
import { save } from './save.js';

/** @typedef {import('./api.js').Listed} Listed */

export const PAGE = 50;
const USUAL = ['pgn', 'cbh', 'si5'];
const SORTS = /** @type {const} */ ([
  ['elo', 'highest rating'],
  ['date', 'latest'],
  ['id', 'database order'],
]);

/**
 * 1972.07.23 as it is, and ????.??.?? not at all.
 * @param {string} date
 */
export const dateText = (date) => (date ?? '').replace(/(\.\?\?)+$/, '').replace(/^\?+$/, '');

/**
 * @param {string} result
 */
export const resultText = (result) => (result === '1/2-1/2' ? '½–½' : result.replace('-', '–'));

export class GamesPanel {
  #latest = new Latest();
  #total = h('span', { class: 'total', role: 'status' });
  #body = h('div', { class: 'games-body' });
  #pages = h('nav', { class: 'pages', 'aria-label': 'Pages of games' });
  #exports = h('span', { class: 'exports' });
  #sort = h(
    'select',
    { 'aria-label': 'Order of games' },
    ...SORTS.map(([value, name]) => h('option', { value }, name)),
  );

  /**
   * @param {{title: string, sort: (sort: string) => void}} options
   */
  constructor({ title, sort }) {
    const id = `games-${title.replace(/\W/g, '').toLowerCase()}`;
    this.#sort.addEventListener('change', () => sort(this.#sort.value));
    this.element = h(
      'section',
      { class: 'panel games', 'aria-labelledby': id },
      h('header', {}, h('h2', { id }, title), this.#total, this.#sort, this.#exports),
      this.#body,
      this.#pages,
    );
  }

  /**
   * @param {import('./api.js').Parameters} question
   * @param {import('./api.js').Info | null} info
   */
  async show(question, info) {
    const { sort, offset } = route();
    this.#sort.value = sort;
    this.offer(question, info);
    this.#body.classList.add('waiting');
    try {
      const games = await this.#latest.ask(
        (signal) =>
          /** @type {Promise<import('./api.js').Games>} */ (
            get('/api/games', { ...question, sort, offset, limit: PAGE }, signal)
          ),
      );
      if (games) this.#draw(games, offset);
      else return;
    } catch (error) {
      this.#total.textContent = '';
      this.#pages.replaceChildren();
      this.#body.replaceChildren(h('p', { class: 'problem', role: 'alert' }, words(error)));
    }
    this.#body.classList.remove('waiting');
  }

  clear() {
    this.#latest.stop();
    this.#total.textContent = '';
    this.#body.replaceChildren();
    this.#pages.replaceChildren();
    this.#exports.replaceChildren();
  }

  /**
   * Links that save what is listed.
   * @param {import('./api.js').Parameters} question
   * @param {import('./api.js').Info | null} info
   */
  offer(question, info) {
    const saving = (/** @type {{name: string, extension: string}} */ { name, extension }) => {
      const href = address('/api/export', { ...question, format: name });
      const click = (/** @type {MouseEvent} */ event) => {
        event.preventDefault();
        save(href, extension.toUpperCase());
      };
      return h(
        'a',
        { href, download: true, title: `Save these games as ${name}`, click },
        extension.toUpperCase(),
      );
    };
    const formats = info?.formats ?? [];
    const usual = formats.filter(({ extension }) => USUAL.includes(extension));
    const others = formats.filter((format) => !usual.includes(format));
    const more = h(
      'details',
      { class: 'more' },
      h('summary', {}, 'more'),
      h('div', {}, ...others.map((format) => h('div', {}, saving(format), h('small', {}, format.name)))),
    );
    this.#exports.replaceChildren(
      ...(formats.length ? ['Save as ', ...usual.map(saving), ...(others.length ? [more] : [])] : []),
    );
  }

  /**
   * @param {import('./api.js').Games} games
   * @param {number} offset
   */
  #draw(games, offset) {
    this.#total.textContent = games.total === 1 ? '1 game' : `${count(games.total)} games`;
    const head = h(
      'tr',
      {},
      ...['White', 'Black', 'Result', 'Date', 'ECO', 'Event'].map((name) =>
        h('th', { scope: 'col', class: name.toLowerCase() }, name),
      ),
    );
    const rows = games.games.map(row);
    this.#body.replaceChildren(
      rows.length
        ? h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows))
        : h('p', { class: 'hint' }, 'No games.'),
    );
    this.#page(games.total, offset);
  }

  /**
   * @param {number} total
   * @param {number} offset
   */
  #page(total, offset) {
    const step = (/** @type {number} */ to, /** @type {string} */ name) =>
      to >= 0 && to < total && to !== offset
        ? h('a', { href: link({ offset: to }) }, name)
        : h('span', { class: 'off' }, name);
    const range = `${count(offset + 1)}–${count(Math.min(offset + PAGE, total))} of ${count(total)}`;
    refill(
      this.#pages,
      ...(total > PAGE
        ? [
            step(offset > 0 ? Math.max(offset - PAGE, 0) : -1, '← Previous'),
            h('span', {}, range),
            step(offset + PAGE, 'Next →'),
          ]
        : []),
    );
  }
}

/**
 * @param {string} name
 * @param {number | null} elo
 */
const player = (name, elo) => [h('span', { class: 'who' }, name || '?'), elo ? h('small', {}, elo) : null];

/**
 * The year, and the rest apart from it, which a small screen leaves out.
 * @param {string} date
 */
function dateParts(date) {
  const text = dateText(date);
  return [text.slice(0, 4), h('span', { class: 'day' }, text.slice(4))];
}

/** @param {Listed} game */
function row(game) {
  const href = link({
    view: 'explore',
    game: game.id,
    path: String(game.ply ?? 0),
    fen: '',
    play: [],
    at: 0,
    offset: 0,
    conditions: {},
    search: false,
  });
  const open = (/** @type {MouseEvent} */ event) => {
    if (!(event.target instanceof Element) || event.target.closest('a')) return;
    if (event.currentTarget instanceof Element) event.currentTarget.querySelector('a')?.click();
  };
  return h(
    'tr',
    { 'data-game': game.id, click: open },
    h('td', { class: 'white' }, h('a', { href }, ...player(game.white, game.whiteElo))),
    h('td', { class: 'black' }, ...player(game.black, game.blackElo)),
    h('td', { class: 'result' }, resultText(game.result)),
    h('td', { class: 'date' }, ...dateParts(game.date)),
    h('td', { class: 'eco', title: game.opening }, game.eco ?? ''),
    h('td', { class: 'event', title: game.site }, game.event === '?' ? '' : game.event),
  );
}
