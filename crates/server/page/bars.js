// Results as bars.

import { count, h, percent } from './dom.js';

/**
 * A bar of parts as long as their numbers.
 * @param {string} label
 * @param {[kind: string, number: number, text: string][]} parts
 */
function bar(label, parts) {
  const element = h('div', { class: 'bar', role: 'img', 'aria-label': label, title: label });
  for (const [kind, number, text] of parts) {
    if (!number) continue;
    const part = h('span', { class: kind }, h('i', {}, text));
    part.style.flexGrow = String(number);
    element.append(part);
  }
  return element;
}

/**
 * How games ended.
 * @param {{white: number, draws: number, black: number}} results
 */
export function resultBar({ white, draws, black }) {
  const whole = white + draws + black;
  const [one, half, none] = [white, draws, black].map((games) => percent(games, whole));
  const label = whole ? `White wins ${one}, draws ${half}, Black wins ${none}` : 'no results';
  return bar(label, [
    ['white', white, one],
    ['draws', draws, half],
    ['black', black, none],
  ]);
}

/**
 * How a player fared.
 * @param {import('./api.js').Score} score
 */
export const scoreBar = ({ wins, draws, losses }) =>
  bar(`${wins} wins, ${draws} draws, ${losses} losses`, [
    ['wins', wins, count(wins)],
    ['draws', draws, count(draws)],
    ['losses', losses, count(losses)],
  ]);
