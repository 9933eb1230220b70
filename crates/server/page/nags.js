// Numeric annotation glyphs as signs that common fonts have, with what they mean.

/** @type {Record<number, [sign: string, meaning: string]>} */
const NAGS = {
  1: ['!', 'good move'],
  2: ['?', 'mistake'],
  3: ['!!', 'brilliant move'],
  4: ['??', 'blunder'],
  5: ['!?', 'interesting move'],
  6: ['?!', 'dubious move'],
  7: ['□', 'only move'],
  8: ['□', 'only move'],
  10: ['=', 'equal'],
  11: ['=', 'equal'],
  12: ['=', 'equal'],
  13: ['∞', 'unclear'],
  14: ['+=', 'White is slightly better'],
  15: ['=+', 'Black is slightly better'],
  16: ['±', 'White is better'],
  17: ['∓', 'Black is better'],
  18: ['+−', 'White is winning'],
  19: ['−+', 'Black is winning'],
  20: ['+−', 'White is winning'],
  21: ['−+', 'Black is winning'],
  22: ['⊙', 'zugzwang'],
  23: ['⊙', 'zugzwang'],
  32: ['↻', 'lead in development'],
  33: ['↻', 'lead in development'],
  36: ['↑', 'initiative'],
  37: ['↑', 'initiative'],
  40: ['→', 'attack'],
  41: ['→', 'attack'],
  44: ['=∞', 'compensation'],
  45: ['=∞', 'compensation'],
  132: ['⇆', 'counterplay'],
  133: ['⇆', 'counterplay'],
  138: ['⊕', 'time trouble'],
  139: ['⊕', 'time trouble'],
  140: ['∆', 'with the idea'],
  142: ['≥', 'better is'],
  145: ['RR', 'editorial comment'],
  146: ['N', 'novelty'],
};

/**
 * @param {number} nag
 * @returns {[sign: string, meaning: string]}
 */
export const nagSign = (nag) => NAGS[nag] ?? [`$${nag}`, `annotation ${nag}`];

/**
 * How a move with this sign is coloured.
 * @param {number[]} nags
 */
export function nagClass(nags) {
  if (nags.some((nag) => nag === 1 || nag === 3)) return 'good';
  if (nags.includes(4)) return 'blunder';
  if (nags.includes(2)) return 'mistake';
  if (nags.includes(6)) return 'dubious';
  return nags.includes(5) ? 'interesting' : '';
}
