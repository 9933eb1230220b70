// The pieces, drawn for tabiya in a box of 45 by 45. Lines inside a piece have a class of their own, so that they
// show on black pieces too.

import { s } from './dom.js';

/** @type {Record<string, string[][]>} each piece as paths: the outline first, then what is drawn on it */
const SHAPES = {
  p: [
    [
      'body',
      'M22.5 8.2a5.7 5.7 0 0 1 3.7 10c2 .9 3.2 2.2 3.5 3.9h-3.9c.2 5.3 2 8.7 5.6 11 1.6 1 2.6 2.3 2.6 4v1.4h-23v-1.4c0-1.7 1-3 2.6-4 3.6-2.3 5.4-5.7 5.6-11h-3.9c.3-1.7 1.5-3 3.5-3.9a5.7 5.7 0 0 1 3.7-10z',
    ],
  ],
  n: [
    [
      'body',
      'M12.6 38.5c-.4-6.8 3.4-9.7 6.6-13.2 1.7-1.9 2.6-3.7 2.5-5.6-1.9 1.6-4.3 2-5.7 3.8-.7 1.1-1.3 2.7-2.9 3-.9.2-1.7-.2-2.3-.9-1.3.2-2.5-1-2.3-2.7.3-2.8 3.1-5 4.3-8.4.6-1.9 1.4-3 2.7-4.1l-.2-4.6 3.7 2.7 3-3.1 1.3 3.4c8.4 2.1 13.2 9.8 12.7 21.4l-.4 8.3z',
    ],
    ['line', 'M24.3 12.8c5.3 2.7 7.8 8.6 7.6 21.7'],
    ['dot', 'M15.3 16.7a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0z'],
  ],
  b: [
    [
      'body',
      'M22.5 4.5a2.7 2.7 0 0 1 1.7 4.8c4.3 3.3 7 6.9 7 11.4 0 3.1-1.4 5.5-3.7 7.1l1 3.7c2.9.5 4.9 1.6 5.4 3.5.2.8.3 2.1.3 3.5h-23.4c0-1.4.1-2.7.3-3.5.5-1.9 2.5-3 5.4-3.5l1-3.7c-2.3-1.6-3.7-4-3.7-7.1 0-4.5 2.7-8.1 7-11.4a2.7 2.7 0 0 1 1.7-4.8z',
    ],
    ['line', 'M17.5 27.8h10M16.5 31.5h12M25.9 12.7l-4.4 6.5'],
  ],
  r: [
    [
      'body',
      'M11.5 7.5h5.3v3h3.2v-3h5v3h3.2v-3h5.3v6.5c0 1.6-1 2.6-3.5 4l1 12.5c3 1.4 4.5 2.8 4.5 5v3h-26v-3c0-2.2 1.5-3.6 4.5-5l1-12.5c-2.5-1.4-3.5-2.4-3.5-4z',
    ],
    ['line', 'M15 18h15M14 30.5h17M11.6 14h21.8'],
  ],
  q: [
    [
      'body',
      'M22.5 4.7a2.5 2.5 0 0 1 1.1 4.7l3.3 9.1 5-7.3a2.4 2.4 0 1 1 2.5.9l-.2 8.2 3.6-3.2a2.3 2.3 0 1 1 1.3.7l-5 12.7c-.5 1.3-.2 2.3.6 3.3.9 1.1 1.3 2.4 1.3 4.7h-27c0-2.3.4-3.6 1.3-4.7.8-1 1.1-2 .6-3.3l-5-12.7a2.3 2.3 0 1 1 1.3-.7l3.6 3.2-.2-8.2a2.4 2.4 0 1 1 2.5-.9l5 7.3 3.3-9.1a2.5 2.5 0 0 1 1.1-4.7z',
    ],
    ['line', 'M11.3 29.5c7-2 15.4-2 22.4 0M10.4 34c7.6-1.8 16.6-1.8 24.2 0'],
  ],
  k: [
    [
      'body',
      'M21 3.5h3v2.8h2.9v3h-2.9v3.2c1.3.9 2 2.1 2.3 3.5 2-1.6 4.3-2.4 6.5-2.4 4.4 0 7.2 3.2 7.2 7 0 3.5-2.3 6-5.3 8.7-.5 1.3-.2 2.3.6 3.3.7 1 1.2 2.8 1.2 5.9h-28c0-3.1.5-4.9 1.2-5.9.8-1 1.1-2 .6-3.3-3-2.7-5.3-5.2-5.3-8.7 0-3.8 2.8-7 7.2-7 2.2 0 4.5.8 6.5 2.4.3-1.4 1-2.6 2.3-3.5v-3.2h-2.9v-3h2.9z',
    ],
    [
      'line',
      'M10.5 29.4c7.5-2.3 16.5-2.3 24 0M9.4 34c8-2.2 18.2-2.2 26.2 0M22.5 25.5c0-4.5 1-7.5 3.8-9.5M22.5 25.5c0-4.5-1-7.5-3.8-9.5',
    ],
  ],
};

/** @type {Record<string, string>} */
const NAMES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

/** What may stand on a square of a pattern beside the pieces themselves. */
export const WILDCARDS = /** @type {Record<string, string>} */ ({
  A: 'any white piece',
  a: 'any black piece',
  '*': 'any piece',
  _: 'nothing',
});

/**
 * "white knight" for N.
 * @param {string} letter
 */
export const pieceName = (letter) =>
  WILDCARDS[letter] ??
  `${letter === letter.toUpperCase() ? 'white' : 'black'} ${NAMES[letter.toLowerCase()]}`;

/** Draws every piece once, for all that `use` them. */
export function definePieces() {
  const symbols = Object.entries(SHAPES).map(([letter, paths]) =>
    s(
      'symbol',
      { id: `piece-${letter}`, viewBox: '0 0 45 45' },
      ...paths.map(([kind, d]) => s('path', { class: kind, d })),
    ),
  );
  document.body.append(s('svg', { class: 'defs', 'aria-hidden': 'true' }, ...symbols));
}

/**
 * A picture of a piece, by its letter in a FEN, or of a wildcard of a pattern.
 * @param {string} letter
 */
export function piece(letter) {
  const colour = letter === letter.toUpperCase() ? 'white' : 'black';
  const face =
    letter in WILDCARDS ? wildcard(letter) : [s('use', { href: `#piece-${letter.toLowerCase()}` })];
  return s(
    'svg',
    {
      class: `piece ${letter in WILDCARDS && !/[Aa]/.test(letter) ? 'wild' : colour}`,
      'aria-hidden': 'true',
      viewBox: '0 0 45 45',
    },
    ...face,
  );
}

/** @param {string} letter */
function wildcard(letter) {
  const sign = { A: 'any', a: 'any', '*': '∗', _: '∅' }[letter] ?? letter;
  return [
    s('circle', { class: 'body', cx: 22.5, cy: 22.5, r: 15 }),
    s('text', { class: 'sign', x: 22.5, y: 27.5, 'text-anchor': 'middle' }, sign),
  ];
}
