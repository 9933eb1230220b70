// A board: a grid of 64 cells that mouse, finger and keyboard can use alike.

import { h } from './dom.js';
import { SQUARES, kingOf, placement, turnOf } from './fen.js';
import { piece, pieceName } from './pieces.js';
import { drawings } from './arrows.js';
import { targets } from './targets.js';
import { choosePromotion } from './promotion.js';

/**
 * @typedef {object} Shown
 * @property {string} fen
 * @property {string | null} [last] the move that led here
 * @property {boolean} [check]
 * @property {import('./api.js').LegalMove[]} [legal]
 * @property {import('./api.js').Arrow[]} [arrows]
 * @property {import('./api.js').Marked[]} [squares]
 * @property {boolean} [flip]
 */

const DRAG_FROM = 4; // pixels; less is a click

export class Board {
  #cells = new Map(SQUARES.map((square) => [square, this.#cell(square)]));
  #grid = h('div', { class: 'grid', role: 'grid' });
  #overlay = h('div', { class: 'overlay', 'aria-hidden': 'true' });
  /** @type {Map<string, string>} */
  #pieces = new Map();
  /** @type {Shown} */
  #shown = { fen: '8/8/8/8/8/8/8/8 w - - 0 1' };
  /** @type {Map<string, Map<string, import('./api.js').LegalMove[]>>} */
  #targets = new Map();
  /** @type {string | null} */
  #selected = null;
  #focus = 'e2';
  /** @type {{x: number, y: number, from: string, moved: boolean, wasSelected: boolean} | null} */
  #drag = null;

