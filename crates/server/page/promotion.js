// Which piece a pawn becomes.

import { h } from './dom.js';
import { piece, pieceName } from './pieces.js';

const ORDER = 'qnrbk';

/**
 * Asks; resolves to the move, or to nothing if the reader thinks better of it.
 * @param {import('./api.js').LegalMove[]} moves
 * @param {'white' | 'black'} side
 * @param {DOMRect} square where the pawn arrives
 * @returns {Promise<string | null>}
 */
export function choosePromotion(moves, side, square) {
  const sorted = [...moves].sort((a, b) => ORDER.indexOf(a.uci[4]) - ORDER.indexOf(b.uci[4]));
  const dialog = h('dialog', { class: 'promotion', 'aria-label': 'Promote the pawn to' });
  dialog.append(
    ...sorted.map(({ uci, san }) => {
      const letter = uci[4] ? (side === 'white' ? uci[4].toUpperCase() : uci[4]) : '';
      const face = letter ? piece(letter) : san;
      return h(
        'button',
        {
          type: 'button',
          'aria-label': letter ? pieceName(letter).split(' ')[1] : san,
          click: () => dialog.close(uci),
        },
        face,
      );
    }),
  );
  document.body.append(dialog);
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.showModal();
  const { width, height } = dialog.getBoundingClientRect();
  const below = square.bottom + height + 8 < innerHeight ? square.bottom + 4 : square.top - height - 4;
  dialog.style.left = `${Math.max(4, Math.min(square.left, innerWidth - width - 4))}px`;
  dialog.style.top = `${below}px`;
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
  });
}
