// Moves as people type them.

/** @param {string} move */
const plain = (move) =>
  move
    .trim()
    .replace(/[+#=x!?]/g, '')
    .replaceAll('0', 'O');

/**
 * The legal move that is meant by e4, nf3, Nxf3+, e2e4 or 0-0. Where the case of letters decides, it does: bc3 is a
 * pawn's move if there is one.
 * @param {string} text
 * @param {import('./api.js').LegalMove[]} legal
 */
export function typedMove(text, legal) {
  const wanted = plain(text);
  return (
    legal.find(({ san, uci }) => plain(san) === wanted || uci === wanted) ??
    legal.find(({ san }) => plain(san).toLowerCase() === wanted.toLowerCase())
  );
}