  /**
   * With `onSquare` the board is for setting up: each square reports itself, and nothing moves.
   * @param {{label: string, onMove?: (uci: string) => void, onSquare?: (square: string) => void}} options
   */
  constructor(options) {
    this.options = options;
    this.#grid.setAttribute('aria-label', options.label);
    this.element = h('div', { class: 'board' }, this.#grid, this.#overlay);
    this.#lay(false);
    this.#grid.addEventListener('pointerdown', (event) => this.#down(event));
    this.#grid.addEventListener('pointermove', (event) => this.#move(event));
    this.#grid.addEventListener('pointerup', (event) => this.#up(event));
    this.#grid.addEventListener('pointercancel', () => this.#drop());
    this.#grid.addEventListener('keydown', (event) => this.#key(event));
    this.#grid.addEventListener('focusin', (event) => this.#focused(event));
  }

  /** @param {Shown} shown */
  show(shown) {
    const before = this.#shown;
    if (!!shown.flip !== !!before.flip) this.#lay(!!shown.flip);
    this.#shown = shown;
    this.#pieces = placement(shown.fen);
    this.#targets = targets(shown.legal ?? []);
    if (shown.fen !== before.fen) this.#selected = null;
    const king = shown.check ? kingOf(this.#pieces, turnOf(shown.fen)) : null;
    for (const [square, cell] of this.#cells) this.#paint(square, cell, king);
    this.#marks();
    this.#overlay.replaceChildren(drawings(shown.arrows ?? [], !!shown.flip));
    if (shown.last && shown.fen !== before.fen) this.#slide(shown.last);
  }

  /** The letters on the board, for whoever sets it up. */
  get pieces() {
    return this.#pieces;
  }

  /** @param {string} square */
  #cell(square) {
    const dark = (square.charCodeAt(0) + square.charCodeAt(1)) % 2 === 0;
    return h('div', {
      class: `cell ${dark ? 'dark' : 'light'}`,
      role: 'gridcell',
      tabindex: '-1',
      'data-square': square,
    });
  }

  /** @param {boolean} flip */
  #lay(flip) {
    // A cell that is put elsewhere loses the focus.
    const focused = this.#grid.contains(document.activeElement);
    const order = flip ? [...SQUARES].reverse() : SQUARES;
    const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((row) => {
      const cells = order.slice(8 * row, 8 * row + 8).map((square, column) => {
        const cell = /** @type {HTMLElement} */ (this.#cells.get(square));
        cell.classList.toggle('file-name', row === 7);
        cell.classList.toggle('rank-name', column === 0);
        cell.dataset.file = square[0];
        cell.dataset.rank = square[1];
        return cell;
      });
      return h('div', { class: 'row', role: 'row' }, ...cells);
    });
    this.#grid.replaceChildren(...rows);
    this.#rove(this.#focus);
    if (focused) this.#cells.get(this.#focus)?.focus();
  }

  /**
   * @param {string} square
   * @param {HTMLElement} cell
   * @param {string | null} king
   */
  #paint(square, cell, king) {
    const letter = this.#pieces.get(square) ?? '';
    if (cell.dataset.piece !== letter) {
      cell.dataset.piece = letter;
      cell.replaceChildren(...(letter ? [piece(letter)] : []));
      cell.setAttribute('aria-label', letter ? `${square}, ${pieceName(letter)}` : `${square}, empty`);
    }
    const { last } = this.#shown;
    cell.classList.toggle('last', !!last && (last.slice(0, 2) === square || last.slice(2, 4) === square));
    cell.classList.toggle('check', king === square);
    cell.classList.toggle('movable', this.#targets.has(square) || !!this.options.onSquare);
    const colour = this.#shown.squares?.find((marked) => marked.square === square)?.colour;
    if (colour) cell.dataset.colour = colour;
    else delete cell.dataset.colour;
  }

  /** Shows the selected square and where its piece may go. */
  #marks() {
    const to = this.#selected ? this.#targets.get(this.#selected) : null;
    for (const [square, cell] of this.#cells) {
      cell.classList.toggle('selected', square === this.#selected);
      cell.classList.toggle('target', !!to?.has(square));
      cell.setAttribute('aria-selected', String(square === this.#selected));
      if (to?.has(square)) cell.setAttribute('aria-description', 'legal move');
      else cell.removeAttribute('aria-description');
    }
  }

  /**
   * Lets the piece that moved glide to its square.
   * @param {string} last
   */
  #slide(last) {
    const from = this.#cells.get(last.slice(0, 2));
    const to = this.#cells.get(last.slice(2, 4));
    const moved = to?.firstElementChild;
    if (!from || !to || !moved || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const [a, b] = [this.#box(last.slice(0, 2)), this.#box(last.slice(2, 4))];
    moved.animate([{ transform: `translate(${a.x - b.x}px, ${a.y - b.y}px)` }, { transform: 'none' }], {
      duration: 120,
      easing: 'ease-out',
    });
  }

  /** @param {Event} event */
  #squareOf(event) {
    const cell = event.target instanceof Element ? event.target.closest('.cell') : null;
    return cell instanceof HTMLElement ? (cell.dataset.square ?? null) : null;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const square = this.#squareOf(event);
    if (!square || event.button !== 0) return;
    this.#rove(square);
    if (this.options.onSquare) return this.options.onSquare(square);
    if (this.#playTo(square)) return;
    const wasSelected = this.#selected === square;
    this.#select(this.#targets.has(square) ? square : null);
    if (this.#selected) {
      this.#drag = { x: event.clientX, y: event.clientY, from: square, moved: false, wasSelected };
      this.#grid.setPointerCapture(event.pointerId);
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const drag = this.#drag;
    if (!drag) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(x, y) < DRAG_FROM) return;
    drag.moved = true;
    const held = this.#cells.get(drag.from)?.querySelector('svg');
    held?.classList.add('held');
    held?.style.setProperty('transform', `translate(${x}px, ${y}px)`);
    const over = this.#under(event);
    for (const [square, cell] of this.#cells) cell.classList.toggle('over', square === over);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const drag = this.#drag;
    if (!drag) return;
    const to = this.#under(event);
    this.#drop();
    if (drag.moved) {
      if (to && to !== drag.from) this.#playTo(to);
    } else if (drag.wasSelected) this.#select(null);
  }

  #drop() {
    const held = this.#drag && this.#cells.get(this.#drag.from)?.querySelector('svg');
    held?.classList.remove('held');
    held?.style.removeProperty('transform');
    for (const cell of this.#cells.values()) cell.classList.remove('over');
    this.#drag = null;
  }

  /** @param {PointerEvent} event */
  #under(event) {
    const box = this.#grid.getBoundingClientRect();
    const column = Math.floor((8 * (event.clientX - box.x)) / box.width);
    const row = Math.floor((8 * (event.clientY - box.y)) / box.height);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    const index = 8 * row + column;
    return SQUARES[this.#shown.flip ? 63 - index : index];
  }

  /** @param {string | null} square */
  #select(square) {
    this.#selected = square;
    this.#marks();
  }

  /**
   * Plays from the selected square to another, if a move does that.
   * @param {string} square
   */
  #playTo(square) {
    const moves = this.#selected ? this.#targets.get(this.#selected)?.get(square) : null;
    if (!moves) return false;
    this.#select(null);
    const play = (/** @type {string} */ uci) => this.options.onMove?.(uci);
    if (moves.length === 1) play(moves[0].uci);
    else choosePromotion(moves, turnOf(this.#shown.fen), this.#box(square)).then((uci) => uci && play(uci));
    return true;
  }

  /** @param {string} square */
  #box(square) {
    return /** @type {HTMLElement} */ (this.#cells.get(square)).getBoundingClientRect();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const square = this.#squareOf(event);
    const step = /** @type {Record<string, number>} */ ({
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -8,
      ArrowDown: 8,
    })[event.key];
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') this.#select(null);
    else if (event.key === 'Enter' || event.key === ' ') {
      if (this.options.onSquare) this.options.onSquare(square);
      else if (!this.#playTo(square))
        this.#select(this.#targets.has(square) && this.#selected !== square ? square : null);
    } else if (step) {
      const index = SQUARES.indexOf(square);
      const next = index + (this.#shown.flip ? -step : step);
      const wraps = Math.abs(step) === 1 && Math.floor(next / 8) !== Math.floor(index / 8);
      if (next >= 0 && next < 64 && !wraps) this.#cells.get(SQUARES[next])?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const square = this.#squareOf(event);
    if (square) this.#rove(square);
  }

  /**
   * One square at a time is a stop of the Tab key.
   * @param {string} square
   */
  #rove(square) {
    this.#cells.get(this.#focus)?.setAttribute('tabindex', '-1');
    this.#cells.get(square)?.setAttribute('tabindex', '0');
    this.#focus = square;
  }
}
