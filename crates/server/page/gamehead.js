// Who played, where, and what else the tags of a game say.

import { h } from './dom.js';
import { address } from './api.js';
import { dateText, resultText } from './games.js';
import { FRESH, link } from './router.js';

const SHOWN = new Set([
  'White',
  'Black',
  'WhiteElo',
  'BlackElo',
  'WhiteTitle',
  'BlackTitle',
  'Event',
  'Site',
  'Date',
  'Round',
  'Result',
  'ECO',
]);

/** Of a problem, which may quote the rest of a game; the PGN has all of it. */
const LONGEST = 240;

export class GameHead {
  element = h('section', { class: 'panel game-head', 'aria-label': 'Game', hidden: true });
  /** @type {import('./api.js').Game | null} */
  #game = null;

  /** @param {import('./api.js').Game | null} game */
  show(game) {
    this.element.hidden = !game;
    if (!game || game === this.#game) return;
    this.#game = game;
    const tag = (/** @type {string} */ name) => game.tags.find(([key]) => key === name)?.[1] ?? '';
    const event = [
      tag('Event'),
      tag('Site'),
      tag('Round') && tag('Round') !== '?' ? `round ${tag('Round')}` : '',
      dateText(tag('Date')),
    ]
      .filter((text) => text && text !== '?')
      .join(' · ');
    const others = game.tags.filter(([name]) => !SHOWN.has(name));
    this.element.replaceChildren(
      h(
        'div',
        { class: 'players' },
        player(tag, 'White'),
        h('span', { class: 'result' }, resultText(game.result || tag('Result'))),
        player(tag, 'Black'),
      ),
      h(
        'p',
        { class: 'event' },
        event,
        tag('ECO') && ' · ',
        tag('ECO') && h('a', { href: link({ ...FRESH, view: 'opening', eco: tag('ECO') }) }, tag('ECO')),
      ),
      ...(game.deleted ? [h('p', { class: 'problem' }, 'This game is marked as deleted.')] : []),
      ...game.errors.map((error) =>
        h('p', { class: 'problem' }, error.length > LONGEST ? `${error.slice(0, LONGEST)} …` : error),
      ),
      h(
        'details',
        { class: 'tags' },
        h(
          'summary',
          {},
          `Game ${game.id}${others.length ? `: ${others.length} more ${others.length === 1 ? 'tag' : 'tags'}` : ''}`,
        ),
        h('dl', {}, ...others.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
        h(
          'a',
          { href: address(`/api/games/${game.id}.pgn`), download: `game-${game.id}.pgn` },
          'Save as PGN',
        ),
      ),
    );
  }
}

/**
 * @param {(name: string) => string} tag
 * @param {'White' | 'Black'} side
 */
function player(tag, side) {
  const name = tag(side);
  const title = tag(`${side}Title`);
  return h(
    'span',
    { class: `player ${side.toLowerCase()}` },
    h('i', { class: 'disc', 'aria-hidden': 'true' }),
    title && title !== '-' && h('small', {}, `${title} `),
    name ? h('a', { href: link({ ...FRESH, view: 'player', name, filters: {} }) }, name) : '?',
    tag(`${side}Elo`) && h('small', {}, ` ${tag(`${side}Elo`)}`),
  );
}
