// The line of moves in the address, with the signs and positions that the server gave for them.

import { get } from './api.js';
import { START } from './fen.js';

/** @typedef {{san: string, fen: string}} Known */

/** @type {Map<string, Known>} */
const known = new Map();

/**
 * @param {string} fen
 * @param {string[]} play
 */
const key = (fen, play) => `${fen || START}|${play.join(',')}`;

/**
 * Keeps what is known of a move, so that it shows at once when it is played.
 * @param {string} fen
 * @param {string[]} play the line that ends with it
 * @param {Known} move
 */
export function remember(fen, play, move) {
  known.set(key(fen, play), { san: move.san, fen: move.fen });
}

/**
 * @param {string} fen
 * @param {string[]} play
 * @returns {import('./line.js').Line | null} nothing if a move of it is not known yet
 */
export function knownLine(fen, play) {
  const nodes = [];
  for (let ply = 1; ply <= play.length; ply++) {
    const move = known.get(key(fen, play.slice(0, ply)));
    if (!move) return null;
    nodes.push({ ply, uci: play[ply - 1], ...move });
  }
  return { fen: fen || START, nodes };
}

/**
 * The line, with questions for the moves that are not known yet.
 * @param {string} fen
 * @param {string[]} play
 * @param {AbortSignal} signal
 */
export async function playedLine(fen, play, signal) {
  const missing = play.map((_, ply) => play.slice(0, ply + 1)).filter((line) => !known.has(key(fen, line)));
  await Promise.all(
    missing.map(async (line) => {
      const answer = /** @type {import('./api.js').Position} */ (
        await get('/api/position', { fen, play: line.join(',') }, signal)
      );
      remember(fen, line, { san: answer.last?.san ?? line[line.length - 1], fen: answer.fen });
    }),
  );
  return knownLine(fen, play) ?? { fen: fen || START, nodes: [] };
}
