// The page of a player: years, openings, opponents; and how to find one.

import { count, h, percent, words } from './dom.js';
import { Latest, get } from './api.js';
import { scoreBar } from './bars.js';
import { scoreTable, yearChart } from './chart.js';
import { exact } from './filters.js';
import { FRESH, go, link } from './router.js';

/** @typedef {import('./api.js').Player} Player */

export class PlayerPage {
  #latest = new Latest();
  #proposals = new Latest();
  #field = h('input', {
    name: 'name',
    type: 'search',
    id: 'player-name',
    autocomplete: 'off',
    placeholder: 'kasparov',
    'aria-controls': 'player-names',
  });
  #form = h(
    'form',
    { role: 'search', class: 'player-form' },
    h('label', { for: 'player-name' }, 'Find a player'),
    this.#field,
  );
  #names = h('ul', { class: 'names', id: 'player-names' });
  #body = h('div', { class: 'dossier' });
  #heading = h('h1', { class: 'unseen' }, 'Players');
  element = h(
    'div',
    { class: 'page' },
    this.#heading,
    h('section', { class: 'panel' }, this.#form, this.#names),
    this.#body,
  );

  constructor() {
    this.#field.addEventListener('input', () => this.#propose(this.#field.value));
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      const first = this.#names.querySelector('a');
      if (first) first.click();
      else if (this.#field.value) go({ ...FRESH, view: 'player', name: this.#field.value });
    });
  }

  /** @param {import('./router.js').Route} route */
  async show(route) {
    this.#field.value = route.name;
    this.#names.replaceChildren();
    this.#heading.hidden = !!route.name;
    if (!route.name) {
      this.#body.replaceChildren();
      return this.#propose('');
    }
    try {
      const player = await this.#latest.ask(
        (signal) => /** @type {Promise<Player>} */ (get('/api/player', { name: route.name }, signal)),
      );
      if (player) this.#draw(player);
    } catch (error) {
      this.#body.replaceChildren(h('p', { class: 'problem panel', role: 'alert' }, words(error)));
    }
  }

  /** @param {string} name */
  async #propose(name) {
    const answer = await this.#proposals
      .ask((signal) => get('/api/players', { name, limit: 20 }, signal))
      .catch(() => undefined);
    if (!answer) return;
    const players = /** @type {import('./api.js').PlayerName[]} */ (answer.players);
    this.#names.replaceChildren(
      ...players.map((player) => {
        const years = [player.first, player.last].filter(Boolean);
        const span =
          years.length === 2 && years[0] !== years[1] ? `${years[0]}–${years[1]}` : String(years[0] ?? '');
        const rest = [
          `${count(player.games)} ${player.games === 1 ? 'game' : 'games'}`,
          span,
          player.maxElo ? `best ${player.maxElo}` : '',
        ]
          .filter(Boolean)
          .join(' · ');
        return h(
          'li',
          {},
          h('a', { href: link({ ...FRESH, view: 'player', name: player.name }) }, player.name),
          h('small', {}, rest),
        );
      }),
    );
    if (!players.length) this.#names.append(h('li', { class: 'hint' }, 'No player has that name.'));
  }

  /** @param {Player} player */
  #draw(player) {
    const colours = /** @type {const} */ (['white', 'black']);
    const openings = colours.map((colour) =>
      scoreTable({
        title: colour === 'white' ? 'Openings with White' : 'Openings with Black',
        head: 'Opening',
        rows: player.openings[colour].map(({ eco, name, games, score }) => ({
          text: `${eco} ${name}`,
          href: link({ ...FRESH, view: 'search', search: true, filters: { [colour]: exact(player.name), eco } }),
          games,
          score,
        })),
      }),
    );
    const opponents = scoreTable({
      title: 'Opponents',
      head: 'Name',
      rows: player.opponents.map(({ name, games, score }) => ({
        text: name,
        href: link({
          ...FRESH,
          view: 'search',
          search: true,
          filters: { player: exact(player.name), versus: exact(name) },
        }),
        games,
        score,
      })),
    });
    this.#body.replaceChildren(
      h(
        'section',
        { class: 'panel summary' },
        h('h1', {}, player.name),
        h('div', { class: 'scores' }, ...colours.map((colour) => results(colour, player[colour]))),
        h(
          'p',
          { class: 'links' },
          ...colours.map((colour) =>
            h(
              'a',
              {
                class: 'button',
                href: link({
                  ...FRESH,
                  view: 'explore',
                  filters: { [colour]: exact(player.name) },
                  flip: colour === 'black',
                }),
              },
              `Tree with ${colour === 'white' ? 'White' : 'Black'}`,
            ),
          ),
          h(
            'a',
            {
              class: 'button',
              href: link({ ...FRESH, view: 'search', search: true, filters: { player: exact(player.name) } }),
            },
            `All ${count(player.games)} games`,
          ),
        ),
      ),
      h('section', { class: 'panel' }, h('h2', {}, 'Years'), yearChart(player.years, 'Games by year')),
      ...openings,
      opponents,
    );
  }
}

/**
 * Wins, draws and losses of one colour as a bar.
 * @param {'white' | 'black'} colour
 * @param {import('./api.js').Score} score
 */
function results(colour, score) {
  const { games, wins, draws, losses } = score;
  return h(
    'div',
    { class: 'score-line' },
    h('span', {}, colour === 'white' ? 'White' : 'Black'),
    h('small', {}, `${count(games)} games, ${percent(wins + draws / 2, wins + draws + losses) || 'none'}`),
    scoreBar(score),
  );
}
