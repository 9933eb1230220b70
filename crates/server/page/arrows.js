// Arrows that a game's annotations draw on the board.

import { s } from './dom.js';

/**
 * The middle of a square in a picture of 8 by 8.
 * @param {string} square
 * @param {boolean} flip
 */
function middle(square, flip) {
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]) - 1;
  return flip ? { x: 7.5 - file, y: rank + 0.5 } : { x: file + 0.5, y: 7.5 - rank };
}

/**
 * A shaft and a head in one outline, so that they do not darken each other.
 * @param {import('./api.js').Arrow} arrow
 * @param {boolean} flip
 */
function outline({ from, to, colour }, flip) {
  const [a, b] = [middle(from, flip), middle(to, flip)];
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  const neck = length - 0.42;
  const d = `M.3-.085H${neck}V-.24L${length - 0.06} 0L${neck} .24V.085H.3z`;
  return s('path', { class: `arrow ${colour}`, d, transform: `translate(${a.x} ${a.y}) rotate(${angle})` });
}

/**
 * @param {import('./api.js').Arrow[]} arrows
 * @param {boolean} flip
 */
export const drawings = (arrows, flip) =>
  s(
    'svg',
    { viewBox: '0 0 8 8' },
    ...arrows.filter(({ from, to }) => from !== to).map((arrow) => outline(arrow, flip)),
  );
