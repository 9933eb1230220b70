// A board to set up by hand: a position, or a pattern of one.

import { h } from './dom.js';
import { Board } from './board.js';
import { START, placement, placementText } from './fen.js';
import { WILDCARDS, piece, pieceName } from './pieces.js';

const PALETTE = [...'KQRBNPkqrbnp', ...Object.keys(WILDCARDS)];

export class Editor {
  #board = new Board({ label: 'Board to set up', onSquare: (square) => this.#put(square) });
  #palette = h('div', { class: 'palette', role: 'radiogroup', 'aria-label': 'What to put on the board' });
  #fen = h('input', { class: 'fen', 'aria-label': 'FEN', spellcheck: 'false', autocomplete: 'off' });
  #turn = h(
    'select',
    { 'aria-label': 'Who is to move' },
    h('option', { value: 'w' }, 'White to move'),
    h('option', { value: 'b' }, 'Black to move'),
  );
  #castling = [...'KQkq'].map((right) => h('input', { type: 'checkbox', value: right }));
  #flip = false;
  #held = 'K';
  /** @type {Map<string, string>} */
  #pieces = new Map();
  element = h(
    'div',
    { class: 'editor' },
    this.#board.element,
    this.#palette,
    h(
      'div',
      { class: 'editor-row' },
      this.#turn,
      ...this.#castling.map((box) =>
        h('label', {}, box, { K: 'White O-O', Q: 'O-O-O', k: 'Black O-O', q: 'O-O-O' }[box.value] ?? ''),
      ),
    ),
    h('div', { class: 'editor-row' }, this.#fen),
    h(
      'div',
      { class: 'editor-row' },
      ...[
        ['Clear', '8/8/8/8/8/8/8/8 w - - 0 1'],
        ['Start', START],
      ].map(([name, fen]) => h('button', { type: 'button', click: () => this.set(fen) }, name)),
      h('button', { type: 'button', click: () => this.#turnRound() }, 'Flip'),
    ),
  );

  constructor() {
    this.#palette.append(...PALETTE.map((letter) => this.#choice(letter)), this.#choice(''));
    this.#fen.addEventListener('change', () => this.set(this.#fen.value));
    for (const field of [this.#turn, ...this.#castling])
      field.addEventListener('change', () => this.#update());
    this.set('8/8/8/8/8/8/8/8 w - - 0 1');
  }

  /** @param {string} fen */
  set(fen) {
    const [, turn, castling] = fen.trim().split(/\s+/);
    this.#pieces = placement(fen.trim());
    this.#turn.value = turn === 'b' ? 'b' : 'w';
    for (const box of this.#castling) box.checked = !!castling?.includes(box.value);
    this.#update();
  }

  get fen() {
    const castling = this.#castling
      .filter((box) => box.checked)
      .map((box) => box.value)
      .join('');
    return `${placementText(this.#pieces)} ${this.#turn.value} ${castling || '-'} - 0 1`;
  }

  /** What stands on the board, for a pattern: empty squares do not matter. */
  get pattern() {
    return placementText(this.#pieces);
  }

  get empty() {
    return this.#pieces.size === 0;
  }

  /** Whether it can be a position of a game: wildcards make it a pattern. */
  get exact() {
    return ![...this.#pieces.values()].some((letter) => letter in WILDCARDS);
  }

  /** @param {string} letter */
  #choice(letter) {
    const name = letter ? pieceName(letter) : 'take away';
    const input = h('input', {
      type: 'radio',
      name: 'palette',
      value: letter,
      checked: letter === this.#held,
      'aria-label': name,
      change: () => (this.#held = letter),
    });
    return h(
      'label',
      { class: 'choice', title: name },
      input,
      letter ? piece(letter) : h('span', { class: 'rubber', 'aria-hidden': 'true' }, '×'),
    );
  }

  /** @param {string} square */
  #put(square) {
    if (!this.#held || this.#pieces.get(square) === this.#held) this.#pieces.delete(square);
    else this.#pieces.set(square, this.#held);
    this.#update();
  }

  #turnRound() {
    this.#flip = !this.#flip;
    this.#update();
  }

  #update() {
    this.#fen.value = this.fen;
    this.#board.show({ fen: this.fen, flip: this.#flip });
  }
}
