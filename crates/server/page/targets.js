// Which squares a click may go to, from the moves that the server says are legal.

import { kingOf, placement } from './fen.js';

/** @typedef {import('./api.js').LegalMove} LegalMove */

/**
 * Moves by the square they start from and the one they go to. Castling may be written as the king taking his rook, as
 * Chess960 has it: then the king's own new square, seen in the position that follows, is good as well.
 * @param {LegalMove[]} legal
 * @returns {Map<string, Map<string, LegalMove[]>>}
 */
export function targets(legal) {
  /** @type {Map<string, Map<string, LegalMove[]>>} */
  const found = new Map();
  const add = (/** @type {string} */ from, /** @type {string} */ to, /** @type {LegalMove} */ move) => {
    const moves = found.get(from) ?? found.set(from, new Map()).get(from);
    moves?.set(to, [...(moves.get(to) ?? []), move]);
  };
  for (const move of legal) add(move.uci.slice(0, 2), move.uci.slice(2, 4), move);
  for (const move of legal.filter(({ san }) => san.startsWith('O-O'))) {
    const from = move.uci.slice(0, 2);
    const side = move.fen.split(' ')[1] === 'b' ? 'white' : 'black';
    const king = kingOf(placement(move.fen), side);
    if (king && king !== from && !found.get(from)?.has(king)) add(from, king, move);
  }
  return found;
}
