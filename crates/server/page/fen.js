// The board in a FEN, as letters on squares. What may be played is the server's to say.

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const FILES = 'abcdefgh';

/** All squares as a diagram has them, from a8 to h1. */
export const SQUARES = [...'87654321'].flatMap((rank) => [...FILES].map((file) => file + rank));

/**
 * The letters on the squares.
 * @param {string} fen
 * @returns {Map<string, string>}
 */
export function placement(fen) {
  const board = new Map();
  fen
    .split(' ')[0]
    .split('/')
    .slice(0, 8)
    .forEach((row, index) => {
      let file = 0;
      for (const letter of row) {
        if (letter >= '1' && letter <= '8') file += Number(letter);
        else if (file < 8 && /[pnbrqka*_]/i.test(letter)) board.set(`${FILES[file++]}${8 - index}`, letter);
        else file++;
      }
    });
  return board;
}

/**
 * The first field of a FEN.
 * @param {Map<string, string>} board
 */
export function placementText(board) {
  return [...'87654321']
    .map((rank) => {
      const row = [...FILES].map((file) => board.get(file + rank) ?? ' ').join('');
      return row.replace(/ +/g, (gap) => String(gap.length));
    })
    .join('/');
}

/** @param {string} fen */
export const turnOf = (fen) => (fen.split(' ')[1] === 'b' ? 'black' : 'white');

/**
 * The number of the move that is played next.
 * @param {string} fen
 */
export const moveNumber = (fen) => Number(fen.split(' ')[5]) || 1;

/**
 * Where the king of a side stands.
 * @param {Map<string, string>} board
 * @param {'white' | 'black'} side
 */
export function kingOf(board, side) {
  const letter = side === 'white' ? 'K' : 'k';
  return [...board].find(([, piece]) => piece === letter)?.[0] ?? null;
}
