// What is shown lives in the address, so that links can be shared and "back" works.

/** The filters of the command, as parameters. */
export const FILTERS = /** @type {const} */ ([
  'player',
  'versus',
  'white',
  'black',
  'event',
  'site',
  'since',
  'until',
  'eco',
  'result',
  'elo_min',
  'elo_max',
  'title',
  'time_control',
  'comment',
]);
export const CONDITIONS = /** @type {const} */ (['pattern', 'material', 'pawns', 'manoeuvre', 'query']);

/** @typedef {'explore' | 'search' | 'player' | 'opening'} View */
/**
 * @typedef {object} Route
 * @property {View} view
 * @property {string} fen where the line starts; empty for the usual start
 * @property {string[]} play the moves from there
 * @property {number} at how many of them are on the board
 * @property {number | null} game
 * @property {string} path the place in the game: "12", or "12.0.3" for the third move of the first variation at the twelfth
 * @property {Record<string, string>} filters
 * @property {Record<string, string>} conditions
 * @property {string} sort
 * @property {number} offset
 * @property {boolean} flip
 * @property {boolean} search whether the search form was sent
 * @property {string} name
 * @property {string} eco
 */

const VIEWS = ['explore', 'search', 'player', 'opening'];

/**
 * @param {string} search the address from its question mark on
 * @returns {Route}
 */
export function parse(search) {
  const query = new URLSearchParams(search);
  const text = (/** @type {string} */ name) => query.get(name) ?? '';
  const number = (/** @type {string} */ name) => (/^\d{1,12}$/.test(text(name)) ? Number(text(name)) : null);
  const some = (/** @type {readonly string[]} */ names) =>
    Object.fromEntries(names.filter((name) => text(name)).map((name) => [name, text(name)]));
  const play = text('play').split(',').filter(Boolean);
  const view = VIEWS.includes(text('view')) ? text('view') : 'explore';
  const filters = some(FILTERS);
  return {
    view: /** @type {View} */ (view),
    fen: text('fen'),
    play,
    at: Math.min(number('at') ?? play.length, play.length),
    game: number('game'),
    path: /^\d+(\.\d+\.\d+)*$/.test(text('path')) ? text('path') : '0',
    filters,
    conditions: some(CONDITIONS),
    sort: ['elo', 'date', 'id'].includes(text('sort')) ? text('sort') : 'elo',
    offset: number('offset') ?? 0,
    flip: text('flip') === '1',
    search: text('search') === '1',
    name: text('name'),
    eco: view === 'opening' ? text('code') : '',
  };
}

/**
 * The address of what is shown: the inverse of `parse`.
 * @param {Route} route
 */
export function format(route) {
  const query = new URLSearchParams();
  const set = (/** @type {string} */ name, /** @type {string | number | null} */ value) => {
    if (value != null && value !== '') query.set(name, String(value));
  };
  if (route.view !== 'explore') set('view', route.view);
  if (route.view === 'player') set('name', route.name);
  if (route.view === 'opening') set('code', route.eco);
  set('game', route.game);
  if (route.game != null && route.path !== '0') set('path', route.path);
  set('fen', route.fen);
  set('play', route.play.join(','));
  if (route.at < route.play.length) set('at', route.at);
  for (const [name, value] of Object.entries({ ...route.filters, ...route.conditions })) set(name, value);
  if (route.sort !== 'elo') set('sort', route.sort);
  if (route.offset) set('offset', route.offset);
  if (route.search) set('search', '1');
  if (route.flip) set('flip', '1');
  // Slashes and commas are allowed in a query, and a FEN stays readable with them.
  const text = query.toString().replaceAll('%2F', '/').replaceAll('%2C', ',');
  return text ? `/?${text}` : '/';
}

/** @type {(route: Route) => void} */
let shown = () => {};
let current = parse(location.search);

/** What the address says now. */
export const route = () => current;

/**
 * The address of what is shown with some of it changed.
 * @param {Partial<Route>} change
 */
export const link = (change) => format({ ...current, ...change });

/** What a new place forgets of the old one. */
export const FRESH = {
  fen: '',
  play: [],
  at: 0,
  game: null,
  path: '0',
  offset: 0,
  conditions: {},
  search: false,
  name: '',
  eco: '',
};

/**
 * Goes to another place. Steps within a line replace the entry of the history, so that "back" leaves it.
 * @param {Partial<Route>} change
 * @param {{replace?: boolean}} [options]
 */
export function go(change, { replace = false } = {}) {
  visit(link(change), replace);
}

/**
 * @param {string} url
 * @param {boolean} replace
 */
function visit(url, replace) {
  if (url === location.pathname + location.search) replace = true;
  history[replace ? 'replaceState' : 'pushState'](null, '', url);
  // Not from `location`: browsers ignore changes that come too fast, as with a key held down.
  current = parse(url.replace(/^[^?]*/, ''));
  shown(current);
}

/**
 * Shows what the address says, now and whenever it changes; links of the page are followed without loading it anew.
 * @param {(route: Route) => void} show
 */
export function start(show) {
  shown = show;
  addEventListener('popstate', () => {
    current = parse(location.search);
    shown(current);
  });
  document.addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const anchor = event.target instanceof Element ? event.target.closest('a') : null;
    if (
      !anchor ||
      anchor.origin !== location.origin ||
      anchor.pathname !== '/' ||
      anchor.hash ||
      anchor.hasAttribute('download')
    )
      return;
    event.preventDefault();
    visit(anchor.pathname + anchor.search, anchor.dataset.replace === '1');
  });
  show(current);
}
