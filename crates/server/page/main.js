// The page: which view is shown, keys that work everywhere, and news of the database.

import { announce, byId, count } from './dom.js';
import { get } from './api.js';
import { Explore } from './explore.js';
import { Importer } from './importer.js';
import { OpeningView } from './opening.js';
import { definePieces } from './pieces.js';
import { PlayerPage } from './player.js';
import { FRESH, link, route, start } from './router.js';
import { Search } from './search.js';

/** @typedef {import('./router.js').View} View */

/** @type {import('./api.js').Info | null} */
let info = null;
/** @type {Importer | null} */
let importer = null;
/** @type {View | null} */
let shown = null;

const main = byId('main');
const explore = new Explore(() => info);
const search = new Search(() => info);
const views = { explore, search, player: new PlayerPage(), opening: new OpeningView() };
/** @type {Record<View, string>} */
const TITLES = { explore: 'Explore', search: 'Search', player: 'Players', opening: 'Openings' };

/** @param {import('./router.js').Route} route */
function show(route) {
  const view = views[route.view];
  if (shown !== route.view) {
    main.replaceChildren(view.element);
    if (shown) main.focus({ preventScroll: true });
    if (shown) scrollTo(0, 0);
    shown = route.view;
  }
  for (const anchor of byId('nav').querySelectorAll('a')) {
    const name = /** @type {View} */ (anchor.dataset.view);
    anchor.href =
      name === route.view ? link({ ...FRESH, view: name, filters: {} }) : link({ ...FRESH, view: name });
    if (name === route.view) anchor.setAttribute('aria-current', 'page');
    else anchor.removeAttribute('aria-current');
  }
  document.title = `${route.name || route.eco || (route.game == null ? TITLES[route.view] : `Game ${route.game}`)} · tabiya`;
  view.show(route);
}

async function learn() {
  info = /** @type {import('./api.js').Info} */ (await get('/api/info'));
  byId('database').textContent = `${info.name} · ${count(info.games)} games`;
  explore.informed();
  search.informed();
  if (info.writable) importer ??= new Importer(grown);
}

/** New games: what is shown is asked for again. */
async function grown() {
  await learn();
  explore.refresh();
}

function listen() {
  const events = new EventSource('/api/events');
  let heard = false;
  events.addEventListener('message', (event) => {
    const { games } = JSON.parse(event.data);
    const changed = info && games !== info.games;
    // What comes first tells what is there; what comes later, that something has changed.
    if (changed) announce(`The database has ${count(games)} games now`);
    if (changed || heard) grown();
    heard = true;
  });
}

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: () => explore.step('back'),
  ArrowRight: () => explore.step('forward'),
  Home: () => explore.step('start'),
  End: () => explore.step('end'),
};
/**
 * Letters that are typed or spoken to nothing in particular must do nothing: these need the focus.
 * @type {Record<string, () => void>}
 */
const LETTERS = {
  f: () => explore.flip(),
  m: () => explore.focusMove(),
};

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || route().view !== 'explore')
    return;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, select, textarea, dialog')) return;
  const act = KEYS[event.key] ?? (target?.closest('.explore') && LETTERS[event.key]);
  if (!act) return;
  event.preventDefault();
  act();
});

definePieces();
start(show);
learn().catch((error) => (byId('database').textContent = error.message));
addEventListener('load', listen);
