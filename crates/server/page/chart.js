// Charts of the pages of players and openings.

import { count, h, s } from './dom.js';

const [HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [200, 46, 22, 10, 40];
/** A narrow screen gets a narrow chart, so that its letters stay as large as they are. */
const chartWidth = () => (innerWidth < 600 ? 360 : 640);

/** @typedef {import('./api.js').Year} Year */

/**
 * A number at or above this one that is good to read.
 * @param {number} most
 */
function round(most) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return [1, 2, 5, 10].map((factor) => factor * unit).find((value) => value >= most) ?? most;
}

/**
 * Games by year as columns, with the score in them, and the rating as a line.
 * @param {Year[]} years
 * @param {string} label
 */
export function yearChart(years, label) {
  const known = years.filter(({ year }) => year > 0);
  if (!known.length) return h('p', { class: 'hint' }, 'No dated games.');
  const width = chartWidth();
  const [first, last] = [known[0].year, known[known.length - 1].year];
  const step = (width - LEFT - RIGHT) / (last - first + 1);
  const most = round(Math.max(...known.map(({ games }) => games)));
  const x = (/** @type {number} */ year) => LEFT + (year - first) * step;
  const y = (/** @type {number} */ games) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - games / most);
  const columns = known.flatMap(({ year, games, score, points }) => {
    const wide = Math.max(Math.min(step - 1, 28), 0.8);
    const left = x(year) + (step - wide) / 2;
    const title = `${year}: ${count(games)} games${score == null ? '' : `, score ${Math.round(100 * score)}%`}`;
    return [
      s(
        'g',
        {},
        s('title', {}, title),
        s('rect', { class: 'games', x: left, width: wide, y: y(games), height: y(0) - y(games) }),
        s('rect', { class: 'won', x: left, width: wide, y: y(points), height: y(0) - y(points) }),
      ),
    ];
  });
  const lines = [0, most / 2, most]
    .filter((value) => Number.isInteger(value))
    .flatMap((value) => [
      s('line', { class: 'rule', x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      s('text', { class: 'tick', x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, count(value)),
    ]);
  const names = ticks(first, last, width / 70).map((year) =>
    s('text', { class: 'tick', x: x(year) + step / 2, y: HEIGHT - 6, 'text-anchor': 'middle' }, year),
  );
  const chart = s(
    'svg',
    {
      class: 'chart',
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: 'img',
      'aria-label': `${label}, ${first} to ${last}`,
    },
    ...lines,
    ...columns,
    ...names,
    ...ratings(known, (year) => x(year) + step / 2, width),
  );
  return h('figure', {}, chart, legend(known));
}

/** @param {Year[]} years */
function legend(years) {
  const rated = years.some(({ rating }) => rating);
  const scored = years.some(({ score }) => score != null);
  const parts = [
    h('span', { class: 'key games' }, 'games'),
    scored && h('span', { class: 'key won' }, 'points'),
    rated && h('span', { class: 'key rating' }, 'rating'),
  ];
  return h('figcaption', { class: 'legend' }, ...parts);
}

/**
 * @param {number} first
 * @param {number} last
 * @param {number} most
 */
function ticks(first, last, most) {
  const every = [1, 2, 5, 10, 20, 25, 50].find((years) => (last - first) / years <= most) ?? 100;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
    (year) => year % every === 0 || first === last,
  );
}

/**
 * @param {Year[]} years
 * @param {(year: number) => number} x
 * @param {number} width
 */
function ratings(years, x, width) {
  const rated = years.filter(({ rating }) => rating);
  if (!rated.length) return [];
  const values = rated.map(({ rating }) => rating ?? 0);
  const [low, high] = [
    Math.floor((Math.min(...values) - 1) / 100) * 100,
    Math.ceil((Math.max(...values) + 1) / 100) * 100,
  ];
  const y = (/** @type {number} */ rating) =>
    TOP + (HEIGHT - TOP - BOTTOM) * (1 - (rating - low) / (high - low));
  const points = rated.map(({ year, rating }) => `${x(year)} ${y(rating ?? 0)}`);
  return [
    s('path', { class: 'rating', d: `M${points.join('L')}` }),
    ...rated.map(({ year, rating }) =>
      s(
        'circle',
        { class: 'rating-dot', cx: x(year), cy: y(rating ?? 0), r: 2.5 },
        s('title', {}, `${year}: rating ${rating}`),
      ),
    ),
    ...[low, high].map((value) => s('text', { class: 'tick', x: width - RIGHT + 6, y: y(value) + 4 }, value)),
  ];
}

/**
 * A table of names with games and scores, each score as a bar.
 * @param {{title: string, head: string, rows: {text: string, href: string, games: number, score: number | null}[]}} table
 */
export function scoreTable({ title, head, rows }) {
  const body = rows.map(({ text, href, games, score }) => {
    const fill = h('span', { class: 'fill' });
    fill.style.width = `${100 * (score ?? 0)}%`;
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('a', { href }, text)),
      h('td', { class: 'number' }, count(games)),
      h('td', { class: 'number' }, score == null ? '' : `${Math.round(100 * score)}%`),
      h('td', { class: 'meter' }, h('span', { class: 'track', 'aria-hidden': 'true' }, fill)),
    );
  });
  const columns = [head, 'Games', 'Score'].map((name, column) =>
    h('th', { scope: 'col', class: column ? 'number' : null }, name),
  );
  return h(
    'section',
    { class: 'panel score-table' },
    h('h2', {}, title),
    rows.length
      ? h(
          'table',
          {},
          h('thead', {}, h('tr', {}, ...columns, h('td', { class: 'meter' }))),
          h('tbody', {}, ...body),
        )
      : h('p', { class: 'hint' }, 'None.'),
  );
}
